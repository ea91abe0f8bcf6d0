"""Scales, decisions and formulas as steps: number, badges, condition, wording, outcome."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from dtables.model.expressions import (
    Comparison,
    Constant,
    EqualTo,
    Expression,
    Holds,
    InList,
    MakeList,
    NameOf,
    Switch,
    Test,
)
from dtables.model.tables import (
    AnswerField,
    Ask,
    Checks,
    Concern,
    Condition,
    Criterion,
    Decision,
    Draw,
    Formula,
    Outcome,
    Policy,
    Prefer,
    Rule,
    Scale,
    Step,
    Words,
)
from dtables.printing.names import Names
from dtables.printing.view_fixed import Resolver
from dtables.printing.view_parts import Inline, Mark, Run, StepRow, Steps, Style
from dtables.printing.view_text import bold, joined, plain, say, starred, text_of, upper_first, worded
from dtables.printing.view_values import is_plain_value, value_inline
from dtables.printing.view_words import furniture
from dtables.printing.wording import Wording
from dtables.printing.wording_words import LEADING
from dtables.provenance import CellRef

ORDER = " › "


class StepsView:
    def __init__(self, names: Names) -> None:
        self.names = names
        self.wording = Wording(names)
        self.words = furniture(names.language)

    # -- scales --------------------------------------------------------------------------------

    def scale(self, scale: Scale, resolver: Resolver) -> Steps:
        rows = [
            self._criterion(criterion)
            for criterion in scale.criteria
            if criterion.only_if is None or resolver.holds(*_whole(criterion.only_if)) is not False
        ]
        return Steps(_under_one_number(rows))

    def _criterion(self, criterion: Criterion) -> StepRow:
        said = say(criterion.words, self.names.language)
        marks, concern_text = self._concerns(criterion.concerns)
        condition = "" if criterion.only_if is None else self.wording.say(criterion.only_if)
        if said:
            text, tail = split_condition(said, self.names.language)
            own = tail or (condition if len(condition) <= LONGEST_CONDITION else "")
            return StepRow(criterion.number, marks, _pill(plain(own)), worded(text), (), criterion.cell)
        text_made = self._preferred(criterion)
        if concern_text:
            text_made = (*text_made, Run(f" · {self.words['only_for']} {concern_text}", Style.QUIET))
        return StepRow(criterion.number, marks, _pill(plain(condition)), text_made, (), criterion.cell)

    def _concerns(self, concerns: tuple[Concern, ...]) -> tuple[Inline, str]:
        """Badges where all of a row's names have some; otherwise words."""
        marks: list[Mark] = []
        texts: list[str] = []
        for concern in concerns:
            found = self.marks_of(concern.tests)
            if found:
                marks += found
            else:
                texts.append(self._concern(concern))
        return tuple(marks), self.wording.phrase("and", ", ".join(texts[:-1]), texts[-1]) if texts[
            1:
        ] else "".join(texts)

    def _concern(self, concern: Concern) -> str:
        names = [name for test in concern.tests for name in _names_in(test)]
        alone = [self.wording.test_alone(test) for test in concern.tests]
        if names or concern.name == "item":
            return ", ".join(alone)
        return self.wording.test(self.wording.say(concern.value), concern.value, concern.tests)

    def marks_of(self, tests: tuple[Test, ...]) -> list[Mark]:
        names = [_names_in(test) for test in tests]
        if not all(names):
            return []
        marks = [self.names.mark(name.vocabulary, name.id) for group in names for name in group]
        known = [mark for mark in marks if mark is not None]
        return known if len(known) == len(marks) else []

    def _preferred(self, criterion: Criterion) -> Inline:
        """What a criterion without wording prefers, its leading word bold."""
        text = upper_first(self.preference(criterion))
        for lead in LEADING.get(self.names.language, LEADING["en"]):
            if text.casefold().startswith(lead):
                return (Run(text[: len(lead)], Style.BOLD), *plain(text[len(lead) :]))
        return worded(text)

    def preference(self, criterion: Criterion) -> str:
        by = "" if criterion.by is None else self.wording.say(criterion.by)
        match criterion.prefer:
            case Prefer.YES:
                return by
            case Prefer.NO:
                return self._refused(criterion.by, by)
            case Prefer.HIGHEST | Prefer.LOWEST:
                return self.wording.phrase(criterion.prefer.value, by)
            case Prefer.FIRST_IN | Prefer.LAST_IN:
                return self._in_order(criterion, by)
            case Prefer.SCALE:
                return self._embedded(criterion)
            case Prefer.FIRST | Prefer.CHANCE:
                return self.wording.phrase(criterion.prefer.value)

    def _refused(self, by: Expression | None, said: str) -> str:
        if isinstance(by, Comparison):
            return self.wording.refused(by)
        return self.wording.phrase("prefer no", said)

    def _in_order(self, criterion: Criterion, by: str) -> str:
        assert criterion.order is not None
        first = criterion.prefer is Prefer.FIRST_IN
        match criterion.order:
            case MakeList(items=items):
                listed = ORDER.join(self.wording.say(item) for item in items)
                return self.wording.phrase("first order" if first else "last order", by, listed)
            case order:
                return self.wording.phrase(criterion.prefer.value, by, self.wording.say(order))

    def _embedded(self, criterion: Criterion) -> str:
        assert criterion.embedded is not None
        title = self.names.table(criterion.embedded.scale)
        if criterion.embedded.numbers is None:
            return self.wording.phrase("scale", title)
        return self.wording.phrase("rows", title, ", ".join(criterion.embedded.numbers))

    # -- decisions -----------------------------------------------------------------------------

    def decision(self, decision: Decision, resolver: Resolver) -> Steps:
        shown = [r for r in decision.rules if _fits(decision, r, resolver)]
        rows = [self._rule(decision, rule, resolver) for rule in shown]
        if decision.otherwise is not None and not _is_nothing(decision.otherwise):
            label = plain(self.words["otherwise"], Style.QUIET)
            outcome = self._outcomes((decision.otherwise,))
            rows.append(StepRow("", (), (), label, outcome, decision.otherwise.cell))
        if decision.policy in (Policy.UNIQUE, Policy.ANY):
            rows = [replace(row, number="") for row in rows]
        told = [self._told(row) for row in _without_idle_outcomes(rows, shown)]
        return Steps(_under_one_number(told))

    def _told(self, row: StepRow) -> StepRow:
        """A row without condition says its outcome alone, or that it holds in all other cases."""
        if row.text or row.conditions or row.marks or not row.outcome:
            return row
        if row.number:
            return replace(row, text=plain(self.words["otherwise"], Style.QUIET))
        return replace(row, text=bold(row.outcome), outcome=())

    def _rule(self, decision: Decision, rule: Rule, resolver: Resolver) -> StepRow:
        said, tail = split_condition(say(rule.words, self.names.language), self.names.language)
        marks: list[Mark] = []
        phrases: list[str] = [tail] if tail else []
        leads: list[str] = []
        for subject, condition in zip(decision.subjects, rule.conditions, strict=True):
            if not condition.tests or resolver.holds(subject.value, condition.tests):
                continue
            found = self.marks_of(condition.tests)
            if found:
                marks += found
            elif not said or isinstance(subject.value, Switch):
                phrases.append(self._condition(subject.value, condition))
            else:
                leads += self._labels(condition.tests)
        text = worded(said) if said else ()
        if leads and not any(mentions(said + tail, label) for label in leads):
            text = (Run(", ".join(leads), Style.BOLD), Run(": "), *starred(said))
        pill = _pill(plain(self._all_of(phrases)))
        return StepRow(rule.number, tuple(marks), pill, text, self._outcomes(rule.outcomes), rule.where)

    def _labels(self, tests: tuple[Test, ...]) -> list[str]:
        return [self.names.label(n.vocabulary, n.id) for test in tests for n in _names_in(test)]

    def _all_of(self, phrases: list[str]) -> str:
        *most, last = phrases or [""]
        return self.wording.phrase("and", ", ".join(most), last) if most else last

    def _condition(self, subject: Expression | None, condition: Condition) -> str:
        said = "" if subject is None else self.wording.say(subject)
        return self.wording.test(said, subject, condition.tests)

    def _outcomes(self, outcomes: tuple[Outcome, ...]) -> Inline:
        return joined(tuple(value_inline(self.names, self.wording, o.value) for o in outcomes), " · ")

    # -- formulas, asks, checks ----------------------------------------------------------------

    def formulas(self, formulas: Iterable[Formula]) -> Steps:
        return Steps(tuple(self._formula(f) for f in formulas))

    def _formula(self, formula: Formula) -> StepRow:
        return self._named(formula.heading.name, formula.words, formula.result, formula.cell)

    def steps_of(self, formula: Formula) -> Steps:
        rows = [self._named(s.variable.name, s.words, s.value, s.cell) for s in formula.steps]
        result = self._named(formula.heading.name, formula.words, formula.result, formula.cell)
        return Steps((*rows, result))

    def ask(self, ask: Ask) -> Steps:
        rows: list[StepRow] = []
        for row in ask.rows:
            match row:
                case Step(variable=variable, words=words, value=value):
                    rows.append(self._named(variable.name, words, value, row.where))
                case Draw(variable=variable, words=words, options=options):
                    rows.append(self._named(variable.name, words, options, row.where))
                case AnswerField(name=name, words=words, value=value):
                    rows.append(self._named(name, words, value, row.where))
        return Steps(tuple(rows))

    def checks(self, checks: Checks) -> Steps:
        rows = [
            StepRow(row.number, (), (), worded(say(row.words, self.names.language)), (), row.where)
            for row in checks.rows
        ]
        return Steps(tuple(rows))

    def _named(self, name: str, words: Words, value: Expression, cell: CellRef) -> StepRow:
        title = upper_first(say(words, self.names.language) or self.names.term(name))
        text: Inline = (Run(title, Style.BOLD), Run("  " + self.wording.say(value)))
        return StepRow("", (), (), text, (), cell)


