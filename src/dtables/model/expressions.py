"""Expressions whose names are resolved and whose types are known; inert.

A node's place is no part of its identity. Where null may be and must not, the checker put a `Guard`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from dtables.feel.types import NumberType, Type, plain
from dtables.feel.values import Value
from dtables.provenance import Location


@dataclass(frozen=True, slots=True)
class Variable:
    """A parameter, a step, a draw, a bound name or an item. `number` is unique in the ruleset, so
    that no pass has to think about hiding; `name` is what the author calls it (`item` for the
    candidate of a filter or a scale)."""

    name: str
    number: int
    type: Type = field(compare=False)


@dataclass(frozen=True, slots=True)
class Node:
    """What every node of a checked expression has: its type and its cell, which equality ignores."""

    type: Type = field(kw_only=True)
    where: Location = field(compare=False, repr=False, kw_only=True)


# -- values ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Constant(Node):
    """A number, text, boolean, null, date, time or duration."""

    value: Value


@dataclass(frozen=True, slots=True)
class NameOf(Node):
    """A name of a vocabulary, by its root vocabulary and id. Its value is the id; for keyed data, the row."""

    vocabulary: str
    id: str


@dataclass(frozen=True, slots=True)
class EachOf(Node):
    """All names of a vocabulary (perhaps a narrowed one), in order."""

    vocabulary: str


@dataclass(frozen=True, slots=True)
class Read(Node):
    """The value of a variable."""

    variable: Variable


@dataclass(frozen=True, slots=True)
class InputField(Node):
    """A field of the turn's state. Without default, and missing: the record is rejected at its path,
    unless the node's type has `?` (where the checker lets null flow)."""

    name: str


@dataclass(frozen=True, slots=True)
class Switch(Node):
    """The value of a house rule: the record's, or the workbook's default."""

    name: str


@dataclass(frozen=True, slots=True)
class DataRows(Node):
    """All rows of a data table without key."""

    table: str


@dataclass(frozen=True, slots=True)
class FieldOf(Node):
    """`of.name`: of a record, a row of keyed data, a context, a date…; null of null. Over a value of
    type Any it also maps over lists, as FEEL wants; typed lists were made a `For` by the checker."""

    of: Expression
    name: str


@dataclass(frozen=True, slots=True)
class ByKey(Node):
    """`cost(r)`: the field of a record, or the entry of a map, that a vocabulary's value names."""

    of: Expression
    key: Expression


@dataclass(frozen=True, slots=True)
class ItemAt(Node):
    """`list[n]`: from 1, from the end when negative, null when there is none."""

    of: Expression
    index: Expression


@dataclass(frozen=True, slots=True)
class Filter(Node):
    """Items for which the condition is true."""

    of: Expression
    item: Variable
    condition: Expression


@dataclass(frozen=True, slots=True)
class Select(Node):
    """`of[x]` where only the value of x tells whether it is an index or a condition (type Any); `of`
    that is no list counts as a list of one."""

    of: Expression
    item: Variable
    condition: Expression


@dataclass(frozen=True, slots=True)
class ItemEntry(Node):
    """A name inside a `Select` over items of unknown type: the item's entry, or else `otherwise`."""

    item: Variable
    name: str
    otherwise: Expression


# -- operators ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Negation(Node):
    """Unary minus, of a number or a duration."""

    operand: Expression


@dataclass(frozen=True, slots=True)
class Arithmetic(Node):
    """`+ - * / **` on numbers, texts (`+`), dates and durations."""

    operator: str
    left: Expression
    right: Expression

    @property
    def is_multiple(self) -> bool:
        """A whole number times a written one grows no faster than a sum, and is looked at no sooner."""
        sides = (self.left, self.right)
        if self.operator != "*" or not any(isinstance(side, Constant) for side in sides):
            return False
        kinds = [plain(side.type) for side in sides]
        return all(isinstance(kind, NumberType) and kind.whole for kind in kinds)


@dataclass(frozen=True, slots=True)
class Comparison(Node):
    """`= != < <= > >=`; `=` and `!=` also with null on either side."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Logic(Node):
    """`and`, `or`, three-valued."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Not(Node):
    """`not(x)`, three-valued."""

    operand: Expression


@dataclass(frozen=True, slots=True)
class Matches(Node):
    """`value in (tests)`; also `between`. `subject` is bound to the value while the tests are read."""

    value: Expression
    subject: Variable
    tests: tuple[Test, ...]


@dataclass(frozen=True, slots=True)
class InstanceOf(Node):
    """Whether the value is of the type; never null."""

    value: Expression
    wanted: Type


