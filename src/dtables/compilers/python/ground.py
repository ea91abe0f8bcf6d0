"""What the compiler knows of a ruleset before it writes a line: what each name is called in Python,
and what depends on the turn.

A table or computed field that reaches the input takes the turn as its first argument. A record that
is made while a turn is answered keeps its turn, so its computed fields are plain attributes; a
constant of the workbook outlives turns, so those of its computed fields that need one are functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from dtables.compilers.python.identifiers import KEYWORDS, Identifiers, class_case, constant_case, lower_snake
from dtables.compilers.python.lowered import Lowered
from dtables.feel.types import (
    AnyType,
    ContextType,
    ListType,
    MapType,
    RecordType,
    Type,
    UnknownType,
    VocabularyType,
    may_be_null,
    plain,
)
from dtables.model.expressions import Variable
from dtables.model.index import Index
from dtables.model.reach import workings
from dtables.model.tables import (
    Field,
    Record,
    Restriction,
    Ruleset,
    Scale,
    SwitchRule,
    Table,
    Vocabulary,
)
from dtables.program import nodes as p
from dtables.program.lowering import Program
from dtables.program.nodes import nodes
from dtables.runtime.records import KeyedRow, Turn

ATTRIBUTES_TAKEN = frozenset(dir(Turn)).union(dir(KeyedRow), ("turn", "self"))


@dataclass(frozen=True)
class Dispatch:
    """How a decision's answer is looked up, by dicts of the columns `keys`: `lines` are made of the path into
    them, and of what makes an answer's code a plain value. `names` are the Python names of the values that
    the columns test, `handed` those that the lines read. `sure` are columns in which the look-up finds out
    itself whether the value is a name that is known, `bounded` those in which it finds out whether a whole
    number lies within its type. `given` are the functions that take a column's value as it is given."""

    keys: tuple[int, ...]
    lines: Callable[[str, Callable[[str], str]], list[str]]
    names: tuple[str, ...]
    handed: tuple[str, ...]
    sure: tuple[int, ...]
    bounded: tuple[int, ...]
    given: Mapping[int, str]


@dataclass(frozen=True)
class Spread:
    """A table by the names that `name` may be, an attribute of the record `holder`, or of the turn."""

    attribute: str
    name: Variable
    holder: Variable | None
    record: str


