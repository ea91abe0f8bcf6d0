"""The library's face: load a workbook, ask it, call one of its tables.

    rules = dtables.load("tables/tariff.xlsx")
    rules.answer("price", state)

Answers come from the compiled module, explanations from the evaluator; what they share is the model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from dtables import loaded
from dtables.collector import held_back
from dtables.diagnostics import Diagnostic, errors_in, in_order, overview
from dtables.loaded import Answers, Loaded, Made

if TYPE_CHECKING:
    from pandas import DataFrame

    from dtables.columnar import FlatEngine, Why
    from dtables.evaluator import Evaluator
    from dtables.evaluator.trace import Explanation
    from dtables.merging import Reply
    from dtables.model.tables import Ruleset as Model
    from dtables.spark.frames import SparkFrame
    from dtables.table_reasons import TableExplanation


class WorkbookErrors(Exception):
    """Raised when a workbook has errors; `diagnostics` lists them all, with warnings and notes."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        self.diagnostics = diagnostics
        super().__init__("\n" + overview(diagnostics))


@dataclass(frozen=True)
class Checked:
    """What reading and checking gave: a model only if nothing is an error. `key` is what it is kept under,
    `unkept` what reading and checking alone found, where that is not kept yet."""

    path: Path
    model: Model | None
    diagnostics: tuple[Diagnostic, ...]
    key: str | None = field(default=None, compare=False, repr=False)
    unkept: tuple[Diagnostic, ...] | None = field(default=None, compare=False, repr=False)


def check(path: str | Path) -> Checked:
    """Read a workbook, check every name and type in it, and prove what can be proved of its tables.

    Nothing is raised for a workbook with errors: `diagnostics` of the result has them, `model` is None."""
    return verified(read(path))


def check_first(path: str | Path) -> Checked:
    """Check a workbook for somebody who is waiting: nothing is kept yet, which `keep` can do afterwards."""
    return verified(_read(Path(path)))


def keep(checked: Checked) -> None:
    """Store in the cache what `check_first` has found."""
    if checked.key is not None and checked.unkept is not None:
        loaded.keep_book(checked.key, checked.model, checked.unkept)


def verified(checked: Checked) -> Checked:
    """Add what can be proved of the tables."""

    def verify(model: Model) -> tuple[Diagnostic, ...]:
        from dtables.verifier import verify

        return verify(model)

    return _with(checked, "proof", verify)


def with_unreached(checked: Checked) -> Checked:
    """Add notes on the tables and rows that no example of the workbook reaches: its examples are run."""

    def unreached(model: Model) -> tuple[Diagnostic, ...]:
        from dtables.verifier import unreached

        return unreached(model)

    return _with(checked, "unreached", unreached)


def _with(checked: Checked, stage: str, look: Callable[[Model], tuple[Diagnostic, ...]]) -> Checked:
    if checked.model is None:
        return checked
    found = loaded.kept_findings(checked.key, stage) if checked.key is not None else None
    if found is None:
        found = look(checked.model)
        if checked.key is not None:
            loaded.keep_findings(checked.key, stage, found)
    return replace(checked, diagnostics=in_order((*checked.diagnostics, *found), checked.model.sheets))


def read(path: str | Path) -> Checked:
    """Read a workbook and check every name and type in it; all that running it takes."""
    checked = _read(Path(path))
    keep(checked)
    return replace(checked, unkept=None)


@held_back()
def _read(place: Path) -> Checked:
    key = loaded.book_key(place)
    book = None if key is None else loaded.kept_book(key)
    if book is not None:
        return Checked(place, book.model, book.diagnostics, key)
    checked = _read_afresh(place)
    if key is None or loaded.book_key(place) != key:
        # It was saved meanwhile: who knows which of both was read.
        return checked
    return replace(checked, key=key, unkept=checked.diagnostics)


