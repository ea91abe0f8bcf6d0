"""How files are written: whole, under their own names, and nowhere that somebody else leads them."""

from __future__ import annotations

import fcntl
import os
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dtables import files
from dtables.files import (
    OutputError,
    folders_left,
    plain_file,
    private_folder,
    same_place,
    stream_at,
    temporary_folder,
    whole_file,
    whole_text,
)
from tests.support.missing import missing
from tests.support.thinned import is_full

NOBODY = 65534


def belongs_to_another(path: Path) -> None:
    if os.geteuid() != 0:
        missing("only root can give files to another user")
    os.chown(path, NOBODY, NOBODY, follow_symlinks=False)


def write(path: Path, text: str = "new") -> None:
    with whole_text(path) as file:
        file.write(text)


# -- whole -------------------------------------------------------------------------------------


def test_whole_file__while_it_is_written_there_is_nothing_under_its_name(tmp_path: Path) -> None:
    target = tmp_path / "made" / "below" / "out.txt"
    with whole_file(target) as file:
        file.write(b"half")
        (part,) = target.parent.iterdir()
        assert part != target and part.name.startswith(".out.txt.")
    assert target.read_text() == "half" and list(target.parent.iterdir()) == [target]


def test_whole_file__its_aside_cannot_be_foreseen(tmp_path: Path) -> None:
    names = set()
    for _ in range(20):
        with whole_file(tmp_path / "out") as file:
            names |= {path.name for path in tmp_path.iterdir() if path.name != "out"}
            file.write(b"x")
    assert len(names) == 20


def test_whole_file__keeps_the_mode_of_what_it_replaces(tmp_path: Path) -> None:
    secret, plain = tmp_path / "secret", tmp_path / "plain"
    secret.write_text("old")
    secret.chmod(0o640)
    before = os.umask(0o022)
    try:
        write(secret)
        write(plain)
    finally:
        os.umask(before)
    assert secret.read_text() == "new" and stat.S_IMODE(secret.stat().st_mode) == 0o640
    assert stat.S_IMODE(plain.stat().st_mode) == 0o644


def test_whole_file__keeps_no_mode_that_another_has_given(tmp_path: Path) -> None:
    target = tmp_path / "out"
    target.write_text("planted")
    target.chmod(0o666)
    belongs_to_another(target)
    before = os.umask(0o022)
    try:
        write(target)
    finally:
        os.umask(before)
    assert target.read_text() == "new" and stat.S_IMODE(target.stat().st_mode) == 0o644


def test_whole_file__a_name_as_long_as_names_may_be(tmp_path: Path) -> None:
    target = tmp_path / ("è" * 127)
    write(target)
    assert list(tmp_path.iterdir()) == [target]


def test_whole_file__a_link_is_replaced_and_what_it_leads_to_stays(tmp_path: Path) -> None:
    precious, link = tmp_path / "precious", tmp_path / "out"
    precious.write_text("precious")
    link.symlink_to(precious)
    write(link)
    assert precious.read_text() == "precious" and link.read_text() == "new" and not link.is_symlink()


def test_whole_file__another_users_link_on_the_way_is_refused(tmp_path: Path) -> None:
    elsewhere, way = tmp_path / "elsewhere", tmp_path / "way"
    elsewhere.mkdir()
    way.symlink_to(elsewhere)
    write(way / "out")
    assert (elsewhere / "out").exists(), "one's own link is followed"
    belongs_to_another(way)
    for place in (way / "new", way / "below" / "new", tmp_path / "elsewhere" / ".." / "way" / "new"):
        with pytest.raises(OutputError, match="belongs to another user"):
            write(place)
    assert [path.name for path in elsewhere.iterdir()] == ["out"]


def test_whole_file__a_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NotADirectoryError):
        write(tmp_path / "file" / "out")


# -- left by a process that was killed -----------------------------------------------------------

