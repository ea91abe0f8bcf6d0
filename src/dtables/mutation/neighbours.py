"""The names that stand next to a name: in its list of names, among the fields of its record, among tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from dtables.feel.syntax.scanner import KnownNames
from dtables.feel.types import RecordType, Type, VocabularyType, plain
from dtables.model.expressions import CallTable, FieldOf, InputField, MakeList, NameOf, Node, Read, Variable
from dtables.model.reach import nodes
from dtables.model.tables import Ask, Draw, Formula, Ruleset, Step, Table, Vocabulary, table_name
from dtables.provenance import CellRef, Span


@dataclass
class Neighbourhood:
    """A checked workbook, by the characters of its cells."""

    ruleset: Ruleset
    _nodes: dict[CellRef, dict[Span, list[Node]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for node in nodes(self.ruleset):
            if node.where.span is not None:
                self._nodes.setdefault(node.where.cell, {}).setdefault(node.where.span, []).append(node)
        model = self.ruleset
        self._vocabularies: dict[str, Vocabulary] = {v.name: v for v in model.vocabularies}
        self._vocabularies |= {r.values.name: r.values for s in model.switches for r in s.rules}
        self._records = {r.name: r for r in (*model.records, model.input.state)}
        self._tables = {table_name(t): t for t in model.tables}
        self.asks = tuple(ask.heading.name for ask in model.open_asks)
        self._nearby = {v.number: group for group in _variables(model) for v in group}
        self.names = KnownNames(_all_names(model, self._vocabularies.values()))

    def is_list(self, cell: CellRef, span: Span) -> bool:
        """Report whether what stands there was read as a list."""
        return any(isinstance(node, MakeList) for node in self._at(cell, span))

    def around(self, cell: CellRef, span: Span) -> Iterator[str]:
        """Yield what may be mistaken for the name at these characters, the nearest first; names that the cell
        has elsewhere come last."""
        found = dict.fromkeys(name for node in self._at(cell, span) for name in self._near(node))
        named = {node.id for nodes in self._nodes.get(cell, {}).values() for node in nodes
                 if isinstance(node, NameOf)}  # fmt: skip
        yield from (name for name in found if name not in named)
        yield from (name for name in found if name in named)

    def _at(self, cell: CellRef, span: Span) -> Iterable[Node]:
        return self._nodes.get(cell, {}).get(span, ())

    def _near(self, node: Node) -> Iterable[str]:
        match node:
            case NameOf(vocabulary=root, id=id_):
                listed = plain(node.type)
                name = listed.name if isinstance(listed, VocabularyType) else root
                return after(id_, self._vocabularies[name].ids)
            case InputField(name=name):
                return self._field(name, self.ruleset.input.state.name)
            case FieldOf(of=of, name=name):
                return self._field(name, self._record_of(of.type))
            case Read(variable=variable):
                return _same_type(variable, self._nearby.get(variable.number, ()))
            case CallTable(table=name):
                return self._table(self._tables[name])
            case _:
                return ()

    def _field(self, name: str, record: str) -> Iterable[str]:
        fields = (
            {f.name: plain(f.type) for f in self._records[record].fields} if record in self._records else {}
        )
        alike = [other for other, type_ in fields.items() if type_ == fields.get(name)]
        return after(name, alike)

    def _record_of(self, type_: Type) -> str:
        match plain(type_):
            case RecordType(name=name):
                return name
            case VocabularyType(name=name, root=root):
                known = self._vocabularies.get(name) or self._vocabularies[root]
                return known.record or self._vocabularies[root].record or ""
            case _:
                return ""

    def _table(self, table: Table) -> Iterable[str]:
        signature = _signature(table)
        return after(table_name(table), [n for n, t in self._tables.items() if _signature(t) == signature])


def after(name: str, names: Sequence[str]) -> Iterable[str]:
    """List the others, from the next one round to the one before."""
    if name not in names:
        return ()
    at = names.index(name)
    return (*names[at + 1 :], *names[:at])


def _same_type(variable: Variable, others: Sequence[Variable]) -> Iterable[str]:
    alike = [v.name for v in others if plain(v.type) == plain(variable.type)]
    return after(variable.name, alike)


def _signature(table: Table) -> tuple[object, ...]:
    return (*(plain(p.type) for p in table.parameters), plain(table.type))


def _variables(model: Ruleset) -> Iterator[tuple[Variable, ...]]:
    """The variables that stand beside one another: of a table, of an ask."""
    for definition in (*model.tables, *model.asks):
        yield tuple(_of_one(definition))


def _of_one(definition: Table | Ask) -> Iterator[Variable]:
    yield from (p.variable for p in definition.parameters)
    rows = (
        definition.rows
        if isinstance(definition, Ask)
        else definition.steps
        if isinstance(definition, Formula)
        else ()
    )
    for row in rows:
        if isinstance(row, Draw) or (isinstance(row, Step) and not row.parameters):
            yield row.variable


def _all_names(model: Ruleset, vocabularies: Iterable[Vocabulary]) -> Iterator[str]:
    """Everything that a cell may name; more than is known at its place does no harm."""
    for vocabulary in vocabularies:
        yield vocabulary.name
        for label in vocabulary.names:
            yield from label.written
    for record in (*model.records, model.input.state):
        yield record.name
        yield from (f.name for f in record.fields)
    yield from (table_name(t) for t in model.tables)
    yield from (heading.name for heading in model.headings)
    for switches in model.switches:
        yield from (rule.name for rule in switches.rules)
    for node in nodes(model):
        if isinstance(node, Read):
            yield node.variable.name
