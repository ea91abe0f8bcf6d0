"""The words for what is wrong with names, vocabularies, records, data and settings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dtables.checker.problems import Wording, did_you_mean
from dtables.diagnostics import Remark
from dtables.feel.types import Type, describe, plain
from dtables.provenance import Location

MOST_NAMES = 50

PROBLEMS: dict[str, str] = {
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
    return Wording("no-name", "a name is wanted here")


def sign_in_name(name: str, sign: str) -> Wording:
    return Wording("sign-in-name", f"the name `{name}` may not contain `{sign}`", "leave the sign out")


def name_begins_with_word(name: str, word: str) -> Wording:
    message = f"a name may not begin with `{word}`, a word of the expression language"
    return Wording("name-begins-with-word", message, f"call `{name}` otherwise")


def name_is_a_number(name: str) -> Wording:
    return Wording("name-is-a-number", f"`{name}` reads as a number, not as a name", "put a letter before it")


def name_taken(name: str, first: Location) -> Wording:
    return Wording("name-taken", f"`{name}` is taken", None, (Remark(first, f"`{name}` is declared here"),))


def name_of_type(name: str) -> Wording:
    return Wording("name-taken", f"`{name}` is a type of the language")


def name_of_builtin(name: str) -> Wording:
    return Wording("name-taken", f"`{name}` is a built-in function", f"call it otherwise than `{name}`")


def name_at_hand(name: str) -> Wording:
    return Wording("name-taken", f"`{name}` is what the language calls the thing that is looked at")


def hides(name: str, first: Location) -> Wording:
    message = f"`{name}` would hide the table or input field of that name"
    return Wording("hides", message, "give it another name", (Remark(first, f"`{name}` is declared here"),))


def double_parameter(name: str) -> Wording:
    return Wording("double-parameter", f"there is a parameter `{name}` already")


def unclosed_parameters() -> Wording:
    return Wording(
        "unclosed-parameters", "the parenthesis is not closed at the end", "write `name(a: type, b: type)`"
    )


def blank_parameter() -> Wording:
    return Wording("parameter-without-type", "a parameter is missing beside a comma", "write `name: type`")


def parameter_without_type(name: str) -> Wording:
    message = f"`{name}` has no type, and no type is called `{name}`"
    return Wording("parameter-without-type", message, f"write `{name}: type`")


def row_without_name() -> Wording:
    return Wording("incomplete-row", "the row has no name")


def row_without(role: str) -> Wording:
    return Wording("incomplete-row", f"the row has nothing under `{role}`")


def row_without_expression() -> Wording:
    return Wording("incomplete-row", "the row has no expression", "write what it is under `is`")


# -- vocabularies ------------------------------------------------------------------------------


def row_without_key(table: str) -> Wording:
    return Wording("incomplete-row", f"a row of `{table}` has no key")


def double_name(name: str, first: Location) -> Wording:
    return Wording(
        "double-name", f"`{name}` stands there twice", None, (Remark(first, "it stands here first"),)
    )


def name_without_its_kind(name: str, vocabulary: str) -> Wording:
    message = f"`{name}` is a name of `{vocabulary}`, and the row does not say so: it changes no label"
    return Wording("incomplete-row", message, f"write `{vocabulary}` under `kind`")


def names_for_no_numbers(kind: str, type_: Type) -> Wording:
    held = describe(plain(type_))
    message = f"`{kind}` is {held}: only numbers can have names besides those of vocabularies"
    return Wording("names-for-no-numbers", message)


def missing_label(vocabulary: str, language: str, names: Sequence[str], of: int) -> Wording:
    listed = ", ".join(names[:MOST_NAMES]) + (", …" if len(names) > MOST_NAMES else "")
    message = f"missing label in `{language}` for {len(names)} of {of} names of `{vocabulary}`: {listed}"
    hint = "add the labels, or leave it so: pages and explanations mark the label of another language"
    return Wording("missing-label", message, hint)


def double_label(label: str, one: str, other: str, meant: Sequence[str], first: Location) -> Wording:
    """`meant` are the ids that it means all the same."""
    message = f"`{label}` names both `{one}` and `{other}`, so it can be used for neither"
    if len(meant) == 1:
        unheard = one if meant[0] == other else other
        message = f"`{label}` is the id `{meant[0]}`, so it cannot be used for `{unheard}`"
    return Wording("double-label", message, None, (Remark(first, f"`{one}` stands here"),))


def vocabulary_without_names(name: str) -> Wording:
    return Wording("vocabulary-without-names", f"`{name}` has no names", "list them under `names`")


def names_not_listed(base: str) -> Wording:
    hint = f"list names of `{base}`, or write `not(…)` around those that are out"
    return Wording("names-not-listed", "which names are allowed must be plain from the cell", hint)


def nothing_left(base: str) -> Wording:
    return Wording("nothing-left", f"no name of `{base}` is left")


def name_of_base_again(name: str, base: str) -> Wording:
    return Wording("name-of-base", f"`{name}` is a name of `{base}` already")


def names_for_no_vocabulary(of: str) -> Wording:
    return Wording("no-vocabulary", f"names can be added to a vocabulary only, and `{of}` is none")


def unknown_vocabulary(name: str, known: Iterable[str]) -> Wording:
    return Wording("unknown-vocabulary", f"no vocabulary is called `{name}`", did_you_mean(name, known))


def unknown_name(name: str, vocabulary: str, names: Iterable[str]) -> Wording:
    return Wording("unknown-name", f"`{name}` is no name of `{vocabulary}`", did_you_mean(name, names))


# -- records and data --------------------------------------------------------------------------


def double_field(name: str, first: Location) -> Wording:
    remark = Remark(first, "it stands here first")
    return Wording("double-field", f"there is a field `{name}` already", None, (remark,))


def field_without_type(name: str) -> Wording:
    return Wording("field-without-type", f"the field `{name}` has no type")


def default_of_computed_field(name: str) -> Wording:
    return Wording("computed-and-stored", f"`{name}` is computed, so it needs no default")


def allowed_of_computed_field(name: str) -> Wording:
    return Wording("computed-and-stored", f"`{name}` is computed: no record gives it, so nothing tests it")


def column_of_computed_field(name: str, first: Location) -> Wording:
    remark = Remark(first, "it is computed here")
    return Wording("computed-and-stored", f"`{name}` is computed, so no column can give it", None, (remark,))


def two_types(name: str, column: Type, record: Type, where: Location) -> Wording:
    message = f"the column says {describe(column)}, but the field `{name}` is {describe(record)}"
    return Wording("two-types", message, None, (Remark(where, f"`{name}` is declared here"),))


def not_readable(record: str, vocabulary: str) -> Wording:
    message = f"`{record}` is not readable by `{vocabulary}`: it has no field of one type for each name"
    return Wording("not-readable", message)


def column_without_name() -> Wording:
    return Wording("column-without-name", "the column has no name", "write it under the role")


def double_column(name: str) -> Wording:
    return Wording("double-column", f"there is a column `{name}` already")


def nested_in_no_record(name: str, type_: Type) -> Wording:
    message = f"`{name}` is {describe(type_)}, which has no fields to fill"
    return Wording("nested-column", message)


def unknown_nested_field(below: str, type_: Type, known: Iterable[str]) -> Wording:
    message = f"{describe(type_)} has no stored field `{below}`"
    return Wording("nested-column", message, did_you_mean(below, known))


def not_constant() -> Wording:
    return Wording("not-constant", "this cell must say the same in every turn", "write a plain value")


def no_value(failure: str) -> Wording:
    return Wording("no-value", f"this has no value: {failure}", "write a plain value")


def not_allowed(type_: str, written: str, where: Location) -> Wording:
    remark = Remark(where, f"`{type_}` allows {written}")
    return Wording("not-allowed", f"this is no {type_}", None, (remark,))


def not_allowed_there(field: str, written: str, where: Location) -> Wording:
    remark = Remark(where, f"`{field}` allows {written}")
    return Wording("not-allowed", f"`{field}` does not allow this", None, (remark,))


def blank_needed(field: str, where: Location) -> Wording:
    remark = Remark(where, f"`{field}` is needed")
    return Wording("blank-needed", f"`{field}` may not be blank", None, (remark,))


def unknown_word(written: str, known: Sequence[str]) -> Wording:
    hint = did_you_mean(written, known) or f"write {' or '.join(known)}"
    return Wording("unknown-word", f"`{written}` is no word for this", hint)


def column_unread(role: str) -> Wording:
    return Wording("unread", f"nothing reads `{role}` here", "leave it out")


def property_unread() -> Wording:
    return Wording("unread", "nothing reads this property in a table of this form", "leave it out")


def key_without_column() -> Wording:
    return Wording("unread", "no column holds the keys", "give the column the role `key`")


def priorities_unread(policy: str) -> Wording:
    return Wording("unread", f"the policy {policy} does not rank outcomes", "leave `priorities` out")


def badges_uneven(names: int, badges: int) -> Wording:
    return Wording(
        "badges", f"there are {names} names and {badges} of these", "write one for each name, in order"
    )


# -- the state ---------------------------------------------------------------------------------


def computed_input(name: str) -> Wording:
    return Wording(
        "computed-input", f"`{name}` is a field of the state: it cannot be computed", "make it a formula"
    )


def fixed_of_no_record(name: str) -> Wording:
    return Wording("fixed-field", f"`{name}` is no record, so no field of it can be given")


def unknown_fixed_field(name: str, record: str, known: Iterable[str]) -> Wording:
    return Wording("fixed-field", f"`{record}` has no field `{name}`", did_you_mean(name, known))


def fixed_computed_field(name: str, where: Location) -> Wording:
    remark = Remark(where, "it is computed here")
    return Wording("fixed-field", f"`{name}` is computed, so it cannot be given", None, (remark,))


def fixed_without_value(name: str) -> Wording:
    return Wording("fixed-field", f"`{name}` is given no value", f"write `{name}: value`")


# -- settings and glossary -----------------------------------------------------------------------


def switch_without_default(name: str) -> Wording:
    return Wording("switch-without-default", f"the switch `{name}` has no default")


def settings_without_levels() -> Wording:
    hint = "give it a column `switch`, or a column for each level"
    return Wording("settings-without-levels", "the table has neither switches nor levels", hint)


def unknown_kind(kind: str, known: Iterable[str]) -> Wording:
    return Wording("unknown-kind", f"nothing in this workbook is a `{kind}`", did_you_mean(kind, known))


def unknown_id(name: str, kind: str, known: Iterable[str]) -> Wording:
    return Wording("unknown-id", f"there is no {kind} `{name}`", did_you_mean(name, known))


def unknown_table(name: str, known: Iterable[str]) -> Wording:
    return Wording("unknown-table", f"no table is called `{name}`", did_you_mean(name, known))
