"""`dtables eval`, as it is called."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from click.testing import CliRunner, Result

from dtables.cli import main

TABLES = Path(__file__).parents[2] / "tables"
BOOK, SAMPLE = TABLES / "architects.xlsx", TABLES / "architects.sample.jsonl"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["eval", *map(str, arguments)])


def test_answers_go_to_the_screen_rejects_beside_them(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(SAMPLE.read_text(encoding="utf-8") + '{"turn": 99}\nnonsense\n', encoding="utf-8")
    result = run(BOOK, log)
    assert result.exit_code == 1
    assert len([line for line in result.stdout.splitlines() if line.startswith("{")]) == 8
    assert "log.jsonl:10: rejected: $: found no JSON: expecting value at character 1" in result.stderr
    assert "10 records: 8 answered, 2 rejected" in result.stderr


def test_a_packed_log_gives_the_same_answers_on_processes(tmp_path: Path) -> None:
    packed = tmp_path / "log.jsonl.gz"
    packed.write_bytes(gzip.compress(SAMPLE.read_bytes()))
    for out, log, processes in (("a.jsonl", SAMPLE, 1), ("b.jsonl", packed, 2)):
        assert run(BOOK, log, "-o", tmp_path / out, "--processes", processes).exit_code == 0
    answers = (tmp_path / "a.jsonl").read_text(encoding="utf-8")
    assert answers == (tmp_path / "b.jsonl").read_text(encoding="utf-8")
    assert [json.loads(a)["turn"] for a in answers.splitlines()] == [
        json.loads(r)["turn"] for r in SAMPLE.read_text(encoding="utf-8").splitlines()
    ]


def test_explain_reads_every_log_that_eval_reads(tmp_path: Path) -> None:
    packed = tmp_path / "log.jsonl.gz"
    packed.write_bytes(gzip.compress(SAMPLE.read_bytes()))
    told = [
        CliRunner().invoke(main, ["explain", str(BOOK), str(log), "--turn", "3"])
        for log in (SAMPLE, packed, TABLES / "architects.sample.*", tmp_path)
    ]
    assert {(one.exit_code, one.stdout) for one in told} == {(0, told[0].stdout)} and told[0].stdout
    missing = CliRunner().invoke(main, ["explain", str(BOOK), str(tmp_path / "no"), "--turn", "3"])
    assert missing.exit_code == 1 and "no such file" in missing.stderr


def test_what_cannot_be_read_is_told_without_a_traceback(tmp_path: Path) -> None:
    (tmp_path / "log.gz").write_bytes(gzip.compress(SAMPLE.read_bytes())[:-20])
    result = run(BOOK, tmp_path / "log.gz", "-o", tmp_path / "out.jsonl")
    assert result.exit_code == 1 and "the gzip file breaks off" in result.stderr
    assert run(BOOK, tmp_path / "nothing").exit_code == 1
    assert run(BOOK, SAMPLE, "--resume").exit_code == 2
