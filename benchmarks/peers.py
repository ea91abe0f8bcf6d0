"""Other engines, where they are installed; a note says who is missing."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from benchmarks.grids import Above, Cell, Column, Given, Grid, Stretch

Decide = Callable[[Given], Any]


def zen(grid: Grid) -> Decide | str:
    """GoRules Zen with a static loader, the quickest of its ways to take a dict; or why it is missing."""
    if find_spec("zen") is None:
        return "zen is not installed (pip install zen-engine): left out"
    content = {"t": _decision(grid)}
    evaluate = import_module("zen").ZenEngine({"loader": {"type": "static", "content": content}}).evaluate
    key = "answer"
    if grid.policy == "collect":
        return lambda given: [row[key] for row in evaluate("t", given)["result"]]
    return lambda given: evaluate("t", given)["result"][key]


def _decision(grid: Grid) -> dict[str, Any]:
    inputs = [
        {"id": f"i{number}", "name": c.name, "type": "expression", "field": c.name}
        for number, c in enumerate(grid.columns)
    ]
    rules = [
        {f"i{n}": _test(cell, c) for n, (cell, c) in enumerate(zip(row.cells, grid.columns, strict=True))}
        | {"_id": f"r{number}", "o": json.dumps(row.answer)}
        for number, row in enumerate(grid.rows)
    ]
    content = {
        "hitPolicy": "collect" if grid.policy == "collect" else "first",
        "passThrough": False,
        "inputs": inputs,
        "outputs": [{"id": "o", "name": "answer", "type": "expression", "field": "answer"}],
        "rules": rules,
    }
    return {
        "contentType": "application/vnd.gorules.decision",
        "nodes": [
            _node("in", "inputNode"),
            _node("table", "decisionTableNode") | {"content": content},
            _node("out", "outputNode"),
        ],
        "edges": [_edge("in", "table"), _edge("table", "out")],
    }


def _node(name: str, kind: str) -> dict[str, Any]:
    return {"id": name, "type": kind, "name": name, "position": {"x": 0, "y": 0}}


def _edge(source: str, target: str) -> dict[str, str]:
    return {"id": f"{source}-{target}", "type": "edge", "sourceId": source, "targetId": target}


def _test(cell: Cell, column: Column) -> str:
    assert not isinstance(cell, Above)
    match cell:
        case None:
            return ""
        case Stretch(low, high):
            return _stretch(low, high, column)
        case _:
            return ", ".join(json.dumps(name) for name in cell)


def _stretch(low: int, high: int, column: Column) -> str:
    return "" if (low, high) == (column.low, column.high) else f"[{low}..{high}]"
