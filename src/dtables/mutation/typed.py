"""Plain values as they are typed into a cell of an example."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dtables.feel.printer import print_number, print_text
from dtables.feel.types import ListType, Type, VocabularyType, plain
from dtables.feel.values import Plain
from dtables.mutation.values import Values

_PLAIN_KEY = re.compile(r"[^\W\d]\w*(?: \w+)*")


@dataclass(frozen=True, slots=True)
class Typing:
    """Knows which names and fields there are."""

    values: Values

    def cell(self, value: Plain, type_: Type | None) -> str:
        """What stands in the cell: a list needs no brackets there."""
        kind = None if type_ is None else plain(type_)
        bare = isinstance(kind, ListType) and isinstance(value, list) and value
        if not bare or not isinstance(kind, ListType) or (len(value) == 1 and isinstance(value[0], list)):
            return self.written(value, type_)
        return ", ".join(self.written(one, kind.item) for one in value)

    def written(self, value: Plain, type_: Type | None) -> str:
        """The same inside an expression."""
        kind = None if type_ is None else plain(type_)
        match value:
            case None:
                return "null"
            case bool():
                return "yes" if value else "no"
            case str():
                return value if self._names(value, kind) else print_text(value)
            case list():
                item = kind.item if isinstance(kind, ListType) else None
                return f"[{', '.join(self.written(one, item) for one in value)}]"
            case dict():
                return f"{{{', '.join(self._entries(value, type_))}}}"
            case _:
                return print_number(value)

    def _entries(self, value: dict[str, Plain], type_: Type | None) -> list[str]:
        fields = self.values.fields(type_) if type_ is not None else {}
        return [f"{_key(key)}: {self.written(one, fields.get(key))}" for key, one in value.items()]

    def _names(self, text: str, kind: Type | None) -> bool:
        """A name stands by itself; texts and dates stand in quotes."""
        return isinstance(kind, VocabularyType) or (kind is None and self.values.is_name(text))


def _key(name: str) -> str:
    return name if _PLAIN_KEY.fullmatch(name) else print_text(name)
