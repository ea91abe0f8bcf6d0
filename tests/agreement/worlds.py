"""Small workbooks drawn at random, as text, and records to try them on.

The words are always the same; expressions, decisions, scales and asks are drawn, and flat ones: what
columns can answer. What the checker refuses is thrown away: it is the checker's to say what can be written.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from dtables.model.tables import Ruleset
from tests.support.rulesets import sound

WORDS = """
# Sheet: Words
Types: words
  name | names
  colour | red, green, blue
  size | small, big, huge

Types: narrowed
  name | of | allowed
  warm | colour | not(blue)
  score | whole number | [0..9]
  rate | number | (0..10]

Data: toy ; key: toy
  key | whole number | colour | list of colour | number | date
  toy | points | paint | likes | price | made
  ball | 1 | red | red, blue | 1.5 | @"2024-02-29"
  kite | 3 | blue | | 2 | @"1999-12-31"
  top | 3 | red | green | 0.25 | @"2024-03-01"
  doll | 0 | green | green, red | 10 | @"2024-02-29"

Record: toy
  field | type | is
  double | whole number | 2 * points
  wished | boolean | paint = wish
  bonus | whole number | if wished then points + level else 0

Record: box
  field | type | is | default
  tint | colour | |
  weight | score? | |
  toys | list of toy | | []
  size | size | | small
  since | date? | |
  label | text | | "b"
  worth | whole number | total(toys.points) |
  heavy | boolean | weight != null and weight > level |

Input: state
  field | type | default
  level | score | 4
  wish | colour |
  rate | rate |
  spare | whole number |
  open | boolean | no
  note | text | "n"
  toy | toy |
  boxes | list of box | []
  chest | box |
  marks | list of whole number | []
  stock | score by colour | {}
  drawn | toy |
  sooner | date | @"2024-02-28"
  later | date | @"2024-03-02"
  at | date and time | @"2024-02-29T10:30:00"
  hour | time | @"10:30:00"
  lasting | days and time duration | @"PT36H"
  term | years and months duration | @"P13M"
  free | any |
