"""What commands write belongs to whoever runs them: nothing is led astray, nothing replaces anything else,
devices and pipes stay what they are.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dtables.cli import main
from tests.support.missing import missing
from tests.support.thinned import swept

TABLES = Path(__file__).parents[2] / "tables"
BOOK, SAMPLE = TABLES / "architects.xlsx", TABLES / "architects.sample.jsonl"
NOBODY = 65534


def run(*arguments: object, given: bytes | None = None) -> Result:
    return CliRunner().invoke(main, [*map(str, arguments)], input=given)


def in_shell(command: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """As it is typed, `dtables` and all."""
    if shutil.which("bash") is None or shutil.which("gzip") is None:
        missing("bash and gzip are not here")
    env = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", **variables}
    return subprocess.run(
        ["bash", "-c", command], cwd=folder, env=env, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.fixture(scope="session")
def new_book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `new` writes, written once."""
    place = tmp_path_factory.mktemp("new") / "b.xlsx"
    assert run("new", place).exit_code == 0
    return place


@pytest.fixture
def folder(tmp_path: Path, new_book: Path) -> Path:
    """Where somebody works: a workbook that `new` has written, and a log of it."""
    shutil.copy(new_book, tmp_path / "b.xlsx")
    states = [{"age": age, "day": "weekday", "member": True, "free seats": ["a2"]} for age in (30, 5)]
    lines = [json.dumps({"turn": turn, "state": state}) for turn, state in enumerate(states, 1)]
    (tmp_path / "log.jsonl").write_text("\n".join([*lines, '{"turn": 3, "state": {"ag\\u001b": 1}}']) + "\n")
    return tmp_path


# -- what others have planted --------------------------------------------------------------------

WRITING: dict[str, tuple[str, str]] = {
    "eval": ("eval b.xlsx log.jsonl -o shared/out.jsonl", "out.jsonl"),
    "eval to csv": ("eval b.xlsx log.jsonl -o shared/out.csv", "out.csv"),
    "eval to parquet": ("eval b.xlsx log.jsonl -o shared/out.parquet", "out.parquet"),
    "eval to xlsx": ("eval b.xlsx log.jsonl -o shared/out.xlsx", "out.xlsx"),
    "report": ("eval b.xlsx log.jsonl --report shared/report.html", "report.html"),
    "python": ("compile b.xlsx -o shared/out.py", "out.py"),
    "sql": ("compile b.xlsx --to sql -o shared/out.sql", "out.sql"),
    "docs": ("docs b.xlsx -o shared", "b.md"),
    "print": ("print b.xlsx --format html --lang en -o shared", "b.en.html"),
    "dress": ("dress b.xlsx -o shared/copy.xlsx", "copy.xlsx"),
    "annotate": ("annotate b.xlsx -o shared/copy.xlsx", "copy.xlsx"),
    "log": ("log b.xlsx -o shared/form.xlsx", "form.xlsx"),
    "new": ("new shared/new.xlsx", "new.xlsx"),
}
"""Every command that writes, and the name of what it writes in the folder `shared`."""


def arguments(words: str, folder: Path) -> list[str]:
    """Places below the folder."""
    places = (folder / word if "." in word or word == "shared" else word for word in words.split())
    return [str(place) for place in places]


def test_every_command_is_in_the_table() -> None:
    reading = {"check", "test", "explain", "diff", "watch"}
    assert {words.split()[0] for words, _ in WRITING.values()} | reading == set(main.commands)


