"""Where a meaning is stated: the modules that look at the classes of tests, at hit policies, at what scales
prefer. What else wants to know asks them; a module that is not listed here is one statement too many."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.support.source import SOURCE, modules, nodes

TESTS = frozenset(("EqualTo", "InList", "Compared", "Within", "NoneOf", "Holds", "Belongs"))
"""What a cell of conditions is made of (`model/expressions.py`)."""

EVERYWHERE = ("evaluator", "pages", "wording", "explanations", "program")
"""The meaning itself, and whoever puts what an author wrote into words or other nodes."""

LETS_THROUGH = {
    "model/regions.py": "says it, for every type whose values stand on a line",
    "model/claims.py": "tells whole conditions from tests of a value",
    "compilers/sql/operators.py": "spells tests in SQL",
    "columnar/survey.py": "walks through them: what do they read?",
    "checker/expressions/constants.py": "times that have no place among others: they pass `not(…)` alone",
    "checker/expressions/nulls.py": "what is true where a cell says yes, no or a whole condition",
    "checker/tables/decisions.py": "how the same thing is said twice",
    "mutation/values.py": "values beside those that cells name",
    "verifier/cells.py": "cells that nothing passes, item by item",
    "verifier/rows.py": "ranges with their ends the wrong way round",
    "verifier/rewriting.py": "puts other expressions into them",
    "verifier/rows_to_add.py": "writes cells",
    "verifier/trial.py": "replaces whole conditions",
}
POLICIES = {
    "model/functions.py": "says what each takes, wants and gives",
    "checker/tables/decisions.py": "which columns and priorities each wants",
    "checker/tables/attempts.py": "steps are tried in order",
    "compilers/sql/cubes.py": "", "compilers/sql/decisions.py": "",
    "dmn/boxed.py": "the standard's names of them",
    "mutation/mistakes.py": "one in place of another",
    "table_reasons.py": "one row's number, or those of all",
    "verifier/rows.py": "a better one", "verifier/rows_to_add.py": "",
    "verifier/trial.py": "",
}  # fmt: skip
PREFERENCES = {
    "audit/reasons.py": "", "audit/sentences.py": "which of two stands before the other",
    "checker/tables/scales.py": "which columns each wants",
    "compilers/python/scales.py": "", "compilers/sql/scales.py": "",
    "verifier/coverage.py": "", "verifier/parts.py": "", "verifier/scales.py": "",
}  # fmt: skip

LOWERED = frozenset(
    ("Read", "InputField", "DataRows", "FieldOf", "ByKey", "Matches", "Guard", "NameOf", "EachOf",
     "CallBuiltin", "CallFunction", "CallTable", "Ranking")
)  # fmt: skip
"""Nodes of the model that a program does not have: something was left to decide."""

BODIES = frozenset(
    ("Need", "Draw", "Stop", "AnswerField", "Next", "Checks", "Counted", "Consistency",
     "Policy", "OutcomeKind", "Subject", "Rule", "Condition", "Outcome")
)  # fmt: skip
"""What the model says of asks, checks and rows of decisions; a program has folds, conditions and places."""

FRAME = "lowered.py"
"""The program's frame in Python."""


@cache
def looks_at() -> dict[str, frozenset[str]]:
    """Of each module the classes that it matches on and the enumerations whose members it names."""
    return {path.relative_to(SOURCE).as_posix(): frozenset(_looked_at(path)) for path in modules()}


def _looked_at(path: Path) -> Iterator[str]:
    for node in nodes(path):
        match node:
            case ast.MatchClass(cls=ast.Name(id=name)):
                yield name
            case ast.Call(func=ast.Name(id="isinstance"), args=[_, classes]):
                yield from (one.id for one in ast.walk(classes) if isinstance(one, ast.Name))
            case ast.Attribute(value=ast.Name(id=name)):
                yield f"{name}."
            case _:
                pass


