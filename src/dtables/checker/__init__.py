"""Tables as written and the expression language become a model, or diagnostics."""

from dtables.checker.check import check_book
from dtables.checker.symbols import Memory

__all__ = ["Memory", "check_book"]
