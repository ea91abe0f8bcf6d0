"""A small solo mode, whole: a turn, attempts, cases, terms, a scale, dice, a matrix of orders, a house
rule."""

from __future__ import annotations

from functools import cache

from dtables.model.tables import Ruleset
from tests.pages.books import drawn

SOLO = """
# Sheet: Words
Types: words
  name | names
  colour | yellow, grey, green, red
  size | cat, token
  deck | yours, its own, central
  way | AB, BA
  phase | setup, turn, end
  house | first, second, third, fourth
  act | build, buy, take

Glossary: words
  kind | id | label it | label en | colour | letter en
  colour | yellow | gialla | yellow | yellow |
  colour | grey | grigia | grey | grey | Gy
  colour | green | verde | green | green | Gn
  colour | red | rossa | red | red |
  deck | yours | il tuo | yours | |
  deck | its own | il suo | its own | |
  deck | central | centrale | central | |
  phase | setup | Preparazione | Setup | |
  phase | turn | Turno | Turn | |
  phase | end | Fine partita | End of the game | |
  house | first | Prima | First | |
  house | second | Seconda | Second | |
  house | third | Terza | Third | |
  house | fourth | Quarta | Fourth | |
  act | build | costruisci | build | |
  act | buy | compra | buy | |
  act | take | prendi | take | |
  switch LIMIT | GAME | una volta a partita | once a game | |
  term | solo | Il rivale | The rival | |

# Sheet: State
Record: card
  field | type
  colour | colour
  points | whole number

Input: state
  field | type | label it | label en
  cards | list of card | carte | cards
  coins | whole number | monete | coins
  age | whole number | epoca | age
  way | way | verso | way
  thrown | whole number | dado | die

Settings: house rules
  switch | default | other values | text it | text en
  LIMIT | ROUND | GAME | quante volte si compra | how often it buys

# Sheet: Rules
Turn: rival ; ask: turn ; phase: turn ; title it: Il turno del rivale ; title en: The rival's turn
  step | phase | if | if it | if en | text it | text en | with | next | icon | source
  S1 | setup | | | | Prepara come in due. | Set up as for two. | | | | A-1
  1 | | | | | *Gatto.* Ha la {cat} pedina? Gira la carta. | *Cat.* It has the {cat} pawn? Turn up the card. | | | cat | A-2
  2 | | age >= 2 | dalla II Epoca | from Age II | Confronta. Prende la carta del primo rigo di {1}, se le serve in una *fase*. | Compare. It takes the card of the first line of → {1} that helps with a *stage*. | which card | | | A-3..A-5
  3 | | | | | Più mazzi? | Several decks? | die for decks | | | A-6
  4 | | | | | Usala. Segui {1}, poi {2}. *Hai perso.* | Use it. Do → {1}, then → {2}. *You have lost.* | what cards do, actions | end if | | A-7
  5 | | | | | Extra. Di nuovo. | Extra. Once more. | | again 2 | |
  6 | | | | | Metti via quello che resta. | Put away what is left. | | end | {red} |
  E1 | end | | | | Conta i punti come in due. | Score as for two. | | | | A-9

Scale: which card(candidates: list of card) ; others: last ; title it: Quale carta ; title en: Which card
  # | only for | only if | prefer | by | text it | text en
    | colour | | | | |
  1 | yellow | LIMIT = ROUND | yes | item.points > 1 | una {yellow} | a {yellow} one
  2 | grey, green | | highest | points | più punti | most points
  3 | red | LIMIT = GAME | yes | item.points > 0 | una {red} | a {red} one
  4 | | age > 1 | first in order(way) | colour | per verso | by way
  5 | | | chance | | |

Dice: die for decks -> deck ; title it: Il dado ; title en: The die
  die | then
  d6 | deck
  1..3 | yours
  4..6 | its own

Matrix: order(way) -> list of colour ; down: ordered ; title it: I colori ; title en: The colours
  rank | key | key
  # | AB | BA
  1 | yellow | green
  2 | grey | red
  3 | green | yellow
  4 | red | grey

Cases: what cards do ; key: colour ; title it: Che cosa fanno ; title en: What cards do
  key | text it | text en | with | source
  yellow | Vale {coin 1}. | Counts {coin 1}. | | A-10
  grey | Per una *fase*. | For a *stage*. | worth | A-11
  green | Niente. | Nothing. | |

Attempts: actions(money: whole number) -> act ; otherwise: take ; title it: Azioni ; title en: Actions
  step | if | then | text it | text en | failed it | failed en
   | money | act | | | |
  build | >= 3 | build | *Costruisci.* Costa {coin 3}. | Build. It costs {coin 3}. | mancano monete | coins are short
  buy | >= 1 | buy | *Compra.* Una carta. | Buy. One card. | mancano monete | no coins

Terms: words of the rival ; title it: Parole ; title en: Words
  term it | term en | text it | text en | with | example it | example en
  fase, fasi | stage, stages | (di una casa): non ancora costruita. | (of a house): not built yet. | worth | la prima | the first
  pedina | pawn | è il gatto. | is the cat. | | |

Formulas: sums
  name | type | is | text it | text en
  worth | whole number | count(cards) | | how many cards there are

Ask: turn ; main: yes
  role | name | is | when open
  need some | cards | |
  need | coins | |
  need | thrown | |
  need | age | |
  need | way | |
  draw | card | which card(cards) |
  answer | colour | card.colour |
  answer | deck | die for decks(thrown) | null
  answer | act | actions(coins) | null

Pages: aid ; title it: Aiuto ; title en: Aid
  face | size | table | place | letter | note en
  1a | A4 | rival | top | |
  1a | A4 | which card | | W | lowest number wins
  1a | A4 | what cards do | | |
  1a | A4 | actions | | |
  1a | A4 | words of the rival | | |
  1b | A4 | order | | |
  2 | tarot | rival | | |
  3 | tarot | which card | | |
  4 | tarot | actions | | |
  4 | tarot | what cards do | | |
"""  # noqa: E501


@cache
def solo() -> Ruleset:
    return drawn(SOLO, "solo.xlsx")
