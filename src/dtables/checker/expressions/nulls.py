"""Null where it must not be: a guard, unless a condition further out has excluded it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace

from dtables.checker.expressions.context import Here
from dtables.checker.expressions.types import fields_of
from dtables.checker.symbols import Scope
from dtables.feel.types import (
    AnyType,
    ListType,
    NullType,
    OptionalType,
    Type,
    UnknownType,
    may_be_null,
    without_null,
)
from dtables.model.expressions import (
    Binding,
    ByKey,
    CallBuiltin,
    Comparison,
    Conditional,
    Constant,
    EachOf,
    EqualTo,
    Expression,
    FieldOf,
    Filter,
    For,
    Guard,
    Holds,
    InputField,
    InstanceOf,
    Logic,
    MakeList,
    Matches,
    Not,
    Read,
    Test,
    Variable,
)
from dtables.model.regions import OfNull, what_of_null
from dtables.provenance import Span


def narrowed(here: Here, read: Expression) -> Expression:
    """Without `?` where a condition further out has made sure of it."""
    if not here.scope.present or not isinstance(read.type, OptionalType):
        return read
    return replace(read, type=read.type.of) if key_of(read) in here.scope.present else read


def guarded(here: Here, value: Expression, span: Span) -> Expression:
    """The value where null may not be. The guard stands as far in as it can: at the input field
    whose absence rejects the record, at the record that a path is read from."""
    if not isinstance(value.type, OptionalType):
        return value
    guarding = guarded_inside(here, value, span)
    if guarding is not None:
        return guarding
    here.sink.guard(here.text, span, _way_out(value))
    return Guard(value, type=without_null(value.type), where=value.where)


def _way_out(value: Expression) -> str | None:
    if isinstance(value, CallBuiltin) and value.builtin == "sum":
        return "`total(…)` of an empty list is 0"
    return None


def guarded_inside(here: Here, value: Expression, span: Span) -> Expression | None:
    """Where a record that lacks a field is rejected for the field; None where null comes from elsewhere."""
    match value:
        case InputField(name=name) if not here.symbols.inputs[name].has_default:
            return replace(value, type=without_null(value.type))
        case FieldOf(of=of, name=name):
            own = (fields_of(here.symbols, of.type) or {}).get(name)
            if own is None or may_be_null(own):
                return None
            return replace(value, of=guarded(here, of, span), type=own)
        case Conditional(then=then, otherwise=otherwise):
            if isinstance(then.type, NullType) or isinstance(otherwise.type, NullType):
                return None
            then, otherwise = guarded(here, then, span), guarded(here, otherwise, span)
            return replace(value, then=then, otherwise=otherwise, type=without_null(value.type))
        case _:
            return None


def guarded_items(here: Here, value: Expression, span: Span) -> Expression:
    """A list none of whose items may be null."""
    assert isinstance(value.type, ListType)
    here.sink.guard(here.text, span, items=True)
    item = here.variable("item", value.type.item)
    read = Read(item, type=item.type, where=value.where)
    guard = Guard(read, type=without_null(item.type), where=value.where)
    return For((Binding(item, value),), guard, type=ListType(guard.type), where=value.where)


def nullable(type_: Type) -> bool:
    return isinstance(type_, (OptionalType, NullType)) and not isinstance(type_, AnyType)


# -- what conditions make sure of -------------------------------------------------------------------
# What conditions make sure of: what is not null, and which lists hold something, where they are true.

Keys = frozenset[Hashable]
"""Of expressions that are not null; `filled_key` of lists that are not empty."""

NOTHING: Keys = frozenset()


def assuming(scope: Scope, present: Keys) -> Scope:
    return replace(scope, present=scope.present | present) if present else scope


def present_if_true(condition: Expression) -> Keys:
    """What is not null where the condition is true."""
    match condition:
        case Logic(operator="and", left=left, right=right):
            return present_if_true(left) | present_if_true(right)
        case Logic(left=left, right=right):
            return present_if_true(left) & present_if_true(right)
        case Not(operand=operand):
            return present_if_false(operand)
        case Guard(operand=operand):
            return present_if_true(operand)
        case Comparison(operator="=", left=left, right=right):
            return _if_never_null(left, right) | _if_never_null(right, left)
        case Comparison(operator="!=", left=left, right=right):
            return _if_null(left, right) | _if_null(right, left) | _if_empty(left, right)
        case Comparison(operator=operator, left=left, right=right):
            return _owners(left) | _owners(right) | _if_counted(operator, left, right)
        case Matches(value=value, tests=tests):
            return NOTHING if _accepts_null(tests) else _owners(value)
        case InstanceOf(value=value):
            return _owners(value)
        case _:
            return _owners(condition)


def present_if_false(condition: Expression) -> Keys:
    match condition:
        case Logic(operator="or", left=left, right=right):
            return present_if_false(left) | present_if_false(right)
        case Logic(left=left, right=right):
            return present_if_false(left) & present_if_false(right)
        case Not(operand=operand):
            return present_if_true(operand)
        case Guard(operand=operand):
            return present_if_false(operand)
        case Comparison(operator="=", left=left, right=right):
            return _if_null(left, right) | _if_null(right, left) | _if_empty(left, right)
        case Comparison(operator="!=", left=left, right=right):
            return _if_never_null(left, right) | _if_never_null(right, left)
        case Comparison(left=left, right=right):
            return _owners(left) | _owners(right)
        case Matches(value=value, tests=(EqualTo(value=null),)) if isinstance(null.type, NullType):
            return _owners(value)
        case Matches() | InstanceOf():
            return NOTHING
        case _:
            return _owners(condition)


def present_if_passed(value: Expression | None, tests: Sequence[Test]) -> Keys:
    """What is not null in the row of a table whose tests on the value hold."""
    match tuple(tests):
        case (EqualTo(value=Constant(value=True)),) if value is not None:
            return present_if_true(value)
        case (EqualTo(value=Constant(value=False)),) if value is not None:
            return present_if_false(value)
        case (Holds(condition=condition),):
            return present_if_true(condition)
        case passed if value is None or not passed or _accepts_null(passed):
            return NOTHING
        case _:
            return _owners(value)


def present_in_items(source: Expression, item: Variable) -> Keys:
    """What is not null of each item of a list that was filtered for it."""
    match source:
        case Filter(of=of, item=filtered, condition=condition):
            kept = present_if_true(condition)
            old, new = key_of(filtered), key_of(item)
            return frozenset(_renamed(key, old, new) for key in kept) | present_in_items(of, item)
        case Guard(operand=operand):
            return present_in_items(operand, item)
        case _:
            return NOTHING


def _renamed(key: Hashable, old: Hashable, new: Hashable) -> Hashable:
    if key == old:
        return new
    return tuple(_renamed(part, old, new) for part in key) if isinstance(key, tuple) else key


def _if_null(one: Expression, other: Expression) -> Keys:
    return _owners(one) if isinstance(other.type, NullType) else NOTHING


def _if_empty(one: Expression, other: Expression) -> Keys:
    """What `x != []` and `count(x) != 0` make sure of."""
    match one, other:
        case MakeList(items=()), _:
            return frozenset((filled_key(other),))
        case _, MakeList(items=()):
            return frozenset((filled_key(one),))
        case CallBuiltin(builtin="count", arguments=(counted,)), Constant(value=0):
            return frozenset((filled_key(counted),))
        case _:
            return NOTHING


def _if_counted(operator: str, one: Expression, other: Expression) -> Keys:
    """What `count(x) > 0` makes sure of."""
    match operator, one, other:
        case ">", CallBuiltin(builtin="count", arguments=(counted,)), Constant(value=int(n)) if n >= 0:
            return frozenset((filled_key(counted),))
        case ">=", CallBuiltin(builtin="count", arguments=(counted,)), Constant(value=int(n)) if n >= 1:
            return frozenset((filled_key(counted),))
        case _:
            return NOTHING


def filled_key(value: Expression) -> Hashable:
    """Stands among what is present for a list that holds something."""
    return ("filled", key_of(value))


def _if_never_null(one: Expression, other: Expression) -> Keys:
    return _owners(one) if _never_null(other.type) else NOTHING


def _never_null(type_: Type) -> bool:
    return not may_be_null(type_) and not isinstance(type_, UnknownType)


def _accepts_null(tests: Sequence[Test]) -> bool:
    """Might null pass one of them? Where that is not plain, yes."""
    return what_of_null(tests) in (OfNull.PASSES, OfNull.OPEN)


def _owners(value: Expression) -> Keys:
    """The value and everything it is read from: a path is null where one of its owners is."""
    return frozenset(_owner_keys(value))


def _owner_keys(value: Expression) -> Iterator[Hashable]:
    if isinstance(value, Read) and not may_be_null(value.variable.type):
        return
    yield key_of(value)
    match value:
        case FieldOf(of=of):
            yield from _owner_keys(of)
        case ByKey(of=of, key=key):
            yield from _owner_keys(of)
            yield from _owner_keys(key)
        case Guard(operand=operand):
            yield from _owner_keys(operand)
        case _:
            return


# -- the same thing twice ----------------------------------------------------------------------


def key_of(value: object) -> Hashable:
    """Equal for expressions that always have the same value, whatever is known of their types."""
    match value:
        case Guard(operand=operand):
            return key_of(operand)
        case Constant(value=constant):
            return ("Constant", type(constant).__name__, repr(constant))
        case tuple():
            return tuple(key_of(part) for part in value)
        case _ if is_dataclass(value):
            parts = (getattr(value, f.name) for f in fields(value) if f.name not in ("type", "where"))
            return (type(value).__name__, *(key_of(part) for part in parts))
        case _:
            return value if isinstance(value, Hashable) else repr(value)


# -- lists that cannot be empty ---------------------------------------------------------------------
# Lists that surely hold something, so that their first item and their greatest are not null.


def filled(here: Here, value: Expression) -> bool:
    """A condition further out says so, or it is made so."""
    if here.scope.present and filled_key(value) in here.scope.present:
        return True
    match value:
        case MakeList(items=items):
            return bool(items)
        case EachOf(vocabulary=vocabulary):
            return bool(here.symbols.vocabularies[vocabulary].names)
        case For(bindings=bindings):
            return all(_runs_at_all(here, binding) for binding in bindings)
        case Conditional(then=then, otherwise=otherwise):
            return filled(here, then) and filled(here, otherwise)
        case Guard(operand=operand):
            return filled(here, operand)
        case CallBuiltin(builtin="append" | "insert before"):
            return True
        case CallBuiltin(builtin="concatenate" | "union", arguments=arguments):
            return any(filled(here, argument) for argument in arguments)
        case CallBuiltin(builtin="reverse" | "sort" | "distinct values", arguments=(of, *_)):
            return filled(here, of)
        case _:
            return False


def _runs_at_all(here: Here, binding: Binding) -> bool:
    """A range is never empty: `1..0` counts down."""
    return binding.end is not None or filled(here, binding.source)


def first_or_last(index: Expression) -> bool:
    return isinstance(index, Constant) and not isinstance(index.value, bool) and index.value in (1, -1)