@pytest.mark.parametrize("which", WRITING)
@pytest.mark.parametrize("planted", ["links", "hard links", "folders", "pipes"])
@pytest.mark.parametrize("another", [False, True], ids=["own", "of another"])
def test_planted_names_lead_nowhere(folder: Path, which: str, planted: str, another: bool) -> None:
    """All names that could be foreseen, once; whose they are makes no difference."""
    if another and os.geteuid() != 0:
        missing("only root can give files to another user")
    words, name = WRITING[which]
    shared, victim = folder / "shared", folder / "victim"
    shared.mkdir()
    victim.mkdir()
    precious = victim / "precious"
    precious.write_text("precious")
    for foreseen in (f".{name}.part", f"{name}.new", f".{name}.new", f"{name}.tmp", f".{name}", f"{name}~"):
        place = shared / foreseen
        match planted:
            case "links":
                place.symlink_to(precious)
            case "hard links":
                place.hardlink_to(precious)
            case "pipes":
                os.mkfifo(place)
            case _:
                place.mkdir()
    parts = shared / f".{name}.parts"
    parts.mkdir(mode=0o777)
    for inner in ("answers", "rejects", "note.json", "note.json.new", "lock", f"finished{Path(name).suffix}"):
        (parts / inner).symlink_to(precious)
    before = set(shared.rglob("*"))
    if another:
        for path in (shared, *before):
            os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
        os.chown(precious, 0, 0)
        shared.chmod(0o777)
    result = run(*arguments(words, folder))
    assert result.exit_code in (0, 1) and isinstance(result.exception, SystemExit | None), result.output
    assert (shared / name).stat().st_size > 0, result.output
    assert precious.read_text() == "precious" and [path.name for path in victim.iterdir()] == ["precious"]
    written = set(shared.rglob("*")) - before
    assert written <= {shared / name, shared / "out.rejected.jsonl"}


@pytest.mark.parametrize("which", WRITING)
def test_another_users_link_on_the_way_is_refused(folder: Path, which: str) -> None:
    words, _ = WRITING[which]
    victim, shared = folder / "victim", folder / "shared"
    victim.mkdir()
    shared.symlink_to(victim)
    if os.geteuid() != 0:
        missing("only root can give files to another user")
    os.chown(shared, NOBODY, NOBODY, follow_symlinks=False)
    result = run(*arguments(words, folder))
    assert result.exit_code == 1 and "belongs to another user" in result.output.splitlines()[-1]
    assert list(victim.iterdir()) == []


@pytest.mark.parametrize("which", [w for w in WRITING if w not in ("docs", "print", "new", "log")])
def test_a_link_in_the_place_of_the_output_is_replaced(folder: Path, which: str) -> None:
    words, name = WRITING[which]
    precious = folder / "precious"
    precious.write_text("precious")
    (folder / "shared").mkdir()
    (folder / "shared" / name).symlink_to(precious)
    assert run(*arguments(words, folder)).exit_code in (0, 1)
    assert precious.read_text() == "precious" and not (folder / "shared" / name).is_symlink()