def _read_afresh(place: Path) -> Checked:
    from dtables.checker import check_book
    from dtables.checker.unread import without_echoes
    from dtables.workbook.cells import read_workbook

    model: Model | None = None
    sheets: tuple[str, ...] = ()
    book, found = read_workbook(place)
    if book is not None:
        sheets = book.sheets
        model, more = check_book(book)
        found = (*found, *without_echoes(book, found, more))
    return Checked(place, None if errors_in(found) else model, in_order(found, sheets))


@held_back()
def load(path: str | Path) -> Ruleset:
    """Read, check and compile a workbook.

    Raises WorkbookErrors with all its errors. A workbook that was loaded before comes from the cache,
    unless its file has changed."""
    key = loaded.book_key(Path(path))
    kept = None if key is None else loaded.kept_ruleset(key)
    if kept is not None:
        return Ruleset.of(kept)
    checked = read(path)
    if checked.model is None:
        raise WorkbookErrors(checked.diagnostics)
    return Ruleset.of(Made(checked.model, checked.diagnostics, checked.key))


class Ruleset:
    """A workbook that runs.

    Made by `dtables.load`. Wherever an ask is named, None is the main one; records are plain dicts, as JSON
    has them, and are never changed."""

    def __init__(self, model: Model, diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        self._loaded: Loaded = Made(model, diagnostics)

    @classmethod
    def of(cls, parts: Loaded) -> Ruleset:
        """Make a ruleset of what was loaded already; `dtables.load` is for everybody else."""
        ruleset = cls.__new__(cls)
        ruleset._loaded = parts
        return ruleset

    @property
    def model(self) -> Model:
        """The checked workbook as data: tables, types, examples, each with its cell."""
        return self._loaded.model

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The warnings and notes of reading and checking; a ruleset has no errors."""
        return self._loaded.diagnostics

    def __repr__(self) -> str:
        return f"<dtables ruleset {self.name}: {len(self.tables)} tables, {len(self.asks)} asks>"

    @property
    def name(self) -> str:
        """The workbook's file name without its ending."""
        return self._loaded.face.name

    @property
    def version(self) -> str:
        """A short text made from the workbook's content: the same cells, the same version."""
        return self._loaded.face.version

    @property
    def answers(self) -> Answers:
        """Each ask with the names of the fields that it answers."""
        return self._loaded.face.answers

    @property
    def asks(self) -> tuple[str, ...]:
        """The names of all asks, the main one first."""
        return tuple(name for name, _ in self.answers)

    @property
    def main_ask(self) -> str | None:
        """The ask that is answered where none is named; None where the workbook has no ask."""
        return self.asks[0] if self.asks else None

    def answer_fields(self, ask: str) -> tuple[str, ...] | None:
        """Return the names of the fields that an ask answers; None where there is no such ask."""
        return dict(self.answers).get(ask)

    def answer(self, ask: str | None, state: object) -> dict[str, Any]:
        """Answer one ask for a state.

        Raises RecordError (path, found, wanted) if the state is invalid or there is no such ask, and
        RuleError if the rules fail on it."""
        answered: dict[str, Any] = self._module.answer(ask, state)
        return answered

    def reply(self, ask: str | None, state: object) -> Reply:
        """Answer as `answer` does, and name in `next` the asks that the rules demand afterwards.

        Raises what `answer` raises."""
        replied: Reply = self._module.reply(ask, state)
        return replied

    def explain(self, ask: str | None, state: object) -> Explanation:
        """Answer as `answer` does, with every step that led there, each with its cell.

        Raises what `answer` raises."""
        self.answer(ask, state)
        return self.evaluator.explain_sound(ask, state)

    def answer_frame(self, frame: DataFrame, engine: str = "auto") -> DataFrame:
        """Answer each row of a pandas frame, in a frame with the same index.

        `rejected` says what is wrong with a row; no row raises anything. LogError is raised where the frame
        as a whole cannot be read. `engine` is python, columns or auto; `attrs["engine"]` of the result says
        which one was taken, and why."""
        from dtables.answers.engines import EngineName, compiled_engine
        from dtables.choosing import frame_engine
        from dtables.columnar.frames import answer_frame

        flat = frame_engine(EngineName(engine), lambda: self._flat_ask)
        return answer_frame(compiled_engine(self.model, self.source), self.model, frame, flat)

    def answer_spark(self, frame: SparkFrame, ask: str | None = None) -> SparkFrame:
        """Answer each row of a Spark frame, in a Spark frame.

        Its cluster works the answers out once somebody collects them. `ask` is answered where a row names
        no other; None is the main one. `rejected` says what is wrong with a row."""
        from dtables.spark.frames import answer_spark

        return answer_spark(self.model, self.source, frame, ask)

    def table_frame(self, table: str, frame: DataFrame) -> DataFrame:
        """Call one table for each row of a pandas frame.

        Columns are the table's parameters and the input fields that it reads. `rejected` says what is wrong
        with a row. Raises KeyError if there is no such table."""
        from dtables.columnar.frames import table_frame
        from dtables.model.tables import table_name

        call = self._tables[table]
        found = next(one for one in self.model.tables if table_name(one) in (table, table.replace("_", " ")))
        return table_frame(self.model, found, call, frame, self._flat_table(table_name(found)))

    @cached_property
    def _flat_ask(self) -> FlatEngine | Why:
        from dtables.columnar import flat_engine

        return flat_engine(self.model, self.source)

    def _flat_table(self, name: str) -> FlatEngine | Why:
        from dtables.columnar import flat_table

        if name not in self._flat_tables:
            self._flat_tables[name] = flat_table(self.model, self.source, name)
        return self._flat_tables[name]

    @cached_property
    def _flat_tables(self) -> dict[str, FlatEngine | Why]:
        return {}

    @property
    def tables(self) -> Mapping[str, Callable[[Mapping[str, object]], Any]]:
        """Each table as a function of one dict: its parameters and the input fields that it reads, by name.

        An unknown table raises KeyError with a hint; a call raises RecordError or RuleError."""
        return self._tables

    @cached_property
    def _tables(self) -> _Tables:
        return _Tables(self._module)

    def call(self, table: str, given: Mapping[str, object]) -> Any:
        """Call one table with its parameters and the input fields that it reads; as `tables` does."""
        return self._tables[table](given)

    def explain_table(self, table: str, given: Mapping[str, object]) -> TableExplanation:
        """Call one table, and say which rows fired, with their cells; every step where that is asked for.

        Raises KeyError if there is no such table, RecordError and RuleError as a call does."""
        return self.reasons[table](given)

    @cached_property
    def reasons(self) -> Mapping[str, Callable[[Mapping[str, object]], TableExplanation]]:
        """The tables with reasons: as `tables`, but a result says which rows it comes from."""
        from dtables.table_reasons import TableReasons

        return TableReasons(self.model, self.tables)

    @property
    def source(self) -> str:
        """The text of the compiled Python module."""
        return self._loaded.source

    @cached_property
    def _module(self) -> ModuleType:
        from dtables.compilers.python import load_source

        return load_source(self.source, self.name)

    @cached_property
    def evaluator(self) -> Evaluator:
        """What explains answers; it answers like compiled code, from the model alone."""
        from dtables.evaluator import Evaluator

        return Evaluator(self.model)


class _Tables(Mapping[str, Any]):
    """The compiled functions as they are: a dict goes in, nothing stands between."""

    def __init__(self, module: ModuleType) -> None:
        self._functions: dict[str, Any] = module.TABLES

    def __getitem__(self, name: str) -> Any:
        spaced = name if name in self._functions else name.replace("_", " ")
        if spaced not in self._functions:
            close = get_close_matches(name, self._functions, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise KeyError(f"no table {name!r}{hint}")
        return self._functions[spaced]

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)

    def __len__(self) -> int:
        return len(self._functions)
