"""Turns, attempts, cases and terms: what a person does, looks up and reads, as procedures and entries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from dtables.digits import are_digits, whole_in
from dtables.model.expressions import Expression
from dtables.model.tables import (
    Case,
    Cases,
    Decision,
    Definition,
    Definitions,
    Onward,
    Rule,
    Turn,
    TurnStep,
    Words,
)
from dtables.model.vocabularies import in_language
from dtables.pages.badges import PageLabels
from dtables.pages.document import (
    Body,
    Chip,
    ChipKind,
    Entries,
    Entry,
    Icon,
    Inline,
    Part,
    Pointer,
    Procedure,
    ProcedureRow,
    Run,
    Steps,
    Style,
    joined,
    plain,
    sentence,
    text_of,
    upper_first,
)
from dtables.pages.house_rules import truth
from dtables.pages.markup import CODE, Markup, Wording
from dtables.pages.resolve import Resolver
from dtables.pages.steps import DecisionView, dashed
from dtables.pages.words import furniture
from dtables.provenance import CellRef

LONGEST_RUN_ON = 420
"""So many letters of a table are still read as a sentence or two."""
LONGEST_IN_STEP = 70
"""Steps have room between them, and what has badges is read row by row."""
Worded = Turn | Cases | Definitions
Insides = Mapping[CellRef, tuple[Body, ...]]
"""The tables that stand inside a row, by the row's first cell."""


@dataclass(frozen=True, slots=True)
class WordedRow:
    """A row whose wording may point to tables: its texts, and what stands under `with`."""

    table: str
    texts: tuple[Words, ...]
    along: tuple[str, ...]
    source: tuple[str, ...]
    where: CellRef


def worded_rows(table: Worded) -> Iterator[WordedRow]:
    """Go through the rows of a turn, of cases or terms."""
    name = table.heading.name
    match table:
        case Turn(steps=steps):
            for step in steps:
                texts = (step.words, step.condition_words)
                yield WordedRow(name, texts, step.along, step.source, step.where)
        case Cases(rows=cases):
            for case in cases:
                yield WordedRow(name, (case.words,), case.along, case.source, case.where)
        case Definitions(rows=definitions):
            for term in definitions:
                yield WordedRow(name, (term.words, term.example), term.along, term.source, term.where)


def mentioned(row: WordedRow) -> frozenset[str]:
    """The names under `with` that a brace of the wording points to, in any language, and other names in
    braces."""
    codes = {code.strip() for words in row.texts for _, text in words for code in CODE.findall(text)}
    places = {n for code in codes if (n := whole_in(code)) is not None}
    return frozenset(codes | {name for n, name in enumerate(row.along, 1) if n in places})


def forms_of(definition: Definition, language: str) -> tuple[str, ...]:
    """Every form of a word in a language, the first one first."""
    text = in_language(definition.forms, language)
    return tuple(form.strip() for form in text.split(",") if form.strip())


def is_sign(definition: Definition) -> bool:
    """Say whether what is defined is a mere sign, as °: it is explained in foot lines."""
    forms = [form for _, form in definition.forms if form.strip()]
    return bool(forms) and not any(character.isalnum() for form in forms for character in form)