"""

# -- expressions -------------------------------------------------------------------------------

WHOLE = ["level", "spare", "toy.points", "toy.bonus", "chest.worth", "count(boxes)", "0", "1", "7", "-2"]
NUMBER = ["rate", "toy.price", "1.5", "0.1", *WHOLE]
BOOLEAN = ["open", "toy.wished", "chest.heavy", "spare = null", "chest = null", "yes", "no"]
COLOUR = ["wish", "toy.paint", "chest.tint", "red", "blue"]
TOY = ["toy", "drawn", "chest.toys[1]", "ball", "kite"]
COLOURS = ["each colour", "each warm", "toy.likes", "boxes.tint", "[red, wish]", "boxes.toys[1].paint"]
WHOLES = [
    "marks",
    "boxes.weight",
    "boxes.worth",
    "[1, spare, level]",
    "each toy.points",
    "for i in 1..level return i",
]
BOXES = ["boxes", "boxes[heavy]", "boxes[tint = wish]", "boxes[weight > 2]", "concatenate(boxes, [chest])"]
TOYS = ["each toy", "each toy[points > level]", "chest.toys", "boxes[1].toys"]

ARITHMETIC = ["+", "-", "*", "/"]
ORDERS = ["<", "<=", ">", ">=", "=", "!="]


@st.composite
def whole(draw: st.DrawFn, depth: int = 2, more: tuple[str, ...] = ()) -> str:
    if depth == 0:
        return draw(st.sampled_from([*WHOLE, *more]))
    inner = whole(depth - 1, more)
    match draw(st.integers(0, 10)):
        case 0 | 1:
            return f"({draw(inner)} {draw(st.sampled_from(['+', '-', '*']))} {draw(inner)})"
        case 2:
            return f"(if {draw(boolean(depth - 1, more))} then {draw(inner)} else {draw(inner)})"
        case 3:
            return f"count({draw(a_list())})"
        case 4:
            return f"{draw(st.sampled_from(['max', 'min']))}({draw(inner)}, {draw(inner)})"
        case 5:
            return f"total({draw(st.sampled_from(WHOLES))})"
        case 6:
            return f"{draw(st.sampled_from(WHOLES))}[{draw(st.sampled_from(['1', '-1', '2', 'item > 1']))}]"
        case 7:
            return f"{draw(st.sampled_from(['max', 'min', 'sum']))}({draw(st.sampled_from(WHOLES))})"
        case 8:
            return f"stock({draw(st.sampled_from(COLOUR))})"
        case 9:
            return f"-{draw(inner)}"
        case _:
            return draw(st.sampled_from([*WHOLE, *more]))


@st.composite
def boolean(draw: st.DrawFn, depth: int = 2, more: tuple[str, ...] = ()) -> str:
    if depth == 0:
        return draw(st.sampled_from(BOOLEAN))
    inner = boolean(depth - 1, more)
    match draw(st.integers(0, 10)):
        case 0 | 1:
            return f"({draw(inner)} {draw(st.sampled_from(['and', 'or']))} {draw(inner)})"
        case 2:
            return f"not({draw(inner)})"
        case 3 | 4:
            number = st.sampled_from(NUMBER) | whole(depth - 1, more)
            return f"({draw(number)} {draw(st.sampled_from(ORDERS))} {draw(number)})"
        case 5:
            colour, sign = st.sampled_from(COLOUR), draw(st.sampled_from(["=", "!="]))
            return f"({draw(colour)} {sign} {draw(colour)})"
        case 6:
            return f"({draw(st.sampled_from(COLOUR))} in {draw(st.sampled_from(COLOURS))})"
        case 7:
            low, high = draw(st.integers(-1, 4)), draw(st.integers(3, 9))
            return f"({draw(whole(depth - 1, more))} in [{low}..{high}))"
        case 8:
            word = draw(st.sampled_from(["some", "every"]))
            return f"({word} b in {draw(st.sampled_from(BOXES))} satisfies {draw(of_box(depth - 1))})"
        case 9:
            return f"({draw(a_list())} = {draw(a_list())})"
        case _:
            return draw(st.sampled_from(BOOLEAN))


@st.composite
def of_box(draw: st.DrawFn, depth: int = 1) -> str:
    """A condition on `b`."""
    tests = ["b.heavy", "b.weight = level", "b.weight > 1", "b.tint = wish", "b.worth > 2", "b.toys = []"]
    first = draw(st.sampled_from(tests))
    if depth == 0:
        return first
    return f"({first} {draw(st.sampled_from(['and', 'or']))} {draw(boolean(0))})"


@st.composite
def a_list(draw: st.DrawFn) -> str:
    pool = st.sampled_from([*COLOURS, *WHOLES, *BOXES, *TOYS])
    match draw(st.integers(0, 3)):
        case 0:
            return f"reverse({draw(st.sampled_from(WHOLES))})"
        case 1:
            return f"distinct values({draw(pool)})"
        case 2:
            field = draw(st.sampled_from(["points", "bonus", "price"]))
            return f"(for t in {draw(st.sampled_from(TOYS))} return t.{field})"
        case _:
            return draw(pool)


ODD = [
    "for i in 1..3, t in each toy return i + t.points",
    "for i in level..1 return i * 2",
    "for i in 1..level return if count(partial) > 0 then partial[-1] + i else i",
    "for b in boxes return for i in 1..2 return if partial = [] then b.worth else partial[1] + i",
    "{a: level, b: a + 1, c: {d: b}}.c.d",
    "for b in boxes return {tint: b.tint, twice: 2 * b.worth, more: twice + 1}",
    "sort(marks, function(x: number, y: number) x < y)",
    "sort(boxes, function(x: box, y: box) x.worth > y.worth).tint",
    'note + "x" + upper case(note)',
    "string length(note) + level",
    'substring("abcdef", level, 2)',
    'date("2024-02-28") + duration("P1D")',
    'date("2024-02-28") < date("2024-03-01")',
    'date and time("2024-02-28T10:00:00").hour + level',
    'duration("PT36H").days',
    "(if open then ball else null).points",
    "if toy = null then null else toy.price",
    "some i in 1..level, j in marks satisfies i = j",
    "every i in marks, j in marks satisfies i <= j or j < level",
    "level in [1..spare]",
    "spare between 1 and level",
    "spare in (null, 3, [5..7])",
    "wish in (red, toy.paint)",
    "not(wish in toy.likes)",
    "wish in (!= red)",
    "toy in (!= drawn)",
    "spare in (!= level)",
    "chest.since in (!= null)",
    "not(spare in (!= null, 3))",
    "context(for c in each colour return {key: c, value: level})",
    "context(for c in each warm return {key: c, value: stock(c)})",
    "stock.red",
    "chest.toys[1].double",
    "boxes[1].toys[points > 1][1].price",
    "boxes[toys[1].wished].tint",
    "flatten(boxes.toys).points",
    "distinct values(flatten(boxes.toys).paint)",
    "each toy[item in chest.toys].bonus",
    "each toy[some b in boxes satisfies b.tint = paint]",
    "index of(marks, level)",
    "remove(marks, 1)",
    "sublist(marks, 1, 2)",
    "insert before(marks, 1, level)",
    "decimal(rate / 3, 2)",
    "floor(rate) + ceiling(toy.price)",
    "modulo(level, spare)",
    "rate ** 2",
    "level ** spare",
    "mean(marks)",
    "median(marks)",
    "repeat(wish, level)",
    "drop highest(marks, 1)",
    "chest = boxes[1]",
    "boxes = reverse(boxes)",
    "[chest] = boxes",
    "list contains(boxes, chest)",
    "chest in boxes",
    "union(toy.likes, [wish])",
    "boxes.size",
    "(for b in boxes return b.heavy)",
    "all(for b in boxes return b.heavy)",
    "if spare > 2 and toy.points > 1 then chest else boxes[1]",
    "open and spare > 2",
    "spare > 2 or open",
    "spare = null or spare > level",
    "spare != null and spare > level",
    "if chest != null and chest.weight != null then chest.weight else 0",
    "level instance of number",
    "toy.likes[2]",
    "string(rate)",
    "-rate",
    "-(-level)",
    "abs(spare)",
    "level * spare * toy.points",
    "(level - spare) - (level - toy.points)",
    "2 * (level + 1) - 3 * -level",
    "not(open = (level > 3))",
    "(level > 3) = (spare > 3)",
    # dates, times, durations
    "for d in chest.since..sooner return d.day",
    "some d in sooner..later satisfies d = chest.since",
    "every d in sooner..later, i in 1..2 satisfies d.day > i",
    "count(for d in sooner..later, e in d..later return e)",
    "(for d in sooner..later return d)[level]",
    "at.date",
    "at.date = sooner",
    "string(at.time)",
    "at.time.hour + level",
    'at.date + duration("P1D") * level',
    "later - sooner",
    "(later - sooner).days",
    "sooner + lasting",
    "sooner - term",
    "lasting * level",
    "lasting / 2",
    'lasting / duration("PT6H")',
    "-lasting",
    "abs(term)",
    "term.months",
    "lasting.hours",
    'term in [duration("P1M")..duration("P1Y")]',
    'lasting != duration("P1D")',
    "max(sooner, later)",
    "min(each toy.made)",
    "day of week(sooner)",
    "week of year(later)",
    "years and months duration(sooner, later)",
    "hour < at.time",
    "hour + lasting",
    'hour = time("10:30:00")',
    "each toy[made > sooner].points",
    "sort(each toy.made, function(x: date, y: date) x < y)",
    "sooner between later and chest.since",
    "toy.made in [sooner..later]",
    # decimals
    "rate * toy.price",
    "rate / toy.price + level",
    "total(each toy.price) - rate",
    "max(each toy.price)",
    "round half up(rate / 7, 2)",
    "sort(each toy.price, function(x: number, y: number) x > y)",
    "rate = 2.5 or rate != toy.price",
    "modulo(rate, 0.3)",
    "for i in 1..3 return if count(partial) = 0 then rate else partial[-1] / 2",
    "for i in 1..3 return if count(partial) = 0 then 1 else partial[-1] / 4",
    # values of unknown type
    "free",
    "free = level",
    "free != note",
    "free in (1, null)",
    "free in [1..level]",
    "free.a",
    "free[1]",
    "free[a > 1]",
    "free[item]",
    "free[level]",
    "(for f in free return f)",
    "some f in free satisfies f",
    "every f in free satisfies f",
    "some f in free satisfies f = level",
    "if free then 1 else 2",
    "free and open",
    "open or free",
    "not(free)",
    "-free",
    "free + level",
    "free < level",
    "max(free, level)",
    "max(free)",
    "count(free)",
    "sum(free)",
    "marks[free]",
    'boxes[get value({a: free}, "a")]',
    'boxes[get value(item, "heavy")]',
    'get value({v: boxes}, "v")[heavy]',
    'get value({v: boxes}, "v")[heavy].tint',
    'count(get value({v: each toy}, "v")[note = "n"])',
    'count(get value({v: each toy}, "v")[bonus > level])',
    'count(get value({v: boxes}, "v")[level > 3])',
    'get value({v: toy}, "v").bonus',
    'get value({v: chest}, "v").heavy',
    'some b in get value({v: boxes}, "v") satisfies b.weight > 2',
    'get value({v: toy}, "v") = drawn',
    'get value({v: wish}, "v") = toy.paint',
    'get value({v: sooner}, "v") + duration("P1D")',
    'stock(get value({v: wish}, "v"))',
    'level in get value({v: marks}, "v")',
    'level in get value({v: [1..5]}, "v")',
    "upper case(free)",
    'substring(note + "abc", free)',
    "date(free)",
    "string(free)",
    "free instance of number",
    "flatten(free)",
    "append(marks, free)",
    "concatenate(marks, free)",
    "sort(free, function(x, y) x < y)",
    'context put(free, "a", 1)',
    "get entries(free)",
    "context merge([free, {z: 1}])",
    "duration(note)",
    'sooner + duration("P" + string(level) + "D")',
]


ROUNDS = {
    "for i in marks return {made}": ("i",),
    "for i in 1..3, j in marks return {made}": ("i", "j"),
    "flatten(for i in 1..2 return for j in 1..level return {made})": ("i", "j"),
    "for i in 1..3 return if count(partial) = 1 then partial[1] else {made}": ("i", "count(partial)"),
    "for b in boxes return {made}": ("b.worth", "count(b.toys)"),
    "for b in boxes[count(toys) > 0] return {made}": ("b.worth", "count(b.toys[points > 1])"),
    "for t in each toy return {made}": ("t.points", "t.double", "t.bonus"),
    "for c in each colour return {made}": ("stock(c)", "count(each toy[paint = c])"),
    "for i in marks return {{a: i, b: a + 1, f: {made}}}.f": ("i",),
    "(for i in marks return {{n: i, f: {made}}})[f(n) > 2].f": ("i",),
    "(for i in marks return {{n: i, f: {made}}})[some j in marks satisfies f(j) > n].f": ("i",),
    "[{made}, {made}]": ("level",),
    "for g in (for i in marks return function(n: number) {made}) return g(level)": ("i", "n"),
    "for g in (for i in marks return {{f: {made}}}) return g.f": ("i",),
}
"""What makes functions, and the whole numbers that those may read besides."""
MADE = [
    "function(x: number) {body}",
    "{{f: function(x: number) {body}}}.f",
    "(function(y: number) function(x: number) x + y + {body})(level)",
    "function(x: number) total(for y in [1, 2] return (function(z: number) z + {body})(y))",
    "function(x: number) count(marks[item > {body}])",
]
USES = [
    "for f in {functions} return f({argument})",
    "some f in {functions} satisfies f({argument}) > 2",
    "every f in {functions} satisfies f({argument}) > 2",
    "count(({functions})[item({argument}) > 2])",
    "total(for f in {functions}, g in {functions} return f(g({argument})))",
    "({functions})[1]({argument})",
    "({functions})[-1]({argument})",
    'for f in get value({{v: {functions}}}, "v") return f({argument})',
]


@st.composite
def functions_made(draw: st.DrawFn, more: tuple[str, ...] = ()) -> str:
    """A list of functions of a number."""
    loop = draw(st.sampled_from([*ROUNDS]))
    read = (*ROUNDS[loop], "x", *more)
    number = st.sampled_from([*ROUNDS[loop], *ROUNDS[loop], "x + 1"]) | whole(1, read)
    return loop.format(made=draw(st.sampled_from(MADE)).format(body=f"({draw(number)})"))


@st.composite
def functions_used(draw: st.DrawFn, more: tuple[str, ...] = ()) -> str:
    """Functions that are called when all of them are made."""
    functions = draw(functions_made(more))
    return draw(st.sampled_from(USES)).format(
        functions=functions, argument=draw(st.sampled_from(["1", "level"]))
    )


def expression(*more: str) -> st.SearchStrategy[str]:
    """`more` are whole numbers that can be read besides."""
    colours = st.sampled_from(["k", *COLOUR] if more else COLOUR)
    odd, known = st.sampled_from(ODD), st.sampled_from(TOY)
    return st.one_of(
        whole(2, more), boolean(2, more), colours, a_list(), known, odd, odd, functions_used(more)
    )


# -- tables ------------------------------------------------------------------------------------

POLICIES = [
    "unique", "first", "any", "priority", "collect", "C+", "C<", "C>", "C#", "rule order", "output order",
]  # fmt: skip
RANKING = ("priority", "output order")
RANKS = "3, 0, 5, 1, 2, 4"
WHOLE_TESTS = [
    "-", "3", "< 4", ">= 2", "[1..3]", "(2..7)", "not(1, 5)", "0, 2, 4", "level", "> spare", "-",
    "!= 3", "!= level", "!= 1, 1", "not(!= 2)", "!= null",
]  # fmt: skip
COLOUR_TESTS = [
    "-", "red", "green, blue", "not(red)", "wish", "toy.paint", "-",
    "!= red", "!= wish", "not(!= blue)", "!= null",
]  # fmt: skip
BOOLEAN_TESTS = ["-", "yes", "no", "!= yes", "not(!= no)", "!= open"]
SUBJECTS = {
    "p": WHOLE_TESTS,
    "k": COLOUR_TESTS,
    "spare": [*WHOLE_TESTS, "null"],
    "level": WHOLE_TESTS,
    "open": BOOLEAN_TESTS,
    "wish": COLOUR_TESTS,
    "toy.paint": COLOUR_TESTS,
    "p + level": WHOLE_TESTS,
    "chest.heavy": BOOLEAN_TESTS,
    "note": ["-", '"n"', '"x", "n"', 'not("n")', '< "o"', "null", '!= "n"', "!= null"],
    "chest.since": [
        "-", '< date("2024-02-01")', 'date("1999-12-31")', "null", "not(null)", "!= null",
        '!= date("1999-12-31")', 'not(!= date("2024-02-29"))',
    ],
    "count(boxes)": WHOLE_TESTS,
    "toy": ["-", "ball", "kite, top", "not(doll)", "drawn", "null", "!= ball", "!= drawn", "not(!= top)"],
    "rate": ["-", "< 1.5", "[0.1..3]", "2", "> 9.5", "!= 2", "!= 2.5, 2.5"],
}  # fmt: skip


MIXED = st.sampled_from(["1", "rate", "2.5", "level", "0", "toy.price"])
"""Whole numbers among others."""


@st.composite
def decision(draw: st.DrawFn) -> str:
    policy = draw(st.sampled_from(POLICIES))
    subjects = draw(st.lists(st.sampled_from(sorted(SUBJECTS)), min_size=1, max_size=3, unique=True))
    outcomes = draw(
        st.sampled_from([whole(1), st.integers(0, 5).map(str), st.sampled_from(["red", "green"]), MIXED])
    )
    if policy in RANKING:
        outcomes = st.integers(0, 5).map(str)
    take = draw(st.integers(0, 3)) == 0 and policy in ("unique", "first", "any")
    rows = []
    for _ in range(draw(st.integers(1, draw(st.sampled_from([4, 9]))))):
        cells = [draw(st.sampled_from(SUBJECTS[s])) for s in subjects]
        rows.append(" | ".join([*cells, draw(outcomes)]))
    otherwise = f" ; otherwise: {draw(outcomes)}" if draw(st.booleans()) else ""
    if policy in RANKING:
        otherwise += f" ; priorities: {RANKS}"
    return "\n".join(
        [
            f"Decision: tried(p: whole number, k: colour) ; policy: {policy}{otherwise}",
            "  " + " | ".join([*["if"] * len(subjects), "take" if take else "then"]),
            "  " + " | ".join([*subjects, "out"]),
            *(f"  {row}" for row in rows),
        ]
    )


ITEMS = {
    "boxes": ("item", ["heavy", "item.weight > level", "tint = wish", "worth > 1", "item.toys = []", "yes"],
              ["item.worth", "weight", "if heavy then level else null", "null"]),
    "marks": ("item", ["item > level", "item = spare", "not(item in tried)", "count(tried) > 1", "yes"],
              ["item", "item + level", "if item > 1 then item else null", "null"]),
    "each colour": ("item", ["item = wish", "stock(item) > 2", "item in toy.likes", "count(tried) = 1"],
                    ["stock(item)", "count(tried)", "if item = wish then level else null"]),
}  # fmt: skip
"""Lists of one kind of item, what holds of an item, and what it gives."""
LISTS = {
    "boxes": ["boxes", "boxes[heavy]", "concatenate(boxes, [chest])", "[]"],
    "marks": ["marks", "[spare, level]", "for i in 1..level return i", "boxes.worth"],
    "each colour": ["each colour", "toy.likes", "[wish, red]", "boxes.tint"],
}


@st.composite
def attempts(draw: st.DrawFn) -> str:
    """Steps that are tried in order, of a few of the forms that they may have: with a list of items or
    without, with several outcomes, with what was tried before."""
    of = draw(st.sampled_from(["", "", *sorted(ITEMS)]))
    heads = draw(st.lists(st.sampled_from([*sorted(SUBJECTS), "count(tried)", ""]), max_size=2, unique=True))
    also, listed = draw(st.booleans()), ["each"] * bool(of)
    rows = [draw(_step(of, heads, also)) for _ in range(draw(st.integers(1, 5)))]
    otherwise = draw(st.sampled_from(["", "", " ; otherwise: 0", " ; otherwise: count(tried)"]))
    otherwise = "" if also else otherwise
    return "\n".join(
        [
            f"Attempts: tried(p: whole number, k: colour){otherwise}",
            "  " + " | ".join(["step", *listed, *["if"] * (len(heads) + 1), *["then"] * (1 + also)]),
            "  " + " | ".join(["", *[""] * len(listed), *heads, "", "out", *["before"] * also]),
            *(f"  s{number} | {row}" for number, row in enumerate(rows, 1)),
        ]
    )


@st.composite
def _step(draw: st.DrawFn, of: str, heads: list[str], also: bool) -> str:
    listed = draw(st.sampled_from([*LISTS[of], *LISTS[of], ""])) if of else ""
    _, conditions, outcomes = ITEMS[of] if listed else ("", ["open", "p > level", "count(tried) > 1"], [])
    tests = [draw(st.sampled_from(_tests_of(head, draw))) for head in heads]
    plain = [str(draw(st.integers(0, 5))), draw(whole(1)), "if p > 3 then level else null", "count(tried)"]
    cells = [*([listed] if of else []), *tests, draw(st.sampled_from(["", *conditions]))]
    cells.append(draw(st.sampled_from(outcomes or plain)))
    return " | ".join([*cells, *(["tried"] if also else [])])


def _tests_of(head: str, draw: st.DrawFn) -> list[str]:
    if head in SUBJECTS:
        return SUBJECTS[head]
    return ["-", "open", draw(boolean(1)), "p > 2"] if head == "" else ["-", "< 2", "1", "[1..4]"]


CANDIDATE_TESTS = {
    "tint": ["", "red", "blue, green", "not(red)", "", "!= red"],
    "weight": ["", "> 3", "[0..4]", "", "!= 3"],
}
CRITERIA = [
    ("yes", "heavy"), ("no", "heavy"), ("yes", "weight > 2"), ("highest", "weight"), ("lowest", "weight"),
    ("highest", "worth"), ("lowest", "worth + level"), ("first in [red, blue]", "tint"),
    ("last in each colour", "tint"), ("first in boxes.tint", "tint"), ("highest", "count(toys)"),
    ("lowest", "if heavy then worth else level"),
    ("highest", "since"), ("lowest", "label"), ("lowest", "since"), ("first in [\"c\", label]", "label"),
    ("first", ""), ("lowest", "toys[1].price"), ("first in [small, huge]", "size"), ("highest", "spare"),
    ("first in [3, 1, level]", "weight"), ("last in [worth, 2.50, 2]", "worth"),
    ("first in [heavy, true]", "heavy"),
]  # fmt: skip


@st.composite
def criteria(draw: st.DrawFn, others: tuple[str, ...] = ()) -> list[str]:
    """Rows of a scale: number, two `only for`, `only if`, prefer, by."""
    rows = []
    for number in range(1, draw(st.integers(1, 4)) + 1):
        if others and draw(st.integers(0, 2)) == 0:
            prefer, by = (
                "scale",
                f"{draw(st.sampled_from(others))}{draw(st.sampled_from(['', ' 1', ' 1..2']))}",
            )
        else:
            prefer, by = draw(st.sampled_from(CRITERIA))
        only_for = [draw(st.sampled_from(tests)) for tests in CANDIDATE_TESTS.values()]
        only_if = draw(st.sampled_from(["", "", "", "open", "level > 3"]))
        rows.append(" | ".join([str(number), *only_for, only_if, prefer, by]))
    return rows


@st.composite
def scale(draw: st.DrawFn, name: str, embedded: tuple[str, ...] = ()) -> str:
    others = draw(st.sampled_from(["last", "stay", "skip"]))
    decides = draw(st.sampled_from(["yes", "no"]))
    rows = draw(criteria(embedded))
    if decides == "yes" and draw(st.booleans()):
        rows.append("9 | | | | chance |")
    return "\n".join(
        [
            f"Scale: {name}(candidates: list of box) ; others: {others} ; decides: {decides}",
            "  # | only for | only for | only if | prefer | by",
            "    | tint | weight | | |",
            *(f"  {row}" for row in rows),
        ]
    )


@st.composite
def scales(draw: st.DrawFn) -> str:
    inner = draw(scale("inner"))
    outer = draw(scale("outer", ("inner",)))
    best = "Formulas: of scales\n  name | type | is\n  tiers | list of list of box | outer ranking(boxes)"
    return f"{inner}\n\n{outer}\n\n{best}"


@st.composite
def formula(draw: st.DrawFn) -> str:
    value = draw(expression("p", "q"))
    steps = [f"  s{n} | | {draw(whole(1, ('p', 'q')))}" for n in range(1, draw(st.integers(0, 2)) + 1)]
    if steps:
        reads = ["if s1 > 2 then s1 else level", "s1 + s1", "for i in 1..2 return s1 + i", "[spare, s1]"]
        value = draw(st.sampled_from([value, *reads]))
    lines = ["Formula: tried(p: whole number, k: colour, q: whole number?)", "  step | type | is", *steps]
    return "\n".join([*lines, f"  result | | {value}"])


@st.composite
def ask(draw: st.DrawFn) -> str:
    rows = []
    for place in draw(st.lists(st.sampled_from(["wish", "spare", "chest.weight", "toy"]), max_size=2)):
        rows.append(f"  need | {place} | {draw(st.sampled_from(['', 'open', 'level > 4']))} | |")
    for number in range(1, draw(st.integers(0, 2)) + 1):
        options = draw(
            st.sampled_from(["each toy[points > level]", "chest.toys", "each toy[paint = wish]", "[]"])
        )
        rows.append(f"  draw | d{number} | {options} | {draw(st.sampled_from(['drawn', '']))} |")
        rows.append(f"  answer | a{number} | d{number} | |")
        if draw(st.integers(0, 3)) == 0:
            rows.append(f"  stop | | {draw(boolean(1))} | |")
    known = [row for row in rows if row.startswith("  draw")]
    for number in range(1, draw(st.integers(1, 3)) + 1):
        value = draw(expression())
        if known and draw(st.booleans()):
            value = draw(st.sampled_from(["d1.points + level", "d1.paint", "d1.bonus", "d1 = toy"]))
        when = draw(st.sampled_from(["", "", "null", "each colour"]))
        rows.append(f"  answer | b{number} | {value} | | {when}")
    if draw(st.integers(0, 3)) == 0:
        more = ("d1.points", "d1.bonus") if known else ()
        rows.append(f"  step | made | {draw(functions_made(more))} | |")
        rows.append(
            f"  answer | used | {draw(st.sampled_from(USES)).format(functions='made', argument='1')} | |"
        )
    for _ in range(draw(st.integers(0, 2))):
        when = draw(boolean(1))
        if known and draw(st.booleans()):
            when = draw(st.sampled_from(["d1.points > level", "d1 != null", "d1 in chest.toys"]))
        after = draw(st.integers(0, len(known))) and len(rows)
        rows.insert(after, f"  next | {draw(st.sampled_from(['turn', 'other', 'other']))} | {when} | |")
    lines = ["Ask: turn ; main: yes", "  role | name | is | recorded in | when open", *rows]
    other = ["Ask: other", "  role | name | is", "  answer | wish | wish"]
    return "\n".join([*lines, "", *other])


CHECKS = """
Checks: together
  # | places | by | at most | text en
  1 | chest.toys, boxes.toys | item | 2 | too many of them
  2 | boxes.tint | item | 1 | twice

