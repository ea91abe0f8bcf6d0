"""A small workbook's symbols for tests of single cells, and the cell's check: text in, text out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dtables.checker.expressions.lower import lower_expression, lower_list, lower_tests
from dtables.checker.expressions.nulls import assuming, present_if_passed
from dtables.checker.expressions.types import lower_type
from dtables.checker.report import Sink, Text
from dtables.checker.symbols import FieldSymbol, FunctionSymbol, Local, Numbers, RecordSymbol, Scope, Symbols
from dtables.diagnostics import Diagnostic, Severity, in_order
from dtables.feel.syntax.parser import Dialect
from dtables.feel.types import (
    ANY,
    BOOLEAN,
    NUMBER,
    TEXT,
    WHOLE,
    ListType,
    MapType,
    RecordType,
    RestrictedType,
    Type,
    VocabularyType,
    describe,
    optional,
)
from dtables.model.expressions import Constant, Expression
from dtables.model.vocabularies import Label, Vocabulary
from dtables.provenance import CellRef, Location
from dtables.workbook.tables import Cell, Word
from tests.support.model_text import model_text, tests_text

HERE = CellRef("book.xlsx", "Rules", 2, 3)
THERE = CellRef("book.xlsx", "Words", 5, 1)


def vocabulary(name: str, *ids: str, root: str | None = None, record: str | None = None) -> Vocabulary:
    """`red=rosso/rot` has the label rosso and the further spelling rot."""
    return Vocabulary(name, root or name, tuple(_label(i) for i in ids), Location(THERE), record)


def _label(written: str) -> Label:
    id_, _, labels = written.partition("=")
    words = [w for w in labels.split("/") if w]
    return Label(id_, tuple(("it", w) for w in words[:1]), tuple(words[1:]), THERE)


COLOUR = VocabularyType("colour", "colour")
CARD = VocabularyType("card", "card")
RESOURCE = VocabularyType("resource", "resource")
DEITY = VocabularyType("deity", "deity")
GOD = VocabularyType("god", "deity")
SIDE = VocabularyType("side", "side")
ACTION = VocabularyType("action", "action")
MODE = VocabularyType("switch MODE", "switch MODE")
COST, CITY, PLACE, MOVE = (RecordType(n) for n in ("cost", "city", "place", "move"))
AGE = RestrictedType("age", NUMBER)

VOCABULARIES = (
    vocabulary("colour", "red=rosso/rot", "green=verde", "blue=blu"),
    vocabulary("card", "forum=Foro", "mine=Miniera", "temple=Tempio", record="card"),
    vocabulary("resource", "wood", "clay", record="resource"),
    vocabulary("deity", "gate", "mars", "isis", record="deity"),
    vocabulary("god", "mars", "isis", root="deity", record="deity"),
    vocabulary("side", "solo", "player"),
    vocabulary("action", "wonder", "card", "pass"),
    vocabulary("switch MODE", "YES", "NO"),
    vocabulary("level", "1", "2", "base"),
    vocabulary("twins", "a=same", "b=same"),
)


def field(name: str, type_: Type, default: object = None, computed: bool = False) -> FieldSymbol:
    if default is None:
        return FieldSymbol(name, type_, THERE, computed)
    constant = Constant(default, type=type_, where=Location(THERE))
    return FieldSymbol(name, type_, THERE, computed, has_default=True, default=constant)


def record(name: str, *fields: FieldSymbol, readable_by: tuple[str, ...] = ()) -> RecordSymbol:
    return RecordSymbol(name, {f.name: f for f in fields}, readable_by)


RECORDS = (
    record(
        "cost", field("coins", NUMBER, 0), field("wood", NUMBER, 0), field("clay", NUMBER, 0),
        readable_by=("resource",),
    ),
    record(
        "card", field("age", AGE), field("colour", COLOUR), field("cost", COST), field("points", WHOLE, 0),
        field("symbol", optional(COLOUR)), field("makes", COST), field("free", BOOLEAN, computed=True),
        field("counted", optional(NUMBER)),
    ),
    record("resource", field("kind", TEXT)),
    record("deity", field("shields", WHOLE, 0), field("patron", optional(DEITY))),
    record(
        "city", field("who", SIDE), field("coins", optional(NUMBER)), field("cards", ListType(CARD), 0),
        field("best", ListType(COLOUR), computed=True),
    ),
    record(
        "place", field("row", WHOLE), field("card", optional(CARD)), field("open", BOOLEAN, computed=True)
    ),
    record("move", field("action", ACTION), field("place", optional(PLACE)), field("card", optional(CARD))),
)  # fmt: skip

INPUTS = (
    field("age", AGE), field("conflict", WHOLE), field("colour", COLOUR), field("god", DEITY),
    field("solo", CITY, 0), field("player", CITY, 0), field("structure", ListType(PLACE), 0),
    field("name", TEXT), field("drawn card", CARD), field("deck", MapType(COLOUR, ListType(CARD)), 0),
    field("offer", ListType(CARD)), field("wonder", COLOUR), field("numbers", ListType(NUMBER), 0),
    field("level", VocabularyType("level", "level"), 0),
)  # fmt: skip


def function(kind: str, name: str, result: Type, *parameters: tuple[str, Type]) -> FunctionSymbol:
    return FunctionSymbol(kind, name, parameters, result, Location(THERE))


FUNCTIONS = (
    function("formula", "pay", NUMBER, ("c", CARD), ("buyer", CITY)),
    function("formula", "top", RESOURCE),
    function("formula", "maybe", optional(NUMBER), ("c", CARD)),
    function("formula", "price", COST),
    function("formula", "order", ListType(COLOUR)),
    function("formula", "likes", BOOLEAN, ("g", GOD)),
    function("formula", "rounds", NUMBER, ("n", WHOLE)),
    function("formula", "best of", optional(CARD), ("cards", ListType(CARD))),
    function("scale", "choice", optional(PLACE), ("candidates", ListType(PLACE))),
    function("ask", "house", ANY, ("c", CARD)),
    function("decision", "broken", ListType(PLACE)),
)


def small_world(dialect: Dialect = Dialect.WORKBOOK) -> Symbols:
    return Symbols(
        vocabularies={v.name: v for v in VOCABULARIES},
        restrictions={"age": AGE},
        records={r.name: r for r in RECORDS},
        record_of={"card": "card", "resource": "resource", "deity": "deity", "god": "deity"},
        inputs={f.name: f for f in INPUTS},
        functions={f.name: f for f in FUNCTIONS},
        switches={"MODE": MODE},
        data={"bonus": "move"},
        dialect=dialect,
    )


WORLD = small_world()


def scope(symbols: Symbols = WORLD, **types: Type) -> Scope:
    """With locals of these types."""
    numbers = Numbers()
    return Scope(symbols, numbers, {n: Local(numbers.variable(n, t)) for n, t in types.items()})


def among(item: Type, outer: Scope | None = None) -> Scope:
    """Where the fields of a candidate are read bare."""
    outside = outer or scope()
    return outside.with_item(outside.numbers.variable("item", item))


def cell(text: str) -> Cell:
    return Cell(HERE, text or None, text, text)


def standard_scope(**types: Type) -> Scope:
    """As in the standard's models: nothing is known before they run."""
    return scope(Symbols(dialect=Dialect.STANDARD), **types)


