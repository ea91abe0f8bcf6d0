"""One Spark session for all tests of a process; where Spark or Java is missing the test is skipped."""

from __future__ import annotations

import atexit
import os
import sys
from functools import cache
from typing import Any

from tests.support.missing import needs_spark


def spark_session(master: str = "local[2]") -> Any:
    """Started once, in 5 to 15 seconds. A process has one: who asks for another master gets what runs."""
    needs_spark()
    return _session(master)


@cache
def _session(master: str) -> Any:
    from pyspark.sql import SparkSession

    # Without it the workers take the first python3 of the path, which lacks the libraries.
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    builder = SparkSession.builder.appName("dtables tests").master(master)
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    atexit.register(session.stop)
    return session


SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.ansi.enabled": "true",
}