def test_as_another_user_nothing_of_root_is_reached(folder: Path) -> None:
    """The same the other way round: who may write to a folder, and not to what links in it lead to."""
    setpriv = shutil.which("setpriv")
    if os.geteuid() != 0 or setpriv is None:
        missing("only root can run a command as another user")
    shared = folder / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    for place in (*folder.parents, folder):
        if place.owner() == "root" and place.is_relative_to("/tmp/pytest-of-root"):
            place.chmod(0o755)
    (shared / "out.jsonl").symlink_to(folder / "b.xlsx")
    before = (folder / "b.xlsx").read_bytes()
    command = [setpriv, "--reuid=65534", "--regid=65534", "--clear-groups", sys.executable, "-m", "dtables"]
    env = {**os.environ, "HOME": str(shared), "DTABLES_CACHE": "off"}
    done = subprocess.run(
        [*command, *arguments("eval b.xlsx log.jsonl -o shared/out.jsonl", folder)],
        env=env, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if any(words in done.stderr for words in ("No module", "Permission denied", "shared libraries")):
        missing(f"another user cannot run the tests' Python: {done.stderr.splitlines()[-1]}")
    assert done.returncode == 2 and "never written to" in done.stderr
    assert (folder / "b.xlsx").read_bytes() == before


# -- nothing replaces anything else ----------------------------------------------------------------

SPELLINGS: dict[str, Callable[[Path, str], str]] = {
    "plain": lambda _, name: name,
    "whole": lambda folder, name: str(folder / name),
    "by a folder": lambda _, name: f"sub/../{name}",
    "by a folder that is not there": lambda _, name: f"not/there/../../{name}",
    "by a link to the folder": lambda _, name: f"here/{name}",
    "by a link": lambda _, name: f"soft.{name}",
    "by a hard link": lambda _, name: f"hard.{name}",
}


@pytest.fixture
def spelled(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(folder)
    (folder / "sub").mkdir()
    (folder / "here").symlink_to(folder)
    for name in ("b.xlsx", "log.jsonl", "r.jsonl", "r.rejected.jsonl"):
        if not (folder / name).exists():
            (folder / name).write_text("")
        (folder / f"soft.{name}").symlink_to(folder / name)
        (folder / f"hard.{name}").hardlink_to(folder / name)
    return folder


def held(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("eval b.xlsx log.jsonl -o {} --report r.jsonl", ["r.jsonl", "b.xlsx", "log.jsonl"]),
        ("eval b.xlsx log.jsonl -o r.jsonl --report {}", ["r.jsonl", "r.rejected.jsonl", "b.xlsx"]),
        ("eval b.xlsx log.jsonl -o r.csv --report {}", ["log.jsonl"]),
        ("eval b.xlsx log.jsonl --report {}", ["b.xlsx", "log.jsonl"]),
        ("compile b.xlsx -o {}", ["b.xlsx"]),
        ("dress b.xlsx -o {}", ["b.xlsx"]),
        ("annotate b.xlsx -o {}", ["b.xlsx"]),
    ],
)  # fmt: skip
def test_no_output_replaces_what_is_read_or_written_besides(
    spelled: Path, command: str, names: list[str], spelling: str
) -> None:
    before = held(spelled)
    for name in names:
        given = SPELLINGS[spelling](spelled, name)
        result = run(*command.format(given).split())
        assert result.exit_code == 2, (given, result.output)
        said = result.stderr.splitlines()[-1]
        assert any(words in said for words in ("never written to", "part of the log", "would hold")), said
    assert held(spelled) == before


def test_the_rejects_replace_rejects_and_nothing_else(spelled: Path) -> None:
    place = spelled / "r.rejected.jsonl"
    (spelled / "soft.r.rejected.jsonl").unlink()
    (spelled / "hard.r.rejected.jsonl").unlink()
    for _ in range(2):
        assert run("eval", "b.xlsx", "log.jsonl", "-o", "r.jsonl").exit_code == 1
        assert json.loads(place.read_text())["turn"] == 3
    (spelled / "sound.jsonl").write_text((spelled / "log.jsonl").read_text().splitlines()[0])
    assert run("eval", "b.xlsx", "sound.jsonl", "-o", "r.jsonl").exit_code == 0
    assert not place.exists()
    before = (spelled / "r.jsonl").read_bytes()
    for content in ("notes of mine", '{"line": "of a poem"}\n', "\0" * 100, '{"turn": 1}\n'):
        place.write_text(content)
        for log in ("log.jsonl", "sound.jsonl"):
            result = run("eval", "b.xlsx", log, "-o", "r.jsonl")
            assert result.exit_code == 1 and "is not a file of rejects" in result.stderr.splitlines()[-1]
        assert place.read_text() == content and (spelled / "r.jsonl").read_bytes() == before


@pytest.mark.parametrize("what", ["workbook", "log", "link", "broken link", "folder", "pipe"])
def test_the_rejects_never_replace(spelled: Path, what: str) -> None:
    place = spelled / "answers.rejected.jsonl"
    match what:
        case "workbook":
            (spelled / "b.xlsx").rename(place)
            place.with_name("b.xlsx").symlink_to(place)
        case "log":
            shutil.copy(spelled / "log.jsonl", place)
        case "link":
            place.symlink_to(spelled / "b.xlsx")
        case "broken link":
            place.symlink_to(spelled / "nothing")
        case "folder":
            place.mkdir()
        case _:
            os.mkfifo(place)
    log = place.name if what == "log" else "log.jsonl"
    before = held(spelled)
    result = run("eval", "b.xlsx", log, "-o", "answers.jsonl")
    assert result.exit_code in (1, 2) and result.stderr.splitlines()[-1].startswith("Error: ")
    assert held(spelled) == before and not (spelled / "answers.jsonl").exists()


@pytest.mark.parametrize("command", ["print", "docs", "watch --print"])
def test_books_of_one_name_are_not_printed_over_each_other(spelled: Path, command: str) -> None:
    (spelled / "sub" / "b.xlsx").write_bytes((spelled / "b.xlsx").read_bytes())
    pages = ["--print", "out"] if "--print" in command else ["-o", "out"]
    for other in ("sub/b.xlsx", "./b.xlsx"):
        result = run(command.split()[0], "b.xlsx", other, *pages)
        assert result.exit_code == 2 and "the same files" in result.stderr.splitlines()[-1]
    assert not (spelled / "out").exists()


def test_docs_do_not_replace_a_workbook(spelled: Path) -> None:
    (spelled / "b.xlsx").rename(spelled / "b.md")
    before = (spelled / "b.md").read_bytes()
    result = run("docs", "b.md", "-o", ".")
    assert result.exit_code == 2 and "never written to" in result.stderr
    assert (spelled / "b.md").read_bytes() == before


# -- devices, pipes and the standard streams ---------------------------------------------------------


def test_devices_are_written_to_and_stay(folder: Path) -> None:
    for words, _ in WRITING.values():
        if words.startswith(("docs", "print", "new", "log")):
            continue
        given = [str(folder / word) if "." in word else word for word in words.split()]
        for device in ("/dev/null", "/dev/./null"):
            result = run(*(device if "shared" in word else word for word in given))
            assert result.exit_code in (0, 1), (words, result.output)
            assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize(
    ("command", "first"),
    [
        ("eval b.xlsx log.jsonl -o {}", b'{"turn": 1,'),
        ("eval b.xlsx log.jsonl -o {0}.csv", b"turn,ask,"),
        ("eval b.xlsx log.jsonl -o {0}.parquet", b"PAR1"),
        ("eval b.xlsx log.jsonl -o {0}.xlsx", b"PK\x03\x04"),
        ("eval b.xlsx log.jsonl -o out.jsonl --report {}", b"<!doctype html>"),
        ("compile b.xlsx -o {}", b'"""'),
        ("compile b.xlsx --to sql -o {}", b"--"),
        ("dress b.xlsx -o {}", b"PK\x03\x04"),
        ("annotate b.xlsx -o {}", b"PK\x03\x04"),
    ],
)
def test_a_pipe_is_written_to(
    folder: Path, monkeypatch: pytest.MonkeyPatch, command: str, first: bytes
) -> None:
    monkeypatch.chdir(folder)
    given = command.format("pipe").split()
    (pipe,) = (word for word in given if word.startswith("pipe"))
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(Path(pipe).read_bytes()), daemon=True)
    reader.start()
    result = run(*given)
    reader.join(30)
    assert result.exit_code in (0, 1) and Path(pipe).is_fifo(), result.output
    assert read and read[0].startswith(first)


