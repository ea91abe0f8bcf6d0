"""Completing a record that was decoded by its types: its values are read already, and what it leaves out is
put in.

The functions also count the record's keys. The decoder drops a key that is written twice without a word:
whoever compares the count with the colons of the text sees that one is missing. Whatever does not pass a
test is left to the careful reading, as everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dtables.compilers.python.code import Level, Module, Site, indented
from dtables.compilers.python.functions import defined, open_function
from dtables.compilers.python.ground import Ground, records_in
from dtables.compilers.python.reading import (
    Fixed,
    at_place,
    fixed_at,
    misread_code,
    places_with_fixed,
    switch_lines,
    test_of,
    with_fixed,
)
from dtables.feel.types import ListType, MapType, OptionalType, RecordType, RestrictedType, TextType, Type
from dtables.model.tables import Field, Record


def write_completers(module: Module) -> Iterator[str]:
    """A function for the state, and one for each kind of record that can stand in it."""
    for record in _read_records(module.ground):
        yield from _completer(module.ground.completers[record.name], record, (), module)
    yield from _state_completer(module)


def _read_records(ground: Ground) -> list[Record]:
    waiting, found = [ground.ruleset.input.state], dict[str, Record]()
    while waiting:
        for field in waiting.pop().stored:
            for name in records_in(field.type):
                if name not in found:
                    found[name] = ground.records[name]
                    waiting.append(found[name])
    return list(found.values())


def _state_completer(module: Module) -> Iterator[str]:
    """Makes the turn of a state, and counts all of the state's keys."""
    ground = module.ground
    state = ground.ruleset.input.state
    for place in places_with_fixed(module):
        name = at_place(ground.completers[place.record.name], place.field, module)
        yield from _completer(name, place.record, place.fixed, module)
    site = open_function(module, None)
    completing = _completing(site, "it")
    path, keys, absent = site.fresh("path"), completing.keys, completing.absent
    lines = [f"turn = {ground.classes[state.name]}({path})", f"{keys} = {len(state.stored)}"]
    for field in state.stored:
        lines += completing.of_state(field, state)
    lines += switch_lines(module)
    signature = f"{ground.completers[state.name]}(given, {path}, {absent})"
    yield from defined(signature, [*lines, f"return turn, {keys}"], site)


def _completer(name: str, record: Record, fixed: Fixed, module: Module) -> Iterator[str]:
    """Completes all of several records."""
    ground = module.ground
    attributes = ground.attributes[record.name]
    given = dict(fixed)
    site = open_function(module, None)
    completing = _completing(site, "this")
    this, keys = completing.this, completing.keys
    lines = [f"{this}.turn = turn"] if ground.keeps_turn(record.name) else []
    for field in record.stored:
        if field.name in given:
            lines.append(f"{this}.{attributes[field.name]} = {site.code(given[field.name]).whole}")
        else:
            lines += completing.of_record(field, record)
    own = len(record.stored) - len(given)
    body = [f"{keys} = {own} * len(given)", *_opened(f"for {this} in given:", lines)]
    yield from defined(f"{name}(given, turn, {completing.absent})", [*body, f"return {keys}"], site)


def _completing(site: Site, this: str) -> _Completing:
    return _Completing(site, site.fresh(this), site.fresh("keys"), site.fresh("absent"))


def _opened(opening: str, lines: list[str]) -> Iterator[str]:
    """A block, if there is something in it."""
    if lines:
        yield opening
        yield from indented(lines)


