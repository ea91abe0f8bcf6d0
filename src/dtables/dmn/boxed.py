"""Boxed expressions to the model's expressions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, repeat
from typing import assert_never

from dtables.checker.expressions.forms import called_by_names, known_external
from dtables.dmn import elements as dmn
from dtables.dmn.surroundings import Around
from dtables.feel.syntax import ast
from dtables.feel.syntax.parser import Dialect, parse_tests
from dtables.feel.syntax.scanner import tidy_name
from dtables.feel.types import ANY, ListType
from dtables.feel.values import Function
from dtables.model.expressions import (
    Binding,
    CallFunction,
    CallTable,
    Conditional,
    Entry,
    Expression,
    FieldOf,
    For,
    MakeContext,
    MakeFunction,
    MakeList,
    Quantified,
    Quantifier,
    Read,
    Select,
)
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

# Nobody can name an entry so: what a context's last entry, the one without name, is kept under.
RESULT = ""


def lower_boxed(around: Around, boxed: dmn.Boxed) -> Expression:
    value = _lower(around, boxed)
    return around.conformed(value, boxed.type)


def _lower(around: Around, boxed: dmn.Boxed) -> Expression:
    match boxed:
        case dmn.Literal():
            return _literal(around, boxed)
        case dmn.Context():
            return _context(around, boxed)
        case dmn.List(items=items):
            return _list(around, [lower_boxed(around, item) for item in items])
        case dmn.Relation():
            return _relation(around, boxed)
        case dmn.Invocation():
            return _invocation(around, boxed)
        case dmn.FunctionDefinition():
            return lower_function(around, boxed)
        case dmn.Conditional():
            return _conditional(around, boxed)
        case dmn.Filter():
            return _filter(around, boxed)
        case dmn.Iterator():
            return _iterator(around, boxed)
        case dmn.DecisionTable():
            return lower_table(around, boxed)
        case _:
            assert_never(boxed)


def _literal(around: Around, boxed: dmn.Literal) -> Expression:
    """No text is null; another language than FEEL is not understood."""
    language = (boxed.language or "feel").lower().rstrip("/")
    if not boxed.text.strip() or not language.endswith("feel"):
        return around.null()
    return around.expression(boxed.text)


def _conditional(around: Around, boxed: dmn.Conditional) -> Expression:
    """Null where the condition is neither true, false nor null."""
    condition = around.variable("condition")
    read = Read(condition, type=ANY, where=around.where)
    parts = [lower_boxed(around, part) for part in (boxed.condition, boxed.then, boxed.otherwise)]
    is_truth = CallFunction(around.constant(_IS_TRUTH), (read,), type=ANY, where=around.where)
    chosen = Conditional(read, parts[1], parts[2], type=ANY, where=around.where)
    guarded = Conditional(is_truth, chosen, around.null(), type=ANY, where=around.where)
    entries = (Entry("condition", condition, parts[0]), Entry(RESULT, around.variable(RESULT), guarded))
    return FieldOf(MakeContext(entries, type=ANY, where=around.where), RESULT, type=ANY, where=around.where)


_IS_TRUTH = Function(("condition",), lambda value: value is None or isinstance(value, bool))


def _list(around: Around, items: Sequence[Expression]) -> Expression:
    return MakeList(tuple(items), type=ListType(ANY), where=around.where)


# -- contexts ----------------------------------------------------------------------------------


def _context(around: Around, boxed: dmn.Context) -> Expression:
    """Later entries see earlier ones; a function sees itself."""
    inside, entries = around, []
    for entry in boxed.entries:
        name = RESULT if entry.name is None else tidy_name(entry.name)
        variable = inside.variable(name)
        seen = inside.binding(variable) if isinstance(entry.value, dmn.FunctionDefinition) else inside
        value = inside.conformed(lower_boxed(seen, entry.value), entry.type)
        entries.append(Entry(name, variable, value))
        inside = inside.binding(variable)
    context = MakeContext(tuple(entries), type=ANY, where=around.where)
    if all(entry.name != RESULT for entry in entries):
        return context
    return FieldOf(context, RESULT, type=ANY, where=around.where)


def _relation(around: Around, boxed: dmn.Relation) -> Expression:
    rows = []
    for row in boxed.rows:
        entries = tuple(
            Entry(column.name, around.variable(column.name), _cell(around, column, cell))
            for column, cell in zip(boxed.columns, chain(row, repeat(None)), strict=False)
        )
        rows.append(MakeContext(entries, type=ANY, where=around.where))
    return _list(around, rows)


def _cell(around: Around, column: dmn.Parameter, cell: dmn.Boxed | None) -> Expression:
    return around.null() if cell is None else around.conformed(lower_boxed(around, cell), column.type)


# -- functions ---------------------------------------------------------------------------------


def lower_function(around: Around, boxed: dmn.FunctionDefinition) -> Expression:
    if boxed.kind.upper() != "FEEL":
        return around.typed_function(_external(around, boxed), [p.type for p in boxed.parameters])
    given = tuple(around.variable(tidy_name(p.name)) for p in boxed.parameters)
    body = lower_boxed(around.binding(*given), boxed.body)
    function = MakeFunction(given, body, type=ANY, where=around.where)
    return around.typed_function(function, [p.type for p in boxed.parameters])


def _external(around: Around, boxed: dmn.FunctionDefinition) -> Expression:
    """A context that names a Java class and a method signature, as texts."""
    entries = boxed.body.entries if isinstance(boxed.body, dmn.Context) else ()
    named = {e.name: e.value.text.strip(' "') for e in entries if isinstance(e.value, dmn.Literal)}
    java_class, signature = named.get("class"), named.get("method signature")
    if boxed.kind != "Java" or java_class is None or signature is None:
        return around.null()
    return known_external(around.where, java_class, signature, [tidy_name(p.name) for p in boxed.parameters])


def _invocation(around: Around, boxed: dmn.Invocation) -> Expression:
    """Bindings go by name; one that is left out is null."""
    names = [tidy_name(binding.parameter) for binding in boxed.bindings]
    values = [lower_boxed(around, binding.value) for binding in boxed.bindings]
    name = tidy_name(boxed.function.text) if isinstance(boxed.function, dmn.Literal) else ""
    function = around.scope.symbols.functions.get(name)
    if function is not None:
        given = dict(zip(names, values, strict=True))
        if set(given) - {parameter for parameter, _ in function.parameters}:
            return around.null()
        arguments = tuple(given.get(parameter, around.null()) for parameter, _ in function.parameters)
        return CallTable(function.name, arguments, type=ANY, where=around.where)
    return called_by_names(lower_boxed(around, boxed.function), names, values)


# -- lists -------------------------------------------------------------------------------------


def _filter(around: Around, boxed: dmn.Filter) -> Expression:
    item = around.variable("item")
    match = lower_boxed(around.item(item), boxed.match)
    return Select(lower_boxed(around, boxed.items), item, match, type=ANY, where=around.where)


def _iterator(around: Around, boxed: dmn.Iterator) -> Expression:
    variable, partial = around.variable(tidy_name(boxed.variable)), around.variable("partial")
    bindings = (Binding(variable, lower_boxed(around, boxed.source)),)
    inside = around.binding(variable)
    match boxed.loop:
        case dmn.Loop.FOR:
            result = lower_boxed(inside.binding(partial), boxed.result)
            return For(bindings, result, partial, type=ANY, where=around.where)
        case dmn.Loop.SOME | dmn.Loop.EVERY:
            condition = lower_boxed(inside, boxed.result)
            quantifier = Quantifier(boxed.loop.value)
            return Quantified(quantifier, bindings, condition, type=ANY, where=around.where)
        case _:
            assert_never(boxed.loop)


# -- decision tables -----------------------------------------------------------------------------
# Decision tables: each becomes a table of its own, called with everything that is in scope.

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
