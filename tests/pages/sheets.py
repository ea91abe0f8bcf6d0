"""Documents made by hand, as composing makes them: a turn with its blocks, in a short notation.

`*bold*`, `~quiet~`, `[condition]`, `<end>`; `{B}` points to block B, `{v}` is a badge, `{=coin 3}` an
icon."""

from __future__ import annotations

import re
from dataclasses import replace

from dtables.pages.document import (
    Block,
    Body,
    Card,
    Chip,
    ChipKind,
    Document,
    Entries,
    Entry,
    Icon,
    Inline,
    Legend,
    Mark,
    Order,
    OrderList,
    Orders,
    Paper,
    Part,
    Pointer,
    Procedure,
    ProcedureRow,
    Run,
    Sheet,
    StepRow,
    Steps,
    Style,
)
from dtables.provenance import CellRef, Location

CELL = CellRef("duel.xlsx", "Turno", 4, 2)
WHERE = Location(CELL)

MARKS = {
    "t": Mark(("#5e3a98",), "house", "T", "Tempio"),
    "m": Mark(("#6b4423", "#c4c8cc"), "square", "M/G", "marrone o grigia"),
    "gi": Mark(("#f6c21c",), "diamond", "Gi", "gialla"),
    "v": Mark(("#1f7a3d",), "circle", "V", "verde"),
    "r": Mark(("#c01f26",), "shield", "R", "rossa"),
    "b": Mark(("#1c55a8",), "hexagon", "B", "blu"),
}
CODES = re.compile(r"\*[^*]+\*|~[^~]+~|\[[^\]]+\]|<[^>]+>|\{[^}]+\}")


def said(text: str) -> Inline:
    parts: list[Part] = []
    end = 0
    for found in CODES.finditer(text):
        if text[end : found.start()]:
            parts.append(Run(text[end : found.start()]))
        parts.append(_part(found.group()))
        end = found.end()
    if text[end:]:
        parts.append(Run(text[end:]))
    return tuple(parts)


def _part(code: str) -> Part:
    inner = code[1:-1]
    match code[0]:
        case "*":
            return Run(inner, Style.BOLD)
        case "~":
            return Run(inner, Style.QUIET)
        case "[":
            return Chip(inner, ChipKind.CONDITION)
        case "<":
            return Chip(inner, ChipKind.END)
    if inner.startswith("="):
        name, _, text = inner[1:].partition(" ")
        return Icon(name, text, f"{name} {text}".strip())
    return MARKS[inner] if inner in MARKS else Pointer(inner)


def turn(*steps: str, icons: tuple[str, ...] = ()) -> Procedure:
    rows = []
    for n, step in enumerate(steps):
        name = icons[n] if n < len(icons) else ""
        icon = Icon(name, "", name) if name else None
        rows.append(ProcedureRow(str(n + 1), icon, "", said(step), (), CELL, ("D-82",)))
    return Procedure(tuple(rows))


def scale(*rows: str) -> Steps:
    return Steps(tuple(StepRow(str(n), (), (), said(row), (), CELL) for n, row in enumerate(rows, 1)))


def entries(*rows: tuple[str, ...]) -> Entries:
    return Entries(tuple(
        Entry((), said(r[0]), said(r[1]), said(r[2]) if len(r) > 2 else (), (), CELL, joint="") for r in rows
    ))  # fmt: skip


def orders(
    lists: dict[str, tuple[str, ...]], heads: dict[str, str], first: str = "", last: str = ""
) -> Orders:
    return Orders(
        tuple(OrderList(sign, tuple(map(said, names))) for sign, names in lists.items()),
        tuple(Order(said(head), tuple(signs)) for head, signs in heads.items()),
        tuple(map(said, filter(None, first.split("|")))),
        tuple(map(said, filter(None, last.split("|")))),
    )


def block(key: str, title: str, body: Body, subtitle: str = "", foot: str = "", **more: object) -> Block:
    made = Block(key, title, subtitle, "Turno!A4:H9", body, WHERE, foot=said(foot))
    return replace(made, **more)  # type: ignore[arg-type]


