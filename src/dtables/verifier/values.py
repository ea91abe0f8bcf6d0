"""Which values can come where: what types, fields and data allow, and what is tied to something else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from dtables.feel import types
from dtables.feel.types import RestrictedType, Type, VocabularyType, may_be_null, plain, without_null
from dtables.feel.values import Value
from dtables.model.expressions import CallBuiltin, Expression, FieldOf, Guard, InputField, Read, Switch, Test
from dtables.model.tables import Decision, Field, Ruleset, Vocabulary
from dtables.verifier.wanted import Against, Wanted, constant, wanted

COUNTING = ("count", "string length")
"""Built-ins that never give less than nothing."""


@dataclass(frozen=True, slots=True)
class Path:
    """A parameter, input field or switch and the stored fields read below it. `rows`: rows of data are on
    the way, whose fields go together."""

    root: Expression
    fields: tuple[str, ...]
    rows: bool


@dataclass(frozen=True)
class Values:
    ruleset: Ruleset

    def names(self, type_: Type) -> Sequence[str]:
        kind = plain(type_)
        if not isinstance(kind, VocabularyType) or kind.name not in self._vocabularies:
            return ()
        return self._vocabularies[kind.name].ids

    def vocabulary(self, name: str) -> Vocabulary | None:
        return self._vocabularies.get(name)

    def allowed(self, expression: Expression) -> list[tuple[Wanted, ...]]:
        """Tests that every value of it passes, as far as they are plain."""
        limits: list[tuple[Wanted, ...] | None] = [*self.limits(expression.type)]
        field = self._field(expression)
        if field is not None and field.allowed is not None:
            limits.append(wanted(field.allowed.tests))
        if isinstance(expression, CallBuiltin) and expression.builtin in COUNTING:
            limits.append((Against(">=", 0),))
        return [limit for limit in limits if limit]

    def limits(self, type_: Type) -> list[tuple[Wanted, ...]]:
        """The plain tests of a restricted type, and of what it restricts."""
        found = [wanted(self._restrictions[name]) for name in _restricted(type_)]
        return [limit for limit in found if limit]

    def is_stored(self, expression: Expression) -> bool:
        """Does a record of a turn give it, which may leave it out?"""
        if isinstance(expression, FieldOf) and not isinstance(plain(expression.of.type), types.RecordType):
            return False
        field = self._field(expression)
        return field is not None and field.computed is None

    def present(self, expression: Expression) -> tuple[Value, ...] | None:
        """What a stored field of a row of data can be: what the rows have."""
        found = self.cells(expression)
        return None if found is None else tuple(dict.fromkeys(found[1].values()))

    def cells(self, expression: Expression) -> tuple[Expression, dict[Value, Value]] | None:
        """Of a stored field of a row: what gives the row, and the field's value by the row's name."""
        vocabulary = self._rows_of(expression)
        if vocabulary is None or not isinstance(expression, FieldOf):
            return None
        known = {id_: self._cell(vocabulary, id_, expression.name) for id_ in self.names(expression.of.type)}
        found = {id_: value[0] for id_, value in known.items() if value is not None}
        if len(found) < len(known):
            return None
        return expression.of, found | ({None: None} if may_be_null(expression.of.type) else {})

    def _cell(self, vocabulary: Vocabulary, id_: str, name: str) -> tuple[Value] | None:
        row = self._places[vocabulary.name].get(id_)
        cells = dict(vocabulary.rows[row].values) if row is not None else {}
        if name not in cells:
            return None
        known = constant(cells[name])
        return known if known is not None and not isinstance(known[0], (list, dict)) else None

    # -- what goes together --------------------------------------------------------------------

    def free(self, decision: Decision, columns: Sequence[Expression]) -> frozenset[Expression]:
        """Columns each of whose values may come whatever the others have."""
        own = {parameter.variable.number for parameter in decision.parameters}
        paths = {column: self.path(column, own) for column in columns}
        return frozenset(
            column
            for column, path in paths.items()
            if path is not None
            and not any(_tied(path, other) for key, other in paths.items() if other and key != column)
        )

    def path(self, expression: Expression, own: set[int]) -> Path | None:
        match expression:
            case Guard(operand=operand):
                return self.path(operand, own)
            case Read(variable=variable) if variable.number in own:
                return Path(expression, (), False)
            case InputField() | Switch():
                field = self._field(expression)
                return None if field is not None and field.computed else Path(expression, (), False)
            case FieldOf(of=of, name=name):
                path, field = self.path(of, own), self._field(expression)
                if path is None or field is None or field.computed is not None:
                    return None
                rows = path.rows or isinstance(plain(of.type), VocabularyType)
                if rows and self.present(expression) is None:
                    return None
                return Path(path.root, (*path.fields, name), rows)
            case _:
                return None

    def _field(self, expression: Expression) -> Field | None:
        match expression:
            case InputField(name=name):
                return self._fields.get((self.ruleset.input.state.name, name))
            case FieldOf(of=of, name=name):
                return self._fields.get((self._record(of.type), name))
            case _:
                return None

    def _record(self, type_: Type) -> str:
        kind = plain(type_)
        if isinstance(kind, VocabularyType):
            return self._vocabularies[kind.root].record or "" if kind.root in self._vocabularies else ""
        return kind.name if isinstance(kind, types.RecordType) else ""

    def _rows_of(self, expression: Expression) -> Vocabulary | None:
        kind = plain(expression.of.type) if isinstance(expression, FieldOf) else None
        if not isinstance(kind, VocabularyType):
            return None
        return self._vocabularies.get(kind.root)

    @cached_property
    def _fields(self) -> dict[tuple[str, str], Field]:
        records = (*self.ruleset.records, self.ruleset.input.state)
        return {(record.name, field.name): field for record in records for field in record.fields}

    @cached_property
    def _vocabularies(self) -> dict[str, Vocabulary]:
        switches = (rule.values for table in self.ruleset.switches for rule in table.rules)
        return {v.name: v for v in (*switches, *self.ruleset.vocabularies)}

    @cached_property
    def _places(self) -> dict[str, dict[str, int]]:
        """Where the row of each name stands."""
        return {
            v.name: {label.id: n for n, label in enumerate(v.names[: len(v.rows)])}
            for v in self._vocabularies.values()
        }

    @cached_property
    def _restrictions(self) -> dict[str, tuple[Test, ...]]:
        return {restriction.name: restriction.tests for restriction in self.ruleset.restrictions}


def _restricted(type_: Type) -> list[str]:
    type_ = without_null(type_)
    found = []
    while isinstance(type_, RestrictedType):
        found.append(type_.name)
        type_ = without_null(type_.of)
    return found


def _tied(path: Path, other: Path) -> bool:
    """Of one thing: the same row's fields go together, and so do a value and what is inside it."""
    if path.root != other.root:
        return False
    shared = min(len(path.fields), len(other.fields))
    return path.rows or other.rows or path.fields[:shared] == other.fields[:shared]
