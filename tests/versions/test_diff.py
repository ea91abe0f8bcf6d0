"""What changed between two workbooks: drawn tables in, lines out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from dtables.cli import main
from dtables.versions.changes import What, line
from dtables.versions.rows import Row, match_rows
from dtables.versions.tables import compare_books
from tests.support.drawing import book_text, write_book
from tests.support.thinned import draws

FEES = """
# Sheet: Fees
Types:
name | names
kind | child, adult, guest

Input:
field | type | default
age | whole number |
kind | kind | adult

Decision: fee -> number ; policy: first ; source: F-1
# | if | if | then
 | age | kind |
1 | < 6 | - | 0
2 | < 12 | - | 5
3 | - | guest | 20
4 | - | - | 10

Ask: fee today ; main: yes
role | name | is
need | age |
answer | fee | fee
"""


def diff(new: str, old: str = FEES) -> list[str]:
    before, found = book_text(old, "old.xlsx")
    after, more = book_text(new, "new.xlsx")
    assert not [d for d in (*found, *more) if d.severity.value == "error"]
    return [line(change) for change in compare_books(before, after).changes]


def changed(*edits: tuple[str, str]) -> list[str]:
    text = FEES
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    return diff(text)


def test_nothing_changed() -> None:
    assert diff(FEES) == []


def test_a_cell() -> None:
    assert changed(("2 | < 12 | - | 5", "2 | < 14 | - | 5")) == [
        "new.xlsx!Fees!B14: Decision fee, row 2, if age: < 12 → < 14"
    ]


def test_spelling_that_means_the_same_is_no_change() -> None:
    assert changed(("< 12", "<\u00a012")) == []


def test_a_row_put_in_between_changes_no_other_row() -> None:
    assert changed(
        ("2 | < 12 | - | 5\n3 |", "2 | < 12 | - | 5\n3 | < 18 | - | 7\n4 |"), ("4 | - | - |", "5 | - | - |")
    ) == [
        "new.xlsx!Fees!A16: Decision fee, rows renumbered: 3 → 4, 4 → 5",
        "new.xlsx!Fees!A15: Decision fee, row 3 added: < 18 | - | 7",
    ]


def test_a_row_taken_out() -> None:
    assert changed(("1 | < 6 | - | 0\n", "")) == [
        "old.xlsx!Fees!A13: Decision fee, row 1 removed: < 6 | - | 0"
    ]


def test_a_row_moved() -> None:
    assert changed(("1 | < 6 | - | 0\n", ""), ("4 | - | - | 10", "4 | - | - | 10\n1 | < 6 | - | 0")) == [
        "new.xlsx!Fees!A16: Decision fee, row 1 moved: was row 1 (A13)"
    ]


def test_rows_with_a_name_are_found_by_it_wherever_they_stand() -> None:
    edits = ("age | whole number |\nkind | kind | adult", "kind | kind | guest\nage | whole number |")
    assert changed(edits) == [
        "new.xlsx!Fees!A7: Input, kind moved: was kind (A8)",
        "new.xlsx!Fees!C7: Input, kind, default: adult → guest",
    ]


def test_properties_signature_and_columns() -> None:
    found = changed(
        ("fee -> number ; policy: first ; source: F-1", "fee(extra: number) -> number ; policy: unique"),
        ("# | if | if | then\n | age | kind |", "# | if | if | then | note\n | age | kind | |"),
    )
    assert found == [
        "new.xlsx!Fees!A10: Decision fee: () -> number → (extra: number) -> number",
        "new.xlsx!Fees!B10: Decision fee, policy: first → unique",
        "old.xlsx!Fees!C10: Decision fee, source: F-1 → (empty)",
        "new.xlsx!Fees!E11: Decision fee: column note added",
    ]


def test_columns_that_changed_places_with_their_cells_say_the_same() -> None:
    swapped = FEES
    for before, after in (
        ("# | if | if | then\n", "then | if | # | if\n"),
        (" | age | kind |\n", " | kind | | age\n"),
        ("1 | < 6 | - | 0", "0 | - | 1 | < 6"),
        ("2 | < 12 | - | 5", "5 | - | 2 | < 12"),
        ("3 | - | guest | 20", "20 | guest | 3 | -"),
        ("4 | - | - | 10", "10 | - | 4 | -"),
    ):
        assert before in swapped
        swapped = swapped.replace(before, after)
    assert diff(swapped) == []
    assert diff(swapped.replace("5 | - | 2 | < 12", "6 | - | 2 | < 13")) == [
        "new.xlsx!Fees!A14: Decision fee, row 2, then: 5 → 6",
        "new.xlsx!Fees!D14: Decision fee, row 2, if age: < 12 → < 13",
    ]


def test_a_column_that_has_another_place_and_another_name_is_the_same_column() -> None:
    assert changed(
        (" | age | kind |\n", " | sort | age |\n"),
        ("1 | < 6 | -", "1 | - | < 6"),
        ("2 | < 12 | -", "2 | - | < 12"),
        ("3 | - | guest", "3 | guest | -"),
    ) == ["new.xlsx!Fees!B12: Decision fee: column if kind is called if sort"]


def test_tables_added_removed_renamed() -> None:
    text = FEES.replace("Decision: fee ->", "Decision: price ->").replace(
        "answer | fee | fee", "answer | fee | price"
    )
    types = "Types:\nname | names\nkind | child, adult, guest\n"
    assert diff(text.replace(types, "Formulas:\nname | type | is\ntwice(n: number) | number | n + n\n")) == [
        "new.xlsx!Fees!A1:C3: Formulas added (1 row)",
        "new.xlsx!Fees!A10: Decision price: was called fee",
        "new.xlsx!Fees!C21: Ask fee today, answer fee, is: fee → price",
        "old.xlsx!Fees!A1:B3: Types removed (1 row)",
    ]


def test_a_table_on_another_sheet() -> None:
    assert changed(("Ask: fee today", "# Sheet: Asks\nAsk: fee today")) == [
        "new.xlsx!Asks!A1: Ask fee today: was on the sheet Fees"
    ]


def test_of_tables_that_are_called_alike_the_likest_are_compared() -> None:
    one = "Glossary:\nid | it | en\na | uno | one\nb | due | two\n"
    other = "Glossary:\nid | it | en\nc | tre | three\nd | quattro | four\n"
    between = "Glossary:\nid | it | en\ne | cinque | five\n"
    assert diff(f"{one}\n{between}\n{other.replace('four', '4')}", f"{one}\n{other}") == [
        "new.xlsx!Sheet1!A6:C8: Glossary added (1 row)",
        "new.xlsx!Sheet1!C13: Glossary, d, en: four → 4",
    ]


# -- rows --------------------------------------------------------------------------------------

ROWS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz"), st.sampled_from("12")), max_size=12)


@settings(max_examples=draws(200), deadline=None)
@given(ROWS, ROWS)
def test_match_rows__every_row_once(old: list[Row], new: list[Row]) -> None:
    matched = match_rows(old, new, lambda row: row[0])
    assert sorted([*(o for o, _ in matched.pairs), *matched.removed]) == list(range(len(old)))
    assert sorted([*(n for _, n in matched.pairs), *matched.added]) == list(range(len(new)))
    still = [pair for pair in matched.pairs if pair not in matched.moved]
    assert still == sorted(still)


@settings(max_examples=draws(200), deadline=None)
@given(ROWS, st.integers(0, 12), st.tuples(st.just("new"), st.just("row"), st.just("!")))
def test_match_rows__one_more(old: list[Row], at: int, row: Row) -> None:
    new = [*old[:at], row, *old[at:]]
    matched = match_rows(old, new, lambda _: None)
    assert matched.added == (min(at, len(old)),)
    assert not matched.removed and not matched.moved


@given(ROWS)
@settings(max_examples=draws(100), deadline=None)
def test_match_rows__the_same(rows: list[Row]) -> None:
    matched = match_rows(rows, rows, lambda row: row)
    assert matched.pairs == tuple((n, n) for n in range(len(rows)))


def test_match_rows__many() -> None:
    old = [(str(n), str(n % 7), "x") for n in range(5_000)]
    new = [*old[:2_000], ("new", "1", "x"), *old[2_000:3_000], *old[3_500:]]
    matched = match_rows(old, new, lambda _: None)
    assert matched.added == (2_000,) and matched.removed == tuple(range(3_000, 3_500))


# -- as a command ------------------------------------------------------------------------------


@pytest.fixture
def books(tmp_path: Path) -> tuple[Path, Path]:
    write_book(FEES, tmp_path / "old.xlsx")
    edited = FEES.replace("2 | < 12 | - | 5", "2 | < 12 | - | 6\n2a | < 14 | - | 8").replace("| 20", "| 25")
    write_book(edited, tmp_path / "new.xlsx")
    return tmp_path / "old.xlsx", tmp_path / "new.xlsx"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    states = [
        {"age": 3},
        {"age": 10},
        {"age": 13},
        {"age": 30},
        {"kind": "guest"},
        {"age": 40, "kind": "guest"},
    ]
    lines = [json.dumps({"turn": n, "state": state}) for n, state in enumerate(states, 1)]
    (tmp_path / "log.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path / "log.jsonl"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["diff", *map(str, arguments)])


def test_dtables_diff(books: tuple[Path, Path], log: Path) -> None:
    result = run(*books, "--log", log)
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines() == [
        "new.xlsx!Fees!D14: Decision fee, row 2, then: 5 → 6",
        "new.xlsx!Fees!A15: Decision fee, row 2a added: < 14 | - | 8",
        "new.xlsx!Fees!D16: Decision fee, row 3, then: 20 → 25",
        f"{books[0]} → {books[1]}: 3 changes",
        "line 2: turn 2 (fee today)",
        "  fee: 5 → 6",
        "  decided by Decision fee, row 2 (old.xlsx!Fees!D14)",
        "  now by Decision fee, row 2 (new.xlsx!Fees!D14)",
        "line 3: turn 3 (fee today)",
        "  fee: 10 → 8",
        "  decided by Decision fee, row 4 (old.xlsx!Fees!D16)",
        "  now by Decision fee, row 2a (new.xlsx!Fees!D15)",
        "line 6: turn 6 (fee today)",
        "  fee: 20 → 25",
        "  decided by Decision fee, row 3 (old.xlsx!Fees!D15)",
        "  now by Decision fee, row 3 (new.xlsx!Fees!D16)",
        "sum of fee (fee today, 5 records): 45 → 49 (+4)",
        f"{log}: 6 records, 3 answered differently",
    ]


def test_dtables_diff__rows_without_number_are_called_by_their_conditions(
    books: tuple[Path, Path], log: Path, tmp_path: Path
) -> None:
    """Also where an answer says which row decided; a table has all of them."""
    unnumbered = (
        "\nif | if | then\nage | kind |\n< 6 | - | 0\n< 12 | - | 5\n- | guest | 20\n- | - | 10\n\nAsk"
    )
    bare = FEES[: FEES.index("\n# | if")] + unnumbered + FEES[FEES.index(": fee today") :]
    for path, text in zip(books, (bare, bare.replace("| 20", "| 30")), strict=True):
        write_book(text, path)
    table = tmp_path / "changed.csv"
    said = run(*books, "--log", log, "--answers", table).stdout
    assert "Decision fee, kind guest, then: 20 → 30" in said
    assert "now by Decision fee, kind guest (new.xlsx!Fees!C15)" in said
    assert "sum of fee (fee today, 5 records): 45 → 55 (+10)" in said
    assert table.read_text(encoding="utf-8").splitlines() == [
        "turn,game,ask,file,line,field,was,now,change,decided by,cell,now by,new cell",
        '6,,fee today,,6,fee,20,30,10,"Decision fee, kind guest",old.xlsx!Fees!C15,'
        '"Decision fee, kind guest",new.xlsx!Fees!C15',
    ]


def test_dtables_diff__json(books: tuple[Path, Path], log: Path) -> None:
    told = json.loads(run(*books, "--log", log, "--json").stdout)
    assert [change["what"] for change in told["changes"]] == [What.CELL, What.ROW_ADDED, What.CELL]
    assert told["changes"][0] == {
        "what": "cell", "kind": "decision", "table": "fee", "row": "row 2", "column": "then",
        "was": "5", "now": "6", "old": "old.xlsx!Fees!D14", "new": "new.xlsx!Fees!D14",
    }  # fmt: skip
    assert told["answers"]["records"] == 6 and told["answers"]["changed"] == 3
    assert told["answers"]["turns"][1]["fields"] == [{"name": "fee", "was": 10, "now": 8}]


@pytest.mark.parametrize(
    ("records", "last"),
    [(100, "line 100: turn 100 (fee today)"), (102, "and 2 more; --answers FILE.csv lists all")],
)
def test_dtables_diff__a_hundred_answers(
    books: tuple[Path, Path], tmp_path: Path, records: int, last: str
) -> None:
    lines = [json.dumps({"turn": n, "state": {"age": 10}}) for n in range(1, records + 1)]
    (tmp_path / "many.jsonl").write_text("\n".join(lines), encoding="utf-8")
    told = run(*books, "--log", tmp_path / "many.jsonl").stdout.splitlines()
    assert sum(line.startswith("line ") for line in told) == 100
    assert [line for line in told if line.startswith(("line ", "and "))][-1] == last
    assert told[-1].endswith(f": {records} records, {records} answered differently")


def test_dtables_diff__a_record_that_is_refused_now(books: tuple[Path, Path], log: Path) -> None:
    renamed = FEES.replace("age | whole", "years | whole").replace("need | age", "need | years")
    write_book(renamed.replace(" | age | kind", " | years | kind"), books[1])
    result = run(*books, "--log", log)
    assert 'rejected: answered → state.age: found the unknown key "age"' in result.stdout
    assert "6 records, 6 answered differently" in result.stdout


def test_dtables_diff__errors(books: tuple[Path, Path], log: Path) -> None:
    write_book(FEES.replace("| 20", "| twenty"), books[1])
    assert run(*books).exit_code == 0, "the tables can be read"
    with_log = run(*books, "--log", log)
    assert with_log.exit_code == 1 and "error[unknown-name]" in with_log.stderr
    books[1].write_bytes(b"no workbook")
    assert run(*books).exit_code == 1
    assert "error[not-a-workbook]" in run(*books).stderr
    assert run(books[0], books[0], "--log", "nowhere.jsonl").exit_code == 1
