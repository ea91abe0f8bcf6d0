"""Flat rules worked out by DuckDB, embedded: what is sound of the columns goes into the compiled SELECT.

A value that the rules do not understand, or a row for which SQL has no answer, leaves the row in doubt: as
a record it goes to the compiled module. So nothing here words a finding. This is the only door to DuckDB.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from dtables.columnar import Why
from dtables.columnar.cells import FIRST_DAY, LAST_DAY, Cells, Coded, Days, Truth, Whole, silent
from dtables.columnar.engine import DOUBT, Codes, Told
from dtables.compilers.python import load_source
from dtables.compilers.sql import Compiled, Dialect, to_sql
from dtables.feel.types import BooleanType, DateType, NumberType, TextType, Type, VocabularyType, plain
from dtables.logs.jsonlines import LogError
from dtables.merging import Reply
from dtables.model.asks import Draw, Need

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from dtables.model.asks import Ask
    from dtables.model.tables import Ruleset

    Array = NDArray[Any]
    Mask = NDArray[np.bool_]

Path = tuple[str, ...]
SOURCE = "turns"
GIVEN = "given"
EXACT = ("BIGINT", "HUGEINT", "INTEGER", "INT", "TEXT", "VARCHAR", "BOOLEAN")
"""Types of answers that come out as compiled code has them, as do lists of them."""


@dataclass(frozen=True, slots=True)
class Select:
    """The compiled SELECT; `needed` are fields that the ask wants of every record, `types` those of all."""

    compiled: Compiled
    needed: tuple[str, ...]
    types: Mapping[str, Type]


class DuckdbEngine(Codes):
    """Answers columns, as the columnar engine does."""

    name = "duckdb"

    def __init__(self, select: Select, rules: Any) -> None:
        super().__init__()
        self._select = select
        self._rules = rules
        self._known: dict[str, dict[object, object]] = {}
        self._duckdb = _library()
        self._connection = self._duckdb.connect(":memory:")
        # What does not fit into memory is an error, and no file in the folder where the command runs.
        self._connection.execute("SET temp_directory = ''")
        self._connection.execute("SET enable_external_access = false")

    def answer(self, columns: Mapping[Path, Cells], rows: int) -> Told:
        """A code for every row of these columns; each stands at its path of the state."""
        import numpy as np

        codes = np.full(rows, DOUBT, np.int32)
        given, doubt = self._given(columns, rows)
        names = [column.name for column in self._select.compiled.answers]
        leads_on = self._select.compiled.next
        for row, *values, problem in self._worked_out(given, np.flatnonzero(~doubt)):
            if problem is None:
                answer = dict(zip(names, values, strict=True))
                following = (answer.pop(leads_on) or ()) if leads_on else ()
                codes[row] = self.code_of(Reply(answer, tuple(following)))
        return Told(codes, self.answers)

    # -- what goes in --------------------------------------------------------------------------

    def _given(self, columns: Mapping[Path, Cells], rows: int) -> tuple[dict[str, Any], Mask]:
        """Arrow columns by field, and the rows that are in doubt: all, where no column makes a state."""
        import numpy as np

        given: dict[str, Any] = {}
        doubt = np.full(rows, not columns)
        for path, cells in columns.items():
            null = silent(cells)
            read = self._read(path[0], cells) if len(path) == 1 else None
            if read is None:
                doubt |= ~null
                continue
            given[path[0]], sound = read
            doubt |= ~(sound | null)
        for name in self._select.needed:
            doubt |= np.asarray(given[name].is_null()) if name in given else True
        return given, doubt

    def _read(self, name: str, cells: Cells) -> tuple[Any, Mask] | None:
        """An Arrow column as the SELECT wants it, and which of its rows are sound. None: what is not null in
        it is in doubt."""
        import numpy as np
        import pyarrow as pa

        of = plain(self._select.types.get(name, _NOTHING))
        match of, cells:
            case ((VocabularyType() | TextType()), Coded(values=values, codes=codes)):
                read = [self._normal(name, of, value) for value in values]
                texts = pa.array(
                    [None if value is UNSOUND else value for value in read] or [None], pa.string()
                )
                good = np.array([*(value is not UNSOUND for value in read), False])
                return texts.take(pa.array(codes, mask=codes < 0)), good[codes]
            case NumberType(), Whole(values=values, null=null):
                sound = self._sound(name, of, values, null)
                return pa.array(values.astype(np.int64), mask=~sound), sound
            case BooleanType(), Truth(values=values, null=null):
                sound = self._sound(name, of, values, null)
                return pa.array(values, mask=~sound), sound
            case DateType(), Days(values=values, null=null):
                sound = self._sound(name, of, values, null)
                return pa.array(values.astype(np.int32), mask=~sound).view(pa.date32()), sound
            case _:
                return None

    def _sound(self, name: str, of: Type, values: Array, null: Mask | None) -> Mask:
        """Each different value is looked at once."""
        import numpy as np

        different, which = np.unique(values, return_inverse=True)
        good = [self._is_sound(name, of, value) for value in different.tolist()]
        sound: Mask = np.array(good, bool)[which] if len(good) else np.zeros(len(values), bool)
        return sound if null is None else sound & ~null

    def _is_sound(self, name: str, of: Type, value: object) -> bool:
        """`value` as a column has it."""
        if isinstance(of, DateType) and isinstance(value, int):
            if not 0 < FIRST_DAY + value <= FIRST_DAY + LAST_DAY:
                return False
            value = date.fromordinal(FIRST_DAY + value).isoformat()
        return self._normal(name, of, value) is not UNSOUND

    def _normal(self, name: str, of: Type, value: object) -> object:
        """As the rules call it; UNSOUND where a record may not say it."""
        known = self._known.setdefault(name, {})
        if value not in known:
            known[value] = self._looked_at(name, of, value)
        return known[value]

    def _looked_at(self, name: str, of: Type, value: object) -> object:
        if value == "":
            return None
        if not self._rules.is_sound(name, {name: value}):
            return UNSOUND
        if isinstance(of, VocabularyType):
            return self._rules.shapes.vocabularies[of.name].meant(value)[0]
        return value

    # -- what comes out ------------------------------------------------------------------------

    def _worked_out(self, given: Mapping[str, Any], sound: Array) -> Iterable[tuple[Any, ...]]:
        """The key is the number of the row: the order in which rows come out means nothing. A number that the
        database cannot hold leaves all of them in doubt."""
        import pyarrow as pa

        key, *_ = self._select.compiled.keys
        picked = pa.array(sound)
        inputs = self._select.compiled.inputs
        columns = {f"c{i}": given[c.name].take(picked) for i, c in enumerate(inputs) if c.name in given}
        cast = [
            f"CAST({f'c{i}' if f'c{i}' in columns else 'NULL'} AS {c.type}) AS {_quoted(c.name)}"
            for i, c in enumerate(inputs)
        ]
        source = f"SELECT {', '.join([f'key AS {_quoted(key)}', *cast])} FROM {GIVEN}"
        self._connection.register(GIVEN, pa.table({"key": picked, **columns}))
        try:
            self._connection.execute(f"CREATE OR REPLACE TEMP VIEW {SOURCE} AS {source}")
            found: list[tuple[Any, ...]] = self._connection.execute(self._select.compiled.sql).fetchall()
        except (self._duckdb.OutOfRangeException, self._duckdb.ConversionException):
            return []
        finally:
            self._connection.execute(f"DROP VIEW IF EXISTS {SOURCE}")
            self._connection.unregister(GIVEN)
        return found


def duckdb_engine(model: Ruleset, source: str) -> DuckdbEngine | Why:
    """The engine of the main ask, or why DuckDB cannot answer it. `source` is the compiled module."""
    ask = next((ask for ask in model.open_asks if ask.main), None)
    if ask is None:
        return Why("the workbook has no main ask")
    select = _select(model, ask)
    return select if isinstance(select, Why) else DuckdbEngine(select, load_source(source, model.name).RULES)


def _select(model: Ruleset, ask: Ask) -> Select | Why:
    needed: list[str] = []
    for row in ask.rows:
        if isinstance(row, Need):
            if row.when is not None or row.some or row.names is not None or len(row.place.fields) > 1:
                return Why("what an ask needs only sometimes is found record by record", row.where)
            needed.append(row.place.fields[0])
        if isinstance(row, Draw):
            return Why("what chance decides is a record of lists in SQL", row.cell)
    for check in (row for checks in model.checks for row in checks.rows):
        if not check.asks or ask.heading.name in check.asks:
            return Why("checks of a record are made record by record", check.where)
    fields = model.input.state.stored
    key = _unlike("row", [field.name for field in fields])
    compiled = to_sql(model, ask.heading.name, Dialect.DUCKDB, SOURCE, (key,))
    if compiled.sql is None:
        first = compiled.diagnostics[0]
        return Why(first.message, first.where)
    for column in compiled.answers:
        if column.type.rstrip("[]") not in EXACT:
            return Why(f"the answer `{column.name}` is {column.type} in SQL", ask.heading.where)
    return Select(compiled, tuple(needed), {field.name: field.type for field in fields})


def _unlike(name: str, others: Iterable[str]) -> str:
    taken = {other.casefold() for other in others}
    while name in taken:
        name += "_"
    return name


# -- values ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Unsound:
    """Stands for a value that a record may not say."""


UNSOUND = _Unsound()
_NOTHING: Type = TextType()


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _library() -> ModuleType:
    try:
        return import_module("duckdb")
    except ImportError:
        raise LogError("DuckDB is another library: pip install duckdb") from None
