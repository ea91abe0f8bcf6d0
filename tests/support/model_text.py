"""Checked expressions as one line of text, for tests: `solo.coins! + 1`, `each card[item.points > 3]`.

`x!` is a guard, `state.x` an input field (`state.x?` one that may be missing),
`colour:red` a name, `list[#2]` an index, `table()` a call, `builtin·name(…)` a built-in.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from dtables.feel.types import OptionalType
from dtables.model import expressions as m


def model_text(node: m.Expression) -> str:
    match node:
        case m.Constant(value=value):
            return constant_text(value)
        case m.NameOf(vocabulary=vocabulary, id=id_):
            return f"{vocabulary}:{id_}"
        case m.EachOf(vocabulary=vocabulary):
            return f"each {vocabulary}"
        case m.Read(variable=variable):
            return variable.name
        case m.InputField(name=name):
            return f"state.{name}" + ("?" if isinstance(node.type, OptionalType) else "")
        case m.Switch(name=name):
            return f"switch {name}"
        case m.DataRows(table=table):
            return f"rows of {table}"
        case m.FieldOf(of=of, name=name):
            return f"{model_text(of)}.{name}"
        case m.ByKey(of=of, key=key):
            return f"{model_text(of)}({model_text(key)})"
        case m.ItemAt(of=of, index=index):
            return f"{model_text(of)}[#{model_text(index)}]"
        case m.Filter(of=of, condition=condition):
            return f"{model_text(of)}[{model_text(condition)}]"
        case m.Select(of=of, condition=condition):
            return f"{model_text(of)}[select {model_text(condition)}]"
        case m.ItemEntry(name=name, otherwise=otherwise):
            return f"(item.{name} else {model_text(otherwise)})"
        case m.Guard(operand=operand):
            return f"{model_text(operand)}!"
        case _:
            return _operation(node)


def _operation(node: m.Expression) -> str:
    match node:
        case m.Negation(operand=operand):
            return f"-{model_text(operand)}"
        case m.Not(operand=operand):
            return f"not({model_text(operand)})"
        case m.Arithmetic() | m.Comparison() | m.Logic():
            return f"({model_text(node.left)} {node.operator} {model_text(node.right)})"
        case m.Matches(value=value, tests=tests):
            return f"{model_text(value)} in ({tests_text(tests)})"
        case m.InstanceOf(value=value, wanted=wanted):
            return f"{model_text(value)} is a {type(wanted).__name__}"
        case m.Conditional(condition=condition, then=then, otherwise=otherwise):
            return f"if {model_text(condition)} then {model_text(then)} else {model_text(otherwise)}"
        case m.For(bindings=bindings, result=result):
            return f"for {_bindings(bindings)} return {model_text(result)}"
        case m.Quantified(quantifier=quantifier, bindings=bindings, condition=condition):
            return f"{quantifier} {_bindings(bindings)} satisfies {model_text(condition)}"
        case m.MakeList(items=items):
            return f"[{_several(items)}]"
        case m.MakeContext(entries=entries):
            return "{" + ", ".join(f"{e.name}: {model_text(e.value)}" for e in entries) + "}"
        case m.MakeRecord(record=record, fields=fields):
            return record + "{" + ", ".join(f"{n}: {model_text(v)}" for n, v in fields) + "}"
        case m.MakeRange(low=low, high=high, low_included=low_in, high_included=high_in):
            return _range(low, high, low_in, high_in)
        case m.MakeFunction(parameters=parameters, body=body):
            return f"function({', '.join(p.name for p in parameters)}) {model_text(body)}"
        case _:
            return _call(node)


def _call(node: m.Expression) -> str:
    match node:
        case m.CallBuiltin(builtin=builtin, arguments=arguments):
            return f"{builtin}·({_several(arguments)})"
        case m.CallFunction(function=function, arguments=arguments):
            return f"{model_text(function)}·({_several(arguments)})"
        case m.CallTable(table=table, arguments=arguments):
            return f"{table}({_several(arguments)})"
        case m.CallStep(step=step, arguments=arguments):
            return f"step {step.name}({_several(arguments)})"
        case m.Ranking(scale=scale, arguments=arguments):
            return f"{scale} ranking({_several(arguments)})"
        case m.AskAnswer(ask=ask, arguments=arguments):
            return f"ask {ask}({_several(arguments)})"
        case _:
            raise AssertionError(f"no text for {node!r}")


def tests_text(tests: Iterable[m.Test]) -> str:
    return ", ".join(_test(test) for test in tests)


def _test(test: m.Test) -> str:
    match test:
        case m.EqualTo(value=value):
            return model_text(value)
        case m.InList(list=items):
            return f"one of {model_text(items)}"
        case m.Compared(operator=operator, value=value):
            return f"{operator} {model_text(value)}"
        case m.Within(low=low, high=high, low_included=low_in, high_included=high_in):
            return _range(low, high, low_in, high_in)
        case m.Holds(condition=condition):
            return f"holds {model_text(condition)}"
        case m.Belongs(value=value):
            return f"belongs {model_text(value)}"
        case m.NoneOf(tests=tests):
            return f"not({tests_text(tests)})"
        case _:
            assert_never(test)


def _range(low: m.Expression | None, high: m.Expression | None, low_in: bool, high_in: bool) -> str:
    left, right = "[" if low_in else "(", "]" if high_in else ")"
    ends = ["" if end is None else model_text(end) for end in (low, high)]
    return f"{left}{'..'.join(ends)}{right}"


def _bindings(bindings: Iterable[m.Binding]) -> str:
    return ", ".join(_binding(b) for b in bindings)


def _binding(binding: m.Binding) -> str:
    end = "" if binding.end is None else f"..{model_text(binding.end)}"
    return f"{binding.variable.name} in {model_text(binding.source)}{end}"


def _several(nodes: Iterable[m.Expression]) -> str:
    return ", ".join(model_text(node) for node in nodes)


def constant_text(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case str():
            return f'"{value}"'
        case _:
            return str(value)
