"""The words for what is wrong with formulas, decisions, matrices and dice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dtables.checker.problems import Wording, did_you_mean
from dtables.diagnostics import Remark
from dtables.feel.types import Type, describe
from dtables.provenance import Location

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
    "mixed-outcomes": "Outcomes of types that have nothing in common, and no `-> any` in the marker.",
    "decision-result": "A decision said to give something other than its policy and columns make.",
    "outcome-field": "An outcome column that names no entry of the context the table gives, or one twice.",
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


def two_results(type_: Type, declared: Type) -> Wording:
    return Wording("no-result", f"the marker says {describe(declared)}, and this row {describe(type_)}")


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
    message = f"these outcomes have nothing in common: {shown}"
    return Wording("mixed-outcomes", message, "end the marker with `-> any` if it may give any of them")


def outcome_of_no_field(name: str, type_: Type, known: Iterable[str]) -> Wording:
    message = f"`{name}` is no field of {describe(type_)}, which the table gives"
    return Wording("outcome-field", message, did_you_mean(name, known))


def no_column_for_field(field: str, record: str) -> Wording:
    return Wording("outcome-field", f"no outcome column is called `{field}`, which a {record} needs")


def decision_gives(type_: Type, declared: Type) -> Wording:
    message = f"the table gives {describe(type_)}, not {describe(declared)}"
    return Wording("decision-result", message, f"write `-> {describe(type_)}`, or leave the result out")


def double_outcome(name: str) -> Wording:
    return Wording("outcome-field", f"there is an outcome `{name}` already")


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
