"""reports/: the printed pages of all workbooks in tables/, with an index that shows them. `make reports`
writes them, a test says that they are fresh.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from dtables.diagnostics import render
from dtables.model.tables import Ruleset
from dtables.pages.compose import print_view
from dtables.pages.files import Format, Request, languages_of, print_files, written
from dtables.pages.paper import Printed
from dtables.ruleset import check

ROOT = Path(__file__).parents[2]
REPORTS = ROOT / "reports"
BOOKS = sorted((ROOT / "tables").glob("*.xlsx"))
PIXELS_PER_INCH = 80.0
LANGUAGES = {"en": "English", "it": "Italiano"}


def reports_of(book: Path, language: str) -> tuple[Printed, ...]:
    """The files of one workbook in one language."""
    model = model_of(book)
    formats = (Format.PDF, Format.PNG, Format.HTML)
    request = Request(formats, (language,), pixels_per_inch=PIXELS_PER_INCH)
    files, found = print_files(model, request)
    assert files, [d.message for d in found]
    return files


def languages(book: Path) -> tuple[str, ...]:
    return languages_of(model_of(book))


@cache
def model_of(book: Path) -> Ruleset:
    checked = check(book)
    assert checked.model is not None, render(checked.diagnostics)
    return checked.model


def index() -> str:
    """What the folder holds, with every page as a picture."""
    lines = [
        "# Printed pages",
        "",
        "Made by `make reports` from the workbooks in [tables](../tables); how pages are described:",
        "[docs/printing.md](../docs/printing.md).",
        "",
    ]
    for book in BOOKS:
        for language in languages(book):
            lines += _section(book, language)
    return "\n".join(lines)


def _section(book: Path, language: str) -> Iterator[str]:
    title = print_view(model_of(book), language)[0].title
    stem = f"{book.stem}.{language}"
    names = sorted(p.name for p in REPORTS.glob(f"{stem}.*"))
    links = [f"[{_kind(name)}]({name})" for name in names if not name.endswith(".png")]
    yield f"## {title}, {LANGUAGES[language]}"
    yield ""
    yield f"{book.name}: {' · '.join(links)}"
    yield ""
    for name in names:
        if name.endswith(".png"):
            yield f"![{title}: {name}]({name})"
            yield ""


def _kind(name: str) -> str:
    if name.endswith(".html"):
        return "phone page"
    return "cards (PDF)" if ".cards." in name else "sheets (PDF)"


def main() -> None:
    kept = {REPORTS / "README.md"}
    for book in BOOKS:
        for language in languages(book):
            kept |= {written(file, REPORTS) for file in reports_of(book, language)}
    for path in REPORTS.glob("*.*"):
        if path.is_file() and path not in kept:
            path.unlink()
    (REPORTS / "README.md").write_text(index(), encoding="utf-8")


if __name__ == "__main__":
    main()
