"""What every way of writing a decision shares: its columns, and what the hit policy makes of the rows
that fire."""

from __future__ import annotations

from collections.abc import Iterator

from dtables.compilers.python.code import Code, Site, indented, literal, place_text
from dtables.compilers.python.conditions import TestedValue as Tested
from dtables.compilers.python.failing import may_fail
from dtables.compilers.python.functions import at_cell
from dtables.compilers.python.identifiers import lower_snake
from dtables.model.tables import Decision, Policy, Subject
from dtables.program.nodes import Input, Local
from dtables.provenance import Location


def has_values_alone(policy: Policy) -> bool:
    """Are `hits` what rows give, without the rows? Nobody asks then which row it was."""
    return not (policy.takes_one or policy.is_ranked)


# -- subjects ----------------------------------------------------------------------------------


def bind_subjects(decision: Decision, site: Site) -> list[str]:
    """A name for what each column tests; worked out at once where nobody can tell, else when read."""
    lines = []
    first = _first_read(decision)
    for number, subject in enumerate(decision.subjects):
        uses = sum(bool(rule.conditions[number].tests) for rule in decision.rules)
        if subject.value is None or uses == 0:
            continue
        code = site.code(subject.value)
        if isinstance(site.ground.lowered.value(subject.value), (Local, Input)) or (
            code.is_name and not may_fail(subject.value, site.ground)
        ):
            site.function.variables[subject.variable.number] = code
        elif subject is first or not may_fail(subject.value, site.ground):
            lines.append(f"{_bind(subject, site)} = {code.whole}{at_cell(subject.where)}")
        elif uses == 1 and not _repeats(subject, decision, site):
            site.function.variables[subject.variable.number] = code
        else:
            name = site.function.names.new(lower_snake(subject.name))
            site.function.variables[subject.variable.number] = Code(f"{name}()")
            lines.append(f"{name} = {site.uses('once')}(lambda: {code.whole}){at_cell(subject.where)}")
    return lines


def _bind(subject: Subject, site: Site) -> str:
    name = site.function.names.new(lower_snake(subject.name))
    site.function.variables[subject.variable.number] = Code(name)
    return name


def _first_read(decision: Decision) -> Subject | None:
    """The column whose cell is looked at before anything else."""
    if not decision.rules:
        return None
    for subject, condition in zip(decision.subjects, decision.rules[0].conditions, strict=True):
        if condition.tests:
            return subject
    return None


def _repeats(subject: Subject, decision: Decision, site: Site) -> bool:
    """Would the one cell that tests it read it more than once?"""
    number = decision.subjects.index(subject)
    tests = next(r.conditions[number].tests for r in decision.rules if r.conditions[number].tests)
    return len(tests) > 1 or bool(site.ground.lowered.reads(tests))


def tested(subject: Subject, site: Site) -> Tested:
    if subject.value is None:
        return Tested(literal(None), subject.variable.type)
    return Tested(site.function.variables[subject.variable.number], subject.value.type)


# -- hit policies ------------------------------------------------------------------------------


def without_hit(decision: Decision, site: Site) -> Iterator[str]:
    where = site.place(decision.heading.where)
    if decision.otherwise is not None:
        value = site.code(decision.otherwise.value).whole
        yield f"return {value}{at_cell(decision.otherwise.cell)}"
    elif not decision.strict:
        yield "return None"
    else:
        yield f"raise {site.uses('no_row_fires')}({where})"


def resolved(decision: Decision, site: Site, rows: str | None = None) -> Iterator[str]:
    """What the hit policy makes of `hits`. `rows` has the rows' names, if they stand somewhere already."""
    policy = decision.policy
    if decision.otherwise is not None or policy.needs_a_row or not decision.strict:
        yield "if not hits:"
        yield from indented(without_hit(decision, site))
    if policy in (Policy.COLLECT, Policy.RULE_ORDER):
        yield "return hits"
    elif policy is Policy.COLLECT_COUNT:
        yield "return len(hits)"
    elif policy in _AGGREGATES:
        place = site.place(decision.heading.where)
        yield f"return {site.uses('attempt')}({place}, {site.uses(_AGGREGATES[policy])}, hits)"
    else:
        helper = site.uses(_CHOICES[policy])
        yield f"return {helper}(hits, {_details(decision, rows, site)})"


_AGGREGATES = {
    Policy.COLLECT_SUM: "collected_sum",
    Policy.COLLECT_MIN: "collected_min",
    Policy.COLLECT_MAX: "collected_max",
}
_CHOICES = {
    Policy.UNIQUE: "only_hit",
    Policy.ANY: "agreed_hit",
    Policy.PRIORITY: "best_hit",
    Policy.OUTPUT_ORDER: "ordered_hits",
}


def _details(decision: Decision, known: str | None, site: Site) -> str:
    """For messages the table, with name and place of each row; for a ranking the allowed outcomes."""
    if decision.policy.is_ranked:
        return f"{column_names(decision)}, {ranks_of(decision, site)}"
    if known is None:
        rows = [(r.number or r.where.address, place_text(Location(r.where))) for r in decision.rules]
        known = site.constant(f"rows of {decision.heading.name}", repr(tuple(rows))).text
    return f"{literal(decision.heading.name).text}, {known}"


def column_names(decision: Decision) -> str:
    return repr([column.name for column in decision.outcomes])


def ranks_of(decision: Decision, site: Site) -> str:
    """Of each column the allowed outcomes, best first."""
    ranks = [f"[{', '.join(site.code(p).whole for p in column.priorities)}]" for column in decision.outcomes]
    return f"[{', '.join(ranks)}]"


def combined(values: list[tuple[str, str]]) -> str:
    if len(values) == 1:
        return values[0][1]
    return "{" + ", ".join(f"{name!r}: {value}" for name, value in values) + "}"
