"""The words of the verifier: one function per message."""

from __future__ import annotations

from collections.abc import Sequence

from dtables.diagnostics import Diagnostic, Remark, Severity
from dtables.feel.types import Type, describe
from dtables.limits import LIMITS
from dtables.model.tables import Condition, Criterion, Heading, MatrixEntry, Outcome, Rule, Scale, Subject
from dtables.provenance import CellRef, Location

PROBLEMS: dict[str, str] = {
    "gap": "Values that no row of a decision takes, and no `otherwise`: the decision fails there.",
    "attempts-may-fail": "Steps that are tried, all of which may fail: the table is then null.",
    "overlap": "Two rows of a decision that both fire, which its hit policy does not allow.",
    "never-fires": "A row whose cells let no value through.",
    "masked": "A row that never fires, since rows that come before it take all its values.",
    "no-effect": "A row without which the decision gives the same.",
    "given-twice": "A row that fires only together with one that gives the same, where both count.",
    "mergeable": "Rows that differ in one column only and could be one row.",
    "misleading": "A row that reads as if it came before another, and loses to it by its priority.",
    "other-policy": "A decision whose rows do not meet, or agree, which its hit policy does not say.",
    "any-value": "A cell that lets every value through, as `-` does.",
    "never-met": "A value in a cell, or the end of a range, that the type does not allow.",
    "column-twice": "Two columns of a decision that test the same value.",
    "disallowed": "An outcome that the type a decision gives does not allow.",
    "never-given": "Names of a closed list that no row of a decision gives.",
    "not-verified": "What the verifier cannot prove, and why.",
    "never-decides": "A criterion after one that tells all candidates apart.",
    "repeats": "A criterion that compares what an earlier one has compared already: it never decides.",
    "listed-twice": "A list of preferences with the same name twice.",
    "not-listed": "Names that a list of preferences does not have: candidates that have them come last.",
    "undecided-tie": "Two candidates that a scale which claims to decide cannot tell apart.",
    "different-lists": "Ordered lists of one matrix that do not hold the same names.",
    "no-example": "Tables and rows that no example of the workbook reaches.",
}


def row_place(rule: Rule) -> Location:
    """Return the cells of a row from its first one to its last outcome."""
    last = rule.outcomes[-1].cell if rule.outcomes else rule.where
    return Location(rule.where, None, last if last > rule.where else None)


def row_name(row: Rule | Criterion) -> str:
    """Return how messages call a row: by its number, else by its cell."""
    if isinstance(row, Rule) and row.step:
        return f"step `{row.number}`"
    return f"row {row.number}" if row.number else f"the row in {row.where.address}"


def _row(rule: Rule) -> str:
    return row_name(rule) if rule.number else "the row"


def _remarks(rules: Sequence[Rule], message: str) -> tuple[Remark, ...]:
    return tuple(Remark(row_place(rule), message) for rule in rules[:5])


MORE = {
    "any-value": "{} more cells let every value through",
    "given-twice": "{} more rows give what others give too",
    "masked": "{} more rows never fire",
    "mergeable": "{} more rows could be one with others",
    "overlap": "{} more pairs of rows both fire",
    "no-effect": "without {} more rows nothing would change",
}
WARNINGS = ("masked", "overlap")


def more(where: Location, code: str, number: int) -> Diagnostic:
    """That there are more findings of a kind than are listed."""
    severity = Severity.WARNING if code in WARNINGS else Severity.NOTE
    return Diagnostic(where, severity, code, MORE[code].format(number))


def _note(rule: Rule, code: str, message: str, remarks: tuple[Remark, ...], example: str) -> Diagnostic:
    return Diagnostic(row_place(rule), Severity.NOTE, code, message, remarks=remarks, example=example)


def gap(where: Location, severity: Severity, region: str, example: str, rows: tuple[str, ...]) -> Diagnostic:
    """`rows` would close it."""
    message = f"no row fires when {region}" if region else "no row ever fires"
    return Diagnostic(where, severity, "gap", message, example=example, rows=rows)


def attempts_may_fail(where: Location, region: str, example: str | None) -> Diagnostic:
    """All steps of a turn fail in a region; a blank one: it is not proved that one always works."""
    message = f"all steps may fail when {region}" if region else "all steps may fail"
    text = f"{message}: the table is then null"
    hint = "add `otherwise: …` if that is not meant"
    return Diagnostic(where, Severity.NOTE, "attempts-may-fail", text, hint=hint, example=example)


OUTCOMES = {
    True: "their outcomes are the same",
    False: "their outcomes differ",
    None: "whether their outcomes differ shows when they are worked out",
}