def test_in_a_shell(folder: Path) -> None:
    plain = in_shell("dtables eval b.xlsx log.jsonl", folder)
    assert len(plain.stdout.splitlines()) == 2 and "3 records: 2 answered, 1 rejected" in plain.stderr
    for command in swept(
        [
            "dtables eval b.xlsx - < log.jsonl",
            "cat log.jsonl | dtables eval b.xlsx - -o -",
            "gzip -c log.jsonl | dtables eval b.xlsx - -o /dev/stdout",
            "dtables eval b.xlsx <(cat log.jsonl) -o >(cat)",
            "cat log.jsonl | dtables eval b.xlsx /dev/stdin -o /proc/self/fd/1",
            "dtables eval b.xlsx log.jsonl -o /dev/stdout > kept; cat kept",
            "echo before > kept; dtables eval b.xlsx log.jsonl -o /dev/stdout >> kept; tail -n 2 kept",
            "cat log.jsonl | dtables eval b.xlsx - --processes 2",
        ]
    ):
        done = in_shell(f"{command}; sleep 0.2", folder)
        assert done.stdout == plain.stdout, (command, done.stderr)
        assert "standard input:3: turn 3 rejected" in done.stderr or ":3: turn 3 rejected" in done.stderr
    into = in_shell("cat log.jsonl | dtables eval b.xlsx - -o out.jsonl --report report.html", folder)
    assert into.returncode == 1 and (folder / "out.jsonl").read_text() == plain.stdout
    assert "<!doctype html>" in (folder / "report.html").read_text()


