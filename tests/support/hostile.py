"""Files made to hurt, and what answering them takes: `python -m tests.support.hostile` prints a table.

Each is made of a size; twice the size is a file twice as large. Seconds are of processor time, of a run and
of all processes that it started, so that what else the machine does is left out.
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from threading import Timer
from typing import Any

from tests.support.drawing import write_book

MOST_MEMORY = 600
"""MB, of a process that answers a log."""
MOST_ADDRESSES = 6 << 30
LONGEST = 300
"""Seconds by the clock, so that a mistake does not take the machine along."""
MOST_GROWTH = 2.5
"""Times the processor time, for a file twice as large."""
SQUARED = {"texts that are joined": 4.5}
"""The rules of these go through all texts for each text: it is they who take four times as long."""
ENOUGH = 1.0
"""Seconds beyond those of an empty log: less says nothing about growth."""
LARGEST = 16
"""Times its first size a file is made to get there."""

BOOK = """
# Sheet: Rules

Types: words
  name | names
  colour | red, green, blue, yellow

Record: piece
  field | type | default
  colour | colour | needed
  size | whole number | 0
  name | text? |
  inner | list of piece | []

Input: state
  field | type | default
  n | number | 0
  whole | whole number | 0
  text | text | ""
  yes | boolean | false
  day | date? |
  moment | date and time? |
  time | time? |
  colour | colour | red
  colours | list of colour | []
  texts | list of text | []
  numbers | list of number | []
  pieces | list of piece | []
  stock | number by colour | {}
  any | any |

Formulas: doubled
  name | type | is
  t1 | text | text + text
  t2 | text | t1 + t1
  t3 | text | t2 + t2
  t4 | text | t3 + t3
  t5 | text | t4 + t4
  t6 | text | t5 + t5
  t7 | text | t6 + t6
  t8 | text | t7 + t7
  t9 | text | t8 + t8

Checks: of the pieces
  places | at most | text en
  pieces.name | 1 | each name once

Ask: pick ; main: yes
  role | name | is
  answer | many | n > 2 and colour = blue

Ask: count
  role | name | is
  answer | colours | count(colours)
  answer | pieces | count(pieces[size > 1])
  answer | total | sum(numbers)
  answer | stock | stock

Ask: echo
  role | name | is
  answer | any | any
  answer | texts | texts
  answer | pieces | pieces

Ask: grow
  role | name | is
  answer | length | string length(t9 + t9 + t9 + t9)

Ask: join
  role | name | is
  answer | joined | string join(for a in texts return string join(texts, a), text)
"""


@dataclass(frozen=True)
class Told:
    """`seconds` of processor time, and the largest process's `megabytes`."""

    code: int
    seconds: float
    megabytes: float
    output: str
    answers: int
    rejects: int
    reject_bytes: int


_PROGRAM = f"""
import atexit, resource, runpy, sys
resource.setrlimit(resource.RLIMIT_AS, ({MOST_ADDRESSES}, {MOST_ADDRESSES}))
told = sys.argv.pop(1)
def tell():
    with open("/proc/self/status") as status, open(told, "w") as file:
        own = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
        file.write(str(max(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)))
atexit.register(tell)
runpy.run_module("dtables", run_name="__main__", alter_sys=True)
"""
"""What a process is said to have taken begins with what the one that started it has: it asks for itself."""


def evaluate(folder: Path, log: Path, *options: str, book: str = BOOK) -> Told:
    """`dtables eval` in a process of its own; one that takes too long is ended."""
    file, out, most = folder / "book.xlsx", folder / "out.jsonl", folder / "most"
    if not file.exists():
        write_book(book, file)
    for old in folder.glob("out.*"):
        old.unlink()
    command = [
        sys.executable,
        "-c",
        _PROGRAM,
        str(most),
        "eval",
        str(file),
        str(log),
        "-o",
        str(out),
        *options,
    ]
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(command, stdout=said, stderr=said, env=_surroundings())
        late = Timer(LONGEST, process.kill)
        late.start()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        late.cancel()
        said.seek(0)
        output = said.read()
    rejects = out.with_name("out.rejected.jsonl")
    lines = [path.read_bytes().splitlines() if path.exists() else [] for path in (out, rejects)]
    longest = max(map(len, lines[1]), default=0)
    taken = int(most.read_text()) / 1024 if most.exists() else float("inf")
    return Told(
        process.returncode,
        used.ru_utime + used.ru_stime,
        taken,
        output,
        len(lines[0]),
        len(lines[1]),
        longest,
    )


