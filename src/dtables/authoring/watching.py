"""Workbooks looked at again whenever they are saved, and what is new since the last time.

Spreadsheets save in several steps: the file is missing for a moment, or half of it is there. What cannot
be read is reported only when it stays so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from dtables.diagnostics import EXAMPLE, Diagnostic, Severity, in_order
from dtables.loaded import Made
from dtables.ruleset import Checked, Ruleset, check_first, keep, with_unreached
from dtables.versions.wordings import older_wordings
from dtables.workbook.cells import read_workbook
from dtables.workbook.tables import BookText

PATIENCE = 40
"""Looks that a file which cannot be read is given to become whole."""

PASSING = frozenset(("damaged", "no-such-file", "not-readable", "not-a-workbook"))
"""What a workbook may be in the middle of a save."""

Stamp = tuple[int, int, int] | None
Look = Callable[[Path], "Inspection"]


@dataclass(frozen=True, slots=True)
class Inspection:
    """A workbook as it was found: checked, with everything there is to tell of it."""

    checked: Checked
    findings: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class News:
    """`before` are the findings that were open, None when the workbook is looked at for the first time."""

    seen: Inspection
    before: tuple[Diagnostic, ...] | None
    gone: tuple[Diagnostic, ...] = ()

    @property
    def new(self) -> tuple[Diagnostic, ...]:
        """The findings that were not open before."""
        return self.seen.findings if self.before is None else _only(self.seen.findings, self.before)


def watch(books: tuple[Path, ...], look: Look, pause: Callable[[], None]) -> Iterator[News]:
    """Endless; `pause` is what passes between two rounds. What was read is kept when it has been reported."""
    watched = [Watched(book) for book in books]
    while True:
        for one in watched:
            news = one.news(look)
            if news is not None:
                yield news
                keep(news.seen.checked)
        pause()


class Watched:
    """One workbook between two looks."""

    def __init__(self, book: Path) -> None:
        self.book = book
        self._looked_at: Stamp | tuple[()] = ()
        self._before: Inspection | None = None
        self._open: tuple[Diagnostic, ...] | None = None
        self._patience = PATIENCE

    def news(self, look: Look) -> News | None:
        """Look at the workbook if its file has changed; None where there is nothing new, or not yet."""
        stamp = _stamp(self.book)
        if stamp == self._looked_at:
            return None
        seen = look(self.book)
        if _stamp(self.book) != stamp or self._waits_for(seen):
            return None
        self._looked_at, self._patience = stamp, PATIENCE
        before, self._before = self._before, seen
        if _unchanged(seen, before):
            return None
        open_before = self._open
        gone = () if before is None else _only(_looked_for(seen, before, open_before or ()), seen.findings)
        left = _only(_only(open_before or (), gone), seen.findings)
        self._open = (*seen.findings, *left)
        return News(seen, open_before, gone)

    def _waits_for(self, seen: Inspection) -> bool:
        passing = any(d.severity is Severity.ERROR and d.code in PASSING for d in seen.findings)
        if not passing or self._patience == 0:
            return False
        self._patience -= 1
        return True


def _stamp(book: Path) -> Stamp:
    try:
        found = book.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def _looked_for(
    seen: Inspection, before: Inspection, open_before: tuple[Diagnostic, ...]
) -> tuple[Diagnostic, ...]:
    """Of the open findings those that a look could find again: where a workbook does not load, nobody proves
    tables, runs examples or prints pages."""
    if seen.checked.model is not None:
        return open_before
    return before.findings if before.checked.model is None else ()


def _unchanged(seen: Inspection, before: Inspection | None) -> bool:
    """Saved again as it was."""
    return before is not None and seen.checked.key is not None and seen.checked.key == before.checked.key


def _only(these: tuple[Diagnostic, ...], others: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """What the others do not have. A finding that moved with its row is the same finding."""
    known = Counter(map(_identity, others))
    found = []
    for diagnostic in these:
        text = _identity(diagnostic)
        if known[text]:
            known[text] -= 1
        else:
            found.append(diagnostic)
    return tuple(found)


def _identity(d: Diagnostic) -> tuple[object, ...]:
    return d.where.cell.sheet, d.severity, d.code, d.message, d.typed


# -- one look ---------------------------------------------------------------------------------------
# Everything there is to tell of a workbook that was just saved: what its check finds, what its examples
# say, what its pages need.


@dataclass(frozen=True, slots=True)
class Looking:
    """`severities` are those that are reported; `pages` is the folder where pages go, if any are to be
    written, and `templates` the one of the author's own templates. With `unreached` it reports which tables
    and rows no example reaches."""

    severities: frozenset[Severity]
    examples: bool
    pages: Path | None = None
    templates: Path | None = None
    unreached: bool = False
    first: dict[Path, BookText] | None = None
    """Each workbook as it was when it was first sound; wordings are compared with that, if given."""

    def look(self, book: Path) -> Inspection:
        """Check a workbook and, as far as asked for, try its examples and print its pages."""
        checked = with_unreached(check_first(book)) if self.unreached else check_first(book)
        found = tuple(d for d in checked.diagnostics if d.severity in self.severities)
        found = (*found, *self._older_wordings(book, checked))
        rules = _rules(checked)
        if rules is not None and self.examples:
            found = (*found, *example_findings(rules).broken)
        if rules is not None and self.pages is not None:
            found = (*found, *_print(rules, self.pages, self.templates))
        return Inspection(checked, in_order(found, rules.model.sheets) if rules is not None else found)

    def _older_wordings(self, book: Path, checked: Checked) -> tuple[Diagnostic, ...]:
        if checked.model is None or self.first is None:
            return ()
        text, _ = read_workbook(book)
        if text is None:
            return ()
        return older_wordings(self.first.setdefault(book, text), text, checked.model)


class ExampleResults(NamedTuple):
    """How many there are, how many do not hold, and what is reported of those."""

    number: int
    failed: int
    broken: tuple[Diagnostic, ...]


def example_findings(rules: Ruleset) -> ExampleResults:
    """Try all examples with both engines; each cell that fails is an error at its place."""
    from dtables.answers.examples import run_examples

    results = list(run_examples(rules.model, (rules, rules.evaluator)))
    found = (failure for result in results for failure in result.failures)
    broken = tuple(Diagnostic(f.where, Severity.ERROR, EXAMPLE, f.message) for f in found)
    return ExampleResults(len(results), sum(bool(result.failures) for result in results), broken)


def _rules(checked: Checked) -> Ruleset | None:
    if checked.model is None:
        return None
    return Ruleset.of(Made(checked.model, checked.diagnostics, checked.key))


def _print(rules: Ruleset, folder: Path, templates: Path | None) -> tuple[Diagnostic, ...]:
    from dtables.pages.files import Request, print_files, written

    files, found = print_files(rules.model, Request(styles=templates))
    for file in files:
        written(file, folder)
    return found
