"""Servers that tests start do not outlive them."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.postgres import postgres_cluster

ROOT = Path(__file__).parents[2]
KILLED = """
import os, signal
from tests.support.postgres import postgres_cluster
print(postgres_cluster().folder, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.xdist_group("servers")
def test_postgres__goes_with_a_run_that_is_killed() -> None:
    postgres_cluster()
    told = subprocess.run([sys.executable, "-c", KILLED], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert told.returncode == -signal.SIGKILL
    folder = Path(told.stdout.strip())
    for _ in range(300):
        if not folder.exists():
            break
        time.sleep(0.1)
    assert not folder.exists()
