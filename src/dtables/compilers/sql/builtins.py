"""Built-in functions: one entry each; those without one are reported."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from sqlglot import exp

from dtables.compilers.sql import dates
from dtables.compilers.sql.exact import as_whole, checked, short
from dtables.compilers.sql.loops import filtered, has_any, item_variable, mapped
from dtables.compilers.sql.neutral import (
    Operation,
    XAbs,
    XCeiling,
    XConcat,
    XContains,
    XCount,
    XDistinct,
    XDivide,
    XEnds,
    XFlatten,
    XFloor,
    XHolds,
    XItem,
    XLength,
    XList,
    XLower,
    XMapOf,
    XMax,
    XMin,
    XModulo,
    XPlaces,
    XRepeat,
    XReverse,
    XRound,
    XSlice,
    XStarts,
    XSum,
    XText,
    XUpper,
)
from dtables.compilers.sql.operators import has_order, same
from dtables.compilers.sql.plan import Scope, SoFar, held
from dtables.compilers.sql.sizes import with_places
from dtables.compilers.sql.terms import (
    FALSE,
    NULL,
    TRUE,
    Term,
    Tree,
    all_of,
    any_of,
    case,
    first_problem,
    is_null,
    literal,
    negated,
    paren,
    typed,
)
from dtables.compilers.sql.types import TEXT, WHOLE_NUMBER, data_type, is_scalar, is_whole, list_of
from dtables.feel.functions.dates import DAYS, MONTHS
from dtables.feel.types import (
    BooleanType,
    DateType,
    DaysDurationType,
    ListType,
    NumberType,
    TextType,
    YearsDurationType,
    describe,
    item_type,
    join,
    may_be_null,
    plain,
)
from dtables.model.expressions import CallBuiltin, Read

# -- lists ---------------------------------------------------------------------------------------
# Built-ins on lists that take more than one operation.


def with_type(operation: Operation, call: Call) -> Operation:
    return typed(operation, call.scope.plan.data_type(call.node.type, call.node.where))


def count(items: Tree) -> Tree:
    return typed(XCount(this=items), WHOLE_NUMBER)


def several(call: Call) -> Term:
    """`f(list)` or `f(a, b, …)`: one list."""
    if len(call.terms) == 1 and isinstance(plain(call.terms[0].type), ListType):
        return call.terms[0]
    of = ListType(join([term.type for term in call.terms]))
    items = XList(expressions=[term.value for term in call.terms])
    return Term(typed(items, call.scope.plan.data_type(of, call.node.where)), of)


def nulls_in(items: Term, call: Call) -> Tree | None:
    """A null among numbers has no sum, no smallest, no greatest."""
    of = item_type(items.type)
    if not may_be_null(of):
        return None
    item = item_variable(call.scope.plan, "item", of)
    message = f"null is no {describe(plain(of))}"
    return call.problem(has_any(items.value, item, is_null(item)), message)


def smallest(call: Call) -> Term:
    return _extreme(call, XMin)


def greatest(call: Call) -> Term:
    return _extreme(call, XMax)


def _extreme(call: Call, operation: type[XMin] | type[XMax]) -> Term:
    items = several(call)
    if not has_order(item_type(items.type)):
        return call.cannot(f"the order of values of type {describe(item_type(items.type))}")
    return call.operation(operation(this=items.value), nulls_in(items, call))


def index_of(call: Call) -> Term:
    """The places whose item is the same."""
    items, target = call.terms
    plan = call.scope.plan

    def found(listed: Term) -> Term:
        place = plan.variable("place", WHOLE_NUMBER)
        of = item_type(items.type)
        item = typed(XItem(this=listed.value, expression=place), data_type(of, plan.stored) or TEXT)
        return Term(filtered(_places(listed.value), place, same(Term(item, of), target)), call.node.type)

    return call.result(held(call.scope, "list", _plain_term(items), found).value)


def _plain_term(term: Term) -> Term:
    return Term(term.value, term.type)


def _places(items: Tree) -> Tree:
    return typed(XPlaces(this=items), list_of(WHOLE_NUMBER))


def sublist(call: Call) -> Term:
    """A place or a length that the list does not have is an error."""
    items, start, *length = call.terms
    if isinstance(start.value, exp.Neg):
        return call.cannot("a part of a list counted from its end")
    size = count(items.value)
    outside = [
        exp.LT(this=paren(start.value), expression=literal(1)),
        exp.GT(this=start.value, expression=size),
    ]
    part = XSlice(this=items.value, expression=start.value)
    for many in length:
        part.set("length", many.value)
        end = exp.Add(this=exp.Cast(this=start.value, to=WHOLE_NUMBER), expression=paren(many.value))
        outside.append(exp.LT(this=paren(many.value), expression=literal(0)))
        outside.append(exp.GT(this=end, expression=exp.Add(this=size, expression=literal(1))))
    wrong = any_of(outside)
    value = case([(wrong, NULL)], with_type(part, call))
    return call.result(value, call.problem(wrong, "there are no such places in the list"))


def drop_highest(call: Call) -> Term:
    return _dropped(call, exp.GT)


def drop_lowest(call: Call) -> Term:
    return _dropped(call, exp.LT)


def _dropped(call: Call, comes_first: type[exp.GT] | type[exp.LT]) -> Term:
    """An item stays where as many as are dropped come before it: those beyond it, and of equals the
    earlier."""
    numbers, many = call.terms
    plan, of = call.scope.plan, item_type(numbers.type)
    kind = data_type(of, plan.stored) or TEXT

    def kept(listed: Term) -> Term:
        places = _places(listed.value)
        place, other = plan.variable("place", WHOLE_NUMBER), plan.variable("other", WHOLE_NUMBER)
        mine, theirs = (typed(XItem(this=listed.value, expression=at), kind) for at in (place, other))
        earlier = all_of([exp.EQ(this=theirs, expression=mine), exp.LT(this=other, expression=place)])
        before = filtered(places, other, any_of([comes_first(this=theirs, expression=mine), earlier]))
        stays = filtered(places, place, exp.GTE(this=count(before), expression=paren(many.value)))
        last = plan.variable("place", WHOLE_NUMBER)
        item = typed(XItem(this=listed.value, expression=last), kind)
        return Term(mapped(stays, last, item, kind), call.node.type)

    negative = call.problem(
        exp.LT(this=paren(many.value), expression=literal(0)), "items below 0 cannot be dropped"
    )
    value = held(call.scope, "numbers", _plain_term(numbers), kept).value
    return call.result(value, nulls_in(numbers, call), negative)


def all_true(call: Call) -> Term:
    """Three-valued: false where one is false, else null where one is null."""
    items = several(call)
    some_false = _some(items, call, negated)
    return call.result(_three_valued(some_false, items, call, FALSE, TRUE))


def any_true(call: Call) -> Term:
    items = several(call)
    some_true = _some(items, call, lambda tree: tree)
    return call.result(_three_valued(some_true, items, call, TRUE, FALSE))


def _some(items: Term, call: Call, condition: Callable[[Tree], Tree]) -> Tree:
    item = item_variable(call.scope.plan, "item", item_type(items.type))
    return has_any(items.value, item, condition(item))


def _three_valued(settled: Tree, items: Term, call: Call, then: Tree, otherwise: Tree) -> Tree:
    if not may_be_null(item_type(items.type)):
        return case([(settled, then)], otherwise)
    open_ = _some(items, call, is_null)
    arms = [exp.If(this=settled, true=then), exp.If(this=open_, true=NULL)]
    return exp.Case(ifs=arms, default=otherwise)


@dataclass(frozen=True, slots=True)
class Call:
    node: CallBuiltin
    terms: tuple[Term, ...]
    scope: Scope

    def result(self, value: Tree, *problems: Tree | None) -> Term:
        """What is wrong with the arguments comes first."""
        problem = first_problem([*(term.problem for term in self.terms), *problems])
        return Term(value, self.node.type, problem)

    def operation(self, operation: Operation, *problems: Tree | None) -> Term:
        operation.meta["cell"] = self.node.where
        kind = self.scope.plan.data_type(self.node.type, self.node.where)
        return self.result(typed(operation, with_places(kind, operation)), *problems)

    def with_room(self) -> Call:
        """The whole part of the number is one of 64 bits."""
        number, *others = self.terms
        return replace(self, terms=(as_whole(number, self.node.where, self.scope), *others))

    def cannot(self, what: str = "") -> Term:
        construct = what or f"the built-in `{self.node.builtin}`"
        return self.scope.plan.cannot(construct, self.node.where, self.node.type)

    def problem(self, condition: Tree, message: str) -> Tree:
        return case([(condition, literal(f"{self.node.where}: {message}"))])


def called(node: CallBuiltin, scope: Scope) -> Term:
    match node:
        case CallBuiltin(builtin="count", arguments=(Read(variable=variable),)):
            results = scope.names[variable.number]
            if isinstance(results, SoFar):
                return results.count
    read = scope.wide if node.builtin in TAKES_WIDE else scope.term
    terms = tuple(read(argument) for argument in node.arguments)
    entry = ENTRIES.get(node.builtin)
    call = Call(node, terms, scope)
    return call.cannot() if entry is None else entry(call)


# -- lists -----------------------------------------------------------------------------------------


def _of_list(operation: type[Operation]) -> Callable[[Call], Term]:
    return lambda call: call.operation(operation(this=call.terms[0].value))


def _sum(call: Call) -> Term:
    """Null of an empty list."""
    items = several(call)
    total = with_type(XSum(this=items.value), call)
    none = exp.EQ(this=count(items.value), expression=literal(0))
    result = checked(call.result(total, nulls_in(items, call)), call.node.where, call.scope)
    return replace(result, value=case([(none, NULL)], result.value))


def _total(call: Call) -> Term:
    items = several(call)
    result = call.operation(XSum(this=items.value), nulls_in(items, call))
    return checked(result, call.node.where, call.scope)


def _append(call: Call) -> Term:
    items, *more = call.terms
    kind = call.scope.plan.data_type(call.node.type, call.node.where)
    added = typed(XList(expressions=[term.value for term in more]), kind)
    return call.operation(XConcat(expressions=[items.value, added]))


def _concatenate(call: Call) -> Term:
    return call.operation(XConcat(expressions=[term.value for term in call.terms]))


def _union(call: Call) -> Term:
    joined = with_type(XConcat(expressions=[term.value for term in call.terms]), call)
    return call.operation(XDistinct(this=joined))


def _flatten(call: Call) -> Term:
    """Level by level, as deep as the type goes."""
    value, kind = call.terms[0].value, plain(call.terms[0].type)
    item = plain(kind.item) if isinstance(kind, ListType) else None
    while isinstance(item, ListType):
        inner = call.scope.plan.data_type(item, call.node.where)
        value = typed(XFlatten(this=value), inner)
        item = plain(item.item)
    return call.result(value) if item is not None else call.cannot()


def _repeat(call: Call) -> Term:
    value, count = call.terms
    negative = call.problem(exp.LT(this=paren(count.value), expression=literal(0)), "repetitions below 0")
    return call.operation(XRepeat(this=value.value, expression=count.value), negative)


def _list_contains(call: Call) -> Term:
    items, element = call.terms
    if not is_scalar(element.type) and isinstance(plain(element.type), ListType):
        return call.cannot("a list as an item of a list")
    return call.operation(XContains(this=items.value, expression=element.value))


def _context(call: Call) -> Term:
    return call.operation(XMapOf(this=call.terms[0].value))


# -- numbers ---------------------------------------------------------------------------------------


def _number(operation: type[Operation]) -> Callable[[Call], Term]:
    def entry(call: Call) -> Term:
        if len(call.terms) != 1 or not isinstance(plain(call.terms[0].type), NumberType):
            return call.cannot()
        return call.operation(operation(this=call.terms[0].value))

    return entry


def _with_short(operation: Operation, call: Call) -> Operation:
    """Of a decimal: rounding long ones takes a database some time."""
    shortened = (
        None if is_whole(data_type(call.terms[0].type, {})) else short(call.terms[0].value, call.scope.plan)
    )
    if shortened is not None:
        operation.set("short", shortened)
    return operation


def _abs(call: Call) -> Term:
    if isinstance(plain(call.terms[0].type), (DaysDurationType, YearsDurationType)):
        return call.operation(XAbs(this=call.terms[0].value))
    return _number(XAbs)(call)


def _rounded(operation: type[Operation]) -> Callable[[Call], Term]:
    """Of a division: inside the choice that stands around one whose divisor may be 0."""

    def entry(call: Call) -> Term:
        given, call = call, call.with_room()
        term = _number(operation)(call)
        divided = call.terms[0].value
        if isinstance(term.value, operation):
            _with_short(term.value, given)
        if not (isinstance(divided, exp.Case) and isinstance(divided.args.get("default"), XDivide)):
            return term
        quotient = replace(call.terms[0], value=divided.args["default"])
        inside = _number(operation)(replace(call, terms=(quotient,)))
        return replace(term, value=exp.Case(ifs=divided.args["ifs"], default=inside.value))

    return entry


def _decimal(call: Call) -> Term:
    number, places = call.terms
    if not isinstance(places.value, exp.Literal):
        return call.cannot("a number of decimal places that is worked out")
    rounded = XRound(this=number.value, expression=places.value)
    return call.operation(_with_short(rounded, call))


def _modulo(call: Call) -> Term:
    dividend, divisor = call.terms
    zero = exp.EQ(this=paren(divisor.value), expression=literal(0))
    operation = with_type(XModulo(this=dividend.value, expression=divisor.value), call)
    operation.meta["cell"] = call.node.where
    return call.result(case([(zero, NULL)], operation), call.problem(zero, "division by zero"))


# -- logic, texts, dates ---------------------------------------------------------------------------


def _not(call: Call) -> Term:
    if not isinstance(plain(call.terms[0].type), BooleanType):
        return call.cannot()
    return call.result(negated(call.terms[0].value))


def _text(operation: type[Operation]) -> Callable[[Call], Term]:
    return lambda call: call.operation(operation(this=call.terms[0].value))


def _texts(operation: type[Operation]) -> Callable[[Call], Term]:
    def entry(call: Call) -> Term:
        text, other = call.terms
        return call.operation(operation(this=text.value, expression=other.value))

    return entry


def _string(call: Call) -> Term:
    """A number that is not whole is written as FEEL writes it, which no dialect does."""
    kind = plain(call.terms[0].type)
    if isinstance(kind, TextType):
        return call.result(call.terms[0].value)
    if not (isinstance(kind, (BooleanType, DateType)) or (isinstance(kind, NumberType) and kind.whole)):
        return call.cannot(f"a value of type {describe(kind)} as text")
    return call.operation(XText(this=call.terms[0].value))


TAKES_WIDE = frozenset({"floor", "ceiling", "decimal", "abs"})
"""What they make of a number has as many decimal places, or fewer."""

ENTRIES: Mapping[str, Callable[[Call], Term]] = {
    "count": _of_list(XCount),
    "sum": _sum,
    "total": _total,
    "min": smallest,
    "max": greatest,
    "append": _append,
    "concatenate": _concatenate,
    "union": _union,
    "distinct values": _of_list(XDistinct),
    "reverse": _of_list(XReverse),
    "flatten": _flatten,
    "repeat": _repeat,
    "list contains": _list_contains,
    "index of": index_of,
    "sublist": sublist,
    "drop highest": drop_highest,
    "drop lowest": drop_lowest,
    "all": all_true,
    "any": any_true,
    "context": _context,
    "date": dates.date,
    "date and time": dates.moment,
    "duration": dates.duration,
    "years and months duration": dates.months_between,
    "day of year": dates.numbered("yearday"),
    "week of year": dates.numbered("week"),
    "day of week": dates.named("weekday", DAYS),
    "month of year": dates.named("month", MONTHS),
    "abs": _abs,
    "floor": _rounded(XFloor),
    "ceiling": _rounded(XCeiling),
    "decimal": _decimal,
    "modulo": _modulo,
    "not": _not,
    "string": _string,
    "string length": _text(XLength),
    "upper case": _text(XUpper),
    "lower case": _text(XLower),
    "contains": _texts(XHolds),
    "starts with": _texts(XStarts),
    "ends with": _texts(XEnds),
}
