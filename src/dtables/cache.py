"""What was worked out before, kept by content in the user's cache folder.

An entry says nothing that its workbook does not say; without it everything is only slower. So whatever is
unusual about the folder or an entry means that there is no entry. `DTABLES_CACHE` names another folder, or
`off`.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path

from dtables.files import folder_of, whole_file
from dtables.limits import LIMITS

VARIABLE = "DTABLES_CACHE"
OFF = frozenset(("off", "0", "no", "false"))
KEPT = 0.8
"""Of the room there is, once the oldest entries have to go."""

_MARK = b"dtables entry 1\n"
_DIGEST = 32
_ENDING = ".entry"


def key(*parts: bytes) -> str:
    """Make the key of an entry from what it is made of. All else it depends on (this toolkit, Python) is in
    every key."""
    digest = sha256(_toolkit())
    for part in parts:
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()


def is_on() -> bool:
    """Say whether anything is kept at all."""
    return _folder() is not None


def kept(name: str) -> bytes | None:
    """What stands under a key, if it is whole and nobody else can have written it."""
    folder = _folder()
    if folder is None or not _own(folder):
        return None
    file = folder / f"{name}{_ENDING}"
    try:
        content = _read(file)
        if content is not None:
            os.utime(file)
    except OSError:
        return None
    return content


def keep(name: str, content: bytes) -> None:
    """Whole or not at all; where nothing can be kept, nothing is."""
    folder = _folder()
    if folder is None or len(content) > LIMITS.entry_bytes:
        return
    try:
        folder_of(folder)
        folder.mkdir(mode=0o700, exist_ok=True)
        if _own(folder):
            _make_room(folder, len(content))
            _write(folder / f"{name}{_ENDING}", content)
    except OSError:
        return


# -- the folder --------------------------------------------------------------------------------


def _folder() -> Path | None:
    folder = os.environ.get(VARIABLE, "")
    if folder.casefold() in OFF:
        return None
    if folder:
        return Path(folder)
    return _users_caches() / "dtables"


def _users_caches() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    named = os.environ.get("XDG_CACHE_HOME", "")
    return Path(named) if named.startswith("/") else Path.home() / ".cache"


def _own(place: Path) -> bool:
    """Entries hold code. Where others could have written, nothing is read and nothing left."""
    try:
        found = place.lstat()
    except OSError:
        return False
    return not stat.S_ISLNK(found.st_mode) and _ours(found)


def _ours(found: os.stat_result) -> bool:
    if sys.platform == "win32":
        # A user's own folder is closed to others there; its modes say nothing.
        return True
    return found.st_uid == os.geteuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


# -- entries -----------------------------------------------------------------------------------


def _read(file: Path) -> bytes | None:
    descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(descriptor, "rb") as opened:
        found = os.fstat(descriptor)
        if not _ours(found) or found.st_size > LIMITS.entry_bytes + len(_MARK) + _DIGEST:
            return None
        content = opened.read()
    head = len(_MARK) + _DIGEST
    body = content[head:]
    whole = content.startswith(_MARK) and content[len(_MARK) : head] == sha256(body).digest()
    return body if whole else None


def _write(file: Path, content: bytes) -> None:
    with whole_file(file, mode=0o600, durable=False) as part:
        part.write(_MARK + sha256(content).digest() + content)


def _make_room(folder: Path, needed: int) -> None:
    """The entries that were not used for longest go; so do the pieces of writers that broke off."""
    found = sorted(_sizes(folder), key=lambda entry: -entry[0])
    held = needed + sum(size for _, size, _ in found)
    if held <= LIMITS.cache_bytes:
        return
    while found and held > LIMITS.cache_bytes * KEPT:
        _, size, path = found.pop()
        path.unlink(missing_ok=True)
        held -= size


def _sizes(folder: Path) -> Iterator[tuple[int, int, Path]]:
    with os.scandir(folder) as listed:
        for entry in listed:
            if _ENDING in entry.name:
                found = entry.stat(follow_symlinks=False)
                yield found.st_mtime_ns, found.st_size, Path(entry.path)


# -- what every key has ------------------------------------------------------------------------


@cache
def _toolkit() -> bytes:
    """This very code and this very Python: an entry of another is never found. The reader of workbooks
    counts too."""
    from importlib.util import find_spec

    from dtables import __version__

    parts = [
        __version__,
        sys.version,
        str(sys.flags.optimize),
        sys.implementation.cache_tag or "",
        *sorted(_stamps(Path(__file__).parent)),
    ]
    reader = find_spec("openpyxl")
    if reader is not None and reader.origin is not None:
        parts.append(_stamp(reader.origin, Path(reader.origin).stat()))
    return sha256("\n".join(parts).encode()).digest()


def _stamps(folder: Path) -> Iterator[str]:
    if not folder.is_dir():
        # Imported out of an archive: that is the file.
        archive = next(place for place in folder.parents if place.exists())
        yield _stamp(str(archive), archive.stat())
        return
    with os.scandir(folder) as listed:
        for entry in listed:
            if entry.is_dir():
                yield from _stamps(Path(entry.path))
            elif entry.name.endswith((".py", ".txt")):
                yield _stamp(entry.path, entry.stat())


def _stamp(path: str, found: os.stat_result) -> str:
    return f"{path} {found.st_size} {found.st_mtime_ns}"
