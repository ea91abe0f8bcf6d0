"""All words of the audit's report, in Italian and in English."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReportWords:
    """Braces stand for what is filled in."""

    language: str
    title: str
    records: str
    answers: str
    rejected: str
    played: str
    agree: str
    differ: str
    question: str
    by_question: str
    fields: str
    differences: str
    none_played: str
    no_difference: str
    more: str
    turn: str
    line: str
    field: str
    was_played: str
    rules_say: str
    any_of: str
    candidate: str
    why: str
    drops: str
    chosen: str
    rules: str
    rules_about: str
    never: str
    never_about: str
    all_fired: str
    times: str
    rejects: str
    path: str
    build: str


ENGLISH = ReportWords(
    language="English",
    title="Audit of recorded turns",
    records="records",
    answers="answered",
    rejected="rejected",
    played="with what was played",
    agree="as the rules say",
    differ="otherwise",
    question="question",
    by_question="What was played, by question",
    fields="Where it differs",
    differences="Turns played otherwise",
    none_played="No record that was answered says what was played (`played`), so there is nothing to compare.",
    no_difference="Every turn was played as the rules say.",
    more="{shown} of {all} are shown, the first ones of the log.",
    turn="Turn {turn}",
    line="line {line}",
    field="field",
    was_played="played",
    rules_say="the rules say",
    any_of="one of {values}",
    candidate="candidate",
    why="Why, step by step",
    drops="drops out",
    chosen="left",
    rules="In how many turns each row decided",
    rules_about="A row of a decision decides when it applies, a criterion when it drops a candidate, an entry when it is looked up; in each turn once.",
    never="Rows that never decided",
    never_about="In this log; another may need them.",
    all_fired="Every row of every table decided at least once.",
    times="times",
    rejects="Where records were rejected",
    path="place in the record",
    build="workbook version",
)

ITALIAN = ReportWords(
    language="Italiano",
    title="Verifica dei turni registrati",
    records="registrazioni",
    answers="con risposta",
    rejected="rifiutate",
    played="con ciò che è stato giocato",
    agree="come dicono le regole",
    differ="diversamente",
    question="domanda",
    by_question="Che cosa è stato giocato, per domanda",
    fields="Dove differisce",
    differences="Turni giocati diversamente",
    none_played="Nessuna registrazione con una risposta dice che cosa è stato giocato (`played`): non c'è nulla da confrontare.",
    no_difference="Ogni turno è stato giocato come dicono le regole.",
    more="Se ne mostrano {shown} su {all}, i primi del registro.",
    turn="Turno {turn}",
    line="riga {line}",
    field="campo",
    was_played="giocato",
    rules_say="le regole dicono",
    any_of="uno fra {values}",
    candidate="candidato",
    why="Perché, passo per passo",
    drops="esce",
    chosen="resta",
    rules="In quanti turni ha deciso ogni riga",
    rules_about="La riga di una decisione decide quando vale, un criterio quando elimina un candidato, una voce quando viene letta; una volta per turno.",
    never="Righe che non hanno mai deciso",
    never_about="In questo registro; a un altro possono servire.",
    all_fired="Ogni riga di ogni tabella ha deciso almeno una volta.",
    times="volte",
    rejects="Dove le registrazioni sono state rifiutate",
    path="posto nella registrazione",
    build="versione della cartella",
)

REPORT_WORDS = {"it": ITALIAN, "en": ENGLISH}
