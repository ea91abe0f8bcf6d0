"""`dtables eval`, as it is called."""

from __future__ import annotations

import errno
import gzip
import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dtables.answers.parts import Parts
from dtables.cli import main
from tests.support.drawing import write_book

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


def test_a_long_chain_of_tables_is_explained(tmp_path: Path) -> None:
    length = 250
    chained = [
        f"Decision: d{n}\n  if | then\n  a | r\n  > 0 | {f'd{n - 1} + 1' if n else 0}\n  <= 0 | 0\n"
        for n in range(length)
    ]
    drawn = "\n".join(
        [
            "# Sheet: S\nInput: s\n  field | type\n  a | number\n",
            *chained,
            f"Ask: q ; main: yes\n  role | name | is\n  need | a |\n  answer | x | d{length - 1}\n",
        ]
    )
    book, log = tmp_path / "chain.xlsx", tmp_path / "log.jsonl"
    write_book(drawn, book)
    log.write_text('{"turn": 1, "state": {"a": 1}}\n', encoding="utf-8")
    evaluated = run(book, log, "--explain")
    assert evaluated.exit_code == 0 and len(json.loads(evaluated.stdout)["reasons"]) > length
    for more in ([], ["--json"]):
        told = CliRunner().invoke(main, ["explain", str(book), str(log), "--turn", "1", *more])
        assert told.exit_code == 0 and f"d{length - 1}" in told.stdout


def test_what_cannot_be_read_is_told_without_a_traceback(tmp_path: Path) -> None:
    (tmp_path / "log.gz").write_bytes(gzip.compress(SAMPLE.read_bytes())[:-20])
    result = run(BOOK, tmp_path / "log.gz", "-o", tmp_path / "out.jsonl")
    assert result.exit_code == 1 and "the gzip file breaks off" in result.stderr
    assert run(BOOK, tmp_path / "nothing").exit_code == 1
    assert run(BOOK, SAMPLE, "--resume").exit_code == 2


def test_what_the_system_refuses_is_told_without_a_traceback(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    out = tmp_path / "file" / "answers.jsonl"
    result = run(BOOK, SAMPLE, "-o", out)
    assert result.exit_code == 1 and isinstance(result.exception, SystemExit)
    assert result.stderr.splitlines()[-1].endswith("Not a directory")


def test_a_full_disk_is_told_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    out = tmp_path / "answers.jsonl"
    monkeypatch.setattr(Parts, "write", full)
    result = run(BOOK, SAMPLE, "-o", out)
    assert f"{out}: No space left on device; --resume continues" in result.stderr
    monkeypatch.undo()
    assert run(BOOK, SAMPLE, "-o", out, "--resume").exit_code == 0 and out.exists()


def test_the_workbook_is_never_written_to(tmp_path: Path) -> None:
    book = tmp_path / "book.xlsx"
    book.write_bytes(BOOK.read_bytes())
    (tmp_path / "same.xlsx").hardlink_to(book)
    (tmp_path / "link.xlsx").symlink_to(book)
    for written in ("book.xlsx", "same.xlsx", "link.xlsx"):
        for command in (["eval", str(book), str(SAMPLE)], ["compile", str(book)]):
            result = CliRunner().invoke(main, [*command, "-o", str(tmp_path / written)])
            assert result.exit_code == 2 and "never written to" in result.stderr
        assert run(book, SAMPLE, "--report", tmp_path / written).exit_code == 2
    assert book.read_bytes() == BOOK.read_bytes()


def test_an_ending_that_says_another_format_is_refused(tmp_path: Path) -> None:
    result = run(BOOK, SAMPLE, "-o", tmp_path / "answers.tsv")
    assert result.exit_code == 1 and "cannot be written as `.tsv`, only as .jsonl," in result.output
    assert list(tmp_path.iterdir()) == []


def test_answers_and_report_are_two_files(tmp_path: Path) -> None:
    assert run(BOOK, SAMPLE, "-o", tmp_path / "x", "--report", tmp_path / "x").exit_code == 2
