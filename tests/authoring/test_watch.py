"""Workbooks looked at again when they are saved, as spreadsheets save; and the command in its own process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import IO

import pytest

from dtables import cache
from dtables.authoring.watching import PATIENCE, Inspection, Looking, News, Watched, watch
from dtables.diagnostics import Severity
from dtables.ruleset import check
from tests.support.drawing import write_book

ALL = frozenset(Severity)

SOUND = """
Decision: fee(age: number) -> number
if | then
age |
< 12 | 5
>= 12 | 8

Examples: fees ; table: fee
given | expect
age | fee
10 | 5
"""
BROKEN = SOUND.replace(">= 12 | 8", ">= 12 | eight")
MOVED = BROKEN.replace("< 12 | 5", "< 6 | 0\n[6..12) | 5")
GAP = SOUND.replace(">= 12", "> 12")
WRONG_EXAMPLE = SOUND.replace("10 | 5", "10 | 6")


@pytest.fixture
def book(tmp_path: Path) -> Path:
    place = tmp_path / "fees.xlsx"
    write_book(SOUND, place)
    return place


def look(book: Path) -> Inspection:
    return Looking(ALL, True, None).look(book)


def codes(news: News | None) -> tuple[list[str], list[str]]:
    assert news is not None
    return [d.code for d in news.new], [d.code for d in news.gone]


def test_watched__what_is_new_and_what_is_gone(book: Path) -> None:
    one = Watched(book)
    assert codes(one.news(look)) == ([], [])
    assert one.news(look) is None
    write_book(BROKEN, book)
    assert codes(one.news(look)) == (["unknown-name"], [])
    write_book(GAP, book)
    assert codes(one.news(look)) == (["gap"], ["unknown-name"])
    write_book(SOUND, book)
    assert codes(one.news(look)) == ([], ["gap"])


def test_watched__what_nobody_could_look_for_is_not_gone(book: Path) -> None:
    one = Watched(book)
    write_book(GAP.replace("10 | 5", "10 | 6"), book)
    assert codes(one.news(look)) == (["gap", "example"], [])
    write_book(BROKEN, book)
    assert codes(one.news(look)) == (["unknown-name"], [])
    write_book(BROKEN.replace("eight", "nine"), book)
    assert codes(one.news(look)) == (["unknown-name"], ["unknown-name"])
    write_book(GAP, book)
    assert codes(one.news(look)) == ([], ["unknown-name", "example"])
    write_book(SOUND, book)
    assert codes(one.news(look)) == ([], ["gap"])


def test_watched__a_finding_that_moved_with_its_row_is_no_news(book: Path) -> None:
    one = Watched(book)
    write_book(BROKEN, book)
    one.news(look)
    write_book(MOVED, book)
    assert codes(one.news(look)) == ([], [])


def test_watched__examples_are_run(book: Path) -> None:
    one = Watched(book)
    one.news(look)
    write_book(WRONG_EXAMPLE, book)
    news = one.news(look)
    assert codes(news) == (["example"], [])
    assert news is not None and news.new[0].message == "the value should be 6, but is 5"


def test_watched__half_a_save_is_waited_for(book: Path) -> None:
    one = Watched(book)
    one.news(look)
    write_book(BROKEN, book)
    whole = book.read_bytes()
    book.write_bytes(whole[: len(whole) // 2])
    assert one.news(look) is None
    book.unlink()
    assert one.news(look) is None
    book.write_bytes(b"")
    assert one.news(look) is None
    book.write_bytes(whole)
    assert codes(one.news(look)) == (["unknown-name"], [])


def test_watched__what_stays_broken_is_told_once(book: Path) -> None:
    one = Watched(book)
    one.news(look)
    book.unlink()
    told = [one.news(look) for _ in range(PATIENCE + 5)]
    assert [codes(news) for news in told if news is not None] == [(["no-such-file"], [])]
    assert told[40] is not None, "forty looks are waited"
    write_book(SOUND, book)
    assert codes(one.news(look)) == ([], ["no-such-file"])


def test_watched__saved_while_it_was_read_is_read_again(book: Path) -> None:
    one = Watched(book)

    def slowly(place: Path) -> Inspection:
        seen = look(place)
        write_book(BROKEN, place)
        return seen

    assert one.news(slowly) is None
    assert codes(one.news(look)) == (["unknown-name"], [])


def test_watched__saved_as_it_was_is_no_news(
    book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DTABLES_CACHE", str(tmp_path / "kept"))
    one = Watched(book)
    assert one.news(look) is not None
    book.write_bytes(book.read_bytes())
    os.utime(book, (1, 1))
    assert one.news(look) is None


def test_watched__what_is_not_saved_is_not_looked_at(book: Path) -> None:
    one, looked_at = Watched(book), []

    def counted(place: Path) -> Inspection:
        looked_at.append(place)
        return look(place)

    assert one.news(counted) is not None
    assert one.news(counted) is None and looked_at == [book]


def test_watch__several_workbooks(book: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.xlsx"
    write_book(GAP, other)
    news = watch((book, other), look, lambda: write_book(BROKEN, book))
    assert [next(news).seen.checked.path for _ in range(3)] == [book, other, book]


def test_looking__prints_pages_only_of_what_is_sound(book: Path, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    write_book(BROKEN, book)
    Looking(ALL, False, pages).look(book)
    assert not pages.exists()
    write_book(SOUND, book)
    Looking(ALL, False, pages).look(book)
    assert [page.suffix for page in pages.iterdir()] == [".pdf"]


# -- as a command ------------------------------------------------------------------------------


def _each(stream: IO[str], queue: Queue[str]) -> None:
    for line in stream:
        queue.put(line)


def lines_of(process: subprocess.Popen[str]) -> Iterator[str]:
    """Each within a time that only a hanging process takes."""
    queue: Queue[str] = Queue()
    stream = process.stdout
    assert stream is not None
    Thread(target=lambda: _each(stream, queue), daemon=True).start()
    while True:
        yield queue.get(timeout=60).rstrip("\n")


HEARS_CTRL_C = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from dtables.cli import main
main()
"""
"""What runs in the background has been told to ignore Ctrl-C, and so have all that it starts."""


