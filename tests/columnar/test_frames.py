"""Frames by columns and record by record: the same answers, the same rejects, in the same order."""

from __future__ import annotations

from decimal import Decimal
from random import Random

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from dtables.answers.engines import compiled_engine
from dtables.checker import check_book
from dtables.columnar import FlatEngine, Why
from dtables.columnar.cells import from_arrow, from_series
from dtables.columnar.frames import answer_frame, table_frame
from dtables.model.tables import Ruleset as Model
from dtables.model.tables import table_name
from dtables.ruleset import Ruleset
from tests.agreement import worlds
from tests.agreement.frames import any_frame, full_frame
from tests.support.drawing import book_text
from tests.support.thinned import draws

QUICK = settings(
    max_examples=draws(80),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
ONE_BY_ONE = Why("for comparison")


def ruleset(*tables: str) -> Ruleset:
    model: Model | None = worlds.ruleset(worlds.FLAT_FORMULAS, *tables)
    if model is None:
        reject()
    return Ruleset(model)


def same(found: pd.DataFrame, wanted: pd.DataFrame) -> None:
    pd.testing.assert_frame_equal(found, wanted, check_like=False)
    for name in wanted:
        assert [repr(v) for v in found[name]] == [repr(v) for v in wanted[name]]


@QUICK
@given(
    worlds.flat_decision(), worlds.flat_ask(), st.booleans(), st.lists(any_frame(), min_size=3, max_size=3)
)
def test_asks(decision: str, ask: str, checked: bool, drawn: list[pd.DataFrame]) -> None:
    rules = ruleset(decision, ask, worlds.FLAT_CHECKS if checked else "")
    assert isinstance(rules._flat_ask, FlatEngine), rules._flat_ask
    engine = compiled_engine(rules.model, rules.source)
    for frame in drawn:
        same(rules.answer_frame(frame), answer_frame(engine, rules.model, frame, ONE_BY_ONE))


@QUICK
@given(worlds.flat_decision(), st.lists(any_frame(), min_size=3, max_size=3))
def test_tables(decision: str, drawn: list[pd.DataFrame]) -> None:
    rules = ruleset(decision)
    table = next(one for one in rules.model.tables if table_name(one) == "tried")
    assert isinstance(rules._flat_table("tried"), FlatEngine), rules._flat_table("tried")
    for frame in drawn:
        wanted = table_frame(rules.model, table, rules.tables["tried"], frame, ONE_BY_ONE)
        same(rules.table_frame("tried", frame), wanted)


@pytest.mark.parametrize("subject", worlds.FLAT_SUBJECTS)
def test_each_subject_alone(subject: str) -> None:
    """What a condition hangs on is looked at, however far away it is read."""
    rules = ruleset(worlds.each_test(subject))
    table = next(one for one in rules.model.tables if table_name(one) == "tried")
    assert isinstance(rules._flat_table("tried"), FlatEngine), rules._flat_table("tried")
    frame = full_frame(Random(subject), 300)
    wanted = table_frame(rules.model, table, rules.tables["tried"], frame, ONE_BY_ONE)
    same(rules.table_frame("tried", frame), wanted)
    assert wanted["tried"].map(str).nunique() > 1


ORDERS = """
# Sheet: Rules
Input: order
  field | type | default
  amount | whole number |
  price | number |
  limit | whole number | 100

Decision: checked ; policy: first
  if | if | then
  amount * price + 5 | amount > limit | out
  > 1000.5 | - | large
  - | yes | over
  [0..20) | - | small
  - | - | plain

Types: outcomes
  name | names
  outcome | large, over, small, plain

Ask: order ; main: yes
  role | name | is
  answer | checked | checked
"""


@pytest.mark.parametrize(
    "kind", [pa.decimal128(9, 2), pa.decimal128(18, 16), pa.decimal128(5, 0), pa.float64()]
)
def test_decimals_are_compared_at_once(kind: pa.DataType) -> None:
    table = (
        "Decision: tried ; policy: first\n  if | then\n  rate | out\n  (2.5..3] | 1\n  < 0.35 | 2\n  - | 3"
    )
    engine = ruleset(table)._flat_table("tried")
    assert isinstance(engine, FlatEngine), engine
    whole = kind == pa.decimal128(5, 0)
    rates = ["0", "1", "3", None] if whole else ["0", "0.1", "0.34", "0.35", "2.5", "2.51", "3", "3.01", None]
    given = pa.array([None if one is None else Decimal(one) for one in rates], pa.decimal128(18, 16)).cast(
        kind
    )
    answers = engine.answer({("rate",): from_arrow(given)}, len(given))
    assert list(answers.doubtful) == [0]
    found = [answers.answers[code] for code in answers.codes[1:]]
    assert found == ([3, 1, 3] if whole else [2, 2, 3, 3, 1, 1, 3, 3])


def test_numbers_that_are_worked_out_are_compared_at_once() -> None:
    """What they are compared with are the borders; where a default may count, or 64 bits do not hold them, a
    row is a record like any other."""
    book, _ = book_text(ORDERS)
    model, found = check_book(book)
    assert model is not None, found
    rules = Ruleset(model)
    engine = rules._flat_ask
    assert isinstance(engine, FlatEngine), engine
    chance = Random(4)
    rows = [
        [chance.randrange(-3, 130), chance.randrange(-4, 30), chance.choice([90, 101])] for _ in range(400)
    ]
    frame = pd.DataFrame([*rows, [199, 5, 300], [2, 498, 300], [1, 14, 9], [1, 15, 9]])
    frame.columns = pd.Index(["amount", "price", "limit"])
    cells = {(name,): from_series(frame[name]) for name in frame}
    assert not len(engine.answer(cells, len(frame)).doubtful)
    answers = rules.answer_frame(frame)
    assert list(answers["checked"][-4:]) == ["plain", "large", "small", "plain"]
    some = frame.assign(limit=frame["limit"].astype("Int64").mask(frame["amount"] % 2 == 0))
    far = frame.assign(amount=frame["amount"] * 10**15, price=frame["price"] * 10**4)
    half = frame.assign(price=frame["price"] + 0.25)
    for one in (frame, some, far, half, frame.drop(columns="limit"), frame.drop(columns="amount")):
        same(
            rules.answer_frame(one),
            answer_frame(compiled_engine(model, rules.source), model, one, ONE_BY_ONE),
        )
    assert (
        len(engine.answer({**cells, ("limit",): from_series(some["limit"])}, len(frame)).doubtful)
        == (frame["amount"] % 2 == 0).sum()
    )


@pytest.mark.parametrize("columns", [2, 8, 40])
def test_many_combinations(columns: int) -> None:
    """A cube of all, those that were met, and more than can be numbered."""
    names = [f"f{number}" for number in range(columns)]
    tests = [" | ".join(f">= {10 * row + number}" for number in range(columns)) for row in range(9, 0, -1)]
    table = "\n".join(
        [
            "Decision: tried ; policy: first ; otherwise: 0",
            "  " + " | ".join([*["if"] * columns, "then"]),
            "  " + " | ".join([*names, "out"]),
            *(f"  {row} | {number}" for number, row in enumerate(tests, 1)),
        ]
    )
    fields = "\n".join(f"  {name} | rank" for name in names)
    types = "Types: narrower\n  name | of | allowed\n  rank | whole number | [0..200]"
    book, _ = book_text(f"# Sheet: Rules\n{types}\n\nInput: state\n  field | type\n{fields}\n\n{table}")
    model, found = check_book(book)
    assert model is not None, found
    rules = Ruleset(model)
    chance = Random(columns)
    rows = [[base + chance.choice([0, 0, 20]) for _ in names] for base in range(0, 190, 3) for _ in range(4)]
    frame = pd.DataFrame(rows, columns=names)
    one = next(one for one in model.tables if table_name(one) == "tried")
    wanted = table_frame(model, one, rules.tables["tried"], frame, ONE_BY_ONE)
    same(rules.table_frame("tried", frame), wanted)
    assert wanted["rejected"].notna().sum() > 0 and wanted["tried"].nunique() > 2


NEEDING = """
Types: names
  name | names
  hue | rust, teal

Input: state
  field | type
  n | whole number
  held | number by hue
  free | number

Ask: turn ; main: yes
  role | name | is
  need each | held | if n > 3 then [rust] else [teal]
  need | free | n = 9
  answer | r | if free = null then 1 else 2
"""


def test_what_names_and_conditions_of_needs_read_is_read() -> None:
    """Nothing else of the ask reads it."""
    book, _ = book_text(NEEDING)
    model, found = check_book(book)
    assert model is not None, found
    rules, chance = Ruleset(model), Random(4)
    engine = compiled_engine(rules.model, rules.source)
    values = [
        [chance.choice([0, 3, 4, 9]), *(chance.choice([None, 1.5]) for _ in range(3))] for _ in range(200)
    ]
    frame = pd.DataFrame(values, columns=["n", "held.rust", "held.teal", "free"])
    answered = rules.answer_frame(frame)
    same(answered, answer_frame(engine, rules.model, frame, ONE_BY_ONE))
    assert 0 < answered["r"].isna().sum() < len(frame)


PLACED = """
Types: names
  name | names
  side | north, south

Record: city
  field | type
  who | side
  coins | whole number
  rich | boolean

Input: state
  field | type | fixed
  home | city | who: north
  away | city | who: south
  who | side |

Ask: turn ; main: yes
  role | name | is
  answer | first | home.who
  answer | second | if away.who = south and away.coins > 2 then 1 else 0
  answer | third | who
"""


def test_what_a_place_fixes_is_read_from_no_column() -> None:
    book, _ = book_text(PLACED)
    model, found = check_book(book)
    assert model is not None, found
    rules, chance = Ruleset(model), Random(5)
    engine = compiled_engine(rules.model, rules.source)
    frame = pd.DataFrame(
        {
            "home.coins": [chance.choice([0, 7]) for _ in range(60)],
            "away.coins": [chance.choice([3, -1]) for _ in range(60)],
            "who": [chance.choice(["north", "south"]) for _ in range(60)],
        }
    )
    assert isinstance(rules._flat_ask, FlatEngine), rules._flat_ask
    answered = rules.answer_frame(frame)
    same(answered, answer_frame(engine, rules.model, frame, ONE_BY_ONE))
    assert set(answered["first"].dropna()) == {"north"} and set(answered["third"].dropna()) == {
        "north",
        "south",
    }
