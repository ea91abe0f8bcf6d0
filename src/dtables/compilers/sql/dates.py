"""What is reckoned with dates and durations, their parts, and the built-ins on them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING

from sqlglot import exp

from dtables.compilers.sql.catalogues import Catalogue, catalogue_value
from dtables.compilers.sql.neutral import (
    XAbs,
    XAddDays,
    XAddMonths,
    XAddSeconds,
    XDatePart,
    XDaysBetween,
    XDivide,
    XFloor,
    XMakeDate,
    XModulo,
    XSecondsBetween,
)
from dtables.compilers.sql.plan import Plan, Scope, held
from dtables.compilers.sql.terms import (
    Term,
    Tree,
    all_of,
    any_of,
    case,
    first_problem,
    literal,
    negated,
    paren,
    typed,
)
from dtables.compilers.sql.types import DATE, MOMENT, TEXT, WHOLE_NUMBER, decimal
from dtables.feel.types import (
    DAYS_DURATION,
    YEARS_DURATION,
    DateTimeType,
    DateType,
    DaysDurationType,
    NumberType,
    TextType,
    Type,
    YearsDurationType,
    plain,
)
from dtables.feel.values import (
    Date,
    DateTime,
    DaysDuration,
    FeelError,
    parse_date,
    parse_date_time,
    parse_duration,
)
from dtables.model.expressions import Node

if TYPE_CHECKING:
    from dtables.compilers.sql.builtins import Call

# -- arithmetic ------------------------------------------------------------------------------------


def reckoned(operator: str, left: Term, right: Term) -> Tree | None:
    """None where it is no arithmetic of dates and durations, or is not supported."""
    match operator, plain(left.type), plain(right.type):
        case "+", DateType(), DaysDurationType() | YearsDurationType():
            return _later(left.value, right)
        case "+", DaysDurationType() | YearsDurationType(), DateType():
            return _later(right.value, left)
        case "-", DateType(), DaysDurationType() | YearsDurationType():
            return _later(left.value, replace(right, value=negative(right.value)))
        case "+" | "-" as sign, DateTimeType(), DaysDurationType() | YearsDurationType():
            return _moment_later(left.value, right, sign)
        case "+", DaysDurationType() | YearsDurationType(), DateTimeType():
            return _moment_later(right.value, left, "+")
        case "-", DateTimeType(), DateTimeType():
            return typed(XSecondsBetween(this=left.value, expression=right.value), WHOLE_NUMBER)
        case "-", DateType(), DateType():
            between = XDaysBetween(this=left.value, expression=right.value)
            return of_days(typed(between, WHOLE_NUMBER))
        case "+" | "-" as sign, DaysDurationType(), DaysDurationType():
            return _joined(exp.Add if sign == "+" else exp.Sub, left.value, right.value)
        case "+" | "-" as sign, YearsDurationType(), YearsDurationType():
            return (exp.Add if sign == "+" else exp.Sub)(
                this=paren(left.value), expression=paren(right.value)
            )
        case "*", DaysDurationType() | YearsDurationType(), NumberType(whole=True):
            return _times(left, right.value)
        case "*", NumberType(whole=True), DaysDurationType() | YearsDurationType():
            return _times(right, left.value)
        case _:
            return None


def type_of(left: Type, right: Type) -> Type:
    """Of such a result."""
    match plain(left), plain(right):
        case (DateType(), DateType()) | (DateTimeType(), DateTimeType()):
            return DAYS_DURATION
        case NumberType(), other:
            return other
        case mine, DateType() | DateTimeType() as other:
            return other
        case mine, _:
            return mine


def _later(date: Tree, duration: Term) -> Tree:
    if isinstance(plain(duration.type), YearsDurationType):
        return typed(XAddMonths(this=date, expression=duration.value), DATE)
    return typed(XAddDays(this=date, expression=whole_days(duration.value)), DATE)


def _moment_later(moment: Tree, duration: Term, sign: str) -> Tree | None:
    """None where the duration may hold parts of a second."""
    length = duration.value if sign == "+" else negative(duration.value)
    if isinstance(plain(duration.type), YearsDurationType):
        return typed(XAddMonths(this=moment, expression=length), MOMENT)
    return typed(XAddSeconds(this=moment, expression=length), MOMENT) if is_whole(duration.value) else None


FIRST, LAST = Date(1, 1, 1), Date(9999, 12, 31)
NO_SUCH_DATE = "the date is none of the years 1 to 9999"


def dated(term: Term, node: Node, scope: Scope) -> Term:
    """A date, or a date and time, that was moved: a problem where it leaves the years that a database has."""
    tree = term.value
    if not isinstance(tree, (XAddDays, XAddMonths, XAddSeconds)):
        return term
    kind = tree.type or DATE
    start = scope.held_as("from", tree.this, kind)
    by = scope.held_as("by", tree.expression, WHOLE_NUMBER)
    low, high = _reach(tree, start, kind == MOMENT)
    there = all_of(
        [exp.GTE(this=paren(by), expression=paren(low)), exp.LTE(this=paren(by), expression=paren(high))]
    )
    moved = typed(type(tree)(this=start, expression=by), kind)
    problem = case([(negated(there), literal(f"{node.where}: {NO_SUCH_DATE}"))])
    return Term(case([(there, moved)]), term.type, first_problem([term.problem, problem]))


def _reach(moved: XAddDays | XAddMonths | XAddSeconds, start: Tree, is_moment: bool) -> tuple[Tree, Tree]:
    """How far it may go back, and how far on."""
    if isinstance(moved, XAddMonths):
        years = exp.Mul(this=date_part(start, "year"), expression=literal(12))
        month = exp.Add(this=years, expression=date_part(start, "month"))
        return exp.Sub(this=literal(13), expression=paren(month)), exp.Sub(
            this=literal(12 * 9999 + 12), expression=paren(month)
        )
    first, last = (_at(day, is_moment, hour) for day, hour in ((FIRST, "00:00:00"), (LAST, "23:59:59")))
    between = XSecondsBetween if is_moment else XDaysBetween
    return (
        typed(between(this=first, expression=start), WHOLE_NUMBER),
        typed(between(this=last, expression=start), WHOLE_NUMBER),
    )


def _at(day: Date, is_moment: bool, time: str) -> Tree:
    return literal(parse_date_time(f"{day}T{time}")) if is_moment else literal(day)


def _joined(sign: type[exp.Add] | type[exp.Sub], left: Tree, right: Tree) -> Tree:
    mine, theirs = days_in(left), days_in(right)
    if mine is None or theirs is None:
        return sign(this=paren(left), expression=paren(right))
    return of_days(sign(this=paren(mine), expression=paren(theirs)))


def _times(duration: Term, number: Tree) -> Tree:
    days = days_in(duration.value) if isinstance(plain(duration.type), DaysDurationType) else None
    if days is not None:
        return of_days(exp.Mul(this=paren(exp.Cast(this=days, to=WHOLE_NUMBER)), expression=paren(number)))
    return exp.Mul(this=paren(duration.value), expression=paren(number))


def in_days_both(left: Term, right: Term) -> tuple[Term, Term]:
    """A duration over another: both in days where they are of whole days."""
    mine, theirs = days_in(left.value), days_in(right.value)
    if mine is None or theirs is None or not isinstance(plain(left.type), DaysDurationType):
        return left, right
    return replace(left, value=mine), replace(right, value=theirs)


# -- parts -----------------------------------------------------------------------------------------

DATE_PARTS = ("year", "month", "day", "weekday")
MOMENT_PARTS = (*DATE_PARTS, "hour", "minute", "second")
UNITS = {"hours": (3600, 24), "minutes": (60, 60), "seconds": (1, 60)}


def date_part(date: Tree, part: str) -> Tree:
    return typed(XDatePart(this=date, expression=exp.to_identifier(part)), WHOLE_NUMBER)


def has_part(of: Type, name: str) -> bool:
    match plain(of):
        case DateType():
            return name in DATE_PARTS
        case DateTimeType():
            return name in MOMENT_PARTS or name == "date"
        case DaysDurationType():
            return name == "days" or name in UNITS
        case YearsDurationType():
            return name in ("years", "months")
        case _:
            return False


def part_of(of: Term, name: str, node: Node, scope: Scope) -> Term:
    match plain(of.type):
        case DateTimeType() if name == "date":
            return Term(exp.Cast(this=of.value, to=DATE), node.type, of.problem)
        case DateType() | DateTimeType():
            return Term(date_part(of.value, name), node.type, of.problem)
        case YearsDurationType():
            return _signed(of, name, node, scope, _of_months)
        case _:
            days = days_in(of.value) if name == "days" else None
            if days is not None:
                return Term(days, node.type, of.problem)
            return _signed(of, name, node, scope, _of_seconds)


def _signed(of: Term, name: str, node: Node, scope: Scope, amount: Callable[[Tree, str], Tree]) -> Term:
    """A part has the duration's sign."""

    def signed(duration: Term) -> Term:
        kind = WHOLE_NUMBER if isinstance(plain(of.type), YearsDurationType) else decimal()
        size = amount(typed(XAbs(this=duration.value), kind), name)
        below = exp.LT(this=paren(duration.value), expression=literal(0))
        return Term(case([(below, exp.Neg(this=paren(size)))], size), node.type)

    return held(scope, "duration", of, signed)


