"""The shape of the table language's own words: kinds, roles, properties, closed words; in both languages."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from functools import lru_cache

LIKENESS = 0.72
"""How alike two words must be for a "did you mean"."""
SHORT = 3
"""Letters of words that one slip makes unlike: to those it is forgiven all the same."""


class ReadAs(StrEnum):
    """What the cells of a column hold, and are read as."""

    EXPRESSION = "an expression"
    TESTS = "unary tests; `-`, `*` or nothing: any value"
    TYPE = "a type"
    NAME = "a name"
    NAMES = "names"
    WORD = "one of the words listed"
    PLACE = "a path into the input"
    NUMBER = "the row's number"
    PROSE = "words for people, printed as they are"


class Times(StrEnum):
    """How many columns of a table may have the role."""

    ONCE = "once, or once for each language"
    OFTEN = "as many as wanted"


@dataclass(frozen=True, slots=True)
class ClosedWord:
    """A word of a closed list, as `prefer` or `policy` want; `name` is the canonical one."""

    name: str
    en: tuple[str, ...]
    it: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Role:
    """A column role. The first spelling of a language is the one that is offered; `name` is canonical.

    A role with languages may be followed by one: `text it`. Where `in_words` is set such a column is another
    one, of that name: it says in words what the column without a language says as an expression.
    """

    name: str
    en: tuple[str, ...]
    it: tuple[str, ...]
    doc_en: str
    doc_it: str
    holds: ReadAs = ReadAs.PROSE
    languages: bool = False
    words: tuple[ClosedWord, ...] = ()
    times: Times = Times.ONCE
    in_words: str = ""


@dataclass(frozen=True, slots=True)
class PropertySpec:
    """A property beside or under the marker: `policy: first`."""

    name: str
    en: tuple[str, ...]
    it: tuple[str, ...]
    doc_en: str
    doc_it: str
    holds: ReadAs = ReadAs.NAME
    languages: bool = False
    words: tuple[ClosedWord, ...] = ()


class NamesRow(StrEnum):
    """Whether the row under the roles names the columns."""

    NONE = "no row of names"
    ROW = "a row of names"
    LEVELS = "a row of names only under the role `level`"
    OUTCOMES = "a row of names only with a column `then`"


class Naming(StrEnum):
    """Whether the marker must name the table."""

    WANTED = "wanted"
    FREE = "free"


class OtherRoles(StrEnum):
    """What a role cell may hold besides the roles of the kind."""

    REFUSED = "nothing else"
    TYPES = "a type: the role is `type`"
    RESULT = "the type the marker ends with: the role is `value`"
    LEVELS = "the name of a level: the role is `level`"
    LANGUAGES = "a language: the role is `label`"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of table."""

    name: str
    en: tuple[str, ...]
    it: tuple[str, ...]
    doc_en: str
    doc_it: str
    roles: tuple[Role, ...]
    properties: tuple[PropertySpec, ...] = ()
    names: NamesRow = NamesRow.NONE
    naming: Naming = Naming.WANTED
    other_roles: OtherRoles = OtherRoles.REFUSED


Spelled = Kind | Role | PropertySpec | ClosedWord


@lru_cache(maxsize=8192)
def plain(text: str) -> str:
    """How words of the language are compared: case, accents, `_` and runs of spaces don't matter."""
    decomposed = unicodedata.normalize("NFKD", text.casefold().replace("_", " "))
    return " ".join("".join(c for c in decomposed if not unicodedata.combining(c)).split())


def spellings(word: Spelled) -> tuple[str, ...]:
    """Return the ways to write a word of the table language, the English ones first."""
    return (*word.en, *word.it)


def spelled(words: Iterable[Spelled], text: str) -> Spelled | None:
    """The word that `text` spells, in either language."""
    folded = plain(text)
    return next((word for word in words if folded in map(plain, spellings(word))), None)


def closed_word(words: Iterable[ClosedWord], text: str) -> str | None:
    """The canonical name of a closed word: `prima` is `first`."""
    found = spelled(words, text)
    return None if found is None else found.name


def nearest(words: Iterable[Spelled], text: str) -> str | None:
    """The spelling that `text` may have been meant for, if one is near enough to be no guess; of several the
    one with the fewest slips, then the first."""
    by_plain = {plain(s): s for word in words for s in spellings(word)}
    typed = plain(text)
    close = get_close_matches(typed, by_plain, n=len(by_plain), cutoff=LIKENESS) if by_plain else []
    if not close and len(typed) > 1:
        close = [word for word in by_plain if len(word) <= SHORT and slips(typed, word) == 1]
    near = min(
        (word for word in by_plain if word in close), key=lambda word: slips(typed, word), default=None
    )
    return None if near is None else by_plain[near]


