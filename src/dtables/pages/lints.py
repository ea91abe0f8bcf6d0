"""What a reader of the pages would stumble over: words without a home, tables that no step leads to, badges
that look alike, wordings that hold code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import filterfalse, islice

from dtables.diagnostics import Diagnostic
from dtables.feel.builtins import BY_NAME
from dtables.model.expressions import (
    CallTable,
    Node,
    Ranking,
)
from dtables.model.index import Index
from dtables.model.reach import Reach, nodes
from dtables.model.tables import (
    Ask,
    Cases,
    Decision,
    Definitions,
    Dice,
    Formula,
    Onward,
    Ruleset,
    Scale,
    Turn,
    TurnStep,
    Words,
    table_name,
)
from dtables.pages import messages
from dtables.pages.badges import PageLabels, grey_step
from dtables.pages.document import (
    Block,
    Body,
    Document,
    Edition,
    Entries,
    Grid,
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
    has_sign,
    inlines,
    text_of,
)
from dtables.pages.legend import marks_alone
from dtables.pages.turns import Worded, WordedRow, forms_of, is_sign, mentioned, worded_rows
from dtables.provenance import CellRef, Location
from dtables.wording.clarity import unclear_criterion, unclear_rule
from dtables.wording.expressions import Expressions
from dtables.wording.phrases import phrases_in

MOST_POINTERS = 3
"""In one step."""


@dataclass(frozen=True, slots=True)
class Face:
    """A face of a sheet of paper, or a card."""

    name: str
    blocks: tuple[Block, ...]
    legend: tuple[Legend, ...]
    where: Location
    leaf: str
    is_card: bool


@dataclass(frozen=True, slots=True)
class Printed:
    """What the pages of one language hold: their tables, those of them that stand in rows of others, those
    that are on no page."""

    ruleset: Ruleset
    document: Document
    tables: Mapping[str, object]
    listed: frozenset[str]
    inside: Mapping[CellRef, tuple[str, ...]]
    never: frozenset[str]

    def faces(self) -> Iterator[Face]:
        """Every face and card."""
        for sheet in self.document.sheets:
            yield Face(sheet.face, sheet.blocks, sheet.legend, sheet.where, sheet.leaf, is_card=False)
        for card in self.document.cards:
            yield Face(card.name, card.blocks, card.legend, card.where, card.name, is_card=True)

    def worded(self) -> Iterator[Worded]:
        """The turns, cases and terms that are printed."""
        within = {name for names in self.inside.values() for name in names}
        for name, table in self.tables.items():
            if isinstance(table, (Turn, Cases, Definitions)) and name in self.listed | within:
                yield table


def lints(printed: Printed) -> tuple[Diagnostic, ...]:
    """Return all that can be seen before anything is laid out, in the order of the pages. Pages that one
    plays from, with turns or terms, are held to more than others."""
    found: list[Diagnostic] = []
    strict = any(not isinstance(table, Cases) for table in printed.worded())
    if not strict:
        found += _starred(printed)
    for face in printed.faces():
        if strict:
            found += _terms(printed, face)
            found += _unused(printed, face)
        if printed.document.edition is not Edition.PROOF:
            found += _codes(printed, face, strict=strict)
        found += _badges(face, strict=strict)
        found += _rows(face)
    if strict:
        found += _signs(printed)
    found += _pointers(printed)
    turns = [table for table in printed.worded() if isinstance(table, Turn)]
    for turn in turns:
        found += _open_ends(turn)
        found += _unreached(printed, turn)
    found += _unworded(printed)
    return tuple(dict.fromkeys(found))


# -- words ------------------------------------------------------------------------------------------


def _starred(printed: Printed) -> Iterator[Diagnostic]:
    """One note for a workbook that has neither turns nor terms: its stars are bold and no more."""
    used = {word: where for face in printed.faces() for word, where in _words_between_stars(face).items()}
    homes = set(_homes(printed, list(printed.faces())))
    lacking = [word for word in used if word not in homes]
    if lacking:
        yield messages.starred_words(used[lacking[0]], lacking)


def _words_between_stars(face: Face) -> dict[str, CellRef]:
    used: dict[str, CellRef] = {}
    for where, inline in _texts(face.blocks):
        for part in inline:
            if isinstance(part, Run) and part.term:
                used.setdefault(_folded(part.text), where)
    return used


def _terms(printed: Printed, face: Face) -> Iterator[Diagnostic]:
    homes = set(_homes(printed, [face]))
    near = set(_homes(printed, [other for other in printed.faces() if other.leaf == face.leaf]))
    for word, where in _words_between_stars(face).items():
        if word not in homes:
            yield messages.term_undefined(where, word, face.name, elsewhere=word in near)


def _unused(printed: Printed, face: Face) -> Iterator[Diagnostic]:
    for table in _definitions(printed, [face]):
        for row in filterfalse(is_sign, table.rows):
            forms = forms_of(row, printed.document.language)
            said = " ".join(text_of(t) for where, t in _texts(face.blocks) if where != row.where).casefold()
            if forms and not any(form.casefold() in said for form in forms):
                yield messages.term_unused(row.where, forms[0], face.name)


OUR_READING = "°"
"""What the pages' author adds to a document is marked so."""


