"""Built-ins on contexts."""

from __future__ import annotations

from collections.abc import Callable

from dtables.feel.errors import FeelError
from dtables.feel.functions.arguments import key_in, list_in
from dtables.feel.functions.entry import Builtin, always, item_or_itself, takes
from dtables.feel.kinds import Fields, Row, Value, kind_of
from dtables.feel.reading import entry
from dtables.feel.types import (
    ANY,
    TEXT,
    ContextType,
    ListType,
    MapType,
    Type,
    VocabularyType,
    join,
    optional,
    plain,
)


def get_value(m: Value, key: Value, read: Callable[[Value, str], Value] = entry) -> Value:
    """`key` is a name, or a list of names to follow one after another. Null where there is none. `read` knows
    what fields are worked out from, where that changes from turn to turn."""
    keys = key if type(key) is list else [key]
    if m is None or not keys:
        raise FeelError("a context and a key were wanted")
    value = m
    for name in keys:
        if value is not None:
            value = read(value if isinstance(value, Row) else _context_in(value), key_in(name))
    return value


def get_entries(m: Value) -> list[Value]:
    return [{"key": key, "value": value} for key, value in _context_in(m).items()]


def context_of(entries: Value) -> dict[str, Value]:
    """From contexts with a `key` and a `value`; a key that comes twice is a mistake."""
    context: dict[str, Value] = {}
    for given in list_in(entries):
        pair = _context_in(given)
        if "key" not in pair or "value" not in pair:
            raise FeelError("an entry needs a key and a value")
        key = key_in(pair["key"])
        if key in context:
            raise FeelError(f"the key {key} comes twice")
        context[key] = pair["value"]
    return context


def context_put(context: Value, key: Value, value: Value) -> dict[str, Value]:
    """`key` is a name, or a list of names that leads to the entry."""
    entries = _context_in(context)
    if type(key) is not list:
        return {**entries, key_in(key): value}
    if not key:
        raise FeelError("no key")
    name = key_in(key[0])
    if len(key) == 1:
        return {**entries, name: value}
    return {**entries, name: context_put(entries.get(name), key[1:], value)}


def context_merge(contexts: Value) -> dict[str, Value]:
    """Of the entries with one name the last one stays."""
    merged: dict[str, Value] = {}
    for context in list_in(contexts):
        merged.update(_context_in(context))
    return merged


def _context_in(value: Value) -> dict[str, Value]:
    if type(value) is dict:
        return value
    if isinstance(value, Fields) and not isinstance(value, Row):
        return dict(value.stored())
    if type(value) is list and len(value) == 1:
        return _context_in(value[0])
    raise FeelError(f"a context was wanted, not {kind_of(value)}")


# Records and maps are contexts too, and names of vocabularies keys: static types cannot say it.
_CONTEXT = ANY
_KEY = ANY
_KEYS = ListType(ANY)


def _entry_type(types: tuple[Type, ...]) -> Type:
    """Of a map its values' type, or null; of other contexts nothing is known before it runs."""
    given = plain(types[0]) if types else ANY
    return optional(given.value) if isinstance(given, MapType) else ANY


def _pairs(types: tuple[Type, ...]) -> Type:
    given = plain(types[0]) if types else ANY
    match given:
        case MapType(key=key, value=value):
            return ListType(ContextType((("key", key), ("value", value))))
        case ContextType(fields=fields) if fields:
            return ListType(ContextType((("key", TEXT), ("value", join(t for _, t in fields)))))
        case _:
            return ListType(ContextType((("key", TEXT), ("value", ANY))))


def _map_type(types: tuple[Type, ...]) -> Type:
    """A map, where the keys are names of a vocabulary."""
    pair = plain(item_or_itself(types[0])) if types else ANY
    if isinstance(pair, ContextType):
        fields = dict(pair.fields)
        key = plain(fields.get("key", ANY))
        if isinstance(key, VocabularyType) and "value" in fields:
            return MapType(key, fields["value"])
    return ANY


CONTEXTS = (
    Builtin(
        "get value",
        (takes(("m", _CONTEXT), ("key", _KEY)), takes(("context", _CONTEXT), ("keys", _KEYS))),
        _entry_type,
        "the entry of a name, or at the end of a list of names; null where there is none",
        (('get value({a: 1}, "a")', "1"), ('get value({a: {b: 2}}, ["a", "b"])', "2")),
        get_value,
    ),
    Builtin(
        "get entries",
        (takes(("m", _CONTEXT)),),
        _pairs,
        "the entries as a list of contexts with `key` and `value`",
        (("get entries({a: 1})", '[{key: "a", value: 1}]'),),
        get_entries,
    ),
    Builtin(
        "context",
        (takes(("entries", ListType(ANY))),),
        _map_type,
        "a context made from a list of contexts with `key` and `value`",
        (('context([{key: "a", value: 1}, {key: "b", value: 2}])', "{a: 1, b: 2}"),),
        context_of,
    ),
    Builtin(
        "context put",
        (
            takes(("context", _CONTEXT), ("key", _KEY), ("value", ANY)),
            takes(("context", _CONTEXT), ("keys", _KEYS), ("value", ANY)),
        ),
        always(ANY),
        "the context with one entry added or changed, perhaps deep inside",
        (
            ('context put({x: 1}, "y", 2)', "{x: 1, y: 2}"),
            ('context put({x: {y: 0}}, ["x", "y"], 2)', "{x: {y: 2}}"),
        ),
        context_put,
    ),
    Builtin(
        "context merge",
        (takes(("contexts", ListType(ANY))),),
        always(ANY),
        "the entries of all contexts; of equal names the last one stays",
        (("context merge([{x: 1}, {x: 2, y: 3}])", "{x: 2, y: 3}"),),
        context_merge,
    ),
)
