"""The words that pages, explanations, audits and manuals share, in Italian and in English."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from dtables.model.tables import Policy
from dtables.wording.grammar import before, joined_articles

MOST_LISTED = 12
SIGNS = {"!=": "≠", "<=": "≤", ">=": "≥", "*": "×", "-": "−", "/": "÷", "**": "^"}


def sign_of(operator: str) -> str:
    """Return the operator as people write it: `≠` for `!=`; one without another sign as it is."""
    return SIGNS.get(operator, operator)


@dataclass(frozen=True, slots=True)
class Phrases:
    """The words of one language."""

    language: str
    decimal_mark: str
    minus: str
    quotes: tuple[str, str]
    yes: str
    no: str
    nothing: str
    none: str
    and_: str
    or_: str
    otherwise: str
    leading: tuple[str, ...]
    """The words of a made wording that are printed bold."""

    def phrase(self, key: str, *parts: str) -> str:
        """The words for an expression, its parts filled in."""
        return self.spelled(EXPRESSIONS[self.language][key].format(*parts))

    def builtin(self, name: str) -> str | None:
        """What a function is called, `{0}`, `{1}` its arguments; None where its own name has to do."""
        return BUILTINS[self.language].get(name)

    def spelled(self, text: str) -> str:
        """Italian joins its prepositions and articles."""
        return joined_articles(text) if self.language == "it" else text

    def listed(self, parts: Iterable[str]) -> str:
        """`a, b and c`; of a long list the beginning."""
        every = list(parts)
        if len(every) > MOST_LISTED:
            return ", ".join([*every[:MOST_LISTED], "…"])
        if len(every) < 2:
            return every[0] if every else self.none
        return f"{', '.join(every[:-1])} {before(self.and_, every[-1])} {every[-1]}"

    def joined(self, operator: str, *parts: str) -> str:
        """`a, b and c`, `a, b or c`: all of them."""
        if not parts:
            return ""
        *most, last = parts
        word = self.and_ if operator == "and" else self.or_
        return self.spelled(f"{', '.join(most)} {before(word, last)} {last}") if most else last

    def interval(self, low: str, high: str) -> str:
        """From one value to another, both ends among them: `1–3`, `1 June 2026 – 3 June 2026`."""
        return f"{low} – {high}" if " " in low + high else f"{low}–{high}"

    def between(self, low: str | None, high: str | None, low_included: bool, high_included: bool) -> str:
        """The values of a range; an end that is None is open."""
        if low is not None and high is not None and low_included and high_included:
            return self.interval(low, high)
        ends = ((">", low, low_included), ("<", high, high_included))
        signs = ((sign_of(sign + "=" * included), end) for sign, end, included in ends if end is not None)
        return self.joined("and", *(f"{sign} {end}" for sign, end in signs))

    def date(self, day: str, month: int, year: str) -> str:
        """A day with its month in words: months count from 1."""
        return f"{day} {MONTHS[self.language][month - 1]} {year}"

    def moment(self, date: str, time: str) -> str:
        """A date and a time that are one value, both already in words."""
        return MOMENTS[self.language].format(date, time)

    def amount(self, number: str, unit: str) -> str:
        """Of years, months, days, hours, minutes or seconds: `1 day`, `2,5 secondi`."""
        one, many = UNITS[self.language][unit]
        return f"{number} {one if number == '1' else many}"

    def icon(self, name: str, of: str, own: str) -> str:
        """What an icon is called, by the workbook's `own` word if it has one; of coins how many."""
        alts = ICONS[name]
        said = own or alts.get(self.language, alts[ENGLISH.language])
        if name in COUNTED and re.fullmatch("[0-9]+", of):
            return f"{of} {said if of == '1' else COUNTED[name][self.language]}"
        return f"{said} {of}".strip()

    def quoted(self, text: str) -> str:
        """Return the text in the quotes of the language."""
        opening, closing = self.quotes
        return f"{opening}{text}{closing}"

    def policy(self, policy: Policy, order: str) -> str:
        """What counts of the rows that fit. `order` are outcomes, best first."""
        return POLICIES[self.language][policy].format(order=order)


ITALIAN = Phrases(
    "it", ",", "\u2212", ("«", "»"), "sì", "no", "niente", "nessun elemento", "e", "o", "altrimenti",
    ("maggior ", "minor ", "più ", "meno ", "prima:", "a caso", "il primo nell'ordine"),
)  # fmt: skip
ENGLISH = Phrases(
    "en", ".", "\u2212", ("“", "”"), "yes", "no", "nothing", "none", "and", "or", "otherwise",
    ("highest", "lowest", "most ", "fewest ", "first:", "by chance", "the first in line"),
)  # fmt: skip


FOR_PROGRAMS = replace(ENGLISH, minus="-")
"""In no language: numbers, dates and durations stand as programs write them."""


