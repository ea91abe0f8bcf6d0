"""What a cell lets through, for every type that a column can have and every kind of test: one meaning."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pandas as pd
import pytest

from dtables.answers.engines import compiled_engine
from dtables.columnar.frames import answer_frame
from dtables.compilers.sql import to_sql
from dtables.diagnostics import Severity
from dtables.model.tables import Ruleset as Model
from dtables.ruleset import Ruleset
from dtables.verifier import verify
from tests.agreement.engines import Engines, ruleset
from tests.columnar.test_frames import ONE_BY_ONE, same
from tests.compilers_sql.duck import KEY, compared
from tests.support.drawing import book_text
from tests.support.rulesets import checked_book
from tests.support.thinned import swept

WORDS = """
Types: words
  name | names
  colour | red, green, blue

Types: narrowed
  name | of | allowed
  warm | colour | not(blue)
  score | whole number | [0..9]

Data: toy ; key: toy
  key | whole number
  toy | points
  ball | 1
  kite | 3
  top | 2

Record: box
  field | type
  tint | colour
  weight | whole number
"""


@dataclass(frozen=True)
class Kind:
    """A type, three of its values rising as a cell writes them, and the same as a record has them."""

    type: str
    written: Sequence[str]
    given: Sequence[Any]
    as_given: bool = True
    """Whether a frame can hold such values in a column."""


KINDS = [
    Kind("whole number", ["-1", "3", "7"], [-1, 3, 7]),
    Kind("number", ["0.5", "2.5", "3"], [Decimal("0.5"), Decimal("2.5"), 3]),
    Kind("score", ["0", "3", "9"], [0, 3, 9]),
    Kind("text", ['"a"', '"b"', '"c"'], ["a", "b", "c"]),
    Kind("boolean", ["no", "yes", "yes"], [False, True, True]),
    Kind("colour", ["red", "green", "blue"], ["red", "green", "blue"]),
    Kind("warm", ["red", "green", "red"], ["red", "green", "red"]),
    Kind("toy", ["ball", "kite", "top"], ["ball", "kite", "top"]),
    Kind(
        "date",
        ['date("2023-12-31")', '@"2024-02-29"', 'date("2024-03-01")'],
        ["2023-12-31", "2024-02-29", "2024-03-01"],
    ),
    Kind("time", ['@"09:00:00"', 'time("10:30:00")', '@"23:59:59"'], ["09:00:00", "10:30:00", "23:59:59"]),
    Kind(
        "date and time",
        ['@"2023-12-31T10:00:00"', 'date and time("2024-02-29T00:00:00")', '@"2024-02-29T00:00:01"'],
        ["2023-12-31T10:00:00", "2024-02-29T00:00:00", "2024-02-29T00:00:01"],
    ),
    Kind("days and time duration", ['@"-P1D"', 'duration("PT36H")', '@"P2D"'], ["-P1D", "PT36H", "P2D"]),
    Kind("years and months duration", ['@"P1M"', 'duration("P1Y")', '@"P14M"'], ["P1M", "P1Y", "P14M"]),
    Kind("list of colour", ["[]", "[red]", "[red, blue]"], [[], ["red"], ["red", "blue"]], False),
    Kind("list of whole number", ["[]", "[1]", "[1, 2]"], [[], [1], [1, 2]], False),
    Kind(
        "box",
        ["{tint: red, weight: 1}", "{tint: red, weight: 2}", "{tint: blue, weight: 1}"],
        [{"tint": "red", "weight": 1}, {"tint": "red", "weight": 2}, {"tint": "blue", "weight": 1}],
        False,
    ),
    Kind(
        "whole number by colour",
        ["{red: 1}", "{}", "{red: 1, blue: 2}"],
        [{"red": 1}, {}, {"blue": 2, "red": 1}],
        False,
    ),
    Kind("any", ["3", '"a"', "no"], [3, "a", False], False),
]  # fmt: skip
OPTIONAL = [Kind(f"{kind.type}?", kind.written, kind.given, kind.as_given) for kind in KINDS[:-1]]

CELLS = [
    "{a}", "{b}, {c}", "not({b})", "not({a}, {c})", "!= {b}", "not(!= {b})", "!= {a}, {a}", "!= {a}, != {b}",
    "null", "null, {b}", "not(null)", "!= null", "not(!= null)", "!= null, {a}",
    "other", "not(other)", "!= other", "not(!= other)", "!= other, null", "< other", "[other..{c}]",
    "< {b}", "<= {b}", "> {b}", ">= {b}", "not(> {b})", "[{a}..{b}]", "({a}..{c})", "not([{b}..{c}])",
    "[{a}, {c}]", "[{b}, other]", "[]", "? = {b}", "? != {b}", "? != other", "? = null",
    "each colour", "[red, green]",
]  # fmt: skip


def world(kind: Kind, cells: Sequence[str], rest: str = "") -> str:
    tables = []
    for number, cell in enumerate(cells):
        tables.append(
            f"Decision: d{number} ; policy: first\n  if | then\n  value | out\n  {cell} | 1\n  - | 2"
        )
        tables.append(f"Formula: f{number}\n  step | type | is\n  result | | value in ({cell})")
    fields = f"Input: state\n  field | type\n  value | {kind.type}\n  other | {kind.type}"
    return "\n\n".join([WORDS, fields, *tables, rest])


def accepted(kind: Kind) -> list[str]:
    """The cells that can be written in such a column, in `in (…)` as well. All are checked in one workbook,
    and again without those that are refused: some mistakes are told only when others are gone."""
    a, b, c = kind.written
    cells = [cell.format(a=a, b=b, c=c) for cell in CELLS]
    while refused := _refused(kind, cells):
        cells = [cell for number, cell in enumerate(cells) if number not in refused]
    return cells


def _refused(kind: Kind, cells: Sequence[str]) -> set[int]:
    """The places of cells with errors: the numbers that their tables are called by."""
    book, found = book_text(f"# Sheet: Rules\n{world(kind, cells)}", "book.xlsx")
    _, said = checked_book(book, found)
    rows = [table.marker.cell.ref.row for table in book.tables]
    errors = [one.where.cell.row for one in said if one.severity is Severity.ERROR]
    return {int(book.tables[bisect(rows, row) - 1].name[1:]) for row in errors}


def records(kind: Kind) -> list[dict[str, Any]]:
    others = [*kind.given, *([None] if kind.type.endswith("?") else [])]
    return [{"value": value, "other": other} for value in [*others, None] for other in others]


def in_an_ask(names: Sequence[str]) -> str:
    rows = [f"  answer | {name} | {name}" for name in names]
    return "\n".join(["Ask: turn ; main: yes", "  role | name | is", *rows])


@pytest.mark.parametrize("kind", [*KINDS, *OPTIONAL], ids=lambda kind: kind.type)
def test_every_engine_lets_the_same_through(kind: Kind) -> None:
    cells = accepted(kind)
    assert len(cells) > 12, cells
    cells = swept(cells, [*KINDS, *OPTIONAL].index(kind))
    names = [f"{letter}{number}" for number in range(len(cells)) for letter in "df"]
    model = ruleset(world(kind, cells, in_an_ask(names)))
    assert model is not None
    engines = Engines(model)
    for record in records(kind):
        for name in names:
            engines.call(name, record)
        engines.answer(record)
    verify(model)
    if kind.as_given:
        by_columns(model, kind)
    in_a_database(kind, cells, names)


def by_columns(model: Model, kind: Kind) -> None:
    rules = Ruleset(model)
    frame = pd.DataFrame(records(kind) * 3, dtype=object)
    engine = compiled_engine(model, rules.source)
    same(rules.answer_frame(frame), answer_frame(engine, model, frame, ONE_BY_ONE))


def in_a_database(kind: Kind, cells: Sequence[str], names: Sequence[str]) -> None:
    """What SQL cannot say it says so."""
    model = ruleset(world(kind, cells))
    assert model is not None
    said = [name for name in names if to_sql(model, name).sql is not None]
    if not said:
        return
    model = ruleset(world(kind, cells, in_an_ask(said)))
    assert model is not None
    compiled = to_sql(model, "turn", keys=(KEY,))
    differing = compared(
        compiled, model, "turn", [{k: v for k, v in r.items() if v is not None} for r in records(kind)]
    )
    assert not differing, "\n".join(differing)
