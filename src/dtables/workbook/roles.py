"""The words of the table language, kind by kind: the one table that layout, help and docs read."""

from __future__ import annotations

from dtables.workbook.words import (
    ASK_ROWS,
    LEFT,
    ORDERED,
    OTHERS,
    POLICIES,
    PREFER,
    YES_NO,
    Holds,
    Kind,
    Names,
    Naming,
    OtherRoles,
    PropertySpec,
    Role,
    Times,
)

# fmt: off
# -- roles and properties that many kinds have -------------------------------------------------

_NUMBER = Role(
    "#", ("#", "id", "no.", "nr"), ("n.", "num"), "the row's number or name, for references",
    "il numero o il nome della riga, per citarla", Holds.NUMBER,
)
_TEXT = Role(
    "text", ("text", "wording"), ("testo",), "how the printed page says the row",
    "come lo dice la pagina stampata", languages=True,
)
_NOTE = Role(
    "note", ("note", "remark"), ("nota",), "a remark; nothing reads it",
    "un appunto; nessuno lo legge", languages=True,
)
_LABEL = Role(
    "label", ("label",), ("etichetta",), "what people call it", "come lo chiamano le persone",
        languages=True,
)
_HELP = Role(
    "help", ("help",), ("aiuto",), "a line of help for whoever fills it in", "un aiuto per chi lo compila",
    languages=True,
)
_ALSO = Role(
    "also", ("also",), ("anche",), "further spellings, with commas between",
        "altre grafie, separate da virgole",
    Holds.NAMES, languages=True,
)
_COLOUR = Role(
    "colour", ("badge colour", "badge color"), ("colore del distintivo",), "colour of the badge",
    "colore del distintivo", Holds.NAME,
)
_SHAPE = Role(
    "shape", ("badge shape",), ("forma del distintivo",), "shape of the badge", "forma del distintivo",
        Holds.NAME,
)
_LETTER = Role(
    "letter", ("badge letter",), ("lettera del distintivo",), "letter on the badge",
        "lettera sul distintivo",
    Holds.NAME,
)
_BADGES = (_COLOUR, _SHAPE, _LETTER)
_SHORT_BADGES = (
    Role("colour", ("colour", "color", *_COLOUR.en), ("colore", *_COLOUR.it), _COLOUR.doc_en,
        _COLOUR.doc_it, Holds.NAME),
    Role("shape", ("shape", *_SHAPE.en), ("forma", *_SHAPE.it), _SHAPE.doc_en, _SHAPE.doc_it, Holds.NAME),
    Role("letter", ("letter", *_LETTER.en), ("lettera", *_LETTER.it), _LETTER.doc_en, _LETTER.doc_it,
        Holds.NAME),
)
_NAME = Role("name", ("name",), ("nome",), "the name", "il nome", Holds.NAME)
_TYPE = Role("type", ("type",), ("tipo",), "its type; `?` after it: may be null",
    "il tipo; con `?`: può mancare", Holds.TYPE)
_IS = Role("is", ("is",), ("vale", "è"), "the expression it stands for", "l'espressione che vale",
    Holds.EXPRESSION)
_DEFAULT = Role(
    "default", ("default",), ("se manca", "predefinito"),
    "the value when a record leaves it out; `needed`, in a record: it may not be left out",
    "il valore se non è scritto; `serve`, in una scheda: va scritto", Holds.EXPRESSION,
)
_FIXED = Role(
    "fixed", ("fixed",), ("fisso",), "fields given by the place: `who: north`",
        "campi dati dal posto: `chi: nord`",
    Holds.EXPRESSION,
)
_ALLOWED = Role(
    "allowed", ("allowed",), ("ammessi", "ammesso"), "tests that every value passes: `[1..6]`",
    "prove che ogni valore supera: `[1..6]`", Holds.TESTS,
)
_FIELD = Role("field", ("field",), ("campo",), "the field's name", "il nome del campo", Holds.NAME)
_KEY = Role("key", ("key",), ("chiave",), "the key", "la chiave", Holds.NAME)
_THEN = Role("then", ("then",), ("allora",), "the outcome", "l'esito", Holds.EXPRESSION, times=Times.OFTEN)
_ONLY_FOR = Role(
    "only for", ("only for",), ("solo per",), "tests that say whom the row concerns; blank: all",
    "prove che dicono chi riguarda; vuoto: tutti", Holds.TESTS, times=Times.OFTEN,
)
_BY = Role("by", ("by",), ("per",), "the expression that is compared", "l'espressione che si confronta",
    Holds.EXPRESSION)

