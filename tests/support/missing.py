"""What a test needs and this machine may not have."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec
from typing import NoReturn

import pytest

from tests.support.thinned import is_quick

ALL_TESTS = "DTABLES_ALL_TESTS"
"""Set where everything has been installed: what is missing there is a mistake."""


def missing(what: str) -> NoReturn:
    """The test is skipped; where nothing may be missing, it fails."""
    if os.environ.get(ALL_TESTS):
        pytest.fail(f"{what}, and {ALL_TESTS} is set")
    pytest.skip(what)


def not_in_quick(tool: str) -> None:
    if is_quick():
        pytest.skip(f"`make quick` starts no {tool}")


def needs_libreoffice() -> None:
    not_in_quick("LibreOffice")
    if shutil.which("soffice") is None:
        missing("LibreOffice is not installed")


def needs_spark() -> None:
    not_in_quick("Spark")
    if find_spec("pyspark") is None:
        missing("Spark is not installed")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        missing("Java is not installed: Spark cannot start")
