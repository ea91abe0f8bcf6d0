"""A spelling means one name, or none, wherever it is read."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from dtables.answers.chunks import settle_alone
from dtables.answers.engines import compiled_engine
from dtables.answers.run import answer_into
from dtables.audit.played import PlayedComparison
from dtables.checker import check_book
from dtables.diagnostics import render
from dtables.feel.names import LONGEST, Spellings
from dtables.logs.files import find_log
from dtables.logs.jsonlines import JsonChunk
from dtables.records.findings import RecordError
from dtables.ruleset import Ruleset
from tests.support.drawing import book_text

BOOK = """
# Sheet: Rules

Types: words
  name | names
  colour | red, blue, Red, grey_1

Glossary: labels
  kind | id | label en | label it | also
  colour | red | Blue | Rosso | crimson
  colour | blue | Azure | Blu | sky
  colour | Red | Scarlet | Scarlatto | sky
  colour | grey_1 | Grey | Grigio |

Input: state
  field | type | default
  at | colour |
  stock | whole number by colour | {{}}

Formulas: fixed
  name | type | is
  cell | colour | {cell}

Ask: pick ; main: yes
  role | name | is
  need | at |
  answer | picked | at
  answer | left | stock
"""

MEANT = {
    "red": ["red"],
    "Red": ["Red"],
    "RED": ["red", "Red"],
    "blue": ["blue"],
    "BLUE": ["blue"],
    "Blue": ["blue"],
    "blu": ["blue"],
    " b l u _e ": ["blue"],
    "ROSSO": ["red"],
    "crímson": ["red"],
    "Azure": ["blue"],
    "scarlatto": ["Red"],
    "sky": ["blue", "Red"],
    "Grey 1": ["grey_1"],
    "grey": ["grey_1"],
    "green": [],
    "": [],
    " ": [],
}
"""`Blue` is also a label of `red`, `sky` a spelling of two names, `RED` folds to two ids."""


@cache
def rules(cell: str = "red") -> Ruleset:
    book, found = book_text(BOOK.format(cell=cell))
    model, more = check_book(book)
    assert model is not None, render((*found, *more))
    return Ruleset(model)


def by_a_cell(spelling: str) -> list[str]:
    book, _ = book_text(BOOK.format(cell=json.dumps(spelling)))
    model, found = check_book(book)
    if model is not None:
        return [Ruleset(model).tables["cell"]({})]
    (message,) = [one.message for one in found if one.severity.name == "ERROR"]
    return _listed(message.split("means")[-1])


def by_a_record(answer: Callable[[str | None, object], dict[str, object]], spelling: str) -> list[str]:
    try:
        return [str(answer(None, {"at": spelling})["picked"])]
    except RecordError as error:
        return _listed(error.found.partition(", which names ")[2])


def by_a_key(answer: Callable[[str | None, object], dict[str, object]], spelling: str) -> list[str]:
    try:
        left = answer(None, {"at": "red", "stock": {spelling: 1}})["left"]
    except RecordError as error:
        return _listed(error.found.partition(", which names ")[2])
    assert isinstance(left, dict)
    return list(left)


def by_a_line(spelling: str) -> list[str]:
    line = json.dumps({"turn": 1, "state": {"at": spelling}}).encode()
    settled = settle_alone(compiled_engine(rules().model, rules().source), JsonChunk(None, 1, line))
    if settled.answers:
        return [json.loads(settled.answers)["answer"]["picked"]]
    return _listed(json.loads(settled.rejects)["found"].partition(", which names ")[2])


def _listed(names: str) -> list[str]:
    return [id_ for id_ in ("red", "blue", "Red", "grey_1") if id_ in names.replace("`", " ").split()]


@pytest.mark.parametrize("spelling", MEANT)
def test_a_spelling_means_the_same_everywhere(spelling: str) -> None:
    wanted = MEANT[spelling]
    engines = (rules().answer, rules().evaluator.answer)
    for answer in engines:
        assert by_a_record(answer, spelling) == by_a_key(answer, spelling) == wanted
    assert by_a_line(spelling) == by_a_cell(spelling) == wanted
    comparison = PlayedComparison(rules().model)
    agreeing = [
        id_
        for id_ in ("red", "blue", "Red", "grey_1")
        if not [*comparison.differences("pick", {"picked": spelling}, {"picked": id_})]
        and not [*comparison.differences("pick", {"left": {spelling: 1}}, {"left": {id_: 1}})]
    ]
    assert agreeing == (wanted if len(wanted) == 1 else [])


@pytest.mark.parametrize("engine", ["python", "columns"])
def test_of_a_frame_too(engine: str) -> None:
    pandas = pytest.importorskip("pandas")
    spellings = [spelling for spelling in MEANT if spelling]
    told = rules().answer_frame(pandas.DataFrame({"at": spellings}), engine)
    found = dict(zip(spellings, told["picked"], strict=True))
    assert found == {s: MEANT[s][0] if len(MEANT[s]) == 1 else None for s in spellings}


def test_names_of_two_vocabularies_are_not_mixed() -> None:
    """What was played is read as the field's own vocabulary has it."""
    text = BOOK.format(cell="red").replace(
        "Input:", "Types: more\n  name | names\n  hue | red, blue\n\nInput:"
    )
    book, found = book_text(
        text.replace("at | colour |", "at | colour |\n  hue | hue |").replace("| at\n", "| hue\n")
    )
    model, more = check_book(book)
    assert model is not None, render((*found, *more))
    comparison = PlayedComparison(model)
    assert [d.field for d in comparison.differences("pick", {"picked": "Rosso"}, {"picked": "red"})] == [
        "picked"
    ]
    assert [*comparison.differences("pick", {"picked": "RED"}, {"picked": "red"})] == []


def test_a_spelling_is_folded_in_bounded_time(tmp_path: Path) -> None:
    """Accents without end are no name; to put them in order would take hours."""
    accents = "red" + "\u0301\u0323" * 1_000_000
    assert Spellings({"red": ()}).matches(accents) == ()
    assert Spellings({"red": ()}).matches("re\u0301d" + " " * (LONGEST - 4)) == ("red",)
    log, out = tmp_path / "log.jsonl", tmp_path / "out.jsonl"
    log.write_text(json.dumps({"turn": 1, "state": {"at": accents}}, ensure_ascii=False))
    assert answer_into(compiled_engine(rules().model, rules().source), find_log(log), out).rejects == 1
