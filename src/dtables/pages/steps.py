"""Scales, decisions and formulas as steps: number, badges, condition, wording, outcome."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from dtables.feel.types import NumberType
from dtables.feel.types import plain as plain_type
from dtables.model.expressions import (
    Compared,
    Constant,
    EqualTo,
    Expression,
    InList,
    MakeList,
    Switch,
    Test,
    Within,
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
    OutcomeColumn,
    Policy,
    Rule,
    Scale,
    Step,
    Subject,
    Words,
)
from dtables.model.vocabularies import in_language
from dtables.pages.badges import PageLabels
from dtables.pages.document import (
    Align,
    Body,
    Entries,
    Grid,
    GridCell,
    GridColumn,
    GridRow,
    GridSection,
    Inline,
    Mark,
    Run,
    StepRow,
    Steps,
    Style,
    bold,
    joined,
    plain,
    text_of,
    upper_first,
)
from dtables.pages.grids import NONE, is_plain_value, value_inline, with_closing_rows
from dtables.pages.house_rules import reads_a_switch
from dtables.pages.markup import Markup, Wording
from dtables.pages.resolve import Resolver, whole
from dtables.pages.words import furniture
from dtables.provenance import CellRef
from dtables.wording.expressions import Expressions, names_tested


class StepsView:
    def __init__(self, names: PageLabels, markup: Markup) -> None:
        self.names = names
        self.markup = markup
        self.wording = Expressions(names)
        self.words = furniture(names.language)

    def _read(self, text: str) -> Inline:
        """A row's wording, what leads it bold."""
        return self.markup.read(Wording(text, led=True)).inline

    # -- scales --------------------------------------------------------------------------------

    def scale(self, scale: Scale, resolver: Resolver) -> Steps:
        held = [(c, None if c.only_if is None else resolver.holds_whole(c.only_if)) for c in scale.criteria]
        rows = [
            replace(self._criterion(c, "" if sure else self._only_if(c)), variant=_by_switch(c))
            for c, sure in held
            if sure is not False
        ]
        return Steps(under_one_number(rows))

    def others(self, scale: Scale) -> str:
        """What becomes of the candidates that a row is not for, where one is not for all."""
        if not any(criterion.concerns for criterion in scale.criteria):
            return ""
        return self.words[f"others_{scale.others.value}"]

    def _only_if(self, criterion: Criterion) -> str:
        if criterion.only_if is None:
            return ""
        subject, tests = whole(criterion.only_if)
        if isinstance(subject, Switch):
            return self.wording.test(self.wording.say(subject), subject, tests)
        return self.wording.say(criterion.only_if)

    def _criterion(self, criterion: Criterion, condition: str) -> StepRow:
        words = in_language(criterion.words, self.names.language)
        marks, concern = self._concerns(criterion.concerns)
        if words:
            text, tail = split_condition(words, self.names.language)
            own = tail or (condition if len(condition) <= LONGEST_CONDITION else "")
            shown, concern = self._read(text), "" if self._speaks_of(criterion, words) else concern
        else:
            own, shown = condition, self._preferred(criterion)
        if concern:
            shown = (*shown, Run(f" · {self.words['only_for']} {concern}", Style.QUIET))
        return StepRow(criterion.number, marks, pill(self.markup.text(own)), shown, (), criterion.cell)

    def _speaks_of(self, criterion: Criterion, words: str) -> bool:
        """Whether the wording names all that the row is for."""
        tests = [test for concern in criterion.concerns for test in concern.tests]
        names = [name for test in tests for name in names_tested(test)]
        plainly = all(isinstance(test, (EqualTo, InList)) and names_tested(test) for test in tests)
        return plainly and all(mentions(words, self.names.name(n.vocabulary, n.id)) for n in names)

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
        return tuple(marks), self.names.phrases.joined("and", *texts) if texts else ""

    def _concern(self, concern: Concern) -> str:
        names = [name for test in concern.tests for name in names_tested(test)]
        alone = [self.wording.test_alone(test) for test in concern.tests]
        if names or concern.name == "item":
            return ", ".join(alone)
        return self.wording.test(self.wording.say(concern.value), concern.value, concern.tests)

    def _preferred(self, criterion: Criterion) -> Inline:
        """What a criterion without wording prefers, its leading word bold."""
        text = upper_first(self.wording.preference(criterion))
        for lead in self.names.phrases.leading:
            if text.casefold().startswith(lead):
                return (Run(text[: len(lead)], Style.BOLD), *plain(text[len(lead) :]))
        return self._read(text)

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
            StepRow(
                row.number, (), (), self._read(in_language(row.words, self.names.language)), (), row.where
            )
            for row in checks.rows
        ]
        return Steps(tuple(rows))

    def _named(self, name: str, words: Words, value: Expression, cell: CellRef) -> StepRow:
        title = upper_first(self.names.row(name, words))
        text: Inline = (Run(title, Style.BOLD), Run(": " + self.wording.say(value)))
        return StepRow("", (), (), text, (), cell)


