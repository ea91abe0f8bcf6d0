"""What has words in one language only reads the same wherever it is said: on pages, in explanations, manuals,
logs to write and audits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import dtables
from dtables.answers.engines import compiled_engine
from dtables.answers.run import OnCores
from dtables.audit.audit import Auditor, audit_log
from dtables.explanations.render import render
from dtables.logs.entry_form import recording_form
from dtables.logs.files import find_log
from dtables.pages.files import Format, Request, print_files
from dtables.pages.manual import manual
from dtables.ruleset import Ruleset
from tests.support.drawing import write_book

BOOK = """
Types: words
  name | names
  tree | oak, fir
  part | top, root
  place | top, yard

Glossary: words
  kind | id | label it | label en
  tree | oak | quercia | oak
  tree | fir | | fir tree
  part | top | cima | crown
  part | root | radice | root
  place | top | in alto | up there
  place | yard | cortile | yard

Input: state
  field | type | label it
  grown | tree | cresciuto
  metres | number |

Decision: felled(t: tree) -> number ; policy: first ; title it: Quanto legno
  # | if | then | text it
  # | t | cubic metres |
  1 | oak | 2.5 | tanto
  2 | fir | 1 | poco

Matrix: shade(tree) -> whole number
  key | value
  tree | shade
  oak | 3
  fir | 2

Ask: turn ; main: yes ; title it: Il taglio
  role | name | type | is
  need | grown | |
  step | start | part | top
  step | goal | place | top
  answer | tree | | grown
  answer | wood | | felled(grown)
  answer | from | | start
  answer | to | | goal

Pages: aid
  page | size | table
  1 | A4 | felled
  1 | A4 | shade
"""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Ruleset:
    book = tmp_path_factory.mktemp("words") / "trees.xlsx"
    write_book(BOOK, book)
    return dtables.load(book)


def said_everywhere(rules: Ruleset, language: str) -> dict[str, str]:
    (page,), _ = print_files(rules.model, Request((Format.HTML,), (language,)))
    return {
        "page": page.content.decode(),
        "explanation": render(rules.explain("turn", {"grown": "fir"}), language),
        "manual": manual(rules.model, language),
    }


def test_a_title_in_italian_only_is_the_title_in_english_too(rules: Ruleset) -> None:
    for language in ("it", "en"):
        for where, text in said_everywhere(rules, language).items():
            assert ("Quanto legno" if where != "manual" else "Il taglio") in text, (where, language)


def test_a_name_without_an_italian_label_stands_under_its_english_one_marked(rules: Ruleset) -> None:
    for where, text in said_everywhere(rules, "it").items():
        if where != "manual":
            assert "fir tree (en)" in text and "quercia (en)" not in text, where
    for where, text in said_everywhere(rules, "en").items():
        assert "fir tree (" not in text, where


def test_a_log_to_write_offers_labels_that_it_can_read(rules: Ruleset) -> None:
    """Without a mark: what a drop-down writes is read again."""
    choices = dict(recording_form(rules.model, "it").lists)["tree"]
    assert set(choices) == {"quercia", "fir tree"}


@pytest.mark.parametrize(
    ("language", "wanted"),
    [
        ("it", {"wood": ("2,5", "3,25"), "from": ("cima", "radice"), "to": ("in alto", "cortile")}),
        ("en", {"wood": ("2.5", "3.25"), "from": ("crown", "root"), "to": ("up there", "yard")}),
    ],
)
def test_audit__numbers_and_names_as_explanations_say_them(
    rules: Ruleset, tmp_path: Path, language: str, wanted: dict[str, tuple[str, str]]
) -> None:
    """`top` is a name of two vocabularies: each field says its own."""
    log = tmp_path / "log.jsonl"
    played = {"tree": "fir", "wood": 3.25, "from": "root", "to": "yard"}
    log.write_text(json.dumps({"turn": 1, "state": {"grown": "oak"}, "played": played}), encoding="utf-8")
    auditor = Auditor(compiled_engine(rules.model, rules.source), rules.model)
    audit = audit_log(auditor, find_log(log, rules.model), OnCores(1))
    (misplay,) = audit.misplays
    found = {move.name: (move.right, move.played) for move in misplay.texts[language].moves}
    tree = ("quercia", "fir tree (en)") if language == "it" else ("oak", "fir tree")
    assert found == {"tree": tree, **wanted}
