"""The built-in functions of the expression language: every one an entry with name, signatures, result
type, words, examples and meaning. The checker, the engines and docs/builtins.md read this list."""

from __future__ import annotations

from dtables.feel.functions.aggregates import AGGREGATES
from dtables.feel.functions.contexts import CONTEXTS
from dtables.feel.functions.conversion import CONVERSIONS
from dtables.feel.functions.dates import TEMPORAL, clock_at
from dtables.feel.functions.entry import Builtin, Parameter, Signature
from dtables.feel.functions.lists import LISTS
from dtables.feel.functions.numbers import NUMERIC
from dtables.feel.functions.ranges import RANGES
from dtables.feel.functions.text import TEXTS
from dtables.feel.kinds import Function
from dtables.feel.types import ANY, Type, describe

__all__ = [
    "BUILTINS",
    "BY_NAME",
    "GROUPS",
    "Builtin",
    "Parameter",
    "Signature",
    "as_function",
    "builtins_page",
    "clock_at",
]

GROUPS: tuple[tuple[str, tuple[Builtin, ...]], ...] = (
    ("Conversion", CONVERSIONS),
    ("Text", TEXTS),
    ("Numbers", NUMERIC),
    ("Many values to one", AGGREGATES),
    ("Lists", LISTS),
    ("Contexts", CONTEXTS),
    ("Dates", TEMPORAL),
    ("Ranges", RANGES),
)

BUILTINS: tuple[Builtin, ...] = tuple(entry for _, entries in GROUPS for entry in entries)
BY_NAME: dict[str, Builtin] = {entry.name: entry for entry in BUILTINS}


def as_function(builtin: Builtin) -> Function:
    """The built-in as a value (`sort(list, before)`); always the same object."""
    return _FUNCTIONS[builtin.name]


def _function(builtin: Builtin) -> Function:
    parameters = builtin.signatures[0].parameters
    types = tuple(parameter.type for parameter in parameters)
    return Function(
        parameters=tuple(parameter.name for parameter in parameters),
        body=builtin.meaning,
        types=types,
        variadic=len(builtin.signatures) > 1 or any(p.variadic or p.optional for p in parameters),
        name=builtin.name,
        result=builtin.result(types),
    )


_FUNCTIONS: dict[str, Function] = {entry.name: _function(entry) for entry in BUILTINS}


# -- docs/builtins.md ----------------------------------------------------------------------------

_OPENING = """\
# Built-in functions

Made from `dtables.feel.builtins`; do not edit. All functions of the DMN standard, and those marked
*workbook*, which it does not have. A parameter in brackets may be left out, one with … may be given
several times; a type with ? takes null. A wrong argument is an error with its cell in a workbook, and
null in an imported DMN model.
"""


def builtins_page() -> str:
    """Return docs/builtins.md as Markdown."""
    return "\n".join([_OPENING, *(_group(title, entries) for title, entries in GROUPS)])


def _group(title: str, entries: tuple[Builtin, ...]) -> str:
    return "\n".join([f"## {title}\n", *(_entry(entry) for entry in entries)])


def _entry(entry: Builtin) -> str:
    lines = [f"### {entry.name}" + ("" if entry.standard else " (workbook)"), ""]
    lines += [f"    {entry.name}({_parameters(signature)})" for signature in entry.signatures]
    lines += ["", f"{entry.doc[0].upper()}{entry.doc[1:]}.", ""]
    if entry.examples:
        lines += [f"- `{text}` is `{value}`" for text, value in entry.examples]
        lines.append("")
    return "\n".join(lines)


def _parameters(signature: Signature) -> str:
    return ", ".join(_parameter(parameter) for parameter in signature.parameters)


def _parameter(parameter: Parameter) -> str:
    name = parameter.name + ("…" if parameter.variadic else "")
    text = f"{name}: {_type(parameter.type)}"
    return f"[{text}]" if parameter.optional else text


def _type(type_: Type) -> str:
    return "any" if type_ == ANY else describe(type_)
