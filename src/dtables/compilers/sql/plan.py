"""What is being compiled: the named columns so far, what is not supported.

A value that is the same for the whole turn becomes a named column; inside a lambda it is read by its name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count

from sqlglot import exp

from dtables.compilers.sql import messages
from dtables.compilers.sql.neutral import Variable, XGet, XNamed, variable
from dtables.compilers.sql.sizes import Size, among, as_large, of_type, sized, with_places
from dtables.compilers.sql.terms import NULL, Term, Tree, also, is_trivial
from dtables.compilers.sql.types import (
    DECIMAL_PLACES,
    LARGEST,
    SHORT_DIGITS,
    SHORT_PLACES,
    TEXT,
    FieldTypes,
    data_type,
    decimal,
    is_whole,
)
from dtables.diagnostics import Diagnostic
from dtables.feel.types import (
    AnyType,
    NumberType,
    RestrictedType,
    Type,
    UnknownType,
    describe,
    plain,
    without_null,
)
from dtables.model import expressions as model
from dtables.model.index import Index
from dtables.model.tables import Allowed
from dtables.provenance import Location


@dataclass(frozen=True, slots=True)
class Verbs:
    """How the compiler's modules reach one another without importing in a circle."""

    term: Callable[[model.Expression, Scope], Term]
    wide: Callable[[model.Expression, Scope], Term]
    passes: Callable[[tuple[model.Test, ...], Term, Scope], Term]
    call: Callable[[str, Sequence[Term], Scope], Term]
    ranking: Callable[[str, Sequence[Term], Scope], Term]
    ask: Callable[[str, Sequence[Term], Scope], Term]


@dataclass
class Plan:
    """`path` is where the state stands in a record, for messages about a missing field. `columns` are the
    named columns in the order in which they were named, `inputs` the columns read from the relation,
    `expected` what each has to hold, in words, `required` those that must hold something. `short` names the
    columns that hold inputs as short numbers; None where the dialect has no use for them."""

    index: Index
    verbs: Verbs
    path: str
    taken: set[str]
    columns: dict[str, Tree] = field(default_factory=dict)
    inputs: dict[str, exp.DataType] = field(default_factory=dict)
    expected: dict[str, str] = field(default_factory=dict)
    required: set[str] = field(default_factory=set)
    short: dict[str, str] | None = None
    calls: dict[object, Term] = field(default_factory=dict)
    catalogues: dict[object, dict[str, Tree]] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    _named: dict[Tree, str] = field(default_factory=dict)
    _count: int = 0

    @cached_property
    def stored(self) -> FieldTypes:
        """Of each record the fields that are not computed."""
        return {
            name: tuple((f.name, f.type) for f in record.stored)
            for name, record in self.index.records.items()
        }

    # -- what is not supported -----------------------------------------------------------------

    def cannot(self, construct: str, where: Location, type_: Type) -> Term:
        """Reported once for its place; the value there is null from now on."""
        found = messages.unsupported(construct, where)
        if found not in self.diagnostics:
            self.diagnostics.append(found)
        return Term(NULL, type_)

    def data_type(self, of: Type, where: Location) -> exp.DataType:
        """After an unsupported construct, an unknown type is what came of it."""
        type_ = data_type(of, self.stored)
        if type_ is None and not (self.diagnostics and isinstance(plain(of), (AnyType, UnknownType))):
            self.cannot(messages.a_value_of(of), where, of)
        return type_ or TEXT

    def short_input(self, name: str) -> Tree | None:
        """The input as a number of few digits."""
        if self.short is None:
            return None
        if name not in self.short:
            self.short[name] = self.column_name(f"{name} short")
        return _column(self.short[name], decimal(SHORT_PLACES, SHORT_DIGITS))

    def size_among(self, of: Type, allowed: Allowed | None = None) -> Size | None:
        """Of a whole number that may be only some: an overflow beyond them is loud in every database."""
        kind = plain(of)
        if not (isinstance(kind, NumberType) and kind.whole):
            return None
        tests = [() if allowed is None else allowed.tests, *self._restricting(of)]
        return next((size for some in tests if (size := among(some)) is not None), None)

    def _restricting(self, of: Type) -> Iterator[tuple[model.Test, ...]]:
        inner = without_null(of)
        while isinstance(inner, RestrictedType):
            yield self.index.restrictions[inner.name].tests
            inner = without_null(inner.of)

    # -- names ---------------------------------------------------------------------------------

    def fresh(self, hint: str) -> str:
        """For the variable of a lambda: no other in the statement has the name."""
        self._count += 1
        return f"{hint}_{self._count}"

    def variable(self, hint: str, type_: exp.DataType) -> Variable:
        return variable(self.fresh(hint), type_)

    def column_name(self, hint: str) -> str:
        """Databases do not distinguish `Age` from `age`."""
        name, number = hint, 1
        while name.casefold() in self.taken:
            number += 1
            name = f"{hint} {number}"
        self.taken.add(name.casefold())
        return name

    def named(self, hint: str, term: Term) -> Term:
        """The term as a column, and its problem as another."""
        return Scope(self, {}).held(hint, term)

    def column(self, hint: str, tree: Tree, type_: exp.DataType) -> Tree:
        what = alike(tree)
        if what not in self._named:
            name = self.column_name(hint)
            self._named[what] = name
            self.columns[name] = tree
        return as_large(tree, _column(self._named[what], type_))

    def input(self, name: str, of: Type, type_: exp.DataType, size: Size | None = None) -> Tree:
        """A column of the relation, of exactly the expected type."""
        self.inputs[name] = type_
        self.expected[name] = _in_words(of)
        self.taken.add(name.casefold())
        most = Size(LARGEST) if is_whole(type_) else of_type(type_)
        return sized(_column(name, type_), size or most)


