"""All that the checker may say, one function per message."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from dtables.diagnostics import Remark
from dtables.feel.names import fold
from dtables.feel.types import Type, VocabularyType, describe, plain
from dtables.provenance import CellRef, Location
from dtables.workbook.language import slips

EXPRESSION_CODES: dict[str, str] = {
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
    """What a diagnostic says, before the cell and the severity are added to it."""

    code: str
    message: str
    hint: str | None = None
    remarks: tuple[Remark, ...] = ()


# -- names -------------------------------------------------------------------------------------


ANY_VALUE = {"otherwise", "altrimenti", "any", "qualsiasi"}
"""What people write into the last row of a decision."""


def unknown_name(name: str, reach: Iterable[str]) -> Wording:
    """A bare name that nothing in reach has, where no vocabulary says which names are expected."""
    hint = "write `-` for any value" if fold(name) in ANY_VALUE else did_you_mean(name, reach)
    return Wording("unknown-name", f"nothing here is called `{name}`", hint)


def unknown_name_of(vocabulary: str, name: str, reach: Iterable[str]) -> Wording:
    """A bare name that is neither a name of the expected vocabulary nor anything in reach."""
    message = f"`{name}` is no name of `{vocabulary}`, and nothing here is called so"
    return replace(unknown_name(name, reach), message=message)


def unknown_text_of(vocabulary: str, name: str, names: Iterable[str]) -> Wording:
    """A quoted name, or a key of a map, that the expected vocabulary does not have."""
    return Wording("unknown-name", f'"{name}" is no name of `{vocabulary}`', did_you_mean(name, names))


def name_out_of_place(name: str, vocabularies: Sequence[str]) -> Wording:
    """The name exists, but only where its vocabulary is expected."""
    known = " and ".join(f"`{v}`" for v in vocabularies)
    return Wording("unknown-name", f"`{name}` is a name of {known}, which nothing here asks for")


def text_without_quotes(name: str) -> Wording:
    """A name that nothing has where a text is expected: most likely a text without its quotes."""
    return Wording("unknown-name", f"nothing here is called `{name}`", f'for a text write "{name}"')


def boolean_expected(name: str) -> Wording:
    """A name that nothing has where a boolean is expected."""
    return Wording("unknown-name", f"nothing here is called `{name}`", "write `yes` or `no`")


def narrowed_name(vocabulary: str, root: str, name: str) -> Wording:
    """A name of the base vocabulary that the narrowed one, which is expected, leaves out."""
    message = f"`{name}` is a name of `{root}`, but not one of `{vocabulary}`"
    return Wording("unknown-name", message)


def ambiguous_name(name: str, vocabulary: str, what: str, remarks: tuple[Remark, ...]) -> Wording:
    """A bare name of the expected vocabulary that something else of the same type is called too."""
    message = f"`{name}` is a name of `{vocabulary}` and also {what} of that type"
    return Wording("ambiguous-name", message, f'write "{name}" for the name', remarks)


def ambiguous_label(name: str, ids: Sequence[str]) -> Wording:
    """A label that several names of the expected vocabulary share."""
    shared = " and ".join(f"`{i}`" for i in ids)
    return Wording("ambiguous-name", f"`{name}` means {shared}", "write its id")


def unknown_field(name: str, owner: str, fields: Iterable[str]) -> Wording:
    """A path or a record literal names a field that the type does not have."""
    return Wording("unknown-field", f"{owner} has no field `{name}`", did_you_mean(name, fields))


def no_fields(name: str, written: str, type_: Type) -> Wording:
    """A `.` and a name after a value whose type has no fields."""
    return Wording("no-fields", f"`{written}` is {a(type_)}, which has no field `{name}`")


def whole_state(word: str) -> Wording:
    """The state itself is read as a value, without a field."""
    return Wording("unknown-name", f"`{word}` is read field by field", f"write `{word}.` and a field's name")


def no_subject() -> Wording:
    """A `?` outside the cells that test a column's value."""
    return Wording("no-subject", "`?` means the value that a column tests, and nothing is tested here")


# -- calls -------------------------------------------------------------------------------------


def unknown_function(name: str, reach: Iterable[str]) -> Wording:
    """A call of a name that is no table, step or built-in, nor anything else in reach."""
    message = f"no table, step or built-in is called `{name}`"
    return Wording("unknown-function", message, did_you_mean(name, reach))


def not_a_function(written: str, type_: Type) -> Wording:
    """Parentheses after a value that is neither callable nor read by a key."""
    return Wording("not-a-function", f"`{written}` is {a(type_)}, which takes no argument")


def needs_arguments(signature: str, remarks: tuple[Remark, ...]) -> Wording:
    """A table or step with parameters is read by its bare name."""
    return Wording("needs-arguments", f"this needs arguments: `{signature}`", remarks=remarks)


def argument_count(signature: str, given: int, remarks: tuple[Remark, ...] = ()) -> Wording:
    """A call has more or fewer arguments than any form of what is called."""
    count = "1 argument" if given == 1 else f"{given} arguments"
    return Wording("argument-count", f"{count} for `{signature}`", remarks=remarks)


def unknown_parameter(name: str, signature: str, names: Iterable[str]) -> Wording:
    """A named argument that no parameter is called like."""
    message = f"`{signature}` has no parameter `{name}`"
    return Wording("unknown-parameter", message, did_you_mean(name, names))


def missing_parameter(name: str, signature: str) -> Wording:
    """A call with named arguments leaves a parameter out."""
    return Wording("argument-count", f"`{name}` of `{signature}` is not given")


def repeated_argument(name: str) -> Wording:
    """A call names one parameter twice."""
    return Wording("repeated-argument", f"`{name}` is given twice")


def mixed_arguments() -> Wording:
    """A call names some of its arguments and not the others."""
    return Wording("argument-count", "some arguments are named and some are not", "name all of them or none")


def no_signature(name: str, signatures: Sequence[str], given: Sequence[Type]) -> Wording:
    """The arguments of a built-in suit none of its forms, of which there are several."""
    had = ", ".join(describe(t) for t in given)
    expected = " or ".join(f"`{s}`" for s in signatures)
    return Wording("type-mismatch", f"{name}({had}) does not exist, but {expected}")


def not_a_scale(name: str, scales: Iterable[str]) -> Wording:
    """The word before `ranking` is called like no scale."""
    return Wording("not-a-scale", f"`{name}` is no scale", did_you_mean(name, scales))


def not_a_vocabulary(name: str, vocabularies: Iterable[str]) -> Wording:
    """The word after `each`, or after `by` in a type, is no vocabulary."""
    return Wording("not-a-vocabulary", f"`{name}` is no vocabulary", did_you_mean(name, vocabularies))


def external_function() -> Wording:
    """A function literal that is marked `external`, which only the standard's models may have."""
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
    """A type that neither the language nor the workbook has."""
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


def type_mismatch(written: str, given: Type, expected: Type, remarks: tuple[Remark, ...] = ()) -> Wording:
    """A value of a type that can never be of the expected one."""
    message = f"`{written}` is {a(given)}, but {a(expected)} is wanted here"
    return Wording("type-mismatch", message, remarks=remarks)


def wants_whole(written: str, remarks: tuple[Remark, ...] = ()) -> Wording:
    """A number that may have a fraction where a whole number is expected."""
    message = f"`{written}` may have a fraction, but a whole number is wanted here"
    return Wording("type-mismatch", message, "round it: floor(…), ceiling(…), round half up(…, 0)", remarks)


def wants_list(written: str, given: Type, expected: Type, remarks: tuple[Remark, ...] = ()) -> Wording:
    """A single value where a list of such values is expected."""
    message = f"`{written}` is {a(given)}, but {a(expected)} is wanted here"
    return Wording("type-mismatch", message, f"for a list of one write [{written}]", remarks)


def wrong_operands(operator: str, left: Type, right: Type) -> Wording:
    """An operator, or `..`, between two types that it does not take together."""
    message = f"`{operator}` does not work on {a(left)} and {a(right)}"
    return Wording("type-mismatch", message)


