"""What is wrong with a record, and the errors that carry it to the caller.

Every engine words its findings here, so that a reject reads the same whichever of them found it.
Paths join keys with dots and count list elements from 0: `state.solo.cards[2]`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal
from difflib import SequenceMatcher
from functools import lru_cache
from heapq import nlargest
from typing import Any, NamedTuple

from dtables.provenance import Location

NOTHING = "nothing"
MOST_QUOTED = 120
MOST_LISTED = 12
MOST_FINDINGS = 20
"""Of one record, in words; the others are counted."""
LONGEST_KEY = 60
"""In a path: a record may have keys of any length."""
LONGEST_WORDS = 1_000
CLOSEST = 0.6
MOST_COMPARED = 12


@dataclass(frozen=True, slots=True)
class Finding:
    """`found` quotes the record, `wanted` says what would have been right. `where` is the workbook's
    cell that requires it, if one does."""

    path: str
    found: str
    wanted: str
    where: Location | None = None

    def __str__(self) -> str:
        return f"{self.path}: found {self.found}, wanted {self.wanted}"


class Findings:
    """What is found in a record, in its order: the first ones in words, how many `more` there are."""

    __slots__ = ("kept", "more")

    def __init__(self) -> None:
        self.kept: list[Finding] = []
        self.more = 0

    def add(self, find: Callable[..., Finding], path: str, *rest: Any) -> None:
        """What would not be reported is not put into words."""
        if len(self.kept) < MOST_FINDINGS:
            self.kept.append(find(path, *rest))
        else:
            self.more += 1

    def add_elsewhere(self, find: Callable[..., Finding], path: str, *rest: Any) -> None:
        """Not where something is reported already."""
        if all(finding.path != path for finding in self.kept):
            self.add(find, path, *rest)

    def take(self, found: Iterable[Finding], more: int = 0) -> None:
        """Add findings as they are, and count `more` that were left out of them."""
        for finding in found:
            if len(self.kept) < MOST_FINDINGS:
                self.kept.append(finding)
            else:
                self.more += 1
        self.more += more

    def refuse(self) -> None:
        """RecordError, if there are any."""
        if self.kept:
            raise RecordError(self.kept, self.more)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.kept)

    def __len__(self) -> int:
        return len(self.kept)


class Places(Findings):
    """Findings of which only the paths are kept, and nothing is put into words."""

    __slots__ = ("paths",)

    def __init__(self) -> None:
        super().__init__()
        self.paths: set[str] = set()

    def add(self, find: Callable[..., Finding], path: str, *rest: Any) -> None:
        """Keep the path alone; no words are made."""
        del find, rest
        self.paths.add(path)


class RecordError(ValueError):
    """Raised when a record cannot be answered.

    `path`, `found` and `wanted` are those of the first finding; `findings` are the first ones,
    and `more` counts the others."""

    def __init__(self, findings: Iterable[Finding], more: int = 0) -> None:
        self.findings = tuple(findings)
        self.more = more
        first = self.findings[0]
        self.path, self.found, self.wanted = first.path, first.found, first.wanted
        super().__init__(str(first))


class RuleError(RuntimeError):
    """Raised when the rules fail on a valid record: two rows fire under unique, a null stands where none may.

    `where` is the cell, `table` the table it stands in; both may be None."""

    def __init__(self, message: str, where: Location | None, table: str | None = None) -> None:
        self.message, self.where, self.table = message, where, table
        place = f"{where}: " if where else ""
        super().__init__(f"{place}{message}")


class LimitReached(RuleError):
    """The rules are right, as far as anybody knows, but ask for more than is worked out."""


class Words(NamedTuple):
    """What a finding says, wherever it is found."""

    found: str
    wanted: str

    def at(self, path: str, where: Location | None = None) -> Finding:
        """Make the finding of these words at a path."""
        return Finding(path, self.found, self.wanted, where)


class Refused(ValueError):
    """A text or a cell that says something no record may say."""

    def __init__(self, words: Words) -> None:
        super().__init__(words.found)
        self.words = words

    def at(self, path: str) -> Finding:
        """Make the finding of these words at a path."""
        return self.words.at(path)


# -- words -------------------------------------------------------------------------------------


def quoted(value: object) -> str:
    """A value of a record as JSON, cut where it is long; no more of it is looked at than is reported."""
    if isinstance(value, Decimal):
        return str(value)
    text = ""
    try:
        for piece in _ENCODER.iterencode(value[: 2 * MOST_QUOTED] if isinstance(value, str) else value):
            text += piece[: 2 * MOST_QUOTED]
            if len(text) > MOST_QUOTED:
                break
    except (ValueError, TypeError, RecursionError):
        text = f"a value of type {type(value).__name__}"
    return cut(whole(text), MOST_QUOTED)


def whole(text: str) -> str:
    """Half a surrogate pair is reported as what it is: it cannot be written."""
    return text if text.isascii() else text.encode(errors="backslashreplace").decode()


def cut(text: str, most: int) -> str:
    """Return the text with at most so many characters, the last of which shows that some are missing."""
    return text if len(text) <= most else text[: most - 1] + "…"


def key_in_path(key: str) -> str:
    """Return a key as a path shows it, cut where it is long."""
    return cut(whole(key), LONGEST_KEY)


def _as_json(value: object) -> float | str:
    """A decimal without the quotes of a text, if a float says the same; what no log can hold by its kind."""
    match value:
        case Decimal() if value.is_finite():
            return float(value) if Decimal(repr(float(value))) == value else str(value)
        case date() | time():
            return value.isoformat()
        case _:
            return f"{value} ({type(value).__name__})"


_ENCODER = json.JSONEncoder(ensure_ascii=False, default=_as_json)


def missing(path: str, expected: str, where: Location | None = None) -> Finding:
    """`expected` describes the type: `whole number`, `list of card`."""
    return Finding(path, NOTHING, expected, where)


def empty(path: str, expected: str, where: Location | None = None) -> Finding:
    """A list, of the type that `expected` describes, is empty where a `need` row asks for some."""
    return Finding(path, "an empty list", f"{expected}, not empty", where)


def wrong_type(path: str, value: object, expected: str, where: Location | None = None) -> Finding:
    """A value is not of the type that `expected` describes."""
    return Finding(path, quoted(value), expected, where)


def of_digits(described: str, most: int) -> str:
    """A number's type, for one that has more digits."""
    return f"{described} of at most {most} digits"


