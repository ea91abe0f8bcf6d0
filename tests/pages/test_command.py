"""The command: files, languages, exit codes."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from dtables.cli import main
from tests.pages.books import DEPOT
from tests.pages.pdf_text import text_of
from tests.pages.solo import SOLO
from tests.support.drawing import write_book


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["print", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


def depot_book(folder: Path, text: str = DEPOT) -> str:
    path = folder / "depot.xlsx"
    write_book(text, path)
    return str(path)


def test_print__phone_pages_in_both_languages(tmp_path: Path) -> None:
    code, output = run(depot_book(tmp_path), "-o", str(tmp_path / "out"), "--format", "html")
    assert code == 0
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["depot.en.html", "depot.it.html"]
    assert "depot.it.html" in output


def test_print__one_language_for_a_print_shop(tmp_path: Path) -> None:
    code, _ = run(depot_book(tmp_path), "-o", str(tmp_path / "out"), "--lang", "it", "--edition", "bleed")
    assert code == 0
    assert [str(p.relative_to(tmp_path / "out")) for p in (tmp_path / "out").rglob("*.*")] == [
        "bleed/depot.it.cards.pdf"
    ]


def test_print__what_does_not_fit_is_told_and_nothing_written(tmp_path: Path) -> None:
    text = DEPOT.replace("| Fragile before all", "| " + "fragile things come long before all others " * 60)
    code, output = run(depot_book(tmp_path, text), "-o", str(tmp_path / "out"), "--lang", "en")
    assert code == 1
    assert "error[page-overflow]: card `Load` (front) is too full" in output
    assert not (tmp_path / "out").exists()


def test_print__by_another_house_rule(tmp_path: Path) -> None:
    book = depot_book(tmp_path)
    code, _ = run(book, "-o", str(tmp_path / "out"), "--lang", "en", "--rule", "WEIGH=NEVER")
    assert code == 0
    assert "House edition" in text_of((tmp_path / "out" / "depot.en.pdf").read_bytes())
    code, output = run(book, "-o", str(tmp_path / "out"), "--rule", "WEIGH=OFTEN")
    assert code == 2
    assert "`WEIGH` is one of ALWAYS, NEVER, ONCE" in " ".join(output.split())
    assert run(book, "--rule", "WEIGHT=NEVER")[0] == run(book, "--rule", "NEVER")[0] == 2


def test_print__misuse(tmp_path: Path) -> None:
    assert run(depot_book(tmp_path), "--paper", "napkin")[0] == 2


def test_print__coverage_lists_the_ids_of_the_source(tmp_path: Path) -> None:
    path = tmp_path / "solo.xlsx"
    write_book(SOLO.replace("Formulas: sums", "Formulas: sums ; source: A-12"), path)
    code, output = run(str(path), "--coverage", "--lang", "en")
    assert code == 0
    assert output.splitlines()[0] == "A-1  1a Setup, card 1 Setup"
    assert output.splitlines()[-1] == "A-12  –"
