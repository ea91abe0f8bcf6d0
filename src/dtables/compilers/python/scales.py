"""Scales as functions: each row narrows what is left, and nothing is worked out for a single candidate.

A scale has a function for the equals at its top and one for the best; where something asks for it, one
for the ranking. `marks` are what a row sees in each of those left; None counts as the worst.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import assert_never

from dtables.compilers.python.code import (
    Code,
    Level,
    Module,
    Site,
    both,
    indented,
    literal,
    place_text,
    short_place,
)
from dtables.compilers.python.conditions import truth
from dtables.compilers.python.failing import may_fail
from dtables.compilers.python.functions import bind_all, doc, open_function, written
from dtables.compilers.python.operators import equal_in_python, is_number
from dtables.feel.types import (
    ListType,
    NullType,
    plain,
    without_null,
)
from dtables.model.expressions import Variable
from dtables.model.tables import Others, Prefer, Scale
from dtables.program.nodes import By, Constant, Criterion, Expression, Group, Let, Narrow
from dtables.provenance import Location

HELPERS = {
    Prefer.YES: "those_true",
    Prefer.NO: "those_false",
    Prefer.HIGHEST: "the_highest",
    Prefer.LOWEST: "the_lowest",
    Prefer.FIRST_IN: "the_earliest",
    Prefer.LAST_IN: "the_latest",
    Prefer.FIRST: "the_first",
}


@dataclass(frozen=True)
class ScaleCode:
    """Rows being written: the candidate, the variable of those left, the candidate's name, and, inside an
    embedding row that does not concern all of them, the variable of those that count as the worst."""

    candidate: Variable
    others: Others
    left: str
    item: str
    worst: str | None
    site: Site

    @property
    def inside(self) -> Site:
        """Where the candidate has its name."""
        return replace(self.site, inner=(*self.site.inner, self.candidate))


def write_scale(scale: Scale, module: Module) -> list[str]:
    ground, name = module.ground, scale.heading.name
    turn = ["turn"] if name in ground.turned else []
    narrow = ground.lowered.narrow(scale)
    site = open_function(module, name)
    site.function.turned = bool(turn)
    parameters = bind_all(scale.parameters, site)
    handed = ", ".join([*turn, *parameters])
    lines = [f"def {ground.equals[name]}({handed}):", *_equals(narrow, parameters[0], site), "", ""]
    lines += [f"def {ground.functions[name]}({handed}):", doc("Scale", name, scale.heading.where)]
    lines += indented([f"return {_best(scale, narrow, handed, site)}"])
    if name in ground.ranked:
        lines += ["", "", *_ranking(scale, handed, parameters[0], module)]
    return [*lines, ""]


def _best(scale: Scale, narrow: Narrow, handed: str, site: Site) -> str:
    name = scale.heading.name
    equals = f"{site.ground.equals[name]}({handed})"
    if _any_compares_non_numbers(narrow.criteria):
        place = site.place(scale.heading.where)
        equals = f"{site.uses('attempt')}({place}, {site.ground.equals[name]}, {handed})"
    if narrow.level:
        return equals
    last = literal(place_text(Location(scale.criteria[-1].cell))).text
    return f"{site.uses('the_one')}({equals}, {literal(name).text}, {last})"


def _ranking(scale: Scale, handed: str, candidates: str, module: Module) -> Iterator[str]:
    name = scale.heading.name
    yield f"def {module.ground.rankings[name]}({handed}):"
    inner = f"{module.ground.equals[name]}({handed})"
    yield f"    return {module.uses('tiers')}({candidates}, lambda {candidates}: {inner})"


def _equals(narrow: Narrow, candidates: str, site: Site) -> list[str]:
    left = site.fresh("left")
    candidate = site.ground.lowered.variables[narrow.item]
    item, _ = site.bind(candidate)
    reading = ScaleCode(candidate, narrow.others, left, item, None, site)
    lines = [f"{left} = {candidates}", *_rows(narrow.criteria, reading), f"return {left}"]
    return written(site, lines)


# -- rows --------------------------------------------------------------------------------------


def _rows(criteria: tuple[Criterion, ...], reading: ScaleCode) -> Iterator[str]:
    for number, criterion in enumerate(criteria):
        if criterion.standing is None:
            yield from _chance(criterion, criteria[number + 1 :], reading)
            return
        test = [Code(f"len({reading.left}) > 1", Level.COMPARE)]
        if criterion.applies is not None:
            test.append(truth(criterion.applies, reading.site))
        yield f"if {both(test).whole}:{_comment(criterion)}"
        yield from indented(_row(criterion, criterion.standing, reading))


def _chance(criterion: Criterion, below: tuple[Criterion, ...], reading: ScaleCode) -> Iterator[str]:
    """The rest is chance: what stands below is read only where this row does not apply."""
    if criterion.applies is None or not below:
        return
    test = truth(criterion.applies, reading.site)
    rest = list(_rows(below, reading))
    if rest:
        yield f"if len({reading.left}) > 1 and not {test.within(Level.NOT)}:{_comment(criterion)}"
        yield from indented(rest)


def _comment(criterion: Criterion) -> str:
    row = criterion.source
    words = " ".join(f"{row.number} {row.prefer.value}".split())
    return f"  # {words}, {short_place(row.where)}"


def _row(criterion: Criterion, standing: By | Group, reading: ScaleCode) -> Iterator[str]:
    concern = _concern(criterion, reading)
    if concern is None:
        yield from _narrowing(standing, reading, None)
        return
    if isinstance(standing, By) and standing.order is None and _marks_suffice(criterion, reading):
        marks = _marks(standing, reading, concern.within(Level.OR), _each(reading))
        yield f"{reading.left} = {reading.site.uses(_helper(standing))}({reading.left}, {marks})"
        return
    concerned = reading.site.fresh("concerned")
    yield f"{concerned} = [{concern.whole} {_each(reading)}]"
    match reading.others if criterion.concerns else Others.LAST:
        case Others.LAST:
            yield f"if any({concerned}):"
            yield from indented(_narrowing(standing, reading, concerned))
        case Others.SKIP:
            yield f"if any({concerned}) and not any({_apart(concerned, reading)}):"
            yield from indented(_narrowing(standing, reading, concerned))
        case Others.STAY:
            yield from _narrowing_some(standing, reading, concerned)
        case other:
            assert_never(other)


def _marks_suffice(criterion: Criterion, reading: ScaleCode) -> bool:
    """Where nobody is concerned, nobody has a mark, and all stay."""
    if criterion.concerns and reading.others is not Others.LAST:
        return False
    return not may_fail(criterion.concerns, reading.site.ground)


def _concern(criterion: Criterion, reading: ScaleCode) -> Code | None:
    """The condition on a candidate that the row is for it; None where it is for everybody."""
    parts = [truth(concern, reading.inside) for concern in criterion.concerns if _is_tested(concern)]
    if reading.worst is not None:
        parts.insert(0, Code(f"id({reading.item}) not in {reading.worst}", Level.COMPARE))
    return both(parts) if parts else None


def _is_tested(concern: Expression) -> bool:
    """A cell without tests is for everybody."""
    return not (isinstance(concern, Let) and isinstance(concern.body, Constant))


def _apart(concerned: str, reading: ScaleCode) -> str:
    """Those that the row is not for, and that do not count as the worst already."""
    if reading.worst is None:
        return f"not c for c in {concerned}"
    return f"{_flag(reading)} {_pairs(concerned, reading)}"


def _pairs(concerned: str, reading: ScaleCode) -> str:
    return f"for {reading.item}, c in zip({reading.left}, {concerned}, strict=True)"


def _narrowing_some(standing: By | Group, reading: ScaleCode, concerned: str) -> Iterator[str]:
    """`stay`: the others are left out while the row narrows, and join again."""
    site = reading.site
    some, compared = site.fresh("some"), site.fresh("compared")
    yield f"if any({concerned}):"
    lines = [f"{compared} = [not ({_flag(reading)}) {_pairs(concerned, reading)}]"]
    lines.append(f"{some} = [{reading.item} {_pairs(compared, reading)} if c]")
    inner = replace(reading, left=some)
    flags = None
    if reading.worst is not None:
        flags = site.fresh("concerned")
        lines.append(f"{flags} = [id({reading.item}) not in {reading.worst} for {reading.item} in {some}]")
    lines += _narrowing(standing, inner, flags)
    lines.append(f"{reading.left} = {site.uses('rejoined')}({reading.left}, {compared}, {some})")
    yield from indented(lines)


def _flag(reading: ScaleCode) -> str:
    if reading.worst is None:
        return "not c"
    return f"not c and id({reading.item}) not in {reading.worst}"


# -- narrowing ---------------------------------------------------------------------------------


def _narrowing(standing: By | Group, reading: ScaleCode, concerned: str | None) -> Iterator[str]:
    """`concerned` is the variable of the flags of those that do not count as the worst; None: all."""
    if isinstance(standing, Group):
        yield from _embedded(standing, reading, concerned)
        return
    site = reading.site
    arguments = [reading.left]
    if standing.order is not None and standing.prefer in (Prefer.FIRST_IN, Prefer.LAST_IN):
        order = site.fresh("order")
        yield f"{order} = {site.code(standing.order).whole}"
        arguments.append(order)
    if concerned is None:
        arguments.insert(1, _marks(standing, reading, None, _each(reading)))
    else:
        arguments.insert(1, _marks(standing, reading, "c", _pairs(concerned, reading)))
    yield f"{reading.left} = {site.uses(_helper(standing))}({', '.join(arguments)})"


def _each(reading: ScaleCode) -> str:
    return f"for {reading.item} in {reading.left}"


def _marks(standing: By, reading: ScaleCode, flag: str | None, each: str) -> str:
    """`flag` is whether a candidate is concerned; None: all are. `each` goes through the candidates."""
    mark = Code("True") if standing.by is None else reading.inside.code(standing.by)
    if flag is not None:
        return f"[{mark.within(Level.OR)} if {flag} else None {each}]"
    return reading.left if mark.whole == reading.item else f"[{mark.whole} {each}]"


def _helper(standing: By) -> str:
    helper = HELPERS[standing.prefer]
    if _python_compares(standing):
        return f"{helper}_plain"
    return f"{helper}_in_order" if _compares_non_numbers(standing) else helper


def _python_compares(standing: By) -> bool:
    """`first in` a list of what Python itself compares with a candidate's mark."""
    if standing.prefer not in (Prefer.FIRST_IN, Prefer.LAST_IN):
        return False
    if standing.order is None or standing.by is None:
        return False
    listed = plain(standing.order.type)
    return isinstance(listed, ListType) and equal_in_python(listed.item, standing.by.type)


