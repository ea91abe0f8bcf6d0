"""Values of every kind given to inputs of every declared type, from every source, and what comes of them.

`yes`: it stays as it is given. `not date`: a date is wanted, and what is found is what is given, or stands
behind it in brackets. Else all is told.
"""

from __future__ import annotations

import csv
import json
import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import IntEnum, StrEnum
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from openpyxl import Workbook
from pyarrow import parquet

import dtables
from tests.frozen.keeping import hold_parts
from tests.frozen.turns import run
from tests.frozen.values import BROKEN, BROKEN_AT, JSON, LONG, TYPES, rules, write_values_book
from tests.support.golden import WRITE

FOLDER = Path(__file__).parent / "values"
Told = dict[str, Any]
Given = tuple[str, str]
"""An input and a value."""
Outcome = tuple[str, str, str]
"""And what came of it."""
WIDTH = 36
TOGETHER = 12
QUOTED = 120
UNSEEN = re.compile(r"[\x00-\x09\x0b-\x1f\ud800-\udfff]")
ALIKE = ("yes", "not ")


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("book") / "values.xlsx"
    write_values_book(path)
    return path


def hold(source: str, outcomes: Iterable[Outcome]) -> None:
    """What was given to an input, under its type."""
    told: dict[str, list[tuple[str, str]]] = {}
    for name, given, what in outcomes:
        told.setdefault(TYPES[name], []).append((shortened(given), what))
    parts = {type_: seen("\n".join(table(rows))) for type_, rows in told.items()}
    hold_parts(FOLDER / f"{source}.txt", parts)


def seen(text: str) -> str:
    return UNSEEN.sub(lambda one: repr(one[0])[1:-1], text)


def table(rows: list[tuple[str, str]]) -> Iterator[str]:
    """What many values come to alike is said once for a few neighbours."""
    for given, what in rows:
        if not what.startswith(ALIKE):
            yield f"{given:{WIDTH}} {what}"
    for start in range(0, len(rows), TOGETHER):
        alike: dict[str, list[str]] = {}
        for given, what in rows[start : start + TOGETHER]:
            if what.startswith(ALIKE):
                key, _, found = what.partition("\t")
                alike.setdefault(key, []).append(f"{given} ({found})" if found else given)
        yield from (f"{what}: {'  '.join(those)}" for what, those in alike.items())


def answered(given: str, got: str) -> str:
    if got in (given, quoted(given)):
        return "yes" if got == given else "yes, as text"
    return f"-> {shortened(got)}"


def quoted(given: str) -> str:
    return json.dumps(given, ensure_ascii=False)


def rejected(name: str, given: str, findings: list[Told], more: int = 0) -> str:
    first, place = findings[0], f"state.{name}"
    if first["path"] == place and len(findings) == 1 and not more:
        same = first["found"] in (given, cut(given), quoted(given), cut(quoted(given)))
        found = "" if same else cut(first["found"])
        return f"not {first['wanted']}\t{found}"
    words = "; ".join(f"{one['path']}: {cut(one['found'])}, wanted {one['wanted']}" for one in findings)
    return words.removeprefix(f"{place}: ") + (f"; and {more} more" if more else "")


def cut(text: str) -> str:
    return text if len(text) <= QUOTED else f"{text[: QUOTED - 1]}…"


def shortened(given: str) -> str:
    given = given.replace("\n", "\\n")
    return given if len(given) <= 60 else f"{given[:40]}… ({len(given)})"


# -- logs --------------------------------------------------------------------------------------


ANSWER = re.compile(r'\{"turn": (\d+), .*"answer": \{"got": (.*)\}\}')


def told_of(book: Path, log: Path, given: list[Given]) -> Iterator[Outcome]:
    """What became of the turns of a log, which are numbered from 1."""
    out = log.with_name("out.jsonl")
    run("eval", book, log, "-o", out)
    told: dict[int, str] = {}
    for line in out.read_text(encoding="utf-8").splitlines():
        found = ANSWER.fullmatch(line)
        assert found is not None, line
        told[int(found[1])] = answered(given[int(found[1]) - 1][1], found[2])
    for line in (log.with_name("out.rejected.jsonl")).read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        number = one.get("turn", one["line"])
        told[number] = rejected(*given[number - 1], [one, *one.get("also", ())], one.get("more", 0))
    assert sorted(told) == list(range(1, len(given) + 1))
    return ((name, value, told[n]) for n, (name, value) in enumerate(given, 1))


