"""The evaluator's own tests, with compiled code asked beside it: answers, findings and failures agree."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def test_evaluators_cases() -> None:
    command = [sys.executable, "-m", "pytest", "-p", "tests.agreement.engines", "tests/evaluator"]
    command += ["tests/explanations/test_causes.py", "tests/agreement/test_small_books.py"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout[-4000:]