Checks: apart
  # | each | wrong if | at | text en
  1 | boxes | weight != null and weight > level + 3 | weight | too heavy
  2 | | spare != null and spare = level | spare | the same
  3 | stock | item > 8 | | too much
  4 | boxes | position > 1 and tint = boxes[position - 1].tint | tint | as the one before
"""


# -- flat tables: those that columns can answer --------------------------------------------------

FLAT_WHOLE_TESTS = [
    "-",
    "3",
    "< 4",
    ">= 2",
    "[1..3]",
    "(2..7)",
    "not(1, 5)",
    "0, 2, 4",
    "> 2.5",
    "limit",
    "-",
]
FLAT_WHOLE_TESTS += ["!= 3", "!= limit", "not(!= 2)", "!= null", "!= 2.5"]
FLAT_COLOUR_TESTS = ["-", "red", "green, blue", "not(red)", "-", "!= red", "not(!= blue)", "!= null"]
FLAT_SUBJECTS = {
    "spare": [*FLAT_WHOLE_TESTS, "null"],
    "level": FLAT_WHOLE_TESTS,
    "wish": FLAT_COLOUR_TESTS,
    "open": ["-", "yes", "no", "!= yes", "!= null"],
    "note": ["-", '"n"', '"x", "n"', 'not("n")', "null", '!= "n"', "!= null"],
    "rate": ["-", "< 1.5", "[0.1..3]", "2", "> 9.5", "not(0.3)", "!= 2.5", "!= 0.3"],
    "chest.since": [
        "-",
        '< date("2024-02-01")',
        'date("1999-12-31")',
        '[date("2024-01-01")..date("2024-12-31")]',
        '!= date("1999-12-31")',
        "!= null",
    ],
    "chest.tint": FLAT_COLOUR_TESTS,
    "chest": ["-", "null", "not(null)", "!= null"],
    "toy": ["-", "ball", "kite, top", "not(doll)", "null", "!= ball", "not(!= top)", "!= null"],
    "toy.points": ["-", "< 3", "[1..3]"],
    "level > 3 and open": ["-", "yes", "no"],
    "2 * spare - level": ["-", "< 3", "[-1..4]", "> 7.5", "not(2)"],
    "spare * spare + 1": ["-", "> 9", "2, 5"],
    "spare > level": ["-", "yes", "no"],
    "stepped(spare + 1)": ["-", "> 5", "4"],
    "if rate <= 2 then wish else toy.paint": FLAT_COLOUR_TESTS,
    "rated(level)": ["-", "1", "> 1"],
    "toy.wished": ["-", "yes", "no", "null"],
    "toy.bonus": ["-", "> 3", "[1..5]", "0"],
    "top.wished": ["-", "yes", "no"],
    "(if open then ball else kite).bonus": ["-", "> 5", "0"],
    "chest.heavy": ["-", "yes", "no"],
    "count(each toy[wished])": ["-", "> 1", "0"],
    "drawn.wished": ["-", "yes", "!= no", "null"],
    "heavier(toy)": ["-", "yes", "!= yes"],
}
FLAT_FORMULAS = """
Formulas: small
  name | type | is
  limit | whole number | 4
  stepped(n: whole number) | whole number | if n > 3 then 6 else 4
  rated(n: score) | whole number | if n in [1..3] then 1 else if n = 7 then 2 else n * 2
  heavier(t: toy) | boolean | t.bonus > limit