def plainly(given: str) -> str:
    """JSON as it is quoted."""
    return (
        given
        if given in BROKEN or given[0] not in '"[{'
        else json.dumps(json.loads(given), ensure_ascii=False)
    )


def test_json_lines(book: Path, tmp_path: Path) -> None:
    given = [(name, value) for name in TYPES for value in JSON if name in BROKEN_AT or value not in BROKEN]
    log = tmp_path / "log.jsonl"
    lines = (
        f'{{"turn": {n}, "ask": "get {name}", "state": {{"{name}": {value}}}}}\n'
        for n, (name, value) in enumerate(given, 1)
    )
    log.write_text("".join(lines), encoding="utf-8")
    hold("json_lines", told_of(book, log, [(name, plainly(value)) for name, value in given]))


def test_csv(book: Path, tmp_path: Path) -> None:
    """Texts as they stand, all else as JSON."""
    cells = [json.loads(value) if value[0] == '"' else value for value in JSON if value not in BROKEN]
    given = [(name, cell) for name in TYPES for cell in dict.fromkeys(cells)]
    log = tmp_path / "log.csv"
    with log.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["turn", "ask", *(f"state.{name}" for name in TYPES)])
        for n, (name, cell) in enumerate(given, 1):
            rows.writerow([n, f"get {name}", *(cell if one == name else "" for one in TYPES)])
    hold("csv", told_of(book, log, given))


EXCEL = [
    True, False, 0, 3, -1, 3.0, 3.7, 0.1, 0.1 + 0.2, 1e300, 1e-300, 2**53 + 1, 10**20, "", " ", "abc", "3",
    "true", "a", "red", "Rosso", "purple", "ball", "Easy", "=1+1", "'3", "2024-02-29", "29/02/2024", "P1D",
    "PT36H", "P14M", "10:30:00", "[]", "[1, null]", '["red", "Blu"]', '{"red": 1}', '{"tint": "Blu"}', "[1",
    "#N/A", "x\ny", date(2024, 2, 29), date(1900, 1, 1), datetime(2024, 2, 29),
    datetime(2024, 2, 29, 10, 30), datetime(2024, 2, 29, 10, 30, 0, 500_000), time(10, 30), time(0, 0),
    timedelta(hours=36), timedelta(days=1),
]  # fmt: skip
FORMULAS = {"=1+1": "f", "#N/A": "e"}


def test_excel(book: Path, tmp_path: Path) -> None:
    """Typed cells, a formula and an error among them."""
    given = [(name, value) for name in TYPES for value in EXCEL]
    made = Workbook()
    sheet = made.active
    sheet.append(["turn", "ask", *(f"state.{name}" for name in TYPES)])
    for n, (name, value) in enumerate(given, 1):
        sheet.append([n, f"get {name}"])
        cell = sheet.cell(n + 1, 3 + list(TYPES).index(name), value)
        if isinstance(value, str):
            cell.data_type = FORMULAS.get(value, "s")
    made.save(tmp_path / "log.xlsx")
    hold("excel", told_of(book, tmp_path / "log.xlsx", [(name, label(value)) for name, value in given]))


def label(value: Any) -> str:
    return (
        json.dumps(value, ensure_ascii=False)
        if isinstance(value, str)
        else _shown(value).removeprefix("datetime.")
    )


