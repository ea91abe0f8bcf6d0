"""Records as rows of a table: what each column is, and how a cell is read without coercing anything.

A column is called `turn`, `game` or `ask`, by a path into the state (`solo.coins`, or `state.solo.coins`),
or `played.` and a path into the answer. What is compound (a list, a record) is JSON in its cell, also
`state` and `played` as a whole. The type that the workbook declares at that path says how a text is read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from itertools import islice
from typing import TYPE_CHECKING, Any

from dtables.digits import whole_in
from dtables.feel.names import Spellings, matching_fields
from dtables.feel.types import (
    BooleanType,
    ContextType,
    ListType,
    MapType,
    NumberType,
    RecordType,
    RestrictedType,
    Type,
    describe,
    without_null,
)
from dtables.logs.jsonlines import LogError
from dtables.records import findings
from dtables.records.findings import Finding, Refused, Words, quoted, whole
from dtables.records.json import (
    DEEPEST,
    ENVELOPE,
    MOST_DIGITS,
    LogLine,
    NoJson,
    decoded,
    first_twice,
    is_text,
)

if TYPE_CHECKING:
    from dtables.model.tables import Record, Ruleset, Table

Path = tuple[str, ...]
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_BOOLEANS = {"true": True, "TRUE": True, "false": False, "FALSE": False}
COMPOUND = (ListType, MapType, RecordType, ContextType)
NOTHING = ""
_LARGEST = 10**MOST_DIGITS
MOST_LISTED = 8
MOST_COLUMNS = 16_384
"""As many has a sheet."""


@dataclass(frozen=True, slots=True)
class LogColumn:
    """`types` are by ask where the column is one of `played`, else under None."""

    head: str
    path: Path
    types: tuple[tuple[str | None, Type], ...]

    def type(self, ask: str | None) -> Type | None:
        """Return the type of its cells in a record of the ask; None where nothing declares it."""
        known = dict(self.types)
        return known.get(ask, known.get(None))


@dataclass(frozen=True, slots=True)
class NumberedRow:
    """`number` is where it stands: a line of text, a row of a sheet."""

    number: int
    cells: tuple[object, ...]
    finding: Finding | None = None
    """Why the row is no record."""


def columns_of(heads: Iterable[str], model: Ruleset, name: str) -> tuple[LogColumn, ...]:
    """LogError where two columns have one name, or none is the turn's."""
    columns = tuple(_column(head, model) for head in islice(heads, MOST_COLUMNS + 1))
    if len(columns) > MOST_COLUMNS:
        raise LogError(f"{name}: more than {MOST_COLUMNS:,} columns")
    paths = Counter(column.path for column in columns)
    twice = next((column.head for column in columns if paths[column.path] > 1), None)
    if twice is not None:
        raise LogError(f"{name}: two columns are called {quoted(twice)}")
    if ("turn",) not in paths:
        heads = ", ".join(quoted(column.head) for column in columns[:MOST_LISTED])
        more = ", …" if len(columns) > MOST_LISTED else ""
        raise LogError(f"{name}: no column is called `turn`" + (f", but {heads}{more}" if columns else ""))
    return columns


def parameter_columns(heads: Iterable[str], model: Ruleset, table: Table) -> tuple[LogColumn, ...]:
    """Return the columns of a table called by itself: a head is a parameter or an input field, or a path
    below one. The first column is the turn's."""
    parameters = {parameter.name: parameter.type for parameter in table.parameters}
    columns = [LogColumn("turn", ("turn",), ())]
    for head in heads:
        first, *rest = (part.strip() for part in head.split("."))
        of = parameters.get(first)
        found = state_type(model, (first, *rest)) if of is None else type_at(model, of, tuple(rest), {})
        columns.append(LogColumn(head, ("state", first, *rest), () if found is None else ((None, found),)))
    return tuple(columns)


def path_of(head: str) -> Path:
    """Return the path of a column's head: below the state, unless it begins with a word of the record."""
    parts = tuple(part.strip() for part in head.split("."))
    return parts if parts[0] in ENVELOPE else ("state", *parts)


def text_line(row: NumberedRow, columns: tuple[LogColumn, ...]) -> LogLine:
    """A row of which everything is text."""
    return _line(row, columns, _from_text)


def typed_line(row: NumberedRow, columns: tuple[LogColumn, ...]) -> LogLine:
    """A row whose cells have types of their own: numbers are numbers, text is text."""
    return _line(row, columns, _from_value)


def _is_blank(cell: object) -> bool:
    """Others' values may not know whether they are equal to a text."""
    return cell is None or (isinstance(cell, str) and cell == NOTHING)


