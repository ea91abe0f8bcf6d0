"""Names in a ring: a vocabulary or keyed data whose order goes round."""

from __future__ import annotations

import re

import pytest

from dtables.checker import check_book
from dtables.diagnostics import render
from dtables.pages.compose import print_view
from dtables.pages.files import Format, Request, print_files
from tests.pages.as_text import as_text
from tests.pages.books import drawn
from tests.support.drawing import book_text

BOOK = """
Types: lands ; print: {print} ; title it: Ruota ; title en: Wheel
  name | names
  land | plain, swamp, lake, wood, rock, waste, desert

Data: season ; key: season ; stampa: anello ; title it: Anno ; title en: Year
  key | whole number | label it | label en
  season | days | |
  spring | 92 | primavera | spring
  summer | 94 | estate | summer
  winter | 179 | inverno | winter

Glossary: words
  kind | id | label it | label en | colour
  land | plain | pianura | plain | brown
  land | swamp | palude | swamp | black
  land | lake | lago | lake | blue
  land | wood | bosco | wood | green
  land | rock | roccia | rock | grey
  land | waste | terra morta | wasteland | red
  land | desert | deserto | desert | yellow

Input: state
  field | type
  mine | land

Pages: aid
  face | size | table
  1a | A4 | lands
  1a | A4 | season
"""

SHEET = """Book
== face 1a
Wheel ()
  <P> plain – <S> swamp – <L> lake – <Wo> wood – <R> rock – <Wa> wasteland – <D> desert – (round)
Year ()
  spring – summer – winter – (round)
"""


def book() -> str:
    return BOOK.format(print="ring")


def test_ring__names_in_their_order() -> None:
    assert as_text(print_view(drawn(book()), "en")[0]) + "\n" == SHEET


def test_ring__is_one_drawing_with_every_badge_and_label() -> None:
    files, _ = print_files(drawn(book()), Request((Format.HTML,), ("it",)))
    page = files[0].content.decode()
    rings = page.split('<div class="ring">')[1:]
    said = "pianura, palude, lago, bosco, roccia, terra morta, deserto"
    assert [re.findall("<title>(.*?)</title>", ring)[0] for ring in rings] == [
        said,
        "primavera, estate, inverno",
    ]
    picture = rings[0].split("</div>")[0]
    assert picture.count("<svg ") == 8
    left, top, width, height = map(float, re.findall('viewBox="([^"]*)"', picture)[0].split())
    for x, y in re.findall(r'<svg x="([^"]*)" y="([^"]*)"', picture):
        assert left <= float(x) <= left + width - 1.9 and top <= float(y) <= top + height - 1.9


@pytest.mark.parametrize(
    ("old", "new", "known"),
    [
        ("print: ring", "print: round", "block or inside NAME or never or ring"),
        (
            "Input: state",
            "Formulas: sums ; print: ring\n  name | is\n  two | 2\n\nInput: state",
            "block or inside NAME or never",
        ),
    ],
)
def test_ring__only_of_names(old: str, new: str, known: str) -> None:
    made, _ = book_text(book().replace(old, new), "book.xlsx")
    said = render(check_book(made)[1])
    assert "error[unknown-word]" in said and f"hint: write {known}\n" in said