@pytest.mark.parametrize(
    ("looked_for", "stated"),
    [(TESTS, LETS_THROUGH), ({"Policy."}, POLICIES), ({"Prefer."}, PREFERENCES)],
    ids=["what a cell lets through", "hit policies", "preferences"],
)
def test_meanings_stand_where_they_are_listed(looked_for: frozenset[str], stated: dict[str, str]) -> None:
    looking = {
        name
        for name, found in looks_at().items()
        if found & looked_for and name.partition("/")[0] not in EVERYWHERE
    }
    assert looking - stated.keys() == set(), "it asks the model, or it is listed with its reason"
    assert stated.keys() - looking == set(), "it looks no longer: take it off the list"


def test_compiled_python_looks_at_the_program_alone() -> None:
    looking = {
        name.rpartition("/")[2]
        for name, found in looks_at().items()
        if found & LOWERED and name.startswith("compilers/python/")
    }
    assert looking == set(), "`ground.lowered` has what it comes to"


def test_compiled_python_writes_bodies_from_the_program() -> None:
    imported = {
        (path.name, name.name)
        for path in modules()
        if path.parent == SOURCE / "compilers" / "python"
        for node in nodes(path)
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("dtables.model.")
        for name in node.names
    }
    assert {module for module, name in imported if name in BODIES} == {FRAME}


def test_names_are_looked_up_in_the_index() -> None:
    """Nobody else makes a dict of what a ruleset has by name."""
    found = [
        f"{path.relative_to(SOURCE)}:{node.lineno}"
        for path in modules()
        if path.relative_to(SOURCE).as_posix() != "model/index.py"
        for node in nodes(path)
        if isinstance(node, ast.DictComp) and _is_by_name(node)
    ]
    assert found == []


def _is_by_name(node: ast.DictComp) -> bool:
    """`{table.name: table for table in ruleset.tables}`, however the name is got, whatever is added."""
    loop = node.generators[0]
    of = {
        one.attr for one in ast.walk(loop.iter) if isinstance(one, ast.Attribute) and _is_ruleset(one.value)
    }
    whole = not loop.ifs and ast.unparse(node.value) == ast.unparse(loop.target)
    return whole and not of.isdisjoint(("tables", "asks", "vocabularies", "restrictions", "records", "data"))


def _is_ruleset(node: ast.expr) -> bool:
    return ast.unparse(node).rpartition(".")[2] in ("ruleset", "model", "_ruleset", "_model")


def test_what_a_reject_says_stands_in_one_module() -> None:
    """Others hand it paths, values, types and names; words of more than one word stand there."""
    finders = {
        "Finding",
        "Words",
        "empty",
        "missing",
        "null_in_list",
        "unknown_key",
        "unknown_name",
        "wrong_type",
    }
    found = [
        f"{path.relative_to(SOURCE)}:{node.lineno}"
        for path in modules()
        if path.relative_to(SOURCE).as_posix() != "records/findings.py"
        for node in nodes(path)
        if isinstance(node, ast.Call) and _calls(node) & finders and any(map(_is_sentence, ast.walk(node)))
    ]
    assert found == []


def _calls(node: ast.Call) -> set[str]:
    """What it calls, and a function that it hands on to be called (`findings.add(missing, …)`)."""
    called = (node.func, *node.args[:1])
    return {one.id for one in called if isinstance(one, ast.Name)}


def _is_sentence(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value


OPEN = {
    "runtime/asks.py": "says what an answer is while a draw is open",
    "checker/tables/asks.py": "reads the word",
    "compilers/python/asks.py": "leaves out what is usual",
    "compilers/sql/asks.py": "says it in SQL",
    "contract.py": "what may be null",
}
ANSWERING = {
    "left_out": "runtime/asks.py",
    "plainly_there": "runtime/asks.py",
    "not_an_option": "runtime/asks.py",
    "broken_check": "runtime/checks.py",
}
"""What needs, draws and checks come to."""


def test_what_an_ask_comes_to_stands_in_the_runtime() -> None:
    """Closures and compiled modules call it."""
    assert {name for name, found in looks_at().items() if "WhenOpen." in found} == OPEN.keys()
    used = {
        (node.id, path.relative_to(SOURCE).as_posix())
        for path in modules()
        for node in nodes(path)
        if isinstance(node, ast.Name) and node.id in ANSWERING
    }
    assert used == set(ANSWERING.items())
