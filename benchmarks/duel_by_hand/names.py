"""The names of the game: by id, or by a label however it is typed."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from tests.games.duel import facts
from tests.games.duel.labels import labels

from benchmarks.duel_by_hand.jsonlines import Rejected


class Names:
    """`known` holds every id; `spelled` every id and label, folded."""

    def __init__(self, kind: str, ids: Iterable[str], more: dict[str, list[str]] | None = None) -> None:
        self.kind = kind
        self.known = {id_: id_ for id_ in ids}
        self.spelled = {fold(id_): id_ for id_ in self.known}
        for id_, words in (more or {}).items():
            if id_ in self.known:
                self.spelled.update({fold(word): id_ for word in words})

    def read(self, value: object, path: str) -> str:
        id_ = self.spelled.get(fold(value)) if isinstance(value, str) else None
        if id_ is None:
            raise Rejected(path, value, self.kind)
        return id_


def fold(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in plain if not (unicodedata.combining(c) or c.isspace() or c == "_"))


LABELS = labels()

CARD = Names("card", facts.CARDS, LABELS["card"])
WONDER = Names("wonder", facts.WONDERS, LABELS["wonder"])
GOD = Names("god", facts.GODS, LABELS["god"])
PANTHEON_CARD = Names("pantheon card", [*facts.GODS, "gate"], {**LABELS["god"], "gate": ["Porta", "Gate"]})
PROGRESS = Names("progress", facts.PROGRESS, LABELS["progress"])
MYTHOLOGY = Names("mythology", facts.MYTHOLOGIES, LABELS["mythology"])
LEVEL = Names("level", facts.LEVELS, LABELS["level"])
DIRECTION = Names("direction", facts.DIRECTIONS)
SYMBOL = Names("symbol", facts.SYMBOLS)
OFFERING = Names("offering", facts.OFFERINGS)
TOKEN = Names("token", ["none", "mythology", *facts.OFFERINGS])
MILITARY = Names("military token", facts.MILITARY)
SIDE = Names("side", ["solo", "player"])
SOURCE = Names("source", ["pair", "great_library", "enki"])
POOL = Names("pool", ["mausoleum", "hades", "messe", "liberty"])
