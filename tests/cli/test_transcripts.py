"""Every command with each of its options, as typed in a shell, and what it said and wrote.

A transcript in tests/transcripts has the files of a folder and the commands that are run in it, in order:

    ;; what is shown here
    == book.xlsx        a workbook as it is drawn, or any other file, up to the next line of this kind
    $ dtables check book.xlsx
    what it printed; `! ` before lines of standard error, `(1)` at the end for another exit code than 0

`make golden` writes what is said now; read the difference.
"""

from __future__ import annotations

import base64
import html
import re
import shlex
import shutil
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import openpyxl
import pytest
from click.testing import CliRunner
from openpyxl.cell import Cell
from openpyxl.styles.colors import Color
from openpyxl.worksheet.worksheet import Worksheet

from dtables.cli import main
from tests.support.drawing import write_book
from tests.support.golden import golden
from tests.support.pages import KIND_EXAMPLES

FOLDER = Path(__file__).parents[1] / "transcripts"
TABLES = Path(__file__).parents[2] / "tables"
MISUSE = 2
"""Then only the last line is ours, above it stands how the command is used.
"""
SECONDS = re.compile(r"\b\d+(\.\d+)? s\b")


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_transcript(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    golden(path, "".join(played(path.read_text(encoding="utf-8"))))


def played(script: str) -> Iterator[str]:
    """The script with what its commands say now."""
    for block in re.split(r"^(?=== |\$ |;; )", script, flags=re.MULTILINE):
        first, _, rest = block.partition("\n")
        if first.startswith("== "):
            file_of(Path(first.removeprefix("== ")), rest.rstrip("\n") + "\n")
            yield block
        elif first.startswith("$ "):
            yield f"{first}\n{said(first.removeprefix('$ '))}\n"
        else:
            yield block


def file_of(place: Path, text: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    if place.suffix == ".xlsx":
        write_book(text, place)
    else:
        place.write_text(text, encoding="utf-8")


def said(line: str) -> str:
    """What a command prints: `dtables`, or one of the few others."""
    command, _, source = line.partition(" < ")
    name, *words = shlex.split(command)
    if name != "dtables":
        return "".join(f"{row}\n" for row in OTHERS[name](*words))
    given = Path(source).read_bytes() if source else None
    result = CliRunner().invoke(main, words, input=given, prog_name="dtables")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    code = f"({result.exit_code})\n" if result.exit_code else ""
    rows = result.stderr.splitlines()
    errors = "".join(f"! {row}\n" for row in (rows if result.exit_code != MISUSE else rows[-1:]))
    return (
        "".join(f"{row.rstrip()}\n" for row in SECONDS.sub("N s", result.stdout + errors).splitlines()) + code
    )


def cat(name: str) -> Iterator[str]:
    if not Path(name).exists():
        yield f"! no {name}"
        return
    yield from Path(name).read_text(encoding="utf-8").splitlines()


def shown(name: str) -> Iterator[str]:
    """What a browser shows of a page, a line for each piece of text; and the names of its classes once."""
    page = Path(name).read_text(encoding="utf-8")
    body = re.sub(r"<(script|style).*?</\1>", "", page, flags=re.DOTALL)
    yield " ".join(["classes", *dict.fromkeys(re.findall(r'class="([^"]*)"', body))])
    for piece in re.split(r"<[^>]*>", body):
        text = " ".join(html.unescape(piece).split())
        if text:
            yield text
    for packed in re.findall(r'data-(?:list|piece)="[^"]*">([^<]+)<', page):
        yield zlib.decompress(base64.b64decode(packed)).decode()


def ls(name: str = ".") -> Iterator[str]:
    yield from sorted(str(path.relative_to(name)) for path in Path(name).rglob("*") if path.is_file())


def rm(*names: str) -> Iterator[str]:
    for name in names:
        Path(name).unlink()
    yield from ()


def game(name: str) -> Iterator[str]:
    """A game's workbook and its sample log, brought here."""
    for path in TABLES.glob(f"{name}.*"):
        shutil.copy(path, path.name)
    yield from ()


def cells(name: str) -> Iterator[str]:
    """A workbook as a spreadsheet shows it: cells with what they look like, comments, drop-downs, links."""
    book = openpyxl.load_workbook(name)
    styles: dict[str, int] = {}
    for sheet in book:
        yield f"Sheet {sheet.title}, {sheet.sheet_state}, {', '.join(set_up(sheet))}"
        for row in sheet.iter_rows():
            for cell in row:
                style = styles.setdefault(style_of(cell), len(styles))
                if cell.value is not None or cell.comment is not None or cell.fill.fill_type:
                    yield f"  {cell.coordinate} {cell.value!r} style {style}{besides(cell)}"
        for one in sheet.data_validations.dataValidation:
            yield f"  drop-down {one.sqref} {one.type} {one.formula1} {one.promptTitle or ''} {one.prompt!r}"
    for defined in book.defined_names.values():
        yield f"Name {defined.name} {defined.attr_text}"
    for style, number in styles.items():
        yield f"style {number}: {style}"


def set_up(sheet: Worksheet) -> Iterator[str]:
    yield f"tab {colour(sheet.sheet_properties.tabColor)}, frozen at {sheet.freeze_panes}"
    yield f"lines {sheet.sheet_view.showGridLines}, zoom {sheet.sheet_view.zoomScale}"
    yield f"widths {' '.join(f'{at}{round(one.width)}' for at, one in sheet.column_dimensions.items())}"
    heights = {at: one.height for at, one in sheet.row_dimensions.items() if one.height}
    yield f"heights {' '.join(f'{at}:{round(height)}' for at, height in heights.items())}"
    page, fits = sheet.page_setup, sheet.sheet_properties.pageSetUpPr
    fit = (page.fitToWidth, page.fitToHeight) if fits is not None and fits.fitToPage else ""
    yield f"printed {page.orientation} {page.paperSize} {fit} {sheet.print_title_rows} {sheet.print_area}"


def style_of(cell: Cell) -> str:
    font, sides, placed = cell.font, cell.border, cell.alignment
    found = [
        cell.number_format if cell.number_format not in ("@", "General") else "",
        f"{font.name} {font.sz} {colour(font.color)}",
        *(word for word, given in (("bold", font.b), ("italic", font.i), ("underlined", font.u)) if given),
        f"on {colour(cell.fill.fgColor)}" if cell.fill.fill_type else "",
        *(
            f"{side} {line.style} {colour(line.color)}"
            for side in ("left", "right", "top", "bottom")
            if (line := getattr(sides, side)) is not None and line.style
        ),
        f"{placed.horizontal} {placed.vertical} {placed.wrap_text} {placed.indent}",
        "" if cell.protection.locked else "open",
    ]
    return ", ".join(filter(None, found))


def colour(of: Color | None) -> str:
    return "none" if of is None else str(of.rgb if of.type == "rgb" else of.theme or of.indexed)


def besides(cell: Cell) -> str:
    link, comment = cell.hyperlink, cell.comment
    led = f", link {link.location or link.target}" if link else ""
    return led + (f", comment {comment.text!r}" if comment else "")


def kinds(name: str) -> Iterator[str]:
    """A workbook that has a table of each kind."""
    write_book(KIND_EXAMPLES.read_text(encoding="utf-8"), Path(name))
    yield from ()


OTHERS: dict[str, Callable[..., Iterator[str]]] = {
    "cat": cat,
    "cells": cells,
    "game": game,
    "kinds": kinds,
    "ls": ls,
    "rm": rm,
    "shown": shown,
}


def test_every_option_is_typed() -> None:
    typed = {
        name: " ".join(re.findall(rf"^\$ dtables {name} (.*)$", text(), re.MULTILINE))
        for name in main.commands
    }
    for name, command in main.commands.items():
        if name == "watch":
            continue
        for option in command.params:
            long = [flag for flag in option.opts if flag.startswith("--")]
            assert not long or any(re.search(rf"{flag}\b", typed[name]) for flag in option.opts), (
                name,
                option.opts,
            )


def text() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.txt")))
