"""Tables as written and the expression language become a model, or diagnostics."""

from dtables.checker.check import check_book

__all__ = ["check_book"]
