"""Each meaning of `wording` is stated in one module, and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from dtables.model.tables import Policy
from dtables.wording.phrases import ENGLISH, ITALIAN

SOURCE = Path(__file__).parents[2] / "src" / "dtables"
SAYS = ("wording", "explanations", "pages", "audit", "contract.py", "logs/entry_form.py")
"""Whatever says something in a language."""

STATED = {
    "names of vocabularies": (r"\bnames_in\(", "wording/labels.py"),
    "what a glossary has": (r"(ruleset|model)\.terms\b", "wording/labels.py"),
    "names without a label": (r'replace\("_", " "\)', "wording/labels.py"),
    "the decimal mark": (r"\.decimal_mark\b", "wording/values.py"),
    "the sign of a negative number": (r"\.minus\b", "wording/values.py wording/expressions.py"),
    "yes and no": (r"\bphrases\.(yes|no)\b", "wording/values.py"),
    "and, or and otherwise": (r"\bphrases\.(and_|or_)\b|[\"']altrimenti", "wording/phrases.py"),
    "dates and durations": (r"\b(MONTHS|MOMENTS)\b", "wording/phrases.py"),
    "what lies between two ends": (r'\}–\{|"–"\.join', "wording/phrases.py"),
    "hit policies": (r"\bPOLICIES\b|Policy\.(COLLECT|PRIORITY)\b", "wording/phrases.py"),
    "expressions": (r"\b(EXPRESSIONS|BUILTINS)\b", "wording/phrases.py"),
    "tests in cells": (r"\bcase Compared\(|\bcase Within\(", "wording/expressions.py"),
    "what a criterion prefers": (r"\bPrefer\.(HIGHEST|FIRST_IN)\b", "wording/expressions.py"),
    "signs of comparisons": (r'"(≤|≥|≠)"', "wording/phrases.py wording/expressions.py"),
    "articles": (r"_ARTICLES\b", "wording/grammar.py"),
}  # fmt: skip


def sayers() -> Iterator[Path]:
    for name in SAYS:
        place = SOURCE / name
        yield from sorted(place.rglob("*.py")) if place.is_dir() else [place] * place.is_file()


@pytest.mark.parametrize("meaning", STATED)
def test_one_module(meaning: str) -> None:
    pattern, modules = STATED[meaning]
    found = {
        str(path.relative_to(SOURCE))
        for path in sayers()
        if re.search(pattern, path.read_text(encoding="utf-8"))
    }
    assert found == set(modules.split()), meaning


def test_policies_are_said_in_both_languages() -> None:
    said = [phrases.policy(policy, "best") for policy in Policy for phrases in (ITALIAN, ENGLISH)]
    assert all(said) and len(set(said)) == len(said)
