"""Pages set by typst, in a process of their own for each document.

Typst keeps all that it ever worked out for as long as its process lives: a gigabyte for a document of four
pages. The process ends with the document, and gives it back.

Run as a program this module is that process: jobs come in on one pipe, results go out on another.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Literal

PaperFormat = Literal["pdf", "png"]

Source = dict[str, Any]
"""The document as typst's compiler takes it."""

Pages = tuple[list[bytes], list[str]]
"""One PDF or one PNG for each page, and warnings."""

EPOCH = 0
"""Pages have no time of their own: the same input gives the same bytes."""


class TypesettingError(Exception):
    """An error that typst reports for a document."""


class Typesetter:
    """The process, seen from the one that prints."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None and process.stdout is not None
        self.process = process
        self._jobs, self._results = process.stdin, process.stdout

    def end(self) -> None:
        self.process.kill()
        with suppress(BrokenPipeError):
            self._jobs.close()

    def measures(self, source: Source) -> str:
        """The document's own measures, as JSON."""
        measured: str = self._done(("measures", source))
        return measured

    def pages(self, source: Source, format_: PaperFormat, pixels_per_inch: float) -> Pages:
        answer: Pages = self._done(("pages", source, format_, pixels_per_inch))
        return answer

    def _done(self, job: tuple[Any, ...]) -> Any:
        try:
            pickle.dump(job, self._jobs)
            self._jobs.flush()
            done, result = pickle.load(self._results)
        except (EOFError, BrokenPipeError):
            raise TypesettingError("typst ended before it was done; was there memory enough?") from None
        if not done:
            raise TypesettingError(result)
        return result


@contextmanager
def typesetter() -> Iterator[Typesetter]:
    # Without -P the folder of this module would stand before the standard library. Ctrl-C is for the process
    # that prints, which ends this one.
    command = [sys.executable, "-P", str(Path(__file__))]
    pipe, own_group = subprocess.PIPE, None if sys.platform == "win32" else 0
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, process_group=own_group) as process:
        started = Typesetter(process)
        try:
            yield started
        finally:
            started.end()


# -- the process itself ------------------------------------------------------------------------


def _measures(source: Source) -> str:
    import typst

    try:
        answer: str = typst.Compiler(**source).query("<measures>", field="value", one=True)
    except RuntimeError as error:
        # A query fails with the plain class, where setting a page fails with typst's own.
        raise TypesettingError(str(error).removeprefix("failed to compile document: ")) from None
    return answer


def _pages(source: Source, format_: PaperFormat, pixels_per_inch: float) -> Pages:
    import typst

    try:
        pages, warnings = typst.Compiler(**source).compile_with_warnings(
            format=format_,
            ppi=pixels_per_inch,
            timestamp=EPOCH,
            pdf_standards=["ua-1"] if format_ == "pdf" else [],
        )
    except typst.TypstError as error:
        raise TypesettingError(error.message) from None
    return (pages if isinstance(pages, list) else [pages or b""]), [w.message for w in warnings]


WORKS: dict[str, Callable[..., Any]] = {"measures": _measures, "pages": _pages}


def _serve(jobs: IO[bytes], results: IO[bytes]) -> None:
    while True:
        try:
            work, *arguments = pickle.load(jobs)
        except EOFError:
            return
        try:
            result = (True, WORKS[work](*arguments))
        except TypesettingError as error:
            result = (False, str(error))
        pickle.dump(result, results)
        results.flush()


if __name__ == "__main__":
    _serve(sys.stdin.buffer, sys.stdout.buffer)
