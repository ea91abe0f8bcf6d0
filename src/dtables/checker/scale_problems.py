"""The words for what is wrong with scales."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dtables.checker.problems import Wording, did_you_mean
from dtables.diagnostics import Remark
from dtables.feel.types import Type, describe
from dtables.provenance import CellRef, Location

PROBLEMS: dict[str, str] = {
    "no-candidates": "A scale whose first parameter is no list of candidates.",
    "stray-name": "A name over a column of a scale that has none, perhaps a criterion taken for names.",
    "unknown-prefer": "A word under `prefer` that there is not.",
    "criterion": "A criterion with too much or too little in its cells.",
    "not-ordered": "`highest` or `lowest` of values that have no order.",
    "null-last": "A criterion whose value may be null: such candidates come last.",
    "unknown-others": "A word after `others` that there is not.",
    "others-open": "A criterion that concerns some of those left and not others, and no word on the others.",
    "may-not-decide": "A scale that may leave several candidates.",
    "undecided-call": "A scale with `decides: no` that is called for its value.",
    "never-reached": "A row behind one that always decides.",
    "unknown-scale": "A scale that the workbook does not have.",
    "scale-in-itself": "A scale that embeds itself, perhaps through others.",
    "scale-arguments": "An embedded scale with too many or too few arguments.",
    "unknown-row": "A row number that the embedded scale does not have.",
    "embedded-row": "A row of an embedded scale that reads what these candidates lack.",
    "scale-result": "A scale said to give something other than it gives.",
    "unknown-word": "A property whose word is neither yes nor no.",
}


def scale_without_candidates(name: str) -> Wording:
    return Wording(
        "no-candidates", "a scale wants a list to choose from", f"write `{name}(candidates: list of …)`"
    )


def candidates_no_list(name: str, type_: Type) -> Wording:
    return Wording("no-candidates", f"`{name}` is {describe(type_)}, but a scale chooses from a list")


def row_without_prefer() -> Wording:
    return Wording("criterion", "the row says nothing under `prefer`")


def stray_name(role: str) -> Wording:
    message = f"this row names the columns, and a column `{role}` has no name"
    return Wording("stray-name", message, "leave a row for names between the roles and the first criterion")


def unknown_prefer(written: str, known: Iterable[str]) -> Wording:
    hint = did_you_mean(written, known) or f"write one of {', '.join(known)}"
    return Wording("unknown-prefer", f"`{written}` is nothing that can be preferred", hint)


def by_wanted(prefer: str) -> Wording:
    return Wording("criterion", f"`{prefer}` of what?", "write it under `by`")


def by_not_wanted(prefer: str) -> Wording:
    return Wording("criterion", f"`{prefer}` compares nothing: this cell would not be read", "leave it blank")


def list_wanted(prefer: str) -> Wording:
    return Wording("criterion", f"`{prefer}` which list?", f"write `{prefer} [a, b, c]`")


def not_comparable(prefer: str, type_: Type) -> Wording:
    return Wording(
        "not-ordered", f"{describe(type_)} has no order, so there is no {prefer}", "write `first in` a list"
    )


def null_comes_last(written: str) -> Wording:
    return Wording("null-last", f"`{written}` may be null: such candidates come last")


def unknown_others(written: str, known: Iterable[str]) -> Wording:
    return Wording(
        "unknown-others", f"`{written}` is none of {', '.join(known)}", did_you_mean(written, known)
    )


def others_open(number: str, where: CellRef) -> Wording:
    message = f"row {number} may concern some of the candidates left and not others: what holds for those?"
    remark = Remark(Location(where), f"row {number} is here")
    return Wording(
        "others-open", message, "write `others: last`, `stay` or `skip` beside the marker", (remark,)
    )


def may_not_decide(number: str, where: CellRef) -> Wording:
    message = f"several candidates may be left after the last row, {number}"
    remark = Remark(Location(where), f"row {number} is here")
    hint = "end with `chance` or `first`, or write `decides: yes` or `no` beside the marker"
    return Wording("may-not-decide", message, hint, (remark,))


def undecided_call(name: str, where: Location) -> Wording:
    remark = Remark(where, f"`{name}` says `decides: no` here")
    hint = f"write `{name} ranking(…)`, or go through its rows with `scale`"
    return Wording(
        "undecided-call", f"`{name}` need not leave one candidate, so it has no value", hint, (remark,)
    )


def never_reached(later: str, number: str) -> Wording:
    return Wording("never-reached", f"row {later} is never reached: row {number} always decides")


def unknown_scale(written: str, known: Iterable[str]) -> Wording:
    return Wording("unknown-scale", f"no scale is called `{written}`", did_you_mean(written, known))


def scale_in_itself(path: Sequence[str]) -> Wording:
    shown = " → ".join(f"`{name}`" for name in path)
    return Wording("scale-in-itself", f"a scale cannot go through its own rows: {shown}")


def scale_arguments(name: str, wanted: Sequence[str]) -> Wording:
    listed = f"wants {', '.join(wanted)}" if wanted else "takes nothing besides the candidates"
    return Wording("scale-arguments", f"`{name}` {listed}")


def unknown_row(number: str, scale: str, known: Iterable[str], where: Location) -> Wording:
    remark = Remark(where, f"`{scale}` has the rows {', '.join(dict.fromkeys(known))}")
    return Wording("unknown-row", f"`{scale}` has no row {number}", None, (remark,))


def rows_backwards(written: str) -> Wording:
    return Wording("unknown-row", f"`{written}` counts backwards")


def row_does_not_fit(scale: str, message: str, where: Location) -> Wording:
    remark = Remark(where, message)
    return Wording("embedded-row", f"a row of `{scale}` does not fit these candidates", None, (remark,))


def scale_gives(name: str, type_: Type) -> Wording:
    return Wording("scale-result", f"`{name}` gives {describe(type_)}", "leave the result out of the marker")


def unknown_yes_no(written: str) -> Wording:
    return Wording("unknown-word", f"`{written}` is neither yes nor no")
