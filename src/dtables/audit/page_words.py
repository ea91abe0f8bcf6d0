"""All words of the audit's report, in Italian and in English."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReportWords:
    """Braces stand for what is filled in. `script` are the words of the page's own controls."""

    language: str
    title: str
    contents: str
    thousands: str
    records: str
    answers: str
    rejected: str
    played: str
    agree: str
    differ: str
    refused: str
    refused_about: str
    path: str
    count: str
    share: str
    first_one: str
    found: str
    wanted: str
    broken: str
    broken_about: str
    rule: str
    show_turns: str
    turns: str
    turns_about: str
    none_played: str
    no_difference: str
    more: str
    more_details: str
    turn: str
    line: str
    no_script: str
    rates: str
    by_question: str
    by_field: str
    other_values: str
    as_rules_say: str
    rate: str
    fields: str
    rules: str
    rules_about: str
    never: str
    never_about: str
    all_decided: str
    build: str
    script: dict[str, str]


ENGLISH = ReportWords(
    language="English",
    title="Audit of recorded turns",
    contents="Contents",
    thousands=",",
    records="records",
    answers="answered",
    rejected="rejected",
    played="with a played move",
    agree="played as the rules say",
    differ="played differently",
    refused="Rejected records",
    refused_about="These records are not answered. Mend the field that is named and run the audit again.",
    path="field",
    count="count",
    share="share",
    first_one="the first one",
    found="found",
    wanted="expected",
    broken="Rules that moves break",
    broken_about="The rule broken most often comes first. A move counts once, by its first field for which a rule says why.",
    rule="rule",
    show_turns="Show these turns",
    turns="Turns played differently",
    turns_about="Open a turn for the move field by field, the candidates and every step of the answer.",
    none_played="No answered record has a played move (`played`), so there is nothing to compare.",
    no_difference="Every move is the one that the rules give.",
    more="This page has the first {shown} of {all} turns; `--mismatches FILE.csv` writes all of them.",
    more_details="Details are here for {shown} of {all} turns, of each rule the first ones; `--full` adds the others.",
    turn="Turn {turn}",
    line="line {line}",
    no_script="The list of turns needs scripts, which are switched off here. `--mismatches FILE.csv` writes it as a table.",
    rates="How well it was played",
    by_question="By question",
    by_field="By {field}",
    other_values="others",
    as_rules_say="as the rules say",
    rate="rate",
    fields="Fields that differ",
    rules="In how many turns each row decided",
    rules_about="A row of a decision decides if it applies, a criterion if it eliminates a candidate, a cell of a matrix if it is looked up; once a turn.",
    never="Rows that never decided",
    never_about="Not in this log; another log may need them.",
    all_decided="Every row of every table decided at least once.",
    build="workbook version",
    script={
        "search": "Search",
        "rule": "Rule",
        "ask": "Question",
        "any": "all",
        "order": "Order",
        "by_log": "as in the log",
        "by_rule": "by rule",
        "export": "Export as CSV",
        "open": "Open all shown",
        "close": "Close all",
        "clear": "Clear filters",
        "shown": "{shown} of {all} turns",
        "more": "Show {count} more",
        "none": "No turn fits these filters.",
        "turn": "Turn {turn}",
        "line": "line {line}",
        "field": "field",
        "played": "played",
        "right": "the rules say",
        "others": "other fields",
        "not_played": "not recorded",
        "is_played": "played",
        "is_right": "by the rules",
        "candidate": "candidate",
        "row": "row",
        "state": "outcome",
        "applies": "applies",
        "fails": "does not apply",
        "untried": "not reached",
        "drops": "eliminated",
        "decides": "decides",
        "steps": "Every step of the answer",
        "loading": "Loading …",
        "no_details": "The details of this turn are not in this page; write it with --full.",
        "too_old": "This browser cannot unpack the page's data. Use one of 2023 or later, or --mismatches FILE.csv.",
        "house_rules": "house rules",
        "file": "file",
        "game": "game",
        "place": "place of the rule",
        "why": "why",
    },
)

