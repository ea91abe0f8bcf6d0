"""What runs where the shares of a log are read: on machines that have Python and Arrow, and nothing of ours
but this package, which came along as an archive.

Batches of share numbers come in; what became of the shares goes out, in bytes that only the two ends read.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from dtables.answers.answering import Engine
from dtables.answers.chunks import settle_alone
from dtables.cache import VARIABLE
from dtables.logs.files import Share, count_newlines, read_share
from dtables.logs.jsonlines import Chunk, LogError

if TYPE_CHECKING:
    from pyarrow import RecordBatch, Schema

    from dtables.model.tables import Ruleset

Batches = Iterator["RecordBatch"]
Far = Callable[[Share], Iterator[dict[str, Any]]]

Columns = dict[str, str]
"""Names and types, as Spark calls them."""
SETTLED: Columns = {
    "share": "long",
    "records": "long",
    "settled": "binary",
    "last": "boolean",
    "error": "string",
}
COUNTED: Columns = {"share": "long", "newlines": "long", "error": "string"}


@dataclass(frozen=True)
class Job:
    """The rules travel as text and are compiled where they arrive; the model only where columns need it."""

    engine: Engine
    model: Ruleset | None
    chunk: int


def settled_batches(packed: bytes, shares: Mapping[int, Share], batches: Batches) -> Batches:
    """A row for each chunk of the shares; `last` is true in the last row of a share."""
    return _answered(shares, batches, SETTLED, lambda share: _settled(unpacked(packed), share))


def counted_batches(shares: Mapping[int, Share], batches: Batches) -> Batches:
    return _answered(shares, batches, COUNTED, lambda share: iter([{"newlines": count_newlines(share)}]))


def _settled(job: Job, share: Share) -> Iterator[dict[str, Any]]:
    for chunk, last in _with_last(read_share(share, job.model, job.chunk)):
        settled = pickle.dumps(settle_alone(job.engine, chunk))
        yield {"records": chunk.records, "settled": settled, "last": last}


def _with_last(chunks: Iterable[Chunk]) -> Iterator[tuple[Chunk, bool]]:
    held: Chunk | None = None
    for chunk in chunks:
        if held is not None:
            yield held, False
        held = chunk
    if held is not None:
        yield held, True


@lru_cache(maxsize=2)
def unpacked(packed: bytes) -> Any:
    """A job, once for a process, however many shares or batches it gets. Nothing is kept in a cache folder:
    the machine is not ours."""
    os.environ.setdefault(VARIABLE, "off")
    return pickle.loads(packed)


def _answered(shares: Mapping[int, Share], batches: Batches, columns: Columns, work: Far) -> Batches:
    """An error that people should read is a row: thrown, it would be tried again and end as a traceback."""
    from pyarrow import RecordBatch

    nothing, schema = dict.fromkeys(columns), _schema(columns)
    for batch in batches:
        for number in batch.column(0).to_pylist():
            for row in _or_error(shares[number], work):
                yield RecordBatch.from_pylist([{**nothing, "share": number, **row}], schema)


def _or_error(share: Share, work: Far) -> Iterator[dict[str, Any]]:
    try:
        yield from work(share)
    except LogError as error:
        yield {"error": str(error)}
    except OSError as error:
        yield {"error": _unread(share, error)}


def _schema(columns: Columns) -> Schema:
    import pyarrow

    types = {
        "long": pyarrow.int64(),
        "binary": pyarrow.binary(),
        "boolean": pyarrow.bool_(),
        "string": pyarrow.string(),
    }
    return pyarrow.schema([(name, types[kind]) for name, kind in columns.items()])


def _unread(share: Share, error: OSError) -> str:
    return f"{share.file}: {error.strerror} (a log has to be where each of Spark's processes can read it)"
