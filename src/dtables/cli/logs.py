"""Commands about turn logs, and the progress they show: `dtables eval`, `dtables log`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from errno import ENOSPC
from functools import cached_property, partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from dtables.cli.options import (
    BOOK,
    ERRORS,
    FILE,
    FINE,
    INTERRUPTED,
    LANGUAGES,
    distinct,
    json_flag,
    load_book,
    log_for,
    new_workbook,
    print_json,
    say,
    say_language,
    say_written,
    show,
)
from dtables.terminal import visible_json

if TYPE_CHECKING:
    from dtables.answers.engines import CompiledEngine
    from dtables.answers.parts import Counts
    from dtables.answers.run import Strategy, Watch
    from dtables.audit.audit import Audit
    from dtables.logs.files import Log
    from dtables.ruleset import Ruleset


@dataclass(frozen=True)
class EvalRequest:
    """What `dtables eval` was asked for."""

    workbook: Path
    log: str
    output: Path | None
    report: tuple[Path, ...]
    full: bool
    mismatches: Path | None
    explain: bool
    lang: str
    engine: str
    processes: int | None
    master: str | None
    resume: bool

    @cached_property
    def file(self) -> Path | None:
        """Where the answers go, if it is no device and no pipe."""
        from dtables.files import stream_at

        return self.output if self.output is not None and stream_at(self.output) is None else None

    @property
    def place(self) -> Path:
        """Where they go in any case."""
        from dtables.files import STANDARD_OUTPUT

        return self.output or STANDARD_OUTPUT

    @property
    def audits(self) -> bool:
        """Whether answers are held against what was played."""
        return bool(self.report) or self.mismatches is not None


@click.command("eval")
@click.argument("workbook", metavar="BOOK", type=BOOK)
@click.argument("log", metavar="LOG")
@click.option("-o", "--output", metavar="OUT", type=FILE,
              help="Answers go here, rejects beside it (OUT.rejected.jsonl); else, or for `-`: "
              "the screen.")  # fmt: skip
@click.option("--report", metavar="FILE", type=FILE, multiple=True,
              help="Write an audit: why played moves are not the rules', and which rows decided. "
              "FILE.html is a page, FILE.pdf its summary on paper; both may be given.")  # fmt: skip
@click.option("--full", is_flag=True,
              help="Put the details of every turn into the page: up to 20 MB instead of 2 MB.")  # fmt: skip
@click.option("--mismatches", metavar="FILE.csv", type=FILE,
              help="Write every field that was played differently, with the reason, as a table: "
              ".csv, .parquet, .xlsx or .jsonl.")  # fmt: skip
@click.option("--explain", is_flag=True, help="Put the reasons into every answer.")
@click.option("--lang", type=LANGUAGES, default="en", show_default=True,
              help="Of the reasons, and what the report shows first.")  # fmt: skip
@click.option("--engine", type=click.Choice(["auto", "python", "columns", "spark"]), default="auto",
              show_default=True,
              help="python: compiled code on all cores; columns: flat rules over Parquet and CSV; "
              "spark: compiled code on a cluster; auto: what suits, and it says so.")  # fmt: skip
@click.option("--processes", type=click.IntRange(1),
              help="Of python; else: one for a small log, or as many as there are cores.")  # fmt: skip
@click.option("--master", metavar="URL",
              help="Of spark: spark://host:7077, yarn, …; else: the cores of this machine.")  # fmt: skip
@click.option("--resume", is_flag=True, help="Continue a run into OUT that broke off.")
def evaluate(**options: Any) -> None:
    """Answer a log of recorded turns.

    LOG is a file (JSON Lines or CSV, also gzip; Parquet; Excel), a folder of such files, a pattern in
    quotes, or `-`: the standard input. OUT is written as its ending says: .jsonl, .csv, .parquet, .xlsx."""
    from dtables.logs.jsonlines import LogError

    request = EvalRequest(**options)
    if request.resume and request.file is None:
        raise click.UsageError("--resume continues a run into a file: say which with -o")
    if request.master is not None and request.engine != "spark":
        raise click.UsageError("--master is Spark's: say --engine spark too")
    if request.full and not any(file.suffix.lower() != ".pdf" for file in request.report):
        raise click.UsageError("--full requires --report FILE.html")
    resumed = "; --resume continues" if request.file else ""
    try:
        counts = _evaluate(request)
    except LogError as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        if error.errno != ENOSPC:
            raise
        raise click.ClickException(f"{request.place}: {error.strerror}{resumed}") from None
    except KeyboardInterrupt:
        say(f"interrupted{resumed}", err=True)
        sys.exit(INTERRUPTED)
    sys.exit(ERRORS if counts.rejects else FINE)


def _evaluate(request: EvalRequest) -> Counts:
    from dtables.answers.engines import EngineName
    from dtables.answers.parts import RunStart
    from dtables.answers.run import answer_into, rejects_path
    from dtables.choosing import EngineRequest, choose

    log = _log(request)
    rules = load_book(request.workbook)
    if log.typed:
        log = replace(log, model=rules.model)
    engine = _engine(rules, request)
    wish = EngineRequest(EngineName(request.engine), request.processes, request.master)
    choice = choose(wish, engine, log, request.file, lambda: rules.model)
    if choice.words is not None:
        say(choice.words, err=True)
    if request.file is None:
        counts = _to_stream(engine, log, choice.way, request.place)
    else:
        start = RunStart.CONTINUED if request.resume else RunStart.AFRESH
        with _progress(log) as watch:
            counts = answer_into(engine, log, request.file, start, choice.way, watch)
    say(str(counts), err=True)
    if counts.rejects and request.file is not None:
        say(f"rejects: {rejects_path(request.file)}", err=True)
    if request.audits:
        _audit(rules, engine, log, request)
    return counts


def _log(request: EvalRequest) -> Log:
    """Before anything is answered, nothing that is written may replace what is read or written besides."""
    from dtables.answers.output import finish_for
    from dtables.answers.run import rejects_path
    from dtables.logs.files import find_log

    log = find_log(request.log)
    written = {
        "the answers": request.place,
        "the rejects": rejects_path(request.file) if request.file else None,
        "the mismatches": request.mismatches,
        **{f"report {n}" if n > 1 else "the report": file for n, file in enumerate(request.report, 1)},
    }
    distinct(written, (request.workbook,), log)
    if request.mismatches is not None:
        finish_for(request.mismatches, {})
    if log.piped is None:
        return log
    if request.resume:
        raise click.UsageError(f"{log.name} cannot be read again: --resume needs a log in a file")
    return log.kept() if request.audits else log


def _engine(rules: Ruleset, request: EvalRequest) -> CompiledEngine:
    from dtables.answers.engines import CompiledEngine, explaining_engine

    if request.explain:
        say_language(rules, request.lang)
        return explaining_engine(rules.model, rules.source, request.lang)
    return CompiledEngine(rules.name, rules.version, rules.source, rules.answers)


def _audit(rules: Ruleset, engine: CompiledEngine, log: Log, request: EvalRequest) -> None:
    """Misplays go into their table as they are met, so that it has all of them."""
    from dtables.answers.output import rows_written
    from dtables.answers.run import OnCores
    from dtables.audit.audit import ALL, PIECE, SOME, Auditor, audit_log
    from dtables.audit.misplays import Misplay, mismatch_rows

    languages = ("it", "en") if request.report else (request.lang,)
    detailed = (ALL if request.full else SOME) if request.report else 0
    auditor = Auditor(engine.quiet(), rules.model, languages, detailed)
    manner = OnCores(request.processes, PIECE)
    if request.mismatches is None:
        with _progress(log) as watch:
            audit = audit_log(auditor, log, manner, watch)
    else:
        with rows_written(request.mismatches) as add, _progress(log) as watch:

            def each(misplay: Misplay) -> None:
                for row in mismatch_rows(misplay, request.lang):
                    add(row)

            audit = audit_log(auditor, log, manner, watch, each)
        say(f"mismatches: {request.mismatches}", err=True)
    _report(audit, rules, log, request)


def _report(audit: Audit, rules: Ruleset, log: Log, request: EvalRequest) -> None:
    from dtables.audit.page import LARGE, SMALL, report_page, summary
    from dtables.files import whole_file
    from dtables.pages.report import print_report, print_summary

    name, limit = Path(log.name).name, LARGE if request.full else SMALL
    for file in request.report:
        if file.suffix.lower() == ".pdf":
            content = print_summary(summary(audit, rules.model, name, request.lang))
        else:
            text = report_page(audit, rules.model, name, request.lang, limit, print_report)
            content = text.encode()
        with whole_file(file) as page:
            page.write(content)
        say(f"report: {file}", err=True)


def _to_stream(engine: CompiledEngine, log: Log, way: Strategy, place: Path) -> Counts:
    """Answers as they come, where the name says no other format; rejects go to the screen."""
    from dtables.answers.output import finish_for
    from dtables.files import Stream, stream_at, temporary_folder, whole_file

    finish = finish_for(place, engine.kinds)
    if finish is None:
        with (stream_at(place) or Stream(place)).opened() as out:
            return _handed_on(engine, log, way, out)
    with temporary_folder() as folder, folder.open_to_write("answers") as part:
        counts = _handed_on(engine, log, way, part)
        with whole_file(place) as out:
            finish(partial(folder.open, "answers"), out)
    return counts


def _handed_on(engine: CompiledEngine, log: Log, way: Strategy, out: IO[bytes]) -> Counts:
    from dtables.answers.parts import Counts
    from dtables.answers.run import add
    from dtables.logs.turns import Turns

    counts = Counts()
    for piece in way.pieces(engine, log, 0, Turns()):
        add(counts, piece)
        out.write(visible_json(piece.settled.answers.decode()).encode())
        out.flush()
        for line in piece.settled.rejects.splitlines():
            say(_reject_line(line, log), err=True)
    return counts


def _reject_line(line: bytes, log: Log) -> str:
    import json

    reject = json.loads(line)
    turn = "" if reject["turn"] is None else f" turn {json.dumps(reject['turn'], ensure_ascii=False)}"
    place = f"{reject.get('file') or log.first}:{reject['line']}:{turn}"
    cell = f" ({reject['cell']})" if "cell" in reject else ""
    return f"{place} rejected: {reject['path']}: found {reject['found']}, wanted {reject['wanted']}{cell}"


@click.command("log")
@click.argument("workbook", metavar="BOOK", type=BOOK)
@click.option("-o", "--output", metavar="FILE.xlsx", required=True, type=FILE, help="Where it goes.")
@click.option("--lang", type=LANGUAGES, default="en", show_default=True, help="Of its help and drop-downs.")
def record(workbook: Path, output: Path, lang: str) -> None:
    """Write a workbook in which turns are written down by hand; `eval` reads it."""
    from dtables.logs.entry_form import write_recording

    new_workbook(output, ", perhaps with turns in it")
    write_recording(load_book(workbook).model, output, lang)
    say_written(output)


# -- progress ----------------------------------------------------------------------------------


@contextmanager
def _progress(log: Log) -> Iterator[Watch]:
    """A bar with rate and time left on a terminal; elsewhere nothing."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _records, _bytes: None
        return
    rate = TextColumn("{task.fields[records]} records, {task.fields[rate]}/s")
    columns = (BarColumn(), rate, TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        total = log.bytes if log.measured else None
        task = bar.add_task("", total=total, records=0, rate=0)

        def watch(records: int, done: int) -> None:
            elapsed = bar.tasks[task].elapsed or 1.0
            bar.update(task, completed=done, records=records, rate=int(records / elapsed))

        yield watch


# -- dtables explain --------------------------------------------------------------------------------
# Why an answer is what it is: `dtables explain`.


@click.command()
@click.argument("workbook", metavar="BOOK", type=BOOK)
@click.argument("log", metavar="LOG")
@click.option("--turn", required=True, help="Which record: its `turn`.")
@click.option("--game", help="Its `game`, where turns repeat.")
@click.option("--lang", type=LANGUAGES, default="en", show_default=True, help="Language of the reason.")
@json_flag
def explain(workbook: Path, log: str, turn: str, game: str | None, lang: str, as_json: bool) -> None:
    """One answer with its whole reason, step by step, each with its cell."""
    from dtables.evaluator.nesting import bounded
    from dtables.explanations.plain import as_plain as explanation_plain
    from dtables.explanations.render import render as explanation_text
    from dtables.records.findings import RecordError, RuleError

    rules = load_book(workbook)
    record = _record(rules, log, turn, game)
    try:
        explanation = rules.explain(record.get("ask"), record.get("state"))
        if as_json:
            bounded(lambda: print_json(explanation_plain(explanation)))
        else:
            say_language(rules, lang)
            show(explanation_text(explanation, lang))
    except (RecordError, RuleError) as error:
        raise click.ClickException(f"turn {turn} is rejected: {error}") from None


def _record(rules: Ruleset, log: str, turn: str, game: str | None) -> dict[str, Any]:
    from dtables.logs.jsonlines import LogError

    try:
        for chunk in log_for(rules, log).chunks():
            for line in chunk.lines():
                record = line.record
                if record and str(record.get("turn")) == turn and game in (None, record.get("game")):
                    return record
    except LogError as error:
        raise click.ClickException(str(error)) from None
    raise click.ClickException(f"{log} has no turn {turn}")