def face(name: str, title: str, *blocks: Block, legend: str = "") -> Sheet:
    entries_ = tuple(Legend(MARKS[code], MARKS[code].alt) for code in legend.split())
    return Sheet(name, title, Paper.A4, False, True, blocks, WHERE, entries_, name)


def card(
    number: int, title: str, subtitle: str, *front: Block, back: tuple[Block, ...] = (), **more: object
) -> Card:
    made = Card(f"card {number}", title, subtitle, (), front, back, WHERE, number)
    return replace(made, **more)  # type: ignore[arg-type]


def document(
    *sheets: Sheet,
    cards: tuple[Card, ...] = (),
    language: str = "it",
    title: str = "7 Wonders Duel + Pantheon",
) -> Document:
    return Document("duel", language, title, "", "duel.xlsx", "59dc39d3", sheets, cards, (), ())


# -- Duel ----------------------------------------------------------------------------------------

DUEL_TURN = block("turno", "Ogni turno, nell'ordine", turn(
    "*Minacce.* Pedina Conflitto su una delle 3 caselle davanti alla capitale di SOLO? Hai 5 simboli "
    "scientifici "
    "diversi? Cambia l'ordine dei tipi {B}.",
    "*Vince subito?* Una carta accessibile che può *pagare* {A} e che gli dà la vittoria militare o "
    "scientifica: la "
    "costruisce (più d'una: passo 5). Se no, dalla II Epoca, una divinità che gliela dà, tranne che col "
    "Portale. "
    "<Hai perso>",
    "*Meraviglia.* Tra quelle che può *pagare*, la meno cara (*costo* {A}). A pari costo la prima in "
    "{G}. La carta "
    "da mettere sotto: {E}. Mai un'ottava Meraviglia in gioco. <Fine>",
    "*Pantheon* (dalla II Epoca). La prima carta che può *pagare* e *usare*, nell'ordine di {H}. "
    "Effetti: {I}. <Fine>",
    "*Struttura.* Il primo tipo in {B} di cui può *pagare* una carta accessibile. Se più d'una: {D}. "
    "<Fine>",
    "*Scarto.* Scarta la carta indicata da {E} e prende 2 monete, più 1 per ogni sua carta {gi}. <Fine>",
    icons=("", "", "wonder", "gate", "house", "coin"),
), "il primo passo che riesce chiude il turno",
    foot="Turno extra: di nuovo dal passo 1. Sul retro: coppia di simboli {L}, segnalino {M}, scelta di "
    "una "
    "Meraviglia {J}.", lettered=False, phase="turn")  # fmt: skip

DUEL_A = block("A", "Quanto costa, e se può pagare", entries(
    ("Costo", " (per i confronti): monete stampate + 2 per ogni risorsa stampata, senza sconti. "
     "Caravanserraglio "
     "2+2+2 = 6; Colosso 8."),
    ("Pagare", " (per davvero): ogni risorsa che gli manca costa 2 + quante ne producono le tue carte "
     "{m}; 1 con la "
     "sua carta {gi} di sconto. Sempre nel modo più economico."),
    ("Strutture", ": può dare tutte le monete. Gratis con la carta che la *concatena*; un Tempio, con "
     "il suo "
     "segnalino Mitologia."),
    ("Meraviglie", ": al massimo {=coin 3} I Epoca, {=coin 4} II, {=coin 5} III (livello Leggendario: "
     "sempre 5)."),
))  # fmt: skip

