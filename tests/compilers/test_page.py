"""The page on compiled rules, tried."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from dtables.ruleset import load

ROOT = Path(__file__).parent.parent.parent


def test_the_code_of_the_page_runs(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text(load(ROOT / "tables" / "architects.xlsx").source, encoding="utf-8")
    page = (ROOT / "docs" / "compiled.md").read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL))
    assert "rules.answer(" in code
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