@contextmanager
def running(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A command that is ended in any case: a failing test must not wait for it."""
    command = [sys.executable, "-c", HEARS_CTRL_C, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C is sent as a signal")
def test_dtables_watch(book: Path) -> None:
    with running("watch", str(book), "--test") as process:
        lines = lines_of(process)
        assert next(lines) == "fees.xlsx: 1 table, 0 asks, 1 example; no problems"
        aside = book.with_name("aside.xlsx")
        write_book(BROKEN, aside)
        aside.replace(book)
        found = [next(lines) for _ in range(4)]
        assert found[0].startswith("fees.xlsx!Sheet1!B5: error[unknown-name]")
        assert found[-1] == "fees.xlsx: 1 error (1 new, 0 gone)"
        write_book(SOUND, book)
        assert next(lines).startswith("gone: fees.xlsx!Sheet1!B5: error[unknown-name]")
        assert next(lines).endswith("no problems (0 new, 1 gone)")
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 0
        assert process.stderr is not None and "Traceback" not in process.stderr.read()


def test_watch__keeps_what_it_has_told(book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits for the findings does not wait for that."""
    folder = tmp_path / "kept"
    monkeypatch.setenv(cache.VARIABLE, str(folder))
    told = watch((book,), Looking(ALL, False, None).look, lambda: write_book(GAP, book))
    assert codes(next(told)) == ([], [])
    assert not list(folder.glob("*.book.entry"))
    assert codes(next(told)) == (["gap"], [])
    assert len(list(folder.glob("*.book.entry"))) == 1
    assert [d.code for d in check(book).diagnostics] == ["gap"]
