"""The command line: arguments, files, exit codes, printing.

Exit 0: fine. 1: the workbook or the log has errors. 2: misuse. 130: interrupted.
"""

from __future__ import annotations

import errno
from typing import Any

import click

from dtables import __version__
from dtables.cli import authoring, checking, compiling, logs, pages, testing
from dtables.cli import logs as explaining
from dtables.cli.options import INTERRUPTED, say
from dtables.terminal import visible

COMMANDS = (
    checking.check,
    testing.test,
    explaining.explain,
    logs.evaluate,
    logs.record,
    compiling.compile_book,
    pages.print_pages,
    pages.docs,
    pages.dress,
    authoring.new_book,
    authoring.watch_books,
    authoring.diff_books,
    authoring.annotate_book,
)


class Commands(click.Group):
    """What the system refuses, a folder that is closed, a disk that is full, is told in one line; so is what
    somebody broke off."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; OSError becomes a ClickException, and an interrupt an exit code."""
        try:
            return super().invoke(ctx)
        except click.ClickException as error:
            vars(error)["message"] = visible(error.message)
            raise
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise
            place = f"{error.filename}: " if error.filename else ""
            raise click.ClickException(visible(f"{place}{error.strerror or error}")) from None
        except KeyboardInterrupt:
            say("interrupted", err=True)
            ctx.exit(INTERRUPTED)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="dtables")
def main() -> None:
    """Decision tables that live in Excel: check them, run them, answer logs with them."""


for command in COMMANDS:
    main.add_command(command)
