"""A Spark session: the one that is active, or one of its own; what goes wrong in it, told plainly."""

from __future__ import annotations

import os
import re
import shutil
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from dtables.runs.chunks import LogError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LOCAL = "local[*]"
SETTINGS = {
    # What is handed on need not wait for what is worked on.
    "spark.scheduler.mode": "FAIR",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
}
_TOLD = re.compile(r"^(?:Caused by: |: )?[\w.]+(?:Error|Exception): (.+)", re.MULTILINE)


@contextmanager
def spark_session(master: str | None) -> Iterator[SparkSession]:
    """One that was there before is left as it is."""
    session_class = _library()
    active = session_class.getActiveSession()
    if active is not None:
        _refuse_other_master(active, master)
        yield active
        return
    session = _started(session_class, master or LOCAL)
    try:
        yield session
    finally:
        session.stop()


@contextmanager
def said_plainly() -> Iterator[None]:
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError) as error:
        raise LogError(f"Spark: {first_cause(str(error))}") from error


def _library() -> type[SparkSession]:
    # pandas is not used here.
    warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise LogError("Spark is another library: pip install 'dtables[spark]'") from None
    library: type[SparkSession] = SparkSession
    return library


def _refuse_other_master(session: SparkSession, master: str | None) -> None:
    running = session.sparkContext.master
    if master not in (None, running):
        raise LogError(f"a Spark session on {running} is active: it cannot go to {master} as well")


def _started(session_class: type[SparkSession], master: str) -> SparkSession:
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        raise LogError(
            "Spark needs Java, and none is found: install Java 17 or later, or say in JAVA_HOME where it is"
        )
    if master.startswith("local"):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = session_class.builder.appName("dtables").master(master)
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    with said_plainly():
        return builder.getOrCreate()


def first_cause(text: str) -> str:
    """The error that all others follow from stands last."""
    told = _TOLD.findall(text)
    return str(told[-1]) if told else next((line for line in text.splitlines() if line.strip()), text)
