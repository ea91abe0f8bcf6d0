"""Tables as blocks: which view suits which kind, under which title, with which cells."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dtables.model.tables import (
    Ask,
    Checks,
    Data,
    Decision,
    Dice,
    Formula,
    Heading,
    Matrix,
    Policy,
    Ruleset,
    Scale,
    Switches,
    Vocabulary,
    Words,
)
from dtables.model.vocabularies import in_language
from dtables.printing.names import Names
from dtables.printing.view_decisions import DecisionView, in_columns
from dtables.printing.view_fixed import Fixed, Resolver, vocabulary_root
from dtables.printing.view_grids import GridView
from dtables.printing.view_matrices import MatrixView, Reading, read_matrix
from dtables.printing.view_parts import Block, Body, Grid, Steps
from dtables.printing.view_steps import StepsView
from dtables.printing.view_text import upper_first
from dtables.printing.view_words import furniture
from dtables.provenance import Location, quoted_sheet


@dataclass(frozen=True, slots=True)
class Group:
    """A `Formulas:` table, or vocabularies that stand in one `Types:` table."""

    heading: Heading
    formulas: tuple[Formula, ...] = ()
    vocabularies: tuple[Vocabulary, ...] = ()


@dataclass(frozen=True, slots=True)
class Keyed:
    """Data with a key, or settings by level: both are vocabularies with rows."""

    heading: Heading
    vocabulary: Vocabulary

    @property
    def by_level(self) -> bool:
        """Levels stand beside each other in one row, rows of data under one another."""
        rows = self.vocabulary.rows
        return bool(rows) and rows[0].where.column > self.heading.where.cell.column


Printable = Decision | Scale | Matrix | Dice | Formula | Switches | Data | Ask | Checks | Group | Keyed


@dataclass(frozen=True, slots=True)
class Wish:
    """A table and how the workbook wants it: its own title, a line beside it, how wide."""

    thing: Printable
    title: Words = ()
    note: Words = ()
    units: int | None = None

    @property
    def heading(self) -> Heading:
        return self.thing.heading


def printables(ruleset: Ruleset) -> dict[str, Printable]:
    """By the names that the pages table may use; a table before what only shares its name."""
    found: dict[str, Printable] = {}
    things: tuple[Printable, ...] = (
        *ruleset.tables, *ruleset.switches, *_keyed(ruleset), *ruleset.data, *_groups(ruleset),
        *ruleset.asks, *ruleset.checks,
    )  # fmt: skip
    for thing in things:
        if not (isinstance(thing, Formula) and thing.group is not None):
            found.setdefault(thing.heading.name, thing)
    return found


def _keyed(ruleset: Ruleset) -> Iterable[Keyed]:
    by_place = {v.where: v for v in ruleset.vocabularies if v.record is not None}
    return [Keyed(h, by_place[h.where]) for h in ruleset.headings if h.where in by_place]


def _groups(ruleset: Ruleset) -> Iterable[Group]:
    for heading in ruleset.headings:
        formulas = tuple(
            t for t in ruleset.tables if isinstance(t, Formula) and _in(heading, t.heading.where)
        )
        members = tuple(v for v in ruleset.vocabularies if v.where != heading.where and _in(heading, v.where))
        named = tuple(f for f in formulas if f.group == heading.name)
        listed = tuple(v for v in members if not v.name.startswith("switch "))
        if named or listed:
            yield Group(heading, named, listed)


def _in(heading: Heading, where: Location) -> bool:
    first, last = heading.where.cell, heading.where.last or heading.where.cell
    cell = where.cell
    return cell.sheet == first.sheet and first.row <= cell.row <= last.row and first.column <= cell.column


class BlockMaker:
    def __init__(self, ruleset: Ruleset, language: str) -> None:
        self.ruleset = ruleset
        self.names = Names(ruleset, language)
        self.steps = StepsView(self.names)
        self.decisions = DecisionView(self.names)
        self.grids = GridView(self.names)
        self.matrices = MatrixView(self.names)
        self.words = furniture(language)

    def blocks(self, wishes: tuple[Wish, ...], fixed: Fixed) -> tuple[Block, ...]:
        """One block each; matrices that share their column key are one block, where the first stands."""
        made: list[Block] = []
        done: set[int] = set()
        for n, wish in enumerate(wishes):
            if n in done:
                continue
            together = self._sharing(wishes, n, fixed)
            done.update(m for m, _ in together)
            if len(together) > 1:
                made.append(self._grid(wish, [(wishes[m], reading) for m, reading in together]))
            else:
                made.append(self._block(wish, fixed))
        return tuple(block for block in made if not _is_empty(block))

    def _sharing(self, wishes: tuple[Wish, ...], first: int, fixed: Fixed) -> list[tuple[int, Reading]]:
        """Places of the matrices that stand on the same grid as the first one."""
        found: list[tuple[int, Reading]] = []
        root: str | None = None
        for n in range(first, len(wishes)):
            matrix = wishes[n].thing
            if not isinstance(matrix, Matrix):
                continue
            reading = read_matrix(matrix, fixed)
            own = vocabulary_root(reading.across.type) if reading.across else None
            if n == first:
                root = own
            if own is not None and own == root:
                found.append((n, reading))
        return found if found and found[0][0] == first else []

    def _grid(self, first: Wish, parts: list[tuple[Wish, Reading]]) -> Block:
        readings = tuple((r, self.title(w), self._say(w.note), source(w.heading.where)) for w, r in parts)
        units = next((w.units for w, _ in parts if w.units is not None), None)
        return Block(
            first.heading.name, self.words["read_column"], "", "", self.matrices.grid(readings),
            first.heading.where, units,
        )  # fmt: skip

    def _block(self, wish: Wish, fixed: Fixed) -> Block:
        where = wish.heading.where
        body = self._body(wish.thing, fixed)
        subtitle = self._say(wish.note) or self._hint(wish.thing)
        return Block(wish.heading.name, self.title(wish), subtitle, source(where), body, where, wish.units)

    def _body(self, thing: Printable, fixed: Fixed) -> Body:
        match thing:
            case Decision():
                resolver = Resolver(self.ruleset, fixed, thing.parameters)
                across = in_columns(thing, resolver, self.names.language)
                return (self.decisions.outcome_grid if across else self.decisions.decision)(thing, resolver)
            case Scale():
                return self.steps.scale(thing, Resolver(self.ruleset, fixed, thing.parameters))
            case Matrix():
                return self.matrices.grid(((read_matrix(thing, fixed), "", "", ""),))
            case Dice():
                return self.grids.dice(thing)
            case Formula():
                return self.steps.steps_of(thing)
            case Switches():
                return self.grids.switches(thing)
            case Data():
                return self.grids.unkeyed(thing, fixed)
            case Keyed():
                made = self.grids.levels if thing.by_level else self.grids.keyed
                return made(thing.vocabulary, fixed)
            case Ask():
                return self.steps.ask(thing)
            case Checks():
                return self.steps.checks(thing)
            case Group(formulas=(), vocabularies=vocabularies):
                return self.grids.vocabularies(vocabularies)
            case Group(formulas=formulas):
                return self.steps.formulas(formulas)

    def _hint(self, thing: Printable) -> str:
        """How to read a decision of several rows."""
        if not isinstance(thing, Decision) or len(thing.rules) < 2:
            return ""
        match thing.policy:
            case Policy.FIRST:
                return self.words["rows_from_top"]
            case Policy.UNIQUE | Policy.ANY:
                return ""
            case policy:
                orders = (", ".join(map(self.steps.wording.say, c.priorities)) for c in thing.outcomes)
                return self.words[policy.value].format(order="; ".join(filter(None, orders)))

    def title(self, wish: Wish) -> str:
        said = self._say(wish.title) or self._say(wish.heading.title)
        return upper_first(said or self.names.term(wish.heading.name))

    def _say(self, words: Words) -> str:
        return in_language(words, self.names.language)


def _is_empty(block: Block) -> bool:
    """Nothing of the table concerns what setup fixed."""
    match block.body:
        case Steps(rows=rows):
            return not rows
        case Grid(sections=sections):
            return not any(section.rows for section in sections)


def source(where: Location) -> str:
    """`Sheet!A4:E15`, without the book: the footer names it."""
    cell, last = where.cell, where.last
    start = f"{quoted_sheet(cell.sheet)}!{cell.address}"
    return start if last is None or last == cell else f"{start}:{last.address}"
