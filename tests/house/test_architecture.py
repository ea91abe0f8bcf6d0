"""The import map of ARCHITECTURE.md, and the doors of outside libraries."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import LEFT_OUT
from tests.support.source import ROOT, SOURCE, modules, nodes, text

BASE = {"provenance", "diagnostics", "collector", "digits", "limits", "terminal"}
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
WORDED = {"feel.types", "feel.values", "feel.builtins"}
"""What is said of values, and of what is worked out with them."""
TAPE = {"evaluator.trace", "evaluator.nesting"}
"""What the evaluator has written down of an answer, and how deep that may nest."""
READ_AND_ANSWER = {
    "records",
    "logs",
    "merging",
    "evaluator",
    "compilers",
    "runtime",
    "cache",
    "files",
    "explanations",
    "wording",
}

ROOMS: dict[str, set[str]] = {
    "cache": {"__init__", "files", "limits"},
    "compiled": {"__init__"},
    "files": set(),
    "provenance": set(),
    "collector": set(),
    "digits": set(),
    "limits": set(),
    "diagnostics": {"provenance", "terminal"},
    "terminal": set(),
    "failures": {"feel.types", "feel.values"},
    "places": {"feel.values"},
    "merging": set(),
    "feel": BASE,
    "spreadsheet": BASE | {"files"},
    "workbook": BASE | {"spreadsheet"},
    "records": {"provenance", "feel.names", "feel.types", "feel.values", "feel.numbers"},
    "model": {"provenance", "limits", "merging", "feel.types", "feel.values"},
    "checker": BASE
    | {"feel", "workbook.tables", "workbook.messages", "workbook.kinds", "workbook.language"}
    | {"model"},
    "program": {"provenance", "feel.types", "feel.values", "model"},
    "evaluator": BASE | FEEL_MEANING | {"model", "program", "runtime", *SHARED_BY_ENGINES},
    "wording": {"provenance", "model", "failures", *WORDED},
    "contract": {"model", "feel.names", "feel.types", "feel.values", "wording"},
    "explanations": {"provenance", "model", "wording", *WORDED, *TAPE},
    "verifier": BASE | FEEL_MEANING | {"model", "records", "evaluator"},
    "compilers": BASE
    | FEEL_MEANING
    | {"model", "program", "failures", "merging", "runtime", "cache", "__init__"},
    "runtime": BASE | FEEL_MEANING | SHARED_BY_ENGINES,
    "table_reasons": {
        "provenance",
        "limits",
        "feel.types",
        "model",
        "compilers",
        "evaluator",
        "explanations",
    },
    "pages": BASE | FEEL_MEANING | {"model", "files", "cache", "wording", "contract"},
    "logs": BASE | FEEL_MEANING | {"model", "records", "files", "spreadsheet", "contract"},
    "answers": BASE | FEEL_MEANING | {"model", *READ_AND_ANSWER, "spreadsheet"},
    "columnar": BASE | FEEL_MEANING | {"model", *READ_AND_ANSWER, "answers"},
    "spark": BASE | FEEL_MEANING | {"model", *READ_AND_ANSWER, "answers"},
    "audit": BASE | FEEL_MEANING | {"model", *READ_AND_ANSWER, "answers"},
    "choosing": {"model", "logs", "answers", "columnar", "spark"},
    "mutation": BASE
    | {"feel", "workbook", "model", "checker", "evaluator", "verifier", "compilers"}
    | {"records", "merging", "logs", "answers"},
    "authoring": BASE
    | {"model", "spreadsheet", "workbook", "loaded", "ruleset", "answers", "pages", "files", "versions"},
    "versions": BASE | {"model", "workbook", "records", "logs", "answers", "evaluator", "ruleset"},
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
    "msgspec": {"records"},
    "pyarrow": {"columnar", "logs", "answers", "spark"},
    "sqlglot": {"compilers"},
    "pytest": {"pytest_plugin"},
}
"""Other libraries have no business here at all."""


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


def test_limits_are_asked_for_where_they_are_used() -> None:
    """What a module or a default keeps of them stays as it was when a test sets them."""
    kept = []
    for path in modules():
        inside = {
            id(node)
            for function in nodes(path)
            if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
            for statement in (function.body if isinstance(function.body, list) else [function.body])
            for node in ast.walk(statement)
        }
        kept += [
            f"{dotted(path)}:{node.lineno}"
            for node in nodes(path)
            if isinstance(node, ast.Name) and node.id == "LIMITS" and id(node) not in inside
            if dotted(path) != "limits"
        ]
    assert kept == []


@pytest.mark.parametrize("room_name", ROOMS)
def test_the_map_speaks_of_what_there_is(room_name: str) -> None:
    """What was renamed is no longer kept apart by its old name."""
    for name in (room_name, *ROOMS[room_name] - {"__init__"}):
        assert is_module(f"dtables.{name}"), f"there is no {name}"
    assert {room_name} & set(map(room, map(dotted, modules()))), room_name


def test_doors_are_of_rooms_that_open_them() -> None:
    opened = {(name.split(".")[0], room(dotted(path))) for path in modules() for name in imports(path)}
    for path in modules():
        called = re.findall(r'import_module\("(\w+)', text(path))
        opened |= {(name, room(dotted(path))) for name in called}
    said = {(library, room_name) for library, rooms in DOORS.items() for room_name in rooms}
    assert not said - opened, said - opened


WORDED = {"Finding", "Words", "Refused", "Unread", "NoJson", "OversizedText"}


def test_only_one_place_words_what_is_wrong_with_a_record() -> None:
    """Elsewhere it is said what is wrong, and never in which words."""
    wrong = []
    for path in modules():
        for node in nodes(path):
            called = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
            if called not in WORDED or dotted(path) in ("records.findings", "checker.unread"):
                continue
            worded = any(
                isinstance(part, ast.JoinedStr)
                or (isinstance(part, ast.Constant) and isinstance(part.value, str))
                for part in ast.walk(node)
            )
            if worded or called in ("Finding", "Words"):
                wrong.append(f"{dotted(path)}:{node.lineno} calls {called}")
    assert wrong == []


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


def test_the_map_names_files_that_are_there() -> None:
    """But for its decisions, which were taken in their time. A bare name may stand in any folder of ours."""
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").partition("## Decisions")[0]
    named = set(re.findall(r"`([\w/]+(?:\.(?:py|md|txt)|/))`", page))
    bare = {path.name for top in ("src", "tests", "benchmarks") for path in (ROOT / top).rglob("*")}
    lacking = [
        name
        for name in sorted(named)
        if not ((ROOT / name).exists() or (SOURCE / name).exists() or name.rstrip("/") in bare)
    ]
    assert lacking == []


def test_every_room_is_in_the_map() -> None:
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    for path in sorted(SOURCE.iterdir()):
        name = path.name if path.suffix == ".py" else f"{path.name}/"
        if path.name.startswith("_") or path.suffix not in ("", ".py") or path.name == "py.typed":
            continue
        assert f"`{name}`" in page, f"ARCHITECTURE.md does not say what {name} is"


# -- tests ---------------------------------------------------------------------------------------

FACES = {
    # the root
    "__init__", "ruleset", "cli", "provenance", "diagnostics", "limits", "terminal", "files", "failures",
    "merging", "cache", "choosing", "loaded",
    # the expression language: what rooms behind the checker may know of it, and its text
    "feel.types", "feel.values", "feel.builtins", "feel.names", "feel.numbers", "feel.limits",
    "feel.errors",
    "feel.syntax.ast", "feel.syntax.parser", "feel.syntax.printer",
    "spreadsheet.reader", "spreadsheet.writer", "workbook.cells", "workbook.tables", "workbook.layout",
    "workbook.kinds", "workbook.language",
    # a model has no inside
    "model.tables", "model.vocabularies", "model.constants", "model.expressions", "model.reach",
    "model.regions", "model.grid", "model.claims", "model.index",
    "checker", "evaluator", "evaluator.trace", "verifier", "verifier.parts",
    "dmn", "compilers.python", "compilers.sql", "runtime", "records.findings", "records.json",
    # what a room says to people
    "feel.syntax.messages", "spreadsheet.messages", "workbook.messages", "checker.messages",
    "verifier.messages", "compilers.sql.messages", "pages.messages",
    "logs.files", "logs.jsonlines", "logs.turns", "logs.columns", "logs.csv", "logs.entry_form",
    "answers.answering", "answers.engines", "answers.run", "answers.parts", "answers.output",
    "answers.processes", "answers.examples", "columnar", "columnar.frames", "spark.logs", "spark.frames",
    "spreadsheet.cells", "spreadsheet.formats",
    "audit.audit", "audit.misplays", "audit.page", "pages.report", "pages.html", "pages.document",
    "pages.compose", "pages.manual", "pages.files", "pages.pointers", "pages.typography",
    "authoring.starting", "authoring.watching", "authoring.annotating", "authoring.dressing.dress",
    "authoring.dressing.translation",
    "versions.changes", "versions.tables", "versions.wordings",
    "mutation.run", "mutation.trial", "mutation.report",
    "contract", "explanations.plain", "explanations.render", "wording.expressions", "wording.labels",
    "wording.phrases", "wording.values",
}  # fmt: skip
"""Modules that tests may import: what other rooms, or commands, read of a room, and what it says to people.
Everything else may move, merge and go without a test being touched."""

PAST_A_FACE = 1 / 6
"""So many files of tests may import something else: algorithms with properties of their own, which move with
their module."""


def test_faces_are_there() -> None:
    assert [name for name in FACES - {"__init__"} if not is_module(f"dtables.{name}")] == []


def test_tests_speak_to_faces() -> None:
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    past = {
        str(path.relative_to(ROOT))
        for path in files
        for name in imports(path)
        if room(name) == "dtables"
        and (name.removeprefix("dtables").removeprefix(".") or "__init__") not in FACES
    }
    assert len(past) <= len(files) * PAST_A_FACE, past


ORACLE = FEEL_MEANING | {"provenance", "model", "failures"}
"""What says what a workbook means may not stand on what is held to it."""


def test_the_oracle_stands_on_no_engine() -> None:
    wrong = []
    for path in sorted((ROOT / "tests" / "oracle").rglob("*.py")):
        for name in imports(path):
            target = name.removeprefix("dtables.")
            ours = room(name) == "dtables" and any(target == a or target.startswith(f"{a}.") for a in ORACLE)
            if not (ours or name.startswith("tests.oracle") or name.split(".")[0] in sys.stdlib_module_names):
                wrong.append(f"{path.name} imports {name}")
    assert wrong == []


def test_every_folder_of_tests_is_in_their_map() -> None:
    page = (ROOT / "tests" / "README.md").read_text(encoding="utf-8")
    folders = [path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and path.name[0] not in "._"]
    assert [name for name in folders if f"`{name}`" not in page] == []


def test_marks_are_of_what_there_is() -> None:
    assert [place for place in LEFT_OUT if not place.exists()] == []
