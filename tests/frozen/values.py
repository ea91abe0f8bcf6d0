"""A workbook that asks for each of its inputs back, one of every declared type; and values for them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import dtables
from dtables.ruleset import Ruleset
from tests.support.drawing import write_book

TYPES = {
    "truth": "boolean",
    "number": "number",
    "count": "whole number",
    "score": "score",
    "level": "level",
    "share": "share",
    "rank": "rank",
    "text": "text",
    "code": "code",
    "day": "date",
    "clock": "time",
    "moment": "date and time",
    "hours": "days and time duration",
    "months": "years and months duration",
    "tint": "colour",
    "warm": "warm",
    "top": "top colour",
    "toy": "toy",
    "box": "box",
    "numbers": "list of number",
    "counts": "list of (whole number?)",
    "texts": "list of text",
    "days": "list of date",
    "tints": "list of colour",
    "boxes": "list of box",
    "tables": "list of list of number",
    "stock": "number by colour",
    "lent": "date by toy",
    "anything": "any",
    "spare_number": "number?",
    "spare_text": "text?",
    "spare_day": "date?",
    "spare_tint": "colour?",
    "spare_box": "box?",
}
BOOK = """
# Sheet: Rules
Types: words
  name | names
  colour | red, blue, grey 1
  rank | low, high

Types: narrowed
  name | of | allowed
  warm | colour | not(blue)
  score | whole number | [0..9]
  share | number | [0..1]
  level | whole number | [1..3]
  code | text | "a", "b"

Types: more
  name | of | plus
  top colour | colour | none

Data: toy ; key: toy
  key | whole number
  toy | points
  ball | 1
  kite | 3

Record: box
  field | type | default | is
  tint | colour | |
  size | whole number | 1 |
  double | whole number | | 2 * size

Glossary: labels
  kind | id | label it | label en | also
  colour | red | Rosso | Scarlet | crimson
  colour | blue | Blu | Azure | sky, crimson
  level | 1 | Facile | Easy | plain
  toy | kite | Aquilone | Kite |

Input: state
  field | type
"""


@cache
def rules() -> Ruleset:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "values.xlsx"
        write_values_book(path)
        return dtables.load(path)


def write_values_book(path: Path) -> None:
    fields = "".join(f"  {name} | {type_}\n" for name, type_ in TYPES.items())
    asks = "".join(f"\nAsk: get {name}\n  role | name | is\n  answer | got | {name}\n" for name in TYPES)
    write_book(BOOK + fields + asks, path)


LONG = "1234567890123456789012345678901234"
JSON = [
    "null", "true", "false",
    "0", "1", "2", "3", "10", "-1", "-0", "3.0", "3.7", "0.5", "-0.0", "1e2", "1E-2", "5e-1", "1.50", "0.1",
    "9007199254740993", "9223372036854775808", LONG, LONG + "5", "1" + "0" * 34, "0." + LONG,
    "0." + LONG + "5",
    "1e400", "1e-400", "1e6145", "9" * 400, "9" * 401, "NaN", "Infinity", "-Infinity",
    '""', '" "', '"abc"', '"a"', '"A"', '"a "', '"3"', '"03"', '"3.0"', '"1e2"', '"0x10"', '"٣"',
    '"true"', '"TRUE"',
    '"yes"', '"null"', '"NaN"', '"caf\\u00e9"', '"cafe\\u0301"', '"\\u0000"', '"a\\nb"', '"\\ud83d\\ude00"',
    '"\\ud800"', f'"{"x" * 130}"', '"=1+1"', '"\'=1"',
    '"2024-02-29"', '"2023-02-29"', '"2024-2-9"', '"20240229"', '"29/02/2024"', '"02/29/2024"', '"2024-02"',
    '"2024-W09-4"', '"0000-01-01"', '"-0044-03-15"', '"9999-12-31"', '"10000-01-01"', '" 2024-02-29"',
    '"2024-02-29Z"', '"2024-02-29T00:00:00"', '"2024-02-29 00:00:00"', '"2024-02-29T00:00"',
    '"2024-02-29T00:00:00.000"', '"2024-02-29T00:00:00.5"', '"2024-02-29T00:00:00Z"',
    '"2024-02-29T00:00:00+01:00"', '"2024-02-29T10:30:00"', '"2024-02-29T10:30:00.123456789"',
    '"2024-02-29T24:00:00"', '"2024-02-29T10:30:00@Europe/Rome"', '"2024-02-29t10:30:00"',
    '"10:30:00"', '"10:30"', '"10:30:00Z"', '"10:30:00+02:00"', '"10:30:00.25"', '"24:00:00"', '"25:00:00"',
    '"T10:30:00"', '"10.30"',
    '"P1D"', '"PT36H"', '"PT0S"', '"-P1D"', '"P1DT2H3M4.5S"', '"P1W"', '"P1M"', '"P1Y2M"', '"-P1Y"',
    '"P14M"',
    '"P1Y1D"', '"P"', '"PT"', '"p1d"', '"P1.5D"',
    '"red"', '"RED"', '"Rosso"', '"rosso "', '"scarlet"', '"crimson"', '"blue"', '"sky"', '"grey 1"',
    '"grey_1"',
    '"Grey  1"', '"purple"', '"rde"', '"none"', '"low"', '"Low"', '"ball"', '"Kite"', '"Aquilone"',
    '"kiet"',
    '"Easy"', '"Facile"', '"plain"',
    "[]", "[1]", "[1, 2.5]", "[3.0]", "[1, null]", "[null]", "[true]", '["1"]', '["a", "b"]',
    '["red", "Blu"]',
    '["red", "purple", "green"]', '["2024-02-29"]', '["2024-02-30", "x"]', "[[1], []]", "[[1, [2]]]",
    "[{}]",
    '[{"tint": "red"}, {"tint": "Blu", "size": 3}]', '[{"tint": "red"}, {"size": "3"}, 4]', "[1, 1]",
    "{}", '{"red": 1}', '{"Rosso": 1, "blue": 2.5}', '{"red": 1, "Rosso": 2}', '{"red": null}',
    '{"red": "1"}',
    '{"purple": 1}', '{"": 1}', '{"ball": "2024-02-29"}', '{"ball": "x", "boat": "2024-02-29"}',
    '{"tint": "red"}', '{"tint": "red", "size": 2}', '{"tint": "red", "size": 2, "double": 4}',
    '{"size": 2}',
    '{"tint": null}', '{"tint": "red", "size": "2", "other": 1}', '{"Tint": "red"}',
    '{"a": {"b": [1, {}]}}',
    '{"a": 1, "a": 2}', '{"tint": "red", "tint": "blue"}', '{"tin": "red"}',
]  # fmt: skip
BROKEN = {
    "9" * 401, "NaN", "Infinity", "-Infinity", '"\\ud800"', '{"a": 1, "a": 2}',
    '{"tint": "red", "tint": "blue"}',
}  # fmt: skip
"""Found while a line is parsed, whatever type is declared."""
BROKEN_AT = ("number", "box", "anything")
