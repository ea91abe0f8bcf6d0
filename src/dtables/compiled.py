"""What a compiled module says first: which dtables compiled it. Another one may no longer run it."""

from __future__ import annotations

from dtables import __version__


def compiled_by(version: str, book: str) -> None:
    """Raise ImportError unless this dtables runs what that version has compiled from the workbook."""
    if _series(version) != _series(__version__):
        raise ImportError(
            f"these rules were compiled by dtables {version}, and this is dtables {__version__}: "
            f"compile them again from {book} (`dtables compile`)"
        )


def _series(version: str) -> list[str]:
    """Versions that differ in their third number alone run each other's modules."""
    return version.split(".")[:2]
