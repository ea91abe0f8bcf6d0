"""Built-in functions as Python's own words."""

from __future__ import annotations

from collections.abc import Callable

from dtables.compilers.python.calls import arguments
from dtables.compilers.python.code import Code, Level, NamingStyle, Site, let
from dtables.compilers.python.compounds import is_list, parts_of
from dtables.compilers.python.failing import is_whole, may_fail, whole_items
from dtables.compilers.python.operators import equal_in_python
from dtables.feel.builtins import BY_NAME
from dtables.feel.types import (
    AnyType,
    ListType,
    NumberType,
    TextType,
    Type,
    UnknownType,
    VocabularyType,
    may_be_null,
    plain,
)
from dtables.program.nodes import (
    Builtin,
    Comparison,
    Conditional,
    Constant,
    Expression,
    Filter,
    For,
    Local,
    MakeList,
)


def builtin(node: Builtin, site: Site) -> Code:
    """Spelled out where Python has the same word for it, else a call whose failure has its cell."""
    short = SHORT.get(node.name)
    if short is not None:
        code = short(node, site)
        if code is not None:
            return code
    meaning = BY_NAME[node.name].meaning
    name = site.function.module.uses(meaning.__name__, meaning.__module__)
    parts = ", ".join(arguments(node.arguments, site))
    comma = ", " if parts else ""
    return Code(f"{site.uses('attempt')}({site.place(node.where)}, {name}{comma}{parts})")


def _count(node: Builtin, site: Site) -> Code | None:
    if len(node.arguments) != 1 or not is_list(node.arguments[0]):
        return None
    counted_value = _counted_value(node.arguments[0], site)
    if counted_value is not None:
        counted, value = counted_value
        return Code(f"{site.code(counted).atom}.count({site.code(value).whole})")
    return Code(f"len({site.code(node.arguments[0]).whole})")


def _counted_value(node: Expression, site: Site) -> tuple[Expression, Expression] | None:
    """`list[item = value]`: the list and the value, which is read even if the list is empty."""
    match node:
        case Filter(
            of=of, item=item, condition=Comparison(operator="=", left=Local(slot=read) as left, right=value)
        ):
            fits = read == item and is_list(of) and equal_in_python(left.type, value.type)
            steady = item not in site.ground.lowered.reads(value)
            return (of, value) if fits and steady and not may_fail(value, site.ground) else None
        case _:
            return None


def _total(node: Builtin, site: Site) -> Code | None:
    if len(node.arguments) == 1 and whole_items(node.arguments[0]):
        return Code(f"sum({site.code(node.arguments[0]).whole})")
    return None


def _concatenate(node: Builtin, site: Site) -> Code | None:
    """List literals are spelled item by item."""
    if not all(is_list(argument) for argument in node.arguments):
        return None
    return Code(f"[{', '.join(_spread(argument, site) for argument in node.arguments)}]")


def _spread(node: Expression, site: Site) -> str:
    if isinstance(node, MakeList) and node.items:
        return ", ".join(arguments(node.items, site))
    return f"*{site.code(node).within(Level.OR)}"


def _append(node: Builtin, site: Site) -> Code | None:
    first, *rest = node.arguments
    return Code(f"[{', '.join([_spread(first, site), *arguments(tuple(rest), site)])}]")


def _reverse(node: Builtin, site: Site) -> Code | None:
    return Code(f"{site.code(node.arguments[0]).atom}[::-1]")


def _extreme(word: str) -> Callable[[Builtin, Site], Code | None]:
    """`min` and `max` of whole numbers; of an empty list they are null."""

    def code(node: Builtin, site: Site) -> Code | None:
        if len(node.arguments) == 1 and whole_items(node.arguments[0]):
            return Code(f"{word}({site.code(node.arguments[0]).whole}, default=None)")
        if len(node.arguments) > 1 and all(map(is_whole, node.arguments)):
            return _with_constant(word, node, site) or Code(
                f"{word}({', '.join(arguments(node.arguments, site))})"
            )
        return None

    return code