NOON = datetime(2024, 2, 29, 12, 30)
AT_NOON = NOON.replace(tzinfo=UTC)
STRUCT = pa.struct([("tint", pa.string()), ("size", pa.int64())])
ARROW: list[tuple[pa.DataType, Any]] = [
    (pa.null(), None), (pa.bool_(), True), (pa.bool_(), False), (pa.int8(), -1), (pa.int64(), 3),
    (pa.int64(), 2**63 - 1), (pa.uint64(), 2**64 - 1), (pa.float16(), np.float16(0.1)), (pa.float32(), 0.1),
    (pa.float32(), 3.0), (pa.float64(), 0.1), (pa.float64(), 3.0), (pa.float64(), -0.0),
    (pa.float64(), float("nan")), (pa.float64(), float("inf")), (pa.decimal128(10, 2), Decimal("3.00")),
    (pa.decimal128(10, 2), Decimal("3.70")), (pa.decimal128(38, 0), Decimal(LONG + "5")),
    (pa.decimal256(60, 40), Decimal("0." + LONG + "5")), (pa.string(), ""), (pa.string(), "abc"),
    (pa.string(), "3"), (pa.string(), "red"), (pa.string(), "Rosso"), (pa.string(), "crimson"),
    (pa.string(), "Easy"), (pa.string(), "2024-02-29"), (pa.string(), "PT36H"), (pa.string(), "[1, null]"),
    (pa.string(), '{"tint": "Blu"}'), (pa.large_string(), "ball"),
    (pa.dictionary(pa.int8(), pa.string()), "blue"), (pa.binary(), b"red"), (pa.date32(), NOON.date()),
    (pa.date64(), NOON.date()), (pa.time32("s"), NOON.time()), (pa.time64("us"), NOON.time()),
    (pa.timestamp("s"), datetime(2024, 2, 29)), (pa.timestamp("us"), NOON), (pa.timestamp("ns"), NOON),
    (pa.timestamp("us", "UTC"), AT_NOON), (pa.timestamp("us", "Europe/Rome"), AT_NOON),
    (pa.duration("us"), timedelta(hours=36)), (pa.list_(pa.int64()), [1, 2]), (pa.list_(pa.int64()), []),
    (pa.list_(pa.float64()), [3.0, None]), (pa.list_(pa.string()), ["red", "Blu"]),
    (pa.list_(pa.date32()), [NOON.date()]), (pa.list_(pa.list_(pa.int32())), [[1], []]),
    (STRUCT, {"tint": "Blu", "size": 3}), (STRUCT, {"tint": None, "size": None}),
    (pa.list_(STRUCT), [{"tint": "red"}]), (pa.struct([("red", pa.float64())]), {"red": 2.5}),
    (pa.map_(pa.string(), pa.int64()), [("red", 1)]),
]  # fmt: skip


def _shown(value: object) -> str:
    """In the same words whatever Python it is."""
    return f"OrderedDict({dict(value)!r})" if isinstance(value, OrderedDict) else repr(value)


def test_parquet(book: Path, tmp_path: Path) -> None:
    """A file for each of Arrow's types, a row in it for each of ours."""
    given = []
    (tmp_path / "logs").mkdir()
    for number, (type_, value) in enumerate(ARROW):
        columns = {name: pa.array([value if one == name else None for one in TYPES], type_) for name in TYPES}
        turns = pa.array(range(len(given) + 1, len(given) + len(TYPES) + 1))
        asks = pa.array([f"get {name}" for name in TYPES])
        table = pa.table(
            {"turn": turns, "ask": asks, **{f"state.{name}": one for name, one in columns.items()}}
        )
        parquet.write_table(table, tmp_path / "logs" / f"{number:02}.parquet")
        given += [(name, f"{type_} {label(value)}") for name in TYPES]
    hold("parquet", told_of(book, tmp_path / "logs", given))


# -- Python's values -----------------------------------------------------------------------------


class Level(IntEnum):
    LOW = 1


class Tint(StrEnum):
    RED = "red"


class Other:
    def __repr__(self) -> str:
        return "an object"


