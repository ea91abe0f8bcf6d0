"""What a model refers to and nobody has: it is null where it is read, and said beforehand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from dtables.diagnostics import Diagnostic, Severity
from dtables.dmn import elements as dmn
from dtables.dmn.problems import missing_element, missing_import
from dtables.dmn.reach import Files
from dtables.provenance import CellRef, Location


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
