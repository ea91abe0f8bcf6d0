"""The import map of ARCHITECTURE.md, and the doors of outside libraries."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "dtables"

BASE = {"provenance", "diagnostics", "collector", "digits", "terminal"}
FEEL_MEANING = {
    "feel.types",
    "feel.values",
    "feel.errors",
    "feel.builtins",
    "feel.functions",
    "feel.names",
    "feel.limits",
}
"""What rooms behind the checker may know of the expression language: never its text."""
SHARED_BY_ENGINES = {"records", "failures", "places", "merging"}
READ_AND_ANSWER = {
    "records",
    "logs",
    "merging",
    "evaluator",
    "prepared",
    "compilers",
    "runtime",
    "cache",
    "files",
}

ROOMS: dict[str, set[str]] = {
    "cache": {"__init__", "files"},
    "compiled": {"__init__"},
    "files": set(),
    "provenance": set(),
    "collector": set(),
    "digits": set(),
    "diagnostics": {"provenance", "terminal"},
    "terminal": set(),
    "failures": {"feel.types", "feel.values"},
    "places": {"feel.values"},
    "merging": set(),
    "feel": BASE,
    "spreadsheet": BASE | {"files"},
    "workbook": BASE | {"spreadsheet"},
    "records": {"provenance", "feel.names", "feel.types", "feel.values", "feel.numbers"},
    "model": {"provenance", "feel.types", "feel.values"},
    "checker": BASE
    | {"feel", "workbook.tables", "workbook.messages", "workbook.kinds", "workbook.language"}
    | {"model"},
    "evaluator": BASE | FEEL_MEANING | {"model", *SHARED_BY_ENGINES},
    "prepared": BASE | FEEL_MEANING | {"model", *SHARED_BY_ENGINES, "evaluator"},
    "verifier": BASE | FEEL_MEANING | {"model", "records", "evaluator"},
    "compilers": BASE | FEEL_MEANING | {"model", "failures", "runtime", "cache", "__init__"},
    "runtime": BASE | FEEL_MEANING | SHARED_BY_ENGINES,
    "table_reasons": {"provenance", "model", "compilers", "evaluator", "prepared"},
    "pages": BASE | FEEL_MEANING | {"model", "files"},
    "logs": BASE | FEEL_MEANING | {"model", "records", "files", "spreadsheet"},
    "answers": BASE | FEEL_MEANING | {"model", *READ_AND_ANSWER, "spreadsheet"},
    "columnar": BASE | FEEL_MEANING | {"model", *READ_AND_ANSWER, "answers"},
    "spark": BASE | FEEL_MEANING | {"model", *READ_AND_ANSWER, "answers"},
    "audit": BASE | FEEL_MEANING | {"model", *READ_AND_ANSWER, "answers"},
    "choosing": {"model", "logs", "answers", "columnar", "spark"},
    "mutation": BASE
    | {"feel", "workbook", "model", "checker", "evaluator", "prepared", "verifier", "compilers"}
    | {"records", "merging", "logs", "answers"},
    "authoring": BASE
    | {"model", "spreadsheet", "workbook", "loaded", "ruleset", "answers", "pages", "files"},
    "versions": BASE | {"workbook", "records", "logs", "answers", "evaluator", "ruleset"},
    "loaded": BASE | {"cache", "files", "model", "compilers", "answers"},
    "dmn": BASE | {"feel", "model", "checker", "evaluator", "records", "workbook.tables"},
}
ABOVE = {"ruleset", "pytest_plugin", "cli", "__init__", "__main__"}
NOBODY_IMPORTS = {"cli", "pytest_plugin"}

DOORS: dict[str, set[str]] = {
    "openpyxl": {"spreadsheet", "authoring"},
    "defusedxml": {"dmn"},
    "click": {"cli"},
    "rich": {"cli"},
    "jinja2": {"pages"},
    "typst": {"pages"},
    "fontTools": {"pages"},
    "markupsafe": {"pages"},
    "pandas": {"columnar", "ruleset"},
    "numpy": {"columnar", "logs"},
    "pyspark": {"spark"},
    "py4j": {"spark"},
    "msgspec": {"records", "answers"},
    "pyarrow": {"columnar", "logs", "answers", "spark"},
    "sqlglot": {"compilers"},
    "pytest": {"pytest_plugin"},
}
"""Other libraries have no business here at all."""


@cache
def modules() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


@cache
def nodes(path: Path) -> list[ast.AST]:
    return list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def dotted(path: Path) -> str:
    parts = list(path.relative_to(SOURCE).with_suffix("").parts)
    if len(parts) > 1 and parts[-1] == "__init__":
        parts.pop()
    return ".".join(parts)


def imports(path: Path) -> Iterator[str]:
    for node in nodes(path):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=module, names=names, level=0) if module:
                inner = [f"{module}.{alias.name}" for alias in names]
                yield from (name if is_module(name) else module for name in inner)


@cache
def is_module(name: str) -> bool:
    place = SOURCE.parent / name.replace(".", "/")
    return place.is_dir() or place.with_suffix(".py").is_file()


def room(module: str) -> str:
    return module.split(".")[0]


def test_imports_point_one_way() -> None:
    wrong = []
    for path in modules():
        own = room(dotted(path))
        for name in imports(path):
            if not name.startswith("dtables.") and name != "dtables":
                continue
            target = name.removeprefix("dtables").removeprefix(".") or "__init__"
            if room(target) in NOBODY_IMPORTS and own not in ABOVE:
                wrong.append(f"{dotted(path)} imports {target}")
            if own in ABOVE or room(target) == own:
                continue
            if own not in ROOMS:
                wrong.append(f"{own} is no room of ARCHITECTURE.md")
            elif not any(target == a or target.startswith(a + ".") for a in ROOMS[own]):
                wrong.append(f"{dotted(path)} imports {target}; {own} may import {sorted(ROOMS[own])}")
    assert wrong == []


def test_libraries_have_their_doors() -> None:
    wrong = []
    for path in modules():
        for library in {name.split(".")[0] for name in imports(path)}:
            known = library == "dtables" or library in sys.stdlib_module_names
            if not known and room(dotted(path)) not in DOORS.get(library, set()):
                wrong.append(f"{dotted(path)} imports {library}")
    assert wrong == []


def test_only_one_place_runs_text_and_one_prints() -> None:
    wrong = []
    for path in modules():
        for node in nodes(path):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                called, here = node.func.id, dotted(path)
                runs = called == "exec" and not here.startswith("compilers.python")
                prints = called == "print" and here != "cli"
                if runs or prints or called in ("eval", "__import__"):
                    wrong.append(f"{here}:{node.lineno} calls {called}")
    assert wrong == []


@pytest.mark.parametrize("room_name", ROOMS)
def test_the_map_speaks_of_what_there_is(room_name: str) -> None:
    """What was renamed is no longer kept apart by its old name."""
    for name in (room_name, *ROOMS[room_name] - {"__init__"}):
        assert is_module(f"dtables.{name}"), f"there is no {name}"
    assert {room_name} & set(map(room, map(dotted, modules()))), room_name


def test_doors_are_of_rooms_that_open_them() -> None:
    opened = {(name.split(".")[0], room(dotted(path))) for path in modules() for name in imports(path)}
    for path in modules():
        called = re.findall(r'import_module\("(\w+)', path.read_text(encoding="utf-8"))
        opened |= {(name, room(dotted(path))) for name in called}
    said = {(library, room_name) for library, rooms in DOORS.items() for room_name in rooms}
    assert not said - opened, said - opened


WRITING = {
    "write_text", "write_bytes", "touch", "mkdir", "mkstemp", "mkdtemp", "NamedTemporaryFile",
    "TemporaryDirectory", "SpooledTemporaryFile", "rmtree", "rename", "makedirs", "symlink_to", "hardlink_to",
}  # fmt: skip
MAKES_A_FOLDER = {("cache", "mkdir")}


def test_only_one_place_writes_files() -> None:
    """There it is said how; a folder that is a cache is made by the cache."""
    calls = [
        (dotted(path), node)
        for path in modules()
        if dotted(path) != "files"
        for node in nodes(path)
        if isinstance(node, ast.Call)
    ]
    wrong = []
    for here, node in calls:
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        writes = called in WRITING and (here, called) not in MAKES_A_FOLDER
        if called == "open" and not any(word.arg == "force_zip64" for word in node.keywords):
            modes = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
            writes = any(set(mode) <= set("wax+bt") for mode in modes)
        if writes:
            wrong.append(f"{here}:{node.lineno} calls {called}")
    assert wrong == []


def test_every_room_is_in_the_map() -> None:
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    for path in sorted(SOURCE.iterdir()):
        name = path.name if path.suffix == ".py" else f"{path.name}/"
        if path.name.startswith("_") or path.suffix not in ("", ".py") or path.name == "py.typed":
            continue
        assert f"`{name}`" in page, f"ARCHITECTURE.md does not say what {name} is"


# -- tests ---------------------------------------------------------------------------------------

FACES = {
    "__init__", "ruleset", "cli", "provenance", "diagnostics", "terminal", "files", "failures", "merging",
    "cache", "choosing", "feel.types", "feel.values", "feel.builtins", "feel.syntax.ast",
    "feel.syntax.parser", "spreadsheet.cells", "spreadsheet.reader", "spreadsheet.writer", "workbook.cells",
    "workbook.tables", "workbook.layout", "workbook.kinds", "model.tables", "model.expressions",
    "model.reach",
    "model.regions", "model.grid", "checker", "checker.messages", "evaluator", "evaluator.explain",
    "verifier", "dmn", "compilers.python", "compilers.sql", "runtime", "records.findings", "records.json",
    "logs.files", "logs.jsonlines", "logs.turns", "logs.entry_form", "answers.answering", "answers.engines",
    "answers.run", "answers.examples", "columnar", "columnar.frames", "spark.logs", "spark.frames",
    "audit.audit", "audit.page", "pages.document", "pages.compose", "pages.manual", "pages.files",
    "authoring.starting", "authoring.watching", "authoring.annotating", "authoring.dressing.dress",
    "versions.changes", "versions.tables", "mutation.run",
}  # fmt: skip
"""Modules that tests may import. Everything else may move, merge and go without a test being touched."""

PAST_A_FACE = 82
"""So many files of tests still import something else; it is to become a sixth of all."""


def test_faces_are_there() -> None:
    assert [name for name in FACES - {"__init__"} if not is_module(f"dtables.{name}")] == []


def test_tests_speak_to_faces() -> None:
    past = {
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        for name in imports(path)
        if room(name) == "dtables"
        and (name.removeprefix("dtables").removeprefix(".") or "__init__") not in FACES
    }
    assert len(past) <= PAST_A_FACE, past


def test_every_folder_of_tests_is_in_their_map() -> None:
    page = (ROOT / "tests" / "README.md").read_text(encoding="utf-8")
    folders = [path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and path.name[0] not in "._"]
    assert [name for name in folders if f"`{name}`" not in page] == []
