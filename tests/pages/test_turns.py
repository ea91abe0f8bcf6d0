"""Turns, attempts, cases and terms on pages; what is inlined, factored, resolved away; letters, pointers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dtables.diagnostics import render
from dtables.pages.compose import Print, print_view
from dtables.pages.coverage import coverage
from dtables.pages.document import (
    Chip,
    ChipKind,
    Document,
    Edition,
    Mark,
    Procedure,
    StepRow,
    Steps,
    inlines,
    plain,
    text_of,
)
from dtables.pages.legend import letters_of
from dtables.pages.orders import factored
from dtables.pages.pointers import lettered
from dtables.pages.turns import run_on
from dtables.provenance import CellRef
from tests.pages.as_text import as_text
from tests.pages.books import drawn
from tests.pages.solo import SOLO

AT = CellRef("solo.xlsx", "Rules", 1, 1)
SHEET = """The rival · Aid
== face 1a <R> red <Y> yellow <Gy> grey <Gn> green
Setup ()
  1 Set up as for two.
Turn (the first step that works ends the turn)
  1 (cat) _Cat._ It has the (cat) pawn? Turn up the card.
  2 [[From Age II]] _Compare._ It takes the card of the first line of [W] that helps with a *stage*.
  3 Several decks?
      (die 1)(die 2)(die 3) | yours
      (die 4)(die 5)(die 6) | its own
  4 _Use it._ Do [A], then [B]. [[You have lost]]
  5 _Extra._ Once more. [[again from step 2]]
  6 <R> Put away what is left. [[End of turn]]
End of the game ()
  1 Score as for two.
[W] Which card (lowest number wins)
  1 <Y> a <Y> one
  2 <Gy><Gn> most points
  3 IF age > 1: by way
  4 _By chance_
  A line for some only puts these before the others.
[A] What cards do ()
  <Y> _Yellow_: Counts (coin 1).
  <Gy> _Grey_: For a *stage*.
  <Gn> _Green_: Nothing.
[B] Actions (the first that works is done)
  1 _Build._ It costs (coin 3).
  2 _Buy._ One card.
  _Otherwise_: take
[C] Words ()
  _Stage_ (of a house): not built yet. E.g. the first
  _Pawn_: is the cat.
== face 1b
[D] The colours ()
  A: <Y> yellow, <Gy> grey
  B: <Gn> green, <R> red
  AB = AB
  BA = BA
  … Each letter is a list: the first letter's first.
"""

FOGLIO = """Il rivale · Aiuto
== face 1a <R> rossa <Gi> gialla <Gr> grigia <V> verde
Preparazione ()
  1 Prepara come in due.
Turno (il primo passo che riesce chiude il turno)
  1 (cat) _Gatto._ Ha la (cat) pedina? Gira la carta.
  2 [[Dalla II Epoca]] _Confronta._ Prende la carta del primo rigo di [W], se le serve in una *fase*.
  3 Più mazzi?
      (die 1)(die 2)(die 3) | il tuo
      (die 4)(die 5)(die 6) | il suo
  4 _Usala._ Segui [A], poi [B]. [[Hai perso]]
  5 _Extra._ Di nuovo. [[di nuovo dal passo 2]]
  6 <R> Metti via quello che resta. [[Fine]]
Fine partita ()
  1 Conta i punti come in due.
[W] Quale carta (lowest number wins)
  1 <Gi> una <Gi>
  2 <Gr><V> più punti
  3 IF epoca > 1: per verso
  4 _A caso_
  Una riga solo per alcuni li mette davanti agli altri.
[A] Che cosa fanno ()
  <Gi> _Gialla_: Vale (coin 1).
  <Gr> _Grigia_: Per una *fase*.
  <V> _Verde_: Niente.
[B] Azioni (si fa la prima cosa che riesce)
  1 _Costruisci._ Costa (coin 3).
  2 _Compra._ Una carta.
  _Altrimenti_: prendi
[C] Parole ()
  _Fase_ (di una casa): non ancora costruita. Es.: la prima
  _Pedina_: è il gatto.
== face 1b
[D] I colori ()
  A: <Gi> gialla, <Gr> grigia
  B: <V> verde, <R> rossa
  AB = AB
  BA = BA
  … Ogni lettera è una lista: prima quella della prima lettera.
"""

DECK = """== card 1: The rival <R> red
Setup ()
  1 Set up as for two.
