"""A piece of Python source that knows how tightly it binds, and lines of source that know their depth."""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, IntEnum

from dtables.compilers.python.ground import Ground
from dtables.compilers.python.identifiers import Identifiers, constant_case, lower_snake
from dtables.feel import values
from dtables.feel.values import ByNames, Value
from dtables.model import expressions as model
from dtables.model.expressions import Variable
from dtables.model.tables import Step
from dtables.program.nodes import Constant, Expression, Name, Node, Slot
from dtables.provenance import CellRef, Location, quoted_sheet


class Level(IntEnum):
    """Python's precedence, tightest first."""

    ATOM = 0
    UNARY = 1
    TERM = 2
    SUM = 3
    COMPARE = 4
    NOT = 5
    AND = 6
    OR = 7
    CHOICE = 8


@dataclass(frozen=True, slots=True)
class Code:
    text: str
    level: Level = Level.ATOM

    def within(self, level: Level) -> str:
        """Its text where nothing looser than `level` may stand."""
        return f"({self.text})" if self.level > level else self.text

    @property
    def atom(self) -> str:
        return self.within(Level.ATOM)

    @property
    def whole(self) -> str:
        """As an argument or a right-hand side."""
        return self.within(Level.CHOICE)

    @property
    def is_literal(self) -> bool:
        """A number or a text: Python warns where their identity is asked for."""
        try:
            return isinstance(literal_eval(self.text), (int, str)) and self.text not in ("True", "False")
        except (ValueError, SyntaxError):
            return False

    @property
    def is_name(self) -> bool:
        """Cheap to read twice."""
        return self.text.replace(".", "_").isidentifier()


def literal(value: object) -> Code:
    text = repr(value)
    return Code(text, Level.UNARY if text.startswith("-") else Level.ATOM)


def either(test: Code, then: Code, otherwise: Code) -> Code:
    text = f"{then.within(Level.OR)} if {test.within(Level.OR)} else {otherwise.whole}"
    return Code(text, Level.CHOICE)


def both(parts: Iterable[Code]) -> Code:
    return _joined(tuple(parts), "and", Level.AND)


def any_of(parts: Iterable[Code]) -> Code:
    return _joined(tuple(parts), "or", Level.OR)


def _joined(parts: tuple[Code, ...], word: str, level: Level) -> Code:
    if len(parts) == 1:
        return parts[0]
    return Code(f" {word} ".join(part.within(level) for part in parts), level)


NONE, TRUE, FALSE = Code("None"), Code("True"), Code("False")


def indented(lines: Iterable[str], depth: int = 1) -> Iterator[str]:
    for line in lines:
        yield "    " * depth + line if line else line


# -- site ----------------------------------------------------------------------------------------
# Where a piece of code is written: the module it goes into, the function around it, what is bound there.

RUNTIME = "dtables.runtime"
VALUES = "dtables.feel.values"


class NamingStyle(Enum):
    """How a value gets a name inside an expression. Python allows no `:=` in what a comprehension
    goes through, nor in anything inside it."""

    WALRUS = "walrus"
    LAMBDA = "lambda"


@dataclass
class Module:
    """The module being written: what it imports and the constants that expressions needed. `turn_lists` are
    bodies of functions of the turn alone, and the turn's attribute for what each comes to; `groups` are
    constant lists parted by a field; `spread_lines` are functions that work tables by name out,
    `spread_attributes` the records' attributes for them."""

    ground: Ground
    imports: dict[str, set[str]] = field(default_factory=dict)
    constants: dict[str, str] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    entry_texts: list[str] = field(default_factory=list)
    turn_lists: dict[tuple[str, ...], str] = field(default_factory=dict)
    groups: dict[str, str] = field(default_factory=dict)
    spread_lines: list[str] = field(default_factory=list)
    spread_attributes: dict[str, list[tuple[str, str]]] = field(default_factory=dict)

    def uses(self, name: str, source: str = RUNTIME) -> str:
        self.imports.setdefault(source, set()).add(name)
        return name

    def constant(self, name: str, text: str) -> str:
        """A module-level constant with this text; the same text is kept once."""
        return self._kept(self.constants, name, text)

    def type_constant(self, name: str, text: str) -> str:
        """The same, for what only the reading of records knows."""
        return self._kept(self.types, name, text)

    def group(self, name: str, text: str) -> str:
        """The same, for what is made from the rows of the workbook."""
        return self._kept(self.groups, name, text)

    def _kept(self, known: dict[str, str], name: str, text: str) -> str:
        if text not in known:
            known[text] = self.ground.names.new(constant_case(name))
        return known[text]


