"""How a workbook stands, in one line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dtables.diagnostics import Diagnostic, Severity
from dtables.model.tables import Ruleset


def standing(model: Ruleset | None, findings: Sequence[Diagnostic]) -> str:
    """`3 tables, 1 ask, 5 examples; 1 warning`"""
    found = counted(findings)
    if model is None:
        return found
    examples = sum(len(table.rows) for table in model.examples)
    parts = [(len(model.tables), "table"), (len(model.asks), "ask"), (examples, "example")]
    return f"{', '.join(plural(n, word) for n, word in parts)}; {found}"


def counted(findings: Sequence[Diagnostic]) -> str:
    counts = [_of(findings, severity) for severity in Severity]
    return ", ".join(c for c in counts if c) or "no problems"


def _of(findings: Iterable[Diagnostic], severity: Severity) -> str:
    number = sum(d.severity is severity for d in findings)
    return plural(number, severity.value) if number else ""


def plural(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
