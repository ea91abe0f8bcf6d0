"""One-token changes of Python source, as a tired engineer makes them: which a text allows, picked by a seed.

A change is an edit of the text, so that its difference is one line. Not offered: docstrings, annotations,
decorators, assertions, the wording of messages, what is inside f-strings.
"""

from __future__ import annotations

import ast
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import unified_diff
from itertools import islice, pairwise

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Change:
    """`start` and `end` count bytes. `lines` are those whose tests are asked; where there are none, what is
    changed is no function's, and `names` are those that others know it by."""

    path: str
    start: int
    end: int
    new: str
    kind: str
    lines: tuple[int, ...]
    names: tuple[str, ...]

    def applied(self, text: str) -> str:
        raw = text.encode()
        return (raw[: self.start] + self.new.encode() + raw[self.end :]).decode()

    def diff(self, text: str) -> str:
        lines = unified_diff(text.splitlines(), self.applied(text).splitlines(), n=0, lineterm="")
        return "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@")))

    def line(self, text: str) -> int:
        return text.encode()[: self.start].count(b"\n") + 1


def picked(texts: dict[str, str], seed: int) -> Iterator[Change]:
    """One change for each statement that allows any; statements and changes in an order the seed decides.

    The order hangs on the statements' own texts: other statements may come and go without touching it.
    """
    ranked: list[tuple[str, list[Change]]] = []
    for path, text in sorted(texts.items()):
        seen: Counter[str] = Counter()
        for name, own, changes in statements(path, text):
            key = f"{seed}|{path}|{name}|{own}"
            seen[key] += 1
            if changes:
                ranked.append((_rank(f"{key}|{seen[key]}"), changes))
    for rank, changes in sorted(ranked, key=lambda pair: pair[0]):
        kinds = sorted({change.kind for change in changes}, key=lambda kind: _rank(f"{rank}|{kind}"))
        numbered = sorted(
            enumerate(changes), key=lambda pair: (kinds.index(pair[1].kind), _rank(f"{rank}|{pair[0]}"))
        )
        yield from islice((change for _, change in numbered if _real(change, texts[change.path])), 1)


def _rank(text: str) -> str:
    return hashlib.sha1(text.encode()).hexdigest()


def _real(change: Change, text: str) -> bool:
    """Whether the text can still be compiled, and says something else."""
    try:
        return ast.dump(ast.parse(change.applied(text))) != ast.dump(ast.parse(text))
    except (SyntaxError, ValueError):
        return False


def statements(path: str, text: str) -> Iterator[tuple[str, str, list[Change]]]:
    """The name of what encloses each statement, its own text, and the changes it may allow."""
    source = _Source(path, text)
    for name, function, statement in _walk(ast.parse(text).body, "", None):
        changes = dict.fromkeys(source.changes(statement, function, name))
        yield name, source.own_text(statement), list(changes)


def _walk(
    body: Iterable[ast.stmt], name: str, function: Function | None
) -> Iterator[tuple[str, Function | None, ast.stmt]]:
    for statement in body:
        if _passed_over(statement):
            continue
        yield name, function, statement
        if isinstance(statement, Function):
            yield from _walk(statement.body, f"{name}.{statement.name}", statement)
        elif isinstance(statement, ast.ClassDef):
            yield from _walk(statement.body, f"{name}.{statement.name}", function)
        else:
            for inner in _bodies(statement):
                yield from _walk(inner, name, function)


def _passed_over(statement: ast.stmt) -> bool:
    match statement:
        case ast.Import() | ast.ImportFrom() | ast.Assert() | ast.Pass() | ast.Global() | ast.Nonlocal():
            return True
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.AnnAssign(value=None):
            return True
        case ast.Assign(targets=[ast.Name(id="__slots__" | "__all__" | "__match_args__")]):
            return True
        case ast.Assign(value=ast.Call(func=ast.Name(id="TypeVar" | "ParamSpec" | "NewType"))):
            return True
    return False