def _of_months(months: Tree, name: str) -> Tree:
    return quotient(months, 12) if name == "years" else _rest(months, 12)


def _of_seconds(seconds: Tree, name: str) -> Tree:
    whole = whole_seconds(seconds)
    if name == "days":
        return quotient(whole, DAY)
    unit, most = UNITS[name]
    return _rest(whole if unit == 1 else quotient(whole, unit), most)


def _rest(number: Tree, by: int) -> Tree:
    return typed(XModulo(this=number, expression=literal(by)), WHOLE_NUMBER)


# -- built-ins -------------------------------------------------------------------------------------


def date(call: Call) -> Term:
    """A text only where it is written out: one that is worked out may be no date."""
    first = call.terms[0]
    if len(call.terms) == 3:
        return _of_parts(call)
    if isinstance(plain(first.type), DateType):
        return call.result(first.value)
    if isinstance(plain(first.type), DateTimeType):
        return call.result(exp.Cast(this=first.value, to=DATE))
    if not isinstance(first.value, exp.Literal):
        return call.cannot("a date that is worked out")
    try:
        return call.result(literal(parse_date(first.value.this)))
    except FeelError:
        return call.cannot("a text that is no date")


def _of_parts(call: Call) -> Term:
    if not all(isinstance(kind := plain(term.type), NumberType) and kind.whole for term in call.terms):
        return call.cannot("a date of numbers that may not be whole")
    year, month, day = (term.value for term in call.terms)
    inside = [_between(year, 1, literal(9999)), _between(month, 1, literal(12))]
    there = all_of([*inside, _between(day, 1, _days_in_month(year, month))])
    built = typed(XMakeDate(this=year, expression=month, length=day), DATE)
    none = call.problem(negated(there), "there is no such day from the year 1 to 9999")
    return call.result(case([(there, built)]), none)


