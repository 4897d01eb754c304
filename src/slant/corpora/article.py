"""An article, and a corpus of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass(frozen=True, slots=True)
class Article:
    """An article that people wrote.

    Attributes
    ----------
    id
        Its name, unique in its corpus.
    title
        Its headline, from which a model writes its own article.
    text
        What stands beneath.
    source, section, date, language
        Where it is from, if that is known.
    """

    id: str
    title: str
    text: str
    source: str = ""
    section: str = ""
    date: str = ""
    language: str = ""


@dataclass(frozen=True)
class Corpus:
    """Articles, read anew each time they are gone through.

    Attributes
    ----------
    name
        What reports call it.
    make
        Gives the articles, one at a time, and says what it left out.
    """

    name: str
    make: Callable[[Callable[[str], None]], Iterator[Article]]

    def articles(self, left_out: Callable[[str], None] = lambda _: None) -> Iterator[Article]:
        """Go through the articles that can be used.

        Parameters
        ----------
        left_out
            Called with the reason for every article that cannot: no headline, no text, an id that
            was there before.
        """
        seen: set[str] = set()
        for article in self.make(left_out):
            if not article.title.strip():
                left_out("have no headline")
            elif not article.text.strip():
                left_out("have no text")
            elif article.id in seen:
                left_out("have an id that another article has")
            else:
                seen.add(article.id)
                yield article
