"""A log read in shares says what it says when it is read from its beginning."""

from __future__ import annotations

import gzip
import json
import pickle
import subprocess
import sys
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from dtables.logs.files import (
    LineRange,
    RowGroups,
    Share,
    Unsplittable,
    count_newlines,
    find_log,
    read_share,
    shares_of,
    uncounted,
    with_newlines,
)
from dtables.logs.jsonlines import LogError, read_lines
from dtables.records.json import LONGEST_LINE, LogLine
from dtables.ruleset import Ruleset, load
from dtables.spark.logs import packed_package
from dtables.spark.worker import SETTLED, Job, counted_batches, settled_batches
from tests.answers.doubler import Doubler, write_log
from tests.support.thinned import draws

TABLES = Path(__file__).parents[2] / "tables"

lines = st.sampled_from(
    [b"", b" ", b"\r", b'{"turn": 1}', b'{"turn": "a long one"}\r', b"no", b"\xff", b"[]"]
)
logs = st.builds(
    lambda mark, some, end: mark + b"\n".join(some) + end,
    st.sampled_from([b"", b"\xef\xbb\xbf", b"\xef\xbb\xbf\xef\xbb\xbf"]),
    st.lists(lines, max_size=30),
    st.sampled_from([b"", b"\n", b"\n\n"]),
)


def by_shares(path: Path, share: int, chunk: int) -> list[LogLine]:
    shares = shares_of(find_log(path), share)
    counted = with_newlines(shares, map(count_newlines, uncounted(shares)))
    return [line for one in counted for piece in read_share(one, None, chunk) for line in piece.lines()]


@settings(max_examples=draws(300), deadline=None)
@given(logs, st.integers(1, 60), st.integers(1, 30))
def test_shares__say_what_the_log_says(log: bytes, share: int, chunk: int) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "log.jsonl"
        path.write_bytes(log)
        assert by_shares(path, share, chunk) == list(read_lines(path))


def test_shares__a_line_too_long_is_one_reject(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'{"turn": 1}\n"' + b"x" * LONGEST_LINE + b'"\n{"turn": 2}\n')
    assert by_shares(path, 1 << 22, 1 << 20) == list(read_lines(path))
    assert [line.number for line in by_shares(path, 1 << 22, 1 << 20)] == [1, 2, 3]


def test_shares__of_a_folder(tmp_path: Path) -> None:
    """Each file is numbered by itself; what is packed can be read from its beginning only."""
    for name in ("a.jsonl", "b.jsonl"):
        write_log(tmp_path / name, 30)
    (tmp_path / "c.jsonl").write_bytes(gzip.compress(b'{"turn": 1}\n'))
    (tmp_path / "d.csv").write_text("turn,n\n1,2\n", encoding="utf-8")
    shares = shares_of(find_log(tmp_path), 500)
    assert [(s.name, type(s.part)) for s in shares] == [
        ("a.jsonl", LineRange), ("a.jsonl", LineRange), ("b.jsonl", LineRange), ("b.jsonl", LineRange),
        ("c.jsonl", Unsplittable), ("d.csv", Unsplittable),
    ]  # fmt: skip
    assert [s.name for s in uncounted(shares)] == ["a.jsonl", "b.jsonl"]
    assert sum(share.bytes for share in shares) == find_log(tmp_path).bytes


def test_shares__row_groups_of_parquet(tmp_path: Path, rules: Ruleset) -> None:
    path = tmp_path / "log.parquet"
    table = pyarrow.table({"turn": list(range(100)), "state": ["{}"] * 100})
    parquet.write_table(table, path, row_group_size=7)
    log = find_log(path, rules.model)
    shares = shares_of(log, 200)
    assert len(shares) > 3 and all(isinstance(share.part, RowGroups) for share in shares)
    apart = [line for s in shares for chunk in read_share(s, rules.model) for line in chunk.lines()]
    assert apart == [line for chunk in log.chunks() for line in chunk.lines()]
    assert [line.number for line in apart] == list(range(1, 101))
    with pytest.raises(LogError, match="columns have the types that a workbook declares"):
        read_share(shares[0], None)