def _signs(printed: Printed) -> Iterator[Diagnostic]:
    """The first block with a sign that no term explains."""
    if any(sign == OUR_READING for sign, _ in printed.document.signs):
        return
    marked = ((f, b) for f in printed.faces() for b in f.blocks if has_sign(b, OUR_READING))
    for face, block in islice(marked, 1):
        yield messages.missing_key(block.where, OUR_READING, face.name)


def _homes(printed: Printed, faces: Sequence[Face]) -> Iterator[str]:
    """Words that are explained: terms, titles of blocks and columns, labels and leads of rows, the legend."""
    for table in _definitions(printed, faces):
        for row in table.rows:
            yield from map(_folded, forms_of(row, printed.document.language))
    for face in faces:
        yield from (_folded(entry.label) for entry in face.legend)
        for block in face.blocks:
            yield _folded(block.title)
            yield from (_folded(text_of((part,))) for part in block.foot if _is_label(part))
            yield from map(_folded, _heads(block.body))


def _heads(body: Body) -> Iterator[str]:
    match body:
        case Grid(corner=corner, columns=columns, sections=sections):
            yield corner
            yield from (text_of(column.head) for column in columns)
            for section in sections:
                yield section.title
                yield from (text_of(row.label) for row in section.rows)
        case Entries(rows=rows):
            for entry in rows:
                yield text_of(entry.label)
                yield from (text for inner in entry.inside for text in _heads(inner))
        case Procedure(rows=rows):
            for row in rows:
                yield _lead(row.text)
                yield from (text for inner in row.inside for text in _heads(inner))
        case Steps(rows=rows):
            yield from (_lead(row.text) for row in rows)
        case Orders(orders=orders):
            yield from (text_of(order.head) for order in orders)
        case Ring(names=names):
            yield from map(text_of, names)


def _is_label(part: Part) -> bool:
    return isinstance(part, Run) and part.style is Style.BOLD and not part.term


def _lead(text: Inline) -> str:
    first = next((part for part in text if isinstance(part, Run)), None)
    return first.text if first is not None and first.style is Style.BOLD and not first.term else ""


def _definitions(printed: Printed, faces: Sequence[Face]) -> Iterator[Definitions]:
    on_faces = {key for face in faces for block in face.blocks for key in (block.key, *block.keys)}
    for table in printed.worded():
        within = {name for row in worded_rows(table) for name in printed.inside.get(row.where, ())}
        if table.heading.name in on_faces:
            inner = [printed.tables[name] for name in within]
            yield from (one for one in (table, *inner) if isinstance(one, Definitions))


def _folded(text: str) -> str:
    return " ".join(text.casefold().replace("\u202f", " ").strip(" .,;:?!").split())


# -- code in wordings -------------------------------------------------------------------------------

_BRACES = re.compile(r"\{[^{}]*\}")
_CELL = re.compile(r"\b\w+!\$?[A-Z]{1,3}\$?[0-9]+\b")
_NULL = re.compile(r"\bnull\b")
_ID = re.compile(r"\b[A-Za-z0-9]+_\w+\b(?!\.xlsx\b)")
"""But no name of a workbook, which a list of cards holds."""
_CALL = re.compile(r"\b(?:" + "|".join(re.escape(name) for name in sorted(BY_NAME)) + r")\((?!\w\))")