def _by_switch(criterion: Criterion) -> bool:
    return criterion.only_if is not None and reads_a_switch(criterion.only_if)


# -- decisions --------------------------------------------------------------------------------------
# Decisions as steps, or, where they have several outcomes, as a grid.

LONG_ENOUGH = 4
LONGEST_CENTRED = 40
MANY_RANGES = 4


class DecisionView:
    def __init__(self, names: PageLabels, markup: Markup) -> None:
        self.names = names
        self.markup = markup
        self.wording = Expressions(names)
        self.words = furniture(names.language)

    def _read(self, text: str) -> Inline:
        """A row's wording, what leads it bold."""
        return self.markup.read(Wording(text, led=True)).inline

    def decision(self, decision: Decision, resolver: Resolver) -> Steps | Grid:
        listed = cases_of(decision)
        if listed is not None:
            return Steps(tuple(
                self._completed(replace(self._rule(decision, rule, resolver), number="", outcome=()))
                for rule in listed.rules
                if _fits(decision, rule, resolver)
            ))  # fmt: skip
        shown = [r for r in decision.rules if _fits(decision, r, resolver)]
        rows = [self._rule(decision, rule, resolver) for rule in shown]
        otherwise = decision.otherwise
        rows = _without_idle_outcomes(rows, shown, alone=otherwise is None)
        rows = [
            replace(row, outcome=()) if row.text and all(map(is_nothing, rule.outcomes)) else row
            for row, rule in zip(rows, shown, strict=True)
        ]
        keyed = _by_key(decision, shown, rows)
        if keyed is not None:
            return keyed
        in_words = bool(rows) and not any(row.outcome for row in rows)
        if otherwise is not None and not (in_words and is_nothing(otherwise)):
            outcome = self.otherwise(otherwise)
            rows.append(StepRow("", (), (), self._in_all_other_cases(), outcome, otherwise.cell))
        if not in_order(decision):
            first = decision.policy.has_precedence
            rows = [replace(self._completed(row) if first else row, number="") for row in rows]
        return Steps(under_one_number([self._completed(row) for row in rows]))

    def conditions_in_words(self, decision: Decision, rule: Rule, resolver: Resolver) -> list[str]:
        """What a row asks that setup has not fixed."""
        return [
            self._condition(subject.value, condition)
            for subject, condition in zip(decision.subjects, rule.conditions, strict=True)
            if condition.tests and not resolver.holds(subject.value, condition.tests)
        ]

    def _completed(self, row: StepRow) -> StepRow:
        """A row without condition shows its outcome alone, or that it holds in all other cases."""
        if row.text or row.conditions or row.marks or not row.outcome:
            return row
        if row.number:
            return replace(row, text=self._in_all_other_cases())
        return replace(row, text=bold(row.outcome), outcome=())

    def _in_all_other_cases(self) -> Inline:
        return plain(upper_first(self.names.phrases.otherwise), Style.QUIET)

    def outcome_grid(self, decision: Decision, resolver: Resolver) -> Grid:
        """Outcomes in columns with their names; conditions too, where no wording expresses them."""
        rules = [rule for rule in decision.rules if _fits(decision, rule, resolver)]
        outcomes = tuple(self._outcome_column(column) for column in decision.outcomes)
        if any(in_language(rule.words, self.names.language) for rule in rules):
            steps = self.decision_rows(decision, resolver)
            rows = [GridRow(self._row_label(step), self._outcome_cells(given)) for step, given in steps]
            return Grid("", outcomes, (_section([*rows, *self._last_row(decision)]),))
        places = deciding(decision, resolver)
        if len(places) == 1 and not in_order(decision):
            return self._by_one_condition(decision, rules, places[0], outcomes)
        columns = tuple(GridColumn(plain(self._subject(decision.subjects[n])), "") for n in places)
        rows = [self._row_across(decision, rule, places) for rule in rules]
        for last in self._last_row(decision):
            rows.append(
                replace(last, label=(), cells=(GridCell(last.label, len(places), False), *last.cells))
            )
        return Grid("", columns + outcomes, (_section(rows),))

    def _last_row(self, decision: Decision) -> Iterator[GridRow]:
        otherwise = decision.otherwise
        if otherwise is not None:
            cell = GridCell(self.otherwise(otherwise), len(decision.outcomes), False)
            yield GridRow(self._in_all_other_cases(), (cell,))

    def _by_one_condition(
        self, decision: Decision, rules: list[Rule], place: int, outcomes: tuple[GridColumn, ...]
    ) -> Grid:
        rows = [
            GridRow(bold(self._tests(rule.conditions[place])), self._outcome_cells(rule.outcomes))
            for rule in rules
        ]
        rows += self._last_row(decision)
        return Grid(self._subject(decision.subjects[place]), outcomes, (_section(rows),))

    def _row_across(self, decision: Decision, rule: Rule, places: list[int]) -> GridRow:
        conditions = tuple(GridCell(self._tests(rule.conditions[n]), 1, False) for n in places)
        number = plain(rule.number, Style.RANK) if in_order(decision) else ()
        return GridRow(number, conditions + self._outcome_cells(rule.outcomes))

    def _outcome_column(self, column: OutcomeColumn) -> GridColumn:
        return GridColumn(plain(upper_first(self.names.term(column.name) or self.words["outcome"])), "")

    def _outcome_cells(self, outcomes: tuple[Outcome, ...]) -> tuple[GridCell, ...]:
        return tuple(GridCell(self.outcome(outcome), 1, False) for outcome in outcomes)

    def _subject(self, subject: Subject) -> str:
        return upper_first(self.wording.say(subject.value) if subject.value is not None else "")

    def _tests(self, condition: Condition) -> Inline:
        """A cell of conditions by itself: its head names what is tested."""
        groups = [names_tested(test) for test in condition.tests]
        if not groups:
            return plain(NONE, Style.QUIET)
        if all(groups):
            names = [self.names.inline(name.vocabulary, name.id) for group in groups for name in group]
            return joined(tuple(names), ", ")
        return plain(self.wording.either(condition.tests))

    def _row_label(self, step: StepRow) -> Inline:
        parts = [plain(step.number, Style.RANK), step.marks, *step.conditions, bold(step.text)]
        return joined(tuple(part for part in parts if part), " ") or self._in_all_other_cases()

    def decision_rows(
        self, decision: Decision, resolver: Resolver
    ) -> list[tuple[StepRow, tuple[Outcome, ...]]]:
        ordered = in_order(decision)
        rows = []
        for rule in decision.rules:
            if _fits(decision, rule, resolver):
                row = self._rule(decision, rule, resolver)
                rows.append((row if ordered else replace(row, number=""), rule.outcomes))
        return rows

    def _rule(self, decision: Decision, rule: Rule, resolver: Resolver) -> StepRow:
        words, tail = split_condition(in_language(rule.words, self.names.language), self.names.language)
        marks: list[Mark] = []
        phrases: list[str] = [tail] if tail else []
        leads: list[str] = []
        for subject, condition in zip(decision.subjects, rule.conditions, strict=True):
            if not condition.tests or resolver.holds(subject.value, condition.tests):
                continue
            found = marks_of(self.names, condition.tests)
            if found:
                marks += found
            elif not words or isinstance(subject.value, Switch):
                phrases.append(self._condition(subject.value, condition))
            else:
                leads += self._labels(condition.tests)
        text = self._read(words) if words else ()
        if leads and not any(mentions(words + tail, label) for label in leads):
            text = (Run(upper_first(", ".join(leads)), Style.BOLD), Run(": "), *self.markup.text(words))
        conditions = pill(self.markup.text(self._all_of(phrases)))
        outcome = self._outcomes(rule.outcomes)
        switched = reads_a_switch(rule) or any(
            condition.tests and isinstance(subject.value, Switch)
            for subject, condition in zip(decision.subjects, rule.conditions, strict=True)
        )
        return StepRow(rule.number, tuple(marks), conditions, text, outcome, rule.where, variant=switched)

    def _labels(self, tests: tuple[Test, ...]) -> list[str]:
        return [self.names.name(n.vocabulary, n.id) for test in tests for n in names_tested(test)]

    def _all_of(self, phrases: list[str]) -> str:
        return self.names.phrases.joined("and", *(phrases or [""]))

    def _condition(self, subject: Expression | None, condition: Condition) -> str:
        text = "" if subject is None else self.wording.say(subject)
        return self.wording.test(text, subject, condition.tests)

    def _outcomes(self, outcomes: tuple[Outcome, ...]) -> Inline:
        return joined(tuple(self.outcome(o) for o in outcomes), " · ")

    def outcome(self, outcome: Outcome) -> Inline:
        """Yes and no are words here: a dot would mean little at the end of a line."""
        if isinstance(outcome.value, Constant) and isinstance(outcome.value.value, bool):
            return plain(self.wording.say(outcome.value))
        return value_inline(self.names, self.markup, self.wording, outcome.value)

    def otherwise(self, outcome: Outcome) -> Inline:
        """The outcome where no row fits; that there is none is a word too."""
        match outcome.value:
            case Constant(value=None):
                return plain(self.names.phrases.nothing)
            case MakeList(items=()):
                return plain(self.names.phrases.none)
            case _:
                return self.outcome(outcome)


