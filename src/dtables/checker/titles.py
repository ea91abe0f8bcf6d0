"""What the glossary calls tables and fields, where they do not say it themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dtables.checker.draft import Draft
from dtables.checker.glossary import FIELDS, TABLES, kind_and_id
from dtables.checker.written import filled_rows, words_at, words_of_both
from dtables.model.tables import Heading, Record, Ruleset, Words

Called = Mapping[str, Words]


def with_titles(draft: Draft, ruleset: Ruleset) -> Ruleset:
    tables, fields = _called(draft, TABLES), _called(draft, FIELDS)
    if not tables and not fields:
        return ruleset
    state = replace(ruleset.input, state=_record(ruleset.input.state, fields))
    return replace(
        ruleset,
        input=state,
        records=tuple(_record(record, fields) for record in ruleset.records),
        tables=tuple(replace(t, heading=_heading(t.heading, tables)) for t in ruleset.tables),
        asks=tuple(replace(a, heading=_heading(a.heading, tables)) for a in ruleset.asks),
        switches=tuple(replace(s, heading=_heading(s.heading, tables)) for s in ruleset.switches),
        headings=tuple(_heading(h, tables) for h in ruleset.headings),
    )


def _called(draft: Draft, kinds: tuple[str, ...]) -> Called:
    found: dict[str, Words] = {}
    for table in draft.tables("glossary"):
        for row in filled_rows(table):
            kind, name = kind_and_id(table, row)
            if kind.casefold() in kinds:
                found[name] = (*found.get(name, ()), *words_at(table, row, "label"))
    return found


def _record(record: Record, called: Called) -> Record:
    words = {f.name: words_of_both(f.words, called.get(f.name, ())) for f in record.fields}
    return replace(record, fields=tuple(replace(f, words=words[f.name]) for f in record.fields))


def _heading(heading: Heading, called: Called) -> Heading:
    return replace(heading, title=words_of_both(heading.title, called.get(heading.name, ())))
