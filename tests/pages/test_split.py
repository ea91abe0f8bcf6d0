"""A table that is longer than a page goes on on the next one, under the same head."""

from __future__ import annotations

import re
import time

from dtables.pages.files import Request, print_files
from tests.pages.books import drawn
from tests.pages.pdf_text import pages_of

ROWS = 240
CODES = [f"c{n:03}" for n in range(ROWS)]


def long_book(rows: int = ROWS) -> str:
    rules = "\n".join(f"{n} | {n} | {n * 3} | fee number {n}" for n in range(1, rows + 1))
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
        assert not re.search(r"(Fee|Price)[^(]*\(continued", first)
        assert all("(continued)" in page for page in others)
    for n, page in enumerate(pages, 1):
        assert page.endswith(f"Face {n} of {len(pages)}")


def test_print__two_thousand_rows_in_seconds() -> None:
    model = drawn(long_book(2000).split("Pages:")[0])
    began = time.monotonic()
    files, _ = print_files(model, Request(languages=("en",)))
    assert time.monotonic() - began < 30, "it was 50 s"
    numbers = [int(n) for page in pages_of(files[0].content) for n in re.findall(r"fee number (\d+)", page)]
    assert numbers == list(range(1, 2001))