def _compares_non_numbers(standing: By) -> bool:
    """`highest` and `lowest` of something else than numbers, where the comparison may fail."""
    if standing.prefer not in (Prefer.HIGHEST, Prefer.LOWEST) or standing.by is None:
        return False
    kind = standing.by.type
    return not is_number(without_null(kind)) and not isinstance(plain(kind), NullType)


def _any_compares_non_numbers(criteria: tuple[Criterion, ...]) -> bool:
    standings = (criterion.standing for criterion in criteria)
    return any(
        _any_compares_non_numbers(one.criteria) if isinstance(one, Group) else _compares_non_numbers(one)
        for one in standings
        if one is not None
    )


def _embedded(embedded: Group, reading: ScaleCode, concerned: str | None) -> Iterator[str]:
    """The rows of another scale, read with this one's candidate."""
    site = reading.site
    for slot, value in embedded.lets:
        code = site.code(value).whole
        name = site.function.bind(site.ground.lowered.variables[slot])
        yield f"{name} = {code}"
    worst = reading.worst
    if concerned is not None:
        worst = site.fresh("worst")
        yield f"{worst} = {{id({reading.item}) {_pairs(concerned, reading)} if not c}}"
    inner = replace(reading, others=embedded.others, worst=worst)
    yield from _rows(embedded.criteria, inner)
