"""Made pages are fresh; written ones speak of every command."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import dtables
from dtables import cli
from tests.support.pages import BOOKS, DOCS, PAGES, ROOT, manuals


@pytest.mark.parametrize("name", PAGES)
def test_page_is_fresh(name: str) -> None:
    held(DOCS / name, PAGES[name]())


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.stem)
def test_pages_of_a_workbook_are_fresh(book: Path) -> None:
    for path, text in manuals(book).items():
        held(path, text)


def held(path: Path, text: str) -> None:
    assert path.exists(), f"{path.name} is missing; `make docs` writes it"
    assert path.read_text(encoding="utf-8") == text, f"{path.name} is stale; `make docs` rewrites it"


def test_readme_shows_every_command() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for name in cli.main.commands:
        assert re.search(rf"dtables {name}\b", readme), f"README.md does not show `dtables {name}`"


def test_readme_opens_with_the_two_commands() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```\w*\n(.*?)```", readme, re.DOTALL)
    assert [block.strip() for block in blocks[:2]] == ["make demo", "make check"]


def test_readme_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """What its Python example says in comments is what the lines above them give."""
    monkeypatch.chdir(ROOT)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    rules = dtables.load("tables/architects.xlsx")
    said = re.findall(r"^(rules\.[^#\n]*).*\n# (.*)$", example, re.MULTILINE)
    assert len(said) == 2
    for line, result in said:
        assert repr(eval(line, {"rules": rules})) == result


def test_links_lead_somewhere() -> None:
    for page in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")):
        prose = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)#\s]+)", prose):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name} links to {target}"
