"""Tables are found where they stand, in either language, and read into canonical words."""

from __future__ import annotations

from collections.abc import Mapping

from dtables.provenance import Span
from dtables.workbook.layout import book_of
from dtables.workbook.tables import Position
from tests.support.drawing import Drawn, book_text, in_memory
from tests.support.tables_as_text import book_as_text, problems_of, short_problems, tables_of

DECISION = """
decision discount(age: number, group: list of member) -> number
  policy = first
  title it = Lo «sconto»
  otherwise = 0
  [# | if age | then discount | text it | text en]
  1 | < 12 | 50 | bambini | children
  2 | - | 0 |  |
"""


def test_find_tables__english() -> None:
    drawn = """
Decision: discount(age: number, group: list of member) -> number ; policy: first ; title it: Lo «sconto»
otherwise: 0
  # | if | then | text it | text en
  # | age | discount | |
  1 | < 12 | 50 | bambini | children
  2 | - | 0
"""
    assert "\n" + tables_of(drawn).replace("then # ", "then ") == DECISION.replace("[# |", "[# # |")


def test_find_tables__italian() -> None:
    drawn = """
Decisione: discount(age: number, group: list of member) → number ; regola: first
TITOLO IT: Lo «sconto»
altrimenti: 0
  # | Se | allora | Testo IT | testo en
   | age | discount | |
  1 | < 12 | 50 | bambini | children
  2 | – | 0
"""
    assert "\n" + tables_of(drawn) == DECISION


def test_find_tables__every_kind_has_both_languages() -> None:
    drawn = """
Vocabolari:
  nome | nomi
  colore | rosso, verde

Scheda: carta ; leggibile per: risorsa
  campo | tipo | vale | se manca | ammessi | etichetta it | aiuto en
  punti | number | | 0 | [0..9] | Punti | printed points

Dati: carta ; chiave: carta ; fonte: A-1, A-2
  chiave | number | list of colore | etichetta it | anche
  carta | punti | colori | |
  forum | 3 | rosso, verde | Foro | il foro

Stato: state
  campo | tipo | fisso
  solo | carta | who: solo

Formule: vari
  nome | tipo | vale
  f(x: number) | number | x + 1

Formula: g -> number
  passo | tipo | vale
  result | number | 1

Scala: s(c: list of carta) ; gli altri: last ; decide: sì
  # | solo per | solo se | preferisci | per | nota
  # | colore | | | |
  1 | rosso | | più alto | punti | da rivedere

Matrice: m(colore) -> number ; in giù: ordered
  posto | chiave
  # | rosso
  1 | 2

Impostazioni: regole ; sostituite da: state.rules
  interruttore | se manca | altri valori | testo it
  GREY | A | B | due letture

Dadi: d
  totale | dado | allora
   | 2d6 | azione
   | 2..7 | compra

Domanda: turno ; principale: sì
  ruolo | nome | vale | registrato in | se aperto
  risposta | x | 1 | | null

Controlli: c
  # | domanda | ogni | sbagliato se | dove | posti | al più
  1 | turno | solo | x = 1 | x | solo.cards | 1

Esempi: e ; domanda: turno
  dato | atteso | atteso any_of | rifiutato a
  x | y | z |
  1 | 2 | 3 | state.x

Pagine: aid
  pagina | formato | lingua | tabella | nota it
  1 | A4 | it, en | s | sotto

Glossario:
  genere | termine | it | en | anche | colore | forma
  carta | forum | Foro | Forum | il foro | rosso | cerchio
"""
    assert tables_of(drawn) == (
        """types
  [name | names]
  colore | rosso, verde

record carta
  readable by = risorsa
  [field | type | is | default | allowed | label it | help en]
  punti | number |  | 0 | [0..9] | Punti | printed points

data carta
  key = carta
  source = A-1, A-2
  [key carta | type punti | type colori | label it | also]
  forum | 3 | rosso, verde | Foro | il foro

input state
  [field | type | fixed]
  solo | carta | who: solo

formulas vari
  [name | type | is]
  f(x: number) | number | x + 1

formula g -> number
  [step | type | is]
  result | number | 1

scale s(c: list of carta)
  others = last
  decides = sì
  [# # | only for colore | only if | prefer | by | note]
  1 | rosso |  | più alto | punti | da rivedere

matrix m(colore: colore) -> number
  down = ordered
  [rank # | key rosso]
  1 | 2

settings regole
  overridden by = state.rules
  [switch | default | other values | text it]
  GREY | A | B | due letture

dice d
  [total | die 2d6 | then azione]
   | 2..7 | compra

ask turno
  main = sì
  [role | name | is | recorded in | when open]
  risposta | x | 1 |  | null

checks c
  [# | ask | each | wrong if | at | places | at most]
  1 | turno | solo | x = 1 | x | solo.cards | 1

examples e
  ask = turno
  [given x | expect y | expect any_of z | rejected at]
  1 | 2 | 3 | state.x

pages aid
  [page | size | language | table | note it]
  1 | A4 | it, en | s | sotto

glossary
  [kind | id | label it | label en | also | colour | shape]
  carta | forum | Foro | Forum | il foro | rosso | cerchio
"""
    )


def test_find_tables__settings_by_level() -> None:
    named = "Settings: level\n parameter | level | level\n  | easy | hard\n cap | 3 | 4\n"
    short = "Settings: level\n parameter | easy | hard\n cap | 3 | 4\n"
    corner = "Settings: level\n number | easy | hard\n cap | 3 | 4\n"
    expected = "settings level\n  [parameter | level easy | level hard]\n  cap | 3 | 4\n"
    assert tables_of(named) == tables_of(short) == tables_of(corner) == expected


