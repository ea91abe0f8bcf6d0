"""The error of an operation that has no value: null in the standard, a mistake of the rules in a workbook."""

from __future__ import annotations


class FeelError(Exception):
    """`message` is one line in plain words, without the place."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class LimitError(FeelError):
    """There may be a value, but it is larger than dtables works out; the message says what the limit is."""
