"""Whatever a workbook, a record or a name says is text to spreadsheets, browsers, Markdown and terminals."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import cycle
from pathlib import Path

import openpyxl
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from dtables.authoring.dressing.look import holds_of
from dtables.cli import main
from dtables.logs.csv import csv_cell, guarded, guarded_json, may_be_guarded, unguarded
from dtables.pages.markdown import as_table, code, paragraph, prose
from dtables.ruleset import WorkbookErrors, load
from dtables.terminal import visible, visible_json
from dtables.workbook.cells import read_workbook
from dtables.workbook.language import ReadAs
from dtables.workbook.tables import TableText
from tests.support.drawing import write_book
from tests.support.missing import needs_libreoffice
from tests.support.pages import KIND_EXAMPLES

HOSTILE = (
    '=HYPERLINK("http://example.org","click")',
    "+1+1", "-2+3", "@SUM(1;2)", "＝1+1", "x;=1+41", "x\r=1+1", "x\t=1+1", "x\n=1+1\nFAKE: 9 answered",
    '";=1+1;"',
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\"><b onmouseover='alert(1)'>", "' onmouseover='alert(1)",
    "</style></title></script><script>alert(1)</script>",
    "[x](javascript:alert(1))", "![x](javascript:alert(1))", "<javascript:alert(1)>",
    "[x]: javascript:alert(1)",
    "`<script>`", "a ` <script>alert(1)</script> ` b", "``<script>``", "\\`<script>\\`",
    "<!-- x --><b>", "&lt;b&gt;",
    "# x", "- x", "> x", "```", "~~~", "| x | y |", "1. x", "***", "===", "    x", "__x__", "~~x~~",
    "a\u202eb", "a\u009b31mb", "a\u2028b", "a\x7fb", "a\ufeffb\U000e0041", "{{ 7 * 7 }}",
    "{% raw %}", "#panic()", "$x$",
)  # fmt: skip
"""What a cell of a workbook can hold."""
OF_RECORDS = (
    *HOSTILE,
    "\x1b[31mred",
    "\x1b]0;x\x07",
    "a\x07b",
    "a\nFAKE: 9 answered",
    "a\r\nFAKE: b",
    "a\x08b",
)
ALIVE = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\U000e0041]"
)
NAME = "=1+1;\x1b[31m<script>[x](javascript:1)\u202e.xlsx"


def run(*arguments: object) -> Result:
    result = CliRunner().invoke(main, [*map(str, arguments)])
    assert isinstance(result.exception, SystemExit | None), result.exception
    return result


# -- a workbook with it in every place, and one with plain words there -------------------------------


def book_of(place: Path, texts: tuple[str, ...]) -> None:
    drawn = KIND_EXAMPLES.read_text(encoding="utf-8")
    drawn = drawn.replace(
        "drawn | card | | carta", 'remark | text | "" | nota | remark\ndrawn | card | | carta'
    )
    drawn = drawn.replace(
        "answer | pays |", "answer | said | remark |\nanswer | all | [remark] |\nanswer | pays |"
    )
    plain = place.with_name("plain.xlsx")
    write_book(drawn, plain)
    text, _ = read_workbook(plain)
    assert text is not None
    book = openpyxl.load_workbook(plain)
    (sheet,) = book.worksheets
    more = cycle(texts)
    for number, table in enumerate(text.tables):
        for row, column in prose_cells(table):
            cell = sheet.cell(row, column)
            cell.value, cell.data_type = f"{next(more)} {number} {row}", "s"
        marker = table.marker.cell.ref
        after = max(cell.column for cell in sheet[marker.row] if cell.value is not None)
        for offset, word in enumerate(("title it", "title en", "note it", "note en", "source"), after + 1):
            cell = sheet.cell(marker.row, offset)
            cell.value, cell.data_type = f"{word}: {next(more)}", "s"
    sheet.title = "=1+<i>'"
    plain.unlink()
    book.save(place)


def prose_cells(table: TableText) -> Iterator[tuple[int, int]]:
    """Also those that are empty so far."""
    for place, column in enumerate(table.columns):
        if holds_of(table.kind, column.role) is ReadAs.PROSE:
            yield from ((row.cells[place].ref.row, column.number) for row in table.rows)


def log_of(place: Path) -> None:
    lines = []
    for n, text in enumerate(OF_RECORDS):
        state = {"offer": ["old_vine", "red_apple"], "remark": text}
        played = {"said": "x", "card": "old_vine"}
        lines.append({"turn": f"{text} {n}", "game": text, "ask": "turn", "state": state, "played": played})
        lines += [
            {"turn": f"{text} a {n}", "game": text, "state": {**state, text: 1}},
            {"turn": f"{text} b {n}", "game": text, "state": {**state, "offer": [text]}},
            {"turn": f"{text} c {n}", "ask": text, "state": state},
            {"turn": f"{text} d {n}", "state": {**state, "stock": {text: 1}}},
            {"turn": f"{text} e {n}", "state": state, "played": {text: 1}},
            {"turn": f"{text} f {n}", text: 1},
        ]
    place.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("inert")
    book_of(made / NAME, HOSTILE)
    (made / "tame").mkdir()
    book_of(made / "tame" / "b.xlsx", ("plain words",))
    log_of(made / "log.jsonl")
    (made / "tame" / "log.jsonl").write_text(
        '{"turn": 1, "state": {"offer": ["old_vine", "red_apple"], "remark": "x"}, "played": {"card": '
        '"red_apple", "said": "y"}}\n{"turn": 2}\n'
    )
    return made


@pytest.fixture
def book(folder: Path) -> Path:
    assert run("check", folder / NAME).exit_code == 0
    return folder / NAME


# -- a terminal --------------------------------------------------------------------------------------


def on_a_terminal(result: Result) -> str:
    shown = result.stdout + result.stderr
    found = ALIVE.search(shown)
    assert found is None, shown[max(0, found.start() - 60) : found.end() + 20]
    assert not [line for line in shown.split("\n") if line.startswith("FAKE")]
    return shown


def test_on_a_terminal_nothing_is_alive(book: Path, folder: Path, tmp_path: Path) -> None:
    log, tame = folder / "log.jsonl", folder / "tame" / "b.xlsx"
    turns = [json.loads(line)["turn"] for line in log.read_text().splitlines()]
    commands: list[list[object]] = [
        ["check", book], ["check", book, "--notes"], ["check", book, "--json"], ["test", book],
        ["test", book, "--json"], ["eval", book, log], ["eval", book, log, "--explain"],
        ["eval", book, log, "-o", tmp_path / "o\x1b\n.jsonl", "--report", tmp_path / "\u202e.html"],
        ["eval", book, folder / "no\x1b[31m\nsuch"], ["eval", folder / "no\x1bsuch.xlsx", log],
        ["diff", tame, book, "--log", log], ["diff", book, tame], ["diff", book, tame, "--json"],
        ["docs", book, "-o", tmp_path / "d\x1b"], ["print", book, "-o", tmp_path / "p\x07"],
        ["print", book, "--format", "html", "-o", tmp_path / "p\x07"],
        ["dress", book, "-o", tmp_path / "\x1bd.xlsx"], ["log", book, "-o", tmp_path / "\x1bl.xlsx"],
        ["annotate", book, "--notes", "-o", tmp_path / "\x1ba.xlsx"],
        ["compile", book, "-o", tmp_path / "\x1b.py"],
        ["compile", book, "--to", "sql", "-o", tmp_path / "\x1b.sql"],
        ["compile", book, "--to", "sql", "--table", "\x1b[31m\nFAKE", "-o", tmp_path / "x"],
        ["new", tmp_path / "\x1bn.xlsx"], ["new", tmp_path / "\x1bn.xlsx"], ["\x1b[31m"],
        ["check", "--\x1b[31m"], ["explain", book, log, "--turn", turns[0], "--json"],
        ["explain", book, log, "--turn", "\x1b[31m\nFAKE"],
        *(["explain", book, log, "--turn", turn] for turn in turns[::20]),
        *(["explain", book, log, "--turn", turn] for turn in turns[::7] if "FAKE" in turn),
        *(["explain", book, log, "--lang", "it", "--turn", turn] for turn in turns[::30]),
    ]  # fmt: skip
    for command in commands:
        on_a_terminal(run(*command))


def test_on_a_terminal_errors_are_dead(tmp_path: Path) -> None:
    """Also where a program shows them."""
    place = tmp_path / NAME
    write_book("# Sheet: S\nDecision: d(a: number)\n  if | then\n  a | x\n  - | 1", place)
    book = openpyxl.load_workbook(place)
    for row, text in enumerate(HOSTILE, 5):
        for column, word in ((1, "5"), (2, f"{text}")):
            cell = book["S"].cell(row, column)
            cell.value, cell.data_type = word, "s"
    book.save(place)
    for command in (["check"], ["check", "--json"], ["test"], ["annotate", "-o", tmp_path / "x.xlsx"]):
        result = run(*command, place)
        assert "error[" in on_a_terminal(result) or command != ["check"]
    with pytest.raises(WorkbookErrors) as raised:
        load(place)
    assert not ALIVE.search(str(raised.value)) and "\nFAKE" not in str(raised.value)


def test_on_a_terminal_values_are_the_same(book: Path, folder: Path, tmp_path: Path) -> None:
    """What programs read there is what they read in a file."""
    shown = run("eval", book, folder / "log.jsonl").stdout
    assert run("eval", book, folder / "log.jsonl", "-o", tmp_path / "out.jsonl").exit_code == 1
    written = (tmp_path / "out.jsonl").read_text(encoding="utf-8")
    assert list(map(json.loads, shown.split("\n")[:-1])) == list(map(json.loads, written.split("\n")[:-1]))
    assert {json.loads(line)["answer"]["said"] for line in written.split("\n")[:-1]} == set(OF_RECORDS)


@given(st.text(st.characters(codec=None)))
def test_visible(text: str) -> None:
    shown = visible(text)
    assert not ALIVE.search(shown) and "\n" not in shown and visible(shown) == shown
    assert all(c in shown for c in text if c.isalnum())
    written = json.dumps(text, ensure_ascii=False)
    assert not ALIVE.search(visible_json(written)) and json.loads(visible_json(written)) == text


def test_the_terminal_has_one_door() -> None:
    source = Path(__file__).parents[1] / "src" / "dtables"
    for path in source.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if path.name != "options.py" or path.parent.name != "cli":
            assert not re.search(r"click\.(secho|echo)|sys\.std(out|err)\.write", text), path


# -- a spreadsheet -------------------------------------------------------------------------------------

RUNS = tuple("=+-@＝＋－＠")
NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?")


def cells_seen(text: str) -> Iterator[str]:
    """In a spreadsheet that separates by any of these, and passes over blanks and quotes."""
    for separator in ",;\t":
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator):
            yield from row
    yield from re.split("[;\t\r\n]", text)


def is_inert(cell: str) -> bool:
    bare = cell.lstrip(' \u00a0"')
    return not bare.startswith(RUNS) or NUMBER.fullmatch(bare) is not None


texts = st.text(st.sampled_from("=+-@＝;,\t\r\n'\" \u00a0ax1\\"), max_size=12) | st.sampled_from(OF_RECORDS)


@given(st.lists(texts, min_size=1, max_size=4))
def test_csv__whatever_separates_nothing_runs(values: list[str]) -> None:
    rows = [[guarded(value) for value in values], [guarded_json(json.dumps(values, ensure_ascii=False))]]
    written = "".join(",".join(map(csv_cell, row)) + "\n" for row in rows)
    assert [cell for cell in cells_seen(written) if not is_inert(cell)] == []
    read = list(csv.reader(io.StringIO(written, newline=""), strict=True))
    assert [unguarded(cell) for cell in read[0]] == values or values == [""]
    assert json.loads(unguarded(read[1][0])) == values
    assert may_be_guarded(written.encode()) or all(guarded(value) == value for value in values)


def test_csv__answers(book: Path, folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    assert run("eval", book, folder / "log.jsonl", "-o", out).exit_code == 1
    written = out.read_bytes().decode()
    assert [cell for cell in cells_seen(written) if not is_inert(cell)] == []
    read = list(csv.DictReader(io.StringIO(written, newline=""), strict=True))
    assert [unguarded(row["said"]) for row in read] == list(OF_RECORDS)
    assert [json.loads(row["all"]) for row in read] == [[text] for text in OF_RECORDS]
    assert [unguarded(row["game"]) for row in read] == list(OF_RECORDS)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_csv__in_libreoffice(book: Path, folder: Path, tmp_path: Path, separator: str) -> None:
    """Formulas in the file are to be formulas in the sheet: it would be one otherwise."""
    needs_libreoffice()
    out = tmp_path / "out.csv"
    run("eval", book, folder / "log.jsonl", "-o", out)
    alive = tmp_path / "alive.csv"
    alive.write_text(f"a{separator}=1+1\n", encoding="utf-8")
    reading = f"CSV:{ord(separator)},34,76,1,,0,false,true,false,false,false,-1,true"
    profile = f"-env:UserInstallation=file://{tmp_path}/profile"
    subprocess.run(
        ["soffice", profile, "--headless", f"--infilter={reading}", "--convert-to", "xlsx", "--outdir",
         str(tmp_path), str(out), str(alive)], capture_output=True, timeout=180, check=True,
    )  # fmt: skip
    assert formulas(tmp_path / "out.xlsx") == [] and len(formulas(tmp_path / "alive.xlsx")) == 1


def test_csv__answers_are_read_as_they_were(book: Path, folder: Path, tmp_path: Path) -> None:
    """A log of the answers: their texts go in as they came out."""
    out, again = tmp_path / "out.csv", tmp_path / "again.csv"
    run("eval", book, folder / "log.jsonl", "-o", out)
    text = out.read_bytes().decode()
    again.write_bytes(text.replace("turn,game,ask,card,said,", "turn,game,ask,turned,remark,", 1).encode())
    heads = again.read_bytes().decode().split("\n", 1)[0].split(",")
    assert heads[:5] == ["turn", "game", "ask", "turned", "remark"], heads
    rows = list(csv.reader(io.StringIO(again.read_bytes().decode(), newline="")))
    with again.open("w", encoding="utf-8", newline="") as file:
        for number, (turn, game, *_, remark) in enumerate(row[:5] for row in rows):
            offer = "offer" if number == 0 else '["old_vine"]'
            file.write(",".join(map(csv_cell, (turn, game, remark, offer))) + "\n")
    result = run("eval", book, again)
    assert result.exit_code == 0, result.stderr
    assert [json.loads(line)["answer"]["said"] for line in result.stdout.split("\n")[:-1]] == list(OF_RECORDS)


def formulas(path: Path) -> list[str]:
    book = openpyxl.load_workbook(path)
    return [
        f"{sheet.title}!{cell.coordinate}: {cell.value}"
        for sheet in book.worksheets
        for row in sheet.iter_rows()
        for cell in row
        if cell.data_type not in ("s", "n", "b", "inlineStr", "d")
    ]


@pytest.mark.parametrize("command", ["dress", "annotate --notes", "log", "log --lang it"])
def test_xlsx__nothing_is_a_formula(book: Path, tmp_path: Path, command: str) -> None:
    out = tmp_path / "out.xlsx"
    assert run(*command.split(), book, "-o", out).exit_code == 0
    assert formulas(out) == []
    again = tmp_path / "again.xlsx"
    if command == "dress":
        assert run("dress", out, "-o", again).exit_code == 0 and formulas(again) == []


def test_xlsx__answers(book: Path, folder: Path, tmp_path: Path) -> None:
    log, out = tmp_path / "log.jsonl", tmp_path / "out.xlsx"
    sound = [line for line in (folder / "log.jsonl").read_text().splitlines() if "\\u001b" not in line]
    log.write_text("\n".join(line for line in sound if "\\u0007" not in line and "\\b" not in line))
    assert run("eval", book, log, "-o", out).exit_code == 1
    assert formulas(out) == []


def test_xlsx__what_a_formula_gave_is_a_text(tmp_path: Path) -> None:
    """Its result stands in the copy, and would run there."""
    place = tmp_path / "b.xlsx"
    write_book("# Sheet: S\nDecision: d(a: number)\n  if | then | text en\n  a | x |\n  - | 1 | plain", place)
    book = openpyxl.load_workbook(place)
    sheet = book.worksheets[0]
    (cell,) = (cell for row in sheet.iter_rows() for cell in row if cell.value == "plain")
    cell.value = '="=1+"&"1"'
    book.save(place)
    content = with_result(place, cell.coordinate, "=1+1")
    place.write_bytes(content)
    out = tmp_path / "out.xlsx"
    for command in ("dress", "annotate"):
        assert run(command, place, "-o", out).exit_code == 0
        assert formulas(out) == []
        found = openpyxl.load_workbook(out)["S"][cell.coordinate]
        assert (found.value, found.data_type) == ("=1+1", "s")


def test_xlsx__a_marker_that_is_a_formula_stays_what_it_gave(tmp_path: Path) -> None:
    place, out = tmp_path / "b.xlsx", tmp_path / "out.xlsx"
    write_book("# Sheet: S\nDecision: d(a: number)\n  if | then\n  a | x\n  - | 1", place)
    book = openpyxl.load_workbook(place)
    book["S"]["A1"], book["S"]["A2"] = '="Decision"&": d(a: number)"', '="i"&"f"'
    book.save(place)
    place.write_bytes(with_result(place, "A1", "Decision: d(a: number)"))
    place.write_bytes(with_result(place, "A2", "if"))
    assert run("check", place).exit_code == 0
    for command in ("dress", "annotate"):
        assert run(command, place, "-o", out).exit_code == 0
        assert formulas(out) == [] and run("check", out).exit_code == 0


def with_result(place: Path, address: str, result: str) -> bytes:
    """As a spreadsheet saves it: the formula beside what it gave."""
    import zipfile

    made = io.BytesIO()
    with zipfile.ZipFile(place) as old, zipfile.ZipFile(made, "w") as new:
        for entry in old.infolist():
            content = old.read(entry).decode("utf-8") if entry.filename.endswith("sheet1.xml") else None
            if content is not None:
                pattern = rf'(<c r="{address}"[^>]*?)(?: t="\w+")?>(<f>.*?</f>)<v\s*/?>(?:</v>)?</c>'
                content, count = re.subn(pattern, rf'\1 t="str">\2<v>{result}</v></c>', content)
                assert count == 1, content
            new.writestr(entry.filename, content if content is not None else old.read(entry))
    return made.getvalue()


# -- a browser -----------------------------------------------------------------------------------------


class Elements(HTMLParser):
    """Every element with the names of its attributes, every address, and the text."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.kinds: set[tuple[str, tuple[str, ...]]] = set()
        self.addresses: set[str] = set()
        self.scripts = 0
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.kinds.add((tag, tuple(sorted(name for name, _ in attrs))))
        self.scripts += tag == "script"
        self.addresses |= {value or "" for name, value in attrs if name in ("href", "src", "action")}

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_html__pages(book: Path, folder: Path, tmp_path: Path) -> None:
    seen = {}
    for name, one in (("hostile", book), ("tame", folder / "tame" / "b.xlsx")):
        out = tmp_path / name
        assert run("print", one, "--format", "html", "-o", out).exit_code == 0
        pages = sorted(out.iterdir())
        assert len(pages) == 2
        seen[name] = [Elements(page.read_text(encoding="utf-8")) for page in pages]
    for hostile, tame in zip(seen["hostile"], seen["tame"], strict=True):
        assert hostile.kinds <= tame.kinds and hostile.scripts == tame.scripts
        assert all(
            address in ("data:,", "#page") or address.startswith("#b") for address in hostile.addresses
        )
    assert "<script>alert(1)</script>" in "".join(word for one in seen["hostile"] for word in one.words)


