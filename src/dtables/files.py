"""How files are written: whole or not at all, under their own names only, and nowhere that others lead them.

What is written grows beside its place under a name that nobody can foresee, and takes that place when it is
whole. Links that belong to another user are not followed. A device or a pipe is written to, never replaced.
What a killed process left behind is cleared by the next one that writes there.
"""

from __future__ import annotations

import atexit
import hashlib
import io
import os
import re
import secrets
import shutil
import signal
import stat
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass
from errno import ENOTDIR
from pathlib import Path
from types import TracebackType
from typing import IO

if sys.platform != "win32":
    import fcntl

STANDARD_OUTPUT = Path("/dev/stdout")
LONGEST_NAME = 180
"""Bytes of a name that leave room for what is put around it."""
_MOST_LINKS = 40
_TRIES = 100
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_NEW = os.O_CREAT | os.O_EXCL | _NO_FOLLOW
_STANDARD = {"stdin": 0, "stdout": 1, "stderr": 2}
_DESCRIPTOR = re.compile(
    r"/dev/(?:fd/([0-9]+)|(stdin|stdout|stderr))|/proc/([0-9]+)(?:/task/[0-9]+)?/fd/([0-9]+)"
)
_KINDS = {stat.S_IFDIR: "folder", stat.S_IFBLK: "disk", stat.S_IFSOCK: "socket"}


class OutputError(OSError):
    """Why something is not written there. What it says is for people."""


# -- reading -----------------------------------------------------------------------------------


def plain_file(path: Path) -> IO[bytes] | None:
    """None: a pipe, a device, a folder. Nothing waits until somebody writes there."""
    return path.open("rb") if stat.S_ISREG(path.stat().st_mode) else None


# -- files that are whole ----------------------------------------------------------------------


@contextmanager
def whole_file(path: Path, *, mode: int = 0o666, durable: bool = True) -> Iterator[IO[bytes]]:
    """A file that appears under its name only when everything is in it; its folder is made where there is
    none. One that is replaced leaves its mode to it; a new one has `mode`, as far as the process lets it.
    `durable`: it is on the disk before it has its name."""
    stream = stream_at(path)
    if stream is None:
        yield from _in_its_folder(path, mode, durable)
        return
    with tempfile.TemporaryFile() as waiting:
        yield waiting
        waiting.seek(0)
        with stream.opened() as out:
            shutil.copyfileobj(waiting, out)


@contextmanager
def whole_text(path: Path) -> Iterator[IO[str]]:
    """Open a text file that gets its name once it is whole, in UTF-8 with plain line ends."""
    with whole_file(path) as file:
        text = io.TextIOWrapper(file, "utf-8", newline="\n")
        try:
            yield text
            text.flush()
        finally:
            text.detach()


