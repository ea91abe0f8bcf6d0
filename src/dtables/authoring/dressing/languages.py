"""In which language a workbook is written, and the words that are offered in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from dtables.workbook.kinds import BY_NAME, EVERYWHERE
from dtables.workbook.language import Kind, PropertySpec, Role, Spelled, plain
from dtables.workbook.tables import BookText, TableText

LANGUAGES = ("it", "en")
"""Those that help and pages speak."""


def own_language(book: BookText) -> str:
    """The language of a workbook for those who edit it.

    It is Italian where more tables have Italian words than English ones. The table language's words may be
    English for another reason, that its docs are: then it is the language in which most tables say first what
    they say in words.
    """
    words = Counter(map(words_language, book.tables))
    if words["it"] > words["en"]:
        return "it"
    first = Counter(language for table in book.tables if (language := next(_spoken(table), None)))
    return "it" if first["it"] > first["en"] else "en"


def words_language(table: TableText) -> str:
    """`it` where more of the table's own words are Italian than English."""
    kind = BY_NAME[table.kind]
    typed = [table.marker.cell.typed.partition(":")[0], *(c.role_cell.typed for c in table.columns)]
    typed += [p.cell.typed.partition(":")[0] for p in table.properties]
    words: list[Kind | Role | PropertySpec] = [kind, *kind.roles, *kind.properties, *EVERYWHERE]
    english = {plain(s) for word in words for s in word.en}
    italian = {plain(s) for word in words for s in word.it}
    texts = [_bare(text) for text in typed]
    return "it" if _only(texts, italian, english) > _only(texts, english, italian) else "en"


def role_of(kind: Kind, name: str) -> Role | None:
    """Return the role of a column of that name; of `if in words` it is `if`, followed by a language."""
    return next((role for role in kind.roles if name in (role.name, role.in_words)), None)


def first_spelling(word: Spelled, language: str) -> str:
    """The one that is offered; a word that Italian has not is the English one there too."""
    return spellings_in(word, language)[0]


def spellings_in(word: Spelled, language: str) -> tuple[str, ...]:
    """Return the spellings of a word in a language, or where it has none there the English ones."""
    return word.it if language == "it" and word.it else word.en


def _spoken(table: TableText) -> Iterator[str]:
    """The languages of its wordings, in the order in which they are written."""
    written = (*(p.language for p in table.properties), *(c.language for c in table.columns))
    return (language for language in written if language in LANGUAGES)


def _bare(text: str) -> str:
    """Without the language that may follow a role: `text it`."""
    words = plain(text).split()
    return " ".join(words[:-1]) if len(words) > 1 and words[-1] in LANGUAGES else " ".join(words)


def _only(text: list[str], these: set[str], those: set[str]) -> int:
    return sum(word in these and word not in those for word in text)
