"""Decisions of sixty rows, with outcomes of every kind: the same answers as the evaluator's."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.agreement import worlds
from tests.agreement.engines import Engines, source_of

ROWS = 60
CONDITIONS = {
    "p": ["-", "{n}", "< {n}", "[{n}..{m}]", "not({n})", "{n}, {m}"],
    "p + level": ["-", "> {n}", "({n}..{m}]", "!= {n}"],
    "k": [*worlds.COLOUR_TESTS[:4], "!= green", "not(!= red)"],
    "chest.heavy": ["-", "yes", "no", "!= yes"],
}
OUTCOMES = {
    "constants": ["{n}"],
    "of the turn": ["level + {n}"],
    "of what is handed": ["p * {n}"],
    "of both": ["if p > {n} then spare else level"],
    "without a name in them": ["1 + {n}"],
    "many alike": ["level"],
    "of a null": ["toy.points + {n}"],
    "whole or not": ["{n}", "rate", "{n}.5"],
}
COLUMNS = {"then": "out", "then | then": "out | more"}
SINGLE = ["", "7", "p - level", "null"]
LISTS = ["", "[7]", "[p, level]", "[]"]
RANKED = " ; priorities: 3, 0, 6, 1, 5, 2, 4"
POLICIES = {
    "unique": SINGLE, "any": SINGLE, "first": SINGLE, "collect": LISTS, "rule order": LISTS,
    "C+": SINGLE, "C<": SINGLE, "C>": SINGLE, "C#": [""],
    "priority" + RANKED: SINGLE, "output order" + RANKED: LISTS,
}  # fmt: skip


def table(policy: str, outcome: str, columns: str, otherwise: str, size: int = ROWS) -> str:
    chance = Random(f"{policy}{outcome}{columns}")

    def drawn(cell: str) -> str:
        low = chance.randint(-1, 12)
        return cell.format(n=low, m=low + chance.randint(1, 4))

    rows = []
    for number in range(size):
        cells = [drawn(chance.choice(tests)) for tests in CONDITIONS.values()]
        texts = OUTCOMES[outcome]
        outcomes = [
            texts[(number + more) % len(texts)].format(n=(number + more) % 7)
            for more in range(columns.count("then"))
        ]
        rows.append("  " + " | ".join([*cells, *outcomes]))
    head = f"Decision: tried(p: whole number, k: colour) ; policy: {policy}"
    head += f" ; otherwise: {otherwise}" if otherwise else ""
    roles = " | ".join([*["if"] * len(CONDITIONS), columns])
    names = " | ".join([*CONDITIONS, COLUMNS[columns]])
    return "\n".join([head, f"  {roles}", f"  {names}", *rows])


def turns() -> list[dict[str, Any]]:
    chance = Random(5)
    found = []
    for _ in range(60):
        turn: dict[str, Any] = {"p": chance.randint(-2, 14), "k": chance.choice(["red", "green", "blue"])}
        turn |= {"level": chance.randint(0, 9), "rate": chance.choice([1, 2.5])}
        if chance.random() < 0.7:
            turn |= {"spare": chance.randint(0, 3), "toy": chance.choice(["ball", "kite"])}
        if chance.random() < 0.7:
            turn["chest"] = {"tint": "red", "weight": chance.randint(0, 9)}
        found.append(turn)
    return found


def agree(policy: str, outcome: str, columns: str, otherwise: str) -> None:
    ruleset = worlds.ruleset(table(policy, outcome, columns, otherwise))
    assert ruleset is not None
    assert "RowTable(" in source_of(ruleset)
    engines = Engines(ruleset, explained=False)
    for turn in turns():
        engines.call("tried", turn)


@pytest.mark.parametrize("policy", POLICIES)
def test_outcomes_of_every_kind(policy: str) -> None:
    outcomes = OUTCOMES if "priorities" not in policy else ["constants"]
    for n, kind in enumerate(outcomes):
        agree(policy, kind, "then", POLICIES[policy][n % len(POLICIES[policy])])


@pytest.mark.parametrize("policy", ["unique", "any", "first", "collect", "rule order"])
def test_several_columns_of_outcomes(policy: str) -> None:
    for kind in ("constants", "whole or not"):
        agree(policy, kind, "then | then", "")


@pytest.mark.parametrize(
    ("first", "second", "type_", "given"),
    [
        ("red", "green", "colour", ["red", "green", "blue"]),
        ("yes", "no", "boolean", [True, False]),
        ("1", "2", "whole number", [0, 1, 2]),
    ],
)
def test_cells_that_let_all_but_one_value_through(
    first: str, second: str, type_: str, given: list[Any]
) -> None:
    """In columns that may be null too, by index and one by one."""
    cells = [f"!= {first}", f"not(!= {second})", "!= null", f"not({first})", f"!= {first}, null", "null"]
    cells += [f"not(!= {first}, null)", first, f"!= {first}, {first}"]
    rows = [f"  {cells[n % len(cells)]} | {n}" for n in range(ROWS)]
    for wanted in (type_, f"{type_}?"):
        head = f"Decision: tried(x: {wanted}) ; policy: collect\n  if | then\n  x | out"
        ruleset = worlds.ruleset("\n".join([head, *rows]))
        assert ruleset is not None
        for value in [*given, *([None] if wanted.endswith("?") else [])]:
            Engines(ruleset, explained=False).call("tried", {"x": value})


@pytest.mark.parametrize("cell", ["< 1, >= 1", "!= 1, 1", "<= 2, (2..9], > 9", "-"])
def test_cells_that_let_every_number_through_let_null_through_only_where_they_are_empty(cell: str) -> None:
    rows = [f"  {cell if n % 7 == 3 else f'> {n}'} | {n}" for n in range(ROWS)]
    head = "Decision: tried(x: whole number?) ; policy: collect\n  if | then\n  x | out"
    ruleset = worlds.ruleset("\n".join([head, *rows]))
    assert ruleset is not None
    for value in (None, 0, 1, 2, 9, 10, 100):
        Engines(ruleset, explained=False).call("tried", {"x": value})