def null_in_list(path: str, expected: str, where: Location | None = None) -> Finding:
    """An item of a list is null and may not be."""
    return Finding(path, "null", expected, where)


def unknown_key(
    path: str, key: str, known: Iterable[str], where: Location | None = None, spellings: Iterable[str] = ()
) -> Finding:
    """`path` includes the key; `spellings` are further ways to write the known ones."""
    names = list(known)
    key_words = _one_of("a key", key, (*names, *spellings))
    expected = f"one of {_listed(names)}" if key_words == "a key" and names else key_words
    return Finding(path, f"the unknown key {quoted(key)}", expected, where)


def unknown_name(
    path: str, value: str, vocabulary: str, names: Iterable[str], where: Location | None = None
) -> Finding:
    """`names` are the ids and labels of the vocabulary, for a suggestion."""
    return Finding(path, quoted(value), _one_of(vocabulary, value, names), where)


def ambiguous_name(path: str, value: str, ids: Iterable[str], where: Location | None = None) -> Finding:
    """A label or spelling is that of several names."""
    return Finding(path, f"{quoted(value)}, which names {' and '.join(ids)}", "one of them by its id", where)


def not_allowed(
    path: str, value: object, type_name: str, written: str, where: Location | None = None
) -> Finding:
    """`written` are the tests as the workbook has them: `[1..3]`."""
    return Finding(path, quoted(value), f"{type_name.removesuffix('?')} {written}".strip(), where)


def repeated_key(path: str, key: str, where: Location | None = None) -> Finding:
    """Two keys of a map or record mean the same name."""
    return Finding(path, f"{quoted(key)} twice", "each name once", where)


def not_an_option(path: str, value: object, options: Iterable[str], where: Location | None = None) -> Finding:
    """A recorded outcome of chance that chance cannot have given."""
    return Finding(path, quoted(value), f"one of {_listed(list(options))}", where)


def broken_check(path: str, value: object, message: str, where: Location | None = None) -> Finding:
    """`message` is the check's own wording."""
    return Finding(path, NOTHING if value is None else quoted(value), message, where)


def rules_fail(message: str, table: str | None, where: Location | None = None) -> Finding:
    """A sound record on which the rules have no answer; `message` says how they fail."""
    place = f" of table {table}" if table else ""
    found = cut(f"no answer, for the rules{place} fail: {message}", LONGEST_WORDS)
    return Finding("state", found, "a state that they answer", where)


