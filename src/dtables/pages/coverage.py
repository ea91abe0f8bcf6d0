"""Where the pages of a workbook say what its source says: the ids under `source`, and the blocks that carry
them out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dtables.digits import are_digits, whole_in
from dtables.model.tables import Cases, Definitions, Formula, Heading, Ruleset, Turn
from dtables.pages.compose import printed_in
from dtables.pages.document import Block, Document
from dtables.pages.lints import Printed
from dtables.pages.turns import Worded, worded_rows

_RANGE = re.compile(
    r"^(?P<letters>.*?)(?P<low>[0-9]+)\s*(?:\.\.|–|-(?=[A-Z]))\s*(?:(?P=letters))?(?P<high>[0-9]+)$"
)
_PARTS = re.compile(r"[0-9]+|[^0-9]+")


@dataclass(frozen=True, slots=True)
class Coverage:
    """Ids with the faces or cards and the blocks that carry them out, and those that no page shows."""

    shown: tuple[tuple[str, tuple[str, ...]], ...]
    missing: tuple[str, ...]

    def as_text(self) -> str:
        """Return a line for each id, then the ids that no page shows."""
        lines = [f"{id_}  {', '.join(places)}" for id_, places in self.shown]
        return "\n".join([*lines, *(f"{id_}  –" for id_ in self.missing)]) + "\n"


def coverage(ruleset: Ruleset, language: str) -> Coverage:
    """Return which ids of the workbook's `source` cells its pages show, and where."""
    printed = printed_in(ruleset, language)
    places: dict[str, dict[str, None]] = {}
    for place, block in _places(printed.document):
        for id_ in _ids_of(printed, block):
            places.setdefault(id_, {}).setdefault(place)
    known = dict.fromkeys(id_ for written in _sources(ruleset) for id_ in expanded(written))
    every = sorted({*known, *places}, key=_natural)
    shown = tuple((id_, tuple(places[id_])) for id_ in every if id_ in places)
    return Coverage(shown, tuple(id_ for id_ in every if id_ not in places))


def expanded(written: str) -> Iterator[str]:
    """`D-37..D-39` is three ids."""
    found = _RANGE.match(written.strip())
    if found is None:
        if written.strip():
            yield written.strip()
        return
    letters, low, high = found.group("letters", "low", "high")
    for number in range(int(low), int(high) + 1):
        yield f"{letters}{number:0{len(low)}}"


def _natural(id_: str) -> list[tuple[bool, int, str]]:
    return [(are_digits(part), whole_in(part) or 0, part) for part in _PARTS.findall(id_)]


def _places(document: Document) -> Iterator[tuple[str, Block]]:
    for sheet in document.sheets:
        for block in sheet.blocks:
            yield " ".join(filter(None, (sheet.face, block.letter, block.title))), block
    for card in document.cards:
        for block in card.blocks:
            yield " ".join(filter(None, (f"card {card.number}", block.title or card.title))), block


def _ids_of(printed: Printed, block: Block) -> Iterator[str]:
    """The ids of a block's tables, of their rows that are printed, and of the tables these put in words."""
    phase = block.phase
    for key in (block.key.partition(" / ")[0] if phase else block.key, *block.keys):
        table = printed.tables.get(key)
        heading = getattr(table, "heading", None)
        if isinstance(heading, Heading):
            yield from (id_ for written in heading.source for id_ in expanded(written))
        if not isinstance(table, (Turn, Cases, Definitions)):
            continue
        kept = None
        if isinstance(table, Turn):
            kept = {step.where for step in table.steps if (step.phase or table.phase) == phase}
        for row in worded_rows(table):
            if kept is None or row.where in kept:
                written_ids = [*row.source, *(w for name in row.along for w in _named(printed, name))]
                yield from (id_ for written in written_ids for id_ in expanded(written))


def _named(printed: Printed, name: str) -> tuple[str, ...]:
    """The ids of a table that stands in the row or that the row words; a table with a block shows its own."""
    table = printed.tables.get(name)
    if table is None or isinstance(table, Formula) or name in printed.listed:
        return ()
    heading = getattr(table, "heading", None)
    return heading.source if isinstance(heading, Heading) else ()


def _sources(ruleset: Ruleset) -> Iterator[str]:
    for heading in ruleset.headings:
        yield from heading.source
    for vocabulary in ruleset.vocabularies:
        yield from vocabulary.source
    worded: tuple[Worded, ...] = (*ruleset.turns, *ruleset.cases, *ruleset.definitions)
    for table in worded:
        for row in worded_rows(table):
            yield from row.source
