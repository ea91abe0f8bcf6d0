"""The words of the table language, kind by kind: the one table that layout, help and docs read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from dtables.workbook.language import (
    ASK_ROWS,
    EXACT,
    LEFT,
    ONWARD,
    ORDERED,
    OTHERS,
    PAPERS,
    PLACES,
    POLICIES,
    PREFER,
    PRINTED,
    RINGS,
    SIDES,
    WHO,
    YES_NO,
    Kind,
    NamesRow,
    Naming,
    OtherRoles,
    PropertySpec,
    ReadAs,
    Role,
    Times,
    nearest,
    plain,
    spelled,
    spellings,
)

# -- roles that several kinds share -----------------------------------------------------------------
# Roles and properties that several kinds of table have.

# fmt: off

NUMBER = Role(
    "#", ("#", "id", "no.", "nr"), ("n.", "num"), "the row's number or name, for references",
    "il numero o il nome della riga, per citarla", ReadAs.NUMBER,
)
TEXT = Role(
    "text", ("text", "wording"), ("testo",), "how the printed page says the row",
    "come lo dice la pagina stampata", languages=True,
)
WANTED = replace(
    TEXT, doc_en="what is wanted instead, as a reject says it",
    doc_it="che cosa si vuole invece, come lo dice un rifiuto",
)
NOTE = Role(
    "note", ("note", "remark"), ("nota",), "a remark; nothing reads it",
    "un appunto; nessuno lo legge", languages=True,
)
LABEL = Role(
    "label", ("label",), ("etichetta",), "what people call it", "come lo chiamano le persone",
        languages=True,
)
HELP = Role(
    "help", ("help",), ("aiuto",), "a line of help for whoever fills it in", "un aiuto per chi lo compila",
    languages=True,
)
ALSO = Role(
    "also", ("also",), ("anche",), "further spellings, with commas between",
        "altre grafie, separate da virgole",
    ReadAs.NAMES, languages=True,
)
COLOUR = Role(
    "colour", ("badge colour", "badge color"), ("colore del distintivo",), "colour of the badge",
    "colore del distintivo", ReadAs.NAME,
)
SHAPE = Role(
    "shape", ("badge shape",), ("forma del distintivo",), "shape of the badge", "forma del distintivo",
        ReadAs.NAME,
)
LETTER = Role(
    "letter", ("badge letter",), ("lettera del distintivo",), "letter on the badge",
        "lettera sul distintivo",
    ReadAs.NAME, languages=True,
)
BADGES = (COLOUR, SHAPE, LETTER)
SHORT_BADGES = (
    Role("colour", ("colour", "color", *COLOUR.en), ("colore", *COLOUR.it), COLOUR.doc_en,
        COLOUR.doc_it, ReadAs.NAME),
    Role("shape", ("shape", *SHAPE.en), ("forma", *SHAPE.it), SHAPE.doc_en, SHAPE.doc_it, ReadAs.NAME),
    Role("letter", ("letter", *LETTER.en), ("lettera", *LETTER.it), LETTER.doc_en, LETTER.doc_it,
        ReadAs.NAME, languages=True),
)
NAME = Role("name", ("name",), ("nome",), "the name", "il nome", ReadAs.NAME)
TYPE = Role("type", ("type",), ("tipo",), "its type; `?` after it: may be null",
    "il tipo; con `?`: può mancare", ReadAs.TYPE)
IS = Role("is", ("is",), ("vale", "è"), "the expression it stands for", "l'espressione che vale",
    ReadAs.EXPRESSION)
DEFAULT = Role(
    "default", ("default",), ("se manca", "predefinito"),
    "the value when a record leaves it out; `needed`, in a record: it may not be left out",
    "il valore se non è scritto; `serve`, in una scheda: va scritto", ReadAs.EXPRESSION,
)
FIXED = Role(
    "fixed", ("fixed",), ("fisso",), "fields given by the place: `who: north`",
        "campi dati dal posto: `chi: nord`",
    ReadAs.EXPRESSION,
)
ALLOWED = Role(
    "allowed", ("allowed",), ("ammessi", "ammesso"), "tests that every value passes: `[1..6]`",
    "prove che ogni valore supera: `[1..6]`", ReadAs.TESTS,
)
FIELD = Role("field", ("field",), ("campo",), "the field's name", "il nome del campo", ReadAs.NAME)
KEY = Role("key", ("key",), ("chiave",), "the key", "la chiave", ReadAs.NAME)
THEN = Role("then", ("then",), ("allora",), "the outcome", "l'esito", ReadAs.EXPRESSION, times=Times.OFTEN)
ONLY_FOR = Role(
    "only for", ("only for",), ("solo per",), "tests that say whom the row concerns; blank: all",
    "prove che dicono chi riguarda; vuoto: tutti", ReadAs.TESTS, times=Times.OFTEN,
)
BY = Role("by", ("by",), ("per",), "the expression that is compared", "l'espressione che si confronta",
    ReadAs.EXPRESSION)

WITH = Role(
    "with", ("with",), ("con",), "the tables, formulas and records it points to or puts in words",
    "le tabelle, le formule e le schede a cui rimanda o che dice a parole", ReadAs.NAMES,
)
SOURCES = Role(
    "source", ("source",), ("fonte",), "ids of the rules it carries out",
    "i numeri delle regole che realizza", ReadAs.NAMES,
)
ICON = Role("icon", ("icon",), ("icona",), "the icon drawn beside it", "l'icona disegnata accanto",
    ReadAs.NAME)

TITLE = PropertySpec("title", ("title",), ("titolo",), "the printed title", "il titolo stampato",
    ReadAs.PROSE, languages=True)
REMARK = PropertySpec("note", ("note",), ("nota",), "a remark on the table", "un appunto sulla tabella",
    ReadAs.PROSE, languages=True)
SOURCE = PropertySpec(
    "source", ("source",), ("fonte",), "ids of the rules it carries out",
        "i numeri delle regole che realizza", ReadAs.NAMES,
)
GROUP = PropertySpec("group", ("group",), ("gruppo",), "tables listed together",
    "tabelle elencate insieme", ReadAs.PROSE)
OVERRIDDEN = PropertySpec(
    "overridden by", ("overridden by",), ("sostituito da", "sostituite da"),
    "the input field whose entries replace the defaults", "il campo che sostituisce i valori", ReadAs.PLACE,
)
OTHERWISE = PropertySpec("otherwise", ("otherwise",), ("altrimenti",), "the outcome when no row fires",
    "l'esito se nessuna riga vale", ReadAs.EXPRESSION)
PRINT = PropertySpec(
    "print", ("print",), ("stampa",),
    "where pages show it: in a block of its own, inside the step or case that points to it "
    "(`inside turn`: of that table), or not at all",
    "dove lo mostrano le pagine: in un riquadro suo, dentro il passo o il caso che vi rimanda "
    "(`dentro turno`: di quella tabella), o da nessuna parte",
    ReadAs.NAME, words=PRINTED,
)
PRINT_NAMES = replace(
    PRINT, words=RINGS,
    doc_en=f"{PRINT.doc_en}; `ring`: its names in a ring, the last one next to the first",
    doc_it=f"{PRINT.doc_it}; `anello`: i suoi nomi in un anello, l'ultimo accanto al primo",
)
KEY_OF = PropertySpec("key", ("key",), ("chiave",), "the vocabulary that the keys make",
    "il vocabolario delle chiavi", ReadAs.NAME)
ALSO_OF = PropertySpec("also", ("also",), ("anche",), "further names of the table",
    "altri nomi della tabella", ReadAs.NAMES)


# fmt: off
EVERYWHERE = (TITLE, REMARK, SOURCE, GROUP)
"""Properties of every kind."""

# -- the kinds ---------------------------------------------------------------------------------

KINDS = (
    Kind(
        "types", ("Types", "Type", "Vocabularies", "Vocabulary"), ("Vocabolari", "Vocabolario", "Tipi"),
        "vocabularies (closed lists of names, in order) and narrowed types",
        "vocabolari (elenchi chiusi di nomi, in ordine) e tipi ristretti",
        (
            NAME,
            Role("names", ("names", "names in order"), ("nomi", "nomi in ordine"),
                "its names, in order, with commas between",
                "i nomi, in ordine, separati da virgole", ReadAs.NAMES),
            Role("of", ("of",), ("di",), "the type it narrows or adds to", "il tipo che restringe o amplia",
                ReadAs.TYPE),
            ALLOWED,
            Role("plus", ("plus",), ("oltre a", "più"), "further names added to those of `of`",
                "altri nomi aggiunti", ReadAs.NAMES),
            LABEL, TEXT, *SHORT_BADGES, NOTE,
        ),
        (PRINT_NAMES,),
        naming=Naming.FREE,
    ),
    Kind(
        "record", ("Record", "Records"), ("Scheda", "Schede"),
        "a type with fields, stored or computed", "un tipo con campi, scritti o calcolati",
        (FIELD, TYPE, IS, DEFAULT, FIXED, ALLOWED, LABEL, HELP, TEXT, NOTE),
        (PropertySpec("readable by", ("readable by",), ("leggibile per",),
            "vocabularies whose names are its fields: `r(name)` reads one, and a log spells them as names",
            "vocabolari i cui nomi sono campi: `r(nome)` ne legge uno, e un registro li scrive come nomi",
            ReadAs.NAMES),),
    ),
    Kind(
        "data", ("Data", "Catalogue", "Catalog"), ("Dati", "Catalogo"),
        "rows of a record type; keyed rows are a vocabulary",
            "righe di una scheda; con chiave sono un vocabolario",
        (KEY, LABEL, ALSO, *BADGES, HELP, NOTE),
        (
            KEY_OF, ALSO_OF,
            PropertySpec("spelling", ("spelling",), ("grafia",),
                "`exact`: a record spells the keys as they stand here, and by no label",
                "`esatta`: chi registra scrive le chiavi come stanno qui, senza etichette", ReadAs.WORD,
                words=EXACT),
            PRINT_NAMES,
        ),
        names=NamesRow.ROW, other_roles=OtherRoles.TYPES,
    ),
    Kind(
        "input", ("Input", "State"), ("Stato", "Ingresso"),
        "the fields of a turn's state", "i campi dello stato di un turno",
        (FIELD, TYPE, IS, DEFAULT, FIXED, ALLOWED, LABEL, ALSO, HELP, TEXT, NOTE),
        (OVERRIDDEN,),
        naming=Naming.FREE,
    ),
    Kind(
        "formulas", ("Formulas",), ("Formule",),
        "named expressions, one in a row", "espressioni con un nome, una per riga",
        (NAME, TYPE, IS, LABEL, TEXT, NOTE),
        (PRINT,),
        naming=Naming.FREE,
    ),
    Kind(
        "formula", ("Formula",), ("Formula",),
        "one expression in steps; its value is the row `result`",
            "un'espressione in passi; vale la riga `result`",
        (Role("step", ("step",), ("passo",), "the step's name, with parameters if it has some",
            "il nome del passo, con i parametri", ReadAs.NAME), TYPE, IS, LABEL, TEXT, NOTE),
        (PRINT,),
    ),
    Kind(
        "decision", ("Decision", "Decisions"), ("Decisione", "Decisioni"),
        "conditions and outcomes, with a hit policy", "condizioni ed esiti, con la regola di scelta",
        (
            NUMBER,
            Role("if", ("if",), ("se",), "tests on the expression that names the column",
                "prove sull'espressione che dà il nome alla colonna", ReadAs.TESTS, times=Times.OFTEN),
            THEN,
            Role("take", ("take",), ("prendi",), "the outcome; a row where it is null does not fire",
                "l'esito; se è null la riga non vale", ReadAs.EXPRESSION, times=Times.OFTEN),
            TEXT, NOTE,
        ),
        (
            PropertySpec("policy", ("policy", "hit policy"), ("regola",),
                "which of the rows that fire counts", "quale delle righe che valgono conta", ReadAs.WORD,
                words=POLICIES),
            OTHERWISE,
            PropertySpec("priorities", ("priorities",), ("priorità",),
                "outcomes, best first, for priority and output order",
                "esiti dal migliore, per priorità e ordine degli esiti", ReadAs.EXPRESSION),
            PRINT,
        ),
        names=NamesRow.ROW,
    ),
    Kind(
        "scale", ("Scale", "Scales"), ("Scala", "Scale"),
        "ordered criteria that narrow candidates to one",
            "criteri in ordine che riducono i candidati a uno",
        (
            NUMBER, ONLY_FOR,
            Role("only if", ("only if",), ("solo se",),
                "a condition read once; false: the row is passed over",
                "una condizione letta una volta; se falsa la riga è saltata", ReadAs.EXPRESSION),
            Role("prefer", ("prefer",), ("preferisci",), "which candidates the row keeps",
                "quali candidati la riga tiene", ReadAs.WORD, words=PREFER),
            BY, TEXT, NOTE,
        ),
        (
            PropertySpec("others", ("others",), ("gli altri", "altri"),
                "what holds for candidates a row does not concern",
                "che cosa vale per chi la riga non riguarda", ReadAs.WORD, words=OTHERS),
            PropertySpec("decides", ("decides",), ("decide",), "whether the last row leaves one candidate",
                "se l'ultima riga ne lascia uno solo", ReadAs.WORD, words=YES_NO),
            PRINT,
        ),
        names=NamesRow.ROW,
    ),
    Kind(
        "matrix", ("Matrix",), ("Matrice",),
        "row key and column key give a value", "chiave di riga e chiave di colonna danno un valore",
        (
            Role("key", ("key",), ("chiave",),
                "the keys of the rows, and the values under each key of a column",
                "le chiavi delle righe, e i valori sotto ogni chiave di colonna", ReadAs.EXPRESSION,
                times=Times.OFTEN),
            Role("rank", ("rank",), ("posto",), "the place in the ordered list of each column",
                "il posto nell'elenco di ogni colonna", ReadAs.NUMBER),
            Role("value", ("value",), ("valore",), "the value for the row's key",
                "il valore per la chiave della riga", ReadAs.EXPRESSION),
            TEXT, NOTE,
        ),
        (PropertySpec("down", ("down",), ("in giù",),
            "`ordered`: a column is the list for its key; `partial`: of names of its own",
            "`in ordine`: la colonna è l'elenco della sua chiave; `parziale`: con nomi suoi",
            ReadAs.WORD, words=ORDERED), PRINT),
        names=NamesRow.ROW, other_roles=OtherRoles.RESULT,
    ),
    Kind(
        "settings", ("Settings", "Setting"), ("Impostazioni", "Impostazione"),
        "switches with a default, or parameters by level",
            "interruttori con un valore, o parametri per livello",
        (
            Role("switch", ("switch",), ("interruttore",), "the switch's name", "il nome dell'interruttore",
                ReadAs.NAME),
            DEFAULT,
            Role("other values", ("other values",), ("altri valori",),
                "what else it may be, with commas between", "che altro può valere, separati da virgole",
                ReadAs.NAMES),
            Role("parameter", ("parameter",), ("parametro",), "the parameter's name",
                "il nome del parametro", ReadAs.NAME),
            TYPE,
            Role("level", ("level",), ("livello",),
                "the parameter's value at the level that names the column",
                "il valore al livello che dà il nome alla colonna", ReadAs.EXPRESSION, times=Times.OFTEN),
            LABEL, HELP, TEXT, NOTE,
        ),
        (
            KEY_OF, OVERRIDDEN, ALSO_OF,
            PropertySpec("inherit", ("inherit",), ("eredita",),
                "`left`: blank is as the column to the left",
                "`sinistra`: vuoto è come la colonna a sinistra", ReadAs.WORD, words=LEFT),
            PRINT,
        ),
        names=NamesRow.LEVELS, other_roles=OtherRoles.LEVELS,
    ),
    Kind(
        "dice", ("Dice",), ("Dadi",),
        "totals of dice give an outcome, every total once",
            "i totali dei dadi danno un esito, ognuno una volta",
        (
            NUMBER,
            Role("total", ("total",), ("totale",), "the totals of the only kind of die",
                "i totali dell'unico tipo di dado", ReadAs.TESTS),
            Role("die", ("die",), ("dado",), "the totals of the die that names the column: `2d6`",
                "i totali del dado che dà il nome alla colonna: `2d6`", ReadAs.TESTS, times=Times.OFTEN),
            THEN, TEXT, NOTE,
        ),
        (PRINT,),
        names=NamesRow.ROW,
    ),
    Kind(
        "turn", ("Turn", "Attempts"), ("Turno", "Tentativi"),
        "a procedure, step by step; steps with an outcome are tried in order, and the first that works "
        "counts. `Attempts` is the same where it is no turn",
        "una procedura, passo per passo; i passi con un esito si provano in ordine, e conta il primo che "
        "riesce. `Tentativi` è lo stesso dove non è un turno",
        (
            Role("step", ("step",), ("passo",), "the step's number or name; with an outcome `tried` lists it",
                "il numero o il nome del passo; con un esito lo elenca `tried`", ReadAs.NUMBER),
            Role("phase", ("phase",), ("fase",), "the phase the step belongs to",
                "la fase a cui appartiene il passo", ReadAs.NAME),
            Role("who", ("who",), ("chi",), "who does it", "chi lo fa", ReadAs.WORD, words=WHO),
            Role("if", ("if",), ("se",),
                "when it is done: a condition, or tests on the expression that names the column; "
                "with a language (`if en`) the condition in words",
                "quando si fa: una condizione, o prove sull'espressione che dà il nome alla colonna; "
                "con una lingua (`se it`) la condizione a parole",
                ReadAs.TESTS, languages=True, times=Times.OFTEN, in_words="if in words"),
            Role("each", ("each",), ("ogni",),
                "a list whose items are tried in order: `item` is the one tried, `tried` those before it",
                "un elenco i cui elementi si provano in ordine: `item` è quello che si prova, `tried` "
                "i precedenti",
                ReadAs.EXPRESSION),
            replace(THEN, doc_en="the outcome; blank: a person does the step. A step works where its first "
                "outcome is not null",
                doc_it="l'esito; vuoto: il passo lo fa una persona. Un passo riesce se il suo primo esito "
                "non è null"),
            TEXT,
            Role("failed", ("failed",), ("fallito",), "why the step was not done, for explanations",
                "perché il passo non è stato fatto, per le spiegazioni", languages=True),
            WITH,
            Role("next", ("next",), ("poi",),
                "what comes then: the next step, the end, the end if it was done, a step's number, "
                "or `again` and a number",
                "che cosa viene dopo: il passo seguente, la fine, la fine se è stato fatto, il numero di un "
                "passo, o `di nuovo` e un numero",
                ReadAs.NAME, words=ONWARD),
            ICON, SOURCES, NOTE,
        ),
        (
            PropertySpec("phase", ("phase",), ("fase",), "the phase of the steps that name none",
                "la fase dei passi che non ne hanno una"),
            PropertySpec("ask", ("ask",), ("domanda",), "the ask that the turn plays",
                "la domanda a cui il turno risponde"),
            replace(OTHERWISE, doc_en="the outcome when no step works",
                doc_it="l'esito se nessun passo riesce"),
            PRINT,
        ),
        names=NamesRow.OUTCOMES,
    ),
    Kind(
        "ask", ("Ask", "Question"), ("Domanda",),
        "what a log may ask for: needs, steps, draws, answers, and what comes next",
            "che cosa un registro può chiedere: dati, passi, estrazioni, risposte, e che cosa viene poi",
        (
            Role("role", ("role",), ("ruolo",), "what the row is", "che cosa è la riga", ReadAs.WORD,
                words=ASK_ROWS),
            Role("name", ("name",), ("nome",), "the name; of a row `next` the ask that comes",
                "il nome; in una riga `poi` la domanda che viene", ReadAs.NAME),
            Role("is", ("is",), ("vale",), "the expression it stands for; of `need` and `next` the condition",
                "l'espressione; in `serve` e `poi` la condizione", ReadAs.EXPRESSION),
            Role("type", ("type",), ("tipo",), "the type of a step", "il tipo di un passo", ReadAs.TYPE),
            Role("recorded in", ("recorded in",), ("registrato in",),
                "the field that tells which was drawn", "il campo che dice quale è uscito", ReadAs.PLACE),
            Role("when open", ("when open",), ("se aperto",), "what an answer is while a draw is open",
                "che cosa è una risposta se un'estrazione è aperta", ReadAs.EXPRESSION),
            LABEL, TEXT, NOTE,
        ),
        (
            PropertySpec("main", ("main",), ("principale",), "`yes`: the ask of records that name none",
                "`sì`: la domanda di chi non ne nomina", ReadAs.WORD, words=YES_NO),
            PropertySpec("context", ("context",), ("contesto",),
                "the fields of the input that an audit shows beside a turn, and counts by",
                "i campi dei dati che la verifica mostra accanto a un turno, e per cui conta",
                ReadAs.PLACE),
        ),
    ),
    Kind(
        "checks", ("Checks", "Check"), ("Controlli", "Controllo"),
        "what makes a record inconsistent", "che cosa rende incoerente un turno registrato",
        (
            NUMBER,
            Role("places", ("places",), ("posti",), "paths read in order", "posti letti in ordine",
                ReadAs.PLACE),
            ONLY_FOR, BY,
            Role("at most", ("at most",), ("al più", "al massimo"), "how often a value may stand there",
                "quante volte un valore può starci", ReadAs.EXPRESSION),
            Role("ask", ("ask",), ("domanda",), "the asks it concerns; blank: all",
                "le domande che riguarda; vuoto: tutte", ReadAs.NAMES),
            Role("each", ("each",), ("ogni",),
                "the places whose items are tried: `this`, `key` in a map, `position` in a list",
                "i posti i cui elementi si provano: `this`, `key` in una mappa, `position` in una lista",
                ReadAs.PLACE),
            Role("wrong if", ("wrong if",), ("sbagliato se",), "the condition that must not hold",
                "la condizione che non deve valere", ReadAs.EXPRESSION),
            Role("at", ("at",), ("dove",), "the path that is blamed", "il posto a cui si dà la colpa",
                ReadAs.PLACE),
            WANTED, NOTE,
        ),
        naming=Naming.FREE,
    ),
    Kind(
        "examples", ("Examples", "Example"), ("Esempi", "Esempio"),
        "inputs and the answers they must have", "dati e le risposte che devono avere",
        (
            NUMBER,
            Role("given", ("given",), ("dato", "dati"),
                "the value of the input field or parameter that names the column",
                "il valore del campo o parametro che dà il nome alla colonna", ReadAs.EXPRESSION,
                times=Times.OFTEN),
            Role("expect", ("expect", "expected"), ("atteso", "attesi"),
                "the answer field that names the column",
                "il campo della risposta che dà il nome alla colonna", ReadAs.EXPRESSION, times=Times.OFTEN),
            Role("expect any_of", ("expect any_of", "any_of"), ("atteso any_of", "atteso fra"),
                "the values it may have while a draw is open",
                "i valori possibili se un'estrazione è aperta", ReadAs.EXPRESSION, times=Times.OFTEN),
            Role("expect next", ("expect next",), ("atteso poi",),
                "the asks that come next, with commas between; `[]`: none",
                "le domande che vengono dopo, separate da virgole; `[]`: nessuna", ReadAs.NAMES),
            Role("rejected at", ("rejected at",), ("rifiutato a",),
                "the path at which the record is refused", "il posto a cui il turno è rifiutato",
                ReadAs.PLACE),
            TEXT, NOTE,
        ),
        (
            PropertySpec("ask", ("ask",), ("domanda",), "the ask that is tried", "la domanda che si prova",
                ReadAs.NAME),
            PropertySpec("table", ("table",), ("tabella",), "the table that is tried",
                "la tabella che si prova", ReadAs.NAME),
            PropertySpec("common", ("common",), ("in comune",),
                "what the records of all rows hold, `{colour: red}`; cells of a row replace it",
                "quello che hanno tutte le righe, `{colore: rosso}`; le celle di una riga lo sostituiscono",
                ReadAs.EXPRESSION),
        ),
        names=NamesRow.ROW,
    ),
    Kind(
        "cases", ("Cases",), ("Casi",),
        "rules that are looked up by a name, in no order", "regole che si cercano per nome, senza ordine",
        (
            Role("key", ("key",), ("chiave",), "a name of a vocabulary, or words of its own",
                "un nome di un vocabolario, o parole sue", ReadAs.NAME, languages=True),
            TEXT, WITH, ICON, SOURCES, NOTE,
        ),
        (
            PropertySpec("key", ("key",), ("chiave",), "the vocabulary that the keys belong to",
                "il vocabolario delle chiavi"),
            PRINT,
        ),
    ),
    Kind(
        "terms", ("Terms",), ("Termini",),
        "words that pages define", "parole che le pagine definiscono",
        (
            Role("term", ("term",), ("termine",), "the word, all its forms with commas between",
                "la parola, tutte le forme separate da virgole", ReadAs.NAMES, languages=True),
            replace(TEXT, doc_en="what it means", doc_it="che cosa significa"),
            WITH,
            Role("example", ("example",), ("esempio",), "an example", "un esempio", languages=True),
            SOURCES, NOTE,
        ),
        (PRINT,),
    ),
    Kind(
        "ticks", ("Ticks",), ("Spunte",),
        "boxes that a person ticks while playing", "caselle che si spuntano mentre si gioca",
        (
            replace(TEXT, doc_en="what the boxes are for", doc_it="a che cosa servono le caselle"),
            Role("boxes", ("boxes",), ("caselle",),
                "how many boxes, or the vocabulary whose names have one each; blank: one",
                "quante caselle, o il vocabolario i cui nomi ne hanno una ciascuno; vuoto: una",
                ReadAs.NAME),
            NOTE,
        ),
        (
            PropertySpec("columns", ("columns",), ("colonne",),
                "how often the boxes stand side by side: a number (of rounds), or a vocabulary",
                "quante volte le caselle stanno una accanto all'altra: un numero (di round) o un vocabolario",
                ReadAs.NAME),
            PRINT,
        ),
    ),
    Kind(
        "pages", ("Pages", "Page"), ("Pagine", "Pagina"),
        "which tables stand on which printed page", "quali tabelle stanno su quale pagina stampata",
        (
            Role("page", ("face", "page"), ("faccia", "pagina"), "the face of the sheet: `1a`, `1b`, `2a`",
                "la faccia del foglio: `1a`, `1b`, `2a`", ReadAs.NAME),
            Role("size", ("size",), ("formato",),
                "the paper: `A4`, `A4 landscape`, `letter`; of cards `tarot`, `poker`, `mini`",
                "la carta: `A4`, `A4 orizzontale`, `letter`; delle carte `tarocchi`, `poker`, `mini`",
                ReadAs.WORD, words=PAPERS),
            Role("side", ("side",), ("lato",), "the side of a card: `front`, `back`",
                "il lato di una carta: `fronte`, `retro`", ReadAs.WORD, words=SIDES),
            Role("language", ("language",), ("lingua",), "the languages it is printed in",
                "le lingue in cui è stampata", ReadAs.NAMES),
            Role("table", ("table",), ("tabella",), "the table", "la tabella", ReadAs.NAME),
            Role("for", ("for",), ("per ogni", "per"), "one copy for every name of the vocabulary",
                "una copia per ogni nome del vocabolario", ReadAs.NAME),
            Role("columns", ("columns",), ("colonne",), "how many columns it fills",
                "quante colonne occupa", ReadAs.NAME),
            Role("place", ("place",), ("posto",), "where on the face it stands; blank: wherever it fits",
                "dove sta sulla faccia; vuoto: dove c'è posto", ReadAs.WORD, words=PLACES),
            Role("letter", ("letter",), ("lettera",), "the letter of its block; blank: in reading order",
                "la lettera del riquadro; vuoto: in ordine di lettura", ReadAs.NAME),
            Role("icon", ("icon",), ("icona",), "the icon or badge at a card's corner, beside its number",
                "l'icona o il distintivo nell'angolo di una carta, accanto al numero", ReadAs.NAME),
            Role("title", ("title",), ("titolo",), "the title there", "il titolo in quel posto",
                languages=True),
            TEXT,
            Role("note", ("note",), ("nota",), "a line under it", "una riga sotto la tabella",
                languages=True),
        ),
        (
            PropertySpec("colour", ("colour", "color"), ("colore",),
                "the colour of the cards: a badge colour or `#rrggbb`",
                "il colore delle carte: un colore dei distintivi o `#rrggbb`", ReadAs.NAME),
            PropertySpec("index", ("index",), ("indice",),
                "the card whose back lists the numbers and titles of all cards; "
                "a name of no other card: a card of its own",
                "la carta che sul retro elenca numeri e titoli di tutte; "
                "un nome che nessuna ha: una carta a sé", ReadAs.NAME),
            PropertySpec("credit", ("credit",), ("crediti",),
                "who made the game and the variant, at the foot of sheets and cards",
                "gli autori del gioco e della variante, al piede di fogli e carte",
                ReadAs.PROSE, languages=True),
        ),
        naming=Naming.FREE,
    ),
    Kind(
        "glossary", ("Glossary",), ("Glossario",),
        "what names are called in each language", "come si chiamano i nomi in ogni lingua",
        (
            Role("kind", ("kind",), ("genere", "tipo"),
                "the vocabulary, record, table or narrowed type the id belongs to",
                "il vocabolario, la scheda, la tabella o il tipo ristretto a cui appartiene", ReadAs.NAME),
            Role("id", ("id", "term"), ("termine",), "the name in the tables", "il nome nelle tabelle",
                ReadAs.NAME),
            LABEL, ALSO, TEXT, HELP, *SHORT_BADGES, NOTE,
        ),
        naming=Naming.FREE, other_roles=OtherRoles.LANGUAGES,
    ),
)

# fmt: on

BY_NAME = {kind.name: kind for kind in KINDS}


# -- words to kinds, roles and properties -----------------------------------------------------------
# From a cell's words to the language's: which kind, role or property is meant.

_LANGUAGE = re.compile(r"[a-z]{2}")

_BY_TYPE = Role(
    "type", (), (), "a field of this type", "un campo di questo tipo", ReadAs.EXPRESSION,
    times=Times.OFTEN,
)  # fmt: skip
_BY_RESULT = Role("value", (), (), "the value", "il valore", ReadAs.EXPRESSION)


_KINDS = {plain(word): kind for kind in KINDS for word in spellings(kind)}
_ROLES = {kind.name: {plain(word): role for role in kind.roles for word in spellings(role)} for kind in KINDS}
_EVERY_ROLE = {word: role for roles in _ROLES.values() for word, role in roles.items()}
_LONGEST = 60
"""Longer texts are no words of the language, and are not looked up."""


@dataclass(frozen=True, slots=True)
class RoleFound:
    """A role, with the language that is written after it, as in `label it`."""

    role: Role
    language: str | None = None

    @property
    def name(self) -> str:
        """The canonical name of such a column."""
        return self.role.in_words if self.language and self.role.in_words else self.role.name

    @property
    def holds(self) -> ReadAs:
        """What the cells of such a column are read as."""
        return ReadAs.PROSE if self.language and self.role.in_words else self.role.holds


@dataclass(frozen=True, slots=True)
class PropertyFound:
    """A property, with the language that is written after it, as in `title it`."""

    spec: PropertySpec
    language: str | None = None


def find_kind(text: str) -> Kind | None:
    """Return the kind that a word spells in either language, or None."""
    return _KINDS.get(plain(text)) if len(text) <= _LONGEST else None


def nearest_kind(text: str) -> str | None:
    """Return the spelling of a kind that a word may have been meant for, or None."""
    return nearest(KINDS, text)


def find_role(kind: Kind, text: str, result: str | None) -> RoleFound | None:
    """`result` is the type the marker ends with."""
    return _own_role(_ROLES[kind.name], text) or _other_role(kind, text, result)


def nearest_role(kind: Kind, text: str) -> str | None:
    """Return the spelling of a role of the kind that a cell may have been meant for, or None."""
    return nearest(kind.roles, _without_language(text)[0]) or nearest(kind.roles, text)


def known_role(text: str) -> bool:
    """A role of some kind, for telling tables from other text."""
    return len(text) <= _LONGEST and _own_role(_EVERY_ROLE, text) is not None


def find_property(kind: Kind, text: str) -> PropertyFound | None:
    """Return the property of the kind, or of every kind, that a word spells, or None."""
    specs = (*kind.properties, *EVERYWHERE)
    found = spelled(specs, text)
    if isinstance(found, PropertySpec):
        return PropertyFound(found)
    base, language = _without_language(text)
    found = spelled(specs, base) if language else None
    return PropertyFound(found, language) if isinstance(found, PropertySpec) and found.languages else None


def nearest_property(kind: Kind, text: str) -> str | None:
    """Return the spelling of a property that a word may have been meant for, or None."""
    return nearest((*kind.properties, *EVERYWHERE), _without_language(text)[0])


def roles_of(kind: Kind) -> tuple[str, ...]:
    """Return the roles of the kind as hints name them: in their first English spelling."""
    return tuple(spellings(role)[0] for role in kind.roles)


def properties_of(kind: Kind) -> tuple[str, ...]:
    """Return the properties beside a marker of the kind, in their first English spelling."""
    return tuple(spellings(spec)[0] for spec in (*kind.properties, *EVERYWHERE))


def _own_role(roles: Mapping[str, Role], text: str) -> RoleFound | None:
    found = roles.get(plain(text))
    if found is not None:
        return RoleFound(found)
    base, language = _without_language(text)
    found = roles.get(base) if language else None
    return RoleFound(found, language) if found is not None and found.languages else None


def _other_role(kind: Kind, text: str, result: str | None) -> RoleFound | None:
    match kind.other_roles:
        case OtherRoles.TYPES:
            return RoleFound(_BY_TYPE)
        case OtherRoles.RESULT:
            same = result is not None and plain(result) == plain(text)
            return RoleFound(_BY_RESULT) if same else None
        case OtherRoles.LANGUAGES:
            fits = _LANGUAGE.fullmatch(plain(text))
            return RoleFound(_ROLES[kind.name]["label"], plain(text)) if fits else None
        case OtherRoles.LEVELS | OtherRoles.REFUSED:
            return None


def _without_language(text: str) -> tuple[str, str | None]:
    *words, last = plain(text).split() or [""]
    return (" ".join(words), last) if words and _LANGUAGE.fullmatch(last) else (text, None)