def test_html__report(book: Path, folder: Path, tmp_path: Path) -> None:
    seen = {}
    for name, one, log in (
        ("hostile", book, folder / "log.jsonl"),
        ("tame", folder / "tame" / "b.xlsx", folder / "tame" / "log.jsonl"),
    ):
        run("eval", one, log, "-o", tmp_path / "out.jsonl", "--report", tmp_path / f"{name}.html")
        seen[name] = Elements((tmp_path / f"{name}.html").read_text(encoding="utf-8"))
    assert seen["hostile"].kinds <= seen["tame"].kinds
    assert seen["hostile"].scripts == seen["tame"].scripts
    assert all(address == "data:," or address.startswith("#") for address in seen["hostile"].addresses)
    assert "<script>alert(1)</script>" in "".join(seen["hostile"].words)


# -- Markdown ------------------------------------------------------------------------------------------

MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable("table").enable("strikethrough")
INLINE = {"code", "strong", "em", "p", "ul", "ol", "li"}


@pytest.mark.parametrize("language", ["en", "it"])
def test_markdown__pages(book: Path, folder: Path, tmp_path: Path, language: str) -> None:
    seen = {}
    for name, one in (("hostile", book), ("tame", folder / "tame" / "b.xlsx")):
        assert run("docs", one, "--lang", language, "-o", tmp_path / name).exit_code == 0
        (page,) = (tmp_path / name).iterdir()
        seen[name] = Elements(MARKDOWN.render(page.read_text(encoding="utf-8")))
    hostile = {tag for tag, _ in seen["hostile"].kinds}
    assert hostile - {tag for tag, _ in seen["tame"].kinds} <= {"em", "strong"}
    assert all(names in ((), ("href",), ("class",)) for _, names in seen["hostile"].kinds)
    assert all(address.startswith("#") for address in seen["hostile"].addresses)
    assert "<script>alert(1)</script>" in "".join(seen["hostile"].words)


@given(st.text(st.sampled_from("<>`[]()!&;\\|#-+*_~=:1.ab \n\t'\""), max_size=20) | st.sampled_from(HOSTILE))
def test_markdown__what_goes_in_is_text(text: str) -> None:
    table = "\n".join(as_table(("a", "b"), [(prose(text), code(text))]))
    inline = f"**x** {code(text)} {prose(text)} {code(text)}"
    for written in (paragraph(text), f"# {prose(text)}", f"- {paragraph(text)}", inline, table):
        seen = Elements(MARKDOWN.render(written))
        tags = {tag for tag, _ in seen.kinds}
        assert tags <= {*INLINE, "h1", "table", "thead", "tbody", "tr", "th", "td", "br"}, (written, tags)
        assert not seen.addresses and all(not names for _, names in seen.kinds)
    assert MARKDOWN.render(table).count("<td>") == 2
