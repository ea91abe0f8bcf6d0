"""One-token changes of the source, and which of them no test notices.

    python -m tests.support.source_mutants --seed 1 --rooms checker,flat --per-room 8

Changes are made in copies of the tree, never in the tree. Each is put to the tests that reach its line,
cheapest first, until one fails; an endless loop counts as caught. What the tests reach is found out once and
kept outside the repository until source or tests change. Survivors are printed, for a person to judge: some
change no behaviour.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field, replace
from itertools import accumulate
from pathlib import Path
from queue import SimpleQueue
from select import select

import psutil

from tests.support.source_changes import Change, picked
from tests.support.source_reach import (
    FAILED,
    LONGEST_START,
    OVERTIME,
    WANTED,
    FileReach,
    file_reach,
    is_known,
    moved_lines,
)
from tests.support.thinned import FULL

ROOT = Path(__file__).parents[2]
SOURCE = Path("src") / "dtables"
ROOT_ROOM = "root"
SOURCES = "sources.json"
MOST_KEPT = 8
PATIENCE = 30.0
LOOK = 0.25
"""Seconds between two looks at what a test takes.
"""
PER_ROOM = 8
FIRST_SECONDS = 8.0
"""What the first tests a change is put to may take together: most changes are caught by these."""
FINE = (0, 5)
"""pytest's codes when nothing failed, and when there was nothing to run."""
MOST_MEMORY = 5 * 1024**3


@dataclass(frozen=True, slots=True)
class Result:
    room: str
    where: str
    kind: str
    diff: str
    fate: str
    """caught, survived or unreached."""
    test: str
    seconds: float

    @property
    def key(self) -> tuple[str, str]:
        return self.where.partition(":")[0], self.diff


@dataclass(frozen=True, slots=True)
class Asked:
    seed: int
    rooms: tuple[str, ...]
    per_room: int
    processes: int
    again: bool
    stale: bool
    patience: float
    """Seconds that a test may take beyond twenty times what it took before."""
    within: float
    """Seconds of the tests that a change is put to, the cheapest first."""
    folder: Path


# Copies of the tree.


def copied(root: Path, place: Path) -> Path:
    """A copy with an environment of its own, in which `dtables` is the copy's."""
    copy = place / root.name
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    files = subprocess.run(listed, cwd=root, capture_output=True, text=True, check=True).stdout.split("\0")
    for file in filter(None, files):
        if (root / file).is_file():
            (copy / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / file, copy / file)
    for beside in root.resolve().parent.glob("shared"):
        (place / "shared").symlink_to(beside.resolve())
    packages = copy / ".venv" / Path(sysconfig.get_path("purelib")).relative_to(sys.prefix)
    packages.mkdir(parents=True)
    (packages / "copy.pth").write_text(
        f"{copy / 'src'}\nimport site; site.addsitedir({sysconfig.get_path('purelib')!r})\n"
    )
    python = python_of(copy)
    python.parent.mkdir()
    python.symlink_to(Path(sys.executable).resolve())
    home = Path(sys.executable).resolve().parent
    (copy / ".venv" / "pyvenv.cfg").write_text(f"home = {home}\ninclude-system-site-packages = false\n")
    subprocess.run([python, "-m", "compileall", "-q", "src", "tests"], cwd=copy, check=True)
    return copy


def python_of(copy: Path) -> Path:
    return copy / ".venv" / "bin" / "python"


# What is changed.


def room_of(module: str) -> str:
    """A package of dtables; the two compilers are two, modules of the root together are one."""
    parts = module.split("/")
    if len(parts) == 1:
        return ROOT_ROOM
    return "/".join(parts[:2]) if parts[0] == "compilers" and len(parts) > 2 else parts[0]


def source_texts(root: Path) -> dict[str, str]:
    folder = root / SOURCE
    return {str(p.relative_to(folder)): p.read_text(encoding="utf-8") for p in sorted(folder.rglob("*.py"))}


def rooms_of(texts: dict[str, str], wanted: Iterable[str]) -> dict[str, dict[str, str]]:
    rooms: dict[str, dict[str, str]] = {}
    for module, text in texts.items():
        if text.strip():
            rooms.setdefault(room_of(module), {})[module] = text
    unknown = set(wanted) - set(rooms)
    if unknown:
        raise SystemExit(f"no such rooms: {', '.join(sorted(unknown))}; there are {', '.join(sorted(rooms))}")
    return {name: rooms[name] for name in (wanted or sorted(rooms))}


