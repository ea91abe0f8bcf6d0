"""The files that printing makes: sheets, cards and a phone page, in each language that is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from pathlib import Path

from dtables.diagnostics import Diagnostic, Severity, errors_in
from dtables.files import whole_file
from dtables.model.tables import Ruleset
from dtables.pages import messages
from dtables.pages.compose import Print, print_view
from dtables.pages.document import Document, Edition, Paper
from dtables.pages.html import HTML_FILES, print_html
from dtables.pages.letters import check_characters
from dtables.pages.paper import (
    TYPST_FILES,
    Diagnostics,
    Printed,
    Purpose,
    Setting,
    Watch,
    Work,
    lettered_as_on_paper,
    print_paper,
)
from dtables.pages.pointers import lettered
from dtables.pages.typesetting import PaperFormat, TypesettingError
from dtables.pages.typography import well_set
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
    purpose: Purpose = Purpose.HOME
    grey: bool = False
    rules: Mapping[str, str] = field(default_factory=dict)
    """House rules that are not the workbook's usual ones."""
    watch: Watch | None = None

    @property
    def edition(self) -> Edition:
        """Whom the pages are for."""
        return Edition.PROOF if self.purpose is Purpose.PROOF else Edition.PLAYER

    def setting(self, work: Work) -> Setting:
        """What of it concerns paper."""
        formats = tuple(kind for format_, kind in PAPER_FORMATS if format_ in self.formats)
        return Setting(
            formats, self.paper, self.styles, self.date, self.pixels_per_inch, self.purpose, self.grey, work
        )


def print_files(ruleset: Ruleset, request: Request) -> tuple[tuple[Printed, ...], Diagnostics]:
    """All files, or none and the reasons."""
    found: list[Diagnostic] = list(_unknown_styles(ruleset, request.styles))
    languages = request.languages or languages_of(ruleset)
    work = Work(request.watch, 2 * len(languages))
    wish = Print(request.rules, request.edition)
    documents: list[Document] = []
    for language in languages:
        work.begin(f"{ruleset.name}.{language}")
        document, diagnostics = print_view(ruleset, language, wish)
        documents.append(well_set(document))
        found += diagnostics
    edition = _Edition(ruleset, tuple(documents), request, work)
    files: list[Printed] = []
    for make in (_phone_pages, _on_paper):
        if not errors_in(found):
            made, diagnostics = make(edition)
            files += made
            found += diagnostics
    return (() if errors_in(found) else tuple(files)), tuple(dict.fromkeys(found))


@dataclass(frozen=True)
class _Edition:
    """What is printed: the documents of the languages that are asked for."""

    ruleset: Ruleset
    documents: tuple[Document, ...]
    request: Request
    work: Work

    @cached_property
    def others(self) -> tuple[Document, ...]:
        """Those of the workbook's other languages: pages look alike in all of them."""
        asked = {document.language for document in self.documents}
        wish = Print(self.request.rules, self.request.edition)
        found = [
            print_view(self.ruleset, language, wish)
            for language in languages_of(self.ruleset)
            if language not in asked
        ]
        return tuple(well_set(document) for document, diagnostics in found if not errors_in(diagnostics))


def languages_of(ruleset: Ruleset) -> tuple[str, ...]:
    """Return the languages that a workbook can be printed in; English if it names none that is known."""
    known = tuple(language for language in ruleset.languages if language in PAGE_WORDS)
    return known or ("en",)


def _phone_pages(edition: _Edition) -> tuple[tuple[Printed, ...], Diagnostics]:
    """A screen has room for the odds of dice, which paper leaves out; its letters are those on paper."""
    ruleset, documents, request = edition.ruleset, edition.documents, edition.request
    if Format.HTML not in request.formats:
        return (), ()
    wish = Print(request.rules, request.edition, odds=True)
    views = [well_set(print_view(ruleset, document.language, wish)[0]) for document in documents]
    try:
        if any(block.letter for view in views for sheet in view.sheets for block in sheet.blocks):
            on_paper = lettered_as_on_paper(documents, request.setting(edition.work), edition.others)
            views = [lettered(view, _order(document)) for view, document in zip(views, on_paper, strict=True)]
        return tuple(print_html(view, request.styles, request.date) for view in views), ()
    except TypesettingError as error:
        return (), (messages.typesetting(whole_book(ruleset.book), Severity.ERROR, str(error)),)


def _order(document: Document) -> list[list[str]]:
    return [
        [block.key for block in sorted(sheet.blocks, key=lambda b: (len(b.letter), b.letter))]
        for sheet in document.sheets
    ]


def _on_paper(edition: _Edition) -> tuple[tuple[Printed, ...], Diagnostics]:
    setting = edition.request.setting(edition.work)
    if not setting.formats:
        return (), ()
    missing = tuple(
        found for document in edition.documents for found in check_characters(edition.ruleset, document)
    )
    return ((), missing) if missing else print_paper(edition.documents, setting, edition.others)


def written(file: Printed, folder: Path) -> Path:
    """Write a printed page into a folder, or into its own folder there, and return its place."""
    place = folder / file.folder / file.name
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
