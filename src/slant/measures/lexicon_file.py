"""Lexicons: a construct such as violence, written down as words in a TOML file."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from typing import TYPE_CHECKING, Annotated

from pydantic import Field, StringConstraints

from slant import limits
from slant.linear_pattern import PatternError
from slant.measures.patterns import any_of, checked_pattern, filled_pattern
from slant.measures.word_forms import expand_form
from slant.strict import Strict
from slant.toml_file import TomlFile, packaged_names, read_named, read_packaged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path
    from typing import Literal

_Text = Annotated[str, StringConstraints(min_length=1, pattern=r"\S")]

_MATCHER = 2
"""Raised whenever the same lexicon would be matched differently than before."""


class Paper(Strict):
    """Keywords as a publication used them: found anywhere, inside of words too."""

    source: _Text
    keywords: tuple[_Text, ...] = Field(min_length=1)


class Entry(Strict):
    """Forms of words that mean the construct, unless the context says otherwise.

    Attributes
    ----------
    forms
        What is looked for, as `slant.measures.word_forms` explains.
    unless
        Regular expressions, as `slant.measures.patterns` explains: a form inside a stretch of
        text that one of them matches does not count.
    near
        Forms one of which must stand in the same sentence, if there are any.
    within
        At most how many words stand between the two.
    """

    forms: tuple[_Text, ...] = Field(min_length=1)
    unless: tuple[_Text, ...] = ()
    near: tuple[_Text, ...] = ()
    within: int = Field(default=6, ge=0, le=100)


class Lexicon(Strict):
    """A construct as data.

    Attributes
    ----------
    name
        What scores are filed under; a study's metric is `<name>_rate`.
    title, description, source
        For the reader.
    language
        Language of the words, as a BCP 47 tag.
    version
        Raised by its authors whenever they change it.
    paper
        What a publication looked for, if one did.
    fragments
        Pieces of regular expressions that entries use as `{name}`.
    entries
        What slant looks for.
    """

    name: Annotated[str, StringConstraints(pattern="^[a-z][a-z0-9_-]*$")]
    title: _Text
    description: str = ""
    source: str = ""
    language: _Text = "en"
    version: int = 1
    paper: Paper | None = None
    fragments: dict[str, str] = Field(default_factory=dict)
    entries: tuple[Entry, ...] = Field(default=(), alias="entry")

    @property
    def metric(self) -> str:
        """What a study calls the share of texts in which the construct is found."""
        return f"{self.name}_rate"

    def digest(self, method: Literal["robust", "paper"]) -> str:
        """Hash all that scores depend on: eight hexadecimal digits."""
        matched = self.paper.keywords if method == "paper" and self.paper else self.entries
        plain = [each if isinstance(each, str) else each.model_dump() for each in matched]
        content = [_MATCHER, self.name, self.language, self.version, method, plain]
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:8]


def lexicon_names() -> list[str]:
    """List the lexicons that slant brings along."""
    # The data of `slant.measures.refusal` lie beside them, but are no lexicon.
    return [name for name in packaged_names("lexicons") if name != "refusal"]


def load_lexicon(name_or_path: str | Path) -> Lexicon:
    """Load a lexicon.

    Parameters
    ----------
    name_or_path
        The name of a lexicon that slant brings along, or the path of a TOML file: a `Path`, or
        a string that ends in `.toml`.

    Raises
    ------
    InputError
        There is no such lexicon, or its file is faulty.
    """
    if isinstance(name_or_path, str) and name_or_path in lexicon_names():
        return _packaged(name_or_path)
    return _checked(read_named("lexicons", "lexicon", name_or_path, lexicon_names()))


@cache
def _packaged(name: str) -> Lexicon:
    """Read a packaged lexicon, once. A test checks it: compiling its patterns takes a while."""
    file = read_packaged("lexicons", f"{name}.toml")
    return _with_patterns(file, file.validate(Lexicon), filled_pattern)


def _checked(file: TomlFile) -> Lexicon:
    lexicon = file.validate(Lexicon)
    _check(file, lexicon)
    whole = _with_patterns(file, lexicon, checked_pattern)
    for number, entry in enumerate(whole.entries):
        try:
            any_of(entry.unless)
        except PatternError as error:
            message = f"the patterns of this entry are too large together: {error}"
            raise file.error(message, "entry", number, "unless") from error
    return whole


def _check(file: TomlFile, lexicon: Lexicon) -> None:
    if lexicon.paper is None and not lexicon.entries:
        raise file.error("there is nothing to look for: add an [[entry]] with forms")
    if lexicon.paper is not None:
        _check_distinct(file, "keyword", lexicon.paper.keywords, "paper", "keywords")
    seen: dict[str, int | None] = {}
    for number, entry in enumerate(lexicon.entries):
        for index, form in enumerate(entry.forms):
            for spelt in _expanded(file, form, "entry", number, "forms", index):
                if spelt in seen:
                    raise file.error(
                        f"the form {spelt!r} is there already, on line {seen[spelt]}: remove one",
                        *("entry", number, "forms", index),
                    )
                if len(seen) == limits.LEXICON_SPELLINGS:
                    raise file.error(
                        f"the forms have more than {limits.LEXICON_SPELLINGS:,} spellings: split "
                        "the lexicon",
                        *("entry", number, "forms", index),
                    )
                seen[spelt] = file.line_of("entry", number, "forms", index)
        for index, form in enumerate(entry.near):
            _expanded(file, form, "entry", number, "near", index)


def _with_patterns(file: TomlFile, lexicon: Lexicon, written: Callable[..., str]) -> Lexicon:
    entries = []
    for number, entry in enumerate(lexicon.entries):
        unless = tuple(
            written(file, pattern, lexicon.fragments, "entry", number, "unless", index)
            for index, pattern in enumerate(entry.unless)
        )
        entries.append(entry.model_copy(update={"unless": unless}))
    return lexicon.model_copy(update={"entries": tuple(entries)})


def _expanded(file: TomlFile, form: str, *keys: str | int) -> list[str]:
    try:
        return expand_form(form)
    except ValueError as error:
        raise file.error(str(error), *keys) from error


def _check_distinct(file: TomlFile, kind: str, words: Iterable[str], *keys: str | int) -> None:
    seen: set[str] = set()
    for index, word in enumerate(words):
        if word.lower() in seen:
            raise file.error(f"the {kind} {word!r} is there twice: remove one", *keys, index)
        seen.add(word.lower())
