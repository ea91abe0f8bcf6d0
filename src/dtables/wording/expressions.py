"""Expressions in words, for wording that the workbook leaves empty: plain, complete, never a guess.

What a phrase cannot express well is written with the expression's own parts and signs, so that nothing is
hidden.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import assert_never

from dtables.feel.types import BooleanType, Type, describe, plain
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
from dtables.model.reach import nodes
from dtables.model.tables import Concern, Criterion, Decision, Prefer
from dtables.wording.grammar import (
    begins_with_verb,
    has_article,
    is_plural,
    is_refusal,
    lowered,
    negated,
    takes_adjectives,
    verb_in,
    without_article,
)
from dtables.wording.labels import Labels, spaced
from dtables.wording.phrases import sign_of
from dtables.wording.values import plain_word

BINDS = {"+": 1, "-": 1, "*": 2, "/": 2, "**": 3}
LAST = 1
"""What stands last must bind more than what stands first."""
ORDER = " › "
OPPOSITE = {"=": "≠", "!=": "=", "<": "≥", "<=": ">", ">": "≤", ">=": "<"}
TURNED = {"=": "!=", "!=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
MIRRORED = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
ORDINARY = ("en", "it")
"""Languages in which an ordinary noun has a small letter within a sentence."""
FEW = 4
"""So many names are listed, where all of a vocabulary are meant."""
WITH, THAT, WHERE = "with", "that", "where"
"""How a condition on the items of a list reads: by a field of theirs, by what they are, or as a clause."""


class Expressions:
    """Says expressions, and the tests in cells, with the names of a workbook."""

    def __init__(self, labels: Labels) -> None:
        self.labels = labels
        self.phrases = labels.phrases
        self.phrase = labels.phrases.phrase
        self._items: list[int] = []
        """What loops go through, while they are said: the innermost is `it`."""

    # -- expressions ---------------------------------------------------------------------------

    def say(self, node: Expression) -> str:
        """Put an expression into words, with brackets only where it would read otherwise."""
        match node:
            case Constant(value=value):
                return self._constant(value)
            case NameOf(vocabulary=vocabulary, id=name):
                return self._name(vocabulary, name)
            case EachOf(vocabulary=vocabulary):
                return self._every_name(vocabulary)
            case Read(variable=variable):
                return self._variable(variable)
            case InputField(name=name):
                return self._input(name)
            case Switch(name=name):
                return self.labels.term(name)
            case DataRows(table=table):
                return self.small(self.labels.term(table))
            case FieldOf(of=of, name=name):
                return self._field(node, of, name)
            case ByKey(of=of, key=key):
                return self.phrase("of", self.say(key), self.say(of))
            case ItemAt(of=of, index=index):
                return self._item_at(of, index)
            case Filter(of=of, item=item, condition=held) | Select(of=of, item=item, condition=held):
                return self._restricted(self._members(of), item, held)
            case ItemEntry(name=name):
                return spaced(name)
            case Guard(operand=operand):
                return self.say(operand)
            case InstanceOf(value=value, wanted=expected):
                return self.phrase("is a", self.say(value), describe(expected))
            case Conditional():
                return self._conditional(node)
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
        if variable.name == "item" or (self._items and self._items[-1] == variable.number):
            return self.phrase("item")
        return self.small(self.labels.variable(variable)) or self.labels.as_read(variable.name)

    def _name(self, vocabulary: str, id: str) -> str:
        return self.labels.name(vocabulary, id)

    def _input(self, name: str) -> str:
        return self.small(self.labels.input(name))

    def _field_of(self, owner: Type, name: str) -> str:
        return self.small(self.labels.field_of(owner, name))

    def small(self, label: str) -> str:
        """A label within a sentence."""
        language = self.labels.language
        return lowered(label, self.labels.proper, language) if language in ORDINARY else label

    def _every_name(self, vocabulary: str) -> str:
        """All of a few names, or all of a kind."""
        known = self.labels.index.vocabularies.get(vocabulary)
        if known is not None and len(known.names) <= FEW:
            return ", ".join(self.labels.name(vocabulary, label.id) for label in known.names)
        label = self.small(self.labels.vocabulary(vocabulary))
        return self.phrase("all" if is_plural(label, self.phrases.language) else "each", label)

    def _members(self, node: Expression) -> str:
        """A list of which something is counted, chosen or kept: of all names of a kind that kind alone."""
        match node:
            case EachOf(vocabulary=vocabulary):
                return self.small(self.labels.vocabulary(vocabulary))
            case Guard(operand=operand):
                return self._members(operand)
            case CallBuiltin(builtin="concatenate", arguments=arguments):
                return self.phrases.joined("and", *map(self._members, arguments))
            case _:
                return self._inside(node)

    def _field(self, node: FieldOf, of: Expression, name: str) -> str:
        text = self._field_of(of.type, name)
        if isinstance(of, Read):
            return text
        if not isinstance(plain(node.type), BooleanType):
            return self.phrase("of", text, self._members(of))
        return self._stated(self.say(of), text, text)

    def _stated(self, owner: str, label: str, text: str) -> str:
        """Of somebody or something what a field's label says, as it stands or turned round."""
        if begins_with_verb(label, self.phrases.language):
            return f"{owner} {text}"
        return self.phrase("is", owner, text)

    def _item_at(self, of: Expression, index: Expression) -> str:
        match index:
            case Constant(value=1):
                return self.phrase("first of", self._members(of))
            case Negation(operand=Constant(value=1)) | Constant(value=-1):
                return self.phrase("last of", self._members(of))
            case _:
                return self.phrase("nth of", self._members(of), self.say(index))

    def _conditional(self, node: Conditional) -> str:
        bare = _bare(node)
        if bare is not node:
            return self.say(bare)
        first = self.say(node.then)
        if isinstance(node.then, (Conditional, For)):
            first = f"({first})"
        return self.phrase("conditional", self.say(node.condition), first, self.say(node.otherwise))

    # -- conditions on items ---------------------------------------------------------------------

    @contextmanager
    def _of_item(self, variable: Variable) -> Iterator[None]:
        self._items.append(variable.number)
        try:
            yield
        finally:
            self._items.pop()

    def _restricted(self, items: str, item: Variable, condition: Expression) -> str:
        """A list with a condition on its items: `cards with colour green`, `numbers above 3`."""
        condition = _bare(condition)
        with self._of_item(item):
            parts = [self._clause(part, item) for part in _conjuncts(condition)]
            manners = {manner for manner, _ in parts}
            if manners == {WITH}:
                return self.phrase("with", items, self.phrases.joined("and", *(text for _, text in parts)))
            if manners == {THAT} and len(parts) == 1:
                return parts[0][1].replace("\0", items)
            if isinstance(condition, FieldOf) and _is_of(condition, item):
                return self._being(items, self.say(condition))
            return self.phrase("where", items, self.say(condition))

    def _being(self, items: str, text: str) -> str:
        """By a field that is yes or no."""
        language = self.phrases.language
        if begins_with_verb(text, language):
            return self.phrase("that", items, text)
        if verb_in(text, language):
            return self.phrase("where", items, text)
        return self.phrase("that are" if is_plural(items, language) else "that is", items, text)

    def _clause(self, part: Expression, item: Variable) -> tuple[str, str]:
        """How one condition on an item reads, and its words; `\\0` stands for the items."""
        match part:
            case Comparison(operator=operator, left=one, right=right):
                left = _bare(one)
                if _is_item(left, item) and not _speaks_of(right, item):
                    return THAT, self._item_compared(operator, right)
                if _is_item(right, item) and not _speaks_of(left, item):
                    return THAT, self._item_compared(MIRRORED[operator], left)
                if isinstance(left, FieldOf) and _is_of(left, item):
                    return WITH, self._field_compared(left, operator, right)
            case Matches(value=value, tests=tests) if _is_item(value, item) and all(
                map(_of_some_list, tests)
            ):
                return THAT, self.phrase("among", "\0", self._either([self.test_alone(t) for t in tests]))
            case Not(operand=Matches(value=value, tests=tests)) if _is_item(value, item):
                if all(map(_of_some_list, tests)):
                    return THAT, self.phrase("not among", "\0", self.either(tests))
            case _:
                pass
        return WHERE, ""

    def _item_compared(self, operator: str, value: Expression) -> str:
        if isinstance(value, Constant) and value.value is None:
            return self.phrase("absent" if operator == "=" else "present", "\0")
        return self.phrase(operator, "\0", self._inside(value))

    def _field_compared(self, field: FieldOf, operator: str, value: Expression) -> str:
        """Behind `with`: `colour green`, `weight > 5`."""
        text = self.say(field)
        match value:
            case NameOf() if operator == "=":
                return f"{text} {self.say(value)}"
            case Constant(value=None) | MakeList(items=()) if operator == "!=":
                return text
            case Constant(value=None) | MakeList(items=()) | Constant(value=bool()):
                return self._comparison(operator, field, value)
            case Constant() if operator == "=":
                return f"{text} {self.say(value)}"
            case _:
                return f"{text} {sign_of(operator)} {self._inside(value)}"

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
        """That it is not so; a comparison turns round, a clause is denied by its verb."""
        match node:
            case Comparison(operator=operator, left=left, right=right):
                return self._comparison(TURNED[operator], left, right)
            case Guard(operand=operand):
                return self.refused(operand)
            case Not(operand=operand):
                return self.say(operand)
            case Logic():
                return self.phrase("not true", f"({self.say(node)})")
            case Matches(value=value, tests=tests) if all(map(_of_some_list, tests)):
                return self.phrase("not in", self.say(value), self.either(tests))
            case Matches(value=value, tests=tests) if all(map(names_tested, tests)):
                return self.phrase("is", self.say(value), self.phrase("other than", self.either(tests)))
            case FieldOf(of=of, name=name) if not isinstance(of, Read):
                label = self._field_of(of.type, name)
                return self._stated(self.say(of), label, self._turned(label))
            case _:
                return self._turned(self.say(node))

    def _turned(self, text: str) -> str:
        denied = negated(text, self.phrases.language)
        if denied is not None:
            return denied
        return self.phrase("not true" if is_refusal(text, self.phrases.language) else "not", text)

    def _comparison(self, operator: str, left: Expression, right: Expression) -> str:
        if operator in ("=", "!="):
            special = self._special(left, right, operator == "=") or self._special(
                right, left, operator == "="
            )
            if special:
                return special
        return f"{self._inside(left)} {sign_of(operator)} {self._inside(right)}"

    def _special(self, subject: Expression, value: Expression, same: object) -> str | None:
        """Null, an empty list, a name and yes or no are not compared with a sign."""
        match value:
            case Constant(value=None):
                text = _IF_ANY.sub("", self._inside(subject))
                many = " many" if is_plural(text, self.phrases.language) else ""
                return self.phrase(("missing" if same else "there") + many, text)
            case MakeList(items=()):
                return self._any_of(self._members(subject), any_=not same)
            case Constant(value=bool() as expected):
                return self.say(subject) if expected is same else self.refused(subject)
            case NameOf() if not isinstance(subject, (NameOf, Switch)):
                return self.phrase("is so" if same else "is not so", self._inside(subject), self.say(value))
            case _:
                return None

    def _any_of(self, items: str, *, any_: bool) -> str:
        """That a list is empty, or that it is not."""
        definite = has_article(items, self.phrases.language) or items.startswith(("those ", "quell"))
        key = "some" if any_ else "empty"
        return self.phrase(f"{key} of" if definite else key, items)

    def _term(self, operator: str, node: Expression, closer: int = 0) -> str:
        """Brackets only where they are needed: around what binds less, and around what is taken away."""
        if isinstance(node, Arithmetic) and BINDS[node.operator] >= BINDS[operator] + closer:
            return self.say(node)
        if isinstance(node, Arithmetic) and operator == node.operator and operator in ("+", "*"):
            return self.say(node)
        return self._inside(node)

    def _inside(self, node: Expression) -> str:
        text = self.say(node)
        return f"({text})" if _is_compound(node) else text

    def _joined(self, operator: str, node: Expression) -> str:
        text = self.say(node)
        return f"({text})" if isinstance(node, Logic) and node.operator != operator else text

    # -- what is made, loops, calls ------------------------------------------------------------

    def _built(self, node: MakeList | MakeContext | MakeRecord | MakeRange | MakeFunction) -> str:
        match node:
            case MakeList(items=items):
                return ", ".join(map(self.say, items)) or self.phrases.nothing
            case MakeContext(entries=entries):
                return self._entries((self.labels.term(e.name), e.value) for e in entries)
            case MakeRecord(record=record, fields=fields):
                return self._entries((self.labels.field(record, name), value) for name, value in fields)
            case MakeRange():
                return self._range(node)
            case MakeFunction(parameters=parameters, body=body):
                return self.phrase("function", ", ".join(p.name for p in parameters), self.say(body))
            case _:
                assert_never(node)

    def _entries(self, entries: Iterable[tuple[str, Expression]]) -> str:
        """What is not null of a record or context."""
        parts = (
            f"{self.small(name)}: {self.say(value)}"
            for name, value in entries
            if not (isinstance(value, Constant) and value.value is None)
        )
        return ", ".join(parts) or self.phrases.nothing

    def _range(self, node: MakeRange | Within) -> str:
        low = None if node.low is None else self.say(node.low)
        high = None if node.high is None else self.say(node.high)
        closed = node.low_included and node.high_included
        written_out = isinstance(node.low, Constant) and isinstance(node.high, Constant)
        if low is not None and high is not None and closed and not written_out:
            return self.phrase("range", low, high)
        return self.phrases.between(low, high, node.low_included, node.high_included)

    def _loop(self, node: For | Quantified) -> str:
        match node:
            case For(bindings=(Binding(end=None) as only,), result=result):
                source, result = self._members(only.source), _bare(result)
                with self._of_item(only.variable):
                    match result:
                        case FieldOf(name=name) if _is_listed(node):
                            return self.phrase("of", self._field_of(only.variable.type, name), source)
                        case Read() if _is_listed(node):
                            return source
                        case _:
                            return self.phrase("for", source, self._inside(result))
            case Quantified(quantifier=Quantifier.SOME, bindings=(Binding(end=None) as only,)):
                some = self.phrase("some of", self._members(only.source))
                return self._restricted(some, only.variable, node.condition)
            case Quantified(bindings=(Binding(end=None) as only,)):
                source = self._members(only.source)
                with self._of_item(only.variable):
                    return self.phrase("every", source, self.say(node.condition))
            case _:
                return self._loop_of_several(node)

    def _loop_of_several(self, node: For | Quantified) -> str:
        """What loops go through has names then."""
        variables = ", ".join(spaced(b.variable.name) for b in node.bindings)
        sources = ", ".join(
            self._members(b.source)
            if b.end is None
            else self.phrase("range", self.say(b.source), self.say(b.end))
            for b in node.bindings
        )
        match node:
            case For(result=result):
                return self.phrase("for several", variables, sources, self.say(result))
            case Quantified(quantifier=quantifier, condition=condition):
                key = "some several" if quantifier is Quantifier.SOME else "every several"
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
                return self._with(self.small(self.labels.table(table)), arguments)
            case CallStep(step=step, arguments=arguments):
                return self._with(self._variable(step), arguments)
            case Ranking(scale=scale, arguments=arguments):
                return self.phrase("ranking", self._with(self.small(self.labels.table(scale)), arguments))
            case AskAnswer(ask=ask, arguments=arguments):
                return self._with(self.small(self.labels.ask(ask)), arguments)
            case _:
                assert_never(node)

    def _builtin(self, name: str, arguments: tuple[Expression, ...]) -> str:
        match name, arguments:
            case "concatenate", _:
                return self.phrase("then").join(self._members(argument) for argument in arguments)
            case "min" | "max", (Constant() as bound, other) | (other, Constant() as bound):
                key = "at least" if name == "max" else "at most"
                return self.phrase(key, self._inside(other), self.say(bound))
            case "sum", (For(bindings=(Binding(end=None) as only,), result=result) as loop,) if (
                not _is_listed(loop)
            ):
                source = self._members(only.source)
                with self._of_item(only.variable):
                    return self.phrase("sum for", source, self._inside(result))
            case "min" | "max" | "sum", (_, _, *_):
                return self.called(name, (self.phrases.joined("and", *map(self._inside, arguments)),))
            case "context", (
                For(bindings=(Binding(end=None),), result=MakeContext(entries=(_, value))) as loop,
            ):
                return self.say(replace(loop, result=value.value))
            case "append", (first, *others):
                return self.phrases.joined("and", self._members(first), *map(self.say, others))
            case "list contains", (listed, value):
                return self.called(name, (self._members(listed), self.say(value)))
            case "not", (operand,):
                return self.refused(operand)
            case _:
                return self.called(name, [self._members(argument) for argument in arguments])

    def called(self, builtin: str, parts: Sequence[str]) -> str:
        """A function of what it is called with; by its own name where it has no words, or needs more."""
        form = self.phrases.builtin(builtin)
        if form is None or form.count("{") > len(parts):
            return f"{builtin} ({', '.join(parts)})"
        return self.phrases.spelled(form.format(*parts))

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
        if subject is not None and len(tests) == 1:
            match tests[0]:
                case EqualTo(value=Constant(value=None) | MakeList(items=()) as nothing):
                    return self._comparison("=", subject, nothing)
                case Compared(operator="!=", value=Constant(value=None) | MakeList(items=()) as nothing):
                    return self._comparison("!=", subject, nothing)
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
            case InList(list=MakeList(items=items)):
                return self.phrases.joined("or", *map(self.say, items)) or self.phrases.nothing
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

    # -- decisions -----------------------------------------------------------------------------

    def otherwise(self, decision: Decision) -> str:
        """What a decision gives where no row fits; "" where that is a mistake."""
        if decision.otherwise is not None:
            return self.say(decision.otherwise.value)
        if decision.policy.needs_a_row:
            return "" if decision.strict else self.phrases.nothing
        return self.phrases.nothing if decision.policy.is_listed else self._constant(0)

    def rows_that_count(self, decision: Decision) -> str:
        """Which of the rows that fit count, and what they come to."""
        orders = (", ".join(map(self.say, column.priorities)) for column in decision.outcomes)
        return self.phrases.policy(decision.policy, "; ".join(filter(None, orders)))

    # -- criteria ------------------------------------------------------------------------------

    def criterion(self, criterion: Criterion) -> str:
        """By its wording, else what it prefers."""
        return self.labels.words(criterion.words) or self.preference(criterion)

    def preference(self, criterion: Criterion) -> str:
        """What a criterion prefers."""
        match criterion.prefer:
            case Prefer.YES | Prefer.NO:
                return self._preferred(criterion)
            case Prefer.HIGHEST | Prefer.LOWEST:
                return self._extreme(criterion)
            case Prefer.FIRST_IN | Prefer.LAST_IN:
                return self._in_order(criterion)
            case Prefer.SCALE:
                return self._embedded(criterion)
            case Prefer.FIRST | Prefer.CHANCE:
                return self.phrase(criterion.prefer.value)

    def only_for(self, concerns: Iterable[Concern]) -> str:
        """Which candidates a criterion concerns; "" where all."""
        names: list[str] = []
        conditions: list[str] = []
        for concern in concerns:
            if concern.name == "item" or any(names_tested(test) for test in concern.tests):
                names.append(self.either(concern.tests))
            else:
                conditions.append(self.test(self.say(concern.value), concern.value, concern.tests))
        parts = [self.phrase("only for", self.phrases.joined("and", *names))] if names else []
        parts += [self.phrase("only if", self.phrases.joined("and", *conditions))] if conditions else []
        return ", ".join(parts)

    def _preferred(self, criterion: Criterion) -> str:
        """What is preferred stands there, said forward: `first: not fragile`."""
        if criterion.by is None:
            return ""
        say = self.say if criterion.prefer is Prefer.YES else self.refused
        return self.phrase("prefer yes", say(criterion.by))

    def _extreme(self, criterion: Criterion) -> str:
        """`highest weight`, `fewest cards it uncovers`: by whether the label names one or many."""
        language, by = self.phrases.language, criterion.by
        text = "" if by is None else self.say(by)
        if not takes_adjectives(text):
            return self.phrase(f"{criterion.prefer.value} of", text)
        text = without_article(text, language)
        highest = criterion.prefer is Prefer.HIGHEST
        many = is_plural(text, language) and not isinstance(by, Arithmetic)
        key = ("most" if highest else "fewest") if many else criterion.prefer.value
        return self.phrase(key, text)

    def _in_order(self, criterion: Criterion) -> str:
        assert criterion.order is not None
        by = "" if criterion.by is None else self.say(criterion.by)
        itself = isinstance(criterion.by, Read) and criterion.by.variable.name == "item"
        key = "item " if itself else ""
        match criterion.order:
            case MakeList(items=items):
                listed = items if criterion.prefer is Prefer.FIRST_IN else items[::-1]
                return self.phrase(f"{key}in order", by, ORDER.join(map(self.say, listed)))
            case order:
                return self.phrase(f"{key}{criterion.prefer.value}", by, self._members(order))

    def _embedded(self, criterion: Criterion) -> str:
        assert criterion.embedded is not None
        title = self.phrases.quoted(self.labels.table(criterion.embedded.scale))
        match criterion.embedded.numbers:
            case None:
                return self.phrase("scale", title)
            case (number,):
                return self.phrase("row", title, number)
            case numbers:
                return self.phrase("rows", title, ", ".join(numbers))


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