def overlap(
    first: Rule, second: Rule, policy: str, region: str, example: str, alike: bool | None
) -> Diagnostic:
    """Two rows fire on `example`; `alike` says whether they give the same, None where that is open."""
    when = f" when {region}" if region else " whatever is given"
    both = f"{_row(second)} and {row_name(first)} both fire{when}"
    message = f"{both}, under `policy: {policy}`; {OUTCOMES[alike]}"
    remarks = _remarks([first], f"{row_name(first)} is here")
    return Diagnostic(
        row_place(second), Severity.WARNING, "overlap", message, remarks=remarks, example=example
    )


def _works(rule: Rule) -> str:
    return "works" if rule.step else "fires"


def never_fires(rule: Rule, cell: CellRef, column: str) -> Diagnostic:
    """One cell of a row lets no value of its column through."""
    message = f"{_row(rule)} never {_works(rule)}: its cells let no value of {column} through"
    return Diagnostic(Location(cell), Severity.WARNING, "never-fires", message)


def masked(rule: Rule, by: Sequence[Rule], example: str) -> Diagnostic:
    """Every value of a row is taken by rows `by`, which come before it; shown on `example`."""
    rows = "steps" if rule.step else "rows"
    many = f"{rows} that come before it" if len(by) != 1 else f"{row_name(by[0])}, which comes before it,"
    verb = "take" if len(by) != 1 else "takes"
    message = f"{_row(rule)} never {_works(rule)}: {many} {verb} all its values"
    remarks = _remarks(by, f"this {rows.removesuffix('s')} {_works(rule)} first")
    return Diagnostic(row_place(rule), Severity.WARNING, "masked", message, remarks=remarks, example=example)


def no_effect(rule: Rule, other: Rule | None, example: str) -> Diagnostic:
    """Without a row its values go to `other`, or to `otherwise` (None), with the same outcome."""
    instead = "`otherwise` gives" if other is None else f"{row_name(other)} gives"
    message = f"without {row_name(rule)} nothing would change: {instead} the same there"
    what = "step" if rule.step else "row"
    remarks = () if other is None else _remarks([other], f"this {what} takes all its values")
    return _note(rule, "no-effect", message, remarks, example)


def mergeable(rules: Sequence[Rule], values: str, example: str) -> Diagnostic:
    """Rows with one outcome differ in one column only; `values` are those of that column together."""
    others = ", ".join(row_name(rule) for rule in rules[1:5]) + ("…" if len(rules) > 5 else "")
    message = f"{_row(rules[0])} could be one with {others}: {values}"
    remarks = _remarks(rules[1:], "this row differs in that column only")
    return _note(rules[0], "mergeable", message, remarks, example)


def misleading(above: Rule, below: Rule, example: str) -> Diagnostic:
    """A row loses to a later one by the priority of their outcomes."""
    message = f"{_row(above)} stands above {row_name(below)}, whose outcome comes before its own"
    remarks = _remarks([below], "this row wins where both fire")
    return _note(above, "misleading", message, remarks, example)


def misleading_narrower(row: Rule, winner: Rule, column: str, example: str) -> Diagnostic:
    """A row loses by the priority of its outcome to one whose cell in `column` lets more through."""
    message = f"{_row(row)} loses to {row_name(winner)} where both fire, although it asks more of {column}"
    remarks = _remarks([winner], "the outcome of this row comes first")
    return _note(row, "misleading", message, remarks, example)


def given_twice(rule: Rule, other: Rule, example: str) -> Diagnostic:
    """Under a policy that counts outcomes a row only fires beside one that gives the same."""
    message = f"where {row_name(rule)} fires, {row_name(other)} gives the same: it counts twice"
    remarks = _remarks([other], "this row takes all its values")
    return _note(rule, "given-twice", message, remarks, example)


def other_policy(where: Location, policy: str, better: str, why: str) -> Diagnostic:
    """A stricter policy than the one that is written gives the same answers; `why` says how."""
    message = f"{why}: `policy: {better}` says so, `policy: {policy}` does not"
    return Diagnostic(where, Severity.NOTE, "other-policy", message)


def any_value(cell: Condition, column: str) -> Diagnostic:
    """A condition cell with a test lets every value of its column through."""
    message = f"this cell lets every value of {column} through: `-` says the same"
    return Diagnostic(Location(cell.cell), Severity.NOTE, "any-value", message, typed=cell.written)


def never_met(cell: Condition, value: str, column: str) -> Diagnostic:
    """A condition cell names a single value that its column never has."""
    message = f"{column} is never {value}"
    return Diagnostic(Location(cell.cell), Severity.WARNING, "never-met", message, typed=cell.written)


