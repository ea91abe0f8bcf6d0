"""The neutral operations: what the rules do and SQL's dialects each spell in their own way.

A neutral tree holds these nodes, and of sqlglot's own only: `Column`, `Literal`, `Boolean`, `Null`, `Paren`,
`And`, `Or`, `Not` (three-valued), `EQ NEQ LT LTE GT GTE` (of scalars, texts by code point; null where a side
is null), `NullSafeEQ`, `NullSafeNEQ` (of scalars; never null), `Is` (with Null, True or False), `In` (of
literals), `Case` (without subject), `Coalesce`, `Nullif`, `Add Sub Mul Neg` (exact numbers: an overflow is an
error, never a wrong number; inside `XTry` it is null), `DPipe`, `Cast`, `Lambda`, `Select` with `With` and
`From`.

Numbers are whole (BIGINT) or exact decimals, never binary floats; a duration is a number, of seconds or of
months; a date and time has no offset, and whole seconds; texts, names of vocabularies and rows of keyed data
(by id) are TEXT; a record is a STRUCT of its stored fields, a list an ARRAY, `T by V` a MAP from TEXT. Every
operation and every variable has `.type`, the neutral DataType of its value. `meta["cell"]`, where set, is the
`Location` of the construct it came from: what a dialect does not support is reported there. "Null of null"
means: null where the first operand is null. Items of lists may be null unless it states otherwise.

A dialect is a function from a neutral tree to a tree that sqlglot writes in that dialect, and what it
does not support: `lower_duckdb(tree) -> (tree, unsupported)` in `dialects/duckdb.py`, and so on. It never
changes the tree it is given, whose nodes may stand in several places.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sqlglot import exp

from dtables.provenance import Location

ONE = {"this": True}
TWO = {"this": True, "expression": True}
THREE = {"this": True, "expression": True, "length": False}
SOME = {"expressions": True}


@dataclass(frozen=True, slots=True)
class Unsupported:
    """What a dialect does not support; `construct` goes into "DIALECT cannot say CONSTRUCT"."""

    construct: str
    where: Location | None


class Operation(exp.Expression):
    """What all neutral operations are."""

    arg_types: ClassVar[dict[str, bool]] = ONE


class Variable(Operation):
    """Reads the variable of an enclosing `Lambda`: `this` is its Identifier, unique in the whole
    statement."""


# -- lists: `expression` of a going-through is a Lambda of one variable, the item ---------------


class XList(Operation):
    """A list of the values in `expressions`; of none, the empty list of `.type`."""

    arg_types: ClassVar[dict[str, bool]] = {"expressions": False}


class XMap(Operation):
    """The lambda's value for each item, in order; null of null."""

    arg_types = TWO


class XGrow(Operation):
    """A list that grows by the lambda's value for each item; `expression` has two variables, the list so far
    and the item. Null of null."""

    arg_types = TWO


class XFilter(Operation):
    """The items for which the lambda is true, not false or null, in order; null of null."""

    arg_types = TWO


class XAny(Operation):
    """True where the lambda is true for an item, else false (also of an empty list, also where it is null
    for one); null of null. Never anything else: the three-valued form is made of two of these."""

    arg_types = TWO


class XContains(Operation):
    """Is an item the same as `expression` (null is the same as null, records by their fields)? Null of
    null."""

    arg_types = TWO


class XCount(Operation):
    """How many items, nulls too; null of null."""


class XSum(Operation):
    """Of numbers, exact; 0 of an empty list (not null); null of null. No item is null."""


class XMin(Operation):
    """The smallest item; null of an empty list; null of null. No item is null. Numbers, texts (by code
    point), dates, or records of those, whose fields are then compared in their order; in records no field
    is null."""


class XMax(Operation):
    """The greatest item, as `XMin`."""


class XMinBy(Operation):
    """The first of the items whose lambda, a number or a record of keys as in `XMin`, is smallest; null of
    an empty list; null of null."""

    arg_types = TWO


