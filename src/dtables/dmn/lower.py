"""Elements to tables: every decision, knowledge model and service becomes a formula that is called with
what it requires."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import assert_never

from dtables.checker.report import Sink
from dtables.checker.symbols import FunctionSymbol, Numbers, Scope, Symbols
from dtables.diagnostics import Diagnostic, Severity
from dtables.dmn import elements as dmn
from dtables.dmn.boxed import lower_boxed
from dtables.dmn.messages import DmnError, circle, missing_element, missing_import
from dtables.dmn.surroundings import Around, Files, Key
from dtables.feel.builtins import BY_NAME
from dtables.feel.syntax.parser import Dialect
from dtables.feel.syntax.scanner import KnownNames, tidy_name
from dtables.feel.types import ANY, FunctionType, Type
from dtables.model.expressions import (
    CallFunction,
    CallTable,
    Entry,
    Expression,
    MakeContext,
    MakeFunction,
    Matches,
    Read,
    Variable,
)
from dtables.model.tables import Formula, Heading, Input, Parameter, Record, Ruleset, Step, Table
from dtables.provenance import CellRef, Location


def table_of(key: Key) -> str:
    """The formula of an element."""
    return f"{key[0]}#{key[1]}"


def lower_files(files: Files) -> tuple[Ruleset, Sink]:
    lowering = _Lowering(files, KnownNames(files.names) | KnownNames(BY_NAME), Numbers(), Sink(), [])
    for key, element in files.elements.items():
        lowering.add(key, element)
    for finding in find_missing(files):
        lowering.sink.add(finding)
    for name, tests in files.allowed.tests.items():
        lowering.tables.append(lowering.restriction(name, tests))
    return _ruleset(files.all[0].name, tuple(lowering.tables)), lowering.sink


@dataclass(frozen=True)
class _Lowering:
    files: Files
    names: KnownNames
    numbers: Numbers
    sink: Sink
    tables: list[Table]

    def add(self, key: Key, element: dmn.Element) -> None:
        match element:
            case dmn.Decision():
                self.tables.append(self._decision(key, element))
            case dmn.KnowledgeModel():
                self.tables.append(self._knowledge(key, element))
            case dmn.Service():
                self.tables.append(self._service(key, element))
            case dmn.InputData(type=type_):
                self.files.types(key[0]).named(type_)

    def restriction(self, name: str, tests: str) -> Formula:
        """Whether a value is one of a restricted type's."""
        place = CellRef(self.files.all[0].name, name, 1, 1)
        symbols = Symbols(dialect=Dialect.STANDARD)
        types = self.files.types(self.files.all[0].namespace)
        around = Around(place, self.names, types, Scope(symbols, self.numbers), self.sink, self.tables)
        value, subject = around.variable("value"), around.variable("?")
        passed = Matches(
            _read(value, around), subject, around.tests(tests, subject), type=ANY, where=around.where
        )
        return Formula(Heading(name, around.where), (Parameter("value", value),), ANY, (), passed, place)

    # -- elements ------------------------------------------------------------------------------

    def _decision(self, key: Key, element: dmn.Decision) -> Formula:
        required = self.required(element)
        variables = [self._variable(one, key) for one in required]
        around = self._around(key, element, element.knowledge).binding(*variables)
        value = around.null() if element.logic is None else lower_boxed(around, element.logic)
        value = around.conformed(value, element.type)
        return self._formula(key, [Parameter(v.name, v) for v in variables], (), value)

    def required(self, element: dmn.Decision) -> list[Key]:
        found = (self.files.find(reference) for reference in (*element.inputs, *element.decisions))
        return [one[0] for one in found if one is not None]

    def _knowledge(self, key: Key, element: dmn.KnowledgeModel) -> Formula:
        """Called with its arguments as they come; the function inside converts them first."""
        around = self._around(key, element, (*element.knowledge, dmn.Reference(*key)))
        given = [Parameter(name, around.variable(name)) for name in self._parameter_names(element)]
        if element.logic is None:
            return self._formula(key, given, (), around.null())
        function = lower_boxed(around, replace(element.logic, type=None))
        value = _call(function, given, around)
        return self._formula(key, given, (), _result(around, value, element.logic.type, element.type))

    def _service(self, key: Key, element: dmn.Service) -> Formula:
        """Called likewise; what is inside has its decisions as steps."""
        around = self._around(key, element, ())
        inner = self._inner_service(key, element, around)
        self.tables.append(inner)
        arguments = tuple(_read(p.variable, around) for p in inner.parameters)
        call = CallTable(inner.heading.name, arguments, type=ANY, where=around.where)
        variables = tuple(parameter.variable for parameter in inner.parameters)
        called = MakeFunction(variables, call, type=ANY, where=around.where)
        function = around.typed_function(called, [self._type(one) for one in self.inputs(element)])
        given = [Parameter(name, around.variable(name)) for name in self._parameter_names(element)]
        value = _call(function, given, around)
        return self._formula(key, given, (), _result(around, value, element.type))

    def _type(self, key: Key) -> str | None:
        element = self.files.elements[key]
        return element.type

    def _inner_service(self, key: Key, element: dmn.Service, around: Around) -> Formula:
        """Each decision is called with what it requires, as far as the service has it."""
        given = {one: self._variable(one, key) for one in self.inputs(element)}
        steps = dict(self._steps(element, given, around))
        known = given | {one: step.variable for one, step in steps.items()}
        outputs = [found[0] for r in element.outputs if (found := self.files.find(r)) is not None]
        value = self._outputs([(one, known[one]) for one in outputs if one in known], around)
        parameters = [Parameter(variable.name, variable) for variable in given.values()]
        name = f"{table_of(key)} inside"
        return Formula(
            Heading(name, around.where), tuple(parameters), ANY, tuple(steps.values()), value, around.place
        )

    def inputs(self, element: dmn.Service) -> list[Key]:
        found = (self.files.find(r) for r in (*element.input_data, *element.input_decisions))
        return [one[0] for one in found if one is not None]

    def _steps(
        self, element: dmn.Service, given: Mapping[Key, Variable], around: Around
    ) -> Iterator[tuple[Key, Step]]:
        known = dict(given)
        inner = [self.files.find(r) for r in (*element.encapsulated, *element.outputs)]
        for key in self._in_order([one[0] for one in inner if one is not None], frozenset(given)):
            decision = self.files.elements[key]
            assert isinstance(decision, dmn.Decision)
            arguments = tuple(
                _read(known[r], around) if r in known else around.null() for r in self.required(decision)
            )
            call = CallTable(table_of(key), arguments, type=ANY, where=around.where)
            known[key] = self._variable(key, key)
            yield key, Step(known[key], (), call, around.place, around.place)

    def _outputs(self, outputs: list[tuple[Key, Variable]], around: Around) -> Expression:
        if len(outputs) == 1:
            return _read(outputs[0][1], around)
        entries = tuple(
            Entry(self.files.elements[key].name, around.variable(""), _read(variable, around))
            for key, variable in outputs
        )
        return MakeContext(entries, type=ANY, where=around.where)

    # -- order ---------------------------------------------------------------------------------

    def _in_order(self, keys: list[Key], given: frozenset[Key]) -> list[Key]:
        """The decisions asked for and those they need, needed ones first; not beyond what is given."""
        ordered: list[Key] = []

        def visit(key: Key, path: tuple[Key, ...]) -> None:
            decision = self.files.elements[key]
            if key in ordered or key in given or not isinstance(decision, dmn.Decision):
                return
            if key in path:
                raise DmnError(circle(self.files.elements[one].name for one in (*path, key)))
            for one in self.required(decision):
                visit(one, (*path, key))
            ordered.append(key)

        for key in keys:
            visit(key, ())
        return ordered

    # -- surroundings --------------------------------------------------------------------------

    def _around(self, key: Key, element: dmn.Element, knowledge: tuple[dmn.Reference, ...]) -> Around:
        place = CellRef(self.files.by_namespace[key[0]].name, element.name, 1, 1)
        types = self.files.types(key[0])
        functions = dict(self._functions(key[0], knowledge))
        symbols = Symbols(functions=functions, restrictions=types.by_name, dialect=Dialect.STANDARD)
        return Around(place, self.names, types, Scope(symbols, self.numbers), self.sink, self.tables)

    def _functions(
        self, home: str, knowledge: tuple[dmn.Reference, ...]
    ) -> Iterator[tuple[str, FunctionSymbol]]:
        for reference in knowledge:
            found = self.files.find(reference)
            if found is None:
                continue
            key, element = found
            name = self.files.written(key, home)
            parameters = tuple(zip(self._parameter_names(element), self._types_of(key), strict=True))
            where = Location(CellRef(self.files.by_namespace[key[0]].name, element.name, 1, 1))
            result = self._result_of(key)
            yield name, FunctionSymbol("formula", table_of(key), parameters, result, where)

    def _parameter_names(self, element: dmn.Element) -> list[str]:
        match element:
            case dmn.KnowledgeModel(logic=dmn.FunctionDefinition(parameters=parameters)):
                return [tidy_name(p.name) for p in parameters]
            case dmn.Service():
                return [tidy_name(self.files.elements[key].name) for key in self.inputs(element)]
            case _:
                return []

    def _types_of(self, key: Key) -> list[Type]:
        types = self.files.types(key[0])
        match self.files.elements[key]:
            case dmn.KnowledgeModel(logic=dmn.FunctionDefinition(parameters=parameters)):
                return [types.named(p.type) for p in parameters]
            case dmn.Service() as service:
                return [
                    self.files.types(one[0]).named(self.files.elements[one].type)
                    for one in self.inputs(service)
                ]
            case _:
                return []

    def _result_of(self, key: Key) -> Type:
        """A function's own type may be written where its result's is."""
        element = self.files.elements[key]
        logic = element.logic if isinstance(element, dmn.KnowledgeModel) else None
        written = element.type if logic is None else logic.type or element.type
        type_ = self.files.types(key[0]).named(written)
        return type_.result if isinstance(type_, FunctionType) else type_

    def _variable(self, key: Key, reader: Key) -> Variable:
        return self.numbers.variable(self.files.written(key, reader[0]), ANY)

    def _formula(
        self, key: Key, parameters: list[Parameter], steps: tuple[Step, ...], result: Expression
    ) -> Formula:
        cell = CellRef(self.files.by_namespace[key[0]].name, self.files.elements[key].name, 1, 1)
        return Formula(Heading(table_of(key), Location(cell)), tuple(parameters), ANY, steps, result, cell)


