"""A ruleset while it is being checked: what is declared so far, what names mean, where messages go."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, time
from itertools import count
from typing import Any, TypeVar

from dtables.checker import messages
from dtables.checker.messages import Wording
from dtables.checker.report import Sink, Text
from dtables.checker.rows import cell_of, filled_rows, place, property_text, stripped, text_of
from dtables.diagnostics import Severity
from dtables.digits import are_digits
from dtables.feel.builtins import BY_NAME
from dtables.feel.names import Spellings
from dtables.feel.syntax.parser import Dialect
from dtables.feel.syntax.scanner import KnownNames
from dtables.feel.types import NAMED_TYPES, Type, VocabularyType, may_be_null, optional
from dtables.model.expressions import Constant, Expression, Test, Variable
from dtables.model.regions import Line, Region
from dtables.model.tables import Allowed, Label, Matrix, Parameter, Restriction, Vocabulary, Words
from dtables.provenance import CellRef, Location, Span
from dtables.workbook.language import ClosedWord, closed_word
from dtables.workbook.messages import converted_to_date
from dtables.workbook.tables import BookText, Cell, RowText, TableText

# -- names in scope ---------------------------------------------------------------------------------
# What names mean while a cell is checked: the ruleset's symbols and the cell's own surroundings.


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

    names: dict[tuple[int, ...], KnownNames] = field(default_factory=dict)
    declared: KnownNames | None = None
    """All names, once no more are declared."""
    joined: dict[tuple[str, ...], tuple[KnownNames, KnownNames]] = field(default_factory=dict)
    """By the local names: what was declared then, and all of them together."""
    vocabularies: dict[str, tuple[Vocabulary, Spellings]] = field(default_factory=dict)
    counted: dict[str, tuple[tuple[Label, ...], int]] = field(default_factory=dict)


Read = TypeVar("Read")


@dataclass(slots=True)
class Memory:
    """Names and texts that were read before, for one who checks many versions of a workbook."""

    _names: dict[frozenset[str], KnownNames] = field(default_factory=dict)
    _read: dict[tuple[object, str, KnownNames], Any] = field(default_factory=dict)

    def names(self, names: Iterable[str]) -> KnownNames:
        """Return the same object for the same names."""
        key = frozenset(names)
        found = self._names.get(key)
        if found is None:
            found = self._names[key] = KnownNames(key)
        return found

    def read(self, parse: Callable[[str, KnownNames, Dialect], Read], text: str, names: KnownNames) -> Read:
        """Return what `parse` makes of the text with these names known, parsed once for all versions."""
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


@dataclass(frozen=True, slots=True)
class FieldDraft:
    """A field of a record or of the state as its tables tell it. `blank` says that a data column
    leaves it out in some row; `fixed` that the place a record stands in gives it."""

    name: str
    where: CellRef
    name_cell: Cell | None = None
    type: Text | None = None
    column_type: Text | None = None
    """Of the data column that gives the values, where a `Record:` table has the field too."""
    default: Cell | None = None
    formula: Cell | None = None
    allowed: Cell | None = None
    words: Words = ()
    help: Words = ()
    data: bool = False
    blank: bool = False
    fixed: bool = False
    many: bool = False
    """A list of what the type says."""
    needed: bool = False
    """A record that leaves it out is rejected."""
    known: Type | None = None
    """The type, where it is not written (generated records)."""


@dataclass(frozen=True, slots=True)
class RecordDraft:
    """A record type; `table` is the `Record:` table that tells of it, if there is one."""

    name: str
    where: Location
    fields: dict[str, FieldDraft]
    table: TableText | None = None


@dataclass(frozen=True, slots=True)
class ParameterDraft:
    """A name and, if written, its type."""

    name: Text
    type: Text | None


@dataclass(frozen=True, slots=True)
class FunctionDraft:
    """A table, or a row of formulas, that can be called. `row` is set for a row of formulas."""

    kind: str
    name: str
    name_text: Text
    where: Location
    parameters: tuple[ParameterDraft, ...]
    result: Text | None
    table: TableText
    row: RowText | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """`symbols` looks at the dictionaries below it: what is found out is seen by the next cell."""

    book: BookText
    sink: Sink
    numbers: Numbers = field(default_factory=Numbers)
    symbols: Symbols = field(default_factory=Symbols)
    vocabularies: dict[str, Vocabulary] = field(default_factory=dict)
    restrictions: dict[str, Type] = field(default_factory=dict)
    records: dict[str, RecordSymbol] = field(default_factory=dict)
    record_of: dict[str, str] = field(default_factory=dict)
    inputs: dict[str, FieldSymbol] = field(default_factory=dict)
    functions: dict[str, FunctionSymbol] = field(default_factory=dict)
    switches: dict[str, VocabularyType] = field(default_factory=dict)
    data: dict[str, str] = field(default_factory=dict)
    record_drafts: dict[str, RecordDraft] = field(default_factory=dict)
    passing: dict[tuple[int, Type], tuple[Test, Line | None, Region | None]] = field(default_factory=dict)
    """What a test lets through, by its identity: it is kept, so that no other has the same."""
    input_drafts: dict[str, FieldDraft] = field(default_factory=dict)
    function_drafts: dict[str, FunctionDraft] = field(default_factory=dict)
    parameters: dict[str, tuple[Parameter, ...]] = field(default_factory=dict)
    defaults: dict[tuple[str, str], Expression] = field(default_factory=dict)
    allowed: dict[tuple[str, str], Allowed] = field(default_factory=dict)
    restriction_models: dict[str, Restriction] = field(default_factory=dict)
    plus: dict[str, str] = field(default_factory=dict)
    """Vocabularies made of another and further names, with that other: a field so called holds its value."""
    matrices: dict[str, Matrix] = field(default_factory=dict)
    deciding: dict[str, str] = field(default_factory=dict)
    """Scales that leave one candidate: proved or claimed."""
    terms: dict[tuple[str, str], Location] = field(default_factory=dict)

    def tables(self, *kinds: str) -> tuple[TableText, ...]:
        return tuple(table for table in self.book.tables if table.kind in kinds)

    def error(self, text: Text | Cell, words: Wording) -> None:
        self.sink.report(*_text_and_span(text), Severity.ERROR, words)

    def warning(self, text: Text | Cell, words: Wording) -> None:
        self.sink.report(*_text_and_span(text), Severity.WARNING, words)

    def error_at(self, where: Location, typed: str | None, words: Wording) -> None:
        """Where no cell is at hand; it is found where characters of it are meant."""
        self.sink.report_at(where, self._quoted(where, typed), Severity.ERROR, words)

    def warning_at(self, where: Location, typed: str | None, words: Wording) -> None:
        self.sink.report_at(where, self._quoted(where, typed), Severity.WARNING, words)

    def note_at(self, where: Location, words: Wording) -> None:
        self.sink.report_at(where, None, Severity.NOTE, words)

    def _quoted(self, where: Location, typed: str | None) -> str | None:
        if typed is not None or where.span is None:
            return typed
        cells = (c for table in self.book.tables for row in table.rows for c in row.cells)
        return next((cell.typed for cell in cells if cell.ref == where.cell), None)

    def scope(self, variables: Iterable[Variable] = ()) -> Scope:
        return Scope(self.symbols, self.numbers, {v.name: Local(v) for v in variables})


def _text_and_span(text: Text | Cell) -> tuple[Text, Span]:
    """A cell is meant with all that is typed in it."""
    if isinstance(text, Text):
        return text, text.all
    return Text.of(text), Span(0, len(text.typed))


def new_draft(book: BookText, sink: Sink, memory: Memory | None = None) -> Draft:
    d = Draft(book, sink)
    symbols = Symbols(
        d.vocabularies,
        d.restrictions,
        d.records,
        d.record_of,
        d.inputs,
        d.functions,
        d.switches,
        d.data,
        memory=memory,
    )
    return replace(d, symbols=symbols)


# -- claiming names ---------------------------------------------------------------------------------
# Who may be called what: names are claimed once, and may not look like the expression language.

TYPE_SPACE = "type"
VALUE_SPACE = "value"
ASK_SPACE = "ask"
PAGE_SPACE = "page"

FEEL_WORDS = frozenset(
    [
        "and", "between", "each", "else", "every", "external", "false", "for", "function", "if", "in",
        "instance", "not", "null", "or", "return", "satisfies", "some", "then", "true",
    ]
)  # fmt: skip
AT_HAND = ("item", "this")
SIGNS = ".([|]){},;\"'"


def claim(draft: Draft, space: str, name: Text) -> bool:
    """Is the name still free? Then it is taken; else the second one is the mistake."""
    if not good_name(draft, name) or _is_ours(draft, space, name):
        return False
    first = draft.terms.get((space, name.text))
    if first is not None:
        draft.error(name, messages.name_taken(name.text, first))
        return False
    draft.terms[(space, name.text)] = place(name)
    return True


def _is_ours(draft: Draft, space: str, name: Text) -> bool:
    """The language's types and what is at hand keep their names."""
    if space == TYPE_SPACE and name.text in NAMED_TYPES:
        draft.error(name, messages.name_of_type(name.text))
        return True
    return space == VALUE_SPACE and not good_value_name(draft, name)


