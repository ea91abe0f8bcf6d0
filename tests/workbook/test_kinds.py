"""The table of the language's words: complete, in both languages, without two meanings."""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path

import pytest

from dtables.spreadsheet import messages as file_messages
from dtables.workbook import language, messages
from dtables.workbook.kinds import (
    BY_NAME,
    EVERYWHERE,
    KINDS,
    find_kind,
    find_property,
    find_role,
    nearest_kind,
    nearest_property,
    nearest_role,
)
from dtables.workbook.language import Kind, closed_word, plain, spellings

EVERY_KIND = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)


def test_find_kind__in_both_languages() -> None:
    for kind in KINDS:
        assert {find_kind(word) for word in spellings(kind)} == {kind}
    assert [kind.name for kind in KINDS] == [
        "types", "record", "data", "input", "formulas", "formula", "decision", "scale", "matrix", "settings",
        "dice", "turn", "ask", "checks", "examples", "cases", "terms", "ticks", "pages", "glossary",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Vocabolario", "types"), ("CATALOGO", "data"), ("decisioni", "decision"), ("Scale", "scale"),
        ("impostazione", "settings"), ("Esempi", "examples"), ("Glossario", "glossary"), ("stato", "input"),
        ("Tentativi", "turn"), ("turno", "turn"), ("Casi", "cases"), ("Termini", "terms"),
        ("Spunte", "ticks"),
    ],
)  # fmt: skip
def test_find_kind__spellings(text: str, kind: str) -> None:
    found = find_kind(text)
    assert found is not None and found.name == kind


@EVERY_KIND
def test_roles__one_meaning_each(kind: Kind) -> None:
    for group in (kind.roles, (*kind.properties, *EVERYWHERE)):
        owners: dict[str, str] = {}
        for word in group:
            assert word.en and word.it and word.doc_en and word.doc_it
            for spelling in spellings(word):
                assert owners.setdefault(plain(spelling), word.name) == word.name


@EVERY_KIND
def test_find_role__in_both_languages(kind: Kind) -> None:
    for role in kind.roles:
        for spelling in spellings(role):
            found = find_role(kind, spelling.upper(), None)
            assert found and (found.role, found.language) == (role, None)
            with_language = find_role(kind, f"{spelling} it", None)
            if role.languages:
                assert with_language and (with_language.role, with_language.language) == (role, "it")
            else:
                assert with_language is None or with_language.role is not role


@EVERY_KIND
def test_find_property__in_both_languages(kind: Kind) -> None:
    for spec in (*kind.properties, *EVERYWHERE):
        for spelling in spellings(spec):
            found = find_property(kind, spelling)
            assert found and found.spec is spec
    titled = find_property(kind, "titolo it")
    assert titled and (titled.spec.name, titled.language) == ("title", "it")


def test_closed_words__one_meaning_each() -> None:
    for name in ("YES_NO", "PREFER", "ASK_ROWS", "POLICIES", "OTHERS", "ORDERED", "LEFT"):
        listed = getattr(language, name)
        spelled = list(chain.from_iterable({plain(s) for s in spellings(word)} for word in listed))
        assert len(spelled) == len(set(spelled)), name
    assert closed_word(language.POLICIES, "C+") == "collect sum"
    assert closed_word(language.PREFER, "Più Alto") == "highest"
    assert closed_word(language.ASK_ROWS, "serve non vuoto") == "need some"
    assert closed_word(language.PREFER, "perhaps") is None


def test_nearest() -> None:
    assert nearest_kind("Decisone") == "Decisione"
    assert nearest_kind("Recipe") is None
    assert nearest_role(BY_NAME["scale"], "preferr") == "prefer"
    assert nearest_property(BY_NAME["decision"], "polcy") == "policy"


def test_problems__every_code_is_documented() -> None:
    markers = Path(messages.__file__).read_text(encoding="utf-8").partition("# -- markers")[2]
    body = markers + Path(file_messages.__file__).read_text(encoding="utf-8").partition("def of_file")[2]
    documented = {code for code, _ in (*messages.PROBLEMS, *file_messages.PROBLEMS)}
    used = set(re.findall(r'"([a-z]+(?:-[a-z]+)+|formula|password|damaged)",', body))
    assert used == documented