def _in_words(of: Type) -> str:
    """What a column has to hold; of a number also how much of it."""
    kind, words = plain(of), describe(without_null(of))
    if not isinstance(kind, NumberType):
        return words
    digits = len(str(LARGEST)) - 1
    return f"{words} of at most {digits} digits" + (
        "" if kind.whole else f" before the point and {DECIMAL_PLACES} after it"
    )


def _column(name: str, type_: exp.DataType) -> Tree:
    column = exp.column(name, quoted=True)
    column.type = type_
    return column


@dataclass(frozen=True, slots=True)
class Held:
    """What a variable stands for."""

    name: str
    tree: Tree
    type: exp.DataType


class Frame:
    """A lambda while its body is worked out. What depends on its variable, and is read more than once,
    becomes a variable of its own; `steps` holds where it is computed."""

    def __init__(self, name: str) -> None:
        self.names = {name}
        self.memo: dict[object, Term] = {}
        self.kept: list[Held] = []
        self._known: dict[Tree, Variable] = {}

    def held(self, tree: Tree, type_: exp.DataType, create: Callable[[], Variable]) -> Variable:
        what = alike(tree)
        if what not in self._known:
            fresh = create()
            self._known[what] = fresh
            self.kept.append(Held(fresh.this.this, tree, type_))
            self.names.add(fresh.this.this)
        return self._known[what]


class Lazy:
    """A value worked out where it is first read, and once."""

    def __init__(self, hint: str, scope: Scope, work: Callable[[], Term]) -> None:
        self._hint, self._scope, self._work = hint, scope, work
        self._known: Term | None = None

    def term(self) -> Term:
        if self._known is None:
            self._known = self._scope.held(self._hint, self._work())
        return self._known


@dataclass(frozen=True, slots=True)
class LocalFunction:
    """A step with parameters, where it stands; called with the frames of the call."""

    body: Callable[[Sequence[Term], Frames], Term]


@dataclass(frozen=True, slots=True)
class SoFar:
    """The results of a loop so far."""

    values: Term
    count: Term


Bound = Term | Lazy | LocalFunction | SoFar
Frames = tuple[Frame, ...]


@dataclass(frozen=True, slots=True)
class Scope:
    """What the variables are here; `frames` are the lambdas around, outermost first."""

    plan: Plan
    names: Mapping[int, Bound]
    frames: Frames = ()

    def bind(self, variable: model.Variable, value: Bound) -> Scope:
        return replace(self, names={**self.names, variable.number: value})

    def inside(self, of: model.Variable) -> tuple[Variable, Scope]:
        """The body of a lambda over items."""
        kind = data_type(of.type, self.plan.stored) or TEXT
        item = self.plan.variable(of.name, kind)
        size = self.plan.size_among(of.type)
        if size is not None:
            sized(item, size)
        inner = replace(self, frames=(*self.frames, Frame(item.this.this)))
        return item, inner.bind(of, Term(item, of.type))

    def read(self, variable: model.Variable) -> Term:
        found = self.names[variable.number]
        if isinstance(found, Lazy):
            return found.term()
        if isinstance(found, SoFar):
            return found.values
        assert isinstance(found, Term)
        return found

    def term(self, expression: model.Expression) -> Term:
        return self.plan.verbs.term(expression, self)

    def wide(self, expression: model.Expression) -> Term:
        """A number as it is worked out, perhaps with more decimal places than a record or a list holds."""
        return self.plan.verbs.wide(expression, self)

    def around(self, *trees: Tree | None) -> Frames:
        """The frames up to the innermost whose variables they read; none where they are the same for the
        whole turn."""
        names = frozenset[str]().union(*(free(tree) for tree in trees if tree is not None))
        for depth in range(len(self.frames), 0, -1):
            if names & self.frames[depth - 1].names:
                return self.frames[:depth]
        return ()

    def held(self, hint: str, term: Term) -> Term:
        """Worked out once: a column, or a variable of the lambda it depends on."""
        value = self.held_as(hint, term.value, data_type(term.type, self.plan.stored) or TEXT)
        problem = None if term.problem is None else self.held_as(f"{hint} problem", term.problem, TEXT)
        return Term(value, term.type, problem)

    def held_as(self, hint: str, tree: Tree, type_: exp.DataType) -> Tree:
        if is_trivial(tree):
            return tree
        frames = self.around(tree)
        type_ = with_places(type_, tree)
        if not frames:
            assert not free(tree), hint
            return self.plan.column(hint, tree, type_)
        return frames[-1].held(tree, type_, lambda: self._variable(hint, tree, type_))

    def _variable(self, hint: str, tree: Tree, type_: exp.DataType) -> Variable:
        fresh = self.plan.variable(hint, type_)
        as_large(tree, fresh)
        return fresh

    def once(
        self, key: object, trees: Sequence[Tree | None], hint: str, work: Callable[[Scope], Term]
    ) -> Term:
        """What depends on these trees alone, worked out once for them."""
        frames = self.around(*trees)
        memo = frames[-1].memo if frames else self.plan.calls
        if key not in memo:
            outside = Scope(self.plan, {}, frames)
            memo[key] = outside.held(hint, work(outside))
        return memo[key]


