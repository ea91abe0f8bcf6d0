"""Pixels of a picture, without a library for pictures."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

Pixel = tuple[int, int, int]


def pixels(png: bytes) -> list[list[Pixel]]:
    """The rows of a PNG of eight bits, RGB or RGBA."""
    chunks = dict[bytes, bytes]()
    for kind, content in _chunks(png):
        chunks[kind] = chunks.get(kind, b"") + content
    width, height, depth, colour = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    assert depth == 8 and colour in (2, 6), "typst writes RGB and RGBA"
    channels = 3 if colour == 2 else 4
    data = zlib.decompress(chunks[b"IDAT"])
    above = bytearray(width * channels)
    rows = []
    for n in range(height):
        start = n * (width * channels + 1)
        above = _unfiltered(data[start], data[start + 1 : start + 1 + width * channels], above, channels)
        rows.append([(above[x], above[x + 1], above[x + 2]) for x in range(0, len(above), channels)])
    return rows


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        at += length + 12


def _unfiltered(kind: int, line: bytes, above: bytearray, step: int) -> bytearray:
    found = bytearray(line)
    for n in range(len(found)):
        left = found[n - step] if n >= step else 0
        corner = above[n - step] if n >= step else 0
        guess = (0, left, above[n], (left + above[n]) // 2, _nearest(left, above[n], corner))[kind]
        found[n] = (found[n] + guess) & 255
    return found


def _nearest(left: int, above: int, corner: int) -> int:
    guess = left + above - corner
    return min((left, above, corner), key=lambda value: abs(guess - value))