KILLED = """
import os, signal, sys
from pathlib import Path
from dtables.files import private_folder, temporary_folder, whole_file
place = Path(sys.argv[1])
if sys.argv[2] == "file":
    with whole_file(place) as file:
        file.write(b"half")
        file.flush()
        os.kill(os.getpid(), signal.SIGKILL)
folder = temporary_folder() if sys.argv[2] == "temporary" else private_folder(place)
with folder.open_to_write("answers") as file:
    file.write(b"half")
os.kill(os.getpid(), signal.SIGKILL)
"""


def killed(place: Path, what: str) -> None:
    command = [sys.executable, "-c", KILLED, str(place), what]
    env = {**os.environ, "TMPDIR": str(place.parent)}
    assert subprocess.run(command, env=env, check=False).returncode == -9


def test_whole_file__what_a_killed_process_left_goes(tmp_path: Path) -> None:
    target, other = tmp_path / "out", tmp_path / "other"
    killed(target, "file")
    killed(other, "file")
    assert len(list(tmp_path.iterdir())) == 2
    write(target)
    left = {path.name.split(".")[1] if path != target else "" for path in tmp_path.iterdir()}
    assert left == {"", "other"} and target.read_text() == "new"


def test_whole_file__what_is_being_written_stays(tmp_path: Path) -> None:
    target = tmp_path / "out"
    with whole_file(target) as slow:
        slow.write(b"slow")
        write(target, "quick")
        assert target.read_text() == "quick"
    assert target.read_text() == "slow" and list(tmp_path.iterdir()) == [target]


def test_whole_file__only_what_is_left_by_this_user_goes(tmp_path: Path) -> None:
    precious, target = tmp_path / "precious", tmp_path / "out"
    precious.write_text("precious")
    names = [f".out.{n:016x}.part" for n in range(4)]
    (tmp_path / names[0]).symlink_to(precious)
    (tmp_path / names[1]).hardlink_to(precious)
    (tmp_path / names[2]).mkdir()
    os.mkfifo(tmp_path / names[3])
    write(target)
    assert precious.read_text() == "precious"
    assert {path.name for path in tmp_path.iterdir()} == {*names, "precious", "out"}


def test_private_folder__what_a_killed_process_left_is_taken_over(tmp_path: Path) -> None:
    place = tmp_path / "out"
    killed(place, "folder")
    (left,) = folders_left(place)
    with left, left.open("answers") as file:
        assert file.read() == b"half"
    assert list(tmp_path.iterdir()) == []


def test_temporary_folder__what_a_killed_process_left_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed(tmp_path / "out", "temporary")
    assert len(list(tmp_path.iterdir())) == 1
    monkeypatch.setattr(files.tempfile, "tempdir", str(tmp_path))
    with temporary_folder() as one, temporary_folder() as other:
        assert set(tmp_path.iterdir()) == {one.path, other.path}
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform != "linux", reason="what a process has open is asked of Linux")
def test_temporary_folder__leaves_nothing_open() -> None:
    def open_now() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    before = open_now()
    for _ in range(3):
        with temporary_folder() as folder, folder.open_to_write("answers") as file:
            file.write(b"whole")
        assert open_now() == before


INTERRUPTED = """
import atexit, os, sys, tempfile
from dtables.files import temporary_folder

tempfile.gettempdir()  # Python tries the folder with a file of its own

def interrupted_at(moment):
    left = moment
    def trace(frame, event, argument):
        nonlocal left
        left -= 1
        if not left:
            raise KeyboardInterrupt
        return trace
    sys.settrace(trace)
    try:
        with temporary_folder() as folder, folder.open_to_write("answers") as file:
            file.write(b"half")
    except KeyboardInterrupt:
        pass
    finally:
        sys.settrace(None)
    return left <= 0

moment, step = 0, int(sys.argv[1])
while True:
    moment += step
    child = os.fork()
    if not child:
        whole = not interrupted_at(moment)
        atexit._run_exitfuncs()
        os._exit(whole)
    if os.waitpid(child, 0)[1]:
        break
    if left := os.listdir(os.environ["TMPDIR"]):
        sys.exit(f"{left} after {moment} steps")
print(moment)
"""