DUEL_ORDER = orders(
    {"R": ("{r}",), "V": ("{v}",), "B": ("{b}",)},
    {"MS": "RVB", "MC": "RBV", "SM": "VRB", "SC": "VBR", "CM": "BRV", "CS": "BVR"},
    first="{t}|{m}|{gi}",
)  # fmt: skip
DUEL_B = block("B", "Ordine dei tipi", Entries((
    Entry((), (), (), (), (DUEL_ORDER,), CELL),
    *entries(
        ("", "[Pedina a 3 caselle o meno] {r} in testa, prima del Tempio."),
        ("", "[5 simboli tuoi] {v} in testa. Se più verdi: prima quelle con un simbolo che ti manca, "
         "poi {D}."),
        ("", "[Tutt'e due] {r} e {v} insieme in testa, come un tipo solo: sceglie {F}."),
    ).rows,
)))  # fmt: skip

DUEL_C = block("C", "Parole", entries(
    ("Bisogno", ", per ogni risorsa: quante ne chiede la sua Meraviglia non costruita che ne chiede di "
     "più, meno "
     "quante ne ha. Ha: quelle delle carte {m}, più tutte quelle a scelta di Foro, Caravanserraglio, "
     "Pireo e Grande "
     "Faro costruiti. Può scendere sotto zero. Nessuna Meraviglia più costruibile: ha più bisogno di "
     "quella che ha di "
     "meno. Per te si conta allo stesso modo. Una carta {gi} vale solo se ha una delle risorse dal "
     "bisogno più alto.",
     "Es.: da costruire Piramidi e Statua di Zeus; ha Vetreria, Tagliapietre (2 pietre), Fossa "
     "d'argilla. Bisogno: "
     "papiro 2, pietra 1, legno 1, argilla 0, vetro −1."),
    ("Scopre", ": le carte su cui, tolta questa, non resta più niente, anche se già a faccia in su."),
    ("Concatenazione", ": basta il simbolo di catena stampato sulla carta."),
    ("Prima dal lato di SOLO", ": siede di fronte a te. La riga più lontana da te; nella riga, da "
     "destra a sinistra. "
     "*Dal lato tuo*: la riga più vicina, da sinistra a destra."),
))  # fmt: skip

DUEL_D = block("D", "Quale costruire", scale(
    "{=eye} *scopre* un segnalino, [se SOLO ha Santuario o Teatro Divino], anche da costruire",
    "{v} completa una coppia di simboli suoi",
    "{m} la risorsa di cui SOLO ha più *bisogno*",
    "{gi} sconto sulla risorsa di cui ha più *bisogno*",
    "{gi} risorsa a scelta, tra cui quella di cui ha più *bisogno*",
    "minor *costo*",
    "{gi}{v}{r}{b} {=link} può avviare una *concatenazione*",
    "{b}{v}{t} più punti · {gi} più monete subito · {r} più scudi",
    "{=eye} *scopre* un segnalino, [se non ha né Santuario né Teatro]",
    "*scopre* meno carte",
    "la *prima dal lato di SOLO*",
), "tieni solo le migliori, riga per riga")  # fmt: skip

DUEL_E = block("E", "Quale scartare o mettere sotto", scale(
    "{=eye} *scopre* un segnalino, [se SOLO ha Santuario o Teatro]",
    "{m} la risorsa di cui tu hai più *bisogno*",
    "{gi} sconto sulla risorsa di cui tu hai più *bisogno*",
    "{gi} risorsa a scelta, tra cui quella",
    "{gi}{v}{r}{b} {=link} può avviare una *concatenazione*",
    "minor *costo*",
    "{=eye} *scopre* un segnalino, [se non ha né Santuario né Teatro]",
    "*scopre* meno carte",
    "la *prima dal lato tuo*",
), foot="Tipo: l'ordine {B} alla rovescia; il primo con una carta accessibile, anche se non può "
"pagarla.")  # fmt: skip

DUEL_F = block("F", "Rosse e verdi insieme", scale(
    "da te, ti farebbe vincere", "{=link} *concatenazione*", "*scopre* meno carte", "minor *costo*", "la {v}",
    "la *prima dal lato di SOLO*",
))  # fmt: skip

