"""What a name means: a name of the vocabulary that is wanted, or the nearest thing in scope."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dtables.checker import problems
from dtables.checker.fit import declared
from dtables.checker.here import Here
from dtables.checker.lookup import ids_of, spellings_of
from dtables.checker.nulls import narrowed
from dtables.checker.reading import input_field, read_field
from dtables.checker.scope import FunctionSymbol, Local
from dtables.checker.types import fields_of
from dtables.diagnostics import Remark
from dtables.feel import ast
from dtables.feel.builtins import BY_NAME, Builtin, as_function
from dtables.feel.names import fold
from dtables.feel.types import (
    ANY,
    BOOLEAN,
    TEXT,
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


def lower_name(here: Here, node: ast.Name, wanted: Type | None) -> Expression:
    if node.name == "?":
        return _subject(here, node)
    vocabulary = vocabulary_wanted(wanted)
    if vocabulary is not None:
        named = _named(here, node, vocabulary)
        if named is not None:
            return named
    found = bare(here, node.name, node.span)
    if found is not None:
        return found
    function_wanted = wanted is not None and isinstance(plain(wanted), FunctionType)
    if node.name in BY_NAME and (here.standard or function_wanted):
        return builtin_value(here, BY_NAME[node.name], node.span)
    return _truth(here, node) or _unknown(here, node, wanted)


def lower_text(here: Here, node: ast.TextLiteral, wanted: Type | None) -> Expression:
    vocabulary = vocabulary_wanted(wanted)
    if vocabulary is None:
        return Constant(node.value, type=TEXT, where=here.where(node.span))
    named = name_of(here, vocabulary, node.value, node.span)
    if named is not None:
        return named
    return here.poison(node.span, _no_name(here, vocabulary, node.value, quoted=True))


def vocabulary_wanted(wanted: Type | None) -> VocabularyType | None:
    kind = None if wanted is None else plain(wanted)
    return kind if isinstance(kind, VocabularyType) else None


def name_of(here: Here, vocabulary: VocabularyType, written: str, span: Span) -> Expression | None:
    """The vocabulary's name that is written so; None where there is none."""
    ids = ids_of(here.symbols, vocabulary.name, written)
    if not ids:
        return None
    if len(ids) > 1:
        return here.poison(span, problems.ambiguous_label(written, ids))
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
    theirs = None if other is None else vocabulary_wanted(other.type)
    if other is None or theirs is None or theirs.root != vocabulary.root:
        return named
    remarks = declared(here, other)
    words = problems.ambiguous_name(node.name, vocabulary.name, _described(other), remarks)
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


def _no_name(here: Here, vocabulary: VocabularyType, name: str, quoted: bool) -> problems.Wording:
    narrow = vocabulary.name != vocabulary.root and vocabulary.root in here.symbols.vocabularies
    if narrow and ids_of(here.symbols, vocabulary.root, name):
        return problems.narrowed_name(vocabulary.name, vocabulary.root, name)
    names = spellings_of(here.symbols, vocabulary.name)
    if quoted:
        return problems.unknown_text_of(vocabulary.name, name, names)
    return problems.unknown_name_of(vocabulary.name, name, (*names, *reach(here)))


# -- names in scope ----------------------------------------------------------------------------


def bare(here: Here, name: str, span: Span) -> Expression | None:
    """The value of a name that is read without arguments; None where nothing is called so."""
    return _first_value(here, name, span, meanings(here, name, span))


def _first_value(here: Here, name: str, span: Span, found: Iterator[Meaning]) -> Expression | None:
    for meaning in found:
        match meaning:
            case Step(local=local):
                return here.poison(span, problems.needs_arguments(step_signature(local), ()))
            case FunctionSymbol() if here.standard:
                return function_value(here, meaning, span)
            case FunctionSymbol():
                remarks = (Remark(meaning.where, f"`{name}` stands here"),)
                return here.poison(span, problems.needs_arguments(signature(meaning), remarks))
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
        return here.poison(node.span, problems.no_subject())
    subject = here.scope.subject
    return narrowed(here, Read(subject, type=subject.type, where=here.where(node.span)))


# -- nothing found -----------------------------------------------------------------------------


def _truth(here: Here, node: ast.Name) -> Expression | None:
    """`YES` where some vocabulary has a name spelled so, but a truth value is meant."""
    word = fold(node.name)
    if here.standard or word not in TRUE | FALSE:
        return None
    return Constant(word in TRUE, type=BOOLEAN, where=here.where(node.span))


def _unknown(here: Here, node: ast.Name, wanted: Type | None) -> Expression:
    vocabulary = vocabulary_wanted(wanted)
    if vocabulary is not None:
        return here.poison(node.span, _no_name(here, vocabulary, node.name, quoted=False))
    if wanted is not None and isinstance(plain(wanted), UnknownType):
        return here.unknown(node.span)
    if node.name == here.symbols.state:
        return here.poison(node.span, problems.whole_state(node.name))
    homes = _homes(here, node.name)
    if len(homes) == 1:
        return name_of(here, homes[0], node.name, node.span) or here.unknown(node.span)
    if homes:
        return here.poison(node.span, problems.name_out_of_place(node.name, [v.name for v in homes]))
    words = problems.unknown_name(node.name, reach(here))
    if words.hint is None and wanted is not None:
        words = _as_wanted(node.name, plain(wanted), words)
    return here.poison(node.span, words)


def _as_wanted(name: str, wanted: Type, words: problems.Wording) -> problems.Wording:
    match wanted:
        case TextType():
            return problems.text_without_quotes(name)
        case BooleanType():
            return problems.truth_wanted(name)
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
