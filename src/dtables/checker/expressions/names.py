"""What a name means: a name of the vocabulary that is expected, or the nearest thing in scope."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from dtables.checker import messages
from dtables.checker.expressions.context import SMALL, Here
from dtables.checker.expressions.fit import declared
from dtables.checker.expressions.nulls import narrowed
from dtables.checker.expressions.paths import input_field, read_field
from dtables.checker.expressions.types import fields_of, is_dynamic, vocabulary_in
from dtables.checker.symbols import FunctionSymbol, Local, ids_of, spellings_of
from dtables.diagnostics import Remark
from dtables.feel.builtins import BY_NAME, Builtin, as_function
from dtables.feel.names import fold
from dtables.feel.syntax import ast
from dtables.feel.syntax.ast import deepest
from dtables.feel.types import (
    ANY,
    BOOLEAN,
    TEXT,
    UNKNOWN,
    AnyType,
    BooleanType,
    FunctionType,
    ListType,
    RecordType,
    TextType,
    Type,
    UnknownType,
    VocabularyType,
    describe,
    optional,
    plain,
)
from dtables.model.expressions import (
    AskAnswer,
    CallTable,
    Constant,
    DataRows,
    Expression,
    InputField,
    ItemEntry,
    MakeFunction,
    NameOf,
    Read,
    Switch,
    Variable,
)
from dtables.provenance import Span

TRUE, FALSE = {fold(w) for w in ("yes", "sì", "true")}, {fold(w) for w in ("no", "false")}


@dataclass(frozen=True, slots=True)
class Step:
    """A step with parameters of the formula or ask we are in."""

    local: Local


Meaning = Expression | Step | FunctionSymbol | Builtin | Variable
"""A value, something to call, or an item of unknown type that may have an entry of that name."""


def lower_name(here: Here, node: ast.Name, expected: Type | None) -> Expression:
    if node.name == "?":
        return _subject(here, node)
    vocabulary = vocabulary_expected(expected)
    if vocabulary is not None:
        named = _named(here, node, vocabulary)
        if named is not None:
            return named
    found = bare(here, node.name, node.span)
    if found is not None:
        return found
    function_expected = expected is not None and isinstance(plain(expected), FunctionType)
    if node.name in BY_NAME and (here.standard or function_expected):
        return builtin_value(here, BY_NAME[node.name], node.span)
    return _truth(here, node) or _unknown(here, node, expected)


def lower_text(here: Here, node: ast.TextLiteral, expected: Type | None) -> Expression:
    vocabulary = vocabulary_expected(expected)
    if vocabulary is None:
        return Constant(node.value, type=TEXT, where=here.where(node.span))
    named = name_of(here, vocabulary, node.value, node.span)
    if named is not None:
        return named
    return here.poison(node.span, _no_name(here, vocabulary, node.value, quoted=True))


def vocabulary_expected(expected: Type | None) -> VocabularyType | None:
    kind = None if expected is None else plain(expected)
    return kind if isinstance(kind, VocabularyType) else None


def name_of(here: Here, vocabulary: VocabularyType, written: str, span: Span) -> Expression | None:
    """The vocabulary's name that is written so; None where there is none."""
    ids = ids_of(here.symbols, vocabulary.name, written)
    if not ids:
        return None
    if len(ids) > 1:
        return here.poison(span, messages.ambiguous_label(written, ids))
    return NameOf(vocabulary.root, ids[0], type=vocabulary, where=here.where(span))


def function_value(here: Here, function: FunctionSymbol, span: Span) -> Expression:
    """A table as a function value, which the standard's models may hand on."""
    variables = tuple(here.variable(name, type_) for name, type_ in function.parameters)
    arguments = tuple(Read(v, type=v.type, where=here.where(span)) for v in variables)
    call = called(here, function, arguments, span)
    type_ = FunctionType(tuple(v.type for v in variables), function.result)
    return MakeFunction(variables, call, type=type_, where=here.where(span))


def builtin_value(here: Here, builtin: Builtin, span: Span) -> Expression:
    """The built-in itself, as a function."""
    types = tuple(p.type for p in builtin.signatures[0].parameters)
    type_ = ANY if here.standard else FunctionType(types, builtin.result(types))
    return Constant(as_function(builtin), type=type_, where=here.where(span))


# -- names of vocabularies ---------------------------------------------------------------------


