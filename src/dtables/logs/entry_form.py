"""The workbook in which turns are written down by hand: its sheets, columns, help and drop-downs, from the
input that a ruleset declares.

Turns stand on one sheet, a row each; every list has a sheet of its own, a row for each item.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from dtables.contract import Contract, FieldContract, contract_of
from dtables.feel.types import (
    BooleanType,
    ListType,
    MapType,
    NumberType,
    RecordType,
    Type,
    VocabularyType,
    describe,
    without_null,
)
from dtables.files import whole_file
from dtables.logs.columns import bare
from dtables.logs.excel import NAMES, TURNS
from dtables.model.tables import Ruleset
from dtables.spreadsheet.writer import CellFormat, Form, FormColumn, FormSheet, write_form

LONGEST_TITLE = 31
DEEPEST = 6
MOST_KEYS = 120
ASKS, YES_NO = "ask", "true or false"
_FORBIDDEN = str.maketrans("[]:*?/\\", "_______")


@dataclass(frozen=True, slots=True)
class FormWords:
    """The words of a form in one language; `{sheet}` stands for the name of a sheet."""

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
    """Write a workbook in which people record turns of this ruleset; an existing file is replaced."""
    with whole_file(path) as file:
        write_form(file, recording_form(model, language))


def recording_form(model: Ruleset, language: str) -> Form:
    """Lay out a form for a ruleset's turns: the asks, the state, moves, and a sheet for each list."""
    return _Recording(contract_of(model, language)).form()


@dataclass
class _Recording:
    """Gathers the sheets of lists and the drop-downs while the columns are made."""

    contract: Contract
    lists: dict[str, tuple[object, ...]] = field(default_factory=dict)
    sheets: list[FormSheet] = field(default_factory=list)

    def form(self) -> Form:
        turns = FormSheet(TURNS, (*self._own(), *self._state(), *self._played()))
        return Form((turns, *self.sheets), tuple(self.lists.items()))

    @property
    def words(self) -> FormWords:
        return FORM_WORDS.get(self.contract.language, FORM_WORDS["en"])

    def _own(self) -> Iterator[FormColumn]:
        self.lists[ASKS] = tuple(ask.name for ask in self.contract.asks)
        yield FormColumn("turn", "turn", self.words.turn, CellFormat.ANYTHING)
        yield FormColumn("game", "game", self.words.game, CellFormat.TEXT)
        yield FormColumn("ask", "ask", self.words.ask, CellFormat.TEXT, ASKS)

    def _state(self) -> Iterator[FormColumn]:
        for one in self.contract.state:
            yield from self._columns(one.path, one.type, one.title, one.help, 0)

    def _played(self) -> Iterator[FormColumn]:
        """The main ask's fields; a column for another's may be added by hand."""
        main = next((ask for ask in self.contract.asks if ask.main), None)
        for one in main.answers if main is not None else ():
            yield self._column(f"played.{one.name}", one.type, one.title, self.words.played)

    # -- columns -------------------------------------------------------------------------------

    def _columns(self, head: str, of: Type, title: str, told: str, depth: int) -> Iterator[FormColumn]:
        """The fields of a record and the names of a map get columns of their own."""
        match bare(of):
            case RecordType(name=name) if depth < DEEPEST:
                for one in self._open_fields(head, name):
                    yield from self._columns(f"{head}.{one.path}", one.type, one.title, one.help, depth + 1)
            case MapType(key=key, value=value) if len(names := self.contract.choices(key.name)) <= MOST_KEYS:
                for choice in names:
                    entry = f"{title}: {choice.typed}"
                    yield from self._columns(f"{head}.{choice.value}", value, entry, told, depth + 1)
            case ListType(item=item):
                yield self._list(head, item, title, told, depth)
            case _:
                yield self._column(head, of, title, told)

    def _open_fields(self, head: str, record: str) -> Iterator[FieldContract]:
        """A record's fields, but for those that its place gives it: no log may say them."""
        fields = self.contract.record(record)
        return (field for field in fields if (head, field.path) not in self.contract.given_by_place)

    def _list(self, head: str, item: Type, title: str, told: str, depth: int) -> FormColumn:
        sheet = self._sheet_title(head)
        turn = self.words.turn_of.format(sheet=TURNS)
        own = (
            FormColumn("turn", "turn", turn, CellFormat.ANYTHING),
            FormColumn("game", "game", self.words.game, CellFormat.TEXT),
        )
        columns = tuple(self._item(head, item, title, told, depth))
        self.sheets.append(FormSheet(sheet, (*own, *columns)))
        return FormColumn(
            head, title, f"{told} {self.words.none.format(sheet=sheet)}".strip(), CellFormat.TEXT
        )

    def _item(self, head: str, item: Type, title: str, told: str, depth: int) -> Iterator[FormColumn]:
        """A list inside an item is JSON in its cell."""
        match bare(item):
            case RecordType(name=name) if depth < DEEPEST:
                for one in self._open_fields(head, name):
                    yield self._column(f"{head}.{one.path}", one.type, one.title, one.help)
            case _:
                yield self._column(head, item, title, f"{told} {self.words.items}".strip())

    def _column(self, head: str, of: Type, title: str, told: str) -> FormColumn:
        told = f"{told} ({self._kind(of)})".strip()
        match bare(of):
            case VocabularyType() as vocabulary:
                return FormColumn(head, title, told, CellFormat.TEXT, self._choices(vocabulary))
            case BooleanType():
                self.lists[YES_NO] = (True, False)
                return FormColumn(head, title, told, CellFormat.ANYTHING, YES_NO)
            case NumberType(whole=whole):
                named = self._named_numbers(of)
                holds = CellFormat.WHOLE if whole else CellFormat.NUMBER
                return FormColumn(head, title, told, CellFormat.ANYTHING if named else holds, named)
            case ListType() | MapType() | RecordType():
                return FormColumn(head, title, f"{told} {self.words.json}", CellFormat.TEXT)
            case _:
                return FormColumn(head, title, told, CellFormat.TEXT)

    # -- words ---------------------------------------------------------------------------------

    def _kind(self, of: Type) -> str:
        """What may stand there; every cell may be blank. `years: whole number [0..120]`"""
        rule = self.contract.rule(of)
        if rule is None:
            return describe(without_null(of))
        return f"{rule.name}: {describe(rule.type)} {rule.allowed}"

    def _named_numbers(self, of: Type) -> str | None:
        """Numbers that have names: either may be chosen."""
        rule = self.contract.rule(of)
        if rule is None or not rule.choices:
            return None
        said = tuple(choice.typed for choice in rule.choices)
        self.lists[rule.name] = (*said, *(choice.value for choice in rule.choices))
        return rule.name

    def _choices(self, of: VocabularyType) -> str:
        if of.name not in self.lists:
            self.lists[of.name] = tuple(choice.typed for choice in self.contract.choices(of.name))
        return of.name

    def _sheet_title(self, head: str) -> str:
        """Titles are short, and none may stand twice in either case."""
        used = {TURNS, NAMES, *(sheet.title.casefold() for sheet in self.sheets)}
        return next(title for title in _titles(head.translate(_FORBIDDEN)) if title.casefold() not in used)


def _titles(head: str) -> Iterator[str]:
    yield head[:LONGEST_TITLE]
    for number in range(2, 1_000):
        yield f"{head[: LONGEST_TITLE - 4]} {number}"
