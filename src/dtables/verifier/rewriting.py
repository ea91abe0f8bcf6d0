"""Expressions with some of their parts replaced; and cells that say the same made equal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from operator import is_not
from typing import Any

from dtables.model.expressions import (
    Compared,
    EqualTo,
    Filter,
    For,
    InList,
    MakeContext,
    MakeFunction,
    MakeList,
    Matches,
    NoneOf,
    Quantified,
    Select,
    Test,
    Variable,
    Within,
)
from dtables.model.regions import known_value
from dtables.model.tables import Condition, Decision, Outcome, Rule
from dtables.provenance import CellRef, Location, Span

BINDERS = (Matches, Filter, Select, For, Quantified, MakeContext, MakeFunction)


def rewritten(node: Any, change: Callable[[Any], Any]) -> Any:
    """The same, with each part for which `change` gives something else replaced by that."""
    if isinstance(node, (CellRef, Location, Span)):
        return node
    if isinstance(node, tuple):
        items = tuple(rewritten(item, change) for item in node)
        return items if any(map(is_not, items, node)) else node
    if not is_dataclass(node) or isinstance(node, type):
        return node
    changed = change(node)
    if changed is not node:
        return changed
    parts = {f.name: getattr(node, f.name) for f in fields(node) if f.name not in ("type", "where")}
    replaced = {
        name: new_part for name, old in parts.items() if (new_part := rewritten(old, change)) is not old
    }
    return replace(node, **replaced) if replaced else node


def with_own_names(decision: Decision) -> Decision:
    """The variables that an expression binds are numbered inside it, so that cells which say the same in the
    same words are equal."""
    kept = {p.variable.number for p in decision.parameters} | {s.variable.number for s in decision.subjects}

    def change(part: Any) -> Any:
        return _counted(part, kept) if isinstance(part, BINDERS) else part

    return replace(
        decision,
        subjects=tuple(replace(s, value=rewritten(s.value, change)) for s in decision.subjects),
        rules=tuple(_rule(rule, change) for rule in decision.rules),
    )


def _rule(rule: Rule, change: Callable[[Any], Any]) -> Rule:
    def condition(cell: Condition) -> Condition:
        if all(map(_is_plain, cell.tests)):
            return cell
        return replace(cell, tests=rewritten(cell.tests, change))

    def outcome(cell: Outcome) -> Outcome:
        if known_value(cell.value) is not None:
            return cell
        return replace(cell, value=rewritten(cell.value, change))

    conditions, outcomes = tuple(map(condition, rule.conditions)), tuple(map(outcome, rule.outcomes))
    if not any(map(is_not, (*conditions, *outcomes), (*rule.conditions, *rule.outcomes))):
        return rule
    return replace(rule, conditions=conditions, outcomes=outcomes)


def _is_plain(test: Test) -> bool:
    """Most tests are of values that are known, and bind nothing."""
    match test:
        case EqualTo(value=value) | Compared(value=value):
            return known_value(value) is not None
        case Within(low=low, high=high):
            return all(end is None or known_value(end) is not None for end in (low, high))
        case InList(list=MakeList(items=items)):
            return all(known_value(item) is not None for item in items)
        case NoneOf(tests=inner):
            return all(map(_is_plain, inner))
        case _:
            return False


def _counted(binder: Any, kept: set[int]) -> Any:
    numbers: dict[int, int] = {}

    def change(part: Any) -> Any:
        if not isinstance(part, Variable) or part.number in kept:
            return part
        return replace(part, number=numbers.setdefault(part.number, -1 - len(numbers)))

    parts = {f.name: getattr(binder, f.name) for f in fields(binder) if f.name not in ("type", "where")}
    return replace(binder, **{name: rewritten(part, change) for name, part in parts.items()})