def _surroundings() -> dict[str, str]:
    """The book is compiled once."""
    return {
        **os.environ,
        "DTABLES_CACHE": str(Path(tempfile.gettempdir()) / f"dtables-hostile-{os.getuid()}"),
    }


# -- lines of JSON -----------------------------------------------------------------------------


def record(state: Any, ask: str = "count", turn: Any = 1) -> bytes:
    return json.dumps({"turn": turn, "ask": ask, "state": state}).encode()


def listed(item: str, count: int) -> str:
    """`#` in it is its number."""
    items = (item.replace("#", str(n)) for n in range(count)) if "#" in item else [item] * count
    return ",".join(items)


def line(key: str, items: str, ask: str = "count", turn: int = 1, closed: str = "[]") -> bytes:
    start, end = closed
    return f'{{"turn": {turn}, "ask": "{ask}", "state": {{"{key}": {start}{items}{end}}}}}'.encode()


MEBIBYTE = 1 << 20

LINES: dict[str, Callable[[float], bytes]] = {
    # sizes: about so many MB
    "sound pieces": lambda size: line("pieces", listed('{"colour":"red"}', int(size * 58_000))),
    "unknown names": lambda size: line("colours", listed('"n#"', int(size * 100_000))),
    "doubled key last": lambda size: line(
        "stock", listed('"k#":1', int(size * 90_000)) + ',"k0":1', closed="{}"
    ),
    "doubled keys": lambda size: line("stock", listed('"red":1', int(size * 130_000)), closed="{}"),
    "doubled in each": lambda size: line("pieces", listed('{"size":1,"size":1}', int(size * 50_000))),
    "lone surrogates": lambda size: line("texts", listed(r'"\ud800"', int(size * 110_000))),
    "escapes": lambda size: line("texts", listed(r'"\u0041"', int(size * 110_000)), "echo"),
    "not a number": lambda size: line("numbers", listed("NaN", int(size * 250_000))),
    "huge numbers": lambda size: line("numbers", listed("1" + "0" * 390, int(size * 2_600))),
    "too huge numbers": lambda size: line("numbers", listed("1" + "0" * 900, int(size * 1_100))),
    "fractions": lambda size: line("numbers", listed("0.1", int(size * 250_000))),
    "empty lists": lambda size: line("any", listed("[]", int(size * 330_000)), "echo"),
    "empty objects": lambda size: line("any", listed("{}", int(size * 330_000)), "echo"),
    "small objects": lambda size: line("any", listed('{"a":0}', int(size * 125_000)), "echo"),
    "open brackets": lambda size: b"[" * int(size * MEBIBYTE),
    "brackets within": lambda size: b'{"turn":1,"state":{"any":' + b"[" * int(size * MEBIBYTE),
    "nested": lambda size: line("any", listed("[" * 90 + "]" * 90, int(size * 5_700)), "echo"),
    "unknown keys": lambda size: b'{"turn":1,"state":{%s}}' % listed('"k#":#', int(size * 75_000)).encode(),
    "unknown keys outside": lambda size: b'{"turn":1,%s}' % listed('"k#":#', int(size * 75_000)).encode(),
    "long text": lambda size: record({"text": "x" * int(size * MEBIBYTE)}),
    "long name": lambda size: record({"colour": "x" * int(size * MEBIBYTE)}),
    "accents": lambda size: json.dumps(
        {"turn": 1, "state": {"colour": "r" + "\u0301\u0323" * int(size * MEBIBYTE / 4)}}, ensure_ascii=False
    ).encode(),
    "long key": lambda size: record({"x" * int(size * MEBIBYTE): 1}),
    "long turn": lambda size: record({}, turn="x" * int(size * MEBIBYTE)),
    "long turn of a reject": lambda size: record({"n": "1"}, turn="x" * int(size * MEBIBYTE)),
    "pieces by one name": lambda size: line(
        "pieces", listed('{"colour":"red","name":"a"}', int(size * 37_000))
    ),
    "pieces by all names": lambda size: line(
        "pieces", listed('{"colour":"red","name":"#"}', int(size * 33_000))
    ),
    "pieces in pieces": lambda size: line(
        "pieces", listed('{"colour":"red","inner":[{"size":"1"}]}', int(size * 26_000))
    ),
    "not a line": lambda size: b"\x00" * int(size * MEBIBYTE),
    "no text": lambda size: b"\xff" * int(size * MEBIBYTE),
    "texts that double": lambda size: record({"text": "x" * int(size * MEBIBYTE)}, "grow"),
    "texts that are joined": lambda size: line("texts", listed('"abc"', int(size * 500)), "join"),
    "played": lambda size: b'{"turn":1,"ask":"count","state":{},"played":{%s}}' % listed(
        '"k#":#', int(size * 75_000)).encode(),
}  # fmt: skip


