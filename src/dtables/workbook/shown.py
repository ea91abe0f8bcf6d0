"""How a spreadsheet shows a date, near enough to be recognised by whoever typed it."""

from __future__ import annotations

import re
from datetime import date, datetime, time

_QUIET = re.compile(r'\[[^\]]*\]|"[^"]*"|\\.|_.|;.*|AM/PM|@|\*.')
_TOKEN = re.compile(r"y+|m+|d+|h+|s+(?:\.0+)?", re.IGNORECASE)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def shown_date(value: date | time | datetime, number_format: str) -> str:
    """By the tokens of the cell's number format; `m` next to hours or seconds means minutes."""
    plain = _QUIET.sub("", number_format).strip()
    tokens = list(_TOKEN.finditer(plain))
    if not tokens:
        return value.isoformat()
    pieces, end = [], 0
    for number, token in enumerate(tokens):
        around = [
            t.group()[0].lower()
            for t in (*tokens[max(0, number - 1) : number], *tokens[number + 1 : number + 2])
        ]
        minutes = token.group()[0].lower() == "m" and bool({"h", "s"} & set(around))
        pieces += [plain[end : token.start()], _piece(value, token.group().lower(), minutes)]
        end = token.end()
    return "".join([*pieces, plain[end:]]).strip()


def shows_time(number_format: str) -> bool:
    plain = _QUIET.sub("", number_format).lower()
    return "h" in plain or "s" in plain


def _piece(value: date | time | datetime, token: str, minutes: bool) -> str:
    clock = value if isinstance(value, datetime | time) else time()
    day = value if isinstance(value, date) else date(1900, 1, 1)
    width = 2 if len(token) > 1 else 1
    if minutes:
        return f"{clock.minute:0{width}d}"
    match token[0]:
        case "h":
            return f"{clock.hour:0{width}d}"
        case "s":
            return f"{clock.second:0{width}d}"
        case "y":
            return f"{day.year:04d}" if len(token) > 2 else f"{day.year % 100:02d}"
        case "m":
            return _MONTHS[day.month - 1] if len(token) > 2 else f"{day.month:0{width}d}"
        case _:
            return _DAYS[day.weekday()] if len(token) > 2 else f"{day.day:0{width}d}"
