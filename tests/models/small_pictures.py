"""Small pictures, made without any library: what tests show to models."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path


def png(width: int = 8, height: int = 8, colour: tuple[int, int, int] = (200, 30, 30)) -> bytes:
    """Make a PNG of one colour."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        checksum = zlib.crc32(kind + content)
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checksum)

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = (b"\0" + bytes(colour) * width) * height
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


def png_header(width: int, height: int) -> bytes:
    """Make a PNG that says how large it is, and holds nothing."""
    empty = png(1, 1)
    return empty[:16] + struct.pack(">II", width, height) + empty[24:]


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path