class XSort(Operation):
    """The items, smallest first; items as in `XMin`."""


class XItem(Operation):
    """The item at place `expression`, from 1, or from the end where it is negative; null where there is
    none (0, null, beyond an end); null of null."""

    arg_types = TWO


class XPlace(Operation):
    """The place, from 1, of the first item that is the same as `expression`; null where there is none,
    where `expression` is null; null of null."""

    arg_types = TWO


class XSlice(Operation):
    """`length` items (without it: all) from place `expression` on, both whole, 1 or more; fewer where the
    list ends; null of null."""

    arg_types = THREE


class XConcat(Operation):
    """The lists in `expressions` one after another; none of them is null."""

    arg_types = SOME


class XFlatten(Operation):
    """A list of lists as one list, one level deep; no inner list is null; null of null."""


class XDistinct(Operation):
    """The first of each value, in order; null is one value; null of null."""


class XReverse(Operation):
    """From the end; null of null."""


class XRange(Operation):
    """The whole numbers from `this` to `expression`, both included, downwards where `expression` is
    smaller. Neither is null."""

    arg_types = TWO


class XPlaces(Operation):
    """1 to the number of items; the empty list of an empty one (never 1, 0); null of null."""


class XRepeat(Operation):
    """`expression` times the value `this` (which may be null), `expression` 0 or more."""

    arg_types = TWO


# -- records and maps --------------------------------------------------------------------------


class XRecord(Operation):
    """A record: `expressions` are `PropertyEQ(this=Identifier, expression=value)`."""

    arg_types = SOME


class XGet(Operation):
    """The field of a record named by the Identifier `expression`; null of null."""

    arg_types = TWO


class XEntry(Operation):
    """The value that the map `this` has for the text `expression`; null where it has none, or that is null;
    null of null."""

    arg_types = TWO


class XMapOf(Operation):
    """The map of a list of records with the fields `key` (a text, each once, never null) and `value`."""


class XSame(Operation):
    """Are two lists, records or maps the same, item by item and field by field? Null is the same as null,
    at any depth; never null."""

    arg_types = TWO


# -- what is given -----------------------------------------------------------------------------


class XGiven(Operation):
    """The column `this` of the relation, of whatever type it is there, as a value of `.type`. Null where it
    is null, and where it is not exactly such a value: nothing is rounded, cut, or read out of a text. A
    binary float is the number that its shortest decimal text shows. Numbers are smaller than `LARGEST`, with
    at most `DECIMAL_PLACES`; dates are of the years 1 to 9999."""


class XShort(Operation):
    """The same as a number of few digits, with the places of `.type`, where that is known at once; else
    null."""


class XShown(Operation):
    """The column `this` of the relation as text, with its type in the database behind it."""


# -- constants and names -----------------------------------------------------------------------


class XLookup(Operation):
    """A small constant catalogue: the one of `values` that stands where `keys` (literals, each once) is
    `this`; null where none does or `this` is null. `this` is a text or a whole number."""

    arg_types: ClassVar[dict[str, bool]] = {"this": True, "keys": True, "values": True}


class XNames(Operation):
    """The names of a large catalogue, each once: literals, texts or whole numbers. A column holds them, in a
    form of the dialect's own that only `XNamed` reads."""

    arg_types = SOME


class XCatalogue(Operation):
    """The values of a large catalogue in the order of its names, as a list: constants, perhaps null."""

    arg_types = SOME


class XNamed(Operation):
    """The value of the catalogue `this` for the name `expression`; null where it has no such name, and of
    null. `names` are the catalogue's names, `size` (a literal) is how many there are."""

    arg_types: ClassVar[dict[str, bool]] = {"this": True, "expression": True, "names": True, "size": True}


class XCuts(Operation):
    """Numbers or texts, literals that rise. A column holds them, in a form of the dialect's own that only
    `XBucket` reads."""

    arg_types = SOME