def beyond(cell: Condition, end: str, column: str) -> Diagnostic:
    """A condition cell has a range whose end lies outside of all values of its column."""
    message = f"{end} lies beyond all values of {column}"
    return Diagnostic(Location(cell.cell), Severity.NOTE, "never-met", message, typed=cell.written)


def column_twice(column: Subject, earlier: Subject) -> Diagnostic:
    """Two condition columns test the same expression."""
    message = f"this column tests `{column.name}`, as an earlier one does"
    remarks = (Remark(Location(earlier.where), "the earlier column"),)
    return Diagnostic(Location(column.where), Severity.NOTE, "column-twice", message, remarks=remarks)


def disallowed(outcome: Outcome, type_: Type) -> Diagnostic:
    """An outcome is known and its value is not one that the decision's type allows."""
    message = f"{outcome.written} is not allowed: the decision gives {describe(type_)}"
    return Diagnostic(Location(outcome.cell), Severity.WARNING, "disallowed", message, typed=outcome.written)


def never_given(where: Location, column: str, names: str) -> Diagnostic:
    """Few names of a vocabulary are given by no row; `column` is "" where there is one outcome only."""
    message = f"`{column}` is never {names}" if column else f"the decision never gives {names}"
    return Diagnostic(where, Severity.NOTE, "never-given", message)


# -- what is not proved ------------------------------------------------------------------------


def gap_not_proved(where: Location, region: str, loose: str, example: str, tried: int) -> Diagnostic:
    """Values that no row takes, if expressions in `loose` can have them; `tried` inputs showed none."""
    message = f"no row fires when {region}; {_open(loose, tried)}"
    return _not_verified(where, message, example)


def _open(loose: str, tried: int) -> str:
    """What was tried to find out."""
    if not tried:
        return f"whether that can be depends on {loose}, which is not looked into"
    return f"whether that can be depends on {loose}: none of {tried} inputs that were tried does it"


def overlap_not_proved(
    first: Rule, second: Rule, region: str, loose: str, example: str, tried: int
) -> Diagnostic:
    """Rows that fire together, if expressions in `loose` can be so; `tried` inputs showed none."""
    when = f" when {region}" if region else ""
    message = f"{_row(second)} and {row_name(first)} both fire{when}; {_open(loose, tried)}"
    return _not_verified(row_place(second), message, example)


def outcomes_not_compared(first: Rule, second: Rule, region: str, example: str) -> Diagnostic:
    """Two rows fire together, and their outcomes are computed, so that they may differ."""
    when = f" when {region}" if region else ""
    message = f"{_row(second)} and {row_name(first)} both fire{when}; that their outcomes agree is not proved"
    return _not_verified(row_place(second), message, example)


def not_confirmed(where: Location, what: str, example: str) -> Diagnostic:
    """A proof's example does not behave so in the evaluator: the finding is withdrawn to a note."""
    message = f"{what}, but the evaluator does not confirm the example"
    return _not_verified(where, message, example)


def stopped(where: Location, what: str) -> Diagnostic:
    """The search for `what` reached its budget before its end."""
    message = f"the table is too entangled to look for {what} to the end"
    return _not_verified(where, message, None)


def more_gaps(where: Location) -> Diagnostic:
    """A table has more gaps than are listed."""
    message = f"the table has more gaps than the {LIMITS.listed_findings:,} that are listed"
    return Diagnostic(where, Severity.WARNING, "gap", message)


def too_large(where: Location, rows: int, most_rows: int, most_conditions: int) -> Diagnostic:
    """A decision has more rows or different conditions than are analysed."""
    message = (
        f"{rows} rows: tables with over {most_rows} rows or {most_conditions} different conditions"
        " are not looked into"
    )
    return _not_verified(where, message, None)


def too_fine(where: Location, rows: int, stretches: int) -> Diagnostic:
    """The conditions of a decision divide its values into more intervals than are analysed."""
    message = f"{rows} rows that tell {stretches} stretches of values apart are not looked into"
    return _not_verified(where, message, None)


def _not_verified(where: Location, message: str, example: str | None) -> Diagnostic:
    return Diagnostic(where, Severity.NOTE, "not-verified", message, example=example)


# -- scales and lists --------------------------------------------------------------------------


def repeats(later: Criterion, earlier: Criterion) -> Diagnostic:
    """A criterion is the same as an earlier one."""
    message = f"row {later.number} never decides: row {earlier.number} says the same"
    return _criterion(later, earlier, "repeats", message)