def _in_its_folder(path: Path, mode: int, durable: bool) -> Iterator[IO[bytes]]:
    folder = folder_of(path)
    _clear_parts(folder, path.name)
    part, descriptor, lock = _new_part(folder, path, mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            keep_mode(descriptor, path)
            if durable:
                os.fsync(descriptor)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    finally:
        lock.release()


def _new_part(folder: Path, path: Path, mode: int) -> tuple[Path, int, _Lock]:
    """One that another process takes for left behind, before it is locked, is given up."""
    mode &= 0o777 if _mode_of(path) is None else 0o600
    for _ in range(_TRIES):
        part = folder / _aside(path.name, "part")
        descriptor = os.open(part, os.O_WRONLY | _NEW, mode)
        lock = _Lock(descriptor)
        lock.wait()
        if os.fstat(descriptor).st_nlink:
            return part, descriptor, lock
        lock.release()
        os.close(descriptor)
    raise OutputError(f"{path}: something deletes what is written there")


def _clear_parts(folder: Path, name: str) -> None:
    for part in _abandoned(folder, name, "part"):
        with suppress(OSError):
            descriptor = os.open(part, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _NO_FOLLOW)
            with ExitStack() as stack:
                stack.callback(os.close, descriptor)
                lock = _Lock(descriptor)
                stack.callback(lock.release)
                found = os.fstat(descriptor)
                if stat.S_ISREG(found.st_mode) and found.st_nlink == 1 and _own(found) and lock.free():
                    part.unlink()


def keep_mode(descriptor: int, path: Path) -> None:
    """That of this user's file which is replaced; a new one has what this process gives to files."""
    mode = _mode_of(path)
    if sys.platform != "win32" and mode is not None:
        os.fchmod(descriptor, mode)


def _mode_of(path: Path) -> int | None:
    try:
        found = path.lstat()
    except FileNotFoundError:
        return None
    return found.st_mode & 0o777 if stat.S_ISREG(found.st_mode) and _own(found) else None


def _aside(name: str, ending: str) -> str:
    return f".{_stem(name)}.{secrets.token_hex(8)}.{ending}"


def _abandoned(folder: Path, name: str, ending: str) -> list[Path]:
    """What may have been left beside a place: its name is one of ours."""
    ours = re.compile(rf"\.{re.escape(_stem(name))}\.[0-9a-f]{{16}}\.{ending}")
    with suppress(OSError), os.scandir(folder) as entries:
        return sorted(Path(entry.path) for entry in entries if ours.fullmatch(entry.name))
    return []


def _stem(name: str) -> str:
    raw = os.fsencode(name)
    return name if len(raw) <= LONGEST_NAME else hashlib.sha256(raw).hexdigest()


def _own(found: os.stat_result) -> bool:
    return sys.platform == "win32" or found.st_uid == os.geteuid()


class _Lock:
    """On an open file, until the process ends; where files cannot be locked, none is ever free."""

    def __init__(self, descriptor: int) -> None:
        self._own: int | None = None if sys.platform == "win32" else os.dup(descriptor)

    def wait(self) -> None:
        if sys.platform != "win32" and self._own is not None:
            with suppress(OSError):
                fcntl.flock(self._own, fcntl.LOCK_EX)

    def free(self) -> bool:
        """Then it is taken."""
        if sys.platform != "win32" and self._own is not None:
            try:
                fcntl.flock(self._own, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                return False
            return True
        return False

    def release(self) -> None:
        if self._own is not None:
            os.close(self._own)
            self._own = None


# -- where it is written -----------------------------------------------------------------------


def folder_of(path: Path) -> Path:
    """Made where there is none. OutputError where another user's link is on the way."""
    for link in _links(path.parent):
        if not _trusted(link):
            raise OutputError(f"{link} is a link that belongs to another user: name the folder it leads to")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise NotADirectoryError(ENOTDIR, os.strerror(ENOTDIR), str(path.parent)) from None
    return path.parent


def _links(path: Path) -> Iterator[Path]:
    """All that are followed on the way to a place, the place itself too."""
    absolute = path.absolute()
    here = Path(absolute.anchor)
    left = list(reversed(absolute.parts[1:]))
    links = 0
    while left:
        step = left.pop()
        if step == "..":
            here = here.parent
            continue
        place = here / step
        try:
            target = place.readlink()
        except OSError:
            here = place
            continue
        yield place
        links += 1
        if links > _MOST_LINKS:
            raise OutputError(f"{path}: too many links")
        if target.is_absolute():
            here = Path(target.anchor)
        left += reversed(target.parts[1:] if target.is_absolute() else target.parts)


def _trusted(link: Path) -> bool:
    """Made by this user or by root."""
    if sys.platform == "win32":
        return True
    try:
        return link.lstat().st_uid in (os.geteuid(), 0)
    except OSError:
        return False


# -- devices and pipes -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stream:
    """What is written to as it is: a device, a named pipe, or a descriptor that is open already."""

    path: Path
    descriptor: int | None = None

    @contextmanager
    def opened(self) -> Iterator[IO[bytes]]:
        """Open the stream for writing; the standard streams are flushed and stay open."""
        standard = {1: sys.stdout, 2: sys.stderr}.get(self.descriptor or 0)
        if standard is not None:
            standard.flush()
            yield standard.buffer
            standard.buffer.flush()
            return
        with os.fdopen(self._open(), "wb") as file:
            yield file

    def _open(self) -> int:
        if self.descriptor is not None:
            return os.dup(self.descriptor)
        opened = os.open(self.path, os.O_WRONLY | getattr(os, "O_NOCTTY", 0) | _NO_FOLLOW)
        if _is_stream(os.fstat(opened).st_mode):
            return opened
        os.close(opened)
        raise OutputError(f"{self.path} has become another file")


def stream_at(path: Path) -> Stream | None:
    """None: what is written there is a file. Links lead to a stream only if they are this user's.
    OutputError where neither can be written: a folder, a disk, another user's pipe."""
    place = path
    for _ in range(_MOST_LINKS):
        if place != STANDARD_OUTPUT:
            place = Path(os.path.realpath(place.parent)) / place.name
        descriptor = _descriptor(place)
        if descriptor is not None:
            return Stream(place, descriptor)
        try:
            found = place.lstat()
        except (FileNotFoundError, NotADirectoryError):
            if place.parent.as_posix() == "/dev":
                raise OutputError(f"{path}: there is no such device") from None
            return None
        if not stat.S_ISLNK(found.st_mode):
            return _stream(path, place, found)
        if not _trusted(place):
            return None
        place = place.parent / place.readlink()
    return None


def _stream(path: Path, place: Path, found: os.stat_result) -> Stream | None:
    if stat.S_ISREG(found.st_mode):
        return None
    if not _is_stream(found.st_mode):
        raise OutputError(f"{path} is a {_KINDS.get(stat.S_IFMT(found.st_mode), 'thing')}, not a file")
    if stat.S_ISFIFO(found.st_mode) and not _trusted(place):
        raise OutputError(f"{path} is a pipe that belongs to another user")
    return Stream(place)


def _is_stream(mode: int) -> bool:
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)


def _descriptor(place: Path) -> int | None:
    """`/dev/stdout`, `/dev/fd/63`, `/proc/self/fd/63`: one of this process, whatever is behind it."""
    found = _DESCRIPTOR.fullmatch(place.as_posix())
    if found is None:
        return None
    number, standard, process, of_process = found.groups()
    if process is not None:
        return int(of_process) if int(process) == os.getpid() else None
    return _STANDARD[standard] if standard else int(number)


# -- one place, two names ----------------------------------------------------------------------


def same_place(one: Path, other: Path) -> bool:
    """Whether what is written to one is found at the other, however both are spelled: by other folders, by
    links, in other letters where the file system takes them for the same. At /dev/null nothing is found."""
    if any(os.path.realpath(path) == os.path.realpath(os.devnull) for path in (one, other)):
        return False
    found = identity(one)
    return (found is not None and found == identity(other)) or _slot(one) == _slot(other)


def identity(path: Path) -> tuple[int, int] | None:
    """Return what tells a file from all others, also one that is open without a name; None for no file."""
    place = path if path == STANDARD_OUTPUT else Path(os.path.realpath(path.parent)) / path.name
    descriptor = _descriptor(place)
    try:
        found = place.stat() if descriptor is None else os.fstat(descriptor)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _slot(path: Path) -> tuple[str, str]:
    """A folder and a name in it."""
    folder = os.path.realpath(path.parent)
    return folder, path.name.casefold() if _folds_case(Path(folder)) else path.name


def _folds_case(folder: Path) -> bool:
    """Told by its own name."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    if folder.name in ("", folder.name.swapcase()):
        return False
    try:
        return folder.with_name(folder.name.swapcase()).samefile(folder)
    except OSError:
        return False


# -- folders that nobody else may enter --------------------------------------------------------


class PrivateFolder(AbstractContextManager["PrivateFolder"]):
    """Held by its descriptor, so that nobody can put another in its place, and locked while it is used, so
    that what a killed process left can be distinguished from what is in use. It holds plain files, and goes
    with them. OutputError where it is another user's."""

    LOCK = "lock"

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor: int | None = None
        self._lock: _Lock | None = None
        if sys.platform == "win32":
            return
        self._descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | _NO_FOLLOW)
        found = os.fstat(self._descriptor)
        if not _own(found) or found.st_mode & 0o077:
            self.leave()
            raise OutputError(f"{path} is not a folder of this user alone")

    def take(self, *, new: bool) -> bool:
        """Whether it is this process's now. FileNotFoundError: it is on its way out."""
        descriptor = self._opened(self.LOCK, os.O_RDWR | (_NEW if new else 0))
        try:
            self._lock = _Lock(descriptor)
            if new:
                self._lock.wait()
            elif not self._lock.free():
                return False
            if not os.fstat(descriptor).st_nlink:
                raise FileNotFoundError(self.path)
        finally:
            os.close(descriptor)
        return True

    def open(self, name: str) -> IO[bytes]:
        """Open one of its files to be read; OSError where there is none."""
        return os.fdopen(self._opened(name, os.O_RDONLY), "rb")

    def open_to_write(self, name: str, keep: int = 0) -> IO[bytes]:
        """Behind the bytes that are kept of what it holds."""
        file = os.fdopen(self._opened(name, os.O_RDWR | os.O_CREAT), "r+b")
        file.truncate(keep)
        file.seek(keep)
        return file

    def replace(self, name: str, by: str) -> None:
        """Put the file `by` in the place of `name`, at once."""
        os.replace(self._at(by), self._at(name), src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor)

    def publish(self, name: str, place: Path) -> None:
        """What is whole takes its place."""
        with self.open(name) as file:
            keep_mode(file.fileno(), place)
        os.replace(self._at(name), place, src_dir_fd=self._descriptor)

    def names(self) -> list[str]:
        """Return the names of all its files, sorted."""
        with os.scandir(self.path if self._descriptor is None else self._descriptor) as entries:
            return sorted(entry.name for entry in entries)

    def end(self, last: tuple[str, ...] = ()) -> None:
        """It goes, with all that it holds: what is named last, and then the lock."""
        with suppress(OSError):
            first = (name for name in self.names() if name not in (*last, self.LOCK))
            for name in (*first, *last, self.LOCK):
                self._remove(name)
            self.path.rmdir()
            _TEMPORARY.pop(self.path, None)
        self.leave()

    def leave(self) -> None:
        """It stays as it is, for a process that continues."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def _opened(self, name: str, flags: int) -> int:
        descriptor = os.open(self._at(name), flags | _NO_FOLLOW, 0o666, dir_fd=self._descriptor)
        found = os.fstat(descriptor)
        if stat.S_ISREG(found.st_mode) and found.st_nlink <= 1:
            return descriptor
        os.close(descriptor)
        raise OutputError(f"{self.path / name} is not a file that was written there")

    def _remove(self, name: str) -> None:
        with suppress(FileNotFoundError):
            os.unlink(self._at(name), dir_fd=self._descriptor)

    def _at(self, name: str) -> str:
        return str(self.path / name) if self._descriptor is None else name


def private_folder(place: Path) -> PrivateFolder:
    """A new one beside a place, under a name that nobody can foresee."""
    return _new_folder(place, lambda _: None)


def _new_folder(place: Path, before: Callable[[Path], object]) -> PrivateFolder:
    folder_path = folder_of(place)
    for _ in range(_TRIES):
        path = folder_path / _aside(place.name, "parts")
        before(path)
        path.mkdir(mode=0o700)
        with suppress(FileNotFoundError):
            folder = PrivateFolder(path)
            with ExitStack() as stack:
                stack.callback(folder.leave)
                folder.take(new=True)
                stack.pop_all()
            return folder
    raise OutputError(f"{place}: something deletes what is written there")


def folders_left(place: Path) -> tuple[PrivateFolder, ...]:
    """Those that killed processes left beside a place, taken over. OutputError where one is in use."""
    with ExitStack() as stack:
        found = []
        for folder, taken in _folders(place):
            stack.callback(folder.leave)
            if not taken:
                raise OutputError(f"another run writes {place} at the moment")
            found.append(folder)
        stack.pop_all()
    return tuple(found)


def temporary_folder() -> PrivateFolder:
    """Make a folder where the system keeps temporary files. It goes with this process at the latest, wherever
    that is interrupted; those of killed processes go now."""
    place = _system_folder() / "dtables"
    for folder, taken in _folders(place):
        if taken:
            folder.end()
        folder.leave()
    return _new_folder(place, _note_temporary)


def _system_folder() -> Path:
    """The first that can be written to is found by writing to it: an interruption waits until it is over."""
    with unheard():
        return Path(tempfile.gettempdir())


@contextmanager
def unheard() -> Iterator[None]:
    """Ctrl-C waits until this is over, and is for this process alone: one that starts now never hears it."""
    ignored = signal.getsignal(signal.SIGINT) in (None, signal.SIG_IGN)
    is_main = threading.current_thread() is threading.main_thread()
    if ignored or not is_main or not hasattr(signal, "pthread_sigmask"):
        yield
        return
    heard: list[int] = []
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    # Another thread may hear it all the same, and hand it on to this one.
    handler = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, handler)
    if heard:
        raise KeyboardInterrupt


_TEMPORARY: dict[Path, int] = {}
"""Folders that go with the process that made them, from just before they are made."""


def _note_temporary(path: Path) -> None:
    _TEMPORARY[path] = os.getpid()


@atexit.register
def _end_temporary() -> None:
    for path, process in list(_TEMPORARY.items()):
        if path.exists() and process == os.getpid():
            with suppress(OSError):
                PrivateFolder(path).end()


def _folders(place: Path) -> Iterator[tuple[PrivateFolder, bool]]:
    """Those of this user beside a place, and whether they are this process's now."""
    for path in _abandoned(place.parent, place.name, "parts"):
        try:
            folder = PrivateFolder(path)
        except OSError:
            continue
        try:
            taken = folder.take(new=False)
        except FileNotFoundError:
            folder.leave()
            with suppress(OSError):
                path.rmdir()
        except OSError:
            folder.leave()
        else:
            yield folder, taken