"""
FLAT_OUTCOMES = ["0", "1", "12", "-3", "limit", "toy.points", "rated(level)", "kite.bonus", "null"]
FLAT_TEXTS = ['"a"', '"b"', "wish", "red", "null"]


def each_test(subject: str) -> str:
    """A decision that lists which of the subject's tests hold."""
    tests = dict.fromkeys(FLAT_SUBJECTS[subject])
    rows = [f"  {test} | {number}" for number, test in enumerate(tests)]
    head = ["Decision: tried ; policy: rule order", "  if | then", f"  {subject} | out"]
    return "\n".join([*head, *rows])


@st.composite
def flat_decision(draw: st.DrawFn) -> str:
    policy = draw(
        st.sampled_from(["unique", "first", "any", "priority", "collect", "C+", "C#", "rule order", ""])
    )
    subjects = draw(st.lists(st.sampled_from(sorted(FLAT_SUBJECTS)), min_size=1, max_size=4, unique=True))
    outcomes = st.sampled_from(
        draw(st.sampled_from([FLAT_OUTCOMES, FLAT_TEXTS, ["yes", "no"], ["1.5", "2", "0.25"]]))
    )
    if not policy:  # Steps that are tried in order.
        outcomes = st.sampled_from([*FLAT_OUTCOMES, "count(tried)"])
    ranked = " ; priorities: 12, 0, -3, 1" if policy == "priority" else ""
    outcomes = st.sampled_from(["0", "1", "12", "-3"]) if ranked else outcomes
    take = policy in ("unique", "first", "any") and draw(st.integers(0, 3)) == 0
    rows = [
        " | ".join([*(draw(st.sampled_from(FLAT_SUBJECTS[s])) for s in subjects), draw(outcomes)])
        for _ in range(draw(st.integers(1, 6)))
    ]
    otherwise = f" ; otherwise: {draw(outcomes)}" if draw(st.booleans()) else ""
    return "\n".join(
        [
            f"Decision: tried ; policy: {policy}{otherwise}{ranked}" if policy else f"Turn: tried{otherwise}",
            "  " + " | ".join([*["if"] * len(subjects), "take" if take else "then"]),
            "  " + " | ".join([*subjects, "out"]),
            *(f"  {row}" for row in rows),
        ]
    )