def wrong_operand(operator: str, operand: Type) -> Wording:
    """A `-`, `and`, `or` or `not` on a type that it does not take."""
    return Wording("type-mismatch", f"`{operator}` does not work on {a(operand)}")


def never_equal(
    left: str, left_type: Type, right: str, right_type: Type, remarks: tuple[Remark, ...]
) -> Wording:
    """`=` or `!=` between values of types that have no value in common."""
    message = f"`{left}` is {a(left_type)} and `{right}` is {a(right_type)}: they can never be equal"
    return Wording("type-mismatch", message, remarks=remarks)


def test_mismatch(written: str, given: Type, subject: str, expected: Type, hint: str | None) -> Wording:
    """A condition cell tests its column for a value of a type that the column never has."""
    message = f"`{written}` is {a(given)}, but {subject} is {a(expected)}"
    return Wording("type-mismatch", message, hint)


def unrelated_vocabularies(left: VocabularyType, right: VocabularyType) -> Wording:
    """Names of two vocabularies that share none are compared."""
    message = f"a name of `{left.name}` can never equal a name of `{right.name}`"
    return Wording("unrelated-vocabularies", message)


def compares_itself(written: str, hint: str | None) -> Wording:
    """Both sides of a comparison are the same expression, so that its result is known."""
    return Wording("compares-itself", f"both sides are the same `{written}`", hint)


def not_ordered(operator: str, type_: Type) -> Wording:
    """`<`, a range, `min` or the like over values that have no order."""
    return Wording("not-ordered", f"`{operator}` needs numbers, texts or times, but this is {a(type_)}")


def mixed_types(what: str, types: Sequence[Type]) -> Wording:
    """The items of a list, or the branches of an `if`, have types without a common one."""
    had = " and ".join(describe(t) for t in types)
    return Wording("mixed-types", f"{what} {had}, which have nothing in common")


def not_a_condition(written: str, type_: Type) -> Wording:
    """Brackets after a list hold a value that is neither a condition nor a number."""
    message = f"`{written}` is {a(type_)}; brackets hold a condition or a position"
    return Wording("not-a-condition", message)


def index_of_item(written: str) -> Wording:
    """Brackets after a list hold a number that differs from item to item."""
    message = f"`{written}` is a number of each item; brackets hold a condition or a position"
    return Wording("not-a-condition", message)


def not_a_list(written: str, type_: Type) -> Wording:
    """A filter or a loop over a value that is no list."""
    return Wording("not-a-list", f"`{written}` is {a(type_)}, not a list")


def always_null(written: str, expected: Type) -> Wording:
    """An expression that can only be null where a value of a type is expected."""
    return Wording("always-null", f"`{written}` is always null, but {a(expected)} is wanted here")


def never_a_value(written: str) -> Wording:
    """An expression that can only be null where any other value would do."""
    return Wording("always-null", f"`{written}` is always null, but a value is wanted here")


def may_be_null(what: Sequence[str]) -> Wording:
    """An expression may be null where null is an error: a note, as it may never happen."""
    listed = ", ".join(what)
    return Wording("may-be-null", f"{listed} may be null, which would be an error here when it happens")


def not_a_date(text: str) -> Wording:
    """An `@"…"` whose text is no date, time or duration."""
    return Wording("not-a-date", f'@"{text}" is no date, time or duration')


# -- records -----------------------------------------------------------------------------------


def missing_field(record: str, names: Sequence[str], remarks: tuple[Remark, ...]) -> Wording:
    """A record literal leaves out stored fields that have no default."""
    listed = ", ".join(f"`{n}`" for n in names)
    return Wording("missing-field", f"{a_name(record)} needs {listed}", remarks=remarks)


def computed_field(record: str, name: str, remarks: tuple[Remark, ...]) -> Wording:
    """A record literal gives a field that the record computes."""
    message = f"`{name}` of `{record}` is worked out, so it cannot be given"
    return Wording("computed-field", message, remarks=remarks)


def repeated_field(name: str) -> Wording:
    """A context or record literal has one field twice."""
    return Wording("repeated-field", f"`{name}` is given twice")


# -- traps -------------------------------------------------------------------------------------


def zero_index() -> Wording:
    """`[0]` after a list, which is always null."""
    return Wording("zero-index", "lists count from 1, so there is never an item 0", "write [1] for the first")


def index_in_filter(written: str) -> Wording:
    """A bare name in brackets after a list of numbers, where an item is at hand."""
    message = f"`[{written}]` on a list of numbers is read as a position"
    return Wording("index-in-filter", message, f"to find the number write [item = {written}]")


def null_of_nothing(written: str) -> Wording:
    """A built-in that gives null for an empty list is called with a literal one."""
    return Wording("null-of-nothing", f"`{written}` is null: there is nothing in the list")


def empty_range(written: str) -> Wording:
    """A range of literal numbers whose lower end is above its upper one."""
    return Wording("empty-range", f"nothing lies in `{written}`", "write the lower end first")


def descending_range(written: str) -> Wording:
    """A loop over a range of literal numbers that runs downwards."""
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
    """Return the hint that names the nearest of `names`, or None where none is near."""
    near = nearest(typed, names)
    return f"did you mean `{near}`?" if near else None


def nearest(typed: str, names: Iterable[str]) -> str | None:
    """The name with the fewest slips of the keyboard between; None where they are too many."""
    typed_name = fold(typed)
    most = 0 if len(typed_name) < 3 else 1 if len(typed_name) < 5 else 2 if len(typed_name) < 9 else 3
    folded = {name: fold(name) for name in set(names)}
    close = {n: slips(typed_name, f) for n, f in folded.items() if abs(len(f) - len(typed_name)) <= most}
    near = min(close, key=lambda name: (close[name], name), default=None)
    return near if near is not None and close[near] <= most else None


def a(type_: Type) -> str:
    """Return the type in words with its article, as `a list of number`."""
    return a_name(describe(type_))


def a_name(name: str) -> str:
    """`a number`, `an age`; null and what is unknown stand alone."""
    if name in ("null", "unknown", "any"):
        return {"any": "anything"}.get(name, name)
    if name[0] == "{":
        return f"a context {name}"
    return f"an {name}" if name[0].lower() in "aeiou" else f"a {name}"


# -- names, types, records and data -----------------------------------------------------------------
# The words for what is wrong with names, vocabularies, records, data and settings.

MOST_NAMES = 50

TABLE_CODES: dict[str, str] = {
    "no-name": "Something that must have a name has none.",
    "sign-in-name": "A name with a sign that the expression language reads as its own.",
    "name-begins-with-word": "A name that begins with a word of the expression language.",
    "name-is-a-number": "A name that reads as a number.",
    "name-taken": "Two tables, fields or types of one name.",
    "hides": "A parameter, step or draw with the name of a table or an input field.",
    "double-name": "A vocabulary with a name twice.",
    "names-for-no-numbers": "A glossary row for a narrowed type that holds no numbers.",
    "missing-label": "Names without a label in a language in which others of their vocabulary have one.",
    "double-label": "A label that names two things of one vocabulary, and so neither.",
    "double-field": "A record, a state or a level table with a field twice.",
    "double-column": "Two columns of a table with the same name.",
    "double-parameter": "A table or step with two parameters of one name.",
    "incomplete-row": "A row that lacks a cell without which it says nothing.",
    "vocabulary-without-names": "A vocabulary that has neither names nor another to take them from.",
    "names-not-listed": "`allowed` of a narrowed vocabulary must list names, plainly or in `not(…)`.",
    "nothing-left": "A narrowed vocabulary with no name left.",
    "name-of-base": "A further name that the base vocabulary has already.",
    "no-vocabulary": "Further names for something that is no vocabulary.",
    "unknown-vocabulary": "A vocabulary that the workbook does not have.",
    "field-without-type": "A field without a type.",
    "computed-and-stored": "A computed field that is also given, restricted or has a default.",
    "two-types": "A data column of another type than the record's field of that name.",
    "not-readable": "A record that is said to be readable by a vocabulary but lacks a field for some name.",
    "column-without-name": "A column that needs a name and has none.",
    "nested-column": "A column `field.below` whose field is no record or has no such field.",
    "not-constant": "A cell that must say the same in every turn, but reads something of a turn.",
    "no-value": "A cell that must say the same in every turn, and whose arithmetic has no result.",
    "not-allowed": "A value that its restricted type, or its field, does not allow.",
    "blank-needed": "A blank cell where every row must say something.",
    "unread": "Cells or properties that nothing in such a table reads.",
    "unknown-word": "A property whose word is not one of those it may be.",
    "badges": "Colours, shapes or letters that do not go with the names one by one.",
    "fixed-field": "A `fixed` cell that gives no field of the record that stands there.",
    "computed-input": "A field of the state with an expression: those are formulas.",
    "unclosed-parameters": "A name with an opening parenthesis that is not closed.",
    "parameter-without-type": "A parameter without type that is not called like one.",
    "switch-without-default": "A switch without the value that holds when a record says nothing.",
    "settings-without-levels": "Settings with neither switches nor levels.",
    "unknown-kind": "A glossary row of a kind that the workbook does not have.",
    "unknown-id": "A glossary row for something that is not there.",
    "unknown-name": "A name that the wanted vocabulary does not have.",
    "unknown-table": "A table that the workbook does not have.",
}


