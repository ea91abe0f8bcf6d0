"""The sentences of explanations, in Italian and in English, and the voice of one language: names, values,
expressions and sentences. The words that others use too stand in `wording`."""

from __future__ import annotations

from dataclasses import dataclass

from dtables.model.tables import Ruleset
from dtables.wording.expressions import Expressions
from dtables.wording.labels import Labels, labels_of
from dtables.wording.phrases import Phrases
from dtables.wording.values import Values


@dataclass(frozen=True, slots=True)
class Sentences:
    """One language. Braces stand for what is filled in; `row` is a row's number, with its wording."""

    open_field: str
    is_worked_out: str
    made: str
    as_above: str
    row: str
    rows: str
    row_applies: str
    rows_apply: str
    no_row_applies: str
    row_expects: str
    rows_expect: str
    row_expects_condition: str
    not_true: str
    row_gives_nothing: str
    row_fires: str
    dropped: str
    more_dropped: str
    because: str
    not_that: str
    is_among: str
    is_not_among: str
    nothing_for: str
    among: str
    only_one: str
    nobody: str
    left_one: str
    left_many: str
    all_tied: str
    all_tied_with: str
    criterion: str
    criterion_of: str
    decides: str
    chance_decides: str
    ranked: str
    parted: str
    looked_up: str
    worded: str
    switch_default: str
    switch_recorded: str
    draw_nothing: str
    draw_one: str
    draw_recorded: str
    draw_open: str
    stopped: str
    next_ask: str
    next_ask_because: str
    step: str
    step_failed: str
    item_failed: str
    not_possible: str
    nothing_to_try: str
    done: str
    item_done: str
    no_step_works: str


ITALIAN = Sentences(
    open_field="a caso fra {values}",
    is_worked_out="{name}: {value}",
    made="{made} = {value}",
    as_above="{name}: {value}, come sopra",
    row="riga {number}",
    rows="righe {numbers}",
    row_applies="{name}: {value}, per la {row}",
    rows_apply="{name}: {value}, per {rows}",
    no_row_applies="{name}: {value}, perché nessuna riga si applica",
    row_expects="{row}: no, richiede {expected} ({column}: {seen})",
    rows_expect="{row}: no, richiedono {expected} ({column}: {seen})",
    row_expects_condition="{row}: no, {expected}",
    not_true="non è vero che {condition}",
    row_gives_nothing="{row}: no, non c'è niente da prendere",
    row_fires="{row}: sì",
    dropped="{items}: no, {reason}",
    more_dropped="e altri {count}: no",
    because="{value}, {reason}",
    not_that="{seen}, non {expected}",
    is_among="{seen} è fra {expected}",
    is_not_among="{seen} non è fra {expected}",
    nothing_for="niente per: {names}",
    among="{name}, {count} candidati: {values}",
    only_one="{name}: {value}, unica possibilità",
    nobody="{name}: nessun candidato",
    left_one="resta {values}",
    left_many="restano {values}",
    all_tied="tutti alla pari",
    all_tied_with="tutti alla pari ({value})",
    criterion="criterio {number}",
    criterion_of="criterio {number} di {scale}",
    decides="decide il {criterion}: {value}",
    chance_decides="parità fra {values}: decide il caso",
    ranked="{name}, in ordine di preferenza: {value}",
    parted="{first} prima di {second}: {criterion}",
    looked_up="{name}: {value}",
    worded="{name}: {value}, {row}",
    switch_default="{name}: {value}, valore predefinito",
    switch_recorded="{name}: {value}, come dice la registrazione",
    draw_nothing="{name}: niente da estrarre",
    draw_one="{name}: {value}, unica possibilità",
    draw_recorded="{name}: {value}, estratto fra {values}",
    draw_open="{name}: uno fra {values}, non ancora estratto",
    stopped="ci si ferma qui: il resto è vuoto",
    next_ask="poi: {name}",
    next_ask_because="poi: {name} ({reason})",
    step="passo {number}",
    step_failed="{step}: {reason}",
    item_failed="{item}: {reason}",
    not_possible="non è possibile",
    nothing_to_try="niente da provare",
    done="fatto",
    item_done="{item}: fatto",
    no_step_works="{name}: {value}, perché nessun passo riesce",
)

ENGLISH = Sentences(
    open_field="one of {values}, by chance",
    is_worked_out="{name}: {value}",
    made="{made} = {value}",
    as_above="{name}: {value}, as above",
    row="row {number}",
    rows="rows {numbers}",
    row_applies="{name}: {value}, by {row}",
    rows_apply="{name}: {value}, by {rows}",
    no_row_applies="{name}: {value}, as no row applies",
    row_expects="{row}: no, needs {expected} ({column}: {seen})",
    rows_expect="{row}: no, need {expected} ({column}: {seen})",
    row_expects_condition="{row}: no, {expected}",
    not_true="it is not true that {condition}",
    row_gives_nothing="{row}: no, there is nothing to take",
    row_fires="{row}: yes",
    dropped="{items}: no, {reason}",
    more_dropped="and {count} more: no",
    because="{value}, {reason}",
    not_that="{seen}, not {expected}",
    is_among="{seen} is among {expected}",
    is_not_among="{seen} is not among {expected}",
    nothing_for="nothing for: {names}",
    among="{name}, {count} candidates: {values}",
    only_one="{name}: {value}, the only candidate",
    nobody="{name}: no candidates",
    left_one="{values} remains",
    left_many="{values} remain",
    all_tied="all tied",
    all_tied_with="all tied ({value})",
    criterion="criterion {number}",
    criterion_of="criterion {number} of {scale}",
    decides="decided by {criterion}: {value}",
    chance_decides="tie between {values}: chance decides",
    ranked="{name}, best first: {value}",
    parted="{first} before {second}: {criterion}",
    looked_up="{name}: {value}",
    worded="{name}: {value}, {row}",
    switch_default="{name}: {value}, the default",
    switch_recorded="{name}: {value}, as recorded",
    draw_nothing="{name}: there is nothing to draw",
    draw_one="{name}: {value}, the only one",
    draw_recorded="{name}: {value}, drawn from {values}",
    draw_open="{name}: one of {values}, not drawn yet",
    stopped="it stops here: the rest is empty",
    next_ask="next: {name}",
    next_ask_because="next: {name} ({reason})",
    step="step {number}",
    step_failed="{step}: {reason}",
    item_failed="{item}: {reason}",
    not_possible="not possible",
    nothing_to_try="nothing to try",
    done="done",
    item_done="{item}: done",
    no_step_works="{name}: {value}, as no step works",
)


def sentences_in(language: str) -> Sentences:
    """In a language that has none they are English."""
    return ITALIAN if language == "it" else ENGLISH


# -- one language --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Voice:
    """Names, values, expressions and whole sentences."""

    labels: Labels
    values: Values
    expressions: Expressions
    sentences: Sentences

    @property
    def phrases(self) -> Phrases:
        return self.labels.phrases


def voice_in(ruleset: Ruleset, language: str) -> Voice:
    return voice_of(labels_of(ruleset, language))


def voice_of(labels: Labels) -> Voice:
    """A voice with labels of its own, that remembers no values but its own."""
    return Voice(labels, Values(labels), Expressions(labels), sentences_in(labels.language))
