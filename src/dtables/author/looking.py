"""Everything there is to tell of a workbook that was just saved: what its check finds, what its examples
say, what its pages want."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from dtables.author.watching import Seen
from dtables.diagnostics import EXAMPLE, Diagnostic, Severity, in_order
from dtables.loaded import Made
from dtables.ruleset import Checked, Ruleset, check_first


@dataclass(frozen=True, slots=True)
class Looking:
    """`severities` are those that are told; `pages` is the folder where pages go, if any are wanted, and
    `templates` the one of the author's own templates."""

    severities: frozenset[Severity]
    examples: bool
    pages: Path | None = None
    templates: Path | None = None

    def look(self, book: Path) -> Seen:
        checked = check_first(book)
        found = tuple(d for d in checked.diagnostics if d.severity in self.severities)
        rules = _rules(checked)
        if rules is not None and self.examples:
            found = (*found, *example_findings(rules).broken)
        if rules is not None and self.pages is not None:
            found = (*found, *_print(rules, self.pages, self.templates))
        return Seen(checked, in_order(found, rules.model.sheets) if rules is not None else found)


class Examples(NamedTuple):
    """How many there are, how many do not hold, and what is said of those."""

    number: int
    failed: int
    broken: tuple[Diagnostic, ...]


def example_findings(rules: Ruleset) -> Examples:
    from dtables.runs.examples import run_examples

    results = list(run_examples(rules.model, (rules, rules.evaluator)))
    found = (failure for result in results for failure in result.failures)
    broken = tuple(Diagnostic(f.where, Severity.ERROR, EXAMPLE, f.message) for f in found)
    return Examples(len(results), sum(bool(result.failures) for result in results), broken)


def _rules(checked: Checked) -> Ruleset | None:
    if checked.model is None:
        return None
    return Ruleset.of(Made(checked.model, checked.diagnostics, checked.key))


def _print(rules: Ruleset, folder: Path, templates: Path | None) -> tuple[Diagnostic, ...]:
    from dtables.printing.files import Request, print_files, written

    files, found = print_files(rules.model, Request(styles=templates))
    for file in files:
        written(file, folder)
    return found
