"""`pytest tables/`: each row of a workbook's `examples` tables is a test, and so is its check."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from dtables.ruleset import Checked

ENDING = ".xlsx"
NOT_OURS = "no-tables"
"""A workbook without any table of ours is somebody else's business."""


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> WorkbookFile | None:
    if file_path.suffix != ENDING or file_path.name.startswith(("~$", ".")):
        return None
    collected: WorkbookFile = WorkbookFile.from_parent(parent, path=file_path)
    return collected


class WorkbookFile(pytest.File):
    def collect(self) -> Iterator[pytest.Item]:
        from dtables.ruleset import Ruleset, check
        from dtables.terminal import visible

        checked = check(self.path)
        if any(d.code == NOT_OURS for d in checked.diagnostics):
            return
        yield CheckItem.from_parent(self, name="check", checked=checked)
        if checked.model is None:
            return
        ruleset = Ruleset(checked.model)
        for table in checked.model.examples:
            for n, example in enumerate(table.rows, 1):
                name = visible(f"{table.heading.name}[{example.number or n}]")
                yield ExampleItem.from_parent(self, name=name, ruleset=ruleset, table=table, example=example)


class WorkbookItem(pytest.Item):
    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, WorkbookFailure):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)


class CheckItem(WorkbookItem):
    """Fails with everything that the workbook's check calls an error."""

    def __init__(self, *, checked: Checked, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.checked = checked

    def runtest(self) -> None:
        from dtables.diagnostics import errors_in, overview

        if errors_in(self.checked.diagnostics):
            raise WorkbookFailure(overview(self.checked.diagnostics))

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, self.name


class ExampleItem(WorkbookItem):
    """One example, on compiled code and on the evaluator."""

    def __init__(self, *, ruleset: Any, table: Any, example: Any, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.ruleset, self.table, self.example = ruleset, table, example

    def runtest(self) -> None:
        from dtables.answers.examples import run_example
        from dtables.terminal import visible

        engines = (self.ruleset, self.ruleset.evaluator)
        failures = run_example(self.table, self.example, engines).failures
        if failures:
            raise WorkbookFailure("\n".join(visible(f"{f.where}: {f.message}") for f in failures))

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, self.example.where.row - 1, self.name


class WorkbookFailure(Exception):
    """Carries the whole message; a traceback into the toolkit would say nothing about a workbook."""
