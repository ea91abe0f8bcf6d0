"""The files that printing makes: sheets, cards and a phone page, in each language that is wanted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from dtables.diagnostics import Diagnostic, errors_in
from dtables.model.tables import Ruleset
from dtables.printing import problems
from dtables.printing.glyphs import check_characters
from dtables.printing.html import HTML_FILES, print_html
from dtables.printing.pdf import TYPST_FILES, PaperFormat, Printed, print_paper
from dtables.printing.view import print_view
from dtables.printing.view_parts import Document, Paper
from dtables.printing.view_plans import Found
from dtables.printing.view_words import PAGE_WORDS
from dtables.provenance import whole_book


class Format(StrEnum):
    PDF = "pdf"
    PNG = "png"
    HTML = "html"


@dataclass(frozen=True, slots=True)
class Request:
    """What is wanted. No languages: all of the workbook's. No paper: the workbook's own."""

    format: Format = Format.PDF
    languages: tuple[str, ...] = ()
    paper: Paper | None = None
    styles: Path | None = None
    date: str = ""


def print_files(ruleset: Ruleset, request: Request) -> tuple[tuple[Printed, ...], Found]:
    """All files, or none and the reasons."""
    files: list[Printed] = []
    found: list[Diagnostic] = list(_unknown_styles(ruleset, request.styles))
    for language in request.languages or languages_of(ruleset):
        made, said = _in_language(ruleset, language, request)
        files += made
        found += said
    return (() if errors_in(found) else tuple(files)), tuple(dict.fromkeys(found))


def languages_of(ruleset: Ruleset) -> tuple[str, ...]:
    known = tuple(language for language in ruleset.languages if language in PAGE_WORDS)
    return known or ("en",)


def _in_language(ruleset: Ruleset, language: str, request: Request) -> tuple[tuple[Printed, ...], Found]:
    document, found = print_view(ruleset, language)
    if errors_in(found):
        return (), found
    match request.format:
        case Format.HTML:
            return (print_html(document, request.styles, request.date),), found
        case Format.PDF:
            return _on_paper(ruleset, document, found, request, "pdf")
        case Format.PNG:
            return _on_paper(ruleset, document, found, request, "png")


def _on_paper(
    ruleset: Ruleset, document: Document, found: Found, request: Request, kind: PaperFormat
) -> tuple[tuple[Printed, ...], Found]:
    missing = check_characters(ruleset, document)
    if missing:
        return (), (*found, *missing)
    made, said = print_paper(document, request.paper, kind, request.styles, request.date)
    return made, (*found, *said)


def own_styles(book: Path) -> Path | None:
    """`NAME.templates` beside the workbook, or `reports/templates` where the command runs."""
    beside = book.with_name(f"{book.stem}.templates")
    shared = Path("reports") / "templates"
    return next((folder for folder in (beside, shared) if folder.is_dir()), None)


def written(file: Printed, folder: Path) -> Path:
    """A file appears under its name only when everything is in it."""
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / file.name
    aside = folder / f".{file.name}.part"
    aside.write_bytes(file.content)
    return aside.replace(place)


def _unknown_styles(ruleset: Ruleset, styles: Path | None) -> Iterable[Diagnostic]:
    known = (*TYPST_FILES, *HTML_FILES)
    if styles is None:
        return
    for file in sorted(styles.iterdir()):
        if file.is_file() and not file.name.startswith(".") and file.name not in known:
            yield problems.unknown_style(whole_book(ruleset.book), file.name, known)