def _with_constant(word: str, node: Builtin, site: Site) -> Code | None:
    """Of two, one of them written out: Python compares sooner than it calls."""
    match node.arguments:
        case (Constant() as constant, value) | (value, Constant() as constant):
            if site.binding is NamingStyle.LAMBDA:
                return None
        case _:
            return None
    limit = site.code(constant).within(Level.SUM)
    order = ">" if word == "max" else "<"

    def text(first: Code, again: Code) -> Code:
        return Code(f"{again.text} if {first.atom} {order} {limit} else {limit}", Level.CHOICE)

    return let(site, site.code(value), "number", text)


def _flatten(node: Builtin, site: Site) -> Code | None:
    """Lists of lists, and no deeper."""
    (lists,) = node.arguments
    outer = plain(lists.type)
    if not (is_list(lists) and isinstance(outer, ListType) and _is_flat_list(outer.item)):
        return None
    parts = parts_of(lists, site) if isinstance(lists, For) else None
    if parts is not None:
        spread = ", ".join(f"*{part.within(Level.OR)}" for part in parts)
        return Code(f"{site.uses('bounded')}([{spread}], {site.place(node.where)})")
    return Code(f"{site.uses('joined')}({site.code(lists).whole}, {site.place(node.where)})")


def _is_flat_list(type_: Type) -> bool:
    found = plain(type_)
    if may_be_null(type_) or not isinstance(found, ListType):
        return False
    return not isinstance(plain(found.item), (ListType, AnyType, UnknownType))


def _repeat(node: Builtin, site: Site) -> Code | None:
    """What is repeated no times is not computed, where it makes no difference."""
    value, times = node.arguments
    if not is_whole(times):
        return None
    repeated, place = site.uses("repeated"), site.place(node.where)
    if may_fail(value, site.ground):
        return Code(f"{repeated}({site.code(value).whole}, {site.code(times).whole}, {place})")

    def text(first: Code, again: Code) -> Code:
        then = f"{repeated}({site.code(value).whole}, {again.whole}, {place})"
        return Code(f"{then} if {first.within(Level.OR)} else []", Level.CHOICE)

    return let(site, site.code(times), "times", text)


def _drop(word: str) -> Callable[[Builtin, Site], Code | None]:
    """Of whole numbers, as many as a count gives: that cannot fail."""

    def code(node: Builtin, site: Site) -> Code | None:
        numbers, count = node.arguments
        if not (whole_items(numbers) and _is_count(count)):
            return None
        return Code(f"{site.uses(f'without_{word}')}({site.code(numbers).whole}, {site.code(count).whole})")

    return code


def _is_count(node: Expression) -> bool:
    """A whole number that is not negative, as it is written."""
    match node:
        case Builtin(name="count", arguments=(counted,)):
            return is_list(counted)
        case Constant(value=int() as value):
            return value >= 0
        case Conditional(then=then, otherwise=otherwise):
            return _is_count(then) and _is_count(otherwise)
        case _:
            return False


def _distinct(node: Builtin, site: Site) -> Code | None:
    """Texts, names and whole numbers are distinguished by Python."""
    (values,) = node.arguments
    found = plain(values.type)
    if not (is_list(values) and isinstance(found, ListType)):
        return None
    item = plain(found.item)
    if isinstance(item, (TextType, VocabularyType)) or (isinstance(item, NumberType) and item.whole):
        return Code(f"list(dict.fromkeys({site.code(values).whole}))")
    return None


def _get_value(node: Builtin, site: Site) -> Code | None:
    """A row's fields may be worked out from the turn."""
    if not site.ground.has_fields_by_turn():
        return None
    parts = ", ".join([site.turn, *arguments(node.arguments, site)])
    return Code(f"{site.uses('value_of')}({parts}, {site.place(node.where)})")


SHORT: dict[str, Callable[[Builtin, Site], Code | None]] = {
    "count": _count,
    "total": _total,
    "concatenate": _concatenate,
    "append": _append,
    "reverse": _reverse,
    "min": _extreme("min"),
    "max": _extreme("max"),
    "flatten": _flatten,
    "get value": _get_value,
    "repeat": _repeat,
    "drop highest": _drop("highest"),
    "drop lowest": _drop("lowest"),
    "distinct values": _distinct,
}
