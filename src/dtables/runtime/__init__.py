"""What compiled modules need: everything that Python's own words do not say."""

import types
from bisect import bisect_right

from dtables.failures import call, require
from dtables.feel.names import NumberNames
from dtables.merging import by_value, by_vocabulary
from dtables.records.classes import computes
from dtables.records.shapes import (
    FieldShape,
    RecordShape,
    Shapes,
    exact_names,
    misread,
    names,
    plain_names,
    some_of,
)
from dtables.runtime.asks import Answer, Ask, Branch, Draw, Need, Next, Stop, WhenOpen, replied
from dtables.runtime.checks import Consistency, Counted, broken, nothing_wrong, too_often
from dtables.runtime.failing import (
    absent,
    attempt,
    limit,
    no_entry,
    no_row_fires,
    present,
    product,
    text_sum,
)
from dtables.runtime.hits import (
    agreed_hit,
    best_first,
    best_hit,
    collected_max,
    collected_min,
    collected_sum,
    only_hit,
    ordered_hits,
)
from dtables.runtime.keys import (
    DAY_ZERO,
    NoKey,
    PythonDate,
    day_given,
    day_of,
    key_or_keyless,
    moment_given,
    moment_of,
    months_given,
    months_of,
    nanoseconds_given,
    nanoseconds_of,
    second_of,
    second_with_offset_of,
    time_given,
    time_of,
)
from dtables.runtime.loops import (
    boolean_or_null,
    bounded,
    counting,
    every,
    grouped,
    joined,
    listed,
    once,
    repeated,
    rounds,
    select,
    some,
    without_highest,
    without_lowest,
)
from dtables.runtime.places import Place
from dtables.runtime.reading import (
    read_anything,
    read_map,
    read_number,
    read_temporal,
)
from dtables.runtime.records import (
    KeyedRow,
    Record,
    Turn,
    by_key,
    entries_of,
    entry_of,
    fill,
    item_entry,
    rows,
    value_of,
    with_fields,
)
from dtables.runtime.row_table import (
    RowTable,
    column_of_moments,
    column_of_names,
    column_of_numbers,
    column_of_texts,
    column_of_texts_in_order,
    column_of_times,
    column_of_whole_numbers,
)
from dtables.runtime.rules import NOT_FOUND, UNREAD, Rules, TableEntry
from dtables.runtime.scales import (
    rejoined,
    the_earliest,
    the_earliest_plain,
    the_first,
    the_highest,
    the_highest_in_order,
    the_latest,
    the_latest_plain,
    the_lowest,
    the_lowest_in_order,
    the_one,
    those_false,
    those_true,
    tiers,
)

__all__ = sorted(
    name
    for name, value in globals().items()
    if not (name.startswith("_") or isinstance(value, types.ModuleType))
)
"""All that is imported above: compiled modules find it here, and give nothing else these names."""


def __getattr__(name: str) -> object:
    """Compiled modules of before the first line that says their version name what may be gone."""
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    raise ImportError(
        f"the runtime has no {name}: rules that import it were compiled by an earlier dtables; "
        "compile them again from their workbook (`dtables compile`)"
    )