def good_value_name(draft: Draft, name: Text) -> bool:
    """Tables, fields, parameters and steps are read bare, beside the words for what is at hand."""
    if name.text not in (*AT_HAND, draft.symbols.state):
        return True
    draft.error(name, messages.name_at_hand(name.text))
    return False


def good_name(draft: Draft, name: Text) -> bool:
    """The rules for every name of a workbook: tables, fields, steps, vocabularies and their names."""
    if not name.text.strip():
        draft.error(name, messages.no_name())
        return False
    if isinstance(name.cell.value, (date, time)):
        draft.sink.add(converted_to_date(name.cell))
        return False
    sign = next((s for s in name.text if s in SIGNS), None)
    if sign is not None:
        draft.error(name, messages.sign_in_name(name.text, sign))
        return False
    word = name.text.split()[0]
    if word in FEEL_WORDS:
        draft.error(name, messages.name_begins_with_word(name.text, word))
        return False
    if _is_number(name.text):
        draft.error(name, messages.name_is_a_number(name.text))
        return False
    return True


def named_rows(draft: Draft, table: TableText, role: str) -> Iterator[tuple[RowText, Text]]:
    """The rows of a table that lists names in the column of that role; each name once."""
    seen: dict[str, Text] = {}
    for row in filled_rows(table):
        cell = name_in(draft, table, row, role)
        if cell is None:
            continue
        name = stripped(text_of(cell))
        if name.text in seen:
            draft.error(name, messages.double_field(name.text, place(seen[name.text])))
        elif good_name(draft, name):
            seen[name.text] = name
            yield row, name