def test_answers_come_while_the_log_does(folder: Path) -> None:
    """Somebody plays, and asks turn by turn."""
    command = [sys.executable, "-m", "dtables", "eval", str(folder / "b.xlsx"), "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        assert running.stdin is not None and running.stdout is not None
        for line in (folder / "log.jsonl").read_bytes().splitlines()[:2]:
            running.stdin.write(line + b"\n")
            running.stdin.flush()
            assert json.loads(running.stdout.readline())["turn"] == json.loads(line)["turn"]
        running.stdin.close()
        assert running.stdout.read() == b""


@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ".parquet", ".xlsx", ".jsonl.gz"])
def test_the_standard_input_may_be_of_any_kind(folder: Path, ending: str) -> None:
    log = folder / f"log{ending}"
    pack(folder / "log.jsonl", log)
    expected = run("eval", folder / "b.xlsx", log)
    assert expected.exit_code == 0 and len(expected.stdout.splitlines()) == 2
    found = run("eval", folder / "b.xlsx", "-", given=log.read_bytes())
    assert (found.exit_code, found.stdout) == (0, expected.stdout), found.stderr
    told = run("explain", folder / "b.xlsx", "-", "--turn", "2", given=log.read_bytes())
    assert told.exit_code == 0 and told.stdout == run("explain", folder / "b.xlsx", log, "--turn", "2").stdout
    changes = run("diff", folder / "b.xlsx", folder / "b.xlsx", "--log", "-", given=log.read_bytes())
    assert "2 records, 0 answered differently" in changes.stdout


def pack(lines: Path, log: Path) -> None:
    """The two sound records of a log, as its ending says."""
    import gzip

    import pandas

    records = [json.loads(line) for line in lines.read_text().splitlines()[:2]]
    if log.name.endswith(".jsonl.gz"):
        log.write_bytes(gzip.compress("\n".join(map(json.dumps, records)).encode()))
        return
    rows = [
        {"turn": r["turn"], **{k: json.dumps(v) if isinstance(v, list) else v for k, v in r["state"].items()}}
        for r in records
    ]
    frame = pandas.DataFrame(rows)
    match log.suffixes[-2:]:
        case [*_, ".parquet"]:
            frame.to_parquet(log)
        case [*_, ".xlsx"]:
            frame.to_excel(log, index=False)
        case _:
            frame.replace({True: "true"}).to_csv(log, index=False)


def test_what_is_read_once_is_not_resumed(folder: Path) -> None:
    result = run("eval", folder / "b.xlsx", "-", "-o", folder / "out.jsonl", "--resume", given=b"{}\n")
    assert result.exit_code == 2 and "cannot be read again" in result.stderr
    assert run("eval", folder / "b.xlsx", folder / "log.jsonl", "-o", "-", "--resume").exit_code == 2
    answers = run("eval", folder / "b.xlsx", folder / "log.jsonl", "--report", "-")
    assert answers.exit_code == 2 and "would hold" in answers.stderr


