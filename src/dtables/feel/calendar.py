"""Days of the Gregorian calendar, also before 1582 and beyond the years Python's dates know.

Years count as ISO 8601 does: there is a year 0. Day 0 is 1970-01-01.
"""

from __future__ import annotations

DAYS_BEFORE = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)


def is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def days_in_month(year: int, month: int) -> int:
    if month == 2:
        return 29 if is_leap(year) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def day_number(year: int, month: int, day: int) -> int:
    """Howard Hinnant's `days_from_civil`: years begin in March, so that the leap day stands last."""
    year -= month <= 2
    era, year_of_era = divmod(year, 400)
    day_of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    day_of_era = year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year
    return era * 146_097 + day_of_era - 719_468


def from_day_number(number: int) -> tuple[int, int, int]:
    """Year, month and day."""
    era, day_of_era = divmod(number + 719_468, 146_097)
    year_of_era = (day_of_era - day_of_era // 1460 + day_of_era // 36_524 - day_of_era // 146_096) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted = (5 * day_of_year + 2) // 153
    month = shifted + 3 if shifted < 10 else shifted - 9
    year = era * 400 + year_of_era + (month <= 2)
    return year, month, day_of_year - (153 * shifted + 2) // 5 + 1


def day_of_year(year: int, month: int, day: int) -> int:
    return DAYS_BEFORE[month - 1] + day + (month > 2 and is_leap(year))


def weekday(number: int) -> int:
    """1 is Monday, 7 Sunday."""
    return (number + 3) % 7 + 1


def iso_week(year: int, month: int, day: int) -> int:
    """The week belongs to the year that its Thursday stands in."""
    number = day_number(year, month, day)
    thursday = number + 4 - weekday(number)
    first = day_number(from_day_number(thursday)[0], 1, 1)
    return (thursday - first) // 7 + 1