def _is_number(text: str) -> bool:
    return are_digits(text.replace(".", "", 1).replace("-", "", 1).strip())


def hides(draft: Draft, name: Text) -> bool:
    """A parameter, step or draw may not hide a table or an input field."""
    if not good_value_name(draft, name):
        return True
    first = draft.terms.get((VALUE_SPACE, name.text))
    if first is None:
        return False
    draft.error(name, messages.hides(name.text, first))
    return True


# -- spellings --------------------------------------------------------------------------------------
# Names of vocabularies, found by id, label or spelling; and all names that a text may hold.


def ids_of(symbols: Symbols, vocabulary: str, written: str) -> tuple[str, ...]:
    """The ids that a name may mean."""
    return _spellings(symbols, vocabulary).matches(written)


def spellings_of(symbols: Symbols, vocabulary: str) -> Iterator[str]:
    """Every id, label and spelling."""
    for label in symbols.vocabularies[vocabulary].names:
        yield from label.written


def _spellings(symbols: Symbols, name: str) -> Spellings:
    """In a cell labels count also where records must spell ids."""
    vocabulary, known = symbols.vocabularies[name], symbols.lookups.vocabularies
    if name not in known or known[name][0] is not vocabulary:
        known[name] = (vocabulary, Spellings(vocabulary.written))
    return known[name][1]


# -- what the parser must know -----------------------------------------------------------------