def repeated_turn(path: str, turn: str) -> Finding:
    """`turn` as it is quoted."""
    return Finding(path, f"{turn}, which an earlier line has", "a turn of its own")


def too_large_for_column(path: str, value: object) -> Finding:
    """A whole number does not fit the 64 bits that a column has for it."""
    return Finding(path, quoted(value), "a whole number of 64 bits, for a column")


# -- words of a record's own keys ---------------------------------------------------------------


def wrong_turn(turn: object) -> Finding:
    """Of a turn that is neither a text nor a whole number."""
    return wrong_type("turn", turn, "text or a whole number")


def wrong_text(key: str, value: object) -> Finding:
    """Of `game` and of `ask`."""
    return wrong_type(key, value, "text")


def unknown_ask(name: str, asks: Iterable[str]) -> Finding:
    """Of an ask that the workbook has not; the nearest of its own is offered."""
    return unknown_name("ask", name, "one of the asks", asks)


def wrong_played(played: object) -> Finding:
    """Of what was played when it is no object."""
    return wrong_type("played", played, "an object with fields of the answer")


def wrong_state(path: str, state: object) -> Finding:
    """Of a state that is no object; null is as if it were not there."""
    return missing(path, "an object") if state is None else wrong_type(path, state, "an object")


def no_value_of_a_log(path: str, value: object, where: Location | None = None) -> Finding:
    """Of a value that may be of any type."""
    return wrong_type(path, value, "a value that a log can hold", where)


# -- words of what cannot be read --------------------------------------------------------------

IN_UTF8 = "UTF-8 text; in a spreadsheet, save it as CSV UTF-8"
LARGEST_LINE = "16 MiB"
_READABLE = "a value that can be read"


def no_json(why: str) -> Words:
    """A line is no JSON; `why` is the parser's reason with its character."""
    return Words(f"no JSON: {why}", "a JSON object")


def byte_order_mark_inside() -> Words:
    """A byte-order mark begins a line that is not the first."""
    return no_json("a byte-order mark that does not begin the log")


def no_json_object(value: object) -> Words:
    """A line is JSON of something else than an object."""
    return Words(quoted(value), "a JSON object")


def no_json_in_cell(cell: str, why: Words, of: str | None) -> Words:
    """`of` describes the type, where one is known."""
    return Words(f"{quoted(cell)}, which is {why.found}", why.wanted if of is None else f"{of}, as JSON")


def no_utf8(character: int | None = None) -> Words:
    """Bytes are no UTF-8; `character` is the place of the first, from 1, where it is known."""
    place = "" if character is None else f" at character {character}"
    return Words(f"bytes that are no UTF-8{place}", "UTF-8 text")


def no_utf8_in_csv(before: bytes = b"") -> Words:
    """Bytes of CSV are no UTF-8; what stands `before` helps to find them."""
    lines = before.decode("utf-8", "replace")[-20:].splitlines()
    return Words(f"bytes that are no UTF-8{f' after {quoted(lines[-1])}' if lines else ''}", IN_UTF8)


def half_a_pair() -> Words:
    """A text has half a surrogate pair, which no file can hold."""
    return Words("half a surrogate pair", "whole characters")


def too_deep() -> Words:
    """Objects and lists nest deeper than a record may."""
    return Words("objects nested too deep", "a JSON object")


def too_many_values(most: int) -> Words:
    """A record has more values than are read."""
    return Words(f"more than {most:,} values", "a record of sensible size")


def too_large_row(most: int) -> Words:
    """A row of a table would make a record with more values or bytes than are read."""
    return Words("a row that is too large", f"at most {most:,} values and {LARGEST_LINE}")


def long_line() -> Words:
    """A line of JSON has more bytes than are read."""
    return Words(f"a line over {LARGEST_LINE}", "a JSON object on one line")


def long_row(columns: int) -> Words:
    """A line of CSV has more bytes than are read."""
    return Words(f"a line over {LARGEST_LINE}", f"{columns} cells, as in the head")


def wrong_length(cells: int, columns: int) -> Words:
    """A row of CSV has more or fewer cells than the head."""
    return Words(f"a row of {cells} cells", f"{columns} cells, as in the head")


