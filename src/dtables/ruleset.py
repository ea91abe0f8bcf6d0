"""The library's face: load a workbook, ask it, call one of its tables.

    rules = dtables.load("tables/tariff.xlsx")
    rules.answer("price", state)

Answers come from the compiled module, explanations from the evaluator; what they share is the model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from dtables.diagnostics import Diagnostic, errors_in, in_order, render, without_echoes
from dtables.model.tables import Ruleset as Model

if TYPE_CHECKING:
    from pandas import DataFrame

    from dtables.evaluator import Evaluator
    from dtables.evaluator.trace import Explanation


class WorkbookErrors(Exception):
    """A workbook that cannot run; `diagnostics` are all that is wrong with it."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        self.diagnostics = diagnostics
        super().__init__("\n" + render(diagnostics))


@dataclass(frozen=True)
class Checked:
    """What reading and checking gave: a model only if nothing is an error."""

    path: Path
    model: Model | None
    diagnostics: tuple[Diagnostic, ...]


def check(path: str | Path) -> Checked:
    """Read a workbook, check every name and type in it, and prove what can be proved of its tables."""
    from dtables.verifier import verify

    checked = read(path)
    if checked.model is None:
        return checked
    return _with(checked, verify(checked.model))


def with_unreached(checked: Checked) -> Checked:
    """Also notes on the tables and rows that no example of the workbook reaches: its examples are run."""
    from dtables.verifier import unreached

    return checked if checked.model is None else _with(checked, unreached(checked.model))


def _with(checked: Checked, found: tuple[Diagnostic, ...]) -> Checked:
    sheets = checked.model.sheets if checked.model is not None else ()
    return replace(checked, diagnostics=in_order((*checked.diagnostics, *found), sheets))


def read(path: str | Path) -> Checked:
    """Read a workbook and check every name and type in it; all that running it takes."""
    from dtables.checker import check_book
    from dtables.workbook.xlsx import read_workbook

    place = Path(path)
    book, found = read_workbook(place)
    model: Model | None = None
    sheets: tuple[str, ...] = ()
    if book is not None:
        sheets = book.sheets
        model, more = check_book(book)
        found = (*found, *without_echoes(found, more))
    return Checked(place, None if errors_in(found) else model, in_order(found, sheets))


def load(path: str | Path) -> Ruleset:
    """Read, check and compile; raises WorkbookErrors with everything that is wrong."""
    checked = read(path)
    if checked.model is None:
        raise WorkbookErrors(checked.diagnostics)
    return Ruleset(checked.model, checked.diagnostics)


class Ruleset:
    """A workbook that runs."""

    def __init__(self, model: Model, diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        self.model = model
        self.diagnostics = diagnostics

    def __repr__(self) -> str:
        return f"<dtables ruleset {self.name}: {len(self.tables)} tables, {len(self.asks)} asks>"

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def asks(self) -> tuple[str, ...]:
        """What a log may ask for, the main one first."""
        open_asks = [a for a in self.model.asks if not a.parameters]
        return tuple(a.heading.name for a in sorted(open_asks, key=lambda a: not a.main))

    @property
    def main_ask(self) -> str | None:
        return self.asks[0] if self.asks else None

    def answer_fields(self, ask: str) -> tuple[str, ...] | None:
        from dtables.model.tables import AnswerField

        for candidate in self.model.asks:
            if candidate.heading.name == ask and not candidate.parameters:
                return tuple(row.name for row in candidate.rows if isinstance(row, AnswerField))
        return None

    def answer(self, ask: str | None, state: object) -> dict[str, Any]:
        """Raises RecordError (path, found, wanted) for a bad state, RuleError where the rules fail."""
        answered: dict[str, Any] = self._module.answer(ask, state)
        return answered

    def explain(self, ask: str | None, state: object) -> Explanation:
        """The same answer with every step that led to it, each with its cell."""
        return self.evaluator.explain(ask, state)

    def answer_frame(self, frame: DataFrame) -> DataFrame:
        """The answers to a pandas frame's rows, as a frame with the same index; `rejected` says what is
        wrong with a row."""
        from dtables.runs.engines import compiled_engine
        from dtables.runs.frames import answer_frame

        return answer_frame(compiled_engine(self.model, self.source), self.model, frame)

    @property
    def tables(self) -> Mapping[str, Callable[[Mapping[str, object]], Any]]:
        """Each table by itself: a function of its parameters and the input fields it reads, by name."""
        return self._tables

    @cached_property
    def _tables(self) -> _Tables:
        return _Tables(self._module)

    def call(self, table: str, given: Mapping[str, object]) -> Any:
        return self._tables[table](given)

    @cached_property
    def source(self) -> str:
        """The compiled module's text."""
        from dtables.compilers.python import to_python

        source, _ = to_python(self.model)
        return source

    @cached_property
    def _module(self) -> ModuleType:
        from dtables.compilers.python import load_source

        return load_source(self.source, self.name)

    @cached_property
    def evaluator(self) -> Evaluator:
        """The reference that compiled code agrees with, and explanations come from."""
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