def compares_again(later: Criterion, earlier: Criterion) -> Diagnostic:
    """A criterion compares what an earlier one has made equal among all that remain."""
    message = (
        f"row {later.number} never decides: after row {earlier.number} all that are left have the same"
        f" `{earlier.written}`"
    )
    return _criterion(later, earlier, "repeats", message)


def never_decides(later: Criterion, earlier: Criterion) -> Diagnostic:
    """A criterion comes after one that leaves a single candidate, whatever the candidates are."""
    message = f"row {later.number} never decides: row {earlier.number} tells all candidates apart"
    return _criterion(later, earlier, "never-decides", message)


def _criterion(later: Criterion, earlier: Criterion, code: str, message: str) -> Diagnostic:
    remark = Remark(Location(earlier.where), f"row {earlier.number} is here")
    return Diagnostic(Location(later.where), Severity.WARNING, code, message, remarks=(remark,))


def listed_twice(criterion: Criterion, name: str) -> Diagnostic:
    """The list of a criterion has a name twice."""
    message = f"`{name}` stands in this list twice: only the first place counts"
    return Diagnostic(Location(criterion.cell), Severity.WARNING, "listed-twice", message)


def not_listed(criterion: Criterion, names: Sequence[str]) -> Diagnostic:
    """The list of a criterion has some of the candidates' names and lacks `names`."""
    message = f"{_some(names)} not in this list: such candidates come last"
    return Diagnostic(Location(criterion.cell), Severity.NOTE, "not-listed", message)


def undecided_tie(scale: Scale, tie: tuple[str, str]) -> Diagnostic:
    """A scale that claims to decide leaves both candidates of `tie`."""
    message = f"no row of `{scale.heading.name}` tells `{tie[0]}` and `{tie[1]}` apart"
    return Diagnostic(
        scale.heading.where,
        Severity.WARNING,
        "undecided-tie",
        message,
        example=f"{scale.parameters[0].name} = [{tie[0]}, {tie[1]}]",
    )


def claim_not_proved(scale: Scale) -> Diagnostic:
    """A scale claims to decide, and its candidates are too many or depend on the record."""
    message = (
        f"that `{scale.heading.name}` leaves one candidate is claimed, not proved: a tie fails when it comes"
    )
    return _not_verified(scale.heading.where, message, None)


def twice_in_entry(entry: MatrixEntry, names: Sequence[str]) -> Diagnostic:
    """One entry of a matrix is a list with `names` more than once."""
    message = f"{' and '.join(names)} stand{'s' if len(names) == 1 else ''} in this list twice"
    return Diagnostic(Location(entry.cells[0]), Severity.WARNING, "listed-twice", message)


def different_list(entry: MatrixEntry, lacking: Sequence[str], beyond: Sequence[str]) -> Diagnostic:
    """One entry of a matrix is a list of other names than most of its entries have."""
    differences = [f"lacks {', '.join(lacking)}"] if lacking else []
    differences += [f"also has {', '.join(beyond)}"] if beyond else []
    message = f"this list {' and '.join(differences)}, unlike most lists of the matrix"
    where = Location(entry.cells[0], None, entry.cells[-1] if len(entry.cells) > 1 else None)
    return Diagnostic(where, Severity.WARNING, "different-lists", message)


def _some(names: Sequence[str]) -> str:
    shown = [f"`{name}`" for name in names[:6]]
    more = f" and {len(names) - 6} more" if len(names) > 6 else ""
    return f"{', '.join(shown)}{more} {'is' if len(names) == 1 else 'are'}"


# -- examples ----------------------------------------------------------------------------------


def no_examples(where: Location) -> Diagnostic:
    """A workbook with tables or asks has no examples at all."""
    return Diagnostic(where, Severity.NOTE, "no-example", "the workbook has no examples that try its tables")


def ask_without_example(heading: Heading) -> Diagnostic:
    """No examples are of this ask, which has no parameters."""
    return Diagnostic(heading.where, Severity.NOTE, "no-example", f"no example asks `{heading.name}`")


def unreached_table(heading: Heading) -> Diagnostic:
    """No example makes this table's result be computed."""
    return Diagnostic(heading.where, Severity.NOTE, "no-example", f"no example reaches `{heading.name}`")


def unreached_rows(
    heading: Heading, names: Sequence[str], places: Sequence[Location], verb: str
) -> Diagnostic:
    """Examples reach the table, and rows `names` of it never `verb`."""
    shown = ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")
    message = f"no example makes {shown} of `{heading.name}` {verb}"
    remarks = tuple(Remark(place, "this row") for place in places[:3])
    return Diagnostic(heading.where, Severity.NOTE, "no-example", message, remarks=remarks)
