"""Null where it must not be: a guard, unless a condition further out has excluded it."""

from __future__ import annotations

from dataclasses import replace

from dtables.checker.here import Here
from dtables.checker.sure import key_of
from dtables.checker.types import fields_of
from dtables.feel.types import AnyType, ListType, NullType, OptionalType, Type, may_be_null, without_null
from dtables.model.expressions import (
    Binding,
    CallBuiltin,
    Conditional,
    Expression,
    FieldOf,
    For,
    Guard,
    InputField,
    Read,
)
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
    here.sink.guard(here.text, span)
    item = here.variable("item", value.type.item)
    read = Read(item, type=item.type, where=value.where)
    guard = Guard(read, type=without_null(item.type), where=value.where)
    return For((Binding(item, value),), guard, type=ListType(guard.type), where=value.where)


def nullable(type_: Type) -> bool:
    return isinstance(type_, (OptionalType, NullType)) and not isinstance(type_, AnyType)
