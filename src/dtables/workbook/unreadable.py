"""How the spreadsheet library gives up where a workbook contradicts itself: it has no error of its own."""

from __future__ import annotations

import struct
import zipfile
import zlib
from xml.etree.ElementTree import ParseError

from openpyxl.utils.exceptions import InvalidFileException

UNREADABLE = (
    InvalidFileException, zipfile.BadZipFile, zlib.error, ParseError, EOFError, struct.error,
    KeyError, IndexError, ValueError, TypeError, AttributeError, AssertionError, OverflowError,
    RuntimeError, OSError,
)  # fmt: skip
