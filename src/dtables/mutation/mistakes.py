"""Every mistake that is tried in a workbook: cell by cell, row by row, in each kind of table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from dtables.feel.syntax.parser import parse_expression, parse_list, parse_tests
from dtables.model.tables import Policy, Ruleset
from dtables.mutation.changes import Mutant, emptied, retyped, swapped, without_first
from dtables.mutation.neighbours import Neighbourhood, after
from dtables.mutation.slips import CellText, Mistake, Slip, opposite_of, slips_in, slips_in_row, spans_of
from dtables.provenance import Location, Span
from dtables.workbook.kinds import BY_NAME
from dtables.workbook.language import (
    ASK_ROWS,
    OTHERS,
    POLICIES,
    PREFER,
    ClosedWord,
    ReadAs,
    closed_word,
    plain,
)
from dtables.workbook.tables import BookText, Cell, ColumnText, Property, RowText, Sheet, TableText

NO_RULES = ("examples", "pages", "glossary", "cases", "terms", "ticks")
"""Kinds of tables in which nothing is a rule."""

CONDITIONS = {("scale", "only if"), ("checks", "wrong if")}
"""Cells that hold one whole condition."""
MAY_BE_BLANK = {
    ("decision", "if"), ("scale", "only for"), ("scale", "only if"), ("types", "allowed"), ("types", "plus"),
    ("record", "default"), ("record", "allowed"), ("record", "fixed"), ("input", "default"),
    ("input", "allowed"), ("input", "fixed"), ("data", "type"), ("settings", "level"), ("ask", "recorded in"),
    ("ask", "when open"), ("checks", "only for"), ("checks", "ask"), ("checks", "at"), ("turn", "if"),
}  # fmt: skip
"""Cells of which a blank one says something else."""
LISTS_OF_NAMES = {("types", "names"): True, ("types", "plus"): True, ("settings", "other values"): False,
                  ("checks", "ask"): False, ("checks", "places"): False}  # fmt: skip
"""Cells with names between commas, and whether their order counts."""
ROWS_GO = ("decision", "scale", "matrix", "data", "ask", "checks", "turn")
ORDERED_POLICIES = ("first", "collect", "rule order", "output order", "priority")
INSTEAD = {
    "yes": ("no",), "no": ("yes",), "highest": ("lowest",), "lowest": ("highest",), "first in": ("last in",),
    "last in": ("first in",), "first": ("chance",), "chance": ("first",),
}  # fmt: skip
"""Preferences that are taken for one another."""
POLICIES_INSTEAD = {
    Policy.UNIQUE: ("first",), Policy.ANY: ("first",), Policy.FIRST: ("unique",), Policy.PRIORITY: ("first",),
    Policy.COLLECT_SUM: ("collect max", "collect count"), Policy.COLLECT_MIN: ("collect max",),
    Policy.COLLECT_MAX: ("collect min",), Policy.COLLECT_COUNT: ("collect sum",),
    Policy.RULE_ORDER: ("output order",), Policy.OUTPUT_ORDER: ("rule order",),
}  # fmt: skip
CONDITIONED = tuple(word for word in ASK_ROWS if word.name in ("need", "need some", "next"))
NEEDS_INSTEAD = {"need": ("need some",), "need some": ("need",)}
NAMED_BY = {"types": "name", "record": "field", "data": "key", "input": "field", "formulas": "name",
            "formula": "step", "turn": "step", "ask": "name"}  # fmt: skip
SEPARATORS = ",;\n"


def mistakes_in(book: BookText, sheets: Sequence[Sheet], ruleset: Ruleset) -> Iterator[Mutant]:
    """Every change that is tried, in the order of the sheets, each text of a cell once."""
    near = Neighbourhood(ruleset)
    by_name = {sheet.name: sheet for sheet in sheets}
    for table in book.tables:
        if table.kind not in NO_RULES:
            yield from _once(_Mistakes(table, by_name[table.marker.cell.ref.sheet], near).all())


def _once(changes: Iterator[Mutant]) -> Iterator[Mutant]:
    seen: set[tuple[Cell, ...]] = set()
    for change in changes:
        if change.cells not in seen:
            seen.add(change.cells)
            yield change


@dataclass(frozen=True, slots=True)
class _Mistakes:
    """Of one table."""

    table: TableText
    sheet: Sheet
    near: Neighbourhood

    def all(self) -> Iterator[Mutant]:
        for given in self.table.properties:
            yield from self._of_property(given)
        for column in self.table.columns:
            yield from self._of_head(column)
        for row in self._rules:
            for column, cell in zip(self.table.columns, row.cells, strict=True):
                if not cell.empty and self._is_as_typed(cell):
                    yield from self._of_cell(row, column, cell)
        yield from self._of_rows()

    # -- single cells ------------------------------------------------------------------------

    def _of_cell(self, row: RowText, column: ColumnText, cell: Cell) -> Iterator[Mutant]:
        kind, role = self.table.kind, column.role
        for slip in self._slips(column, cell):
            yield self._typed(slip, self._row_name(row), _column_name(column), cell)
        blank = (kind, role) in MAY_BE_BLANK or (self._has_condition(row) and role == "is")
        if blank and cell.code.strip() != "-" and not self._alone(row, cell):
            yield self._emptied(self._row_name(row), _column_name(column), cell)
        if (kind, role) == ("ask", "name") and closed_word(ASK_ROWS, self._word(row, "role")) == "next":
            yield from self._other_ask(row, column, cell)
        if (kind, role) == ("settings", "default"):
            yield from self._other_default(row, column, cell)

    def _slips(self, column: ColumnText, cell: Cell) -> Iterator[Slip]:
        kind, role = self.table.kind, column.role
        if (kind, role) in LISTS_OF_NAMES:
            pieces = _pieces(cell.code)
            yield from slips_in_row(self._text(cell), pieces, ordered=LISTS_OF_NAMES[kind, role])
            return
        match self._read_as(column):
            case ReadAs.TESTS if (kind, role) not in (("dice", "die"), ("dice", "total")):
                yield from self._in_tests(cell, role == "if" and _unnamed(column))
            case ReadAs.EXPRESSION if role == "fixed":
                yield from self._in_text(cell, f"{{{cell.code}}}", -1)
            case ReadAs.EXPRESSION if not self._is_key(column):
                yield from self._in_text(cell, cell.code, 0, (kind, role) in CONDITIONS)
            case ReadAs.TYPE if kind in ("types", "record", "input"):
                yield from _other_types(cell.code)
            case ReadAs.WORD if (kind, role) == ("scale", "prefer"):
                yield from self._other_preference(cell)
            case ReadAs.WORD if (kind, role) == ("ask", "role"):
                yield from _other_words(cell.code, 0, self._words(column), NEEDS_INSTEAD)
            case _:
                return

    def _in_text(self, cell: Cell, code: str, start: int, condition: bool = False) -> Iterator[Slip]:
        """Of a cell's text from `start` on: an expression, or a list without brackets."""
        text = self._text(cell, start, code)
        whole = Span(start, start + len(code))
        node, wrong = parse_expression(code, self.near.names)
        if node is None or wrong or self.near.is_list(cell.ref, whole):
            items, wrong = parse_list(code, self.near.names)
            if items is None or wrong:
                return
            found = [*slips_in_row(text, spans_of(items), ordered=True), *slips_in(text, items)]
        else:
            found = [*slips_in(text, (node,)), *(opposite_of(text, node) if condition else ())]
        yield from (_shifted(slip, start) for slip in found)

    def _in_tests(self, cell: Cell, condition: bool) -> Iterator[Slip]:
        tests, wrong = parse_tests(cell.code, self.near.names)
        if tests is None or wrong:
            return
        text = self._text(cell)
        yield from slips_in_row(text, spans_of(tests), ordered=False)
        yield from slips_in(text, tests)
        if condition and len(tests) == 1:
            yield from opposite_of(text, tests[0])

    def _text(self, cell: Cell, start: int = 0, code: str | None = None) -> CellText:
        """Of the neighbours of a name the nearest is tried."""
        named = cell.code if code is None else code

        def around(span: Span) -> Iterator[str]:
            there = Span(span.start + start, span.end + start)
            yield from islice(self.near.around(cell.ref, there), 1)

        return CellText(named, around)

    def _other_preference(self, cell: Cell) -> Iterator[Slip]:
        """`first in ranking(season)`: the word, and the list behind it."""
        word = _leading(cell.code)
        known = closed_word(PREFER, word)
        if known is None:
            return
        yield from _other_words(word, 0, PREFER, INSTEAD)
        rest = cell.code[len(word) :]
        start = len(word) + len(rest) - len(rest.lstrip())
        if rest.strip() and known != "scale":
            yield from self._in_text(cell, rest.strip(), start)

    def _other_ask(self, row: RowText, column: ColumnText, cell: Cell) -> Iterator[Mutant]:
        for name in islice(after(cell.code.strip(), self.near.asks), 1):
            cells = (retyped(cell, name),)
            yield self._change(
                Mistake.NEIGHBOUR, self._row_name(row), _column_name(column), cell, name, cells
            )

    def _other_default(self, row: RowText, column: ColumnText, cell: Cell) -> Iterator[Mutant]:
        """A switch stands otherwise; what it stood at becomes one of the other values."""
        places = [n for n, c in enumerate(self.table.columns) if c.role == "other values"]
        if not places or row.cells[places[0]].empty:
            return
        others = row.cells[places[0]]
        for piece in _pieces(others.code):
            value = others.code[piece.start : piece.end]
            listed = Slip(Mistake.SWAPPED, piece, cell.code.strip()).typed(others.typed)
            cells = (retyped(cell, value), retyped(others, listed))
            yield self._change(
                Mistake.OPPOSITE, self._row_name(row), _column_name(column), cell, value, cells
            )

    # -- properties and heads ------------------------------------------------------------------

    def _of_property(self, given: Property) -> Iterator[Mutant]:
        kind, cell = self.table.kind, given.cell
        span = given.value.where.span
        if span is None or not given.value.text.strip() or not self._is_as_typed(cell):
            return
        slips: list[Slip] = []
        match (kind, given.word):
            case ("decision", "policy"):
                instead = {policy.value: others for policy, others in POLICIES_INSTEAD.items()}
                slips = [*_other_words(given.value.text, span.start, POLICIES, instead)]
            case ("scale", "others"):
                words = {w.name: tuple(o.name for o in OTHERS if o is not w) for w in OTHERS}
                slips = [*_other_words(given.value.text, span.start, OTHERS, words)]
            case ("decision", "otherwise" | "priorities") | ("turn", "otherwise"):
                slips = [*self._in_text(cell, given.value.text, span.start)]
            case _:
                pass
        for slip in slips:
            after = slip.typed(cell.typed)
            value = after[span.start : len(after) - (len(cell.typed) - span.end)].strip()
            cells = (retyped(cell, after),)
            yield self._change(slip.mistake, "", given.word, cell, value, cells, given.value.text.strip())
        if (kind, given.word) in (("decision", "otherwise"), ("turn", "otherwise"), ("settings", "inherit")):
            yield from self._without_property(given)

    def _without_property(self, given: Property) -> Iterator[Mutant]:
        """One beside others is emptied; one with a row of its own goes with its row."""
        ref, left = given.cell.ref, self.table.marker.cell.ref.column
        in_row = [c for c in self.sheet.row(ref.row, left, self.table.last.column) if c.ref != ref]
        if ref.row == self.table.marker.cell.ref.row or in_row:
            if ref.column != left:
                yield self._property_removed(given, (emptied(given.cell),))
            return
        block = self._block(ref.row, self.table.last.row)
        if block:
            yield self._property_removed(given, without_first(block))

    def _property_removed(self, given: Property, cells: tuple[Cell, ...]) -> Mutant:
        text = given.value.text.strip()
        return self._change(Mistake.EMPTIED, "", given.word, given.cell, "", cells, text)

    def _of_head(self, column: ColumnText) -> Iterator[Mutant]:
        """What a column tests is an expression too."""
        cell = column.name
        if cell is None or cell.empty or not self._is_as_typed(cell):
            return
        if column.role in ("if", "only for"):
            for slip in self._in_text(cell, cell.code, 0):
                yield self._typed(slip, "", _column_name(column), cell)

    # -- rows ------------------------------------------------------------------------------------

    def _of_rows(self) -> Iterator[Mutant]:
        kind, rows = self.table.kind, self._rules
        last = self.table.rows[-1].number if rows else 0
        for row in rows if kind in ROWS_GO and (len(rows) > 1 or kind == "checks") else ():
            block = self._block(row.number, last)
            if block:
                yield self._row_change(Mistake.ROW_GONE, self._row_name(row), row, row, without_first(block))
        for one, other in pairwise(rows):
            columns = self._swapping(one, other)
            cells = [[row.cells[n] for n in columns] for row in (one, other)]
            if columns and all(self._is_as_typed(c) or c.empty for row in cells for c in row):
                named = f"{self._row_name(one)} and {self._row_name(other).removeprefix('row ')}"
                named = named.replace("row ", "rows ", 1)
                yield self._row_change(Mistake.ROWS_SWAPPED, named, one, other, swapped(cells))

    def _swapping(self, one: RowText, other: RowText) -> tuple[int, ...]:
        """The columns in which two rows are taken for one another; none where that says nothing else."""
        everything = tuple(range(len(self.table.columns)))
        roles = [column.role for column in self.table.columns]
        match self.table.kind:
            case "decision" if self._policy() in ORDERED_POLICIES:
                return everything
            case "scale" | "data" | "turn":
                return everything
            case "matrix" if "rank" in roles:
                return tuple(n for n in everything if roles[n] != "rank")
            case "matrix":
                return tuple(n for n, column in enumerate(self.table.columns) if self._is_key(column))
            case "dice":
                return tuple(n for n in everything if roles[n] == "then")
            case "ask" if "stop" in (closed_word(ASK_ROWS, self._word(row, "role")) for row in (one, other)):
                return everything
            case _:
                return ()

    def _policy(self) -> str:
        policy = next((p.value.text for p in self.table.properties if p.word == "policy"), "unique")
        return closed_word(POLICIES, policy) or "unique"

    def _block(self, first: int, last: int) -> list[list[Cell]]:
        """Rows of the table's columns; none where merged cells would not move with them."""
        left, right = self.table.marker.cell.ref.column, self.table.last.column
        places = [[(row, column) for column in range(left, right + 1)] for row in range(first, last + 1)]
        if any(place in self.sheet.merged for row in places for place in row):
            return []
        return [[self.sheet.cell(*place) for place in row] for row in places]

    # -- words about them ----------------------------------------------------------------------

    def _row_name(self, row: RowText) -> str:
        name = self._word(row, NAMED_BY.get(self.table.kind, "")) or self._word(row, "switch", "parameter")
        if self.table.kind == "ask":
            return f"{self._word(row, 'role')} {name}".strip()
        if name:
            return name
        if self.table.kind == "matrix" and any(map(self._is_key, self.table.columns)):
            keys = [
                c.typed
                for column, c in zip(self.table.columns, row.cells, strict=True)
                if self._is_key(column)
            ]
            return f"row {', '.join(keys)}"
        return f"row {self._word(row, '#', 'rank') or row.number - self.table.rows[0].number + 1}"

    def _word(self, row: RowText, *roles: str) -> str:
        found = (
            c.typed for column, c in zip(self.table.columns, row.cells, strict=True) if column.role in roles
        )
        return next((typed.strip() for typed in found if typed.strip()), "")

    def _change(
        self,
        mistake: Mistake,
        row: str,
        column: str,
        cell: Cell,
        after: str,
        cells: tuple[Cell, ...],
        before: str | None = None,
    ) -> Mutant:
        """`before` is what is shown where only a part of the cell is meant."""
        was = cell.typed if before is None else before
        table = self.table
        return Mutant(mistake, table.kind, table.name, Location(cell.ref), row, column, was, after, cells)

    def _typed(self, slip: Slip, row: str, column: str, cell: Cell) -> Mutant:
        after = slip.typed(cell.typed).strip()
        return self._change(slip.mistake, row, column, cell, after, (retyped(cell, after),))

    def _emptied(self, row: str, column: str, cell: Cell) -> Mutant:
        return self._change(Mistake.EMPTIED, row, column, cell, "", (emptied(cell),))

    def _row_change(
        self, mistake: Mistake, named: str, first: RowText, last: RowText, cells: tuple[Cell, ...]
    ) -> Mutant:
        where = Location(first.cells[0].ref, last=last.cells[-1].ref)
        shown = " / ".join(map(self._rule_text, dict.fromkeys((first, last))))
        return Mutant(mistake, self.table.kind, self.table.name, where, named, "", shown, "", cells)

    def _rule_text(self, row: RowText) -> str:
        """Its cells, without those for people."""
        cells = zip(self.table.columns, row.cells, strict=True)
        return " | ".join(cell.typed for column, cell in cells if self._read_as(column) is not ReadAs.PROSE)

    # -- what stands where -----------------------------------------------------------------------

    def _read_as(self, column: ColumnText) -> ReadAs:
        """A column whose role cell holds a type, a level or the result holds expressions."""
        if (self.table.kind, column.role) == ("data", "type"):
            return ReadAs.EXPRESSION
        roles = BY_NAME[self.table.kind].roles
        if any(role.in_words == column.role for role in roles):
            return ReadAs.PROSE
        return next((r.holds for r in roles if r.name == column.role), ReadAs.EXPRESSION)

    @property
    def _rules(self) -> tuple[RowText, ...]:
        """The rows that run: of a turn those that have an outcome."""
        if self.table.kind != "turn":
            return self.table.rows
        return tuple(row for row in self.table.rows if self._word(row, "then"))

    def _words(self, column: ColumnText) -> tuple[ClosedWord, ...]:
        return next((r.words for r in BY_NAME[self.table.kind].roles if r.name == column.role), ())

    def _is_key(self, column: ColumnText) -> bool:
        """In a matrix the columns that are called as a parameter hold the keys of the rows."""
        if self.table.kind != "matrix" or column.role != "key" or column.name is None:
            return False
        return column.name.code.strip() in [p.name.text for p in self.table.marker.parameters]

    def _is_as_typed(self, cell: Cell) -> bool:
        """Not what merged cells only show here, nor what its role reads otherwise than it is typed."""
        own = self.sheet.cell(cell.ref.row, cell.ref.column)
        return own.typed == cell.typed and len(own.typed) == len(cell.code)

    def _has_condition(self, row: RowText) -> bool:
        """What is needed, or comes next, may do so under a condition."""
        return self.table.kind == "ask" and closed_word(CONDITIONED, self._word(row, "role")) is not None

    def _alone(self, row: RowText, cell: Cell) -> bool:
        """Whether the row would be blank without it, and end the table."""
        return all(other.empty or other is cell for other in row.cells)


