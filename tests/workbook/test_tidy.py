from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtables.workbook.tidy import code_text, typed_text, with_decimal_point


@pytest.mark.parametrize(
    ("raw", "typed"),
    [
        ("  red  ", "red"),
        ("citta\u0300", "città"),
        ("re\u200bd\ufeff\u00ad", "red"),
        ("one\r\ntwo\rthree", "one\ntwo\nthree"),
        ("one_x000D_\ntwo", "one\ntwo"),
        ("Rossa – «vera» …", "Rossa – «vera» …"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("a\u200db", "ab"),
    ],
)
def test_typed_text(raw: str, typed: str) -> None:
    assert typed_text(raw) == typed


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("Statua\u00a0di\u202fZeus", "Statua di Zeus"),
        ("−1", "-1"),
        ("–", "-"),
        ("3 ‒ 1", "3 - 1"),
        ("l’altare", "l'altare"),
        ("“red”", '"red"'),
        ("„red“", '"red"'),
        ("«red»", '"red"'),
        ("“red, “", '"red, “'),
        ('"he said «no»"', '"he said «no»"'),
        ('"red”', '"red"'),
        ('"a" + “b”', '"a" + "b"'),
        ("a\tb", "a b"),
        ("plain", "plain"),
    ],
)
def test_code_text(typed: str, code: str) -> None:
    assert code_text(typed) == code


@given(st.text())
def test_code_text__is_as_long_as_what_was_typed(raw: str) -> None:
    typed = typed_text(raw)
    assert len(code_text(typed)) == len(typed)
    assert typed_text(typed) == typed


def test_with_decimal_point() -> None:
    assert with_decimal_point("3,5") == "3.5"
    assert with_decimal_point("-3,50") == "-3.50"
    assert with_decimal_point("3, 5") is None
    assert with_decimal_point("1,2,3") is None