def in_columns(decision: Decision, resolver: Resolver, language: str) -> bool:
    """Whether it is read across: several outcomes, or several conditions that no wording expresses."""
    if len(decision.outcomes) > 1:
        return True
    if cases_of(decision) is not None or any(in_language(rule.words, language) for rule in decision.rules):
        return False
    subjects = [decision.subjects[n].value for n in deciding(decision, resolver)]
    if _is_tariff(decision, resolver):
        return True
    return len(subjects) > 1 and not any(value is None or isinstance(value, Switch) for value in subjects)


def _is_tariff(decision: Decision, resolver: Resolver) -> bool:
    """A short outcome for each of several ranges of one number."""
    places = deciding(decision, resolver)
    rules = [rule for rule in decision.rules if _fits(decision, rule, resolver)]
    if len(places) != 1 or in_order(decision) or len(rules) < MANY_RANGES:
        return False
    subject = decision.subjects[places[0]].value
    ranges = all(
        isinstance(test, (Compared, Within)) for rule in rules for test in rule.conditions[places[0]].tests
    )
    outcomes = [rule.outcomes[0].value for rule in rules]
    numbers = subject is not None and isinstance(plain_type(subject.type), NumberType)
    return numbers and ranges and all(map(is_plain_value, outcomes))


def in_order(decision: Decision) -> bool:
    """Say whether it matters which of its rows comes first. It does not where each is for other names, and at
    most the last one for all."""
    if decision.policy in (Policy.UNIQUE, Policy.ANY):
        return False
    rules = list(decision.rules)
    if decision.policy is Policy.FIRST and rules and not any(c.tests for c in rules[-1].conditions):
        rules.pop()
    apart = any(_names_differ([rule.conditions[n] for rule in rules]) for n in range(len(decision.subjects)))
    return not (decision.policy is Policy.FIRST and len(rules) > 1 and apart)


