"""Logs on a Spark cluster: how it is called, what it says where it cannot, and what its machines need."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dtables.answers.engines import CompiledEngine, compiled_engine
from dtables.answers.run import OnCores, RunStart, answer_into, rejects_path
from dtables.cli import main
from dtables.logs.files import find_log
from dtables.logs.jsonlines import LogError
from dtables.ruleset import Ruleset, load
from dtables.spark import logs as sessions
from dtables.spark.logs import OnSpark
from tests.support.missing import needs_spark
from tests.support.spark import spark_session

pytestmark = pytest.mark.xdist_group("servers")
"""One worker starts them, for all tests that need one."""

TABLES = Path(__file__).parents[2] / "tables"
BOOK, SAMPLE = TABLES / "architects.xlsx", TABLES / "architects.sample.jsonl"
SMALL = OnSpark(share=4_000, chunk=1_000, wave=2)


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load(BOOK)


@pytest.fixture(scope="module")
def engine(rules: Ruleset) -> CompiledEngine:
    return compiled_engine(rules.model, rules.source)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["eval", *map(str, arguments)])


def repeated(path: Path, times: int) -> Path:
    """The sample again and again; the 5th record of each round has the turn of the first round."""
    records = SAMPLE.read_text(encoding="utf-8").splitlines()
    lines = [
        record.replace('{"turn": ', '{"game": "' + ("g" if turn == 4 else f"g{n}") + '", "turn": ', 1)
        for n in range(times)
        for turn, record in enumerate(records)
    ]
    path.write_text("\n".join(lines) + "\nnonsense\n", encoding="utf-8")
    return path


def test_eval__answers_on_spark(tmp_path: Path) -> None:
    spark_session()
    log = repeated(tmp_path / "log.jsonl", 4)
    for engine in ("spark", "python"):
        result = run(BOOK, log, "--engine", engine, "-o", tmp_path / f"{engine}.jsonl")
        assert result.exit_code == 1 and "33 records: 29 answered, 4 rejected" in result.stderr
    for name in ("{}.jsonl", "{}.rejected.jsonl"):
        assert (tmp_path / name.format("spark")).read_bytes() == (
            tmp_path / name.format("python")
        ).read_bytes()
    shown = run(BOOK, log, "--engine", "spark")
    assert shown.stdout == (tmp_path / "spark.jsonl").read_text(encoding="utf-8")
    assert "log.jsonl:33: rejected: $: found no JSON" in shown.stderr


def test_eval__reasons_are_the_same(tmp_path: Path) -> None:
    spark_session()
    for engine in ("spark", "python"):
        out = tmp_path / f"{engine}.jsonl"
        assert run(BOOK, SAMPLE, "--engine", engine, "--explain", "-o", out).exit_code == 0
    assert (tmp_path / "spark.jsonl").read_bytes() == (tmp_path / "python.jsonl").read_bytes()
    assert b'"reasons": [' in (tmp_path / "spark.jsonl").read_bytes()


def test_a_turn_used_shares_before_is_a_reject(tmp_path: Path, engine: CompiledEngine) -> None:
    spark_session()
    log, out = find_log(repeated(tmp_path / "log.jsonl", 30)), tmp_path / "out.jsonl"
    counts = answer_into(engine, log, out, manner=SMALL)
    assert (counts.records, counts.answers, counts.rejects) == (241, 211, 30)
    rejects = rejects_path(out).read_text(encoding="utf-8").splitlines()
    assert rejects[0].startswith(
        '{"line": 13, "turn": 5, "game": "g", "path": "turn", "found": "5, which an earlier'
    )
    assert rejects[-1].startswith('{"line": 241,')


def test_what_broke_off_is_continued(tmp_path: Path, engine: CompiledEngine) -> None:
    spark_session()
    log, out = find_log(repeated(tmp_path / "log.jsonl", 40)), tmp_path / "out.jsonl"
    answer_into(engine, log, tmp_path / "wanted.jsonl", manner=OnCores(1))
    for records in (60, 150):

        def stop(done: int, _: int, records: int = records) -> None:
            if done > records:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            answer_into(engine, log, out, RunStart.CONTINUED, SMALL, stop)
        assert not out.exists()
    with pytest.raises(LogError, match="the engine and the size of the pieces changed"):
        answer_into(engine, log, out, RunStart.CONTINUED, OnCores(1))
    met: list[int] = []
    answer_into(engine, log, out, RunStart.CONTINUED, SMALL, lambda done, _: met.append(done))
    assert min(met) > 100, "what is done is not done again"
    assert out.read_bytes() == (tmp_path / "wanted.jsonl").read_bytes()
    assert rejects_path(out).read_bytes() == (tmp_path / "wanted.rejected.jsonl").read_bytes()


def test_a_log_by_its_address(tmp_path: Path) -> None:
    spark_session()
    log = tmp_path / "my turns.jsonl"
    log.write_bytes(SAMPLE.read_bytes())
    assert "%20" in log.as_uri()
    result = run(BOOK, log.as_uri(), "--engine", "spark", "-o", tmp_path / "out.jsonl")
    assert result.exit_code == 0 and (tmp_path / "out.jsonl").read_bytes().count(b"\n") == 8


def test_an_address_that_only_spark_can_read_is_refused(tmp_path: Path) -> None:
    for address in ("s3a://turns/may.jsonl", "hdfs://host:8020/turns", "file://elsewhere/turns"):
        result = run(BOOK, address, "--engine", "spark", "-o", tmp_path / "out.jsonl")
        assert result.exit_code == 1 and f"{address}: logs are read from this machine's" in result.stderr


def test_an_empty_log_needs_no_cluster(tmp_path: Path, engine: CompiledEngine) -> None:
    (tmp_path / "log.jsonl").write_bytes(b"")
    counts = answer_into(
        engine, find_log(tmp_path / "log.jsonl"), tmp_path / "out.jsonl", manner=OnSpark("no:7")
    )
    assert str(counts) == "0 records: 0 answered, 0 rejected"
    assert (tmp_path / "out.jsonl").read_bytes() == b""


# -- where it cannot ---------------------------------------------------------------------------


def test_without_spark_its_command_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    result = run(BOOK, SAMPLE, "--engine", "spark", "-o", tmp_path / "out.jsonl")
    assert result.exit_code == 1 and "pip install 'dtables[spark]'" in result.stderr
    assert not (tmp_path / "out.jsonl").exists()


def test_without_java_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    needs_spark()
    library = importlib.import_module("pyspark.sql")
    monkeypatch.setattr(library.SparkSession, "getActiveSession", lambda: None)
    monkeypatch.setattr(sessions.shutil, "which", lambda _: None)
    monkeypatch.delenv("JAVA_HOME", raising=False)
    result = run(BOOK, SAMPLE, "--engine", "spark")
    assert result.exit_code == 1 and "Spark needs Java, and none is found" in result.stderr


def test_another_master_than_that_of_the_session_is_refused() -> None:
    spark_session()
    result = run(BOOK, SAMPLE, "--engine", "spark", "--master", "spark://nowhere:7077")
    assert result.exit_code == 1 and "cannot go to spark://nowhere:7077 as well" in result.stderr


def test_a_master_without_spark_is_misuse() -> None:
    result = run(BOOK, SAMPLE, "--master", "local[2]")
    assert result.exit_code == 2 and "say --engine spark too" in result.stderr


def test_a_log_in_excel_is_refused(tmp_path: Path) -> None:
    assert CliRunner().invoke(main, ["log", str(BOOK), "-o", str(tmp_path / "log.xlsx")]).exit_code == 0
    result = run(BOOK, tmp_path / "log.xlsx", "--engine", "spark", "-o", tmp_path / "out.jsonl")
    assert result.exit_code == 1 and "a log in Excel is read on one machine only" in result.stderr


def test_auto_says_what_it_takes() -> None:
    result = run(BOOK, SAMPLE)
    assert "engine: python on 1 process (" in result.stderr


def test_the_last_cause_is_what_is_told() -> None:
    text = """An error occurred while calling o1.count.