Turn (the first step that works ends the turn)
  1 (cat) _Cat._ It has the (cat) pawn? Turn up the card.
  2 [[From Age II]] _Compare._ It takes the card of the first line of [card 2, Which card] that helps with a *stage*.
  3 Several decks?
      (die 1)(die 2)(die 3) | yours
      (die 4)(die 5)(die 6) | its own
  4 _Use it._ Do [card 3, What cards do], then [card 3, Actions]. [[You have lost]]
  5 _Extra._ Once more. [[again from step 2]]
  6 <R> Put away what is left. [[End of turn]]
End of the game ()
  1 Score as for two.
  _Stage_ (of a house): not built yet.
== card 2: Which card <Y> yellow <Gy> grey <Gn> green
()
  1 <Y> a <Y> one
  2 <Gy><Gn> most points
  3 IF age > 1: by way
  4 _By chance_
  A line for some only puts these before the others.
== card 3: The rival
Actions (the first that works is done)
  1 _Build._ It costs (coin 3).
  2 _Buy._ One card.
  _Otherwise_: take
What cards do ()
  <Y> _Yellow_: Counts (coin 1).
  <Gy> _Grey_: For a *stage*.
  <Gn> _Green_: Nothing.
  _Stage_ (of a house): not built yet.
"""  # noqa: E501


def pages(text: str = SOLO, language: str = "en", wish: Print | None = None) -> Document:
    made, found = print_view(drawn(text, "solo.xlsx"), language, wish)
    assert not found, render(found)
    return made


def face(document: Document, n: int = 0) -> str:
    """One face, from its line on."""
    return as_text(document).split("\n== ")[n + 1]


@pytest.mark.parametrize(("language", "wanted"), [("en", SHEET), ("it", FOGLIO)], ids=["en", "it"])
def test_a_turn_and_all_that_it_points_to(language: str, wanted: str) -> None:
    assert as_text(pages(language=language)).split("\n== card")[0] + "\n" == wanted


def test_cards__name_other_cards_and_define_their_own_words() -> None:
    assert "== card" + as_text(pages()).split("\n== card", 1)[1] + "\n" == DECK


def test_chips__what_they_say() -> None:
    block = next(b for b in pages().sheets[0].blocks if b.phase == "turn")
    chips = [part for inline in inlines(block) for part in inline if isinstance(part, Chip)]
    assert [(chip.kind, chip.text) for chip in chips] == [
        (ChipKind.CONDITION, "From Age II"),
        (ChipKind.END, "You have lost"),
        (ChipKind.GO, "again from step 2"),
        (ChipKind.END, "End of turn"),
    ]


def test_letters__follow_the_order_in_which_a_page_is_read() -> None:
    """And count on over the faces of one sheet of paper; one that the author gave stays."""
    made = pages()
    keys = [block.key for block in made.sheets[0].blocks]
    turned = lettered(made, [list(reversed(keys)), ["order"]])
    letters = {block.key: block.letter for sheet in turned.sheets for block in sheet.blocks}
    assert letters == {
        "rival": "", "rival / turn": "", "rival / end": "", "which card": "W", "words of the rival": "A",
        "actions": "B", "what cards do": "C", "order": "D",
    }  # fmt: skip
    assert "Do [C], then [B]." in as_text(turned)


def test_letters__are_the_same_in_every_language() -> None:
    of = [[b.letter for s in pages(language=lang).sheets for b in s.blocks] for lang in ("it", "en")]
    assert of[0] == of[1]


def test_house_rules__a_page_is_for_one_way_to_play() -> None:
    once = face(pages(wish=Print({"LIMIT": "GAME"})))
    assert "a <Y> one" not in once and "2 <R> a <R> one" in once
    assert pages(wish=Print({"LIMIT": "GAME"})).band == "House edition: how often it buys: once a game"


def test_proof__says_where_everything_comes_from() -> None:
    made = pages(wish=Print(edition=Edition.PROOF))
    turn = next(b for b in made.sheets[0].blocks if b.phase == "turn")
    assert isinstance(turn.body, Procedure)
    assert turn.proof == ("Rules!A1:K10", "rival")
    assert [(row.cell.address, row.source) for row in turn.body.rows][1] == ("A5", ("A-3..A-5",))
    assert made.edition is Edition.PROOF


def test_coverage__where_each_id_is_carried_out() -> None:
    text = SOLO.replace("  E1 | end |", "  E1 | end |").replace(
        "Formulas: sums", "Formulas: sums ; source: A-12"
    )
    found = coverage(drawn(text, "solo.xlsx"), "en")
    assert found.missing == ("A-12",)
    assert dict(found.shown)["A-4"] == ("1a Turn", "card 1 Turn")
    assert list(dict(found.shown))[-2:] == ["A-10", "A-11"]
    assert found.as_text().splitlines()[-1] == "A-12  –"


# -- short tables stand in the step ---------------------------------------------------------------


def test_inside__a_table_whose_author_says_so() -> None:
    inside = SOLO.replace(
        "others: last ; title it: Quale", "others: last ; print: inside rival ; title it: Quale"
    )
    text = face(pages(inside.replace("  1a | A4 | which card | | W | lowest number wins\n", "")))
    assert "It takes the card of the first line of below that helps" in text
    assert "    1 <Y> a <Y> one" in text and "Which card" not in text


def test_inside__a_short_table_goes_on_in_the_text_of_an_entry() -> None:
    first = StepRow("1", (), (), plain("Lowest cost"), (), AT)
    rows = (first, StepRow("2", (), (plain("if late"),), plain("last"), (), AT))
    text, left = run_on(plain("Of these it takes:"), (Steps(rows), Steps(())), 60)
    assert text_of(text) == "Of these it takes: 1\u00a0Lowest cost; 2\u00a0If late Last." and left == ()
    assert text_of(run_on((), (Steps((first,)),))[0]) == "Lowest cost.", "no number, where it is alone"
    assert run_on(plain("One."), (Steps(rows),), 10) == (plain("One."), (Steps(rows),))
    outcome = replace(rows[0], outcome=plain("3"))
    assert run_on((), (Steps((outcome,)),))[1] == (Steps((outcome,)),)


def test_inside__not_where_the_wording_points_to_it() -> None:
    text = SOLO.replace("Several decks? | die", "Several decks? → {1} | die")
    text = text.replace("  1b | A4 | order", "  1a | A4 | die for decks | | |\n  1b | A4 | order")
    text = text.replace("  2 | tarot | rival", "  5 | tarot | die for decks | | |\n  2 | tarot | rival")
    assert "3 _Several decks?_ [D]\n" in face(pages(text))


def test_printed_never() -> None:
    text = SOLO.replace("Terms: words of the rival ;", "Terms: words of the rival ; print: never ;")
    assert "Words" not in as_text(print_view(drawn(text), "en")[0])


# -- without pages ----------------------------------------------------------------------------------


def test_without_pages__turns_come_first_and_everything_is_there() -> None:
    made, _ = print_view(drawn(SOLO[: SOLO.index("Pages: aid")]), "en")
    assert [block.title for block in made.sheets[0].blocks] == [
        "Setup", "Turn", "End of the game", "Which card", "The colours", "What cards do", "Actions", "Words",
    ]  # fmt: skip


def test_a_language_without_pages__is_printed_as_another() -> None:
    text = SOLO.replace("  face | size | table", "  face | language | size | table")
    for row in ("1a", "1b", "2", "3", "4"):
        text = text.replace(f"  {row} | A4 |", f"  {row} | it | A4 |").replace(
            f"  {row} | tarot |", f"  {row} | it | tarot |"
        )
    made, found = print_view(drawn(text, "solo.xlsx"), "en")
    assert [d.code for d in found] == ["pages-of-another-language"]
    assert as_text(made) == as_text(pages())


# -- letters of badges, factoring -----------------------------------------------------------------


def test_letters_of_badges__the_shortest_beginning_that_tells_them_apart() -> None:
    def letters(*labels: str) -> list[str]:
        marks = [Mark(("#000000",), "circle", label[0], label) for label in labels]
        return list(letters_of(marks).values())

    assert letters("marrone", "grigia", "gialla", "verde") == ["M", "Gr", "Gi", "V"]
    assert letters("brown", "grey", "green", "blue") == ["Br", "Gy", "Gn", "Bl"]
    assert letters("brown", "black", "blue", "red") == ["Br", "Bk", "Bu", "R"]
    assert letters("romance", "science fiction", "superheroes") == ["R", "Sc", "Su"]
    assert letters("red", "redder", "redden") == ["Rd", "Rr", "Rn"]
    given = replace(Mark(("#000000",), "circle", "X", "blue"), given=True)
    assert letters_of([given]) == {}


RAW = """
Types: words
  name | names
  kind | raw, grey, yellow, green

