"""What stands in and around tables and may have been meant otherwise."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dtables.diagnostics import errors_in, render
from dtables.workbook.layout import book_of, find_tables
from dtables.workbook.tables import Merge, Position, Sheet
from tests.support.drawing import Drawn, in_memory
from tests.support.tables_as_text import problems_of, short_problems

TABLE: dict[Position, Drawn] = {
    (1, 1): "Decision: d", (2, 1): "if", (2, 2): "then", (3, 1): "age", (3, 2): "price", (4, 1): 1, (4, 2): 2,
}  # fmt: skip


def said(
    more: dict[Position, Drawn] | None = None,
    merges: tuple[Merge, ...] = (),
    hidden_rows: frozenset[int] = frozenset(),
    hidden_columns: frozenset[int] = frozenset(),
) -> list[str]:
    drawn = in_memory("b.xlsx", "S", {**TABLE, **(more or {})})
    sheet = replace(drawn, hidden_rows=hidden_rows, hidden_columns=hidden_columns, merges=merges)
    return short_problems(book_of("b.xlsx", (sheet,))[1])


def test_find_tables__nothing_to_say() -> None:
    assert said() == []


def test_find_tables__text_close_below() -> None:
    assert said({(6, 1): "see", (7, 2): "page 3"}) == [
        "S!A6:B7 text-below: rows 6–7 are not part of the table above, which ends at the blank row 5"
    ]


def test_find_tables__text_further_away_is_free() -> None:
    assert said({(9, 1): "see page 3", (4, 4): "a remark", (1, 9): "note: of the table"}) == []


def test_find_tables__a_heading_of_the_next_table_is_free() -> None:
    assert said({(6, 1): "and now", (7, 1): "Types: t", (8, 1): "name", (9, 1): "x"}) == []


def test_find_tables__a_column_without_role() -> None:
    assert said({(4, 3): 3}) == [
        "S!C4 column-without-role: these cells touch the table, but no role stands above them in C2"
    ]


def test_find_tables__a_gap_in_the_roles() -> None:
    assert said({(2, 4): "text it", (3, 4): "testo", (4, 4): "due"}) == [
        "S!D2 gap-in-roles: `text it` is cut off from its table by the empty role cell C2"
    ]


def test_find_tables__hidden_rows_and_columns_count() -> None:
    found = said({(5, 1): 3, (5, 2): 4}, hidden_rows=frozenset({4, 5, 9}), hidden_columns=frozenset({2}))
    assert found == [
        "S!B2:B5 hidden-columns: column B is hidden but part of the table",
        "S!A4:B5 hidden-rows: rows 4–5 are hidden but part of the table",
    ]


def test_find_tables__merged_down_the_first_column() -> None:
    merged = book_of("b.xlsx", (_merged({**TABLE, (5, 2): 3}, Merge((4, 1), (5, 1))),))
    assert render(merged[1]) == (
        "b.xlsx!S!A4:A5: error[merged-cells]: merged cells in a table: "
        "A4:A5 show one value for several rows\n"
        "  A4 | 1\n"
        "  hint: unmerge them and repeat `1` in every row\n"
    )
    assert [[c.code for c in row.cells] for row in merged[0].tables[0].rows] == [["1", "2"], ["1", "3"]]


@pytest.mark.parametrize(
    ("merge", "place"), [(Merge((4, 1), (4, 2)), "A4:B4"), (Merge((2, 1), (2, 2)), "A2:B2")]
)
def test_find_tables__merged_elsewhere(merge: Merge, place: str) -> None:
    cells = {p: v for p, v in TABLE.items() if p == merge.first or p not in set(merge.positions())}
    found = book_of("b.xlsx", (_merged(cells, merge),))[1]
    only = place.partition(":")[0]
    assert short_problems(found) == [
        f"S!{place} merged-cells: merged cells in a table: only {only} holds a value"
    ]


def test_find_tables__merged_with_a_cell_outside() -> None:
    found = said({(4, 3): "x"}, merges=(Merge((4, 2), (4, 3)),))
    assert found[0] == "S!B4:C4 merged-cells: merged cells in a table: only B4 holds a value"
    assert said(merges=(Merge((3, 3), (4, 4)),)) == []


def test_find_tables__cells_have_their_bounds() -> None:
    """Blank ones count too: a wide and nearly empty table would take much memory."""
    cells = {**TABLE, (5, 1): 3, (6, 2): 4}
    tables, found = find_tables(in_memory("b.xlsx", "S", cells), room=5)
    assert [table.rows for table in tables] == [()]
    assert short_problems(found)[0] == (
        "S!A6 too-large: the tables of this workbook have more cells than are read, counting blank ones"
    )


def test_find_tables__a_merged_marker_is_fine() -> None:
    assert said(merges=(Merge((1, 1), (1, 2)),)) == []


def _merged(cells: dict[Position, Drawn], merge: Merge) -> Sheet:
    return replace(in_memory("b.xlsx", "S", cells), merges=(merge,))


# -- markers, roles, properties ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("drawn", "expected"),
    [
        (
            "Decison: d\n if | then\n x | y\n 1 | 2\n",
            "book.xlsx!Sheet1!A1: error[unknown-kind]: `Decison` is no kind of table\n"
            "  A1 | Decison: d\n"
            "     | ^^^^^^^\n"
            "  hint: did you mean `Decision:`?\n",
        ),
        (
            "Glossario\n termine | it\n a | b\n",
            "book.xlsx!Sheet1!A1: error[no-colon]: a marker wants a colon after its kind\n"
            "  A1 | Glossario\n"
            "  hint: write `Glossario:`\n",
        ),
        (
            "Ask:\n role | name\n need | x\n",
            "book.xlsx!Sheet1!A1: error[name-missing]: this ask has no name\n"
            "  A1 | Ask:\n"
            "  hint: write the name after the colon\n",
        ),
        (
            "Ask: a ; mian: yes\n role | name\n need | x\n",
            "book.xlsx!Sheet1!B1: error[unknown-property]: `mian` is no property of ask tables\n"
            "  B1 | mian: yes\n"
            "     | ^^^^\n"
            "  hint: did you mean `main`?\n",
        ),
        (
            "Ask: a ; the main one\n role | name\n need | x\n",
            "book.xlsx!Sheet1!B1: error[unknown-property]: beside the marker in A1 stands text "
            "that is no property\n"
            "  B1 | the main one\n"
            "  hint: write `word: value`, or move the text away\n",
        ),
        (
            "Ask: a ; main: yes ; principale: no\n role | name\n need | x\n",
            "book.xlsx!Sheet1!C1: error[repeated-property]: the property `main` stands twice\n"
            "  C1 | principale: no\n"
            "  note: book.xlsx!Sheet1!B1: it stands here first\n",
        ),
        (
            "Ask: a\n role | nane\n need | x\n",
            "book.xlsx!Sheet1!B2: error[unknown-role]: `nane` is no role of ask tables\n"
            "  B2 | nane\n"
            "     | ^^^^\n"
            "  hint: did you mean `name`?\n",
        ),
        (
            "Ask: a\n role | name | nome\n need | x | y\n",
            "book.xlsx!Sheet1!C2: error[repeated-role]: only one column may have the role `name`\n"
            "  C2 | nome\n"
            "  note: book.xlsx!Sheet1!B2: the first one\n",
        ),
        (
            "Decision: f(x: text) -> text; policy: first\n if | then\n x | f\n - | x\n",
            "book.xlsx!Sheet1!A1: error[marker-shape]:"
            " `policy: first` is a property, and stands in the cell of the marker\n"
            "  A1 | Decision: f(x: text) -> text; policy: first\n"
            "     |                               ^^^^^^^^^^^^^\n"
            "  hint: write it in a cell of its own, to the right\n",
        ),
        (
            "Formula: f(x: number -> text\n step | is\n result | 1\n",
            "book.xlsx!Sheet1!A1: error[marker-shape]: this parenthesis is not closed\n"
            "  A1 | Formula: f(x: number -> text\n"
            "     |           ^^^^^^^^^^^^^^^^^^\n",
        ),
        (
            "Formula: f(x: ) ->\n step | is\n result | 1\n",
            "book.xlsx!Sheet1!A1: error[marker-shape]: a parameter is `name: type`\n"
            "  A1 | Formula: f(x: ) ->\n"
            "     |            ^\n"
            "book.xlsx!Sheet1!A1: error[marker-shape]: no type stands after the arrow\n"
            "  A1 | Formula: f(x: ) ->\n"
            "     |                  ^\n",
        ),
        (
            "Types: a\n",
            "book.xlsx!Sheet1!A1: error[no-roles]: no row of roles stands under this marker: A2 is empty\n"
            "  A1 | Types: a\n"
            "  hint: write the columns' roles there: `name`, `names`, `of`, `allowed`, `plus`, `label`, "
            "`text`, `colour`, `shape`, `letter`, `note`\n",
        ),
        (
            "Remember: nothing\n",
            "book.xlsx: error[no-tables]: the workbook holds no table\n"
            "  hint: start one with a cell like `Decision: name`\n",
        ),
    ],
)
def test_find_tables__problems(drawn: str, expected: str) -> None:
    assert problems_of(drawn) == expected


def test_find_tables__other_text_is_nobodys_business() -> None:
    drawn = "Rules of the house: none\n\n\n\n\n\nTypes: a\n name\n x\n"
    assert problems_of(drawn) == ""


def test_find_tables__a_misspelled_role_is_read_as_the_one_meant() -> None:
    sheet = in_memory("b.xlsx", "S", {**TABLE, (2, 2): "thn"})
    book, found = book_of("b.xlsx", (sheet,))
    assert errors_in(found)
    assert [column.role for column in book.tables[0].columns] == ["if", "then"]
