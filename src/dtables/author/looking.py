"""Everything there is to tell of a workbook that was just saved: what its check finds, what its examples
say, what its pages want."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dtables.author.watching import Seen
from dtables.diagnostics import Diagnostic, Severity, in_order
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
            found = (*found, *example_findings(rules))
        if rules is not None and self.pages is not None:
            found = (*found, *_print(rules, self.pages, self.templates))
        return Seen(checked, in_order(found, rules.model.sheets) if rules is not None else found)


def example_findings(rules: Ruleset) -> tuple[Diagnostic, ...]:
    """The examples that do not hold."""
    from dtables.runs.examples import run_examples

    results = run_examples(rules.model, (rules, rules.evaluator))
    return tuple(
        Diagnostic(failure.where, Severity.ERROR, "example", failure.message)
        for result in results
        for failure in result.failures
    )


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