@dataclass
class Function:
    """The Python function being written. `variables` holds how each variable is read, by its place;
    `steps` the function of a step with parameters, and the arguments it is given before the author's;
    `prelude` are local functions that its expressions needed; `written_out` are steps with parameters that
    are written where they are called; `known` are variables that stand for one value in what is written.
    `steady` are names and texts of what is worked out before all else, by the node's identity, reading
    `outer` variables only; None where that does not pay. `bound` are the names that expressions bind, in a
    loop to one value after another."""

    module: Module
    table: str | None
    turn: str
    names: Identifiers
    turned: bool = False
    variables: dict[int, Code] = field(default_factory=dict)
    inlined: dict[int, Expression] = field(default_factory=dict)
    steps: dict[int, tuple[str, ...]] = field(default_factory=dict)
    prelude: list[str] = field(default_factory=list)
    written_out: dict[int, Step] = field(default_factory=dict)
    known: dict[int, Constant | Name] = field(default_factory=dict)
    steady: dict[int, tuple[str, str]] | None = None
    outer: frozenset[int] = frozenset()
    bound: set[str] = field(default_factory=set)

    def stays(self, read: set[int]) -> bool:
        """Is what reads these variables the same wherever it stands in what is written?"""
        return self.steady is not None and read <= self.outer

    def once(self, node: Expression, text: str, stem: str) -> str:
        """A name for what a node comes to, worked out before all else."""
        assert self.steady is not None
        if id(node) not in self.steady:
            self.steady[id(node)] = (self.names.new(stem), text)
        return self.steady[id(node)][0]

    def bind(self, variable: Variable) -> str:
        name = self.names.new(lower_snake(variable.name))
        self.variables[variable.number] = Code(name)
        return name


@dataclass(frozen=True)
class Site:
    """`inner` are the variables that expressions around this one have bound, `hoisted` the names of what
    they have worked out already, by the node's identity."""

    function: Function
    emit: Callable[[Expression, Site], Code]
    binding: NamingStyle = NamingStyle.WALRUS
    inner: tuple[Variable, ...] = ()
    hoisted: Mapping[int, str] = field(default_factory=dict)

    @property
    def ground(self) -> Ground:
        return self.function.module.ground

    @property
    def turn(self) -> str:
        return self.function.turn

    def code(self, node: model.Expression | Expression) -> Code:
        """A part that was worked out before the loop around it has a name."""
        lowered = node if isinstance(node, Node) else self.ground.lowered.value(node)
        name = self.hoisted.get(id(lowered))
        return self.emit(lowered, self) if name is None else Code(name)

    def uses(self, name: str) -> str:
        return self.function.module.uses(name)

    def value_helper(self, name: str) -> str:
        return self.function.module.uses(name, VALUES)

    def constant(self, name: str, text: str) -> Code:
        return Code(self.function.module.constant(name, text))

    def name(self, slot: Slot) -> str:
        """A name for a variable of the function."""
        return self.function.bind(self.ground.lowered.variables[slot])

    def bind(self, variable: Variable | Slot) -> tuple[str, Site]:
        """A name for a variable that the expression being written binds."""
        if isinstance(variable, int):
            variable = self.ground.lowered.variables[variable]
        name = self.function.bind(variable)
        self.function.bound.add(name)
        return name, replace(self, inner=(*self.inner, variable))

    def fresh(self, stem: str) -> str:
        name = self.function.names.new(stem)
        self.function.bound.add(name)
        return name

    def in_iterable(self) -> Site:
        return replace(self, binding=NamingStyle.LAMBDA)

    def place(self, where: Location) -> str:
        return f"{literal(self.function.table).text}, {literal(place_text(where)).text}"


def place_text(where: Location) -> str:
    """`book.xlsx!Turn!C7`, a block `…!C7:D12`, with a range of characters `…!C7@3-9`; the runtime makes a
    Location of it again."""
    span = f"@{where.span.start}-{where.span.end}" if where.span else ""
    last = f":{where.last.address}" if where.last else ""
    return f"{where.cell}{last}{span}"


def short_place(cell: CellRef) -> str:
    """For a comment: the sheet and the cell."""
    return f"{quoted_sheet(cell.sheet)}!{cell.address}".replace("\n", " ")


def let(site: Site, value: Code, stem: str, use: Callable[[Code, Code], Code]) -> Code:
    """`use` gets a value's first reading, which must come first, and all further ones."""
    if value.is_name:
        return use(value, value)
    name = site.fresh(stem)
    if site.binding is NamingStyle.LAMBDA:
        return Code(f"(lambda {name}: {use(Code(name), Code(name)).whole})({value.whole})")
    return use(Code(f"({name} := {value.whole})"), Code(name))


def null_safe(site: Site, value: Code, stem: str, use: Callable[[Code], Code]) -> Code:
    """Null of null, else `use` of the value."""
    if value.is_name:
        return Code(f"None if {value.text} is None else {use(value).whole}", Level.CHOICE)
    name = site.fresh(stem)
    then = use(Code(name)).whole
    if site.binding is NamingStyle.LAMBDA:
        return Code(f"(lambda {name}: None if {name} is None else {then})({value.whole})")
    return Code(f"None if ({name} := {value.whole}) is None else {then}", Level.CHOICE)


def constant_value(module: Module, value: Value) -> Code:
    """A literal, or a constant of the module where Python has no literal for it."""
    match value:
        case None | bool() | int() | str():
            return literal(value)
        case values.Function(parameters=parameters, body=ByNames() as body):
            text = f"{module.uses('Function', VALUES)}({parameters!r}, {body!r})"
            module.uses("ByNames", VALUES)
            return Code(module.constant(f"by {' and '.join(body.names)}", text))
        case _:
            kind = type(value).__name__
            module.uses(kind, "decimal" if kind == "Decimal" else VALUES)
            for part in _kinds_within(value):
                module.uses(part, VALUES)
            return Code(module.constant(str(value), repr(value)))


def _kinds_within(value: Value) -> Iterable[str]:
    """A date and time is spelled with its date and its time."""
    return ("Date", "Time") if type(value).__name__ == "DateTime" else ()