@st.composite
def flat_ask(draw: st.DrawFn) -> str:
    rows = [
        f"  need | {p} | |" for p in draw(st.lists(st.sampled_from(["wish", "spare", "toy"]), max_size=2))
    ]
    if draw(st.booleans()):
        rows.append("  draw | d | each toy[points > 1] | drawn")
        rows.append("  answer | drawn toy | d |")
        rows.append("  answer | points | d.points |")
    rows.append("  answer | out | tried |")
    rows.append("  answer | twice | [tried, tried] |")
    for name in draw(st.lists(st.sampled_from(["turn", "other"]), max_size=2)):
        when = draw(st.sampled_from(["", "level > 3", "wish = red", "spare != null and spare < level"]))
        rows.append(f"  next | {name} | {when} |")
    other = ["", "Ask: other", "  role | name | is", "  answer | wish | wish"]
    return "\n".join(["Ask: turn ; main: yes", "  role | name | is | recorded in", *rows, *other])


FLAT_CHECKS = """
Checks: apart
  # | each | wrong if | at | text en
  1 | | spare > 7 and open | spare | too much
"""


# -- what is checked -------------------------------------------------------------------------------


def ruleset(*tables: str) -> Ruleset | None:
    """None where the checker refuses what was drawn."""
    return sound("\n\n".join([WORDS, "# Sheet: Rules", *tables]))


