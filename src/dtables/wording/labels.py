"""The workbook's own labels, in one language: names, fields, tables, steps, cells."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property

from dtables.feel.types import ContextType, ListType, MapType, Type, plain, vocabulary_of
from dtables.model.expressions import AskAnswer, Conditional, Expression, For, Guard, NameOf, Variable
from dtables.model.index import Index
from dtables.model.tables import (
    Decision,
    Dice,
    Draw,
    Field,
    Formula,
    Heading,
    Matrix,
    Ruleset,
    Scale,
    Step,
    Words,
)
from dtables.model.vocabularies import ENGLISH, STARRED, in_language, names_in
from dtables.provenance import CellRef, quoted_sheet
from dtables.wording.grammar import proper_words
from dtables.wording.phrases import ICONS, Phrases, phrases_in

MOST_KEPT = 20_000
MOST_BOOKS = 16

_DIGITS = re.compile("[0-9]+")
_LOOSE = re.compile(r"[\s:]+([.,;?!)])|\s+(?=:)")
_CODE = re.compile(r"(?P<before>\s*)(?:→\s*)?\{(?P<code>[^{}]*)\}")
_PATH = re.compile(r"[\w ]+(\.[\w ]+)+")
_EXPLAINED = re.compile(r"\s*[,(]")


class Labels:
    """Made once for a workbook and a language. Labels are remembered, within bounds: a record may
    bring any name along."""

    def __init__(self, ruleset: Ruleset, language: str, *, switches_by_phrase: bool = False) -> None:
        """Values of switches are written as they are spelled: their wordings are whole phrases, for pages."""
        self.ruleset = ruleset
        self.language = language
        self.phrases: Phrases = phrases_in(language)
        self.index = Index(ruleset)
        switches = self.index.switches.values()
        self._spelled = frozenset() if switches_by_phrase else frozenset(r.values.name for r, _ in switches)
        self._glossary = {term.id: term.words for term in ruleset.terms}
        self._known: dict[tuple[str, ...], str] = {}
        self._cells: dict[CellRef, str] = {}
        self._worded: dict[Words, str] = {}
        self.within: dict[str, str] = {}
        """Labels as they stand within a sentence, for whoever says sentences."""

    def words(self, words: Words, otherwise: str = "") -> str:
        """What stands in the workbook, else what is handed in. Stars that make a word bold on a page are no
        part of it."""
        known = self._worded.get(words)
        if known is None:
            known = self._plain(in_language(words, self.language))
            if len(self._worded) < MOST_KEPT:
                self._worded[words] = known
        return known or self._plain(otherwise)

    def _plain(self, text: str) -> str:
        """Without what is for pages: stars, arrows to tables; icons and badges by what they are called."""
        text = STARRED.sub(r"\1", text) if "*" in text else text
        return (
            _LOOSE.sub(lambda end: end.group(1) or "", _CODE.sub(self._code_in_words, text)).strip()
            if "{" in text
            else text
        )

    def _code_in_words(self, code: re.Match[str]) -> str:
        """What stands in braces, in words. `{1}` only points, and an icon alone stands beside its word; what
        means nothing on a page stays."""
        name = code.group("code").strip()
        if _DIGITS.fullmatch(name):
            return ""
        if name in ICONS:
            return ""
        said = self._sign(name)
        return f"{code.group('before')}{said}" if said else code.group()

    def _sign(self, name: str) -> str:
        icon, _, of = name.partition(" ")
        if name in self._titles:
            return f"→ {self.words(self._titles[name]) or self.as_read(name)}"
        if icon in ICONS:
            return self.phrases.icon(icon, of, self.in_glossary(icon))
        found = [self._badges.get(part.strip().casefold()) for part in name.split("/")]
        known = [self.name(*one) for one in found if one is not None]
        return self.phrases.joined("or", *known) if len(known) == len(found) else ""

    @cached_property
    def _titles(self) -> dict[str, Words]:
        return {heading.name: heading.title for heading in self.ruleset.headings}

    @cached_property
    def _badges(self) -> dict[str, tuple[str, str]]:
        """Names by every way in which they are written, alone and with their vocabulary before them."""
        return {
            form.casefold(): (vocabulary.name, label.id)
            for vocabulary in reversed(self.ruleset.vocabularies)
            for label in vocabulary.names
            for spelling in label.written
            if spelling
            for form in (spelling, f"{vocabulary.name}.{spelling}")
        }

    def as_read(self, name: str) -> str:
        """A name that nothing else is known of. A switch must be spelled as it is; in no language every name
        is, for programs."""
        return spaced(name) if self.language and name not in self.index.switches else name

    # -- names of vocabularies -----------------------------------------------------------------

    def name(self, vocabulary: str, id: str) -> str:
        """Return a name's label; an id is for machines. The value of a switch as it is spelled."""
        return self._names.get((vocabulary, id)) or (id if vocabulary in self._spelled else self.as_read(id))

    def is_worded(self, vocabulary: str, id: str) -> bool:
        """Whether it is called something."""
        return (vocabulary, id) in self._names

    @cached_property
    def _names(self) -> dict[tuple[str, str], str]:
        named = (v for v in self.ruleset.vocabularies if v.name not in self._spelled)
        return {key: self.words((), text) for key, text in names_in(named, self.language).items()}

    def vocabulary(self, name: str) -> str:
        """Return what a vocabulary is called by its own label, else by the glossary, else by its name."""
        found = self.index.vocabularies.get(name)
        return (self.words(found.words) if found else "") or self.term(name)

    # -- the glossary --------------------------------------------------------------------------

    def term(self, name: str) -> str:
        """What the glossary calls it, or the name as it is."""
        return self.in_glossary(name) or self.as_read(name)

    def in_glossary(self, name: str) -> str:
        """Return what the glossary calls a word; "" where it does not have it."""
        return self.words(self._glossary.get(name, ()))

    def anything(self, name: str) -> str:
        """A field, a table or a step of which only the name is known; of a path its last field."""
        return self._remembered(self._anything, name)

    def _anything(self, name: str) -> str:
        last = name.rpartition(".")[2]
        if not self._called(name) and _PATH.fullmatch(name) and self._called(last):
            name = last
        return self.words(self._called(name)) or self.as_read(name)

    def _called(self, name: str) -> Words:
        """Of two fields of one name the state's label counts, before all the glossary's."""
        return (
            self._glossary.get(name)
            or _words_of(self.index.inputs.get(name))
            or self._fields_by_name.get(name, ())
        )

    @cached_property
    def _fields_by_name(self) -> dict[str, Words]:
        fields = (field for record in self.ruleset.records for field in record.fields)
        return {field.name: field.words for field in fields if field.words}

    def row(self, name: str, words: Words) -> str:
        """A row that has a name: a step, a draw, a field of an answer."""
        return self.words(words) or self.anything(name)

    # -- fields and tables ---------------------------------------------------------------------

    def field(self, record: str, name: str) -> str:
        """Return what a record's field is called by its own label, else by the glossary's."""
        return self.words(_words_of(self.index.field(record, name))) or self.term(name)

    def field_of(self, owner: Type, name: str) -> str:
        """Return what a field is called of whatever records a value of the type holds."""
        return self.field(self.record_of(owner), name)

    def record_of(self, type_: Type) -> str:
        """Return the record type of the values in a type, also in lists and maps; "" where there is none."""
        match plain(type_):
            case ListType(item=item) | MapType(value=item):
                return self.record_of(item)
            case _:
                return self.index.record_of(type_)

    def input(self, name: str) -> str:
        """Return what an input field is called by its own label, else by the glossary, else by its name."""
        return self.words(_words_of(self.index.inputs.get(name))) or self.term(name)

    def has_field(self, owner: Type, name: str) -> bool:
        """Say whether a field is called something in this very language."""
        own = _words_of(self.index.field(self.record_of(owner), name))
        return self._speaks(own) or self._speaks(self._glossary.get(name, ()))

    def has_input(self, name: str) -> bool:
        """Say whether an input field is called something in this very language."""
        return self._speaks(_words_of(self.index.inputs.get(name))) or self._speaks(
            self._glossary.get(name, ())
        )

    def _speaks(self, words: Words) -> bool:
        return not {self.language, ""}.isdisjoint(dict(words))

    def entry(self, cell: CellRef) -> str:
        """Return how the row of a matrix words the entry that stands in a cell, or what the row of a table of
        dice is numbered."""
        return self._entries.get(cell, "")

    @cached_property
    def _entries(self) -> dict[CellRef, str]:
        found: dict[CellRef, str] = {}
        for table in self.ruleset.tables:
            match table:
                case Matrix(entries=entries):
                    worded = (entry for entry in entries if entry.words)
                    found |= {cell: self.words(entry.words) for entry in worded for cell in entry.cells}
                case Dice(entries=totals):
                    found |= {entry.cell: entry.number for entry in totals if entry.number}
                case _:
                    pass
        return found

    def heading(self, heading: Heading) -> str:
        """Return what a table is called by its title, else as `anything` of that name."""
        return self.words(heading.title) or self.anything(heading.name)

    def is_table(self, name: str) -> bool:
        """Say whether a table that gives a value has this name."""
        return name in self.index.tables

    def table(self, name: str) -> str:
        """A formula among others has a wording, another table a title."""
        return self._remembered(self._table, name)

    def _table(self, name: str) -> str:
        table = self.index.tables.get(name)
        if table is None:
            return self.anything(name)
        own = table.words if isinstance(table, Formula) else ()
        return self.words(own or table.heading.title) or self.anything(name)

    def ask(self, name: str) -> str:
        """Return what an ask is called by its title, else as `anything` of that name."""
        titles = (ask.heading.title for ask in self.ruleset.asks if ask.heading.name == name)
        return self.words(next(titles, ())) or self.anything(name)

    def answered(self, value: Expression) -> Type:
        """Return the type of what an expression answers, that of other asks' answers field by field."""
        match value:
            case AskAnswer(ask=name):
                fields = [(row.name, self.answered(row.value)) for row in self.index.answers[name].values()]
                open_ = ContextType(tuple((name, ListType(type_)) for name, type_ in fields))
                return ContextType((*fields, ("any_of", open_)))
            case For(result=result):
                return ListType(self.answered(result))
            case Guard(operand=operand):
                return self.answered(operand)
            case Conditional(then=then, otherwise=otherwise):
                types = (self.answered(then), self.answered(otherwise))
                return next((one for one in types if isinstance(one, ListType | ContextType)), value.type)
            case _:
                return value.type

    @cached_property
    def proper(self) -> frozenset[str]:
        """The words that the workbook writes with a capital within its labels, titles and wordings."""
        names = [text for text in self._names.values() if " " not in text]
        within = (text for words in self._every_wording() if (text := self.words(words)))
        return proper_words(within) | frozenset(names)

    def _every_wording(self) -> Iterator[Words]:
        yield from self._glossary.values()
        yield from (label.words for v in self.ruleset.vocabularies for label in v.names)
        yield from (field.words for record in self.ruleset.records for field in record.fields)
        yield from (field.words for field in self.index.inputs.values())
        yield from (heading.title for heading in self.ruleset.headings)
        for table in self.ruleset.tables:
            match table:
                case Formula(words=words, steps=steps):
                    yield from (words, *(step.words for step in steps))
                case Decision(rules=rules):
                    yield from (rule.words for rule in rules)
                case Scale(criteria=criteria):
                    yield from (criterion.words for criterion in criteria)
                case _:
                    pass

    def variable(self, variable: Variable) -> str:
        """A step by its wording, a parameter by what the workbook calls it; nothing for an item or what a
        loop binds."""
        if variable.number in self._parameters:
            return self.words(self._parameter(variable))
        words = self._steps.get(variable.number)
        return "" if words is None else self.words(words) or self.anything(variable.name)

    def _parameter(self, variable: Variable) -> Words:
        """A field of records that only shares its name means something else."""
        known = self._glossary.get(variable.name) or _words_of(self.index.inputs.get(variable.name))
        alike = (
            field.words
            for record in self.ruleset.records
            for field in record.fields
            if field.name == variable.name and field.words and plain(field.type) == plain(variable.type)
        )
        return known or next(alike, ())

    @cached_property
    def _steps(self) -> dict[int, Words]:
        formulas = (
            step for table in self.ruleset.tables if isinstance(table, Formula) for step in table.steps
        )
        asked = (row for ask in self.ruleset.asks for row in ask.rows if isinstance(row, (Step, Draw)))
        return {step.variable.number: step.words for step in (*formulas, *asked)}

    @cached_property
    def _parameters(self) -> frozenset[int]:
        formulas = [table for table in self.ruleset.tables if isinstance(table, Formula)]
        steps = (step for table in formulas for step in table.steps)
        asked = (row for ask in self.ruleset.asks for row in ask.rows if isinstance(row, Step))
        called = (*self.ruleset.tables, *self.ruleset.asks, *steps, *asked)
        return frozenset(parameter.variable.number for one in called for parameter in one.parameters)

    @cached_property
    def kinds(self) -> Kinds:
        """Which record types there are and how their values are distinguished."""
        return Kinds(self.ruleset)

    # -- cells ---------------------------------------------------------------------------------

    def cell(self, cell: CellRef) -> str:
        """A cell of this workbook."""
        known = self._cells.get(cell)
        if known is None:
            known = self._cells[cell] = f"{quoted_sheet(cell.sheet)}!{cell.address}"
        return known

    def _remembered(self, say: Callable[[str], str], name: str) -> str:
        key = (say.__name__, name)
        known = self._known.get(key)
        if known is None:
            known = say(name)
            if len(self._known) < MOST_KEPT:
                self._known[key] = known
        return known