def _bodies(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    for field in ("body", "orelse", "finalbody"):
        yield getattr(statement, field, [])
    for handler in getattr(statement, "handlers", []):
        yield handler.body
    for case in getattr(statement, "cases", []):
        yield case.body


COMPARISONS: dict[type[ast.cmpop], tuple[str, tuple[str, ...]]] = {
    ast.Lt: ("<", ("<=", ">")),
    ast.LtE: ("<=", ("<", ">=")),
    ast.Gt: (">", (">=", "<")),
    ast.GtE: (">=", (">", "<=")),
    ast.Eq: ("==", ("!=",)),
    ast.NotEq: ("!=", ("==",)),
    ast.Is: ("is", ("is not",)),
    ast.IsNot: ("is not", ("is",)),
    ast.In: ("in", ("not in",)),
    ast.NotIn: ("not in", ("in",)),
}
ARITHMETIC: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "//"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "//"),
    ast.BitOr: ("|", "&"),
    ast.BitAnd: ("&", "|"),
}
PAIRS = """
any all; min max; startswith endswith; removeprefix removesuffix; lstrip rstrip; split rsplit; find rfind
partition rpartition; lower upper; ljust rjust; issubset issuperset; union intersection; floor ceil
append extend; left right; first last; start end; start stop; begin end; before after; top bottom; row column
rows columns; width height; keys values; lowest highest; sorted list; reversed list; low high; old new
""".replace("\n", ";")
NEIGHBOURS: dict[str, str] = {}
for _pair in PAIRS.split(";"):
    if _pair.strip():
        _one, _other = _pair.split()
        NEIGHBOURS.setdefault(_one, _other)
        NEIGHBOURS.setdefault(_other, _one)
del NEIGHBOURS["list"]
SAME_WITHOUT = {"strict", "encoding", "newline", "slots", "frozen", "repr", "check", "capture_output"}
"""Keyword arguments that mostly change nothing where nothing else is wrong."""
TEXT_METHODS = {
    "get", "startswith", "endswith", "split", "partition", "rpartition", "strip", "lstrip", "rstrip",
    "replace", "removeprefix", "removesuffix", "count", "find", "join", "pop", "setdefault",
}  # fmt: skip
LONGEST_WORD = 12


