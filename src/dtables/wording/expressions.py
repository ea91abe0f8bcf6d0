"""Expressions in words, for wording that the workbook leaves empty: plain, complete, never a guess.

What a phrase cannot express well is written with the expression's own parts and signs, so that nothing is
hidden.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import assert_never

from dtables.feel.types import BooleanType, describe, plain
from dtables.feel.values import Value
from dtables.model.expressions import (
    Arithmetic,
    AskAnswer,
    Belongs,
    Binding,
    ByKey,
    CallBuiltin,
    CallFunction,
    CallStep,
    CallTable,
    Compared,
    Comparison,
    Conditional,
    Constant,
    DataRows,
    EachOf,
    EqualTo,
    Expression,
    FieldOf,
    Filter,
    For,
    Guard,
    Holds,
    InList,
    InputField,
    InstanceOf,
    ItemAt,
    ItemEntry,
    Logic,
    MakeContext,
    MakeFunction,
    MakeList,
    MakeRange,
    MakeRecord,
    Matches,
    NameOf,
    Negation,
    NoneOf,
    Not,
    Quantified,
    Quantifier,
    Ranking,
    Read,
    Select,
    Switch,
    Test,
    Variable,
    Within,
)
from dtables.model.tables import Criterion, Prefer
from dtables.wording.labels import Labels, spaced
from dtables.wording.phrases import sign_of
from dtables.wording.values import plain_word

BINDS = {"+": 1, "-": 1, "*": 2, "/": 2, "**": 3}
LAST = 1
"""What stands last must bind more than what stands first."""
ORDER = " › "
OPPOSITE = {"=": "≠", "!=": "=", "<": "≥", "<=": ">", ">": "≤", ">=": "<"}


class Expressions:
    """Says expressions, and the tests in cells, with the names of a workbook."""

    def __init__(self, labels: Labels) -> None:
        self.labels = labels
        self.phrases = labels.phrases
        self.phrase = labels.phrases.phrase

    # -- expressions ---------------------------------------------------------------------------

    def say(self, node: Expression) -> str:
        """Put an expression into words, with brackets only where it would read otherwise."""
        match node:
            case Constant(value=value):
                return self._constant(value)
            case NameOf(vocabulary=vocabulary, id=name):
                return self.labels.name(vocabulary, name)
            case EachOf(vocabulary=vocabulary):
                return self.phrase("each", self.labels.vocabulary(vocabulary))
            case Read(variable=variable):
                return self._variable(variable)
            case InputField(name=name):
                return self.labels.input(name)
            case Switch(name=name):
                return self.labels.term(name)
            case DataRows(table=table):
                return self.labels.term(table)
            case FieldOf(of=of, name=name):
                return self._field(node, of, name)
            case ByKey(of=of, key=key):
                return self.phrase("of", self.say(key), self.say(of))
            case ItemAt(of=of, index=index):
                return self._item_at(of, index)
            case Filter(of=of, condition=condition) | Select(of=of, condition=condition):
                return self.phrase("filter", self.say(of), self.say(condition))
            case ItemEntry(name=name):
                return spaced(name)
            case Guard(operand=operand):
                return self.say(operand)
            case InstanceOf(value=value, wanted=expected):
                return self.phrase("is a", self.say(value), describe(expected))
            case Conditional(
                condition=Comparison(operator="=", right=Constant(value=None)),
                then=Constant(value=None),
                otherwise=otherwise,
            ):
                # Nothing comes of nothing: that needs no words.
                return self.say(otherwise)
            case Conditional(condition=condition, then=then, otherwise=otherwise):
                return self.phrase("conditional", *map(self.say, (condition, then, otherwise)))
            case Negation() | Arithmetic() | Comparison() | Logic() | Not() | Matches():
                return self._operation(node)
            case MakeList() | MakeContext() | MakeRecord() | MakeRange() | MakeFunction():
                return self._built(node)
            case For() | Quantified():
                return self._loop(node)
            case _:
                return self._call(node)

    def _constant(self, value: Value) -> str:
        word = plain_word(self.phrases, value)
        return str(value) if word is None else word

    def _variable(self, variable: Variable) -> str:
        return self.phrase("item") if variable.name == "item" else self.labels.term(variable.name)

    def _field(self, node: FieldOf, of: Expression, name: str) -> str:
        text = self.labels.field_of(of.type, name)
        if isinstance(of, Read):
            return text
        key = "is" if isinstance(plain(node.type), BooleanType) else "of"
        parts = (self.say(of), text) if key == "is" else (text, self.say(of))
        return self.phrase(key, *parts)

    def _item_at(self, of: Expression, index: Expression) -> str:
        match index:
            case Constant(value=1):
                return self.phrase("first of", self.say(of))
            case Constant(value=-1):
                return self.phrase("last of", self.say(of))
            case _:
                return self.phrase("nth of", self.say(of), self.say(index))

    # -- operators -----------------------------------------------------------------------------

    def _operation(self, node: Negation | Arithmetic | Comparison | Logic | Not | Matches) -> str:
        match node:
            case Negation(operand=operand):
                return self.phrases.minus + self._inside(operand)
            case Arithmetic(operator=operator, left=left, right=right):
                sign = sign_of(operator)
                return f"{self._term(operator, left)} {sign} {self._term(operator, right, LAST)}"
            case Comparison(operator=operator, left=left, right=right):
                return self._comparison(operator, left, right)
            case Logic(operator=operator, left=left, right=right):
                parts = (self._joined(operator, left), self._joined(operator, right))
                return self.phrases.joined(operator, *parts)
            case Not(operand=operand):
                return self.refused(operand)
            case Matches(value=value, tests=tests):
                return self.test(self.say(value), value, tests)
            case _:
                assert_never(node)

    def refused(self, node: Expression) -> str:
        """That it is not so; a comparison turns round."""
        match node:
            case Comparison(operator=operator, left=left, right=right):
                opposite = {"≠": "!=", "≥": ">=", "≤": "<="}.get(OPPOSITE[operator], OPPOSITE[operator])
                return self._comparison(opposite, left, right)
            case Guard(operand=operand):
                return self.refused(operand)
            case Logic():
                return self.phrase("not", f"({self.say(node)})")
            case FieldOf(of=of, name=name) if not isinstance(of, Read):
                return self.phrase("is", self.say(of), self._turned(self.labels.field_of(of.type, name)))
            case _:
                return self._turned(self.say(node))

    def _turned(self, text: str) -> str:
        again = text.startswith(self.phrase("not", ""))
        return self.phrase("not true" if again else "not", text)

    def _comparison(self, operator: str, left: Expression, right: Expression) -> str:
        if operator in ("=", "!="):
            special = self._special(left, right, operator == "=") or self._special(
                right, left, operator == "="
            )
            if special:
                return special
        return f"{self._inside(left)} {sign_of(operator)} {self._inside(right)}"

    def _special(self, subject: Expression, value: Expression, same: object) -> str | None:
        """Null, an empty list and yes or no are not compared with a sign."""
        match value:
            case Constant(value=None):
                text = _IF_ANY.sub("", self.say(subject))
                return self.phrase("missing" if same else "there", text)
            case MakeList(items=()):
                return self.phrase("empty" if same else "some", self.say(subject))
            case Constant(value=bool() as expected):
                return self.say(subject) if expected is same else self.refused(subject)
            case _:
                return None

    def _term(self, operator: str, node: Expression, closer: int = 0) -> str:
        """Brackets only where they are needed: around what binds less, and around what is taken away."""
        if isinstance(node, Arithmetic) and BINDS[node.operator] >= BINDS[operator] + closer:
            return self.say(node)
        if isinstance(node, Arithmetic) and operator == node.operator and operator in ("+", "*"):
            return self.say(node)
        return self._inside(node)

    def _inside(self, node: Expression) -> str:
        text = self.say(node)
        return f"({text})" if isinstance(node, (Logic, Conditional, Arithmetic, Comparison)) else text

    def _joined(self, operator: str, node: Expression) -> str:
        text = self.say(node)
        return f"({text})" if isinstance(node, Logic) and node.operator != operator else text

    # -- what is made, loops, calls ------------------------------------------------------------

    def _built(self, node: MakeList | MakeContext | MakeRecord | MakeRange | MakeFunction) -> str:
        match node:
            case MakeList(items=items):
                return ", ".join(map(self.say, items)) or self.phrases.none
            case MakeContext(entries=entries):
                return ", ".join(f"{self.labels.term(e.name)}: {self.say(e.value)}" for e in entries)
            case MakeRecord(fields=fields):
                return ", ".join(f"{self.labels.term(name)}: {self.say(value)}" for name, value in fields)
            case MakeRange():
                return self._range(node)
            case MakeFunction(parameters=parameters, body=body):
                return self.phrase("function", ", ".join(p.name for p in parameters), self.say(body))
            case _:
                assert_never(node)

    def _range(self, node: MakeRange | Within) -> str:
        low = None if node.low is None else self.say(node.low)
        high = None if node.high is None else self.say(node.high)
        closed = node.low_included and node.high_included
        written_out = isinstance(node.low, Constant) and isinstance(node.high, Constant)
        if low is not None and high is not None and closed and not written_out:
            return self.phrase("range", low, high)
        return self.phrases.between(low, high, node.low_included, node.high_included)

    def _loop(self, node: For | Quantified) -> str:
        bindings = node.bindings
        match node:
            case For(bindings=(Binding(end=None) as only,), result=FieldOf(of=Read() as item, name=name)):
                if item.variable == only.variable:
                    return self.phrase("of", self.labels.field_of(item.type, name), self.say(only.source))
        variables = ", ".join(self.labels.term(b.variable.name) for b in bindings)
        sources = ", ".join(
            self.say(b.source) if b.end is None else self.phrase("range", self.say(b.source), self.say(b.end))
            for b in bindings
        )
        match node:
            case For(result=result):
                return self.phrase("for", variables, sources, self.say(result))
            case Quantified(quantifier=quantifier, condition=condition):
                key = "some of" if quantifier is Quantifier.SOME else "every of"
                return self.phrase(key, variables, sources, self.say(condition))
            case _:
                assert_never(node)

    def _call(self, node: CallBuiltin | CallFunction | CallTable | CallStep | Ranking | AskAnswer) -> str:
        match node:
            case CallBuiltin(builtin=name, arguments=arguments):
                return self._builtin(name, arguments)
            case CallFunction(function=function, arguments=arguments):
                return self._with(self.say(function), arguments)
            case CallTable(table=table, arguments=arguments):
                return self._with(self.labels.table(table), arguments)
            case CallStep(step=step, arguments=arguments):
                return self._with(self.labels.term(step.name), arguments)
            case Ranking(scale=scale, arguments=arguments):
                return self.phrase("ranking", self._with(self.labels.table(scale), arguments))
            case AskAnswer(ask=ask, arguments=arguments):
                return self._with(self.labels.term(ask), arguments)
            case _:
                assert_never(node)

    def _builtin(self, name: str, arguments: tuple[Expression, ...]) -> str:
        parts = [self.say(argument) for argument in arguments]
        if name == "concatenate" or (name in ("min", "max", "sum") and len(parts) > 1):
            return self._several(name, parts)
        return self.called(name, parts)

    def called(self, builtin: str, parts: Sequence[str]) -> str:
        """A function of what it is called with; by its own name where it has no words, or needs more."""
        form = self.phrases.builtin(builtin)
        if form is None or form.count("{") > len(parts):
            return f"{builtin} ({', '.join(parts)})"
        return self.phrases.spelled(form.format(*parts))

    def _several(self, name: str, parts: list[str]) -> str:
        if name == "concatenate":
            return " + ".join(parts)
        return (self.phrases.builtin(name) or "{0}").format(", ".join(parts))

    def _with(self, text: str, arguments: Iterable[Expression]) -> str:
        """What is handed on as it came need not be written; names and numbers are."""
        parts = [self.say(a) for a in arguments if not isinstance(a, Read)]
        return self.phrase("call", text, ", ".join(parts)) if parts else text

    # -- tests ---------------------------------------------------------------------------------

    def test(self, text: str, subject: Expression | None, tests: tuple[Test, ...]) -> str:
        """A cell of tests as a condition on what is tested."""
        if isinstance(subject, Switch):
            return self._house_rule(text, tests)
        if subject is not None and isinstance(plain(subject.type), BooleanType) and len(tests) == 1:
            match tests[0]:
                case EqualTo(value=Constant(value=bool() as expected)):
                    return self.say(subject) if expected else self.refused(subject)
        if all(isinstance(t, Holds) for t in tests):
            return self._either([self.test_alone(t) for t in tests])
        if all(isinstance(t, Compared) for t in tests):
            return f"{text} {self._either([self.test_alone(t) for t in tests])}"
        key = "in" if all(_of_some_list(t) for t in tests) else "is"
        return self.phrase(key, text, self._either([self.test_alone(t) for t in tests]))

    def _house_rule(self, text: str, tests: tuple[Test, ...]) -> str:
        """By what its value is called; where that has no words, by its name and value."""
        value = self._either([self.test_alone(t) for t in tests])
        names = [name for test in tests for name in names_tested(test)]
        worded = names and all(self.labels.is_worded(name.vocabulary, name.id) for name in names)
        return self.phrase("house rule", value if worded else f"{text}: {value}")

    def either(self, tests: tuple[Test, ...]) -> str:
        """A cell of tests by itself."""
        return self._either([self.test_alone(test) for test in tests])

    def _either(self, parts: list[str]) -> str:
        return self.phrases.joined("or", *parts)

    def test_alone(self, test: Test) -> str:
        """Put one test into words, without the value that it tests."""
        match test:
            case EqualTo(value=value) | InList(list=value) | Belongs(value=value):
                return self.say(value)
            case Compared(operator=operator, value=value):
                return f"{sign_of(operator)} {self.say(value)}"
            case Within():
                return self._range(test)
            case Holds(condition=condition):
                return self.say(condition)
            case NoneOf(tests=tests):
                return self.phrase("other than", self._either([self.test_alone(t) for t in tests]))
            case _:
                assert_never(test)

    # -- criteria ------------------------------------------------------------------------------

    def criterion(self, criterion: Criterion) -> str:
        """By its wording, else what it prefers."""
        return self.labels.words(criterion.words) or self.preference(criterion)

    def preference(self, criterion: Criterion) -> str:
        """What a criterion prefers."""
        by = "" if criterion.by is None else self.say(criterion.by)
        match criterion.prefer:
            case Prefer.YES:
                return by
            case Prefer.NO:
                return self._refused(criterion.by, by)
            case Prefer.HIGHEST | Prefer.LOWEST:
                return self.phrase(criterion.prefer.value, by)
            case Prefer.FIRST_IN | Prefer.LAST_IN:
                return self._in_order(criterion, by)
            case Prefer.SCALE:
                return self._embedded(criterion)
            case Prefer.FIRST | Prefer.CHANCE:
                return self.phrase(criterion.prefer.value)

    def _refused(self, by: Expression | None, text: str) -> str:
        if isinstance(by, Comparison):
            return self.refused(by)
        return self.phrase("prefer no", text)

    def _in_order(self, criterion: Criterion, by: str) -> str:
        assert criterion.order is not None
        first = criterion.prefer is Prefer.FIRST_IN
        match criterion.order:
            case MakeList(items=items):
                listed = ORDER.join(self.say(item) for item in items)
                return self.phrase("first order" if first else "last order", by, listed)
            case order:
                return self.phrase(criterion.prefer.value, by, self.say(order))

    def _embedded(self, criterion: Criterion) -> str:
        assert criterion.embedded is not None
        title = self.labels.table(criterion.embedded.scale)
        if criterion.embedded.numbers is None:
            return self.phrase("scale", title)
        return self.phrase("rows", title, ", ".join(criterion.embedded.numbers))


def names_tested(test: Test) -> list[NameOf]:
    """The names that a test lists; none where it tests anything else."""
    match test:
        case EqualTo(value=NameOf() as name):
            return [name]
        case InList(list=MakeList(items=items)):
            names = [item for item in items if isinstance(item, NameOf)]
            return names if len(names) == len(items) else []
        case _:
            return []


def _of_some_list(test: Test) -> bool:
    """A list that is not written out: what is tested lies among others."""
    return isinstance(test, InList) and not isinstance(test.list, MakeList)


_IF_ANY = re.compile(r",? (se c'è|if any|if there is (one|any))$")
