"""DMN files, versions 1.2 to 1.5: XML to elements. Layout and what tools add are passed over."""

from __future__ import annotations

from collections.abc import Iterator as Iterable
from pathlib import Path
from typing import Protocol
from xml.etree.ElementTree import ParseError

from defusedxml import ElementTree
from defusedxml.common import DefusedXmlException

from dtables.dmn import elements as dmn
from dtables.dmn.messages import DmnError, no_definitions, not_readable

MOST_BYTES = 50_000_000


class Node(Protocol):
    """What is used of an XML element."""

    tag: str
    text: str | None

    def get(self, key: str, default: str | None = None) -> str | None: ...

    def __iter__(self) -> Iterable[Node]: ...


def read_definitions(path: Path) -> dmn.Definitions:
    """DmnError where the file is none."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise DmnError(not_readable(path, f"more than {MOST_BYTES} bytes"))
        root = ElementTree.parse(path, forbid_dtd=True).getroot()
    except (OSError, ParseError, DefusedXmlException, UnicodeDecodeError) as error:
        raise DmnError(not_readable(path, str(error))) from None
    if _tag(root) != "definitions":
        raise DmnError(no_definitions(path, _tag(root)))
    namespace = root.get("namespace") or ""
    return dmn.Definitions(
        root.get("name") or path.stem,
        namespace,
        tuple(dmn.Import(n.get("name") or "", n.get("namespace") or "") for n in _all(root, "import")),
        tuple(_item_definition(n) for n in _all(root, "itemDefinition")),
        tuple(_elements(root, namespace)),
        frozenset(_names(root)),
    )


_REQUIRED = frozenset({"inputData", "decision", "businessKnowledgeModel", "decisionService"})
_PASSED_OVER = frozenset({"extensionElements", "DMNDI"})


def _names(root: Node) -> Iterable[str]:
    """What may follow a full stop. An element's own name is in reach only where it is required; the
    outputs of a service are entries of its value."""
    outputs = {(one.get("href") or "").rpartition("#")[2] for one in _outputs_of_services(root)}
    for node in root:
        if _tag(node) not in _REQUIRED:
            yield from _names_in(node)
            continue
        if node.get("id") in outputs:
            yield node.get("name") or ""
        for part in node:
            if _tag(part) != "variable":
                yield from _names_in(part)


def _outputs_of_services(root: Node) -> Iterable[Node]:
    for service in _all(root, "decisionService"):
        yield from _all(service, "outputDecision")


def _names_in(node: Node) -> Iterable[str]:
    if _tag(node) in _PASSED_OVER:
        return
    yield from (name for key in ("name", "iteratorVariable") if (name := node.get(key)) is not None)
    for part in node:
        yield from _names_in(part)


# -- elements ----------------------------------------------------------------------------------


def _elements(root: Node, namespace: str) -> Iterable[dmn.Element]:
    for node in root:
        name, type_ = _variable(node)
        id_ = node.get("id") or node.get("name") or ""
        match _tag(node):
            case "inputData":
                yield dmn.InputData(id_, name, type_)
            case "decision":
                yield _decision(node, id_, name, type_, namespace)
            case "businessKnowledgeModel":
                logic = _one(node, "encapsulatedLogic")
                function = None if logic is None else _function(logic)
                yield dmn.KnowledgeModel(id_, name, type_, _knowledge(node, namespace), function)
            case "decisionService":
                yield _service(node, id_, name, type_, namespace)
            case _:
                pass


def _variable(node: Node) -> tuple[str, str | None]:
    """An element goes by its own name; its variable says the type."""
    variable = _one(node, "variable")
    name = node.get("name") or ""
    return (name, None) if variable is None else (name or variable.get("name") or "", _type(variable))


def _decision(node: Node, id_: str, name: str, type_: str | None, namespace: str) -> dmn.Decision:
    required = [part for one in _all(node, "informationRequirement") for part in one]
    inputs = [_reference(part, namespace) for part in required if _tag(part) == "requiredInput"]
    decisions = [_reference(part, namespace) for part in required if _tag(part) == "requiredDecision"]
    logic = next((boxed for part in node if (boxed := _boxed(part)) is not None), None)
    knowledge = _knowledge(node, namespace)
    return dmn.Decision(id_, name, type_, tuple(inputs), tuple(decisions), knowledge, logic)


def _knowledge(node: Node, namespace: str) -> tuple[dmn.Reference, ...]:
    required = [part for one in _all(node, "knowledgeRequirement") for part in one]
    return tuple(_reference(part, namespace) for part in required)


def _service(node: Node, id_: str, name: str, type_: str | None, namespace: str) -> dmn.Service:
    def listed(tag: str) -> tuple[dmn.Reference, ...]:
        return tuple(_reference(part, namespace) for part in _all(node, tag))

    outputs, inner = listed("outputDecision"), listed("encapsulatedDecision")
    return dmn.Service(id_, name, type_, outputs, inner, listed("inputDecision"), listed("inputData"))


def _reference(node: Node, namespace: str) -> dmn.Reference:
    outer, _, id_ = (node.get("href") or "").rpartition("#")
    return dmn.Reference(outer or namespace, id_)


def _item_definition(node: Node) -> dmn.ItemDefinition:
    function = _one(node, "functionItem")
    return dmn.ItemDefinition(
        node.get("name") or "",
        _type(node),
        node.get("isCollection") == "true",
        tuple(_item_definition(part) for part in _all(node, "itemComponent")),
        _text_in(node, "allowedValues"),
        _text_in(node, "typeConstraint"),
        None if function is None else _function_item(function),
    )


def _function_item(node: Node) -> dmn.FunctionItem:
    parameters = tuple(_parameter(part) for part in _all(node, "parameters"))
    return dmn.FunctionItem(parameters, node.get("outputTypeRef"))


# -- expressions -------------------------------------------------------------------------------


def _boxed(node: Node | None) -> dmn.Boxed | None:
    """None for what is no expression."""
    if node is None:
        return None
    match _tag(node):
        case "literalExpression":
            return _literal(node)
        case "decisionTable":
            return _table(node)
        case "context":
            entries = tuple(_entry(part) for part in _all(node, "contextEntry"))
            return dmn.Context(entries, _type(node))
        case "list":
            return dmn.List(tuple(_boxes(node)), _type(node))
        case "relation":
            columns = tuple(_parameter(column) for column in _all(node, "column"))
            rows = tuple(tuple(_boxes(row)) for row in _all(node, "row"))
            return dmn.Relation(columns, rows, _type(node))
        case "invocation":
            bindings = tuple(_binding(part) for part in _all(node, "binding"))
            return dmn.Invocation(next(_boxes(node), _EMPTY), bindings, _type(node))
        case "functionDefinition":
            return _function(node)
        case _:
            return _flow(node)


def _flow(node: Node) -> dmn.Boxed | None:
    match _tag(node):
        case "conditional":
            parts = [_within(node, tag) for tag in ("if", "then", "else")]
            return dmn.Conditional(parts[0], parts[1], parts[2], _type(node))
        case "filter":
            return dmn.Filter(_within(node, "in"), _within(node, "match"), _type(node))
        case "for" | "some" | "every" as tag:
            result = _within(node, "return" if tag == "for" else "satisfies")
            variable = node.get("iteratorVariable") or ""
            return dmn.Iterator(dmn.Loop(tag), variable, _within(node, "in"), result, _type(node))
        case _:
            return None


def _literal(node: Node) -> dmn.Literal:
    return dmn.Literal(_text(node), _type(node), node.get("expressionLanguage"))


_EMPTY = dmn.Literal("null")


def _boxes(node: Node) -> Iterable[dmn.Boxed]:
    return (boxed for part in node if (boxed := _boxed(part)) is not None)


def _within(node: Node, tag: str) -> dmn.Boxed:
    """The expression inside `<in>`, `<then>`…"""
    outer = _one(node, tag)
    return _EMPTY if outer is None else next(_boxes(outer), _EMPTY)


def _entry(node: Node) -> dmn.ContextEntry:
    variable = _one(node, "variable")
    value = next(_boxes(node), _EMPTY)
    if variable is None:
        return dmn.ContextEntry(None, value)
    return dmn.ContextEntry(variable.get("name") or "", value, _type(variable))


def _binding(node: Node) -> dmn.Binding:
    parameter = _one(node, "parameter")
    name = "" if parameter is None else parameter.get("name") or ""
    return dmn.Binding(name, next(_boxes(node), _EMPTY))


def _function(node: Node) -> dmn.FunctionDefinition:
    parameters = tuple(_parameter(part) for part in _all(node, "formalParameter"))
    body = next(_boxes(node), _EMPTY)
    return dmn.FunctionDefinition(parameters, body, node.get("kind") or "FEEL", _type(node))


def _parameter(node: Node) -> dmn.Parameter:
    return dmn.Parameter(node.get("name") or "", _type(node))


# -- decision tables ---------------------------------------------------------------------------


def _table(node: Node) -> dmn.DecisionTable:
    return dmn.DecisionTable(
        node.get("hitPolicy") or "UNIQUE",
        node.get("aggregation"),
        tuple(_input(part) for part in _all(node, "input")),
        tuple(_output(part) for part in _all(node, "output")),
        tuple(_rule(part) for part in _all(node, "rule")),
        _type(node),
    )


def _input(node: Node) -> dmn.Input:
    expression = _one(node, "inputExpression")
    return dmn.Input(_EMPTY if expression is None else _literal(expression))


def _output(node: Node) -> dmn.Output:
    default = _one(node, "defaultOutputEntry")
    return dmn.Output(
        node.get("name"),
        _type(node),
        _text_in(node, "outputValues"),
        None if default is None else _literal(default),
    )


def _rule(node: Node) -> dmn.Rule:
    tests = tuple(_text(part) for part in _all(node, "inputEntry"))
    return dmn.Rule(tests, tuple(_literal(part) for part in _all(node, "outputEntry")))


# -- nodes -------------------------------------------------------------------------------------


def _tag(node: Node) -> str:
    """Without the namespace: versions differ in it, not in the names."""
    return node.tag.rpartition("}")[2] if isinstance(node.tag, str) else ""


def _all(node: Node, tag: str) -> list[Node]:
    return [part for part in node if _tag(part) == tag]


def _one(node: Node, tag: str) -> Node | None:
    return next(iter(_all(node, tag)), None)


def _type(node: Node) -> str | None:
    """An attribute since DMN 1.2, an element before and in item definitions."""
    inner = _one(node, "typeRef")
    return node.get("typeRef") or (inner.text if inner is not None else None)


def _text(node: Node) -> str:
    inner = _one(node, "text")
    return "" if inner is None or inner.text is None else inner.text


def _text_in(node: Node, tag: str) -> str | None:
    inner = _one(node, tag)
    return None if inner is None else _text(inner)