class _Source:
    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.raw = text.encode()
        self.starts = [0]
        for line in self.raw.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.lines: tuple[int, ...] = ()
        self.names: tuple[str, ...] = ()

    def at(self, node: ast.AST) -> tuple[int, int]:
        found: tuple[int, int] = (
            self.starts[node.lineno - 1] + node.col_offset,
            self.starts[node.end_lineno - 1] + node.end_col_offset,
        )
        return found

    def text(self, node: ast.AST) -> str:
        start, end = self.at(node)
        return self.raw[start:end].decode()

    def own_text(self, statement: ast.stmt) -> str:
        if isinstance(statement, (Function, ast.ClassDef)):
            return statement.name
        header = list(_headers(statement))
        if list(_bodies(statement)) != [[], [], []] and not isinstance(statement, ast.Match):
            return type(statement).__name__ + "|" + "|".join(self.text(node) for node in header)
        return self.text(statement) if not isinstance(statement, ast.Match) else self.text(statement.subject)

    def change(self, start: int, end: int, new: str, kind: str) -> Change:
        return Change(self.path, start, end, new, kind, self.lines, self.names)

    def changes(self, statement: ast.stmt, function: Function | None, name: str) -> Iterator[Change]:
        headers = list(_headers(statement))
        self.names = tuple(n for n in (*_assigned(statement), name.rpartition(".")[2]) if n)
        self.lines = self._reaching(statement, function, headers)
        yield from self._statement(statement, function)
        siblings = _siblings(function) if function is not None else {}
        for header in headers:
            yield from self._within(header, siblings)

    def _reaching(
        self, statement: ast.stmt, function: Function | None, headers: list[ast.AST]
    ) -> tuple[int, ...]:
        if isinstance(statement, Function):
            inner = statement.body
            return tuple(n for s in inner for n in range(s.lineno, (s.end_lineno or s.lineno) + 1))
        if function is None:
            return ()
        lines = {statement.lineno}
        for node in headers if list(_bodies(statement)) != [[], [], []] else [statement]:
            lines |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        return tuple(sorted(lines))

    # Whole statements.

    def _statement(self, statement: ast.stmt, function: Function | None) -> Iterator[Change]:
        start, end = self.at(statement)
        match statement:
            case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Delete() | ast.Raise():
                yield self.change(start, end, "pass", "statement dropped")
                last = function is None or statement in function.body[-1:]
                if isinstance(statement, ast.Expr) and not last:
                    yield self.change(start, end, "return", "returns early")
            case ast.Expr(value=ast.Yield() | ast.YieldFrom()):
                yield self.change(start, end, "if False: " + self.text(statement), "statement dropped")
            case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
                yield self.change(start, end, "pass", "statement dropped")
            case ast.Continue():
                yield self.change(start, end, "break", "break for continue")
                yield self.change(start, end, "pass", "statement dropped")
            case ast.Break():
                yield self.change(start, end, "continue", "continue for break")
                yield self.change(start, end, "pass", "statement dropped")
            case ast.If(test=test) | ast.While(test=test):
                yield from self._negated(test)
                if isinstance(statement, ast.If) and not statement.orelse and len(statement.body) == 1:
                    yield self.change(*self.at(test), "False", "guard dropped")
            case ast.Try(handlers=handlers):
                for handler in handlers:
                    if isinstance(handler.type, ast.Tuple):
                        yield from self._fewer(handler.type.elts, "exception dropped")
            case ast.Match(cases=cases):
                for case in cases:
                    if case.guard is not None:
                        yield from self._negated(case.guard)

    def _negated(self, test: ast.expr) -> Iterator[Change]:
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            return
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return
        yield self.change(*self.at(test), f"not ({self.text(test)})", "condition inverted")

    # Expressions.

    def _within(self, header: ast.AST, siblings: dict[str, list[str]]) -> Iterator[Change]:
        for parent, node in _inner(header):
            yield from self._node(parent, node)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                for other in siblings.get(node.id, ()):
                    yield self.change(*self.at(node), other, "wrong variable")

    def _node(self, parent: ast.AST | None, node: ast.AST) -> Iterator[Change]:
        match node:
            case ast.Compare():
                yield from self._comparison(node)
            case ast.BoolOp():
                yield from self._and_or(node)
            case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
                start, _ = self.at(node)
                yield self.change(start, self.at(operand)[0], "", "not or minus dropped")
            case ast.BinOp(left=left, right=right, op=op) if type(op) in ARITHMETIC:
                old, new = ARITHMETIC[type(op)]
                yield from self._between(left, right, old, (new,), "operator")
            case ast.IfExp(test=test):
                yield from self._negated(test)
            case ast.Subscript(slice=ast.Slice(lower=lower, upper=upper)):
                for bound in (lower, upper):
                    if bound is not None:
                        yield self.change(*self.at(bound), "", "slice bound dropped")
            case ast.Constant():
                yield from self._constant(parent, node)
            case ast.Call() if not (isinstance(node.func, ast.Name) and node.func.id == "isinstance"):
                yield from self._call(node)
            case ast.Name(id=name) if name in NEIGHBOURS and isinstance(parent, ast.Call):
                yield self.change(*self.at(node), NEIGHBOURS[name], "neighbour's name")
            case ast.Attribute(attr=attr) if attr in NEIGHBOURS:
                end = self.at(node)[1]
                yield self.change(end - len(attr.encode()), end, NEIGHBOURS[attr], "neighbour's name")
            case ast.ListComp(generators=gs) | ast.SetComp(generators=gs) | ast.GeneratorExp(generators=gs):
                yield from self._filters(gs)
            case ast.DictComp(generators=gs):
                yield from self._filters(gs)
            case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items) if len(items) > 2:
                yield from self._fewer(items, "item dropped")
            case ast.MatchOr(patterns=patterns) if len(patterns) > 1:
                yield from self._fewer(patterns, "pattern dropped")

    def _comparison(self, node: ast.Compare) -> Iterator[Change]:
        for left, op, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
            old, new = COMPARISONS[type(op)]
            yield from self._between(left, right, old, new, "comparison")

    def _between(
        self, left: ast.AST, right: ast.AST, old: str, new: Iterable[str], kind: str
    ) -> Iterator[Change]:
        start, end = self.at(left)[1], self.at(right)[0]
        gap = self.raw[start:end].decode()
        place = gap.find(old)
        if place >= 0 and gap.isascii():
            for one in new:
                yield self.change(start + place, start + place + len(old), one, kind)

    def _and_or(self, node: ast.BoolOp) -> Iterator[Change]:
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in pairwise(node.values):
            yield from self._between(left, right, old, (new,), "and/or")
        yield from self._fewer(node.values, "operand dropped")

    def _fewer(self, items: list[ast.expr] | list[ast.pattern], kind: str) -> Iterator[Change]:
        """Each item dropped, with what divides it from its neighbour."""
        for n, item in enumerate(items):
            if n + 1 < len(items):
                yield self.change(self.at(item)[0], self.at(items[n + 1])[0], "", kind)
            elif n:
                yield self.change(self.at(items[n - 1])[1], self.at(item)[1], "", kind)

    def _filters(self, generators: list[ast.comprehension]) -> Iterator[Change]:
        for generator in generators:
            for test in generator.ifs:
                yield self.change(*self.at(test), "True", "filter dropped")
                yield from self._negated(test)

    def _constant(self, parent: ast.AST | None, node: ast.Constant) -> Iterator[Change]:
        start, end = self.at(node)
        match node.value:
            case bool(value):
                yield self.change(start, end, str(not value), "True/False")
            case int(value):
                for other in (value + 1, value - 1):
                    yield self.change(start, end, str(other), "off by one")
            case str(value) if value.isidentifier() or 0 < len(value) < 3:
                if len(value) <= LONGEST_WORD and _compared(parent):
                    yield self.change(start, end, repr(value + "x"), "another text")

    def _call(self, node: ast.Call) -> Iterator[Change]:
        for one, other in pairwise(node.args):
            if type(one) is type(other) and isinstance(one, (ast.Name, ast.Attribute)):
                between = self.raw[self.at(one)[1] : self.at(other)[0]].decode()
                text = self.text(other) + between + self.text(one)
                yield self.change(self.at(one)[0], self.at(other)[1], text, "arguments swapped")
        for n, keyword in enumerate(node.keywords):
            if keyword.arg is None or keyword.arg in SAME_WITHOUT:
                continue
            before = [*node.args, *node.keywords[:n]]
            start = self.at(before[-1])[1] if before else self.at(keyword)[0]
            yield self.change(start, self.at(keyword)[1], "", "keyword dropped")


