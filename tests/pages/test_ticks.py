"""Boxes to tick: how many, for which names, on paper and on a phone."""

from __future__ import annotations

import re
from pathlib import Path

from dtables.pages.compose import print_view
from dtables.pages.document import Grid, text_of
from dtables.pages.files import Format, Request, print_files
from tests.pages.as_text import as_text
from tests.pages.books import drawn
from tests.pages.browser import seen_in_browser

BOOK = """
Types: words
  name | names
  colour | red, blue
  power | bridge, priest

Glossary: words
  kind | id | label it | label en | colour
  colour | red | rosso | red | red
  colour | blue | blu | blue | blue
  power | bridge | Ponte | Bridge |
  power | priest | Sacerdote | Priest |

Input: state
  field | type
  mine | colour

Ticks: what was done ; columns: 3 ; title it: Per round ; title en: Each round
  text it | text en | boxes
  Azioni coperte | Covered actions | power
  Nuove azioni | New actions | colour
  Monete | Coins | 2
  Passato | Passed |

Spunte: by colour ; colonne: colour
  text it | text en
  Fuori | Out

Pages: aid
  face | size | table | for
  1a | A4 | what was done |
  1a | A4 | by colour |
  C | tarot | by colour | colour
"""

SHEET = """Book
== face 1a <R> red <B> blue
Each round ()
  1 | 2 | 3
  _Covered actions_ | Bridge (box) Priest (box) | Bridge (box) Priest (box) | Bridge (box) Priest (box)
  _New actions_ | <R> (box) <B> (box) | <R> (box) <B> (box) | <R> (box) <B> (box)
  _Coins_ | (box) (box) | (box) (box) | (box) (box)
  _Passed_ | (box) | (box) | (box)
By colour ()
  <R> red | <B> blue
  _Out_ | (box) | (box)
"""


def test_boxes__as_many_as_the_workbook_says() -> None:
    document = print_view(drawn(BOOK), "en")[0]
    assert as_text(document).startswith(SHEET)


def test_boxes__of_the_name_that_a_card_is_for() -> None:
    card = print_view(drawn(BOOK), "it")[0].cards[0]
    body = card.front[0].body
    assert isinstance(body, Grid)
    assert [text_of(column.head) for column in body.columns] == ["rosso\u202frosso"]


def test_boxes__are_buttons_on_a_phone() -> None:
    files, _ = print_files(drawn(BOOK), Request((Format.HTML,), ("en",)))
    page = files[0].content.decode()
    boxes = re.findall(r'class="tick" aria-pressed="false" aria-label="([^"]*)"', page)
    assert len(boxes) == 3 * (2 + 2 + 2 + 1) + 2
    assert "Bridge: box to tick" in boxes
    assert page.count('class="again">clear') == 2


def test_boxes__outlast_reloading_until_they_are_cleared(tmp_path: Path) -> None:
    files, _ = print_files(drawn(BOOK), Request((Format.HTML,), ("en",)))
    page = files[0].content.decode()
    seen = seen_in_browser(page, tmp_path, "light", """
        const boxes = [...document.querySelectorAll("button.tick")];
        const kept = () => sessionStorage.getItem(document.body.dataset.page);
        for (const box of [boxes[0], boxes[1], boxes[21], boxes[1]]) box.click();
        const before = kept();
        document.querySelector("button.again").click();
        return [before, kept(), document.activeElement === boxes[0]];
    """)  # fmt: skip
    assert seen["result"] == ['["0","21"]', '["21"]', True]
    assert seen["small"] == []


def test_boxes__of_a_card_are_on_a_phone_too() -> None:
    turn = """
Turn: round ; title en: Round ; title it: Round
  step | text it | text en | next
  1 | Gioca. | Play. | end

Pages: aid
"""
    on_card = BOOK.replace("Pages: aid", turn.strip()).replace(
        "  1a | A4 | what was done |", "  1a | A4 | round |"
    )
    on_card += "  D | tarot | what was done |\n"
    files, _ = print_files(drawn(on_card), Request((Format.HTML,), ("en",)))
    assert "Bridge: box to tick" in files[0].content.decode()
