"""The sketch of a whole game as tables, its facts filled in from the component data beside the repository."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

SHARED = Path(__file__).parents[3] / "shared"
SKETCH = SHARED / "sketch" / "duel.md"
FACTS = SHARED / "data" / "seven_wonders_duel"
RESOURCES = ("wood", "clay", "stone", "glass", "papyrus")

MENDED = (
    ("not seen(m", "unseen(m"),
    ("source: D-138, D-139\n  role | name | is | recorded in", "\n  role | name | is | type"),
    (
        "else [player_5, player_2, solo_5, solo_2] |",
        "else [player_5, player_2, solo_5, solo_2] | list of military token",
    ),
)
"""What the language has come to want since: no name begins with one of its words, and a list of bare
names stands where their vocabulary is wanted."""


def present() -> bool:
    return SKETCH.exists() and FACTS.exists()


def whole_sketch() -> str:
    """Blocks that leave rows out are written anew."""
    text = SKETCH.read_text(encoding="utf-8")
    for start, lines in (
        ("Data: card ;", _cards()),
        ("Data: wonder ;", _wonders()),
        ("Data: pantheon card ;", _gods()),
        ("Data: progress ;", _progress()),
        ("Data: position ;", _positions()),
    ):
        text = _with_block(text, start, lines)
    for written, here in MENDED:
        assert written in text
        text = text.replace(written, here)
    return text.replace("  level | medium | Medio | Medium |\n  ...", "  level | medium | Medio | Medium |")


def _with_block(text: str, start: str, lines: Iterable[str]) -> str:
    first = text.index(f"```table\n{start}")
    last = text.index("```", first + 3)
    return text[:first] + "```table\n" + "\n".join(lines) + "\n" + text[last:]


def _rows(name: str) -> list[dict[str, str]]:
    with (FACTS / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _id(text: str) -> str:
    head, _, rest = text.partition("-")
    return (rest if head in ("A1", "A2", "A3") else text).replace("-", "_")


def _line(*cells: str) -> str:
    return "  " + " | ".join(cells)


CARD_ROLES = (
    "key", "age", "colour", *["cost"] * 6, *["cost"] * 5, "kind", "list of resource", "number", "number",
    "number", "colour", "number", "number", "symbol", "chain", "chain", "mythology",
)  # fmt: skip
CARD_NAMES = (
    "card", "age", "colour", "cost.coins", *[f"cost.{r}" for r in RESOURCES],
    *[f"makes.{r}" for r in RESOURCES],
    "makes one of", "fixed price", "coins now", "coins per wonder", "coins per card", "counted colour",
    "points",
    "shields", "symbol", "gives chain", "needs chain", "mythology",
)  # fmt: skip


def _cards() -> Iterable[str]:
    yield "Data: card ; key: card ; source: D-43, D-66"
    yield _line(*CARD_ROLES)
    yield _line(*CARD_NAMES)
    for row in _rows("age_cards.csv"):
        if row["card_id"].startswith("G-"):
            continue
        per = row["coins_per_what"]
        amount = row["coins_per_amount"] or "0"
        yield _line(
            _id(row["card_id"]), row["age"], row["colour"], row["cost_coins"],
            *(row[f"cost_{r}"] for r in RESOURCES), *(row[f"prod_{r}"] for r in RESOURCES),
            _kind(row["choice_resources"]), row["fixed_trade_price_1"].replace("|", ", "),
            row["coins_on_build"] or "0", amount if per == "wonder_built" else "0",
            amount if per.endswith("_card") else "0",
            per.removesuffix("_card") if per.endswith("_card") else "",
            row["victory_points"] or "0", row["shields"] or "0", row["science_symbol"],
            row["chain_symbol_given"], row["chain_symbol_required"], "",
        )  # fmt: skip
    for row in _rows("grand_temples.csv"):
        yield _line(
            _id(row["temple_id"]), "3", "temple", row["cost_coins"], *(row[f"cost_{r}"] for r in RESOURCES),
            *["0"] * 5, "", "", "0", "0", "0", "", "0", "0", "", "", "", row["mythology"],
        )  # fmt: skip


def _kind(choice: str) -> str:
    return "" if not choice else "good" if "glass" in choice else "material"


def _wonders() -> Iterable[str]:
    yield "Data: wonder ; key: wonder"
    yield _line("key", *["cost"] * 5, "number", "number", "number", "kind", "number")
    yield _line(
        "wonder",
        *[f"cost.{r}" for r in RESOURCES],
        "points",
        "shields",
        "coins",
        "makes one of",
        "pantheon discount",
    )
    for row in _rows("wonders.csv"):
        yield _line(
            _id(row["wonder_id"]), *(row[f"cost_{r}"] for r in RESOURCES), row["victory_points"] or "0",
            row["shields"] or "0", row["coins"] or "0", _kind(row["choice_resources"]),
            row["pantheon_discount_coins"] or "0",
        )  # fmt: skip


def _gods() -> Iterable[str]:
    yield "Data: pantheon card ; key: pantheon card"
    yield _line("key", "mythology", "number", "symbol")
    yield _line("pantheon card", "mythology", "shields", "symbol")
    for row in _rows("pantheon_gods.csv"):
        yield _line(
            _id(row["god_id"]),
            row["mythology"].replace("gate", ""),
            row["shields"] or "0",
            row["science_symbol"],
        )


def _progress() -> Iterable[str]:
    yield "Data: progress ; key: progress"
    yield _line("key", "symbol")
    yield _line("progress", "symbol")
    for row in _rows("progress_tokens.csv"):
        yield _line(_id(row["token_id"]), row["science_symbol"])


def _positions() -> Iterable[str]:
    yield "Data: position ; key: position ; source: X-D-14"
    yield _line("key", "age", "number", "number", "boolean", "list of position", "list of position")
    yield _line("position", "age", "row", "column", "face up", "covers", "covered by")
    for row in _rows("layouts.csv"):
        yield _line(
            row["position_id"], row["age"], row["row_from_top"], row["half_column"],
            "yes" if row["face_up_at_setup"] == "1" else "no",
            row["covers"].replace("|", ", "), row["covered_by"].replace("|", ", "),
        )  # fmt: skip
