"""The page of an audit: one self-contained HTML file, its view filled into a template."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

TEMPLATES = Path(__file__).parent / "templates"


def print_report(report: object) -> str:
    """`report` has what `report.html.j2` shows; whoever audits logs makes it."""
    environment = Environment(
        loader=FileSystemLoader(str(TEMPLATES)),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    css = Markup((TEMPLATES / "report.css").read_text(encoding="utf-8"))
    return environment.get_template("report.html.j2").render(report=report, css=css)
