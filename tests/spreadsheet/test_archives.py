"""Archives of workbooks that were tampered with or damaged: all sheets are read, or none."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import openpyxl
import pytest

from dtables.diagnostics import errors_in, render
from dtables.spreadsheet.formats import shows_time
from dtables.spreadsheet.reader import opened_sheets
from dtables.workbook import cells
from dtables.workbook.cells import read_workbook
from dtables.workbook.tables import Sheet
from tests.support.drawing import write_book
from tests.support.thinned import swept

TABLES = Path(__file__).parents[2] / "tables"
GAMES = sorted(TABLES.glob("[!.~]*.xlsx"))
DRAWN = (
    "# Sheet: Rules\nDecision: d(x: whole number) ; policy: first\n # | if | then\n # | x | y\n 1 | 3 | red\n"
    "\n# Sheet: Checks & more\nTypes: t\n name\n one\n two\n"
)
SHEET, WORKBOOK, LINKS = "xl/worksheets/sheet2.xml", "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
TYPES = "[Content_Types].xml"
KINDS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
NAMESPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"

Parts = dict[str, bytes]


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "book.xlsx"
    write_book(DRAWN, path)
    return path


def parts_of(path: Path) -> Parts:
    with ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write(parts: Mapping[str, bytes], path: Path) -> Path:
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return path


def changed(path: Path, part: str, old: str, new: str, times: int = 1) -> Path:
    parts = parts_of(path)
    text = parts[part].decode()
    assert len(re.findall(old, text)) == times, text
    parts[part] = re.sub(old, new, text).encode()
    return write(parts, path)


def refusal(path: Path) -> str:
    """What is said, which is the same of a log with this archive."""
    read, found = read_workbook(path)
    assert read is None and len(found) == 1
    with opened_sheets(path) as sheets:
        assert sheets == found[0]
    return found[0].message.removeprefix("the workbook is damaged or incomplete: ")


# -- sheets that are listed --------------------------------------------------------------------


def test_a_sheet_whose_part_is_missing(book: Path) -> None:
    parts = parts_of(book)
    del parts[SHEET]
    write(parts, book)
    assert render(read_workbook(book)[1]) == (
        "book.xlsx: error[damaged]: the workbook is damaged or incomplete: "
        f"the sheet `Checks & more` is missing: there is no {SHEET}\n"
        "  hint: get a complete copy of the file: a spreadsheet that repairs it may drop what is missing\n"
    )


MISSING = f"the sheet `Checks & more` is missing: there is no {SHEET}"
UNLISTED = f"{SHEET} is a worksheet, and the workbook does not list it"
LIST = f"the list of sheets in {WORKBOOK} cannot be read"
NO_WORKSHEET = f"the sheet `Checks & more`, {SHEET}, is not a worksheet"
LINK = r'(<Relationship\b[^>]*"/xl/worksheets/)sheet2\.xml("[^>]*)/>'


@pytest.mark.parametrize(
    ("part", "old", "new", "said"),
    [
        (LINKS, LINK, r"\1sheet7.xml\2/>", MISSING.replace("sheet2", "sheet7")),
        (LINKS, LINK, r"\1Sheet2.xml\2/>", MISSING.replace("sheet2", "Sheet2")),
        (
            LINKS, LINK, r"\1sheet1.xml\2/>",
            "the sheets `Rules` and `Checks & more` are the same part, xl/worksheets/sheet1.xml",
        ),
        (LINKS, LINK, "", "the sheet `Checks & more` is listed, and no part of the file belongs to it"),
        (
            LINKS, '"/xl/worksheets/sheet2.xml"', '"other.xlsx" TargetMode="External"',
            "the sheet `Checks & more` is in another file, `other.xlsx`, which is not read",
        ),
        (
            LINKS, LINK.replace(r"\b", rf' Type="{KINDS}/worksheet"'),
            r'<Relationship Type="http://schemas.microsoft.com/office/2006/relationships/xlMacrosheet"'
            r' Target="/xl/worksheets/sheet2.xml\2/>',
            "the sheet `Checks & more` holds macros of Excel 4, and only worksheets are read",
        ),
        (
            TYPES, r'(PartName="/xl/worksheets/sheet2.xml"[^>]*)worksheet\+xml', r"\1chartsheet+xml",
            f"the sheet `Checks & more`, {SHEET}, is said to be no worksheet",
        ),
        (WORKBOOK, r'<sheet [^>]*name="Checks[^>]*/>', "", UNLISTED),
        (WORKBOOK, r'<sheet ([^>]*name="Checks[^>]*)/>', r"<sheat \1/>", LIST),
        (WORKBOOK, r"<sheets>.*</sheets>", "", LIST),
        (WORKBOOK, r'name="Checks[^"]*"', 'name="rules"', "two sheets are called `rules`"),
        (WORKBOOK, r'name="Checks[^"]*"', "", "a sheet in xl/workbook.xml has no name"),
        (WORKBOOK, NAMESPACE, NAMESPACE + "x", "xl/workbook.xml cannot be read"),
        (SHEET, NAMESPACE, NAMESPACE + "x", NO_WORKSHEET),
        (SHEET, r"(</?)worksheet", r"\1dialogsheet", NO_WORKSHEET),
        (SHEET, r"<sheetData>.*</sheetData>", "", f"{SHEET} cannot be read"),
        (SHEET, r"(</?)sheetData", r"\1sheetdata", f"{SHEET} cannot be read"),
        (TYPES, r"spreadsheetml.sheet.main\+xml", "x", f"{TYPES} names no part as its workbook"),
        (
            "_rels/.rels", r"xl/workbook\.xml", "xl/worksheets/sheet1.xml",
            f"_rels/.rels and {TYPES} name different parts as its workbook",
        ),
    ],
)  # fmt: skip
def test_a_sheet_that_cannot_be_had(book: Path, part: str, old: str, new: str, said: str) -> None:
    times = 2 if old.startswith("(</?)") else 1
    assert refusal(changed(book, part, old, new, times)) == said


@pytest.mark.parametrize("part", [TYPES, LINKS, WORKBOOK])
def test_parts_without_which_there_is_no_workbook(book: Path, part: str) -> None:
    parts = parts_of(book)
    del parts[part]
    said = refusal(write(parts, book))
    assert said == f"{part} is missing" or part == WORKBOOK


@pytest.mark.parametrize(
    "target", ["worksheets/sheet2.xml", "./worksheets/sheet2.xml", "../xl/worksheets/sheet2.xml"]
)
def test_targets_in_other_words(book: Path, target: str) -> None:
    wanted = read_workbook(book)
    assert read_workbook(changed(book, LINKS, "/xl/worksheets/sheet2.xml", target)) == wanted


def test_a_sheet_elsewhere_in_the_archive(book: Path) -> None:
    wanted = read_workbook(book)
    parts = parts_of(book)
    for part in (TYPES, LINKS):
        parts[part] = parts[part].replace(b"/xl/worksheets/sheet2.xml", b"/odd/place.xml")
    parts["odd/place.xml"] = parts.pop(SHEET)
    assert read_workbook(write(parts, book)) == wanted


def test_a_part_that_is_there_twice(book: Path) -> None:
    with pytest.warns(UserWarning, match="Duplicate"), ZipFile(book, "a") as archive:
        archive.writestr(SHEET, archive.read(SHEET).replace(b"one", b"six"))
    assert refusal(book) == f"{SHEET} is in its archive twice"


# -- sheets without cells ----------------------------------------------------------------------


def test_charts_and_dialogs_hold_no_cells(book: Path) -> None:
    wanted = read_workbook(book)
    made = openpyxl.load_workbook(book)
    made.create_chartsheet("Chart", 1)
    made.create_chartsheet("Dialog")
    made.save(book)
    parts = parts_of(book)
    dialog = f'<dialogsheet xmlns="{NAMESPACE}"><sheetFormatPr defaultRowHeight="9"/></dialogsheet>'
    parts["xl/chartsheets/sheet2.xml"] = dialog.encode()
    for part in (TYPES, LINKS):
        elements = re.split(r"(?=<)", parts[part].decode())
        chart = next(n for n, one in enumerate(elements) if "/xl/chartsheets/sheet2.xml" in one)
        elements[chart] = re.sub(r'chartsheet(?=(\+xml)?")', "dialogsheet", elements[chart])
        parts[part] = "".join(elements).encode()
    assert read_workbook(write(parts, book)) == wanted


def test_a_chart_that_the_library_cannot_read_is_passed_over(book: Path) -> None:
    wanted = read_workbook(book)
    made = openpyxl.load_workbook(book)
    made.create_chartsheet("Chart")
    made.save(book)
    view = '<sheetViews><sheetView workbookViewId="x"/></sheetViews>'
    chart = f'<chartsheet xmlns="{NAMESPACE}">{view}</chartsheet>'
    parts = {**parts_of(book), "xl/chartsheets/sheet1.xml": chart.encode()}
    assert read_workbook(write(parts, book)) == wanted


@pytest.mark.parametrize(
    "kind",
    [
        "vnd.openxmlformats-officedocument.spreadsheetml.template.main+xml",
        "vnd.ms-excel.sheet.macroEnabled.main+xml",
        "vnd.ms-excel.template.macroEnabled.main+xml",
    ],
)
def test_templates_and_workbooks_with_macros(book: Path, kind: str) -> None:
    wanted = read_workbook(book)
    usual = "vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
    assert read_workbook(changed(book, TYPES, re.escape(usual), kind)) == wanted


@pytest.mark.parametrize(
    ("number_format", "shown"),
    [
        ("dd/mm/yyyy", False), ("DD/MM/YYYY", False), ("hh:mm", True), ("HH:MM", True), ("d.m.yy H:mm", True),
        ("mm:ss", True), ("MM:SS", True), ('"hours" d', False), ("[h] d", False), ("d;hh", False),
    ],
)  # fmt: skip
def test_formats_that_show_the_time(number_format: str, shown: bool) -> None:
    assert shows_time(number_format) is shown


# -- cells that would be passed over -----------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (r'<c r="A3"([^>]*)>.*?</c>', r'<c r="A3"\1><w>1</w></c>'),
        (r'<c r="A4"', '<c r="A3"'),
        (r'<c r="A4"', '<c r="A5"'),
        (r'<c r="A3"([^>]*) t="inlineStr"', r'<c r="A3"\1 t="inlineSts"'),
        (r'<c r="A3"([^>]*) t="inlineStr"', r'<c r="A3"\1'),
        (r'(<c r="A3".*?)<is>.*?</is>', r"\1<is><u>one</u></is>"),
        (r'<c r="A3"[^>]*>.*?</c>', '<c r="A3" t="s"><v>-1</v></c>'),
        (r'<c r="A3"[^>]*>.*?</c>', '<c r="A3" t="s"><v>x</v></c>'),
        (r'<c r="A3"[^>]*>.*?</c>', '<c r="A3"><v>1_000</v></c>'),
        (r'<c r="A3"[^>]*>.*?</c>', '<c r="A3"><v>\u0661</v></c>'),
        (r'(<c r="A3"[^>]*>.*?</c>)', r'\1<c r="A3"/>'),
        (r'<row r="3"([^>]*)>(.*?)</row>', r'<raw r="3"\1>\2</raw>'),
        (r"</sheetData>", '</sheetData><sheetData><row r="9"><c r="A9"><v>1</v></c></row></sheetData>'),
    ],
)  # fmt: skip
def test_a_cell_that_would_be_lost(book: Path, old: str, new: str) -> None:
    assert refusal(changed(book, SHEET, old, new)) == f"{SHEET} cannot be read"


def with_texts(path: Path, texts: str) -> Path:
    """The cell A3 of the second sheet is the first of the shared texts."""
    changed(path, SHEET, r'<c r="A3"[^>]*>.*?</c>', '<c r="A3" t="s"><v>0</v></c>')
    parts = parts_of(path)
    parts["xl/sharedStrings.xml"] = f'<sst xmlns="{NAMESPACE}">{texts}</sst>'.encode()
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
    entry = f'<Override PartName="/xl/sharedStrings.xml" ContentType="{kind}"/></Types>'
    link = (
        f'<Relationship Id="texts" Type="{KINDS}/sharedStrings" Target="sharedStrings.xml"/></Relationships>'
    )
    parts[TYPES] = parts[TYPES].replace(b"</Types>", entry.encode())
    parts[LINKS] = parts[LINKS].replace(b"</Relationships>", link.encode())
    return write(parts, path)


def test_shared_texts(book: Path) -> None:
    wanted = read_workbook(book)
    assert read_workbook(with_texts(book, "<si><t>one</t></si>")) == wanted


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ("<si><u>one</u></si>", "xl/sharedStrings.xml cannot be read"),
        ("<s1><t>one</t></s1>", "xl/sharedStrings.xml cannot be read"),
        ("", "its parts contradict each other"),
    ],
)
def test_broken_shared_texts(book: Path, texts: str, said: str) -> None:
    read, found = read_workbook(with_texts(book, texts))
    assert read is None and found[0].message.endswith(said)


@pytest.mark.parametrize(
    ("part", "old", "new", "said"),
    [
        (TYPES, r"sharedStrings\+xml", "x", "its parts do not agree about where its texts are"),
        (LINKS, "/sharedStrings", "/x", "its parts do not agree about where its texts are"),
        (LINKS, '"sharedStrings.xml', '"none.xml', "xl/none.xml is missing"),
    ],
)
def test_shared_texts_that_are_not_found(book: Path, part: str, old: str, new: str, said: str) -> None:
    assert refusal(changed(with_texts(book, "<si><t>one</t></si>"), part, old, new)) == said


@pytest.mark.parametrize("lost", ["part", "link", "definition", "styles"])
def test_formats_that_make_dates(tmp_path: Path, lost: str) -> None:
    """Without its format a date would be the number 46055."""
    path = tmp_path / "book.xlsx"
    write_book("# Sheet: S\nFormula: f\n is\n x\n", path)
    made = openpyxl.load_workbook(path)
    made["S"]["A3"] = 46055
    made["S"]["A3"].number_format = 'd" of "mmmm yyyy'
    made.save(path)
    assert "converted-to-date" in render(read_workbook(path)[1]) or read_workbook(path)[0]
    parts = parts_of(path)
    match lost:
        case "part":
            del parts["xl/styles.xml"]
        case "link":
            parts["xl/formats.xml"] = parts.pop("xl/styles.xml")
            parts[LINKS] = parts[LINKS].replace(b"styles.xml", b"formats.xml")
            parts[TYPES] = parts[TYPES].replace(b"styles.xml", b"formats.xml")
        case "definition":
            parts["xl/styles.xml"] = re.sub(rb"<numFmt [^>]*/>", b"", parts["xl/styles.xml"])
        case "styles":
            parts["xl/styles.xml"] = parts["xl/styles.xml"].replace(b'numFmtId="164"', b'numFmtId="31"')
            parts["xl/styles.xml"] = re.sub(rb"<numFmts.*</numFmts>", b"", parts["xl/styles.xml"])
    unknown = "cells have the number format {}, which the workbook does not define: it may be a date"
    said = {
        "part": "xl/styles.xml is missing",
        "link": "its formats are in xl/formats.xml, and are read from xl/styles.xml",
        "definition": unknown.format(164),
        "styles": unknown.format(31),
    }
    assert refusal(write(parts, path)) == said[lost]


# -- any part of any game ----------------------------------------------------------------------


def sheets_in(path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, int] | None:
    """How many cells each sheet has; None where the workbook is refused."""
    met: dict[str, int] = {}
    with monkeypatch.context() as patched:

        def count(_name: str, sheets: tuple[Sheet, ...], _found: object) -> tuple[None, tuple[()]]:
            met.update((sheet.name, len(sheet.cells)) for sheet in sheets)
            return None, ()

        patched.setattr(cells, "book_of", count)
        _, found = read_workbook(path)
    assert bool(met) != errors_in(found)
    return met or None


def without(parts: Parts, name: str) -> Iterator[Parts]:
    yield {other: content for other, content in parts.items() if other != name}


def renamed(parts: Parts, name: str) -> Iterator[Parts]:
    yield {name.replace(".xml", "7.xml") if other == name else other: parts[other] for other in parts}


def garbled(parts: Parts, name: str) -> Iterator[Parts]:
    """Some letters are others."""
    chance = random.Random(name)
    for _ in range(4):
        content = bytearray(parts[name])
        letters = [n for n, byte in enumerate(content) if chr(byte).isalnum()]
        for place in chance.sample(letters, chance.randint(1, 3)):
            content[place] = chance.choice(b"0159ACXacxz")
        yield {**parts, name: bytes(content)}


def chosen(parts: Parts) -> list[str]:
    """All parts but those that are like others: of sheets and comments a few."""
    alike: dict[str, int] = {}
    found = []
    for name in parts:
        kind = re.sub(r"\d+", "", name)
        alike[kind] = alike.get(kind, 0) + 1
        if alike[kind] <= 2:
            found.append(name)
    return found


SMALL = sorted(GAMES, key=lambda path: path.stat().st_size)[:3]
CHANGED = [
    *((change, game) for change in (without, renamed) for game in GAMES),
    *((garbled, game) for game in SMALL),
]


@pytest.mark.parametrize(
    ("change", "game"), swept(CHANGED, 2), ids=lambda one: one.stem if isinstance(one, Path) else one.__name__
)
def test_all_cells_or_none(
    change: Callable[[Parts, str], Iterator[Parts]],
    game: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wanted = sheets_in(game, monkeypatch)
    assert wanted
    parts = parts_of(game)
    refused = 0
    for name in chosen(parts):
        for other in change(parts, name):
            found = sheets_in(write(other, tmp_path / game.name), monkeypatch)
            refused += found is None
            if found is not None:
                assert list(found.values()) == list(wanted.values()), name
    assert refused > 5


@pytest.mark.parametrize("game", swept(GAMES), ids=lambda path: path.stem)
def test_every_part_that_is_cut_is_named(game: Path, tmp_path: Path) -> None:
    parts = parts_of(game)
    for name in chosen(parts):
        for cut in (1, 12):
            path = write({**parts, name: parts[name].rstrip()[:-cut]}, tmp_path / game.name)
            read, found = read_workbook(path)
            assert read is None, name
            assert [d.message for d in found] == [
                f"the workbook is damaged or incomplete: {name} cannot be read"
            ]
