"""A workbook with every kind of table that is printed: which parcel a driver loads next."""

from __future__ import annotations

from functools import cache

from dtables.checker import check_book
from dtables.diagnostics import errors_in, render
from dtables.model.tables import Ruleset
from tests.support.drawing import book_text

DEPOT = """
# Sheet: Words
Types: words ; title it: Parole ; title en: Words
  name | names
  route | NS, SN, EW, WE
  colour | red, green, blue, amber
  size | small, large
  season | summer, winter

Types: narrower
  name | of | allowed
  weight | whole number | [0..99]

Glossary: words
  kind | id | label it | label en | colour | shape | letter
  colour | red | rossa | red | red | shield | R
  colour | green | verde | green | green | circle | G
  colour | blue | blu | blue | blue | hexagon | B
  colour | amber | ambra | amber | yellow/brown | diamond | A
  route | NS | Nord-Sud | North-South | | |
  route | SN | Sud-Nord | South-North | | |
  route | EW | Est-Ovest | East-West | | |
  route | WE | Ovest-Est | West-East | | |
  field | weight | peso | weight | | |
  field | colour | colore | colour | | |
  field | fragile | fragile | fragile | | |
  term | depot | Il deposito | The depot | | |
  term | Route | Percorso | Route | | |

# Sheet: Parcels
Record: parcel
  field | type
  colour | colour
  weight | weight
  fragile | boolean

Data: vehicle ; key: vehicle ; title it: Mezzi ; title en: Vehicles
  key | whole number | boolean | label it | label en
  vehicle | places | cooled |  |
  van | 4 | no | Furgone | Van
  truck | 12 | yes | Camion | Lorry

Data: stop ; title it: Fermate ; title en: Stops
  route | whole number | text
  route | minutes | name
  NS | 12 | "#import x * @b $y$"
  NS | 15 | "Two * three * four"
  EW | 7 | "Mill"

Input: state
  field | type | label it | label en
  route | route | percorso | route
  season | season | stagione | season
  late | boolean | in ritardo | late
  parcels | list of parcel | pacchi | parcels

# Sheet: Rules
Scale: load(candidates: list of parcel) ; others: last ; title it: Che cosa caricare ; title en: What to load
  # | only for | only if | prefer | by | text it | text en
    | colour | | | | |
  1 | red, amber | late | yes | fragile | Fragile prima di tutto | Fragile before all
  2 | | | highest | weight | |
  3 | green | | no | fragile | |
  4 | | | first in [blue, red, green, amber] | colour | |
  5 | | | chance | | |

Decision: toll(p: parcel) -> whole number ; policy: first ; title it: Pedaggio ; title en: Toll
  # | if | if | then | text it | text en
  # | p.colour | p.weight | toll | |
  1 | red | > 10 | 5 | |
  2 | blue, green | [1..10] | 3 | Verde o blu, leggera | Green or blue, light
  3 | - | - | 1 | |

Decision: shift -> text ; policy: unique ; title it: Turno ; title en: Shift
  if | if | then
  route | season | shift
  NS, SN | summer | "early"
  NS, SN | winter | "late"
  EW, WE | - | "split"

Matrix: order(route) -> list of colour ; down: ordered ; title it: I colori ; title en: The colours
  rank | key | key | key | key
  # | NS | SN | EW | WE
  1 | red | red | red | red
  2 | green | blue | amber | amber
  3 | blue | green | blue | green
  4 | amber | amber | green | blue

Matrix: bay(size: size, route: route) -> list of whole number ; title it: Banchine ; title en: Bays
  key | key | key | key | key
  size | NS | SN | EW | WE
  small | 1 > 2 > 3 | 1 > 2 > 3 | 1 > 2 > 3 | 1 > 2 > 3
  large | 1 > 2 > 3 | 3 > 2 > 1 | 1 > 2 > 3 | 2 > 1 > 3

Matrix: gate(route) -> text ; title it: Cancello ; title en: Gate
  key | value
  route | gate
  NS | "A"
  SN | "B"
  EW | "C"
  WE | "D"

# Sheet: Rest
Settings: level ; key: level ; inherit: left ; title it: Livelli ; title en: Levels
  parameter | type | level | level | level
   | | easy | normal | hard
  stops a day | whole number | 8 | | 12
  night runs | boolean | no | yes |

Settings: house rules ; title it: Regole della casa ; title en: House rules
  switch | default | other values | text it | text en
  WEIGH | ALWAYS | NEVER, ONCE | quando si pesa | when parcels are weighed

Dice: weather -> season ; title it: Tempo ; title en: Weather
  die | then | text it | text en
  2d6 | season | |
  2..5 | winter | freddo | cold
  6..12 | summer | caldo | warm

Formulas: reckoning ; title it: Conti ; title en: Reckoning
  name | type | is | text it | text en
  heavy | list of parcel | parcels[weight > 10] | i pacchi pesanti | heavy parcels
  count heavy | whole number | count(heavy) | |

Ask: next ; main: yes ; title it: Il prossimo ; title en: Next
  role | name | is
  need some | parcels |
  draw | chosen | load(parcels)
  answer | weight | chosen.weight
  answer | toll | toll(chosen)

Pages: aid ; title it: Foglio di bordo ; title en: Driver's aid
  page | size | language | table | for | side | title en | note it | note en
  1 | A4 | it, en | load | | | | a parità decide il caso | chance breaks ties
  1 | A4 | it, en | toll | | | | |
  1 | A4 | it, en | shift | | | | |
  1 | A4 | it, en | weather | | | | |
  2 | A4 landscape | it, en | order | | | | |
  2 | A4 landscape | it, en | bay | | | | |
  2 | A4 landscape | it, en | gate | | | | |
  2 | A4 landscape | it, en | level | | | | |
  2 | A4 landscape | it, en | vehicle | | | | |
  2 | A4 landscape | it, en | stop | | | | |
  2 | A4 landscape | it, en | house rules | | | | |
  2 | A4 landscape | it, en | reckoning | | | | |
  Route | tarot | it, en | order | route | | Colours | |
  Route | tarot | it, en | bay | route | | | |
  Route | tarot | it, en | shift | route | | | |
  Route | tarot | it, en | stop | route | back | | |
  Load | tarot | it, en | load | | | | |
"""


@cache
def depot() -> Ruleset:
    return drawn(DEPOT, "depot.xlsx")


def drawn(text: str, name: str = "book.xlsx") -> Ruleset:
    book, found = book_text(text, name)
    model, more = check_book(book)
    assert not errors_in((*found, *more)), render((*found, *more))
    return model
