"""Values in the cells of printed tables."""

from __future__ import annotations

from decimal import Decimal

from dtables.model.expressions import (
    Constant,
    Expression,
    Guard,
    MakeContext,
    MakeList,
    MakeRecord,
    NameOf,
    Negation,
)
from dtables.printing.names import Names
from dtables.printing.view_parts import Inline, Run, Style
from dtables.printing.view_text import joined, plain, starred
from dtables.printing.wording import Wording

YES, NO, NONE = "●", "–", "–"
ORDER, LIST = " › ", ", "


def value_inline(names: Names, wording: Wording, node: Expression, separator: str = LIST) -> Inline:
    match node:
        case Constant(value=None):
            return plain(NONE, Style.QUIET)
        case Constant(value=bool() as value):
            return (Run(YES),) if value else plain(NO, Style.QUIET)
        case Constant(value=int() | Decimal() as number):
            return plain(names.number(number))
        case Constant(value=str() as text):
            return starred(text)
        case NameOf(vocabulary=vocabulary, id=name):
            return names.inline(vocabulary, name)
        case Guard(operand=operand):
            return value_inline(names, wording, operand, separator)
        case MakeList(items=()):
            return plain(NONE, Style.QUIET)
        case MakeList(items=items):
            return joined(tuple(value_inline(names, wording, item, separator) for item in items), separator)
        case _:
            return plain(wording.say(node))


def is_plain_value(node: Expression) -> bool:
    """Names, numbers, yes and no, and what is made of them: the same whatever happens."""
    match node:
        case Constant() | NameOf():
            return True
        case Guard(operand=operand) | Negation(operand=operand):
            return is_plain_value(operand)
        case MakeList(items=items):
            return all(is_plain_value(item) for item in items)
        case MakeContext(entries=entries):
            return all(is_plain_value(entry.value) for entry in entries)
        case MakeRecord(fields=fields):
            return all(is_plain_value(value) for _, value in fields)
        case _:
            return False