# -- other words -------------------------------------------------------------------------------


def _other_words(
    text: str, start: int, words: Sequence[ClosedWord], instead: Mapping[str, tuple[str, ...]]
) -> Iterator[Slip]:
    """In the language in which the word is typed."""
    known = closed_word(words, text)
    by_name = {word.name: word for word in words}
    word = by_name.get(known or "")
    if word is None:
        return
    italian = plain(text) in map(plain, word.it) and plain(text) not in map(plain, word.en)
    for other in instead.get(word.name, ()):
        spelled = (by_name[other].it if italian else by_name[other].en)[0]
        yield Slip(Mistake.OPPOSITE, Span(start, start + len(text)), spelled)


def _leading(text: str) -> str:
    """The longest spelling of a preference with which the text begins."""
    spellings = sorted((s for word in PREFER for s in (*word.en, *word.it)), key=len, reverse=True)
    lowered = text.casefold()
    return text[: next((len(s) for s in spellings if f"{lowered} ".startswith(f"{s.casefold()} ")), 0)]


def _other_types(code: str) -> Iterator[Slip]:
    """A value may be missing, or must be there; halves are allowed, or are not."""
    typed = code.strip()
    end = Span(len(typed) - 1, len(typed)) if typed.endswith("?") else Span(len(typed), len(typed))
    yield Slip(Mistake.TYPE, end, "" if typed.endswith("?") else "?")
    if typed.startswith("whole number"):
        yield Slip(Mistake.TYPE, Span(0, len("whole ")), "")


def _pieces(text: str) -> tuple[Span, ...]:
    """What stands between commas, without the spaces around it."""
    found, start = [], 0
    for piece in re.split(f"[{SEPARATORS}]", text):
        lead = len(piece) - len(piece.lstrip())
        if piece.strip():
            found.append(Span(start + lead, start + lead + len(piece.strip())))
        start += len(piece) + 1
    return tuple(found)


def _shifted(slip: Slip, start: int) -> Slip:
    return (
        Slip(slip.mistake, Span(slip.span.start + start, slip.span.end + start), slip.text) if start else slip
    )


def _unnamed(column: ColumnText) -> bool:
    return column.name is None or column.name.empty


def _column_name(column: ColumnText) -> str:
    """The role, and what the column is called."""
    named = "" if column.name is None or _unnamed(column) else column.name.typed.strip()
    return f"{column.role} {named}".strip()