def phrases_in(language: str) -> Phrases:
    """Return the phrases of a language, English for one without its own. In no language they are for
    programs."""
    return ITALIAN if language == "it" else ENGLISH if language else FOR_PROGRAMS


# -- dates and durations -----------------------------------------------------------------------------

MONTHS = {
    "en": (
        "January", "February", "March", "April", "May", "June",
        "July", "August", "September", "October", "November", "December",
    ),
    "it": (
        "gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno",
        "luglio", "agosto", "settembre", "ottobre", "novembre", "dicembre",
    ),
}  # fmt: skip
MOMENTS = {"en": "{0} at {1}", "it": "{0} ore {1}"}
UNITS = {
    "en": {
        "year": ("year", "years"), "month": ("month", "months"), "day": ("day", "days"),
        "hour": ("hour", "hours"), "minute": ("minute", "minutes"), "second": ("second", "seconds"),
    },
    "it": {
        "year": ("anno", "anni"), "month": ("mese", "mesi"), "day": ("giorno", "giorni"),
        "hour": ("ora", "ore"), "minute": ("minuto", "minuti"), "second": ("secondo", "secondi"),
    },
}  # fmt: skip


# -- icons -------------------------------------------------------------------------------------------
# What stands in braces in a wording is drawn on a page; elsewhere it is said.

ICONS: dict[str, dict[str, str]] = {
    "coin": {"en": "coin", "it": "moneta"},
    "die": {"en": "die", "it": "dado"},
    "space": {"en": "space", "it": "casella"},
    "card": {"en": "card", "it": "carta"},
    "cardback": {"en": "face-down card", "it": "carta coperta"},
    "shield": {"en": "shield", "it": "scudo"},
    "token": {"en": "token", "it": "segnalino"},
    "wonder": {"en": "Wonder", "it": "Meraviglia"},
    "gate": {"en": "Gate", "it": "Portale"},
    "house": {"en": "house", "it": "casa"},
    "post": {"en": "trading post", "it": "emporio"},
    "pawn": {"en": "pawn", "it": "pedina"},
    "cat": {"en": "cat", "it": "gatto"},
    "eye": {"en": "uncovers", "it": "scopre"},
    "link": {"en": "chain", "it": "concatenazione"},
    "fan": {"en": "fan", "it": "fan"},
    "idea": {"en": "idea", "it": "idea"},
    "order": {"en": "order", "it": "ordine"},
    "d12": {"en": "twelve-sided die", "it": "dado a dodici facce"},
    "cube": {"en": "cube", "it": "cubo"},
    "box": {"en": "box to tick", "it": "casella da spuntare"},
}
"""What is said for them, where the workbook's glossary has no `term` of that name."""

COUNTED = {
    "coin": {"en": "coins", "it": "monete"},
    "shield": {"en": "shields", "it": "scudi"},
    "fan": {"en": "fans", "it": "fan"},
}
"""Icons whose number says how many of them there are, with the word for many."""


# -- hit policies -----------------------------------------------------------------------------------

POLICIES: dict[str, dict[Policy, str]] = {
    "en": {
        Policy.UNIQUE: "at most one row fits",
        Policy.ANY: "any row that fits will do: all of them give the same",
        Policy.FIRST: "the first row that fits counts",
        Policy.PRIORITY: "of the rows that fit, the one with the best outcome counts: {order}",
        Policy.COLLECT: "every row that fits counts",
        Policy.RULE_ORDER: "every row that fits counts, in the order of the rows",
        Policy.OUTPUT_ORDER: "every row that fits counts, the best outcome first: {order}",
        Policy.COLLECT_SUM: "the outcomes of all rows that fit are added up",
        Policy.COLLECT_MIN: "of all rows that fit, only the smallest outcome counts; nothing is added up",
        Policy.COLLECT_MAX: "of all rows that fit, only the largest outcome counts; nothing is added up",
        Policy.COLLECT_COUNT: "the result is the number of rows that fit",
    },
    "it": {
        Policy.UNIQUE: "va bene al massimo una riga",
        Policy.ANY: "basta una qualsiasi delle righe che vanno bene: danno tutte lo stesso",
        Policy.FIRST: "conta la prima riga che va bene",
        Policy.PRIORITY: "fra le righe che vanno bene conta quella con l'esito migliore: {order}",
        Policy.COLLECT: "conta ogni riga che va bene",
        Policy.RULE_ORDER: "conta ogni riga che va bene, nell'ordine delle righe",
        Policy.OUTPUT_ORDER: "conta ogni riga che va bene, prima l'esito migliore: {order}",
        Policy.COLLECT_SUM: "si sommano gli esiti di tutte le righe che vanno bene",
        Policy.COLLECT_MIN: "fra le righe che vanno bene conta solo l'esito più piccolo; non si somma niente",
        Policy.COLLECT_MAX: "fra le righe che vanno bene conta solo l'esito più grande; non si somma niente",
        Policy.COLLECT_COUNT: "il risultato è il numero di righe che vanno bene",
    },
}