def no_csv(why: object) -> Words:
    """A row is no CSV; `why` is the parser's reason."""
    return Words(f"no CSV: {why}", "quotes around all of a cell")


def doubled_key(key: object) -> Words:
    """An object of JSON has one key twice, spelled alike."""
    return Words(f"the key {quoted(key)} twice", "each key once")


def no_text_for_key() -> Words:
    """A dict or map has a key that is no text."""
    return Words("a key that is no text", "text")


def too_many_digits(most: int) -> Words:
    """A number has more digits than are read."""
    return Words(f"a number of more than {most} digits", "a number")


def number_out_of_size(digits: str) -> Words:
    """The exponent of a number is outside of what numbers can have."""
    return Words(f"the number {digits[:40]}", "a number of sensible size")


def not_a_number(word: str) -> Words:
    """JSON says NaN or an infinity."""
    return Words(word, "a number")


def value_beside_fields() -> Words:
    """A column has a value for what other columns of the row give field by field."""
    return Words("a value beside fields of it", "one or the other")


def value_beside_rows(value: object, sheet: str) -> Words:
    """A cell has a value for a list whose items stand on a sheet of their own."""
    return Words(quoted(value), f"nothing beside the rows of sheet {sheet}")


def turn_of_nobody(turn: object, row: int, sheet: str, turns: str) -> Words:
    """`turns` is the sheet that has them all."""
    return Words(in_row(quoted(turn), row, sheet), f"a turn of sheet {quoted(turns)}")


def in_row(found: str, row: int, sheet: str) -> str:
    """Return what was found with its row and sheet, for rows that are no line of a log."""
    return f"{found} in row {row} of sheet {quoted(sheet)}"


def unreadable_cell(shown: str) -> Words:
    """A cell of a workbook holds an error, or what no value is made of."""
    return Words(cut(shown, MOST_QUOTED), "a value")


def moment_out_of_reach() -> Words:
    """A timestamp lies outside of the years that Python's dates have."""
    return Words("a moment that is out of reach", _READABLE)


def value_out_of_reach(kind: object) -> Words:
    """`kind` is the type that its source has for it."""
    return Words(f"a value of type {kind} that is out of reach", _READABLE)


def of_no_kind(value: object) -> Words:
    """A Python value of a class that no record has."""
    return Words(f"a value of type {type(value).__name__}", "text, a number, a list or an object")


def _listed(names: list[str]) -> str:
    return ", ".join(names[:MOST_LISTED]) + (", …" if len(names) > MOST_LISTED else "")


def _one_of(what: str, typed: str, known: Iterable[str]) -> str:
    close = nearest(typed, tuple(known))
    return what if close is None else f"{what}; did you mean {quoted(close)}?"


# -- what may have been meant ------------------------------------------------------------------


def nearest(typed: str, known: tuple[str, ...]) -> str | None:
    """The name most like what was typed, if one is like it. A log may have a million names that nobody knows,
    and a workbook thousands that are: only those that share most pairs of letters are compared."""
    if len(typed) > LONGEST_KEY:
        return None
    folded, names = typed.casefold(), _by_pairs(known)
    pairs = _pairs(folded)
    shared = Counter(place for pair in pairs for place in names.places.get(pair, ()))
    likely = nlargest(
        MOST_COMPARED,
        shared.items(),
        key=lambda item: (item[1] / (len(pairs) + names.sizes[item[0]]), -item[0]),
    )
    matcher = SequenceMatcher(b=folded)
    close: tuple[float, str] = (CLOSEST, "")
    for place, _ in likely:
        matcher.set_seq1(known[place].casefold())
        close = max(close, (matcher.ratio(), known[place]))
    return close[1] or None


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Which names have a pair of letters, and how many pairs each name has."""

    places: dict[str, list[int]]
    sizes: list[int]


@lru_cache(64)
def _by_pairs(known: tuple[str, ...]) -> _Pairs:
    pairs_of_names = _Pairs({}, [])
    for place, name in enumerate(known):
        pairs = _pairs(name.casefold())
        pairs_of_names.sizes.append(len(pairs))
        for pair in pairs:
            pairs_of_names.places.setdefault(pair, []).append(place)
    return pairs_of_names


def _pairs(text: str) -> set[str]:
    """The first and the last letter make one with nothing."""
    padded = f"\0{text[:LONGEST_KEY]}\0"
    return {padded[at : at + 2] for at in range(len(padded) - 1)}