_TITLE = PropertySpec("title", ("title",), ("titolo",), "the printed title", "il titolo stampato",
    Holds.PROSE, languages=True)
_REMARK = PropertySpec("note", ("note",), ("nota",), "a remark on the table", "un appunto sulla tabella",
    Holds.PROSE, languages=True)
_SOURCE = PropertySpec(
    "source", ("source",), ("fonte",), "ids of the rules it carries out",
        "i numeri delle regole che realizza", Holds.NAMES,
)
_GROUP = PropertySpec("group", ("group",), ("gruppo",), "tables listed together",
    "tabelle elencate insieme", Holds.PROSE)
EVERYWHERE = (_TITLE, _REMARK, _SOURCE, _GROUP)
"""Properties of every kind."""

_OVERRIDDEN = PropertySpec(
    "overridden by", ("overridden by",), ("sostituito da", "sostituite da"),
    "the input field whose entries replace the defaults", "il campo che sostituisce i valori", Holds.PLACE,
)
_KEY_OF = PropertySpec("key", ("key",), ("chiave",), "the vocabulary that the keys make",
    "il vocabolario delle chiavi", Holds.NAME)
_ALSO_OF = PropertySpec("also", ("also",), ("anche",), "further names of the table",
    "altri nomi della tabella", Holds.NAMES)

# -- the kinds ---------------------------------------------------------------------------------

