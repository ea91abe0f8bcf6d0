"""Every character that is to be printed is looked up in the bundled fonts first."""

from __future__ import annotations

from collections.abc import Iterator

from dtables.diagnostics import Diagnostic
from dtables.model.tables import Ruleset
from dtables.printing import problems
from dtables.printing.fonts import missing_characters
from dtables.printing.view_parts import Block, Card, Document, Grid, Inline, Run, Steps
from dtables.provenance import Location, whole_book


def check_characters(ruleset: Ruleset, document: Document) -> tuple[Diagnostic, ...]:
    """One diagnostic for each cell and character that would come out as an empty box."""
    labels = _labels(ruleset)
    found: dict[tuple[Location, str], Diagnostic] = {}
    for where, text in _texts(document):
        for character in missing_characters(text):
            label = next((said for said in labels if character in said and said in text), None)
            place, typed = (where, text) if label is None else (labels[label], label)
            found.setdefault((place, character), problems.missing_character(place, character, typed))
    return tuple(found.values())


def _labels(ruleset: Ruleset) -> dict[str, Location]:
    """The names whose labels are printed in many places: their cells are the ones to look at."""
    return {
        text: Location(label.where)
        for vocabulary in ruleset.vocabularies
        for label in vocabulary.names
        for _, text in label.words
    }


def _texts(document: Document) -> Iterator[tuple[Location, str]]:
    book = Location(whole_book(document.book))
    for text in (document.title, document.subtitle, document.book):
        yield book, text
    for sheet in document.sheets:
        for legend in sheet.legend:
            yield sheet.where, legend.mark.letter
            yield sheet.where, legend.label
        yield sheet.where, sheet.title
        for block in sheet.blocks:
            yield from _block(block)
    for card in document.cards:
        yield from _card(card)


def _card(card: Card) -> Iterator[tuple[Location, str]]:
    yield card.where, card.title
    yield card.where, card.subtitle
    yield card.where, _joined(card.marks)
    for block in (*card.front, *card.back):
        yield from _block(block)


def _block(block: Block) -> Iterator[tuple[Location, str]]:
    for text in (block.title, block.subtitle, block.source):
        yield block.where, text
    match block.body:
        case Steps(rows=rows, heads=heads):
            for head in heads or ():
                yield block.where, head
            for step in rows:
                yield Location(step.cell), step.number
                for inline in (step.marks, *step.conditions, step.text, step.outcome):
                    yield Location(step.cell), _joined(inline)
        case Grid(corner=corner, columns=columns, sections=sections):
            yield block.where, corner
            for column in columns:
                yield block.where, _joined(column.head)
                yield block.where, column.sub
            for section in sections:
                for text in (section.title, section.note, section.source):
                    yield block.where, text
                for row in section.rows:
                    yield block.where, _joined(row.label)
                    for cell in row.cells:
                        yield block.where, _joined(cell.text)


def _joined(inline: Inline) -> str:
    """Badges are drawn with their letters."""
    return "".join(part.text if isinstance(part, Run) else part.letter for part in inline).strip()
