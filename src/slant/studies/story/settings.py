"""What a suite may set."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from slant.studies.text_study import SampledSettings


class StorySettings(SampledSettings):
    """What a suite may set."""

    files: ClassVar[tuple[str, ...]] = ("captions", "examples", "lexicon", "themes")
    paths: ClassVar[tuple[str, ...]] = ("embedder",)

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
    wordings: Literal["one", "all"] = "one"
    """`all` names every attribute in all its wordings, in turn, so that a finding is about what
    somebody wears, and not about a phrase. The method `paper` always has one."""
    placebo_share: float = Field(default=0.25, ge=0, le=0.5)
    """With `wordings = "all"`: the share of all stories that are about things that cannot matter
    (`[[placebo]]`), which findings are held against; six such things at least, or all that a file
    has if that is three to five; 0 for none."""
    examples: str = "examples"
    """The pairs that the model is shown first: packaged ones, or a TOML file."""
    samples: int = Field(default=5, ge=1)
    """Stories for each caption."""
    max_tokens: int = Field(default=120, ge=1)
    """The longest story."""
    lexicon: str = "violence"
    """What is counted: a packaged lexicon, or a TOML file."""
    sentiment: list[str] = Field(default=["vader"])
    """Scorers of sentences, from `pip install 'slant[scorers]'`; a story has the mean of its
    sentences."""
    themes: str | None = None
    """Topics and regard by sentence embeddings: `themes`, or a TOML file. Fetches an encoder."""
    embedder: str | None = None
    """Directory of a sentence encoder; all-MiniLM-L6-v2 when left out."""