def known_names(symbols: Symbols, scope: Scope | None = None) -> KnownNames:
    """All names that a text may hold: the longest of them wins where it is read."""
    names = _declared(symbols)
    if scope is None or not scope.locals:
        return names
    inside, known = tuple(scope.locals), symbols.lookups.joined
    if inside not in known or known[inside][0] is not names:
        known[inside] = (names, names | names_of(symbols, inside))
    return known[inside][1]


def names_of(symbols: Symbols, names: Iterable[str]) -> KnownNames:
    return KnownNames(names) if symbols.memory is None else symbols.memory.names(names)


def read(
    symbols: Symbols, parse: Callable[[str, KnownNames, Dialect], Read], text: str, names: KnownNames
) -> Read:
    """Read a text, or remember what was read of it among the same names."""
    if symbols.memory is None:
        return parse(text, names, symbols.dialect)
    return symbols.memory.read(parse, text, names)


def all_declared(symbols: Symbols) -> None:
    """From now on no name comes to those that are there: they need not be counted for every cell."""
    symbols.lookups.declared = _declared(symbols)


def _declared(symbols: Symbols) -> KnownNames:
    if symbols.lookups.declared is not None:
        return symbols.lookups.declared
    sizes = _sizes(symbols)
    known = symbols.lookups.names
    if sizes not in known:
        known.clear()
        known[sizes] = names_of(symbols, _all_names(symbols))
    return known[sizes]


def _sizes(symbols: Symbols) -> tuple[int, ...]:
    """Declarations are only ever added, so that their numbers tell whether something is new."""
    fields = sum(len(record.fields) for record in symbols.records.values())
    labels = sum(_spellings_counted(symbols, v) for v in symbols.vocabularies.values())
    return (*(len(group) for group in _groups(symbols)), fields, labels)


def _spellings_counted(symbols: Symbols, vocabulary: Vocabulary) -> int:
    """Counted once: thousands of names would be counted for every cell of theirs."""
    known = symbols.lookups.counted
    names = vocabulary.names
    if vocabulary.name not in known or known[vocabulary.name][0] is not names:
        count = sum(1 + len(label.words) + len(label.spellings) for label in names)
        known[vocabulary.name] = (names, count)
    return known[vocabulary.name][1]


def _groups(symbols: Symbols) -> tuple[Mapping[str, object], ...]:
    return (
        symbols.vocabularies, symbols.restrictions, symbols.records, symbols.inputs,
        symbols.functions, symbols.switches, symbols.data,
    )  # fmt: skip


def _all_names(symbols: Symbols) -> Iterator[str]:
    for group in _groups(symbols):
        yield from group
    for record in symbols.records.values():
        yield from record.fields
    for function in symbols.functions.values():
        yield from (name for name, _ in function.parameters)
    for vocabulary in symbols.vocabularies:
        yield from spellings_of(symbols, vocabulary)
    yield from (symbols.state, *BY_NAME, *NAMED_TYPES)


# -- cells that must be there -----------------------------------------------------------------------
# Cells that a row must have, and properties with a closed list of words: what is wrong with them is reported.


def needed(
    draft: Draft, table: TableText, row: RowText, role: str, words: Wording | None = None
) -> Cell | None:
    """A cell without which the row says nothing: that it is blank is a mistake."""
    cell = cell_of(table, row, role)
    if cell is None:
        draft.error(row.cells[0], words or messages.row_without(role))
    return cell


def name_in(draft: Draft, table: TableText, row: RowText, role: str = "name") -> Cell | None:
    return needed(draft, table, row, role, messages.row_without_name())


def expression_in(draft: Draft, table: TableText, row: RowText) -> Cell | None:
    return needed(draft, table, row, "is", messages.row_without_expression())


def closed_property(
    draft: Draft,
    table: TableText,
    name: str,
    words: tuple[ClosedWord, ...],
    wrong: Callable[[str, list[str]], Wording] = messages.unknown_word,
) -> str | None:
    """What a property says out of a closed list; None where it says nothing, or what is not in the list."""
    typed = property_text(table, name)
    found = None if typed is None else closed_word(words, typed.text)
    if typed is not None and found is None:
        draft.error(typed, wrong(typed.text, [word.name for word in words]))
    return found
