"""A ruleset as one Python module: the same ruleset, the same text."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dtables import __version__
from dtables.compilers.python.asks import write_ask
from dtables.compilers.python.calls import type_text
from dtables.compilers.python.checks import write_checks, write_look
from dtables.compilers.python.code import Module, indented
from dtables.compilers.python.completing import write_completers
from dtables.compilers.python.compounds import write_turn_lists
from dtables.compilers.python.entries import entry_text, write_entry
from dtables.compilers.python.failing import find_failing
from dtables.compilers.python.functions import quotable
from dtables.compilers.python.ground import Ground, survey
from dtables.compilers.python.keeping import find_brief, find_kept, find_spread
from dtables.compilers.python.reading import (
    write_allowed,
    write_reader,
    write_restriction,
    write_shapes,
    write_state_reader,
)
from dtables.compilers.python.records import (
    computed_text,
    write_class,
    write_computed,
    write_computed_maps,
    write_data,
    write_row_class,
    write_rows,
    write_state_class,
    write_vocabulary,
)
from dtables.compilers.python.tables import write_table
from dtables.diagnostics import Diagnostic
from dtables.model.tables import Ask, Record, Ruleset, Table, Vocabulary, table_name

WIDTH = 110


def to_python(ruleset: Ruleset) -> tuple[str, tuple[Diagnostic, ...]]:
    """The source of a module; every checked ruleset can be compiled to Python."""
    ground = survey(ruleset)
    find_failing(ground)
    find_kept(ground)
    find_spread(ground)
    find_brief(ground)
    module = Module(ground)
    sections = [(title, list(write(module))) for title, write in SECTIONS]
    body = [line for title, lines in sections for line in _section(title, lines)]
    return "\n".join(_spaced([*_head(module), *body])) + "\n", ()


def _head(module: Module) -> Iterator[str]:
    ruleset = module.ground.ruleset
    name, book = quotable(ruleset.name), quotable(ruleset.book)
    yield f'"""The rules of {name}, compiled from {book}. Edit the workbook, not this."""'
    yield ""
    yield "from dtables.compiled import compiled_by"
    yield ""
    yield f"compiled_by({__version__!r}, {ruleset.book!r})"
    yield ""
    for source in sorted(module.imports, key=_import_order):
        yield from _import(source, sorted(module.imports[source]))
    yield ""
    yield f"RULESET = {ruleset.name!r}"
    yield f"VERSION = {ruleset.version!r}"
    yield ""
    yield from (f"{name} = {text}" for text, name in module.constants.items())


def _import_order(source: str) -> tuple[bool, str]:
    return (source.startswith("dtables"), source)


def _import(source: str, names: list[str]) -> Iterator[str]:
    line = f"from {source} import {', '.join(names)}"
    if len(line) <= WIDTH:
        yield line
        return
    yield f"from {source} import ("
    yield from indented([f"{name}," for name in names])
    yield ")"


def _section(title: str, lines: list[str]) -> Iterator[str]:
    if any(lines):
        yield from ("", "", f"# -- {title} {'-' * (WIDTH - len(title) - 6)}", "", "")
        yield from lines


def _spaced(lines: list[str]) -> Iterator[str]:
    """Two empty lines around what stands by itself, never more."""
    empty, before = 0, ""
    for line in lines:
        if not line:
            empty += 1
            continue
        apart = line.startswith(("def ", "class ", "@")) and not before.startswith("@")
        ends = before.startswith("    ") and not line.startswith((" ", ")", "}", "]"))
        yield from [""] * (2 if apart or (ends and empty) else min(empty, 2))
        yield line
        empty, before = 0, line


# -- sections ----------------------------------------------------------------------------------


def _words(module: Module) -> Iterator[str]:
    ground = module.ground
    yield from _vocabularies(module)
    for record in _written_records(ground):
        yield from (*write_class(record, module), "")
    yield from (*write_state_class(module), "")
    yield from _rows(module)
    for record in ground.records.values():
        yield from write_computed(record, module)


def _tables(module: Module) -> Iterator[str]:
    for table in module.ground.tables.values():
        yield from (*write_table(table, module), "")
    yield from _computed_maps(module)


def _asks(module: Module) -> Iterator[str]:
    for ask in module.ground.asks:
        yield from write_ask(ask, module)


def _checks(module: Module) -> Iterator[str]:
    for checks in module.ground.checks:
        yield from write_checks(checks, module)
    yield from write_look(module)


def _lists(module: Module) -> Iterator[str]:
    """Those that anything above has needed."""
    yield from (f"{name} = {text}" for text, name in module.groups.items())
    yield from ("", "", *module.spread_lines)
    for record, attributes in module.spread_attributes.items():
        yield computed_text(module.ground.classes[record], attributes, module)
    yield from ("", "")
    yield from write_turn_lists(module, module.ground.classes[module.ground.ruleset.input.state.name])


def _reading(module: Module) -> Iterator[str]:
    ground = module.ground
    lines: list[str] = []
    for restriction in ground.restrictions.values():
        lines += write_restriction(restriction, module)
    for record in ground.records.values():
        lines += write_allowed(record, module)
    for record in _written_records(ground):
        lines += write_reader(record, module)
    lines += [*write_state_reader(module), *write_completers(module), *write_shapes(module)]
    entries = [line for table in ground.tables.values() for line in _entry(table, module)]
    module.entry_texts = [f"{name!r}: {entry_text(table, module)}," for name, table in ground.tables.items()]
    lines += _played(module)
    yield from (f"{name} = {text}" for text, name in module.types.items())
    yield from (*lines, "", "", *entries)


def _played(module: Module) -> Iterator[str]:
    """What a record may hold as played: the fields of each ask's answer."""
    yield from ("", "", "PLAYED = {")
    for ask in module.ground.asks:
        fields = ", ".join(f"{one.name!r}: {type_text(one.value.type, module)}" for one in ask.answers)
        yield f"    {ask.name!r}: {{{fields}}},"
    yield "}"