# Which tests are asked.


@dataclass(frozen=True, slots=True)
class Tests:
    """Test files with what they reach, and the stages in which a change is put to them."""

    files: dict[str, FileReach]
    texts: dict[str, str]
    within: float

    def stages(self, change: Change) -> list[dict[str, float]]:
        """Tests with the seconds they take: first the cheapest files, then all that reach the line, then
        others of the same files, which may stand on what those worked out."""
        seen: dict[str, set[str]] = {}
        for file, reach in self.files.items():
            found: set[str] = set().union(*(reach.tests_at(m, change.lines) for m in self._modules(change)))
            if found:
                seen[file] = found if found != {""} else {*reach.seconds}
        cheap = sorted(seen, key=lambda file: self._cost(file, seen[file], change))
        first: dict[str, float] = {}
        second: dict[str, float] = {}
        third: dict[str, float] = {}
        spent = 0.0
        for file in cheap:
            seconds = self.files[file].seconds
            direct = sorted((s, test) for test, s in seconds.items() if test in seen[file])
            for s, test in direct:
                spent += s
                (first if spent < FIRST_SECONDS or not first else second)[test] = s
            third.update((test, s) for test, s in seconds.items() if test not in seen[file])
        if spent > self.within:
            second, third = _cheapest(second, self.within - sum(first.values())), {}
        return [stage for stage in (first, second, third) if stage]

    def _cost(self, file: str, tests: set[str], change: Change) -> float:
        """The tests of the room itself are asked sooner."""
        reach = self.files[file]
        own = room_of(change.path).replace("compilers/sql", "compilers_sql").split("/")[0]
        cost = reach.start + sum(reach.seconds.get(test, 0.0) for test in tests)
        return cost * (0.3 if f"/{own}/" in file else 1.0)

    def _modules(self, change: Change) -> list[str]:
        """Of a change outside functions: also the modules that speak of what is named there."""
        if change.lines:
            return [change.path]
        using = re.compile(rf"\b({'|'.join(change.names) or '-'})\b")
        return [module for module, text in self.texts.items() if module == change.path or using.search(text)]


def _cheapest(tests: dict[str, float], within: float) -> dict[str, float]:
    spent = accumulate(tests.values())
    return {test: s for (test, s), so_far in zip(tests.items(), spent, strict=True) if so_far <= within}


def all_reach(root: Path, copies: list[Path], asked: Asked) -> dict[str, FileReach]:
    """What each test file reaches. What is known of another state of the source serves where that is asked
    for: its lines are followed through the changes."""
    test_files = [*sorted((root / "tests").rglob("test_*.py")), *sorted((root / "tables").glob("*.xlsx"))]
    texts = source_texts(root)
    current = asked.folder / f"reach-{_digest(_support(root), texts)[:16]}"
    current.mkdir(exist_ok=True)
    (current / SOURCES).write_text(json.dumps(texts))
    known = sorted(asked.folder.glob("reach-*"), key=lambda folder: -folder.stat().st_mtime)
    for old in known[MOST_KEPT:]:
        shutil.rmtree(old)
    states = [current, *(folder for folder in known if asked.stale and folder != current)]
    moved = {s: moved_lines(json.loads((s / SOURCES).read_text()), texts) for s in states if s.exists()}
    free: SimpleQueue[Path] = SimpleQueue()
    for copy in copies:
        free.put(copy)

    def one(path: Path) -> tuple[str, FileReach]:
        name, place = str(path.relative_to(root)), f"{path.stem}-{_digest([path], {})[:16]}"
        state = next((state for state in moved if is_known(state / place)), current)
        copy = free.get()
        try:
            return name, file_reach(copy, python_of(copy), name, state / place, moved[state])
        finally:
            free.put(copy)

    with ThreadPoolExecutor(len(copies)) as pool:
        return dict(pool.map(one, test_files))


def _support(root: Path) -> list[Path]:
    """What tests are made with, and what modules read; these modules aside."""
    files = [path for path in (root / "tests").rglob("*.*") if not path.name.startswith("test_")]
    beside = [path for path in (root / "src").rglob("*.*") if path.suffix != ".py"]
    mine = [path for path in files if not path.name.startswith("source_")]
    found = [*mine, *beside, *(root / "tables").glob("*")]
    return [
        path for path in found if path.is_file() and path.suffix != ".pyc" and ".egg-info" not in str(path)
    ]


