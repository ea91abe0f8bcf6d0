"""What an ask, or a table, does with each place of the state: one walk over everything it can reach.

A place that is only compared with constants splits into classes: all values of a class are treated alike.
One whose value itself is used (added, sorted, answered) has no such classes; `Uses.escaping` tells the
first of them. Lists, maps and records that are used whole are closed: it is only understood whether they
are missing.
"""

from __future__ import annotations

from typing import assert_never

from dtables.feel.types import RecordType, Type
from dtables.flat.places import SETTLED, Known, Path, Place, Uses, Why, Worked, is_record, tests_of
from dtables.flat.survey_expressions import ExpressionSurvey
from dtables.flat.survey_places import Here
from dtables.model.expressions import Expression
from dtables.model.tables import (
    AnswerField,
    Ask,
    Consistency,
    Counted,
    Decision,
    Dice,
    Draw,
    Formula,
    Matrix,
    Need,
    Next,
    Ruleset,
    Scale,
    Step,
    Stop,
    Table,
    table_name,
)
from dtables.provenance import Location


def survey_ask(model: Ruleset, ask: Ask) -> Uses | Why:
    """Everything that answering it may look at: its rows, and the checks that concern it."""
    survey = Survey(model)
    survey.declare((), survey.state, ())
    survey.ask(ask, ())
    for checks in model.checks:
        for row in checks.rows:
            if not row.asks or ask.heading.name in row.asks:
                survey.check(row)
    return survey.uses()


def survey_table(model: Ruleset, table: Table) -> Uses | Why:
    """A table called by itself: its parameters stand beside the input fields."""
    survey = Survey(model)
    survey.declare((), survey.state, ())
    given: list[Known] = []
    for parameter in table.parameters:
        place = survey.place((parameter.name,), parameter.type, ())
        survey.declare_type(place.path, parameter.type, (), ())
        given.append(place)
    survey.settle(survey.call(table, tuple(given)), table.heading.where)
    return survey.uses()


class Survey(ExpressionSurvey):
    """One walk; `trouble` is the first thing that it cannot reason about."""

    def call(self, table: Table, given: tuple[Known, ...]) -> Known:
        given = tuple(
            self._fitting(p.type, known, table) for p, known in zip(table.parameters, given, strict=True)
        )
        key = (f"{type(table).__name__} {table_name(table)}", given)
        if key not in self._called:
            self._called[key] = SETTLED
            here = Here().where([p.variable for p in table.parameters], given)
            self._called[key] = self._table(table, here, given)
        return self._called[key]

    def _fitting(self, wanted: Type, known: Known, table: Table) -> Known:
        """A worked out number that a parameter's type restricts: its value itself is looked at."""
        if not isinstance(known, Worked) or not tests_of(wanted):
            return known
        self.settle(known, table.heading.where)
        return SETTLED

    def _table(self, table: Table, here: Here, given: tuple[Known, ...]) -> Known:
        match table:
            case Formula(steps=steps, result=result):
                return self.visit(result, Here(here.bound, {s.variable.number: s for s in steps}))
            case Decision():
                self._decision(table, here)
            case Matrix(entries=entries):
                for entry in entries:
                    for known, key in zip(given, entry.keys, strict=True):
                        self.beside("=", known, key, here)
                    self.settle(self.visit(entry.value, here), entry.value.where)
            case Dice(entries=totals):
                for total in totals:
                    self._beside_total(given[-1], total.low, total.high, total.outcome.where)
                    self.settle(self.visit(total.outcome, here), total.outcome.where)
                for known in given[:-1]:
                    self.settle(known, table.heading.where)
            case Scale():
                for known in given:
                    self.settle(known, table.heading.where)
                self.inside(table.criteria, here)
            case _:
                assert_never(table)
        return SETTLED

    def _beside_total(self, known: Known, low: int, high: int, where: Location) -> None:
        if isinstance(known, Place | Worked):
            self.compared(">=", known, low, where)
            self.compared("<=", known, high, where)

    def _decision(self, decision: Decision, here: Here) -> None:
        subjects: list[Known] = []
        for subject in decision.subjects:
            known = SETTLED if subject.value is None else self.visit(subject.value, here)
            subjects.append(known)
            here = here.where([subject.variable], [known])
        for rule in decision.rules:
            for known, condition in zip(subjects, rule.conditions, strict=True):
                self.tests(condition.tests, known, here)
            for outcome in rule.outcomes:
                self.settle(self.visit(outcome.value, here), outcome.cell)
        if decision.otherwise is not None:
            self.settle(self.visit(decision.otherwise.value, here), decision.otherwise.cell)
        for column in decision.outcomes:
            self.inside(column.priorities, here)

    def ask(self, ask: Ask, given: tuple[Known, ...]) -> None:
        steps = {row.variable.number: row for row in ask.rows if isinstance(row, Step)}
        here = Here(Here().where([p.variable for p in ask.parameters], given).bound, steps)
        for row in ask.rows:
            match row:
                case Need(place=place, when=when, names=names):
                    self._closed_lists(self.at(place.fields))
                    self._maybe(when, here)
                    self._maybe(names, here)
                case Draw(options=options, recorded=recorded):
                    self.settle(self.visit(options, here), row.cell)
                    if recorded is not None:
                        self.settle(self.at(recorded.fields), row.cell)
                case Stop(condition=condition):
                    self.settle(self.visit(condition, here), row.where)
                case AnswerField(value=value, listed=listed):
                    self.settle(self.visit(value, here), row.cell)
                    self._maybe(listed, here)
                case Next(when=when):
                    self.settle(self.visit(when, here), row.cell)
                case Step():
                    pass
                case _:
                    assert_never(row)

    def check(self, row: Counted | Consistency) -> None:
        match row:
            case Counted():
                for place in row.places:
                    item = self.at(place.fields)
                    self.settle(item, row.where)
                    here = Here().where([row.item], [item]).where([row.subject], [item])
                    self.tests(row.only_for, item, here)
                    self.settle(self.visit(row.by, here), row.where)
            case Consistency():
                for known in [self.at(place.fields) for place in row.each] or [SETTLED]:
                    bound = [] if row.item is None else [row.item]
                    self._closed_lists(known)
                    here = Here().where(bound, [known] * len(bound))
                    self.settle(self.visit(row.wrong_if, here), row.where)
            case _:
                assert_never(row)

    def at(self, path: Path) -> Known:
        """Behind a list or a map there is nothing that is told apart: it is closed."""
        known: Known = Place((), RecordType(self.state.name))
        for name in path:
            if not (isinstance(known, Place) and is_record(known.type)):
                self._closed_lists(known)
                return SETTLED
            known = self.field(known, name)
        return known

    def _closed_lists(self, known: Known) -> None:
        if isinstance(known, Place):
            self._read.add(known.path)

    def _maybe(self, node: Expression | None, here: Here) -> None:
        if node is not None:
            self.settle(self.visit(node, here), node.where)
