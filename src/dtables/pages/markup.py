"""What stands between stars and braces in a wording: words that have a home, pointers, icons, badges.

`*need*` is a word that the page explains, `{1}` points to the first table under `with`, `{coin 3}` is
drawn, `{red}` is the badge of that name. All wordings of a page are read here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from dtables.digits import whole_in
from dtables.model.vocabularies import STARRED
from dtables.pages.badges import PageLabels, split_mark
from dtables.pages.document import Icon, Inline, Mark, Part, Pointer, Run, Style
from dtables.pages.words import furniture
from dtables.wording.phrases import ICONS

CODE = re.compile(r"\{([^{}]*)\}")
MOST_LEADING_WORDS = 6
LEADING_WORDS = 10
"""Before a colon or a question mark a lead may be longer than before a full stop."""
_LEAD = re.compile(r"^(.{2,}?)([.:?!])(\*?)(?=\s)", re.DOTALL)

PLAIN_ICONS = frozenset(("coin", "die", "d12", "cube", "space", "card", "cardback", "box"))
"""Those that everybody reads without a legend."""


@dataclass(frozen=True, slots=True)
class Wording:
    """A text as it is typed: what stands beside it under `with`, and whether its lead is bold by itself."""

    text: str
    along: tuple[str, ...] = ()
    led: bool = False


@dataclass(slots=True)
class Reading:
    """What a wording came to; what stands in braces and is nothing stays as it is."""

    parts: list[Part] = field(default_factory=list)
    pointed: list[str] = field(default_factory=list)

    @property
    def inline(self) -> Inline:
        """The parts as they are printed."""
        return _joined_runs(self.parts)


class Markup:
    """Reads wordings in one language. `printed` are the tables that pointers may lead to, `within` those
    that stand in the row that names them."""

    def __init__(
        self,
        names: PageLabels,
        printed: frozenset[str] = frozenset(),
        within: frozenset[str] = frozenset(),
    ) -> None:
        self.names = names
        self.printed = printed
        self.within = within
        self._badges: dict[str, list[tuple[str, str]]] = {}
        for vocabulary in names.ruleset.vocabularies:
            if vocabulary.name != vocabulary.root:
                continue
            for label in vocabulary.names:
                for spelling in dict.fromkeys(text.casefold() for text in label.written if text):
                    self._badges.setdefault(spelling, []).append((vocabulary.name, label.id))

    def read(self, wording: Wording) -> Reading:
        """Return the wording's parts; pointers to tables that no brace mentions come at the end."""
        found = Reading()
        lead, rest = split_lead(wording.text) if wording.led else ("", wording.text)
        if lead:
            self._coded(lead, wording, found, bold=True)
        self._coded(rest, wording, found, bold=False)
        left = [name for name in wording.along if name in self.printed and name not in found.pointed]
        if left:
            self._at_end(left, found)
        return found

    def text(self, text: str) -> Inline:
        """Return a wording that points to nothing."""
        return self.read(Wording(text)).inline

    def _at_end(self, names: Sequence[str], found: Reading) -> None:
        """Before the full stop that ends the wording, if there is one."""
        stop = ""
        if found.parts and isinstance(found.parts[-1], Run) and found.parts[-1].text.endswith("."):
            last = found.parts[-1]
            found.parts[-1] = Run(last.text[:-1], last.style, last.term)
            stop = "."
        for name in names:
            found.parts += [Run(" "), Pointer(name)]
            found.pointed.append(name)
        if stop:
            found.parts.append(Run(stop))

    def _coded(self, text: str, wording: Wording, found: Reading, *, bold: bool) -> None:
        end = 0
        for code in CODE.finditer(text):
            self._starred(text[end : code.start()], found, bold=bold)
            self._code(code.group(1).strip(), wording, found)
            end = code.end()
        self._starred(text[end:], found, bold=bold)

    def _starred(self, text: str, found: Reading, *, bold: bool) -> None:
        style = Style.BOLD if bold else Style.PLAIN
        end = 0
        for word in STARRED.finditer(text):
            found.parts.append(Run(text[end : word.start()], style))
            found.parts.append(Run(word.group(1), Style.BOLD, term=not bold))
            end = word.end()
        found.parts.append(Run(text[end:], style))

    # -- what stands in braces -----------------------------------------------------------------

    def _code(self, code: str, wording: Wording, found: Reading) -> None:
        place = whole_in(code)
        if place is not None and 1 <= place <= len(wording.along):
            self._pointer(wording.along[place - 1], found)
        elif code in wording.along or (code in self.printed and (" " in code or self.icon(code) is None)):
            self._pointer(code, found)
        elif (icon := self.icon(code)) is not None:
            found.parts.append(icon)
        elif (mark := self.badge(code)) is not None:
            found.parts.append(mark)
        else:
            found.parts.append(Run(f"{{{code}}}"))

    def _pointer(self, name: str, found: Reading) -> None:
        """What stands in the row itself is below; to what is not printed nothing points."""
        found.pointed.append(name)
        _take_arrow(found.parts)
        if name in self.within:
            found.parts.append(Run(furniture(self.names.language)["below"]))
        elif name in self.printed:
            found.parts.append(Pointer(name))

    def icon(self, code: str) -> Icon | None:
        """Return the drawing of a name, with what is written in it."""
        name, _, text = code.partition(" ")
        alts = ICONS.get(name)
        if alts is None:
            return None
        alt = self.names.in_glossary(name) or alts.get(self.names.language, alts["en"])
        return Icon(name, text.strip(), f"{alt} {text}".strip())

    def badge(self, code: str) -> Mark | None:
        """Return the badge of a name, `red` or `colour.red`; of two with a slash one that is split."""
        parts = [part.strip() for part in code.split("/")]
        if len(parts) == 2 and all(parts):
            one, other = map(self._mark, parts)
            return (
                None
                if one is None or other is None
                else split_mark(one, other, one.shape, self.names.phrases.joined("or", one.alt, other.alt))
            )
        return self._mark(code)

    def _mark(self, code: str) -> Mark | None:
        vocabulary, dot, name = code.partition(".")
        if dot:
            found = [one for one in self._badges.get(name.casefold(), ()) if one[0] == vocabulary]
        else:
            found = self._badges.get(code.casefold(), [])
        marks = [mark for one in found if (mark := self.names.mark(*one)) is not None]
        return marks[0] if marks else None


