"""Wherever a number, a date or a turn is read from text, only 0 to 9 are digits."""

from __future__ import annotations

import ast
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from dtables.checker import check_book
from dtables.cli import main
from dtables.diagnostics import render
from dtables.feel.errors import FeelError
from dtables.feel.functions import conversion, patterns
from dtables.feel.functions.conversion import parse_range
from dtables.feel.temporal import parse_temporal
from tests.support.drawing import book_text, write_book
from tests.support.source import modules, nodes

OTHER_DIGITS = ("٢", "२", "２", "𝟚", "²", "২")

BOOK = """
# Sheet: Rules

Input: state
  field | type | default
  n | number | 0
  day | date | @"2026-01-01"

Ask: pick ; main: yes
  role | name | is
  answer | many | n > 2
  answer | late | day > @"2026-01-01"
"""


def test_no_module_takes_the_digits_of_other_scripts() -> None:
    """Python's `\\d`, `int` and their like do; `digits.py` says what a number in a text is."""
    assert [
        where for path in modules() if path.name != "digits.py" for where in takes_other_digits(path)
    ] == []


def takes_other_digits(path: Path) -> Iterator[str]:
    for node in nodes(path):
        match node:
            case ast.Attribute(attr="isdigit" | "isdecimal" | "isnumeric"):
                # A name that would begin with a digit of any kind is no name of Python's.
                if path.name not in ("identifiers.py", "provenance.py"):
                    yield f"{path.name}:{node.lineno}"
            case ast.Constant(value=str(text)) if "\\d" in text.replace(r"[^\W\d]", ""):
                yield f"{path.name}:{node.lineno}: {text}"


@pytest.mark.parametrize("digit", OTHER_DIGITS)
def test_built_ins(digit: str) -> None:
    for text in (f"1{digit}", digit, f"1e{digit}", f"0.{digit}", "1_0"):
        with pytest.raises(FeelError):
            conversion.number_from(text)
        with pytest.raises(FeelError):
            parse_range(f"[1..{text}]")
    for text in (f"202{digit}-01-01", f"2026-01-0{digit}", f"1{digit}:00:00", f"P{digit}D", f"P1Y{digit}M"):
        with pytest.raises(FeelError):
            parse_temporal(text)
    with pytest.raises(FeelError):
        patterns.replace("ab", "(a)", f"${digit}", "")


def test_a_group_of_many_digits_is_found_at_once() -> None:
    assert patterns.replace("ab", "(a)", "$1" + "0" * 100_000, "") == "a" + "0" * 100_000 + "b"


@pytest.mark.parametrize("digit", OTHER_DIGITS)
@pytest.mark.parametrize("engine", ["python", "columns"])
@pytest.mark.parametrize("packed", [False, True])
def test_turns_and_numbers_of_a_csv(tmp_path: Path, digit: str, engine: str, packed: bool) -> None:
    if engine == "columns":
        pytest.importorskip("pyarrow")
    book, log, out = tmp_path / "book.xlsx", tmp_path / "log.csv", tmp_path / "out.jsonl"
    write_book(BOOK, book)
    rows = [
        "turn,n,day",
        *([f"1{digit},5,"] if engine == "python" else []),
        f"12,1{digit},",
        f"13,,202{digit}-01-01",
        "14,3,2026-01-02",
        "12,4,",
    ]
    raw = "\n".join(rows).encode()
    log.write_bytes(gzip.compress(raw) if packed else raw)
    result = CliRunner().invoke(main, ["eval", str(book), str(log), "-o", str(out), "--engine", engine])
    told = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    first = [] if engine == "columns" else [f"1{digit}"]
    assert [one["turn"] for one in told] == [*first, 14, 12], result.output
    assert all(one["answer"]["many"] for one in told)
    rejects = out.with_name("out.rejected.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["path"] for line in rejects] == ["state.n", "state.day"]


@pytest.mark.parametrize(
    "cell", [f"d{OTHER_DIGITS[0]}", "d" + "9" * 5_000, "9" * 5_000 + "d6", f"{OTHER_DIGITS[0]}d6"]
)
def test_dice(cell: str) -> None:
    book, _ = book_text(f"Dice: move({cell})\n  {cell} | then\n  1-2 | 3\n")
    assert check_book(book)[0] is None


@pytest.mark.parametrize("text", ["²", "٢", "1_0", "9" * 5_000, "-1", "1.5"])
def test_settings_of_tables(text: str) -> None:
    pages = f"{BOOK}\nPages: aid\n  page | table | columns\n  1 | pick | {text}\n"
    checks = f"{BOOK}\nChecks: c\n  at | at most\n  state.n | {text}\n"
    for told in (pages, checks):
        book, found = book_text(told)
        assert "error" in render((*found, *check_book(book)[1]))


def any_sheet(cell: str, folder: Path) -> Path:
    """A log in Excel with a cell as it stands in the file."""
    import openpyxl

    made = openpyxl.Workbook()
    made.active.append(["turn", "n"])
    made.active.append([1, 77])
    file = folder / "log.xlsx"
    made.save(file)
    return with_part(file, "xl/worksheets/sheet1.xml", "<v>77</v>", cell)


def with_part(file: Path, part: str, before: str, after: str) -> Path:
    import zipfile

    with zipfile.ZipFile(file) as archive:
        parts: dict[str, Any] = {name: archive.read(name) for name in archive.namelist()}
    assert before.encode() in parts[part]
    parts[part] = parts[part].replace(before.encode(), after.encode())
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return file


@pytest.mark.parametrize("number", ["1٢", "1_0", "٢", "0x10", "nan", "inf", "Infinity", " ", "1e9999", "1 0"])
def test_cells_of_a_sheet(tmp_path: Path, number: str) -> None:
    """What stands in the file as a number is one, or the record is rejected, or the file is told."""
    book, out = tmp_path / "book.xlsx", tmp_path / "out.jsonl"
    write_book(BOOK, book)
    log = any_sheet(f"<v>{number}</v>", tmp_path)
    result = CliRunner().invoke(main, ["eval", str(book), str(log), "-o", str(out)])
    assert result.exit_code == 1 and result.exception.__class__ is SystemExit
    assert "log.xlsx" in result.output or out.read_text() == ""
