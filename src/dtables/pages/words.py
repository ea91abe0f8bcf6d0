"""Words of the pages' own furniture, in both languages."""

from __future__ import annotations

import re

PAGE_WORDS: dict[str, dict[str, str]] = {
    "en": {
        "if": "IF",
        "page": "page",
        "total": "total",
        "chance": "odds",
        "outcome": "outcome",
        "otherwise": "Otherwise",
        "only_for": "only for",
        "prefer": "prefer",
        "all": "all",
        "switch": "rule",
        "default": "normally",
        "others": "or instead",
        "cells": "References such as Sheet!A1:B2 name cells of the workbook",
        "flip": "print at 100 %, flip on the long edge",
        "read_column": "Read only your column",
        "show_all": "all",
        "build": "build",
        "contents": "Contents",
        "choose": "Show only",
        "rows_from_top": "the first row that fits counts",
        "priority": "of the rows that fit, the one with the best outcome counts: {order}",
        "collect": "every row that fits counts",
        "rule order": "every row that fits counts, in the order of the rows",
        "output order": "every row that fits counts, the best outcome first: {order}",
        "collect sum": "the outcomes of all rows that fit are added up",
        "collect min": "of the rows that fit, the one with the smallest outcome counts",
        "collect max": "of the rows that fit, the one with the largest outcome counts",
        "collect count": "the rows that fit are counted",
        "back": "back",
        "goes_on": "(continued)",
    },
    "it": {
        "if": "SE",
        "page": "pagina",
        "total": "totale",
        "chance": "probabilità",
        "outcome": "esito",
        "otherwise": "Altrimenti",
        "only_for": "solo per",
        "prefer": "preferisci",
        "all": "tutti",
        "switch": "regola",
        "default": "di norma",
        "others": "oppure",
        "cells": "I riferimenti come Foglio!A1:B2 sono celle del foglio di lavoro",
        "flip": "stampa al 100 %, gira sul lato lungo",
        "read_column": "Leggi solo la tua colonna",
        "show_all": "tutti",
        "build": "versione",
        "contents": "Indice",
        "choose": "Mostra solo",
        "rows_from_top": "vale la prima riga che va bene",
        "priority": "fra le righe che vanno bene vale quella con l'esito migliore: {order}",
        "collect": "vale ogni riga che va bene",
        "rule order": "vale ogni riga che va bene, nell'ordine delle righe",
        "output order": "vale ogni riga che va bene, prima l'esito migliore: {order}",
        "collect sum": "si sommano gli esiti di tutte le righe che vanno bene",
        "collect min": "fra le righe che vanno bene vale quella con l'esito più piccolo",
        "collect max": "fra le righe che vanno bene vale quella con l'esito più grande",
        "collect count": "si contano le righe che vanno bene",
        "back": "retro",
        "goes_on": "(segue)",
    },
}
"""A workbook in other languages is printed with English furniture."""


def furniture(language: str) -> dict[str, str]:
    return PAGE_WORDS.get(language, PAGE_WORDS["en"])


# -- expressions ------------------------------------------------------------------------------------
# How expressions are said, in both languages; `{0}`, `{1}` are the parts.

PHRASES: dict[str, dict[str, str]] = {
    "en": {
        "yes": "yes", "no": "no", "nothing": "nothing", "missing": "{0} is missing", "there": "{0} is there",
        "empty": "{0}: none", "some": "{0}: at least one", "each": "every {0}", "of": "{0} of {1}",
        "first of": "the first of {0}", "last of": "the last of {0}", "nth of": "number {1} of {0}",
        "filter": "{0} with {1}", "and": "{0} and {1}", "or": "{0} or {1}", "not": "not {0}", "not true": "not true: {0}",
        "house rule": "house rule: {0}", "in": "{0} among {1}", "is": "{0}: {1}", "is a": "{0} is a {1}",
        "conditional": "if {0}: {1}, else {2}", "for": "for each {0} of {1}: {2}",
        "some of": "at least one of {1} with {2}", "every of": "every one of {1} with {2}",
        "none": "none", "item": "it", "range": "{0} to {1}", "at least": "{0} or more", "at most": "{0} or less",
        "ranking": "ranking: {0}", "function": "{0}: {1}", "call": "{0} ({1})", "other than": "other than {0}",
        "highest": "highest {0}", "lowest": "lowest {0}", "first in": "{0}: the first in {1}",
        "last in": "{0}: the last in {1}", "first order": "{0} first in this order: {1}",
        "last order": "{0} last in this order: {1}", "scale": "as in {0}", "rows": "as in {0}, rows {1}",
        "first": "the first in line", "chance": "by chance", "prefer no": "not: {0}",
    },
    "it": {
        "yes": "sì", "no": "no", "nothing": "niente", "missing": "{0}: manca", "there": "{0}: c'è",
        "empty": "{0}: nessuno", "some": "{0}: almeno uno", "each": "ogni {0}", "of": "{0} di {1}",
        "first of": "il primo di {0}", "last of": "l'ultimo di {0}", "nth of": "il numero {1} di {0}",
        "filter": "{0} con {1}", "and": "{0} e {1}", "or": "{0} o {1}", "not": "non {0}", "not true": "non è vero che {0}",
        "house rule": "regola della casa: {0}", "in": "{0} fra {1}", "is": "{0}: {1}", "is a": "{0} è {1}",
        "conditional": "se {0}: {1}, altrimenti {2}", "for": "per ogni {0} di {1}: {2}",
        "some of": "almeno uno di {1} con {2}", "every of": "ognuno di {1} con {2}",
        "none": "nessuno", "item": "esso", "range": "da {0} a {1}", "at least": "{0} o più", "at most": "{0} o meno",
        "ranking": "graduatoria: {0}", "function": "{0}: {1}", "call": "{0} ({1})", "other than": "tranne {0}",
        "highest": "maggior {0}", "lowest": "minor {0}", "first in": "{0}: per primo in {1}",
        "last in": "{0}: per ultimo in {1}", "first order": "{0}, il primo in quest'ordine: {1}",
        "last order": "{0}, l'ultimo in quest'ordine: {1}", "scale": "come in {0}", "rows": "come in {0}, righe {1}",
        "first": "il primo nell'ordine", "chance": "a caso", "prefer no": "non: {0}",
    },
}  # fmt: skip

LEADING = {
    "en": ("highest", "lowest", "not:", "by chance", "the first in line"),
    "it": ("maggior", "minor", "non:", "a caso", "il primo nell'ordine"),
}
"""The words of a made wording that are printed bold."""

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


# -- articles ------------------------------------------------------------------------------------
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
