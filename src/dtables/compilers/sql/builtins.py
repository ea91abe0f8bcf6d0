"""Built-in functions: one entry each; those without one are reported."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from sqlglot import exp

from dtables.compilers.sql import dates, lists
from dtables.compilers.sql.exact import as_whole, checked, short
from dtables.compilers.sql.operations import (
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
    XLength,
    XList,
    XLower,
    XMapOf,
    XModulo,
    XRepeat,
    XReverse,
    XRound,
    XStarts,
    XSum,
    XText,
    XUpper,
)
from dtables.compilers.sql.plan import Scope, SoFar
from dtables.compilers.sql.shapes import data_type, is_scalar, is_whole
from dtables.compilers.sql.sizes import with_places
from dtables.compilers.sql.terms import NULL, Term, Tree, case, first_problem, literal, negated, paren, typed
from dtables.feel.functions.temporal_functions import DAYS, MONTHS
from dtables.feel.types import (
    BooleanType,
    DateType,
    DaysDurationType,
    ListType,
    NumberType,
    TextType,
    YearsDurationType,
    describe,
    plain,
)
from dtables.model.expressions import CallBuiltin, Read


@dataclass(frozen=True, slots=True)
class Call:
    node: CallBuiltin
    terms: tuple[Term, ...]
    scope: Scope

    def made(self, value: Tree, *problems: Tree | None) -> Term:
        """What is wrong with the arguments comes first."""
        told = first_problem([*(term.problem for term in self.terms), *problems])
        return Term(value, self.node.type, told)

    def operation(self, operation: Operation, *problems: Tree | None) -> Term:
        operation.meta["cell"] = self.node.where
        kind = self.scope.plan.data_type(self.node.type, self.node.where)
        return self.made(typed(operation, with_places(kind, operation)), *problems)

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
    items = lists.several(call)
    total = lists.with_type(XSum(this=items.value), call)
    none = exp.EQ(this=lists.count(items.value), expression=literal(0))
    made = checked(call.made(total, lists.nulls_in(items, call)), call.node.where, call.scope)
    return replace(made, value=case([(none, NULL)], made.value))


def _total(call: Call) -> Term:
    items = lists.several(call)
    made = call.operation(XSum(this=items.value), lists.nulls_in(items, call))
    return checked(made, call.node.where, call.scope)


def _append(call: Call) -> Term:
    items, *more = call.terms
    kind = call.scope.plan.data_type(call.node.type, call.node.where)
    added = typed(XList(expressions=[term.value for term in more]), kind)
    return call.operation(XConcat(expressions=[items.value, added]))


def _concatenate(call: Call) -> Term:
    return call.operation(XConcat(expressions=[term.value for term in call.terms]))


def _union(call: Call) -> Term:
    joined = lists.with_type(XConcat(expressions=[term.value for term in call.terms]), call)
    return call.operation(XDistinct(this=joined))


def _flatten(call: Call) -> Term:
    """Level by level, as deep as the type says."""
    value, kind = call.terms[0].value, plain(call.terms[0].type)
    item = plain(kind.item) if isinstance(kind, ListType) else None
    while isinstance(item, ListType):
        inner = call.scope.plan.data_type(item, call.node.where)
        value = typed(XFlatten(this=value), inner)
        item = plain(item.item)
    return call.made(value) if item is not None else call.cannot()


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
    told = (
        None if is_whole(data_type(call.terms[0].type, {})) else short(call.terms[0].value, call.scope.plan)
    )
    if told is not None:
        operation.set("short", told)
    return operation


def _abs(call: Call) -> Term:
    if isinstance(plain(call.terms[0].type), (DaysDurationType, YearsDurationType)):
        return call.operation(XAbs(this=call.terms[0].value))
    return _number(XAbs)(call)


def _rounded(operation: type[Operation]) -> Callable[[Call], Term]:
    """Of a division: inside the choice that stands around one whose divisor may be 0."""

    def entry(call: Call) -> Term:
        given, call = call, call.with_room()
        made = _number(operation)(call)
        divided = call.terms[0].value
        if isinstance(made.value, operation):
            _with_short(made.value, given)
        if not (isinstance(divided, exp.Case) and isinstance(divided.args.get("default"), XDivide)):
            return made
        quotient = replace(call.terms[0], value=divided.args["default"])
        inside = _number(operation)(replace(call, terms=(quotient,)))
        return replace(made, value=exp.Case(ifs=divided.args["ifs"], default=inside.value))

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
    operation = lists.with_type(XModulo(this=dividend.value, expression=divisor.value), call)
    operation.meta["cell"] = call.node.where
    return call.made(case([(zero, NULL)], operation), call.problem(zero, "division by zero"))


# -- logic, texts, dates ---------------------------------------------------------------------------


def _not(call: Call) -> Term:
    if not isinstance(plain(call.terms[0].type), BooleanType):
        return call.cannot()
    return call.made(negated(call.terms[0].value))


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
        return call.made(call.terms[0].value)
    if not (isinstance(kind, (BooleanType, DateType)) or (isinstance(kind, NumberType) and kind.whole)):
        return call.cannot(f"a value of type {describe(kind)} as text")
    return call.operation(XText(this=call.terms[0].value))


TAKES_WIDE = frozenset({"floor", "ceiling", "decimal", "abs"})
"""What they make of a number has as many decimal places, or fewer."""

ENTRIES: Mapping[str, Callable[[Call], Term]] = {
    "count": _of_list(XCount),
    "sum": _sum,
    "total": _total,
    "min": lists.smallest,
    "max": lists.greatest,
    "append": _append,
    "concatenate": _concatenate,
    "union": _union,
    "distinct values": _of_list(XDistinct),
    "reverse": _of_list(XReverse),
    "flatten": _flatten,
    "repeat": _repeat,
    "list contains": _list_contains,
    "index of": lists.index_of,
    "sublist": lists.sublist,
    "drop highest": lists.drop_highest,
    "drop lowest": lists.drop_lowest,
    "all": lists.all_true,
    "any": lists.any_true,
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