def _codes(printed: Printed, face: Face, *, strict: bool) -> Iterator[Diagnostic]:
    switches = [rule.name for table in printed.ruleset.switches for rule in table.rules]
    names = [re.escape(name) for name in switches if name.isupper() and len(name) > 2]
    patterns = [_BRACES, _CELL, _ID, _CALL, _NULL]
    if names:
        patterns.append(re.compile(r"\b(?:" + "|".join(names) + r")\b"))
    hand = _author_texts(printed.ruleset)
    for where, inline in _texts(face.blocks):
        text = "".join(part.text for part in inline if isinstance(part, Run))
        for pattern in patterns:
            for code in pattern.findall(text):
                if any(code in written for written in hand) or pattern is _BRACES:
                    yield messages.text_code(where, code, strict=strict)
                else:
                    yield messages.made_with_code(where, code)


def _author_texts(ruleset: Ruleset) -> tuple[str, ...]:
    """Wordings with something in them that looks like code: hardly any."""
    found: list[str] = []
    waiting: list[object] = [
        ruleset.tables, ruleset.turns, ruleset.cases, ruleset.definitions, ruleset.headings, ruleset.pages,
    ]  # fmt: skip
    for thing in waiting:
        found += _words_in(thing)
    return tuple(found)


def _words_in(thing: object) -> Iterator[str]:
    if isinstance(thing, tuple):
        for item in thing:
            if isinstance(item, tuple) and len(item) == 2 and all(isinstance(part, str) for part in item):
                yield item[1]
            else:
                yield from _words_in(item)
    elif hasattr(thing, "__slots__") and not isinstance(thing, (Node, CellRef, Location)):
        for name in thing.__slots__:
            if name not in ("where", "cell", "type", "conditions", "outcomes", "subjects"):
                yield from _words_in(getattr(thing, name))


# -- badges and rows --------------------------------------------------------------------------------


def _badges(face: Face, *, strict: bool) -> Iterator[Diagnostic]:
    """Only badges that stand without their words somewhere have to be told apart. Halves of one are with
    another, which helps: they are warned of."""
    texts = [inline for block in face.blocks for inline in inlines(block)]
    marks = list(dict.fromkeys(mark for inline in texts for mark in marks_alone(inline)))
    shown = list(dict.fromkeys(own for mark in marks for own in (mark, *mark.halves)))
    for n, one in enumerate(shown):
        for other in shown[n + 1 :]:
            if _clash(one, other, marks):
                held = strict and bool(one.shape and other.shape)
                yield messages.badge_clash(face.where, one.alt, other.alt, face.name, strict=held)
    labels = [own.alt for entry in face.legend if isinstance(entry.mark, Mark) for own in entry.mark.names]
    for mark in shown:
        for label in dict.fromkeys(labels):
            if mark.given and label != mark.alt and _begins(mark, label):
                held, labels_of_both = strict and bool(mark.shape), (mark.alt, label)
                yield messages.badge_letter(face.where, mark.letter, labels_of_both, face.name, strict=held)


def _begins(mark: Mark, label: str) -> bool:
    letter = mark.letter.casefold()
    own = mark.alt.casefold().startswith(letter)
    return len(mark.colours) == 1 and own and label.casefold().startswith(letter)


def _clash(one: Mark, other: Mark, marks: Sequence[Mark]) -> bool:
    """Two of letter, shape and grey are alike; badges that are all of one shape are told apart by letters.
    Halves of split badges have no shape: their letters have to tell."""
    if not (one.shape and other.shape):
        return one.alt != other.alt and one.letter == other.letter
    if one.alt == other.alt or len(one.colours) > 1 or len(other.colours) > 1:
        return one.alt != other.alt and (one.letter, one.shape, one.colours) == (
            other.letter, other.shape, other.colours,
        )  # fmt: skip
    alike = (one.letter == other.letter, one.shape == other.shape, grey_step(one) == grey_step(other))
    series = sum(mark.shape == one.shape for mark in marks) > 2
    if alike[1] and alike[2] and not alike[0] and series:
        return False
    return sum(alike) > 1


_ROW = re.compile(r"^(?:row|riga)?\s*[0-9]+$", re.IGNORECASE)
_YES_NO = {
    word for language in ("en", "it") for word in (phrases_in(language).yes, phrases_in(language).no)
} | {"●", "–"}


def _rows(face: Face) -> Iterator[Diagnostic]:
    for block in face.blocks:
        match block.body:
            case Grid(sections=sections, columns=columns):
                rows = [row for section in sections for row in section.rows]
                numbered = [row for row in rows if row.choice is not None and _is_number(row.label)]
                if numbered:
                    yield messages.row_is_number(block.where, text_of(numbered[0].label), block.title)
                full = [row for row in rows if len(row.cells) == len(columns)]
                if len(full) > 1 and len(columns) == 1:
                    yield from _yes_no(block, [row.cells[0].text for row in full])
            case Steps(rows=steps):
                yield from _yes_no(block, [step.outcome for step in steps if step.outcome])
            case _:
                pass


