"""An author may call things as he likes: no name hides what a compiled module needs."""

from __future__ import annotations

from tests.compilers.both import Both
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
    both = Both(evaluator(BOOK).ruleset)
    answer = both.answer(None, {"once": [{"at": 1, "names": ["red"]}, {"at": 2, "names": ["green"]}]})
    assert answer == {"given": 4, "branch": ["green"]}
