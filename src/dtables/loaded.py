"""What it takes to run a workbook: made now, or kept from before under the workbook's content.

Either way the same; what was kept is unpacked only when it is asked for, so that a log is answered
without the model, and a model is read without the code.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from dtables import cache
from dtables.files import plain_file

if TYPE_CHECKING:
    from dtables.diagnostics import Diagnostic
    from dtables.model.tables import Ruleset as Model

MOST_BYTES = 64 * 1024 * 1024
"""Of a workbook; what is larger is refused by its reader."""

Answers = tuple[tuple[str, tuple[str, ...]], ...]
"""The answer's keys of each ask that a log may ask for, the main one first."""


@dataclass(frozen=True, slots=True)
class Face:
    """What a log has to know of a ruleset."""

    name: str
    version: str
    answers: Answers


class Loaded(Protocol):
    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]: ...

    @property
    def model(self) -> Model: ...

    @property
    def face(self) -> Face: ...

    @property
    def source(self) -> str: ...


@dataclass(frozen=True)
class Made:
    """A model and what follows from it. With a key, what is compiled is kept."""

    model: Model
    diagnostics: tuple[Diagnostic, ...] = ()
    key: str | None = None

    @cached_property
    def face(self) -> Face:
        from dtables.answers.engines import answers_of

        return Face(self.model.name, self.model.version, answers_of(self.model))

    @cached_property
    def source(self) -> str:
        from dtables.compilers.python import to_python

        source, _ = to_python(self.model)
        if self.key is not None:
            cache.keep(_code(self.key), pickle.dumps((self.face, source)))
        return source


@dataclass(frozen=True)
class Kept:
    """Both entries were read together: what happens to the folder meanwhile does not matter."""

    book: Book
    code: bytes

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return self.book.diagnostics

    @cached_property
    def model(self) -> Model:
        model = self.book.model
        assert model is not None, "what does not check is never compiled"
        return model

    @property
    def face(self) -> Face:
        return self._code[0]

    @property
    def source(self) -> str:
        return self._code[1]

    @cached_property
    def _code(self) -> tuple[Face, str]:
        face, source = pickle.loads(self.code)
        return face, source


@dataclass(frozen=True)
class Book:
    """A workbook as it was read and checked; no model where something is an error."""

    packed: tuple[bytes, bytes]

    @cached_property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        diagnostics: tuple[Diagnostic, ...] = pickle.loads(self.packed[0])
        return diagnostics

    @cached_property
    def model(self) -> Model | None:
        model: Model | None = pickle.loads(self.packed[1])
        return model


# -- kept --------------------------------------------------------------------------------------


def book_key(path: Path) -> str | None:
    """Of the file's name, which messages tell, and its content. None: it is not kept."""
    try:
        file = plain_file(path)
        if file is None:
            return None
        with file:
            content = file.read(MOST_BYTES + 1)
    except OSError:
        return None
    if len(content) > MOST_BYTES:
        return None
    return cache.key(path.name.encode("utf-8", "surrogateescape"), sha256(content).digest())


def kept_ruleset(key: str) -> Kept | None:
    code, book = cache.kept(_code(key)), kept_book(key)
    return None if code is None or book is None else Kept(book, code)


def kept_book(key: str) -> Book | None:
    content = cache.kept(_book(key))
    return None if content is None else Book(pickle.loads(content))


def keep_book(key: str, model: Model | None, diagnostics: tuple[Diagnostic, ...]) -> None:
    try:
        content = pickle.dumps((pickle.dumps(diagnostics), pickle.dumps(model)))
    except RecursionError:
        # An expression nested so deeply that packing it runs out of stack.
        return
    cache.keep(_book(key), content)


def kept_findings(key: str, stage: str) -> tuple[Diagnostic, ...] | None:
    content = cache.kept(f"{key}.{stage}")
    if content is None:
        return None
    found: tuple[Diagnostic, ...] = pickle.loads(content)
    return found


def keep_findings(key: str, stage: str, found: tuple[Diagnostic, ...]) -> None:
    cache.keep(f"{key}.{stage}", pickle.dumps(found))


def _book(key: str) -> str:
    return f"{key}.book"


def _code(key: str) -> str:
    return f"{key}.code"
