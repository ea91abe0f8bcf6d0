"""The words for what is wrong with asks, checks and examples: the tables that look at a turn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dtables.checker.problems import Wording, did_you_mean
from dtables.diagnostics import Remark
from dtables.feel.types import Type, VocabularyType, describe
from dtables.provenance import Location

PROBLEMS: dict[str, str] = {
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
    return Wording("unknown-place", f"{owner} has no field `{name}`", did_you_mean(name, known))


def nothing_below(path: str, type_: Type, name: str) -> Wording:
    return Wording("nothing-below", f"`{path}` is {describe(type_)}: no record can give `{name}` below it")


# -- asks --------------------------------------------------------------------------------------


def unknown_ask(name: str, known: Iterable[str]) -> Wording:
    return Wording("unknown-ask", f"no ask is called `{name}`", did_you_mean(name, known))


def unknown_ask_role(written: str, near: str | None, known: Sequence[str]) -> Wording:
    hint = f"did you mean `{near}`?" if near else f"write one of {', '.join(known)}"
    told = f"`{written}` is no role of a row" if written else "the row has no role"
    return Wording("unknown-ask-role", told, hint)


def cell_means_nothing(column: str, role: str, roles: Sequence[str]) -> Wording:
    message = f"`{column}` means nothing in a row `{role}`, only in {' and '.join(roles)}"
    return Wording("means-nothing", message, "leave it blank")


def ask_without_answer(name: str) -> Wording:
    return Wording("no-answer", f"`{name}` answers nothing", "add a row `answer`")


def two_main_asks(first: str, where: Location) -> Wording:
    return Wording("two-main-asks", "there is a main ask already", None, (Remark(where, f"`{first}` is it"),))


def main_with_parameters(name: str) -> Wording:
    return Wording("main-with-parameters", f"`{name}` has parameters, which no record can give")


def need_some_of_no_list(type_: Type) -> Wording:
    return Wording("need-some", f"this is {describe(type_)}, and only a list can be empty", "write `need`")


def need_each_of_no_map(type_: Type) -> Wording:
    message = f"this is {describe(type_)}, and only a map (`number by colour`) has entries by name"
    return Wording("need-each", message, "write `need`")


def need_each_of_what(key: VocabularyType) -> Wording:
    message = "`need each` does not say which names the record must give a value for"
    return Wording("need-each", message, f"write the list of names into `is`, such as `each {key.name}`")


def draw_may_be_null(written: str) -> Wording:
    message = f"`{written}` may be null, and then the record is rejected: a draw needs a list"
    return Wording("draw-of-null", message, hint="write `[]` where an empty list is meant")


def draw_from_no_list(type_: Type) -> Wording:
    message = f"a draw wants the list of equally good values, and this is {describe(type_)}"
    return Wording("draw-from-no-list", message, "write `[…]` around a single value")


def recorded_differs(recorded: Type, drawn: Type) -> Wording:
    message = f"the field holds {describe(recorded)}, but {describe(drawn)} is drawn"
    return Wording("recorded-differs", message)


def double_answer(name: str) -> Wording:
    return Wording("double-answer", f"an answer cannot be called `{name}`: the name is taken")


def next_of_called(ask: str) -> Wording:
    message = f"`{ask}` has parameters: only other asks call it, and nothing comes next"
    return Wording("next-by-call", message, "move the row to the ask that calls it")


def next_with_parameters(name: str) -> Wording:
    return Wording("next-by-call", f"`{name}` has parameters, so no record can ask for it")


def ask_outside_answer(name: str) -> Wording:
    return Wording("ask-outside-answer", f"the ask `{name}` can be called in answers only")


def reads_without_need(ask: str, places: Iterable[tuple[str, Location]]) -> Wording:
    listed = list(places)
    shown = ", ".join(f"`{name}`" for name, _ in listed)
    message = f"`{ask}` may read {shown}, which a record may lack and no `need` row asks for"
    remarks = tuple(Remark(where, f"`{name}` has no default") for name, where in listed)
    return Wording("reads-without-need", message, "add `need` rows, or defaults", remarks)


def next_of_table() -> Wording:
    return Wording("unknown-answer", "only after an ask something comes next", "leave the column out")


# -- checks ------------------------------------------------------------------------------------


def two_forms_of_checks() -> Wording:
    return Wording(
        "form-of-checks", "`places` and `wrong if` are two kinds of checks", "make two tables of it"
    )


def no_form_of_checks() -> Wording:
    return Wording("form-of-checks", "nothing is checked here", "add a column `places` or `wrong if`")


def places_differ(places: Iterable[tuple[str, Type]]) -> Wording:
    shown = ", ".join(f"`{path}` holds {describe(type_)}" for path, type_ in places)
    return Wording("places-differ", f"these cannot be looked at together: {shown}")


def at_most_no_number(written: str) -> Wording:
    return Wording("at-most", f"`{written}` is no whole number")


# -- examples ----------------------------------------------------------------------------------


def example_of_what() -> Wording:
    hint = "write `ask: name` or `table: name` beside the marker"
    return Wording("example-of-what", "these are examples of one ask or of one table", hint)


def example_expects_nothing() -> Wording:
    return Wording("expects-nothing", "nothing is expected of these examples", "add a column `expect`")


def row_expects_nothing() -> Wording:
    return Wording("expects-nothing", "nothing is expected of this example")


def common_no_record() -> Wording:
    return Wording("no-literal", "what all rows have in common is a record", "write `{field: value}`")


def unknown_given(name: str, known: Iterable[str]) -> Wording:
    message = f"`{name}` is neither a parameter nor a field of the state"
    return Wording("unknown-given", message, did_you_mean(name, known))


def unknown_answer(name: str, known: Iterable[str]) -> Wording:
    return Wording("unknown-answer", f"no answer is called `{name}`", did_you_mean(name, known))


def no_literal() -> Wording:
    return Wording("no-literal", "this is no plain value", "write it as a record would have it")


def name_for_no_vocabulary(name: str, type_: Type) -> Wording:
    return Wording("name-for-no-vocabulary", f"`{name}` is a name, but {describe(type_)} is wanted")


def shared_label(name: str, ids: Iterable[str]) -> Wording:
    return Wording("shared-label", f"`{name}` names {' and '.join(f'`{i}`' for i in ids)}", "write its id")


# -- pages ---------------------------------------------------------------------------------------


def unknown_page_word(what: str, typed: str, known: Sequence[str]) -> Wording:
    return Wording(
        "unknown-page-word",
        f"`{typed}` is no {what} of a page",
        did_you_mean(typed, known) or "write " + ", ".join(f"`{word}`" for word in known),
    )


def no_page_columns(typed: str, most: int) -> Wording:
    return Wording("page-columns", f"`{typed}` is no number of columns", f"write 1 to {most}")
