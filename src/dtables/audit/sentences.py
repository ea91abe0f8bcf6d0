"""Why a played move is not the rules' move, in one sentence, and the rule that it breaks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import assert_never

from dtables.audit.faults import (
    Absent,
    Dropped,
    Elsewhere,
    Fault,
    Found,
    NotTaken,
    Preceded,
    Removed,
    Unmet,
    Worked,
)
from dtables.audit.played import Difference
from dtables.evaluator.trace import (
    Chosen,
    Computed,
    Decided,
    Failed,
    Judged,
    LookedUp,
    Narrowed,
    NothingToTake,
    Reasons,
    Reckoned,
    Shown,
    Step,
    Tried,
    all_steps,
)
from dtables.explanations.causes import because, causes
from dtables.explanations.phrases import Voice
from dtables.explanations.sentences import Rendering, column_of, met_by, reckoned
from dtables.feel.types import item_type, vocabulary_of
from dtables.feel.values import Fields, Row
from dtables.model.expressions import Filter, Switch, Test
from dtables.model.tables import AnswerField, Prefer, Rule
from dtables.provenance import CellRef

_LEAD = re.compile(r"(.{3,}?)[.:?](?: \S|$)")


@dataclass(frozen=True, slots=True)
class Sentences:
    """One language. Braces stand for what is filled in."""

    first: str
    first_of_several: str
    seen: str
    in_order: str
    in_order_last: str
    not_concerned: str
    criterion: str
    criterion_of: str
    removed: str
    removed_unnamed: str
    unknown_reason: str
    others_first: str
    other_only: str
    absent: str
    no_candidates: str
    preceded: str
    unmet: str
    instead: str
    not_taken: str
    nothing_to_take: str
    nothing_found: str
    needs: str
    needs_house_rule: str
    value: str
    row_applies: str
    no_row_applies: str
    looked_up: str
    otherwise: str
    rule_unmet: str
    rule_preceded: str
    rule_removed: str
    rule_absent: str
    row: str
    table_row: str


ENGLISH = Sentences(
    first="{right} comes before {played}: {criterion}, {wording}{seen}",
    first_of_several="{right} come before {played}: {criterion}, {wording}{seen}",
    seen="{name}: {value}",
    in_order="{right} before {played}",
    in_order_last="{right} after {played}",
    not_concerned="it does not concern {name}",
    criterion="criterion {number}",
    criterion_of="criterion {number} of {scale}",
    removed="{played} is not among {source}: {reason}",
    removed_unnamed="{played} is not a candidate: {reason}",
    unknown_reason="it does not meet “{condition}”",
    others_first="of the {count} that are, {right} comes first: {criterion}, {wording}{seen}",
    other_only="only {right} is",
    absent="{played} is not a candidate of {scale}; the candidates are {candidates}",
    no_candidates="{scale} has no candidate, so {played} cannot be chosen",
    preceded="{applied} comes before {rule}, and it applies ({table}, {row} before {later})",
    unmet="{rule} does not apply ({table}, {row}): {reason}",
    instead="{applied} applies ({row})",
    not_taken="{played} does not work ({table}, {row}): {reason}; {right} does",
    nothing_to_take="there is nothing to take",
    nothing_found="{name}: {value}",
    needs="{column} is {seen}, needs {expected}",
    needs_house_rule="it needs the {expected}",
    value="{name}: {value}, not {played}",
    row_applies="{row} of {table} applies",
    no_row_applies="no row of {table} applies",
    looked_up="{table} has {value}",
    otherwise="{name}: the rules say {value}, not {played}",
    rule_unmet="{rule}: only if it applies",
    rule_preceded="{applied} comes first",
    rule_removed="only {only}",
    rule_absent="{scale}: one of the candidates",
    row="row {number}",
    table_row="{table}, {row}",
)

ITALIAN = Sentences(
    first="{right} viene prima di {played}: {criterion}, {wording}{seen}",
    first_of_several="{right} vengono prima di {played}: {criterion}, {wording}{seen}",
    seen="{name}: {value}",
    in_order="{right} prima di {played}",
    in_order_last="{right} dopo {played}",
    not_concerned="non riguarda {name}",
    criterion="criterio {number}",
    criterion_of="criterio {number} di {scale}",
    removed="{played} non è fra {source}: {reason}",
    removed_unnamed="{played} non è fra i candidati: {reason}",
    unknown_reason="non soddisfa «{condition}»",
    others_first="fra {count} possibili viene prima {right}: {criterion}, {wording}{seen}",
    other_only="c'è solo {right}",
    absent="{played} non è fra i candidati di {scale}; i candidati sono {candidates}",
    no_candidates="{scale} non ha candidati: {played} non si può scegliere",
    preceded="{applied} viene prima di {rule} e si applica ({table}, {row} prima della {later})",
    unmet="{rule} non si applica ({table}, {row}): {reason}",
    instead="si applica {applied} ({row})",
    not_taken="{played} non riesce ({table}, {row}): {reason}; riesce {right}",
    nothing_to_take="non c'è niente da prendere",
    nothing_found="{name}: {value}",
    needs="{column} è {seen}, richiede {expected}",
    needs_house_rule="richiede la {expected}",
    value="{name}: {value}, non {played}",
    row_applies="si applica la {row} di {table}",
    no_row_applies="nessuna riga di {table} si applica",
    looked_up="{table} ha {value}",
    otherwise="{name}: le regole danno {value}, non {played}",
    rule_unmet="{rule}: solo se si applica",
    rule_preceded="{applied} viene prima",
    rule_removed="solo {only}",
    rule_absent="{scale}: uno dei candidati",
    row="riga {number}",
    table_row="{table}, {row}",
)

SENTENCES = {"it": ITALIAN, "en": ENGLISH}


@dataclass(frozen=True, slots=True)
class RuleText:
    """A rule that is broken, as the workbook words it, and the table and row where it is."""

    sentence: str
    place: str
    cell: str


@dataclass(frozen=True, slots=True)
class RuleKey:
    """Misplays that break the same rule in the same way; in every language the same."""

    kind: str
    cell: str


@dataclass(frozen=True)
class Speaker:
    """Says faults in one language."""

    voice: Voice

    @cached_property
    def words(self) -> Sentences:
        return SENTENCES.get(self.language, ENGLISH)

    @property
    def language(self) -> str:
        return self.voice.labels.language

    # -- values of the answer ----------------------------------------------------------------------

    def field(self, field: AnswerField) -> str:
        return self.voice.labels.row(field.name, field.words)

    def played(self, difference: Difference, field: AnswerField) -> str:
        return self.voice.values.value(Shown(difference.played, field.value.type))

    def right(self, difference: Difference, field: AnswerField) -> list[str]:
        """All that are equally good."""
        if not difference.any_of:
            return [self.voice.values.value(Shown(difference.answered, field.value.type))]
        type_ = field.value.type if field.listed is None else item_type(field.listed.type)
        return self.voice.values.apart(Shown(value, type_) for value in difference.any_of)

    # -- sentences ---------------------------------------------------------------------------------

    def sentence(
        self, found: Found | None, difference: Difference, field: AnswerField, beside: str = ""
    ) -> str:
        """Ends with a full stop. `beside` names what the rules' move is about, where the field alone does
        not."""
        played, right = self.played(difference, field), self.right(difference, field)
        text = "" if found is None else self._of(found.fault, played, right, field, beside)
        if not text:
            value = self.voice.phrases.joined("or", *right)
            text = self.words.otherwise.format(name=self.field(field), value=value, played=played)
        text = text.replace("\n", " ")
        return f"{text[:1].upper()}{text[1:]}."

    def _of(self, fault: Fault, played: str, right: list[str], field: AnswerField, beside: str) -> str:
        match fault:
            case Dropped():
                return self._dropped(fault, played, right)
            case Removed():
                return self._removed(fault, played, right, field)
            case Absent(step=step):
                scale = self._title(step)
                if not step.candidates:
                    return self.words.no_candidates.format(scale=scale, played=played)
                listed = self.voice.values.values(step.candidates)
                return self.words.absent.format(played=played, scale=scale, candidates=listed)
            case Preceded():
                return self._preceded(fault, beside or self.voice.phrases.joined("or", *right))
            case Unmet():
                return self._unmet(fault)
            case NotTaken(step=step, row=row, item=item):
                return self.words.not_taken.format(
                    played=played,
                    right=self.voice.phrases.listed(right),
                    reason=self._judged(item) or self.words.nothing_to_take,
                    table=self._title(step),
                    row=self.words.row.format(number=row.number),
                )
            case Elsewhere():
                return self._elsewhere(fault, played, right, field)
            case Worked():
                return self._worked(fault, played, right, field)
            case _:
                assert_never(fault)

    def _dropped(self, fault: Dropped, played: str, right: list[str]) -> str:
        phrase = self.words.first if len(right) == 1 else self.words.first_of_several
        return phrase.format(
            right=self.voice.phrases.listed(right),
            played=played,
            criterion=self.criterion(fault.row),
            wording=self._wording(fault.row),
            seen=self._seen(fault.row, fault.step, fault.place, (right[0], played)),
        )

    def _removed(self, fault: Removed, played: str, right: list[str], field: AnswerField) -> str:
        text = self._missing(fault, played)
        return f"{text}; {self._winner(fault.chosen, right, field)}" if fault.chosen is not None else text

    def _winner(self, step: Chosen, right: list[str], field: AnswerField) -> str:
        """How the right one was chosen among those there are, with the last that it was chosen before."""
        listed = self.voice.phrases.listed(right)
        rows = [row for row in step.rows if row.dropped]
        if len(step.candidates) == 1 or not rows or not step.left:
            return self.words.other_only.format(right=listed)
        row = rows[-1]
        last = row.dropped[0]
        next_best = self._candidate(step, last, field)
        return self.words.others_first.format(
            count=len(step.candidates),
            right=listed,
            criterion=self.criterion(row),
            wording=self._wording(row),
            seen=self._seen(row, step, last, (right[0], next_best)),
        )

    def _candidate(self, step: Chosen, place: int, field: AnswerField) -> str:
        """By the name that the answer's field would have of it, if it has one."""
        shown = step.candidates[place]
        vocabulary = vocabulary_of(field.value.type)
        types = self.voice.labels.kinds.fields.get(getattr(shown.value, "record_type", ""), {})
        if vocabulary is not None and isinstance(shown.value, Fields) and not isinstance(shown.value, Row):
            for name, value in shown.value.stored().items():
                if value is not None and vocabulary_of(types[name]) == vocabulary:
                    return self.voice.values.value(Shown(value, types[name]))
        return self.voice.values.apart(step.candidates)[place]

    def missing(self, fault: Removed, played: str = "") -> str:
        """That an item is not on a list, and why; `played` names one that no step tells about."""
        name = played if fault.item is None else self.voice.values.value(fault.item.item)
        return self._missing(fault, name)

    def _missing(self, fault: Removed, name: str) -> str:
        reason = self.reason(fault)
        if fault.source is None:
            return self.words.removed_unnamed.format(played=name, reason=reason)
        source = self.voice.phrases.quoted(self._formula(fault.source))
        return self.words.removed.format(played=name, source=source, reason=reason)

    def reason(self, fault: Removed) -> str:
        """Why a filter did not keep an item."""
        reason = "" if fault.item is None else self._judged(fault.item)
        return reason or self.words.unknown_reason.format(condition=self._condition(fault.filter))

    def _judged(self, item: Judged) -> str:
        found = causes(item.reasons, item.inside, self.voice)
        return because(found, self.voice, self.voice.values.value(item.item))

    def _preceded(self, fault: Preceded, beside: str) -> str:
        applied = self._row(fault.applied.rule, fault.step)
        return self.words.preceded.format(
            applied=f"{applied} ({beside})" if beside else applied,
            rule=self._row(fault.rule, fault.step),
            table=self._title(fault.step),
            row=self.words.row.format(number=fault.applied.number),
            later=self.words.row.format(number=fault.rule.number),
        )

    def _unmet(self, fault: Unmet) -> str:
        text = self.words.unmet.format(
            rule=self._row(fault.row.rule, fault.step),
            table=self._title(fault.step),
            row=self.words.row.format(number=fault.row.number),
            reason=self.unmet_reason(fault.row, fault.removed),
        )
        if fault.applied is None:
            return text
        row = self.words.row.format(number=fault.applied.number)
        applied = self._row(fault.applied.rule, fault.step)
        return f"{text}; {self.words.instead.format(applied=applied, row=row)}"

    def unmet_reason(self, row: Tried, removed: Removed | None) -> str:
        """Why a row of a decision did not apply."""
        if removed is not None:
            return self.missing(removed)
        match row.outcome:
            case Failed() as failed:
                return self._failed(failed, row)
            case NothingToTake():
                return self._nothing(row) or self.words.nothing_to_take
            case _:
                return ""

    def _failed(self, failed: Failed, row: Tried) -> str:
        if isinstance(failed.subject.value, Switch):
            return self.words.needs_house_rule.format(expected=self._house_rule(failed))
        if failed.seen is None:
            found = because(causes(failed.reasons, row.inside, self.voice), self.voice)
            return found or self.words.unknown_reason.format(condition=self._tests(failed.tests))
        column = column_of(failed.subject, Rendering(self.voice))
        seen = self.voice.values.value(failed.seen)
        if isinstance(failed.seen.value, bool):
            return self.words.seen.format(name=column, value=seen)
        return self.words.needs.format(column=column, seen=seen, expected=self._tests(failed.tests))

    def _house_rule(self, failed: Failed) -> str:
        name = self.voice.labels.anything(failed.column)
        return self.voice.expressions.test(name, failed.subject.value, failed.tests)

    def _tests(self, tests: tuple[Test, ...]) -> str:
        return self.voice.expressions.either(tests)

    def _nothing(self, row: Tried) -> str:
        """The list that is empty, or else what came to nothing."""
        steps = [step for step in all_steps(row.inside) if isinstance(step, Reckoned) and step.name]
        empty = next((step for step in steps if step.value == []), None)
        if empty is None:
            return ""
        value = self.voice.values.value(empty.result)
        return self.words.nothing_found.format(name=self._formula(empty), value=value)

    def _elsewhere(self, fault: Elsewhere, played: str, right: list[str], field: AnswerField) -> str:
        """The field's own value; the table gave it, or what it was made of."""
        step, words = fault.step, self.words
        value = words.value.format(
            name=self.field(field), value=self.voice.phrases.joined("or", *right), played=played
        )
        table = self.voice.values.called(self._title(step), step.arguments)
        if isinstance(step, LookedUp):
            return (
                f"{value}; {words.looked_up.format(table=table, value=self.voice.values.value(step.result))}"
            )
        if fault.applied is None:
            return f"{value}; {words.no_row_applies.format(table=table)}"
        row = f"{words.row.format(number=fault.applied.number)} {self._row(fault.applied.rule, step)}"
        text = f"{value}; {words.row_applies.format(table=table, row=row)}"
        made = self._outcome(fault.applied, step)
        return f"{text}; {made}" if made else text

    def _outcome(self, row: Tried, step: Decided) -> str:
        """Of a number the formula that gave it, with the numbers it is made of."""
        if isinstance(step.value, bool) or not isinstance(step.value, (int, Decimal)):
            return ""
        inside = (one for one in (*row.inside, *step.inside) if isinstance(one, Reckoned))
        gave = next((one for one in inside if one.name and one.value == step.value), None)
        if gave is None:
            return ""
        return reckoned(gave, Rendering(self.voice))

    def _worked(self, worked: Worked, played: str, right: list[str], field: AnswerField) -> str:
        """Of a truth also why."""
        value = self.words.value.format(
            name=self.field(field), value=self.voice.phrases.joined("or", *right), played=played
        )
        step = worked.step
        if isinstance(step, (Reckoned, Computed)):
            return self._because(value, step.reasons, step.inside)
        return value

    def _because(self, text: str, reasons: Reasons, inside: tuple[Step, ...]) -> str:
        reason = because(causes(reasons, inside, self.voice), self.voice)
        return f"{text}; {reason}" if reason else text

    # -- parts -------------------------------------------------------------------------------------

    def criterion(self, row: Narrowed) -> str:
        """By its number, with its scale."""
        scale = self.voice.labels.table(row.scale)
        return self.words.criterion_of.format(number=row.number, scale=scale)

    def _wording(self, row: Narrowed) -> str:
        return self.voice.phrases.quoted(self.voice.expressions.criterion(row.criterion))

    def _seen(self, row: Narrowed, step: Chosen, dropped: int, names: tuple[str, str]) -> str:
        """What the criterion saw of the right one and of one that it dropped, in brackets."""
        if not step.left:
            return ""
        both = dict(met_by(row))
        right, played = both.get(step.left[0]), both.get(dropped)
        if right is not None and played is not None:
            values = self.voice.values.value(right), self.voice.values.value(played)
            if row.criterion.order is not None:
                phrase = self.words.in_order
                if row.criterion.prefer is Prefer.LAST_IN:
                    phrase = self.words.in_order_last
                return "" if values == names else f" ({phrase.format(right=values[0], played=values[1])})"
            if values[0] == values[1]:
                return ""
        pairs = zip((step.left[0], dropped), names, strict=True)
        texts = [text for place, name in pairs if (text := self._seen_of(row, place, name))]
        return f" ({'; '.join(texts)})" if texts else ""

    def _seen_of(self, row: Narrowed, place: int, name: str) -> str:
        seen = dict(met_by(row)).get(place)
        if seen is not None:
            return self.words.seen.format(name=name, value=self.voice.values.value(seen))
        return "" if row.criterion.by is None else self.words.not_concerned.format(name=name)

    def _title(self, step: Chosen | Decided | LookedUp) -> str:
        return self.voice.labels.heading(step.heading)

    def _formula(self, step: Reckoned) -> str:
        return self.voice.labels.words(step.words, self.voice.labels.table(step.name))

    def _row(self, rule: Rule, step: Decided) -> str:
        """In quotes."""
        wording = self.row_wording(rule, step)
        return wording if wording == self._number(rule) else self.voice.phrases.quoted(wording)

    def row_wording(self, rule: Rule, step: Decided) -> str:
        """By what leads its wording, else by its conditions."""
        words = lead(self.voice.labels.words(rule.words)) or self._conditions(rule, step)
        return words or self._number(rule)

    def _number(self, rule: Rule) -> str:
        return self.words.row.format(number=rule.number)

    def _conditions(self, rule: Rule, step: Decided) -> str:
        pairs = zip(step.decision.subjects, rule.conditions, strict=True)
        columns = [
            (column_of(subject, Rendering(self.voice)), condition.tests)
            for subject, condition in pairs
            if condition.tests
        ]
        return ", ".join(f"{column} {self._tests(tests)}".strip() for column, tests in columns)

    def _condition(self, filter_: Filter) -> str:
        return self.voice.expressions.say(filter_.condition)

    # -- rules -------------------------------------------------------------------------------------

    def rule(self, found: Found | None, field: AnswerField) -> RuleText:
        """The rule that is broken, in the workbook's words."""
        match None if found is None else found.fault:
            case Dropped(step=step, row=row):
                sentence = self.voice.expressions.criterion(row.criterion)
                return self._text(sentence, self.criterion(row), row.cell)
            case Removed() as fault:
                source = "" if fault.source is None else self._formula(fault.source)
                only = source or self._condition(fault.filter)
                return self._text(self.words.rule_removed.format(only=only), "", fault.cell)
            case Absent(step=step):
                text = self.words.rule_absent.format(scale=self._title(step))
                return self._text(text, self._title(step), step.heading.where.cell)
            case Preceded(step=step, applied=applied):
                text = self.words.rule_preceded.format(applied=self.row_wording(applied.rule, step))
                return self._text(text, self._place(applied.rule, step), applied.where)
            case Unmet(step=step, row=row):
                text = self.words.rule_unmet.format(rule=self.row_wording(row.rule, step))
                return self._text(text, self._place(row.rule, step), row.where)
            case NotTaken(step=step, row=row):
                wording = self.row_wording(row.rule, step)
                return self._text(wording, self._place(row.rule, step), row.where)
            case Elsewhere(step=Decided() as step, applied=applied) if applied is not None:
                wording = self.row_wording(applied.rule, step)
                return self._text(wording, self._place(applied.rule, step), applied.where)
            case Elsewhere(step=step):
                cell = step.cell if isinstance(step, LookedUp) else step.heading.where.cell
                return self._text(self._title(step), self._title(step), cell)
            case Worked(step=step):
                name = self._formula(step) if isinstance(step, Reckoned) else self.field(field)
                return self._text(name, self.field(field), step.cell)
            case _:
                return self._text(self.field(field), "", field.cell)

    def _place(self, rule: Rule, step: Decided) -> str:
        row = self.words.row.format(number=rule.number)
        return self.words.table_row.format(table=self._title(step), row=row)

    def _text(self, sentence: str, place: str, cell: CellRef) -> RuleText:
        text = sentence.replace("\n", " ")
        return RuleText(f"{text[:1].upper()}{text[1:]}", place, self.voice.labels.cell(cell))


