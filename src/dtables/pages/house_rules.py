"""House rules resolved away: a page is for one table of players, who play by one value of each switch.

What the switches decide is decided before anything is made into blocks. Rows that hold under another value
are not there, and conditions that became true are blank."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from dtables.digits import whole_in
from dtables.model.expressions import (
    Comparison,
    Conditional,
    Constant,
    EqualTo,
    Expression,
    Guard,
    InList,
    Logic,
    MakeList,
    Matches,
    NameOf,
    NoneOf,
    Not,
    Switch,
    Test,
)
from dtables.model.reach import nodes
from dtables.model.tables import (
    Case,
    Condition,
    Criterion,
    Decision,
    Definition,
    Embedded,
    Rule,
    Ruleset,
    Scale,
    Subject,
    SwitchRule,
    Table,
    Turn,
    TurnStep,
    Words,
    table_name,
)
from dtables.wording.labels import Labels, spaced

Thing = TypeVar("Thing")


def switches_of(ruleset: Ruleset) -> dict[str, SwitchRule]:
    """Return the house rules of a workbook by their names."""
    return {rule.name: rule for table in ruleset.switches for rule in table.rules}


def resolved(ruleset: Ruleset, chosen: Mapping[str, str], *, keep: bool = False) -> Ruleset:
    """Return the rules as they are where every switch has the value that is chosen, or its default. `keep`:
    rows that never hold then stay as they are, with their switches, for the author to see."""
    switches = switches_of(ruleset)
    if not switches:
        return ruleset
    values = {name: chosen.get(name, rule.default) for name, rule in switches.items()}
    names = {name: rule.values.name for name, rule in switches.items()}
    house = _House(values, names, keep=keep)
    return _without_gaps(
        ruleset,
        replace(
            ruleset,
            tables=tuple(map(house.rewritten, ruleset.tables)),
            asks=tuple(map(house.rewritten, ruleset.asks)),
            records=tuple(map(house.rewritten, ruleset.records)),
            checks=tuple(map(house.rewritten, ruleset.checks)),
            turns=tuple(map(house.turn, ruleset.turns)),
        ),
    )


def reads_a_switch(thing: object) -> bool:
    """Say whether a house rule is asked for anywhere in it."""
    return any(isinstance(node, Switch) for node in nodes(thing))


def band(labels: Labels, chosen: Mapping[str, str]) -> str:
    """Return what is not as usual, in words: `how often it buys: once a game`."""
    switches = switches_of(labels.ruleset)
    return " · ".join(
        ": ".join(filter(None, (labels.words(switches[name].words), _value(labels, switches[name], value))))
        for name, value in chosen.items()
        if name in switches and value != switches[name].default
    )


def _value(labels: Labels, rule: SwitchRule, value: str) -> str:
    """What a value is called; one without words as it is read."""
    worded = labels.is_worded(rule.values.name, value)
    return labels.name(rule.values.name, value) if worded else spaced(value).casefold()


class _House:
    def __init__(self, values: Mapping[str, str], names: Mapping[str, str], *, keep: bool) -> None:
        self.values = values
        self.names = names
        self.keep = keep

    def rewritten(self, thing: Thing) -> Thing:
        """The same thing, where no switch is read in it."""
        return self._rebuilt(thing) if reads_a_switch(thing) else thing

    def turn(self, turn: Turn) -> Turn:
        """Without the steps that a person never does."""
        steps = []
        for step in turn.steps:
            conditions = tuple(map(self.rewritten, step.conditions))
            known = [truth(condition) for condition in conditions]
            if False not in known:
                left = tuple(c for c, held in zip(conditions, known, strict=True) if held is None)
                steps.append(replace(step, conditions=left))
            elif self.keep:
                steps.append(step)
        return replace(turn, steps=tuple(steps))

    def _rebuilt(self, thing: Any) -> Any:
        match thing:
            case tuple():
                return tuple(self._rebuilt(item) for item in thing)
            case Switch(name=name):
                return NameOf(self.names[name], self.values[name], type=thing.type, where=thing.where)
            case Decision():
                return self._decision(thing)
            case Scale(criteria=criteria) | Embedded(criteria=criteria):
                return replace(thing, criteria=tuple(self._living(criteria)))
            case _ if is_dataclass(thing) and not isinstance(thing, type):
                return simplified(self._parts_rebuilt(thing))
            case _:
                return thing

    def _parts_rebuilt(self, thing: Any) -> Any:
        changed = {}
        for field in fields(thing):
            if field.name in ("type", "where", "heading", "variable", "words"):
                continue
            value = getattr(thing, field.name)
            new = self._rebuilt(value)
            if new != value:
                changed[field.name] = new
        return replace(thing, **changed) if changed else thing

    def _living(self, criteria: tuple[Criterion, ...]) -> Iterator[Criterion]:
        for written in criteria:
            criterion = self._parts_rebuilt(written)
            held = truth(criterion.only_if)
            if held is not False:
                yield replace(criterion, only_if=None) if held else criterion
            elif self.keep:
                yield written

    def _decision(self, decision: Decision) -> Decision:
        """Rows that never hold are gone; a condition that always does is blank."""
        subjects: tuple[Subject, ...] = self._rebuilt(decision.subjects)
        rules = []
        for written in decision.rules:
            rule: Rule = self._rebuilt(written)
            held = [
                _held(subject.value, condition)
                for subject, condition in zip(subjects, rule.conditions, strict=True)
            ]
            if False not in held:
                conditions = tuple(
                    replace(condition, tests=()) if known else condition
                    for condition, known in zip(rule.conditions, held, strict=True)
                )
                rules.append(replace(rule, conditions=conditions))
            elif self.keep:
                rules.append(written)
        kept = decision.subjects if self.keep else subjects
        return replace(
            decision,
            subjects=kept,
            outcomes=self._rebuilt(decision.outcomes),
            rules=tuple(rules),
            otherwise=self._rebuilt(decision.otherwise),
        )


def _held(subject: Expression | None, condition: Condition) -> bool | None:
    """Whether a cell holds of a value that is known; None where that depends on the state."""
    if not condition.tests:
        return True
    return tests_hold(subject, condition.tests)


# -- numbers without gaps ---------------------------------------------------------------------------
# Rows that are gone leave none in the numbers of the others; wordings that name a row follow.

Numbers = Mapping[str, str]
"""The new number of a row by the one that is written."""
_NUMBER = re.compile(r"([0-9]+)([a-z]?)")
_LINES = re.compile(
    r"\b(?:riga|righe|rows?|lines?)\s+([0-9]+[a-z]?(?:(?:\s*(?:,|–|-)\s*|\s+(?:e|o|and|or)\s+)[0-9]+[a-z]?)*)"
    r"(?:(?=[^{}.;:]{0,20}\{([^{}]+)\}))?",
    re.IGNORECASE,
)


def _without_gaps(before: Ruleset, after: Ruleset) -> Ruleset:
    turns = {turn.heading.name for turn in after.turns}
    changed: dict[str, Numbers] = {}
    for old, new in zip(before.tables, after.tables, strict=True):
        if new is not old and isinstance(old, (Scale, Decision)) and table_name(old) not in turns:
            numbers = _renumbered(_rows_of(old), _rows_of(new))
            if numbers:
                changed[table_name(old)] = numbers
    if not changed:
        return after
    return replace(
        after,
        tables=tuple(_table_renumbered(table, changed) for table in after.tables),
        turns=tuple(
            replace(turn, steps=tuple(_row_reworded(step, changed) for step in turn.steps))
            for turn in after.turns
        ),
        cases=tuple(
            replace(cases, rows=tuple(_row_reworded(row, changed) for row in cases.rows))
            for cases in after.cases
        ),
        definitions=tuple(
            replace(terms, rows=tuple(_row_reworded(row, changed) for row in terms.rows))
            for terms in after.definitions
        ),
    )


def _rows_of(table: object) -> tuple[Criterion | Rule, ...]:
    match table:
        case Scale(criteria=rows):
            return rows
        case Decision(rules=rules):
            return rules
        case _:
            return ()


def _renumbered(before: Sequence[Criterion | Rule], after: Sequence[Criterion | Rule]) -> Numbers:
    """Nothing where no row is gone, or the numbers are no plain count or come out as answers."""
    stems = [_NUMBER.fullmatch(row.number) for row in before]
    counted = dict.fromkeys(stem.group(1) if stem else "" for stem in stems)
    if list(counted) != [str(n) for n in range(1, len(counted) + 1)] or _are_outcomes(before):
        return {}
    found: dict[str, str] = {}
    kept = list(dict.fromkeys(_stem(row.number) for row in after))
    for row in after:
        alike = {other.number for other in after if _stem(other.number) == _stem(row.number)}
        suffix = row.number.removeprefix(_stem(row.number)) if len(alike) > 1 else ""
        found[row.number] = f"{kept.index(_stem(row.number)) + 1}{suffix}"
    return found if any(old != new for old, new in found.items()) else {}


def _stem(number: str) -> str:
    return number.rstrip("abcdefghijklmnopqrstuvwxyz")


def _are_outcomes(rows: Sequence[Criterion | Rule]) -> bool:
    given = [row.outcomes[0].written for row in rows if isinstance(row, Rule) and row.outcomes]
    return bool(given) and given == [_stem(row.number) for row in rows]


def _table_renumbered(table: Table, changed: Mapping[str, Numbers]) -> Table:
    own = changed.get(table_name(table), {})
    match table:
        case Scale(criteria=criteria):
            return replace(table, criteria=tuple(_row_renumbered(row, own, changed) for row in criteria))
        case Decision(rules=rules):
            return replace(table, rules=tuple(_row_renumbered(row, own, changed) for row in rules))
        case _:
            return table


Numbered = TypeVar("Numbered", Criterion, Rule)


def _row_renumbered(row: Numbered, own: Numbers, changed: Mapping[str, Numbers]) -> Numbered:
    words = _reworded(row.words, (), changed, own)
    return replace(row, number=own.get(row.number, row.number), words=words)


Reworded = TypeVar("Reworded", TurnStep, Case, Definition)


def _row_reworded(row: Reworded, changed: Mapping[str, Numbers]) -> Reworded:
    return replace(row, words=_reworded(row.words, row.along, changed, {}))


def _reworded(words: Words, along: Sequence[str], changed: Mapping[str, Numbers], own: Numbers) -> Words:
    """`row 3 of {1}`, with the number that the row has now; without a pointer it is the table's own row."""

    def rows_named(found: re.Match[str]) -> str:
        code = (found.group(2) or "").strip()
        place = whole_in(code)
        table = along[place - 1] if place is not None and 1 <= place <= len(along) else code
        numbers = changed.get(table, {}) if code else own
        typed = found.group(1)
        now = re.sub(r"[0-9]+[a-z]?", lambda one: numbers.get(one.group(), one.group()), typed)
        return found.group().replace(typed, now)

    return tuple((language, _LINES.sub(rows_named, text)) for language, text in words)


