"""The files that printing makes: sheets, cards and a phone page, in each language that is asked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from dtables.diagnostics import Diagnostic, Severity, errors_in
from dtables.files import whole_file
from dtables.model.tables import Ruleset
from dtables.pages import messages
from dtables.pages.compose import print_view
from dtables.pages.document import Paper
from dtables.pages.html import HTML_FILES, print_html
from dtables.pages.imposition import Diagnostics
from dtables.pages.letters import check_characters
from dtables.pages.paper import TYPST_FILES, Printed, Setting, print_paper
from dtables.pages.typesetting import PaperFormat, TypesettingError
from dtables.pages.words import PAGE_WORDS
from dtables.provenance import whole_book


class Format(StrEnum):
    """What a page may be printed as."""

    PDF = "pdf"
    PNG = "png"
    HTML = "html"


PAPER_FORMATS: tuple[tuple[Format, PaperFormat], ...] = ((Format.PDF, "pdf"), (Format.PNG, "png"))


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be printed. No languages: all of the workbook's. No paper: the workbook's own."""

    formats: tuple[Format, ...] = (Format.PDF,)
    languages: tuple[str, ...] = ()
    paper: Paper | None = None
    styles: Path | None = None
    date: str = ""
    pixels_per_inch: float = 144.0


def print_files(ruleset: Ruleset, request: Request) -> tuple[tuple[Printed, ...], Diagnostics]:
    """All files, or none and the reasons."""
    files: list[Printed] = []
    found: list[Diagnostic] = list(_unknown_styles(ruleset, request.styles))
    for language in request.languages or languages_of(ruleset):
        printed, diagnostics = _in_language(ruleset, language, request)
        files += printed
        found += diagnostics
    return (() if errors_in(found) else tuple(files)), tuple(dict.fromkeys(found))


def languages_of(ruleset: Ruleset) -> tuple[str, ...]:
    """Return the languages that a workbook can be printed in; English if it names none that is known."""
    known = tuple(language for language in ruleset.languages if language in PAGE_WORDS)
    return known or ("en",)


def _in_language(
    ruleset: Ruleset, language: str, request: Request
) -> tuple[tuple[Printed, ...], Diagnostics]:
    document, found = print_view(ruleset, language)
    if errors_in(found):
        return (), found
    place = whole_book(ruleset.book)
    files: list[Printed] = []
    if Format.HTML in request.formats:
        try:
            files.append(print_html(document, request.styles, request.date))
        except TypesettingError as error:
            return (), (*found, messages.typesetting(place, Severity.ERROR, str(error)))
    on_paper: tuple[PaperFormat, ...] = tuple(
        kind for format_, kind in PAPER_FORMATS if format_ in request.formats
    )
    if on_paper:
        missing = check_characters(ruleset, document)
        if missing:
            return (), (*found, *missing)
        setting = Setting(on_paper, request.paper, request.styles, request.date, request.pixels_per_inch)
        printed, diagnostics = print_paper(document, setting)
        files += printed
        found = (*found, *diagnostics)
    return tuple(files), found


def written(file: Printed, folder: Path) -> Path:
    """Write a printed page into a folder, and return its place."""
    place = folder / file.name
    with whole_file(place) as page:
        page.write(file.content)
    return place


def _unknown_styles(ruleset: Ruleset, styles: Path | None) -> Iterable[Diagnostic]:
    known = (*TYPST_FILES, *HTML_FILES)
    if styles is None:
        return
    for file in sorted(styles.iterdir()):
        if file.is_file() and not file.name.startswith(".") and file.name not in known:
            yield messages.unknown_style(whole_book(ruleset.book), file.name, known)
