"""What an explanation says of whom a filter dropped, of conditions, and how it tells things apart."""

from __future__ import annotations

from typing import Any

import pytest

from dtables.explanations.plain import as_plain
from dtables.explanations.render import render
from tests.evaluator.books import evaluator

SHOP = evaluator(
    """
# Sheet: Words

Types: words
name | names
kind | tool, toy

Data: item ; key: item
key | kind | whole number | label it | label en
item | kind | price | it | en
hammer | tool | 5 | Martello | Hammer
saw | tool | 7 | Sega | Saw
ball | toy | 2 | | Ball
kite | toy | 3 | |
top | toy | 9 | Trottola | Top

Record: item
field | type | is | text it
dear | boolean | price > 4 | cara
half | number | price / 2 |

Data: step
item | kind | whole number
thing | kind | height
ball | toy | 1
ball | toy | 2
kite | toy | 1

Input: state
field | type | default | label it
coins | whole number | 5 | monete
stock | list of item | [] | scorta

Record: step
field | type
thing | item
kind | kind
height | whole number

# Sheet: Rules

Formula: payable(i: item) -> boolean
step | type | is | text it
due | whole number | price of(i) | il conto; tutto compreso
most | whole number | min(coins, 6) | il tetto, o le monete
result | boolean | i.kind = tool and due <= most | si paga

Formulas: sums
name | type | is | text it
price of(i: item) | whole number | i.price + tax(i.kind) | prezzo e tassa
tax(k: kind) | whole number | if k = tool then 1 else 0 | tassa
payable items | list of item | stock[payable(item)] | quelle che si pagano
either | list of item | stock[price of(item) <= 2 or item = saw] | l'una o l'altra
cheap | list of item | stock[not(dear)] | quelle a buon mercato
tools | list of item | stock[kind = tool] | attrezzi
first payable | item? | stock[payable(item)][1] | la prima che si paga
many | list of whole number | (for n in 1..20 return n)[tripled(item) > 60] | molti
tripled(n: whole number) | whole number | n * 3 | il triplo
low steps | list of step | step[height < 3] | gradini
out of stock | list of item | each item[not(item in stock)] | non in scorta
taxes | list of whole number | for i in stock return tax(i.kind) | tasse
triples | list of whole number | for n in 1..20 return tripled(n) | tripli

Scale: dearest(candidates: list of item) ; decides: no ; title it: La più cara
# | prefer | by | text it
 | | |
1 | highest | price | costa di più

Scale: gift(candidates: list of item) ; title it: Regalo
# | prefer | by | text it
 | | |
a | scale | dearest 1 |
b | chance | | a caso

Decision: help(i: item, k: kind) -> text ; policy: first ; title it: Aiuto
# | if | if | then | text it
 | k | i.price | |
1 | tool | - | "attrezzo" | un attrezzo
2 | tool | > 3 | "caro" | caro
3 | toy | > 5 | "grande" | grande
4 | - | - | "altro" | altro

Ask: goods
role | name | is | text it
answer | goods | payable items | merce
answer | best | first payable | la migliore
answer | other | null | altro
answer | none | null | nessun altro
"""
)
STATE: dict[str, Any] = {"coins": 8, "stock": ["hammer", "saw", "ball"]}


def told(table: str, **given: object) -> list[str]:
    """The lines below the title and the blank line."""
    return render(SHOP.explain_table(table, {**STATE, **given}), "it").splitlines()[2:]


# -- filters ---------------------------------------------------------------------------------------


def test_filter__each_dropped_item_with_the_part_that_failed_and_what_led_to_it() -> None:
    assert told("payable items") == [
        "quelle che si pagano: Martello [Rules!C11]",
        "  Sega: no, «il conto; tutto compreso» 8 > il tetto 6 [Rules!C11]",
        "    il conto; tutto compreso: 8 [Rules!C3]",
        "      prezzo e tassa (Sega): price 7 + 1 = 8 [Rules!C9]",
        "        tassa (tool): 1 [Rules!C10]",
        "  Ball (en): no, kind: toy, non tool [Rules!C11]",
    ]


def test_filter__of_two_parts_joined_by_or_both_failed() -> None:
    assert told("either", stock=["ball", "hammer"])[:2] == [
        "l'una o l'altra: Ball (en) [Rules!C12]",
        "  Martello: no, prezzo e tassa 6 > 2; non Sega [Rules!C12]",
    ]


def test_filter__a_computed_field_gives_way_to_its_reason() -> None:
    assert told("cheap") == [
        "quelle a buon mercato: Ball (en) [Rules!C13]",
        "  Martello e Sega: no, cara: sì [Rules!C13]",
    ]


def test_filter__a_plain_condition_says_itself_what_it_drops() -> None:
    assert told("tools") == ["attrezzi: Martello e Sega [Rules!C14]"]


def test_filter__one_that_reads_the_state_is_told() -> None:
    assert told("out of stock") == [
        "non in scorta: kite e Trottola [Rules!C19]",
        "  Martello, Sega e Ball (en): no, è fra scorta: Martello, Sega e Ball (en) [Rules!C19]",
    ]


def test_filter__where_the_first_is_wanted_only_those_before_it() -> None:
    lines = told("first payable", stock=["ball", "hammer", "saw"])
    assert lines == [
        "la prima che si paga: Martello [Rules!C15]",
        "  Ball (en): no, kind: toy, non tool [Rules!C15]",
    ]