def _is_number(label: Inline) -> bool:
    ranked = any(isinstance(part, Run) and part.style is Style.RANK for part in label)
    return not ranked and _ROW.match(text_of(label).strip()) is not None


def _yes_no(block: Block, outcomes: Sequence[Inline]) -> Iterator[Diagnostic]:
    texts = [text_of(outcome).strip().casefold() for outcome in outcomes]
    if len(texts) > 1 and all(text in _YES_NO for text in texts):
        yield messages.outcome_yes_no(block.where, block.title)


# -- pointers and steps -----------------------------------------------------------------------------


def _pointers(printed: Printed) -> Iterator[Diagnostic]:
    faces = list(printed.faces())
    for table in printed.worded():
        for row in worded_rows(table):
            yield from _nowhere(printed, row)
    for face in faces:
        for block in face.blocks:
            if isinstance(block.body, Procedure):
                yield from _off_face(face, faces, block.body)


def _nowhere(printed: Printed, row: WordedRow) -> Iterator[Diagnostic]:
    """Tables that a row names and that stand on no page."""
    shown = printed.listed | printed.never | set(printed.inside.get(row.where, ()))
    for name in dict.fromkeys((*row.along, *mentioned(row))):
        table = printed.tables.get(name)
        aid = isinstance(table, (Decision, Scale, Dice, Turn, Cases, Definitions))
        if aid and name not in shown:
            yield messages.pointer_to_no_page(row.where, name)


def _off_face(face: Face, faces: Sequence[Face], body: Procedure) -> Iterator[Diagnostic]:
    here = {key for block in face.blocks for key in (block.key, *block.keys)}
    alike = [other for other in faces if other.leaf == face.leaf]
    has_deck = face.is_card
    for row in body.rows:
        keys = [part.key for part in row.text if isinstance(part, Pointer)]
        if len(keys) > MOST_POINTERS:
            yield messages.too_many_pointers(row.cell, row.number, len(keys), MOST_POINTERS)
        off = [key for key in keys if key not in here]
        if has_deck:
            cards = {key for f in faces if f.is_card for b in f.blocks for key in (b.key, *b.keys)}
            yield from (messages.deck_incomplete(row.cell, key) for key in off if key not in cards)
            continue
        flips = [
            other for other in alike if all(any(block.is_of(key) for block in other.blocks) for key in keys)
        ]
        if off and not flips:
            yield messages.pointer_off_face(row.cell, off[0], face.name)


def _open_ends(turn: Turn) -> Iterator[Diagnostic]:
    """Steps from which neither an end nor the last step can be reached."""
    by_phase: dict[str, list[TurnStep]] = {}
    for step in turn.steps:
        by_phase.setdefault(step.phase or turn.phase, []).append(step)
    for steps in by_phase.values():
        ending = {n for n, step in enumerate(steps) if _ends(step) or n == len(steps) - 1}
        onward = {n: _onward(steps, n) for n in range(len(steps))}
        while True:
            more = {n for n in onward if n not in ending and onward[n] & ending}
            if not more:
                break
            ending |= more
        yield from (
            messages.turn_open_end(steps[n].where, steps[n].number) for n in onward if n not in ending
        )


def _ends(step: TurnStep) -> bool:
    return step.onward in (Onward.END, Onward.END_IF)


def _onward(steps: Sequence[TurnStep], n: int) -> set[int]:
    """Where a step may lead; one with a condition may be passed over."""
    step = steps[n]
    targets = {m for m, other in enumerate(steps) if other.number == step.onward_step}
    after = {n + 1} if n + 1 < len(steps) else set()
    if step.onward not in (Onward.GO_TO, Onward.AGAIN):
        return after
    conditional = bool(step.conditions or step.condition_words or step.rule is not None)
    return targets | after if conditional or not targets else targets


# -- what the engine may consult --------------------------------------------------------------------


def _unreached(printed: Printed, turn: Turn) -> Iterator[Diagnostic]:
    index = Index(printed.ruleset)
    ask = None if turn.ask is None else index.asks.get(turn.ask)
    if ask is None:
        return
    consulted = _Consulted(index)
    reached = consulted.from_rows(printed)
    for name in consulted.by(ask):
        table = index.tables[name]
        aid = isinstance(table, (Decision, Scale, Dice))
        if aid and name not in reached:
            yield messages.decision_unreached(table.heading.where, name, turn.heading.name, turn.ask or "")


