"""Random valid records: those of examples and a log, varied field by field, mended where they are refused."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, Protocol

from dtables.answers.examples import same
from dtables.digits import whole_in
from dtables.feel.syntax.printer import print_number, print_text
from dtables.feel.types import ListType, NumberType, RecordType, Type, VocabularyType, may_be_null, plain
from dtables.feel.values import Plain
from dtables.merging import Reply
from dtables.model.expressions import AskAnswer, CallTable, Node, Ranking
from dtables.model.index import Index
from dtables.model.reach import Reach, nodes
from dtables.model.tables import Ask, Checks, Criterion, Draw, Parameter, Ruleset, Scale, Table, table_name
from dtables.mutation.values import ValueMaker
from dtables.provenance import CellRef
from dtables.records.findings import Finding, RecordError, RuleError, quoted

REPAIRS = 6
MOST_CHANGES = 3
ELSEWHERE = 0.1
"""How many changes are to fields that the question does not read."""
_STEP = re.compile(r"([^.\[\]]+)|\[([0-9]+)\]")
_OPTIONS = "one of "

State = dict[str, Plain]
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """An ask with a state, or a table with what it is given."""

    ask: str | None
    table: str | None
    given: State

    @property
    def name(self) -> str:
        return self.ask or self.table or ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What rules say to a question: a value, and the asks that come next; or the path at which they refuse
    it, or that they fail."""

    value: Any = None
    refused: str | None = None
    fails: str | None = None
    next: tuple[str, ...] = ()

    def is_as(self, other: Verdict) -> bool:
        if self.refused is not None or other.refused is not None:
            return self.refused == other.refused
        if self.fails is not None or other.fails is not None:
            return (self.fails is None) == (other.fails is None)
        return self.next == other.next and same(self.value, other.value)

    def __str__(self) -> str:
        if self.refused is not None:
            return f"rejected at {self.refused}"
        return f"the rules fail: {self.fails}" if self.fails is not None else quoted(self.value)

    def differences_from(self, other: Verdict) -> str:
        """What it says otherwise than another: of an answer the fields that differ."""
        if not isinstance(self.value, dict) or not isinstance(other.value, dict):
            return str(self)
        names = dict.fromkeys((*self.value, *other.value))
        apart = [name for name in names if not same(self.value.get(name), other.value.get(name))]
        entries = [f"{name}: {quoted(self.value.get(name))}" for name in apart]
        return ", ".join(
            [*entries, *([f"next: {quoted(list(self.next))}"] if self.next != other.next else [])]
        )


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A question with what the unchanged rules say to it, and the cells of the rows that decided."""

    question: Question
    outcome: Verdict
    cells: frozenset[CellRef] = frozenset()


class RunningRules(Protocol):
    """Rules that run."""

    def reply(self, ask: str | None, state: object) -> Reply: ...

    def call(self, table: str, given: dict[str, object]) -> Any: ...


def outcome_of(rules: RunningRules, question: Question) -> Verdict:
    return try_question(rules, question)[0]


def try_question(rules: RunningRules, question: Question) -> tuple[Verdict, tuple[Finding, ...]]:
    """The outcome, and everything that was found wrong with a question that is refused."""
    try:
        if question.ask is not None:
            reply = rules.reply(question.ask, question.given)
            return Verdict(reply.answer, next=reply.next), ()
        return Verdict(rules.call(question.table or "", dict(question.given))), ()
    except RecordError as error:
        return Verdict(refused=error.path), error.findings
    except RuleError as error:
        return Verdict(fails=error.message), ()
    except RecursionError:
        return Verdict(fails="they call one another without end"), ()


@dataclass(frozen=True)
class Query:
    """What is asked: an ask, or a table that no ask reaches. `reads` are the input fields on the way."""

    name: str
    table: Table | None
    reads: tuple[str, ...]

    def question(self, given: State) -> Question:
        return Question(None, self.name, given) if self.table else Question(self.name, None, given)

    @property
    def parameters(self) -> dict[str, Parameter]:
        return {p.name: p for p in self.table.parameters} if self.table else {}


def subjects_of(ruleset: Ruleset) -> tuple[Query, ...]:
    """The open asks, and the tables that are reached from none of them: so every rule can be asked for."""
    reach = Reach(Index(ruleset))
    tables = {table_name(table): table for table in ruleset.tables}
    used = _used((*ruleset.open_asks, *ruleset.checks), reach, tables)
    for table in tables.values():
        used |= _used((table,), reach, tables) - {table_name(table)}
    asks = [Query(ask.heading.name, None, _reads(ruleset, reach, ask)) for ask in ruleset.open_asks]
    roots = [Query(name, t, _reads(ruleset, reach, t)) for name, t in tables.items() if name not in used]
    return (*asks, *roots)


def _used(definitions: Iterable[Ask | Checks | Table], reach: Reach, tables: Mapping[str, Table]) -> set[str]:
    """The tables that are called, ranked by, or gone through inside another scale."""
    used: set[str] = set()
    waiting: list[Ask | Checks | Table] = list(definitions)
    while waiting:
        definition = waiting.pop()
        parts = nodes(definition) if isinstance(definition, Checks) else reach.parts(definition)
        called = {name for part in parts if (name := _called(part)) is not None}
        called |= set(_embedded(definition.criteria)) if isinstance(definition, Scale) else set()
        waiting.extend(tables[name] for name in called - used if name in tables)
        used |= called
    return used


def _called(node: Node) -> str | None:
    match node:
        case CallTable(table=name) | Ranking(scale=name):
            return name
        case _:
            return None


def _embedded(criteria: Iterable[Criterion]) -> Iterator[str]:
    for criterion in criteria:
        if criterion.embedded is not None:
            yield criterion.embedded.scale
            yield from _embedded(criterion.embedded.criteria)


def _reads(ruleset: Ruleset, reach: Reach, definition: Ask | Table) -> tuple[str, ...]:
    """Also the fields that override the switches on the way, and those that say what was drawn."""
    switches = set(reach.switches(definition))
    fields = [s.field for s in ruleset.switches if s.field and any(r.name in switches for r in s.rules)]
    asks = {ask.heading.name: ask for ask in ruleset.asks}
    inside = (asks[part.ask] for part in reach.parts(definition) if isinstance(part, AskAnswer))
    drawing = (definition, *inside) if isinstance(definition, Ask) else ()
    drawn = [row.recorded.fields[0] for ask in drawing for row in ask.rows
             if isinstance(row, Draw) and row.recorded is not None]  # fmt: skip
    return tuple(dict.fromkeys((*reach.inputs(definition), *fields, *drawn)))


# -- a record and others like it -----------------------------------------------------------------


@dataclass(frozen=True)
class RecordMaker:
    """Makes records for one ruleset, answered by it."""

    ruleset: Ruleset
    rules: RunningRules
    random: Random

    @cached_property
    def values(self) -> ValueMaker:
        return ValueMaker(self.ruleset, self.random)

    @cached_property
    def subjects(self) -> dict[str, Query]:
        return {subject.name: subject for subject in subjects_of(self.ruleset)}

    @cached_property
    def _inputs(self) -> dict[str, Type]:
        return dict(self.values.fields(RecordType(self.ruleset.input.state.name)))

    def fresh(self, subject: Query) -> Question:
        """A record made of nothing but types."""
        state = {name: self._new(name) for name in subject.reads if self.random.random() < 0.7}
        given = {name: self.values.value(p.type) for name, p in subject.parameters.items()}
        filled = {**state, **given}
        return subject.question({name: value for name, value in filled.items() if value is not None})

    def varied(self, question: Question, others: Sequence[Question] = ()) -> Question:
        """A record like this one, of which one place or a few are others."""
        subject = self.subjects[question.name]
        state = deepcopy(question.given)
        for _ in range(self.random.choice((1, 1, 1, 2, MOST_CHANGES))):
            names = [name for name in subject.reads if name in self._inputs] + list(subject.parameters)
            if not names or self.random.random() < ELSEWHERE:
                names = [*subject.parameters, *(name for name in self._inputs if name in state)]
            if names:
                self._vary(state, self.random.choice(names), subject, others)
        return subject.question(state)

    def towards(self, question: Question) -> Question:
        """The same record with favoured names where names stand, as it is answered."""
        subject = self.subjects[question.name]
        state = deepcopy(question.given)
        for name in (*subject.reads, *subject.parameters):
            kind = plain(self._type(name, subject)) if name in self._inputs or subject.table else None
            item = plain(kind.item) if isinstance(kind, ListType) else kind
            if not isinstance(item, VocabularyType) or self.random.random() < 0.2:
                continue
            favoured = [one for one in self.values.ids(item.name) if one in self.values.favoured]
            if favoured and isinstance(kind, ListType):
                state[name] = [*(state.get(name) or ()), self.random.choice(favoured)]
            elif favoured:
                state[name] = self.random.choice(favoured)
        return self.settled(subject.question(state))[0]

    def settled(self, question: Question) -> tuple[Question, Verdict]:
        """The record as it is answered: what is refused in it is mended, again and again."""
        for _ in range(REPAIRS):
            outcome, findings = try_question(self.rules, question)
            if not findings:
                return question, outcome
            repaired = self._repaired(question, findings[0])
            if repaired is None:
                break
            question = repaired
        return question, outcome_of(self.rules, question)

    # -- changing ------------------------------------------------------------------------------

    def _type(self, name: str, subject: Query) -> Type:
        parameter = subject.parameters.get(name)
        return self._inputs[name] if parameter is None else parameter.type

    def _new(self, name: str) -> Plain:
        return self.values.value(self._inputs[name], 0, f"{self.ruleset.input.state.name}.{name}")

    def _vary(self, state: State, name: str, subject: Query, others: Sequence[Question]) -> None:
        type_ = self._type(name, subject)
        given = [other.given[name] for other in others if other.given.get(name) is not None]
        if given and self.random.random() < 0.25:
            state[name] = deepcopy(self.random.choice(given))
            return
        value = state.get(name)
        if value is None:
            changed = self._new(name) if name in self._inputs else self.values.value(type_)
        else:
            changed = self._other(value, type_, f"{self.ruleset.input.state.name}.{name}", name)
        if changed is None:
            state.pop(name, None)
        else:
            state[name] = changed

    def _other(self, value: Plain, type_: Type, place: str, top: str = "") -> Plain:
        """A value like this one: something inside it is another."""
        random = self.random
        if random.random() < 0.08:
            return None if random.random() < 0.4 else self.values.value(type_, 1, place)
        if isinstance(value, list) and isinstance(listed := plain(type_), ListType):
            return self._other_list(value, listed.item)
        fields = self.values.fields(type_, self.values.fixed.get(top, ()))
        if isinstance(value, dict) and fields:
            name = random.choice([*fields, *(n for n in fields if value.get(n) is not None)])
            inner = f"{_owner(type_)}.{name}"
            known = value.get(name)
            changed = self.values.value(fields[name], 1, inner) if known is None else self._other(
                known, fields[name], inner)  # fmt: skip
            rest = {key: one for key, one in value.items() if key != name}
            return rest if changed is None else {**value, name: changed}
        if isinstance(value, int) and not isinstance(value, bool) and random.random() < 0.5:
            return value + random.choice((-1, 1))
        return self.values.value(type_, 1, place)

    def _other_list(self, value: list[Plain], item: Type) -> Plain:
        random, items = self.random, list(value)
        at = random.randrange(len(items)) if items else 0
        match random.randrange(6) if items else 0:
            case 0 | 1:
                items.insert(at, self.values.value(item, 1))
            case 2:
                del items[at]
            case 3 if len(items) > 1:
                other = random.randrange(len(items))
                items[at], items[other] = items[other], items[at]
            case 4:
                items[at] = self.values.value(item, 1)
            case _:
                items[at] = self._other(items[at], item, "")
        return [one for one in items if one is not None or may_be_null(item)]

    # -- mending -------------------------------------------------------------------------------

    def _repaired(self, question: Question, finding: Finding) -> Question | None:
        """Another value where one was refused; none where the path leads nowhere."""
        path = _steps(finding.path)
        if question.ask is not None:
            path = path[1:]
        if not path:
            return None
        subject = self.subjects[question.name]
        name = path[0]
        if name not in self._inputs and name not in subject.parameters:
            given = {key: value for key, value in question.given.items() if key != name}
            return subject.question(given) if name in question.given else None
        state = deepcopy(question.given)
        owner = f"{self.ruleset.input.state.name}.{name}"
        mended = self._mended(state.get(str(name)), self._type(str(name), subject), path[1:], finding, owner)
        state.pop(str(name), None)
        return subject.question(state if mended is None else {**state, str(name): mended})

    def _mended(self, value: Plain, type_: Type, path: Path, finding: Finding, place: str) -> Plain:
        kind = plain(type_)
        if path and isinstance(value, list) and isinstance(path[0], int) and isinstance(kind, ListType):
            at = path[0]
            if at >= len(value):
                return value
            inner = self._mended(value[at], kind.item, path[1:], finding, "")
            found = [inner] if inner is not None or may_be_null(kind.item) else []
            return [*value[:at], *found, *value[at + 1 :]]
        fields = self.values.fields(type_)
        if path and isinstance(value, dict):
            rest = {key: one for key, one in value.items() if key != path[0]}
            name = str(path[0])
            if name not in fields:
                return rest
            inner = self._mended(value.get(name), fields[name], path[1:], finding, f"{_owner(type_)}.{name}")
            return rest if inner is None else {**value, name: inner}
        return self._instead(value, type_, finding, place)

    def _instead(self, value: Plain, type_: Type, finding: Finding, place: str) -> Plain:
        """One of the options that the finding tells, or another, or none."""
        random, kind = self.random, plain(type_)
        if finding.wanted.startswith(_OPTIONS) and isinstance(kind, VocabularyType | NumberType):
            offered = finding.wanted.removeprefix(_OPTIONS).split(", ")
            options = [_as_value(text, kind) for text in offered]
            known = [o for o in options if o is not None]
            if known:
                return random.choice(known)
        if value is not None and random.random() < 0.3:
            return None
        if value is not None and random.random() < 0.4:
            return self._other(value, type_, place)
        another = self.values.value(type_, 1, place)
        return self.values.value(type_, 1, place) if another is None else another


def _owner(type_: Type) -> str:
    kind = plain(type_)
    return kind.name if isinstance(kind, RecordType) else ""


def _as_value(text: str, kind: VocabularyType | NumberType) -> Plain:
    if isinstance(kind, VocabularyType):
        return text
    number = whole_in(text.removeprefix("-"))
    return number if number is None or not text.startswith("-") else -number


def _steps(path: str) -> Path:
    """`state.cards[2].kind` as its keys and positions."""
    return tuple(name or int(position) for name, position in _STEP.findall(path))


# -- as they are typed ------------------------------------------------------------------------------
# Plain values as they are typed into a cell of an example.

_PLAIN_KEY = re.compile(r"[^\W\d]\w*(?: \w+)*")


@dataclass(frozen=True, slots=True)
class Typing:
    """Knows which names and fields there are."""

    values: ValueMaker

    def cell(self, value: Plain, type_: Type | None) -> str:
        """What stands in the cell: a list needs no brackets there."""
        kind = None if type_ is None else plain(type_)
        bare = isinstance(kind, ListType) and isinstance(value, list) and value
        if not bare or not isinstance(kind, ListType) or (len(value) == 1 and isinstance(value[0], list)):
            return self.written(value, type_)
        return ", ".join(self.written(one, kind.item) for one in value)

    def written(self, value: Plain, type_: Type | None) -> str:
        """The same inside an expression."""
        kind = None if type_ is None else plain(type_)
        match value:
            case None:
                return "null"
            case bool():
                return "yes" if value else "no"
            case str():
                return value if self._names(value, kind) else print_text(value)
            case list():
                item = kind.item if isinstance(kind, ListType) else None
                return f"[{', '.join(self.written(one, item) for one in value)}]"
            case dict():
                return f"{{{', '.join(self._entries(value, type_))}}}"
            case _:
                return print_number(value)

    def _entries(self, value: dict[str, Plain], type_: Type | None) -> list[str]:
        fields = self.values.fields(type_) if type_ is not None else {}
        return [f"{_key(key)}: {self.written(one, fields.get(key))}" for key, one in value.items()]

    def _names(self, text: str, kind: Type | None) -> bool:
        """A name stands by itself; texts and dates stand in quotes."""
        return isinstance(kind, VocabularyType) or (kind is None and self.values.is_name(text))


def _key(name: str) -> str:
    return name if _PLAIN_KEY.fullmatch(name) else print_text(name)
