"""Hostile and broken files: each is refused with one line, in bounded time and memory."""

from __future__ import annotations

import random
import time
import tracemalloc
import zipfile
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_LZMA, ZipFile

import pytest

from dtables.diagnostics import render
from dtables.workbook.cells import read_workbook
from tests.support.drawing import write_book

DRAWN = "# Sheet: S\nDecision: d ; policy: first\n # | if | then\n # | x | y\n 1 | 3 | red\n 2 | - | 0.5\n"
SHEET = "xl/worksheets/sheet1.xml"


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "book.xlsx"
    write_book(DRAWN, path)
    return path


def refusal(path: Path) -> str:
    """The one line that is said of the file, within bounds: of processor time, whatever else runs."""
    tracemalloc.start()
    start = time.process_time()
    read, found = read_workbook(path)
    seconds = time.process_time() - start
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert read is None
    assert len(found) == 1
    assert seconds < 20
    assert peak < 400_000_000
    return render(found).splitlines()[0]


def with_parts(path: Path, **changed: bytes | str) -> None:
    """The same archive with parts replaced or added; `sheet` is the first sheet."""
    with ZipFile(path) as archive:
        parts: dict[str, bytes | str] = {name: archive.read(name) for name in archive.namelist()}
    parts.update({SHEET if name == "sheet" else name: content for name, content in changed.items()})
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)


def sheet_of(inside: str, after: str = "") -> str:
    namespace = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    return f'<worksheet xmlns="{namespace}"><sheetData>{inside}</sheetData>{after}</worksheet>'


# -- no workbook at all ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.xlsx", b"", "damaged]: the workbook is damaged or incomplete: the file is empty"),
        (
            "a.xlsx", b"name;price\nred;3\n",
            "not-a-workbook]: this is plain text (CSV, HTML or the like), and only .xlsx workbooks are read",
        ),
        (
            "a.xls", bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600),
            "not-a-workbook]: this is a workbook of the old kind (.xls), and only .xlsx workbooks are read",
        ),
        (
            "a.xlsx", bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600) + "EncryptedPackage".encode("utf-16-le"),
            "password]: the workbook is protected by a password",
        ),
        (
            "a.xlsx", bytes(range(256)),
            "not-a-workbook]: this is no workbook, and only .xlsx workbooks are read",
        ),
        (
            "a.xlsx", b"PK\x03\x04" + b"\x00" * 300,
            "damaged]: the workbook is damaged or incomplete: its archive cannot be unpacked",
        ),
        ("~$a.xlsx", b"somebody", "lock-file]: this is only the lock of a workbook that is open somewhere"),
        (".~lock.a.xlsx#", b",me", "lock-file]: this is only the lock of a workbook that is open somewhere"),
    ],
)  # fmt: skip
def test_read_workbook__no_workbook(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    (tmp_path / name).write_bytes(content)
    assert refusal(tmp_path / name) == f"{name}: error[{said}"


def test_read_workbook__missing_or_a_folder(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none.xlsx") == "none.xlsx: error[no-such-file]: there is no such file"
    (tmp_path / "folder.xlsx").mkdir()
    assert refusal(tmp_path / "folder.xlsx") == "folder.xlsx: error[not-a-workbook]: this is a folder"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (PermissionError(13, "Permission denied"), "the file may not be opened"),
        (OSError(5, "Input/output error"), "the file cannot be read: Input/output error"),
    ],
)
def test_read_workbook__not_readable(
    book: Path, monkeypatch: pytest.MonkeyPatch, error: OSError, said: str
) -> None:
    def refuse(*_: object) -> None:
        raise error

    monkeypatch.setattr(Path, "open", refuse)
    assert refusal(book) == f"book.xlsx: error[not-readable]: {said}"


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        (
            {"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": "<a/>"},
            "this is an OpenDocument file (.ods)",
        ),
        ({"xl/workbook.bin": "", "[Content_Types].xml": "<a/>"}, "this is a binary workbook (.xlsb)"),
        ({"word/document.xml": "<a/>"}, "this is an archive without a workbook in it"),
    ],
)
def test_read_workbook__other_archives(tmp_path: Path, parts: dict[str, str], said: str) -> None:
    path = tmp_path / "a.xlsx"
    with ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    expected = f"a.xlsx: error[not-a-workbook]: {said}, and only .xlsx workbooks are read"
    assert refusal(path) == expected