def many_lines(one: Callable[[int], bytes], count: int) -> bytes:
    return b"\n".join(map(one, range(count)))


LOGS: dict[str, Callable[[float], bytes]] = {
    "short lines": lambda size: b"1\n" * int(size * MEBIBYTE / 2),
    "blank lines": lambda size: b"\n" * int(size * MEBIBYTE),
    "rejects": lambda size: many_lines(
        lambda n: b'{"turn":%d,"state":{"colour":"n%d"}}' % (n, n), int(size * 26_000)
    ),
    "the same turn": lambda size: many_lines(lambda _: b'{"turn":1,"state":{}}', int(size * 47_000)),
    "long lines": lambda size: many_lines(lambda n: record({"text": "x" * MEBIBYTE}, turn=n), int(size)),
}


# -- what is packed and what has columns -------------------------------------------------------


def json_lines(make: Callable[[float], bytes]) -> Callable[[Path, float], Path]:
    def written(folder: Path, size: float) -> Path:
        file = folder / "log.jsonl"
        file.write_bytes(make(size))
        return file

    return written


def packed(name: str, piece: bytes) -> Callable[[Path, float], Path]:
    """So many times 64 MB, which take next to nothing."""

    def written(folder: Path, size: float) -> Path:
        file = folder / name
        with gzip.open(file, "wb") as stream:
            for _ in range(int(size * 64)):
                stream.write(piece * (MEBIBYTE // len(piece)))
        return file

    return written


def csv_log(head: str, row: Callable[[int], str]) -> Callable[[Path, float], Path]:
    def written(folder: Path, size: float) -> Path:
        file = folder / "log.csv"
        count = max(1, int(size * MEBIBYTE / (len(row(1)) + 1)))
        with file.open("w", encoding="utf-8", newline="") as stream:
            stream.write(f"{head}\n")
            stream.writelines(f"{row(n)}\n" for n in range(count))
        return file

    return written


def csv_line(make: Callable[[float], str]) -> Callable[[Path, float], Path]:
    def written(folder: Path, size: float) -> Path:
        file = folder / "log.csv"
        file.write_text(make(size), encoding="utf-8")
        return file

    return written


def parquet(make: Callable[[float], Any], **options: Any) -> Callable[[Path, float], Path]:
    def written(folder: Path, size: float) -> Path:
        import pyarrow.parquet as pq

        file = folder / "log.parquet"
        pq.write_table(make(size), file, **options)
        return file

    return written


def repeated(value: Any, kind: Any, rows: int) -> Any:
    """A column of the same value in every row."""
    import pyarrow as pa

    one = pa.array([value], kind)
    if pa.types.is_string(kind):
        return pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), one)
    return pa.concat_arrays([one.take(pa.array([0] * min(rows, 1_000)))] * max(1, rows // 1_000))


def _table(**columns: Any) -> Any:
    import pyarrow as pa

    return pa.table(columns)


def one_list(kind: Any, count: int) -> Any:
    """A row whose list is so long."""
    import pyarrow as pa

    return pa.ListArray.from_arrays(pa.array([0, count], pa.int32()), pa.nulls(count, kind))


def _arrow(name: str) -> Any:
    import pyarrow as pa

    return {
        "text": pa.string(), "texts": pa.list_(pa.string()), "number": pa.float64(),
        "pieces": pa.list_(pa.struct([("colour", pa.string()), ("size", pa.int64())])),
    }[name]  # fmt: skip


PARQUET: dict[str, Callable[[Path, float], Path]] = {
    "a long text in every row": parquet(
        lambda size: _table(text=repeated("x" * MEBIBYTE, _arrow("text"), int(size * 4_000)))
    ),
    "long texts in lists": parquet(
        lambda size: _table(texts=repeated(["x" * 100_000] * 10, _arrow("texts"), int(size * 500)))
    ),
    "a list of nulls": parquet(lambda size: _table(texts=one_list(_arrow("text"), int(size * 50_000_000)))),
    "a list of numbers": parquet(
        lambda size: _table(numbers=one_list(_arrow("number"), int(size * 50_000_000)))
    ),
    "lists of records": parquet(
        lambda size: _table(
            pieces=repeated([{"colour": "red", "size": 1}] * 20_000, _arrow("pieces"), int(size * 100))
        )
    ),
    "many rows": parquet(lambda size: _table(colour=repeated("blue", _arrow("text"), int(size * 1_000_000)))),
    "many odd rows": parquet(
        lambda size: _table(colour=repeated("blu", _arrow("text"), int(size * 100_000)))
    ),
    "different texts": parquet(
        lambda size: _table(colour=[f"n{n}" for n in range(int(size * 100_000))])
    ),
    "many columns": parquet(
        lambda size: _table(turn=[1], **{f"c{n}": [n] for n in range(int(size * 5_000))})
    ),
    "texts that begin alike": parquet(
        lambda size: _table(text=["x" * 200_000 + str(n) for n in range(int(size * 200))]),
        use_dictionary=False, column_encoding={"text": "DELTA_BYTE_ARRAY"},
    ),
    "packed pages": parquet(
        lambda size: _table(text=["x" * (64 * MEBIBYTE)] * max(1, int(size * 4))),
        use_dictionary=False, compression="zstd", data_page_size=1 << 30,
    ),
}  # fmt: skip


def workbook(
    rows: Callable[[float], Iterator[str]], shared: Callable[[float], Iterator[str]] | None = None
) -> Any:
    """The parts of a sheet as text: what no spreadsheet would write."""

    def written(folder: Path, size: float) -> Path:
        import openpyxl

        file = folder / "log.xlsx"
        book = openpyxl.Workbook()
        book.active.append(["turn", "text"])
        book.active.append([1, "a"])
        plain = folder / "plain.xlsx"
        book.save(plain)
        with zipfile.ZipFile(plain) as source, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as target:
            for name in source.namelist():
                content = source.read(name)
                if name == "xl/worksheets/sheet1.xml":
                    head, _, tail = content.partition(b"</sheetData>")
                    _write(target, name, head, rows(size), b"</sheetData>" + tail)
                elif name == "xl/sharedStrings.xml" and shared is not None:
                    head, _, tail = content.partition(b"</sst>")
                    _write(target, name, head, shared(size), b"</sst>" + tail)
                else:
                    target.writestr(name, content)
        return file

    return written


def _write(target: zipfile.ZipFile, name: str, head: bytes, pieces: Iterator[str], tail: bytes) -> None:
    with target.open(name, "w", force_zip64=True) as part:
        part.write(head)
        for piece in pieces:
            part.write(piece.encode())
        part.write(tail)


def _one_cell(size: float) -> Iterator[str]:
    yield '<row r="3"><c r="A3"><v>2</v></c><c r="B3" t="inlineStr"><is><t>'
    for _ in range(int(size * 64)):
        yield "".join(f"{n:06x}" for n in range(MEBIBYTE // 6))
    yield "</t></is></c></row>"


def _wide_rows(size: float) -> Iterator[str]:
    for row in range(3, 3 + int(size * 60)):
        yield f'<row r="{row}">' + f"<c><v>{row}</v></c>" * 16_000 + "</row>"


def _many_rows(size: float) -> Iterator[str]:
    for row in range(3, 3 + int(size * 40_000)):
        cells = f'<c r="A{row}"><v>{row}</v></c><c r="B{row}" t="inlineStr"><is><t>{row}</t></is></c>'
        yield f'<row r="{row}">{cells}</row>'


def _long_tag(size: float) -> Iterator[str]:
    yield '<row r="3" x="'
    for _ in range(int(size * 16)):
        yield "".join(f"{n:06x}" for n in range(MEBIBYTE // 6))
    yield '"><c r="A3"><v>2</v></c></row>'


def _strings(size: float) -> Iterator[str]:
    for n in range(int(size * 800_000)):
        yield f"<si><t>{n}</t></si>"


def _rich_strings(size: float) -> Iterator[str]:
    for n in range(int(size * 100_000)):
        yield f"<si><r><rPr><b/></rPr><t>{n}</t></r></si>"


SHEETS: dict[str, Callable[[Path, float], Path]] = {
    "a long cell": workbook(_one_cell),
    "wide rows": workbook(_wide_rows),
    "many rows": workbook(_many_rows),
    "a long tag": workbook(_long_tag),
    "many texts": workbook(_many_rows, _strings),
    "rich texts": workbook(_many_rows, _rich_strings),
}

CSV: dict[str, Callable[[Path, float], Path]] = {
    "a long line": csv_line(lambda size: "turn,text\n1," + "x" * int(size * MEBIBYTE)),
    "a wide line": csv_line(lambda size: "turn,text\n1," + "," * int(size * MEBIBYTE)),
    "a wide line of words": csv_line(lambda size: "turn,text\n1," + "ab," * int(size * MEBIBYTE / 3)),
    "a wide line of quotes": csv_line(lambda size: 'turn,text\n"1",' + '"a",' * int(size * MEBIBYTE / 4)),
    "a wide head": csv_line(lambda size: f"turn,{listed('c#', int(size * 150_000))}\n1,\n"),
    "an open quote": csv_line(lambda size: 'turn,text\n1,"' + "abc\n" * int(size * MEBIBYTE / 4)),
    "long cells": csv_log("turn,text", lambda n: f"{n}," + "x" * 900_000),
    "cells of JSON": csv_log("turn,colours", lambda n: f'{n},"[{listed("0", 50_000)}]"'),
    "odd rows": csv_log("turn,colour", lambda n: f"{n},n{n}"),
    "odd rows, quoted": csv_log("turn,colour", lambda n: f'{n},"n{n}"'),
    "doubled turns": csv_log("turn,colour", lambda _: "1,red"),
    "packed: a long line": packed("log.csv.gz", b"x"),
    "packed: commas": packed("log.csv.gz", b","),
    "packed: short rows": packed("log.csv.gz", b"1,\n,\n"),
}  # fmt: skip

PACKED: dict[str, Callable[[Path, float], Path]] = {
    "packed: a long line": packed("log.jsonl.gz", b"x"),
    "packed: brackets": packed("log.jsonl.gz", b"["),
    "packed: blank lines": packed("log.jsonl.gz", b"\n"),
}


FILES: dict[str, dict[str, Callable[[Path, float], Path]]] = {
    "jsonl": {name: json_lines(make) for name, make in (LINES | LOGS).items()},
    "packed": PACKED, "csv": CSV, "parquet": PARQUET, "xlsx": SHEETS,
}  # fmt: skip
SIZES = {"jsonl": 2.0, "csv": 0.5}
ENGINES = {"csv": ("python", "columns"), "parquet": ("python", "columns")}


def cases() -> Iterator[tuple[str, str, float, tuple[str, ...]]]:
    """Kinds, names, a size that shows, and options."""
    for kind, files in FILES.items():
        for name in files:
            size = 1.0 if name.startswith("packed") else SIZES.get(kind, 1.0)
            for engine in ENGINES.get(kind, ("python",)):
                yield kind, name, size, ("--engine", engine)
    yield "jsonl", "short lines", 1.0, ("--processes", "2")
    yield "jsonl", "long lines", 10.0, ("--processes", "2")


def main(*wanted: str) -> int:
    print("the case; its largest size; seconds; times that for twice the size; MB; longest reject; records")
    longest = largest = steepest = 0.0
    wrong = 0
    for kind, name, size, options in cases():
        told = f"{kind} {options[-1]}: {name}"
        if wanted and not any(one in told for one in wanted):
            continue
        print(f"{told:<50}", end="", flush=True)
        growth = grown(kind, name, size, options)
        wrong += growth.is_wrong
        longest, largest = max(longest, growth.seconds), max(largest, growth.megabytes)
        steepest = max(steepest, 0 if name in SQUARED else growth.times)
        print(growth, flush=True)
    print(
        f"longest {longest:.1f} s, highest memory {largest:.0f} MB, twice the file at most {steepest:.1f} x"
    )
    return int(wrong > 0)


@dataclass(frozen=True)
class Growth:
    """What files take of which each is twice as large as the one before; `size` is that of the last, `idle`
    what an empty log takes."""

    name: str
    size: float
    idle: float
    runs: tuple[Told, ...]

    @property
    def times(self) -> float:
        """The most that twice the file took; of what takes next to nothing nothing is said."""
        taken = [max(ENOUGH, run.seconds - self.idle) for run in self.runs]
        return max((twice / once for once, twice in pairwise(taken)), default=1.0)

    @property
    def seconds(self) -> float:
        return max(run.seconds for run in self.runs)

    @property
    def megabytes(self) -> float:
        return max(run.megabytes for run in self.runs)

    @property
    def is_wrong(self) -> bool:
        return any(map(is_wrong, self.runs)) or self.times > SQUARED.get(self.name, MOST_GROWTH)

    def __str__(self) -> str:
        last = self.runs[-1]
        return (
            f"{self.size:>5g} {self.seconds:>5.1f} {self.times:>4.1f} {self.megabytes:>5.0f} "
            f"{last.reject_bytes:>6}  {last.answers}+{last.rejects} "
            f"{'!! ' if self.is_wrong else ''}{last.output.strip().splitlines()[-1:]}"
        )


def grown(kind: str, name: str, size: float, options: tuple[str, ...] = ()) -> Growth:
    """The size is doubled, once at least, until it takes long enough for growth to show in it."""
    idle, most = idle_seconds(kind, options), LARGEST * size
    growth = Growth(name, size, idle, (measured(kind, name, size, options),))
    while True:
        enough = growth.runs[-1].seconds - idle >= ENOUGH
        try:
            more = measured(kind, name, 2 * growth.size, options)
        except subprocess.CalledProcessError:  # no library makes a file so large
            return growth
        growth = Growth(name, 2 * growth.size, idle, (*growth.runs, more))
        if enough or growth.size >= most or growth.is_wrong:
            return growth


@cache
def idle_seconds(kind: str, options: tuple[str, ...]) -> float:
    """What the same command takes of a log without records."""
    empty: dict[str, tuple[str, str]] = {"csv": ("csv", "odd rows"), "parquet": ("parquet", "many rows")}
    kind, name = empty.get(kind, ("jsonl", "blank lines"))
    return min(measured(kind, name, 1e-3, options).seconds for _ in range(3))


def measured(kind: str, name: str, size: float, options: tuple[str, ...] = ()) -> Told:
    """Another process writes the file: what it takes is its own."""
    with tempfile.TemporaryDirectory() as folder:
        program = f"from tests.support.hostile import write; write({kind!r}, {name!r}, {folder!r}, {size})"
        subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parents[2], check=True)
        (log,) = Path(folder).glob("log.*")
        return evaluate(Path(folder), log, *options)


def write(kind: str, name: str, folder: str, size: float) -> None:
    FILES[kind][name](Path(folder), size)


def is_wrong(told: Told) -> bool:
    return "Traceback" in told.output or told.megabytes > MOST_MEMORY or told.code not in (0, 1)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
