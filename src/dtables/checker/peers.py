"""Expressions that are to have one type: a bare name among them means what the others speak of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dtables.checker.here import SMALL, Here
from dtables.checker.names import bare
from dtables.checker.types import untold, vocabulary_in
from dtables.feel import ast
from dtables.feel.reads import deepest
from dtables.feel.types import UNKNOWN, ListType, Type, VocabularyType, optional, plain
from dtables.model.expressions import Expression


def peers(here: Here, nodes: Sequence[ast.Expression], hint: Type | None = None) -> tuple[Expression, ...]:
    """A bare name or a text among them is looked up in the vocabulary of the hint or of the others."""
    return peers_in([(here, node) for node in nodes], hint)


def peers_in(
    parts: Sequence[tuple[Here, ast.Expression]], hint: Type | None = None
) -> tuple[Expression, ...]:
    """The same for expressions that do not stand in the same scope. The standard has no vocabularies."""
    told = vocabulary_in(hint) is not None or any(here.standard for here, _ in parts[:1])
    if told or not any(is_open(node) for _, node in parts):
        return tuple(here.lower(node, hint) for here, node in parts)
    lowered = {n: here.lower(node, hint) for n, (here, node) in enumerate(parts) if not is_open(node)}
    types = {n: lowered[n].type if n in lowered else peek(*part) for n, part in enumerate(parts)}
    for n, (here, node) in enumerate(parts):
        if n not in lowered:
            others = (type_ for m, type_ in types.items() if m != n)
            lowered[n] = here.lower(node, hint_from(others, node) or hint)
            types[n] = lowered[n].type
    return tuple(lowered[n] for n in range(len(parts)))


def is_open(node: ast.Expression) -> bool:
    """Does its meaning depend on the type that is wanted?"""
    match node:
        case ast.Name() | ast.TextLiteral() | ast.ContextLiteral():
            return True
        case ast.NumberLiteral() | ast.BooleanLiteral():
            return True
        case ast.ListLiteral(items=items):
            return all(is_open(item) for item in items)
        case ast.Conditional(then=then, otherwise=otherwise):
            return is_open(then) or is_open(otherwise)
        case _:
            return False


def peek(here: Here, node: ast.Expression) -> Type:
    """The type, as far as it tells what others beside it mean; nothing is said about mistakes."""
    match node:
        case ast.Name(name=name):
            found = bare(here.quietly(), name, node.span)
            return UNKNOWN if found is None else found.type
        case ast.ListLiteral(items=items):
            return _speaking(ListType(peek(here, item)) for item in items)
        case ast.Conditional(then=then, otherwise=otherwise):
            return _speaking(peek(here, branch) for branch in (then, otherwise))
        case ast.TextLiteral() | ast.NumberLiteral() | ast.BooleanLiteral() | ast.ContextLiteral():
            return UNKNOWN
        case _:
            return here.trial(node).type if deepest(node) <= SMALL else UNKNOWN


def _speaking(types: Iterable[Type]) -> Type:
    return next((type_ for type_ in types if vocabulary_in(type_) is not None), UNKNOWN)


def hint_from(types: Iterable[Type], node: ast.Expression) -> Type | None:
    for type_ in types:
        vocabulary = vocabulary_in(type_)
        if vocabulary is not None:
            if isinstance(node, ast.ListLiteral) and _lists_like(type_, node):
                return plain(type_)
            unclear = isinstance(node, ast.Conditional) and isinstance(plain(type_), ListType)
            return None if unclear and not _makes_list(node) else beside(vocabulary, node)
        if isinstance(node, ast.ContextLiteral) and not untold(plain(type_)):
            return optional(type_)
    return None


def _lists_like(type_: Type, node: ast.ListLiteral) -> bool:
    """Beside a list of lists `[[red]]` is one too, and `[]` is whatever list stands beside it."""
    of = plain(type_)
    return isinstance(of, ListType) and (not node.items or isinstance(plain(of.item), ListType))


def beside(vocabulary: VocabularyType, node: ast.Expression) -> Type:
    """What a name of the vocabulary, or a list of them, may be where it is compared."""
    if _makes_list(node):
        return ListType(optional(vocabulary))
    return optional(vocabulary)


def _makes_list(node: ast.Expression) -> bool:
    match node:
        case ast.ListLiteral():
            return True
        case ast.Conditional(then=then, otherwise=otherwise):
            return _makes_list(then) or _makes_list(otherwise)
        case _:
            return False


def hint_of_filter(here: Here, node: ast.Filter, wanted: Type | None) -> Type | None:
    """`[red, blue][item in shown][1]`: a list of names means what it is held against, or what is wanted."""
    if isinstance(node.of, ast.Filter):
        return wanted
    if not isinstance(node.of, ast.ListLiteral) or not is_open(node.of):
        return None
    vocabulary = _spoken_of_item(here, node.condition) or vocabulary_in(wanted)
    return None if vocabulary is None else ListType(optional(vocabulary))


def _spoken_of_item(here: Here, condition: ast.Expression) -> VocabularyType | None:
    """The vocabulary of what a filter holds its bare `item` against."""
    match condition:
        case ast.Logic(left=left, right=right):
            return _spoken_of_item(here, left) or _spoken_of_item(here, right)
        case ast.In(value=ast.Name(name="item"), tests=tests):
            values = [test.value for test in tests if isinstance(test, ast.ExpressionTest)]
        case ast.Comparison(left=ast.Name(name="item"), right=other):
            values = [other]
        case _:
            return None
    return next((v for v in (vocabulary_in(peek(here, value)) for value in values) if v is not None), None)