def _take_arrow(parts: list[Part]) -> None:
    """A pointer is drawn with its arrow; one that is typed before it is the same."""
    while parts and isinstance(parts[-1], Run) and not parts[-1].text:
        parts.pop()
    if parts and isinstance(parts[-1], Run) and parts[-1].text.rstrip().endswith("→"):
        text = parts[-1].text.rstrip().removesuffix("→")
        parts[-1] = replace(parts[-1], text=text)


def split_lead(text: str) -> tuple[str, str]:
    """`Cat. Turn up the card`: what leads a wording, with its sign, and the rest. Without more behind it,
    or if it is long, there is no lead. One that is typed between stars loses them."""
    found = _LEAD.match(text)
    if found is None:
        return "", text
    lead, sign, star = found.groups()
    most = MOST_LEADING_WORDS if sign in ".!" else LEADING_WORDS
    rest = text[found.end() :]
    if star and lead.startswith("*"):
        lead, star = lead[1:], ""
    if star or lead.count("*") % 2 or lead.count("{") != lead.count("}"):
        return "", text
    if len(lead.split()) > most or not rest.strip():
        return "", text
    return lead + sign, rest


def _joined_runs(parts: Sequence[Part]) -> Inline:
    return tuple(_in_one(parts))


def _in_one(parts: Sequence[Part]) -> Iterator[Part]:
    """Runs that are printed alike are one."""
    waiting: Run | None = None
    for part in parts:
        if not isinstance(part, Run):
            if waiting is not None:
                yield waiting
            waiting = None
            yield part
        elif part.text:
            alike = waiting is not None and (waiting.style, waiting.term) == (part.style, part.term)
            if waiting is not None and not alike:
                yield waiting
            waiting = Run(waiting.text + part.text, part.style, part.term) if alike and waiting else part
    if waiting is not None:
        yield waiting
