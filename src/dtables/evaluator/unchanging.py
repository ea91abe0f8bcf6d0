"""Dataclasses that are made by the hundred for every answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

Made = TypeVar("Made")


@dataclass_transform(eq_default=False, frozen_default=True)
def unchanging(made: type[Made]) -> type[Made]:
    """Frozen for whoever checks the types, and equal only to itself; at run time it is not kept from being
    changed, since making one would take four times as long."""
    return dataclass(slots=True, eq=False)(made)