def test_read_workbook__a_strict_workbook(book: Path) -> None:
    with ZipFile(book) as archive:
        workbook = archive.read("xl/workbook.xml")
    ordinary, other = b"schemas.openxmlformats.org/spreadsheetml/2006", b"purl.oclc.org/ooxml/spreadsheetml"
    strict = workbook.replace(ordinary, other)
    with_parts(book, **{"xl/workbook.xml": strict})
    assert refusal(book).startswith("book.xlsx: error[not-a-workbook]: this is a workbook of the strict kind")


def test_read_workbook__macros_are_not_run(book: Path) -> None:
    with ZipFile(book) as archive:
        types = archive.read("[Content_Types].xml").decode()
    ordinary = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
    assert ordinary in types
    types = types.replace(ordinary, "application/vnd.ms-excel.sheet.macroEnabled.main+xml")
    changed: dict[str, bytes | str] = {"[Content_Types].xml": types, "xl/vbaProject.bin": b"no project"}
    with_parts(book, **changed)
    macros = book.rename(book.with_suffix(".xlsm"))
    read, found = read_workbook(macros)
    assert read and len(read.tables) == 1 and found == ()


# -- bombs -------------------------------------------------------------------------------------


def test_read_workbook__zip_bombs(book: Path) -> None:
    with_parts(book, **{"xl/media/image1.png": bytes(60 << 20)})
    assert refusal(book).startswith(
        "book.xlsx: error[too-large]: the workbook is larger than is read: it unpacks"
    )


def test_read_workbook__more_than_is_unpacked(book: Path) -> None:
    with_parts(book, **{f"xl/media/{n}.png": bytes(50 << 20) for n in range(4)})
    assert "unpacked it has 200 MB" in refusal(book)


def test_read_workbook__a_size_that_lies(book: Path) -> None:
    """What the archive declares is what is unpacked at most; the rest fails its checksum."""
    with_parts(book, sheet=sheet_of(" " * (8 << 20)))
    content = book.read_bytes()
    real = (len(sheet_of("")) + (8 << 20)).to_bytes(4, "little")
    assert content.count(real) == 2
    book.write_bytes(content.replace(real, (1000).to_bytes(4, "little")))
    assert refusal(book).startswith("book.xlsx: error[damaged]")


def test_read_workbook__archives_in_archives_stay_closed(book: Path) -> None:
    nested = BytesIO()
    with ZipFile(nested, "w", ZIP_DEFLATED) as archive:
        archive.writestr("bomb.xml", bytes(20 << 20))
    with_parts(book, **{"xl/embeddings/inner.xlsx": nested.getvalue()})
    read, found = read_workbook(book)
    assert read and found == ()


def test_read_workbook__too_many_parts(book: Path) -> None:
    with_parts(book, **{f"junk/{n}": "" for n in range(5000)})
    assert "it has 50" in refusal(book)


def test_read_workbook__an_unusual_packing(book: Path) -> None:
    with ZipFile(book, "a", ZIP_LZMA) as archive:
        archive.writestr("x.xml", "<a/>")
    assert "packed in a way no spreadsheet packs" in refusal(book)


