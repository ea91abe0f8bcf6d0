"""The entries of the built-ins on lists; their meanings stand in `lists`."""

from __future__ import annotations

from dtables.feel.functions import lists
from dtables.feel.functions.entry import (
    Builtin,
    always,
    first_as_list,
    item_type,
    list_of_all,
    takes,
)
from dtables.feel.types import (
    ANY,
    BOOLEAN,
    NUMBER,
    WHOLE,
    FunctionType,
    ListType,
    NullType,
    Type,
    join,
    may_be_null,
    optional,
    plain,
)

_LIST = ListType(ANY)
_NUMBERS = ListType(NUMBER)


def _appended(types: tuple[Type, ...]) -> Type:
    return ListType(join([item_type(types[0]), *types[1:]])) if types else _LIST


def _replaced(types: tuple[Type, ...]) -> Type:
    """The new item is the third argument."""
    return ListType(join([item_type(types[0]), *types[2:3]])) if types else _LIST


def _flattened(types: tuple[Type, ...]) -> Type:
    return ListType(_innermost(types[0])) if types else _LIST


def _innermost(given: Type) -> Type:
    item = item_type(given)
    if not isinstance(plain(item), ListType):
        return item
    return optional(_innermost(item)) if may_be_null(item) else _innermost(item)


def _repeated(types: tuple[Type, ...]) -> Type:
    return ListType(types[0]) if types and not isinstance(types[0], NullType) else _LIST


LISTS = (
    Builtin(
        "list contains",
        (takes(("list", _LIST), ("element", ANY)),),
        always(BOOLEAN),
        "is the element in the list? null can be one",
        (("list contains([1, 2, 3], 2)", "true"), ("list contains([1, null], null)", "true")),
        lists.list_contains,
    ),
    Builtin(
        "sublist",
        (
            takes(("list", _LIST), ("start position", WHOLE)),
            takes(("list", _LIST), ("start position", WHOLE), ("length", WHOLE)),
        ),
        first_as_list,
        "`length` items (or all) from a position on; -1 is the last position",
        (("sublist([4, 5, 6], 1, 2)", "[4, 5]"), ("sublist([4, 5, 6], -2)", "[5, 6]")),
        lists.sublist,
    ),
    Builtin(
        "append",
        (takes(("list", _LIST), ("item...", ANY)),),
        _appended,
        "the list with further items at its end",
        (("append([1], 2, 3)", "[1, 2, 3]"),),
        lists.append,
    ),
    Builtin(
        "concatenate",
        (takes(("list...", _LIST)),),
        list_of_all,
        "the lists one after another",
        (("concatenate([1, 2], [3])", "[1, 2, 3]"),),
        lists.concatenate,
    ),
    Builtin(
        "insert before",
        (takes(("list", _LIST), ("position", WHOLE), ("newItem", ANY)),),
        _replaced,
        "the list with a new item at the position, the others after it",
        (("insert before([1, 3], 2, 2)", "[1, 2, 3]"),),
        lists.insert_before,
    ),
    Builtin(
        "remove",
        (takes(("list", _LIST), ("position", WHOLE)),),
        first_as_list,
        "the list without the item at the position",
        (("remove([1, 2, 3], 2)", "[1, 3]"),),
        lists.remove_at,
    ),
    Builtin(
        "list replace",
        (
            takes(("list", _LIST), ("position", WHOLE), ("newItem", ANY)),
            takes(("list", _LIST), ("match", FunctionType((ANY, ANY), BOOLEAN)), ("newItem", ANY)),
        ),
        _replaced,
        "the list with a new item in place of the one at the position, or of all that match",
        (
            ("list replace([2, 4, 7, 8], 3, 6)", "[2, 4, 6, 8]"),
            ("list replace([2, 4, 7], function(item, newItem) item < newItem, 5)", "[5, 5, 7]"),
        ),
        lists.list_replace,
    ),
    Builtin(
        "reverse",
        (takes(("list", _LIST)),),
        first_as_list,
        "the list from its end",
        (("reverse([1, 2, 3])", "[3, 2, 1]"),),
        lists.reverse,
    ),
    Builtin(
        "index of",
        (takes(("list", _LIST), ("match", ANY)),),
        always(ListType(WHOLE)),
        "the positions at which the list has the value",
        (("index of([1, 2, 3, 2], 2)", "[2, 4]"), ("index of([1], 5)", "[]")),
        lists.index_of,
    ),
    Builtin(
        "union",
        (takes(("list...", _LIST)),),
        list_of_all,
        "the lists one after another, each value once",
        (("union([1, 2], [2, 3])", "[1, 2, 3]"),),
        lists.union,
    ),
    Builtin(
        "distinct values",
        (takes(("list", _LIST)),),
        first_as_list,
        "the list, each value once",
        (("distinct values([1, 2, 3, 2, 1])", "[1, 2, 3]"),),
        lists.distinct_values,
    ),
    Builtin(
        "flatten",
        (takes(("list", _LIST)),),
        _flattened,
        "the list with the items of its lists, and of theirs, in their place",
        (("flatten([[1, 2], [[3]], 4])", "[1, 2, 3, 4]"),),
        lists.flatten,
    ),
    Builtin(
        "sort",
        (takes(("list", _LIST), ("precedes", FunctionType((ANY, ANY), BOOLEAN))),),
        first_as_list,
        "the list in the order of a function that says whether one item comes before another",
        (("sort([3, 1, 5, 4], function(x, y) x < y)", "[1, 3, 4, 5]"),),
        lists.sort_by,
    ),
    Builtin(
        "repeat",
        (takes(("x", ANY), ("n", WHOLE)),),
        _repeated,
        "a list of n times the same",
        (("repeat(0, 3)", "[0, 0, 0]"), ("repeat(7, 0)", "[]")),
        lists.repeat,
        standard=False,
    ),
    Builtin(
        "drop highest",
        (takes(("list", _NUMBERS), ("n", WHOLE)),),
        first_as_list,
        "the numbers without the n highest, in their order",
        (("drop highest([3, 9, 4, 9], 1)", "[3, 4, 9]"), ("drop highest([1], 5)", "[]")),
        lists.drop_highest,
        standard=False,
    ),
    Builtin(
        "drop lowest",
        (takes(("list", _NUMBERS), ("n", WHOLE)),),
        first_as_list,
        "the numbers without the n lowest, in their order",
        (("drop lowest([3, 9, 4, 3], 2)", "[9, 4]"),),
        lists.drop_lowest,
        standard=False,
    ),
)
