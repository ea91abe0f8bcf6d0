"""Who may be called what: names are claimed once, and may not look like the expression language."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, time

from dtables.checker import table_problems
from dtables.checker.draft import Draft
from dtables.checker.sink import Text
from dtables.checker.wanted import name_in
from dtables.checker.written import filled_rows, place, stripped, text_of
from dtables.digits import are_digits
from dtables.feel.types import NAMED_TYPES
from dtables.workbook.problems import converted_to_date
from dtables.workbook.tables import Row, TableText

TYPE_SPACE = "type"
VALUE_SPACE = "value"
ASK_SPACE = "ask"

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
        draft.error(name, table_problems.name_taken(name.text, first))
        return False
    draft.terms[(space, name.text)] = place(name)
    return True


def _is_ours(draft: Draft, space: str, name: Text) -> bool:
    """The language's types and what is at hand keep their names."""
    if space == TYPE_SPACE and name.text in NAMED_TYPES:
        draft.error(name, table_problems.name_of_type(name.text))
        return True
    return space == VALUE_SPACE and not good_value_name(draft, name)


def good_value_name(draft: Draft, name: Text) -> bool:
    """Tables, fields, parameters and steps are read bare, beside the words for what is at hand."""
    if name.text not in (*AT_HAND, draft.symbols.state):
        return True
    draft.error(name, table_problems.name_at_hand(name.text))
    return False


def good_name(draft: Draft, name: Text) -> bool:
    """The rules for every name of a workbook: tables, fields, steps, vocabularies and their names."""
    if not name.text.strip():
        draft.error(name, table_problems.no_name())
        return False
    if isinstance(name.cell.value, (date, time)):
        draft.sink.add(converted_to_date(name.cell))
        return False
    sign = next((s for s in name.text if s in SIGNS), None)
    if sign is not None:
        draft.error(name, table_problems.sign_in_name(name.text, sign))
        return False
    word = name.text.split()[0]
    if word in FEEL_WORDS:
        draft.error(name, table_problems.name_begins_with_word(name.text, word))
        return False
    if _is_number(name.text):
        draft.error(name, table_problems.name_is_a_number(name.text))
        return False
    return True


def named_rows(draft: Draft, table: TableText, role: str) -> Iterator[tuple[Row, Text]]:
    """The rows of a table that lists names in the column of that role; each name once."""
    seen: dict[str, Text] = {}
    for row in filled_rows(table):
        cell = name_in(draft, table, row, role)
        if cell is None:
            continue
        name = stripped(text_of(cell))
        if name.text in seen:
            draft.error(name, table_problems.double_field(name.text, place(seen[name.text])))
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
    draft.error(name, table_problems.hides(name.text, first))
    return True