def _entry(table: Table, module: Module) -> Iterator[str]:
    ground, name = module.ground, table_name(table)
    ground.entries[name] = ground.names.new(f"{ground.functions[name]}_given")
    yield from write_entry(table, module)


def _face(module: Module) -> Iterator[str]:
    ground = module.ground
    state = ground.ruleset.input.state
    yield f"ASKS = {{{', '.join(_ask_entry(ask, ground) for ask in ground.ruleset.open_asks)}}}"
    checks = f"({' '.join(f'*{name},' for name in ground.check_tables)})"
    yield f"RULES = {module.uses('Rules')}("
    readers = f"{ground.readers[state.name]}, {ground.completers[state.name]}"
    yield f"    {ground.classes[state.name]}, SHAPES, {readers}, ASKS,"
    yield f"    {{name: tuple(c for c in {checks} if not c.asks or name in c.asks) for name in ASKS}},"
    yield f"    {'anything_wrong' if ground.check_tables else module.uses('nothing_wrong')},"
    yield "    {"
    yield from indented(module.entry_texts, 2)
    yield "    },"
    yield "    PLAYED,"
    yield ")"
    yield "TABLES = {"
    for name in ground.tables:
        yield f"    {name!r}: {ground.entries[name]},"
    yield "}"
    yield "answer = RULES.answer"
    yield "reply = RULES.reply"


SECTIONS: tuple[tuple[str, Callable[[Module], Iterator[str]]], ...] = (
    ("words, records, data", _words),
    ("tables", _tables),
    ("asks", _asks),
    ("checks", _checks),
    ("reading", _reading),
    ("lists that are made once", _lists),
    ("what is asked from outside", _face),
)


def _written_records(ground: Ground) -> list[Record]:
    state = ground.ruleset.input.state
    return [r for r in ground.records.values() if r is not state and r.name in ground.built_records]


def _rooted(ground: Ground) -> Iterator[tuple[Vocabulary, Record]]:
    for vocabulary in ground.vocabularies.values():
        record = ground.record_of_root(vocabulary.root)
        if record is not None and vocabulary.root == vocabulary.name:
            yield vocabulary, record


def _vocabularies(module: Module) -> Iterator[str]:
    ground = module.ground
    for vocabulary, record in _rooted(ground):
        yield from (*write_row_class(vocabulary, record, module), "", "")
    roots_first = sorted(ground.vocabularies.values(), key=lambda v: v.root != v.name)
    for vocabulary in roots_first:
        yield from write_vocabulary(vocabulary, module)
    yield from ("", "")


def _rows(module: Module) -> Iterator[str]:
    for vocabulary, record in _rooted(module.ground):
        yield from write_rows(vocabulary, record, module)
        yield ""
    for data in module.ground.ruleset.data:
        yield from (*write_data(data, module), "")
    yield ""


def _computed_maps(module: Module) -> Iterator[str]:
    ground = module.ground
    for record in ground.records.values():
        rows = [ground.row_classes[v.name] for v, r in _rooted(ground) if r is record]
        classes = [ground.classes[record.name]] if record.name in ground.built_records else []
        own = [ground.classes[record.name]] if record is ground.ruleset.input.state else []
        yield from write_computed_maps(record, module, [*classes, *own, *rows])
    state = ground.classes[ground.ruleset.input.state.name]
    memo = [(attribute, ground.functions[t]) for t, attribute in ground.turn_attributes.items()]
    if memo:
        yield computed_text(state, memo, module)
    yield from ("", "")


def _ask_entry(ask: Ask, ground: Ground) -> str:
    return f"{ask.heading.name!r}: {ground.ask_names[ask.heading.name]}"
