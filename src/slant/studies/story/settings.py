"""What a suite may set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Self

from pydantic import Field

from slant.regular_file import absolute
from slant.studies.study import Settings

if TYPE_CHECKING:
    from pathlib import Path

_ENDINGS = (".toml", ".csv", ".tsv", ".jsonl", ".ndjson", ".parquet")


class StorySettings(Settings):
    """What a suite may set."""

    captions: str = "attire"
    """Captions or pictures, by what they are compared on: a packaged set, or a file."""
    compare: Literal["attribute", "group"] = "attribute"
    """Which column of a table says what is compared; the other is used where it is missing."""
    frames: int | None = Field(default=None, ge=2)
    """How many of a packaged set's scenes, from the first; all when left out."""
    attributes: list[str] | None = None
    """Which attributes of the captions, by name; all when left out."""
    reference: str | None = None
    """Compare with this attribute, too; where the captions name one, it is the default."""
    captioner: str | None = None
    """Which model captions pictures, spelt as after `--model` (`hf-caption:DIRECTORY`); the model
    that writes the stories when left out, which must then be able to see."""
    examples: str = "examples"
    """The pairs that the model is shown first: packaged ones, or a TOML file."""
    samples: int = Field(default=5, ge=1)
    """Stories for each caption."""
    max_tokens: int = Field(default=120, ge=1)
    """The longest story."""
    temperature: float = Field(default=1.0, ge=0)
    top_p: float = Field(default=1.0, gt=0, le=1)
    prompting: Literal["auto", "raw", "chat"] = "auto"
    """`raw` lets the model continue after the examples; `chat` asks it to; `auto` is raw where it
    can be."""
    lexicon: str = "violence"
    """What is counted: a packaged lexicon, or a TOML file."""
    sentiment: list[str] = Field(default=["vader"])
    """Scorers of sentences, from `pip install 'slant[scorers]'`; a story has the mean of its
    sentences."""
    themes: str | None = None
    """Topics and regard by sentence embeddings: `themes`, or a TOML file. Fetches an encoder."""
    embedder: str | None = None
    """Directory of a sentence encoder; all-MiniLM-L6-v2 when left out."""

    def located(self, folder: Path) -> Self:
        """Take names of files as seen from a folder; a name without a suffix is a packaged one."""

        def place(name: str | None, endings: tuple[str, ...]) -> str | None:
            if name is None or not name.lower().endswith(endings):
                return name
            return absolute(folder / name)

        embedder = None if self.embedder is None else absolute(folder / self.embedder)
        return self.model_copy(
            update={
                "captions": place(self.captions, _ENDINGS),
                "examples": place(self.examples, (".toml",)),
                "lexicon": place(self.lexicon, (".toml",)),
                "themes": place(self.themes, (".toml",)),
                "embedder": embedder,
            }
        )
