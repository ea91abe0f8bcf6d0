"""How what is wrong is shown: its place, the words typed, and what goes with them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dtables.diagnostics import (
    Diagnostic,
    Remark,
    Severity,
    as_plain,
    errors_in,
    in_order,
    overview,
    render,
)
from dtables.provenance import CellRef, Location, Span, column_letters, whole_book


def cell(address: tuple[int, int] = (3, 2), sheet: str = "Rules", book: str = "b.xlsx") -> CellRef:
    return CellRef(book, sheet, *address)


def one(
    where: Location, severity: Severity = Severity.ERROR, code: str = "odd", typed: str | None = None
) -> Diagnostic:
    return Diagnostic(where, severity, code, "it is odd", typed)


def quoted(typed: str, *span: int) -> list[str]:
    """What stands below the message."""
    where = Location(cell(), Span(*span) if span else None)
    return render([one(where, typed=typed)]).splitlines()[1:]


@pytest.mark.parametrize(
    ("typed", "span", "shown"),
    [
        ("a + b", (4, 5), ["  B3 | a + b", "     |     ^"]),
        ("a + b", (0, 3), ["  B3 | a + b", "     | ^^^"]),
        ("a + b", (5, 5), ["  B3 | a + b", "     |      ^"]),
        ("a + b", (3, 99), ["  B3 | a + b", "     |    ^^"]),
        ("a + b", (99, 120), ["  B3 | a + b", "     |      ^"]),
        ("one\ntwo three\nfour", (8, 13), ["  B3 | two three", "     |     ^^^^^"]),
        ("one\ntwo\nfour", (0, 12), ["  B3 | one", "     | ^^^"]),
        ("one\ntwo\nfour", (4, 6), ["  B3 | two", "     | ^^"]),
        ("one\ntwo", (), ["  B3 | one"]),
        ("", (), []),
        ("", (0, 0), ["  B3 | ", "     | ^"]),
    ],
)
def test_quotation(typed: str, span: tuple[int, ...], shown: list[str]) -> None:
    assert quoted(typed, *span) == shown


def test_what_goes_with_a_message() -> None:
    place = Location(cell(), last=cell((5, 4)))
    remarks = (Remark(Location(cell((9, 30))), "row 2 is here"),)
    found = Diagnostic(place, Severity.WARNING, "gap", "no row fires", None, remarks, "add one", "age = 3")
    assert render([found]) == (
        "b.xlsx!Rules!B3:D5: warning[gap]: no row fires\n"
        "  note: b.xlsx!Rules!AD9: row 2 is here\n"
        "  example: age = 3\n"
        "  hint: add one\n"
    )
    assert as_plain(found) == {
        "book": "b.xlsx",
        "sheet": "Rules",
        "cell": "B3",
        "to": "D5",
        "severity": "warning",
        "code": "gap",
        "message": "no row fires",
        "notes": [{"place": "b.xlsx!Rules!AD9", "message": "row 2 is here"}],
        "hint": "add one",
        "example": "age = 3",
    }


def test_as_plain__only_what_there_is() -> None:
    plain = as_plain(one(Location(cell(), Span(0, 4)), typed=""))
    assert plain == {
        "book": "b.xlsx",
        "sheet": "Rules",
        "cell": "B3",
        "severity": "error",
        "code": "odd",
        "message": "it is odd",
        "typed": "",
        "span": [0, 4],
    }
    assert "sheet" in as_plain(one(Location(whole_book("b.xlsx"))))


def at(rows: int, code: str = "odd", sheet: str = "Rules") -> list[Diagnostic]:
    return [one(Location(cell((n, 1), sheet)), code=code) for n in range(1, rows + 1)]


def test_overview__alike() -> None:
    """Of one kind three are said one by one, of more the first and where others are; tables show three."""
    line = "b.xlsx!Rules!A{}: error[odd]: it is odd".format
    all_of_it = "each of them: dtables test --all b.xlsx"
    assert overview(at(3)).splitlines() == [line(1), line(2), line(3)]
    few = [line(1), "  and 3 more like it: A2, A3, A4", all_of_it]
    assert overview(at(4), "test").splitlines() == few
    assert overview(at(6)).splitlines()[1] == "  and 5 more like it: A2, A3, A4, A5, A6"
    assert overview(at(7)).splitlines()[1] == "  and 6 more like it: A2, A3, A4, A5, A6, …"
    tables = [replace(d, table=cell()) for d in at(5)]
    assert overview(tables).splitlines()[:4] == [line(1), line(2), line(3), "  and 2 more of this table"]
    assert len(overview([*at(2), *at(2, sheet="Other"), *at(2, code="even")]).splitlines()) == 6


def test_overview__twenty() -> None:
    many = [one(Location(cell((n, 1))), code=f"odd{n}") for n in range(1, 23)]
    assert len(overview(many[:20]).splitlines()) == 20
    assert overview(many).splitlines()[19:] == [
        "b.xlsx!Rules!A20: error[odd20]: it is odd",
        "and 2 more",
        "each of them: dtables check --all b.xlsx",
    ]
    hidden = overview([*many[:20], *at(5, "same")]).splitlines()
    assert hidden[20] == "and 5 more"


def test_overview__of_several_books_names_the_first() -> None:
    here, there = (one(Location(CellRef(book, "Rules", 1, 1))) for book in ("a.xlsx", "b.xlsx"))
    assert (
        overview([*[here] * 4, *[there] * 4]).splitlines()[-1] == "each of them: dtables check --all a.xlsx"
    )


def test_render__long_words_in_part() -> None:
    name = "x" * 310
    said = replace(one(Location(cell())), message=f"`{name}` is odd", hint=f"say `{name}`")
    assert said.message == f"`{name[:80]}…` is odd" and said.hint == f"say `{name[:80]}…`"
    for length, wanted in ((299, 299), (300, 80)):
        quoted_name = replace(said, message=f"`{name[:1] * length}`").message
        assert quoted_name.count("x") == wanted
    words = "odd " * 150
    assert replace(said, message=words[:600]).message == words[:600]
    assert replace(said, message=words + "more").message == words.rstrip() + "…"


def test_in_order() -> None:
    """By book, sheet as the workbook has them, row, column, place in the text, code; unknown sheets last."""
    places = [
        Location(cell((9, 9), "First")),
        Location(cell((1, 2), "Second")),
        Location(cell((1, 2), "Second"), Span(3, 4)),
        Location(cell((1, 3), "Second")),
        Location(cell((2, 1), "Second")),
        Location(cell((1, 1), "Abroad")),
        Location(cell((1, 1), "Elsewhere")),
        Location(cell((1, 1), "First", "c.xlsx")),
    ]
    wanted = [one(place) for place in places]
    assert in_order(reversed(wanted), ("First", "Second")) == tuple(wanted)
    codes = [one(places[0], code=code) for code in ("a", "b")]
    assert in_order(reversed(codes)) == tuple(codes)
    assert [d.where.cell.sheet for d in in_order(wanted)[:3]] == ["Abroad", "Elsewhere", "First"]


def test_errors_in() -> None:
    loud = [one(Location(cell()), severity) for severity in (Severity.NOTE, Severity.WARNING)]
    assert not errors_in(loud) and not errors_in([])
    assert errors_in([*loud, one(Location(cell()))])


@pytest.mark.parametrize(
    ("place", "text"),
    [
        (Location(cell((1, 26))), "b.xlsx!Rules!Z1"),
        (Location(cell((1, 27))), "b.xlsx!Rules!AA1"),
        (Location(cell((7, 702), "My_2 sheets")), "b.xlsx!'My_2 sheets'!ZZ7"),
        (Location(cell((1, 703), "It's")), "b.xlsx!'It''s'!AAA1"),
        (Location(cell((1, 1), "2nd")), "b.xlsx!'2nd'!A1"),
        (Location(cell((1, 1), "Età_2")), "b.xlsx!Età_2!A1"),
        (Location(whole_book("b.xlsx")), "b.xlsx"),
        (Location(cell(), last=cell()), "b.xlsx!Rules!B3"),
        (Location(cell(), last=cell((4, 2))), "b.xlsx!Rules!B3:B4"),
    ],
)
def test_places(place: Location, text: str) -> None:
    assert str(place) == text


def test_column_letters_are_those_of_a_spreadsheet() -> None:
    letters = [column_letters(n) for n in range(1, 16385)]
    assert letters == sorted(set(letters), key=lambda word: (len(word), word))
    assert (letters[0], letters[25], letters[26], letters[-1]) == ("A", "Z", "AA", "XFD")


def test_spans_together() -> None:
    assert Span(2, 5).to(Span(4, 9)) == Span(4, 9).to(Span(2, 5)) == Span(2, 9)
    assert Span(2, 9).to(Span(4, 5)) == Span(2, 9)
