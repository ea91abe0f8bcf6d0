"""The library's face: what a loaded workbook says of itself, and how it is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

import dtables
from dtables.limits import LIMITS
from dtables.ruleset import check, check_first, keep, read, with_unreached
from tests.support.drawing import write_book
from tests.support.limits import limited

BOOK = """
# Sheet: Rules
Types: words
  name | names
  kind | small, large
  coat | plain, warm

Input: state
  field | type | default
  weight | whole number |
  kind | kind | small

Decision: full price -> number ; policy: first ; otherwise: 99
  # | if | if | then
    | kind | weight | price
  a | small | [0..4] | 10
  b | small | [5..9] | 20
  c | large | [0..9] | 30

Matrix: size(kind, coat) -> whole number
  key | key | key
  kind | plain | warm
  small | 1 | 2
  large | 3 | 4

Formula: twice(by: whole number) -> whole number
  step | type | is
  result | whole number | 2 * by

Ask: other
  role | name | is
  answer | size | size(kind, warm)

Ask: price ; main: yes
  role | name | is
  need | weight |
  answer | price | full price
  answer | size | size(kind, plain)

Examples: prices ; ask: price
  # | given | expect
    | weight | price
  1 | 3 | 10
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("books") / "tariff.xlsx"
    write_book(BOOK, place)
    return place


@pytest.fixture
def rules(path: Path) -> dtables.Ruleset:
    return dtables.load(path)


def test_what_it_says_of_itself(rules: dtables.Ruleset, path: Path) -> None:
    assert repr(rules) == "<dtables ruleset tariff: 3 tables, 2 asks>"
    assert rules.name == "tariff" and len(rules.version) == 12
    assert rules.asks == ("price", "other") and rules.main_ask == "price"
    assert rules.answers == (("price", ("price", "size")), ("other", ("size",)))
    assert rules.answer_fields("price") == ("price", "size") and rules.answer_fields("prize") is None
    assert list(rules.tables) == ["full price", "size", "twice"] and len(rules.tables) == 3
    assert list(rules.reasons) == list(rules.tables) and len(rules.reasons) == 3
    assert rules.diagnostics == read(path).diagnostics
    assert rules.model.name == "tariff"


def test_a_workbook_without_asks(tmp_path: Path) -> None:
    write_book(BOOK.partition("Ask: other")[0], tmp_path / "bare.xlsx")
    rules = dtables.load(tmp_path / "bare.xlsx")
    assert rules.asks == () and rules.main_ask is None


def test_asked(rules: dtables.Ruleset) -> None:
    state = {"weight": 7, "kind": "large"}
    assert rules.answer(None, state) == rules.answer("price", state) == {"price": 30, "size": 3}
    assert rules.answer("other", state) == {"size": 4}
    assert rules.reply(None, state).answer == {"price": 30, "size": 3}
    assert rules.explain(None, state).answer == {"price": 30, "size": 3}
    for ask in (rules.answer, rules.explain):
        with pytest.raises(dtables.RecordError, match="weight"):
            ask("price", {})


def test_tables_by_name(rules: dtables.Ruleset) -> None:
    """Python's names have no spaces."""
    for name in ("full price", "full_price"):
        assert rules.tables[name]({"weight": 7}) == rules.call(name, {"weight": 7}) == 20
        assert rules.explain_table(name, {"weight": 7}).answer == 20
    with pytest.raises(KeyError, match=r"no table 'full_prize'; did you mean 'full price'\?"):
        rules.tables["full_prize"]
    with pytest.raises(KeyError, match=r"no table 'xyz'\"$"):
        rules.tables["xyz"]


@pytest.mark.parametrize(
    ("table", "given", "answer", "cells", "rows"),
    [
        ("full price", {"weight": 7}, 20, ["D15"], ["b"]),
        ("full price", {"weight": 17}, 99, ["C11"], []),
        ("size", {"kind": "large", "coat": "plain"}, 3, ["B22"], []),
        ("twice", {"by": 4}, 8, ["A24"], []),
    ],
)
@pytest.mark.parametrize("few_rows", [0, LIMITS.found_rows])
def test_reasons(
    rules: dtables.Ruleset,
    table: str,
    given: dict[str, object],
    answer: object,
    cells: list[str],
    rows: list[str],
    few_rows: int,
) -> None:
    with limited(found_rows=few_rows, perhaps=table in ("size", "twice")):
        found = rules.explain_table(table, given)
    assert found.answer == answer
    assert [cell.address for cell in found.cells] == cells
    assert [row.number for row in found.rows] == rows
    assert found.told("en").splitlines()[0].endswith(str(answer)) or str(answer) in found.told("en")


def test_rows_are_compiled_for_who_asks_often(rules: dtables.Ruleset) -> None:
    """Few calls ask the evaluator which rows fired; then the compiled rules say it with the answer."""
    found = [rules.explain_table("full price", {"weight": 7}) for _ in range(LIMITS.found_calls + 1)]
    assert [one.found for one in found] == [None] * LIMITS.found_calls + [1]
    assert {one.rows for one in found} == {found[0].rows} and {one.cells for one in found} == {found[0].cells}


def test_errors_are_all_told(tmp_path: Path) -> None:
    write_book(
        BOOK.replace("small | [0..4]", "tiny | [0..4]").replace("2 * by", "2 * buy"), tmp_path / "b.xlsx"
    )
    checked = check(tmp_path / "b.xlsx")
    assert checked.model is None
    with pytest.raises(dtables.WorkbookErrors) as raised:
        dtables.load(str(tmp_path / "b.xlsx"))
    codes = [d.code for d in raised.value.diagnostics if d.severity.value == "error"]
    assert len(codes) == 2 and "nothing here is called `buy`" in str(raised.value)
    assert with_unreached(checked) == checked


def test_what_is_proved_stands_in_the_order_of_cells(path: Path, rules: dtables.Ruleset) -> None:
    proved = check(path)
    assert {d.code for d in proved.diagnostics} > {d.code for d in rules.diagnostics} or proved.diagnostics
    told = with_unreached(proved)
    places = [(d.where.cell.row, d.where.cell.column) for d in told.diagnostics]
    assert places == sorted(places)
    assert "no-example" in {d.code for d in told.diagnostics}


def test_who_waits_is_served_before_anything_is_kept(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DTABLES_CACHE", str(tmp_path / "cache"))
    first = check_first(path)
    assert first.unkept is not None
    assert not list((tmp_path / "cache").glob("*.book*"))
    keep(first)
    assert list((tmp_path / "cache").glob("*.book*"))
    again = check_first(path)
    assert again.unkept is None and again == check(path)
