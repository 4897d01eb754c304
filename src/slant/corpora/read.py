"""Reading corpora: tables, folders of texts, and newswire in SGML or XML.

- Tables (JSON Lines, CSV, TSV, Parquet): columns `title` and `text`; optional `id`, `source`,
  `section`, `date`, `language`.
- A folder of `.txt` files: the first line is the headline, the file's name the id.
- SGML and XML as of Reuters-21578: `<REUTERS NEWID=…>` with `<TITLE>` and `<BODY>`, or any element
  with a `<title>` (or `<headline>`) and a `<body>` (or `<text>`). Broken mark-up is no reason to
  lose an article: elements are found one by one.
"""

from __future__ import annotations

import html
import re
from functools import partial
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING

from slant import limits
from slant.corpora.article import Article, Corpus
from slant.corpora.elements import elements, without_tags
from slant.errors import InputError, unknown
from slant.regular_file import check_regular, read_regular
from slant.table_file import read_rows, whole_characters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    LeftOut = Callable[[str], None]

_MARKED_UP = (".sgm", ".sgml", ".xml")
_FIELDS = ("source", "section", "date", "language")
_ITEMS = ("reuters", "article", "newsitem", "doc", "item")
_TITLES, _BODIES = ("title", "headline"), ("body",)
_TEXTS, _DATES = ("text", "content"), ("date",)
_LONGEST_TAG = 10_000
_ID = re.compile(r"""\b(?:newid|itemid|id)\s*=\s*["']?([^"'\s>]+)""", re.I)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def corpora() -> list[str]:
    """List the corpora that slant brings along."""
    folder = files("slant.data").joinpath("corpora")
    return sorted(each.name.removesuffix(".jsonl") for each in folder.iterdir())


def read_corpus(name_or_path: str | Path) -> Corpus:
    """Find a corpus; nothing of it is read yet.

    Parameters
    ----------
    name_or_path
        A packaged corpus such as `sample`, a table, a folder of `.txt` files, or an SGML or XML
        file.

    Raises
    ------
    InputError
        There is no such corpus.
    """
    path = Path(name_or_path)
    if isinstance(name_or_path, str) and not path.suffix and name_or_path in corpora():
        return Corpus(name_or_path, partial(_packaged, name_or_path))
    if path.is_dir():
        if not any(path.glob("*.txt")):
            raise InputError("there is no .txt file in this folder", file=path)
        return Corpus(path.name, partial(_folder, path))
    if not path.suffix and not path.exists():
        error = unknown("corpus", str(name_or_path), corpora())
        raise InputError(f"{error} Or give the path of a table, a folder or an SGML file.")
    check_regular(path)
    if path.suffix.lower() in _MARKED_UP:
        return Corpus(path.stem, partial(_marked_up, path))
    return Corpus(path.stem, partial(_table, path))


def _packaged(name: str, left_out: LeftOut) -> Iterator[Article]:
    with as_file(files("slant.data").joinpath("corpora", f"{name}.jsonl")) as path:
        yield from _table(path, left_out)


def _table(path: Path, left_out: LeftOut) -> Iterator[Article]:
    for number, (line, row) in enumerate(read_rows(path), start=1):
        if number == 1:
            for column in ("title", "text"):
                if column not in row:
                    raise InputError(
                        f"there is no column {column!r}: found {', '.join(row)}; expected title, "
                        "text and, if wanted, id, source, section, date, language",
                        file=path,
                        line=line,
                    )
        fields = {name: _clean(row.get(name)) for name in ("title", "text", *_FIELDS)}
        yield Article(_clean(row.get("id")) or str(number), **fields)


def _folder(path: Path, left_out: LeftOut) -> Iterator[Article]:
    for file in sorted(path.glob("*.txt")):
        try:
            raw = read_regular(file, limits.CORPUS_BYTES)
            title, _, text = raw.decode("utf-8-sig").lstrip().partition("\n")
        except UnicodeDecodeError:
            left_out("are not UTF-8")
            continue
        yield Article(file.stem, _clean(title), _clean(text))


def _marked_up(path: Path, left_out: LeftOut) -> Iterator[Article]:
    # Newswire of the eighties is ASCII with stray bytes: every byte is a character in Latin-1.
    raw = read_regular(path, limits.CORPUS_BYTES)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    number = 0
    for number, (attributes, content) in enumerate(elements(text, _ITEMS), start=1):
        own = _ID.search(attributes[:_LONGEST_TAG])
        yield Article(
            own[1] if own else str(number),
            _first(content, _TITLES),
            _first(content, _BODIES) or _first(content, _TEXTS),  # Reuters' <TEXT> holds both
            date=_first(content, _DATES),
        )
    if not number:
        raise InputError(
            "there is no article in it: expected <REUTERS> elements, or others with a title and a "
            "body",
            file=path,
        )


def _first(content: str, names: tuple[str, ...]) -> str:
    """Give the plain text of the first of some elements; nothing if there is none."""
    markup = next((inside for _, inside in elements(content, names)), "")
    return _clean(html.unescape(without_tags(markup)))


def _clean(value: object) -> str:
    """Take a text without control characters and without white space at its ends."""
    return "" if value is None else _CONTROL.sub(" ", whole_characters(str(value))).strip()