def _named(here: Here, node: ast.Name, vocabulary: VocabularyType) -> Expression | None:
    named = name_of(here, vocabulary, node.name, node.span)
    if not isinstance(named, NameOf):
        return named
    other = bare(here.quietly(), node.name, node.span)
    theirs = None if other is None else vocabulary_expected(other.type)
    if other is None or theirs is None or theirs.root != vocabulary.root:
        return named
    remarks = declared(here, other)
    words = messages.ambiguous_name(node.name, vocabulary.name, _described(other), remarks)
    return here.poison(node.span, words)


def _described(value: Expression) -> str:
    match value:
        case InputField():
            return "an input field"
        case CallTable():
            return "a table"
        case Read():
            return "a local name"
        case _:
            return "a field"


def _no_name(here: Here, vocabulary: VocabularyType, name: str, quoted: bool) -> messages.Wording:
    narrow = vocabulary.name != vocabulary.root and vocabulary.root in here.symbols.vocabularies
    if narrow and ids_of(here.symbols, vocabulary.root, name):
        return messages.narrowed_name(vocabulary.name, vocabulary.root, name)
    names = spellings_of(here.symbols, vocabulary.name)
    if quoted:
        return messages.unknown_text_of(vocabulary.name, name, names)
    return messages.unknown_name_of(vocabulary.name, name, (*names, *reach(here)))


# -- names in scope ----------------------------------------------------------------------------


def bare(here: Here, name: str, span: Span) -> Expression | None:
    """The value of a name that is read without arguments; None where nothing is called so."""
    return _first_value(here, name, span, meanings(here, name, span))


def _first_value(here: Here, name: str, span: Span, found: Iterator[Meaning]) -> Expression | None:
    for meaning in found:
        match meaning:
            case Step(local=local):
                return here.poison(span, messages.needs_arguments(step_signature(local), ()))
            case FunctionSymbol() if here.standard:
                return function_value(here, meaning, span)
            case FunctionSymbol():
                remarks = (Remark(meaning.where, f"`{name}` stands here"),)
                return here.poison(span, messages.needs_arguments(signature(meaning), remarks))
            case Builtin():
                return None
            case Variable():
                rest = _first_value(here, name, span, found)
                otherwise = here.null(span, ANY) if rest is None else rest
                return ItemEntry(meaning, name, otherwise, type=ANY, where=here.where(span))
            case _:
                return narrowed(here, meaning)
    return None


def meanings(here: Here, name: str, span: Span) -> Iterator[Meaning]:
    """All that a name may mean, from the inside out: fields of items, locals, tables and input."""
    local = here.scope.locals.get(name)
    for depth in range(len(here.scope.items), 0, -1):
        item = here.scope.items[depth - 1]
        if local is not None and local.depth >= depth and not (here.standard and local.variable == item):
            yield _local(here, local, span)
        yield from _item_field(here, item, name, span)
    if local is not None:
        yield _local(here, local, span)
    yield from _declared(here, name, span)
    if name in BY_NAME:
        yield BY_NAME[name]


def _local(here: Here, local: Local, span: Span) -> Meaning:
    if local.parameters is not None:
        return Step(local)
    return Read(local.variable, type=local.variable.type, where=here.where(span))


def _item_field(here: Here, item: Variable, name: str, span: Span) -> Iterator[Meaning]:
    if isinstance(item.type, UnknownType):
        yield here.unknown(span)
        return
    if isinstance(item.type, AnyType):
        yield item
        return
    if name in (fields_of(here.symbols, item.type) or {}):
        read = narrowed(here, Read(item, type=item.type, where=here.where(span)))
        found = read_field(here, read, name, span)
        if found is not None:
            yield found


def _declared(here: Here, name: str, span: Span) -> Iterator[Meaning]:
    symbols, where = here.symbols, here.where(span)
    if name in symbols.functions:
        function = symbols.functions[name]
        reads = not function.parameters and not here.standard
        yield called(here, function, (), span) if reads else function
    if name in symbols.inputs:
        yield input_field(here, name, span)
    if name in symbols.switches:
        yield Switch(name, type=symbols.switches[name], where=where)
    if name in symbols.data:
        yield DataRows(name, type=ListType(RecordType(symbols.data[name])), where=where)


def called(here: Here, function: FunctionSymbol, arguments: tuple[Expression, ...], span: Span) -> Expression:
    """A call of a table or an ask, its arguments in order."""
    if function.kind == "ask":
        return AskAnswer(function.name, arguments, type=ANY, where=here.where(span))
    type_ = ANY if here.standard else function.result
    return CallTable(function.name, arguments, type=type_, where=here.where(span))