def test_temporary_folder__an_interruption_while_the_system_is_asked_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The standard library tries a folder by writing a file into it."""
    remove = os.unlink

    def interrupted(path: str, **more: Any) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0)
        remove(path, **more)

    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(files.tempfile, "tempdir", None)
    monkeypatch.setattr(os, "unlink", interrupted)
    heard = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            files.temporary_folder()
    finally:
        signal.signal(signal.SIGINT, heard)
    assert list(tmp_path.iterdir()) == []


def test_temporary_folder__wherever_a_process_is_interrupted_it_goes(tmp_path: Path) -> None:
    env = {**os.environ, "TMPDIR": str(tmp_path)}
    run = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, "1" if is_full() else "3"],
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0 and int(run.stdout) > 100, run.stderr


# -- folders of one's own ------------------------------------------------------------------------


def test_private_folder__nobody_else_may_enter(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with private_folder(tmp_path / "out") as folder:
            assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700
    finally:
        os.umask(before)


def test_private_folder__in_use_it_is_refused(tmp_path: Path) -> None:
    with private_folder(tmp_path / "out"), pytest.raises(OutputError, match="another run"):
        folders_left(tmp_path / "out")


@pytest.mark.parametrize("how", ["folder of another", "open to all", "link", "file", "empty"])
def test_folders_left__what_others_put_there_is_none(tmp_path: Path, how: str) -> None:
    place, planted, precious = tmp_path / "out", tmp_path / f".out.{0:016x}.parts", tmp_path / "precious"
    precious.mkdir(mode=0o700)
    (precious / "lock").write_text("precious")
    match how:
        case "link":
            planted.symlink_to(precious)
        case "file":
            planted.write_text("")
        case _:
            planted.mkdir(mode=0o700)
            if how == "open to all":
                (planted / "lock").write_text("")
                planted.chmod(0o777)
            elif how != "empty":
                (planted / "lock").symlink_to(precious / "lock")
    if how == "folder of another":
        belongs_to_another(planted)
    assert folders_left(place) == ()
    assert (precious / "lock").read_text() == "precious"


def test_private_folder__no_link_in_it_is_followed(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("precious")
    with private_folder(tmp_path / "out") as folder:
        (folder.path / "link").symlink_to(precious)
        (folder.path / "hard").hardlink_to(precious)
        for name in ("link", "hard"):
            with pytest.raises(OSError):
                folder.open_to_write(name)
            with pytest.raises(OSError):
                folder.open(name)
    assert precious.read_text() == "precious"


def test_private_folder__another_in_its_place_is_not_written_to(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "note").write_text("precious")
    folder = private_folder(tmp_path / "out")
    folder.path.rename(tmp_path / "moved")
    folder.path.symlink_to(victim)
    with folder.open_to_write("note.new") as file:
        file.write(b"ours")
    folder.replace("note", "note.new")
    folder.end()
    assert (victim / "note").read_text() == "precious" and [p.name for p in victim.iterdir()] == ["note"]


def test_locks_are_the_systems_own(tmp_path: Path) -> None:
    with (
        private_folder(tmp_path / "out") as folder,
        (folder.path / "lock").open() as lock,
        pytest.raises(BlockingIOError),
    ):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


# -- devices and pipes ---------------------------------------------------------------------------


@pytest.fixture
def fifo(tmp_path: Path) -> Iterator[tuple[Path, Callable[[], list[bytes]]]]:
    """A pipe, and what comes out of it until nobody writes there."""
    place, read = tmp_path / "pipe", []
    os.mkfifo(place)
    reader = threading.Thread(target=lambda: read.append(place.read_bytes()), daemon=True)
    reader.start()

    def out() -> list[bytes]:
        reader.join(10)
        return read

    yield place, out
    out()


def test_whole_file__a_pipe_is_written_to(
    fifo: tuple[Path, Callable[[], list[bytes]]], tmp_path: Path
) -> None:
    place, out = fifo
    link = tmp_path / "link"
    link.symlink_to(place)
    write(link, "through")
    assert out() == [b"through"] and place.is_fifo() and link.is_symlink()


def test_whole_file__a_pipe_gets_all_or_nothing(tmp_path: Path) -> None:
    place = tmp_path / "pipe"
    os.mkfifo(place)
    with pytest.raises(ZeroDivisionError), whole_text(place) as file:
        file.write("half")
        raise ZeroDivisionError
    assert place.is_fifo()


def test_whole_file__another_users_pipe_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "pipe"
    os.mkfifo(place)
    belongs_to_another(place)
    with pytest.raises(OutputError, match="pipe that belongs to another user"):
        write(place)


def test_whole_file__another_users_link_to_a_pipe_is_replaced(tmp_path: Path) -> None:
    place, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(place)
    link.symlink_to(place)
    belongs_to_another(link)
    write(link)
    assert link.read_text() == "new" and place.is_fifo()


def test_whole_file__a_device_stays_one() -> None:
    write(Path("/dev/null"))
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize("name", ["/dev/fd/{}", "/proc/self/fd/{}", "/dev/../dev/fd/{}", "link"])
def test_whole_file__an_open_file_is_written_on(tmp_path: Path, name: str) -> None:
    """As a shell has opened it: behind what is there."""
    target = tmp_path / "out"
    with target.open("ab") as file:
        file.write(b"before ")
        file.flush()
        place = Path(name.format(file.fileno()))
        if name == "link":
            place = tmp_path / "link"
            place.symlink_to(f"/dev/fd/{file.fileno()}")
        write(place)
    assert target.read_text() == "before new"


@pytest.mark.parametrize(
    ("path", "message"), [(".", "folder"), ("/dev/nothing_there", "no such device"), ("socket", "socket")]
)
def test_stream_at__what_cannot_be_written(tmp_path: Path, path: str, message: str) -> None:
    import socket

    place = tmp_path / path
    if path == "socket":
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(str(place))
        listening.close()
    with pytest.raises(OutputError, match=message):
        stream_at(place)


def test_stream_at__a_device_in_a_folder_below_dev_is_a_file() -> None:
    if not Path("/dev/shm").is_dir():
        missing("there is no /dev/shm")
    assert stream_at(Path("/dev/shm/out.jsonl")) is None


@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "file"])
def test_plain_file__waits_for_nobody(tmp_path: Path, kind: str) -> None:
    place = tmp_path / "there"
    match kind:
        case "pipe":
            os.mkfifo(place)
        case "device":
            place = Path("/dev/zero")
        case "folder":
            place.mkdir()
        case _:
            place.write_text("text")
    found = plain_file(place)
    assert (found is None) is (kind != "file")
    if found is not None:
        with found:
            assert found.read() == b"text"


# -- one place -----------------------------------------------------------------------------------


def test_same_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "sub")
    there = tmp_path / "there"
    there.write_text("")
    (tmp_path / "hard").hardlink_to(there)
    (tmp_path / "soft").symlink_to(there)
    for one, other in (
        ("r.jsonl", str(tmp_path / "r.jsonl")),
        ("r.jsonl", "sub/../r.jsonl"),
        ("r.jsonl", "not/there/../../r.jsonl"),
        ("sub/r.jsonl", "link/r.jsonl"),
        ("there", "hard"),
        ("soft", "there"),
        ("./there", "sub/../soft"),
    ):
        assert same_place(Path(one), Path(other)), (one, other)
    for one, other in (("r.jsonl", "sub/r.jsonl"), ("r.jsonl", "R.jsonl"), ("there", "sub")):
        assert not same_place(Path(one), Path(other)), (one, other)
    assert not same_place(Path("/dev/null"), Path("/dev/null")), "nothing is found there"


def test_same_place__where_letters_are_folded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_folds_case", lambda _: True)
    assert same_place(tmp_path / "R.jsonl", tmp_path / "r.JSONL")