def _between(number: Tree, low: int, high: Tree) -> Tree:
    above = exp.GTE(this=paren(number), expression=literal(low))
    return all_of([above, exp.LTE(this=paren(number), expression=high)])


def _days_in_month(year: Tree, month: Tree) -> Tree:
    def even(by: int) -> Tree:
        return exp.EQ(this=_rest(year, by), expression=literal(0))

    leap = all_of([even(4), any_of([negated(even(100)), even(400)])])
    short = exp.In(this=paren(month), expressions=[literal(n) for n in (4, 6, 9, 11)])
    february = exp.EQ(this=paren(month), expression=literal(2))
    return case([(february, case([(leap, literal(29))], literal(28))), (short, literal(30))], literal(31))


def moment(call: Call) -> Term:
    first, *time = call.terms
    if not time and isinstance(plain(first.type), DateTimeType):
        return call.result(first.value)
    if time or not isinstance(first.value, exp.Literal):
        return call.cannot("a date and time that is worked out")
    try:
        known = parse_date_time(first.value.this)
    except FeelError:
        return call.cannot("a text that is no date and time")
    return call.result(literal(known)) if is_plain(known) else call.cannot("a date and time with an offset")


def is_plain(moment: DateTime) -> bool:
    """In whole seconds, without an offset: two that are the same are the same second."""
    return moment.time.local and not moment.time.nanos and 1 <= moment.date.year <= 9999


def duration(call: Call) -> Term:
    first = call.terms[0]
    if not isinstance(plain(first.type), TextType):
        return call.result(first.value)
    if not isinstance(first.value, exp.Literal):
        return call.cannot("a duration from a text that is worked out")
    try:
        known = parse_duration(first.value.this)
    except FeelError:
        return call.cannot("a text that is no duration")
    kind = DAYS_DURATION if isinstance(known, DaysDuration) else YEARS_DURATION
    return replace(call.result(literal(known)), type=kind)


