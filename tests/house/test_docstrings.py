"""What other rooms, tests and people read of a module says in a sentence what they must know of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.house.test_architecture import FACES, dotted, is_module
from tests.support.source import SOURCE, modules, tree

LINE = 110
Documented = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
FILLERS = {"a", "an", "the", "return", "returns", "get", "gets", "make", "makes", "of", "is", "this"}
"""Words that say nothing more than the name they stand beside."""


def place(module: str) -> Path:
    """`__init__` of a package where there is one."""
    name = SOURCE / module.replace(".", "/")
    return name / "__init__.py" if name.is_dir() else name.with_suffix(".py")


def faces() -> list[Path]:
    """The modules that others read, all of a model, which has no inside, and all messages."""
    spoken = {path for path in modules() if path.name == "messages.py" or dotted(path).startswith("model.")}
    return sorted({place(face) for face in FACES} | spoken)


@cache
def defined(path: Path) -> dict[str, Documented]:
    return {node.name: node for node in tree(path).body if isinstance(node, Documented)}


def given_on(path: Path) -> Iterator[tuple[Path, str]]:
    """What `__all__` of a module lists, where it stands."""
    listed = {name for node in tree(path).body if isinstance(node, ast.Assign) for name in listed_names(node)}
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ImportFrom) and is_module(node.module or ""):
            home = place((node.module or "").removeprefix("dtables."))
            yield from ((home, alias.name) for alias in node.names if alias.name in listed)


def listed_names(node: ast.Assign) -> Iterator[str]:
    if isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__":
        yield from (str(part.value) for part in ast.walk(node.value) if isinstance(part, ast.Constant))


def public() -> dict[str, Documented]:
    """Functions, classes and the methods of classes that the faces have or give on, by their full names."""
    found: dict[str, Documented] = {}
    for path in faces():
        own = [(path, name) for name in defined(path)]
        for home, name in (*own, *given_on(path)):
            node = defined(home).get(name)
            if node is None or name.startswith("_"):
                continue
            found[f"{dotted(home)}.{name}"] = node
            if isinstance(node, ast.ClassDef):
                found |= {f"{dotted(home)}.{name}.{one.name}": one for one in methods(node)}
    return {name: node for name, node in found.items() if not is_overload(node)}


def methods(node: ast.ClassDef) -> Iterator[Documented]:
    """But for those of Python's protocols, what a class above has, and properties of one expression."""
    above = {name for base in node.bases for name in methods_of(ast.unparse(base))}
    for one in node.body:
        if not isinstance(one, Documented) or one.name.startswith("_") or one.name in above:
            continue
        if not (decorators(one) & {"property", "cached_property"} and is_one_expression(one)):
            yield one


@cache
def methods_of(base: str) -> frozenset[str]:
    """Of a class of the toolkit, by its bare name."""
    classes = [defined(path).get(base) for path in modules()]
    own = {one.name for node in classes if node for one in node.body if isinstance(one, Documented)}
    over = {ast.unparse(above) for node in classes if isinstance(node, ast.ClassDef) for above in node.bases}
    return frozenset(own.union(*(methods_of(above) for above in over)))


def decorators(node: Documented) -> set[str]:
    return {ast.unparse(one) for one in node.decorator_list}


def is_overload(node: Documented) -> bool:
    return "overload" in decorators(node)


def is_one_expression(node: Documented) -> bool:
    return len(node.body) == 1 and isinstance(node.body[0], ast.Return)


def paragraph(node: Documented) -> str:
    """The docstring up to its first blank line."""
    return " ".join((ast.get_docstring(node) or "").partition("\n\n")[0].split())


def words(text: str) -> set[str]:
    """Also of names: `readJson` has two."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", text)}


# -- the rules -----------------------------------------------------------------------------------


def test_what_others_read_says_what_they_must_know() -> None:
    assert [name for name, node in public().items() if not ast.get_docstring(node)] == []


def test_docstrings_are_sentences() -> None:
    """Up to the first blank line."""
    said = {name: paragraph(node) for name, node in public().items()}
    assert {name: text for name, text in said.items() if text and not text.endswith(".")} == {}


def test_docstrings_do_not_repeat_names() -> None:
    """A sentence without a word that its name lacks tells nothing."""
    said = {name: paragraph(node) for name, node in public().items()}
    assert {n: t for n, t in said.items() if t and not words(t) - words(n.rpartition(".")[2]) - FILLERS} == {}


def test_first_lines_fit() -> None:
    lines = {name: (ast.get_docstring(node) or "").partition("\n")[0] for name, node in public().items()}
    assert {name: line for name, line in lines.items() if len(line) + len('    """') > LINE} == {}
