"""Names: vocabularies, what may be called how, what is taken, the glossary."""

from __future__ import annotations

import pytest

from dtables.model.vocabularies import Words, in_language, names_in
from tests.checker.drawn import diagnostics, found, ruleset

COLOURS = """
Types:
  name | names
  colour | red, green, blue
"""

FRUIT = """
Data: fruit ; key: fruit
  key | colour | number | label it | label en | also
  fruit | colour | weight | | |
  apple | red | 3 | Mela | Apple | pomo, mela rossa
  plum | blue | 1 | Prugna | Plum |
"""


def test_vocabularies__names_in_order() -> None:
    (colour,) = ruleset(COLOURS).vocabularies
    assert (colour.name, colour.root, [n.id for n in colour.names]) == (
        "colour", "colour", ["red", "green", "blue"],
    )  # fmt: skip


def test_vocabularies__keyed_data_have_labels_and_rows() -> None:
    vocabulary = ruleset(COLOURS + FRUIT).vocabularies[1]
    apple = vocabulary.names[0]
    assert (vocabulary.record, apple.id, apple.words) == ("fruit", "apple", (("it", "Mela"), ("en", "Apple")))
    assert apple.spellings == ("pomo", "mela rossa")
    assert [name for name, _ in vocabulary.rows[1].values] == ["colour", "weight"]


def test_vocabularies__narrowed_keep_their_order_and_root() -> None:
    text = COLOURS + (
        "\nTypes:\n  name | of | allowed\n  warm | colour | not(blue, green)\n  cold | colour | blue, green\n"
    )
    colour, warm, cold = ruleset(text).vocabularies
    assert [n.id for n in warm.names] == ["red"]
    assert [n.id for n in cold.names] == ["green", "blue"]
    assert (warm.root, cold.root, colour.root) == ("colour", "colour", "colour")


def test_vocabularies__plus_makes_a_record_of_the_base() -> None:
    text = COLOURS + FRUIT + "\nTypes:\n  name | of | plus\n  top | fruit | empty, face down\n"
    model = ruleset(text)
    top = next(v for v in model.vocabularies if v.name == "top")
    assert [n.id for n in top.names] == ["apple", "plum", "empty", "face down"]
    assert top.names[0].words == (("it", "Mela"), ("en", "Apple"))
    assert (top.root, top.record) == ("top", "top")
    values = [dict(row.values)["fruit"] for row in top.rows]
    assert [getattr(v, "id", None) for v in values] == ["apple", "plum", None, None]
    (record,) = [r for r in model.records if r.name == "top"]
    assert [f.name for f in record.fields] == ["fruit"]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("for sale", "name-begins-with-word"),
        ("not seen", "name-begins-with-word"),
        ("a.b", "sign-in-name"),
        ("a(b", "sign-in-name"),
        ("a[1", "sign-in-name"),
        ("12", "name-is-a-number"),
    ],
)
def test_names__that_look_like_expressions(name: str, code: str) -> None:
    text = f"Types:\n  name | names\n  kind | {name}, other\n"
    assert [line.split(":")[0] for line in found(text)] == [f"B3 {code}"]


def test_names__with_spaces_and_signs_are_fine() -> None:
    text = "Types:\n  name | names\n  kind | A2-01, 2d6, Statua di Zeus, forest, a+b\n"
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Formulas: f\n  name | is\n  count(n: number) | 3\n", "A3"),
        ("Types:\n  name | names\n  number | a, b\n", "A3"),
        ("Input:\n  field | type\n  state | number\n", "A3"),
        ("Record: r\n  field | type\n  item | number\n", "A3"),
        ("Formulas: f\n  name | is\n  f(this: number) | 3\n", "A3"),
    ],
)
def test_names__that_the_language_has(text: str, place: str) -> None:
    assert [line.split(":")[0] for line in found(text)] == [f"{place} name-taken"]


def test_names__twice_in_a_vocabulary() -> None:
    text = "Types:\n  name | names\n  colour | red, blue, red\n"
    (problem,) = diagnostics(text)
    assert (problem.code, problem.message) == ("double-name", "`red` stands there twice")
    assert problem.where.span is not None and problem.where.span.start == 11
    assert [r.where.cell.address for r in problem.remarks] == ["B3"]


def test_names__taken_by_another_type() -> None:
    text = COLOURS + "\nRecord: colour\n  field | type\n  a | number\n"
    assert found(text) == ["A5 name-taken: `colour` is taken"]


def test_names__a_table_and_an_input_field() -> None:
    text = "Input:\n  field | type\n  age | number\n\nFormulas: f\n  name | type | is\n  age | number | 3\n"
    assert found(text) == ["A7 name-taken: `age` is taken"]


def test_names__parameters_and_steps_hide_nothing() -> None:
    text = """
Input:
  field | type
  age | number

Formula: later(age: number) -> number
  step | type | is
  age | number | 3
  result | number | 4
"""
    assert [line.split(":")[0] for line in found(text)] == ["A5 hides", "A7 hides"]


def test_names__keys_of_matrices_may_be_called_as_inputs() -> None:
    text = (
        COLOURS
        + """
Input:
  field | type | default
  colour | colour | red

Matrix: worth(colour) -> number
  key | value
  colour |
  red | 1
  green | 2
  blue | 3
"""
    )
    assert found(text) == []


