"""Picture files: whether they are what they seem to be, and how a chat shows them.

Nothing is decoded here: kind and size are read from the first bytes of the file, so that a file
that is no picture, or one far too large, is refused before anything else touches it.
"""

from __future__ import annotations

import base64
import hashlib
import struct
from pathlib import Path
from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.records import Picture

if TYPE_CHECKING:
    from collections.abc import Callable

LARGEST_FILE = 20 * 2**20
"""In bytes: what servers take at most."""

MOST_PIXELS = 40_000_000
"""A picture of 50 megapixels takes 150 MB when it is decoded, and no model looks that closely."""

_KINDS = "a PNG, JPEG, GIF or WebP file"
_START_OF_FRAME = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
"""JPEG markers that hold the size; the three left out are tables."""


def read_picture(path: Path | str, *, file: str | None = None, line: int | None = None) -> Picture:
    """Check a picture and take its hash.

    Parameters
    ----------
    path
        Where it lies.
    file, line
        Where the picture is named, for the message; the picture itself when left out.

    Raises
    ------
    InputError
        It cannot be read, is no picture of a known kind, is cut short, or is too large: more than
        20 MB or 40 megapixels.
    """
    named = None if file is None else f"picture {Path(path).name}: "

    def fault(message: str) -> InputError:
        place = {"file": path} if named is None else {"file": file, "line": line}
        return InputError(f"{named or ''}{message}", **place)

    try:
        size = Path(path).stat().st_size
        if size > LARGEST_FILE:
            raise fault(
                f"{size / 2**20:.0f} MB, and at most {LARGEST_FILE // 2**20} are taken: make it "
                "smaller"
            )
        data = Path(path).read_bytes()
    except FileNotFoundError as error:
        raise fault("there is no such picture: check the path") from error
    except OSError as error:
        raise fault(f"the picture cannot be read: {error.strerror}") from error
    try:
        media_type, width, height = _look(data)
    except _NotAPictureError as error:
        raise fault(f"{error}: expected {_KINDS}") from error
    if width * height > MOST_PIXELS:
        raise fault(
            f"{width} × {height} are {width * height / 1e6:.0f} megapixels, and at most "
            f"{MOST_PIXELS // 1_000_000} are taken: scale it down, 1024 pixels across are plenty"
        )
    return Picture(hashlib.sha256(data).hexdigest(), media_type, str(path))


def picture_bytes(picture: Picture) -> bytes:
    """Read a picture again, and make sure that it is still the same.

    Raises
    ------
    InputError
        It is not there any more, or has changed since it was first read.
    """
    try:
        data = Path(picture.path).read_bytes() if picture.path else b""
    except OSError as error:
        raise InputError("the picture cannot be read any more") from error
    if hashlib.sha256(data).hexdigest() != picture.sha256:
        raise InputError("the picture is not the one it was when the question was made")
    return data


def data_url(picture: Picture) -> str:
    """Write a picture as a data URL, as chats and pages take it.

    Raises
    ------
    InputError
        It is not there any more, or has changed.
    """
    content = base64.b64encode(picture_bytes(picture)).decode()
    return f"data:{picture.media_type};base64,{content}"


class _NotAPictureError(Exception):
    """What is wrong with the bytes, in words."""


def _look(data: bytes) -> tuple[str, int, int]:
    """Give kind, width and height."""
    for signature, media_type, measure in _FORMATS:
        if data.startswith(signature):
            try:
                width, height = measure(data)
            except (struct.error, IndexError) as error:
                raise _NotAPictureError("the picture is cut short") from error
            if not (width and height):
                raise _NotAPictureError("the picture has no size")
            return media_type, width, height
    raise _NotAPictureError("this is no picture" if data else "the file is empty")


def _png(data: bytes) -> tuple[int, int]:
    if data[12:16] != b"IHDR" or b"IEND" not in data[-16:]:
        raise _NotAPictureError("the picture is cut short or damaged")
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def _gif(data: bytes) -> tuple[int, int]:
    width, height = struct.unpack("<HH", data[6:10])
    if data.rstrip(b"\0")[-1:] != b";":
        raise _NotAPictureError("the picture is cut short")
    return width, height


def _jpeg(data: bytes) -> tuple[int, int]:
    if b"\xff\xd9" not in data[-64:]:
        raise _NotAPictureError("the picture is cut short")
    at = 2
    while at < len(data):
        if data[at] != 0xFF:
            raise _NotAPictureError("the picture is damaged")
        marker = data[at + 1]
        if marker == 0xFF:  # filling
            at += 1
        elif marker in _START_OF_FRAME:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        elif marker in (0x01, *range(0xD0, 0xD9)):  # markers without content
            at += 2
        else:
            at += 2 + struct.unpack(">H", data[at + 2 : at + 4])[0]
    raise _NotAPictureError("the picture is cut short")


def _webp(data: bytes) -> tuple[int, int]:
    (length,) = struct.unpack("<I", data[4:8])
    if data[8:12] != b"WEBP":
        raise _NotAPictureError("this is no picture")
    if len(data) < length + 8:
        raise _NotAPictureError("the picture is cut short")
    kind = data[12:16]
    if kind == b"VP8X":
        sides = data[24:27] + b"\0" + data[27:30] + b"\0"
        width, height = struct.unpack("<II", sides)
        return width + 1, height + 1
    if kind == b"VP8L":
        (packed,) = struct.unpack("<I", data[21:25])
        return (packed & 0x3FFF) + 1, (packed >> 14 & 0x3FFF) + 1
    width, height = struct.unpack("<HH", data[26:30])
    return width & 0x3FFF, height & 0x3FFF


_FORMATS: tuple[tuple[bytes, str, Callable[[bytes], tuple[int, int]]], ...] = (
    (b"\x89PNG\r\n\x1a\n", "image/png", _png),
    (b"\xff\xd8\xff", "image/jpeg", _jpeg),
    (b"GIF87a", "image/gif", _gif),
    (b"GIF89a", "image/gif", _gif),
    (b"RIFF", "image/webp", _webp),
)