def _line(row: NumberedRow, columns: tuple[LogColumn, ...], read: Any) -> LogLine:
    if row.finding is not None:
        return LogLine(row.number, None, row.finding, *_turn_and_game(row, columns, read))
    if len(row.cells) != len(columns):
        return LogLine(row.number, None, findings.wrong_length(len(row.cells), len(columns)).at("$"))
    ask = next((c for c, column in zip(row.cells, columns, strict=True) if column.path == ("ask",)), None)
    record: dict[str, Any] = {}
    for cell, column in zip(row.cells, columns, strict=True):
        if _is_blank(cell):
            continue
        try:
            _store(record, column.path, read(cell, column, ask if isinstance(ask, str) else None))
        except Refused as refused:
            found = refused.at(".".join(column.path))
            return LogLine(row.number, None, found, *_turn_and_game(row, columns, read))
    if "state" not in record and has_state_columns(columns):
        record["state"] = {}
    return LogLine(row.number, record, None)


def _turn_and_game(row: NumberedRow, columns: tuple[LogColumn, ...], read: Any) -> tuple[object, object]:
    cells = {column.path: (cell, column) for cell, column in zip(row.cells, columns, strict=False)}
    values: list[object] = []
    for name in ("turn", "game"):
        cell, column = cells.get((name,), (None, None))
        try:
            values.append(None if _is_blank(cell) else read(cell, column, None))
        except Refused:
            values.append(None)
    return values[0], values[1]


def has_state_columns(columns: Iterable[LogColumn]) -> bool:
    """Whether fields of the state have columns: then there is a state, also where it says nothing."""
    return any(column.path[0] == "state" and len(column.path) > 1 for column in columns)


def _store(record: dict[str, Any], path: Path, value: object) -> None:
    place = record
    for part in path[:-1]:
        place = place.setdefault(part, {})
        if not isinstance(place, dict):
            raise Refused(findings.value_beside_fields())
    if path[-1] in place:
        raise Refused(findings.value_beside_fields())
    place[path[-1]] = value


# -- cells -------------------------------------------------------------------------------------


def _from_text(cell: str, column: LogColumn, ask: str | None) -> object:
    """What does not read as its type stays text, and is rejected as such."""
    if column.path == ("turn",):
        turn = whole_in(cell)
        return cell if turn is None or cell != str(turn) else turn
    match bare(column.type(ask)):
        case NumberType() if _NUMBER.fullmatch(cell):
            return decoded(cell.encode(errors="surrogatepass"))
        case BooleanType():
            return _BOOLEANS.get(cell, cell)
        case compound if isinstance(compound, COMPOUND) or column.path in (("state",), ("played",)):
            return _from_json(cell, compound)
        case _:
            return cell


def _from_value(cell: object, column: LogColumn, ask: str | None) -> object:
    of = bare(column.type(ask))
    if isinstance(cell, str) and (isinstance(of, COMPOUND) or column.path in (("state",), ("played",))):
        return _from_json(cell, of)
    return exact(cell)


def _from_json(cell: str, of: Type | None) -> object:
    """In a cell there need not be an object."""
    try:
        return decoded(cell.encode(errors="surrogatepass"))
    except NoJson as error:
        words = findings.no_json_in_cell(cell, error.words, None if of is None else describe(of))
        raise Refused(words) from None


@dataclass(frozen=True, slots=True)
class UnreadableCell:
    """Stands for a value of a typed source that cannot be read."""

    words: Words


def _iso(value: date | time) -> str:
    """A library's own moments may lie where there is no calendar."""
    try:
        return value.isoformat()
    except (ValueError, OverflowError, RuntimeError):
        raise Refused(findings.moment_out_of_reach()) from None


def exact(value: object, deep: int = 0) -> object:
    """A value of a typed source as JSON would have it; a binary fraction by its shortest decimal, a decimal
    without places as the whole number it is."""
    match value:
        case UnreadableCell(words=words):
            raise Refused(words)
        case str() if not is_text(value):
            raise Refused(findings.half_a_pair())
        case int() if not -_LARGEST < value < _LARGEST:
            raise Refused(findings.too_many_digits(MOST_DIGITS))
        case Decimal() if not value.is_finite():
            raise Refused(findings.not_a_number(str(value)))
        case Decimal() if value.as_tuple().exponent == 0:
            return int(value)
        case None | bool() | int() | str() | Decimal():
            return value
        case float():
            if value != value or value in (float("inf"), float("-inf")):
                raise Refused(findings.not_a_number(str(value)))
            return Decimal(repr(value))
        case datetime() | date() | time():
            return _iso(value)
        case Mapping() | list() | tuple() if deep == DEEPEST:
            raise Refused(findings.too_deep())
        case Mapping():
            keys = [whole(str(key)) for key in value]
            if len(set(keys)) < len(keys):
                raise Refused(findings.doubled_key(first_twice(keys)))
            entries = zip(keys, value.values(), strict=True)
            return {key: exact(one, deep + 1) for key, one in entries if one is not None}
        case list() | tuple():
            return [exact(one, deep + 1) for one in value]
        case _:
            raise Refused(findings.of_no_kind(value))