def months_between(call: Call) -> Term:
    """Whole months, cut towards nothing."""
    if not _all_dates(call):
        return call.cannot()
    scope, (first, second) = call.scope, call.terms

    def counted(start: Tree, end: Tree) -> Tree:
        years = exp.Sub(this=date_part(end, "year"), expression=date_part(start, "year"))
        months = exp.Sub(this=date_part(end, "month"), expression=date_part(start, "month"))
        whole = exp.Add(this=exp.Mul(this=paren(years), expression=literal(12)), expression=paren(months))
        mine, theirs = date_part(start, "day"), date_part(end, "day")
        back = exp.LT(this=end, expression=start)
        full = case([(exp.GT(this=theirs, expression=mine), literal(1))], literal(0))
        cut = case([(exp.LT(this=theirs, expression=mine), literal(1))], literal(0))
        return case([(back, exp.Add(this=whole, expression=full))], exp.Sub(this=whole, expression=cut))

    start = scope.held("from", replace(first, problem=None)).value
    end = scope.held("to", replace(second, problem=None)).value
    return call.result(counted(start, end))


def numbered(part: str) -> Callable[[Call], Term]:
    """`day of year` and its like."""

    def entry(call: Call) -> Term:
        if not _all_dates(call):
            return call.cannot()
        return call.result(date_part(call.terms[0].value, part))

    return entry


def named(part: str, names: tuple[str, ...]) -> Callable[[Call], Term]:
    def entry(call: Call) -> Term:
        if not _all_dates(call):
            return call.cannot()
        number = date_part(call.terms[0].value, part)
        return call.result(_name(number, part, names, call.scope.plan))

    return entry


def _name(number: Tree, part: str, names: tuple[str, ...], plan: Plan) -> Tree:
    keys = tuple(literal(n) for n in range(1, len(names) + 1))
    return catalogue_value(Catalogue(f"{part} names", keys, tuple(map(literal, names)), TEXT), number, plan)


def _all_dates(call: Call) -> bool:
    return all(isinstance(plain(term.type), (DateType, DateTimeType)) for term in call.terms)


# -- durations -----------------------------------------------------------------------------------
# Durations as numbers: one of days and time is its seconds, one of years and months its months.
#
# What is known to be so many whole days is reckoned and compared in days.

DAY = 86_400


def of_days(days: Tree) -> Tree:
    """Their seconds."""
    known = number_in(days)
    if known is not None:
        return literal(known * DAY)
    seconds = exp.Mul(this=paren(days), expression=literal(DAY))
    seconds.meta["days"] = days
    return seconds


def days_in(seconds: Tree) -> Tree | None:
    """None where they are not known to be whole days."""
    inside = seconds.unnest()
    days: Tree | None = inside.meta.get("days")
    if days is not None:
        return days
    known = number_in(inside)
    return literal(int(known) // DAY) if known is not None and known % DAY == 0 else None


def number_in(tree: Tree) -> int | Decimal | None:
    match tree.unnest():
        case exp.Neg(this=exp.Literal() as inner):
            return -_number(inner)
        case exp.Literal() as inner if not inner.is_string:
            return _number(inner)
        case _:
            return None


def _number(tree: exp.Literal) -> int | Decimal:
    known = Decimal(tree.this)
    return int(known) if known == int(known) else known


def is_whole(seconds: Tree) -> bool:
    """Without parts of a second, as far as it can be seen."""
    inside = seconds.unnest()
    if days_in(inside) is not None or isinstance(inside, XSecondsBetween):
        return True
    if isinstance(inside, exp.Neg):
        return is_whole(inside.this)
    return isinstance(number_in(inside), int)


def in_days(left: Tree, right: Tree) -> tuple[Tree, Tree]:
    """Two that are compared: in days, where both are of whole days."""
    if "days" not in left.unnest().meta and "days" not in right.unnest().meta:
        return left, right
    mine, theirs = days_in(left), days_in(right)
    return (left, right) if mine is None or theirs is None else (mine, theirs)


def whole_days(seconds: Tree) -> Tree:
    """The days that are full, counted downwards: an hour before midnight is the day before."""
    days = days_in(seconds)
    return quotient(whole_seconds(seconds), DAY) if days is None else days


def whole_seconds(seconds: Tree) -> Tree:
    return typed(XFloor(this=seconds), WHOLE_NUMBER)


def quotient(number: Tree, divisor: int) -> Tree:
    """The greatest whole number not above."""
    divided = typed(XDivide(this=number, expression=literal(divisor)), decimal())
    return typed(XFloor(this=divided), WHOLE_NUMBER)


def negative(number: Tree) -> Tree:
    match number:
        case exp.Neg():
            inner: Tree = number.this
            return inner
        case _ if (days := number.unnest().meta.get("days")) is not None:
            return of_days(negative(days))
        case _:
            return exp.Neg(this=paren(number))
