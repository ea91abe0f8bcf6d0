"""What compiled modules need: everything that Python's own words do not say. Each name is looked for where it
stands when somebody first asks for it, so that nobody loads what only others need."""

from importlib import import_module
from types import ModuleType
from typing import Any

_STANDS = {
    "bisect": ("bisect_right",),
    "dtables.failures": ("call", "require"),
    "dtables.feel.names": ("NumberNames",),
    "dtables.merging": ("WhenOpen", "by_value", "by_vocabulary"),
    "dtables.records.classes": ("computes",),
    "dtables.records.shapes": (
        "FieldShape", "RecordShape", "Shapes", "exact_names", "misread", "names", "plain_names", "some_of",
    ),
    "dtables.runtime.asks": (
        "Answer", "Ask", "Branch", "Draw", "Need", "Next", "Stop", "replied",
    ),
    "dtables.runtime.checks": ("Consistency", "Counted", "broken", "nothing_wrong", "too_often"),
    "dtables.runtime.failing": (
        "absent", "attempt", "limit", "no_entry", "no_row_fires", "present", "product", "text_sum",
    ),
    "dtables.runtime.hits": (
        "agreed_hit", "best_first", "best_hit", "collected_max", "collected_min", "collected_sum", "only_hit",
        "ordered_hits",
    ),
    "dtables.runtime.keys": (
        "DAY_ZERO", "NoKey", "PythonDate", "day_given", "day_of", "key_or_keyless", "moment_given",
        "moment_of", "months_given", "months_of", "nanoseconds_given", "nanoseconds_of", "second_of",
        "second_with_offset_of", "time_given", "time_of",
    ),
    "dtables.runtime.loops": (
        "boolean_or_null", "bounded", "counting", "every", "grouped", "joined", "listed", "once", "repeated",
        "rounds", "select", "some", "without_highest", "without_lowest",
    ),
    "dtables.runtime.places": ("Place",),
    "dtables.runtime.reading": ("read_anything", "read_map", "read_number", "read_temporal"),
    "dtables.runtime.records": (
        "KeyedRow", "Record", "Turn", "by_key", "entries_of", "entry_of", "fill", "item_entry", "rows",
        "value_of", "with_fields",
    ),
    "dtables.runtime.row_table": (
        "RowTable", "column_of_moments", "column_of_names", "column_of_numbers", "column_of_texts",
        "column_of_texts_in_order", "column_of_times", "column_of_whole_numbers",
    ),
    "dtables.runtime.rules": ("NOT_FOUND", "UNREAD", "Rules", "TableEntry"),
    "dtables.runtime.scales": (
        "rejoined", "the_earliest", "the_earliest_plain", "the_first", "the_highest", "the_highest_in_order",
        "the_latest", "the_latest_plain", "the_lowest", "the_lowest_in_order", "the_one", "those_false",
        "those_true", "tiers",
    ),
}  # fmt: skip
"""Where each stands. Compiled modules find it here, and give nothing else these names."""

_MODULE_OF = {name: module for module, names in _STANDS.items() for name in names}

__all__ = sorted(_MODULE_OF)


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = _MODULE_OF.get(name)
    found = globals()[name] = _part(name) if module is None else getattr(import_module(module), name)
    return found


def _part(name: str) -> ModuleType:
    """A module of this package. Rules that were compiled before a first line said their version name what may
    be gone."""
    try:
        return import_module(f"{__name__}.{name}")
    except ModuleNotFoundError:
        raise ImportError(
            f"the runtime has no {name}: rules that import it were compiled by an earlier dtables; "
            "compile them again from their workbook (`dtables compile`)"
        ) from None