# -- expressions ------------------------------------------------------------------------------------
# The words for expressions; `{0}`, `{1}` are the parts.

EXPRESSIONS: dict[str, dict[str, str]] = {
    "en": {
        "missing": "{0} is missing", "there": "{0} is there",
        "missing many": "{0} are missing", "there many": "{0} are there", "is so": "{0} is {1}", "is not so": "{0} is not {1}",
        "empty": "no {0}", "empty of": "none of {0}", "some": "at least one of {0}",
        "some of": "at least one of {0}", "each": "every {0}", "all": "all {0}", "of": "{0} of {1}",
        "first of": "the first of {0}", "last of": "the last of {0}", "nth of": "the one of {0} at place {1}",
        "with": "{0} with {1}", "without": "{0} without {1}", "that is": "{0} that is {1}", "that are": "{0} that are {1}",
        "that": "{0} that {1}", "where": "{0} where {1}", "=": "{0} equal to {1}", "!=": "{0} except {1}",
        "<": "{0} below {1}", "<=": "{0} up to {1}", ">": "{0} above {1}", ">=": "{0} from {1} up",
        "among": "{0} among {1}", "not among": "{0} not among {1}", "present": "{0} that are there",
        "absent": "{0} that are missing",
        "not": "not {0}", "not true": "it is not true that {0}",
        "house rule": "house rule: {0}", "in": "{0} among {1}", "not in": "{0} not among {1}",
        "is": "{0}: {1}", "is a": "{0} is a {1}",
        "conditional": "{1} if {0}, otherwise {2}", "for": "{1} for each of {0}",
        "for several": "for each {0} of {1}: {2}", "some several": "at least one {0} of {1} with {2}",
        "every several": "for each {0} of {1}: {2}", "every": "for each of {0}: {1}",
        "item": "it", "range": "{0} to {1}", "one of": "one of {0}",
        "ranking": "{0}, best first", "function": "{0}: {1}", "call": "{0} ({1})",
        "other than": "other than {0}", "then": ", then ",
        "highest": "highest {0}", "lowest": "lowest {0}",
        "highest of": "{0}: the highest", "lowest of": "{0}: the lowest", "most": "most {0}", "fewest": "fewest {0}",
        "first in": "{0}: the first in {1}", "last in": "{0}: the last in {1}",
        "item first in": "the first in {1}", "item last in": "the last in {1}",
        "in order": "{0} in this order: {1}", "item in order": "in this order: {1}",
        "scale": "as in {0}", "row": "as in {0}, row {1}", "rows": "as in {0}, rows {1}",
        "first": "the first in line", "chance": "by chance", "prefer yes": "first: {0}",
        "only for": "only for {0}", "only if": "only if {0}", "at least": "{0}, but at least {1}",
        "at most": "{0}, but at most {1}", "sum for": "sum of {1} for each of {0}",
    },
    "it": {
        "missing": "manca {0}", "there": "c'è {0}",
        "missing many": "mancano {0}", "there many": "ci sono {0}", "is so": "{0} è {1}", "is not so": "{0} non è {1}",
        "empty": "{0}: nessun elemento", "empty of": "nessuno di {0}", "some": "{0}: almeno un elemento",
        "some of": "almeno uno di {0}", "each": "ogni {0}", "all": "tutti: {0}", "of": "{0} di {1}",
        "first of": "il primo di {0}", "last of": "l'ultimo di {0}", "nth of": "quello di {0} in posizione {1}",
        "with": "{0} con {1}", "without": "{0} senza {1}", "that is": "{0} che è {1}", "that are": "{0} che sono {1}",
        "that": "{0} che {1}", "where": "{0} dove {1}", "=": "{0} uguali a {1}", "!=": "{0} tranne {1}",
        "<": "{0} sotto {1}", "<=": "{0} fino a {1}", ">": "{0} oltre {1}", ">=": "{0} da {1} in su",
        "among": "{0} fra {1}", "not among": "{0} non fra {1}", "present": "{0} presenti",
        "absent": "{0} mancanti",
        "not": "non {0}", "not true": "non è vero che {0}",
        "house rule": "regola della casa: {0}", "in": "{0} fra {1}", "not in": "{0} non fra {1}",
        "is": "{0}: {1}", "is a": "{0} è {1}",
        "conditional": "{1} se {0}, altrimenti {2}", "for": "{1} per ognuno di {0}",
        "for several": "per ogni {0} di {1}: {2}", "some several": "almeno un {0} di {1} con {2}",
        "every several": "per ogni {0} di {1}: {2}", "every": "per ognuno di {0}: {1}",
        "item": "esso", "range": "da {0} a {1}", "one of": "uno fra {0}",
        "ranking": "{0}, in ordine di preferenza", "function": "{0}: {1}", "call": "{0} ({1})",
        "other than": "tranne {0}", "then": ", poi ",
        "highest": "maggior {0}", "lowest": "minor {0}",
        "highest of": "{0}: il valore più alto", "lowest of": "{0}: il valore più basso", "most": "più {0}", "fewest": "meno {0}",
        "first in": "{0}: il primo in {1}", "last in": "{0}: l'ultimo in {1}",
        "item first in": "il primo in {1}", "item last in": "l'ultimo in {1}",
        "in order": "{0} in quest'ordine: {1}", "item in order": "in quest'ordine: {1}",
        "scale": "come in {0}", "row": "come in {0}, riga {1}", "rows": "come in {0}, righe {1}",
        "first": "il primo nell'ordine", "chance": "a caso", "prefer yes": "prima: {0}",
        "only for": "solo per {0}", "only if": "solo se {0}", "at least": "{0}, ma almeno {1}",
        "at most": "{0}, ma al massimo {1}", "sum for": "somma di {1} per ognuno di {0}",
    },
}  # fmt: skip

