"""A case is a folder of tests/cases: `book.txt` goes in, what the folder holds must come out.

    book.txt        tables as text
    problems.txt    what the check says of them, nothing where the file is missing
    proof.txt       of sound tables, what the check says besides: what is proved, what examples leave out
    turns.jsonl     a log, and then
    answers.jsonl   its answers and
    rejects.jsonl   its rejects
    function.py     the compiled module, where a case shows it

`make golden` writes what comes out; read the difference before committing it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from dtables.answers.answering import AnsweredRecord, answer_log
from dtables.answers.engines import compiled_engine
from dtables.diagnostics import Diagnostic, errors_in, render
from dtables.logs.jsonlines import read_lines
from dtables.records.json import to_json
from dtables.ruleset import Ruleset, check, with_unreached
from tests.support.drawing import write_book
from tests.support.golden import golden
from tests.support.rulesets import drawn

CASES = Path(__file__).parent / "cases"


def cases() -> list[Path]:
    return sorted(path.parent for path in CASES.rglob("book.txt"))


@pytest.mark.parametrize("case", cases(), ids=lambda path: str(path.relative_to(CASES)))
def test_case(case: Path, tmp_path: Path) -> None:
    text = (case / "book.txt").read_text(encoding="utf-8")
    model, diagnostics = drawn(text)
    golden(case / "problems.txt", render(diagnostics))
    log = case / "turns.jsonl"
    if model is None or errors_in(diagnostics):
        assert not log.exists(), "a broken book answers no log"
        return
    golden(case / "proof.txt", render(beyond(diagnostics, text, tmp_path / "book.xlsx")))
    rules = Ruleset(model)
    if (case / "function.py").exists():
        golden(case / "function.py", rules.source)
    if log.exists():
        results = list(answer_log(compiled_engine(model, rules.source), read_lines(log)))
        answers = [r.as_plain() for r in results if isinstance(r, AnsweredRecord)]
        rejects = [r.as_plain() for r in results if not isinstance(r, AnsweredRecord)]
        golden(case / "answers.jsonl", "".join(to_json(a) + "\n" for a in answers))
        golden(case / "rejects.jsonl", "".join(to_json(r) + "\n" for r in rejects))


def beyond(known: Sequence[Diagnostic], text: str, path: Path) -> Iterator[Diagnostic]:
    write_book(text, path)
    checked = check(path)
    assert checked.model is not None
    if checked.model.examples:
        checked = with_unreached(checked)
    assert set(known) <= set(checked.diagnostics)
    return (d for d in checked.diagnostics if d not in known)


def test_the_gallery_of_broken_books_is_large() -> None:
    assert sum(path.parent.parent.name == "broken" for path in CASES.rglob("problems.txt")) >= 40
