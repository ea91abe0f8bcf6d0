"""Built-ins on text. Positions count characters from 1, and from the end when negative."""

from __future__ import annotations

from collections.abc import Callable

from dtables.feel.errors import FeelError
from dtables.feel.functions import patterns
from dtables.feel.functions.arguments import list_in, text_in, whole_in
from dtables.feel.functions.entry import Builtin, always, takes
from dtables.feel.kinds import Value
from dtables.feel.limits import MOST_TEXT, text_of
from dtables.feel.types import BOOLEAN, TEXT, WHOLE, ListType, optional


def substring(string: Value, start: Value, *length: Value) -> str:
    text, position = text_in(string), whole_in(start)
    if not 0 < abs(position) <= len(text):
        raise FeelError(f"there is no position {position} in a text of {len(text)}")
    begin = position - 1 if position > 0 else len(text) + position
    if not length:
        return text[begin:]
    count = whole_in(length[0])
    if count < 1:
        raise FeelError(f"{count} characters were wanted")
    return text[begin : begin + count]


def string_length(string: Value) -> int:
    return len(text_in(string))


def upper_case(string: Value) -> str:
    return _spelled(text_in(string), str.upper)


def lower_case(string: Value) -> str:
    return _spelled(text_in(string), str.lower)


def substring_before(string: Value, match: Value) -> str:
    """Empty where the match does not occur."""
    text, sought = text_in(string), text_in(match)
    return text[: max(text.find(sought), 0)]


def substring_after(string: Value, match: Value) -> str:
    text, sought = text_in(string), text_in(match)
    found = text.find(sought)
    return "" if found < 0 else text[found + len(sought) :]


def contains(string: Value, match: Value) -> bool:
    return text_in(match) in text_in(string)


def starts_with(string: Value, match: Value) -> bool:
    return text_in(string).startswith(text_in(match))


def ends_with(string: Value, match: Value) -> bool:
    return text_in(string).endswith(text_in(match))


def replace(input_: Value, pattern: Value, replacement: Value, flags: Value = None) -> str:
    return patterns.replace(text_in(input_), text_in(pattern), text_in(replacement), _flags(flags))


def matches(input_: Value, pattern: Value, flags: Value = None) -> bool:
    return patterns.matches(text_in(input_), text_in(pattern), _flags(flags))


def split(string: Value, delimiter: Value) -> list[Value]:
    return list(patterns.split(text_in(string), text_in(delimiter)))


def string_join(list_: Value, delimiter: Value = None) -> str:
    """Nulls are passed over; no delimiter is an empty one."""
    texts = [text_in(item) for item in list_in(list_) if item is not None]
    between = "" if delimiter is None else text_in(delimiter)
    if not between:
        return text_of(texts)
    return text_of(piece for number, text in enumerate(texts) for piece in (between if number else "", text))


def _spelled(text: str, spell: Callable[[str], str]) -> str:
    """A letter may become three."""
    spelled = spell(text)
    return spelled if len(spelled) <= max(len(text), MOST_TEXT) else text_of([spelled])


def _flags(flags: Value) -> str:
    return "" if flags is None else text_in(flags)


_STRING = (takes(("string", TEXT)),)
_STRING_MATCH = (takes(("string", TEXT), ("match", TEXT)),)
_TEXT = always(TEXT)

TEXTS = (
    Builtin(
        "substring",
        (
            takes(("string", TEXT), ("start position", WHOLE)),
            takes(("string", TEXT), ("start position", WHOLE), ("length", WHOLE)),
        ),
        _TEXT,
        "`length` characters (or all) from a position on; -1 is the last position",
        (('substring("foobar", 3)', '"obar"'), ('substring("foobar", -2, 1)', '"a"')),
        substring,
    ),
    Builtin(
        "string length",
        _STRING,
        always(WHOLE),
        "how many characters",
        (('string length("foo")', "3"),),
        string_length,
    ),
    Builtin("upper case", _STRING, _TEXT, "in capitals", (('upper case("aBc4")', '"ABC4"'),), upper_case),
    Builtin(
        "lower case", _STRING, _TEXT, "in small letters", (('lower case("aBc4")', '"abc4"'),), lower_case
    ),
    Builtin(
        "substring before",
        _STRING_MATCH,
        _TEXT,
        "what stands before the first match; empty where there is none",
        (('substring before("foobar", "bar")', '"foo"'),),
        substring_before,
    ),
    Builtin(
        "substring after",
        _STRING_MATCH,
        _TEXT,
        "what stands after the first match; empty where there is none",
        (('substring after("foobar", "ob")', '"ar"'),),
        substring_after,
    ),
    Builtin(
        "contains",
        _STRING_MATCH,
        always(BOOLEAN),
        "does the match occur in the text?",
        (('contains("foobar", "of")', "false"),),
        contains,
    ),
    Builtin(
        "starts with",
        _STRING_MATCH,
        always(BOOLEAN),
        "does the text begin with the match?",
        (('starts with("foobar", "fo")', "true"),),
        starts_with,
    ),
    Builtin(
        "ends with",
        _STRING_MATCH,
        always(BOOLEAN),
        "does the text end with the match?",
        (('ends with("foobar", "r")', "true"),),
        ends_with,
    ),
    Builtin(
        "matches",
        (takes(("input", TEXT), ("pattern", TEXT), ("flags?", optional(TEXT))),),
        always(BOOLEAN),
        "does the regular expression match somewhere? flags are letters of s, m, i, x, q",
        (('matches("foobar", "^fo*b")', "true"), ('matches("ABC", "b", "i")', "true")),
        matches,
    ),
    Builtin(
        "replace",
        (takes(("input", TEXT), ("pattern", TEXT), ("replacement", TEXT), ("flags?", optional(TEXT))),),
        _TEXT,
        "every match of the regular expression replaced; $1 is the first group, $0 all",
        (('replace("abcd", "(ab)|(a)", "[1=$1][2=$2]")', '"[1=ab][2=]cd"'),),
        replace,
    ),
    Builtin(
        "split",
        (takes(("string", TEXT), ("delimiter", TEXT)),),
        always(ListType(TEXT)),
        "the parts between the matches of a regular expression",
        (('split("a;b;;", ";")', '["a", "b", "", ""]'),),
        split,
    ),
    Builtin(
        "string join",
        (takes(("list", ListType(optional(TEXT))), ("delimiter?", optional(TEXT))),),
        _TEXT,
        "the texts one after another, with a delimiter between them; nulls are passed over",
        (('string join(["a", null, "c"], "-")', '"a-c"'), ('string join(["a", "b"])', '"ab"')),
        string_join,
    ),
)
