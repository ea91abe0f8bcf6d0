"""What things are called on a page: labels, badges, words of fields and tables, in one language."""

from __future__ import annotations

from decimal import Decimal

from dtables.feel.types import ListType, MapType, RecordType, Type, VocabularyType, plain
from dtables.model.expressions import EqualTo, InList, MakeList, NameOf, Test
from dtables.model.tables import Field, Formula, Label, Ruleset, Vocabulary, Words, table_name
from dtables.model.vocabularies import in_language, names_in
from dtables.pages.badges import mark_of
from dtables.pages.document import Inline, Mark, Run, upper_first


class Names:
    def __init__(self, ruleset: Ruleset, language: str) -> None:
        self.ruleset = ruleset
        self.language = language
        self.vocabularies = {v.name: v for v in ruleset.vocabularies}
        self._labels: dict[tuple[str, str], tuple[Label, int]] = {}
        self._said = names_in(ruleset.vocabularies, language)
        for vocabulary in ruleset.vocabularies:
            for place, label in enumerate(vocabulary.names):
                self._labels.setdefault((vocabulary.root, label.id), (label, place))
                self._labels.setdefault((vocabulary.name, label.id), (label, place))
        self._fields: dict[tuple[str, str], Field] = {
            (record.name, field.name): field for record in ruleset.records for field in record.fields
        }
        self._inputs = {field.name: field for field in ruleset.input.state.fields}
        self._tables = {table_name(table): table for table in ruleset.tables}
        self._terms = {term.id: term.words for term in ruleset.terms}

    # -- names of vocabularies -----------------------------------------------------------------

    def label(self, vocabulary: str, name: str) -> str:
        return self._said.get((vocabulary, name)) or spaced(name)

    def is_worded(self, vocabulary: str, name: str) -> bool:
        """Whether it is called something."""
        return (vocabulary, name) in self._said

    def mark(self, vocabulary: str, name: str) -> Mark | None:
        found = self._labels.get((vocabulary, name))
        return (
            None
            if found is None
            else mark_of(found[0], self.label(vocabulary, name), found[1], self.language)
        )

    def inline(self, vocabulary: str, name: str) -> Inline:
        """The badge, if there is one, and the label."""
        mark, text = self.mark(vocabulary, name), Run(self.label(vocabulary, name))
        return (text,) if mark is None else (mark, Run("\u202f"), text)

    def vocabulary(self, name: str) -> str:
        found = self.vocabularies.get(name)
        return (in_language(found.words, self.language) if found else "") or self.term(name)

    def corner(self, name: str) -> str:
        """Over labels that explain themselves nothing is better than a bare id."""
        said = self.vocabulary(name)
        return "" if said == spaced(name) else upper_first(said)

    def term(self, name: str) -> str:
        """A word of the glossary, or the name as it is."""
        return self.worded(name) or spaced(name)

    def worded(self, name: str) -> str:
        """Only what the glossary says."""
        return in_language(self._terms.get(name, ()), self.language)

    # -- fields and tables ---------------------------------------------------------------------

    def field(self, owner: Type, name: str) -> str:
        field = self._fields.get((self.record_of(owner), name))
        return self._worded(field.words if field else (), name)

    def record_of(self, type_: Type) -> str:
        match plain(type_):
            case RecordType(name=name):
                return name
            case VocabularyType(root=root):
                found = self.vocabularies.get(root)
                return (found.record if found else None) or ""
            case ListType(item=item) | MapType(value=item):
                return self.record_of(item)
            case _:
                return ""

    def field_named(self, record: str, name: str) -> str:
        field = self._fields.get((record, name))
        return self._worded(field.words if field else (), name)

    def input(self, name: str) -> str:
        field = self._inputs.get(name)
        return self._worded(field.words if field else (), name)

    def table(self, name: str) -> str:
        table = self._tables.get(name)
        words: Words = ()
        if table is not None:
            words = table.words if isinstance(table, Formula) and table.words else table.heading.title
        return self._worded(words, name)

    def _worded(self, words: Words, name: str) -> str:
        return in_language(words, self.language) or self.term(name)

    # -- numbers -------------------------------------------------------------------------------

    def number(self, value: int | Decimal) -> str:
        text = format(value, "f") if isinstance(value, Decimal) else str(value)
        text = text.replace("-", "\u2212")
        return text.replace(".", ",") if self.language == "it" else text

    def in_order(self, vocabulary: Vocabulary) -> dict[str, int]:
        return {label.id: n for n, label in enumerate(vocabulary.names)}


def spaced(name: str) -> str:
    return name.replace("_", " ")


def names_tested(test: Test) -> list[NameOf]:
    match test:
        case EqualTo(value=NameOf() as name):
            return [name]
        case InList(list=MakeList(items=items)):
            names = [item for item in items if isinstance(item, NameOf)]
            return names if len(names) == len(items) else []
        case _:
            return []
