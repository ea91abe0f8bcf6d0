"""Words of the pages' own furniture, in both languages."""

from __future__ import annotations

PAGE_WORDS: dict[str, dict[str, str]] = {
    "en": {
        "if": "IF",
        "page": "page",
        "total": "total",
        "chance": "odds",
        "outcome": "outcome",
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
        "back": "back",
        "goes_on": "(continued)",
        "face_of": "Face {n} of {m}",
        "single_face": "One face",
        "over": "over",
        "front": "front",
        "card_of": "card {n} of {m}",
        "then": "then",
        "last_in_all": "Last in every column",
    },
    "it": {
        "if": "SE",
        "page": "pagina",
        "total": "totale",
        "chance": "probabilità",
        "outcome": "esito",
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
        "back": "retro",
        "goes_on": "(segue)",
        "face_of": "Faccia {n} di {m}",
        "single_face": "Faccia unica",
        "over": "retro",
        "front": "fronte",
        "card_of": "carta {n} di {m}",
        "then": "poi",
        "last_in_all": "Ultimi per tutti",
    },
}
"""A workbook in other languages is printed with English furniture."""


def furniture(language: str) -> dict[str, str]:
    return PAGE_WORDS.get(language, PAGE_WORDS["en"])
