"""JSON: read without coercing anything, quickly where nothing can hide; written line by line.

The standard library's parser is strict where it is told to be: a key written twice, NaN, a number
too long to be meant and half a surrogate pair are findings, never a guess. What a text would take is looked
at before it is parsed: how deep it nests, how many values it has."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from importlib.util import find_spec
from typing import Any, NoReturn, TypeVar

from dtables.records import findings
from dtables.records.findings import Finding, Refused, key_in_path

# -- by a quicker parser ----------------------------------------------------------------------------
# JSON read by a quicker parser, where it is certain to say what the strict one says, and written by it.
#
# msgspec follows the standard and keeps numbers as they are, but the last of doubled keys wins silently,
# and numbers may be very long. So it has the word only for texts in which neither can hide; everything
# else, also whatever it refuses, is left to the strict parser. A computer of a cluster may have nothing but
# Python: there that one reads all.

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


BYTE_ORDER_MARK = b"\xef\xbb\xbf"
LONGEST_LINE = 16 * 1024 * 1024
MOST_VALUES = 1_000_000
ENVELOPE = ("turn", "game", "ask", "state", "played")
"""The keys of a record of a log."""
ENVELOPE_KEYS = frozenset(ENVELOPE)
"""Of a record: what Python makes of so many fits into some hundred megabytes."""
MOST_DIGITS = 400
DEEPEST = 100
"""Far less than any engine's Python can nest, wherever it is called from."""
_TEXT = re.compile(rb'"(?:[^"\\]|\\.)*+"')
_STRUCTURE = bytes(set(range(256)) - set(b"[]{}"))
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of a log: its number (from 1) and the object on it, or why there is none; then `turn` and
    `game` are what it says of them, as far as that can be read."""

    number: int
    record: dict[str, Any] | None
    finding: Finding | None
    turn: object = None
    game: object = None


class NoJson(Refused):
    """A text that is no JSON at all."""


class OversizedText(Refused):
    """A text that is not even parsed."""


def parse_line(number: int, raw: bytes) -> LogLine:
    """Parse one line of a log; what is wrong with it becomes the line's finding, never an exception."""
    try:
        value = decoded(raw)
    except Refused as error:
        # Without the way that it came, which holds all that was read.
        refused = error.with_traceback(None)
    else:
        return _line(number, value)
    return _refused(number, raw, refused)


def _line(number: int, value: object) -> LogLine:
    if not isinstance(value, dict):
        return LogLine(number, None, findings.no_json_object(value).at("$"))
    return LogLine(number, value, None)


def decoded(raw: bytes) -> object:
    """Return the value of a JSON text; Refused where it is none, or larger than a record may be."""
    _refuse_large(raw)
    value = _quickly(raw)
    return _strictly(raw) if value is UNSURE else value


def may_be_large(raw: bytes) -> bool:
    """Whether it is for `decoded` to say that a text has too many values."""
    return len(raw) > MOST_VALUES


def strictly_decoded(raw: bytes) -> object:
    """The same, without the quick parser."""
    _refuse_large(raw)
    return _strictly(raw)


def _strictly(raw: bytes) -> object:
    try:
        text = raw.decode("utf-8")
        if raw.startswith(BYTE_ORDER_MARK):
            raise NoJson(findings.byte_order_mark_inside())
        value = json.loads(
            text,
            object_pairs_hook=_object,
            parse_float=decimal_of,
            parse_int=_whole,
            parse_constant=_not_a_number,
        )
    except UnicodeDecodeError as error:
        raise Refused(findings.no_utf8(error.start + 1)) from None
    except json.JSONDecodeError as error:
        why = f"{error.msg[0].lower()}{error.msg[1:]} at character {error.pos + 1}"
        raise NoJson(findings.no_json(why)) from None
    except RecursionError:
        raise Refused(findings.too_deep()) from None
    if _ESCAPED_SURROGATE.search(text) and not all(map(is_text, _texts(value))):
        raise Refused(findings.half_a_pair())
    return value


def _refuse_large(raw: bytes) -> None:
    brackets = raw.count(b"[") + raw.count(b"{")
    if brackets > DEEPEST and _nests_deeper(raw, DEEPEST):
        raise Refused(findings.too_deep())
    if may_be_large(raw) and brackets + raw.count(b",") > MOST_VALUES:
        plain = _TEXT.sub(b"", raw)
        if plain.count(b"[") + plain.count(b"{") + plain.count(b",") > MOST_VALUES:
            raise OversizedText(findings.too_many_values(MOST_VALUES))