def _digest(paths: Iterable[Path], texts: dict[str, str]) -> str:
    digest = hashlib.sha256(json.dumps(texts).encode())
    for path in sorted(paths):
        digest.update(f"{path.name}\0".encode() + path.read_bytes())
    return digest.hexdigest()


# Putting a change to the tests.


@dataclass(slots=True)
class Bench:
    """A copy of the tree, and a process of it that forks for each stage: libraries are imported once."""

    copy: Path
    patience: float
    server: subprocess.Popen[str]
    broken: set[str] = field(default_factory=set)

    def tried(self, change: Change, text: str, stages: list[dict[str, float]]) -> tuple[str, str]:
        """The change's fate, and the test that caught it: one that holds without the change."""
        for stage in stages:
            left = {test: s for test, s in stage.items() if test not in self.broken}
            while left:
                with self._changed(change, text):
                    code, test = self._run(left)
                if code in FINE:
                    break
                if self._holds(test, left):
                    return "caught", f"{test} ({code})" if code != 1 else test
                self.broken.add(test)
                del left[test]
        return "survived", ""

    @contextmanager
    def _changed(self, change: Change, text: str) -> Iterator[None]:
        place = self.copy / SOURCE / change.path
        kept = place.with_suffix(".kept")
        shutil.copy2(place, kept)
        try:
            place.write_text(change.applied(text), encoding="utf-8")
            yield
        finally:
            shutil.copy2(kept, place)
            kept.unlink()

    def _holds(self, test: str, stage: dict[str, float]) -> bool:
        if test in stage:
            return self._run({test: stage[test]})[0] in FINE
        code, at = self._run(
            {first: stage[first] for first in {_file(test): test for test in stage}.values()}
        )
        if code not in FINE and at not in stage:
            raise SystemExit(f"the tests cannot be run without any change either: {', '.join(stage)}")
        return True

    def _run(self, stage: dict[str, float]) -> tuple[int, str]:
        """pytest's exit code, and the test it was at."""
        with tempfile.TemporaryDirectory() as folder:
            wanted, failed = Path(folder) / "wanted.json", Path(folder) / "failed"
            limits = {test: self.patience + 20 * seconds for test, seconds in stage.items()}
            wanted.write_text(json.dumps(limits))
            files = dict.fromkeys(map(_file, stage))
            job = {
                "environment": {WANTED: str(wanted), FAILED: str(failed), "TMPDIR": folder},
                "arguments": ["-x", "--tb=no", "--no-header", *files],
            }
            assert self.server.stdin is not None
            print(json.dumps(job), file=self.server.stdin, flush=True)
            code = self._watched(LONGEST_START + sum(limits.values()))
            return code, failed.read_text() if failed.exists() else "while tests were collected"

    def _watched(self, longest: float) -> int:
        """The exit code of the fork; it is ended when it takes too long or too much."""
        assert self.server.stdout is not None
        pid, until, ended = int(self.server.stdout.readline()), time.monotonic() + longest, False
        family: list[psutil.Process] = []
        while not select([self.server.stdout], [], [], LOOK)[0]:
            family = _family(pid)
            if time.monotonic() > until or sum(map(_memory, family)) > MOST_MEMORY:
                ended = True
                _end(family)
        code = int(self.server.stdout.readline())
        _end(family)
        return OVERTIME if ended else code