# -- what is known before the game ------------------------------------------------------------------


def truth(node: Expression | None) -> bool | None:
    """Return whether an expression is always true or always false; None where that depends on something."""
    match node:
        case None:
            return True
        case Constant(value=bool() as value):
            return value
        case Guard(operand=operand):
            return truth(operand)
        case _:
            return None


def simplified(node: Any) -> Any:
    """Return an expression without what is known of it already; its parts are simplified."""
    match node:
        case Comparison(operator="=" | "!=" as operator, left=left, right=right):
            same = _same(left, right)
            return node if same is None else _boolean(node, same is (operator == "="))
        case Logic(operator=operator, left=left, right=right):
            return _logic(node, operator, left, right)
        case Not(operand=operand) if truth(operand) is not None:
            return _boolean(node, not truth(operand))
        case Conditional(condition=condition, then=then, otherwise=otherwise):
            held = truth(condition)
            return node if held is None else then if held else otherwise
        case Matches(value=value, tests=tests):
            held = tests_hold(value, tests)
            return node if held is None else _boolean(node, held)
        case _:
            return node


def _logic(node: Logic, operator: str, left: Expression, right: Expression) -> Expression:
    decisive = operator == "or"
    for one, other in ((left, right), (right, left)):
        held = truth(one)
        if held is not None:
            return _boolean(node, held) if held is decisive else other
    return node


