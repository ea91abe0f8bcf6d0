"""The page about what a log may ask of a workbook: asks, fields, answers, names, readings.

Made from the model alone, so that whoever writes turns down needs nothing else. Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import groupby

from dtables.contract import AnswerContract, AskContract, FieldContract, Needed, Nested, contract_of
from dtables.feel.types import ListType, MapType, Type, VocabularyType, describe, without_null
from dtables.model.tables import Heading, Label, Ruleset, Vocabulary, Words
from dtables.pages.manual_words import MANUAL_WORDS
from dtables.pages.markdown import anchor, as_table, code, fenced, paragraph, prose
from dtables.wording.labels import labels_of


def manual_name(ruleset: Ruleset, language: str) -> str:
    """English pages have the plain name; the others name their language."""
    return f"{ruleset.name}.md" if language == "en" else f"{ruleset.name}.{language}.md"


def manual(ruleset: Ruleset, language: str) -> str:
    """Return the page, in Markdown, about what a log may ask and what it needs, field by field."""
    return "\n".join(_Manual(ruleset, language).lines()) + "\n"


class _Manual:
    def __init__(self, ruleset: Ruleset, language: str) -> None:
        self.ruleset = ruleset
        self.language = language
        self.words = MANUAL_WORDS[language]
        self.labels = labels_of(ruleset, language)
        self.contract = contract_of(ruleset, language)

    def lines(self) -> Iterator[str]:
        yield f"# {self._title()}"
        yield ""
        yield f"<!-- {self.words['made']} -->"
        yield ""
        yield self.words["intro"].format(book=code(self.ruleset.book), version=self.ruleset.version)
        yield from self._asks_overview()
        yield from self._sample()
        for ask in self.contract.asks:
            yield from self._ask(ask)
        yield from self._state()
        yield from self._records()
        yield from self._switches()
        yield from self._checks()
        yield from self._names()
        yield from self._readings()

    def _title(self) -> str:
        """What the glossary calls the workbook, else its name."""
        return prose(self.labels.in_glossary(self.ruleset.name) or self.ruleset.name)

    # -- asks ----------------------------------------------------------------------------------

    def _asks_overview(self) -> Iterator[str]:
        yield from self._section("asks")
        rows = [
            (self._link(ask.name) + (self.words["main"] if ask.main else ""), prose(ask.title or ask.note))
            for ask in self.contract.asks
        ]
        yield from as_table((self.words["ask"], self.words["what"]), rows)

    def _sample(self) -> Iterator[str]:
        """The first example of the main ask, as a log would hold it."""
        main = self.contract.asks[0] if self.contract.asks else None
        if main is not None and main.example is not None:
            yield from self._section("record")
            yield self.words["record_intro"]
            yield ""
            record = {"turn": 1, "ask": main.name, "state": main.example}
            yield from fenced(json.dumps(record, ensure_ascii=False, default=str))

    def _ask(self, ask: AskContract) -> Iterator[str]:
        yield ""
        yield f"## {prose(ask.name)}"
        yield ""
        yield from self._heading_words(self.labels.index.asks[ask.name].heading)
        if ask.reads:
            yield f"**{self.words['reads']}**"
            yield ""
            rows = [
                (code(field.path), self._type(field.type), self._needed(field), self._about(field))
                for field in ask.reads
            ]
            yield from as_table((self.words["field"], self.words["type"], "", self.words["what"]), rows)
            yield ""
        if ask.switches:
            yield self.words["switches_read"] + " " + ", ".join(map(code, ask.switches))
            yield ""
        yield f"**{self.words['answers']}**"
        yield ""
        yield from as_table(
            (self.words["field"], self.words["type"], self.words["what"]),
            list(map(self._answer, ask.answers)),
        )
        yield from self._nexts(ask)

    def _nexts(self, ask: AskContract) -> Iterator[str]:
        if ask.next:
            yield ""
            yield f"**{self.words['next']}**"
            yield ""
            shown = [(self._link(row.ask), prose(row.when)) for row in ask.next]
            yield from as_table((self.words["ask"], self.words["when"]), shown)

    def _answer(self, field: AnswerContract) -> tuple[str, str, str]:
        about = prose(field.label)
        if field.null_when_open:
            about = f"{about} {self.words['null_when_open']}".strip()
        type_ = prose(_nested(field.of)) if isinstance(field.of, Nested) else self._type(field.type)
        return (code(field.name), type_, about)

    def _needed(self, field: FieldContract) -> str:
        if field.default is not None:
            return code(field.default.text)
        return self.words[NEEDED[field.needed]]

    def _about(self, field: FieldContract) -> str:
        if field.needed is Needed.DRAWN and not field.label:
            return self.words["draw"]
        return ": ".join(prose(text) for text in (field.label, field.help) if text)

    # -- the state and its parts ---------------------------------------------------------------

    def _state(self) -> Iterator[str]:
        if self.ruleset.input.state.fields:
            yield from self._section("state")
            yield self.words["state_intro"]
            yield ""
            yield from self._fields(self.contract.state)

    def _records(self) -> Iterator[str]:
        used = [record for record in self.contract.records if not record.sets_switches]
        if used:
            yield from self._section("records")
        for record in used:
            yield ""
            yield f"### {prose(record.name)}"
            yield ""
            if heading := self.labels.index.records[record.name].heading:
                yield from self._heading_words(heading)
            yield from self._fields(record.fields)

    def _fields(self, fields: Iterable[FieldContract]) -> Iterator[str]:
        rows = [
            (code(f.path), self._type(f.type, f.allowed), self._needed(f), self._about(f)) for f in fields
        ]
        yield from as_table(
            (self.words["field"], self.words["type"], self.words["absent"], self.words["what"]), rows
        )

    def _type(self, type_: Type, allowed: str = "") -> str:
        text = prose(describe(without_null(type_)))
        inner = without_null(type_)
        while isinstance(inner, (ListType, MapType)):
            inner = without_null(inner.item if isinstance(inner, ListType) else inner.value)
        rule = self.contract.rule(inner)
        if rule is not None:
            text += f": {prose(describe(rule.type))} {code(rule.allowed)}"
        elif isinstance(inner, VocabularyType):
            name = prose(inner.name)
            text = text.replace(name, f"[{name}](#{anchor(inner.name)})", 1)
        return f"{text} {code(allowed)}" if allowed else text

    # -- names, switches, checks, readings -----------------------------------------------------

    def _switches(self) -> Iterator[str]:
        for field, switches in groupby(
            self.contract.switches, key=lambda switch: (switch.table, switch.field)
        ):
            yield from self._section("switches")
            if field[1]:
                yield self.words["switches_intro"].format(field=code(f"state.{field[1]}"))
                yield ""
            rows = [
                (code(s.name), ", ".join(map(_value, s.values)), code(s.default), prose(s.about))
                for s in switches
            ]
            yield from as_table(
                (self.words["switch"], self.words["values"], self.words["default"], self.words["what"]),
                rows,
            )

    def _checks(self) -> Iterator[str]:
        if self.contract.checks:
            yield from self._section("checks")
            yield self.words["checks_intro"]
            yield ""
        for check in self.contract.checks:
            only = f" ({', '.join(map(prose, check.asks))})" if check.asks else ""
            where = ", ".join(map(code, check.places))
            yield f"- {where}: {prose(check.text)}{only}" if where else f"- {paragraph(check.text)}{only}"

    def _names(self) -> Iterator[str]:
        switches = {s.values.name for table in self.ruleset.switches for s in table.rules}
        shown = [v for v in self.ruleset.vocabularies if v.name not in switches]
        if shown:
            yield from self._section("names")
            yield self.words["names_intro"]
        for rule in (rule for rule in self.ruleset.restrictions if rule.names):
            yield ""
            yield f"### {rule.name}"
            yield ""
            yield from self._labels(tuple(label for _, label in rule.names))
        for vocabulary in shown:
            yield ""
            yield f"### {prose(vocabulary.name)}"
            yield ""
            yield from self._vocabulary(vocabulary)

    def _vocabulary(self, vocabulary: Vocabulary) -> Iterator[str]:
        base = self._base(vocabulary)
        if base is None:
            yield from self._labels(vocabulary.names)
            return
        held = {n.id for n in base.names}
        own = {n.id for n in vocabulary.names}
        text = "all_of" if held <= own else "some_of"
        link = f"[{prose(base.name)}](#{anchor(base.name)})"
        yield self.words[text].format(base=link, ids=", ".join(code(i.id) for i in vocabulary.names))
        extra = tuple(n for n in vocabulary.names if n.id not in held)
        if extra:
            yield ""
            yield from self._labels(extra)

    def _base(self, vocabulary: Vocabulary) -> Vocabulary | None:
        """What it narrows: its root; what it adds to: the one its only field is called after."""
        by_name = self.labels.index.vocabularies
        if vocabulary.root != vocabulary.name:
            return by_name.get(vocabulary.root)
        fields = [*self.labels.index.fields.get(vocabulary.record or "", {})]
        return by_name.get(fields[0]) if len(fields) == 1 and not vocabulary.source else None

    def _labels(self, names: tuple[Label, ...]) -> Iterator[str]:
        languages = [lang for lang in self.ruleset.languages if any(_in(n.words, lang) for n in names)]
        also = any(n.spellings for n in names)
        helped = any(self._words(n.help) for n in names)
        if not languages and not also and not helped:
            yield ", ".join(code(n.id) for n in names)
            return
        headers = ["id", *languages]
        headers += [self.words[word] for word, wanted in (("also", also), ("help", helped)) if wanted]
        rows = []
        for name in names:
            extra: tuple[str, ...] = (prose(", ".join(name.spellings)),) if also else ()
            extra += (prose(self._words(name.help)),) if helped else ()
            rows.append((code(name.id), *(prose(_in(name.words, lang)) for lang in languages), *extra))
        yield from as_table(tuple(headers), rows)

    def _readings(self) -> Iterator[str]:
        noted = [h for h in self.ruleset.headings if self._markdown(h.note)]
        if noted:
            yield from self._section("readings")
            yield self.words["readings_intro"]
            yield ""
        for heading in noted:
            source = f" ({prose(', '.join(heading.source))})" if heading.source else ""
            cell = heading.where.cell
            where = code(f"{cell.sheet}!{cell.address}")
            yield f"- **{prose(heading.name)}**, {where}{source}: {self._markdown(heading.note)}"

    # -- small pieces --------------------------------------------------------------------------

    def _section(self, key: str) -> Iterator[str]:
        yield ""
        yield f"## {self.words[key + '_title']}"
        yield ""

    def _heading_words(self, heading: Heading) -> Iterator[str]:
        for words in (heading.title, heading.note):
            text = self._words(words)
            if text:
                yield paragraph(text)
                yield ""

    def _link(self, ask: str) -> str:
        return f"[{code(ask)}](#{anchor(ask)})"

    def _markdown(self, words: Words) -> str:
        """As Markdown."""
        return prose(self._words(words))

    def _words(self, words: Words) -> str:
        return self.labels.words(words)


def _in(words: Words, language: str) -> str:
    return next((text for lang, text in words if lang == language), "")


NEEDED = {
    Needed.ALWAYS: "needed",
    Needed.NOT_EMPTY: "needed_some",
    Needed.EVERY_NAME: "needed_each",
    Needed.SOMETIMES: "needed_when",
    Needed.DEFAULT: "unknown",
    Needed.UNKNOWN: "unknown",
    Needed.DRAWN: "optional",
}


def _value(value: tuple[str, str]) -> str:
    id, about = value
    return f"{code(id)}: {prose(about)}" if about else code(id)


def _nested(of: Nested) -> str:
    """`list of {place: hex, price: number}`"""
    fields = (
        f"{row.name}: {_nested(row.of) if isinstance(row.of, Nested) else describe(row.of)}"
        for row in of.answers
    )
    return "list of " * of.listed + "{" + ", ".join(fields) + "}"