@contextmanager
def bench(copy: Path, patience: float) -> Iterator[Bench]:
    environment = {**os.environ, FULL: "1", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [str(python_of(copy)), "-m", "tests.support.source_reach"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=copy, env=environment, stdin=pipe, stdout=pipe, text=True) as server:
        yield Bench(copy, patience, server)


def _file(test: str) -> str:
    return test.partition("::")[0]


def _end(processes: list[psutil.Process]) -> None:
    for one in processes:
        if one.is_running():
            one.kill()


def _family(pid: int) -> list[psutil.Process]:
    try:
        own = psutil.Process(pid)
        return [own, *own.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def _memory(process: psutil.Process) -> int:
    try:
        found: int = process.memory_info().rss
        return found
    except psutil.NoSuchProcess:
        return 0


# The whole of it.


def results(asked: Asked, root: Path = ROOT) -> Iterator[Result]:
    """The fate of each change, as it is known."""
    texts = source_texts(root)
    rooms = rooms_of(texts, asked.rooms)
    earlier = {result.key: result for result in _earlier(asked)} if asked.again else {}
    with tempfile.TemporaryDirectory(prefix="dtables-mutants-") as place, ExitStack() as open_ones:
        copies = [copied(root, Path(place) / str(n)) for n in range(asked.processes)]
        tests = Tests(all_reach(root, copies, asked), texts, asked.within)
        free: SimpleQueue[Bench] = SimpleQueue()
        for copy in copies:
            free.put(open_ones.enter_context(bench(copy, asked.patience)))

        def one(room: str, change: Change, stages: list[dict[str, float]]) -> Result:
            text, began = texts[change.path], time.monotonic()
            where = f"{change.path}:{change.line(text)}"
            result = Result(room, where, change.kind, change.diff(text), "unreached", "", 0)
            before = earlier.get(result.key)
            if not stages:
                return result
            if before is not None and before.fate == "caught":
                return before
            own = free.get()
            try:
                fate, test = own.tried(change, text, stages)
            finally:
                free.put(own)
            return replace(result, fate=fate, test=test, seconds=round(time.monotonic() - began, 1))

        with ThreadPoolExecutor(asked.processes) as pool:
            waiting = []
            for room, modules in rooms.items():
                reached = 0
                for change in picked(modules, asked.seed):
                    stages = tests.stages(change)
                    waiting.append(pool.submit(one, room, change, stages))
                    reached += bool(stages)
                    if reached == asked.per_room:
                        break
            for future in waiting:
                yield future.result()


def _log(asked: Asked) -> Path:
    return asked.folder / f"results-{asked.seed}.jsonl"


def _earlier(asked: Asked) -> Iterator[Result]:
    if _log(asked).exists():
        for line in _log(asked).read_text(encoding="utf-8").splitlines():
            yield Result(**json.loads(line))


def report(found: list[Result]) -> str:
    lines = []
    for room in dict.fromkeys(result.room for result in found):
        fates = [result.fate for result in found if result.room == room]
        caught, survived, unreached = (fates.count(f) for f in ("caught", "survived", "unreached"))
        apart = f", {unreached} that no test reaches" if unreached else ""
        lines.append(f"{room}: {caught} caught, {survived} survived{apart}")
    for title, fate in (("Survived", "survived"), ("Reached by no test", "unreached")):
        some = [result for result in found if result.fate == fate]
        if some:
            lines += ["", f"{title}:"]
        for result in some:
            lines += ["", f"{result.where}: {result.kind}", result.diff]
    caught = sum(result.fate == "caught" for result in found)
    tried_ones = sum(result.fate != "unreached" for result in found)
    lines += ["", f"{caught} of {tried_ones} caught: {100 * caught / max(tried_ones, 1):.1f} %"]
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.support.source_mutants", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rooms", default="", help="names divided by commas; all rooms if not given")
    parser.add_argument("--per-room", type=int, default=PER_ROOM)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="at most so many at once")
    parser.add_argument(
        "--again", action="store_true", help="not those that an earlier run of the seed caught"
    )
    parser.add_argument(
        "--within",
        type=float,
        default=float("inf"),
        help="only the cheapest tests, of so many seconds together",
    )
    parser.add_argument("--stale", action="store_true", help="use what tests reached in an earlier source")
    parser.add_argument("--folder", type=Path, default=_cache(), help="where what tests reach is kept")
    given = parser.parse_args(arguments)
    rooms = tuple(name for name in given.rooms.split(",") if name)
    asked = Asked(
        given.seed,
        rooms,
        given.per_room,
        given.processes,
        given.again,
        given.stale,
        PATIENCE,
        given.within,
        given.folder,
    )
    asked.folder.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    found = []
    for result in results(asked):
        found.append(result)
        with _log(asked).open("a", encoding="utf-8") as log:
            log.write(json.dumps(asdict(result)) + "\n")
        print(
            f"{result.fate:9} {result.where} {result.kind} {result.seconds:.0f} s {result.test}",
            file=sys.stderr,
        )
    print(report(found))
    print(f"seed {asked.seed}, {time.monotonic() - began:.0f} s")


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "dtables-source-mutants"


if __name__ == "__main__":
    main()