def test_code_on_the_standard_output_is_code_alone(folder: Path) -> None:
    for command, start in (("compile", b'"""'), ("dress", b"PK"), ("annotate", b"PK")):
        result = run(command, folder / "b.xlsx", "-o", "-")
        assert result.exit_code == 0 and result.stdout_bytes.startswith(start)
    assert run("compile", folder / "b.xlsx", "-o", folder / "code.py").exit_code == 0
    assert run("compile", folder / "b.xlsx", "-o", "-").stdout == (folder / "code.py").read_text()


@pytest.mark.parametrize("place", ["pipe", "/dev/null", "/dev/zero"])
def test_a_workbook_that_is_no_file_is_refused_at_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.chdir(folder)
    os.mkfifo(folder / "pipe")
    results: list[tuple[str, Result]] = []

    def refused() -> None:
        for command in (
            "check {}", "test {}", "eval {} log.jsonl", "explain {} log.jsonl --turn 1",
            "compile {} -o out.py", "print {}", "docs {}", "dress {} -o out.xlsx",
            "annotate {} -o out.xlsx", "log {} -o out.xlsx",
            "diff {} b.xlsx", "diff b.xlsx {}",
        ):  # fmt: skip
            results.append((command, run(*command.format(place).split())))

    waiting = threading.Thread(target=refused, daemon=True)
    waiting.start()
    waiting.join(60)
    assert len(results) == 12, f"{place} is waited for"
    for command, result in results:
        assert result.exit_code == 1 and "this is a pipe or a device" in result.output, command


def test_a_workbook_out_of_a_shell_is_refused(folder: Path) -> None:
    done = in_shell("timeout 60 dtables check <(cat b.xlsx)", folder)
    assert done.returncode == 1 and "this is a pipe or a device" in done.stdout


# -- templates -----------------------------------------------------------------------------------

ATTACK = "{% for c in ().__class__.__base__.__subclasses__() %}{{ c }}{% endfor %}"


def test_templates_are_used_only_where_they_are_asked_for(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    for place in ("b.templates", "reports/templates"):
        (folder / place).mkdir(parents=True)
        (folder / place / "page.html.j2").write_text("mine: {{ document.title }}")
        (folder / place / "style.typ").write_text("#panic()")
    plain = run("print", "b.xlsx", "--format", "html", "-o", "pages")
    assert plain.exit_code == 0 and "mine" not in (folder / "pages" / "b.en.html").read_text()
    assert run("print", "b.xlsx", "-o", "pages").exit_code == 0
    mine = run("print", "b.xlsx", "--format", "html", "-o", "pages", "--templates", "b.templates")
    assert mine.exit_code == 0 and (folder / "pages" / "b.en.html").read_text().startswith("mine: ")
    assert run("print", "b.xlsx", "-o", "pages", "--templates", "reports/templates").exit_code == 1
    assert run("print", "b.xlsx", "--templates", "nothing").exit_code == 2


@pytest.mark.parametrize(
    "template",
    [
        ATTACK,
        "{{ document.__class__.__mro__ }}",
        "{{ is_mark.__globals__ }}",
        "{{ blocks.append(1) }}",
        "{{ ''.format.__self__ }}{{ '{0.__class__}'.format(1).mro }}",
        "{{ nothing_of_that_name }}",
        "{{ 1 / 0 }}",
        "{% for",
        "{% include '../../../../../../etc/passwd' %}",
        "{% for n in range(10 ** 9) %}x{% endfor %}",
    ],
)
def test_templates_run_in_a_box(folder: Path, template: str) -> None:
    (folder / "mine").mkdir()
    (folder / "mine" / "page.html.j2").write_text(template)
    result = run(
        "print", folder / "b.xlsx", "--format", "html", "-o", folder / "pages", "--templates", folder / "mine"
    )
    assert result.exit_code == 1 and "error[typesetting]: the templates in " in result.stderr
    assert not (folder / "pages").exists()