# -- names -------------------------------------------------------------------------------------


def no_name() -> Wording:
    """A blank cell where a table, field, step or vocabulary needs its name."""
    return Wording("no-name", "a name is wanted here")


def sign_in_name(name: str, sign: str) -> Wording:
    """A name contains a sign that the expression language would read as an operator."""
    return Wording("sign-in-name", f"the name `{name}` may not contain `{sign}`", "leave the sign out")


def name_begins_with_word(name: str, word: str) -> Wording:
    """The first word of a name is one of the expression language, such as `if`."""
    message = f"a name may not begin with `{word}`, a word of the expression language"
    return Wording("name-begins-with-word", message, f"call `{name}` otherwise")


def name_is_a_number(name: str) -> Wording:
    """A name that an expression would read as a number."""
    return Wording("name-is-a-number", f"`{name}` reads as a number, not as a name", "put a letter before it")


def name_taken(name: str, first: Location) -> Wording:
    """A second table, type or field has the name of an earlier one."""
    return Wording("name-taken", f"`{name}` is taken", None, (Remark(first, f"`{name}` is declared here"),))


def name_of_type(name: str) -> Wording:
    """A vocabulary, record or type is called like a type of the language."""
    return Wording("name-taken", f"`{name}` is a type of the language")


def name_of_builtin(name: str) -> Wording:
    """A table with parameters is called like a built-in function."""
    return Wording("name-taken", f"`{name}` is a built-in function", f"call it otherwise than `{name}`")


def name_at_hand(name: str) -> Wording:
    """A table, field, parameter or step is called `item`, `this` or like the state."""
    return Wording("name-taken", f"`{name}` is what the language calls the thing that is looked at")


def hides(name: str, first: Location) -> Wording:
    """A parameter, step or draw is called like a table or an input field."""
    message = f"`{name}` would hide the table or input field of that name"
    return Wording("hides", message, "give it another name", (Remark(first, f"`{name}` is declared here"),))


def double_parameter(name: str) -> Wording:
    """A marker or a step names two parameters alike."""
    return Wording("double-parameter", f"there is a parameter `{name}` already")


def unclosed_parameters() -> Wording:
    """A parenthesis after a name is not closed, or something follows it."""
    return Wording(
        "unclosed-parameters", "the parenthesis is not closed at the end", "write `name(a: type, b: type)`"
    )


def blank_parameter() -> Wording:
    """Two commas, or a comma and a parenthesis, without a parameter between them."""
    return Wording("parameter-without-type", "a parameter is missing beside a comma", "write `name: type`")


def parameter_without_type(name: str) -> Wording:
    """A parameter without a type whose name is no type either."""
    message = f"`{name}` has no type, and no type is called `{name}`"
    return Wording("parameter-without-type", message, f"write `{name}: type`")


def row_without_name() -> Wording:
    """The cell that names a row is blank."""
    return Wording("incomplete-row", "the row has no name")


def row_without(role: str) -> Wording:
    """A row lacks the cell of a role without which it says nothing."""
    return Wording("incomplete-row", f"the row has nothing under `{role}`")


def row_without_expression() -> Wording:
    """A row lacks its cell under `is`."""
    return Wording("incomplete-row", "the row has no expression", "write what it is under `is`")


# -- vocabularies ------------------------------------------------------------------------------


def row_without_key(table: str) -> Wording:
    """A row of keyed data has a blank cell in the column of its keys."""
    return Wording("incomplete-row", f"a row of `{table}` has no key")


def double_name(name: str, first: Location) -> Wording:
    """A vocabulary or a switch lists one name twice."""
    return Wording(
        "double-name", f"`{name}` stands there twice", None, (Remark(first, "it stands here first"),)
    )


def name_without_its_kind(name: str, vocabulary: str) -> Wording:
    """A glossary row without a kind is called like a name of a vocabulary: a warning."""
    message = f"`{name}` is a name of `{vocabulary}`, and the row does not say so: it changes no label"
    return Wording("incomplete-row", message, f"write `{vocabulary}` under `kind`")


def names_for_no_numbers(kind: str, type_: Type) -> Wording:
    """The glossary names values of a narrowed type that does not hold numbers."""
    held = describe(plain(type_))
    message = f"`{kind}` is {held}: only numbers can have names besides those of vocabularies"
    return Wording("names-for-no-numbers", message)


def missing_label(vocabulary: str, language: str, names: Sequence[str], of: int) -> Wording:
    """Some names of a vocabulary lack a label that others have in that language."""
    listed = ", ".join(names[:MOST_NAMES]) + (", …" if len(names) > MOST_NAMES else "")
    message = f"missing label in `{language}` for {len(names)} of {of} names of `{vocabulary}`: {listed}"
    hint = "add the labels, or leave it so: pages and explanations mark the label of another language"
    return Wording("missing-label", message, hint)


def double_label(label: str, one: str, other: str, ids: Sequence[str], first: Location) -> Wording:
    """`ids` are the ids that it means all the same."""
    message = f"`{label}` names both `{one}` and `{other}`, so it can be used for neither"
    if len(ids) == 1:
        unheard = one if ids[0] == other else other
        message = f"`{label}` is the id `{ids[0]}`, so it cannot be used for `{unheard}`"
    return Wording("double-label", message, None, (Remark(first, f"`{one}` stands here"),))


def vocabulary_without_names(name: str) -> Wording:
    """A row of `Types` says neither `of` nor any names."""
    return Wording("vocabulary-without-names", f"`{name}` has no names", "list them under `names`")


def names_not_listed(base: str) -> Wording:
    """The tests that narrow a vocabulary cannot be decided for each of its names."""
    hint = f"list names of `{base}`, or write `not(…)` around those that are out"
    return Wording("names-not-listed", "which names are allowed must be plain from the cell", hint)


def nothing_left(base: str) -> Wording:
    """The tests that narrow a vocabulary let none of its names through."""
    return Wording("nothing-left", f"no name of `{base}` is left")


def name_of_base_again(name: str, base: str) -> Wording:
    """A name under `plus` that the base vocabulary, or another one under `plus`, has already."""
    return Wording("name-of-base", f"`{name}` is a name of `{base}` already")


def names_for_no_vocabulary(of: str) -> Wording:
    """A cell under `plus` in a row whose `of` is no vocabulary."""
    return Wording("no-vocabulary", f"names can be added to a vocabulary only, and `{of}` is none")


