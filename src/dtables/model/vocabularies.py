"""Names, records and where they stand: vocabularies, record types, the input, data; inert."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from dtables.feel.types import Type
from dtables.model.expressions import Expression, Test, Variable
from dtables.provenance import CellRef, Location

Words = tuple[tuple[str, str], ...]
"""Language and wording, e.g. (("it", "la meno cara"), ("en", "the cheapest")); "" is any language."""

ENGLISH = "en"

STARRED = re.compile(r"\*(?=\S)([^*]*[^*\s])\*")
"""`*word*` in a wording is bold on a page, and no more than the word elsewhere."""


@dataclass(frozen=True, slots=True)
class Heading:
    """What every table has. `source` is kept as written, id by id (`A-19`, `D-37..D-47`). `printed` says
    where pages show it: "block", "never", "inside NAME", or of names "ring"."""

    name: str
    where: Location
    title: Words = ()
    note: Words = ()
    source: tuple[str, ...] = ()
    printed: str = "block"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a table, and the variable by which its cells read it."""

    name: str
    variable: Variable

    @property
    def type(self) -> Type:
        """The declared type of the argument."""
        return self.variable.type


# -- vocabularies and records ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Badge:
    """How a name is drawn on a page; a colour is never alone. Its letter may differ by language."""

    colour: str | None = None
    shape: str | None = None
    letter: Words = ()


@dataclass(frozen=True, slots=True)
class Label:
    """One name of a vocabulary. `spellings` are further ways to write it in any language."""

    id: str
    words: Words
    spellings: tuple[str, ...]
    where: CellRef
    badge: Badge | None = None
    help: Words = ()

    @property
    def written(self) -> tuple[str, ...]:
        """Every way to write it: the id, what people call it, further spellings."""
        return (self.id, *(word for _, word in self.words), *self.spellings)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of data: a constant expression for each stored field of the table's record."""

    values: tuple[tuple[str, Expression], ...]
    where: CellRef


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """A closed list of names. Where `record` is set its values are rows (keyed data, level settings,
    a vocabulary made of another plus further names); `rows` then has one for each of the root's
    names. A narrowed vocabulary has another `root` than its own name, and no rows of its own."""

    name: str
    root: str
    names: tuple[Label, ...]
    where: Location
    record: str | None = None
    rows: tuple[Row, ...] = ()
    words: Words = ()
    source: tuple[str, ...] = ()
    exact: bool = False
    """A record must spell the ids as they are; labels are for people only."""

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the names, in the vocabulary's order."""
        return tuple(label.id for label in self.names)

    @property
    def written(self) -> dict[str, tuple[str, ...]]:
        """By id, the other ways to write each name."""
        return {label.id: label.written[1:] for label in self.names}


# -- what things are called --------------------------------------------------------------------


def in_language(words: Words, language: str, otherwise: str = "") -> str:
    """What something is called: in the language, or in any; else in English, or in whatever there is. In no
    language only what it is called in any."""
    return _chosen(words, language)[1] or otherwise


def names_in(vocabularies: Iterable[Vocabulary], language: str) -> dict[tuple[str, str], str]:
    """What names are called, by vocabulary and id; those that nobody calls anything are left out. One without
    a label in a language in which others have one is marked with the language of the label it has."""
    every = tuple(vocabularies)
    lacking = {(v.name, label.id) for v in every if v.name == v.root for label in unlabelled(v, language)}
    named: dict[tuple[str, str], str] = {}
    for vocabulary in every:
        for label in vocabulary.names:
            spoken, text = _chosen(label.words, language)
            if text:
                foreign = (vocabulary.root, label.id) in lacking
                named[vocabulary.name, label.id] = f"{text} ({spoken})" if foreign else text
    return named


def unlabelled(vocabulary: Vocabulary, language: str) -> tuple[Label, ...]:
    """The names without a label in a language in which others have one."""
    lacking = tuple(label for label in vocabulary.names if not {language, ""} & dict(label.words).keys())
    return lacking if len(lacking) < len(vocabulary.names) else ()


def _chosen(words: Words, language: str) -> tuple[str, str]:
    """A language in which there are words, and the words."""
    known = {spoken: text for spoken, text in words if text}
    languages = (language, "", ENGLISH, *known) if language else ("",)
    return next(((spoken, known[spoken]) for spoken in languages if spoken in known), ("", ""))


@dataclass(frozen=True, slots=True)
class Restriction:
    """`age | whole number | [1..3]`: tests that a value read from a record or a cell must pass."""

    name: str
    type: Type
    subject: Variable
    tests: tuple[Test, ...]
    where: CellRef
    written: str
    names: tuple[tuple[int | Decimal, Label], ...] = ()
    """Numbers that people call something: a record may say the name instead."""

    @property
    def number_names(self) -> dict[int | Decimal, tuple[str, ...]]:
        """By number, the other ways to write it; numbers without names are left out."""
        return {number: label.written[1:] for number, label in self.names}


@dataclass(frozen=True, slots=True)
class Allowed:
    """The same, for one field."""

    subject: Variable
    tests: tuple[Test, ...]
    written: str


@dataclass(frozen=True, slots=True)
class Field:
    """`computed` fields are worked out when read and never come from a log. `default` is None where
    a record may lack the field only if its type has `?`. `fixed` fields are given by the place a
    record stands in; the input's fields say which."""

    name: str
    type: Type
    where: CellRef
    default: Expression | None = None
    computed: Expression | None = None
    allowed: Allowed | None = None
    words: Words = ()
    help: Words = ()


@dataclass(frozen=True, slots=True)
class Record:
    """`this` is what computed fields read: the record itself."""

    name: str
    fields: tuple[Field, ...]
    this: Variable
    where: Location
    heading: Heading | None = None
    readable_by: tuple[str, ...] = ()

    @property
    def stored(self) -> tuple[Field, ...]:
        """The fields that a log, or a row of data, may give."""
        return tuple(field for field in self.fields if field.computed is None)


@dataclass(frozen=True, slots=True)
class Fixed:
    """`solo | city | fixed: who: solo`: in a record that stands at `input`, `field` is `value`."""

    input: str
    field: str
    value: Expression


@dataclass(frozen=True, slots=True)
class Input:
    """The turn's state. `state` is the record with all its fields (of all `Input:` tables)."""

    headings: tuple[Heading, ...]
    state: Record
    fixed: tuple[Fixed, ...] = ()


@dataclass(frozen=True, slots=True)
class Data:
    """A data table without key: a constant list of records, read by the table's name."""

    heading: Heading
    record: str
    rows: tuple[Row, ...]
