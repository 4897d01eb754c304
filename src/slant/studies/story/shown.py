"""What the report shows together, as Figure 3 does: the picture, its caption, its story."""

from __future__ import annotations

import base64
import io
from typing import TYPE_CHECKING

import polars as pl

from slant.errors import InputError
from slant.models.picture_file import data_url, picture_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.records import Picture
    from slant.studies.study import Quote

TABLE = "stories"
_SIDE = 320
"""Of a thumbnail, in pixels."""

_AS_IT_IS = 150_000
"""A picture of so many bytes may stand in a page as it is, where there is no Pillow."""


def story_table(
    quotes: Sequence[Quote], pictures: Mapping[tuple[str, str], Picture]
) -> pl.DataFrame:
    """Put stories beside their captions and pictures.

    Parameters
    ----------
    quotes
        The stories to show; `prompt` is the caption.
    pictures
        By group and caption.

    Returns
    -------
    polars.DataFrame
        `group`, `caption`, `text`, `spans` (what was matched), `sensitive`, `picture` (a data URL;
        null where there is none).
    """
    return pl.DataFrame(
        {
            "group": [quote.group for quote in quotes],
            "caption": [quote.prompt for quote in quotes],
            "text": [quote.text for quote in quotes],
            "spans": [[list(span) for span in quote.spans] for quote in quotes],
            "sensitive": [quote.sensitive for quote in quotes],
            "picture": [_thumbnail(pictures.get((quote.group, quote.prompt))) for quote in quotes],
        },
        schema={
            "group": pl.String, "caption": pl.String, "text": pl.String,
            "spans": pl.List(pl.List(pl.Int64)), "sensitive": pl.Boolean, "picture": pl.String,
        },
    )  # fmt: skip


def _thumbnail(picture: Picture | None) -> str | None:
    """Make a small copy; without Pillow, take the picture itself where it is small enough."""
    if picture is None:
        return None
    try:
        data = picture_bytes(picture)
        return _scaled(data)
    except ImportError:
        return data_url(picture) if len(data) <= _AS_IT_IS else None
    except InputError:  # the file has been moved or changed since: there is nothing to show
        return None


def _scaled(data: bytes) -> str | None:
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data)) as image:
            small = image.convert("RGB")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    small.thumbnail((_SIDE, _SIDE))
    stored = io.BytesIO()
    small.save(stored, "JPEG", quality=80)
    return f"data:image/jpeg;base64,{base64.b64encode(stored.getvalue()).decode()}"


def caption_table(texts: pl.DataFrame) -> pl.DataFrame:
    """List the captions that stories were told about."""
    return texts.group_by("group", "frame", "caption", maintain_order=True).agg(
        pl.len().cast(pl.Int64).alias("stories")
    )
