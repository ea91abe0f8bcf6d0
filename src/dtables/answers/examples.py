"""The workbook's own tests: every row of an `examples` table, run on every engine given.

What is compared is plain values, as a log would hold them; a number equals a number whatever its
spelling, a boolean equals no number.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from dtables.answers.answering import NEXT
from dtables.merging import Reply
from dtables.model.tables import Example, Examples, Expected, Ruleset
from dtables.provenance import Location
from dtables.records.findings import RecordError, RuleError, quoted


class ExampleEngine(Protocol):
    """What examples are tried with: a ruleset, or its evaluator."""

    def reply(self, ask: str | None, state: object) -> Reply:
        """Answer an ask. RecordError and RuleError are results that an example may expect or not."""

    def call(self, table: str, given: dict[str, object]) -> Any:
        """Return a table's value for arguments and input fields by name."""


@dataclass(frozen=True, slots=True)
class ExampleFailure:
    """One cell of an example that did not come out."""

    where: Location
    message: str


@dataclass(frozen=True, slots=True)
class ExampleResult:
    """An example and what went wrong with it; nothing: it holds."""

    table: Examples
    example: Example
    failures: tuple[ExampleFailure, ...]

    @property
    def title(self) -> str:
        """The table of examples with the example's number, or its cell where it has none."""
        return f"{self.table.heading.name} {self.example.number or self.example.where.address}"


def run_examples(ruleset: Ruleset, engines: tuple[ExampleEngine, ...]) -> Iterator[ExampleResult]:
    """Run all examples of a workbook; one holds where every engine gives what it expects."""
    for table in ruleset.examples:
        for example in table.rows:
            yield run_example(table, example, engines)


def run_example(table: Examples, example: Example, engines: tuple[ExampleEngine, ...]) -> ExampleResult:
    """The first engine that fails tells; the others would only repeat it."""
    for engine in engines:
        failures = tuple(_failures(table, example, engine))
        if failures:
            return ExampleResult(table, example, failures)
    return ExampleResult(table, example, ())


def _failures(table: Examples, example: Example, engine: ExampleEngine) -> Iterator[ExampleFailure]:
    row = Location(example.where)
    try:
        reply = _reply(table, example, engine)
    except RecordError as error:
        if example.rejected is None:
            yield ExampleFailure(row, f"the record is rejected at {error}")
        elif error.path != example.rejected:
            yield ExampleFailure(row, f"should be rejected at {example.rejected}, but is rejected at {error}")
        return
    except RuleError as error:
        yield ExampleFailure(row, f"the rules fail: {error}")
        return
    value = reply.answer
    if example.rejected is not None:
        yield ExampleFailure(
            row, f"should be rejected at {example.rejected}, but the answer is {quoted(value)}"
        )
        return
    yield from _differences(example.expected, value, value, "")
    any_of = value.get("any_of", {}) if isinstance(value, dict) else {}
    yield from _differences(example.any_of, any_of, any_of, "any of ")
    if example.next is not None:
        yield from _differences((example.next,), None, {NEXT: list(reply.next)}, "")


def _reply(table: Examples, example: Example, engine: ExampleEngine) -> Reply:
    """Of a table its value, after which nothing comes."""
    if table.ask is not None:
        return engine.reply(table.ask, example.given)
    assert table.table is not None
    given = example.given if isinstance(example.given, dict) else {}
    return Reply(engine.call(table.table, {**given, **dict(example.arguments)}))


def _differences(
    expected: tuple[Expected, ...], whole: Any, fields: Any, prefix: str
) -> Iterator[ExampleFailure]:
    for cell in expected:
        found = whole if cell.name is None else fields.get(cell.name) if isinstance(fields, dict) else None
        if not same(found, cell.value):
            name = f"{prefix}{cell.name or 'the value'}"
            yield ExampleFailure(
                Location(cell.cell), f"{name} should be {quoted(cell.value)}, but is {quoted(found)}"
            )


def same(a: object, b: object) -> bool:
    """Say whether an expected value is the one that came. In objects a key with null is as good as none."""
    match a, b:
        case (bool(), _) | (_, bool()):
            return a is b
        case dict(), dict():
            present = {k for k, v in a.items() if v is not None} | {k for k, v in b.items() if v is not None}
            return all(same(a.get(k), b.get(k)) for k in present)
        case list(), list():
            return len(a) == len(b) and all(map(same, a, b))
        case _:
            return a == b