PYTHON: list[Any] = [
    None, True, False, 0, 3, -1, 2**63, int(LONG + "5"), 10**400, 3.0, 3.7, 0.1, 1e300, -0.0, float("nan"),
    float("inf"), Decimal(3), Decimal("3.00"), Decimal("3.70"), Decimal("0." + LONG),
    Decimal("0." + LONG + "5"), Decimal("1E+400"), Decimal("NaN"), Decimal("sNaN"), Decimal("-0"),
    Fraction(1, 2), 1j, np.int8(3), np.uint64(3), np.float16(0.1), np.float32(0.1), np.float64(0.1),
    np.float64(3.0), np.float64("nan"), np.bool_(True), np.str_("red"), np.datetime64("2024-02-29"),
    np.datetime64("2024-02-29T12:30"), np.timedelta64(36, "h"), np.array([1, 2]), np.array([1.5]),
    np.array(["red", "Blu"]), np.array(3), np.void(b"x"), pd.NA, pd.NaT, pd.Timestamp("2024-02-29"),
    pd.Timestamp("2024-02-29T12:30", tz="UTC"), pd.Timedelta("36h"), pd.Series([1, 2]), pd.Index(["red"]),
    Level.LOW, Tint.RED, "", "abc", "3", "red", "Rosso", "crimson", "purple", "ball", "Kite", "Easy",
    "\ud800", "a\0", b"red", bytearray(b"red"), Path("red"), "2024-02-29", "2024-02-29T00:00:00",
    "10:30:00", "PT36H", "P14M", date(2024, 2, 29), datetime(2024, 2, 29), NOON, AT_NOON, time(10, 30),
    time(10, 30, tzinfo=UTC), timedelta(hours=36), [], (), [1, 2], (1, 2), [1, None], {1, 2},
    frozenset([1]), range(2), [3.0], [True], ["1"], ["red", "Blu"], ("red",), [date(2024, 2, 29)],
    [np.int64(1)], [np.nan], [[1], (2,)], [{"tint": "red"}, {"size": "3"}], {}, {"red": 1},
    {"Rosso": Decimal("2.5")}, {"red": 1, "Rosso": 2}, {1: 2}, {None: 1}, {Tint.RED: 1}, {("red",): 1},
    {"tint": "Blu"}, {"tint": "red", "size": np.int64(2)}, {"tint": "red", "size": 2.0},
    {"tint": None, "other": 1}, OrderedDict(tint="red"), MappingProxyType({"tint": "red"}),
    {"ball": date(2024, 2, 29)}, {"a": {"b": {1}}}, Other(), Other, len,
]  # fmt: skip


def test_python() -> None:
    """A dict for `answer`."""
    hold("python", in_python(rules().reply))


@pytest.mark.skipif(WRITE, reason="the compiled rules are what is written")
def test_python__as_the_reference_reads_it() -> None:
    """Which wants names to be plain texts."""
    reply = rules().evaluator.reply
    hold("python", in_python(lambda ask, state: reply(ask, {name: plain(v) for name, v in state.items()})))


def plain(value: Any) -> Any:
    return str(value) if isinstance(value, str) else value


def in_python(reply: Callable[..., Any]) -> Iterator[Outcome]:
    for name in TYPES:
        yield from ((name, label(value), told_in_python(reply, name, value)) for value in PYTHON)


def told_in_python(reply: Callable[..., Any], name: str, value: Any) -> str:
    try:
        got = reply(f"get {name}", {name: value}).answer["got"]
    except dtables.RecordError as error:
        findings = [{"path": one.path, "found": one.found, "wanted": one.wanted} for one in error.findings]
        return rejected(name, label(value), findings, error.more)
    return answered(label(value), f"{label(got)} ({type(got).__name__})")


FOUND = re.compile(r"(.*?): found (.*), wanted (.*?)", re.DOTALL)


def test_frame() -> None:
    """A column of objects for each input."""
    values = [value for value in PYTHON if type(value) not in (pd.Series, pd.Index)]
    values = [value for value in values if repr(value) not in (repr(Decimal("sNaN")), repr("\ud800"))]
    given = [(name, value) for name in TYPES for value in values]
    cells = np.empty((len(given), len(TYPES)), object)
    for row, (name, value) in enumerate(given):
        cells[row, list(TYPES).index(name)] = value
    frame = pd.DataFrame(cells, columns=list(TYPES)).assign(ask=[f"get {name}" for name, _ in given])
    answers = rules().answer_frame(frame)
    told = zip(answers["got"], answers["rejected"], strict=True)
    hold(
        "frame",
        (
            (name, label(value), in_frame(name, label(value), *one))
            for (name, value), one in zip(given, told, strict=True)
        ),
    )


def in_frame(name: str, given: str, got: Any, why: str | None) -> str:
    if why is None:
        return answered(given, f"{label(got)} ({type(got).__name__})")
    found = FOUND.fullmatch(why)
    assert found is not None, why
    return rejected(name, given, [dict(zip(("path", "found", "wanted"), found.groups(), strict=True))])