def test_shares__not_of_excel(tmp_path: Path) -> None:
    (tmp_path / "log.xlsx").write_bytes(b"")
    with pytest.raises(LogError, match="a log in Excel is read on one machine only"):
        shares_of(find_log(tmp_path))


# -- far away ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load(TABLES / "architects.xlsx")


def numbers(count: int) -> pyarrow.RecordBatch:
    return pyarrow.RecordBatch.from_pydict({"id": list(range(count))})


def test_far__the_last_chunk_of_a_share_says_so(tmp_path: Path) -> None:
    log = find_log(write_log(tmp_path / "log.jsonl", 40))
    cut = shares_of(log, log.bytes // 2 + 1)
    shares = dict(enumerate(with_newlines(cut, map(count_newlines, uncounted(cut)))))
    packed = pickle.dumps(Job(Doubler(), None, 100))
    rows = [row for b in settled_batches(packed, shares, iter([numbers(2)])) for row in b.to_pylist()]
    assert [list(row) for row in rows] == [list(SETTLED)] * len(rows)
    assert [row["share"] for row in rows if row["last"]] == [0, 1]
    assert sum(row["records"] for row in rows) == 40
    assert {row["error"] for row in rows} == {None}


def test_far__what_cannot_be_read_is_told_in_a_row(tmp_path: Path) -> None:
    broken = tmp_path / "log.jsonl.gz"
    broken.write_bytes(gzip.compress(b'{"turn": 1}\n' * 1000)[:-12])
    shares = {
        0: Share(broken, None, Unsplittable(), 1),
        1: Share(tmp_path / "none.jsonl", None, LineRange(0, 9), 9),
    }
    packed = pickle.dumps(Job(Doubler(), None, 100))
    rows = [row for b in settled_batches(packed, shares, iter([numbers(2)])) for row in b.to_pylist()]
    errors = [row["error"] for row in rows if row["error"]]
    assert "the gzip file breaks off" in errors[0]
    assert "none.jsonl: No such file or directory (a log has to be where" in errors[1]
    (counted,) = [b.to_pylist() for b in counted_batches({0: shares[1]}, iter([numbers(1)]))]
    assert counted[0]["newlines"] is None and "No such file" in counted[0]["error"]


def test_packed_package__is_imported_where_nothing_of_ours_is_installed(
    tmp_path: Path, rules: Ruleset
) -> None:
    """Standard library alone: what reads, compiles and answers travels with the archive."""
    (tmp_path / "rules.py").write_text(rules.source, encoding="utf-8")
    record = (TABLES / "architects.sample.jsonl").read_text(encoding="utf-8").splitlines()[0]
    program = FAR.format(archive=str(packed_package()), source=str(tmp_path / "rules.py"))
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], input=record, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    state = json.loads(record)["state"]
    assert done.stdout.splitlines() == [str(packed_package()), json.dumps(rules.answer("turn", state))]


FAR = """
import json, sys
sys.path.insert(0, {archive!r})
import dtables, dtables.evaluator, dtables.logs.columns, dtables.logs.csv, dtables.spark.worker
from dtables.answers.engines import CompiledEngine
from pathlib import Path
engine = CompiledEngine("rules", "1", Path({source!r}).read_text(encoding="utf-8"), (("turn", ()),))
print(Path(dtables.__file__).parents[1])
print(json.dumps(engine.reply("turn", json.load(sys.stdin)["state"]).answer))
"""


def test_packed_package__same_code_same_bytes() -> None:
    with zipfile.ZipFile(packed_package()) as archive:
        names = archive.namelist()
        assert names == sorted(names) and "dtables/spark/worker.py" in names
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
