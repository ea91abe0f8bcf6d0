"""What is kept between runs: the same results with and without, and nothing odd is trusted."""

from __future__ import annotations

import os
import pickle
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from dtables import cache, loaded, ruleset
from dtables.ruleset import Checked, WorkbookErrors, check, load, read
from tests.support.drawing import write_book
from tests.support.limits import limited
from tests.support.missing import missing

TABLES = Path(__file__).parent.parent / "tables"
BOOK = TABLES / "architects.xlsx"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "kept"
    monkeypatch.setenv(cache.VARIABLE, str(place))
    return place


@pytest.fixture
def afresh(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The workbooks that were read from their files."""
    read_afresh, places = ruleset._read_afresh, []

    def counted(place: Path) -> Checked:
        places.append(place)
        return read_afresh(place)

    monkeypatch.setattr(ruleset, "_read_afresh", counted)
    return places


def entries(folder: Path, ending: str = "") -> list[Path]:
    return sorted(folder.glob(f"*{ending}.entry"))


@pytest.mark.parametrize("name", ["architects", "concordia"])
def test_load__the_same_with_and_without(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book = TABLES / f"{name}.xlsx"
    first = load(book)
    source = first.source
    second = load(book)
    monkeypatch.setenv(cache.VARIABLE, "off")
    without = load(book)
    assert entries(folder, ".code")
    for kept in (first, second):
        assert kept.source == source == without.source
        assert kept.model == without.model
        assert kept.diagnostics == without.diagnostics
        assert (kept.name, kept.version, kept.answers) == (without.name, without.version, without.answers)
        assert set(kept.tables) == set(without.tables)


def test_load__reads_a_workbook_once(folder: Path, afresh: list[Path]) -> None:
    for _ in range(3):
        assert load(BOOK).source
    assert afresh == [BOOK]
    assert len(entries(folder)) == 2


def test_check__findings_are_kept(folder: Path, afresh: list[Path]) -> None:
    first, second = check(BOOK), check(BOOK)
    assert first == second and afresh == [BOOK]
    assert entries(folder, ".proof")


@pytest.mark.usefixtures("folder")
def test_load__errors_are_kept_too(afresh: list[Path], tmp_path: Path) -> None:
    book = tmp_path / "wrong.xlsx"
    write_book("Decision: d(a: number)\nif | then\na | x\n1 | b", book)
    told = []
    for _ in range(2):
        with pytest.raises(WorkbookErrors) as error:
            load(book)
        told.append(str(error.value))
    assert told[0] == told[1] and "wrong.xlsx!" in told[0]
    assert afresh == [book]


@pytest.mark.usefixtures("folder")
def test_read__another_content_or_name_is_another_workbook(afresh: list[Path], tmp_path: Path) -> None:
    one, other = tmp_path / "one.xlsx", tmp_path / "other.xlsx"
    shutil.copy(BOOK, one)
    shutil.copy(BOOK, other)
    read(one)
    model = read(other).model
    assert model is not None and model.book == "other.xlsx"
    shutil.copy(TABLES / "concordia.xlsx", one)
    assert read(one) == ruleset._read_afresh(one)
    assert afresh == [one, other, one, one]


def test_kept__what_is_damaged_is_written_anew(folder: Path, afresh: list[Path]) -> None:
    source = load(BOOK).source
    for damage in (lambda b: b[:-10], lambda b: b[:100] + bytes([b[100] ^ 1]) + b[101:], lambda _: b""):
        for entry in entries(folder):
            entry.write_bytes(damage(entry.read_bytes()))
        afresh.clear()
        assert load(BOOK).source == source
        assert afresh == [BOOK]
        assert load(BOOK).source == source
        assert afresh == [BOOK]


@pytest.mark.skipif(os.name != "posix", reason="modes say who may write on POSIX only")
@pytest.mark.parametrize("mode", [0o770, 0o707])
def test_kept__a_folder_that_others_can_write_to_is_left_alone(
    mode: int, folder: Path, afresh: list[Path]
) -> None:
    load(BOOK)
    folder.chmod(mode)
    before = entries(folder)
    load(BOOK)
    assert afresh == [BOOK, BOOK]
    assert entries(folder) == before


@pytest.mark.skipif(os.name != "posix", reason="modes say who may write on POSIX only")
def test_kept__entries_of_others_and_links_are_not_read(folder: Path, tmp_path: Path) -> None:
    key = cache.key(b"a")
    cache.keep(key, b"content")
    assert cache.kept(key) == b"content"
    (entry,) = entries(folder)
    entry.chmod(0o666)
    assert cache.kept(key) is None
    entry.chmod(0o600)
    entry.rename(tmp_path / "elsewhere")
    entry.symlink_to(tmp_path / "elsewhere")
    assert cache.kept(key) is None
    entry.unlink()
    (tmp_path / "elsewhere").rename(entry)
    moved = folder.rename(tmp_path / "moved")
    folder.symlink_to(moved)
    assert cache.kept(key) is None


@limited(cache_bytes=10_000)
def test_keep__the_oldest_go_first(folder: Path) -> None:
    keys = [cache.key(bytes([n])) for n in range(12)]
    for n, key in enumerate(keys):
        cache.keep(key, bytes(1_000))
        os.utime(folder / f"{key}.entry", (n, n))
        cache.kept(keys[0])
    assert sum(entry.stat().st_size for entry in entries(folder)) <= 10_000
    assert cache.kept(keys[0]) and cache.kept(keys[-1]) and not cache.kept(keys[1])


def test_keep__where_nothing_can_be_kept_nothing_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    for place in ("off", "0", str(tmp_path / "file"), str(tmp_path / "file" / "below")):
        monkeypatch.setenv(cache.VARIABLE, place)
        cache.keep(cache.key(b"a"), b"content")
        assert cache.kept(cache.key(b"a")) is None
        assert load(BOOK).source


@pytest.mark.skipif(os.name != "posix", reason="links have owners on POSIX only")
def test_keep__through_no_link_of_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere, link = tmp_path / "elsewhere", tmp_path / "link"
    elsewhere.mkdir()
    link.symlink_to(elsewhere)
    if os.geteuid() != 0:
        missing("only root can give files to another user")
    os.chown(link, 65534, 65534, follow_symlinks=False)
    monkeypatch.setenv(cache.VARIABLE, str(link / "below" / "kept"))
    cache.keep(cache.key(b"a"), b"content")
    assert list(elsewhere.iterdir()) == []


@limited(entry_bytes=1_000)
def test_keep__too_much_is_not_kept(folder: Path) -> None:
    cache.keep(cache.key(b"a"), bytes(1_001))
    assert not folder.exists()


def test_read__kept_or_afresh_it_is_the_same(folder: Path) -> None:
    afresh, kept = read(BOOK), read(BOOK)
    assert entries(folder) and afresh == kept and load(BOOK).model == load(BOOK).model
    assert check(BOOK) == check(BOOK)
    assert replace(kept, key=None, unkept=()) == kept


def test_read__saved_while_it_was_read(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Under neither content: it is not known which one was read."""
    book = shutil.copy(BOOK, tmp_path / "book.xlsx")
    read_afresh = ruleset._read_afresh

    def saved_meanwhile(place: Path) -> Checked:
        checked = read_afresh(place)
        shutil.copy(TABLES / "concordia.xlsx", book)
        return checked

    monkeypatch.setattr(ruleset, "_read_afresh", saved_meanwhile)
    assert read(book).key is None
    assert entries(folder) == []
    assert loaded.book_key(tmp_path / "nothing.xlsx") is None


@pytest.mark.parametrize(
    ("system", "kept_in"),
    [("darwin", "home/Library/Caches"), ("win32", "home/AppData/Local"), ("linux", "home/.cache")],
)
def test_each_system_has_its_place(
    system: str, kept_in: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (cache.VARIABLE, "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    monkeypatch.setattr(cache, "sys", SimpleNamespace(platform=system))
    cache.keep("one", b"content")
    assert (tmp_path / kept_in / "dtables").is_dir()


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="they keep caches in places of their own")
@pytest.mark.parametrize(
    ("named", "kept_in"),
    [("{tmp}/caches", "caches"), ("caches", "home/.cache"), ("", "home/.cache"), (None, "home/.cache")],
)
def test_where_things_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str | None, kept_in: str
) -> None:
    """A relative folder is none, as the standard says: what it means would change with the place."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(cache.VARIABLE, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    if named is not None:
        monkeypatch.setenv("XDG_CACHE_HOME", named.format(tmp=tmp_path))
    cache.keep("one", b"content")
    assert (tmp_path / kept_in / "dtables").is_dir()
    assert cache.kept("one") == b"content"
    assert {path.name for path in tmp_path.iterdir()} == {kept_in.split("/")[0]}


def test_what_is_packed_is_unpacked_whole() -> None:
    for game in sorted((Path(__file__).parent.parent / "tables").glob("*.xlsx")):
        model = ruleset.read(game).model
        assert model is not None
        unpacked = pickle.loads(loaded.packed(model, 1 << 30))
        assert unpacked == model
        assert repr(unpacked) == repr(model)


def test_more_than_is_kept_is_not_packed_to_its_end() -> None:
    with pytest.raises(loaded.TooLarge):
        loaded.packed(tuple(range(10_000)), 1_000)
