"""What an answer field is made of where it holds the answer of another ask, or a list of them."""

from __future__ import annotations

from dtables.feel.types import describe, without_null
from dtables.model.expressions import AskAnswer, Conditional, Constant, Expression, For
from dtables.model.tables import AnswerField, Ask


def nested_answer(value: Expression, asks: tuple[Ask, ...]) -> str | None:
    """`list of {place: hex, price: number}`; None where no other ask is answered."""
    match value:
        case AskAnswer(ask=name):
            rows = (
                row for a in asks if a.heading.name == name for row in a.rows if isinstance(row, AnswerField)
            )
            return "{" + ", ".join(f"{row.name}: {_type(row.value, asks)}" for row in rows) + "}"
        case For(result=result):
            item = nested_answer(result, asks)
            return None if item is None else f"list of {item}"
        case Conditional(then=then, otherwise=otherwise):
            either = otherwise if isinstance(then, Constant) else then
            return nested_answer(either, asks)
        case _:
            return None


def _type(value: Expression, asks: tuple[Ask, ...]) -> str:
    return nested_answer(value, asks) or describe(without_null(value.type))
