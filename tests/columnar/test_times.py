"""Times, dates with times and durations by columns and row by row: the same answers, the same rejects."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from functools import cache
from random import Random

import pandas as pd
import pyarrow as pa
import pytest

from dtables.answers.engines import compiled_engine
from dtables.checker import check_book
from dtables.columnar import FlatEngine, Why
from dtables.columnar.cells import from_arrow
from dtables.columnar.frames import answer_frame
from dtables.ruleset import Ruleset
from tests.columnar.test_frames import ONE_BY_ONE, same
from tests.support.drawing import book_text
from tests.support.thinned import draws

RULES = """
# Sheet: Rules
Input: visit
  field | type | default | allowed
  opens | time | | < @"23:00:00"
  seen | date and time | |
  day | date | |
  stay | days and time duration | @"P1D" | >= @"PT0S"
  term | years and months duration? | |

Decision: rated ; policy: first
  if | if | if | if | then
  opens | seen | stay | term | out
  [@"08:00:00"..@"12:30:00"] | < @"2026-03-01T10:00:00" | - | - | 1
  != @"18:00:00" | [@"2026-03-01T10:00:00"..@"2026-07-01T00:00:00") | > @"PT36H" | - | 2
  - | - | @"P1D" | >= @"P1Y6M" | 3
  > @"12:30:00" | >= @"2026-03-01T18:30:00" | - | not(@"P2Y", null) | 4
  - | - | - | - | 5

Formulas: more
  name | type | is
  late | boolean | opens > time("17:00:00")
  summer | boolean | day >= @"2026-06-21"

Ask: visit ; main: yes
  role | name | is
  answer | rated | rated
  answer | late | late
  answer | summer | summer
"""
ODD = (
    "",
    "24:00:00",
    "noon",
    "2026-02-30T10:00:00",
    "P",
    "-PT1S",
    "23:00:00",
    "10:00:00+02:00",
    "2026-03-01T10:00:00Z",
)


@cache
def rules() -> Ruleset:
    model, found = check_book(book_text(RULES)[0])
    assert model is not None, found
    return Ruleset(model)


def _clock(chance: Random) -> time:
    near = chance.choice(((8, 0), (12, 30), (17, 0), (18, 0), (0, 0), (22, 59)))
    moved = datetime(2026, 1, 2, *near) + timedelta(seconds=chance.choice((-1, 0, 0, 1, 1800)))
    return moved.time().replace(microsecond=chance.choice((0, 0, 0, 500_000)))


def _moment(chance: Random) -> datetime:
    near = chance.choice((datetime(2026, 3, 1, 10), datetime(2026, 3, 1, 18, 30), datetime(2026, 7, 1)))
    return near + timedelta(seconds=chance.choice((-86_400, -1, 0, 0, 1, 86_400)))


def _texts(chance: Random, count: int) -> pd.DataFrame:
    """Now and then a cell that is no value."""

    def column(draw: Sequence[str]) -> list[str]:
        return [chance.choice(ODD) if chance.random() < 0.03 else one for one in draw]

    return pd.DataFrame(
        {
            "opens": column([_clock(chance).isoformat() for _ in range(count)]),
            "seen": column([_moment(chance).isoformat() for _ in range(count)]),
            "day": column([_moment(chance).date().isoformat() for _ in range(count)]),
            "stay": column(
                [chance.choice(("P1D", "PT24H", "PT36H", "PT36H1S", "PT0.5S")) for _ in range(count)]
            ),
            "term": column([chance.choice(("P1Y6M", "P18M", "P17M", "P2Y", "")) for _ in range(count)]),
        }
    )


def _typed(chance: Random, count: int, unit: str) -> pd.DataFrame:
    kind = pa.time64(unit) if unit in ("us", "ns") else pa.time32(unit)
    texts = _texts(chance, count)
    opens = [_clock(chance).replace(microsecond=0) if unit == "s" else _clock(chance) for _ in range(count)]
    seen = [None if chance.random() < 0.05 else _moment(chance) for _ in range(count)]
    moments = pa.array(seen, pa.timestamp(unit))
    days = pa.array([one and datetime.combine(one.date(), time()) for one in seen], pa.timestamp(unit))
    columns = {"opens": pa.array(opens, kind), "seen": moments, "day": days}
    return texts.assign(
        **{name: pd.Series(one, dtype=pd.ArrowDtype(one.type)) for name, one in columns.items()}
    )


def _alike(frame: pd.DataFrame) -> None:
    engine = compiled_engine(rules().model, rules().source)
    same(rules().answer_frame(frame), answer_frame(engine, rules().model, frame, ONE_BY_ONE))


def test_texts() -> None:
    chance = Random(5)
    for _ in range(max(2, draws(10))):
        _alike(_texts(chance, 150))


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_columns_of_their_own_kinds(unit: str) -> None:
    chance = Random(unit)
    for _ in range(max(2, draws(6))):
        _alike(_typed(chance, 120, unit))


def test_midnights_are_moments_too() -> None:
    frame = _texts(Random(1), 60).assign(opens="09:00:00")
    frame["seen"] = pd.to_datetime([date(2026, 2, 26) + timedelta(days=n % 5) for n in range(60)])
    _alike(frame)


def test_they_are_answered_at_once() -> None:
    """What is clearly sound, and only that."""
    flat = rules()._flat_ask
    assert isinstance(flat, FlatEngine), flat
    opens, seen = time(9), datetime(2026, 2, 1, 12)
    columns = {
        ("opens",): pa.array([opens, opens, opens, time(23)], pa.time64("us")),
        ("seen",): pa.array([seen, None, datetime(2026, 8, 1, 1), seen], pa.timestamp("us")),
        ("day",): pa.array([seen.date()] * 4, pa.date32()),
        ("stay",): pa.array(["P2D"] * 4),
    }
    found = flat.answer({path: from_arrow(column) for path, column in columns.items()}, 4)
    assert list(found.doubtful) == [3]
    assert [found.answers[found.codes[row]].answer["rated"] for row in (0, 1, 2)] == [1, 5, 5]


def test_a_column_that_is_too_fine_is_looked_at_row_by_row() -> None:
    fine = pa.array([9 * 3600 * 10**9 + 1], pa.time64("ns"))
    _alike(_texts(Random(2), 1).assign(opens=pd.Series(fine, dtype=pd.ArrowDtype(fine.type))))


def test_a_time_that_is_worked_with_is_not_answered_by_columns() -> None:
    worked = RULES.replace('opens > time("17:00:00")', 'opens + @"PT1H" > time("17:00:00")')
    model, found = check_book(book_text(worked)[0])
    assert model is not None, found
    flat = Ruleset(model)._flat_ask
    assert isinstance(flat, Why) and flat.reason == "`opens` is worked with, not only compared with constants"
