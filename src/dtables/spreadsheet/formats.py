"""Number formats: which of them make days and times of the numbers in a file, and how these are shown."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from functools import lru_cache

GENERAL = "General"
BUILT_IN = {
    0: GENERAL, 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00",
    5: '"$"#,##0_);("$"#,##0)', 6: '"$"#,##0_);[Red]("$"#,##0)',
    7: '"$"#,##0.00_);("$"#,##0.00)', 8: '"$"#,##0.00_);[Red]("$"#,##0.00)',
    9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??",
    14: "mm-dd-yy", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy",
    18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: "m/d/yy h:mm",
    37: "#,##0_);(#,##0)", 38: "#,##0_);[Red](#,##0)",
    39: "#,##0.00_);(#,##0.00)", 40: "#,##0.00_);[Red](#,##0.00)",
    41: r'_(* #,##0_);_(* \(#,##0\);_(* "-"_);_(@_)',
    42: r'_("$"* #,##0_);_("$"* \(#,##0\);_("$"* "-"_);_(@_)',
    43: r'_(* #,##0.00_);_(* \(#,##0.00\);_(* "-"??_);_(@_)',
    44: r'_("$"* #,##0.00_)_("$"* \(#,##0.00\)_("$"* "-"??_)_(@_)',
    45: "mm:ss", 46: "[h]:mm:ss", 47: "mmss.0", 48: "##0.0E+0", 49: "@",
}  # fmt: skip
"""Those that no workbook spells out, by their numbers. Others below `FIRST_OWN` show a number as it is."""
FIRST_OWN = 164

SINCE_1900, SINCE_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)
_BEFORE_MARCH = 60
"""The first calendar has a 29th of February 1900."""
_DAY = 86_400_000
"""Milliseconds."""

_PLAIN = re.compile(r'".*?"|\[(?!hh?\]|mm?\]|ss?\])[^\]]*\]')
_PART_OF_DATE = re.compile(r"(?<![_\\])[dmhysDMHYS]")
_DURATION = re.compile(r"\[hh?\](:mm(:ss(\.0*)?)?)?|\[mm?\](:ss(\.0*)?)?|\[ss?\](\.0*)?", re.IGNORECASE)


def shows_dates(number_format: str) -> bool:
    """Say whether a number under this format is a day, a time or a duration. What holds for positive numbers
    counts, and neither quoted texts nor colours and languages do."""
    return _PART_OF_DATE.search(_PLAIN.sub("", number_format.split(";")[0])) is not None


def shows_durations(number_format: str) -> bool:
    """Say whether a number under this format is a length of time: its hours may be more than 24."""
    return _DURATION.search(number_format.split(";")[0]) is not None


def duration_of(days: float) -> timedelta:
    """Return the duration that a number stands for, to the millisecond."""
    found = timedelta(days=days)
    if not found.microseconds:
        return found
    return timedelta(seconds=found.total_seconds() // 1, microseconds=round(found.microseconds, -3))


def date_of(days: float, epoch: datetime) -> datetime | time:
    """Return the day with its time, or the time alone, that a number stands for. Raises OverflowError and
    ValueError outside the calendar."""
    day, fraction = divmod(days, 1)
    clock = timedelta(milliseconds=round(fraction * _DAY))
    if 0 <= days < 1 and not clock.days:
        return (datetime.min + clock).time()
    if 0 < days < _BEFORE_MARCH and epoch == SINCE_1900:
        day += 1
    return epoch + timedelta(days=day) + clock


# -- as they are shown --------------------------------------------------------------------------
# How a spreadsheet shows a date, near enough to be recognised by whoever typed it.

_QUIET = re.compile(r'\[[^\]]*\]|"[^"]*"|\\.|_.|;.*|AM/PM|@|\*.')
_TOKEN = re.compile(r"y+|m+|d+|h+|s+(?:\.0+)?", re.IGNORECASE)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


@lru_cache(maxsize=4096)
def shown_date(value: date | time | datetime, number_format: str) -> str:
    """Spell a date by the tokens of the cell's number format; `m` next to hours or seconds means minutes."""
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


@lru_cache(maxsize=256)
def shows_time(number_format: str) -> bool:
    """Say whether a number format shows a time of day. The format's quoted texts do not count."""
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