class XBucket(Operation):
    """How many of the cuts `expression` are not above `this`, or, where they are `behind` their values, below
    it; as BIGINT, anything of null. Texts are in the order of their characters' numbers. `size` (a literal)
    is how many there are."""

    arg_types: ClassVar[dict[str, bool]] = {"this": True, "expression": True, "size": True, "behind": False}


# -- numbers that may have no room -------------------------------------------------------------


class XTry(Operation):
    """`this`, an `Add`, `Sub`, `Mul` or `XSum`; null where it or an operand has no room in its type."""


class XNarrow(Operation):
    """The decimal `this` with the places of `.type`; null where it has more, or no room there."""


# -- numbers, texts, dates ---------------------------------------------------------------------


class XDivide(Operation):
    """Exact division; nothing but exact will do. The divisor is never 0."""

    arg_types = TWO


class XModulo(Operation):
    """What is left of `this` by `expression`, with the divisor's sign: -1 modulo 3 is 2. The divisor is
    never 0."""

    arg_types = TWO


class XFloor(Operation):
    """The greatest whole number not above, as BIGINT. `short`, where there is one, is the same number made of
    short ones, or null, or without room: a dialect may try it first."""

    arg_types: ClassVar[dict[str, bool]] = {"this": True, "short": False}


class XCeiling(Operation):
    """The smallest whole number not below, as BIGINT; `short` as of `XFloor`."""

    arg_types: ClassVar[dict[str, bool]] = {"this": True, "short": False}


class XAbs(Operation):
    """Without its sign."""


class XRound(Operation):
    """To `expression` (a literal, 0 or more) decimal places, halves to the even neighbour; `short` as of
    `XFloor`."""

    arg_types: ClassVar[dict[str, bool]] = {"this": True, "expression": True, "short": False}


class XLength(Operation):
    """How many characters (code points) a text has."""


class XUpper(Operation):
    """In capitals."""


class XLower(Operation):
    """In small letters."""


class XHolds(Operation):
    """Does the text `this` hold the text `expression`?"""

    arg_types = TWO


class XStarts(Operation):
    """Does the text `this` begin with the text `expression`?"""

    arg_types = TWO


class XEnds(Operation):
    """Does the text `this` end with the text `expression`?"""

    arg_types = TWO


class XText(Operation):
    """A whole number, a text, a boolean (`true`, `false`) or a date (`2024-02-29`) as text."""


class XDatePart(Operation):
    """Of a date, as BIGINT: `expression` is the Identifier `year`, `month`, `day`, `weekday` (Monday is 1),
    `yearday` or `week` (of ISO 8601); of a date and time also `hour`, `minute`, `second`."""

    arg_types = TWO


class XMakeDate(Operation):
    """The date of the year `this`, the month `expression` and the day `length`, which there is."""

    arg_types = THREE


class XAddDays(Operation):
    """The date so many days later, a whole number, or earlier where it is negative; null of null."""

    arg_types = TWO


class XAddMonths(Operation):
    """The date, or date and time, so many months later, or earlier: the month's last day where it has no such
    day; null of null."""

    arg_types = TWO


class XAddSeconds(Operation):
    """The date and time so many seconds later, a whole number, or earlier; null of null."""

    arg_types = TWO


class XSecondsBetween(Operation):
    """How many seconds the date and time `this` is after `expression`, as BIGINT; null of null."""

    arg_types = TWO


class XDaysBetween(Operation):
    """How many days the date `this` is after the date `expression`, as BIGINT; null of null."""

    arg_types = TWO


def variable(name: str, type_: exp.DataType) -> Variable:
    result = Variable(this=exp.to_identifier(name))
    result.type = type_
    return result


def going(name: str, body: exp.Expr, *more: str) -> exp.Lambda:
    return exp.Lambda(this=body, expressions=[exp.to_identifier(one) for one in (name, *more)])
