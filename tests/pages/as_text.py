"""A document of pages as text, line by line, for tests that compare it."""

from __future__ import annotations

from collections.abc import Iterator

from dtables.pages.document import (
    Block,
    Body,
    Chip,
    Document,
    Entries,
    Grid,
    Icon,
    Inline,
    Legend,
    Mark,
    Orders,
    Part,
    Pointer,
    Procedure,
    Ring,
    Run,
    Steps,
    Style,
)


def as_text(document: Document) -> str:
    """Everything a reader sees: `*term*`, `_bold_`, `<badge>`, `(icon)`, `[pointer]`, `[[chip]]`."""
    return "\n".join(_document(document))


def _document(document: Document) -> Iterator[str]:
    yield " · ".join(filter(None, (document.title, document.subtitle, document.band)))
    for sheet in document.sheets:
        yield f"== face {sheet.face}{_legend(sheet.legend)}"
        for block in sheet.blocks:
            yield from _block(block)
    for card in document.cards:
        yield f"== card {card.number}: {card.title}{_legend(card.legend)}"
        for block in card.blocks:
            yield from _block(block)


def _legend(legend: tuple[Legend, ...]) -> str:
    return "".join(f" {inline_text((entry.mark,))} {entry.label}" for entry in legend)


def _block(block: Block) -> Iterator[str]:
    yield " ".join(filter(None, (block.letter and f"[{block.letter}]", block.title, f"({block.subtitle})")))
    yield from body_lines(block.body)
    if block.foot:
        yield f"  {inline_text(block.foot)}"


def body_lines(body: Body, indent: str = "  ") -> Iterator[str]:
    """Lines of a body, those of bodies inside it further to the right."""
    for line, inside in _lines(body):
        yield (indent + " ".join(filter(None, line))).rstrip()
        for inner in inside:
            yield from body_lines(inner, indent + "    ")


def _lines(body: Body) -> Iterator[tuple[list[str], tuple[Body, ...]]]:
    match body:
        case Procedure(rows=rows):
            for row in rows:
                icon = "" if row.icon is None else inline_text((row.icon,))
                yield [row.number, icon, row.who, inline_text(row.text)], row.inside
        case Entries(rows=rows):
            for entry in rows:
                text = inline_text(entry.label) + entry.joint + inline_text(entry.text)
                yield [inline_text(entry.marks), text, inline_text(entry.example)], entry.inside
        case Steps(rows=rows):
            for step in rows:
                conditions = "".join(f"IF {inline_text(c)}:" for c in step.conditions)
                outcome = f"=> {inline_text(step.outcome)}" if step.outcome else ""
                yield [step.number, inline_text(step.marks), conditions, inline_text(step.text), outcome], ()
        case Grid(corner=corner, columns=columns, sections=sections):
            heads = [inline_text(column.head) for column in columns]
            if corner or any(heads):
                yield [corner, " | ".join(heads)], ()
            for section in sections:
                for line in section.rows:
                    cells = [inline_text(cell.text) for cell in line.cells]
                    yield [" | ".join([inline_text(line.label), *cells])], ()
        case Orders(lists=lists, orders=orders, first=first, last=last, note=note):
            for listed in lists:
                yield [f"{listed.sign}:", ", ".join(map(inline_text, listed.items))], ()
            for order in orders:
                yield [inline_text(order.head), "=", "".join(order.signs)], ()
            yield [*map(inline_text, first), "…", *map(inline_text, last), note], ()
        case Ring(names=names):
            yield [" – ".join(map(inline_text, names)), "– (round)"], ()


def inline_text(inline: Inline) -> str:
    """Return a text with signs for what is drawn."""
    return "".join(map(_part, inline)).replace("\u202f", " ")


def _part(part: Part) -> str:
    match part:
        case Run(text=text, style=style, term=term):
            return f"*{text}*" if term else f"_{text}_" if style is Style.BOLD else text
        case Mark(letter=letter):
            return f"<{letter}>"
        case Icon(name=name, text=text):
            return f"({f'{name} {text}'.strip()})"
        case Pointer(letter=letter, elsewhere=elsewhere):
            return f"[{', '.join(filter(None, (letter, elsewhere)))}]"
        case Chip(text=text):
            return f"[[{text}]]"
