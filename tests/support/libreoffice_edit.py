"""Types into cells of a workbook with LibreOffice, as a person would, and saves it as .xlsx.

Runs under the Python that LibreOffice's bindings belong to, not the project's:

    python3 libreoffice_edit.py SOURCE.xlsx TARGET.xlsx SHEET CELL TEXT [SHEET CELL TEXT ...]
"""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.connection import NoConnectException


def main(source, target, *edits):
    pipe = f"dtables{uuid.uuid4().hex}"
    with tempfile.TemporaryDirectory() as profile:
        office = subprocess.Popen(
            ["soffice", f"-env:UserInstallation={Path(profile).as_uri()}", "--headless", "--norestore",
             f"--accept=pipe,name={pipe};urp;"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        try:
            desktop = connect(pipe)
            edit(desktop, Path(source), Path(target), edits)
            desktop.terminate()
            office.wait(timeout=60)
        finally:
            end(office)


def end(office):
    """With what it started: `soffice` is a script, the program itself its child."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(office.pid, signal.SIGKILL)
    office.wait()


def connect(pipe):
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
    for _ in range(120):
        try:
            context = resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
        except NoConnectException:
            time.sleep(0.5)
        else:
            return context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)
    raise SystemExit("LibreOffice did not start")


def opened(desktop, source):
    """Right after its start LibreOffice may take calls and open nothing yet."""
    hidden = (setting("Hidden", True),)
    for _ in range(60):
        book = desktop.loadComponentFromURL(source.resolve().as_uri(), "_blank", 0, hidden)
        if book is not None:
            return book
        time.sleep(0.5)
    raise SystemExit(f"LibreOffice did not open {source}")


def edit(desktop, source, target, edits):
    book = opened(desktop, source)
    frame = book.getCurrentController().getFrame()
    dispatcher = uno.getComponentContext().ServiceManager.createInstance("com.sun.star.frame.DispatchHelper")
    for sheet, cell, text in zip(edits[0::3], edits[1::3], edits[2::3], strict=True):
        book.getCurrentController().setActiveSheet(book.Sheets.getByName(sheet))
        for command, name, value in (
            (".uno:GoToCell", "ToPoint", cell),
            (".uno:EnterString", "StringName", text),
        ):
            dispatcher.executeDispatch(frame, command, "", 0, (setting(name, value),))
    book.storeToURL(target.resolve().as_uri(), (setting("FilterName", "Calc MS Excel 2007 XML"),))
    book.close(True)


def setting(name, value):
    made = PropertyValue()
    made.Name, made.Value = name, value
    return made


if __name__ == "__main__":
    main(*sys.argv[1:])
