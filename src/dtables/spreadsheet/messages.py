"""What may be wrong with a workbook's file, one function per message."""

from __future__ import annotations

from dtables.diagnostics import Diagnostic, Severity
from dtables.provenance import Location, whole_book

PROBLEMS = (
    ("no-such-file", "there is no such file"),
    ("not-readable", "a file may not be opened"),
    ("lock-file", "a file is only the lock of an open workbook"),
    ("not-a-workbook", "a file is no .xlsx workbook"),
    ("password", "a workbook is protected by a password"),
    ("damaged", "a workbook is damaged or incomplete"),
    ("no-worksheet", "a sheet is of a kind that is not read"),
    ("too-large", "a workbook is larger than is read"),
    ("external-entities", "a workbook holds XML that no spreadsheet writes"),
)
"""Code and what it means, for the documentation."""


def of_file(book: str, code: str, message: str, hint: str | None = None) -> Diagnostic:
    """What is said of a workbook as a whole."""
    return Diagnostic(Location(whole_book(book)), Severity.ERROR, code, message, hint=hint)


def no_such_file(book: str) -> Diagnostic:
    """No file has the name that was given."""
    return of_file(book, "no-such-file", "there is no such file")


def is_a_directory(book: str) -> Diagnostic:
    """The name that was given is that of a folder."""
    return of_file(book, "not-a-workbook", "this is a folder", "name a workbook in it")


def no_plain_file(book: str) -> Diagnostic:
    """The name that was given is that of a pipe, a socket or a device."""
    message = "this is a pipe or a device, and a workbook is read from a file"
    return of_file(book, "not-a-workbook", message, "save it as a file and name that")


def not_readable(book: str) -> Diagnostic:
    """The system denies the file, often since a spreadsheet holds it open."""
    hint = "if it is open in Excel, close it there and run again"
    return of_file(book, "not-readable", "the file may not be opened", hint)


def unreadable_disk(book: str, reason: str) -> Diagnostic:
    """The system fails while the file is read; `reason` is what it says."""
    return of_file(book, "not-readable", f"the file cannot be read: {reason}")


def lock_file(book: str, workbook: str) -> Diagnostic:
    """A `~$` file, which a spreadsheet keeps beside an open workbook; `workbook` is that one."""
    message = "this is only the lock of a workbook that is open somewhere"
    return of_file(book, "lock-file", message, f"did you mean `{workbook}`?")


def not_a_workbook(book: str, found: str) -> Diagnostic:
    """The content is of another kind than .xlsx; `found` is a clause that says of which."""
    hint = "open it in a spreadsheet and save it as Excel workbook (.xlsx)"
    return of_file(book, "not-a-workbook", f"{found}, and only .xlsx workbooks are read", hint)


def password(book: str) -> Diagnostic:
    """The workbook is encrypted."""
    message = "the workbook is protected by a password"
    return of_file(book, "password", message, "save a copy without password")


def damaged(book: str, reason: str) -> Diagnostic:
    """The archive or a part of it cannot be read; a spreadsheet may repair it."""
    hint = "open it in a spreadsheet, let it repair the file, and save it again"
    return of_file(book, "damaged", f"the workbook is damaged or incomplete: {reason}", hint)


def incomplete(book: str, reason: str) -> Diagnostic:
    """A spreadsheet would repair it by leaving a sheet out, and the rules on it would be gone."""
    hint = "get a complete copy of the file: a spreadsheet that repairs it may drop what is missing"
    return of_file(book, "damaged", f"the workbook is damaged or incomplete: {reason}", hint)


def unknown_format(book: str, number: str) -> Diagnostic:
    """Cells have a number format that the styles do not define, so that dates cannot be recognised."""
    message = f"cells have the number format {number}, which the workbook does not define: it may be a date"
    return of_file(book, "damaged", message, "give these cells another format, and save the workbook again")


def no_worksheet(book: str, found: str) -> Diagnostic:
    """The workbook has a sheet of charts, macros or dialogs; `found` is the message."""
    return of_file(book, "no-worksheet", found, "move what counts to a worksheet, and delete this sheet")


def too_large(book: str, found: str) -> Diagnostic:
    """The file or its content is over a limit; `found` says which."""
    return of_file(book, "too-large", f"the workbook is larger than is read: {found}")


def external_entities(book: str, part: str) -> Diagnostic:
    """A part of the archive declares entities of XML, which are never resolved."""
    message = f"{part} declares XML entities, which no spreadsheet writes"
    return of_file(book, "external-entities", message)
