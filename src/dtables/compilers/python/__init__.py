"""Rulesets as Python modules. `load_source` is the only place of the project that runs generated code."""

from __future__ import annotations

import linecache
import marshal
import re
from types import CodeType, ModuleType
from typing import TYPE_CHECKING

from dtables import cache
from dtables.collector import held_back

if TYPE_CHECKING:
    from dtables.diagnostics import Diagnostic
    from dtables.model.tables import Ruleset

__all__ = ["load_in_parts", "load_source", "to_python"]

_PARTS = re.compile(r"(?:@[^\n]*\n)*[^\s@)\]}][^\n]*\n(?:(?:[ \t)\]}][^\n]*)?\n)*")
"""Statements that begin a line, with all that belongs to them."""
LEAST_CACHED = 20_000
"""Characters; what is shorter is compiled sooner than looked up."""


def to_python(ruleset: Ruleset) -> tuple[str, tuple[Diagnostic, ...]]:
    """The source of a module; every checked ruleset can be compiled to Python."""
    from dtables.compilers.python.module import to_python as written

    with held_back():
        return written(ruleset)


def load_source(source: str, name: str) -> ModuleType:
    """The module; tracebacks quote its lines."""
    file = f"<rules {name}>"
    module = ModuleType(name)
    module.__file__ = file
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    exec(_code(source, file), module.__dict__)
    return module


def load_in_parts(source: str, name: str, codes: dict[str, CodeType]) -> ModuleType:
    """Load a module of which most parts were loaded before, in other versions: `codes` has them, compiled."""
    module = ModuleType(name)
    for part in _PARTS.findall(source):
        code = codes.get(part)
        if code is None:
            code = codes[part] = compile(part, f"<rules {name}>", "exec")
        exec(code, module.__dict__)
    return module


def _code(source: str, file: str) -> CodeType:
    if len(source) < LEAST_CACHED:
        return compile(source, file, "exec")
    key = f"{cache.key(file.encode(), source.encode())}.python"
    kept = cache.kept(key)
    if kept is not None:
        code: CodeType = marshal.loads(kept)
        return code
    code = compile(source, file, "exec")
    cache.keep(key, marshal.dumps(code))
    return code
