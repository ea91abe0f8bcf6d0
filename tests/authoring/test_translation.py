"""Tables whose words are put into the other language mean what they meant, and come back as they were."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dtables.authoring.dressing.dress import dress
from dtables.authoring.dressing.translation import edits, translated
from dtables.authoring.starting import starter
from dtables.checker import check_book
from dtables.provenance import CellRef, Location, Span
from dtables.workbook.cells import read_workbook
from dtables.workbook.kinds import KINDS
from dtables.workbook.layout import book_of
from dtables.workbook.tables import BookText
from tests.agreement import worlds
from tests.games.games import GAMES
from tests.support.drawing import DrawnSheet, drawn_sheets, in_memory, write_book
from tests.support.pages import KIND_EXAMPLES

KINDS_TEXT = "# Sheet: All\n" + KIND_EXAMPLES.read_text(encoding="utf-8")
CASES = sorted(Path("tests/cases").glob("**/book.txt"))
QUICK = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def said(text: str, language: str) -> str:
    """A table, with its words in the language, as text again."""
    sheets = in_language(drawn_sheets(text), language)
    return "\n".join(" | ".join(line) for sheet in sheets for line in lines(sheet))


def in_language(sheets: tuple[DrawnSheet, ...], language: str) -> tuple[DrawnSheet, ...]:
    """What is typed into the cells is typed into them, and nothing else changes."""
    before, _ = read(sheets)
    changed = edits(before, translated(before, language))
    return tuple(
        DrawnSheet(
            sheet.name,
            {
                place: changed.get(CellRef("book.xlsx", sheet.name, *place), value)
                for place, value in sheet.cells.items()
            },
        )
        for sheet in sheets
    )


def lines(sheet: DrawnSheet) -> list[list[str]]:
    rows = sorted({row for row, _ in sheet.cells})
    return [
        [str(value) for (_, _), value in sorted((p, v) for p, v in sheet.cells.items() if p[0] == r)]
        for r in rows
    ]


def read(sheets: tuple[DrawnSheet, ...]) -> tuple[BookText, list[str]]:
    book, found = book_of(
        "book.xlsx", tuple(in_memory("book.xlsx", sheet.name, sheet.cells) for sheet in sheets)
    )
    return book, [f"{d.code} {d.where.cell.address}" for d in found]


SPELLED = {
    "it": {word for kind in KINDS for word in kind.it},
    "en": {word for kind in KINDS for word in kind.en},
}


def kind_words(book: BookText) -> set[str]:
    return {table.marker.cell.typed.partition(":")[0] for table in book.tables}


def meaning(node: Any) -> Any:
    """A model without the places of its parts, and without what tells versions of the typed text apart."""
    match node:
        case CellRef() | Location() | Span():
            return None
        case Mapping():
            return tuple((meaning(key), meaning(value)) for key, value in node.items())
        case tuple() | list():
            return tuple(map(meaning, node))
        case _ if is_dataclass(node):
            named = (field.name for field in fields(node) if field.name not in ("version", "sheets"))
            return (type(node).__name__, *(meaning(getattr(node, name)) for name in named))
        case _:
            return node


def checked(sheets: tuple[DrawnSheet, ...]) -> tuple[Any, list[str]]:
    book, found = read(sheets)
    model, more = check_book(book)
    return meaning(model), found + [f"{d.code} {d.where.cell.address}" for d in more]


def means_the_same(sheets: tuple[DrawnSheet, ...]) -> None:
    before = checked(sheets)
    for language in ("it", "en"):
        assert checked(in_language(sheets, language)) == before


# -- the same meaning --------------------------------------------------------------------------


def test_every_kind_means_the_same() -> None:
    """And comes back as it was: it is written in the first spellings."""
    sheets = drawn_sheets(KINDS_TEXT)
    model, _ = checked(sheets)
    assert model is not None
    means_the_same(sheets)
    there_and_back = in_language(in_language(sheets, "it"), "en")
    assert [sheet.cells for sheet in there_and_back] == [sheet.cells for sheet in sheets]
    assert {table.kind for table in read(sheets)[0].tables} == {kind.name for kind in KINDS}


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.parent.name)
def test_cases_mean_the_same(case: Path) -> None:
    """What is wrong with a workbook is wrong with it in the other language too."""
    sheets = drawn_sheets(case.read_text(encoding="utf-8"))
    before, after = checked(sheets), checked(in_language(sheets, "it"))
    assert after[0] == before[0]
    assert sorted(after[1]) == sorted(before[1])


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.name))
def test_games_mean_the_same(game: Any) -> None:
    model, _ = check_book(game.text)
    assert model is not None
    for language in ("it", "en"):
        other, found = check_book(translated(game.text, language))
        assert meaning(other) == meaning(model), found
    there = translated(translated(game.text, "en"), "it")
    assert translated(there, "it") == there == translated(game.text, "it")


@QUICK
@given(st.one_of(worlds.decision(), worlds.scales(), worlds.ask(), worlds.formula()))
def test_drawn_workbooks_mean_the_same(table: str) -> None:
    means_the_same(drawn_sheets(worlds.WORDS + "\n# Sheet: Tables\n" + table))


@pytest.mark.parametrize(("source", "target"), [("en", "it"), ("it", "en")])
def test_starters_mean_the_same(source: str, target: str) -> None:
    sheets = []
    for made in starter(source):
        cells = {
            (row, column): text
            for row, texts in enumerate(made.rows, 1)
            for column, text in enumerate(texts, 1)
            if text
        }
        sheets.append(DrawnSheet(made.name, dict(cells)))
    means_the_same(tuple(sheets))
    book, _ = read(in_language(tuple(sheets), target))
    assert {word for word in kind_words(book) if word not in SPELLED[target]} == set()


# -- the words ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("english", "italian"),
    [
        (
            "Decision: fee(age: number) -> number ; policy: first\nif | then\nage | fee\n< 12 | 5\n- | 8",
            "Decisione: fee(age: number) -> number | regola: prima\nse | allora\nage | fee\n< 12 | 5\n- | 8",
        ),
        (
            "Scale: best(candidates: list of toy) ; decides: yes\nprefer | by | text it\n| |\n"
            "first in colours | paint | il primo\nscale other 2..3 | |",
            "Scala: best(candidates: list of toy) | decide: sì\npreferisci | per | testo it\n"
            "primo in colours | paint | il primo\nscala other 2..3",
        ),
        (
            "Attempts: way\nstep | next\n1 | again 2\nend it | end it",
            "Tentativi: way\npasso | poi\n1 | di nuovo 2\nend it | end it",
        ),
        (
            "Turn: way ; print: inside best\nstep | who\n1 | you",
            "Turno: way | stampa: dentro best\npasso | chi\n1 | tu",
        ),
        ("Record: box\nfield | default\na | needed", "Scheda: box\ncampo | se manca\na | serve"),
        (
            "Pages: aid\nsize | side\nA4 landscape | back",
            "Pagine: aid\nformato | lato\nA4 orizzontale | retro",
        ),
        (
            "Settings: level\nparameter | easy | hard\na | 1 | 2",
            "Impostazioni: level\nparametro | easy | hard\na | 1 | 2",
        ),
        (
            "Data: toy ; key: toy\nkey | whole number | label en\na | 1 | yes",
            "Dati: toy | chiave: toy\nchiave | whole number | etichetta en\na | 1 | yes",
        ),
    ],
)  # fmt: skip
def test_words_both_ways(english: str, italian: str) -> None:
    there = said("# Sheet: S\n" + english, "it")
    assert there == italian
    back = english.replace(" ; ", " | ").replace("\n| |\n", "\n").replace(" | |", "")
    assert said("# Sheet: S\n" + italian, "en") == back


def test_a_word_of_the_language_stays_as_it_is_typed() -> None:
    typed = "# Sheet: S\nCatalogue: toy\nKey | number\na | 1"
    assert said(typed, "en") == "Catalogue: toy\nKey | number\na | 1"
    assert said(typed, "it") == "Dati: toy\nChiave | number\na | 1"


def test_properties_behind_the_marker() -> None:
    typed = "# Sheet: S\nDecision: fee; policy: first; title en: A fee; or not\nif | then\na | fee\n- | 1"
    assert said(typed, "it").splitlines()[0] == "Decisione: fee; policy: first; title en: A fee; or not"
    typed = typed.replace("; or not", "")
    assert said(typed, "it").splitlines()[0] == "Decisione: fee; regola: prima; titolo en: A fee"


# -- a workbook's own language -----------------------------------------------------------------

TABLE = "# Sheet: S\nDecision: fee{titles}\nif | then\na | fee\n- | 1"


@pytest.mark.parametrize(
    ("titles", "overview"),
    [
        ("", "Map"),
        (" ; title en: Fee", "Map"),
        (" ; title it: Costo ; title en: Fee", "Mappa"),
        (" ; title en: Fee ; title it: Costo", "Map"),
    ],
)
def test_own_language__words_of_tables_then_order_of_wordings(
    tmp_path: Path, titles: str, overview: str
) -> None:
    text = TABLE.replace("{titles}", titles)
    assert map_of(text, tmp_path / "book.xlsx") == overview
    italian = text.replace("Decision", "Decisione").replace("if | then", "se | allora")
    assert map_of(italian, tmp_path / "libro.xlsx") == "Mappa"


def map_of(text: str, path: Path) -> str:
    write_book(text, path)
    dress(path, path)
    book, _ = read_workbook(path)
    assert book is not None
    return book.sheets[0]


def test_dress__in_a_language(tmp_path: Path) -> None:
    """The copy has the words, help and map in it, and means the same."""
    source, there, back = (tmp_path / folder / "book.xlsx" for folder in ("in", "it", "en"))
    for path in (source, there, back):
        path.parent.mkdir()
    write_book(KINDS_TEXT, source)
    read_in, _ = dress(source, there, "it")
    assert read_in is not None
    italian, found = read_workbook(there)
    assert italian is not None and found == ()
    assert italian.sheets[0] == "Mappa"
    assert {word for word in kind_words(italian) if word not in SPELLED["it"]} == set()
    assert meaning(check_book(italian)[0]) == meaning(check_book(read_in)[0])
    dress(there, back, "en")
    again, _ = read_workbook(back)
    assert again is not None
    assert [t.marker.cell.typed for t in again.tables] == [t.marker.cell.typed for t in read_in.tables]
