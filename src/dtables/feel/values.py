"""Values at run time and what they do to each other (to be completed)."""

from __future__ import annotations

from typing import Any

Value = Any
Plain = Any
