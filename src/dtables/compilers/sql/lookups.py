"""Matrices and dice: the value that stands for some keys."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from sqlglot import exp

from dtables.compilers.sql import catalogues
from dtables.compilers.sql.catalogues import Catalogue, is_fixed
from dtables.compilers.sql.exact import plainly
from dtables.compilers.sql.operators import same
from dtables.compilers.sql.plan import Plan, Scope
from dtables.compilers.sql.terms import (
    FALSE,
    Term,
    Tree,
    all_of,
    any_of,
    case,
    certainly,
    first_problem,
    literal,
    negated,
    paren,
    problem_if,
)
from dtables.compilers.sql.types import TEXT, data_type
from dtables.feel.types import NumberType, TextType, Type, VocabularyType, may_be_null, plain
from dtables.model.tables import Dice, DiceEntry, Matrix

FEW_ENTRIES = 6
"""More of them, all constant, are a catalogue."""

Entry = tuple[tuple[Term, ...], Term]


def looked_up(matrix: Matrix, scope: Scope) -> Term:
    seen = [scope.read(parameter.variable) for parameter in matrix.parameters]
    keys = [plainly(key, matrix.heading.where, scope) for key in seen]
    entries: list[Entry] = [
        (tuple(scope.term(key) for key in entry.keys), scope.term(entry.value)) for entry in matrix.entries
    ]
    value = _value(matrix.heading.name, keys, entries, matrix.type, scope.plan)
    hit = [all_of(same(key, one) for key, one in zip(keys, known, strict=True)) for known, _ in entries]
    failing = [(h, term.problem) for h, (_, term) in zip(hit, entries, strict=True) if term.problem]
    problem = case([(h, p) for h, p in failing]) if failing else None
    none = None if _is_whole(matrix, keys, scope.plan) else _without_entry(matrix, hit)
    return Term(value, matrix.type, first_problem([*(key.problem for key in keys), problem, none]))


def _without_entry(table: Matrix | Dice, hit: Sequence[Tree]) -> Tree | None:
    message = f"{table.heading.where}: there is no entry for these keys"
    return problem_if(negated(certainly(any_of(hit))), literal(message))


def _is_whole(matrix: Matrix, keys: Sequence[Term], plan: Plan) -> bool:
    """An entry for all there can be?"""
    kinds = [plain(parameter.type) for parameter in matrix.parameters]
    if any(may_be_null(parameter.type) for parameter in matrix.parameters):
        return False
    sizes = [len(plan.index.vocabularies[k.name].names) for k in kinds if isinstance(k, VocabularyType)]
    return len(sizes) == len(keys) and prod(sizes) == len(matrix.entries)


def _value(name: str, keys: Sequence[Term], entries: Sequence[Entry], type_: Type, plan: Plan) -> Tree:
    """By the first key, then by the others; what a constant key rules out is left out."""
    if not keys:
        return entries[0][1].value
    first, rest = keys[0], keys[1:]
    groups: dict[Tree, list[Entry]] = {}
    for known, value in entries:
        groups.setdefault(known[0].value, []).append((known[1:], value))
    known_terms = {known[0].value: known[0] for known, _ in entries}
    if first.value in groups:
        return _value(f"{name} {first.value.name}", rest, groups[first.value], type_, plan)
    if not rest and _is_catalogue(first, entries, plan):
        values = tuple(group[0][1].value for group in groups.values())
        kind = data_type(type_, plan.stored) or TEXT
        return catalogues.catalogue_value(Catalogue(name, tuple(groups), values, kind), first.value, plan)
    return case(
        (same(first, known_terms[key]), _value(f"{name} {key.name}", rest, group, type_, plan))
        for key, group in groups.items()
    )


def _is_catalogue(key: Term, entries: Sequence[Entry], plan: Plan) -> bool:
    kind = plain(key.type)
    keyed = isinstance(kind, (VocabularyType, TextType)) or (isinstance(kind, NumberType) and kind.whole)
    plain_keys = all(isinstance(known[0].value, (exp.Literal, exp.Neg)) for known, _ in entries)
    values = all(is_fixed(value.value, plan) and value.problem is None for _, value in entries)
    return keyed and plain_keys and values and len(entries) > FEW_ENTRIES


# -- dice ------------------------------------------------------------------------------------------


def rolled(dice: Dice, scope: Scope) -> Term:
    *kinds, total = [scope.read(parameter.variable) for parameter in dice.parameters]
    terms = [scope.term(entry.outcome) for entry in dice.entries]
    hit = [_falls(entry, kinds, total, dice) for entry in dice.entries]
    value = case(zip(hit, (term.value for term in terms), strict=True))
    failing = [(h, term.problem) for h, term in zip(hit, terms, strict=True) if term.problem is not None]
    problem = case(failing) if failing else None
    return Term(value, dice.type, first_problem([problem, _without_entry(dice, hit)]))


def _falls(entry: DiceEntry, kinds: Sequence[Term], total: Term, dice: Dice) -> Tree:
    rolled_total = paren(total.value)
    if entry.low == entry.high:
        between: Tree = exp.EQ(this=rolled_total, expression=literal(entry.low))
    else:
        low = exp.GTE(this=rolled_total, expression=literal(entry.low))
        between = all_of([low, exp.LTE(this=rolled_total, expression=literal(entry.high))])
    if not kinds:
        return between if entry.die == dice.dice[0] else FALSE
    return all_of([same(kinds[0], Term(literal(entry.die), kinds[0].type)), between])
