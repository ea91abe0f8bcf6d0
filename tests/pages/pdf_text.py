"""Text of printed pages, as a reader's program finds it."""

from __future__ import annotations

import io
import re

from pypdf import PdfReader


def pages_of(content: bytes) -> list[str]:
    return [plain(page.extract_text()) for page in PdfReader(io.BytesIO(content)).pages]


def text_of(content: bytes) -> str:
    return " ".join(pages_of(content))


def plain(text: str) -> str:
    """Without line breaks and double spaces; ligatures as letters, quotes as they are typed."""
    text = text.replace("\ufb01", "fi").replace("\ufb02", "fl").replace("\u202f", " ").replace("\u2009", " ")
    text = text.translate({0x2060: None, 0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"'})
    return re.sub(r"\s+", " ", text).strip()


def letters(text: str) -> str:
    """Letters and digits alone: cells break their text where the page wants it."""
    return "".join(c for c in plain(text) if c.isalnum()).casefold()
