"""A ruleset by its names: what each game holds is found by its name, and nothing else."""

from __future__ import annotations

from dtables.feel.types import NUMBER, RecordType, VocabularyType, optional
from dtables.model.index import Index
from tests.support.rulesets import ruleset

MODEL = ruleset("""
Types: names
  name | names
  colour | red, green

Record: city
  field | type | is
  size | number |
  large | boolean | size > 3

Data: toy ; key: toy
  key | whole number
  toy | points
  ball | 1

Input:
  field | type
  city | city
  shade | colour

Decision: d(c: colour) -> number
  # | if | then
  # | c | r
  1 | red | 1
  2 | green | 2
""")


def test_index__finds_what_has_a_name() -> None:
    index = Index(MODEL)
    assert list(index.tables) == ["d"] and index.tables["d"] is MODEL.tables[0]
    assert index.names == {"colour": ("red", "green"), "toy": ("ball",)}
    assert set(index.records) == {"city", "toy", MODEL.input.state.name}
    assert not index.asks and not index.switches and not index.restrictions


def test_index__finds_fields() -> None:
    index = Index(MODEL)
    size, shade = index.field("city", "size"), index.inputs["shade"]
    assert size is not None and size.name == "size"
    assert shade.name == "shade" and "size" not in index.inputs
    assert index.field("city", "shade") is None and index.field("town", "size") is None


def test_index__tells_the_record_behind_a_value() -> None:
    index = Index(MODEL)
    assert index.record_of(optional(RecordType("city"))) == "city"
    assert index.record_of(VocabularyType("toy", "toy")) == index.vocabularies["toy"].record != ""
    assert index.record_of(VocabularyType("colour", "colour")) == index.record_of(NUMBER) == ""
    assert index.record_of(VocabularyType("unknown", "unknown")) == ""
