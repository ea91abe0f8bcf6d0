"""A ruleset by its names, as the evaluator looks them up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from dtables.feel.names import NumberNames, Spellings
from dtables.model.expressions import (
    AskAnswer,
    Binding,
    ByKey,
    CallBuiltin,
    CallStep,
    CallTable,
    Conditional,
    Constant,
    Expression,
    FieldOf,
    Filter,
    For,
    InputField,
    ItemAt,
    ItemEntry,
    MakeList,
    Node,
    Ranking,
    Switch,
)
from dtables.model.index import Index as ModelIndex
from dtables.model.reach import nodes
from dtables.model.tables import Decision
from dtables.provenance import CellRef


class Index(ModelIndex):
    """What the model is asked for by name, and what closures ask besides."""

    @cached_property
    def spellings(self) -> Mapping[str, Spellings]:
        """As records may spell them."""
        exact = {rule.values.name for rule, _ in self.switches.values()}
        return {v.name: Spellings(v.written, v.exact or v.name in exact) for v in self.vocabularies.values()}

    @cached_property
    def number_names(self) -> Mapping[str, NumberNames]:
        return {r.name: NumberNames(r.number_names) for r in self.ruleset.restrictions if r.names}

    @property
    def state(self) -> str:
        return self.ruleset.input.state.name

    def takes_first(self, filter: Filter) -> bool:
        """Is only the first item needed that passes, as in `list[condition][1]`?"""
        return id(filter) in self._firsts

    def calls_for_each(self, loop: For) -> bool:
        """Are tables called for each item?"""
        return id(loop) in self._calling_loops

    @cached_property
    def items_tried(self) -> Mapping[int, tuple[Filter, CellRef]]:
        """Of loops that try the items of a turn's step, by their identity, where the step stands, and the
        loop as a filter, which keeps what works."""
        found: dict[int, tuple[Filter, CellRef]] = {}
        for turn in self.ruleset.turns:
            decision = self.tables.get(turn.heading.name)
            for step in turn.steps:
                if step.rule is None or step.attempt is None or not isinstance(decision, Decision):
                    continue
                match decision.rules[step.rule].outcomes[0].value:
                    case ItemAt(of=For(bindings=(one,), result=Conditional(otherwise=work)) as loop) if (
                        step.attempt.each is not None
                    ):
                        told = Filter(
                            one.source, one.variable, _first_outcome(work), type=loop.type, where=loop.where
                        )
                        found[id(loop)] = told, step.where
        return found

    @cached_property
    def put_together(self) -> frozenset[int]:
        """Loops over one item that put the outcomes of a turn's step together, by their identity."""
        rules = (r for t in self.tables.values() if isinstance(t, Decision) for r in t.rules if r.step)
        return frozenset(
            id(node)
            for rule in rules
            for node in nodes(rule.outcomes)
            if isinstance(node, For) and _is_of_one_item(node)
        )

    @cached_property
    def _firsts(self) -> frozenset[int]:
        return frozenset(
            id(part.of)
            for part in self._parts()
            if isinstance(part, ItemAt) and isinstance(part.index, Constant) and part.index.value == 1
        )

    @cached_property
    def _calling_loops(self) -> frozenset[int]:
        loops = (part for part in self._parts() if isinstance(part, For))
        return frozenset(id(loop) for loop in loops if has_calls(loop.result))

    def _parts(self) -> Iterator[Node]:
        computed = (field.computed for known in self.fields.values() for field in known.values())
        for holder in (*self.ruleset.tables, *self.ruleset.asks, *computed):
            yield from nodes(holder)

    def reads_worked_out(self, condition: Expression) -> bool:
        """Does it read the state or a computed field, and not only what its items hold?"""
        for part in nodes(condition):
            match part:
                case InputField():
                    return True
                case FieldOf(of=of, name=name):
                    field = self.field(self.record_of(of.type), name)
                    if field is not None and field.computed is not None:
                        return True
                case _:
                    pass
        return False

    @cached_property
    def changing_fields(self) -> frozenset[tuple[str, str]]:
        """Computed fields that may differ from turn to turn: something they reach reads the state."""
        changing: set[str] = set()
        while True:
            found = {name for name, holder in self._functions() if self._reads_state(holder, changing)}
            if found <= changing:
                break
            changing |= found
        return frozenset(
            (record, name)
            for record, known in self.fields.items()
            for name, field in known.items()
            if field.computed is not None and f".{name}" in changing
        )

    def _functions(self) -> Iterator[tuple[str, object]]:
        """Computed fields as `.name`: whose field it is, is not asked."""
        yield from self.tables.items()
        for known in self.fields.values():
            yield from ((f".{name}", field.computed) for name, field in known.items() if field.computed)

    def _reads_state(self, holder: object, changing: set[str]) -> bool:
        for part in nodes(holder):
            match part:
                case InputField() | Switch():
                    return True
                case FieldOf(name=name) | ItemEntry(name=name) if f".{name}" in changing:
                    return True
                case CallBuiltin(builtin="get value") if any(name.startswith(".") for name in changing):
                    return True
                case ByKey() if not changing.isdisjoint(self._keys):
                    return True
                case CallTable(table=name) | Ranking(scale=name) if name in changing:
                    return True
                case _:
                    pass
        return False

    @cached_property
    def _keys(self) -> frozenset[str]:
        """The fields that reading by key may reach."""
        return frozenset(f".{label.id}" for v in self.ruleset.vocabularies for label in v.names)


def has_calls(expression: Expression) -> bool:
    """Does it call tables, or steps with parameters?"""
    return any(isinstance(part, (CallTable, CallStep, Ranking, AskAnswer)) for part in nodes(expression))


def _first_outcome(work: Expression) -> Expression:
    """What is worked out for an item, with its first outcome alone where several are put together."""
    match work:
        case Conditional(condition=condition, then=then, otherwise=Constant(value=None) as otherwise):
            first = _first_outcome(then)
            same = first is then
            return (
                work if same else Conditional(condition, first, otherwise, type=first.type, where=work.where)
            )
        case ItemAt(of=For(bindings=(Binding(source=MakeList(items=(first,))),)) as loop) if _is_of_one_item(
            loop
        ):
            return first
        case _:
            return work


def _is_of_one_item(loop: For) -> bool:
    match loop:
        case For(bindings=(Binding(source=MakeList(items=(_,))),), partial=None):
            return True
        case _:
            return False