def unknown_vocabulary(name: str, known: Iterable[str]) -> Wording:
    """`readable by`, or a page's cell, names a vocabulary that the workbook does not have."""
    return Wording("unknown-vocabulary", f"no vocabulary is called `{name}`", did_you_mean(name, known))


def unknown_name_in(name: str, vocabulary: str, names: Iterable[str]) -> Wording:
    """A glossary row or an example names something that its vocabulary does not have."""
    return Wording("unknown-name", f"`{name}` is no name of `{vocabulary}`", did_you_mean(name, names))


# -- records and data --------------------------------------------------------------------------


def double_field(name: str, first: Location) -> Wording:
    """A record, the state or a table of levels declares a field twice."""
    remark = Remark(first, "it stands here first")
    return Wording("double-field", f"there is a field `{name}` already", None, (remark,))


def field_without_type(name: str) -> Wording:
    """A field has neither a type nor a known one from elsewhere."""
    return Wording("field-without-type", f"the field `{name}` has no type")


def default_of_computed_field(name: str) -> Wording:
    """A field with an expression also has a default."""
    return Wording("computed-and-stored", f"`{name}` is computed, so it needs no default")


def allowed_of_computed_field(name: str) -> Wording:
    """A field with an expression also has tests under `allowed`."""
    return Wording("computed-and-stored", f"`{name}` is computed: no record gives it, so nothing tests it")


def column_of_computed_field(name: str, first: Location) -> Wording:
    """A data column gives a field that the record computes."""
    remark = Remark(first, "it is computed here")
    return Wording("computed-and-stored", f"`{name}` is computed, so no column can give it", None, (remark,))


def two_types(name: str, column: Type, record: Type, where: Location) -> Wording:
    """A data column and the record's own table give one field different types."""
    message = f"the column says {describe(column)}, but the field `{name}` is {describe(record)}"
    return Wording("two-types", message, None, (Remark(where, f"`{name}` is declared here"),))


def not_readable(record: str, vocabulary: str) -> Wording:
    """A record claims `readable by` a vocabulary without a field of one type for each name."""
    message = f"`{record}` is not readable by `{vocabulary}`: it has no field of one type for each name"
    return Wording("not-readable", message)


def column_without_name() -> Wording:
    """A column of data or examples has no name over it."""
    return Wording("column-without-name", "the column has no name", "write it under the role")


def double_column(name: str) -> Wording:
    """A data or dice table has two columns of one name."""
    return Wording("double-column", f"there is a column `{name}` already")


def nested_in_no_record(name: str, type_: Type) -> Wording:
    """A data column `field.below` whose field holds neither a record nor a map."""
    message = f"`{name}` is {describe(type_)}, which has no fields to fill"
    return Wording("nested-column", message)


def unknown_nested_field(below: str, type_: Type, known: Iterable[str]) -> Wording:
    """A data column `field.below` whose field has nothing stored of that name."""
    message = f"{describe(type_)} has no stored field `{below}`"
    return Wording("nested-column", message, did_you_mean(below, known))


def not_constant() -> Wording:
    """A cell that is read once for all records reads something of a record."""
    return Wording("not-constant", "this cell must say the same in every turn", "write a plain value")


def no_value(failure: str) -> Wording:
    """A cell that is read once for all records fails when it is computed."""
    return Wording("no-value", f"this has no value: {failure}", "write a plain value")


def not_allowed(type_: str, written: str, where: Location) -> Wording:
    """A literal of a narrowed type that the type's tests do not let through."""
    remark = Remark(where, f"`{type_}` allows {written}")
    return Wording("not-allowed", f"this is no {type_}", None, (remark,))


def not_allowed_there(field: str, written: str, where: Location) -> Wording:
    """A literal for a field that the field's own tests do not let through."""
    remark = Remark(where, f"`{field}` allows {written}")
    return Wording("not-allowed", f"`{field}` does not allow this", None, (remark,))


def blank_needed(field: str, where: Location) -> Wording:
    """A data row leaves a field blank that has no default and may not be null."""
    remark = Remark(where, f"`{field}` is needed")
    return Wording("blank-needed", f"`{field}` may not be blank", None, (remark,))


def unknown_word(written: str, known: Sequence[str]) -> Wording:
    """A property has a word that is not in its closed list."""
    hint = did_you_mean(written, known) or f"write {' or '.join(known)}"
    return Wording("unknown-word", f"`{written}` is no word for this", hint)


def column_unread(role: str) -> Wording:
    """A column has cells filled that a table of this form does not read."""
    return Wording("unread", f"nothing reads `{role}` here", "leave it out")


def of_a_step_that_runs(role: str) -> Wording:
    """A person's step has a cell that is read of steps with an outcome alone."""
    return Wording("unread", f"nothing reads `{role}` of a step without `then`", "leave it out")


def property_unread() -> Wording:
    """A property stands beside a table whose form does not read it."""
    return Wording("unread", "nothing reads this property in a table of this form", "leave it out")


def key_without_column() -> Wording:
    """Data have the property `key` but no column with that role."""
    return Wording("unread", "no column holds the keys", "give the column the role `key`")


def priorities_unread(policy: str) -> Wording:
    """`priorities` beside a decision whose policy does not rank outcomes."""
    return Wording("unread", f"the policy {policy} does not rank outcomes", "leave `priorities` out")


def badges_uneven(names: int, badges: int) -> Wording:
    """A list of colours, shapes or letters is longer or shorter than the list of names."""
    return Wording(
        "badges", f"there are {names} names and {badges} of these", "write one for each name, in order"
    )


# -- the state ---------------------------------------------------------------------------------


def computed_input(name: str) -> Wording:
    """An input field has an expression under `is`."""
    return Wording(
        "computed-input", f"`{name}` is a field of the state: it cannot be computed", "make it a formula"
    )


def fixed_of_no_record(name: str) -> Wording:
    """A cell under `fixed` beside an input field that holds no record."""
    return Wording("fixed-field", f"`{name}` is no record, so no field of it can be given")


def unknown_fixed_field(name: str, record: str, known: Iterable[str]) -> Wording:
    """A `fixed` cell names a field that the record does not have."""
    return Wording("fixed-field", f"`{record}` has no field `{name}`", did_you_mean(name, known))


def fixed_computed_field(name: str, where: Location) -> Wording:
    """A `fixed` cell gives a field that the record computes."""
    remark = Remark(where, "it is computed here")
    return Wording("fixed-field", f"`{name}` is computed, so it cannot be given", None, (remark,))


def fixed_without_value(name: str) -> Wording:
    """A `fixed` cell names a field and gives it nothing."""
    return Wording("fixed-field", f"`{name}` is given no value", f"write `{name}: value`")


# -- settings and glossary -----------------------------------------------------------------------


def switch_without_default(name: str) -> Wording:
    """A switch has a blank default."""
    return Wording("switch-without-default", f"the switch `{name}` has no default")


def settings_without_levels() -> Wording:
    """A settings table has no switches, and no column of a level with a usable name."""
    hint = "give it a column `switch`, or a column for each level"
    return Wording("settings-without-levels", "the table has neither switches nor levels", hint)


def unknown_kind(kind: str, known: Iterable[str]) -> Wording:
    """A glossary row has a kind that is no vocabulary, record or word for fields or tables."""
    return Wording("unknown-kind", f"nothing in this workbook is a `{kind}`", did_you_mean(kind, known))


def unknown_id(name: str, kind: str, known: Iterable[str]) -> Wording:
    """A glossary row of fields or tables names one that there is not."""
    return Wording("unknown-id", f"there is no {kind} `{name}`", did_you_mean(name, known))


def unknown_table(name: str, known: Iterable[str]) -> Wording:
    """A page or examples name a table that the workbook does not have."""
    return Wording("unknown-table", f"no table is called `{name}`", did_you_mean(name, known))


# -- formulas, decisions, matrices and dice ---------------------------------------------------------
# The words for what is wrong with formulas, decisions, matrices and dice.

MOST_LISTED = 6

