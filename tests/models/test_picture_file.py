"""Pictures: what is taken for one, and what is refused."""

from __future__ import annotations

import base64
import hashlib
import io
from pathlib import Path

import pytest
from small_pictures import png, png_header, write

from slant.errors import InputError
from slant.models.picture_file import LARGEST_FILE, data_url, read_picture
from slant.records import (
    Generate,
    Item,
    Message,
    Picture,
    needed_ability,
    request_from_json,
    request_to_json,
)


def test_a_picture_is_known_by_its_content(tmp_path: Path) -> None:
    data = png()
    first = read_picture(write(tmp_path / "a.png", data))
    second = read_picture(write(tmp_path / "b.jpg", data))  # the name says nothing
    assert first == second
    assert first.sha256 == hashlib.sha256(data).hexdigest()
    assert first.media_type == "image/png"
    assert data_url(first) == f"data:image/png;base64,{base64.b64encode(data).decode()}"


def test_a_question_about_a_picture_holds_its_hash_and_not_where_it_lies(tmp_path: Path) -> None:
    one, other = (
        Item("s", Generate((Message("user", "What is this?", read_picture(path)),)))
        for path in (write(tmp_path / "a.png", png()), write(tmp_path / "b.png", png()))
    )
    assert one.id == other.id
    assert needed_ability(one.request) == "see"
    text = request_to_json(one.request)
    assert str(tmp_path) not in text
    again = request_from_json(text)
    assert again == one.request
    assert isinstance(again, Generate)
    plain = Generate((Message("user", "What is this?"),))
    assert needed_ability(plain) == "chat"
    assert request_to_json(plain) != text


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
def test_the_four_kinds_are_read(tmp_path: Path, kind: str) -> None:
    image = pytest.importorskip("PIL.Image")
    made = io.BytesIO()
    image.new("RGB", (31, 17), (1, 2, 3)).save(made, kind)
    path = write(tmp_path / "picture", made.getvalue())
    assert read_picture(path).media_type == f"image/{kind.lower()}"
    cut = write(tmp_path / "cut", made.getvalue()[: len(made.getvalue()) // 2])
    with pytest.raises(InputError, match="cut short"):
        read_picture(cut)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the file is empty: expected a PNG, JPEG, GIF or WebP"),
        (b"<svg onload='alert(1)'/>", "this is no picture"),
        (b"MZ" + b"\0" * 100, "this is no picture"),
        (png_header(10_000, 5_000), r"10000 × 5000 are 50 megapixels, and at most 40 are taken"),
        (png_header(0, 5), "has no size"),
        (b"\x89PNG\r\n\x1a\n", "cut short"),
        (b"\xff\xd8\xff\xe0 nothing \xff\xd9", "cut short|damaged"),
    ],
)
def test_what_is_no_picture_is_refused(tmp_path: Path, data: bytes, message: str) -> None:
    path = write(tmp_path / "it.png", data)
    with pytest.raises(InputError, match=message) as caught:
        read_picture(path)
    assert "it.png" in str(caught.value)


def test_a_picture_of_too_many_bytes_is_not_even_read(tmp_path: Path) -> None:
    path = tmp_path / "large.png"
    with path.open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    with pytest.raises(InputError, match="at most 20 are taken: make it smaller"):
        read_picture(path)


def test_a_missing_picture_is_told_where_it_was_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"list\.csv:3: picture a\.png: there is no such picture"):
        read_picture(tmp_path / "a.png", file="list.csv", line=3)


def test_a_picture_that_changed_is_not_shown(tmp_path: Path) -> None:
    path = write(tmp_path / "a.png", png())
    picture = read_picture(path)
    path.write_bytes(png(colour=(0, 0, 0)))
    with pytest.raises(InputError, match="not the one it was"):
        data_url(picture)
    with pytest.raises(InputError, match="not the one it was"):
        data_url(Picture(picture.sha256, picture.media_type))  # read from a journal
