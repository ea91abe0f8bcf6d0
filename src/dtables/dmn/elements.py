"""A DMN model as it is written: what its file says, nothing yet understood."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

# -- expressions -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Literal:
    """An expression as text. `language` is set where it is said; only FEEL is understood."""

    text: str
    type: str | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True)
class ContextEntry:
    """Without name: the context's result."""

    name: str | None
    value: Boxed
    type: str | None = None


@dataclass(frozen=True, slots=True)
class Context:
    entries: tuple[ContextEntry, ...]
    type: str | None = None


@dataclass(frozen=True, slots=True)
class List:
    items: tuple[Boxed, ...]
    type: str | None = None


@dataclass(frozen=True, slots=True)
class Binding:
    parameter: str
    value: Boxed


@dataclass(frozen=True, slots=True)
class Invocation:
    """`function` is an expression, most often the name of a function."""

    function: Boxed
    bindings: tuple[Binding, ...]
    type: str | None = None


@dataclass(frozen=True, slots=True)
class Parameter:
    """Of a function; a column of a relation."""

    name: str
    type: str | None = None


@dataclass(frozen=True, slots=True)
class Relation:
    columns: tuple[Parameter, ...]
    rows: tuple[tuple[Boxed, ...], ...]
    type: str | None = None


@dataclass(frozen=True, slots=True)
class FunctionDefinition:
    """`kind` is FEEL, Java or PMML; only FEEL is understood."""

    parameters: tuple[Parameter, ...]
    body: Boxed
    kind: str = "FEEL"
    type: str | None = None


@dataclass(frozen=True, slots=True)
class Conditional:
    condition: Boxed
    then: Boxed
    otherwise: Boxed
    type: str | None = None


@dataclass(frozen=True, slots=True)
class Filter:
    items: Boxed
    match: Boxed
    type: str | None = None


class Loop(StrEnum):
    FOR = "for"
    SOME = "some"
    EVERY = "every"


@dataclass(frozen=True, slots=True)
class Iterator:
    loop: Loop
    variable: str
    source: Boxed
    result: Boxed
    type: str | None = None


@dataclass(frozen=True, slots=True)
class Input:
    """A condition column: what it tests."""

    expression: Literal


@dataclass(frozen=True, slots=True)
class Output:
    """`values` are the allowed outcomes, best first, as unary tests."""

    name: str | None
    type: str | None
    values: str | None
    default: Boxed | None


@dataclass(frozen=True, slots=True)
class Rule:
    tests: tuple[str, ...]
    outcomes: tuple[Boxed, ...]


@dataclass(frozen=True, slots=True)
class DecisionTable:
    hit_policy: str
    aggregation: str | None
    inputs: tuple[Input, ...]
    outputs: tuple[Output, ...]
    rules: tuple[Rule, ...]
    type: str | None = None


Boxed = (
    Literal | Context | List | Relation | Invocation | FunctionDefinition | Conditional | Filter
    | Iterator | DecisionTable
)  # fmt: skip


# -- elements ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ItemDefinition:
    """A named type: another one, perhaps only some of its values; a record; a list; a function.
    `allowed` are tests on a value, of a list on its items; `constraint` tests the list itself."""

    name: str
    type: str | None
    collection: bool
    components: tuple[ItemDefinition, ...]
    allowed: str | None
    constraint: str | None
    function: FunctionItem | None = None


@dataclass(frozen=True, slots=True)
class FunctionItem:
    parameters: tuple[Parameter, ...]
    result: str | None


@dataclass(frozen=True, slots=True)
class Reference:
    """`namespace#id`; the namespace is this model's own where none is written."""

    namespace: str
    id: str


@dataclass(frozen=True, slots=True)
class InputData:
    id: str
    name: str
    type: str | None


@dataclass(frozen=True, slots=True)
class Decision:
    id: str
    name: str
    type: str | None
    inputs: tuple[Reference, ...]
    decisions: tuple[Reference, ...]
    knowledge: tuple[Reference, ...]
    logic: Boxed | None


@dataclass(frozen=True, slots=True)
class KnowledgeModel:
    """A function: a business knowledge model."""

    id: str
    name: str
    type: str | None
    knowledge: tuple[Reference, ...]
    logic: FunctionDefinition | None


@dataclass(frozen=True, slots=True)
class Service:
    """A decision service: decisions worked out from the inputs given, as a function too."""

    id: str
    name: str
    type: str | None
    outputs: tuple[Reference, ...]
    encapsulated: tuple[Reference, ...]
    input_decisions: tuple[Reference, ...]
    input_data: tuple[Reference, ...]


Element = InputData | Decision | KnowledgeModel | Service


@dataclass(frozen=True, slots=True)
class Import:
    """Another model's elements, reached as `name.element`."""

    name: str
    namespace: str


@dataclass(frozen=True, slots=True)
class Definitions:
    """One file."""

    name: str
    namespace: str
    imports: tuple[Import, ...]
    types: tuple[ItemDefinition, ...]
    elements: tuple[Element, ...]
    names: frozenset[str]
    """What has a name in it and is no element: what may follow a full stop wherever it stands."""