FUNCTION_CODES: dict[str, str] = {
    "circle": "Tables, computed fields or asks that call one another in a circle.",
    "double-step": "A step or draw with a name that this table has already.",
    "no-result": "A formula in steps whose result cannot be told.",
    "after-result": "A step after the row `result`: nothing reads it.",
    "no-rows": "A table without rows.",
    "no-outcome": "A decision or dice table without outcome column.",
    "blank-outcome": "An outcome cell with nothing in it.",
    "unknown-policy": "A hit policy that there is not.",
    "unfit-policy": "A hit policy that these outcomes do not go with.",
    "no-priorities": "A policy that ranks outcomes, without their ranking.",
    "mixed-outcomes": "Outcomes of types that have nothing in common, and no `-> any` in the marker.",
    "decision-result": "A decision said to give something other than its policy and columns make.",
    "outcome-field": "An outcome column that names no entry of the context the table gives, or one twice.",
    "matrix-shape": "A matrix whose columns do not fit its parameters.",
    "blank-key": "A key cell with nothing in it.",
    "blank-value": "A value cell with nothing in it: null is typed out.",
    "double-key": "A key of a matrix that stands there twice.",
    "missing-keys": "Keys of a matrix that stand nowhere.",
    "open-keys": "A key whose values cannot all be listed.",
    "gap-in-list": "An ordered list down a column with a blank in the middle.",
    "twice-in-list": "An ordered list with the same thing twice.",
    "other-set": "A column of an ordered matrix that ranks other things than the first.",
    "rank-order": "Ranks that do not count 1, 2, 3.",
    "no-die": "A column of totals whose name is no die.",
    "totals": "A cell of totals that a die cannot throw.",
    "total-twice": "A total with two outcomes.",
    "totals-missing": "Totals without outcome.",
    "dice-parameters": "A dice table whose parameters do not fit its dice.",
}


def circle(path: Sequence[str], places: Iterable[tuple[str, Location]]) -> Wording:
    """Tables, computed fields or asks need each other's results before their own."""
    shown = " → ".join(f"`{name}`" for name in path)
    remarks = tuple(Remark(where, f"`{name}` is here") for name, where in places)
    return Wording("circle", f"these call one another in a circle: {shown}", None, remarks)


def table_without_rows() -> Wording:
    """A decision, matrix, scale or dice table has only its head."""
    return Wording("no-rows", "the table has no rows")


# -- formulas ----------------------------------------------------------------------------------


def double_step(name: str) -> Wording:
    """A step, draw or answer is called like a parameter or an earlier step of its table."""
    return Wording("double-step", f"`{name}` is a parameter or step of this table already")


def row_after_result(table: str) -> Wording:
    """A formula goes on below its row `result`."""
    return Wording("after-result", f"nothing can read a row of `{table}` after its result", "move it up")


def formula_without_rows() -> Wording:
    """A formula has no result and no step without parameters that could be part of one."""
    return Wording("no-result", "the formula has no steps to give", "add a row `result`")


def no_result_row(expected: Type) -> Wording:
    """A formula without a row `result` declares a result that is no record."""
    return Wording("no-result", f"steps give a record, not {describe(expected)}", "add a row `result`")


def two_results(type_: Type, declared: Type) -> Wording:
    """The type in the row `result` does not fit the one in the marker."""
    return Wording("no-result", f"the marker says {describe(declared)}, and this row {describe(type_)}")


def no_step_for_field(field: str, record: str) -> Wording:
    """The steps are to make a record, and none gives a field that it needs."""
    return Wording("no-result", f"no step is called `{field}`, a field of `{record}`")


def step_does_not_fit(step: str, type_: Type, record: str, expected: Type) -> Wording:
    """The steps are to make a record, and one is of another type than its field."""
    message = f"the step `{step}` is {describe(type_)}, but the field of `{record}` is {describe(expected)}"
    return Wording("no-result", message)


# -- decisions ---------------------------------------------------------------------------------


def decision_without_outcome() -> Wording:
    """A decision has no column `then` or `take`, or a dice table none `then`."""
    return Wording("no-outcome", "the table has no outcome", "add a column `then`")


def no_step_runs() -> Wording:
    """A turn has a column `then` and nothing in it."""
    return Wording("no-outcome", "no step has an outcome", "fill in `then`, or remove the column")


def blank_outcome() -> Wording:
    """A cell under `then` is blank."""
    return Wording("blank-outcome", "the outcome is blank", "write `null` if there is none")


def unknown_policy(written: str, known: Iterable[str]) -> Wording:
    """The property `policy` has a word that is no hit policy."""
    return Wording("unknown-policy", f"`{written}` is no policy", did_you_mean(written, known))


def take_under(policy: str) -> Wording:
    """A column `take` in a decision whose policy lets several rows count."""
    return Wording(
        "unfit-policy", f"`take` goes with unique, any and first, not with {policy}", "write `then`"
    )


def several_outcomes_under(policy: str) -> Wording:
    """Several outcome columns under a policy that folds outcomes into one value."""
    return Wording("unfit-policy", f"{policy} wants one outcome column")


def outcome_not_for(policy: str, type_: Type) -> Wording:
    """A policy that adds up or compares outcomes has outcomes that it cannot."""
    return Wording("unfit-policy", f"{policy} cannot be worked out of {describe(type_)}")


def no_priorities(policy: str, type_: Type) -> Wording:
    """A policy ranks outcomes that are of no vocabulary, and nothing lists the better ones."""
    message = f"{policy} ranks the outcomes, but nothing says which {describe(type_)} is better"
    return Wording("no-priorities", message, "write `priorities: best, next, …` beside the marker")


def mixed_outcomes(types: Iterable[Type]) -> Wording:
    """The outcomes of a column have types without a common one, and none is declared."""
    shown = " and ".join(dict.fromkeys(describe(t) for t in types))
    message = f"these outcomes have nothing in common: {shown}"
    return Wording("mixed-outcomes", message, "end the marker with `-> any` if it may give any of them")


def outcome_of_no_field(name: str, type_: Type, known: Iterable[str]) -> Wording:
    """An outcome column is called like no field of the declared result."""
    message = f"`{name}` is no field of {describe(type_)}, which the table gives"
    return Wording("outcome-field", message, did_you_mean(name, known))


def no_column_for_field(field: str, record: str) -> Wording:
    """No outcome column gives a field that the declared record needs."""
    return Wording("outcome-field", f"no outcome column is called `{field}`, which a {record} needs")


def decision_gives(type_: Type, declared: Type) -> Wording:
    """The declared result does not fit what policy and columns make."""
    message = f"the table gives {describe(type_)}, not {describe(declared)}"
    return Wording("decision-result", message, f"write `-> {describe(type_)}`, or leave the result out")


def double_outcome(name: str) -> Wording:
    """Two outcome columns have one name."""
    return Wording("outcome-field", f"there is an outcome `{name}` already")


# -- matrices ----------------------------------------------------------------------------------


def matrix_without_parameters(name: str) -> Wording:
    """A matrix whose marker declares no parameter."""
    return Wording("matrix-shape", "a matrix is looked up by keys", f"write `{name}(key)` in the marker")


def key_columns(name: str, rest: Sequence[str]) -> Wording:
    """Columns are headed by keys, and not exactly one parameter is left for them."""
    message = f"these columns are headed by keys, but {_these(rest)} of `{name}` would have to be one of them"
    return Wording("matrix-shape", message, "head the columns of keys with the names of their parameters")


def matrix_columns(rest: Sequence[str], values: int) -> Wording:
    """No columns are headed by keys, and a parameter has no column or values have not one."""
    if rest:
        return Wording("matrix-shape", f"no column holds the keys of {_these(rest)}")
    return Wording("matrix-shape", f"one column of values is wanted, and there are {values}")


def blank_key() -> Wording:
    """A key cell of a matrix is blank."""
    return Wording("blank-key", "the key is blank")


def blank_value() -> Wording:
    """A value cell of a matrix is blank."""
    return Wording("blank-value", "the value is blank", "write `null` if there is none")


