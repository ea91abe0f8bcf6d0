"""Everything at hand that is written in the language reads without a problem."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from defusedxml import ElementTree

from dtables.feel.builtins import BY_NAME
from dtables.feel.syntax.parser import (
    Dialect,
    KnownNames,
    parse_expression,
    parse_list,
    parse_tests,
    parse_type,
)
from tests.support.drawing import book_text

SHARED = Path(__file__).parents[3] / "shared"
KIT, SKETCH = SHARED / "tck" / "cases", SHARED / "sketch" / "duel.md"

BUILT_IN = KnownNames(BY_NAME)
TESTS = {"inputEntry", "outputValues", "inputValues", "allowedValues", "typeConstraint"}
EXPRESSIONS = {"outputEntry", "literalExpression", "inputExpression"}


def kit_texts(path: Path) -> Iterator[tuple[str, str, KnownNames]]:
    root = ElementTree.parse(path).getroot()
    names = KnownNames(e.attrib["name"] for e in root.iter() if "name" in e.attrib) | BUILT_IN
    for element in root.iter():
        tag = element.tag.rpartition("}")[2]
        for child in element:
            if child.tag.endswith("}text") and tag in TESTS | EXPRESSIONS:
                yield tag, child.text or "", names


@pytest.mark.skipif(not KIT.exists(), reason="the standard's test kit is not beside the project")
def test_parse__the_standards_kit() -> None:
    wrong: list[str] = []
    for path in sorted(KIT.rglob("*.dmn")):
        for tag, text, names in kit_texts(path):
            parse = parse_tests if tag in TESTS else parse_expression
            _, problems = parse(text, names, Dialect.STANDARD)
            wrong += [f"{path.name}: {text!r}: {problem.message}" for problem in problems]
    assert wrong == []


COLUMNS = {
    "is": parse_expression,
    "by": parse_expression,
    "only if": parse_expression,
    "then": parse_expression,
}
COLUMNS |= {"take": parse_expression, "wrong if": parse_expression}
CELLS = {"decision": {"if": parse_tests}, "scale": {"only for": parse_tests}}


@pytest.mark.skipif(not SKETCH.exists(), reason="the sketch of a whole game is not beside the project")
def test_parse__a_whole_game() -> None:
    text = re.sub(r"```alt.*?```", "", SKETCH.read_text(encoding="utf-8"), flags=re.DOTALL)
    book, _ = book_text(text)
    names = KnownNames(declared(book.tables))
    wrong: list[str] = []
    read = 0
    for table in book.tables:
        parsers = {**COLUMNS, **CELLS.get(table.kind, {}), "type": parse_type}
        for column, row, cell in cells(table):
            if column.role not in parsers or table.kind == "data" or cell.code == "":
                continue
            if column.role == "by" and any(other.code == "scale" for other in row.cells):
                continue
            read += 1
            _, problems = parsers[column.role](cell.code, names)
            wrong += [f"{cell.ref}: {cell.code}: {p.message}" for p in problems]
    assert wrong == []
    assert read > 500


def cells(table):
    for row in table.rows:
        yield from ((column, row, cell) for column, cell in zip(table.columns, row.cells, strict=True))


def declared(tables) -> Iterator[str]:
    """KnownNames of tables, rows and columns; of a name with parameters, the parameters too."""
    for table in tables:
        yield table.name
        yield from (parameter.name.text for parameter in table.marker.parameters)
        yield from (column.name.code for column in table.columns if column.name is not None)
        for row in table.rows:
            first = row.cells[0].code
            yield first.partition("(")[0].strip()
            yield from re.findall(r"[(,]\s*([^:,()]+):", first)
            if table.kind == "types":
                yield from (name.strip() for name in row.cells[1].code.split(","))
    yield from BY_NAME


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("c", 1),
        ("a b, c", 2),
        ("3 > 4 > 5", 3),
        ("c; c\na b", 3),
        ("[1, 2]", 2),
        ("c[item > 3]", 1),
        ("3-4-5-6", 4),
        ("if c then\n[1]\nelse [2]", 1),
        ("c\na b\n", 2),
        ("c +\n1", 1),
        ("[c, 1]\n[2]", 2),
        ('"a, b"; "c\nd"', 2),
        ("[1, 2][item > 1]", 1),
        ("for x in c return x > 1", 1),
    ],
)
def test_parse_list(text: str, count: int) -> None:
    items, problems = parse_list(text, KnownNames(["a b", "c"]))
    assert problems == ()
    assert items is not None and len(items) == count