def held(scope: Scope, hint: str, term: Term, body: Callable[[Term], Term]) -> Term:
    """`body` of a value that is worked out once however often it reads it; what is wrong with the value
    comes first."""
    return also(body(scope.held(hint, replace(term, problem=None))), term.problem)


# -- free variables ---------------------------------------------------------------------------------
# Variables of lambdas in the neutral tree: which ones a tree reads, and trees with others in their place.


def free(tree: Tree) -> frozenset[str]:
    """The variables that a tree reads and does not bind itself; remembered in the tree."""
    known = tree.meta.get("free")
    if known is None:
        known = _free(tree)
        tree.meta["free"] = known
    return frozenset(known)


def _free(tree: Tree) -> frozenset[str]:
    if isinstance(tree, Variable):
        return frozenset([tree.this.this])
    inside = frozenset[str]().union(*(free(child) for child in tree.iter_expressions()))
    if isinstance(tree, exp.Lambda):
        return inside - {name.this for name in tree.expressions}
    return inside


def is_cheap(tree: Tree) -> bool:
    """As good worked out twice as kept."""
    match tree:
        case XGet():
            return is_cheap(tree.this)
        case XNamed():
            return is_cheap(tree.expression)
        case _:
            return is_trivial(tree)


def reads(tree: Tree, name: str) -> int:
    """How often it is read; inside a lambda of its own as often as there may be items."""
    if isinstance(tree, Variable):
        return int(tree.this.this == name)
    if name not in free(tree):
        return 0
    counted = sum(reads(child, name) for child in tree.iter_expressions())
    return 2 * counted if isinstance(tree, exp.Lambda) else counted


def replaced(tree: Tree, values: Mapping[str, Tree]) -> Tree:
    """Each variable's value in its place."""

    def in_place(node: Tree) -> Tree | None:
        if isinstance(node, Variable):
            return values.get(node.this.this, node)
        return node if values.keys().isdisjoint(free(node)) else None

    return rebuilt(tree, in_place)


def alike(tree: Tree) -> Tree:
    """The same for trees that differ in the names of their lambdas' variables alone."""
    numbers, numbered = count(), dict[str, str]()

    def renamed(node: Tree) -> Tree | None:
        if isinstance(node, exp.Lambda):
            numbered.update((name.this, f"#{next(numbers)}") for name in node.expressions)
        if isinstance(node, Variable) and node.this.this in numbered:
            return variable(numbered[node.this.this], node.type or TEXT)
        if isinstance(node, exp.Identifier) and node.this in numbered:
            return exp.to_identifier(numbered[node.this])
        return None

    return rebuilt(tree, renamed) if tree.find(exp.Lambda) else tree


def rebuilt(tree: Tree, change: Callable[[Tree], Tree | None]) -> Tree:
    """A tree in which `change` gives what replaces a node; None: the node with what became of its
    children."""
    instead = change(tree)
    if instead is not None:
        return instead
    arguments = {key: _rebuilt_argument(value, change) for key, value in tree.args.items()}
    if all(arguments[key] is value for key, value in tree.args.items()):
        return tree
    copy = type(tree)(**arguments)
    copy.type = tree.type
    copy.meta.update((key, value) for key, value in tree.meta.items() if key != "free")
    return copy


def _rebuilt_argument(value: object, change: Callable[[Tree], Tree | None]) -> object:
    if isinstance(value, list):
        items = [_rebuilt_argument(item, change) for item in value]
        return value if all(new is old for new, old in zip(items, value, strict=True)) else items
    return rebuilt(value, change) if isinstance(value, exp.Expr) else value