# -- types -------------------------------------------------------------------------------------


def _column(head: str, model: Ruleset) -> LogColumn:
    path = path_of(head)
    match path:
        case ("state", first, *rest):
            found = state_type(model, (first, *rest))
            return LogColumn(head, path, () if found is None else ((None, found),))
        case ("played", first, *rest):
            return LogColumn(head, path, tuple(_answer_types(model, first, tuple(rest))))
        case _:
            return LogColumn(head, path, ())


def state_type(model: Ruleset, path: Path) -> Type | None:
    """Return the type of what stands at a path below `state`, or None."""
    state = model.input.state.name
    return type_at(model, RecordType(state), path, {state: _types(model.input.state)})


def _types(record: Record) -> dict[str, Type]:
    return {field.name: field.type for field in record.stored}


def _answer_types(model: Ruleset, name: str, rest: Path) -> Iterator[tuple[str | None, Type]]:
    """An ask left out is the main one."""
    from dtables.model.tables import AnswerField

    for ask in model.asks:
        for row in ask.rows:
            if isinstance(row, AnswerField) and row.name == name and not ask.parameters:
                found = type_at(model, row.value.type, rest, {})
                if found is not None:
                    yield ask.heading.name, found
                    if ask.main:
                        yield None, found


def type_at(model: Ruleset, of: Type, path: Path, known: Mapping[str, dict[str, Type]]) -> Type | None:
    """The type below `of`, field by field, of a list's items too; None where there is no such field."""
    for part in path:
        match item_of(of):
            case RecordType(name=name):
                fields = known.get(name) or record_fields(model, name)
                below = fields.get(part) or _named_field(model, name, fields, part)
            case ContextType(fields=entries):
                below = dict(entries).get(part)
            case MapType(value=value):
                below = value
            case _:
                below = None
        if below is None:
            return None
        of = below
    return of


def _named_field(model: Ruleset, record: str, fields: Mapping[str, Type], key: str) -> Type | None:
    """Where names of vocabularies are fields, a key spells one as it would a name."""
    from dtables.model.reach import named_fields

    named = (named_fields(one, model.input.state) for one in model.records if one.name == record)
    needed = {vocabulary for some in named for vocabulary in some}
    spelled = (Spellings(v.written, v.exact) for v in model.vocabularies if v.name in needed)
    matching = matching_fields(key, fields, spelled)
    return fields[matching[0]] if len(matching) == 1 else None


def record_fields(model: Ruleset, name: str) -> dict[str, Type]:
    """Return the stored fields of a record type with their types, nothing for an unknown one."""
    return next((_types(record) for record in model.records if record.name == name), {})


def item_of(of: Type) -> Type | None:
    """Return the type of the items of a list, however deep lists nest; of another type that type."""
    found = bare(of)
    return item_of(found.item) if isinstance(found, ListType) else found


def bare(of: Type | None) -> Type | None:
    """Return the type without its restriction and without `?`; None stays None."""
    if of is None:
        return None
    inner = without_null(of)
    return bare(inner.of) if isinstance(inner, RestrictedType) else inner


# -- rows as a piece of a log -----------------------------------------------------------------------
# Rows of a table as a piece of a log: made into records by whom they reach.

ROWS = 1_000
WEIGHT = 1024 * 1024
"""Of the rows of a piece: about the bytes of what stands in them."""
EACH = 64
"""What a value takes besides."""

Read = Callable[[NumberedRow, tuple[LogColumn, ...]], LogLine]


@dataclass(frozen=True, slots=True)
class RowChunk:
    """`read` is the reading of a row: of text, or of cells that have types of their own."""

    file: str | None
    columns: tuple[LogColumn, ...]
    rows: tuple[NumberedRow, ...]
    read: Read
    weight: int

    @property
    def records(self) -> int:
        """How many rows it has."""
        return len(self.rows)

    def given(self) -> Iterator[LogLine]:
        """Go through its rows, each made a line when it is asked for."""
        return self.lines()

    def lines(self) -> Iterator[LogLine]:
        """Go through its rows, each made a line when it is asked for."""
        return (self.read(row, self.columns) for row in self.rows)


def row_chunks(
    file: str | None, columns: tuple[LogColumn, ...], rows: Iterable[tuple[NumberedRow, int]], read: Read
) -> Iterator[RowChunk]:
    """Make pieces of rows with their weights."""
    some: list[NumberedRow] = []
    weight = 0
    for row, more in rows:
        some.append(row)
        weight += more
        if len(some) == ROWS or weight >= WEIGHT:
            yield RowChunk(file, columns, tuple(some), read, weight)
            some, weight = [], 0
    if some:
        yield RowChunk(file, columns, tuple(some), read, weight)