def double_key(keys: str, first: Location) -> Wording:
    """Two entries of a matrix have the same keys."""
    return Wording(
        "double-key", f"the key {keys} stands there twice", None, (Remark(first, "it stands here first"),)
    )


def missing_keys(keys: Sequence[str]) -> Wording:
    """A matrix has no entry for some of the keys that its parameters allow."""
    return Wording("missing-keys", f"nothing stands for {_listed(keys)}")


def open_keys(name: str, type_: Type) -> Wording:
    """A parameter of a matrix has more values than can be listed."""
    message = f"the values of {describe(type_)} cannot all be listed, so `{name}` may lack some"
    return Wording("open-keys", message, "use a vocabulary, or a whole number between two bounds")


def down_wants_one_key(name: str) -> Wording:
    """A matrix of lists has several parameters."""
    return Wording(
        "matrix-shape", f"with lists down its columns `{name}` has one key", f"write `{name}(key)`"
    )


def down_wants_list(type_: Type) -> Wording:
    """A matrix of lists declares a result that is no list."""
    return Wording(
        "matrix-shape", f"a column is a list, not {describe(type_)}", f"write `list of {describe(type_)}`"
    )


def gap_in_list() -> Wording:
    """A column of a matrix of lists goes on below a blank cell."""
    return Wording("gap-in-list", "the list goes on below this blank cell")


def twice_in_list(written: str, first: Location) -> Wording:
    """One list of a matrix has the same value twice."""
    remark = Remark(first, "it stands here first")
    return Wording("twice-in-list", f"`{written}` stands in this list twice", None, (remark,))


def other_set(missing: Sequence[str], extra: Sequence[str], first: str, where: Location) -> Wording:
    """A list of a matrix does not hold the same values as the first."""
    differences = [f"lacks {_listed(missing)}"] if missing else []
    differences += [f"has {_listed(extra)} besides"] if extra else []
    remark = Remark(where, f"`{first}` is here")
    return Wording(
        "other-set", f"compared with `{first}` this list {' and '.join(differences)}", None, (remark,)
    )


def rank_out_of_order(written: str, expected: int) -> Wording:
    """A cell under `rank` is not the number of its row."""
    return Wording("rank-order", f"this is row {expected} of the list, not {written}")


# -- dice --------------------------------------------------------------------------------------


def dice_without_die() -> Wording:
    """A dice table has no column `die` or `total`."""
    return Wording("no-die", "no column holds totals", "add a column `die` called `d6`, `2d6`, …")


def no_die(name: str) -> Wording:
    """A column of totals is not called like dice, as `2d6` is."""
    return Wording("no-die", f"`{name}` is no die", "write `d12`, `2d6`, …")


def no_totals(written: str) -> Wording:
    """A cell of totals is neither a whole number nor two of them."""
    return Wording("totals", f"`{written}` is no total", "write `7` or `2-5`")


def totals_of_no_die(written: str, die: str, low: int, high: int) -> Wording:
    """A cell names totals that the dice cannot throw, or names them backwards."""
    return Wording("totals", f"{die} throws {low} to {high}, not {written}")


def total_twice(total: int, die: str, first: Location) -> Wording:
    """Two rows of a dice table have one total."""
    return Wording(
        "total-twice", f"{total} of {die} has two outcomes", None, (Remark(first, "the first is here"),)
    )


def totals_missing(die: str, missing: Sequence[int]) -> Wording:
    """No row has a total that the dice can throw."""
    return Wording(
        "totals-missing", f"{die} may throw {_listed([str(m) for m in missing])}, which has no outcome"
    )


def dice_parameters(name: str, expected: int) -> Wording:
    """The marker of a dice table has not the number of parameters that its columns need."""
    form = f"{name}(total: whole number)" if expected == 1 else f"{name}(die: …, total: whole number)"
    return Wording("dice-parameters", "the parameters do not fit the dice", f"write `{form}`")


def other_dice(vocabulary: str, names: Sequence[str], dice: Sequence[str]) -> Wording:
    """The vocabulary of the parameter for dice does not name just the columns of the table."""
    message = f"the dice of this table are {', '.join(dice)}, those of `{vocabulary}` are {', '.join(names)}"
    return Wording("dice-parameters", message)


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(f"`{name}`" for name in names[:MOST_LISTED])
    return shown if len(names) <= MOST_LISTED else f"{shown} and {len(names) - MOST_LISTED} more"


def _these(names: Sequence[str]) -> str:
    return " and ".join(f"`{name}`" for name in names) or "no parameter"


# -- scales -----------------------------------------------------------------------------------------
# The words for what is wrong with scales.

SCALE_CODES: dict[str, str] = {
    "no-candidates": "A scale whose first parameter is no list of candidates.",
    "stray-name": "A name over a column of a scale that has none, perhaps a criterion taken for names.",
    "unknown-prefer": "A word under `prefer` that there is not.",
    "criterion": "A criterion with too much or too little in its cells.",
    "not-ordered": "`highest` or `lowest` of values that have no order.",
    "null-last": "A criterion whose value may be null: such candidates come last.",
    "unknown-others": "A word after `others` that there is not.",
    "others-open": "A criterion that concerns some of those left and not others, and no word on the others.",
    "may-not-decide": "A scale that may leave several candidates.",
    "undecided-call": "A scale with `decides: no` that is called for its value.",
    "never-reached": "A row behind one that always decides.",
    "unknown-scale": "A scale that the workbook does not have.",
    "scale-in-itself": "A scale that embeds itself, perhaps through others.",
    "scale-arguments": "An embedded scale with too many or too few arguments.",
    "unknown-row": "A row number that the embedded scale does not have.",
    "embedded-row": "A row of an embedded scale that reads what these candidates lack.",
    "scale-result": "A scale said to give something other than it gives.",
    "unknown-word": "A property whose word is neither yes nor no.",
}


def scale_without_candidates(name: str) -> Wording:
    """A scale whose marker declares no parameter."""
    return Wording(
        "no-candidates", "a scale wants a list to choose from", f"write `{name}(candidates: list of …)`"
    )


def candidates_no_list(name: str, type_: Type) -> Wording:
    """The first parameter of a scale is no list."""
    return Wording("no-candidates", f"`{name}` is {describe(type_)}, but a scale chooses from a list")


def row_without_prefer() -> Wording:
    """A criterion has nothing under `prefer`."""
    return Wording("criterion", "the row says nothing under `prefer`")


def stray_name(role: str) -> Wording:
    """A column of a scale has a name that it cannot have: the first criterion, taken for names."""
    message = f"this row names the columns, and a column `{role}` has no name"
    return Wording("stray-name", message, "leave a row for names between the roles and the first criterion")


def unknown_prefer(written: str, known: Iterable[str]) -> Wording:
    """A cell under `prefer` has no word that a criterion knows."""
    hint = did_you_mean(written, known) or f"write one of {', '.join(known)}"
    return Wording("unknown-prefer", f"`{written}` is nothing that can be preferred", hint)


def missing_by(prefer: str) -> Wording:
    """A criterion compares something and has nothing under `by`, or embeds no scale."""
    return Wording("criterion", f"`{prefer}` of what?", "write it under `by`")


def needless_by(prefer: str) -> Wording:
    """A criterion that compares nothing has a cell under `by`, or an embedded scale is named twice."""
    return Wording("criterion", f"`{prefer}` compares nothing: this cell would not be read", "leave it blank")


def missing_list(prefer: str) -> Wording:
    """`first in` or `last in` without a list after it."""
    return Wording("criterion", f"`{prefer}` which list?", f"write `{prefer} [a, b, c]`")


def not_comparable(prefer: str, type_: Type) -> Wording:
    """`highest` or `lowest` of values that have no order."""
    return Wording(
        "not-ordered", f"{describe(type_)} has no order, so there is no {prefer}", "write `first in` a list"
    )


def null_comes_last(written: str) -> Wording:
    """`highest` or `lowest` of a value that may be null: a note."""
    return Wording("null-last", f"`{written}` may be null: such candidates come last")