ITALIAN = ReportWords(
    language="Italiano",
    title="Verifica dei turni registrati",
    contents="Indice",
    thousands=".",
    records="registrazioni",
    answers="con risposta",
    rejected="rifiutate",
    played="con la mossa giocata",
    agree="giocate secondo le regole",
    differ="giocate in modo diverso",
    refused="Registrazioni rifiutate",
    refused_about="Queste registrazioni non hanno risposta. Correggi il campo indicato e ripeti la verifica.",
    path="campo",
    count="quante",
    share="quota",
    first_one="la prima",
    found="trovato",
    wanted="atteso",
    broken="Regole non rispettate",
    broken_about="Per prima la regola meno rispettata. Una mossa conta una volta, per il primo campo di cui una regola dice il perché.",
    rule="regola",
    show_turns="Mostra questi turni",
    turns="Turni giocati in modo diverso",
    turns_about="Apri un turno per vedere la mossa campo per campo, i candidati e ogni passo della risposta.",
    none_played="Nessuna registrazione con risposta ha una mossa giocata (`played`): non c'è nulla da confrontare.",
    no_difference="Ogni mossa è quella che danno le regole.",
    more="La pagina ha i primi {shown} turni su {all}; `--mismatches FILE.csv` li scrive tutti.",
    more_details="I dettagli ci sono per {shown} turni su {all}, i primi di ogni regola; `--full` aggiunge gli altri.",
    turn="Turno {turn}",
    line="riga {line}",
    no_script="L'elenco dei turni richiede gli script, qui disattivati. `--mismatches FILE.csv` lo scrive come tabella.",
    rates="Come si è giocato",
    by_question="Per domanda",
    by_field="Per {field}",
    other_values="altri",
    as_rules_say="secondo le regole",
    rate="quota",
    fields="Campi diversi",
    rules="In quanti turni ha deciso ogni riga",
    rules_about="La riga di una decisione decide se si applica, un criterio se elimina un candidato, una cella di matrice se viene letta; una volta per turno.",
    never="Righe che non hanno mai deciso",
    never_about="In questo registro; in un altro possono servire.",
    all_decided="Ogni riga di ogni tabella ha deciso almeno una volta.",
    build="versione della cartella di lavoro",
    script={
        "search": "Cerca",
        "rule": "Regola",
        "ask": "Domanda",
        "any": "tutte",
        "order": "Ordine",
        "by_log": "come nel registro",
        "by_rule": "per regola",
        "export": "Esporta in CSV",
        "open": "Apri tutti i visibili",
        "close": "Chiudi tutti",
        "clear": "Togli i filtri",
        "shown": "{shown} turni su {all}",
        "more": "Mostrane altri {count}",
        "none": "Nessun turno corrisponde ai filtri.",
        "turn": "Turno {turn}",
        "line": "riga {line}",
        "field": "campo",
        "played": "giocato",
        "right": "le regole dicono",
        "others": "altri campi",
        "not_played": "non registrato",
        "is_played": "giocato",
        "is_right": "secondo le regole",
        "candidate": "candidato",
        "row": "riga",
        "state": "esito",
        "applies": "si applica",
        "fails": "non si applica",
        "untried": "non raggiunta",
        "drops": "eliminato",
        "decides": "decide",
        "steps": "Ogni passo della risposta",
        "loading": "Carico …",
        "no_details": "I dettagli di questo turno non sono nella pagina: riscrivila con --full.",
        "too_old": "Questo browser non sa leggere i dati della pagina: ne serve uno dal 2023 in poi, oppure --mismatches FILE.csv.",
        "house_rules": "regole della casa",
        "file": "file",
        "game": "partita",
        "place": "posto della regola",
        "why": "perché",
    },
)

REPORT_WORDS = {"it": ITALIAN, "en": ENGLISH}