def _nests_deeper(raw: bytes, most: int) -> bool:
    """Brackets that hold no others go, level by level."""
    held = _TEXT.sub(b"", raw).translate(None, _STRUCTURE)
    for _ in range(most):
        less = held.replace(b"[]", b"").replace(b"{}", b"")
        if len(less) == len(held):
            return False
        held = less
    return len(held) > 0


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    object_ = dict(pairs)
    if len(object_) != len(pairs):
        raise _twice(pairs)[1]
    return object_


def _twice(pairs: list[tuple[str, Any]]) -> tuple[str, Refused]:
    key = first_twice(key for key, _ in pairs)
    return key, Refused(findings.doubled_key(key))


def first_twice(keys: Iterable[Key]) -> Key:
    """Return the first key that is repeated, of keys that are not all different."""
    seen: set[Key] = set()
    for key in keys:
        if key in seen:
            break
        seen.add(key)
    return key


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise Refused(findings.too_many_digits(MOST_DIGITS))
    return int(digits)


def decimal_of(digits: str) -> Decimal:
    """Return the exact number; Refused where its exponent is out of size."""
    try:
        value = Decimal(digits)
    except InvalidOperation:
        value = None
    if value is None or not -6200 < value.adjusted() < 6200:
        raise Refused(findings.number_out_of_size(digits))
    return value


def _not_a_number(word: str) -> NoReturn:
    raise Refused(findings.not_a_number(word))


_quickly = quick_parser(decimal_of)


def _texts(value: object) -> Iterator[str]:
    """Every text in it, keys too."""
    waiting = [value]
    while waiting:
        match waiting.pop():
            case str() as text:
                yield text
            case dict() as entries:
                yield from entries
                waiting.extend(entries.values())
            case list() as items:
                waiting.extend(items)


def is_text(text: str) -> bool:
    """Whole characters only."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


# -- what was refused, and where ---------------------------------------------------------------


def _refused(number: int, raw: bytes, refused: Refused) -> LogLine:
    """Read once more, by a parser that leaves what it refuses in its place."""
    nowhere = LogLine(number, None, refused.at("$"))
    if isinstance(refused, OversizedText) or _nests_deeper(raw, 6 * DEEPEST):
        return nowhere
    try:
        value = _leniently(raw.decode("utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        return nowhere
    path, found = next(_refusals(value, ""), ("", refused))
    if not isinstance(value, dict):
        return nowhere
    turn, game = (None if any(_refusals(value.get(key), "")) else value.get(key) for key in ("turn", "game"))
    return LogLine(number, None, found.at(path or "$"), turn, game)


def _leniently(text: str) -> Any:
    return json.loads(
        text,
        object_pairs_hook=_marked_object,
        parse_float=lambda digits: _marked(decimal_of, digits),
        parse_int=lambda digits: _marked(_whole, digits),
        parse_constant=lambda word: _marked(_not_a_number, word),
    )


def _marked(read: Callable[[str], object], text: str) -> object:
    try:
        return read(text)
    except Refused as refused:
        return refused.with_traceback(None)


def _marked_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    object_ = dict(pairs)
    return object_ if len(object_) == len(pairs) else object_ | dict([_twice(pairs)])


def _refusals(value: object, path: str, deep: int = 0) -> Iterator[tuple[str, Refused]]:
    """What was refused, with its path, but for what lies deeper than a record may."""
    match value:
        case Refused():
            yield path, value
        case str() if not is_text(value):
            yield path, Refused(findings.half_a_pair())
        case dict() if deep < DEEPEST:
            for key, entry in value.items():
                if not is_text(key):
                    yield from _refusals(key, path)
                if not isinstance(entry, _SCALARS):
                    inner = f"{path}.{key_in_path(key)}" if path else key_in_path(key)
                    yield from _refusals(entry, inner, deep + 1)
        case list() if deep < DEEPEST:
            for number, entry in enumerate(value):
                if not isinstance(entry, _SCALARS):
                    yield from _refusals(entry, f"{path}[{number}]", deep + 1)


_SCALARS = (int, Decimal, type(None))
"""What nothing can be wrong with once it is read."""


# -- writing -----------------------------------------------------------------------------------


def to_json(value: object) -> str:
    """One line. A Decimal is written as the number it is, which the library's encoder cannot do."""
    try:
        return _encode(value)
    except TypeError:
        return _part_by_part(value)


def to_json_line(value: object) -> bytes:
    """The same as bytes, of values without binary floats: an answer has none."""
    return (_write_quickly(value) or to_json(value).encode()) + b"\n"


_encode = json.JSONEncoder(ensure_ascii=False).encode
_write_quickly = quick_writer()


def _part_by_part(value: object) -> str:
    match value:
        case dict():
            return "{" + ", ".join(f"{_encode(str(k))}: {to_json(v)}" for k, v in value.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(map(to_json, value)) + "]"
        case Decimal():
            return format(value, "f") if -30 < value.adjusted() < 30 else str(value)
        case _:
            return _encode(value)