def unknown_others(written: str, known: Iterable[str]) -> Wording:
    """The property `others` has a word that is none of its three."""
    return Wording(
        "unknown-others", f"`{written}` is none of {', '.join(known)}", did_you_mean(written, known)
    )


def others_open(number: str, where: CellRef) -> Wording:
    """A criterion leaves some candidates out, and the property `others` is not given."""
    message = f"row {number} may concern some of the candidates left and not others: what holds for those?"
    remark = Remark(Location(where), f"row {number} is here")
    return Wording(
        "others-open", message, "write `others: last`, `stay` or `skip` beside the marker", (remark,)
    )


def may_not_decide(number: str, where: CellRef) -> Wording:
    """Nothing shows that a scale leaves one candidate, and the property `decides` is not given."""
    message = f"several candidates may be left after the last row, {number}"
    remark = Remark(Location(where), f"row {number} is here")
    hint = "end with `chance` or `first`, or write `decides: yes` or `no` beside the marker"
    return Wording("may-not-decide", message, hint, (remark,))


def undecided_call(name: str, where: Location) -> Wording:
    """A scale with `decides: no` is called for its value."""
    remark = Remark(where, f"`{name}` says `decides: no` here")
    hint = f"write `{name} ranking(…)`, or go through its rows with `scale`"
    return Wording(
        "undecided-call", f"`{name}` need not leave one candidate, so it has no value", hint, (remark,)
    )


def never_reached(later: str, number: str) -> Wording:
    """A criterion stands after `first` or `chance`, which always decide: a warning."""
    return Wording("never-reached", f"row {later} is never reached: row {number} always decides")


def unknown_scale(written: str, known: Iterable[str]) -> Wording:
    """The scale to embed is not in the workbook."""
    return Wording("unknown-scale", f"no scale is called `{written}`", did_you_mean(written, known))


def scale_in_itself(path: Sequence[str]) -> Wording:
    """A scale embeds itself, or one that embeds it."""
    shown = " → ".join(f"`{name}`" for name in path)
    return Wording("scale-in-itself", f"a scale cannot go through its own rows: {shown}")


def scale_arguments(name: str, expected: Sequence[str]) -> Wording:
    """An embedded scale has not as many arguments as it has parameters after its candidates."""
    listed = f"wants {', '.join(expected)}" if expected else "takes nothing besides the candidates"
    return Wording("scale-arguments", f"`{name}` {listed}")


def unknown_row(number: str, scale: str, known: Iterable[str], where: Location) -> Wording:
    """The rows to embed name one that the scale does not have."""
    remark = Remark(where, f"`{scale}` has the rows {', '.join(dict.fromkeys(known))}")
    return Wording("unknown-row", f"`{scale}` has no row {number}", None, (remark,))


def rows_backwards(written: str) -> Wording:
    """The rows to embed go from a later one to an earlier one."""
    return Wording("unknown-row", f"`{written}` counts backwards")


def row_does_not_fit(scale: str, message: str, where: Location) -> Wording:
    """A row of an embedded scale has an error over the candidates of this one."""
    remark = Remark(where, message)
    return Wording("embedded-row", f"a row of `{scale}` does not fit these candidates", None, (remark,))


def scale_gives(name: str, type_: Type) -> Wording:
    """The declared result of a scale does not fit its candidates."""
    return Wording("scale-result", f"`{name}` gives {describe(type_)}", "leave the result out of the marker")


def unknown_yes_no(written: str) -> Wording:
    """The property `main` or `decides` is neither yes nor no."""
    return Wording("unknown-word", f"`{written}` is neither yes nor no")


# -- asks, checks, examples and pages ---------------------------------------------------------------
# The words for what is wrong with asks, checks and examples: the tables that look at a turn.

TURN_CODES: dict[str, str] = {
    "unknown-place": "A path to a field that there is not.",
    "nothing-below": "A path that goes on below something without fields.",
    "unknown-ask": "An ask that the workbook does not have.",
    "unknown-ask-role": "A row of an ask that is neither need, step, draw, stop, answer nor next.",
    "means-nothing": "A cell that means nothing in its row.",
    "no-answer": "An ask that answers nothing.",
    "two-main-asks": "Two asks for records that name none.",
    "main-with-parameters": "A main ask with parameters, which no record can give.",
    "need-some": "`need some` of something that is no list.",
    "need-each": "`need each` of something that has no entries by name, or without the names.",
    "draw-from-no-list": "A draw whose options are no list.",
    "draw-of-null": "A draw whose options may be null, where an empty list may be meant.",
    "recorded-differs": "A draw recorded in a field of another type.",
    "double-answer": "An answer with a name that is taken.",
    "next-by-call": "A row `next` of, or naming, an ask with parameters, which only other asks call.",
    "ask-outside-answer": "An ask that is called anywhere but in an answer.",
    "reads-without-need": "An ask that reads fields without default which no `need` row asks for.",
    "form-of-checks": "Checks that are neither counted nor tried for each item, or both.",
    "places-differ": "Places that hold values of different types.",
    "at-most": "`at most` that is no whole number.",
    "turn-not-called": "A turn without a column `then`, and with parameters or a type.",
    "duplicate-step": "Two steps of a phase with the same number or name.",
    "boxes": "Boxes to tick that are neither a number of them nor a vocabulary.",
    "unknown-step": "A step leads to one that the turn does not have.",
    "attempts-end-in-null": "Steps that are tried, all of which may fail, where the type has no `?`.",
    "example-of-what": "Examples that do not say which ask or table they try.",
    "expects-nothing": "An example that expects nothing.",
    "unknown-given": "A column of examples that is neither parameter nor place.",
    "unknown-answer": "An expected answer that the ask or table does not give.",
    "no-literal": "A cell of an example that is no plain value.",
    "name-for-no-vocabulary": "A name where no name is wanted.",
    "shared-label": "A label that names several things.",
    "unknown-page-word": "A paper or a side of a card that pages do not have.",
    "page-columns": "How many columns a table fills, and it is no small whole number.",
}


# -- places ------------------------------------------------------------------------------------


def unknown_place(name: str, owner: str, known: Iterable[str]) -> Wording:
    """A path, an example or `compared by` names a field that its owner does not have."""
    return Wording("unknown-place", f"{owner} has no field `{name}`", did_you_mean(name, known))


def nothing_below(path: str, type_: Type, name: str) -> Wording:
    """A path goes on below a value that has no fields of its own."""
    return Wording("nothing-below", f"`{path}` is {describe(type_)}: no record can give `{name}` below it")


# -- asks --------------------------------------------------------------------------------------


def unknown_ask(name: str, known: Iterable[str]) -> Wording:
    """An example, a check or a row `next` names an ask that the workbook does not have."""
    return Wording("unknown-ask", f"no ask is called `{name}`", did_you_mean(name, known))


def unknown_ask_role(written: str, near: str | None, known: Sequence[str]) -> Wording:
    """The role of an ask's row is blank or none of the known ones."""
    hint = f"did you mean `{near}`?" if near else f"write one of {', '.join(known)}"
    differences = f"`{written}` is no role of a row" if written else "the row has no role"
    return Wording("unknown-ask-role", differences, hint)


def cell_means_nothing(column: str, role: str, roles: Sequence[str]) -> Wording:
    """A row of an ask has a cell that its role does not read."""
    message = f"`{column}` means nothing in a row `{role}`, only in {' and '.join(roles)}"
    return Wording("means-nothing", message, "leave it blank")


def ask_without_answer(name: str) -> Wording:
    """An ask has no row `answer`."""
    return Wording("no-answer", f"`{name}` answers nothing", "add a row `answer`")


def two_main_asks(first: str, where: Location) -> Wording:
    """A second ask says `main: yes`."""
    return Wording("two-main-asks", "there is a main ask already", None, (Remark(where, f"`{first}` is it"),))


