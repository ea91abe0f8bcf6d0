"""Why a played move is not the rules' move: a sentence of each sort, and sixty misplays in a log of Duel."""

from __future__ import annotations

import base64
import json
import re
import zlib
from dataclasses import replace
from functools import cache
from itertools import cycle
from typing import Any

import pytest

from dtables.answers.engines import compiled_engine
from dtables.audit.audit import ALL, AskCounts, Audit, Auditor, audit_chunk
from dtables.audit.misplays import Misplay
from dtables.audit.page import LARGE, SMALL, report_page
from dtables.checker import check_book
from dtables.diagnostics import Severity, render
from dtables.logs.jsonlines import JsonChunk
from dtables.logs.turns import Turns
from dtables.model.tables import Formula
from dtables.pages.report import print_report
from dtables.ruleset import Ruleset, load
from tests.audit.duel_misplays import Planted, planted_log
from tests.support.drawing import book_text
from tests.support.source import ROOT

BOOK = """
# Sheet: Rules
Types: words
  name | names
  fruit | apple, pear, plum, fig
  act | pick, buy, rest
  tint | red, green

Glossary: words
  kind | id | label it | label en
  fruit | apple | mela | apple
  fruit | pear | pera | pear
  fruit | plum | prugna | plum
  fruit | fig | fico | fig
  act | pick | raccogliere | pick
  act | buy | comprare | buy
  act | rest | riposare | rest
  tint | red | rossa | red
  tint | green | verde | green
  switch SLEEP | YES | si può dormire | sleeping is allowed
  term | hanging | frutti appesi | hanging fruit
  term | ripe | matura | ripe
  term | basket | cesto | basket

Record: hung
  field | type | default | label it | label en
  fruit | fruit | needed | frutto | fruit
  size | whole number | 1 | misura | size
  ripe | boolean | true | matura | ripe
  tint | tint | red | tinta | tint

Record: move
  field | type
  act | act
  got | hung?

Input: state
  field | type | default | label it | label en
  tree | list of hung | | albero | tree
  coins | whole number | 0 | monete | coins
  level | whole number | 1 | livello | level

Settings: rules ; overridden by: state.switches
  switch | default | other values | text it | text en
  SLEEP | NO | YES | dormire | sleeping

Formulas: reckoning
  name | type | is | text it | text en
  ripe ones | list of hung | tree[ripe] | frutti maturi | ripe fruit
  picked | move? | if ripe ones = [] then null else {act: pick, got: best(ripe ones)} | |
  price(n: number) | number | n + 1 | |

Scale: best(candidates: list of hung) ; title it: Il frutto migliore ; title en: The best fruit
  # | prefer | by | text it | text en
   | | | |
  1 | first in [green, red] | tint | prima i verdi | green ones first
  2 | highest | size | il più grande | the largest
  3 | first | | il primo | the first

Decision: turn -> move ; policy: first ; title it: Il turno ; title en: The turn
  # | if | if | take | text it | text en
    | SLEEP | coins | move | |
  1 | YES | - | {act: rest} | Dormire | Sleep
  2 | - | - | picked | Raccogliere | Pick
  3 | - | >= 3 | {act: buy} | Comprare | Buy
  4 | - | - | {act: rest} | Riposare | Rest

Decision: toll(n: number) -> number ; policy: unique ; title it: Il pedaggio ; title en: The toll
  # | if | then | text it | text en
    | n | toll | |
  1 | < 2 | 0 | gratis | free
  2 | >= 2 | price(n) | pieno | full

Matrix: gift(act) -> number ; title it: Il dono ; title en: The gift
  key | value
  act | gift
  pick | 1
  buy | 2
  rest | 3

Ask: turn ; main: yes ; context: level, coins
  role | name | is | text it | text en
  need | tree | | |
  step | move | turn | |
  answer | act | move.act | azione | action
  answer | fruit | move.got.fruit | frutto | fruit
  answer | toll | toll(level) | pedaggio | toll
  answer | gift | gift(move.act) | dono | gift
  answer | any_red | some f in tree satisfies f.tint = red | uno rosso | a red one
"""
TREE = [
    {"fruit": "apple", "size": 2}, {"fruit": "pear", "size": 4}, {"fruit": "plum", "size": 9, "ripe": False},
    {"fruit": "fig", "size": 1, "tint": "green"},
]  # fmt: skip
REDS = TREE[:3]


@cache
def rules() -> Ruleset:
    model, found = check_book(book_text(BOOK)[0])
    assert model is not None, render(found)
    return Ruleset(model)


def audited(rules: Ruleset, records: list[dict[str, Any]]) -> Audit:
    lines = "\n".join(json.dumps(record) for record in records).encode()
    auditor = Auditor(compiled_engine(rules.model, rules.source), rules.model, detailed=ALL)
    return audit_chunk(auditor, JsonChunk(None, 1, lines), Turns()).audit


def misplay(played: dict[str, Any], **state: Any) -> Misplay:
    found = audited(rules(), [{"turn": 1, "state": {"tree": REDS, **state}, "played": played}])
    assert not found.rejects, found.rejects
    (one,) = found.misplays
    return one


