"""Rulesets as Python modules. `load_source` is the only place of the project that runs generated code."""

from __future__ import annotations

import linecache
from types import ModuleType

from dtables.compilers.python.module import to_python

__all__ = ["load_source", "to_python"]


def load_source(source: str, name: str) -> ModuleType:
    """The module; tracebacks quote its lines."""
    file = f"<rules {name}>"
    module = ModuleType(name)
    module.__file__ = file
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    exec(compile(source, file, "exec"), module.__dict__)
    return module