def _conjuncts(condition: Expression) -> Iterator[Expression]:
    match condition:
        case Logic(operator="and", left=left, right=right):
            yield from _conjuncts(left)
            yield from _conjuncts(right)
        case Guard(operand=operand):
            yield from _conjuncts(operand)
        case _:
            yield condition


def _bare(node: Expression) -> Expression:
    """Without what only sees to null: nothing comes of nothing, and that needs no words."""
    match node:
        case Guard(operand=inner):
            return _bare(inner)
        case Conditional(
            condition=Comparison(operator="=", right=Constant(value=None)),
            then=Constant(value=None),
            otherwise=inner,
        ):
            return _bare(inner)
        case _:
            return node


def _is_item(node: Expression, item: Variable) -> bool:
    bare = _bare(node)
    return isinstance(bare, Read) and bare.variable.number == item.number


def _is_of(node: FieldOf, item: Variable) -> bool:
    return _is_item(node.of, item)


def _is_listed(node: For) -> bool:
    """Is it the items of a list, or a field of theirs?"""
    match node:
        case For(bindings=(Binding(end=None) as only,), result=result):
            bare = _bare(result)
            return _is_item(bare, only.variable) or (
                isinstance(bare, FieldOf) and _is_of(bare, only.variable)
            )
        case _:
            return False


def _speaks_of(node: Expression, item: Variable) -> bool:
    return any(isinstance(part, Read) and part.variable.number == item.number for part in nodes(node))


def _is_compound(node: Expression) -> bool:
    """Does it need brackets among others?"""
    match bare := _bare(node):
        case For():
            return not _is_listed(bare)
        case CallBuiltin(builtin="min" | "max", arguments=(_, _, *_)) | CallBuiltin(builtin="concatenate"):
            return True
        case _:
            return isinstance(bare, (Logic, Conditional, Arithmetic, Comparison, Quantified))


_IF_ANY = re.compile(r",? (se c'è|if any|if there is (one|any))$")
