"""What may be asked of a workbook, for people and for programs: what a record holds and may leave out, what
an answer holds, which names may stand where.

Worked out of the model once, in one language, as plain data: manuals and entry forms are made from it, and
whatever else describes a record (a schema, a form on a page) can be.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from functools import cached_property

from dtables.feel.names import Spellings
from dtables.feel.types import (
    ListType,
    MapType,
    RecordType,
    RestrictedType,
    Type,
    may_be_null,
    plain,
    without_null,
)
from dtables.feel.values import Plain
from dtables.model.constants import constant_of
from dtables.model.expressions import (
    AskAnswer,
    Conditional,
    Constant,
    EachOf,
    Expression,
    For,
    MakeContext,
    MakeList,
    MakeRange,
    MakeRecord,
    NameOf,
)
from dtables.model.index import Index
from dtables.model.reach import Reach
from dtables.model.tables import (
    AnswerField,
    Ask,
    Consistency,
    Draw,
    Field,
    Label,
    Need,
    Next,
    Place,
    Restriction,
    Ruleset,
    Vocabulary,
    WhenOpen,
)
from dtables.wording.labels import Labels, labels_of


class Needed(StrEnum):
    """Whether a record must have a field; `drawn`: what chance gave may be recorded, and need not."""

    ALWAYS = "always"
    NOT_EMPTY = "not empty"
    EVERY_NAME = "every name"
    SOMETIMES = "sometimes"
    DEFAULT = "default"
    UNKNOWN = "unknown"
    DRAWN = "drawn"


@dataclass(frozen=True, slots=True)
class Default:
    """What a field holds that a record leaves out. `text` has names without quotes, and of a record only
    what is not a default of its own."""

    value: Plain
    text: str


@dataclass(frozen=True, slots=True)
class FieldContract:
    """A field, by its path below the state or its record. `title` is what it is called, `label` only what the
    workbook says of this very field; `allowed` are the tests it must pass, as they are written."""

    path: str
    type: Type
    needed: Needed
    default: Default | None
    allowed: str
    title: str
    label: str
    help: str

    @property
    def about(self) -> str:
        """What the workbook says of this very field: its label and its help, "" for neither."""
        return ": ".join(text for text in (self.label, self.help) if text)


@dataclass(frozen=True, slots=True)
class RecordContract:
    """A record type that stands somewhere in the state; `sets_switches`: only where switches are set."""

    name: str
    sets_switches: bool
    fields: tuple[FieldContract, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """A name, or a number that has one. `typed` is how a person writes it: its label, where that means it and
    nothing else."""

    value: str | int | Decimal
    typed: str


@dataclass(frozen=True, slots=True)
class Choices:
    """The names of a vocabulary."""

    name: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class NarrowedType:
    """A type of its own: the type it narrows, and the tests, as they are written."""

    name: str
    type: Type
    allowed: str
    choices: tuple[Choice, ...]
    """Numbers that have names."""


@dataclass(frozen=True, slots=True)
class Nested:
    """An answer field that holds the answer of another ask, or a list of such answers."""

    answers: tuple[AnswerContract, ...]
    listed: int = 0
    """How many lists it stands in."""


@dataclass(frozen=True, slots=True)
class AnswerContract:
    """`null_when_open`: null as long as a draw is open; any other field then says what it may come to."""

    name: str
    of: Type | Nested
    type: Type
    title: str
    label: str
    null_when_open: bool


@dataclass(frozen=True, slots=True)
class NextContract:
    """An ask that may come next, and when."""

    ask: str
    when: str


@dataclass(frozen=True, slots=True)
class AskContract:
    """`reads` has what the ask needs first, then what else it reads, then draws that may be recorded;
    `example` is a state that the workbook gives as one."""

    name: str
    title: str
    note: str
    main: bool
    reads: tuple[FieldContract, ...]
    switches: tuple[str, ...]
    answers: tuple[AnswerContract, ...]
    next: tuple[NextContract, ...]
    example: Plain


@dataclass(frozen=True, slots=True)
class SwitchContract:
    """A switch of a `table`, which a record may set under `field`; its values must be spelled as they are."""

    name: str
    table: str
    field: str | None
    values: tuple[tuple[str, str], ...]
    """Each with what it means."""
    default: str
    about: str


@dataclass(frozen=True, slots=True)
class CheckContract:
    """A record that fails is refused at one of the places; of no asks: of all."""

    text: str
    places: tuple[str, ...]
    asks: tuple[str, ...]


@dataclass(frozen=True)
class Contract:
    """The asks that a log may ask, the main one first, and all that may stand in a state."""

    book: str
    version: str
    language: str
    asks: tuple[AskContract, ...]
    state: tuple[FieldContract, ...]
    records: tuple[RecordContract, ...]
    names: tuple[Choices, ...]
    rules: tuple[NarrowedType, ...]
    switches: tuple[SwitchContract, ...]
    checks: tuple[CheckContract, ...]
    given_by_place: frozenset[tuple[str, str]]
    """Fields of records that the place gives which a record stands in: no log may say them."""

    def record(self, name: str) -> tuple[FieldContract, ...]:
        """Return the fields of a record type, nothing for one that stands nowhere in the state."""
        return self._records.get(name, ())

    def rule(self, type_: Type) -> NarrowedType | None:
        """Return what a narrowed type allows; None for another type."""
        inner = without_null(type_)
        return self._rules.get(inner.name) if isinstance(inner, RestrictedType) else None

    def choices(self, vocabulary: str) -> tuple[Choice, ...]:
        """Return the names of a vocabulary that a log may say, nothing for another one."""
        return self._choices.get(vocabulary, ())

    @cached_property
    def _records(self) -> dict[str, tuple[FieldContract, ...]]:
        return {record.name: record.fields for record in self.records}

    @cached_property
    def _rules(self) -> dict[str, NarrowedType]:
        return {rule.name: rule for rule in self.rules}

    @cached_property
    def _choices(self) -> dict[str, tuple[Choice, ...]]:
        return {one.name: one.choices for one in self.names}


def contract_of(model: Ruleset, language: str) -> Contract:
    """Describe all that may be asked of a model, with titles and help in the language."""
    return _Reading(model, labels_of(model, language)).contract()


@dataclass(frozen=True)
class _Reading:
    model: Ruleset
    labels: Labels

    def contract(self) -> Contract:
        model = self.model
        return Contract(
            model.book,
            model.version,
            self.labels.language,
            tuple(map(self._ask, model.open_asks)),
            tuple(self._input(field) for field in model.input.state.stored),
            tuple(self._records()),
            tuple(map(self._vocabulary, model.vocabularies)),
            tuple(map(self._rule, model.restrictions)),
            tuple(self._switches()),
            tuple(self._checks()),
            frozenset((fixed.input, fixed.field) for fixed in model.input.fixed),
        )

    # -- asks ----------------------------------------------------------------------------------

    def _ask(self, ask: Ask) -> AskContract:
        say = self.labels.words
        return AskContract(
            ask.heading.name,
            say(ask.heading.title),
            say(ask.heading.note),
            ask.main,
            tuple(self._reads(ask)),
            tuple(self.reach.switches(ask)),
            tuple(self._answer(row) for row in ask.rows if isinstance(row, AnswerField)),
            tuple(NextContract(row.ask, say(row.words)) for row in ask.rows if isinstance(row, Next)),
            self._example(ask),
        )

    def _reads(self, ask: Ask) -> Iterator[FieldContract]:
        needs = {_below_state(row.place): row for row in ask.rows if isinstance(row, Need)}
        for path, need in needs.items():
            yield self._at(path, need.place, _needed(need), "")
        whole = {need.place.fields[0] for need in needs.values() if len(need.place.fields) == 1}
        state = {field.name: field for field in self.model.input.state.fields}
        read = [name for name in self.reach.inputs(ask) if name not in whole and name in state]
        yield from (self._input(state[name]) for name in read)
        known = {*needs, *read}
        for draw in self._recorded_draws(ask):
            assert draw.recorded is not None
            path = _below_state(draw.recorded)
            if path not in known:
                known.add(path)
                yield self._at(path, draw.recorded, Needed.DRAWN, self.labels.words(draw.words))

    def _recorded_draws(self, ask: Ask) -> Iterator[Draw]:
        """Those of asks that are answered within it too."""
        inside = {node.ask for node in self.reach.parts(ask) if isinstance(node, AskAnswer)}
        for one in (ask, *(other for other in self.model.asks if other.heading.name in inside)):
            yield from (row for row in one.rows if isinstance(row, Draw) and row.recorded is not None)

    def _at(self, path: str, place: Place, needed: Needed, label: str) -> FieldContract:
        """What an ask says of a place in the state."""
        field = self._field_at(place.fields)
        if field is None:
            raise LookupError(f"no field stands at {place}")
        text = self.labels.words
        own = label if needed is Needed.DRAWN else text(field.words)
        title = own or text(field.words) or self.labels.term(field.name)
        help_ = "" if needed is Needed.DRAWN else text(field.help)
        return FieldContract(path, field.type, needed, None, "", title, own, help_)

    def _field_at(self, path: tuple[str, ...]) -> Field | None:
        fields = self.model.input.state.fields
        found: Field | None = None
        for name in path:
            found = next((field for field in fields if field.name == name), None)
            if found is None:
                return None
            fields = self._fields_of(found.type)
        return found

    def _fields_of(self, type_: Type) -> tuple[Field, ...]:
        match plain(type_):
            case ListType(item=item) | MapType(value=item):
                return self._fields_of(item)
            case RecordType(name=name):
                return next((record.fields for record in self.model.records if record.name == name), ())
            case _:
                return ()

    def _answer(self, row: AnswerField) -> AnswerContract:
        label = self.labels.words(row.words)
        of = self._nested(row.value) or without_null(row.value.type)
        title = label or row.name
        null_when_open = row.when_open is WhenOpen.NULL
        return AnswerContract(row.name, of, row.value.type, title, label, null_when_open)

    def _nested(self, value: Expression) -> Nested | None:
        """None where no other ask is answered."""
        match value:
            case AskAnswer(ask=name):
                asked = (ask for ask in self.model.asks if ask.heading.name == name)
                rows = (row for ask in asked for row in ask.rows if isinstance(row, AnswerField))
                return Nested(tuple(map(self._answer, rows)))
            case For(result=result):
                item = self._nested(result)
                return None if item is None else Nested(item.answers, item.listed + 1)
            case Conditional(then=then, otherwise=otherwise):
                return self._nested(otherwise if isinstance(then, Constant) else then)
            case _:
                return None

    def _example(self, ask: Ask) -> Plain:
        """The first that is not there to be refused."""
        tables = (table for table in self.model.examples if table.ask == ask.heading.name)
        given = (row.given for table in tables for row in table.rows if row.rejected is None)
        return next(given, None)

    @cached_property
    def reach(self) -> Reach:
        return Reach(Index(self.model))

    # -- the state and its parts ---------------------------------------------------------------

    def _input(self, field: Field) -> FieldContract:
        """What its place gives a record is no part of its default: no log may say it."""
        described = self._field(field, self.labels.input(field.name))
        if described.default is None or not isinstance(described.default.value, dict):
            return described
        given = {fixed.field for fixed in self.model.input.fixed if fixed.input == field.name}
        value = {name: part for name, part in described.default.value.items() if name not in given}
        return replace(described, default=Default(value, described.default.text))

    def _field(self, field: Field, title: str) -> FieldContract:
        default = None if field.default is None else self._default(field.default)
        needed = Needed.UNKNOWN if may_be_null(field.type) else Needed.ALWAYS
        say = self.labels.words
        return FieldContract(
            field.name,
            field.type,
            needed if default is None else Needed.DEFAULT,
            default,
            field.allowed.written if field.allowed else "",
            title,
            say(field.words),
            say(field.help),
        )

    def _records(self) -> Iterator[RecordContract]:
        fields = self.model.input.state.fields
        switches = {table.field for table in self.model.switches}
        every = self._reached(field.type for field in fields)
        others = self._reached(field.type for field in fields if field.name not in switches)
        for record in (record for record in self.model.records if record.name in every):
            described = (self._field(one, self.labels.field(record.name, one.name)) for one in record.stored)
            yield RecordContract(record.name, record.name not in others, tuple(described))

    def _reached(self, types: Iterable[Type]) -> set[str]:
        """Record types that stand somewhere in values of these types."""
        by_name = {record.name: record for record in self.model.records}
        seen: set[str] = set()
        waiting = list(types)
        while waiting:
            match without_null(waiting.pop()):
                case ListType(item=item) | MapType(value=item):
                    waiting.append(item)
                case RecordType(name=name) if name in by_name and name not in seen:
                    seen.add(name)
                    waiting += [field.type for field in by_name[name].stored]
        return seen

    # -- defaults ------------------------------------------------------------------------------

    def _default(self, value: Expression) -> Default:
        return Default(self._plain(value), self._literal(value))

    def _plain(self, value: Expression) -> Plain:
        """As a record would give it."""
        match value:
            case NameOf(id=id):
                return id
            case MakeList(items=items):
                return [self._plain(item) for item in items]
            case MakeContext(entries=entries):
                return {entry.name: self._plain(entry.value) for entry in entries}
            case MakeRecord(fields=fields):
                return {name: self._plain(field) for name, field in fields}
            case EachOf(vocabulary=name):
                return list(self._ids(name))
            case MakeRange():
                return self._literal(value)
            case _:
                return constant_of(value)

    def _literal(self, value: Expression) -> str:
        match value:
            case NameOf(id=id):
                return id
            case MakeList(items=items):
                return f"[{', '.join(map(self._literal, items))}]"
            case MakeContext(entries=entries):
                return _entries((entry.name, self._literal(entry.value)) for entry in entries)
            case MakeRecord(record=name, fields=fields):
                record = next(one for one in self.model.records if one.name == name)
                own = {field.name: field.default for field in record.fields}
                literals = ((field, self._literal(one), own[field]) for field, one in fields)
                return _entries((f, text) for f, text, usual in literals if text != self._usual(usual))
            case EachOf(vocabulary=name):
                return f"[{', '.join(self._ids(name))}]"
            case MakeRange(low=low, high=high, low_included=from_low, high_included=to_high):
                ends = "..".join("" if end is None else self._literal(end) for end in (low, high))
                return ("[" if from_low else "(") + ends + ("]" if to_high else ")")
            case _:
                known = constant_of(value)
                return str(known) if isinstance(known, Decimal) else json.dumps(known, ensure_ascii=False)

    def _usual(self, default: Expression | None) -> str:
        return "null" if default is None else self._literal(default)

    def _ids(self, vocabulary: str) -> tuple[str, ...]:
        return next(one.ids for one in self.model.vocabularies if one.name == vocabulary)

    # -- names, switches, checks ---------------------------------------------------------------

    def _vocabulary(self, vocabulary: Vocabulary) -> Choices:
        spellings = Spellings(vocabulary.written, vocabulary.exact)
        typed = ((label.id, self._typed(label)) for label in vocabulary.names)
        choices = (Choice(id, text if spellings.matches(text) == (id,) else id) for id, text in typed)
        return Choices(vocabulary.name, tuple(choices))

    def _typed(self, label: Label) -> str:
        return self.labels.words(label.words, label.id)

    def _rule(self, rule: Restriction) -> NarrowedType:
        numbers = tuple(Choice(number, self._typed(label)) for number, label in rule.names)
        return NarrowedType(rule.name, rule.type, rule.written, numbers)

    def _switches(self) -> Iterator[SwitchContract]:
        say = self.labels.words
        for table in self.model.switches:
            for switch in table.rules:
                values = tuple((label.id, say(label.words)) for label in switch.values.names)
                about = say(switch.words)
                yield SwitchContract(
                    switch.name, table.heading.name, table.field, values, switch.default, about
                )

    def _checks(self) -> Iterator[CheckContract]:
        for row in (row for table in self.model.checks for row in table.rows):
            places = row.each if isinstance(row, Consistency) else row.places
            yield CheckContract(self.labels.words(row.words), tuple(map(str, places)), row.asks)


def _needed(need: Need) -> Needed:
    if need.when is not None:
        return Needed.SOMETIMES
    if need.names is not None:
        return Needed.EVERY_NAME
    return Needed.NOT_EMPTY if need.some else Needed.ALWAYS


def _below_state(place: Place) -> str:
    return str(place).removeprefix("state.")


def _entries(entries: Iterable[tuple[str, str]]) -> str:
    return "{" + ", ".join(f"{name}: {text}" for name, text in entries) + "}"
