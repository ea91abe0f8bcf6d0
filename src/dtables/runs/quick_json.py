"""JSON read by a quicker parser, where it is certain to say what the strict one says, and written by it.

msgspec follows the standard and keeps numbers as they are, but the last of doubled keys wins silently, and
numbers may be very long. So it has the word only for texts in which neither can hide; everything else, also
whatever it refuses, is left to the strict parser. A computer of a cluster may have nothing but Python: there
that one reads all.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from importlib.util import find_spec

UNSURE = object()
ESCAPED_COLON = b"\\u003"
"""Or something like it: a text would have a colon more than there are."""
_MOST_BRACKETS = 500
"""Far from where either parser finds a text nested too deep."""
_DIGITS = b"0123456789"
_MOST_DIGITS = 400

Parse = Callable[[bytes], object]
Write = Callable[[object], bytes | None]


def quick_parser(decimal: Callable[[str], Decimal]) -> Parse:
    """`decimal` reads a number with a point or an exponent. What it refuses is for the strict parser."""
    if find_spec("msgspec") is None:
        return lambda _raw: UNSURE
    import msgspec

    decode = msgspec.json.Decoder(float_hook=decimal).decode
    encode = msgspec.json.Encoder().encode
    refusals = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)

    def parse(raw: bytes) -> object:
        if not _is_plain(raw):
            return UNSURE
        try:
            value: object = decode(raw)
        except refusals:
            return UNSURE
        # Each key has its colon, and each colon in a text stays. A key that was doubled has taken one along.
        return value if encode(value).count(b":") == raw.count(b":") else UNSURE

    return parse


def _is_plain(raw: bytes) -> bool:
    """No escaped colon, and too short for deep nesting or a very long number; most texts are."""
    if ESCAPED_COLON in raw or raw.count(b"{") + raw.count(b"[") > _MOST_BRACKETS:
        return False
    return len(raw) <= _MOST_DIGITS or len(raw) - len(raw.translate(None, _DIGITS)) <= _MOST_DIGITS


def quick_writer() -> Write:
    """Writes plain values without binary floats; None where it would not write what the standard library
    does: numbers so large or so small that they are spelled with an exponent."""
    if find_spec("msgspec") is None:
        return lambda _value: None
    import msgspec

    encode = msgspec.json.Encoder(decimal_format="number").encode
    spaced = msgspec.json.format

    def write(value: object) -> bytes | None:
        written: bytes = spaced(encode(value), indent=0)
        return None if b"E+" in written or b"E-" in written else written

    return write