@dataclass
class Ground:
    """Filled once by `survey`, only read afterwards."""

    ruleset: Ruleset
    names: Identifiers = field(default_factory=Identifiers)
    vocabularies: Mapping[str, Vocabulary] = field(default_factory=dict)
    records: Mapping[str, Record] = field(default_factory=dict)
    restrictions: Mapping[str, Restriction] = field(default_factory=dict)
    tables: Mapping[str, Table] = field(default_factory=dict)
    switches: dict[str, SwitchRule] = field(default_factory=dict)
    overridable: set[str] = field(default_factory=set)
    exact: set[str] = field(default_factory=set)
    functions: dict[str, str] = field(default_factory=dict)
    equals: dict[str, str] = field(default_factory=dict)
    rankings: dict[str, str] = field(default_factory=dict)
    ranked: set[str] = field(default_factory=set)
    called: set[str] = field(default_factory=set)
    entries: dict[str, str] = field(default_factory=dict)
    ask_names: dict[str, str] = field(default_factory=dict)
    classes: dict[str, str] = field(default_factory=dict)
    row_classes: dict[str, str] = field(default_factory=dict)
    readers: dict[str, str] = field(default_factory=dict)
    completers: dict[str, str] = field(default_factory=dict)
    allowed: dict[str | tuple[str, str], str] = field(default_factory=dict)
    constants: dict[str, str] = field(default_factory=dict)
    eachs: dict[str, str] = field(default_factory=dict)
    data: dict[str, str] = field(default_factory=dict)
    attributes: dict[str, dict[str, str]] = field(default_factory=dict)
    optional_attributes: dict[str, str] = field(default_factory=dict)
    computed: dict[tuple[str, str], str] = field(default_factory=dict)
    switch_attributes: dict[str, str] = field(default_factory=dict)
    turn_attributes: dict[str, str] = field(default_factory=dict)
    own_names: dict[str, Identifiers] = field(default_factory=dict)
    fixed_records: set[str] = field(default_factory=set)
    built_records: set[str] = field(default_factory=set)
    check_tables: list[str] = field(default_factory=list)
    brief: set[tuple[str, str]] = field(default_factory=set)
    kept: set[str] = field(default_factory=set)
    spread: dict[str, Spread] = field(default_factory=dict)
    spread_steps: dict[int, Spread] = field(default_factory=dict)
    failing: set[str | tuple[str, str]] = field(default_factory=set)
    failing_steps: set[int] = field(default_factory=set)
    matrices: dict[str, str] = field(default_factory=dict)
    dispatches: dict[str, Dispatch] = field(default_factory=dict)
    turned: set[str | tuple[str, str]] = field(default_factory=set)

    @cached_property
    def lowered(self) -> Lowered:
        return Lowered(Program(self.ruleset))

    @cached_property
    def asks(self) -> tuple[p.Ask, ...]:
        return tuple(map(self.lowered.ask, self.ruleset.asks))

    @cached_property
    def checks(self) -> tuple[p.Checks, ...]:
        return tuple(map(self.lowered.checks, self.ruleset.checks))

    def record_of(self, type_: Type) -> Record | None:
        """The record whose fields a value of the type has, if one is known."""
        match plain(type_):
            case RecordType(name=name):
                return self.records.get(name)
            case VocabularyType(root=root):
                name_of = self.vocabularies[root].record if root in self.vocabularies else None
                return self.records[name_of] if name_of is not None else None
            case _:
                return None

    def record_of_root(self, root: str) -> Record | None:
        name = self.vocabularies[root].record
        return None if name is None else self.records[name]

    def keyed(self, root: str) -> bool:
        """Are the vocabulary's values rows?"""
        return root in self.vocabularies and self.vocabularies[root].record is not None

    def field_of(self, record: Record, name: str) -> Field:
        return next(f for f in record.fields if f.name == name)

    def needs_turn(self, holder: object) -> bool:
        return any(self.node_needs_turn(node) for node in self.lowered.nodes(holder))

    @cached_property
    def working(self) -> tuple[p.Node, ...]:
        """All nodes of tables, asks, checks and records that call or read something."""
        rest = (self.ruleset.asks, self.ruleset.checks, self.ruleset.records)
        return (*chain.from_iterable(self.working_in.values()), *self._working(rest))

    @cached_property
    def working_in(self) -> dict[str, tuple[p.Node, ...]]:
        """The same of each table. Large ones are hardly more than constants, and gone through many times."""
        return {name: tuple(self._working(table)) for name, table in self.tables.items()}

    def _working(self, holder: object) -> Iterator[p.Node]:
        for expression in workings(holder):
            lowered = nodes(self.lowered.value(expression))
            yield from (node for node in lowered if not isinstance(node, (p.Constant, p.Name)))

    def keeps_turn(self, record: str) -> bool:
        """Do instances carry their turn?"""
        return record not in self.fixed_records and any(
            (record, f.name) in self.turned for f in self.records[record].fields
        )

    def type_keeps_turn(self, type_: Type) -> bool:
        """Does a value of the type hold a record, however deep, that carries its turn?"""
        waiting, met = list(records_in(type_)), set()
        while waiting:
            record = waiting.pop()
            if record not in met:
                met.add(record)
                waiting += [r for f in self.records[record].fields for r in records_in(f.type)]
        return any(self.keeps_turn(record) for record in met)

    def by_turn(self, record: str, name: str) -> bool:
        """Is the field read through a function of the turn?"""
        return record in self.fixed_records and (record, name) in self.turned

    def memoised(self, table: str) -> bool:
        """A table of the turn alone is worked out once per turn."""
        return table in self.turn_attributes

    def node_needs_turn(self, node: p.Node) -> bool:
        match node:
            case p.Input() | p.AskAnswer() | p.ItemEntry() | p.Select():
                return True
            case p.Switch(name=name):
                return name in self.overridable
            case p.Call(table=name) | p.Rank(scale=name):
                return name in self.turned
            case p.MakeRecord(record=name):
                return self.keeps_turn(name)
            case p.Computed(record=record, field=field):
                return self.by_turn(record, field.name)
            case p.Property(of=of):
                return isinstance(plain(of.type), (AnyType, UnknownType, ListType))
            case p.Entry(of=of, key=key):
                return self._by_key_needs_turn(of.type, key.type)
            case p.Builtin(name="get value"):
                return self.has_fields_by_turn()
            case _:
                return False

    def has_fields_by_turn(self) -> bool:
        """Whether a field by name may be one of a row of data that is worked out from the turn."""
        return any(isinstance(one, tuple) and one[0] in self.fixed_records for one in self.turned)

    def _by_key_needs_turn(self, of: Type, key: Type) -> bool:
        """Fields whose names are known only when they are read may need it."""
        if may_be_null(of) or may_be_null(key) or not isinstance(plain(key), VocabularyType):
            return True
        record = self.record_of(of)
        return record is not None and any(self.by_turn(record.name, f.name) for f in record.fields)


def survey(ruleset: Ruleset) -> Ground:
    index = Index(ruleset)
    ground = Ground(ruleset)
    ground.vocabularies = index.vocabularies
    ground.records = index.records
    ground.restrictions = index.restrictions
    ground.tables = index.tables
    for name, (rule, field_name) in index.switches.items():
        ground.switches[name] = rule
        ground.exact.add(rule.values.name)
        if field_name is not None:
            ground.overridable.add(name)
    for node in (*ground.working, *ground.lowered.nodes(ruleset.input)):
        match node:
            case p.Call(table=name):
                ground.called.add(name)
            case p.Rank(scale=name):
                ground.ranked.add(name)
            case _:
                pass
    ground.fixed_records = _fixed_records(ground)
    ground.built_records = _read_or_built(ground)
    _find_turned(ground)
    _name_everything(ground)
    return ground


