"""The words of the verifier: one function per message."""

from __future__ import annotations

from collections.abc import Sequence

from dtables.diagnostics import Diagnostic, Remark, Severity
from dtables.model.tables import Rule
from dtables.provenance import CellRef, Location

PROBLEMS: dict[str, str] = {
    "gap": "Values that no row of a decision takes, and no `otherwise`: the decision fails there.",
    "overlap": "Two rows of a decision that both fire, which its hit policy does not allow.",
    "never-fires": "A row whose cells let no value through.",
    "masked": "A row that never fires, since rows that come before it take all its values.",
    "no-effect": "A row without which the decision gives the same.",
    "mergeable": "Rows that differ in one column only and could be one row.",
    "misleading": "A row that stands above another which comes before it by its priority.",
    "never-given": "Names of a closed list that no row of a decision gives.",
    "not-verified": "What the verifier cannot prove, and why.",
    "repeats": "A criterion that compares what an earlier one has compared already: it never decides.",
    "listed-twice": "A list of preferences with the same name twice.",
    "not-listed": "Names that a list of preferences does not have: candidates that have them come last.",
    "undecided-tie": "Two candidates that a scale which claims to decide cannot tell apart.",
    "different-lists": "Ordered lists of one matrix that do not hold the same names.",
    "no-example": "Tables and rows that no example of the workbook reaches.",
}


def row_place(rule: Rule) -> Location:
    last = rule.outcomes[-1].cell if rule.outcomes else rule.where
    return Location(rule.where, None, last if last > rule.where else None)


def _row(rule: Rule) -> str:
    return f"row {rule.number}" if rule.number else "the row"


def _it(rule: Rule) -> str:
    return f"row {rule.number}" if rule.number else f"the row in {rule.where.address}"


def _remarks(rules: Sequence[Rule], message: str) -> tuple[Remark, ...]:
    return tuple(Remark(row_place(rule), message) for rule in rules[:5])


def gap(where: Location, severity: Severity, region: str, example: str, more: int) -> Diagnostic:
    message = f"no row fires when {region}" if region else "no row ever fires"
    remarks = (Remark(where, f"{more} more gaps of this table are not shown"),) if more else ()
    return Diagnostic(where, severity, "gap", message, remarks=remarks, example=example)


def overlap(first: Rule, second: Rule, policy: str, region: str, example: str, more: int) -> Diagnostic:
    when = f" when {region}" if region else " whatever is given"
    message = f"{_row(second)} and {_it(first)} both fire{when}, under `policy: {policy}`"
    remarks = _remarks([first], f"{_it(first)} is here")
    if more:
        remarks = (*remarks, Remark(row_place(second), f"{more} more pairs of rows are not shown"))
    return Diagnostic(
        row_place(second), Severity.WARNING, "overlap", message, remarks=remarks, example=example
    )


def never_fires(rule: Rule, cell: CellRef, column: str) -> Diagnostic:
    message = f"{_row(rule)} never fires: its cells let no value of {column} through"
    return Diagnostic(Location(cell), Severity.WARNING, "never-fires", message)


def masked(rule: Rule, by: Sequence[Rule], example: str, more: int) -> Diagnostic:
    many = "rows that come before it" if len(by) != 1 else f"{_it(by[0])}, which comes before it,"
    verb = "take" if len(by) != 1 else "takes"
    message = f"{_row(rule)} never fires: {many} {verb} all its values"
    remarks = _remarks(by, "this row fires first")
    if more:
        remarks = (*remarks, Remark(row_place(rule), f"{more} more such rows are not shown"))
    return Diagnostic(row_place(rule), Severity.WARNING, "masked", message, remarks=remarks, example=example)


def no_effect(rule: Rule, other: Rule | None, example: str) -> Diagnostic:
    instead = "`otherwise` gives" if other is None else f"{_it(other)} gives"
    message = f"without {_it(rule)} nothing would change: {instead} the same there"
    remarks = () if other is None else _remarks([other], "this row takes all its values")
    return Diagnostic(row_place(rule), Severity.NOTE, "no-effect", message, remarks=remarks, example=example)


def mergeable(rules: Sequence[Rule], values: str) -> Diagnostic:
    others = ", ".join(_it(rule) for rule in rules[1:5]) + ("…" if len(rules) > 5 else "")
    message = f"{_row(rules[0])} could be one with {others}: {values}"
    return Diagnostic(
        row_place(rules[0]),
        Severity.NOTE,
        "mergeable",
        message,
        remarks=_remarks(rules[1:], "this row differs in that column only"),
    )


def misleading(above: Rule, below: Rule, example: str) -> Diagnostic:
    message = f"{_row(above)} stands above {_it(below)}, whose outcome comes before its own"
    remarks = _remarks([below], "this row wins where both fire")
    return Diagnostic(
        row_place(above), Severity.NOTE, "misleading", message, remarks=remarks, example=example
    )


def never_given(where: Location, column: str, names: str) -> Diagnostic:
    of = f"`{column}` is" if column else "the decision gives"
    return Diagnostic(where, Severity.NOTE, "never-given", f"{of} never {names}")


# -- what is not proved ------------------------------------------------------------------------


def gap_not_proved(where: Location, region: str, loose: str, example: str, more: int) -> Diagnostic:
    message = f"no row fires when {region}; whether that can be depends on {loose}, which is not looked into"
    return _not_verified(where, message, example, more)


def overlap_not_proved(
    first: Rule, second: Rule, region: str, loose: str, example: str, more: int
) -> Diagnostic:
    when = f" when {region}" if region else ""
    message = (
        f"{_row(second)} and {_it(first)} both fire{when}; whether that can be depends on {loose},"
        " which is not looked into"
    )
    return _not_verified(row_place(second), message, example, more)


def outcomes_not_compared(first: Rule, second: Rule, region: str, example: str, more: int) -> Diagnostic:
    when = f" when {region}" if region else ""
    message = f"{_row(second)} and {_it(first)} both fire{when}; that their outcomes agree is not proved"
    return _not_verified(row_place(second), message, example, more)


def not_confirmed(where: Location, what: str, example: str) -> Diagnostic:
    message = f"{what}, but the evaluator does not confirm the example"
    return _not_verified(where, message, example, 0)


def stopped(where: Location, what: str) -> Diagnostic:
    message = f"the table is too entangled to look for {what} to the end"
    return _not_verified(where, message, None, 0)


def _not_verified(where: Location, message: str, example: str | None, more: int) -> Diagnostic:
    remarks = (Remark(where, f"so it is in {more} more places"),) if more else ()
    return Diagnostic(where, Severity.NOTE, "not-verified", message, remarks=remarks, example=example)
