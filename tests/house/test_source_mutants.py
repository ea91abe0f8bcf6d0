"""The script that tries changes of the source: which it makes, and their fate in a small project."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.source_changes import picked, statements
from tests.support.source_mutants import Asked, report, results
from tests.support.source_reach import moved_lines

ROOT = Path(__file__).parents[2]


def changed(text: str) -> set[str]:
    """The new line of each change, without its indent."""
    found = [change for _, _, changes in statements("m.py", text) for change in changes]
    return {change.diff(text).rpartition("\n+")[2].strip() for change in found}


@pytest.mark.parametrize(
    ("line", "some"),
    [
        ("x = a < 3", {"x = a <= 3", "x = a > 3", "x = a < 4", "x = a < 2"}),
        ("x = a is None or b", {"x = a is not None or b", "x = a is None and b", "x = b", "x = a is None"}),
        ("x = not a in b[1:]", {"x = a in b[1:]", "x = not a not in b[1:]", "x = not a in b[:]"}),
        ("x = [a for a in b if a]", {"x = [a for a in b if True]", "x = [a for a in b if not (a)]"}),
        ("x = f(a, b, deep=True)", {"x = f(b, a, deep=True)", "x = f(a, b, deep=False)", "x = f(a, b)"}),
        ("x = min(a.start, -b)", {"x = max(a.start, -b)", "x = min(a.end, -b)", "x = min(a.start, b)"}),
        ("x = a['k'] + a.get('k')", {"x = a['kx'] + a.get('k')", "x = a['k'] - a.get('k')"}),
        ("x = (1, 'two', c)", {"x = ('two', c)", "x = (1, c)", "x = (1, 'two')"}),
        ("x.append(1)", {"pass", "x.extend(1)", "x.append(2)"}),
        ("if a: b = c", {"if not (a): b = c", "if False: b = c"}),
        ("def f(a, b=1): return a", {"def f(a, b=2): return a"}),
    ],
)
def test_changes_of_a_line(line: str, some: set[str]) -> None:
    assert some <= changed(line)


@pytest.mark.parametrize(
    "line",
    [
        '"""More than 1 word."""', "import a", "x: list[int]", "x = 'many words of a message'",
        "assert a > 1", "x = f'{a > 1}'", "__slots__ = ('a', 'b', 'c')",
        "def f(a: int = None) -> bool | None: pass",
    ],
)  # fmt: skip
def test_lines_that_are_left_alone(line: str) -> None:
    assert changed(line) == set()


def test_names_that_may_be_mistaken() -> None:
    text = "def f(low: int, high: int, word: str):\n    for a, b in word:\n        use(low, a)\n"
    assert {"use(high, a)", "use(low, b)"} <= changed(text)
    assert not {"use(word, a)", "use(low, low)"} & changed(text)


def test_picks_stay_when_other_code_comes_and_goes() -> None:
    text = "".join(f"def f{n}(a):\n    return a < {n}\n\n\n" for n in range(30))
    more = "def g(a):\n    return a[0]\n\n\n" + text.replace("f7(", "h(")
    first, again, other = (
        [c.diff(t) for c in picked({"m.py": t}, s)] for t, s in [(text, 1), (text, 1), (text, 2)]
    )
    assert first == again != other
    kept = [c.diff(more) for c in picked({"m.py": more}, 1)]
    assert [diff for diff in kept if diff in first] == [diff for diff in first if "< 7" not in diff]


def test_lines_are_followed() -> None:
    assert moved_lines({"m": "a\nb\nc", "n": "x"}, {"m": "a\nnew\nb\nd", "n": "x"}) == {
        "m": {1: 1, 2: 1, 3: 2, 4: 3}
    }


MODULE = '''\
"""A module."""


def small(a: int) -> bool:
    """Whether it is."""
    return a < 10


def unseen(a: int) -> bool:
    return a > 3


def counted(a: int) -> int:
    while a < 3:
        a += 1
    return a
'''
TESTS = """\
from dtables.room.module import counted, small

def test_small():
    assert small(9) and not small(11)

def test_counted():
    assert counted(0) == 3
"""


FILES = {
    "pyproject.toml": '[tool.pytest.ini_options]\nfilterwarnings = ["error"]\n',
    "src/dtables/__init__.py": "",
    "src/dtables/pytest_plugin.py": "",
    "src/dtables/room/__init__.py": "",
    "src/dtables/room/module.py": MODULE,
    "tests/test_module.py": TESTS,
}


def test_a_small_project(tmp_path: Path) -> None:
    """A bound that no test is at survives, a loop without end is caught, what no test calls is apart."""
    root, folder = tmp_path / "project", tmp_path / "kept"
    support = ROOT / "tests" / "support"
    shutil.copytree(support, root / "tests" / "support", ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    folder.mkdir()
    asked = Asked(13, ("room",), 20, 1, False, False, 2.0, 60.0, folder)
    found = list(results(asked, root))
    assert {result.diff.rpartition("\n+")[2].strip(): result.fate for result in found} == {
        "return a <= 10": "survived",
        "while a <= 3:": "caught",
        "return a >= 3": "unreached",
        "a += 0": "caught",
    }
    assert report(found).splitlines() == [
        "room: 2 caught, 1 survived, 1 that no test reaches",
        "",
        "Survived:",
        "",
        "room/module.py:6: comparison",
        "-    return a < 10",
        "+    return a <= 10",
        "",
        "Reached by no test:",
        "",
        "room/module.py:10: comparison",
        "-    return a > 3",
        "+    return a >= 3",
        "",
        "2 of 3 caught: 66.7 %",
    ]
    assert (root / "src/dtables/room/module.py").read_text() == MODULE
