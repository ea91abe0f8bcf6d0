"""The words for what is wrong with formulas, decisions, scales, matrices and dice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dtables.checker.problems import Wording, did_you_mean
from dtables.diagnostics import Remark
from dtables.feel.types import Type, describe
from dtables.provenance import CellRef, Location

MOST_LISTED = 6

PROBLEMS: dict[str, str] = {
    "circle": "Tables, computed fields or asks that call one another in a circle.",
    "double-step": "A step or draw with a name that this table has already.",
    "no-result": "A formula in steps whose result cannot be told.",
    "after-result": "A step after the row `result`: nothing reads it.",
    "no-rows": "A table without rows.",
    "no-outcome": "A decision or dice table without outcome column.",
    "blank-outcome": "An outcome cell with nothing in it.",
    "unknown-policy": "A hit policy that there is not.",
    "unfit-policy": "A hit policy that these outcomes do not go with.",
    "no-priorities": "A policy that ranks outcomes, without their ranking.",
    "mixed-outcomes": "Outcomes of types that have nothing in common.",
    "outcome-field": "An outcome column that names no field of the record the table gives, or one twice.",
    "no-candidates": "A scale whose first parameter is no list of candidates.",
    "stray-name": "A name over a column of a scale that has none, perhaps a criterion taken for names.",
    "unknown-prefer": "A word under `prefer` that there is not.",
    "criterion": "A criterion with too much or too little in its cells.",
    "not-ordered": "`highest` or `lowest` of values that have no order.",
    "null-last": "A criterion whose value may be null: such candidates come last.",
    "unknown-others": "A word after `others` that there is not.",
    "others-open": "A criterion that concerns some of those left and not others, and no word on the others.",
    "may-not-decide": "A scale that may leave several candidates.",
    "never-reached": "A row behind one that always decides.",
    "unknown-scale": "A scale that the workbook does not have.",
    "scale-in-itself": "A scale that embeds itself, perhaps through others.",
    "scale-arguments": "An embedded scale with too many or too few arguments.",
    "unknown-row": "A row number that the embedded scale does not have.",
    "embedded-row": "A row of an embedded scale that reads what these candidates lack.",
    "scale-result": "A scale said to give something other than it gives.",
    "unknown-word": "A property whose word is neither yes nor no.",
    "matrix-shape": "A matrix whose columns do not fit its parameters.",
    "blank-key": "A key cell with nothing in it.",
    "blank-value": "A value cell with nothing in it: null is typed out.",
    "double-key": "A key of a matrix that stands there twice.",
    "missing-keys": "Keys of a matrix that stand nowhere.",
    "open-keys": "A key whose values cannot all be listed.",
    "gap-in-list": "An ordered list down a column with a blank in the middle.",
    "twice-in-list": "An ordered list with the same thing twice.",
    "other-set": "A column of an ordered matrix that ranks other things than the first.",
    "rank-order": "Ranks that do not count 1, 2, 3.",
    "no-die": "A column of totals whose name is no die.",
    "totals": "A cell of totals that a die cannot throw.",
    "total-twice": "A total with two outcomes.",
    "totals-missing": "Totals without outcome.",
    "dice-parameters": "A dice table whose parameters do not fit its dice.",
}


def circle(path: Sequence[str], places: Iterable[tuple[str, Location]]) -> Wording:
    shown = " → ".join(f"`{name}`" for name in path)
    remarks = tuple(Remark(where, f"`{name}` is here") for name, where in places)
    return Wording("circle", f"these call one another in a circle: {shown}", None, remarks)


def table_without_rows() -> Wording:
    return Wording("no-rows", "the table has no rows")


# -- formulas ----------------------------------------------------------------------------------


def double_step(name: str) -> Wording:
    return Wording("double-step", f"`{name}` is a parameter or step of this table already")


def row_after_result(table: str) -> Wording:
    return Wording("after-result", f"nothing can read a row of `{table}` after its result", "move it up")


def formula_without_rows() -> Wording:
    return Wording("no-result", "the formula has no steps to give", "add a row `result`")


def no_result_row(wanted: Type) -> Wording:
    return Wording("no-result", f"steps give a record, not {describe(wanted)}", "add a row `result`")


def no_step_for_field(field: str, record: str) -> Wording:
    return Wording("no-result", f"no step is called `{field}`, a field of `{record}`")


def step_does_not_fit(step: str, type_: Type, record: str, wanted: Type) -> Wording:
    message = f"the step `{step}` is {describe(type_)}, but the field of `{record}` is {describe(wanted)}"
    return Wording("no-result", message)


# -- decisions ---------------------------------------------------------------------------------


def decision_without_outcome() -> Wording:
    return Wording("no-outcome", "the table has no outcome", "add a column `then`")


def blank_outcome() -> Wording:
    return Wording("blank-outcome", "the outcome is blank", "write `null` if there is none")


def unknown_policy(written: str, known: Iterable[str]) -> Wording:
    return Wording("unknown-policy", f"`{written}` is no policy", did_you_mean(written, known))


def take_under(policy: str) -> Wording:
    return Wording(
        "unfit-policy", f"`take` goes with unique, any and first, not with {policy}", "write `then`"
    )


def several_outcomes_under(policy: str) -> Wording:
    return Wording("unfit-policy", f"{policy} wants one outcome column")


def outcome_not_for(policy: str, type_: Type) -> Wording:
    return Wording("unfit-policy", f"{policy} cannot be worked out of {describe(type_)}")


def no_priorities(policy: str, type_: Type) -> Wording:
    message = f"{policy} ranks the outcomes, but nothing says which {describe(type_)} is better"
    return Wording("no-priorities", message, "write `priorities: best, next, …` beside the marker")


def mixed_outcomes(types: Iterable[Type]) -> Wording:
    shown = " and ".join(dict.fromkeys(describe(t) for t in types))
    return Wording("mixed-outcomes", f"these outcomes have nothing in common: {shown}")


def outcome_of_no_field(name: str, type_: Type, known: Iterable[str]) -> Wording:
    message = f"`{name}` is no field of {describe(type_)}, which the table gives"
    return Wording("outcome-field", message, did_you_mean(name, known))


def double_outcome(name: str) -> Wording:
    return Wording("outcome-field", f"there is an outcome `{name}` already")


# -- scales ------------------------------------------------------------------------------------


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


# -- matrices ----------------------------------------------------------------------------------


def matrix_without_parameters(name: str) -> Wording:
    return Wording("matrix-shape", "a matrix is looked up by keys", f"write `{name}(key)` in the marker")


def key_columns(name: str, rest: Sequence[str]) -> Wording:
    message = f"these columns are headed by keys, but {_these(rest)} of `{name}` would have to be one of them"
    return Wording("matrix-shape", message, "head the columns of keys with the names of their parameters")


def matrix_columns(rest: Sequence[str], values: int) -> Wording:
    if rest:
        return Wording("matrix-shape", f"no column holds the keys of {_these(rest)}")
    return Wording("matrix-shape", f"one column of values is wanted, and there are {values}")


def blank_key() -> Wording:
    return Wording("blank-key", "the key is blank")


def blank_value() -> Wording:
    return Wording("blank-value", "the value is blank", "write `null` if there is none")


def double_key(keys: str, first: Location) -> Wording:
    return Wording(
        "double-key", f"the key {keys} stands there twice", None, (Remark(first, "it stands here first"),)
    )


def missing_keys(keys: Sequence[str]) -> Wording:
    return Wording("missing-keys", f"nothing stands for {_listed(keys)}")


def open_keys(name: str, type_: Type) -> Wording:
    message = f"the values of {describe(type_)} cannot all be listed, so `{name}` may lack some"
    return Wording("open-keys", message, "use a vocabulary, or a whole number between two bounds")


def down_wants_one_key(name: str) -> Wording:
    return Wording(
        "matrix-shape", f"with lists down its columns `{name}` has one key", f"write `{name}(key)`"
    )


def down_wants_list(type_: Type) -> Wording:
    return Wording(
        "matrix-shape", f"a column is a list, not {describe(type_)}", f"write `list of {describe(type_)}`"
    )


def gap_in_list() -> Wording:
    return Wording("gap-in-list", "the list goes on below this blank cell")


def twice_in_list(written: str, first: Location) -> Wording:
    remark = Remark(first, "it stands here first")
    return Wording("twice-in-list", f"`{written}` stands in this list twice", None, (remark,))


def other_set(missing: Sequence[str], extra: Sequence[str], first: str, where: Location) -> Wording:
    told = [f"lacks {_listed(missing)}"] if missing else []
    told += [f"has {_listed(extra)} besides"] if extra else []
    remark = Remark(where, f"`{first}` is here")
    return Wording("other-set", f"compared with `{first}` this list {' and '.join(told)}", None, (remark,))


def rank_out_of_order(written: str, wanted: int) -> Wording:
    return Wording("rank-order", f"this is row {wanted} of the list, not {written}")


# -- dice --------------------------------------------------------------------------------------


def dice_without_die() -> Wording:
    return Wording("no-die", "no column holds totals", "add a column `die` called `d6`, `2d6`, …")


def no_die(name: str) -> Wording:
    return Wording("no-die", f"`{name}` is no die", "write `d12`, `2d6`, …")


def no_totals(written: str) -> Wording:
    return Wording("totals", f"`{written}` is no total", "write `7` or `2-5`")


def totals_of_no_die(written: str, die: str, low: int, high: int) -> Wording:
    return Wording("totals", f"{die} throws {low} to {high}, not {written}")


def total_twice(total: int, die: str, first: Location) -> Wording:
    return Wording(
        "total-twice", f"{total} of {die} has two outcomes", None, (Remark(first, "the first is here"),)
    )


def totals_missing(die: str, missing: Sequence[int]) -> Wording:
    return Wording(
        "totals-missing", f"{die} may throw {_listed([str(m) for m in missing])}, which has no outcome"
    )


def dice_parameters(name: str, wanted: int) -> Wording:
    form = f"{name}(total: whole number)" if wanted == 1 else f"{name}(die: …, total: whole number)"
    return Wording("dice-parameters", "the parameters do not fit the dice", f"write `{form}`")


def other_dice(vocabulary: str, names: Sequence[str], dice: Sequence[str]) -> Wording:
    message = f"the dice of this table are {', '.join(dice)}, those of `{vocabulary}` are {', '.join(names)}"
    return Wording("dice-parameters", message)


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(f"`{name}`" for name in names[:MOST_LISTED])
    return shown if len(names) <= MOST_LISTED else f"{shown} and {len(names) - MOST_LISTED} more"


def _these(names: Sequence[str]) -> str:
    return " and ".join(f"`{name}`" for name in names) or "no parameter"
