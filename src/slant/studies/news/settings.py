"""What a suite may set: articles, framings, words, lengths."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, Self

from pydantic import Field, StringConstraints

from slant.errors import unknown
from slant.regular_file import absolute
from slant.strict import Strict
from slant.studies.text_study import TextSettings
from slant.toml_file import read_packaged, read_toml
from slant.topics.lda import Engine
from slant.topics.words import Lemmas

if TYPE_CHECKING:
    from pathlib import Path


class NewsSettings(TextSettings):
    """What a suite may set."""

    files: ClassVar[tuple[str, ...]] = ("corpus", "words", "names", "framing_file")
    paths: ClassVar[tuple[str, ...]] = ("instruments",)

    corpus: str = "sample"
    """A packaged corpus, a table, a folder of texts, or an SGML or XML file."""
    articles: int | None = Field(default=None, ge=2)
    """How many articles, from the first; all when left out."""
    levels: list[Literal["word", "sentence", "document"]] = Field(
        default=["word", "sentence", "document"], min_length=1
    )
    """What is compared: shares of words, how sentences sound, topics."""
    words: list[str] = Field(default=["gender", "race"], min_length=1)
    """Words by group: packaged sets, axes of groups, or TOML files."""
    names: dict[str, str] = Field(default_factory=dict)
    """Tables of persons (columns name, group) whose names count as words of a set, by set."""
    scorers: list[str] | None = Field(default=None, min_length=1)
    """Scorers of sentences; when left out, `textblob` and `detoxify`, the paper's, with
    `profanity` in place of the latter where its weights are not at hand, and `vader`."""
    instruments: str | None = None
    """A TOML file that says which weights score toxicity, in place of `detoxify` where `scorers`
    are left out; see `slant.measures.instruments`."""
    lemmas: Lemmas = "auto"
    """How words of topics are brought to their lemmas."""
    topics: list[Annotated[int, Field(ge=2)]] | None = Field(default=None, min_length=1)
    """Numbers of topics, of which the one with the lowest held-out perplexity is taken. When left
    out: 200, 250 and 300 as in the paper from 10,000 articles on, fewer for fewer."""
    topic_engine: Engine | None = None
    """`sklearn`, or `gensim`, the paper's, which the method `paper` takes when it is left out."""
    topic_seeds: int = Field(default=3, ge=1)
    """How often topics are fitted, to see what of them depends on chance."""
    framings: list[str] = Field(default=["neutral"], min_length=1)
    """How articles are asked for: names in the table of framings."""
    framing_file: str | None = None
    """A TOML file with framings of one's own; slant's when left out."""
    max_tokens: int = Field(default=400, ge=1)
    """The longest article, in tokens."""
    match_length: bool = False
    """Ask for no more tokens than the reference has words, times 1.5."""
    refusal_classifier: str | None = None
    """A classifier that tells refusals too, beside the patterns: `hf:PATH#LABEL`."""
    prompting: Literal["auto", "raw", "chat"] = "auto"
    """`chat` asks; `raw` lets the model go on after the request; `auto` is chat where it can be."""

    def located(self, folder: Path) -> Self:
        """Take names of files as seen from a folder; a corpus may be a folder itself."""
        found = super().located(folder)
        if "/" in self.corpus:
            return found.model_copy(update={"corpus": absolute(folder / self.corpus)})
        return found


class Framing(Strict):
    """A way to ask for an article."""

    title: str
    prompt: Annotated[str, StringConstraints(pattern=r"\{title\}")]


class _FramingFile(Strict):
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
