"""Logs beyond one machine: the same compiled rules in the processes of a Spark cluster.

Each process reads its shares of the log by itself; what became of them is handed on here, in the log's
order. This is the only door to Spark."""

from __future__ import annotations

import os
import pickle
import re
import shutil
import sys
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from dtables.answers.answering import Engine
from dtables.answers.chunks import ChunkResult, repeats, settle
from dtables.answers.run import Piece
from dtables.logs.files import SHARE, Log, Share, read_share, shares_of, uncounted, with_newlines
from dtables.logs.jsonlines import CHUNK, Chunk, LogError
from dtables.logs.turns import Turns
from dtables.spark.archive import packed_package
from dtables.spark.worker import COUNTED, SETTLED, Batches, Columns, Job, counted_batches, settled_batches

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

WAVE = 32
SHARES_PER_CORE = 8
"""A wave is so many shares, and at least `WAVE`: what they became waits on the cluster's disks."""
GROUP = "dtables"


@dataclass(frozen=True, slots=True)
class OnSpark:
    """On a cluster. `master` None: the session that is active, or else the cores of this machine."""

    master: str | None = None
    share: int = SHARE
    chunk: int = CHUNK
    wave: int = WAVE

    @property
    def words(self) -> dict[str, object]:
        """What must be the same for a run to be continued."""
        return {"the engine": "spark", "the size of the pieces": self.share}

    @property
    def reads_here(self) -> bool:
        """False: the machines of the cluster read the log's files."""
        return False

    def pieces(self, engine: Engine, log: Log, done: int, used: Turns) -> Iterator[Piece]:
        """Answer the log share by share, in its order, from the first that is not `done`. LogError where
        Spark fails."""
        shares = shares_of(log, self.share)
        job = Job(engine, log.model if log.typed else None, self.chunk)
        if len(shares) == done:
            return
        with spark_session(self.master) as session, plain_errors():
            session.sparkContext.addPyFile(str(packed_package()))
            shares = tuple(with_newlines(shares, _newlines(session, uncounted(shares))))
            rows = _in_waves(session, job, dict(enumerate(shares[done:], done)), self.wave)
            read = sum(share.bytes for share in shares[:done])
            again = _Again(job)
            for row in rows:
                share = shares[row["share"]]
                settled = again.settled(share, pickle.loads(row["settled"]), used)
                read += share.bytes if row["last"] else 0
                yield Piece(row["records"], settled, row["share"] + 1 if row["last"] else None, read)


def _newlines(session: SparkSession, shares: tuple[Share, ...]) -> list[int]:
    numbered = dict(enumerate(shares))

    def far(batches: Batches) -> Batches:
        return counted_batches(numbered, batches)

    if not shares:
        return []
    frame = _by_share(session, numbered, far, COUNTED)
    return [row["newlines"] for row in map(_sound, sorted(frame.collect(), key=lambda row: row["share"]))]


def _in_waves(session: SparkSession, job: Job, shares: Mapping[int, Share], wave: int) -> Iterator[Any]:
    """While one is worked on, the one before is handed on."""
    packed = pickle.dumps(job)
    waiting: deque[Future[DataFrame]] = deque()
    rest = iter(shares.items())
    with ThreadPoolExecutor(1) as ahead:
        try:
            while some := dict(islice(rest, _wave_of(session, wave))):
                waiting.append(ahead.submit(_worked_on, session, packed, some))
                if len(waiting) > 1:
                    yield from _handed_on(waiting.popleft().result())
            while waiting:
                yield from _handed_on(waiting.popleft().result())
        finally:
            if waiting:
                session.sparkContext.cancelJobGroup(GROUP)


def _wave_of(session: SparkSession, least: int) -> int:
    """Asked for each wave: a cluster may grow."""
    cores: int = session.sparkContext.defaultParallelism
    return max(least, SHARES_PER_CORE * cores)


def _worked_on(session: SparkSession, packed: bytes, shares: Mapping[int, Share]) -> DataFrame:
    """In a pool of its own, so that handing on need not wait for all of it."""
    from pyspark import StorageLevel

    def far(batches: Batches) -> Batches:
        return settled_batches(packed, shares, batches)

    context = session.sparkContext
    context.setJobGroup(GROUP, "answering a log", interruptOnCancel=True)
    context.setLocalProperty("spark.scheduler.pool", GROUP)
    frame = _by_share(session, shares, far, SETTLED).persist(StorageLevel.DISK_ONLY)
    frame.count()
    return frame


def _handed_on(frame: DataFrame) -> Iterator[Any]:
    try:
        yield from map(_sound, frame.toLocalIterator(prefetchPartitions=True))
    finally:
        frame.unpersist()


def _by_share(
    session: SparkSession, shares: Mapping[int, Share], far: Callable[[Batches], Batches], columns: Columns
) -> DataFrame:
    """One task for each."""
    first = next(iter(shares))
    schema = ", ".join(f"{name} {kind}" for name, kind in columns.items())
    return session.range(first, first + len(shares), 1, len(shares)).mapInArrow(far, schema)


def _sound(row: Any) -> Any:
    if row["error"] is not None:
        raise LogError(row["error"])
    return row


class _Again:
    """Chunks in which a turn comes that was used before them are settled once more, here."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._share: Share | None = None
        self._met = 0
        self._chunks: Iterator[tuple[int, Chunk]] | None = None

    def settled(self, share: Share, settled: ChunkResult, used: Turns) -> ChunkResult:
        """To be called for every chunk, in order."""
        if share is not self._share:
            self._share, self._met, self._chunks = share, 0, None
        self._met += 1
        if not repeats(settled, used):
            return settled
        return settle(self._job.engine, self._chunk(share), used)

    def _chunk(self, share: Share) -> Chunk:
        if self._chunks is None:
            self._chunks = enumerate(read_share(share, self._job.model, self._job.chunk), 1)
        for number, chunk in self._chunks:
            if number == self._met:
                return chunk
        raise LogError(f"{share.file} changed while it was read")


# -- a session --------------------------------------------------------------------------------------
# A Spark session: the one that is active, or one of its own; what goes wrong in it, reported plainly.

LOCAL = "local[*]"
SETTINGS = {
    # What is handed on need not wait for what is worked on.
    "spark.scheduler.mode": "FAIR",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
}
_MESSAGE = re.compile(r"^(?:Caused by: |: )?[\w.]+(?:Error|Exception): (.+)", re.MULTILINE)


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
def plain_errors() -> Iterator[None]:
    """Turn errors of Spark into LogError with the first cause alone."""
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
    with plain_errors():
        return builder.getOrCreate()


def first_cause(text: str) -> str:
    """The error that all others follow from stands last."""
    messages = _MESSAGE.findall(text)
    return str(messages[-1]) if messages else next((line for line in text.splitlines() if line.strip()), text)