# -- records -----------------------------------------------------------------------------------

BAD = st.sampled_from([None, "violet", 12, -1, 2.5, True, [], {}, "RED", "Big", [None], {"tint": "red"}, "3"])
COLOURS_GIVEN = st.sampled_from(["red", "green", "blue", "Red "])
TOYS_GIVEN = st.sampled_from(["ball", "kite", "top", "doll"])
BOX = st.fixed_dictionaries(
    {"tint": COLOURS_GIVEN},
    optional={
        "weight": st.integers(0, 9) | st.none(),
        "toys": st.lists(TOYS_GIVEN, max_size=3),
        "size": st.sampled_from(["small", "big", "huge"]),
        "since": st.sampled_from(["2024-01-31", "2024-02-29", "1999-12-31", None]),
        "label": st.sampled_from(["a", "b", "c", ""]),
    },
)
DAYS_GIVEN = st.sampled_from(["2024-02-28", "2024-02-29", "2024-03-02", "1999-12-31", "2024-03-01"])
PLAIN = st.sampled_from(
    [0, 1, 2, -3, True, False, "n", "red", "2024-02-29", "", None, Decimal("0.5"), Decimal("2.0"), "kite"]
)
FREE = st.one_of(
    PLAIN,
    st.lists(PLAIN, max_size=3),
    st.dictionaries(st.sampled_from(["a", "b", "heavy"]), PLAIN, max_size=2),
    st.lists(st.dictionaries(st.sampled_from(["a", "level"]), st.integers(0, 4), max_size=2), max_size=3),
)
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "level": st.integers(0, 9),
    "wish": COLOURS_GIVEN,
    "rate": st.sampled_from([1, 2.5, 0.1, 10, 3]),
    "spare": st.integers(-2, 9),
    "open": st.booleans(),
    "note": st.sampled_from(["n", ""]),
    "toy": TOYS_GIVEN,
    "boxes": st.lists(BOX, max_size=4),
    "chest": BOX,
    "marks": st.lists(st.integers(-3, 9), max_size=3),
    "stock": st.dictionaries(st.sampled_from(["red", "green", "blue"]), st.integers(0, 9), max_size=2),
    "drawn": TOYS_GIVEN,
    "sooner": DAYS_GIVEN,
    "later": DAYS_GIVEN,
    "at": st.sampled_from(["2024-02-29T10:30:00", "2024-03-01T00:00:00", "1999-12-31T23:59:59"]),
    "hour": st.sampled_from(["10:30:00", "00:00:00", "23:59:59.5"]),
    "lasting": st.sampled_from(["P1D", "PT36H", "-PT1S", "P0D"]),
    "term": st.sampled_from(["P1M", "P13M", "-P1Y", "P0M"]),
    "free": FREE,
}