def _names_differ(conditions: Sequence[Condition]) -> bool:
    """Each cell is for some names, and no two for the same."""
    groups = [[n.id for test in c.tests for n in names_tested(test)] for c in conditions]
    plainly = all(isinstance(test, (EqualTo, InList)) for c in conditions for test in c.tests)
    listed = [name for group in groups for name in group]
    return plainly and all(groups) and len(set(listed)) == len(listed)


def _by_key(decision: Decision, rules: Sequence[Rule], rows: Sequence[StepRow]) -> Grid | None:
    """Rows that a name leads, some of them the same: the names stand in a column of their own, for the rows'
    numbers say less than they do. What is for all names comes first."""
    leads = [_lead(row.text) for row in rows]
    named = [lead for lead in leads if lead]
    bare = any(row.marks or row.conditions or row.outcome or row.variant for row in rows)
    ends = decision.otherwise is not None and not is_nothing(decision.otherwise)
    repeated = len(set(named)) < len(named)
    if bare or ends or not repeated or "" in leads[leads.count("") :]:
        return None
    if not any(_is_key([rule.conditions[n] for rule in rules]) for n in range(len(decision.subjects))):
        return None
    found = []
    for lead, before, row in zip(leads, ["", *leads], rows, strict=False):
        label = plain(lead, Style.BOLD) if lead != before else ()
        text = _without_lead(row.text) if lead else row.text
        found.append(GridRow(label, (GridCell(text, 1, False),)))
    section = GridSection("", "", "", tuple(with_closing_rows(found)), Align.START)
    return Grid("", (GridColumn((), ""),), (section,))


