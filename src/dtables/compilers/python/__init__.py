"""Rulesets as Python modules. `load_source` is the only place of the project that runs generated code."""

from __future__ import annotations

import linecache
import marshal
from types import CodeType, ModuleType
from typing import TYPE_CHECKING

from dtables import cache
from dtables.collector import held_back

if TYPE_CHECKING:
    from dtables.diagnostics import Diagnostic
    from dtables.model.tables import Ruleset

__all__ = ["load_source", "to_python"]

WORTH_KEEPING = 20_000
"""Characters; what is shorter is compiled sooner than looked up."""


def to_python(ruleset: Ruleset) -> tuple[str, tuple[Diagnostic, ...]]:
    """The source of a module; whatever a checked ruleset says can be said in Python."""
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


def _code(source: str, file: str) -> CodeType:
    if len(source) < WORTH_KEEPING:
        return compile(source, file, "exec")
    key = f"{cache.key(file.encode(), source.encode())}.python"
    kept = cache.kept(key)
    if kept is not None:
        code: CodeType = marshal.loads(kept)
        return code
    code = compile(source, file, "exec")
    cache.keep(key, marshal.dumps(code))
    return code
