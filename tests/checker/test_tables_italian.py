"""A workbook in Italian is the same workbook."""

from __future__ import annotations

from dtables.feel.types import describe
from dtables.model.tables import Decision, Scale, table_name
from tests.checker.drawn import found, ruleset

BOOK = """
Vocabolari:
  nome | nomi
  colore | rosso, verde, blu
  lato | nord, sud

Vocabolari:
  nome | di | ammessi
  epoca | whole number | [1..3]
  caldo | colore | not(verde, blu)

Scheda: città
  campo | tipo | se manca | vale
  chi | lato | |
  monete | number | 0 |
  carte | list of carta | [] |
  ricca | boolean | | monete > 5

Dati: carta ; chiave: carta
  chiave | colore | number | etichetta it | anche
  carta | colore | punti | |
  mulino | rosso | 2 | Mulino | il mulino
  torre | verde | 3 | Torre |

Stato:
  campo | tipo | se manca | fisso | etichetta it
  epoca | epoca | | | Epoca
  nostra | città | {} | chi: nord |
  mano | list of carta | [] | |
  uscita | carta | | |

Impostazioni: regole della casa ; sostituito da: state.regole
  interruttore | se manca | altri valori | testo it
  COSTO | STAMPATO | VERO |

Formule: conti
  nome | tipo | vale | testo it
  punti di(c: carta) | number | se_rosso(c) + c.punti |
  se_rosso(c: carta) | number | if c.colore = rosso and COSTO = STAMPATO then 1 else 0 |

Decisione: mossa ; regola: prima che vale ; altrimenti: null
  # | se | se | prendi | testo it
  # | nostra.ricca | | |
  1 | sì | epoca > 1 | scelta(mano)[1] | una carta della mano
  2 | no | – | mano[1] |

Scala: scelta(candidate: list of carta) ; gli altri: ultimi
  # | solo per | preferisci | per | testo it
  | colore | | |
  1 | rosso, verde | più alto | punti |
  2 | | prima in each colore | colore |
  3 | | a caso | |

Matrice: fila(lato) -> list of colore ; in giù: in ordine
  posto | chiave | chiave
  # | nord | sud
  1 | rosso | blu
  2 | verde | verde
  3 | blu | rosso

Dadi: esito
  totale | allora
  d6 |
  1-3 | rosso
  4-6 | verde

Domanda: turno ; principale: sì
  ruolo | nome | vale | registrato in | se aperto
  serve | epoca | | |
  serve non vuoto | mano | epoca = 1 | |
  passo | prime | scelta(mano) | |
  estrazione | carta presa | prime | uscita |
  fermo | | epoca > 2 | |
  risposta | carta | carta presa | |
  risposta | ordine | fila(nord) | | null

Controlli: una volta
  posti | per | al più | testo it
  mano, nostra.carte | item | 1 | due volte

Controlli: coerenza
  domanda | ogni | sbagliato se | dove | testo it
  turno | nostra.carte | punti > 9 | | troppi

Esempi: primi ; domanda: turno
  dato | dato | atteso | atteso any_of | rifiutato a
  epoca | mano | carta | carta |
  1 | mulino, Torre | torre | |
  2 | mulino | mulino | |
  1 | | | | state.mano

Glossario:
  genere | id | etichetta it | anche
  colore | rosso | Rosso | vermiglio

Pagine: aiuto
  pagina | formato | tabella | nota it
  1 | A4 | scelta | ogni turno
"""


def test_italian__checks_without_a_word() -> None:
    assert found(BOOK) == []


def test_italian__is_the_same_model() -> None:
    model = ruleset(BOOK)
    tables = {table_name(t): t for t in model.tables}
    move, choice = tables["mossa"], tables["scelta"]
    assert isinstance(move, Decision) and isinstance(choice, Scale)
    assert (move.policy.value, describe(move.type)) == ("first", "carta?")
    assert (choice.others.value, describe(choice.type)) == ("last", "list of carta")
    assert [c.prefer.value for c in choice.criteria] == ["highest", "first in", "chance"]
    assert (model.asks[0].main, len(model.asks[0].rows)) == (True, 7)
    assert [type(row).__name__ for c in model.checks for row in c.rows] == ["Counted", "Consistency"]
    assert model.languages == ("it",)
