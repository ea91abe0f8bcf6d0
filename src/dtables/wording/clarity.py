"""Whether an expression reads well in the words that are made for it, or a person has to word it.

What is not clear is said all the same, for nothing is hidden: but a page asks the author for a wording then,
with the reason that stands here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dtables.feel.types import BooleanType, Type, plain
from dtables.model.expressions import (
    Arithmetic,
    ByKey,
    CallBuiltin,
    CallFunction,
    CallTable,
    Comparison,
    Conditional,
    Constant,
    EachOf,
    Expression,
    FieldOf,
    Filter,
    For,
    Guard,
    InputField,
    InstanceOf,
    ItemAt,
    ItemEntry,
    Logic,
    MakeContext,
    MakeFunction,
    MakeList,
    MakeRecord,
    NameOf,
    Node,
    Not,
    Quantified,
    Read,
    Select,
    Switch,
    Variable,
)
from dtables.model.reach import nodes, outermost
from dtables.model.tables import Criterion, Decision, Outcome, Rule
from dtables.model.vocabularies import ENGLISH
from dtables.wording.expressions import Expressions
from dtables.wording.grammar import has_relative, verb_in

LONGEST = 90
"""Letters that a line made of an expression may have."""
DEEPEST = 3
"""So many conditions, loops and look-ups within one another still read well."""
MOST_PARTS = 4


def unclear(expression: Expression, words: Expressions, *, labels: bool = True) -> str:
    """Return why an expression does not read well, the first reason; "" where it does. `labels`: names that
    lack one are a reason too."""
    return next(_reasons(expression, words, labels=labels), "")


def unclear_rule(decision: Decision, rule: Rule, words: Expressions, *, labels: bool = True) -> str:
    """Return why a row of a decision needs a wording of its own; "" where its cells read well."""
    subjects = (
        subject.value
        for subject, condition in zip(decision.subjects, rule.conditions, strict=True)
        if condition.tests and subject.value is not None
    )
    tested = (part for condition in rule.conditions for part in outermost(condition.tests))
    given = (outcome.value for outcome in rule.outcomes)
    return _first((*subjects, *tested, *given), words, labels=labels)


def unclear_otherwise(otherwise: Outcome, words: Expressions) -> str:
    """Return why the value of an `otherwise` does not read well; "" where it does."""
    return unclear(otherwise.value, words)


def unclear_criterion(criterion: Criterion, words: Expressions, *, labels: bool = True) -> str:
    """Return why a row of a scale needs a wording of its own; "" where its cells read well."""
    own = (criterion.by, criterion.order, criterion.only_if)
    concerns = (part for concern in criterion.concerns for part in outermost(concern.tests))
    return _first((*(one for one in own if one is not None), *concerns), words, labels=labels)


def _first(expressions: Iterable[Expression], words: Expressions, *, labels: bool) -> str:
    return next((why for one in expressions if (why := unclear(one, words, labels=labels))), "")


def _reasons(expression: Expression, words: Expressions, *, labels: bool) -> Iterator[str]:
    for node in nodes(expression):
        yield from _of_node(node, words)
    if _depth(expression) > DEEPEST:
        yield "it has too many parts within one another"
    if isinstance(expression, (Arithmetic, Logic)) and _parts(expression) > MOST_PARTS:
        yield "it has too many parts"
    listening = _Listening(words)
    text = listening.say(expression)
    if labels:
        yield from listening.unlabelled
    if len(text) > LONGEST and not isinstance(expression, Constant):
        yield f"it takes more than {LONGEST} letters"


def _of_node(node: Node, words: Expressions) -> Iterator[str]:
    """What is unclear by itself."""
    match node:
        case CallBuiltin(builtin=builtin) if words.phrases.builtin(builtin) is None:
            if builtin not in _SAID_OTHERWISE:
                yield f"the function `{builtin}` has no words"
        case MakeFunction() | CallFunction():
            yield "a function is made or handed on in it"
        case InstanceOf() | ItemEntry() | Select():
            yield "it asks what kind of value something is"
        case For(bindings=(_, _, *_)) | Quantified(bindings=(_, _, *_)):
            yield "it goes through several lists at once"
        case For(partial=partial) if partial is not None:
            yield "each of its values needs those before it"
        case MakeRecord() | MakeContext():
            yield "it makes a record"
        case Conditional(then=Conditional()) | Conditional(otherwise=Conditional(otherwise=Conditional())):
            yield "its conditions stand within one another"
        case Not(operand=Logic()):
            yield "it says that not all of several conditions hold"
        case FieldOf(of=FieldOf(of=FieldOf())):
            yield "it goes from field to field"
        case Comparison(left=FieldOf(name=left), right=Read(variable=variable)) if left == variable.name:
            yield f"`{left}` stands on both sides of it"
        case CallTable(table=table):
            yield from _of_call(node, table, words)
        case _:
            pass


def _of_call(node: CallTable, table: str, words: Expressions) -> Iterator[str]:
    """A table that says yes or no must be called a clause: `SOLO can pay for it`."""
    language = words.phrases.language
    title = words.labels.table(table)
    if language != words.labels.language or not isinstance(plain(node.type), BooleanType):
        return
    if verb_in(title, language) is None and has_relative(title, language):
        yield f"“{title}” does not say that something is so"


class _Listening(Expressions):
    """Notes what it says by an id, for want of a label."""

    def __init__(self, words: Expressions) -> None:
        super().__init__(words.labels)
        self.unlabelled: list[str] = []
        self._is_translated = words.labels.language not in ("", ENGLISH)

    def _note(self, name: str, known: bool) -> None:
        """Ids are English: they read like words there."""
        if not known and self._is_translated:
            self.unlabelled.append(f"`{name}` has no label in `{self.labels.language}`")

    def _variable(self, variable: Variable) -> str:
        text = super()._variable(variable)
        if len(text) == 1:
            self.unlabelled.append(f"`{variable.name}` has no label")
        elif text == variable.name:
            self._note(variable.name, self.labels.variable(variable) == text)
        return text

    def _name(self, vocabulary: str, id: str) -> str:
        is_sign = id.isupper() or not id[:1].isalpha() or len(id) == 1
        self._note(id, is_sign or self.labels.is_worded(vocabulary, id))
        return super()._name(vocabulary, id)

    def _input(self, name: str) -> str:
        self._note(name, self.labels.has_input(name))
        return super()._input(name)

    def _field_of(self, owner: Type, name: str) -> str:
        self._note(name, self.labels.has_field(owner, name))
        return super()._field_of(owner, name)


_SAID_OTHERWISE = frozenset(("concatenate", "context"))
"""Functions for which `expressions.py` has a sentence instead of a word."""


def _depth(node: Expression) -> int:
    """How deep what takes thought lies within itself."""
    match node:
        case Constant() | NameOf() | Read() | InputField() | Switch() | EachOf():
            return 0
        case Guard(operand=operand):
            return _depth(operand)
    inner = max((_depth(part) for part in outermost(_within(node))), default=0)
    weighty = isinstance(node, (Filter, For, Quantified, Conditional, ItemAt, ByKey, Arithmetic))
    return inner + weighty


def _within(node: Expression) -> tuple[object, ...]:
    """The parts of a node, without the node."""
    return tuple(getattr(node, name) for name in node.__dataclass_fields__ if name not in ("type", "where"))


def _parts(node: Expression) -> int:
    match node:
        case Arithmetic(left=left, right=right) | Logic(left=left, right=right):
            return _parts(left) + _parts(right)
        case MakeList(items=items):
            return len(items)
        case _:
            return 1