# -- helpers -----------------------------------------------------------------------------------

LONGEST_CONDITION = 60
"""Where a row has its own wording, a condition that takes more letters than this is left to the wording."""
_TAILS = {
    "it": re.compile(r"^(.+?),\s+se\s+(.+)$", re.DOTALL),
    "en": re.compile(r"^(.+?),\s+if\s+(.+)$", re.DOTALL),
}
_HEADS = {
    "it": re.compile(r"^se\s+([^:]+):\s+(.+)$", re.DOTALL | re.IGNORECASE),
    "en": re.compile(r"^if\s+([^:]+):\s+(.+)$", re.DOTALL | re.IGNORECASE),
}
STEM = 5


def split_condition(said: str, language: str) -> tuple[str, str]:
    """`Reveals a card, if it is late`, `If it is late: a card`: the wording, and its condition."""
    if language not in _TAILS:
        return said, ""
    tail, head = _TAILS[language].match(said), _HEADS[language].match(said)
    if head is not None:
        return upper_first(head.group(2)), head.group(1)
    return (said, "") if tail is None else (tail.group(1), tail.group(2).rstrip("."))


def mentions(said: str, label: str) -> bool:
    """Does the wording speak of the name, in whatever form its grammar wants?"""
    stem = label.casefold().split()[0][:STEM]
    return stem.rstrip("aeio") in said.casefold()