def _is_key(conditions: Sequence[Condition]) -> bool:
    """Each cell is blank or for one name, and rows of a name stand together."""
    names = [[n.id for test in c.tests for n in names_tested(test)] for c in conditions]
    runs = [key for key, _ in groupby("".join(group) for group in names)]
    single = all(len(group) == len(c.tests) <= 1 for group, c in zip(names, conditions, strict=True))
    return single and len(set(runs)) == len(runs) > 1


def _lead(text: Inline) -> str:
    """The bold words before a colon that begin a row."""
    first, after = (*text, None, None)[:2]
    if not isinstance(first, Run) or first.style is not Style.BOLD:
        return ""
    inside = first.text.rstrip().endswith(":")
    behind = isinstance(after, Run) and after.text.startswith(":")
    return first.text.strip().rstrip(":") if inside or behind else ""


def _without_lead(text: Inline) -> Inline:
    rest = list(text[1:])
    while rest and isinstance(first := rest[0], Run) and not first.text.strip(": "):
        rest.pop(0)
    if rest and isinstance(first := rest[0], Run):
        rest[0] = replace(first, text=first.text.lstrip(": "))
    return tuple(rest)


def deciding(decision: Decision, resolver: Resolver) -> list[int]:
    """Places of the subjects that some row still asks about."""
    rules = [rule for rule in decision.rules if _fits(decision, rule, resolver)]
    return [
        n
        for n, subject in enumerate(decision.subjects)
        if any(
            rule.conditions[n].tests and not resolver.holds(subject.value, rule.conditions[n].tests)
            for rule in rules
        )
    ]


def _section(rows: list[GridRow]) -> GridSection:
    """Words begin at the same place, numbers and short names stand in the middle."""
    longest = max((len(text_of(cell.text)) for row in rows for cell in row.cells), default=0)
    return GridSection("", "", "", tuple(rows), Align.CENTER if longest <= LONGEST_CENTRED else Align.START)


def _fits(decision: Decision, rule: Rule, resolver: Resolver) -> bool:
    pairs = zip(decision.subjects, rule.conditions, strict=True)
    return all(not c.tests or resolver.holds(s.value, c.tests) is not False for s, c in pairs)


@dataclass(frozen=True, slots=True)
class CasesOf:
    """The rows in which a decision is true; or, where it is true otherwise, those in which it is not."""

    rules: tuple[Rule, ...]
    holds: bool


def cases_of(decision: Decision) -> CasesOf | None:
    """A decision between yes and no as a list of cases; None where the order of its rows matters too much."""
    if len(decision.outcomes) != 1 or not decision.policy.takes_one or not decision.rules:
        return None
    if decision.policy.is_ranked:
        return None
    given = [yes_or_no(rule.outcomes[0]) for rule in decision.rules]
    otherwise = False if decision.otherwise is None else yes_or_no(decision.otherwise)
    if None in given or otherwise is None or (decision.otherwise is None and len(set(given)) < 2):
        return None
    listed = tuple(r for r, value in zip(decision.rules, given, strict=True) if value is not otherwise)
    places = [n for n, value in enumerate(given) if value is not otherwise]
    mixed = decision.policy.has_precedence and places != list(range(len(places)))
    if mixed or not listed or any(not any(c.tests for c in rule.conditions) for rule in listed):
        return None
    return CasesOf(listed, not otherwise)


