"""Expressions in words, in both languages."""

from __future__ import annotations

import pytest

from dtables.model.tables import Decision, Formula, Scale
from dtables.wording.expressions import Expressions
from dtables.wording.labels import labels_of
from dtables.wording.phrases import joined_articles
from tests.pages.books import DEPOT, drawn


def said(expression: str, language: str) -> str:
    """An expression of the depot, as a page would say it."""
    row = "  heavy | list of parcel | parcels[weight > 10] | i pacchi pesanti | heavy parcels"
    book = DEPOT.replace(row, f"{row}\n  tried | | {expression} | |")
    model = drawn(book)
    formula = next(t for t in model.tables if isinstance(t, Formula) and t.heading.name == "tried")
    return Expressions(labels_of(model, language)).say(formula.result)


@pytest.mark.parametrize(
    ("expression", "italian", "english"),
    [
        ("count(heavy) >= 2", "numero dei pacchi pesanti ≥ 2", "number of heavy parcels ≥ 2"),
        ("late and season = summer", "in ritardo e stagione = summer", "late and season = summer"),
        ("not(late)", "non in ritardo", "not late"),
        ("parcels = []", "pacchi: nessuno", "parcels: none"),
        ("heavy != []", "i pacchi pesanti: almeno uno", "heavy parcels: at least one"),
        ("route = null", "percorso: manca", "route is missing"),
        ("route in [NS, SN]", "percorso: Nord-Sud, Sud-Nord", "route: North-South, South-North"),
        ("1 + 2 + 3 * 4 - 5", "1 + 2 + 3 × 4 − 5", "1 + 2 + 3 × 4 − 5"),
        ("(1 + 2) * 3 - (4 - 5)", "(1 + 2) × 3 − (4 − 5)", "(1 + 2) × 3 − (4 − 5)"),
        ("1 - (2 + 3) + 4 / (5 * 6)", "1 − (2 + 3) + 4 ÷ (5 × 6)", "1 − (2 + 3) + 4 ÷ (5 × 6)"),
        ("count(heavy) in [1..3]", "numero dei pacchi pesanti: 1–3", "number of heavy parcels: 1–3"),
        ("if late then 1.5 else 2", "se in ritardo: 1,5, altrimenti 2", "if late: 1.5, else 2"),
        ("parcels[1].weight", "peso del primo di pacchi", "weight of the first of parcels"),
        (
            "some p in parcels satisfies p.fragile",
            "almeno uno di pacchi con fragile",
            "at least one of parcels with fragile",
        ),
        ("parcels.weight", "peso di pacchi", "weight of parcels"),
        ("red in parcels.colour", "rossa fra colore di pacchi", "red among colour of parcels"),
        ("max(1, count(heavy)) - 2", "(il maggiore di 1, numero dei pacchi pesanti) − 2", None),
    ],
)
def test_expression(expression: str, italian: str, english: str | None) -> None:
    assert said(expression, "it") in (italian, italian.replace("(", "").replace(")", ""))
    if english is not None:
        assert said(expression, "en") == english


def test_articles__are_joined() -> None:
    assert (
        joined_articles("numero di i pacchi, da l'inizio a la fine")
        == "numero dei pacchi, dall'inizio alla fine"
    )
    assert joined_articles("di solito il primo") == "di solito il primo"


def test_scale__preferences_without_wording() -> None:
    model = drawn(DEPOT)
    scale = next(t for t in model.tables if isinstance(t, Scale))
    wanted = {
        "it": "fragile|maggior peso|non: fragile|"
        "colore, il primo in quest'ordine: blu › rossa › verde › ambra|a caso",
        "en": "fragile|highest weight|not: fragile|"
        "colour first in this order: blue › red › green › amber|by chance",
    }
    for language, phrases in wanted.items():
        view = Expressions(labels_of(model, language))
        assert [view.preference(c) for c in scale.criteria] == phrases.split("|")


def test_condition_of_a_decision() -> None:
    model = drawn(DEPOT)
    toll = next(t for t in model.tables if isinstance(t, Decision) and t.heading.name == "toll")
    weight, tests = toll.subjects[1].value, toll.rules[0].conditions[1].tests
    wording = Expressions(labels_of(model, "en"))
    assert wording.test("weight", weight, tests) == "weight > 10"
