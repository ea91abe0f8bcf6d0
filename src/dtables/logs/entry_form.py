"""The workbook in which turns are written down by hand: its sheets, columns, help and drop-downs, from the
input that a ruleset declares.

Turns stand on one sheet, a row each; every list has a sheet of its own, a row for each item.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from dtables.feel.names import Spellings
from dtables.feel.types import (
    BooleanType,
    ListType,
    MapType,
    NumberType,
    RecordType,
    RestrictedType,
    Type,
    VocabularyType,
    describe,
    without_null,
)
from dtables.files import whole_file
from dtables.logs.columns import bare, record_fields
from dtables.logs.excel import NAMES, TURNS
from dtables.model.tables import AnswerField, Field, Ruleset, Words
from dtables.spreadsheet.writer import Form, FormColumn, FormSheet, Holds, write_form
from dtables.wording.labels import Labels, labels_of

LONGEST_TITLE = 31
DEEPEST = 6
MOST_KEYS = 120
ASKS, YES_NO = "ask", "true or false"
_FORBIDDEN = str.maketrans("[]:*?/\\", "_______")


@dataclass(frozen=True, slots=True)
class FormWords:
    turn: str
    game: str
    ask: str
    none: str
    items: str
    json: str
    played: str
    turn_of: str


FORM_WORDS = {
    "en": FormWords(
        turn="A number or a name, used once.",
        game="Which game, where turns of several are recorded.",
        ask="What is asked. Empty: the main question.",
        none="Write [] if there are none; items go to sheet {sheet}, one in a row.",
        items="One in a row, each with its turn.",
        json="As JSON.",
        played="What was really done, if it is to be compared.",
        turn_of="The turn of sheet {sheet} that this belongs to.",
    ),
    "it": FormWords(
        turn="Un numero o un nome, usato una volta sola.",
        game="Quale partita, se se ne registrano diverse.",
        ask="Che cosa si chiede. Vuoto: la domanda principale.",
        none="Scrivi [] se non ce ne sono; le voci vanno nel foglio {sheet}, una per riga.",
        items="Una per riga, ciascuna con il suo turno.",
        json="In JSON.",
        played="Che cosa è stato fatto davvero, se va confrontato.",
        turn_of="Il turno del foglio {sheet} a cui questa riga appartiene.",
    ),
}


def write_recording(model: Ruleset, path: Path, language: str) -> None:
    with whole_file(path) as file:
        write_form(file, recording_form(model, language))


def recording_form(model: Ruleset, language: str) -> Form:
    return _Recording(model, language).form()


@dataclass
class _Recording:
    """Gathers the sheets of lists and the drop-downs while the columns are made."""

    model: Ruleset
    language: str
    lists: dict[str, tuple[object, ...]] = field(default_factory=dict)
    sheets: list[FormSheet] = field(default_factory=list)

    def form(self) -> Form:
        turns = FormSheet(TURNS, (*self._own(), *self._state(), *self._played()))
        return Form((turns, *self.sheets), tuple(self.lists.items()))

    @property
    def labels(self) -> Labels:
        return labels_of(self.model, self.language)

    @property
    def words(self) -> FormWords:
        return FORM_WORDS.get(self.language, FORM_WORDS["en"])

    def _own(self) -> Iterator[FormColumn]:
        asks = tuple(ask.heading.name for ask in self.model.asks if not ask.parameters)
        self.lists[ASKS] = asks
        yield FormColumn("turn", "turn", self.words.turn, Holds.ANYTHING)
        yield FormColumn("game", "game", self.words.game, Holds.TEXT)
        yield FormColumn("ask", "ask", self.words.ask, Holds.TEXT, ASKS)

    def _state(self) -> Iterator[FormColumn]:
        for one in self.model.input.state.fields:
            if one.computed is None:
                yield from self._columns(one.name, one.type, self._title(one), self._help(one), 0)

    def _played(self) -> Iterator[FormColumn]:
        """The main ask's fields; a column for another's may be added by hand."""
        main = next((ask for ask in self.model.asks if ask.main), None)
        for row in main.rows if main is not None else ():
            if isinstance(row, AnswerField):
                title = self._said(row.words, row.name)
                yield self._column(f"played.{row.name}", row.value.type, title, self.words.played)

    # -- columns -------------------------------------------------------------------------------

    def _columns(self, head: str, of: Type, title: str, told: str, depth: int) -> Iterator[FormColumn]:
        """The fields of a record and the names of a map get columns of their own."""
        match bare(of):
            case RecordType(name=name) if depth < DEEPEST:
                for part, below in self._told(head, name):
                    yield from self._columns(f"{head}.{part}", below, *self._of_field(name, part), depth + 1)
            case MapType(key=key, value=value) if len(self._names(key)) <= MOST_KEYS:
                for id, label in self._names(key):
                    yield from self._columns(f"{head}.{id}", value, f"{title}: {label}", told, depth + 1)
            case ListType(item=item):
                yield self._list(head, item, title, told, depth)
            case _:
                yield self._column(head, of, title, told)

    def _told(self, head: str, record: str) -> Iterator[tuple[str, Type]]:
        """A record's fields, but for those that its place gives it: no log may say them."""
        fixed = {one.field for one in self.model.input.fixed if one.input == head}
        fields = record_fields(self.model, record)
        return ((part, below) for part, below in fields.items() if part not in fixed)

    def _list(self, head: str, item: Type, title: str, told: str, depth: int) -> FormColumn:
        sheet = self._sheet_title(head)
        turn = self.words.turn_of.format(sheet=TURNS)
        own = (
            FormColumn("turn", "turn", turn, Holds.ANYTHING),
            FormColumn("game", "game", self.words.game, Holds.TEXT),
        )
        columns = tuple(self._item(head, item, title, told, depth))
        self.sheets.append(FormSheet(sheet, (*own, *columns)))
        return FormColumn(head, title, f"{told} {self.words.none.format(sheet=sheet)}".strip(), Holds.TEXT)

    def _item(self, head: str, item: Type, title: str, told: str, depth: int) -> Iterator[FormColumn]:
        """A list inside an item is JSON in its cell."""
        match bare(item):
            case RecordType(name=name) if depth < DEEPEST:
                for part, below in self._told(head, name):
                    yield self._column(f"{head}.{part}", below, *self._of_field(name, part))
            case _:
                yield self._column(head, item, title, f"{told} {self.words.items}".strip())

    def _column(self, head: str, of: Type, title: str, told: str) -> FormColumn:
        told = f"{told} ({self._kind(of)})".strip()
        match bare(of):
            case VocabularyType() as vocabulary:
                return FormColumn(head, title, told, Holds.TEXT, self._choices(vocabulary))
            case BooleanType():
                self.lists[YES_NO] = (True, False)
                return FormColumn(head, title, told, Holds.ANYTHING, YES_NO)
            case NumberType(whole=whole):
                named = self._named_numbers(of)
                holds = Holds.WHOLE if whole else Holds.NUMBER
                return FormColumn(head, title, told, Holds.ANYTHING if named else holds, named)
            case ListType() | MapType() | RecordType():
                return FormColumn(head, title, f"{told} {self.words.json}", Holds.TEXT)
            case _:
                return FormColumn(head, title, told, Holds.TEXT)

    # -- words ---------------------------------------------------------------------------------

    def _kind(self, of: Type) -> str:
        """What may stand there; every cell may be blank. `years: whole number [0..120]`"""
        inner = without_null(of)
        name = inner.name if isinstance(inner, RestrictedType) else None
        rule = next((r for r in self.model.restrictions if r.name == name), None)
        return describe(inner) if rule is None else f"{rule.name}: {describe(rule.type)} {rule.written}"

    def _named_numbers(self, of: Type) -> str | None:
        """Numbers that have names: either may be chosen."""
        inner = without_null(of)
        wanted = inner.name if isinstance(inner, RestrictedType) else None
        rule = next((r for r in self.model.restrictions if r.names and r.name == wanted), None)
        if rule is None:
            return None
        said = tuple(self._said(label.words, label.id) for _, label in rule.names)
        self.lists[rule.name] = (*said, *(number for number, _ in rule.names))
        return rule.name

    def _choices(self, of: VocabularyType) -> str:
        if of.name not in self.lists:
            self.lists[of.name] = tuple(label for _, label in self._names(of))
        return of.name

    def _names(self, of: VocabularyType) -> tuple[tuple[str, str], ...]:
        """Ids and labels; the id where a label would name two, or a record must spell ids."""
        vocabulary = next((v for v in self.model.vocabularies if v.name == of.name), None)
        if vocabulary is None:
            return ()
        said = {label.id: self._said(label.words, label.id) for label in vocabulary.names}
        spellings = Spellings(vocabulary.written, vocabulary.exact)
        return tuple((id_, text if spellings.meant(text) == (id_,) else id_) for id_, text in said.items())

    def _title(self, one: Field) -> str:
        return self.labels.words(one.words) or self.labels.term(one.name)

    def _help(self, one: Field) -> str:
        return self._said(one.help, "")

    def _of_field(self, record: str, name: str) -> tuple[str, str]:
        found = (f for r in self.model.records if r.name == record for f in r.fields if f.name == name)
        one = next(found, None)
        return (name, "") if one is None else (self._title(one), self._help(one))

    def _said(self, words: Words, fallback: str) -> str:
        return self.labels.words(words, fallback)

    def _sheet_title(self, head: str) -> str:
        """Titles are short, and none may stand twice in either case."""
        used = {TURNS, NAMES, *(sheet.title.casefold() for sheet in self.sheets)}
        return next(title for title in _titles(head.translate(_FORBIDDEN)) if title.casefold() not in used)


def _titles(head: str) -> Iterator[str]:
    yield head[:LONGEST_TITLE]
    for number in range(2, 1_000):
        yield f"{head[: LONGEST_TITLE - 4]} {number}"
