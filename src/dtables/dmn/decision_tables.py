"""Decision tables: each becomes a table of its own, called with everything that is in scope."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, repeat

from dtables.dmn import elements as dmn
from dtables.dmn.around import Around
from dtables.feel import ast
from dtables.feel.parser import Dialect, parse_tests
from dtables.feel.types import ANY
from dtables.model.expressions import CallTable, Entry, Expression, MakeContext, Read
from dtables.model.tables import (
    Condition,
    Decision,
    Heading,
    Outcome,
    OutcomeColumn,
    OutcomeKind,
    Parameter,
    Policy,
    Rule,
    Subject,
)

POLICIES = {
    "UNIQUE": Policy.UNIQUE,
    "ANY": Policy.ANY,
    "PRIORITY": Policy.PRIORITY,
    "FIRST": Policy.FIRST,
    "COLLECT": Policy.COLLECT,
    "RULE ORDER": Policy.RULE_ORDER,
    "OUTPUT ORDER": Policy.OUTPUT_ORDER,
}
AGGREGATIONS = {
    "SUM": Policy.COLLECT_SUM,
    "MIN": Policy.COLLECT_MIN,
    "MAX": Policy.COLLECT_MAX,
    "COUNT": Policy.COLLECT_COUNT,
}


# Of a table that has none.
_NO_OUTPUT = dmn.Output(None, None, None, None)


def lower_table(around: Around, boxed: dmn.DecisionTable) -> Expression:
    boxed = replace(boxed, outputs=boxed.outputs or (_NO_OUTPUT,))
    variables = [local.variable for local in around.scope.locals.values()]
    name = f"{around.place.book}#{around.place.sheet} table {len(around.tables)}"
    around.tables.append(_decision(around, boxed, name, [Parameter(v.name, v) for v in variables]))
    arguments = tuple(Read(v, type=ANY, where=around.where) for v in variables)
    return CallTable(name, arguments, type=ANY, where=around.where)


def _decision(around: Around, boxed: dmn.DecisionTable, name: str, parameters: list[Parameter]) -> Decision:
    subjects = tuple(_subject(around, column) for column in boxed.inputs)
    outputs = tuple(_column(around, output) for output in boxed.outputs)
    rules = tuple(_rule(around, n, rule, subjects, boxed) for n, rule in enumerate(boxed.rules, 1))
    return Decision(
        Heading(name, around.where),
        tuple(parameters),
        _policy(boxed),
        subjects,
        outputs,
        rules,
        _otherwise(around, boxed),
        ANY,
        strict=False,
    )


def _policy(boxed: dmn.DecisionTable) -> Policy:
    policy = POLICIES.get(boxed.hit_policy, Policy.UNIQUE)
    if policy is Policy.COLLECT and boxed.aggregation is not None:
        return AGGREGATIONS.get(boxed.aggregation, policy)
    return policy


def _subject(around: Around, column: dmn.Input) -> Subject:
    written = column.expression
    value = around.conformed(around.expression(written.text), written.type)
    return Subject(written.text, around.variable(written.text), value, around.place)


def _column(around: Around, output: dmn.Output) -> OutcomeColumn:
    values = _priorities(around, output.values) if output.values is not None else ()
    return OutcomeColumn(output.name or "", OutcomeKind.THEN, ANY, around.place, values)


def _priorities(around: Around, text: str) -> tuple[Expression, ...]:
    tests, _ = parse_tests(text, around.names, Dialect.STANDARD)
    spans = [test.span for test in tests or () if isinstance(test, ast.ExpressionTest)]
    return tuple(around.expression(text[span.start : span.end]) for span in spans)


def _rule(
    around: Around, number: int, rule: dmn.Rule, subjects: tuple[Subject, ...], boxed: dmn.DecisionTable
) -> Rule:
    """Entries that are missing are any value, or null."""
    conditions = tuple(
        Condition(around.tests(text, subject.variable), around.place, text)
        for text, subject in zip(chain(rule.tests, repeat("-")), subjects, strict=False)
    )
    outcomes = tuple(
        _outcome(around, outcome, output.type)
        for outcome, output in zip(chain(rule.outcomes, repeat(None)), boxed.outputs, strict=False)
    )
    return Rule(str(number), conditions, outcomes, around.place)


def _outcome(around: Around, boxed: dmn.Boxed | None, type_: str | None) -> Outcome:
    if not isinstance(boxed, dmn.Literal) or not boxed.text.strip():
        return Outcome(around.null(), around.place, "")
    return Outcome(around.conformed(around.expression(boxed.text), type_), around.place, boxed.text)


def _otherwise(around: Around, boxed: dmn.DecisionTable) -> Outcome | None:
    """The default outcomes; of several columns together."""
    if all(output.default is None for output in boxed.outputs):
        return None
    values = [_outcome(around, output.default, output.type) for output in boxed.outputs]
    if len(values) == 1:
        return values[0]
    entries = tuple(
        Entry(output.name or "", around.variable(output.name or ""), value.value)
        for output, value in zip(boxed.outputs, values, strict=True)
    )
    return Outcome(MakeContext(entries, type=ANY, where=around.where), around.place, "")
