"""`pytest tables/`: rows of examples are tests, a broken workbook is one failing test."""

from __future__ import annotations

from pathlib import Path

import pytest
from openpyxl import Workbook

from tests.support.drawing import write_book

pytest_plugins = ["pytester"]

RULES = """
Input: state
field | type
age | whole number

Ask: double ; main: yes
role | name | is
need | age |
answer | twice | age * {factor}

Examples: some ; ask: double
# | given | expect | rejected at
 | age | twice |
one | 3 | 6 |
two | | | state.age
"""


def outcome(pytester: pytest.Pytester, *arguments: str) -> tuple[dict[str, int], str]:
    result = pytester.runpytest_inprocess("-q", "-p", "no:cacheprovider", *arguments)
    return result.parseoutcomes(), result.stdout.str()


def test_each_example_is_a_test(pytester: pytest.Pytester) -> None:
    write_book(RULES.format(factor=2), pytester.path / "rules.xlsx")
    assert outcome(pytester)[0] == {"passed": 3}


def test_a_failing_example_names_its_cell(pytester: pytest.Pytester) -> None:
    write_book(RULES.format(factor=3), pytester.path / "rules.xlsx")
    counts, shown = outcome(pytester)
    assert counts == {"passed": 2, "failed": 1}
    assert "rules.xlsx!Sheet1!C13: twice should be 6, but is 9" in shown


def test_a_broken_workbook_is_one_failure(pytester: pytest.Pytester) -> None:
    write_book(RULES.format(factor="aeg"), pytester.path / "rules.xlsx")
    counts, shown = outcome(pytester)
    assert counts == {"failed": 1}
    assert "did you mean `age`?" in shown


def test_other_peoples_workbooks_are_left_alone(pytester: pytest.Pytester) -> None:
    book = Workbook()
    book.active["A1"] = "shopping"
    book.save(Path(pytester.path) / "list.xlsx")
    assert outcome(pytester)[0] == {}


@pytest.mark.parametrize("name", [".hidden.xlsx", "~$rules.xlsx", "rules.XLSM", "rules.csv"])
def test_files_that_are_no_workbooks_of_rules(pytester: pytest.Pytester, name: str) -> None:
    """Copies that a system or a spreadsheet keeps while a workbook is open are nobody's rules."""
    write_book(RULES.format(factor=2), pytester.path / "made.xlsx")
    (pytester.path / "made.xlsx").rename(pytester.path / name)
    assert outcome(pytester)[0] == {}
