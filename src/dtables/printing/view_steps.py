"""Scales, decisions and formulas as steps: number, badges, condition, wording, outcome."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dtables.model.expressions import (
    Comparison,
    EqualTo,
    Expression,
    Holds,
    MakeList,
    Switch,
    Test,
)
from dtables.model.tables import (
    AnswerField,
    Ask,
    Checks,
    Concern,
    Criterion,
    Draw,
    Formula,
    Prefer,
    Scale,
    Step,
    Words,
)
from dtables.model.vocabularies import in_language
from dtables.printing.names import Names, names_tested
from dtables.printing.view_fixed import Resolver
from dtables.printing.view_parts import Inline, Mark, Run, StepRow, Steps, Style
from dtables.printing.view_rows import (
    LONGEST_CONDITION,
    marks_of,
    pill,
    split_condition,
    under_one_number,
)
from dtables.printing.view_text import plain, upper_first, worded
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
        held = [(c, _held(c, resolver)) for c in scale.criteria]
        rows = [
            replace(self._criterion(c, "" if sure else self._only_if(c)), variant=not sure and _by_switch(c))
            for c, sure in held
            if sure is not False
        ]
        return Steps(under_one_number(rows))

    def _only_if(self, criterion: Criterion) -> str:
        if criterion.only_if is None:
            return ""
        subject, tests = _whole(criterion.only_if)
        if isinstance(subject, Switch):
            return self.wording.test(self.wording.say(subject), subject, tests)
        return self.wording.say(criterion.only_if)

    def _criterion(self, criterion: Criterion, condition: str) -> StepRow:
        said = in_language(criterion.words, self.names.language)
        marks, concern_text = self._concerns(criterion.concerns)
        if said:
            text, tail = split_condition(said, self.names.language)
            own = tail or (condition if len(condition) <= LONGEST_CONDITION else "")
            return StepRow(criterion.number, marks, pill(plain(own)), worded(text), (), criterion.cell)
        text_made = self._preferred(criterion)
        if concern_text:
            text_made = (*text_made, Run(f" · {self.words['only_for']} {concern_text}", Style.QUIET))
        return StepRow(criterion.number, marks, pill(plain(condition)), text_made, (), criterion.cell)

    def _concerns(self, concerns: tuple[Concern, ...]) -> tuple[Inline, str]:
        """Badges where all of a row's names have some; otherwise words."""
        marks: list[Mark] = []
        texts: list[str] = []
        for concern in concerns:
            found = marks_of(self.names, concern.tests)
            if found:
                marks += found
            else:
                texts.append(self._concern(concern))
        return tuple(marks), self.wording.phrase("and", ", ".join(texts[:-1]), texts[-1]) if texts[
            1:
        ] else "".join(texts)

    def _concern(self, concern: Concern) -> str:
        names = [name for test in concern.tests for name in names_tested(test)]
        alone = [self.wording.test_alone(test) for test in concern.tests]
        if names or concern.name == "item":
            return ", ".join(alone)
        return self.wording.test(self.wording.say(concern.value), concern.value, concern.tests)

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
            StepRow(row.number, (), (), worded(in_language(row.words, self.names.language)), (), row.where)
            for row in checks.rows
        ]
        return Steps(tuple(rows))

    def _named(self, name: str, words: Words, value: Expression, cell: CellRef) -> StepRow:
        title = upper_first(in_language(words, self.names.language) or self.names.term(name))
        text: Inline = (Run(title, Style.BOLD), Run(": " + self.wording.say(value)))
        return StepRow("", (), (), text, (), cell)


def _held(criterion: Criterion, resolver: Resolver) -> bool | None:
    return None if criterion.only_if is None else resolver.holds(*_whole(criterion.only_if))


def _by_switch(criterion: Criterion) -> bool:
    return criterion.only_if is not None and isinstance(_whole(criterion.only_if)[0], Switch)


def _whole(condition: Expression) -> tuple[Expression | None, tuple[Test, ...]]:
    """`direction = MS` as a subject and its test."""
    if isinstance(condition, Comparison) and condition.operator == "=":
        test = EqualTo(condition.right, type=condition.type, where=condition.where)
        return condition.left, (test,)
    return None, (Holds(condition, type=condition.type, where=condition.where),)