def scope_of(vocabularies: Iterable[Vocabulary], inputs: Mapping[str, Type]) -> Scope:
    """Of a world with these alone."""
    fields = {name: field(name, type_) for name, type_ in inputs.items()}
    return scope(Symbols(vocabularies={v.name: v for v in vocabularies}, inputs=fields))


def with_step(outside: Scope, name: str, result: Type, *parameters: Type) -> Scope:
    return outside.with_local(Local(outside.numbers.variable(name, result), parameters))


def lowered(
    text: str, wanted: Type | None = None, inside: Scope | None = None
) -> tuple[Expression, tuple[Diagnostic, ...]]:
    """The checked expression, and all that is said of it."""
    sink = Sink()
    return lower_expression(Text.of(cell(text)), inside or scope(), sink, wanted), sink.diagnostics


def lowered_word(word: Word, whole: Cell, wanted: Type) -> tuple[Diagnostic, ...]:
    """What is said of a word of a cell, which is read by itself."""
    sink = Sink()
    lower_expression(Text.of_word(word, whole), scope(), sink, wanted)
    return sink.diagnostics


def lowered_tests(text: str, subject: Type, inside: Scope) -> tuple[Diagnostic, ...]:
    sink = Sink()
    lower_tests(Text.of(cell(text)), inside.numbers.variable("tested", subject), inside, sink)
    return sink.diagnostics


def lowered_list(text: str, item: Type, inside: Scope) -> tuple[Diagnostic, ...]:
    sink = Sink()
    lower_list(Text.of(cell(text)), item, inside, sink)
    return sink.diagnostics


def after(column: str, test: str, inside: Scope) -> Scope:
    """Where the condition of this column has passed."""
    sink = Sink()
    value = lower_expression(Text.of(cell(column)), inside, sink, None)
    tests = lower_tests(Text.of(cell(test)), inside.numbers.variable(column, value.type), inside, sink)
    return assuming(inside, present_if_passed(value, tests))


def check_cell(text: str, wanted: Type | None = None, inside: Scope | None = None) -> str:
    """The checked expression and its type; where something is wrong, what."""
    sink = Sink()
    value = lower_expression(Text.of(cell(text)), inside or scope(), sink, wanted)
    return told(sink, f"{model_text(value)} : {describe(value.type)}")


def check_tests(text: str, subject: Type, inside: Scope | None = None) -> str:
    sink, outer = Sink(), inside or scope()
    found = lower_tests(Text.of(cell(text)), outer.numbers.variable("tested", subject), outer, sink)
    return told(sink, tests_text(found))


def check_list(text: str, item: Type, inside: Scope | None = None) -> str:
    sink = Sink()
    value = lower_list(Text.of(cell(text)), item, inside or scope(), sink)
    return told(sink, f"{model_text(value)} : {describe(value.type)}")


def check_type(text: str) -> str:
    sink = Sink()
    return told(sink, describe(lower_type(Text.of(cell(text)), WORLD, sink)))


def told(sink: Sink, result: str) -> str:
    """Errors instead of the result, warnings after it; notes are left out."""
    found = [d for d in in_order(sink.diagnostics) if d.severity is not Severity.NOTE]
    if any(d.severity is Severity.ERROR for d in found):
        return "\n".join(_line(d) for d in found)
    return "\n".join([result, *(_line(d) for d in found)])


def _line(d: Diagnostic) -> str:
    assert d.typed is not None and d.where.span is not None
    meant = d.typed[d.where.span.start : d.where.span.end]
    hint = f" ({d.hint})" if d.hint else ""
    return f"{d.severity}[{d.code}] at {meant}: {d.message}{hint}"