def _pill(condition: Inline) -> tuple[Inline, ...]:
    return (condition,) if condition else ()


def _whole(condition: Expression) -> tuple[Expression | None, tuple[Test, ...]]:
    """`direction = MS` as a subject and its test."""
    if isinstance(condition, Comparison) and condition.operator == "=":
        test = EqualTo(condition.right, type=condition.type, where=condition.where)
        return condition.left, (test,)
    return None, (Holds(condition, type=condition.type, where=condition.where),)


def _fits(decision: Decision, rule: Rule, resolver: Resolver) -> bool:
    pairs = zip(decision.subjects, rule.conditions, strict=True)
    return all(not c.tests or resolver.holds(s.value, c.tests) is not False for s, c in pairs)


def _names_in(test: Test) -> list[NameOf]:
    match test:
        case EqualTo(value=NameOf() as name):
            return [name]
        case InList(list=MakeList(items=items)):
            names = [item for item in items if isinstance(item, NameOf)]
            return names if len(names) == len(items) else []
        case _:
            return []


def _is_nothing(outcome: Outcome) -> bool:
    """`otherwise: null` and `otherwise: no` say what a reader takes for granted."""
    return isinstance(outcome.value, Constant) and outcome.value.value in (None, False)


def _without_idle_outcomes(rows: list[StepRow], rules: list[Rule]) -> list[StepRow]:
    """An outcome that every row has, or that the number or the wording says, is not printed again."""
    written = {tuple(o.written for o in rule.outcomes) for rule in rules}
    numbered = all("".join(o.written for o in r.outcomes) == r.number.rstrip("abcdefgh") for r in rules)
    all_worded = all(row.text for row in rows)
    reckoned = any(not is_plain_value(o.value) for rule in rules for o in rule.outcomes)
    if numbered or (all_worded and (len(written) == 1 or reckoned)):
        return [replace(row, outcome=()) for row in rows]
    return [replace(row, outcome=()) if _says(row.text, row.outcome) else row for row in rows]


def _says(text: Inline, outcome: Inline) -> bool:
    return bool(outcome) and text_of(outcome).casefold() in text_of(text).casefold()


def _under_one_number(rows: list[StepRow]) -> tuple[StepRow, ...]:
    """Rows that share a number show it once, with no line between them."""
    result: list[StepRow] = []
    for n, row in enumerate(rows):
        repeated = n > 0 and row.number != "" and row.number == rows[n - 1].number
        going_on = n + 1 < len(rows) and row.number != "" and row.number == rows[n + 1].number
        result.append(replace(row, number="" if repeated else row.number, ruled=not going_on))
    return tuple(result)