DUEL_G = block("G", "Indirizzo", orders(
    {
        "M": ("Colosso", "Circo Massimo", "Statua di Zeus", "Via Appia"),
        "S": ("Grande Biblioteca", "Mausoleo", "Sfinge", "Piramidi"),
        "C": ("Tempio di Artemide", "Giardini Pensili", "Pireo", "Grande Faro"),
    },
    {}, last="Teatro Divino|Santuario|Statua della Libertà|Messe",
), "prima lettera, seconda, poi quella che manca")  # fmt: skip

DUEL_H = block("H", "Pantheon: ordine, prezzo, divinità usabili", entries(
    ("Ordine", ": Portale, Egizia, Fenicia, poi le tre di {G}. Nella stessa mitologia la meno cara. Una "
     "carta troppo "
     "cara o inutile si salta. [Minacce tutt'e due] prima la divinità che farebbe vincere te: Marte, "
     "Ishtar, Nisaba."),
    ("Pagare", ": numero della casella + 2 (3 4 5 6 7 8); {=gate} Portale il doppio. Santuario "
     "costruito −2. Livello "
     "Difficile o più, III Epoca: divinità −1. Se non basta, aggiunge segnalini Offerta: meno segnalini "
     "possibile, poi "
     "la somma minore. Le 7 monete su Astarte non si toccano."),
    ("Usare", ". {=gate} Portale: se nei mazzi resta una divinità usabile. Nisaba: hai una carta {v}. "
     "Baal: hai una "
     "{m}. Ade: scarti non vuoti. Iside: scarti non vuoti e SOLO ha una Meraviglia da costruire°. Ra: "
     "ne hai una tu da "
     "costruire°. Anubi: una Meraviglia è costruita. Nettuno: resta un segnalino Esercito. Le altre "
     "sempre.",
     "° e ne sono costruite meno di 7 in tutto."),
    ("Portale", ": gira la prima carta di ogni mazzo, attiva gratis la prima usabile, stesso ordine; "
     "nessuna: "
     "rimettile, salta il Portale."),
))  # fmt: skip

DUEL_FACE = face(
    "1a", "Il turno di SOLO", DUEL_TURN, DUEL_A, DUEL_B, DUEL_C, DUEL_D, DUEL_E, DUEL_F, DUEL_G, DUEL_H,
    legend="t m gi v r b",
)  # fmt: skip

# -- Concordia -----------------------------------------------------------------------------------

CONCORDIA_TURN = card(1, "The AI's turn", "d12", block("die", "Roll for the action", entries(
    ("1–4", "*Build* a house: card 2"), ("5–7", "*Buy* cards: card 3"), ("8–12", "*Take* a good: here"),
)), block("take", "Take: is its storehouse full?", entries(
    ("No", "roll for one good"),
    ("Full", "(12 spaces of goods and colonists) no roll. A colonist is stored: it goes to the start "
     "city. None: "
     "*buy* one card; it cannot: *build*."),
)), block("goods", "Two goods", turn(
    "When a card says so: the one rolled and the next lower, to its left here. Brick: two bricks. Room "
    "for one only: "
    "the one rolled.",
)), colour="#6a1f3a")  # fmt: skip
CONCORDIA_BUILD = card(2, "Build", "", block("build", "", scale(
    "No goods at all? [Two goods] (card 1). <Turn over>",
    "*Type*: the most valuable good it holds.",
    "*An empty city* of the type, no house of anybody: pay 1 good of it.",
    "*None empty*, but one with your house and not the AI's: pay 1 good of it and the cheapest good "
    "then left.",
    "Neither, or no second good: the *next lower type*, lines 3 and 4. Not holding that good, it pays "
    "the most "
    "valuable it holds.",
    "Down to brick nothing: no house.",
)), block("city", "Which city of the type", scale(
    "In a province without an AI house, if there is one.",
    "The fewest routes, land or sea, from Roma; on Hispania from Saguntum.",
    "Still equal: you choose, or chance.",
), foot="No sestertii, no colonist needed. Colonists and the start city do not count as a house."),
    colour="#6a1f3a")  # fmt: skip
