"""The phone page: everything in one file, for thumbs, in light and dark."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from dtables.pages.files import Format, Request, print_files
from tests.pages.books import depot
from tests.pages.browser import PHONE, seen_in_browser

VOID = {"meta", "link", "br"}


@pytest.fixture(scope="module")
def page() -> str:
    files, found = print_files(depot(), Request((Format.HTML,), ("it",)))
    assert not found
    (file,) = files
    assert file.name == "depot.it.html"
    return file.content.decode("utf-8")


class Outline(HTMLParser):
    """Checks that what is opened is closed; keeps the text by element."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.headings: list[str] = []
        self.cells: list[str] = []

    def handle_starttag(self, tag: str, _: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        if tag == "td":
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "h2" in self.open:
            self.headings.append(data)
        if "td" in self.open and "title" not in self.open:
            self.cells[-1] += data


def test_page__every_table_once_and_every_cell(page: str) -> None:
    outline = Outline()
    outline.feed(page)
    assert outline.open == []
    assert outline.headings == [
        "Che cosa caricare", "Pedaggio", "Turno", "Tempo", "Leggi solo la tua colonna", "Cancello", "Livelli",
        "Mezzi", "Fermate", "Regole della casa", "Conti",
    ]  # fmt: skip
    cells = [cell.replace("\u202f", "").strip() for cell in outline.cells]
    order = ["rossa", "verde", "blu", "ambra", "ambra", "blu", "verde", "blu", "verde", "ambra", "ambra"]
    assert ",".join(order) in ",".join(cells)
    assert "#import x * @b $y$" in cells


def test_page__needs_no_network(page: str) -> None:
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|url\(|@import|src=", page)


def test_page__data_are_no_markup() -> None:
    from tests.pages.books import DEPOT, drawn

    book = DEPOT.replace("Foglio di bordo", "Foglio <script>alert(1)</script> & co")
    files, _ = print_files(drawn(book), Request((Format.HTML,), ("it",)))
    text = files[0].content.decode("utf-8")
    assert "Foglio &lt;script&gt;alert(1)&lt;/script&gt; &amp; co" in text
    assert text.count("<script>") == 1


def test_page__own_style(tmp_path: Path) -> None:
    (tmp_path / "page.css").write_text("body { color: rebeccapurple }", encoding="utf-8")
    files, found = print_files(depot(), Request((Format.HTML,), ("it",), styles=tmp_path))
    assert not found
    assert "<style>\nbody { color: rebeccapurple }\n</style>" in files[0].content.decode("utf-8")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_in_a_browser(page: str, tmp_path: Path, scheme: str) -> None:
    seen = seen_in_browser(page, tmp_path, scheme)
    assert seen["problems"] == []
    assert seen["requests"] == []
    assert seen["small"] == [], "targets of less than 44 points"
    assert seen["dark"] is (scheme == "dark")
    assert brightness(seen["paper"]) < 60 if scheme == "dark" else brightness(seen["paper"]) > 200
    assert brightness(seen["ink"]) > 200 if scheme == "dark" else brightness(seen["ink"]) < 60
    assert max(step["right"] for step in seen["steps"]) <= PHONE, "the page scrolls sideways"


def test_in_a_browser__a_choice_hides_the_other_columns(page: str, tmp_path: Path) -> None:
    seen = seen_in_browser(page, tmp_path, "light")
    cells = {step["name"]: step["cells"] for step in seen["steps"]}
    # Of 24 cells of the grid by route 2 stand for all; the gate has 4 rows, the stops have 3.
    assert cells[""] - cells["Nord-Sud"] == 3 * 4 + 3 + 1 * 2
    assert seen["hash"] == "#?route=WE&level=hard"


def brightness(colour: str) -> float:
    return sum(int(part) for part in re.findall(r"\d+", colour)[:3]) / 3