@dataclass(frozen=True)
class _Completing:
    """Writes the lines of one function. `this` is what is completed, `keys` the count, `absent` what stands
    where no key was."""

    site: Site
    this: str
    keys: str
    absent: str

    # -- fields --------------------------------------------------------------------------------

    def of_record(self, field: Field, record: Record) -> Iterator[str]:
        value = f"{self.this}.{self.site.ground.attributes[record.name][field.name]}"
        given = list(self._given_field(field, record, value, ()))
        if field.default is None and not isinstance(field.type, OptionalType):
            yield from given
            return
        default = "None" if field.default is None else self.site.code(field.default).whole
        yield from self._or_default(value, default, given)

    def of_state(self, field: Field, state: Record) -> Iterator[str]:
        """Fields that may be missing are set only if they are there."""
        ground = self.site.ground
        attribute = ground.attributes[state.name][field.name]
        optional = ground.optional_attributes.get(field.name)
        fixed = fixed_at(self.site.function.module, field.name)
        it = self.this
        yield f"{it} = given.{optional or attribute}"
        given = list(self._given_field(field, state, it, fixed))
        if field.default is None:
            yield f"if {it} is {self.absent} or {it} is None:"
            yield f"    turn.{optional} = None"
            yield f"    {self.keys} -= {it} is {self.absent}"
            yield "else:"
            yield from indented([*given, f"turn.{attribute} = turn.{optional} = {it}"])
            return
        default = with_fixed(self.site.code(field.default).whole, field, fixed, self.site)
        yield from self._or_default(it, default, given)
        if optional is None:
            yield f"turn.{attribute} = {it}"
            return
        yield f"turn.{optional} = {it}"
        yield f"if {it} is not None:"
        yield f"    turn.{attribute} = {it}"

    def _or_default(self, value: str, default: str, given: list[str]) -> Iterator[str]:
        """A null is as if the key were not there, but the key is."""
        yield f"if {value} is {self.absent} or {value} is None:"
        yield f"    {self.keys} -= {value} is {self.absent}"
        yield f"    {value} = {default}"
        yield from _opened("else:", given)

    def _given_field(self, field: Field, record: Record, value: str, fixed: Fixed) -> Iterator[str]:
        of = field.type.of if isinstance(field.type, OptionalType) else field.type
        if fixed and isinstance(of, RecordType):
            name = at_place(self.site.ground.completers[of.name], field, self.site.function.module)
            yield f"{self.keys} += {name}(({value},), turn, {self.absent})"
        else:
            yield from self._given(of, value)
        if isinstance(of, MapType):
            names = self.site.ground.constants[of.key.name]
            yield f"{value} = {{name: {value}[name] for name in {names} if name in {value}}}"
        if field.allowed is not None:
            yield f"{self.site.ground.allowed[record.name, field.name]}({value})"

    # -- values --------------------------------------------------------------------------------

    def _given(self, type_: Type, value: str) -> Iterator[str]:
        """What is left to do with a value that has its type."""
        match type_:
            case OptionalType(of=of):
                yield from _opened(f"if {value} is not None:", list(self._given(of, value)))
            case TextType():
                yield f"{self.keys} += {value}.count(':')"
            case RestrictedType(name=name, of=of):
                yield from self._given(of, value)
                yield from self._tested(name, value)
            case ListType(item=RecordType(name=name)):
                yield f"{self.keys} += {self.site.ground.completers[name]}({value}, turn, {self.absent})"
            case ListType(item=item):
                yield from self._each(item, value)
            case MapType(value=of):
                yield f"{self.keys} += len({value})"
                yield from self._each(of, f"{value}.values()")
            case RecordType(name=name):
                yield f"{self.keys} += {self.site.ground.completers[name]}(({value},), turn, {self.absent})"
            case _:
                return

    def _each(self, item: Type, values: str) -> Iterator[str]:
        each = self.site.fresh("each")
        yield from _opened(f"for {each} in {values}:", list(self._given(item, each)))

    def _tested(self, name: str, value: str) -> Iterator[str]:
        module = self.site.function.module
        test = test_of(name, value, module)
        if test is None:
            yield f"{module.ground.allowed[name]}({value})"
            return
        yield f"if not {test.within(Level.NOT)}:"
        yield f"    {misread_code(module)}"
