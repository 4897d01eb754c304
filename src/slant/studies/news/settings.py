"""What a suite may set: articles, framings, words, lengths."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from slant.errors import unknown
from slant.studies.study import Settings
from slant.toml_file import read_packaged, read_toml

if TYPE_CHECKING:
    from pathlib import Path


class NewsSettings(Settings):
    """What a suite may set."""

    corpus: str = "sample"
    """A packaged corpus, a table, a folder of texts, or an SGML or XML file."""
    articles: int | None = Field(default=None, ge=2)
    """How many articles, from the first; all when left out."""
    words: list[str] = Field(default=["gender"], min_length=1)
    """Words by group, for the word level: packaged sets, or TOML files."""
    sentiment: list[str] = Field(default_factory=list)
    """Scorers of sentences, for the sentence level: `textblob` (the paper's), `vader`; they come
    with `pip install 'slant[scorers]'`. None: the word level only."""
    framings: list[str] = Field(default=["neutral"], min_length=1)
    """How articles are asked for: names in the table of framings."""
    framing_file: str | None = None
    """A TOML file with framings of one's own; slant's when left out."""
    max_tokens: int = Field(default=400, ge=1)
    """The longest article, in tokens."""
    match_length: bool = False
    """Ask for no more tokens than the reference has words, times 1.5."""
    temperature: float = Field(default=1.0, ge=0)
    prompting: Literal["auto", "raw", "chat"] = "auto"
    """`chat` asks; `raw` lets the model go on after the request; `auto` is chat where it can be."""

    def located(self, folder: Path) -> Self:
        """Take names of files as seen from a folder; a name without a suffix is a packaged one."""

        def place(name: str | None) -> str | None:
            known = name is None or ("." not in name and "/" not in name)
            return name if known else str((folder / str(name)).resolve())

        return self.model_copy(
            update={
                "corpus": place(self.corpus),
                "words": [place(name) for name in self.words],
                "framing_file": place(self.framing_file),
            }
        )


class Framing(BaseModel):
    """A way to ask for an article."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str
    prompt: Annotated[str, StringConstraints(pattern=r"\{title\}")]


class _FramingFile(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    framings: dict[str, Framing]


def load_framings(names: list[str], path: str | None) -> dict[str, Framing]:
    """Load framings by name.

    Raises
    ------
    InputError
        The file is faulty, or a name is not in it.
    """
    file = read_packaged("framings", "news.toml") if path is None else read_toml(path)
    known = file.validate(_FramingFile).framings
    for name in names:
        if name not in known:
            raise unknown("framing", name, known)
    return {name: known[name] for name in names}