@pytest.mark.parametrize(
    ("inside", "after", "said"),
    [
        ("<row>" + "<c/>" * 1_000_001 + "</row>", "", "too-large]: … it has more than 1,000,000 cells"),
        ('<row hidden="1"/>' * 200_001, "", "too-large]: … it has more than 200,000 rows"),
        ("", "<x/>" * 250_001, "too-large]: … it has more than 250,000 elements besides cells"),
        ("", f'<x a="{"y" * 1_200_000}"/>', "too-large]: … it has a tag of more than 1024 KiB"),
        ("", "<a>" * 300 + "</a>" * 300, "too-large]: … it has more than 200 levels of XML"),
        (
            "", '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>',
            "too-large]: … it has more than 100,000 merged or linked cells",
        ),
        (
            "", '<hyperlinks><hyperlink ref="A1:Z9999"/></hyperlinks>',
            "too-large]: … it has more than 100,000 merged or linked cells",
        ),
        (
            "", '<hyperlinks><hyperlink ref="A:XFD"/></hyperlinks>',
            f"damaged]: … {SHEET} cannot be read",
        ),
        (
            "<row><c><f t='shared' si='0' ref='A1:A9999'>" + "1+" * 4000 + "1</f></c>"
            + "<c><f t='shared' si='0'/></c>" * 3000 + "</row>",
            "", "too-large]: … it has more than 20,000,000 characters of shared formulas",
        ),
        ('<row><c r="XFE1"/></row>', "", f"damaged]: … {SHEET} cannot be read"),
        ('<row><c r="A1048577"/></row>', "", f"damaged]: … {SHEET} cannot be read"),
        ('<row><c r="A1:B2"/></row>', "", f"damaged]: … {SHEET} cannot be read"),
        ("<row>", "", f"damaged]: … {SHEET} cannot be read"),
        ('<row r="x"><c r="A1"><v>1</v></c></row>', "", "damaged]: … its parts contradict each other"),
        ('<row><c r="A1" t="s"><v>99</v></c></row>', "", "damaged]: … its parts contradict each other"),
        ("<row><c><v>" + "9" * 5000 + "</v></c></row>", "", "damaged]: … its parts contradict each other"),
    ],
    ids=lambda text: text[:40],
)  # fmt: skip
def test_read_workbook__hostile_sheets(book: Path, inside: str, after: str, said: str) -> None:
    with_parts(book, sheet=sheet_of(inside, after))
    code, message = said.split(" … ")
    line = refusal(book)
    assert line.startswith(f"book.xlsx: error[{code}")
    assert line.endswith(message)


def test_read_workbook__a_comment_over_a_whole_sheet(book: Path) -> None:
    with_parts(book, **{"xl/comments1.xml": '<comments><comment ref="A1:XFD1048576"/></comments>'})
    assert refusal(book).endswith("it has more than 100,000 merged or linked cells")


def test_read_workbook__cells_far_away_cost_nothing(book: Path) -> None:
    with ZipFile(book) as archive:
        xml = archive.read(SHEET).decode()
    far = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
    wide = '<cols><col min="1" max="16384" hidden="1" width="9"/></cols><sheetData>'
    with_parts(book, sheet=xml.replace("</sheetData>", far).replace("<sheetData>", wide))
    start = time.process_time()
    read, found = read_workbook(book)
    assert time.process_time() - start < 2
    assert read and read.tables[0].where.last and read.tables[0].where.last.address == "C5"
    assert [d.code for d in found] == ["hidden-columns"]


@pytest.mark.parametrize(
    "declared",
    [
        '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>',
        '<!DOCTYPE x [<!ENTITY secret SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE x SYSTEM "http://localhost/x.dtd">',
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_read_workbook__entities(book: Path, declared: str, encoding: str) -> None:
    xml = f'<?xml version="1.0" encoding="{encoding}"?>{declared}{sheet_of("")}'
    with_parts(book, sheet=xml.encode(encoding))
    assert refusal(book) == (
        f"book.xlsx: error[external-entities]: {SHEET} declares XML entities, which no spreadsheet writes"
    )


# -- damage ------------------------------------------------------------------------------------


def test_read_workbook__cut_off_anywhere(book: Path) -> None:
    content = book.read_bytes()
    for end in range(1, len(content), len(content) // 23):
        book.write_bytes(content[:end])
        read, found = read_workbook(book)
        assert read is None and len(found) == 1


def test_read_workbook__flipped_bytes_never_give_a_traceback(book: Path) -> None:
    chance = random.Random(7)
    content = book.read_bytes()
    for _ in range(150):
        broken = bytearray(content)
        for _ in range(chance.randint(1, 4)):
            broken[chance.randrange(len(broken))] ^= 1 << chance.randrange(8)
        book.write_bytes(bytes(broken))
        read, found = read_workbook(book)
        assert read is not None or len(found) == 1


def test_read_workbook__flipped_letters_in_xml_never_give_a_traceback(book: Path) -> None:
    """The checksums hold here, so that the damage reaches the spreadsheet library."""
    chance = random.Random(11)
    with ZipFile(book) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    for _ in range(150):
        name = chance.choice([n for n in parts if "theme" not in n])
        broken = bytearray(parts[name])
        for _ in range(chance.randint(1, 3)):
            broken[chance.randrange(len(broken))] = chance.choice(b'0123456789ABCabc<>/"= ')
        with ZipFile(book, "w", zipfile.ZIP_STORED) as archive:
            for other, content in parts.items():
                archive.writestr(other, bytes(broken) if other == name else content)
        read, found = read_workbook(book)
        assert read is not None or len(found) == 1
