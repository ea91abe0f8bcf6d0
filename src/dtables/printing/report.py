"""The page of an audit: one self-contained HTML file, its view filled into a template."""

from __future__ import annotations

from markupsafe import Markup

from dtables.printing.html import TEMPLATES, environment_of


def print_report(report: object) -> str:
    """`report` has what `report.html.j2` shows; whoever audits logs makes it."""
    css = Markup((TEMPLATES / "report.css").read_text(encoding="utf-8"))
    return environment_of(None).get_template("report.html.j2").render(report=report, css=css)
