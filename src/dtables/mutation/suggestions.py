"""An example as a row of cells, ready to be typed into a table of examples of the workbook."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from dtables.answers.examples import same
from dtables.feel.types import ListType, RecordType, Type
from dtables.feel.values import Plain
from dtables.model.index import Index
from dtables.model.tables import AnswerField, Examples, Ruleset
from dtables.mutation.records import Question, State, Typing, Verdict
from dtables.provenance import CellRef
from dtables.workbook.tables import BookText, ColumnText, TableText

NEW_COLUMN = 6
"""What a column that a table lacks weighs, beside a cell that is filled in."""
GIVEN, EXPECTED, OPEN, REJECTED = "given", "expect", "expect any_of", "rejected at"
NEXT = "expect next"


@dataclass(frozen=True, slots=True)
class Typed:
    """A column, and what is typed under it. `new`: the table has no such column yet."""

    role: str
    name: str
    text: str
    new: bool = False

    @property
    def head(self) -> str:
        return f"{self.role} {self.name}".strip()


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A row for the table of examples whose marker stands at `where`; without one a table is to be begun.
    `of` is the ask or the table that is tried."""

    of: str
    table: str
    where: CellRef | None
    cells: tuple[Typed, ...]

    @property
    def place(self) -> str:
        """`Examples each priority (Examples!A50)`"""
        if self.where is None:
            return f"a new table of examples of {self.of}"
        named = f"Examples {self.table}".strip()
        return f"{named} ({str(self.where).partition('!')[2]})"

    def as_plain(self) -> dict[str, object]:
        return {
            "of": self.of,
            "table": self.table,
            "where": str(self.where) if self.where is not None else "",
            "row": [cell.text for cell in self.cells if not cell.new],
            "new columns": {cell.head: cell.text for cell in self.cells if cell.new},
        }


@dataclass(frozen=True)
class Suggesting:
    """Knows the workbook's tables of examples."""

    book: BookText
    ruleset: Ruleset
    typing: Typing

    def row(self, question: Question, outcome: Verdict, others: Iterable[Verdict]) -> Suggestion:
        """The row that needs the fewest cells, and no new columns if that can be. `others` are what changed
        rules say; the row shows where each of them differs."""
        making = _Making(self, question, outcome, tuple(others))
        rows = []
        for text, table in self._tables(question):
            cells = making.cells(text.columns, _common(text, table, self.state))
            rows.append(Suggestion(question.name, text.name, text.marker.cell.ref, cells))
        return min(rows, key=_weight, default=Suggestion(question.name, "", None, making.cells((), {})))

    def _tables(self, question: Question) -> list[tuple[TableText, Examples]]:
        written = {table.where: table for table in self.book.tables if table.kind == "examples"}
        asked = (question.ask, question.table)
        tables = [e for e in self.ruleset.examples if (e.ask, e.table) == asked]
        return [(written[e.heading.where], e) for e in tables if e.heading.where in written]

    @cached_property
    def inputs(self) -> Mapping[str, Type]:
        return self.typing.values.fields(RecordType(self.state))

    @property
    def state(self) -> str:
        return self.ruleset.input.state.name

    @cached_property
    def index(self) -> Index:
        return Index(self.ruleset)