SENTENCES = [
    (
        {"act": "pick", "fruit": "apple"}, {},
        "Pear comes before apple: criterion 2 of The best fruit, “the largest” (pear: 4; apple: 2).",
        "Pera viene prima di mela: criterio 2 di Il frutto migliore, «il più grande» (pera: 4; mela: 2).",
        "The largest", "criterion 2 of The best fruit",
    ),
    (
        {"fruit": "pear"}, {"tree": TREE},
        "Fig comes before pear: criterion 1 of The best fruit, “green ones first” (green before red).",
        "Fico viene prima di pera: criterio 1 di Il frutto migliore, «prima i verdi» (verde prima di rossa).",
        "Green ones first", "criterion 1 of The best fruit",
    ),
    (
        {"fruit": "prugna"}, {},
        "Plum is not among “ripe fruit”: it does not meet “ripe”; of the 2 that are, pear comes first: "
        "criterion 2 of The best fruit, “the largest” (pear: 4; apple: 2).",
        "Prugna non è fra «frutti maturi»: non soddisfa «matura»; fra 2 possibili viene prima pera: "
        "criterio 2 di Il frutto migliore, «il più grande» (pera: 4; mela: 2).",
        "Only ripe fruit", "",
    ),
    (
        {"act": "rest"}, {},
        "“Pick” (pear) comes before “Rest”, and it applies (The turn, row 2 before row 4).",
        "«Raccogliere» (pera) viene prima di «Riposare» e si applica (Il turno, riga 2 prima della riga 4).",
        "Pick comes first", "The turn, row 2",
    ),
    (
        {"act": "buy"}, {"tree": [], "coins": 2},
        "“Buy” does not apply (The turn, row 3): coins is 2, needs ≥ 3; “Rest” applies (row 4).",
        "«Comprare» non si applica (Il turno, riga 3): monete è 2, richiede ≥ 3; "
        "si applica «Riposare» (riga 4).",
        "Buy: only if it applies", "The turn, row 3",
    ),
    (
        {"act": "pick", "fruit": "plum"}, {"tree": TREE[2:3], "coins": 9},
        "“Pick” does not apply (The turn, row 2): ripe fruit: none; “Buy” applies (row 3).",
        None,
        "Pick: only if it applies", "The turn, row 2",
    ),
    (
        {"toll": 9}, {"level": 4},
        "Toll: 5, not 9; row 2 “full” of The toll (4) applies; price (4): 4 + 1 = 5.",
        None,
        "Full", "The toll, row 2",
    ),
    (
        {"toll": 0}, {"level": 4},
        "“free” does not apply (The toll, row 1): n is 4, needs < 2; “full” applies (row 2).",
        None,
        "Free: only if it applies", "The toll, row 1",
    ),
    ({"gift": 3}, {}, "Gift: 1, not 3; The gift (pick) has 1.", None, "The gift", "The gift"),
    ({"any_red": False}, {}, "A red one: yes, not no", None, "A red one", "a red one"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("played", "state", "english", "italian", "rule", "place"), SENTENCES, ids=lambda value: str(value)[:40]
)
def test_sentences(
    played: dict[str, Any], state: dict[str, Any], english: str, italian: str | None, rule: str, place: str
) -> None:
    told = misplay(played, **state).texts
    assert told["en"].sentence.startswith(english), told["en"].sentence
    assert italian is None or told["it"].sentence == italian
    assert (told["en"].rule.sentence, told["en"].rule.place) == (rule, place)


def test_house_rules_are_said_in_words() -> None:
    told = misplay({"act": "rest"}, switches={"SLEEP": "NO"})
    assert told.texts["en"].house_rules == ()
    told = misplay({"act": "pick"}, switches={"SLEEP": "YES"})
    assert told.texts["it"].house_rules == ("dormire: si può dormire",)
    assert told.texts["en"].house_rules == ("sleeping: sleeping is allowed",)
    for text in told.texts.values():
        assert "SLEEP" not in text.sentence + zlib.decompress(text.details).decode()


def test_context_is_what_the_author_chose() -> None:
    """Also what the record leaves out, by its default."""
    one = misplay({"act": "rest"}, coins=7)
    assert one.texts["it"].context == (("livello", "1"), ("monete", "7"))
    assert [(value.field.name, value.value) for value in one.context] == [("level", 1), ("coins", 7)]


def test_context_that_is_not_there() -> None:
    model, found = check_book(book_text(BOOK.replace("context: level", "context: levl"))[0])
    assert model is None
    assert [one.code for one in found if one.severity is Severity.ERROR] == ["unknown-place"]


def test_turns_are_counted_by_their_context() -> None:
    records = [
        {"turn": n, "state": {"tree": REDS, "level": n % 2}, "played": {"act": "pick" if n % 3 else "rest"}}
        for n in range(12)
    ]
    found = audited(rules(), records)
    rates = {
        (field.name, value): (counts.played, counts.agreed) for (field, value), counts in found.groups.items()
    }
    assert rates[("level", 0)] == (6, 4) and rates[("level", 1)] == (6, 4)


TRIED = """
Types: words
  name | names
  act | hire, print, sell

Input: state
  field | type | default
  card | list of act |
  full | list of act | []

Attempts: turn -> act? ; title en: The turn
  step | each | if | then | text en
   | | | act |
  1 | card | not(list contains(full, item)) | item | Which action. The first for which there is room.
  2 | | - | sell | Sell.

Ask: turn ; main: yes
  role | name | is
  need | card |
  answer | act | turn
"""


@pytest.mark.parametrize(
    ("played", "sentence"),
    [
        ("hire", "Hire does not work (The turn, row 1): "),
        ("sell", "“Which action” (print) comes before “Sell”"),
    ],
)
def test_steps_that_are_tried_in_order(played: str, sentence: str) -> None:
    model, found = check_book(book_text(f"# Sheet: Rules\n{TRIED}")[0])
    assert model is not None, render(found)
    record = {"turn": 1, "state": {"card": ["hire", "print"], "full": ["hire"]}, "played": {"act": played}}
    (one,) = audited(Ruleset(model), [record]).misplays
    assert one.texts["en"].sentence.startswith(sentence), one.texts["en"].sentence


# -- a log of Duel --------------------------------------------------------------------------------------

TURNS, MISPLAYS = 700, 60


@cache
def duel() -> tuple[dict[int, Planted], Audit, Ruleset]:
    """Every tenth turn is planted; the log for people to look at has two thousand."""
    game = load(ROOT / "tables" / "duel.xlsx")
    planted, records = {}, []
    for record, wrong in planted_log(TURNS, MISPLAYS, game.answer):
        records.append(record)
        if wrong is not None:
            planted[record["turn"]] = wrong
    return planted, audited(game, records), game


def test_every_misplay_is_found_and_no_other() -> None:
    planted, audit, _ = duel()
    assert len(planted) == MISPLAYS
    assert {one.turn for one in audit.misplays} == set(planted)


def test_each_names_the_rule_that_speaks_against_it() -> None:
    """By the cell of the criterion, row or filter that the game's own rules name."""
    planted, audit, game = duel()
    tables = {table.heading.name: table for table in game.model.tables}
    wrong = []
    for one in audit.misplays:
        expected = planted[one.turn]  # type: ignore[index]
        text, table = one.texts["en"], tables[expected.table]
        title = dict(table.heading.title).get("en", expected.table)
        named = text.rule.place
        if isinstance(table, Formula):
            right = text.rule.cell == f"{table.cell.sheet}!{table.cell.address}"
        else:
            right = title in named and f" {expected.row} " in f" {named.replace(',', ' ')} "
        if not right:
            wrong.append((one.turn, expected.kind, expected.table, expected.row, named, text.sentence))
    assert wrong == []


def test_each_sort_is_there() -> None:
    planted, _, _ = duel()
    assert len({one.kind for one in planted.values()}) == 12


# -- size ---------------------------------------------------------------------------------------------


def many(turns: int) -> Audit:
    """An audit of so many turns, half of them misplays: those of Duel, told again and again."""
    _, audit, _ = duel()
    every = cycle(audit.misplays)
    misplays = [
        replace(next(every), turn=n, line=n, game=f"evening {n // 40}") for n in range(1, turns // 2 + 1)
    ]
    rules = {key: replace(one, count=one.count * turns // 120) for key, one in audit.rules.items()}
    asks = {ask: AskCounts(turns, turns, turns - len(misplays)) for ask in audit.asks}
    whole = replace(audit, records=turns, asks=asks, rules=rules, misplays=misplays, differing=len(misplays))
    assert whole.played == turns
    return whole


def test_the_page_of_ten_thousand_turns_is_small() -> None:
    """All 5,000 misplays are in the list; details of as many as fit, of every rule some."""
    audit, game = many(10_000), duel()[2]
    page = report_page(audit, game.model, "log", "en", SMALL, print_report)
    assert len(page.encode()) <= SMALL
    _, rules, _, rows = unpacked(page, 'data-list="en"')
    assert len(rows) == 5_000
    detailed = {row[5] for row in rows if row[12]}
    assert detailed == set(range(len(rules)))
    piece, place = next(row[12] for row in rows if row[12])
    moves, decision, matrices, steps = unpacked(page, f'data-piece="en-{piece}"')[place]
    assert moves and (decision or matrices) and steps


def test_with_all_details_it_is_larger() -> None:
    audit, game = many(2_000), duel()[2]
    page = report_page(audit, game.model, "log", "it", LARGE, print_report)
    assert len(page.encode()) <= LARGE
    _, _, _, rows = unpacked(page, 'data-list="it"')
    assert all(row[12] for row in rows)


def unpacked(page: str, mark: str) -> Any:
    """What the page's script makes of a piece of data."""
    found = re.search(f"{mark}>([^<]+)<", page)
    assert found is not None, mark
    return json.loads(zlib.decompress(base64.b64decode(found.group(1))))
