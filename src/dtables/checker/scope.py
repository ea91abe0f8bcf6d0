"""What names mean while a cell is checked: the ruleset's symbols and the cell's own surroundings."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, TypeVar

from dtables.feel.knownnames import Names
from dtables.feel.names import Spellings
from dtables.feel.parser_cursor import Dialect
from dtables.feel.types import Type, VocabularyType, may_be_null, optional
from dtables.model.expressions import Constant, Expression, Variable
from dtables.model.tables import Label, Vocabulary
from dtables.provenance import CellRef, Location


@dataclass(frozen=True, slots=True)
class FieldSymbol:
    name: str
    type: Type
    where: CellRef
    computed: bool = False
    has_default: bool = False
    default: Expression | None = None
    """What stands in a record that leaves the field out; set once it has been read."""

    @property
    def may_be_left_out(self) -> bool:
        return self.has_default or may_be_null(self.type)

    def else_default(self, given: Expression | None, where: Location) -> Expression:
        """What is given, else the default, else null."""
        return given or self.default or Constant(None, type=optional(self.type), where=where)


@dataclass(frozen=True, slots=True)
class RecordSymbol:
    """The fields of a record type; `readable_by` lists vocabularies whose every name is one of its
    fields, all of one type, so that `cost(r)` reads it."""

    name: str
    fields: Mapping[str, FieldSymbol]
    readable_by: tuple[str, ...] = ()

    @property
    def stored(self) -> tuple[FieldSymbol, ...]:
        """The fields that a record holds; the others are worked out of them."""
        return tuple(field for field in self.fields.values() if not field.computed)


@dataclass(frozen=True, slots=True)
class FunctionSymbol:
    """A formula, decision, scale, matrix, dice table or ask, as a caller sees it. `result` is UNKNOWN
    where the table is broken. `kind` is the table's kind."""

    kind: str
    name: str
    parameters: tuple[tuple[str, Type], ...]
    result: Type
    where: Location


@dataclass(slots=True)
class Lookups:
    """What was worked out about the symbols it belongs to, so that it is worked out once."""

    names: dict[tuple[int, ...], Names] = field(default_factory=dict)
    declared: Names | None = None
    """All names, once no more are declared."""
    joined: dict[tuple[str, ...], tuple[Names, Names]] = field(default_factory=dict)
    """By the local names: what was declared then, and all of them together."""
    vocabularies: dict[str, tuple[Vocabulary, Spellings]] = field(default_factory=dict)
    counted: dict[str, tuple[tuple[Label, ...], int]] = field(default_factory=dict)


Read = TypeVar("Read")


@dataclass(slots=True)
class Memory:
    """Names and texts that were read before, for one who checks many versions of a workbook."""

    _names: dict[frozenset[str], Names] = field(default_factory=dict)
    _read: dict[tuple[object, str, Names], Any] = field(default_factory=dict)

    def names(self, names: Iterable[str]) -> Names:
        """Return the same object for the same names."""
        key = frozenset(names)
        found = self._names.get(key)
        if found is None:
            found = self._names[key] = Names(key)
        return found

    def read(self, parse: Callable[[str, Names, Dialect], Read], text: str, names: Names) -> Read:
        key = (parse, text, names)
        found: Read | None = self._read.get(key)
        if found is None:
            found = self._read[key] = parse(text, names, Dialect.WORKBOOK)
        return found


@dataclass(frozen=True, slots=True)
class Symbols:
    """Everything that the workbook declares, by name. `vocabularies` includes one per switch, named
    `switch NAME`. `record_of` tells the record of a vocabulary whose values are rows."""

    vocabularies: Mapping[str, Vocabulary] = field(default_factory=dict)
    restrictions: Mapping[str, Type] = field(default_factory=dict)
    records: Mapping[str, RecordSymbol] = field(default_factory=dict)
    record_of: Mapping[str, str] = field(default_factory=dict)
    inputs: Mapping[str, FieldSymbol] = field(default_factory=dict)
    functions: Mapping[str, FunctionSymbol] = field(default_factory=dict)
    switches: Mapping[str, VocabularyType] = field(default_factory=dict)
    data: Mapping[str, str] = field(default_factory=dict)
    state: str = "state"
    """The word by which input fields are reached when something nearer hides them."""
    dialect: Dialect = Dialect.WORKBOOK
    """In the standard's models nothing is known before it runs, and what is wrong becomes null."""
    memory: Memory | None = field(default=None, repr=False, compare=False)
    lookups: Lookups = field(default_factory=Lookups, init=False, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Local:
    """A parameter, step, draw or bound name. A step with parameters is called, not read."""

    variable: Variable
    parameters: tuple[Type, ...] | None = None
    depth: int = 0
    """How many items stood around it when it was bound: it hides the fields of those only."""


class Numbers:
    """Gives each variable of a ruleset its own number."""

    def __init__(self) -> None:
        self._next: Iterator[int] = count(1)

    def variable(self, name: str, type_: Type) -> Variable:
        return Variable(name, next(self._next), type_)


@dataclass(frozen=True, slots=True)
class Scope:
    """Inside out: the fields of `items` (innermost last) · locals · tables and input fields.

    `items` are the variables whose fields are read bare: candidates of filters and scales, elements of
    `each` rows, and `this` of a computed field. `locals` holds their names too (`item`, `this`).
    """

    symbols: Symbols
    numbers: Numbers
    locals: Mapping[str, Local] = field(default_factory=dict)
    items: tuple[Variable, ...] = ()
    subject: Variable | None = None
    """What `?` is."""
    present: frozenset[Hashable] = frozenset()
    """What cannot be null here, because a condition further out says so."""

    def with_local(self, local: Local) -> Scope:
        return replace(self, locals={**self.locals, local.variable.name: local})

    def with_item(self, item: Variable) -> Scope:
        inside = replace(self, items=(*self.items, item))
        return inside.with_local(Local(item, depth=len(inside.items)))

    def with_subject(self, subject: Variable) -> Scope:
        return replace(self, subject=subject)