Glossary: words
  kind | id | label it | label en | colour | letter it | letter en
  kind | raw | marrone o grigia | brown or grey | brown/grey | {given} | {given}
  kind | grey | grigia | grey | grey | |
  kind | yellow | gialla | yellow | yellow | |
  kind | green | verde | green | green | |

Input: state
  field | type
  mine | kind

Cases: rules
  key | text it | text en
  all | {{raw}} {{grey}} {{yellow}} {{green}} | {{raw}} {{grey}} {{yellow}} {{green}}

Pages: aid
  face | size | table
  1a | A4 | rules
"""


@pytest.mark.parametrize(
    ("language", "wanted"), [("it", ["Gr", "Gi", "V", "M/Gr"]), ("en", ["Gy", "Y", "Gn", "B/Gy"])]
)
def test_letters_of_badges__halves_have_the_letters_of_their_words(language: str, wanted: list[str]) -> None:
    book = drawn(RAW.format(given=""))
    made, found = print_view(book, language)
    assert [entry.mark.letter for entry in made.sheets[0].legend if isinstance(entry.mark, Mark)] == wanted
    assert "badge-clash" not in [d.code for d in found]


def test_letters_of_badges__a_half_that_is_taken_for_another() -> None:
    _, found = print_view(drawn(RAW.format(given="M/G")), "it")
    assert "`G` is the badge of `grigia` on page 1a, and begins `gialla` too" in [d.message for d in found]


def test_legend__the_letters_that_orders_are_spelled_with() -> None:
    ways = """  way | AB | AB: avanti, basso | AB: ahead, below | |
  way | BA | BA: basso, avanti | BA: below, ahead | |
  term | solo"""
    made = pages(SOLO.replace("  term | solo", ways))
    legends = [{entry.mark.alt: entry.label for entry in sheet.legend} for sheet in made.sheets]
    assert "A" not in legends[0]
    assert (legends[1]["A"], legends[1]["B"]) == ("ahead", "below")


def test_factored__expands_to_the_same_columns() -> None:
    m, s, c, last = ("ma", "mb"), ("sa", "sb"), ("ca", "cb"), ("z", "y")
    columns = [(*m, *s, *c, *last), (*m, *c, *s, *last), (*s, *m, *c, *last), (*c, *s, *m, *last)]
    found = factored(["MS", "MC", "SM", "CS"], columns)
    assert found is not None and found.spelled
    assert dict(zip(found.signs, found.lists, strict=True)) == {"M": m, "S": s, "C": c}
    assert (found.first, found.last) == ((), last)
    assert [found.expanded(n) for n in range(4)] == columns


def test_factored__one_item_to_a_letter() -> None:
    columns = [("t", "m", "s", "c"), ("t", "c", "m", "s"), ("t", "s", "m", "c")]
    found = factored(["MS", "CM", "SM"], columns)
    assert found is not None and found.spelled and found.first == ("t",)
    assert dict(zip(found.signs, found.lists, strict=True)) == {"M": ("m",), "S": ("s",), "C": ("c",)}
    assert factored(["1", "2", "3"], columns) is None


@pytest.mark.parametrize(
    "columns",
    [
        [("a", "b", "c", "d")],
        [("a", "b", "c", "d"), ("a", "b", "c", "d")],
        [("a", "b", "c"), ("c", "b", "a")],
        [("a", "b", "c", "d"), ("c", "d", "a", "e")],
        [("a", "b", "a", "b"), ("b", "a", "b", "a")],
    ],
)
def test_factored__only_where_that_spares_something(columns: list[tuple[str, ...]]) -> None:
    assert factored([str(n) for n in range(len(columns))], columns) is None


def test_inside__one_row_and_otherwise_are_two() -> None:
    more = """
Decision: rank(c: colour) -> whole number ; policy: unique ; otherwise: 0 ; title en: Rank
  if | then
  c | rank
  red | 1
"""
    text = SOLO.replace("Dice: die for decks", more + "\nDice: die for decks")
    text = text.replace("Several decks? | die for decks |", "Several decks? | die for decks, rank |")
    _, found = print_view(drawn(text), "en")
    assert [d.message for d in found] == ["this row points to `rank`, which is on no page"]