def _read(variable: Variable, around: Around) -> Expression:
    return Read(variable, type=ANY, where=around.where)


def _call(function: Expression, given: list[Parameter], around: Around) -> Expression:
    arguments = tuple(_read(parameter.variable, around) for parameter in given)
    return CallFunction(function, arguments, type=ANY, where=around.where)


def _result(around: Around, value: Expression, *types: str | None) -> Expression:
    """A function's own type may be written where its result's is."""
    for written in types:
        type_ = around.types.named(written)
        value = around.conformed_to(value, type_.result if isinstance(type_, FunctionType) else type_)
    return value


def _ruleset(name: str, tables: tuple[Table, ...]) -> Ruleset:
    """Only tables: a model of the standard has nothing else of a workbook."""
    where = Location(CellRef(name, "", 1, 1))
    state = Record("state", (), Variable("this", 0, ANY), where)
    nothing = ((), (), (), (), ())
    vocabularies, restrictions, records, data, switches = nothing
    asks, checks, examples, pages, terms = nothing
    return Ruleset(
        name, name, (), (), vocabularies, restrictions, records, data, Input((), state), switches,
        tables, asks, checks, examples, pages, terms,
    )  # fmt: skip


# -- what nobody has --------------------------------------------------------------------------------
# What a model refers to and nobody has: it is null where it is read, and said beforehand.


def find_missing(files: Files) -> Iterator[Diagnostic]:
    for file in files.all:
        for one in file.imports:
            if one.namespace not in files.by_namespace:
                words = missing_import(one.name, one.namespace)
                yield _warning(file, one.name, "missing-import", words)
        for element in file.elements:
            for reference in _references(element):
                if files.find(reference) is None:
                    words = missing_element(element.name, reference.namespace, reference.id)
                    yield _warning(file, element.name, "missing-element", words)


def _warning(file: dmn.Definitions, name: str, code: str, words: str) -> Diagnostic:
    return Diagnostic(Location(CellRef(file.name, name, 1, 1)), Severity.WARNING, code, words)


def _references(element: dmn.Element) -> tuple[dmn.Reference, ...]:
    match element:
        case dmn.InputData():
            return ()
        case dmn.Decision():
            return (*element.inputs, *element.decisions, *element.knowledge)
        case dmn.KnowledgeModel():
            return element.knowledge
        case dmn.Service():
            inner = (*element.outputs, *element.encapsulated)
            return (*inner, *element.input_decisions, *element.input_data)
        case _:
            assert_never(element)
