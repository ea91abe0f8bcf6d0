"""Numbers that people call something: a record may say the name, from every source; the digits as a text stay
no number."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner

import dtables
from dtables.answers.engines import compiled_engine
from dtables.audit.audit import Auditor
from dtables.cli import main
from dtables.logs.entry_form import recording_form
from dtables.pages.manual import manual
from dtables.records.findings import RecordError
from dtables.ruleset import Ruleset
from tests.checker.drawn import diagnostics
from tests.support.drawing import write_book

BOOK = """
Types: narrower
  name | of | allowed
  level | whole number | [1..3]
  rate | number | 0.5, 1, -1
  day | date | -

Glossary: levels
  kind | id | label it | label en | also
  level | 1 | Principiante | Beginner | novice
  level | 2 | Intermedio | Middle | same
  level | 3 | Esperto | Expert | same
  rate | 0.5 | mezzo | half |
  rate | -1 | meno uno | minus one |

Input: state
  field | type | default
  level | level |
  rates | list of rate | []
  high | boolean | no

Ask: turn ; main: yes
  role | name | is
  need | level
  answer | level | level
  answer | double | level * 2
  answer | rates | rates
"""
MEANT = {"Principiante": 1, "beginner": 1, "NOVICE": 1, "intermedio": 2, "Middle": 2, "Esperto": 3}
WRONG = {
    "1": ('"1"', "whole number"),
    "Principinte": ('"Principinte"', 'whole number; did you mean "Principiante"?'),
    "same": ('"same", which names 2 and 3', "one of them by its id"),
    "mezzo": ('"mezzo"', "whole number"),
}


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("levels") / "levels.xlsx"
    write_book(BOOK, path)
    return path


@pytest.fixture(scope="module")
def rules(book: Path) -> Ruleset:
    return dtables.load(book)


@pytest.mark.parametrize("engine", ["compiled", "evaluator"])
def test_a_name_is_its_number(rules: Ruleset, engine: str) -> None:
    answer = rules.answer if engine == "compiled" else rules.evaluator.answer
    for spelling, number in {**MEANT, 1: 1, 3: 3}.items():
        assert answer("turn", {"level": spelling}) == {"level": number, "double": 2 * number, "rates": []}
    rates = ["half", "Meno Uno", 1, Decimal("0.5")]
    told = answer("turn", {"level": 1, "rates": rates})["rates"]
    assert told == [Decimal("0.5"), -1, 1, Decimal("0.5")]
    for spelling, wanted in WRONG.items():
        with pytest.raises(RecordError) as error:
            answer("turn", {"level": spelling})
        assert (error.value.path, error.value.found, error.value.wanted) == ("state.level", *wanted)


@pytest.mark.parametrize("spelling", [*MEANT, 2])
def test_what_is_explained(rules: Ruleset, spelling: str | int) -> None:
    told = rules.evaluator.explain_sound("turn", {"level": spelling, "rates": ["half", 1]})
    number = MEANT[spelling] if isinstance(spelling, str) else spelling
    assert told.answer == {"level": number, "double": 2 * number, "rates": [Decimal("0.5"), 1]}


def lines(path: Path) -> list[dict[str, Any]]:
    return (
        [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
    )


@pytest.mark.parametrize("engine", ["python", "auto"])
@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_logs(book: Path, tmp_path: Path, ending: str, engine: str) -> None:
    spellings = [*MEANT, *WRONG]
    log, out = tmp_path / f"log.{ending}", tmp_path / "out.jsonl"
    if ending == "jsonl":
        records = [{"turn": n, "state": {"level": one}} for n, one in enumerate(spellings)]
        log.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
    else:
        frame = pd.DataFrame({"turn": range(len(spellings)), "level": spellings})
        frame.to_csv(log, index=False) if ending == "csv" else frame.to_parquet(log)
    done = CliRunner().invoke(main, ["eval", str(book), str(log), "-o", str(out), "--engine", engine])
    assert done.exit_code == 1, done.output
    taken = WRONG | ({"1": None} if ending == "csv" else {})
    rejects = [one["found"] for one in lines(tmp_path / "out.rejected.jsonl")]
    assert rejects == [told[0] for told in taken.values() if told]
    wanted = [*MEANT.values(), *([1] if ending == "csv" else [])]
    assert [one["answer"]["level"] for one in lines(out)] == wanted


@pytest.mark.parametrize("engine", ["python", "auto"])
def test_frames(rules: Ruleset, engine: str) -> None:
    told = rules.answer_frame(pd.DataFrame({"level": [*MEANT, *WRONG]}), engine)
    assert told["level"].dropna().tolist() == list(MEANT.values())


def test_what_was_played_may_be_named_too(rules: Ruleset) -> None:
    comparison = Auditor(compiled_engine(rules.model, rules.source), rules.model).teller.comparison
    answer = rules.answer("turn", {"level": 1, "rates": [Decimal("0.5")]})
    assert not [*comparison.differences("turn", {"level": "Principiante", "rates": ["mezzo"]}, answer)]
    assert [*comparison.differences("turn", {"level": "Esperto"}, answer)]


def test_people_find_the_names(rules: Ruleset) -> None:
    text = manual(rules.model, "it")
    assert "### level" in text and "| `1` | Principiante | Beginner | novice |" in text
    choices = dict(recording_form(rules.model, "it").lists)["level"]
    assert choices == ("Principiante", "Intermedio", "Esperto", 1, 2, 3)


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ("level | 4 | Maestro | Master |", "not-allowed"),
        ("level | one | uno | one |", "unknown-name"),
        ("day | 3 | tre | three |", "names-for-no-numbers"),
        ("level | 2 | Esperto | |", "double-label"),
    ],
)
def test_check__glossary_rows_of_numbers(row: str, code: str) -> None:
    text = BOOK.replace("  level | 1 |", f"  {row}\n  level | 1 |")
    found = [d for d in diagnostics(text) if "`same`" not in d.message]
    assert [d.code for d in found] == [code]
