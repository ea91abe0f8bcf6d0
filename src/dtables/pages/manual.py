"""The page that says what a log may ask of a workbook: asks, fields, answers, names, readings.

Made from the model alone, so that whoever writes turns down needs nothing else. Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from decimal import Decimal

from dtables.feel.types import (
    ListType,
    MapType,
    RecordType,
    RestrictedType,
    Type,
    VocabularyType,
    describe,
    may_be_null,
    without_null,
)
from dtables.model.constants import constant_of
from dtables.model.expressions import (
    AskAnswer,
    Conditional,
    Constant,
    EachOf,
    Expression,
    For,
    MakeContext,
    MakeList,
    MakeRange,
    MakeRecord,
    NameOf,
)
from dtables.model.reach import Reach
from dtables.model.tables import (
    AnswerField,
    Ask,
    Consistency,
    Draw,
    Field,
    Heading,
    Label,
    Need,
    Next,
    Record,
    Ruleset,
    Vocabulary,
    WhenOpen,
    Words,
)
from dtables.model.vocabularies import in_language
from dtables.pages.manual_words import MANUAL_WORDS
from dtables.pages.markdown import anchor, as_table, code, fenced, paragraph, prose


def manual_name(ruleset: Ruleset, language: str) -> str:
    """English pages have the plain name; the others say their language."""
    return f"{ruleset.name}.md" if language == "en" else f"{ruleset.name}.{language}.md"


def manual(ruleset: Ruleset, language: str) -> str:
    """Return the page, in Markdown, that says what a log may ask and what it needs, field by field."""
    return "\n".join(_Manual(ruleset, language).lines()) + "\n"


class _Manual:
    def __init__(self, ruleset: Ruleset, language: str) -> None:
        self.ruleset = ruleset
        self.language = language
        self.words = MANUAL_WORDS[language]
        self.reach = Reach(ruleset)
        self.asks = [a for a in ruleset.asks if not a.parameters]
        self.asks.sort(key=lambda a: not a.main)
        self.state = {f.name: f for f in ruleset.input.state.fields}
        self.restrictions = {r.name: r for r in ruleset.restrictions}

    def lines(self) -> Iterator[str]:
        yield f"# {self._title()}"
        yield ""
        yield f"<!-- {self.words['made']} -->"
        yield ""
        yield self.words["intro"].format(book=code(self.ruleset.book), version=self.ruleset.version)
        yield from self._asks_overview()
        yield from self._sample()
        for ask in self.asks:
            yield from self._ask(ask)
        yield from self._state()
        yield from self._records()
        yield from self._switches()
        yield from self._checks()
        yield from self._names()
        yield from self._readings()

    def _title(self) -> str:
        """What the glossary calls the workbook, else its name."""
        called = [self._say(t.words) for t in self.ruleset.terms if t.id == self.ruleset.name]
        return next((t for t in called if t), prose(self.ruleset.name))

    # -- asks ----------------------------------------------------------------------------------

    def _asks_overview(self) -> Iterator[str]:
        yield from self._section("asks")
        rows = []
        for ask in self.asks:
            name = self._link(ask.heading.name)
            about = self._say(ask.heading.title) or self._say(ask.heading.note)
            rows.append((name + (self.words["main"] if ask.main else ""), about))
        yield from as_table((self.words["ask"], self.words["what"]), rows)

    def _sample(self) -> Iterator[str]:
        """The first example of the main ask, as a log would hold it."""
        main = self.asks[0].heading.name if self.asks else None
        for table in self.ruleset.examples:
            if table.ask == main and main is not None:
                for example in table.rows:
                    if example.rejected is None:
                        yield from self._section("record")
                        yield self.words["record_intro"]
                        yield ""
                        record = {"turn": 1, "ask": main, "state": example.given}
                        yield from fenced(json.dumps(record, ensure_ascii=False, default=str))
                        return

    def _ask(self, ask: Ask) -> Iterator[str]:
        yield ""
        yield f"## {prose(ask.heading.name)}"
        yield ""
        yield from self._heading_words(ask.heading)
        needs = {str(n.place).removeprefix("state."): n for n in ask.rows if isinstance(n, Need)}
        rows = [
            (code(path), self._place_type(need), self._need(need), self._field_words(need.place.fields))
            for path, need in needs.items()
        ]
        whole = {need.place.fields[0] for need in needs.values() if len(need.place.fields) == 1}
        for name in self.reach.inputs(ask):
            if name not in whole and name in self.state:
                field = self.state[name]
                rows.append(
                    (code(name), self._type(field.type), self._absent(field), self._field_words((name,)))
                )
        for draw in self._recorded_draws(ask):
            assert draw.recorded is not None
            name = str(draw.recorded).removeprefix("state.")
            if not any(row[0] == code(name) for row in rows):
                about = self._say(draw.words) or self.words["draw"]
                rows.append((code(name), self._place_type(draw), self.words["optional"], about))
        if rows:
            yield f"**{self.words['reads']}**"
            yield ""
            yield from as_table((self.words["field"], self.words["type"], "", self.words["what"]), rows)
            yield ""
        switches = self.reach.switches(ask)
        if switches:
            yield self.words["switches_read"] + " " + ", ".join(code(s) for s in switches)
            yield ""
        yield f"**{self.words['answers']}**"
        yield ""
        yield from as_table(
            (self.words["field"], self.words["type"], self.words["what"]),
            [self._answer(row) for row in ask.rows if isinstance(row, AnswerField)],
        )
        yield from self._nexts(ask)

    def _nexts(self, ask: Ask) -> Iterator[str]:
        rows = [row for row in ask.rows if isinstance(row, Next)]
        if rows:
            yield ""
            yield f"**{self.words['next']}**"
            yield ""
            shown = [(self._link(row.ask), self._say(row.words)) for row in rows]
            yield from as_table((self.words["ask"], self.words["when"]), shown)

    def _recorded_draws(self, ask: Ask) -> list[Draw]:
        """Those of asks that are answered within it too."""
        inside = {node.ask for node in self.reach.parts(ask) if isinstance(node, AskAnswer)}
        asks = (ask, *(other for other in self.ruleset.asks if other.heading.name in inside))
        rows = (row for one in asks for row in one.rows)
        return [row for row in rows if isinstance(row, Draw) and row.recorded is not None]

    def _answer(self, row: AnswerField) -> tuple[str, str, str]:
        about = self._say(row.words)
        if row.when_open is WhenOpen.NULL:
            about = f"{about} {self.words['null_when_open']}".strip()
        nested = nested_answer(row.value, self.ruleset.asks)
        type_ = self._type(row.value.type) if nested is None else prose(nested)
        return (code(row.name), type_, about)

    def _need(self, need: Need) -> str:
        if need.when is not None:
            return self.words["needed_when"]
        if need.names is not None:
            return self.words["needed_each"]
        return self.words["needed_some"] if need.some else self.words["needed"]

    def _place_type(self, row: Need | Draw) -> str:
        place = row.place if isinstance(row, Need) else row.recorded
        assert place is not None
        field = self._field_at(place.fields)
        return self._type(field.type) if field else ""

    def _field_at(self, path: tuple[str, ...]) -> Field | None:
        fields = self.ruleset.input.state.fields
        found: Field | None = None
        for name in path:
            found = next((f for f in fields if f.name == name), None)
            if found is None:
                return None
            fields = self._fields_of(found.type)
        return found

    def _fields_of(self, type_: Type) -> tuple[Field, ...]:
        type_ = without_null(type_)
        if isinstance(type_, ListType):
            return self._fields_of(type_.item)
        if isinstance(type_, RecordType):
            return next((r.fields for r in self.ruleset.records if r.name == type_.name), ())
        return ()

    def _field_words(self, path: tuple[str, ...]) -> str:
        field = self._field_at(path)
        return self._about(field) if field else ""

    # -- the state and its parts ---------------------------------------------------------------

    def _state(self) -> Iterator[str]:
        if self.state:
            yield from self._section("state")
            yield self.words["state_intro"]
            yield ""
            yield from self._fields(self.ruleset.input.state.fields)

    def _records(self) -> Iterator[str]:
        used = [r for r in self.ruleset.records if r.name in self._record_names()]
        if used:
            yield from self._section("records")
        for record in used:
            yield ""
            yield f"### {prose(record.name)}"
            yield ""
            if record.heading:
                yield from self._heading_words(record.heading)
            yield from self._fields(record.fields)

    def _record_names(self) -> set[str]:
        """Record types that stand somewhere in the state."""
        by_name: dict[str, Record] = {r.name: r for r in self.ruleset.records}
        met: set[str] = set()
        overrides = {table.field for table in self.ruleset.switches}
        waiting = [f.type for f in self.ruleset.input.state.fields if f.name not in overrides]
        while waiting:
            match without_null(waiting.pop()):
                case ListType(item=item) | MapType(value=item):
                    waiting.append(item)
                case RecordType(name=name) if name in by_name and name not in met:
                    met.add(name)
                    waiting += [f.type for f in by_name[name].fields if f.computed is None]
        return met

    def _fields(self, fields: Iterable[Field]) -> Iterator[str]:
        rows = [
            (code(f.name), self._type(f.type, f), self._absent(f), self._about(f))
            for f in fields
            if f.computed is None
        ]
        yield from as_table(
            (self.words["field"], self.words["type"], self.words["absent"], self.words["what"]), rows
        )

    def _about(self, field: Field) -> str:
        return ": ".join(w for w in (self._say(field.words), self._say(field.help)) if w)

    def _absent(self, field: Field) -> str:
        if field.default is None:
            return self.words["unknown" if may_be_null(field.type) else "needed"]
        return code(self._literal(field.default))

    def _literal(self, value: Expression) -> str:
        """A default as a log would give it, but names without quotes; of a record what is not a default of
        its own."""
        match value:
            case NameOf(id=id_):
                return id_
            case MakeList(items=items):
                return "[" + ", ".join(map(self._literal, items)) + "]"
            case MakeContext(entries=entries):
                return self._entries((entry.name, entry.value) for entry in entries)
            case MakeRecord(record=name, fields=fields):
                record = next(one for one in self.ruleset.records if one.name == name)
                own = {field.name: field.default for field in record.fields}
                return self._entries(
                    (field, one) for field, one in fields if not self._alike(one, own[field])
                )
            case EachOf(vocabulary=name):
                names = next(one for one in self.ruleset.vocabularies if one.name == name).names
                return "[" + ", ".join(label.id for label in names) + "]"
            case MakeRange(low=low, high=high, low_included=from_low, high_included=to_high):
                ends = "..".join("" if end is None else self._literal(end) for end in (low, high))
                return ("[" if from_low else "(") + ends + ("]" if to_high else ")")
            case _:
                plain = constant_of(value)
                return str(plain) if isinstance(plain, Decimal) else json.dumps(plain, ensure_ascii=False)

    def _alike(self, value: Expression, default: Expression | None) -> bool:
        return self._literal(value) == ("null" if default is None else self._literal(default))

    def _entries(self, entries: Iterable[tuple[str, Expression]]) -> str:
        return "{" + ", ".join(f"{name}: {self._literal(value)}" for name, value in entries) + "}"

    def _type(self, type_: Type, field: Field | None = None) -> str:
        text = prose(describe(without_null(type_)))
        inner = without_null(type_)
        while isinstance(inner, (ListType, MapType)):
            inner = without_null(inner.item if isinstance(inner, ListType) else inner.value)
        if isinstance(inner, RestrictedType) and inner.name in self.restrictions:
            rule = self.restrictions[inner.name]
            text += f": {prose(describe(rule.type))} {code(rule.written)}"
        elif isinstance(inner, VocabularyType):
            name = prose(inner.name)
            text = text.replace(name, f"[{name}](#{anchor(inner.name)})", 1)
        if field and field.allowed:
            text += f" {code(field.allowed.written)}"
        return text

    # -- names, switches, checks, readings -----------------------------------------------------

    def _switches(self) -> Iterator[str]:
        for table in self.ruleset.switches:
            yield from self._section("switches")
            if table.field:
                yield self.words["switches_intro"].format(field=code(f"state.{table.field}"))
                yield ""
            rows = [
                (
                    code(s.name),
                    ", ".join(map(self._value, s.values.names)),
                    code(s.default),
                    self._say(s.words),
                )
                for s in table.rules
            ]
            yield from as_table(
                (self.words["switch"], self.words["values"], self.words["default"], self.words["what"]),
                rows,
            )

    def _value(self, label: Label) -> str:
        said = self._say(label.words)
        return f"{code(label.id)}: {said}" if said else code(label.id)

    def _checks(self) -> Iterator[str]:
        rows = [row for table in self.ruleset.checks for row in table.rows]
        if rows:
            yield from self._section("checks")
            yield self.words["checks_intro"]
            yield ""
        for row in rows:
            only = f" ({', '.join(map(prose, row.asks))})" if row.asks else ""
            places = row.each if isinstance(row, Consistency) else row.places
            where = ", ".join(code(str(place)) for place in places)
            said = self._words(row.words)
            yield f"- {where}: {prose(said)}{only}" if where else f"- {paragraph(said)}{only}"

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
        said = "all_of" if held <= own else "some_of"
        link = f"[{prose(base.name)}](#{anchor(base.name)})"
        yield self.words[said].format(base=link, ids=", ".join(code(i.id) for i in vocabulary.names))
        extra = tuple(n for n in vocabulary.names if n.id not in held)
        if extra:
            yield ""
            yield from self._labels(extra)

    def _base(self, vocabulary: Vocabulary) -> Vocabulary | None:
        """What it narrows: its root; what it adds to: the one its only field is called after."""
        by_name = {v.name: v for v in self.ruleset.vocabularies}
        if vocabulary.root != vocabulary.name:
            return by_name.get(vocabulary.root)
        fields = self._fields_of(RecordType(vocabulary.record)) if vocabulary.record else ()
        return by_name.get(fields[0].name) if len(fields) == 1 and not vocabulary.source else None

    def _labels(self, names: tuple[Label, ...]) -> Iterator[str]:
        languages = [lang for lang in self.ruleset.languages if any(_in(n.words, lang) for n in names)]
        also = any(n.spellings for n in names)
        if not languages and not also:
            yield ", ".join(code(n.id) for n in names)
            return
        headers = ["id", *languages, *([self.words["also"]] if also else [])]
        rows = []
        for name in names:
            extra = (prose(", ".join(name.spellings)),) if also else ()
            rows.append((code(name.id), *(prose(_in(name.words, lang)) for lang in languages), *extra))
        yield from as_table(tuple(headers), rows)

    def _readings(self) -> Iterator[str]:
        noted = [h for h in self.ruleset.headings if self._say(h.note)]
        if noted:
            yield from self._section("readings")
            yield self.words["readings_intro"]
            yield ""
        for heading in noted:
            source = f" ({prose(', '.join(heading.source))})" if heading.source else ""
            cell = heading.where.cell
            where = code(f"{cell.sheet}!{cell.address}")
            yield f"- **{prose(heading.name)}**, {where}{source}: {self._say(heading.note)}"

    # -- small things --------------------------------------------------------------------------

    def _section(self, key: str) -> Iterator[str]:
        yield ""
        yield f"## {self.words[key + '_title']}"
        yield ""

    def _heading_words(self, heading: Heading) -> Iterator[str]:
        for words in (heading.title, heading.note):
            said = self._words(words)
            if said:
                yield paragraph(said)
                yield ""

    def _link(self, ask: str) -> str:
        return f"[{code(ask)}](#{anchor(ask)})"

    def _say(self, words: Words) -> str:
        """As Markdown."""
        return prose(self._words(words))

    def _words(self, words: Words) -> str:
        return in_language(words, self.language)


def _in(words: Words, language: str) -> str:
    return next((text for lang, text in words if lang == language), "")


# -- answers ----------------------------------------------------------------------------------------
# What an answer field is made of where it holds the answer of another ask, or a list of them.


def nested_answer(value: Expression, asks: tuple[Ask, ...]) -> str | None:
    """`list of {place: hex, price: number}`; None where no other ask is answered."""
    match value:
        case AskAnswer(ask=name):
            rows = (
                row for a in asks if a.heading.name == name for row in a.rows if isinstance(row, AnswerField)
            )
            return "{" + ", ".join(f"{row.name}: {_type(row.value, asks)}" for row in rows) + "}"
        case For(result=result):
            item = nested_answer(result, asks)
            return None if item is None else f"list of {item}"
        case Conditional(then=then, otherwise=otherwise):
            either = otherwise if isinstance(then, Constant) else then
            return nested_answer(either, asks)
        case _:
            return None


def _type(value: Expression, asks: tuple[Ask, ...]) -> str:
    return nested_answer(value, asks) or describe(without_null(value.type))
