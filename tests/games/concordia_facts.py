"""What the oracle of Concordia knows: goods, cards, slots and the cities of the three maps."""

from __future__ import annotations

from typing import NamedTuple

GOODS = ("brick", "food", "tool", "wine", "cloth")
"""In order of value."""

ACTIONS = ("build", "take", "buy")

CARDS: dict[str, tuple[str, ...]] = {
    "prefect": ("wine",),
    "architect": ("tool",),
    "mercator": ("wine",),
    "colonist": ("food",),
    "diplomat": ("tool",),
    "mason": ("food",),
    "farmer": ("brick", "food"),
    "smith": ("brick", "tool"),
    "consul": ("cloth",),
    "vintner": ("brick", "wine"),
    "weaver": ("brick", "cloth"),
}
"""The printed price of each card for sale."""

SLOTS = ((0, 0), (1, 0), (1, 0), (0, 1), (0, 1), (1, 1), (0, 2))
"""Goods of any kind and cloths on top, from the left."""

STARTS = {"imperium": "roma", "italia": "roma", "hispania": "saguntum"}


class City(NamedTuple):
    name: str
    province: str
    paths: int


_IMPERIUM = """
isca_d britannia 3
londinium britannia 3
burdigala gallia 2
lutetia gallia 2
massilia gallia 1
brigantium hispania 3
olisipo hispania 3
valentia hispania 2
colonia_a germania 2
vindobona germania 2
novaria italia 1
aquileia italia 1
syracusae italia 1
bycantium asia 3
sinope asia 4
attalia asia 3
napoca dacia 3
sirmium dacia 2
tomis dacia 3
dyrrhachium hellas 2
athenae hellas 2
carthago mauretania 1
rusadir mauretania 2
leptis_magna lybia 2
cyrene lybia 2
antiochia syria 4
tyros syria 4
alexandria aegyptus 3
petra aegyptus 4
memphis aegyptus 3
"""

_ITALIA = """
bauzanum venetia 4
aquileia venetia 3
verona venetia 4
comum transpadana 3
segusio transpadana 3
genua liguria 2
nicaea liguria 3
mutina aemilia 3
ravenna aemilia 3
florentia etruria 2
cosa etruria 1
ancona umbria 2
spoletum umbria 1
hadria umbria 2
aleria corsica 2
olbia corsica 1
casinum campania 1
neapolis campania 1
luceria apulia 2
brundisium apulia 3
potentia lucania 2
croton lucania 3
messana sicilia 2
panormus sicilia 1
syracusae sicilia 2
"""

_HISPANIA = """
aleria mare_tyrrhenicum 2
carales mare_tyrrhenicum 3
panormus mare_tyrrhenicum 3
carthago africa 2
thamugadi africa 2
caesarea africa 1
brigantium gallaecia 2
bracara gallaecia 3
toletum tarraconensis 1
tarraco tarraconensis 1
nova_carthago tarraconensis 1
tolosa gallia 2
massilia gallia 3
narbo_martius gallia 2
genua italia 3
caesena italia 4
ostia italia 3
salamantica cantabria 2
pompaelo cantabria 1
olisipo lusitania 2
ossonoba lusitania 2
corduba baetica 1
tingis baetica 2
"""


def _cities(lines: str) -> dict[str, City]:
    rows = [line.split() for line in lines.split("\n") if line]
    return {name: City(name, province, int(paths)) for name, province, paths in rows}


MAPS = {"imperium": _cities(_IMPERIUM), "italia": _cities(_ITALIA), "hispania": _cities(_HISPANIA)}
"""The cities in board order, without the start city; paths are counted from it."""

CITIES = {*STARTS.values(), *(city for cities in MAPS.values() for city in cities)}

LABELS: dict[str, dict[str, tuple[str, ...]]] = {
    "good": {
        "brick": ("mattone", "mattoni"),
        "food": ("cibo",),
        "tool": ("utensile", "utensili"),
        "wine": ("vino", "vini"),
        "cloth": ("stoffa", "stoffe"),
    },
    "card": {
        "prefect": ("Prefetto",),
        "architect": ("Architetto",),
        "mercator": ("Mercante",),
        "colonist": ("Colono",),
        "diplomat": ("Diplomatico",),
        "mason": ("Muratore",),
        "farmer": ("Contadino",),
        "smith": ("Fabbro",),
        "consul": ("Console",),
        "vintner": ("Vignaiolo",),
        "weaver": ("Tessitore",),
    },
    "played card": {"tribune": ("Tribuno",), "senator": ("Senatore",)},
    "map": dict.fromkeys(MAPS, ()),
    "city": dict.fromkeys(CITIES, ()),
    "dice_mode": {"d12": (), "2d6": ()},
    "side": {"player": (), "ai": ()},
    "prefect choice": {"money": (), "goods": ()},
    "dice table": {"action": (), "good": ()},
}
LABELS["played card"].update(LABELS["card"])
