"""What it takes to run a workbook: made now, or kept from before under the workbook's content.

Either way the same; what was kept is unpacked only when it is asked for, so that a log is answered
without the model, and a model is read without the code.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from hashlib import sha256
from io import BytesIO
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from dtables import cache
from dtables.collector import held_back
from dtables.files import plain_file
from dtables.limits import LIMITS

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
    """What it takes to run a workbook; `model` and `source` may be made when they are first asked for."""

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What the check has said; no error among it."""

    @property
    def model(self) -> Model:
        """The model, which may be unpacked when it is first asked for."""

    @property
    def face(self) -> Face:
        """What a log has to know, without the model."""

    @property
    def source(self) -> str:
        """The compiled module as Python source, which may be compiled when it is first asked for."""


@dataclass(frozen=True)
class Made:
    """A model and what follows from it. With a key, what is compiled is kept."""

    model: Model
    diagnostics: tuple[Diagnostic, ...] = ()
    key: str | None = None

    @cached_property
    def face(self) -> Face:
        """The answers of the model's asks; made when it is first asked for."""
        from dtables.answers.engines import answers_of

        return Face(self.model.name, self.model.version, answers_of(self.model))

    @cached_property
    def source(self) -> str:
        """The compiled module as Python source; made when it is first asked for, and then cached."""
        from dtables.compilers.python import to_python

        with held_back():
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
        """The diagnostics of the check, as they were when it was made."""
        return self.book.diagnostics

    @cached_property
    def model(self) -> Model:
        """The model, unpacked when it is first asked for."""
        model = self.book.model
        assert model is not None, "what does not check is never compiled"
        return model

    @property
    def face(self) -> Face:
        """What a log has to know; the model is not unpacked for it."""
        return self._code[0]

    @property
    def source(self) -> str:
        """The compiled module as Python source."""
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
        """All that the check has said, unpacked when it is first asked for."""
        diagnostics: tuple[Diagnostic, ...] = pickle.loads(self.packed[0])
        return diagnostics

    @cached_property
    def model(self) -> Model | None:
        """The model, unpacked when it is first asked for; None where something is an error."""
        with held_back():
            model: Model | None = pickle.loads(self.packed[1])
        return model


# -- kept --------------------------------------------------------------------------------------


def book_key(path: Path) -> str | None:
    """Make the key of a file's name, which messages tell, and its content. None: it is not kept."""
    if not cache.is_on():
        return None
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
    """Return what is cached of a workbook that runs; None where its check or its code is missing."""
    code, book = cache.kept(_code(key)), kept_book(key)
    return None if code is None or book is None else Kept(book, code)


def kept_book(key: str) -> Book | None:
    """Return what is cached of a workbook's check, or None."""
    content = cache.kept(_book(key))
    return None if content is None else Book(pickle.loads(content))


def keep_book(key: str, model: Model | None, diagnostics: tuple[Diagnostic, ...]) -> None:
    """Cache what a check came to; what is too large or nested too deeply is left out."""
    try:
        content = pickle.dumps((pickle.dumps(diagnostics), packed(model, LIMITS.entry_bytes)))
    except (RecursionError, TooLarge):
        # An expression nested so deeply that packing it runs out of stack, or more than is kept of one value.
        return
    cache.keep(_book(key), content)


def kept_findings(key: str, stage: str) -> tuple[Diagnostic, ...] | None:
    """Return what is cached of a further stage of the check, or None."""
    content = cache.kept(f"{key}.{stage}")
    if content is None:
        return None
    found: tuple[Diagnostic, ...] = pickle.loads(content)
    return found


def keep_findings(key: str, stage: str, found: tuple[Diagnostic, ...]) -> None:
    """Cache the findings of a further stage, such as the verifier's."""
    cache.keep(f"{key}.{stage}", pickle.dumps(found))


def _book(key: str) -> str:
    return f"{key}.book"


def _code(key: str) -> str:
    return f"{key}.code"


# -- packing -----------------------------------------------------------------------------------
# A model is a million small objects of a few classes. Each is packed as its class and what its fields hold;
# Python's own way asks for the fields' names anew each time, and takes twice as long.


class TooLarge(Exception):
    """More than was asked for."""


class _Part(BytesIO):
    """Takes so many bytes; the rest is not even packed."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._left = most

    def write(self, content: Any) -> int:
        self._left -= len(content)
        if self._left < 0:
            raise TooLarge
        return super().write(content)


@held_back()
def packed(value: object, most: int) -> bytes:
    """Pack a value for `pickle.loads`. Raises TooLarge past so many bytes, RecursionError where values nest
    too deeply."""
    part = _Part(most)
    packer = pickle.Pickler(part)
    packer.dispatch_table = _Reducers()
    packer.dump(value)
    return part.getvalue()


class _Reducers(dict[type, Callable[[Any], Any]]):
    """How to pack what has nothing but slots; the rest is packed as ever."""

    def __missing__(self, kind: type) -> Callable[[Any], Any]:
        if issubclass(kind, type):
            raise KeyError(kind)
        if issubclass(kind, tuple):
            self[kind] = _reducer_of_tuples(kind)
        else:
            self[kind] = _reducer(kind) if is_dataclass(kind) and not kind.__dictoffset__ else _as_ever
        return self[kind]


def _as_ever(value: object) -> str | tuple[Any, ...]:
    return value.__reduce_ex__(pickle.DEFAULT_PROTOCOL)


def _reducer_of_tuples(kind: type[tuple[Any, ...]]) -> Callable[[Any], Any]:
    """Of those whose places have names."""
    return (lambda value: (kind, tuple(value))) if hasattr(kind, "_fields") else _as_ever


def _reducer(kind: type) -> Callable[[Any], Any]:
    names = [field.name for field in fields(kind)]
    by_place = all(field.init and not field.kw_only for field in fields(kind))
    make = kind if by_place else _Maker(kind)
    if len(names) < 2:
        return lambda value: (make, tuple(getattr(value, name) for name in names))
    values = attrgetter(*names)
    return lambda value: (make, values(value))


class _Maker:
    """In the packing what makes objects of a class; unpacked it is a function that does."""

    def __init__(self, kind: type) -> None:
        self._kind = kind

    def __call__(self, *values: object) -> object:
        return maker_of(self._kind)(*values)

    def __reduce__(self) -> tuple[Callable[[type], Callable[..., object]], tuple[type]]:
        return maker_of, (self._kind,)


def maker_of(kind: type) -> Callable[..., object]:
    """Return a function that makes objects of a class from the values of its fields, in order."""
    setters = tuple(getattr(kind, field.name).__set__ for field in fields(kind))

    def make(*values: object) -> object:
        result: object = object.__new__(kind)
        for set_, value in zip(setters, values, strict=True):
            set_(result, value)
        return result

    return make