def test_labels__that_name_two_things() -> None:
    text = (
        COLOURS
        + """
Glossary:
  kind | id | label it | also
  colour | red | Rosso | scuro
  colour | blue | Blu | Scuro
"""
    )
    assert found(text) == [
        "D8 double-label: `Scuro` names both `red` and `blue`, so it can be used for neither"
    ]


def test_labels__that_are_the_id_of_another() -> None:
    text = (
        COLOURS
        + """
Glossary:
  kind | id | label it
  colour | red | Blue
"""
    )
    (told,) = found(text)
    assert told.endswith("double-label: `blue` is the id `blue`, so it cannot be used for `red`")


def test_glossary__gives_labels_to_all_that_derive() -> None:
    text = (
        COLOURS
        + """
Types:
  name | of | allowed
  warm | colour | red

Glossary:
  kind | id | label it | also
  colour | red | Rosso | vermiglio
"""
    )
    vocabularies = ruleset(text).vocabularies
    assert [v.names[0].words for v in vocabularies] == [(("it", "Rosso"),)] * 2
    assert vocabularies[1].names[0].spellings == ("vermiglio",)


def test_glossary__rows_that_name_nothing() -> None:
    text = (
        COLOURS
        + """
Input:
  field | type | default
  coins | number | 0

Glossary:
  kind | id | label it
  colour | rde | Rosso
  colours | red | Rosso
  field | coin | Monete
  field | coins | Monete
  term | player | giocatore
"""
    )
    assert found(text) == [
        "B11 unknown-name: `rde` is no name of `colour`",
        "A12 unknown-kind: nothing in this workbook is a `colours`",
        "B13 unknown-id: there is no field `coin`",
    ]


def test_glossary__titles_of_tables_and_fields() -> None:
    text = (
        COLOURS
        + """
Input:
  field | type | default | label it
  coins | number | 0 | Monete

Formulas: f
  name | is
  worth | 3

Glossary:
  kind | id | label it | label en
  field | coins | Denari | Coins
  table | worth | Valore | Worth
"""
    )
    model = ruleset(text)
    assert model.input.state.fields[0].words == (("it", "Monete"), ("en", "Coins"))
    assert model.tables[0].heading.title == (("it", "Valore"), ("en", "Worth"))


def test_narrowed__allowed_must_be_plain() -> None:
    text = COLOURS + "\nTypes:\n  name | of | allowed\n  none | colour | not(red, green, blue)\n"
    assert found(text) == ["C7 nothing-left: no name of `colour` is left"]


def test_languages_and_version() -> None:
    model = ruleset(COLOURS + FRUIT)
    assert model.languages == ("it", "en")
    assert model.version == ruleset(COLOURS + FRUIT).version
    assert model.version != ruleset(COLOURS + FRUIT.replace("plum | blue", "plum | red")).version


# -- names without a label in a language ---------------------------------------------------------

TREES = """
Types: words
  name | names
  tree | oak, fir, elm
  sign | plus, minus

Types: narrower
  name | of | plus
  top | tree | bare

Glossary: words
  kind | id | label it | label en
  tree | oak | quercia | oak
  tree | fir | | fir
  sign | plus | | plus
  top | bare | | bare
"""


def test_labels__names_that_lack_one_are_listed_in_a_note_for_each_language() -> None:
    """`sign` has none in Italian at all, so nothing is lacking; `top` adds only `bare`."""
    notes = [d for d in diagnostics(TREES) if d.code == "missing-label"]
    assert [(str(d.severity), d.message) for d in notes] == [
        ("note", "missing label in `it` for 2 of 3 names of `tree`: fir, elm"),
        ("note", "missing label in `en` for 1 of 3 names of `tree`: elm"),
        ("note", "missing label in `en` for 1 of 2 names of `sign`: minus"),
        ("note", "missing label in `it` for 1 of 4 names of `top`: bare"),
    ]


def test_labels__one_of_another_language_is_marked_with_it() -> None:
    vocabularies = ruleset(TREES).vocabularies
    italian, english = names_in(vocabularies, "it"), names_in(vocabularies, "en")
    assert (italian["tree", "oak"], italian["tree", "fir"]) == ("quercia", "fir (en)")
    assert ("tree", "elm") not in italian and english["tree", "fir"] == "fir"
    assert (italian["sign", "plus"], italian["top", "bare"]) == ("plus", "bare (en)")
    assert names_in(vocabularies, "") == {}


@pytest.mark.parametrize(
    ("words", "language", "wanted"),
    [
        ((("it", "uno"), ("en", "one")), "it", "uno"),
        ((("it", "uno"), ("en", "one")), "de", "one"),
        ((("it", "uno"), ("fr", "un")), "en", "uno"),
        ((("it", "uno"), ("", "1")), "en", "1"),
        ((("it", ""), ("en", "one")), "it", "one"),
        ((), "en", "nothing"),
        ((("en", "one"),), "", "nothing"),
        ((("", "1"),), "", "1"),
    ],
)
def test_words__the_language_then_any_then_english_then_what_there_is(
    words: Words, language: str, wanted: str
) -> None:
    assert in_language(words, language, "nothing") == wanted
