"""Messages as a person reads them: place, what was typed, what else belongs to it, what to do."""

from __future__ import annotations

from dtables.checker import messages as problems
from dtables.diagnostics import render
from dtables.feel.types import NUMBER, Type
from dtables.provenance import Location, Span
from dtables.workbook.language import slips
from dtables.workbook.tables import Cell, Word
from tests.checker.small_world import CARD, HERE, MOVE, lowered, lowered_word, scope


def messages(text: str, wanted: Type | None = None) -> str:
    return render(lowered(text, wanted, scope(c=CARD))[1])


def test_message__with_the_place_of_the_declaration() -> None:
    assert messages('conflict = "red"') == (
        "book.xlsx!Rules!C2: error[type-mismatch]:"
        ' `conflict` is a whole number? and `"red"` is a text: they can never be equal\n'
        '  C2 | conflict = "red"\n'
        "     | ^^^^^^^^^^^^^^^^\n"
        "  note: book.xlsx!Words!A5: `conflict` is declared `whole number?` here\n"
    )


def test_message__with_a_suggestion() -> None:
    assert messages("c.ponits + 1") == (
        "book.xlsx!Rules!C2: error[unknown-field]: `card` has no field `ponits`\n"
        "  C2 | c.ponits + 1\n"
        "     |   ^^^^^^\n"
        "  hint: did you mean `points`?\n"
    )


def test_message__of_a_record() -> None:
    assert messages("{card: c}", MOVE) == (
        "book.xlsx!Rules!C2: error[missing-field]: a move needs `action`\n"
        "  C2 | {card: c}\n"
        "     | ^^^^^^^^^\n"
        "  note: book.xlsx!Words!A5: `action` is declared here\n"
    )


def test_message__in_the_middle_of_a_cell() -> None:
    """A word of a cell is read by itself; the caret stands under it in the whole cell."""
    whole = Cell(HERE, None, "first in colur", "first in colur")
    word = Word("colur", Location(HERE, Span(9, 14)))
    assert render(lowered_word(word, whole, NUMBER)) == (
        "book.xlsx!Rules!C2: error[unknown-name]: nothing here is called `colur`\n"
        "  C2 | first in colur\n"
        "     |          ^^^^^\n"
        "  hint: did you mean `colour`?\n"
    )


def test_message__each_mistake_of_a_cell_once() -> None:
    found = messages('ponits + strcture[x] + (1 + "a")')
    assert [line.split("[")[1].split("]")[0] for line in found.splitlines() if "error[" in line] == [
        "unknown-name", "unknown-name", "type-mismatch",
    ]  # fmt: skip


def test_nearest() -> None:
    assert problems.nearest("rde", ["red", "green"]) == "red"
    assert problems.nearest("Statua Zues", ["Statua di Zeus", "statua_zeus"]) == "statua_zeus"
    assert problems.nearest("x", ["y", "z"]) is None
    assert problems.nearest("apple", ["pear", "plum"]) is None
    assert slips("ab", "ba") == 1
    assert slips("", "abc") == 3
    assert slips("kitten", "sitting") == 3
