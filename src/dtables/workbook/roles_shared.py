"""Roles and properties that several kinds of table have."""

from __future__ import annotations

from dataclasses import replace

from dtables.workbook.words import Holds, PropertySpec, Role, Times

# fmt: off

NUMBER = Role(
    "#", ("#", "id", "no.", "nr"), ("n.", "num"), "the row's number or name, for references",
    "il numero o il nome della riga, per citarla", Holds.NUMBER,
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
    Holds.NAMES, languages=True,
)
COLOUR = Role(
    "colour", ("badge colour", "badge color"), ("colore del distintivo",), "colour of the badge",
    "colore del distintivo", Holds.NAME,
)
SHAPE = Role(
    "shape", ("badge shape",), ("forma del distintivo",), "shape of the badge", "forma del distintivo",
        Holds.NAME,
)
LETTER = Role(
    "letter", ("badge letter",), ("lettera del distintivo",), "letter on the badge",
        "lettera sul distintivo",
    Holds.NAME, languages=True,
)
BADGES = (COLOUR, SHAPE, LETTER)
SHORT_BADGES = (
    Role("colour", ("colour", "color", *COLOUR.en), ("colore", *COLOUR.it), COLOUR.doc_en,
        COLOUR.doc_it, Holds.NAME),
    Role("shape", ("shape", *SHAPE.en), ("forma", *SHAPE.it), SHAPE.doc_en, SHAPE.doc_it, Holds.NAME),
    Role("letter", ("letter", *LETTER.en), ("lettera", *LETTER.it), LETTER.doc_en, LETTER.doc_it,
        Holds.NAME, languages=True),
)
NAME = Role("name", ("name",), ("nome",), "the name", "il nome", Holds.NAME)
TYPE = Role("type", ("type",), ("tipo",), "its type; `?` after it: may be null",
    "il tipo; con `?`: può mancare", Holds.TYPE)
IS = Role("is", ("is",), ("vale", "è"), "the expression it stands for", "l'espressione che vale",
    Holds.EXPRESSION)
DEFAULT = Role(
    "default", ("default",), ("se manca", "predefinito"),
    "the value when a record leaves it out; `needed`, in a record: it may not be left out",
    "il valore se non è scritto; `serve`, in una scheda: va scritto", Holds.EXPRESSION,
)
FIXED = Role(
    "fixed", ("fixed",), ("fisso",), "fields given by the place: `who: north`",
        "campi dati dal posto: `chi: nord`",
    Holds.EXPRESSION,
)
ALLOWED = Role(
    "allowed", ("allowed",), ("ammessi", "ammesso"), "tests that every value passes: `[1..6]`",
    "prove che ogni valore supera: `[1..6]`", Holds.TESTS,
)
FIELD = Role("field", ("field",), ("campo",), "the field's name", "il nome del campo", Holds.NAME)
KEY = Role("key", ("key",), ("chiave",), "the key", "la chiave", Holds.NAME)
THEN = Role("then", ("then",), ("allora",), "the outcome", "l'esito", Holds.EXPRESSION, times=Times.OFTEN)
ONLY_FOR = Role(
    "only for", ("only for",), ("solo per",), "tests that say whom the row concerns; blank: all",
    "prove che dicono chi riguarda; vuoto: tutti", Holds.TESTS, times=Times.OFTEN,
)
BY = Role("by", ("by",), ("per",), "the expression that is compared", "l'espressione che si confronta",
    Holds.EXPRESSION)

TITLE = PropertySpec("title", ("title",), ("titolo",), "the printed title", "il titolo stampato",
    Holds.PROSE, languages=True)
REMARK = PropertySpec("note", ("note",), ("nota",), "a remark on the table", "un appunto sulla tabella",
    Holds.PROSE, languages=True)
SOURCE = PropertySpec(
    "source", ("source",), ("fonte",), "ids of the rules it carries out",
        "i numeri delle regole che realizza", Holds.NAMES,
)
GROUP = PropertySpec("group", ("group",), ("gruppo",), "tables listed together",
    "tabelle elencate insieme", Holds.PROSE)
OVERRIDDEN = PropertySpec(
    "overridden by", ("overridden by",), ("sostituito da", "sostituite da"),
    "the input field whose entries replace the defaults", "il campo che sostituisce i valori", Holds.PLACE,
)
KEY_OF = PropertySpec("key", ("key",), ("chiave",), "the vocabulary that the keys make",
    "il vocabolario delle chiavi", Holds.NAME)
ALSO_OF = PropertySpec("also", ("also",), ("anche",), "further names of the table",
    "altri nomi della tabella", Holds.NAMES)
