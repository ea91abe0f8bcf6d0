"""Decision tables that live in Excel: checked, compiled, printed, audited.

import dtables
rules = dtables.load("tables/tariff.xlsx")
rules.answer("price", state)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dtables.records.findings import RecordError, RuleError
    from dtables.ruleset import Ruleset, WorkbookErrors, check, load

__version__ = "0.1.0"
__all__ = ["RecordError", "RuleError", "Ruleset", "WorkbookErrors", "check", "load"]

_HOMES = {
    "RecordError": "dtables.records.findings",
    "RuleError": "dtables.records.findings",
    "Ruleset": "dtables.ruleset",
    "WorkbookErrors": "dtables.ruleset",
    "check": "dtables.ruleset",
    "load": "dtables.ruleset",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is asked for, so that `import dtables` is quick."""
    if name not in _HOMES:
        raise AttributeError(f"module 'dtables' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value