def _subject(here: Here, node: ast.Name) -> Expression:
    if here.scope.subject is None:
        return here.poison(node.span, messages.no_subject())
    subject = here.scope.subject
    return narrowed(here, Read(subject, type=subject.type, where=here.where(node.span)))


# -- nothing found -----------------------------------------------------------------------------


def _truth(here: Here, node: ast.Name) -> Expression | None:
    """`YES` where some vocabulary has a name spelled so, but a truth value is meant."""
    word = fold(node.name)
    if here.standard or word not in TRUE | FALSE:
        return None
    return Constant(word in TRUE, type=BOOLEAN, where=here.where(node.span))


def _unknown(here: Here, node: ast.Name, expected: Type | None) -> Expression:
    vocabulary = vocabulary_expected(expected)
    if vocabulary is not None:
        return here.poison(node.span, _no_name(here, vocabulary, node.name, quoted=False))
    if expected is not None and isinstance(plain(expected), UnknownType):
        return here.unknown(node.span)
    if node.name == here.symbols.state:
        return here.poison(node.span, messages.whole_state(node.name))
    homes = _homes(here, node.name)
    if len(homes) == 1:
        return name_of(here, homes[0], node.name, node.span) or here.unknown(node.span)
    if homes:
        return here.poison(node.span, messages.name_out_of_place(node.name, [v.name for v in homes]))
    words = messages.unknown_name(node.name, reach(here))
    if words.hint is None and expected is not None:
        words = _as_expected(node.name, plain(expected), words)
    return here.poison(node.span, words)


def _as_expected(name: str, expected: Type, words: messages.Wording) -> messages.Wording:
    match expected:
        case TextType():
            return messages.text_without_quotes(name)
        case BooleanType():
            return messages.boolean_expected(name)
        case _:
            return words


def _homes(here: Here, name: str) -> tuple[VocabularyType, ...]:
    """The vocabularies that have such a name. If there is one, it is meant where nothing else is."""
    roots = (v for v in here.symbols.vocabularies.values() if v.name == v.root)
    found = (v.name for v in roots if ids_of(here.symbols, v.name, name))
    return tuple(VocabularyType(name, name) for name in found)


def reach(here: Here) -> Iterable[str]:
    """Everything that could be read here by a bare name."""
    yield from here.scope.locals
    for item in here.scope.items:
        yield from fields_of(here.symbols, item.type) or ()
    symbols = here.symbols
    for group in (symbols.functions, symbols.inputs, symbols.switches, symbols.data):
        yield from group


def signature(function: FunctionSymbol) -> str:
    return f"{function.name}({', '.join(f'{name}: {describe(t)}' for name, t in function.parameters)})"


def step_signature(local: Local) -> str:
    types = local.parameters or ()
    return f"{local.variable.name}({', '.join(describe(t) for t in types)})"


# -- names typed by their neighbours ----------------------------------------------------------------
# Expressions that are to have one type: a bare name among them means what the others speak of.


def peers(here: Here, nodes: Sequence[ast.Expression], hint: Type | None = None) -> tuple[Expression, ...]:
    """A bare name or a text among them is looked up in the vocabulary of the hint or of the others."""
    return peers_in([(here, node) for node in nodes], hint)


def peers_in(
    parts: Sequence[tuple[Here, ast.Expression]], hint: Type | None = None
) -> tuple[Expression, ...]:
    """The same for expressions that do not stand in the same scope. The standard has no vocabularies."""
    hinted = vocabulary_in(hint) is not None or any(here.standard for here, _ in parts[:1])
    if hinted or not any(is_open(node) for _, node in parts):
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
    """Does its meaning depend on the type that is expected?"""
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
        if isinstance(node, ast.ContextLiteral) and not is_dynamic(plain(type_)):
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


def hint_of_filter(here: Here, node: ast.Filter, expected: Type | None) -> Type | None:
    """`[red, blue][item in shown][1]`: a list of names means what it is held against, or what is expected."""
    if isinstance(node.of, ast.Filter):
        return expected
    if not isinstance(node.of, ast.ListLiteral) or not is_open(node.of):
        return None
    vocabulary = _spoken_of_item(here, node.condition) or vocabulary_in(expected)
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
