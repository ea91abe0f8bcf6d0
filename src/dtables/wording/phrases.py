"""The words that pages, explanations, audits and manuals share, in Italian and in English."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from dtables.model.tables import Policy

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
        return f"{', '.join(every[:-1])} {self.and_} {every[-1]}"

    def joined(self, operator: str, *parts: str) -> str:
        """`a, b and c`, `a, b or c`: all of them."""
        if not parts:
            return ""
        *most, last = parts
        word = self.and_ if operator == "and" else self.or_
        return self.spelled(f"{', '.join(most)} {word} {last}") if most else last

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

    def quoted(self, text: str) -> str:
        """Return the text in the quotes of the language."""
        opening, closing = self.quotes
        return f"{opening}{text}{closing}"

    def policy(self, policy: Policy, order: str) -> str:
        """What counts of the rows that fit; nothing where only one can. `order` are outcomes, best first."""
        return POLICIES[self.language].get(policy, "").format(order=order)


ITALIAN = Phrases(
    "it", ",", "\u2212", ("«", "»"), "sì", "no", "niente", "nessuno", "e", "o", "altrimenti",
    ("maggior", "minor", "non:", "a caso", "il primo nell'ordine"),
)  # fmt: skip
ENGLISH = Phrases(
    "en", ".", "\u2212", ("“", "”"), "yes", "no", "nothing", "none", "and", "or", "otherwise",
    ("highest", "lowest", "not:", "by chance", "the first in line"),
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


# -- hit policies -----------------------------------------------------------------------------------

POLICIES: dict[str, dict[Policy, str]] = {
    "en": {
        Policy.FIRST: "the first row that fits counts",
        Policy.PRIORITY: "of the rows that fit, the one with the best outcome counts: {order}",
        Policy.COLLECT: "every row that fits counts",
        Policy.RULE_ORDER: "every row that fits counts, in the order of the rows",
        Policy.OUTPUT_ORDER: "every row that fits counts, the best outcome first: {order}",
        Policy.COLLECT_SUM: "the outcomes of all rows that fit are added up",
        Policy.COLLECT_MIN: "of the rows that fit, the one with the smallest outcome counts",
        Policy.COLLECT_MAX: "of the rows that fit, the one with the largest outcome counts",
        Policy.COLLECT_COUNT: "the rows that fit are counted",
    },
    "it": {
        Policy.FIRST: "vale la prima riga che va bene",
        Policy.PRIORITY: "fra le righe che vanno bene vale quella con l'esito migliore: {order}",
        Policy.COLLECT: "vale ogni riga che va bene",
        Policy.RULE_ORDER: "vale ogni riga che va bene, nell'ordine delle righe",
        Policy.OUTPUT_ORDER: "vale ogni riga che va bene, prima l'esito migliore: {order}",
        Policy.COLLECT_SUM: "si sommano gli esiti di tutte le righe che vanno bene",
        Policy.COLLECT_MIN: "fra le righe che vanno bene vale quella con l'esito più piccolo",
        Policy.COLLECT_MAX: "fra le righe che vanno bene vale quella con l'esito più grande",
        Policy.COLLECT_COUNT: "si contano le righe che vanno bene",
    },
}


# -- expressions ------------------------------------------------------------------------------------
# The words for expressions; `{0}`, `{1}` are the parts.

EXPRESSIONS: dict[str, dict[str, str]] = {
    "en": {
        "missing": "{0} is missing", "there": "{0} is there",
        "empty": "{0}: none", "some": "{0}: at least one", "each": "every {0}", "of": "{0} of {1}",
        "first of": "the first of {0}", "last of": "the last of {0}", "nth of": "number {1} of {0}",
        "filter": "{0} with {1}", "not": "not {0}", "not true": "not true: {0}",
        "house rule": "house rule: {0}", "in": "{0} among {1}", "is": "{0}: {1}", "is a": "{0} is a {1}",
        "conditional": "if {0}: {1}, else {2}", "for": "for each {0} of {1}: {2}",
        "some of": "at least one of {1} with {2}", "every of": "every one of {1} with {2}",
        "item": "it", "range": "{0} to {1}",
        "ranking": "ranking: {0}", "function": "{0}: {1}", "call": "{0} ({1})", "other than": "other than {0}",
        "highest": "highest {0}", "lowest": "lowest {0}", "first in": "{0}: the first in {1}",
        "last in": "{0}: the last in {1}", "first order": "{0} first in this order: {1}",
        "last order": "{0} last in this order: {1}", "scale": "as in {0}", "rows": "as in {0}, rows {1}",
        "first": "the first in line", "chance": "by chance", "prefer no": "not: {0}",
    },
    "it": {
        "missing": "{0}: manca", "there": "{0}: c'è",
        "empty": "{0}: nessuno", "some": "{0}: almeno uno", "each": "ogni {0}", "of": "{0} di {1}",
        "first of": "il primo di {0}", "last of": "l'ultimo di {0}", "nth of": "il numero {1} di {0}",
        "filter": "{0} con {1}", "not": "non {0}", "not true": "non è vero che {0}",
        "house rule": "regola della casa: {0}", "in": "{0} fra {1}", "is": "{0}: {1}", "is a": "{0} è {1}",
        "conditional": "se {0}: {1}, altrimenti {2}", "for": "per ogni {0} di {1}: {2}",
        "some of": "almeno uno di {1} con {2}", "every of": "ognuno di {1} con {2}",
        "item": "esso", "range": "da {0} a {1}",
        "ranking": "graduatoria: {0}", "function": "{0}: {1}", "call": "{0} ({1})", "other than": "tranne {0}",
        "highest": "maggior {0}", "lowest": "minor {0}", "first in": "{0}: per primo in {1}",
        "last in": "{0}: per ultimo in {1}", "first order": "{0}, il primo in quest'ordine: {1}",
        "last order": "{0}, l'ultimo in quest'ordine: {1}", "scale": "come in {0}", "rows": "come in {0}, righe {1}",
        "first": "il primo nell'ordine", "chance": "a caso", "prefer no": "non: {0}",
    },
}  # fmt: skip

BUILTINS: dict[str, dict[str, str]] = {
    "en": {
        "count": "number of {0}", "sum": "sum of {0}", "total": "sum of {0}", "min": "the smallest of {0}",
        "max": "the greatest of {0}", "mean": "mean of {0}", "abs": "size of {0}", "not": "not {0}",
        "list contains": "{1} among {0}", "distinct values": "the different ones of {0}",
        "drop highest": "{0} without the {1} highest", "drop lowest": "{0} without the {1} lowest",
        "reverse": "{0} backwards", "floor": "{0} rounded down", "ceiling": "{0} rounded up",
        "round down": "{0} rounded down", "round up": "{0} rounded up", "all": "all of {0}", "any": "any of {0}",
        "odd": "{0} odd", "even": "{0} even", "modulo": "remainder of {0} by {1}", "flatten": "{0}",
        "repeat": "{1} times {0}", "index of": "place of {1} in {0}",
    },
    "it": {
        "count": "numero di {0}", "sum": "somma di {0}", "total": "somma di {0}", "min": "il minore di {0}",
        "max": "il maggiore di {0}", "mean": "media di {0}", "abs": "grandezza di {0}", "not": "non {0}",
        "list contains": "{1} fra {0}", "distinct values": "{0}, ognuno una volta",
        "drop highest": "{0} senza i {1} più alti", "drop lowest": "{0} senza i {1} più bassi",
        "reverse": "{0} al contrario", "floor": "{0} per difetto", "ceiling": "{0} per eccesso",
        "round down": "{0} per difetto", "round up": "{0} per eccesso", "all": "tutti: {0}", "any": "almeno uno: {0}",
        "odd": "{0} dispari", "even": "{0} pari", "modulo": "resto di {0} diviso {1}", "flatten": "{0}",
        "repeat": "{1} volte {0}", "index of": "posto di {1} in {0}",
    },
}  # fmt: skip

# -- articles ---------------------------------------------------------------------------------------
# Italian prepositions and the articles after them.

_ARTICLES = re.compile(r"\b(di|a|da|in|su) (il|lo|la|i|gli|le) |\b(di|a|da|in|su) l(?=['’])")
_STEMS = {"di": "de", "a": "a", "da": "da", "in": "ne", "su": "su"}
_ENDINGS = {"il": "l", "lo": "llo", "la": "lla", "i": "i", "gli": "gli", "le": "lle"}


def joined_articles(text: str) -> str:
    """`di i pacchi` is `dei pacchi`, `a la fine` `alla fine`, `su l'ultimo` `sull'ultimo`."""

    def join(found: re.Match[str]) -> str:
        if found.group(3):
            return _STEMS[found.group(3)] + "ll"
        return _STEMS[found.group(1)] + _ENDINGS[found.group(2)] + " "

    return _ARTICLES.sub(join, text)
