"""The words for what is wrong with an expression, one function per message."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from dtables.diagnostics import Remark
from dtables.feel.names import fold
from dtables.feel.types import Type, VocabularyType, describe
from dtables.workbook.words import slips

PROBLEMS: dict[str, str] = {
    "unknown-name": "A name that nothing in reach has: no field, parameter, step, table or input field, "
    "and no name of the vocabulary that is wanted there.",
    "ambiguous-name": "A bare name that is a name of the wanted vocabulary and also something else of "
    "that type, or a label that several names share.",
    "unknown-field": "A field that the record type does not have.",
    "no-fields": "A `.` after something that has no fields.",
    "unknown-function": "A call of something that is neither a table nor a built-in.",
    "not-a-function": "Parentheses after a value that cannot be called or read by key.",
    "needs-arguments": "A table, step or built-in with parameters that is read without them.",
    "argument-count": "A call with too many or too few arguments.",
    "unknown-parameter": "A named argument that the called table or built-in does not have.",
    "repeated-argument": "A parameter that is given twice.",
    "type-mismatch": "A value of one type where another is wanted.",
    "always-null": "A value that is always null where null may not be.",
    "may-be-null": "A value that may be null where null may not be: an error with its cell if it happens.",
    "unrelated-vocabularies": "Two names of different vocabularies are compared: they can never be equal.",
    "compares-itself": "Both sides of a comparison are the same thing.",
    "not-ordered": "`<` or a range over values that have no order.",
    "mixed-types": "A list or the branches of an `if` with values of types that have nothing in common.",
    "missing-field": "A record without a field that has no default.",
    "computed-field": "A record is given a field that is computed.",
    "repeated-field": "A record or context with a field twice.",
    "not-a-list": "A filter, index or loop over something that is not a list.",
    "not-a-condition": "A filter whose brackets hold neither a condition nor a number.",
    "zero-index": "`[0]`: lists count from 1.",
    "index-in-filter": "A name in brackets on a list of numbers inside a filter: it is read as an index.",
    "descending-range": "`for i in 3..1` counts down.",
    "null-of-nothing": "`sum([])`, `max([])` and the like are null.",
    "empty-range": "`[4..1]`: no value lies in it.",
    "unknown-type": "A type that the workbook does not declare.",
    "not-a-vocabulary": "`each` before something that is not a vocabulary.",
    "not-a-scale": "`ranking` after something that is not a scale.",
    "no-subject": "`?` where no column's value is tested.",
    "not-a-date": "A text that is no date, time or duration.",
    "external-function": "A function of another system.",
}


@dataclass(frozen=True, slots=True)
class Wording:
    code: str
    message: str
    hint: str | None = None
    remarks: tuple[Remark, ...] = ()


# -- names -------------------------------------------------------------------------------------


ANY_VALUE = {"otherwise", "altrimenti", "any", "qualsiasi"}
"""What people write into the last row of a decision."""


def unknown_name(name: str, reach: Iterable[str]) -> Wording:
    hint = "write `-` for any value" if fold(name) in ANY_VALUE else did_you_mean(name, reach)
    return Wording("unknown-name", f"nothing here is called `{name}`", hint)


def unknown_name_of(vocabulary: str, name: str, reach: Iterable[str]) -> Wording:
    message = f"`{name}` is no name of `{vocabulary}`, and nothing here is called so"
    return replace(unknown_name(name, reach), message=message)


def unknown_text_of(vocabulary: str, name: str, names: Iterable[str]) -> Wording:
    return Wording("unknown-name", f'"{name}" is no name of `{vocabulary}`', did_you_mean(name, names))


def name_out_of_place(name: str, vocabularies: Sequence[str]) -> Wording:
    """The name exists, but only where its vocabulary is wanted."""
    known = " and ".join(f"`{v}`" for v in vocabularies)
    return Wording("unknown-name", f"`{name}` is a name of {known}, which nothing here asks for")


def text_without_quotes(name: str) -> Wording:
    return Wording("unknown-name", f"nothing here is called `{name}`", f'for a text write "{name}"')


def truth_wanted(name: str) -> Wording:
    return Wording("unknown-name", f"nothing here is called `{name}`", "write `yes` or `no`")


def narrowed_name(vocabulary: str, root: str, name: str) -> Wording:
    message = f"`{name}` is a name of `{root}`, but not one of `{vocabulary}`"
    return Wording("unknown-name", message)


def ambiguous_name(name: str, vocabulary: str, what: str, remarks: tuple[Remark, ...]) -> Wording:
    message = f"`{name}` is a name of `{vocabulary}` and also {what} of that type"
    return Wording("ambiguous-name", message, f'write "{name}" for the name', remarks)


def ambiguous_label(name: str, ids: Sequence[str]) -> Wording:
    shared = " and ".join(f"`{i}`" for i in ids)
    return Wording("ambiguous-name", f"`{name}` means {shared}", "write its id")


def unknown_field(name: str, owner: str, fields: Iterable[str]) -> Wording:
    return Wording("unknown-field", f"{owner} has no field `{name}`", did_you_mean(name, fields))


def no_fields(name: str, written: str, type_: Type) -> Wording:
    return Wording("no-fields", f"`{written}` is {a(type_)}, which has no field `{name}`")


def whole_state(word: str) -> Wording:
    return Wording("unknown-name", f"`{word}` is read field by field", f"write `{word}.` and a field's name")


def no_subject() -> Wording:
    return Wording("no-subject", "`?` means the value that a column tests, and nothing is tested here")


# -- calls -------------------------------------------------------------------------------------


def unknown_function(name: str, reach: Iterable[str]) -> Wording:
    message = f"no table, step or built-in is called `{name}`"
    return Wording("unknown-function", message, did_you_mean(name, reach))


def not_a_function(written: str, type_: Type) -> Wording:
    return Wording("not-a-function", f"`{written}` is {a(type_)}, which takes no argument")


def needs_arguments(signature: str, remarks: tuple[Remark, ...]) -> Wording:
    return Wording("needs-arguments", f"this needs arguments: `{signature}`", remarks=remarks)


def argument_count(signature: str, given: int, remarks: tuple[Remark, ...] = ()) -> Wording:
    count = "1 argument" if given == 1 else f"{given} arguments"
    return Wording("argument-count", f"{count} for `{signature}`", remarks=remarks)


def unknown_parameter(name: str, signature: str, names: Iterable[str]) -> Wording:
    message = f"`{signature}` has no parameter `{name}`"
    return Wording("unknown-parameter", message, did_you_mean(name, names))


def missing_parameter(name: str, signature: str) -> Wording:
    return Wording("argument-count", f"`{name}` of `{signature}` is not given")


def repeated_argument(name: str) -> Wording:
    return Wording("repeated-argument", f"`{name}` is given twice")


def mixed_arguments() -> Wording:
    return Wording("argument-count", "some arguments are named and some are not", "name all of them or none")


def no_signature(name: str, signatures: Sequence[str], given: Sequence[Type]) -> Wording:
    had = ", ".join(describe(t) for t in given)
    wanted = " or ".join(f"`{s}`" for s in signatures)
    return Wording("type-mismatch", f"{name}({had}) does not exist, but {wanted}")


def not_a_scale(name: str, scales: Iterable[str]) -> Wording:
    return Wording("not-a-scale", f"`{name}` is no scale", did_you_mean(name, scales))


def not_a_vocabulary(name: str, vocabularies: Iterable[str]) -> Wording:
    return Wording("not-a-vocabulary", f"`{name}` is no vocabulary", did_you_mean(name, vocabularies))


def external_function() -> Wording:
    return Wording("external-function", "a function of another system cannot be called from a workbook")


# -- types -------------------------------------------------------------------------------------


TYPES_ELSEWHERE = {
    "whole number": "integer int long intero",
    "number": "float double decimal numero decimale",
    "text": "string str char testo stringa",
    "boolean": "bool logical booleano logico",
    "date and time": "datetime timestamp",
}
"""What spreadsheets, programs and Italian sentences call the types; two words where a name has two."""
_TYPE_OF_WORD = {word: ours for ours, words in TYPES_ELSEWHERE.items() for word in words.split()}
_LIST_OF = ("lista di ", "list ", "array of ", "elenco di ")


def unknown_type(name: str, types: Iterable[str]) -> Wording:
    known = list(types)
    ours = _our_type(name.casefold(), known)
    hint = did_you_mean(name, known) if ours is None else f"write `{ours}`"
    return Wording("unknown-type", f"there is no type `{name}`", hint)


def _our_type(name: str, types: Sequence[str]) -> str | None:
    lead = next((lead for lead in _LIST_OF if name.startswith(lead)), "")
    if lead:
        item = name.removeprefix(lead)
        inside = item if item in types else _our_type(item, types)
        return None if inside is None else f"list of {inside}"
    words = name.split()
    found = {_TYPE_OF_WORD.get(word) for word in words}
    return _TYPE_OF_WORD.get(words[-1]) if words and None not in found else None


def type_mismatch(written: str, given: Type, wanted: Type, remarks: tuple[Remark, ...] = ()) -> Wording:
    message = f"`{written}` is {a(given)}, but {a(wanted)} is wanted here"
    return Wording("type-mismatch", message, remarks=remarks)


def wants_whole(written: str, remarks: tuple[Remark, ...] = ()) -> Wording:
    message = f"`{written}` may have a fraction, but a whole number is wanted here"
    return Wording("type-mismatch", message, "round it: floor(…), ceiling(…), round half up(…, 0)", remarks)


def wants_list(written: str, given: Type, wanted: Type, remarks: tuple[Remark, ...] = ()) -> Wording:
    message = f"`{written}` is {a(given)}, but {a(wanted)} is wanted here"
    return Wording("type-mismatch", message, f"for a list of one write [{written}]", remarks)


def wrong_operands(operator: str, left: Type, right: Type) -> Wording:
    message = f"`{operator}` does not work on {a(left)} and {a(right)}"
    return Wording("type-mismatch", message)


def wrong_operand(operator: str, operand: Type) -> Wording:
    return Wording("type-mismatch", f"`{operator}` does not work on {a(operand)}")


def never_equal(
    left: str, left_type: Type, right: str, right_type: Type, remarks: tuple[Remark, ...]
) -> Wording:
    message = f"`{left}` is {a(left_type)} and `{right}` is {a(right_type)}: they can never be equal"
    return Wording("type-mismatch", message, remarks=remarks)


def test_mismatch(written: str, given: Type, subject: str, wanted: Type, hint: str | None) -> Wording:
    message = f"`{written}` is {a(given)}, but {subject} is {a(wanted)}"
    return Wording("type-mismatch", message, hint)


def unrelated_vocabularies(left: VocabularyType, right: VocabularyType) -> Wording:
    message = f"a name of `{left.name}` can never equal a name of `{right.name}`"
    return Wording("unrelated-vocabularies", message)


def compares_itself(written: str, hint: str | None) -> Wording:
    return Wording("compares-itself", f"both sides are the same `{written}`", hint)


def not_ordered(operator: str, type_: Type) -> Wording:
    return Wording("not-ordered", f"`{operator}` needs numbers, texts or times, but this is {a(type_)}")


def mixed_types(what: str, types: Sequence[Type]) -> Wording:
    had = " and ".join(describe(t) for t in types)
    return Wording("mixed-types", f"{what} {had}, which have nothing in common")


def not_a_condition(written: str, type_: Type) -> Wording:
    message = f"`{written}` is {a(type_)}; brackets hold a condition or a position"
    return Wording("not-a-condition", message)


def index_of_item(written: str) -> Wording:
    message = f"`{written}` is a number of each item; brackets hold a condition or a position"
    return Wording("not-a-condition", message)


def not_a_list(written: str, type_: Type) -> Wording:
    return Wording("not-a-list", f"`{written}` is {a(type_)}, not a list")


def always_null(written: str, wanted: Type) -> Wording:
    return Wording("always-null", f"`{written}` is always null, but {a(wanted)} is wanted here")


def never_a_value(written: str) -> Wording:
    return Wording("always-null", f"`{written}` is always null, but a value is wanted here")


def may_be_null(written: Sequence[str]) -> Wording:
    listed = ", ".join(f"`{w}`" for w in written)
    return Wording("may-be-null", f"{listed} may be null, which would be an error here when it happens")


def not_a_date(text: str) -> Wording:
    return Wording("not-a-date", f'@"{text}" is no date, time or duration')


# -- records -----------------------------------------------------------------------------------


def missing_field(record: str, names: Sequence[str], remarks: tuple[Remark, ...]) -> Wording:
    listed = ", ".join(f"`{n}`" for n in names)
    return Wording("missing-field", f"{a_name(record)} needs {listed}", remarks=remarks)


def computed_field(record: str, name: str, remarks: tuple[Remark, ...]) -> Wording:
    message = f"`{name}` of `{record}` is worked out, so it cannot be given"
    return Wording("computed-field", message, remarks=remarks)


def repeated_field(name: str) -> Wording:
    return Wording("repeated-field", f"`{name}` is given twice")


# -- traps -------------------------------------------------------------------------------------


def zero_index() -> Wording:
    return Wording("zero-index", "lists count from 1, so there is never an item 0", "write [1] for the first")


def index_in_filter(written: str) -> Wording:
    message = f"`[{written}]` on a list of numbers is read as a position"
    return Wording("index-in-filter", message, f"to find the number write [item = {written}]")


def null_of_nothing(written: str) -> Wording:
    return Wording("null-of-nothing", f"`{written}` is null: there is nothing in the list")


def empty_range(written: str) -> Wording:
    return Wording("empty-range", f"nothing lies in `{written}`", "write the lower end first")


def descending_range(written: str) -> Wording:
    return Wording("descending-range", f"`{written}` counts down", "for no round at all, test the end first")


# -- shared ------------------------------------------------------------------------------------


_BARE_DATE = re.compile(r'"?([0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9:.]+Z?)?)"?')


_DAY_FIRST = re.compile(r'"?[0-9]{1,2}[/.][0-9]{1,2}[/.][0-9]{4}"?')


def beside_date(words: Wording, written: str) -> Wording:
    """A date that is written as a difference, a division or a text. Which of two small numbers is the month
    is not guessed."""
    found = _BARE_DATE.fullmatch(written.strip())
    if found is not None:
        return replace(words, hint=f'write @"{found[1]}"')
    if _DAY_FIRST.fullmatch(written.strip()):
        return replace(words, hint='write the year first, as in @"2026-12-31"')
    return words


def did_you_mean(typed: str, names: Iterable[str]) -> str | None:
    near = nearest(typed, names)
    return f"did you mean `{near}`?" if near else None


def nearest(typed: str, names: Iterable[str]) -> str | None:
    """The name with the fewest slips of the keyboard between; None where they are too many."""
    wanted = fold(typed)
    most = 0 if len(wanted) < 3 else 1 if len(wanted) < 5 else 2 if len(wanted) < 9 else 3
    folded = {name: fold(name) for name in set(names)}
    close = {n: slips(wanted, f) for n, f in folded.items() if abs(len(f) - len(wanted)) <= most}
    near = min(close, key=lambda name: (close[name], name), default=None)
    return near if near is not None and close[near] <= most else None


def a(type_: Type) -> str:
    return a_name(describe(type_))


def a_name(name: str) -> str:
    """`a number`, `an age`; null and what is unknown stand alone."""
    if name in ("null", "unknown", "any"):
        return {"any": "anything"}.get(name, name)
    if name[0] == "{":
        return f"a context {name}"
    return f"an {name}" if name[0].lower() in "aeiou" else f"a {name}"
