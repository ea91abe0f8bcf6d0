"""Asks: a class whose objects are branches (one per outcome of the draws), and its rows as data.

Steps are worked out when a row first reads them and kept in the branch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import assert_never

from dtables.compilers.python.code import Code, Level, Module, Site, indented, literal, null_safe, place_text
from dtables.compilers.python.functions import at_cell, defined, doc, open_function
from dtables.compilers.python.identifiers import KEYWORDS, Identifiers, class_case, lower_snake
from dtables.compilers.python.records import computed_text
from dtables.feel.types import (
    BooleanType,
    DateTimeType,
    DateType,
    DaysDurationType,
    ListType,
    MapType,
    NumberType,
    TextType,
    TimeType,
    Type,
    VocabularyType,
    YearsDurationType,
    describe,
    may_be_null,
    plain,
    without_null,
)
from dtables.model.tables import WhenOpen
from dtables.program.nodes import (
    Answer,
    Ask,
    AskRow,
    Builtin,
    Conditional,
    Constant,
    Draw,
    Expression,
    MakeList,
    Need,
    Next,
    Place,
    Slot,
    Step,
    Stop,
)
from dtables.provenance import CellRef, Location
from dtables.runtime.asks import Branch

BRANCH_TAKEN = KEYWORDS.union(dir(Branch), ("turn",))


Spelling = Callable[[Expression, Code, Site, CellRef], str]


def as_it_is(_value: Expression, code: Code, _site: Site, _cell: CellRef) -> str:
    return code.whole


def as_answer(value: Expression, code: Code, site: Site, cell: CellRef) -> str:
    return plain_code(value.type, code, Leaving(site, Location(cell), is_small(value)))


def write_ask(ask: Ask, module: Module) -> Iterator[str]:
    writer = _AskWriter(ask, module)
    yield from writer.lines()


class _AskWriter:
    """Keeps the names of one ask while its rows are written in order."""

    def __init__(self, ask: Ask, module: Module) -> None:
        self.ask = ask
        self.module = module
        self.stem = lower_snake(ask.name)
        self.class_name = module.ground.names.new(f"{class_case(ask.name)}Branch")
        self.own = Identifiers(BRANCH_TAKEN)
        self.variables: dict[int, Code] = {}
        self.steps: dict[int, tuple[str, ...]] = {}
        self.computed: list[tuple[str, str]] = []
        self.functions: list[str] = []
        self.opening: list[str] = []
        self.answers: list[tuple[str, str]] = []
        self.nexts: list[tuple[str, str]] = []

    def lines(self) -> Iterator[str]:
        for parameter in self.ask.parameters:
            self._name(parameter)
        rows = [self._row(row) for row in self.ask.rows]
        branch = self.module.uses("Branch")
        yield f"class {self.class_name}({branch}):"
        yield doc("Ask", self.ask.name, self.ask.source.heading.where)
        yield from ("", "")
        yield from self.functions
        if self.computed:
            yield computed_text(self.class_name, self.computed, self.module)
        settled = self.module.ground.names.new(f"{self.stem}_settled")
        yield from defined(f"{settled}(branch)", [*self.opening, f"return {self._answered()}"], self._site())
        ask = self.module.uses("Ask")
        parameters = tuple(self.variables[slot].text.removeprefix("branch.") for slot in self.ask.parameters)
        yield f"{self.module.ground.ask_names[self.ask.name]} = {ask}("
        yield f"    {self.ask.name!r}, {self.class_name}, {parameters!r}, {settled}, ("
        yield from indented([f"{row}," for row in rows if row], 2)
        yield "    ),"
        yield ")"
        yield from ("", "")

    # -- names ---------------------------------------------------------------------------------

    def _called(self, slot: Slot) -> str:
        return self.module.ground.lowered.variables[slot].name

    def _name(self, slot: Slot) -> str:
        attribute = self.own.new(lower_snake(self._called(slot)))
        self.variables[slot] = Code(f"branch.{attribute}")
        return attribute

    def _site(self) -> Site:
        site = open_function(self.module, self.ask.name, "branch.turn")
        site.function.variables.update(self.variables)
        site.function.steps.update(self.steps)
        return site

    def _function(self, label: str, value: Expression, cell: CellRef, spell: Spelling = as_it_is) -> str:
        """A module-level function of the branch."""
        name = self.module.ground.names.new(f"{self.stem}_{lower_snake(label)}")
        site = self._site()
        text = spell(value, site.code(value), site, cell)
        self.functions += defined(f"{name}(branch)", [f"return {text}{at_cell(cell)}"], site)
        return name

    # -- rows ----------------------------------------------------------------------------------

    def _row(self, row: AskRow) -> str:
        match row:
            case Need():
                return self._need(row)
            case Step():
                return self._step(row)
            case Draw():
                return self._draw(row)
            case Stop():
                return self._stop(row)
            case Answer():
                return self._answer(row)
            case Next():
                return self._next(row)
            case _:
                assert_never(row)

    def _need(self, row: Need) -> str:
        field, where = row.place.fields[-1], row.source.where
        when = "None" if row.when is None else self._function(f"needs {field}", row.when, where)
        place = literal(place_text(Location(where))).text
        expected = describe(without_null(row.place.type))
        given = f"{row.place.fields!r}, {expected!r}, {place}, {row.some}, {when}{self._names(row)}"
        return f"{self.module.uses('Need')}({given}{self._spelled(row.place)})"

    def _spelled(self, place: Place) -> str:
        if not any(place.named):
            return ""
        constants = self.module.ground.constants
        steps = (f"({''.join(f'{constants[name]}, ' for name in some)})" for some in place.named)
        return f", spelled=({''.join(f'{step}, ' for step in steps)})"

    def _names(self, row: Need) -> str:
        """The names that the map must have a value for, and what that value is."""
        kind = plain(row.place.type)
        if row.names is None or not isinstance(kind, MapType):
            return ""
        names = self._function(f"each of {row.place.fields[-1]}", row.names, row.source.where)
        return f", {names}, {describe(without_null(kind.value))!r}"

    def _step(self, row: Step) -> str:
        if row.parameters:
            self._parametrised(row)
            return ""
        function = self._function(self._called(row.slot), row.value, row.source.cell)
        self.computed.append((self._name(row.slot), function))
        return ""

    def _parametrised(self, row: Step) -> None:
        name = self.module.ground.names.new(f"{self.stem}_{lower_snake(self._called(row.slot))}")
        site = self._site()
        names = [site.name(slot) for slot in row.parameters]
        value = site.code(row.value).whole
        signature = f"{name}({', '.join(['branch', *names])})"
        self.functions += defined(signature, [f"return {value}{at_cell(row.source.cell)}"], site)
        self.steps[row.slot] = (name, "branch")

    def _stop(self, row: Stop) -> str:
        function = self._function("stop", row.condition, row.source.where)
        left = tuple(answer.name for answer in self.ask.answers)[len(self.answers) :]
        self.opening += [f"if {function}(branch) is True:", f"    return {self._answered(left)}"]
        return f"{self.module.uses('Stop')}({function})"

    def _answered(self, null: tuple[str, ...] = ()) -> str:
        """The answers met so far, and others that are null; what comes next, if the ask has that."""
        fields = [f"{name!r}: {function}(branch)" for name, function in self.answers]
        answer = f"{{{', '.join([*fields, *(f'{name!r}: None' for name in null)])}}}"
        if not self.ask.source.leads_on:
            return answer
        demands = [f"({name!r}, {function}(branch))" for name, function in self.nexts]
        return f"{self.module.uses('replied')}({', '.join([answer, *demands])})"

    def _draw(self, row: Draw) -> str:
        options = self._function(f"{self._called(row.slot)} options", row.options, row.source.cell)
        attribute = self._name(row.slot)
        self.opening += [
            f"options = {options}(branch)",
            "if options and len(options) > 1:",
            "    return None",
            f"branch.{attribute} = options[0] if options else None",
        ]
        recorded = None if row.recorded is None else row.recorded.fields
        compared = literal(row.compared).text
        where = ", ".join(repr(place_text(Location(one))) for one in (row.source.where, row.source.cell))
        return f"{self.module.uses('Draw')}({attribute!r}, {options}, {recorded!r}, {compared}, {where})"

    def _answer(self, row: Answer) -> str:
        value = self._function(row.name, row.value, row.source.cell, as_answer)
        self.answers.append((row.name, value))
        listed = "None"
        if row.listed is not None:
            listed = self._function(f"{row.name} listed", row.listed, row.source.cell, as_answer)
        when = self.module.uses("WhenOpen")
        order = order_text(row.value.type, self.module)
        ending = f", {when}.{row.when_open.name}, {listed}" if row.when_open is not WhenOpen.MERGED else ""
        return f"{self.module.uses('Answer')}({row.name!r}, {value}, {order}{ending})"

    def _next(self, row: Next) -> str:
        when = self._function(f"next {row.ask}", row.when, row.source.cell)
        self.nexts.append((row.ask, when))
        return f"{self.module.uses('Next')}({row.ask!r}, {when})"


def order_text(type_: Type, module: Module) -> str:
    """How the values of an open field are put in order."""
    match plain(type_):
        case VocabularyType(root=root):
            return f"{module.uses('by_vocabulary')}({module.ground.constants[root]})"
        case NumberType() | BooleanType():
            return module.uses("by_value")
        case _:
            return "None"


# -- plain values ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Leaving:
    """Where a value leaves the rules, and whether its numbers are known to be of sensible size."""

    site: Site
    where: Location
    small: bool


def is_small(value: Expression) -> bool:
    """Nobody has to look whether it is a number with more digits than there may be."""
    match value:
        case Constant() | Builtin(name="count"):
            return True
        case Conditional(then=then, otherwise=otherwise):
            return is_small(then) and is_small(otherwise)
        case MakeList(items=items):
            return all(map(is_small, items))
        case _:
            return False


def plain_code(type_: Type, code: Code, leaving: Leaving) -> str:
    """The value as it leaves the rules: ids for rows, fresh lists. What cannot leave is their failure."""
    site = leaving.site
    match plain(type_):
        case TextType() | BooleanType():
            return code.whole
        case NumberType(whole=True) if leaving.small:
            return code.whole
        case NumberType(whole=True):
            return f"{site.uses('limit')}({code.whole}, {site.place(leaving.where)})"
        case VocabularyType(root=root) if not site.ground.keyed(root):
            return code.whole
        case VocabularyType() if not may_be_null(type_):
            return f"{code.atom}.id"
        case VocabularyType():
            return null_safe(site, code, "it", lambda value: Code(f"{value.text}.id")).whole
        case ListType(item=item) if not may_be_null(type_) and _has_plain_items(item, leaving):
            return _plain_list(item, code, leaving)
        case DateType() | TimeType() | DateTimeType() | DaysDurationType() | YearsDurationType():
            return f"{site.value_helper('as_plain')}({code.whole})"
        case _:
            attempt, helper = site.uses("attempt"), site.value_helper("as_plain")
            return f"{attempt}({site.place(leaving.where)}, {helper}, {code.whole})"


def _has_plain_items(item: Type, leaving: Leaving) -> bool:
    """As they are, or by their ids; else the list is gone through elsewhere."""
    match plain(item):
        case TextType() | BooleanType() | VocabularyType():
            return True
        case NumberType(whole=True):
            return leaving.small
        case ListType(item=inner):
            return not may_be_null(item) and _has_plain_items(inner, leaving)
        case _:
            return False


def _plain_list(item: Type, code: Code, leaving: Leaving) -> str:
    name = leaving.site.fresh("one")
    inner = plain_code(item, Code(name), leaving)
    if inner == name:
        return code.text if code.text.startswith("[") and code.level is Level.ATOM else f"[*{code.atom}]"
    if ":=" not in code.text:
        return f"[{inner} for {name} in {code.within(Level.OR)}]"
    items = leaving.site.fresh("items")
    return f"(lambda {items}: [{inner} for {name} in {items}])({code.whole})"
