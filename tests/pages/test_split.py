"""A table that is longer than a page goes on on the next one, under the same head."""

from __future__ import annotations

import re

from dtables.pages.compose import print_view
from dtables.pages.document import Block, Document, Grid, Steps
from dtables.pages.files import Request, print_files
from dtables.pages.layout import in_halves
from tests.pages.books import drawn
from tests.pages.pdf_text import pages_of

ROWS = 240
CODES = [f"c{n:03}" for n in range(ROWS)]


def long_book() -> str:
    rules = "\n".join(f"{n} | {n} | {n * 3} | fee number {n}" for n in range(1, ROWS + 1))
    fees = f"""
Decision: fee(n: whole number) -> number ; policy: first ; title en: Fee
# | if | then | text en
 | n | fee |
{rules}
x | - | 0 | none
"""
    prices = "\n".join(f"{code} | {n} | {n + 1} | {n + 2}" for n, code in enumerate(CODES, 1))
    return f"""
Types:
name | names
code | {", ".join(CODES)}
size | small, medium, large
{fees}
Matrix: price(code, size) -> number ; title en: Price
key | key | key | key
code | small | medium | large
{prices}

Pages: p
page | size | table
1 | A4 | fee
2 | A4 | price
"""


def test_print__long_tables_go_on_under_their_head() -> None:
    files, found = print_files(drawn(long_book()), Request(languages=("en",)))
    assert not found
    pages = pages_of(files[0].content)
    fees = [page for page in pages if "Fee" in page]
    prices = [page for page in pages if "Price" in page]
    assert len(fees) > 1 and len(prices) > 1 and len(fees) + len(prices) == len(pages)
    numbers = [int(n) for page in fees for n in re.findall(r"fee number (\d+)", page)]
    assert numbers == list(range(1, ROWS + 1))
    assert [code for page in prices for code in re.findall(r"c\d{3}", page)] == CODES
    for page in prices:
        assert "small medium large" in page
    for first, *others in (fees, prices):
        assert re.search(r"(Fee|Price) (?!\(continued)", first)
        assert all("(continued)" in page for page in others)


def test_in_halves__rows_of_one_number_stay_together() -> None:
    text = """
Decision: fee(n: whole number) -> number ; policy: first ; title en: Fee
# | if | then
 | n | fee
1 | 1 | 1
2 | 2 | 2
2 | 3 | 3
2 | 4 | 4
3 | - | 5

Pages: p
page | size | table
1 | A4 | fee
"""
    made, _ = print_view(drawn(text), "en")
    first, second = halves(made)
    assert isinstance(first.body, Steps) and isinstance(second.body, Steps)
    assert [row.number for row in first.body.rows] == ["1"]
    assert [row.number for row in second.body.rows] == ["2", "", "", "3"]
    assert (first.title, second.title) == ("Fee", "Fee (continued)")
    again = in_halves(in_halves(made, [(0,)]) or made, [(1,)])
    assert again is not None
    assert [b.title for b in again.sheets[0].blocks] == ["Fee", "Fee (continued)", "Fee (continued)"]


def test_in_halves__a_grid_keeps_its_columns() -> None:
    made, _ = print_view(drawn(long_book()), "en")
    cut = in_halves(made, [(), (0,)])
    assert cut is not None
    one, other = cut.sheets[1].blocks
    assert isinstance(one.body, Grid) and isinstance(other.body, Grid)
    assert one.body.columns == other.body.columns
    assert [len(b.sections[0].rows) for b in (one.body, other.body)] == [ROWS // 2, ROWS // 2]


def test_in_halves__a_single_row_cannot_be_cut() -> None:
    text = """
Decision: fee -> number ; title en: Fee
# | then
 | fee
1 | 1

Pages: p
page | size | table
1 | A4 | fee
"""
    made, _ = print_view(drawn(text), "en")
    assert in_halves(made, [(0,)]) is None


def halves(made: Document) -> tuple[Block, ...]:
    cut = in_halves(made, [(0,)])
    assert cut is not None
    return cut.sheets[0].blocks