KINDS = (
    Kind(
        "types", ("Types", "Type", "Vocabularies", "Vocabulary"), ("Vocabolari", "Vocabolario", "Tipi"),
        "vocabularies (closed lists of names, in order) and narrowed types",
        "vocabolari (elenchi chiusi di nomi, in ordine) e tipi ristretti",
        (
            _NAME,
            Role("names", ("names", "names in order"), ("nomi", "nomi in ordine"),
                "its names, in order, with commas between",
                "i nomi, in ordine, separati da virgole", Holds.NAMES),
            Role("of", ("of",), ("di",), "the type it narrows or adds to", "il tipo che restringe o amplia",
                Holds.TYPE),
            _ALLOWED,
            Role("plus", ("plus",), ("oltre a", "più"), "further names added to those of `of`",
                "altri nomi aggiunti", Holds.NAMES),
            _LABEL, _TEXT, *_SHORT_BADGES, _NOTE,
        ),
        naming=Naming.FREE,
    ),
    Kind(
        "record", ("Record", "Records"), ("Scheda", "Schede"),
        "a type with fields, stored or computed", "un tipo con campi, scritti o calcolati",
        (_FIELD, _TYPE, _IS, _DEFAULT, _FIXED, _ALLOWED, _LABEL, _HELP, _TEXT, _NOTE),
        (PropertySpec("readable by", ("readable by",), ("leggibile per",),
            "vocabularies whose names are its fields", "vocabolari i cui nomi sono campi", Holds.NAMES),),
    ),
    Kind(
        "data", ("Data", "Catalogue", "Catalog"), ("Dati", "Catalogo"),
        "rows of a record type; keyed rows are a vocabulary",
            "righe di una scheda; con chiave sono un vocabolario",
        (_KEY, _LABEL, _ALSO, *_BADGES, _HELP, _NOTE),
        (_KEY_OF, _ALSO_OF),
        names=Names.ROW, other_roles=OtherRoles.TYPES,
    ),
    Kind(
        "input", ("Input", "State"), ("Stato", "Ingresso"),
        "the fields of a turn's state", "i campi dello stato di un turno",
        (_FIELD, _TYPE, _IS, _DEFAULT, _FIXED, _ALLOWED, _LABEL, _ALSO, _HELP, _TEXT, _NOTE),
        (_OVERRIDDEN,),
        naming=Naming.FREE,
    ),
    Kind(
        "formulas", ("Formulas",), ("Formule",),
        "named expressions, one in a row", "espressioni con un nome, una per riga",
        (_NAME, _TYPE, _IS, _LABEL, _TEXT, _NOTE),
        naming=Naming.FREE,
    ),
    Kind(
        "formula", ("Formula",), ("Formula",),
        "one expression in steps; its value is the row `result`",
            "un'espressione in passi; vale la riga `result`",
        (Role("step", ("step",), ("passo",), "the step's name, with parameters if it has some",
            "il nome del passo, con i parametri", Holds.NAME), _TYPE, _IS, _LABEL, _TEXT, _NOTE),
    ),
    Kind(
        "decision", ("Decision", "Decisions"), ("Decisione", "Decisioni"),
        "conditions and outcomes, with a hit policy", "condizioni ed esiti, con la regola di scelta",
        (
            _NUMBER,
            Role("if", ("if",), ("se",), "tests on the expression that names the column",
                "prove sull'espressione che dà il nome alla colonna", Holds.TESTS, times=Times.OFTEN),
            _THEN,
            Role("take", ("take",), ("prendi",), "the outcome; a row where it is null does not fire",
                "l'esito; se è null la riga non vale", Holds.EXPRESSION, times=Times.OFTEN),
            _TEXT, _NOTE,
        ),
        (
            PropertySpec("policy", ("policy", "hit policy"), ("regola",),
                "which of the rows that fire counts", "quale delle righe che valgono conta", Holds.WORD,
                words=POLICIES),
            PropertySpec("otherwise", ("otherwise",), ("altrimenti",), "the outcome when no row fires",
                "l'esito se nessuna riga vale", Holds.EXPRESSION),
            PropertySpec("priorities", ("priorities",), ("priorità",),
                "outcomes, best first, for priority and output order",
                "esiti dal migliore, per priorità e ordine degli esiti", Holds.EXPRESSION),
        ),
        names=Names.ROW,
    ),
    Kind(
        "scale", ("Scale", "Scales"), ("Scala", "Scale"),
        "ordered criteria that narrow candidates to one",
            "criteri in ordine che riducono i candidati a uno",
        (
            _NUMBER, _ONLY_FOR,
            Role("only if", ("only if",), ("solo se",),
                "a condition read once; false: the row is passed over",
                "una condizione letta una volta; se falsa la riga è saltata", Holds.EXPRESSION),
            Role("prefer", ("prefer",), ("preferisci",), "which candidates the row keeps",
                "quali candidati la riga tiene", Holds.WORD, words=PREFER),
            _BY, _TEXT, _NOTE,
        ),
        (
            PropertySpec("others", ("others",), ("gli altri", "altri"),
                "what holds for candidates a row does not concern",
                "che cosa vale per chi la riga non riguarda", Holds.WORD, words=OTHERS),
            PropertySpec("decides", ("decides",), ("decide",), "whether the last row leaves one candidate",
                "se l'ultima riga ne lascia uno solo", Holds.WORD, words=YES_NO),
        ),
        names=Names.ROW,
    ),
    Kind(
        "matrix", ("Matrix",), ("Matrice",),
        "row key and column key give a value", "chiave di riga e chiave di colonna danno un valore",
        (
            Role("key", ("key",), ("chiave",),
                "the keys of the rows, and the values under each key of a column",
                "le chiavi delle righe, e i valori sotto ogni chiave di colonna", Holds.EXPRESSION,
                times=Times.OFTEN),
            Role("rank", ("rank",), ("posto",), "the place in the ordered list of each column",
                "il posto nell'elenco di ogni colonna", Holds.NUMBER),
            Role("value", ("value",), ("valore",), "the value for the row's key",
                "il valore per la chiave della riga", Holds.EXPRESSION),
            _TEXT, _NOTE,
        ),
        (PropertySpec("down", ("down",), ("in giù",),
            "`ordered`: a column is the list for its key; `partial`: of names of its own",
            "`in ordine`: la colonna è l'elenco della sua chiave; `parziale`: con nomi suoi",
            Holds.WORD, words=ORDERED),),
        names=Names.ROW, other_roles=OtherRoles.RESULT,
    ),
    Kind(
        "settings", ("Settings", "Setting"), ("Impostazioni", "Impostazione"),
        "switches with a default, or parameters by level",
            "interruttori con un valore, o parametri per livello",
        (
            Role("switch", ("switch",), ("interruttore",), "the switch's name", "il nome dell'interruttore",
                Holds.NAME),
            _DEFAULT,
            Role("other values", ("other values",), ("altri valori",),
                "what else it may be, with commas between", "che altro può valere, separati da virgole",
                Holds.NAMES),
            Role("parameter", ("parameter",), ("parametro",), "the parameter's name",
                "il nome del parametro", Holds.NAME),
            _TYPE,
            Role("level", ("level",), ("livello",),
                "the parameter's value at the level that names the column",
                "il valore al livello che dà il nome alla colonna", Holds.EXPRESSION, times=Times.OFTEN),
            _LABEL, _HELP, _TEXT, _NOTE,
        ),
        (
            _KEY_OF, _OVERRIDDEN, _ALSO_OF,
            PropertySpec("inherit", ("inherit",), ("eredita",),
                "`left`: blank is as the column to the left",
                "`sinistra`: vuoto è come la colonna a sinistra", Holds.WORD, words=LEFT),
        ),
        names=Names.LEVELS, other_roles=OtherRoles.LEVELS,
    ),
    Kind(
        "dice", ("Dice",), ("Dadi",),
        "totals of dice give an outcome, every total once",
            "i totali dei dadi danno un esito, ognuno una volta",
        (
            _NUMBER,
            Role("total", ("total",), ("totale",), "the totals of the only kind of die",
                "i totali dell'unico tipo di dado", Holds.TESTS),
            Role("die", ("die",), ("dado",), "the totals of the die that names the column: `2d6`",
                "i totali del dado che dà il nome alla colonna: `2d6`", Holds.TESTS, times=Times.OFTEN),
            _THEN, _TEXT, _NOTE,
        ),
        names=Names.ROW,
    ),
    Kind(
        "ask", ("Ask", "Question"), ("Domanda",),
        "what a log may ask for: needs, steps, draws, answers",
            "che cosa un registro può chiedere: dati, passi, estrazioni, risposte",
        (
            Role("role", ("role",), ("ruolo",), "what the row is", "che cosa è la riga", Holds.WORD,
                words=ASK_ROWS),
            _NAME, _IS,
            Role("type", ("type",), ("tipo",), "the type of a step", "il tipo di un passo", Holds.TYPE),
            Role("recorded in", ("recorded in",), ("registrato in",),
                "the field that tells which was drawn", "il campo che dice quale è uscito", Holds.PLACE),
            Role("when open", ("when open",), ("se aperto",), "what an answer is while a draw is open",
                "che cosa è una risposta se un'estrazione è aperta", Holds.EXPRESSION),
            _LABEL, _TEXT, _NOTE,
        ),
        (PropertySpec("main", ("main",), ("principale",), "`yes`: the ask of records that name none",
            "`sì`: la domanda di chi non ne nomina", Holds.WORD, words=YES_NO),),
    ),
    Kind(
        "checks", ("Checks", "Check"), ("Controlli", "Controllo"),
        "what makes a record inconsistent", "che cosa rende incoerente un turno registrato",
        (
            _NUMBER,
            Role("places", ("places",), ("posti",), "paths read in order", "posti letti in ordine",
                Holds.PLACE),
            _ONLY_FOR, _BY,
            Role("at most", ("at most",), ("al più", "al massimo"), "how often a value may stand there",
                "quante volte un valore può starci", Holds.EXPRESSION),
            Role("ask", ("ask",), ("domanda",), "the asks it concerns; blank: all",
                "le domande che riguarda; vuoto: tutte", Holds.NAMES),
            Role("each", ("each",), ("ogni",), "the places whose items are tried",
                "i posti i cui elementi si provano", Holds.PLACE),
            Role("wrong if", ("wrong if",), ("sbagliato se",), "the condition that must not hold",
                "la condizione che non deve valere", Holds.EXPRESSION),
            Role("at", ("at",), ("dove",), "the path that is blamed", "il posto a cui si dà la colpa",
                Holds.PLACE),
            _TEXT, _NOTE,
        ),
        naming=Naming.FREE,
    ),
    Kind(
        "examples", ("Examples", "Example"), ("Esempi", "Esempio"),
        "inputs and the answers they must have", "dati e le risposte che devono avere",
        (
            _NUMBER,
            Role("given", ("given",), ("dato", "dati"),
                "the value of the input field or parameter that names the column",
                "il valore del campo o parametro che dà il nome alla colonna", Holds.EXPRESSION,
                times=Times.OFTEN),
            Role("expect", ("expect", "expected"), ("atteso", "attesi"),
                "the answer field that names the column",
                "il campo della risposta che dà il nome alla colonna", Holds.EXPRESSION, times=Times.OFTEN),
            Role("expect any_of", ("expect any_of", "any_of"), ("atteso any_of", "atteso fra"),
                "the values it may have while a draw is open",
                "i valori possibili se un'estrazione è aperta", Holds.EXPRESSION, times=Times.OFTEN),
            Role("rejected at", ("rejected at",), ("rifiutato a",),
                "the path at which the record is refused", "il posto a cui il turno è rifiutato",
                Holds.PLACE),
            _TEXT, _NOTE,
        ),
        (
            PropertySpec("ask", ("ask",), ("domanda",), "the ask that is tried", "la domanda che si prova",
                Holds.NAME),
            PropertySpec("table", ("table",), ("tabella",), "the table that is tried",
                "la tabella che si prova", Holds.NAME),
        ),
        names=Names.ROW,
    ),
    Kind(
        "pages", ("Pages", "Page"), ("Pagine", "Pagina"),
        "which tables stand on which printed page", "quali tabelle stanno su quale pagina stampata",
        (
            Role("page", ("page",), ("pagina",), "the page", "la pagina", Holds.NAME),
            Role("size", ("size",), ("formato",), "the paper", "la carta", Holds.NAME),
            Role("language", ("language",), ("lingua",), "the languages it is printed in",
                "le lingue in cui è stampata", Holds.NAMES),
            Role("table", ("table",), ("tabella",), "the table", "la tabella", Holds.NAME),
            Role("for", ("for",), ("per ogni", "per"), "one copy for every name of the vocabulary",
                "una copia per ogni nome del vocabolario", Holds.NAME),
            Role("columns", ("columns",), ("colonne",), "how many columns it fills",
                "quante colonne occupa", Holds.NAME),
            Role("title", ("title",), ("titolo",), "the title there", "il titolo in quel posto",
                languages=True),
            _TEXT,
            Role("note", ("note",), ("nota",), "a line under it", "una riga sotto la tabella",
                languages=True),
        ),
        naming=Naming.FREE,
    ),
    Kind(
        "glossary", ("Glossary",), ("Glossario",),
        "what names are called in each language", "come si chiamano i nomi in ogni lingua",
        (
            Role("kind", ("kind",), ("genere", "tipo"), "the vocabulary, record or table the id belongs to",
                "il vocabolario, la scheda o la tabella a cui appartiene", Holds.NAME),
            Role("id", ("id", "term"), ("termine",), "the name in the tables", "il nome nelle tabelle",
                Holds.NAME),
            _LABEL, _ALSO, _TEXT, _HELP, *_SHORT_BADGES, _NOTE,
        ),
        naming=Naming.FREE, other_roles=OtherRoles.LANGUAGES,
    ),
)

# fmt: on

BY_NAME = {kind.name: kind for kind in KINDS}
