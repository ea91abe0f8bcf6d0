"""An author may call things as he likes: no name hides what a compiled module needs."""

from __future__ import annotations

from tests.agreement.engines import Engines, spelled
from tests.evaluator.books import evaluator

BOOK = """
Types: words
name | names
turn | red, green

Record: place
field | type
at | whole number
names | list of turn

Input: state
field | type | default
once | list of place | []
count | whole number | 1

Formulas: reckoning
name | type | is
first(rows: list of place) | boolean | some present in rows satisfies present.at = state.count
len(rows: list of place) | whole number | count(rows) + (if first(rows) then 1 else 0)
add(misread: whole number) | whole number | misread + 1
Decimal | whole number | add(len(once))

Scale: tiers(fill: list of place) ; decides: yes
# | prefer | by
 | |
1 | highest | at

Checks: counted
# | places | by | at most | text
1 | once.at | item | 1 | twice

Ask: place ; main: yes
role | name | is
step | self | tiers(once)
answer | given | Decimal
answer | branch | self.names
"""


def test_names_of_the_runtime_are_free_for_authors() -> None:
    engines = Engines(evaluator(BOOK).ruleset, explained=False)
    answer = engines.answer({"once": [{"at": 1, "names": ["red"]}, {"at": 2, "names": ["green"]}]})
    assert answer == ("value", spelled({"given": 4, "branch": ["green"]}))


FACE = """
Record: thing
field | type | is
self | whole number |
path | whole number | self + count

Input: state
field | type | default
count | whole number | 1
kept | whole number | 2
given | list of thing | []

Formulas: reckoning
name | type | is
answer(x: thing) | whole number | x.path + kept
cache | whole number | 1 + 1
misread | whole number | cache + kept
TABLES(xs: list of thing) | list of whole number | xs.path

Ask: RULES ; main: yes
role | name | is
step | turn | misread
answer | stopped | turn
answer | any of all | given.path
"""


def test_names_of_the_module_are_free_for_authors() -> None:
    engines = Engines(evaluator(FACE).ruleset, explained=False)
    thing = {"self": 4}
    assert engines.answer({"given": [thing], "count": 3}) == (
        "value",
        spelled({"stopped": 4, "any of all": [7]}),
    )
    assert engines.call("answer", {"x": thing}) == ("value", "7")
    assert engines.call("answer", {"x": thing, "kept": 5, "count": 6}) == ("value", "15")


def test_a_record_among_the_arguments_knows_the_state() -> None:
    engines = Engines(evaluator(FACE).ruleset, explained=False)
    assert engines.call("TABLES", {"xs": [{"self": 4}]}) == ("value", "[5]")
    assert engines.call("TABLES", {"xs": [{"self": 4}], "count": 2}) == ("value", "[6]")
