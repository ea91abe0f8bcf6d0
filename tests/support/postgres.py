"""A PostgreSQL cluster of our own for the tests of a process: in a temporary folder, reached through a
Unix socket, gone at the end; where PostgreSQL is missing the test is skipped."""

from __future__ import annotations

import atexit
import json
import os
import pwd
import resource
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

from tests.support.missing import missing, not_in_quick

INSTALLED = Path("/usr/lib/postgresql")
MOST_MEMORY = 2 * 1024**3
LONGEST = "60s"


@dataclass(frozen=True, slots=True)
class Cluster:
    """A running server; `folder` has its data and its socket."""

    tools: Path
    folder: Path
    user: str

    def rows(self, query: str) -> list[dict[str, Any]]:
        """The rows of one select, as the database writes them in JSON; a fraction is a Decimal."""
        text = self.run(f"select to_json(answers)::text from ({query}) answers")
        return [json.loads(line, parse_float=Decimal) for line in text.splitlines()]

    def run(self, statements: str) -> str:
        """What psql prints; RuntimeError with the server's words where it refuses."""
        command = [
            *_as(self.user),
            "psql",
            "-XqAt",
            "-v",
            "ON_ERROR_STOP=1",
            "-h",
            str(self.folder),
            "postgres",
        ]
        found = subprocess.run(
            command, input=statements, capture_output=True, encoding="utf-8", check=False, cwd="/"
        )
        if found.returncode:
            raise RuntimeError(found.stderr)
        return found.stdout


def postgres_cluster() -> Cluster:
    """Started once, in about 2 seconds."""
    not_in_quick("PostgreSQL")
    found = sorted(INSTALLED.glob("*/bin"), key=lambda path: int(path.parent.name))
    if not found or shutil.which("psql") is None:
        missing("PostgreSQL is not installed")
    return _started(found[-1])


@cache
def _started(tools: Path) -> Cluster:
    folder = Path(tempfile.mkdtemp(prefix="dtables_pg_"))
    cluster = Cluster(tools, folder, _owner())
    atexit.register(_stop, cluster)
    _stop_with_us(folder)
    shutil.chown(folder, cluster.user)
    # Not C: texts must be ordered by the numbers of their characters whatever the order of the cluster.
    locale = ["--locale-provider=icu", "--icu-locale=it", "--locale=C.UTF-8", "--encoding=UTF8"]
    _tool(cluster, "initdb", "--no-sync", "--auth=trust", f"--username={cluster.user}", *locale)
    limits = f"-c statement_timeout={LONGEST}"
    options = f"-c listen_addresses='' -c fsync=off -c jit=off -c timezone=UTC {limits} -k {folder}"
    _tool(cluster, "pg_ctl", "--wait", f"--log={folder / 'log'}", "-o", options, "start")
    return cluster


def _stop(cluster: Cluster) -> None:
    if (cluster.folder / "data" / "postmaster.pid").exists():
        _tool(cluster, "pg_ctl", "--mode=immediate", "stop")
    shutil.rmtree(cluster.folder, ignore_errors=True)


_WATCH = """
read nothing
kill -QUIT "$(head -n 1 "$0/data/postmaster.pid")"
while [ -e "$0/data/postmaster.pid" ] && [ $((n += 1)) -lt 100 ]; do sleep 0.1; done
rm -rf "$0"
"""


_WATCHING: list[subprocess.Popen[bytes]] = []


def _stop_with_us(folder: Path) -> None:
    """A process that is killed stops nothing itself: another waits until our end of a pipe is closed."""
    waiting, _ = os.pipe()
    nowhere = subprocess.DEVNULL
    command = ["sh", "-c", _WATCH, str(folder)]
    watching = subprocess.Popen(
        command, stdin=waiting, stdout=nowhere, stderr=nowhere, start_new_session=True, cwd="/"
    )
    _WATCHING.append(watching)
    os.close(waiting)


def _tool(cluster: Cluster, name: str, *arguments: str) -> None:
    command = [
        *_as(cluster.user),
        str(cluster.tools / name),
        f"--pgdata={cluster.folder / 'data'}",
        *arguments,
    ]
    # A pipe would stay open as long as the server that is started keeps it.
    nowhere = subprocess.DEVNULL
    subprocess.run(
        command, check=True, stdout=nowhere, stderr=nowhere, timeout=60, cwd="/", preexec_fn=_bounded
    )


def _bounded() -> None:
    """A select that asks for all the memory there is fails alone; the machine goes on."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def _owner() -> str:
    """The server refuses to run as root; PostgreSQL's packages bring a user of their own."""
    return "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name


def _as(user: str) -> list[str]:
    return ["runuser", "-u", user, "--"] if os.geteuid() == 0 else []