def is_nothing(outcome: Outcome) -> bool:
    """Say whether nothing is what comes out: where wordings have said what does, that needs no words."""
    return isinstance(outcome.value, Constant) and outcome.value.value is None


def yes_or_no(outcome: Outcome) -> bool | None:
    """Return the truth that an outcome is; None for every other one."""
    value = outcome.value
    return value.value if isinstance(value, Constant) and isinstance(value.value, bool) else None


def _without_idle_outcomes(rows: list[StepRow], rules: list[Rule], *, alone: bool) -> list[StepRow]:
    """An outcome that every row has, or that the number or the wording already gives, is not printed again.
    `alone`: no other row follows."""
    same = alone and len({tuple(o.written for o in rule.outcomes) for rule in rules}) == 1
    numbered = all("".join(o.written for o in r.outcomes) == r.number.rstrip("abcdefgh") for r in rules)
    all_worded = all(row.text for row in rows)
    reckoned = any(not is_plain_value(o.value) for rule in rules for o in rule.outcomes)
    repeated = any(_repeats(row.text, row.outcome) for row in rows)
    if numbered or (all_worded and (same or reckoned or repeated)):
        return [replace(row, outcome=()) for row in rows]
    return rows


def _repeats(text: Inline, outcome: Inline) -> bool:
    """Short words, such as yes and no, are found in too many places."""
    outcome_text = text_of(outcome).casefold()
    return len(outcome_text) >= LONG_ENOUGH and outcome_text in text_of(text).casefold()


# -- the text of a row ------------------------------------------------------------------------------
# What several views show of a row: its badges, its wording and condition, its number.


def marks_of(names: PageLabels, tests: tuple[Test, ...]) -> list[Mark]:
    """The badges of all names in a cell; none where one of them has no badge."""
    groups = [names_tested(test) for test in tests]
    if not all(groups):
        return []
    marks = [names.mark(name.vocabulary, name.id) for group in groups for name in group]
    known = [mark for mark in marks if mark is not None]
    return known if len(known) == len(marks) else []


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
STEM, LONG_WORD = 5, 4


def split_condition(text: str, language: str) -> tuple[str, str]:
    """`Reveals a card, if it is late`, `If it is late: a card`: the wording, and its condition."""
    if language not in _TAILS:
        return text, ""
    tail, head = _TAILS[language].match(text), _HEADS[language].match(text)
    if head is not None:
        return upper_first(head.group(2)), head.group(1)
    return (text, "") if tail is None else (tail.group(1), tail.group(2).rstrip("."))


def mentions(text: str, label: str) -> bool:
    """Does the wording speak of the name, in whatever form its grammar needs?"""
    words = [word for word in label.casefold().split() if len(word) >= LONG_WORD]
    if not words:
        return re.search(rf"\b{re.escape(label.casefold())}\b", text.casefold()) is not None
    return all(word[:STEM].rstrip("aeio") in text.casefold() for word in words)


def pill(condition: Inline) -> tuple[Inline, ...]:
    return (condition,) if condition else ()


DASH = "–"


def dashed(body: Body) -> Body:
    """Rows that stand in a step begin with a dash where nothing else leads them."""
    match body:
        case Steps(rows=(_, _, *_) as rows) if not any(row.number for row in rows):
            return replace(body, rows=tuple(row if row.marks else replace(row, number=DASH) for row in rows))
        case Entries(rows=(_, _, *_) as entries):
            led = (Run(DASH),)
            return Entries(tuple(row if row.marks else replace(row, marks=led) for row in entries))
        case _:
            return body


def under_one_number(rows: list[StepRow]) -> tuple[StepRow, ...]:
    """Rows that share a number show it once, with no line between them."""
    result: list[StepRow] = []
    for n, row in enumerate(rows):
        repeated = n > 0 and row.number != "" and row.number == rows[n - 1].number
        going_on = n + 1 < len(rows) and row.number != "" and row.number == rows[n + 1].number
        result.append(replace(row, number="" if repeated else row.number, ruled=not going_on))
    return tuple(result)
