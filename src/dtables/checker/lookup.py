"""Names of vocabularies, found by id, label or spelling; and all names that a text may hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from dtables.checker.scope import Read, Scope, Symbols
from dtables.feel.builtins import BY_NAME
from dtables.feel.knownnames import Names
from dtables.feel.names import Spellings
from dtables.feel.parser_cursor import Dialect
from dtables.feel.types import NAMED_TYPES
from dtables.model.tables import Vocabulary


def ids_of(symbols: Symbols, vocabulary: str, written: str) -> tuple[str, ...]:
    """The ids that a name may mean."""
    return _spellings(symbols, vocabulary).meant(written)


def spellings_of(symbols: Symbols, vocabulary: str) -> Iterator[str]:
    """Every id, label and spelling."""
    for label in symbols.vocabularies[vocabulary].names:
        yield from label.written


def _spellings(symbols: Symbols, name: str) -> Spellings:
    """In a cell labels count also where records must spell ids."""
    vocabulary, known = symbols.vocabularies[name], symbols.lookups.vocabularies
    if name not in known or known[name][0] is not vocabulary:
        known[name] = (vocabulary, Spellings(vocabulary.written))
    return known[name][1]


# -- what the parser must know -----------------------------------------------------------------


def known_names(symbols: Symbols, scope: Scope | None = None) -> Names:
    """All names that a text may hold: the longest of them wins where it is read."""
    names = _declared(symbols)
    if scope is None or not scope.locals:
        return names
    inside, known = tuple(scope.locals), symbols.lookups.joined
    if inside not in known or known[inside][0] is not names:
        known[inside] = (names, names | names_of(symbols, inside))
    return known[inside][1]


def names_of(symbols: Symbols, names: Iterable[str]) -> Names:
    return Names(names) if symbols.memory is None else symbols.memory.names(names)


def read(symbols: Symbols, parse: Callable[[str, Names, Dialect], Read], text: str, names: Names) -> Read:
    """Read a text, or remember what was read of it among the same names."""
    if symbols.memory is None:
        return parse(text, names, symbols.dialect)
    return symbols.memory.read(parse, text, names)


def all_declared(symbols: Symbols) -> None:
    """From now on no name comes to those that are there: they need not be counted for every cell."""
    symbols.lookups.declared = _declared(symbols)


def _declared(symbols: Symbols) -> Names:
    if symbols.lookups.declared is not None:
        return symbols.lookups.declared
    sizes = _sizes(symbols)
    known = symbols.lookups.names
    if sizes not in known:
        known.clear()
        known[sizes] = names_of(symbols, _all_names(symbols))
    return known[sizes]


def _sizes(symbols: Symbols) -> tuple[int, ...]:
    """Declarations are only ever added, so that their numbers tell whether something is new."""
    fields = sum(len(record.fields) for record in symbols.records.values())
    labels = sum(_spellings_counted(symbols, v) for v in symbols.vocabularies.values())
    return (*(len(group) for group in _groups(symbols)), fields, labels)


def _spellings_counted(symbols: Symbols, vocabulary: Vocabulary) -> int:
    """Counted once: thousands of names would be counted for every cell of theirs."""
    known = symbols.lookups.counted
    names = vocabulary.names
    if vocabulary.name not in known or known[vocabulary.name][0] is not names:
        count = sum(1 + len(label.words) + len(label.spellings) for label in names)
        known[vocabulary.name] = (names, count)
    return known[vocabulary.name][1]


def _groups(symbols: Symbols) -> tuple[Mapping[str, object], ...]:
    return (
        symbols.vocabularies, symbols.restrictions, symbols.records, symbols.inputs,
        symbols.functions, symbols.switches, symbols.data,
    )  # fmt: skip


def _all_names(symbols: Symbols) -> Iterator[str]:
    for group in _groups(symbols):
        yield from group
    for record in symbols.records.values():
        yield from record.fields
    for function in symbols.functions.values():
        yield from (name for name, _ in function.parameters)
    for vocabulary in symbols.vocabularies:
        yield from spellings_of(symbols, vocabulary)
    yield from (symbols.state, *BY_NAME, *NAMED_TYPES)