def _fixed_records(ground: Ground) -> set[str]:
    """Records that stand in the workbook itself: rows of data, and what lies in them."""
    waiting = [v.record for v in ground.vocabularies.values() if v.record is not None]
    waiting += [d.record for d in ground.ruleset.data]
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [r for f in ground.records[name].fields for r in records_in(f.type)]
    return found


def _read_or_built(ground: Ground) -> set[str]:
    """Records that are read or built, besides the rows of keyed data."""
    ruleset = ground.ruleset
    found = {data.record for data in ruleset.data}
    everything = (*ground.working, *ground.lowered.nodes(ruleset.input))
    found |= {node.record for node in everything if isinstance(node, p.MakeRecord)}
    found |= {
        record
        for holder in (*ruleset.tables, *ruleset.asks)
        for parameter in holder.parameters
        for record in records_in(parameter.type)
    }
    found |= {r for record in ground.records.values() for f in record.fields for r in records_in(f.type)}
    return found


def records_in(type_: Type) -> Iterator[str]:
    match plain(type_):
        case RecordType(name=name):
            yield name
        case ListType(item=inner) | MapType(value=inner):
            yield from records_in(inner)
        case ContextType(fields=fields):
            for _, inner in fields:
                yield from records_in(inner)
        case _:
            return


def _find_turned(ground: Ground) -> None:
    """Until nothing more is found: what reaches the input, through tables and computed fields."""
    found = -1
    while found != len(ground.turned):
        found = len(ground.turned)
        for name, working in ground.working_in.items():
            if any(map(ground.node_needs_turn, working)):
                ground.turned.add(name)
        for record in ground.records.values():
            for f in record.fields:
                if f.computed is not None and ground.needs_turn(f.computed):
                    ground.turned.add((record.name, f.name))


def _name_everything(ground: Ground) -> None:
    for name in ground.vocabularies:
        ground.constants[name] = ground.names.new(constant_case(name))
        ground.eachs[name] = ground.names.new(f"EACH_{constant_case(name)}")
        if ground.vocabularies[name].root == name and ground.keyed(name):
            ground.row_classes[name] = ground.names.new(f"{class_case(name)}Row")
    for name in ground.restrictions:
        ground.allowed[name] = ground.names.new(f"as_{lower_snake(name)}")
    for data in ground.ruleset.data:
        ground.data[data.heading.name] = ground.names.new(constant_case(data.heading.name))
    for name, record in ground.records.items():
        _name_record(ground, name, record)
    for name in ground.tables:
        ground.functions[name] = ground.names.new(lower_snake(name))
        if isinstance(ground.tables[name], Scale):
            ground.equals[name] = ground.names.new(f"{ground.functions[name]}_equals")
            ground.rankings[name] = ground.names.new(f"{ground.functions[name]}_ranking")
    for ask in ground.ruleset.asks:
        name = ask.heading.name
        ground.ask_names[name] = ground.names.new(f"{lower_snake(name)}_ask")
    _name_turn(ground)


def _name_record(ground: Ground, name: str, record: Record) -> None:
    ground.classes[name] = ground.names.new(class_case(name))
    ground.readers[name] = ground.names.new(f"read_{lower_snake(name)}")
    ground.completers[name] = ground.names.new(f"complete_{lower_snake(name)}")
    own = Identifiers(ATTRIBUTES_TAKEN | KEYWORDS)
    ground.own_names[name] = own
    ground.attributes[name] = {f.name: own.new(lower_snake(f.name)) for f in record.fields}
    for f in record.fields:
        if f.allowed is not None:
            ground.allowed[name, f.name] = ground.names.new(f"as_{lower_snake(name)}_{lower_snake(f.name)}")
        if f.computed is not None:
            ground.computed[name, f.name] = ground.names.new(f"{lower_snake(name)}_{lower_snake(f.name)}")


def _name_turn(ground: Ground) -> None:
    """The turn's own attributes besides the input fields: switches, and tables of the turn alone."""
    state = ground.ruleset.input.state
    mine, own = ground.attributes[state.name], ground.own_names[state.name]
    for f in state.fields:
        if f.computed is None and (f.default is None or may_be_null(f.type)):
            ground.optional_attributes[f.name] = own.new(f"{mine[f.name]}_if_given")
    for name in ground.switches:
        ground.switch_attributes[name] = own.new(lower_snake(name))
    for name, table in ground.tables.items():
        if not table.parameters and name in ground.turned:
            ground.turn_attributes[name] = own.new(lower_snake(name))