@dataclass(frozen=True, slots=True)
class Guard(Node):
    """The operand's value, which must be of the node's type here: not null, where that is all that is known
    not to be sure. Of an operand of unknown type `types` says what it may be; several where a function takes
    values of several types."""

    operand: Expression
    types: tuple[Type, ...] = ()


# -- compound ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Conditional(Node):
    """One of two values; only the one that is chosen is worked out."""

    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class Binding:
    """One `name in source` of a for, some or every; `end` is set for `source..end`."""

    variable: Variable
    source: Expression
    end: Expression | None = None


@dataclass(frozen=True, slots=True)
class For(Node):
    """Later bindings see earlier variables; `partial` holds the results so far, where it is read."""

    bindings: tuple[Binding, ...]
    result: Expression
    partial: Variable | None = None


class Quantifier(StrEnum):
    """Whether one combination must satisfy a condition, or each."""

    SOME = "some"
    EVERY = "every"


@dataclass(frozen=True, slots=True)
class Quantified(Node):
    """Whether `some` or `every` combination of the bindings satisfies the condition."""

    quantifier: Quantifier
    bindings: tuple[Binding, ...]
    condition: Expression


@dataclass(frozen=True, slots=True)
class MakeList(Node):
    """A list literal, or a list cell."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """`variable` is what later entries of the same context read."""

    name: str
    variable: Variable
    value: Expression


@dataclass(frozen=True, slots=True)
class MakeContext(Node):
    """A context literal whose type is no record of the workbook."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class MakeRecord(Node):
    """A record of the type `record`, every stored field given (defaults filled in by the checker)."""

    record: str
    fields: tuple[tuple[str, Expression], ...]


@dataclass(frozen=True, slots=True)
class MakeRange(Node):
    """A range as a value; an end that is None is open."""

    low: Expression | None
    high: Expression | None
    low_included: bool
    high_included: bool


@dataclass(frozen=True, slots=True)
class MakeFunction(Node):
    """A function literal; its body reads what is around it as well."""

    parameters: tuple[Variable, ...]
    body: Expression


# -- calls -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CallBuiltin(Node):
    """A built-in by the name it has in `feel.builtins`; arguments in the order of its parameters,
    missing optional ones left out at the end or `Constant(None)` in between."""

    builtin: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class CallFunction(Node):
    """A function value."""

    function: Expression
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class CallTable(Node):
    """A formula, decision, scale, matrix or dice table by name; no arguments where it has no parameters."""

    table: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class CallStep(Node):
    """A step with parameters of the formula or ask we are in."""

    step: Variable
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Ranking(Node):
    """`S ranking(list, …)`: tiers of equals, best first."""

    scale: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class AskAnswer(Node):
    """The whole answer of another ask, its open fields with their `any_of` inside. Only in answer cells."""

    ask: str
    arguments: tuple[Expression, ...]


Expression = (
    Constant | NameOf | EachOf | Read | InputField | Switch | DataRows | FieldOf | ByKey | ItemAt
    | Filter | Select | ItemEntry | Negation | Arithmetic | Comparison | Logic | Not | Matches
    | InstanceOf | Guard | Conditional | For | Quantified | MakeList | MakeContext | MakeRecord
    | MakeRange | MakeFunction | CallBuiltin | CallFunction | CallTable | CallStep | Ranking | AskAnswer
)  # fmt: skip


# -- unary tests: joined by "or" within a cell; a cell without condition has none --------------


@dataclass(frozen=True, slots=True)
class EqualTo(Node):
    """The subject equals the value (null equals null)."""

    value: Expression


@dataclass(frozen=True, slots=True)
class InList(Node):
    """The subject is one of the list's items (or within one that is a range)."""

    list: Expression


@dataclass(frozen=True, slots=True)
class Compared(Node):
    """The subject stands in this relation to the value: one of `!= < <= > >=`. Null stands in none."""

    operator: str
    value: Expression


@dataclass(frozen=True, slots=True)
class Within(Node):
    """The subject lies in the range; an end that is None is open-ended."""

    low: Expression | None
    high: Expression | None
    low_included: bool
    high_included: bool


@dataclass(frozen=True, slots=True)
class Holds(Node):
    """A condition that reads the subject itself (`?`)."""

    condition: Expression


@dataclass(frozen=True, slots=True)
class Belongs(Node):
    """A value of unknown type: equality, or membership if it turns out a list or a range."""

    value: Expression


@dataclass(frozen=True, slots=True)
class NoneOf(Node):
    """`not(…)`: none of the tests holds."""

    tests: tuple[Test, ...]


Test = EqualTo | InList | Compared | Within | Holds | Belongs | NoneOf
