"""The pages of an audit: one self-contained HTML file, and its summary on paper."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup, escape

from dtables.pages.html import TEMPLATES, environment_of
from dtables.pages.letters import FONTS
from dtables.pages.typesetting import typesetter


def print_report(report: object) -> str:
    """`report` has what `report.html.j2` shows; whoever audits logs makes it."""
    css, js = (Markup((TEMPLATES / name).read_text(encoding="utf-8")) for name in ("report.css", "report.js"))
    environment = environment_of(None)
    environment.filters["with_code"] = _with_code
    environment.policies["json.dumps_kwargs"] = {"sort_keys": False, "ensure_ascii": False}
    return environment.get_template("report.html.j2").render(report=report, css=css, js=js)


def _with_code(text: str) -> Markup:
    """What stands between backticks as code."""
    parts = text.split("`")
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if n % 2 else escape(part) for n, part in enumerate(parts)
    )


def print_summary(summary: Mapping[str, Any]) -> bytes:
    """A PDF of what `report.typ` shows, in one language. TypesettingError where typst fails."""
    source: dict[str, Any] = {
        "input": str(TEMPLATES / "report.typ"),
        "root": str(TEMPLATES),
        "font_paths": [str(FONTS)],
        "ignore_system_fonts": True,
        "sys_inputs": {"data": json.dumps(summary, ensure_ascii=False)},
    }
    with typesetter() as process:
        pages, _ = process.pages(source, "pdf", 144.0)
    return pages[0]
