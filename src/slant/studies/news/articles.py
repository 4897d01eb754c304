"""The reference articles of a study, as one table: a million of them take little but their text."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import polars as pl

from slant.corpora import read_corpus
from slant.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_AT_ONCE = 2_000
_SCHEMA = {"id": pl.String, "title": pl.String, "text": pl.String}


@dataclass(frozen=True, eq=False)
class Articles:
    """Articles that people wrote.

    Attributes
    ----------
    table
        `id`, `title` and `text`; ids are unique.
    left_out
        How many others could not be used, by why.
    """

    table: pl.DataFrame
    left_out: Mapping[str, int]

    def __len__(self) -> int:
        return self.table.height

    def rows(self) -> Iterator[tuple[str, str, str]]:
        """Give id, title and text of each."""
        return self.table.iter_rows()


def read_articles(corpus: str, most: int | None) -> Articles:
    """Read a corpus, or its first articles.

    Raises
    ------
    InputError
        There is no such corpus, or fewer than two of its articles can be used.
    """
    left_out: Counter[str] = Counter()
    articles = islice(read_corpus(corpus).articles(lambda why: left_out.update([why])), most)
    parts = [pl.DataFrame(schema=_SCHEMA)]
    while some := [(each.id, each.title, each.text) for each in islice(articles, _AT_ONCE)]:
        parts.append(pl.DataFrame(some, schema=_SCHEMA, orient="row"))
    table = pl.concat(parts)
    if table.height < 2:
        raise InputError(
            f"corpus {corpus!r} has {table.height} articles that can be used; at least two are "
            "compared"
        )
    return Articles(table, left_out)