BUILTINS: dict[str, dict[str, str]] = {
    "en": {
        "count": "number of {0}", "sum": "sum of {0}", "total": "sum of {0}", "min": "the smallest of {0}",
        "max": "the greatest of {0}", "mean": "mean of {0}", "abs": "absolute value of {0}", "not": "not {0}",
        "product": "product of {0}", "median": "median of {0}", "mode": "most frequent of {0}",
        "list contains": "{1} among {0}", "distinct values": "{0} without repeats",
        "drop highest": "{0} without the {1} highest", "drop lowest": "{0} without the {1} lowest",
        "reverse": "{0} backwards", "floor": "{0} rounded down", "ceiling": "{0} rounded up",
        "round down": "{0} rounded down", "round up": "{0} rounded up", "all": "all of {0}", "any": "any of {0}",
        "round half up": "{0} rounded", "decimal": "{0} rounded to {1} places", "sqrt": "square root of {0}",
        "odd": "{0} is odd", "even": "{0} is even", "modulo": "remainder of {0} by {1}", "flatten": "{0}",
        "repeat": "{1} times {0}", "index of": "place of {1} in {0}", "append": "{0} and {1}",
        "concatenate": "{0} and {1}", "union": "{0} and {1}, without repeats", "remove": "{0} without number {1}",
        "contains": "{0} contains {1}", "starts with": "{0} begins with {1}", "ends with": "{0} ends with {1}",
        "string length": "length of {0}", "lower case": "{0} in small letters", "upper case": "{0} in capitals",
        "string": "{0}", "number": "{0}", "date": "{0}", "sort": "{0} in order", "today": "today", "now": "now",
        "clamp": "{0}, between {1} and {2}", "day of week": "day of the week of {0}",
    },
    "it": {
        "count": "numero di {0}", "sum": "somma di {0}", "total": "somma di {0}", "min": "il minore di {0}",
        "max": "il maggiore di {0}", "mean": "media di {0}", "abs": "valore assoluto di {0}", "not": "non {0}",
        "product": "prodotto di {0}", "median": "mediana di {0}", "mode": "il più frequente di {0}",
        "list contains": "{1} fra {0}", "distinct values": "{0} senza ripetizioni",
        "drop highest": "{0} senza i {1} più alti", "drop lowest": "{0} senza i {1} più bassi",
        "reverse": "{0} al contrario", "floor": "{0} per difetto", "ceiling": "{0} per eccesso",
        "round down": "{0} per difetto", "round up": "{0} per eccesso", "all": "tutti: {0}", "any": "almeno uno: {0}",
        "round half up": "{0} con arrotondamento", "decimal": "{0} con {1} decimali", "sqrt": "radice di {0}",
        "odd": "{0} è dispari", "even": "{0} è pari", "modulo": "resto di {0} diviso {1}", "flatten": "{0}",
        "repeat": "{1} volte {0}", "index of": "posizione di {1} in {0}", "append": "{0} e {1}",
        "concatenate": "{0} e {1}", "union": "{0} e {1}, senza ripetizioni", "remove": "{0} senza il numero {1}",
        "contains": "{0} contiene {1}", "starts with": "{0} comincia con {1}", "ends with": "{0} finisce con {1}",
        "string length": "lunghezza di {0}", "lower case": "{0} in minuscolo", "upper case": "{0} in maiuscolo",
        "string": "{0}", "number": "{0}", "date": "{0}", "sort": "{0} in ordine", "today": "oggi", "now": "adesso",
        "clamp": "{0}, fra {1} e {2}", "day of week": "giorno della settimana di {0}",
    },
}  # fmt: skip