def test_find_tables__a_matrix_may_have_its_result_as_role() -> None:
    drawn = "Matrix: first(wonder) -> direction\n key | direction\n wonder | direction\n sphinx | SM\n"
    assert "[key wonder | value direction]" in tables_of(drawn)


def test_find_tables__badges_of_data_have_a_word_more() -> None:
    """In data `colour` alone is a field of the type colour."""
    drawn = "Data: card\n key | colour | badge colour\n card | hue |\n forum | red | #c00\n"
    assert "[key card | type hue | colour]" in tables_of(drawn)


def test_find_tables__a_scale_may_have_no_names() -> None:
    blank_names = "Scale: s(c: list of t)\n # | prefer | by\n | |\n 1 | highest | points\n"
    without = "Scale: s(c: list of t)\n # | prefer | by\n 1 | first in order of play | points\n"
    assert tables_of(blank_names).splitlines()[1:] == ["  [# | prefer | by]", "  1 | highest | points"]
    assert tables_of(without).splitlines()[1:] == [
        "  [# | prefer | by]",
        "  1 | first in order of play | points",
    ]


def test_find_tables__a_scale_with_columns_to_name_wants_names() -> None:
    drawn = "Scale: s(c: list of t)\n # | only for | prefer | by\n 1 | red | highest | points\n"
    assert problems_of(drawn) == (
        "book.xlsx!Sheet1!A3: error[names-missing]: under the roles stands a rule where the row of column "
        "names should be\n"
        "  A3 | 1\n"
        "  hint: put a row with the columns' names under the roles\n"
    )


def test_find_tables__side_by_side() -> None:
    cells = {
        (2, 2): "Types: a", (3, 2): "name", (3, 3): "names", (4, 2): "x", (4, 3): "1, 2",
        (2, 5): "Types: b", (3, 5): "name", (3, 6): "of", (4, 5): "y", (4, 6): "x", (5, 5): "z", (5, 6): "x",
    }  # fmt: skip
    tables, found = _find(cells)
    assert found == []
    assert tables == ["types a\n  [name | names]\n  x | 1, 2\n", "types b\n  [name | of]\n  y | x\n  z | x\n"]


def test_find_tables__side_by_side_without_an_empty_column() -> None:
    cells = {
        (1, 1): "Types: a", (2, 1): "name", (2, 2): "names", (3, 1): "x", (3, 2): "1, 2",
        (1, 3): "Types: b", (2, 3): "name", (2, 4): "of", (3, 3): "y", (3, 4): "x",
    }  # fmt: skip
    tables, found = _find(cells)
    assert found == []
    assert tables == ["types a\n  [name | names]\n  x | 1, 2\n", "types b\n  [name | of]\n  y | x\n"]


def test_find_tables__a_marker_ends_the_table_above() -> None:
    cells = {(1, 1): "Types: a", (2, 1): "name", (3, 1): "x", (4, 1): "Types: b", (5, 1): "name", (6, 1): "y"}
    tables, found = _find(cells)
    assert (len(tables), found) == (2, [])


def test_find_tables__an_ask_beside_examples() -> None:
    """`Ask: turn` beside the marker is its property; with an ask's roles under it, it is a table."""
    examples: dict[Position, Drawn] = {(1, 1): "Examples: e", (2, 1): "given", (3, 1): "x", (4, 1): 1}
    tables, found = _find({**examples, (1, 3): "Ask: turn"})
    assert (tables[0].splitlines()[1], found) == ("  ask = turn", [])
    ask = {(1, 3): "Ask: turn", (2, 3): "role", (2, 4): "name", (3, 3): "need", (3, 4): "x"}
    tables, found = _find({**examples, **ask})
    assert ([t.splitlines()[0] for t in tables], found) == (["examples e", "ask turn"], [])


def test_find_tables__words_know_their_characters() -> None:
    book, _ = book_text(
        "Scale: from solo(list: list of t, n) -> t? ; title it: «Dal» solo\n # | prefer | by\n 1 | chance |\n"
    )
    table = book.tables[0]
    words = [table.marker.name, *(w for p in table.marker.parameters for w in (p.name, p.type))]
    words += [w for w in (table.marker.result,) if w]
    typed = table.marker.cell.typed
    spans = [w.where.span for w in words]
    assert [typed[s.start : s.end] for s in spans if s] == ["from solo", "list", "list of t", "n", "n", "t?"]
    title = table.properties[0]
    assert (title.value.text, title.value.where.span, title.language) == ("«Dal» solo", Span(10, 20), "it")


def test_find_tables__stars_are_any_value() -> None:
    assert "- | 2 * 3" in tables_of("Decision: d\n if | then\n x | y\n * | 2 * 3\n")


def test_find_tables__decimal_comma_in_a_number_column() -> None:
    book, found = book_text("Data: d\n key | number | text\n d | n | t\n a | 3,5 | 3,5\n")
    assert [cell.code for cell in book.tables[0].rows[0].cells] == ["a", "3.5", "3,5"]
    assert short_problems(found) == ["Sheet1!B4 decimal-comma: text in a number column, read as 3.5"]


def _find(cells: Mapping[Position, Drawn]) -> tuple[list[str], list[str]]:
    book, found = book_of("book.xlsx", (in_memory("book.xlsx", "S", cells),))
    return [text.rstrip("\n") + "\n" for text in book_as_text(book).split("\n\n")], short_problems(found)