def lead(wording: str) -> str:
    """What a long wording says first: `Structure. Of the accessible ones …` is `Structure`."""
    first = _LEAD.match(wording)
    return first.group(1) if first else wording


def rule_key(found: Found | None, field: AnswerField) -> RuleKey:
    """By the cell of the rule, and how it is broken."""
    match None if found is None else found.fault:
        case Dropped(row=row):
            return RuleKey("criterion", str(row.cell))
        case Removed(cell=cell):
            return RuleKey("filter", str(cell))
        case Absent(step=step):
            return RuleKey("candidates", str(step.heading.where.cell))
        case Preceded(applied=applied):
            return RuleKey("precedes", str(applied.where))
        case Unmet(row=row):
            return RuleKey("unmet", str(row.where))
        case NotTaken(row=row):
            return RuleKey("tried", str(row.where))
        case Elsewhere(step=step, applied=applied):
            return RuleKey("row", str(step.heading.where.cell if applied is None else applied.where))
        case Worked(step=step):
            return RuleKey("formula", str(step.cell))
        case _:
            return RuleKey("field", str(field.cell))


def step_behind(fault: Fault) -> Step | None:
    """The scale or decision that the fault is about."""
    match fault:
        case Dropped(step=step) | Absent(step=step) | Preceded(step=step) | Unmet(step=step):
            return step
        case Removed(chosen=chosen):
            return chosen
        case NotTaken(step=step) | Elsewhere(step=step):
            return step
        case Worked():
            return None