def main_with_parameters(name: str) -> Wording:
    """An ask with parameters says `main: yes`."""
    return Wording("main-with-parameters", f"`{name}` has parameters, which no record can give")


def need_some_of_no_list(type_: Type) -> Wording:
    """`need some` of a field that holds no list."""
    return Wording("need-some", f"this is {describe(type_)}, and only a list can be empty", "write `need`")


def need_each_of_no_map(type_: Type) -> Wording:
    """`need each` of a field that holds no map."""
    message = f"this is {describe(type_)}, and only a map (`number by colour`) has entries by name"
    return Wording("need-each", message, "write `need`")


def need_each_of_what(key: VocabularyType) -> Wording:
    """`need each` without the names under `is`."""
    message = "`need each` does not say which names the record must give a value for"
    return Wording("need-each", message, f"write the list of names into `is`, such as `each {key.name}`")


def draw_may_be_null(written: str) -> Wording:
    """The options of a draw may be null, which would reject the record: a warning."""
    message = f"`{written}` may be null, and then the record is rejected: a draw needs a list"
    return Wording("draw-of-null", message, hint="write `[]` where an empty list is meant")


def draw_from_no_list(type_: Type) -> Wording:
    """The options of a draw are no list."""
    message = f"a draw wants the list of equally good values, and this is {describe(type_)}"
    return Wording("draw-from-no-list", message, "write `[…]` around a single value")


def recorded_differs(recorded: Type, drawn: Type) -> Wording:
    """The field that records a draw can never equal what is drawn."""
    message = f"the field holds {describe(recorded)}, but {describe(drawn)} is drawn"
    return Wording("recorded-differs", message)


def double_answer(name: str) -> Wording:
    """An answer has the name of an earlier one, or one that answers keep for themselves."""
    return Wording("double-answer", f"an answer cannot be called `{name}`: the name is taken")


def next_of_called(ask: str) -> Wording:
    """A row `next` in an ask that has parameters."""
    message = f"`{ask}` has parameters: only other asks call it, and nothing comes next"
    return Wording("next-by-call", message, "move the row to the ask that calls it")


def next_with_parameters(name: str) -> Wording:
    """A row `next` names an ask that has parameters."""
    return Wording("next-by-call", f"`{name}` has parameters, so no record can ask for it")


def ask_outside_answer(name: str) -> Wording:
    """An ask is called in another row than `answer`."""
    return Wording("ask-outside-answer", f"the ask `{name}` can be called in answers only")


def reads_without_need(ask: str, places: Iterable[tuple[str, Location]]) -> Wording:
    """An ask may read fields that records may lack, without a `need` row: a warning."""
    listed = list(places)
    shown = ", ".join(f"`{name}`" for name, _ in listed)
    message = f"`{ask}` may read {shown}, which a record may lack and no `need` row asks for"
    remarks = tuple(Remark(where, f"`{name}` has no default") for name, where in listed)
    return Wording("reads-without-need", message, "add `need` rows, or defaults", remarks)


def next_of_table() -> Wording:
    """Examples of a table have a column `expect next`."""
    return Wording("unknown-answer", "only after an ask something comes next", "leave the column out")


# -- checks ------------------------------------------------------------------------------------


def two_forms_of_checks() -> Wording:
    """A table of checks has both columns, `places` and `wrong if`."""
    return Wording(
        "form-of-checks", "`places` and `wrong if` are two kinds of checks", "make two tables of it"
    )


def no_form_of_checks() -> Wording:
    """A table of checks has neither column, `places` nor `wrong if`."""
    return Wording("form-of-checks", "nothing is checked here", "add a column `places` or `wrong if`")


def places_differ(places: Iterable[tuple[str, Type]]) -> Wording:
    """The places of one check hold values of types without a common one."""
    shown = ", ".join(f"`{path}` holds {describe(type_)}" for path, type_ in places)
    return Wording("places-differ", f"these cannot be looked at together: {shown}")


def at_most_no_number(written: str) -> Wording:
    """A cell under `at most` is no whole number."""
    return Wording("at-most", f"`{written}` is no whole number")


# -- examples ----------------------------------------------------------------------------------


def example_of_what() -> Wording:
    """Examples name neither an ask nor a table, or both."""
    hint = "write `ask: name` or `table: name` beside the marker"
    return Wording("example-of-what", "these are examples of one ask or of one table", hint)


def example_expects_nothing() -> Wording:
    """Examples have no column that says what is expected."""
    return Wording("expects-nothing", "nothing is expected of these examples", "add a column `expect`")


def row_expects_nothing() -> Wording:
    """An example leaves all its expectations blank."""
    return Wording("expects-nothing", "nothing is expected of this example")


def common_no_record() -> Wording:
    """The property `common` of examples is no record."""
    return Wording("no-literal", "what all rows have in common is a record", "write `{field: value}`")


def unknown_given(name: str, known: Iterable[str]) -> Wording:
    """A `given` column of a table's examples is called like no parameter or input field."""
    message = f"`{name}` is neither a parameter nor a field of the state"
    return Wording("unknown-given", message, did_you_mean(name, known))


def unknown_answer(name: str, known: Iterable[str]) -> Wording:
    """An `expect` column is called like nothing that the ask or table gives."""
    return Wording("unknown-answer", f"no answer is called `{name}`", did_you_mean(name, known))


def no_literal() -> Wording:
    """A cell of an example is an expression that has to be computed."""
    return Wording("no-literal", "this is no plain value", "write it as a record would have it")


def name_for_no_vocabulary(name: str, type_: Type) -> Wording:
    """A cell of an example is a bare name where a value of another type is expected."""
    return Wording("name-for-no-vocabulary", f"`{name}` is a name, but {describe(type_)} is wanted")


def shared_label(name: str, ids: Iterable[str]) -> Wording:
    """A cell of an example is a label that several names share."""
    return Wording("shared-label", f"`{name}` names {' and '.join(f'`{i}`' for i in ids)}", "write its id")


# -- turns, pages --------------------------------------------------------------------------------


def turn_is_not_called() -> Wording:
    """A turn without outcomes has parameters or a type."""
    return Wording(
        "turn-not-called",
        "a turn without a column `then` cannot be called",
        "remove the parameters and the type, or add a column `then`",
    )


def step_twice(number: str, first: Location) -> Wording:
    """A phase of a turn has two steps of the same number or name."""
    remark = Remark(first, "it is here first")
    return Wording("duplicate-step", f"duplicate step `{number}`", None, (remark,))


def unknown_step(number: str, known: Sequence[str]) -> Wording:
    """A cell under `next` names a step that the turn does not have."""
    hint = did_you_mean(number, (*known, "next", "end", "end if"))
    return Wording("unknown-step", f"unknown step `{number}`", hint or "write a step's number, or `end`")


def no_boxes(typed: str, most: int, vocabularies: Iterable[str]) -> Wording:
    """A cell under `boxes`, or the property `columns` beside it, is no number and no vocabulary."""
    hint = did_you_mean(typed, vocabularies) or f"write 1 to {most}, or the name of a vocabulary"
    return Wording("boxes", f"`{typed}` is not a number of boxes", hint)


def attempts_may_end_in_null(declared: Type) -> Wording:
    """A turn whose last step may not work has neither an `otherwise` nor a type with `?`."""
    written = describe(declared)
    return Wording(
        "attempts-end-in-null",
        f"all steps may fail, and then there is no `{written}`",
        f"write `-> {written}?`, or add `otherwise: …`",
    )


def unknown_page_word(what: str, typed: str, known: Sequence[str]) -> Wording:
    """A page has a paper or a side that is none of the known words."""
    return Wording(
        "unknown-page-word",
        f"`{typed}` is no {what} of a page",
        did_you_mean(typed, known) or "write " + ", ".join(f"`{word}`" for word in known),
    )


def no_page_columns(typed: str, most: int) -> Wording:
    """A page's number of columns is no whole number, or too small or large."""
    return Wording("page-columns", f"`{typed}` is no number of columns", f"write 1 to {most}")