def _assigned(statement: ast.stmt) -> list[str]:
    targets = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _headers(statement: ast.stmt) -> Iterator[ast.AST]:
    """The expressions of the statement itself, not those of what is nested in it."""
    match statement:
        case ast.FunctionDef(args=args) | ast.AsyncFunctionDef(args=args):
            yield from args.defaults
            yield from (default for default in args.kw_defaults if default is not None)
        case ast.ClassDef():
            return
        case ast.AnnAssign(value=value, target=target):
            if value is not None:
                yield value
            if not isinstance(target, ast.Name):
                yield target
        case ast.Match(subject=subject, cases=cases):
            yield subject
            for case in cases:
                yield case.pattern
                if case.guard is not None:
                    yield case.guard
        case ast.Try(handlers=handlers):
            yield from (handler.type for handler in handlers if handler.type is not None)
        case _:
            for name, value in ast.iter_fields(statement):
                if name in ("body", "orelse", "finalbody", "handlers"):
                    continue
                for item in value if isinstance(value, list) else [value]:
                    if isinstance(item, ast.withitem):
                        yield item.context_expr
                    elif isinstance(item, ast.expr):
                        yield item


def _inner(node: ast.AST, parent: ast.AST | None = None) -> Iterator[tuple[ast.AST | None, ast.AST]]:
    if isinstance(node, ast.JoinedStr):
        return
    yield parent, node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.arguments):
            yield from _inner(child, node)


def _siblings(function: Function) -> dict[str, list[str]]:
    """Names that may be mistaken for each other: parameters of one annotation, names unpacked together."""
    groups: dict[str, list[str]] = {}
    args = function.args
    for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs):
        if arg.annotation is not None:
            groups.setdefault(ast.dump(arg.annotation), []).append(arg.arg)
    together = list(groups.values())
    for node in ast.walk(function):
        if isinstance(node, ast.Tuple) and isinstance(node.ctx, ast.Store):
            together.append([item.id for item in node.elts if isinstance(item, ast.Name) and item.id != "_"])
    found: dict[str, list[str]] = {}
    for group in together:
        for name in group:
            found.setdefault(name, []).extend(other for other in group if other != name)
    return found


def _compared(parent: ast.AST | None) -> bool:
    """Whether a text is a value that something hangs on, not words for people."""
    match parent:
        case ast.Compare() | ast.Subscript() | ast.MatchValue():
            return True
        case ast.Call(func=ast.Attribute(attr=attr)):
            return attr in TEXT_METHODS
    return False