def slips(one: str, other: str) -> int:
    """Letters left out, added, changed, or two of them swapped."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        before, last, row = row, before, [i]
        for j, b in enumerate(other, 1):
            best = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if last and j > 1 and a == other[j - 2] and one[i - 2] == b:
                best = min(best, last[j - 2] + 1)
            row.append(best)
    return row[-1]


# -- the closed lists -------------------------------------------------------------------------

YES_NO = (
    ClosedWord("yes", ("yes", "true"), ("sì", "vero")),
    ClosedWord("no", ("no", "false"), ("no", "falso")),
)
PREFER = (
    ClosedWord("yes", ("yes",), ("sì",)),
    ClosedWord("no", ("no",), ("no",)),
    ClosedWord("highest", ("highest", "most", "max"), ("il più alto", "più alto", "più", "massimo")),
    ClosedWord("lowest", ("lowest", "least", "min"), ("il più basso", "più basso", "meno", "minimo")),
    ClosedWord("first in", ("first in",), ("primo in", "prima in", "il primo in")),
    ClosedWord("last in", ("last in",), ("ultimo in", "ultima in", "l'ultimo in")),
    ClosedWord("scale", ("scale",), ("scala",)),
    ClosedWord("first", ("first",), ("primo", "prima", "il primo")),
    ClosedWord("chance", ("chance",), ("caso", "a caso")),
)
"""`first in`, `last in` and `scale` go on with a list or a scale: `first in colours`, `scale choice 2..6`."""
ASK_ROWS = (
    ClosedWord("need", ("need",), ("serve",)),
    ClosedWord("need some", ("need some",), ("serve non vuoto", "serve non vuota")),
    ClosedWord("need each", ("need each",), ("serve ogni",)),
    ClosedWord("step", ("step",), ("passo",)),
    ClosedWord("draw", ("draw",), ("estrazione",)),
    ClosedWord("stop", ("stop",), ("fermo",)),
    ClosedWord("answer", ("answer",), ("risposta",)),
    ClosedWord("next", ("next",), ("poi",)),
)
POLICIES = (
    ClosedWord("unique", ("unique", "u"), ("unica",)),
    ClosedWord("any", ("any", "a"), ("qualsiasi", "una qualsiasi")),
    ClosedWord("priority", ("priority", "p"), ("priorità",)),
    ClosedWord("first", ("first", "f"), ("prima", "prima che vale")),
    ClosedWord("collect", ("collect", "c"), ("raccogli", "tutte")),
    ClosedWord("collect sum", ("collect sum", "c+", "sum"), ("raccogli somma", "somma")),
    ClosedWord("collect min", ("collect min", "c<", "min"), ("raccogli minimo", "minimo")),
    ClosedWord("collect max", ("collect max", "c>", "max"), ("raccogli massimo", "massimo")),
    ClosedWord("collect count", ("collect count", "c#", "count"), ("raccogli conta", "conta")),
    ClosedWord("rule order", ("rule order", "r"), ("ordine delle righe",)),
    ClosedWord("output order", ("output order", "o"), ("ordine degli esiti",)),
)
OTHERS = (
    ClosedWord("last", ("last",), ("ultimi", "ultime", "ultimo")),
    ClosedWord("stay", ("stay",), ("restano", "resta")),
    ClosedWord("skip", ("skip",), ("salta", "saltano")),
)
ORDERED = (
    ClosedWord("ordered", ("ordered",), ("in ordine", "ordinata", "ordinate")),
    ClosedWord("partial", ("partial", "ordered, some left out"), ("parziale", "in ordine, alcuni mancano")),
)
NEEDED = (ClosedWord("needed", ("needed",), ("serve",)),)
"""What may stand in place of a field's default: a record that leaves the field out is rejected."""
PAPERS = (
    ClosedWord("A4", ("a4",), ()),
    ClosedWord("A4 portrait", ("a4 portrait",), ("a4 verticale",)),
    ClosedWord("A4 landscape", ("a4 landscape",), ("a4 orizzontale",)),
    ClosedWord("letter", ("letter",), ()),
    ClosedWord("letter portrait", ("letter portrait",), ("letter verticale",)),
    ClosedWord("letter landscape", ("letter landscape",), ("letter orizzontale",)),
    ClosedWord("tarot", ("tarot", "tarot card"), ("tarocchi", "carta dei tarocchi")),
    ClosedWord("poker", ("poker", "poker card"), ("carta da poker",)),
    ClosedWord("mini", ("mini", "mini card"), ("carta mini",)),
)
"""Without `portrait` or `landscape` a sheet lies as its tables need it."""
SIDES = (
    ClosedWord("front", ("front",), ("fronte", "davanti")),
    ClosedWord("back", ("back",), ("retro", "dietro")),
)
"""Of a card."""
PLACES = (
    ClosedWord("top", ("top",), ("alto", "in alto")),
    ClosedWord("left", ("left",), ("sinistra", "a sinistra")),
    ClosedWord("right", ("right",), ("destra", "a destra")),
    ClosedWord("foot", ("foot", "bottom"), ("piede", "in basso")),
)
"""Of a block on its face."""
PRINTED = (
    ClosedWord("block", ("block",), ("riquadro",)),
    ClosedWord("never", ("never",), ("mai",)),
    ClosedWord("inside", ("inside",), ("dentro",)),
)
"""`inside` goes on with the name of a table: `inside turn`."""
RINGS = (*PRINTED, ClosedWord("ring", ("ring",), ("anello",)))
"""How names may be printed, which have an order: also in a ring, the last one next to the first."""
TURNS = (
    ClosedWord("turn", ("turn",), ("turno",)),
    ClosedWord("attempts", ("attempts",), ("tentativi",)),
)
"""What a procedure is called in its marker."""
WHO = (
    ClosedWord("bot", ("bot",), ("bot",)),
    ClosedWord("you", ("you",), ("tu",)),
    ClosedWord("both", ("both",), ("entrambi",)),
)
ONWARD = (
    ClosedWord("next", ("next",), ("avanti",)),
    ClosedWord("end", ("end",), ("fine",)),
    ClosedWord("end if", ("end if",), ("fine se",)),
    ClosedWord("again", ("again",), ("di nuovo",)),
)
"""Where a step leads; else a step's number. `again` goes on with one: `again 2`."""
EXACT = (ClosedWord("exact", ("exact",), ("esatta",)),)
LEFT = (ClosedWord("left", ("left",), ("sinistra", "da sinistra")),)
