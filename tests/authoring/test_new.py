"""A workbook to begin with is sound, and an author can edit it."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest
from click.testing import CliRunner, Result

from dtables import ruleset
from dtables.cli import main
from dtables.model.tables import Decision, Matrix, Scale

LANGUAGES = ("en", "it")


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [*map(str, arguments)])


@pytest.fixture(params=LANGUAGES)
def book(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    place = tmp_path / "mine.xlsx"
    assert run("new", place, "--lang", request.param).exit_code == 0
    return place


def test_new__nothing_is_found_in_it(book: Path) -> None:
    result = run("check", "--notes", book)
    assert result.exit_code == 0
    assert result.stdout == "mine.xlsx: 4 tables, 1 ask, 5 examples; no problems\n"
    assert run("test", book).stdout == "mine.xlsx: 5 of 5 examples hold\n"


def test_new__one_of_each_main_kind(book: Path) -> None:
    model = ruleset.load(book).model
    assert {Decision, Matrix, Scale} <= {type(table) for table in model.tables}
    assert model.vocabularies and model.input.state.fields and model.asks and model.examples and model.pages


def test_new__its_page_is_printed(book: Path, tmp_path: Path) -> None:
    result = run("print", book, "-o", tmp_path / "pages")
    assert result.exit_code == 0, result.output
    assert len(list((tmp_path / "pages").iterdir())) == 1


def test_new__dressed(book: Path) -> None:
    opened = openpyxl.load_workbook(book)
    assert len(opened.sheetnames) == 6
    assert any(sheet.data_validations.dataValidation for sheet in opened.worksheets)


def test_new__both_languages_say_the_same(tmp_path: Path) -> None:
    answers = []
    for language, ask, state in (
        ("en", "ticket", {"age": 30, "day": "weekday", "member": True, "free seats": ["a2", "b1"]}),
        ("it", "biglietto", {"età": 30, "giorno": "feriale", "socio": True, "posti liberi": ["a2", "b1"]}),
    ):
        book = tmp_path / f"{language}.xlsx"
        run("new", book, "--lang", language)
        answers.append(list(ruleset.load(book).answer(ask, state).values())[1:])
    assert answers == [[7, "b1"], [7, "b1"]]


def test_new__the_same_bytes(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        run("new", tmp_path / folder / "mine.xlsx")
    assert (tmp_path / "a" / "mine.xlsx").read_bytes() == (tmp_path / "b" / "mine.xlsx").read_bytes()


def test_new__nothing_is_written_over(book: Path, tmp_path: Path) -> None:
    before = book.read_bytes()
    assert run("new", book).exit_code == 2
    assert run("new", tmp_path / "mine.csv").exit_code == 2
    assert book.read_bytes() == before and sorted(tmp_path.iterdir()) == [book]