class TurnView:
    """`printed` in the markup are the tables that pointers may lead to."""

    def __init__(self, names: PageLabels, decisions: DecisionView, markup: Markup) -> None:
        self.names = names
        self.decisions = decisions
        self.wording = decisions.wording
        self.markup = markup
        self.words = furniture(names.language)

    # -- procedures ----------------------------------------------------------------------------

    def phases(self, turn: Turn) -> tuple[str, ...]:
        """The phases of a turn's steps, in the order of the vocabulary that has them, else as they come."""
        met = tuple(dict.fromkeys(step.phase or turn.phase for step in turn.steps))
        for vocabulary in self.names.ruleset.vocabularies:
            if set(met) <= set(vocabulary.ids):
                return tuple(phase for phase in vocabulary.ids if phase in met)
        return met

    def phase_label(self, phase: str) -> str:
        """Return what a phase is called by its vocabulary, else by the glossary."""
        for vocabulary in self.names.ruleset.vocabularies:
            if phase in vocabulary.ids:
                return upper_first(self.names.name(vocabulary.name, phase))
        return upper_first(self.names.term(phase))

    def procedure(
        self,
        turn: Turn,
        phase: str,
        decision: Decision | None,
        resolver: Resolver,
        insides: Insides,
        *,
        ends: bool,
    ) -> Procedure:
        """The steps of one phase that may be done where setup fixed what it did; the last phase `ends` with
        what holds otherwise."""
        steps = [s for s in turn.steps if (s.phase or turn.phase) == phase]
        living = [step for step in steps if self._may_be(step, decision, resolver)]
        numbers = _numbers(living)
        several = len({step.who for step in living}) > 1
        rows = [
            self._step(step, numbers, decision, resolver, insides.get(step.where, ()), several=several)
            for step in living
        ]
        if ends and decision is not None and decision.otherwise is not None:
            rows.append(self._otherwise(decision))
        return Procedure(tuple(rows))

    def _may_be(self, step: TurnStep, decision: Decision | None, resolver: Resolver) -> bool:
        rule = None if decision is None else _rule_of(decision, step)
        if step.rule is not None and decision is not None:
            return rule is not None and all(
                not condition.tests or resolver.holds(subject.value, condition.tests) is not False
                for subject, condition in zip(decision.subjects, rule.conditions, strict=True)
            )
        return all(self._known(condition, resolver) is not False for condition in step.conditions)

    def _known(self, condition: Expression, resolver: Resolver) -> bool | None:
        return truth(condition) if truth(condition) is not None else resolver.holds_whole(condition)

    def _step(
        self,
        step: TurnStep,
        numbers: Mapping[str, str],
        decision: Decision | None,
        resolver: Resolver,
        inside: tuple[Body, ...],
        *,
        several: bool,
    ) -> ProcedureRow:
        text = in_language(step.words, self.names.language)
        parts: list[Part] = []
        condition = self._condition(step, decision, resolver, worded=bool(text))
        if condition:
            parts += [Chip(upper_first(condition), ChipKind.CONDITION), Run(" ")]
        read = self.markup.read(Wording(text, step.along, led=True)).inline if text else ()
        read = read or self._outcome_words(step, decision)
        if not any(row.marks for body in inside if isinstance(body, Steps) for row in body.rows):
            read, inside = run_on(read, inside, LONGEST_IN_STEP)
        inside = tuple(map(dashed, inside))
        read, end = self._ending(step, read)
        parts += sentence(read) if condition else read
        for chip in (*end, *self._onward(step, numbers)):
            parts += [Run(" "), chip]
        who = self._who(step.who) if several else ""
        icon, mark = self._drawn(step.icon)
        parts = [*mark, *parts]
        number = numbers[step.number] if step.number else ""
        return ProcedureRow(number, icon, who, tuple(parts), inside, step.where, step.source)

    def _drawn(self, code: str) -> tuple[Icon | None, Inline]:
        """The icon of a row, or the badge that leads it; what is neither stays as it is typed."""
        name = code.strip("{} ")
        icon = self.markup.icon(name) if name else None
        if icon is not None or not name:
            return icon, ()
        mark = self.markup.badge(name)
        return None, (Run(f"{{{name}}} ") if mark is None else mark, Run(" "))

    def _condition(
        self, step: TurnStep, decision: Decision | None, resolver: Resolver, *, worded: bool
    ) -> str:
        """The author's words for it; of a row with a wording of its own that runs the wording is enough."""
        if step.rule is not None and decision is not None:
            rule = _rule_of(decision, step)
            asked = [] if rule is None else self.decisions.conditions_in_words(decision, rule, resolver)
            run = True
        else:
            left = [c for c in step.conditions if self._known(c, resolver) is None]
            asked = [self.wording.say(condition) for condition in left]
            run = False
        words = in_language(step.condition_words, self.names.language)
        if words and (asked or not (step.conditions or step.rule is not None)):
            return words
        if not asked or (run and worded):
            return ""
        return self.names.phrases.joined("and", *asked)

    def _outcome_words(self, step: TurnStep, decision: Decision | None) -> Inline:
        """The name of a step without wording, and what is done."""
        named = not are_digits(step.number[:1])
        lead: Inline = (Run(upper_first(self.names.term(step.number)), Style.BOLD),) if named else ()
        rule = None if decision is None else _rule_of(decision, step)
        if rule is None:
            return lead
        done = joined(tuple(self.decisions.outcome(outcome) for outcome in rule.outcomes), " · ")
        return (*lead, Run(": "), *done) if lead else done

    def _otherwise(self, decision: Decision) -> ProcedureRow:
        assert decision.otherwise is not None
        word = Run(upper_first(self.names.phrases.otherwise), Style.BOLD)
        text = (word, Run(": "), *self.decisions.otherwise(decision.otherwise))
        return ProcedureRow("", None, "", text, (), decision.otherwise.cell)

    def _ending(self, step: TurnStep, text: Inline) -> tuple[Inline, tuple[Chip, ...]]:
        """That the turn is over, in the step's own last words if these stand between stars."""
        if step.onward not in (Onward.END, Onward.END_IF):
            return text, ()
        if text and isinstance(text[-1], Run) and text[-1].term:
            return _trimmed(text[:-1]), (Chip(text[-1].text.rstrip("."), ChipKind.END),)
        if len(text) > 1 and isinstance(text[-2], Run) and text[-2].term and _is(text[-1], "."):
            return _trimmed(text[:-2]), (Chip(text[-2].text, ChipKind.END),)
        return text, (Chip(self.words["turn_over"], ChipKind.END),)

    def _onward(self, step: TurnStep, numbers: Mapping[str, str]) -> tuple[Chip, ...]:
        number = numbers.get(step.onward_step, step.onward_step)
        match step.onward:
            case Onward.GO_TO:
                return (Chip(self.words["go_to"].format(number), ChipKind.GO),)
            case Onward.AGAIN:
                return (Chip(self.words["from_step"].format(number), ChipKind.GO),)
            case _:
                return ()

    def _who(self, who: str) -> str:
        return self.names.in_glossary(who) or self.words.get(f"who_{who}", who)

    def hint(self, turn: Turn, phase: str) -> str:
        """How the steps of a phase are gone through, where one that works ends them."""
        steps = [step for step in turn.steps if (step.phase or turn.phase) == phase]
        if turn.attempts:
            return self.words["attempts"]
        return self.words["ends"] if any(step.onward is Onward.END_IF for step in steps) else ""

    # -- entries -------------------------------------------------------------------------------

    def cases(self, cases: Cases, resolver: Resolver, insides: Insides) -> Entries:
        """The rules for names; for one that setup fixed that one alone."""
        return Entries(tuple(
            self._case(case, insides.get(case.where, ()))
            for case in cases.rows
            if case.vocabulary is None or resolver.is_for(case.vocabulary, case.key)
        ))  # fmt: skip

    def _case(self, case: Case, inside: tuple[Body, ...]) -> Entry:
        marks: Inline = ()
        if case.vocabulary is not None:
            label = self.names.name(case.vocabulary, case.key)
            mark = self.names.mark(case.vocabulary, case.key)
            marks = () if mark is None else (mark,)
        else:
            label = in_language(case.label, self.names.language) or case.key
        icon, other = self._drawn(case.icon)
        marks = (*marks, *other) if icon is None else (icon, *marks)
        text = in_language(case.words, self.names.language)
        read = self.markup.read(Wording(text, case.along)).inline
        title = self.markup.text(upper_first(label))
        read, inside = run_on(read, inside)
        return Entry(marks, _bold(title), read, (), inside, case.where, case.source, _joint(text, read))

    def definitions(self, definitions: Definitions, insides: Insides) -> Entries:
        """The words and what they mean."""
        words = [row for row in definitions.rows if not is_sign(row)]
        rows = [self._definition(row, insides.get(row.where, ())) for row in words]
        return Entries(tuple(row for row in rows if row.label))

    def defined(self, definitions: Definitions) -> Iterator[tuple[Definition, Entry]]:
        """Each word of a table with its entry, for the foot of a card."""
        for row in definitions.rows:
            if not is_sign(row):
                yield row, self._definition(row, ())

    def signs(self, definitions: Definitions) -> Iterator[tuple[str, str]]:
        """Each sign of a table with what it means."""
        for row in definitions.rows:
            if is_sign(row):
                text = text_of(self.markup.text(in_language(row.words, self.names.language)))
                yield from ((form, text.removesuffix(".")) for form in forms_of(row, self.names.language))

    def _definition(self, row: Definition, inside: tuple[Body, ...]) -> Entry:
        forms = forms_of(row, self.names.language)
        text = in_language(row.words, self.names.language)
        read = self.markup.read(Wording(text, row.along)).inline
        example = self.markup.text(in_language(row.example, self.names.language))
        if example:
            example = (Run(self.words["example"] + " ", Style.QUIET), *example)
        label = plain(upper_first(forms[0]), Style.BOLD) if forms else ()
        read, inside = run_on(read, inside)
        return Entry((), label, read, example, inside, row.where, row.source, _joint(text, read), forms)