@st.composite
def state(draw: st.DrawFn) -> dict[str, Any]:
    """Mostly good: fields left out, here and there one that is wrong."""
    given = {name: draw(values) for name, values in FIELDS.items() if draw(st.integers(0, 4))}
    if draw(st.integers(0, 5)) == 0:
        given[draw(st.sampled_from([*FIELDS, "levle"]))] = draw(BAD)
    boxes = given.get("boxes")
    if draw(st.integers(0, 9)) == 0 and isinstance(boxes, list) and boxes and isinstance(boxes[0], dict):
        boxes[0][draw(st.sampled_from(["tint", "weight", "toys", "worth", "x"]))] = draw(BAD)
    return given


@st.composite
def arguments(draw: st.DrawFn) -> dict[str, Any]:
    given = draw(state())
    given["p"] = draw(st.integers(-1, 8))
    given["k"] = draw(COLOURS_GIVEN)
    given["q"] = draw(st.integers(0, 3) | st.none())
    if draw(st.integers(0, 5)) == 0:
        given[draw(st.sampled_from(["p", "k", "q"]))] = draw(BAD)
    return given


@st.composite
def candidates(draw: st.DrawFn) -> dict[str, Any]:
    return {**draw(state()), "candidates": draw(st.lists(BOX, max_size=5))}