: org.apache.spark.SparkException: Job aborted due to stage failure: Task 0 failed 4 times:
Traceback (most recent call last):
  File "worker.py", line 1, in main
ModuleNotFoundError: No module named 'pyarrow'

\tat org.apache.spark.api.python.BasePythonRunner.read(PythonRunner.scala:1)
"""
    assert sessions.first_cause(text) == "No module named 'pyarrow'"
    assert sessions.first_cause("[CODE] something\nmore of it") == "[CODE] something"


@pytest.mark.parametrize("library", ["py4j.protocol.Py4JError", "pyspark.errors.PySparkException"])
def test_what_either_library_says_is_one_line(library: str) -> None:
    needs_spark()
    module, _, name = library.rpartition(".")
    error = getattr(import_module(module), name)
    with pytest.raises(LogError, match=r"^Spark: the disk is full$"), sessions.plain_errors():
        raise error("An error occurred.\n: java.io.IOException: the disk is full\n\tat java.io.File")


# -- several machines --------------------------------------------------------------------------


@pytest.mark.skipif(os.name != "posix", reason="a Python without our packages is made by a shell script")
def test_machines_need_python_and_arrow_only(tmp_path: Path, engine: CompiledEngine) -> None:
    """Two executors in processes of their own, whose Python has no dtables: it travels with the job."""
    needs_spark()
    bare = bare_python(tmp_path)
    elsewhere = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    alone = called(elsewhere, bare, "-c", "import pyarrow, dtables")
    assert "No module named 'dtables'" in alone.stderr
    log, out = repeated(tmp_path / "log.jsonl", 30), tmp_path / "out.jsonl"
    spark = ("--engine", "spark", "--master", "local-cluster[2,1,1024]")
    there = {**elsewhere, "PYSPARK_PYTHON": str(bare)}
    done = called(there, sys.executable, "-m", "dtables", "eval", BOOK, log, *spark, "-o", out)
    assert "241 records: 211 answered, 30 rejected" in done.stderr, done.stderr
    answer_into(engine, find_log(log), tmp_path / "wanted.jsonl", manner=OnCores(1))
    assert out.read_bytes() == (tmp_path / "wanted.jsonl").read_bytes()
    assert rejects_path(out).read_bytes() == (tmp_path / "wanted.rejected.jsonl").read_bytes()


def called(environment: dict[str, str], *command: object) -> subprocess.CompletedProcess[str]:
    words = list(map(str, command))
    return subprocess.run(words, env=environment, capture_output=True, text=True, check=False)


def bare_python(folder: Path) -> Path:
    """The interpreter without the packages that are installed for it, but with Arrow."""
    found = importlib.util.find_spec("pyarrow")
    assert found is not None and found.origin is not None
    packages = folder / "packages"
    packages.mkdir()
    (packages / "pyarrow").symlink_to(Path(found.origin).parent)
    script = folder / "python"
    interpreter = Path(sys.executable).resolve()
    script.write_text(f'#!/bin/sh\nPYTHONPATH="$PYTHONPATH:{packages}" exec {interpreter} -S "$@"\n')
    script.chmod(0o755)
    return script


def test_a_lost_executor_changes_nothing(tmp_path: Path, engine: CompiledEngine) -> None:
    """What it had finished, and what it was at, is done again by the others."""
    needs_spark()
    log, out = repeated(tmp_path / "log.jsonl", 40), tmp_path / "out.jsonl"
    command = (sys.executable, "-m", "tests.spark.lose_executor", BOOK, log, out)
    done = subprocess.run(
        list(map(str, command)), cwd=TABLES.parent, start_new_session=True, capture_output=True, text=True
    )
    assert done.stdout == "321 records: 281 answered, 40 rejected; killed: 1\n", done.stderr
    answer_into(engine, find_log(log), tmp_path / "wanted.jsonl", manner=OnCores(1))
    assert out.read_bytes() == (tmp_path / "wanted.jsonl").read_bytes()
    assert rejects_path(out).read_bytes() == (tmp_path / "wanted.rejected.jsonl").read_bytes()
