"""One line of a log: parsed without guessing, written without losing anything."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any, NoReturn


class Rejected(Exception):
    """A record that cannot be answered."""

    def __init__(self, path: str, found: object, wanted: str) -> None:
        self.path, self.found, self.wanted = path, found, wanted
        super().__init__(path)


def parse(line: bytes) -> dict[str, Any]:
    try:
        text = line.decode("utf-8")
        record = json.loads(
            text,
            object_pairs_hook=each_key_once,
            parse_float=Decimal,
            parse_int=whole,
            parse_constant=no_number,
        )
        if "\\u" in text:
            json.dumps(record, ensure_ascii=False, default=str).encode()
    except (UnicodeError, RecursionError, json.JSONDecodeError) as error:
        raise Rejected("$", str(error), "a JSON object") from None
    if not isinstance(record, dict):
        raise Rejected("$", record, "a JSON object")
    return record


def each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise Rejected("$", [key for key, _ in pairs], "each key once")
    return made


def whole(digits: str) -> int:
    if len(digits) > 400:
        raise Rejected("$", digits[:20], "a number of sensible size")
    return int(digits)


def no_number(word: str) -> NoReturn:
    raise Rejected("$", word, "a number")


def written(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
