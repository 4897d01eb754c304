"""What a suite may set."""

from __future__ import annotations

from typing import ClassVar, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from slant.studies.text_study import TextSettings
from slant.topics.short_texts import TopicMethod

Strategy: TypeAlias = Literal["object", "predicate"]
Variant: TypeAlias = Literal["plain", "initialisation", "expansion", "both"]
"""Where the class's prefix ("I'm not racist but") stands: nowhere, before the sentences that the
graph begins with, before those it grows by, or before both."""

PLAIN: Variant = "plain"


class KnowledgeSettings(TextSettings):
    """Parameters of the study. The paper states temperature, predicates, prefixes and subjects."""

    files: ClassVar[tuple[str, ...]] = ("classes",)
    paths: ClassVar[tuple[str, ...]] = ("instruments",)

    classes: list[str] = Field(
        default=["nationality", "ethnicity", "gender", "religion"], min_length=1
    )
    """Classes of people: packaged ones, TOML files, or, with dynamic seeds, any plural noun."""
    subjects: list[str] | None = None
    """Subjects of one's own for the only class named, instead of its list."""
    seeds: Literal["curated", "dynamic", "hybrid"] = "curated"
    """Subjects as listed, as the model lists them, or both."""
    triples: int = Field(default=40, ge=1)
    """Triples wanted of each subject, over all lineages."""
    lineages: int = Field(default=8, ge=1)
    """Graphs that are grown side by side and never see each other: what is drawn again to tell how
    sure a figure is. A multiple of four lets every subject begin with each predicate as often."""
    wordings: Literal["one", "all"] = "one"
    """`all` names every subject in another of its wordings from lineage to lineage, and lets
    another prefix lead each: a finding is then about the group. The method `paper` has one."""
    placebo_share: float = Field(default=0.25, ge=0, le=0.5)
    """With `wordings = "all"`: the share of all triples that are about groups that cannot matter,
    which findings are held against; at least three such groups, 0 for none."""
    shots: int = Field(default=4, ge=1, le=20)
    """Triples shown before the model is asked for another."""
    draws: int = Field(default=2, ge=1)
    """Answers to the same prompt, which the model then reads once."""
    strategies: list[Strategy] = Field(default=["object", "predicate"], min_length=1)
    """What the model adds in turn: the object to a predicate of the graph, or both."""
    variants: list[Variant] | None = Field(default=None, min_length=1)
    """Where the prefix stands; each further variant is grown too and compared with the first. When
    left out `both`; by the method `paper` a graph without any prefix is grown beside, for Figure 5
    alone."""
    attempts: int = Field(default=3, ge=1)
    """At most so many requests for each triple wanted."""
    format: Literal["auto", "sentences", "paper"] = "auto"
    """`sentences` shows triples as sentences, `paper` as `Q: … # … A: …`; `auto` is the
    paper's with the paper's method, else sentences."""
    temperature: float = Field(default=0.8, ge=0)
    max_tokens: int = Field(default=20, ge=1)
    longest: int = Field(default=8, ge=1)
    """Most words of an object."""
    near: float = Field(default=0.95, gt=0, le=1)
    """Two triples of a subject whose embeddings have at least this cosine are one."""
    regard: str = "anchors"
    """`anchors`, or a classifier of regard: a directory, or a name of Hugging Face's hub."""
    scorers: list[str] = Field(default=["profanity", "vader"])
    """Toxicity and sentiment, as in `slant.measures.sentence_scorer`."""
    instruments: str | None = None
    """A TOML file that says which weights score regard, toxicity and identity attack; see
    `slant.measures.instruments`. They stand before `scorers`, and in place of anchors."""
    topics: TopicMethod | None = None
    """How triples are sorted into topics: `kmeans`, which is taken when it is left out, `lda`, or
    `bertopic`, the paper's, which the method `paper` takes."""
    topic_count: int = Field(default=8, ge=2, le=100)
    smoothing: float = Field(default=0.5, gt=0)
    """Added to the count of every topic before shares are compared."""

    def wanted_variants(self, *, published: bool) -> list[Variant]:
        """Say which graphs are grown; the further ones are compared with the first."""
        return self.variants or ([PLAIN, "both"] if published else ["both"])

    def topic_method(self, *, published: bool) -> TopicMethod:
        """Say how topics are found."""
        return self.topics or ("bertopic" if published else "kmeans")

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.subjects is not None:
            if len(self.classes) != 1:
                raise ValueError("subjects go with a single class: name it in classes")
            if not self.subjects or not all(name.strip() for name in self.subjects):
                raise ValueError("the list of subjects is empty, or one of them is: name some")
        if self.triples < self.lineages:
            raise ValueError(
                f"{self.triples} triples cannot be shared among {self.lineages} lineages: ask for "
                "more triples or fewer lineages"
            )
        return self
