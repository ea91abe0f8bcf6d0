"""Inputs made up for a decision, to try it with: values of every type, first of all those that it names.

The same decision gets the same inputs: chance is drawn from its name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from random import Random

from dtables.feel import types
from dtables.feel.types import ListType, MapType, NumberType, RecordType, Type, may_be_null, plain
from dtables.feel.values import Plain, Value, as_plain
from dtables.model.expressions import Constant
from dtables.model.tables import Allowed, Decision, Field, Ruleset
from dtables.model.walk import Reach, nodes
from dtables.verifier.axes import can_be_cut, limited
from dtables.verifier.grid import members
from dtables.verifier.kinds import KINDS
from dtables.verifier.values import Values
from dtables.verifier.wanted import wanted

DEEPEST, LONGEST = 4, 4
SMALL = (0, 1, 2, 5)
"""Numbers that are tried whatever the decision names."""


class NoValue(Exception):
    """A type of which no value is made up."""


@dataclass(frozen=True)
class Inputs:
    """Parameters, the input fields that are read and, where a record may say them, switches."""

    ruleset: Ruleset
    decision: Decision
    values: Values
    chance: Random
    _known: dict[object, tuple[Value, ...]] = field(default_factory=dict)
    _named: dict[Type, list[Value]] = field(default_factory=dict)

    def next(self) -> dict[str, Plain]:
        """Raises NoValue where a parameter is of a type of which none can be made up."""
        reach = Reach(self.ruleset)
        read = set(reach.inputs(self.decision))
        given: dict[str, Plain] = {p.name: self._value(p.type, 0) for p in self.decision.parameters}
        given |= self._fields((f for f in self.ruleset.input.state.fields if f.name in read), 0)
        return given | self._switches(reach.switches(self.decision))

    def _switches(self, names: Iterable[str]) -> dict[str, Plain]:
        found: dict[str, Plain] = {}
        for table in self.ruleset.switches:
            rules = [rule for rule in table.rules if rule.name in set(names)]
            if table.field is not None and rules:
                found[table.field] = {rule.name: self.chance.choice(rule.values.ids) for rule in rules}
        return found

    def _fields(self, fields: Iterable[Field], depth: int) -> dict[str, Plain]:
        stored = [f for f in fields if f.computed is None]
        return {f.name: self._value(f.type, depth, f.allowed) for f in stored if not self._left_out(f)}

    def _left_out(self, one: Field) -> bool:
        may = one.default is not None or may_be_null(one.type)
        return may and self.chance.random() < 0.3

    def _value(self, type_: Type, depth: int, allowed: Allowed | None = None) -> Plain:
        if may_be_null(type_) and self.chance.random() < 0.2:
            return None
        kind = plain(type_)
        match kind:
            case ListType(item=item):
                length = self.chance.randrange(LONGEST + 1) if depth < DEEPEST else 0
                return [self._value(item, depth + 1) for _ in range(length)]
            case RecordType(name=name):
                return self._record(name, depth)
            case MapType(key=key, value=value):
                return {name: self._value(value, depth + 1) for name in self.values.names(key)}
            case _:
                candidates = self._candidates(type_, allowed)
                return as_plain(self.chance.choice(candidates))

    def _record(self, name: str, depth: int) -> Plain:
        found = next((record for record in self.ruleset.records if record.name == name), None)
        if found is None or depth >= DEEPEST:
            raise NoValue
        return self._fields(found.fields, depth + 1)

    # -- simple values -------------------------------------------------------------------------

    def _candidates(self, type_: Type, allowed: Allowed | None) -> tuple[Value, ...]:
        key = (type_, None if allowed is None else allowed.subject.number)
        if key not in self._known:
            self._known[key] = tuple(self._simple(type_, allowed))
        if not self._known[key]:
            raise NoValue
        return self._known[key]

    def _simple(self, type_: Type, allowed: Allowed | None) -> Iterator[Value]:
        """One value for each atom of the type: whatever the decision tells apart comes up."""
        kind = plain(type_)
        if not can_be_cut(kind):
            raise NoValue
        limits = self.values.limits(type_)
        own = wanted(allowed.tests) if allowed is not None else None
        limits += [own] if own else []
        made, bits = limited(kind, self._constants(kind), self.values.names(kind), limits)
        return (made.atoms[n].value for n in members(bits))

    def _constants(self, kind: Type) -> Iterable[Value]:
        if not self._named:
            for node in nodes((self.decision.subjects, self.decision.rules)):
                if isinstance(node, Constant) and type(node.value) in KINDS:
                    self._named.setdefault(KINDS[type(node.value)], []).append(node.value)
        if isinstance(kind, NumberType):
            return (*SMALL, *self._named.get(types.NUMBER, ()))
        return self._named.get(kind, ())


def inputs(ruleset: Ruleset, decision: Decision, values: Values) -> Inputs:
    name = f"{ruleset.name} {decision.heading.name}"
    return Inputs(ruleset, decision, values, Random(name))
