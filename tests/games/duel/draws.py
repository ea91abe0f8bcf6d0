"""What chance decides: the recorded outcome, or what it may be."""

from __future__ import annotations

from typing import Any

from tests.games.duel.state import State
from tests.games.reading import Rejected


def drawn(state: State, field: str, options: list[str]) -> tuple[str | None, list[str]]:
    """The value, or None and what it may be. A recorded draw that chance cannot have given is rejected."""
    if len(options) <= 1:
        return (options[0] if options else None), []
    recorded = state.get(field)
    if recorded is None:
        return None, options
    if recorded not in options:
        raise Rejected(f"state.{field}")
    return recorded, []


def with_any(answer: dict[str, Any], **open_fields: list[Any]) -> dict[str, Any]:
    any_of = {k: v for k, v in open_fields.items() if v}
    return {**answer, "any_of": any_of} if any_of else answer