def as_line(entry: Entry) -> Inline:
    """Return an entry as a sentence; words in it that are terms themselves are plain."""
    text = tuple(
        replace(part, style=Style.PLAIN, term=False) if isinstance(part, Run) and part.term else part
        for part in entry.text
        if not isinstance(part, Pointer)
    )
    return (*entry.label, Run(entry.joint), *text)


def run_on(
    text: Inline, inside: tuple[Body, ...], longest: int = LONGEST_RUN_ON
) -> tuple[Inline, tuple[Body, ...]]:
    """Short tables that stand in an entry go on in its text: `1 lowest cost; 2 most points.` A row
    that is alone has no number. Longer ones stay below, with all that follows them."""
    parts, left = list(text), list(inside)
    while left and isinstance(short := left[0], Steps) and _is_short(short, longest):
        left.pop(0)
        rows = short.rows
        for n, row in enumerate(rows):
            number = (Run(row.number, Style.RANK), Run("\u00a0")) if row.number and len(rows) > 1 else ()
            conditions = tuple(
                part
                for c in row.conditions
                for part in (Chip(upper_first(text_of(c)), ChipKind.CONDITION), Run(" "))
            )
            marks = (*row.marks, Run(" ")) if row.marks else ()
            lead = (Run(" "),) if parts else ()
            outcome = (Run(" "), *row.outcome) if row.outcome else ()
            parts += [
                *lead,
                *number,
                *conditions,
                *marks,
                *(sentence(row.text) if conditions else row.text),
                *outcome,
                Run("." if n == len(rows) - 1 else ";"),
            ]
    return tuple(parts), tuple(left)