def test_filter__of_a_long_list_the_beginning() -> None:
    lines = told("many")
    assert lines[0] == "molti: nessun elemento [Rules!C16]"
    assert lines[1] == "  1: no, il triplo 3 ≤ 60 [Rules!C16]"
    assert lines[-1] == "  e altri 8: no [Rules!C16]"
    assert len(lines) == 1 + 12 + 1


def test_filter__that_kept_all_has_nothing_to_tell() -> None:
    assert told("payable items", stock=["hammer"]) == ["quelle che si pagano: Martello [Rules!C11]"]


def test_filter__as_plain() -> None:
    (step,) = as_plain(SHOP.explain_table("payable items", STATE))["steps"]
    (filtered,) = step["inside"]
    assert filtered["kind"] == "filter"
    assert [(item["item"], item["kept"]) for item in filtered["items"]] == [
        ("hammer", True),
        ("saw", False),
        ("ball", False),
    ]
    kept, saw, _ = filtered["items"]
    assert "because" not in kept
    assert [one["name"] for one in saw["inside"]] == ["payable"]
    because = saw["inside"][0]["because"]
    assert because == [
        {"cell": "book.xlsx!Rules!C5", "text": "due 8 > most 6", "seen": [8, 6], "holds": False}
    ]


# -- conditions ------------------------------------------------------------------------------------


def test_condition__says_why_it_does_not_hold() -> None:
    assert (
        told("payable", i="saw")[0]
        == "payable (Sega): no, «il conto; tutto compreso» 8 > il tetto 6 [Rules!C5]"
    )


def test_condition__says_why_it_holds() -> None:
    lines = told("payable", i="hammer")
    assert (
        lines[0] == "payable (Martello): sì, kind: tool; «il conto; tutto compreso» 6 ≤ il tetto 6 [Rules!C5]"
    )


def test_decision__rows_that_fail_for_the_same_are_told_together() -> None:
    assert told("help", i="ball", k="toy") == [
        "Aiuto (Ball (en), toy): altro, per la riga 4 «altro» [Rules!D40]",
        "  righe 1 e 2: no, richiedono tool (k: toy) [Rules!B37, B38]",
        "  riga 3 «grande»: no, richiede > 5 (price: 2) [Rules!C39]",
    ]


# -- how things are called -------------------------------------------------------------------------


def test_names__of_another_language_before_the_id() -> None:
    assert (
        told("dearest", candidates=["ball", "kite"])[0]
        == "La più cara, 2 candidati: Ball (en) e kite [Rules!A23]"
    )


def test_names__rows_that_read_alike_get_a_number() -> None:
    said = "gradini: Ball (en) toy (height 1), Ball (en) toy (height 2) e kite toy (height 1) [Rules!C18]"
    assert told("low steps") == [said]


def test_scale__a_row_of_another_scale_is_named_with_its_title() -> None:
    assert told("gift", candidates=["ball", "kite"])[1] == (
        "  criterio 1 di «La più cara», «costa di più»: resta kite – Ball (en): 2, kite: 3 [Rules!C26]"
    )


def test_ask__what_came_to_nothing_shares_one_line() -> None:
    lines = render(SHOP.explain("goods", STATE), "it").splitlines()
    assert lines[2] == "merce: Martello [Rules!C44]"
    assert lines[-1] == "niente per: altro, nessun altro [Rules!C46, C47]"


def test_ask__the_answer_is_the_same_without_an_observer() -> None:
    assert SHOP.explain("goods", STATE).answer == SHOP.answer("goods", STATE)


# -- loops -----------------------------------------------------------------------------------------


def test_loop__each_item_that_came_to_something_with_what_was_called_for_it() -> None:
    assert told("taxes") == [
        "tasse: 1, 1 e 0 [Rules!C20]",
        "  Martello: 1 [Rules!C20]",
        "    tassa (tool): 1 [Rules!C10]",
        "  Sega: 1 [Rules!C20]",
        "    tassa (tool): 1, come sopra [Rules!C10]",
    ]


def test_loop__over_more_than_a_dozen_items_is_not_told() -> None:
    assert told("triples") == ["tripli: 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 36, … [Rules!C21]"]


def test_map__its_names_have_their_labels_and_entries_say_what_they_hold() -> None:
    counted = evaluator(
        """
Types: words
name | names
good | cloth, food

Glossary: names
kind | id | label it
good | cloth | stoffa
good | food | cibo

Formulas: f
name | type | is | text it
wanted(g: good) | whole number | if g = cloth then 2 else 1 | quanto serve

Formula: prices -> whole number by good
step | is
result | context(for g in each good return {key: g, value: wanted(g)})

Ask: q ; main: yes
role | name | is
answer | all | prices
"""
    )
    lines = [line.strip() for line in render(counted.explain("q", {}), "it").splitlines()]
    assert "all: stoffa 2; cibo 1 [Sheet1!C20]" in lines
    assert any(line.startswith("stoffa: stoffa 2 [") for line in lines)


@pytest.mark.parametrize(("numbers", "named"), [(("# | ", "7 | "), "row 7"), (("", ""), "row 1")])
def test_row__without_a_number_is_called_by_its_place(numbers: tuple[str, str], named: str) -> None:
    head, number = numbers
    sized = evaluator(
        f"""
Input: state
field | type
weight | whole number

Decision: size -> text ; policy: first
{head}if | then
{head}weight | size
{number}> 3 | "large"
{number}- | "small"

Ask: q ; main: yes
role | name | is
answer | size | size
"""
    )
    said = render(sized.explain("q", {"weight": 9}), "en")
    assert named in said