@dataclass(frozen=True, slots=True)
class _Making:
    """One row in the making."""

    of: Suggesting
    question: Question
    outcome: Verdict
    others: tuple[Verdict, ...]

    def cells(self, columns: tuple[ColumnText, ...], common: State) -> tuple[Typed, ...]:
        given = {name: value for name, value in self.question.given.items() if value is not None}
        left = {name: value for name, value in given.items() if not same(value, common.get(name))}
        left |= {name: None for name in common if name not in given}
        cells = []
        for column in columns:
            name = "" if column.name is None else column.name.code.strip()
            cells.append(Typed(column.role, name, self._text(column.role, name, left)))
        new = [Typed(GIVEN, name, self._typed(value, self._type(name)), True) for name, value in left.items()]
        return (*cells, *new, *self._lacking(cells))

    def _text(self, role: str, name: str, left: State) -> str:
        match role:
            case "given":
                return self._given_cell(name, left)
            case "expect" | "expect any_of" if self.outcome.refused is None:
                return self._expected(role, name)
            case "expect next" if self.outcome.refused is None:
                return ", ".join(self.outcome.next) or "[]"
            case "rejected at":
                return self.outcome.refused or ""
            case _:
                return ""

    def _given_cell(self, name: str, left: State) -> str:
        """What goes under the column of a field, or of one inside it; from then on it is not left."""
        below = name.removeprefix(f"{self.of.state}.")
        if below in left:
            return self._typed(left.pop(below), self._type(below))
        first, _, inside = below.partition(".")
        value = left.get(first)
        if not inside or not isinstance(value, dict) or value.get(inside) is None:
            return ""
        left[first] = {key: one for key, one in value.items() if key != inside}
        if not left[first]:
            del left[first]
        type_ = self._type(first)
        fields = {} if type_ is None else self.of.typing.values.fields(type_)
        return self._typed(value[inside], fields.get(inside))

    def _expected(self, role: str, name: str) -> str:
        whole = self.outcome.value
        if self.question.ask is None:
            inside = isinstance(whole, dict) and name in whole
            table = None if inside else self.of.index.tables.get(self.question.table or "")
            type_ = None if table is None else table.type
            return self._typed(whole[name] if inside else whole, type_)
        row = self.of.index.answers[self.question.ask].get(name)
        if role == OPEN:
            listed = whole.get("any_of", {}).get(name)
            return "" if listed is None else self._typed(listed, None if row is None else _listed_type(row))
        return self._typed(whole.get(name), None if row is None else row.value.type)

    def _lacking(self, cells: list[Typed]) -> Iterator[Typed]:
        """The columns in which a change shows, where the table has none of them."""
        there = {(cell.role, cell.name) for cell in cells}
        if self.outcome.refused is not None:
            if (REJECTED, "") not in {(cell.role, "") for cell in cells}:
                yield Typed(REJECTED, "", self.outcome.refused, True)
            return
        expected = {head for head in there if head[0] in (EXPECTED, OPEN)}
        expected |= {(NEXT, "") for role, _ in there if role == NEXT}
        if self.question.ask is None:
            if not expected:
                yield Typed(EXPECTED, self.question.name, self._expected(EXPECTED, ""), True)
            return
        for other in self.others:
            shows = tuple(_differing(self.outcome, other))
            if shows and expected.isdisjoint(shows):
                expected.add(shows[0])
                yield Typed(*shows[0], self._text(*shows[0], {}), True)
        if not expected:
            for name in self.of.index.answers[self.question.ask or ""]:
                yield Typed(EXPECTED, name, self._expected(EXPECTED, name), True)

    def _type(self, name: str) -> Type | None:
        table = self.of.index.tables.get(self.question.table or "")
        own = (p.type for p in (table.parameters if table else ()) if p.name == name)
        return next(own, None) or self.of.inputs.get(name)

    def _typed(self, value: Plain, type_: Type | None) -> str:
        return self.of.typing.cell(value, type_)


def _listed_type(row: AnswerField) -> Type:
    return ListType(row.value.type) if row.listed is None else row.listed.type


def _differing(outcome: Verdict, other: Verdict) -> Iterator[tuple[str, str]]:
    """The columns that show the difference; every one does where the other is refused or fails."""
    if not isinstance(outcome.value, dict) or not isinstance(other.value, dict):
        return
    for role in (EXPECTED, OPEN):
        one, two = ((v.value if role == EXPECTED else v.value.get("any_of", {})) for v in (outcome, other))
        for name in dict.fromkeys((*one, *two)):
            if name != "any_of" and not same(one.get(name), two.get(name)):
                yield role, name
    if outcome.next != other.next:
        yield NEXT, ""


def _common(text: TableText, table: Examples, state: str) -> State:
    """What the records of all rows hold: what a row is given that stands in none of its cells."""
    names = {n: column.name.code.strip() for n, column in enumerate(text.columns)
             if column.role == "given" and column.name is not None}  # fmt: skip
    cells = {row.number: row.cells for row in text.rows}
    common: State = {}
    for example in table.rows:
        row = cells[example.where.row]
        filled = (name.removeprefix(f"{state}.") for n, name in names.items() if not row[n].empty)
        typed = {name.partition(".")[0] for name in filled}
        if isinstance(example.given, dict) and state not in typed:
            common |= {name: value for name, value in example.given.items() if name not in typed}
    return common


def _weight(suggestion: Suggestion) -> int:
    return sum(NEW_COLUMN if cell.new else bool(cell.text) for cell in suggestion.cells)