def _boolean(node: Expression, value: bool) -> Constant:
    return Constant(value, type=node.type, where=node.where)


def _same(left: Expression, right: Expression) -> bool | None:
    match left, right:
        case NameOf(id=one), NameOf(id=other):
            return one == other
        case Constant(value=one_value), Constant(value=other_value):
            return type(one_value) is type(other_value) and one_value == other_value
        case _:
            return None


def tests_hold(subject: Expression | None, tests: tuple[Test, ...]) -> bool | None:
    """Return whether one of the tests holds of a known name."""
    if subject is None or not isinstance(subject, NameOf):
        known = [truth(test.condition) for test in tests if hasattr(test, "condition")]
        if len(known) == len(tests):
            return any_of(known)
        return None
    return any_of([test_holds(test, subject.id) for test in tests])


def test_holds(test: Test, name: str) -> bool | None:
    """Return whether a test holds of a name; None where it asks for something that is not known."""
    match test:
        case EqualTo(value=NameOf(id=id_)):
            return id_ == name
        case InList(list=MakeList(items=items)):
            ids = [item.id for item in items if isinstance(item, NameOf)]
            return name in ids if len(ids) == len(items) else None
        case NoneOf(tests=tests):
            inner = any_of([test_holds(t, name) for t in tests])
            return None if inner is None else not inner
        case _:
            return None


def any_of(results: list[bool | None]) -> bool | None:
    """Return true where one is true, false where all are, None where it is not known."""
    if True in results:
        return True
    return None if None in results else False