@dataclass(frozen=True)
class _Consulted:
    index: Index

    def by(self, ask: Ask) -> tuple[str, ...]:
        """The tables that may be looked at on the way to an answer."""
        names = (_called(node) for node in Reach(self.index).parts(ask))
        return tuple(name for name in dict.fromkeys(names) if name in self.index.tables)

    def from_rows(self, printed: Printed) -> frozenset[str]:
        """What rows of the pages name, and what printed tables among that lead to; formulas are words for
        what they call, but only of what is printed."""
        within = {name for names in printed.inside.values() for name in names}
        shown = printed.listed | within
        named = {
            name
            for table in printed.worded()
            for row in worded_rows(table)
            for name in (*row.along, *mentioned(row))
        }
        own = {table.heading.name for table in printed.worded()}
        reached = {name for name in named | own if name in self.index.tables}
        waiting = [name for name in reached if name not in own]
        while waiting:
            name = waiting.pop()
            for other in self._calls(name):
                passes = isinstance(self.index.tables[other], Formula) or other in shown
                if other not in reached and passes:
                    reached.add(other)
                    waiting.append(other)
        return frozenset(reached)

    def _calls(self, name: str) -> tuple[str, ...]:
        return self._calls_of.get(name, ())

    @cached_property
    def _calls_of(self) -> Mapping[str, tuple[str, ...]]:
        return {
            table_name(table): tuple(
                name for name in dict.fromkeys(map(_called, nodes(table))) if name in self.index.tables
            )
            for table in self.index.ruleset.tables
        }


def _called(node: Node) -> str:
    match node:
        case CallTable(table=name) | Ranking(scale=name):
            return name
        case _:
            return ""


# -- what cannot be worded --------------------------------------------------------------------------


def _unworded(printed: Printed) -> Iterator[Diagnostic]:
    """Rows that the toolkit would have to word by itself, and cannot word well. For a name without a label
    the cure is a label."""
    language = printed.document.language
    words = Expressions(PageLabels(printed.ruleset, language))
    within = {name for names in printed.inside.values() for name in names}
    for name, table in printed.tables.items():
        if name not in printed.listed | within:
            continue
        bare: dict[str, str] = {}
        match table:
            case Turn(steps=steps, heading=heading):
                bare = {s.number or s.where.address: "" for s in steps if not _has(s.words, language)}
            case Scale(criteria=criteria, heading=heading):
                for criterion in criteria:
                    if not _has(criterion.words, language) and (
                        why := unclear_criterion(criterion, words, labels=False)
                    ):
                        bare[criterion.number] = why
            case Decision(rules=rules, heading=heading):
                for rule in rules:
                    if not _has(rule.words, language) and (
                        why := unclear_rule(table, rule, words, labels=False)
                    ):
                        bare[rule.number or rule.where.address] = why
            case _:
                continue
        if bare:
            why = next(iter(bare.values()))
            yield messages.missing_wording(heading.where, name, tuple(bare), language, why)


def _has(words: Words, language: str) -> bool:
    return any(text for spoken, text in words if spoken in (language, ""))


# -- texts with their places ------------------------------------------------------------------------


def _texts(blocks: Iterable[Block]) -> Iterator[tuple[CellRef, Inline]]:
    """Every text of blocks with the cell of its row, or else of its table."""
    for block in blocks:
        yield from _of_body(block.body, block.where.cell)
        yield block.where.cell, block.foot


def _of_body(body: Body, where: CellRef) -> Iterator[tuple[CellRef, Inline]]:
    match body:
        case Steps(rows=rows):
            for step in rows:
                for inline in (step.marks, *step.conditions, step.text, step.outcome):
                    yield step.cell, inline
        case Procedure(rows=lines):
            for line in lines:
                yield line.cell, line.text
                for inner in line.inside:
                    yield from _of_body(inner, line.cell)
        case Entries(rows=entries):
            for entry in entries:
                for inline in (entry.marks, entry.label, entry.text, entry.example):
                    yield entry.cell, inline
                for inner in entry.inside:
                    yield from _of_body(inner, entry.cell)
        case _:
            block = Block("", "", "", "", body, Location(where))
            yield from ((where, inline) for inline in inlines(block))
