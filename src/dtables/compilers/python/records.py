"""Vocabularies, records and data: constants and classes of the module.

A name of a plain vocabulary is its id; a name of keyed data is a row, an object that is made once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dtables.compilers.python.code import Module, Site, indented, place_text
from dtables.compilers.python.functions import at_cell, doc, open_function, written
from dtables.compilers.python.keeping import kept_lines, works
from dtables.feel.types import describe, without_null
from dtables.model.tables import Data, Label, Record, Row, Vocabulary
from dtables.provenance import Location


def write_vocabulary(vocabulary: Vocabulary, module: Module) -> Iterator[str]:
    """The value of each name, by id, and all of them in order."""
    ground = module.ground
    name = ground.constants[vocabulary.name]
    ids = _tuple(repr(label.id) for label in vocabulary.names)
    if ground.record_of_root(vocabulary.root) is None:
        values = f"{module.uses('plain_names')}({ids})"
    elif vocabulary.root == vocabulary.name:
        values = f"{module.uses('rows')}({ground.row_classes[vocabulary.name]}, {vocabulary.name!r}, {ids})"
    else:
        values = f"{module.uses('some_of')}({ground.constants[vocabulary.root]}, {ids})"
    if vocabulary.exact or vocabulary.name in ground.exact:
        yield f"{name} = {module.uses('exact_names')}({values})"
    else:
        yield from _with_labels(f"{name} = {module.uses('names')}({values}", vocabulary)
    yield f"{ground.eachs[vocabulary.name]} = list({name}.values())"


def _tuple(texts: Iterable[str]) -> str:
    listed = list(texts)
    return f"({', '.join(listed)}{',' if len(listed) == 1 else ''})"


def _with_labels(opening: str, vocabulary: Vocabulary) -> Iterator[str]:
    """Id by id, the other spellings that a record may use."""
    labels = [line for label in vocabulary.names for line in _spellings(label)]
    if not labels:
        yield f"{opening})"
        return
    yield f"{opening}, {{"
    yield from indented(labels)
    yield "})"


def _spellings(label: Label) -> Iterator[str]:
    spelled = [word for _, word in label.words if word] + list(label.spellings)
    others = list(dict.fromkeys(s for s in spelled if s != label.id))
    if others:
        yield f"{label.id!r}: {_tuple(map(repr, others))},"


# -- classes -----------------------------------------------------------------------------------


def write_class(record: Record, module: Module) -> Iterator[str]:
    """A record that is read or made while a turn is answered."""
    ground = module.ground
    turn = ["turn"] if ground.keeps_turn(record.name) else []
    yield f"class {ground.classes[record.name]}({module.uses('Record')}):"
    yield doc("Record", record.name, record.where)
    yield ""
    yield from _slots(record, turn, module)
    yield f"    record_type = {record.name!r}"
    yield ""
    parameters = [*turn, *(ground.attributes[record.name][f.name] for f in record.stored)]
    yield f"    def __init__({', '.join(['self', *parameters])}):"
    yield from indented([f"self.{p} = {p}" for p in parameters] or ["pass"], 2)


def write_row_class(vocabulary: Vocabulary, record: Record, module: Module) -> Iterator[str]:
    """The rows of keyed data; their fields are filled in when all rows are there."""
    yield f"class {module.ground.row_classes[vocabulary.name]}({module.uses('KeyedRow')}):"
    yield doc("Data", vocabulary.name, vocabulary.where)
    yield ""
    yield from _slots(record, [], module)


def _slots(record: Record, turn: list[str], module: Module) -> Iterator[str]:
    """What is worked out has no slots: a slot would stand before it in the class."""
    attributes = {f.name: module.ground.attributes[record.name][f.name] for f in record.stored}
    computed = (f for f in record.fields if f.computed is not None)
    room = ["__dict__"] if any(not module.ground.by_turn(record.name, f.name) for f in computed) else []
    yield f"    __slots__ = {_tuple(map(repr, [*turn, *attributes.values(), *room]))}"
    yield f"    STORED = {attributes!r}"


def write_computed(record: Record, module: Module) -> Iterator[str]:
    """A function for each computed field. What one that needs the turn of a constant record works out, the
    turn keeps."""
    ground = module.ground
    for field in record.fields:
        if field.computed is None:
            continue
        function = ground.computed[record.name, field.name]
        by_turn = ground.by_turn(record.name, field.name)
        site = open_function(module, record.name)
        this = site.function.bind(record.this)
        site.function.turn = "turn" if by_turn else f"{this}.turn"
        value = site.code(field.computed).whole
        lines = [f"return {value}{at_cell(field.where)}"]
        if by_turn and works(field.computed, ground):
            lines = kept_lines(function, "turn", [this], f"{value}{at_cell(field.where)}", site)
        yield f"def {function}({'turn, ' if by_turn else ''}{this}):"
        yield doc(record.name, field.name, Location(field.where))
        yield from (*written(site, lines), "", "")


def computed_text(class_name: str, functions: list[tuple[str, str]], module: Module) -> str:
    """The statement that makes functions the attributes of a class."""
    listed = ", ".join(f"{attribute!r}: {function}" for attribute, function in functions)
    return f"{module.uses('computes')}({class_name}, {{{listed}}})"


def write_computed_maps(record: Record, module: Module, classes: list[str]) -> Iterator[str]:
    ground = module.ground
    attributes = ground.attributes[record.name]
    own: list[tuple[str, str, str]] = []
    turned: list[tuple[str, str, str]] = []
    for field in record.fields:
        if field.computed is not None:
            by_turn = ground.by_turn(record.name, field.name)
            function = ground.computed[record.name, field.name]
            (turned if by_turn else own).append((field.name, attributes[field.name], function))
    for name in classes:
        if own:
            yield computed_text(name, [(attribute, function) for _, attribute, function in own], module)
            yield f"{name}.COMPUTED_FIELDS = {{{', '.join(f'{n!r}: {a!r}' for n, a, _ in own)}}}"
        if turned:
            yield f"{name}.BY_TURN = {{{', '.join(f'{n!r}: {f}' for n, _, f in turned)}}}"


# -- data --------------------------------------------------------------------------------------


def write_rows(vocabulary: Vocabulary, record: Record, module: Module) -> Iterator[str]:
    """The cells of keyed data, row by row."""
    ground = module.ground
    yield f"{module.uses('fill')}("
    yield f"    {ground.constants[vocabulary.name]},"
    yield f"    {tuple(ground.attributes[record.name][f.name] for f in record.stored)!r},"
    yield "    ["
    for row, cells in _cells(vocabulary.rows, record, open_function(module, vocabulary.name)):
        yield f"        {_tuple(cells)},{at_cell(row.where)}"
    yield "    ],"
    yield ")"


def write_data(data: Data, module: Module) -> Iterator[str]:
    """A data table without key: a list of records."""
    ground = module.ground
    yield f"{ground.data[data.heading.name]} = ["
    for row, cells in _cells(
        data.rows, ground.records[data.record], open_function(module, data.heading.name)
    ):
        yield f"    {ground.classes[data.record]}({', '.join(cells)}),{at_cell(row.where)}"
    yield "]"


def _cells(rows: tuple[Row, ...], record: Record, site: Site) -> Iterator[tuple[Row, list[str]]]:
    """A value for every stored field; null where the row has none."""
    for row in rows:
        values = dict(row.values)
        yield row, [site.code(values[f.name]).whole if f.name in values else "None" for f in record.stored]


# -- states --------------------------------------------------------------------------------------
# The class of the turn's state: input fields, switches, and tables of the turn alone.


def write_state_class(module: Module) -> Iterator[str]:
    ground = module.ground
    state = ground.ruleset.input.state
    attributes = ground.attributes[state.name]
    stored = state.stored
    optional = ground.optional_attributes
    overriding = [ground.switch_attributes[n] for n in ground.switches if n in ground.overridable]
    slots = [*(attributes[f.name] for f in stored), *optional.values(), *overriding]
    yield f"class {ground.classes[state.name]}({module.uses('Turn')}):"
    yield doc("Input", state.name, state.where)
    yield ""
    yield "    __slots__ = ("
    yield from (f"        {slot!r}," for slot in slots)
    yield "    )"
    yield f"    record_type = {state.name!r}"
    names = (f"{f.name!r}: {optional.get(f.name, attributes[f.name])!r}" for f in stored)
    yield f"    STORED = {{{', '.join(names)}}}"
    yield f"    REQUIRED = {{{', '.join(f'{n!r}: {attributes[n]!r}' for n in optional)}}}"
    yield "    MISSING = {"
    for field in stored:
        if field.name in optional:
            expected = describe(without_null(field.type))
            place = place_text(Location(field.where))
            yield f"        {attributes[field.name]!r}: ({field.name!r}, {expected!r}, {place!r}),"
    yield "    }"
    yield f"    CARRIERS = {tuple(_carriers(module))!r}"
    yield "    SWITCHES = ("
    for group in ground.ruleset.switches:
        for rule in group.rules if group.field is not None else ():
            name = ground.switch_attributes[rule.name]
            yield f"        ({name!r}, {group.field!r}, {rule.name!r}, {rule.default!r}),"
    yield "    )"


def _carriers(module: Module) -> Iterator[str]:
    """Where records lie that know the turn."""
    ground = module.ground
    state = ground.ruleset.input.state
    for field in state.stored:
        if ground.type_keeps_turn(field.type):
            yield ground.attributes[state.name][field.name]
            if field.name in ground.optional_attributes:
                yield ground.optional_attributes[field.name]