def _words_of(field: Field | None) -> Words:
    return () if field is None else field.words


class Kinds:
    """What the records of a workbook are made of, as far as it matters for what they are called."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self.fields = {r.name: {f.name: f.type for f in r.fields} for r in self._ruleset.records}

    @cached_property
    def alike(self) -> frozenset[str]:
        """The record types of data whose rows have the same names more than once."""
        found = set()
        for data in self._ruleset.data:
            types = self.fields[data.record]
            rows = [tuple(v for n, v in row.values if vocabulary_of(types[n])) for row in data.rows]
            if len(set(rows)) < len(rows):
                found.add(data.record)
        return frozenset(found)

    @cached_property
    def usual(self) -> dict[str, dict[str, str]]:
        """The names that fields hold by default."""
        return {
            record.name: {f.name: f.default.id for f in record.fields if isinstance(f.default, NameOf)}
            for record in self._ruleset.records
        }

    @cached_property
    def named_fields(self) -> dict[str, frozenset[str]]:
        """The fields that hold names, by record."""
        return {
            record: frozenset(name for name, type_ in types.items() if vocabulary_of(type_) is not None)
            for record, types in self.fields.items()
        }


def spaced(name: str) -> str:
    """A name as it is read: `big_blue_whale` is three words."""
    return name.replace("_", " ")


def shortened(name: str) -> str:
    """A name as it stands in the middle of a sentence: without what explains it."""
    return _EXPLAINED.split(name, maxsplit=1)[0] or name


def spoken_instead(ruleset: Ruleset, language: str) -> str:
    """Return the language of a workbook's words where it has none in this one; "" where it has, or where its
    words are of any language."""
    known = ruleset.languages
    if not known or language in known:
        return ""
    return ENGLISH if ENGLISH in known else known[0]


_BOOKS: dict[tuple[int, str], Labels] = {}


def labels_of(ruleset: Ruleset, language: str) -> Labels:
    """Kept for the workbooks asked for last: whoever explains one answer will explain others. Labels hold
    their workbook, so that what is kept under its identity is its own."""
    key = (id(ruleset), language)
    known = _BOOKS.pop(key, None) or Labels(ruleset, language)
    _BOOKS[key] = known
    while len(_BOOKS) > MOST_BOOKS:
        _BOOKS.pop(next(iter(_BOOKS)), None)
    return known