def _is_short(steps: Steps, longest: int) -> bool:
    rows = steps.rows
    length = sum(len(text_of((*row.text, *(part for c in row.conditions for part in c)))) for row in rows)
    return length <= longest and not any(row.variant or (row.outcome and row.number) for row in rows)


def _bold(inline: Inline) -> Inline:
    return tuple(replace(part, style=Style.BOLD) if isinstance(part, Run) else part for part in inline)


def _joint(text: str, read: Inline) -> str:
    """What stands between a label and its text: `Cost (to compare): …`, `Need, for each …`, `Uncovers: …`."""
    if not text and read:
        return ": "
    return "" if text[:1] in ",;:" or not text else " " if text[:1] == "(" else ": "


def _is(part: Part, text: str) -> bool:
    return isinstance(part, Run) and part.text.strip() == text


def _trimmed(text: Inline) -> Inline:
    """Without a space at its end."""
    if text and isinstance(text[-1], Run):
        return (*text[:-1], replace(text[-1], text=text[-1].text.rstrip()))
    return text


def _rule_of(decision: Decision, step: TurnStep) -> Rule | None:
    """The row of the decision that a step is: house rules may have taken rows out of it."""
    if step.rule is None:
        return None
    return next((rule for rule in decision.rules if rule.where.row == step.where.row), None)


def _numbers(steps: Sequence[TurnStep]) -> dict[str, str]:
    """Steps that have numbers keep them; those with names are counted."""
    names = [step.number for step in steps if step.number]
    if all(are_digits(name[:1]) for name in names):
        return {name: name for name in names}
    return {name: str(n) for n, name in enumerate(dict.fromkeys(names), 1)}
