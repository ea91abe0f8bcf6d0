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
    as_above: str
    row: str
    rows: str
    row_applies: str
    rows_apply: str
    no_row_applies: str
    row_expects: str
    row_expects_condition: str
    not_true: str
    row_gives_nothing: str
    row_fires: str
    dropped: str
    more_dropped: str
    because: str
    one_of_these: str
    is_among: str
    is_not_among: str
    nothing_for: str
    among: str
    only_one: str
    nobody: str
    left_one: str
    left_many: str
    separates_nobody: str
    criterion: str
    criterion_of: str
    decides: str
    chance_decides: str
    ranked: str
    looked_up: str
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
    as_above="{name}: {value}, come sopra",
    row="riga {number}",
    rows="righe {numbers}",
    row_applies="{name}: vale la {row}, quindi {value}",
    rows_apply="{name}: valgono {rows}, quindi {value}",
    no_row_applies="{name}: nessuna riga vale, quindi {value}",
    row_expects="{row}: no, {column} è {seen} e serve {expected}",
    row_expects_condition="{row}: no, {expected}",
    not_true="non è vero che {condition}",
    row_gives_nothing="{row}: non c'è niente da prendere",
    row_fires="{row}: sì",
    dropped="{items}: no, {reason}",
    more_dropped="e altri {count}: no",
    because="{value}, {reason}",
    one_of_these="{name} {seen}, e serve {expected}",
    is_among="{seen} è fra {expected}",
    is_not_among="{seen} non è fra {expected}",
    nothing_for="niente per: {names}",
    among="{name}, {count} candidati: {values}",
    only_one="{name}: c'è solo {value}",
    nobody="{name}: non c'è nessun candidato",
    left_one="resta {values}",
    left_many="restano {values}",
    separates_nobody="non separa nessuno",
    criterion="criterio {number}",
    criterion_of="criterio {number} di {scale}",
    decides="decide il {criterion}: {value}",
    chance_decides="alla pari: {values}; decide il caso",
    ranked="{name}, dal migliore: {value}",
    looked_up="{name}: {value}",
    switch_default="{name}: {value}, come nella cartella di lavoro",
    switch_recorded="{name}: {value}, come dice la registrazione",
    draw_nothing="{name}: non c'è niente da estrarre",
    draw_one="{name}: c'è solo {value}",
    draw_recorded="{name}: fra {values} è uscito {value}",
    draw_open="{name}: uno fra {values}, non ancora estratto",
    stopped="qui ci si ferma: il resto è vuoto",
    next_ask="poi: {name}",
    next_ask_because="poi: {name} ({reason})",
    step="passo {number}",
    step_failed="{step}: {reason}",
    item_failed="{item}: {reason}",
    not_possible="non è possibile",
    nothing_to_try="niente da provare",
    done="fatto",
    item_done="{item}: fatto",
    no_step_works="{name}: nessun passo riesce, quindi {value}",
)

ENGLISH = Sentences(
    open_field="one of {values}, by chance",
    is_worked_out="{name}: {value}",
    as_above="{name}: {value}, as above",
    row="row {number}",
    rows="rows {numbers}",
    row_applies="{name}: {row} applies, so {value}",
    rows_apply="{name}: {rows} apply, so {value}",
    no_row_applies="{name}: no row applies, so {value}",
    row_expects="{row}: no, {column} is {seen} and {expected} is wanted",
    row_expects_condition="{row}: no, {expected}",
    not_true="it is not true that {condition}",
    row_gives_nothing="{row}: there is nothing to take",
    row_fires="{row}: yes",
    dropped="{items}: no, {reason}",
    more_dropped="and {count} more: no",
    because="{value}, {reason}",
    one_of_these="{name} {seen}, and {expected} is wanted",
    is_among="{seen} is among {expected}",
    is_not_among="{seen} is not among {expected}",
    nothing_for="nothing for: {names}",
    among="{name}, {count} candidates: {values}",
    only_one="{name}: there is only {value}",
    nobody="{name}: there is no candidate",
    left_one="{values} is left",
    left_many="{values} are left",
    separates_nobody="separates nobody",
    criterion="criterion {number}",
    criterion_of="criterion {number} of {scale}",
    decides="{criterion} decides: {value}",
    chance_decides="equal: {values}; chance decides",
    ranked="{name}, best first: {value}",
    looked_up="{name}: {value}",
    switch_default="{name}: {value}, as in the workbook",
    switch_recorded="{name}: {value}, as the record says",
    draw_nothing="{name}: there is nothing to draw",
    draw_one="{name}: there is only {value}",
    draw_recorded="{name}: of {values} it was {value}",
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
    no_step_works="{name}: no step works, so {value}",
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
    labels = labels_of(ruleset, language)
    return Voice(labels, Values(labels), Expressions(labels), sentences_in(language))
