"""Which wordings are older than their rules: two versions of a small workbook in, findings out."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from dtables.authoring.watching import Looking
from dtables.cli import main
from dtables.diagnostics import Severity
from dtables.ruleset import check
from dtables.versions.wordings import older_wordings
from dtables.workbook.cells import read_workbook
from tests.support.drawing import write_book

BOOK = """
# Sheet: Rules
Types:
name | names
fruit | apple, grape, fig

Input:
field | type | default
size | whole number |
offer | list of fruit | []

Settings: house rules
switch | default | other values | text en | text it
LIMIT | NONE | TWO | how many may be taken | quante se ne prendono

Decision: fee -> number ; policy: first
# | if | then | text en | text it
 | size | | |
1 | < 3 | bounds(1) | Small | Piccola
2 | - | 9 | All others | Tutte le altre

Formulas: sums
name | type | is | text en | text it
bounds(n: whole number) | whole number | half(n) + 1 | |
half(n: whole number) | whole number | n * 2 | |

Scale: pick(candidates: list of fruit) ; others: stay ; decides: no
# | only for | only if | prefer | by | text en | text it
 | item | | | | |
1 | apple | | lowest | fee | The cheapest apple | La mela meno cara
2 | | LIMIT = NONE | first | | The first | La prima

Ask: turn ; main: yes
role | name | is
need | size |
answer | pick | pick ranking(offer)
"""


def findings(tmp_path: Path, *edits: tuple[str, str]) -> list[str]:
    text = BOOK
    for old, new in edits:
        assert old in text
        text = text.replace(old, new, 1)
    then, now = tmp_path / "old.xlsx", tmp_path / "new.xlsx"
    write_book(BOOK, then)
    write_book(text, now)
    before, _ = read_workbook(then)
    after, _ = read_workbook(now)
    assert before is not None and after is not None
    checked = check(now)
    assert checked.model is not None, checked.diagnostics
    return [
        f"{d.where.cell.address} {d.typed}: {d.message}" for d in older_wordings(before, after, checked.model)
    ]


def places(findings: list[str]) -> list[str]:
    return [finding.split(":")[0] for finding in findings]


def test_nothing_changed(tmp_path: Path) -> None:
    assert findings(tmp_path) == []


def test_a_rule_without_its_words(tmp_path: Path) -> None:
    older = "this wording is older than its rule: `if size` was `< 3` and is now `< 4` (new.xlsx!Rules!B17)"
    assert findings(tmp_path, ("< 3", "< 4")) == [f"D17 Small: {older}", f"E17 Piccola: {older}"]


def test_only_the_language_that_stayed(tmp_path: Path) -> None:
    assert places(findings(tmp_path, ("< 3", "< 4"), ("Small", "Tiny"))) == ["E17 Piccola"]


def test_another_column(tmp_path: Path) -> None:
    assert places(findings(tmp_path, (" | size | | |", " | size + 1 | | |"))) == ["D17 Small", "E17 Piccola"]


def test_words_alone_may_change(tmp_path: Path) -> None:
    assert findings(tmp_path, ("Small", "Tiny")) == []


def test_a_formula_without_words_is_worded_by_those_that_ask_it(tmp_path: Path) -> None:
    assert places(findings(tmp_path, ("n * 2", "n * 3"))) == ["D17 Small", "E17 Piccola"]


def test_what_a_page_prints_by_itself(tmp_path: Path) -> None:
    assert findings(tmp_path, ("others: stay", "others: last")) == []


def test_a_switch_is_worded_by_the_rows_that_read_it(tmp_path: Path) -> None:
    edit = ("LIMIT | NONE | TWO", "LIMIT | TWO | NONE")
    assert places(findings(tmp_path, edit)) == ["F29 The first", "G29 La prima"]


def test_rows_that_moved_are_printed_in_their_new_order(tmp_path: Path) -> None:
    first, second = (
        "1 | apple | | lowest | fee | The cheapest apple | La mela meno cara",
        "2 | | LIMIT = NONE | first | | ",
    )
    text = BOOK[BOOK.index(first) : BOOK.index("\n\nAsk:")]
    one, other = text.split("\n")
    assert second in other
    assert findings(tmp_path, (text, f"{other}\n{one}")) == []


def test_check_against_an_older_version(tmp_path: Path) -> None:
    findings(tmp_path, ("< 3", "< 4"))
    old, new = str(tmp_path / "old.xlsx"), str(tmp_path / "new.xlsx")
    shown = CliRunner().invoke(main, ["check", new, "--against", old])
    assert shown.exit_code == 0
    assert "warning[wording-older]: this wording is older than its rule" in shown.output
    assert "wording-older" in CliRunner().invoke(main, ["diff", old, new]).output
    assert len(json.loads(CliRunner().invoke(main, ["diff", old, new, "--json"]).output)["wordings"]) == 2
    assert "wording-older" not in CliRunner().invoke(main, ["check", new, "--against", new]).output
    assert CliRunner().invoke(main, ["check", old, new, "--against", old]).exit_code == 2


def test_watch_compares_with_the_first_look(tmp_path: Path) -> None:
    looking = Looking(frozenset(Severity), examples=False, first={})
    findings(tmp_path, ("< 3", "< 4"))
    book = tmp_path / "watched.xlsx"
    for source, expected in (("old.xlsx", 0), ("new.xlsx", 2), ("new.xlsx", 2), ("old.xlsx", 0)):
        book.write_bytes((tmp_path / source).read_bytes())
        assert [d.code for d in looking.look(book).findings].count("wording-older") == expected
