"""Small marks of print: curly quotes, and what stays together on one line.

Wordings are typed with straight quotes and ordinary spaces. Here the words of a document become what a
printer sets; keys, cells, ids and codes stay as they are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from dtables.digits import are_digits
from dtables.pages.document import (
    Block,
    Body,
    Card,
    Chip,
    Document,
    Entries,
    Entry,
    Grid,
    Icon,
    Inline,
    Legend,
    Mark,
    Orders,
    Part,
    Pointer,
    Procedure,
    Run,
    SetupChoice,
    Sheet,
    Steps,
    mapped,
    text_of,
)

NO_BREAK = "\u00a0"
JOINER = "\u2060"
"""Nothing to be seen: no line is broken here."""
DRAWN = "\ufffc"
"""What stands before a text is drawn."""
CLOSING = ".,;:!?)°”’…"

_NUMBERED = {
    "en": "cards?|steps?|sheets?|faces?|lines?|rows?|pages?|columns?|levels?|rounds?|phases?|stages?|spaces?",
    "it": "cart[ae]|pass[oi]|fogli?o?|facc(?:ia|e)|righ?[ae]|pagin[ae]|colonn[ae]|livell[oi]|round|fas[ei]"
    "|casell[ae]",
}
"""What has a number behind it."""
_ROMAN = r"(?:I{2,3}|IV|VI{0,3}|IX|X)"
_TOGETHER = {
    language: re.compile(
        rf"(?<=[0-9])[ ](?=[^\W0-9_]{{1,9}}\b)"
        rf"|(?<=[^\W0-9_])[ ](?=[-−]?[0-9]{{1,3}}(?:[).,;:°]|$))"
        rf"|\b(?i:{words})[ ](?=[0-9]|[IVX]+\b)"
        rf"|(?<=\w)[ ](?={_ROMAN}\b)|\b{_ROMAN}[ ](?=\w)"
    )
    for language, words in _NUMBERED.items()
}
_NUMBERS = re.compile(r"[0-9]{1,3}(?:, [0-9]{1,3}){1,3}")
"""A few numbers, which are read as one."""
_LAST = re.compile(r" (?=\w{1,3}[.!?]?$)")
"""Before a short word that would stand alone on its line."""
_LETTER = re.compile(r"(?:^|\W)[A-Z] $")
_BETWEEN = re.compile(r" (?:a|o|e|to|or|and|–|-) ")


def well_set(document: Document) -> Document:
    """Return the document with its words as a printer sets them."""
    return _Setter(document.language).document(document)


class _Setter:
    def __init__(self, language: str) -> None:
        self.together = _TOGETHER.get(language, _TOGETHER["en"])

    def document(self, document: Document) -> Document:
        return replace(
            document,
            title=self.text(document.title),
            subtitle=self.text(document.subtitle),
            band=self.text(document.band),
            credit=self.text(document.credit),
            signs=tuple((sign, self.text(words)) for sign, words in document.signs),
            sheets=tuple(map(self._sheet, document.sheets)),
            cards=tuple(map(self._card, document.cards)),
            cards_only=self._blocks(document.cards_only),
            choices=tuple(map(self._choice, document.choices)),
        )

    def _sheet(self, sheet: Sheet) -> Sheet:
        legend = tuple(map(self._legend, sheet.legend))
        return replace(sheet, title=self.text(sheet.title), blocks=self._blocks(sheet.blocks), legend=legend)

    def _card(self, card: Card) -> Card:
        return replace(
            card,
            title=self.text(card.title),
            subtitle=self.text(card.subtitle),
            front=self._blocks(card.front),
            back=self._blocks(card.back),
            legend=tuple(map(self._legend, card.legend)),
        )

    def _legend(self, entry: Legend) -> Legend:
        return replace(entry, label=self.text(entry.label))

    def _choice(self, choice: SetupChoice) -> SetupChoice:
        names = tuple((id_, self.text(name)) for id_, name in choice.names)
        return replace(choice, label=self.text(choice.label), names=names)

    # -- blocks --------------------------------------------------------------------------------

    def _blocks(self, blocks: Sequence[Block]) -> tuple[Block, ...]:
        return tuple(
            replace(
                block,
                title=self.text(block.title),
                subtitle=_LAST.sub(NO_BREAK, self.text(block.subtitle)),
                body=self._body(block.body),
                foot=self.inline(block.foot),
            )
            for block in blocks
        )

    def _body(self, body: Body) -> Body:
        match body:
            case Steps(heads=heads):
                first, second, third = heads or ("", "", "")
                named = (self.text(first), self.text(second), self.text(third))
                steps = mapped(body, self.inline)
                assert isinstance(steps, Steps)
                return replace(steps, heads=named if heads else None)
            case Grid() as grid:
                return self._grid(grid)
            case Procedure(rows=rows):
                return Procedure(tuple(
                    replace(
                        row, who=self.text(row.who), text=self.inline(row.text),
                        inside=tuple(map(self._body, row.inside)),
                    )
                    for row in rows
                ))  # fmt: skip
            case Entries(rows=entries):
                return Entries(tuple(map(self._entry, entries)))
            case _:
                other = mapped(body, self.inline)
                return replace(other, note=self.text(other.note)) if isinstance(other, Orders) else other

    def _entry(self, entry: Entry) -> Entry:
        return replace(
            entry,
            marks=self.inline(entry.marks),
            label=self.inline(entry.label),
            text=self.inline(entry.text),
            example=self.inline(entry.example),
            inside=tuple(map(self._body, entry.inside)),
            forms=tuple(map(self.text, entry.forms)),
        )

    def _grid(self, grid: Grid) -> Grid:
        """Cells are narrow: in them lines are broken between any words."""
        columns = tuple(replace(c, head=self._cell(c.head), sub=_quoted(c.sub, "", "")) for c in grid.columns)
        sections = tuple(
            replace(
                section, title=self.text(section.title), note=self.text(section.note),
                rows=tuple(
                    replace(row, label=self._cell(row.label),
                            cells=tuple(replace(cell, text=self._cell(cell.text)) for cell in row.cells))
                    for row in section.rows
                ),
            )
            for section in grid.sections
        )  # fmt: skip
        return replace(grid, corner=_quoted(grid.corner, "", ""), columns=columns, sections=sections)

    # -- texts ---------------------------------------------------------------------------------

    def text(self, text: str) -> str:
        """Return a text that stands alone."""
        return self._spaced(_quoted(text, "", ""))

    def inline(self, inline: Inline) -> Inline:
        """Return a text with its drawings, each on the line of the sign beside it."""
        return tuple(_tied(self._words(inline, spaced=True)))

    def _cell(self, inline: Inline) -> Inline:
        cell = tuple(self._words(inline, spaced=False))
        if not _NUMBERS.fullmatch(text_of(cell)):
            return cell
        return tuple(
            replace(p, text=p.text.replace(" ", NO_BREAK)) if isinstance(p, Run) else p for p in cell
        )

    def _words(self, inline: Inline, *, spaced: bool) -> Iterator[Part]:
        before = ""
        for n, part in enumerate(inline):
            if isinstance(part, (Run, Chip)) and part.text:
                after = _first(inline[n + 1]) if n + 1 < len(inline) else ""
                text = _quoted(part.text, before, after)
                before = part.text[-1]
                yield replace(part, text=self._spaced(text) if spaced else text)
            elif isinstance(part, Pointer):
                before = DRAWN
                yield replace(part, elsewhere=self.text(part.elsewhere))
            else:
                before = DRAWN
                yield part

    def _spaced(self, text: str) -> str:
        """Numbers stay with what they count or number, arrows with what they lead to."""
        text = text.replace("→ ", f"→{NO_BREAK}")
        return self.together.sub(lambda found: found.group().replace(" ", NO_BREAK), text)


def _first(part: Part) -> str:
    return part.text[:1] if isinstance(part, (Run, Chip)) else DRAWN


# -- quotes -----------------------------------------------------------------------------------------

_STRAIGHT = re.compile(r"['\"]")
_DASH = re.compile(r"(?<=[0-9])–(?=[0-9])")
_SIGN = re.compile(r"(?<=\S)°")


def _quoted(text: str, before: str, after: str) -> str:
    """Return the text with curly quotes; a range, a ° and a › stay on the line of what is before them."""
    text = text.replace(" ›", f"{NO_BREAK}›")
    if "–" in text:
        text = _DASH.sub("–" + JOINER, text)
    if "°" in text:
        text = _SIGN.sub(JOINER + "°", text)
        if text[0] == "°" and before.strip():
            text = JOINER + text
    if not _STRAIGHT.search(text):
        return text
    return _STRAIGHT.sub(lambda found: _quote(text, found.start(), before, after), text)


def _quote(text: str, at: int, before: str, after: str) -> str:
    left = text[at - 1] if at else before
    right = text[at + 1 : at + 2] or after
    opens = (not left or left.isspace() or left in "([{/–—“‘") and right.strip() != ""
    if text[at] == '"':
        return '"' if are_digits(left) and text.count('"', 0, at) % 2 == 0 else "“" if opens else "”"
    return "‘" if opens and re.search(r"\w'(?!\w)", text[at + 1 :]) else "’"


# -- what is drawn ----------------------------------------------------------------------------------


def _tied(parts: Iterator[Part]) -> Iterator[Part]:
    """Drawings stay on the line of a closing sign after them, and of what leads to them before; one that
    heads a text on that of its first word."""
    waiting: Part | None = None
    rest = list(parts)
    for n, part in enumerate(rest):
        after = rest[n + 1] if n + 1 < len(rest) else None
        if isinstance(part, Run):
            run = _beside(waiting, part, after)
            if n == 1 and isinstance(waiting, (Icon, Mark)) and run.text.startswith(" "):
                run = replace(run, text=NO_BREAK + run.text[1:])
            yield run
        else:
            if isinstance(part, Icon) and isinstance(waiting, Icon):
                yield Run(JOINER)
            yield part
        waiting = part


def _beside(before: Part | None, run: Run, after: Part | None) -> Run:
    text = run.text
    if isinstance(before, Icon) and isinstance(after, Icon) and _BETWEEN.fullmatch(text):
        return replace(run, text=text.replace(" ", NO_BREAK))
    if isinstance(before, (Icon, Mark, Pointer)) and text[:1] in CLOSING and text:
        text = JOINER + text
    if isinstance(after, (Icon, Mark, Pointer)) and text[-1:] in "(“‘" and text:
        text += JOINER
    leads = isinstance(after, Pointer) and after.letter
    drawn = isinstance(after, (Icon, Mark))
    counts = drawn and (are_digits(text[-2:-1]) or _LETTER.search(text))
    if text.endswith(" ") and len(text) > 1 and (leads or counts):
        text = text[:-1] + NO_BREAK
    return replace(run, text=text)
