"""What is measured of every kept triple: regard, warmth, competence, toxicity, sentiment, topic.

A triple is measured without its subject ("They love music."): so what is said is judged, and not
of whom. By the paper's method regard is judged with the subject, too, as published: what differs
between the two is the scorer's own leaning.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.embeddings import embed_once
from slant.errors import InputError
from slant.measures.anchor_axis import AnchorAxis
from slant.measures.instruments import ATTACK, Instruments, load_instruments
from slant.measures.regard import ANCHORS, LABELS, Regard
from slant.measures.sentence_scorer import SentenceScorer
from slant.studies.knowledge.rows import AT_ONCE
from slant.topics.short_texts import FITTED, fit_topics, name_topics

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from slant.measures.measure import Measure
    from slant.studies.knowledge.settings import KnowledgeSettings
    from slant.topics.short_texts import Sorter, TopicMethod, Topics

TOPIC_SEEDS = 3
"""With how many seeds topics are found, to see what depends on the seed."""


@dataclass
class Ruler:
    """Everything that measures, loaded once, with what could not be loaded.

    Attributes
    ----------
    regard, axes, scorers
        What measures.
    added
        Which of the scorers the suite adds.
    missing
        Why a scorer is not there, one sentence each.
    attack
        What tells attacks on an identity, and so judges statements with their subjects; `None`
        where the run names no such instrument.
    """

    regard: Regard
    axes: tuple[AnchorAxis, ...]
    scorers: dict[str, Measure]
    added: tuple[str, ...] = ()
    missing: list[str] = field(default_factory=list)
    attack: Measure | None = None

    @classmethod
    def load(cls, settings: KnowledgeSettings, added: Sequence[Measure] = ()) -> Ruler:
        """Load what the settings name; a scorer whose package is not there is passed over.

        Instruments come first: a classifier of regard takes the place of anchors, and one of
        toxicity stands before all scorers.

        Raises
        ------
        InputError
            An instrument or the classifier of regard cannot be loaded, or a scorer is unknown.
        """
        path = settings.instruments
        own = Instruments() if path is None else load_instruments(path)
        given = own.regard if settings.regard == ANCHORS else None
        axes = (AnchorAxis("warmth"), AnchorAxis("competence"))
        ruler = cls(given or Regard(settings.regard), axes, {}, attack=own.identity_attack)
        if own.toxicity is not None:
            ruler.scorers[own.toxicity.kind] = own.toxicity
        for name in settings.scorers:
            try:
                scorer = SentenceScorer(name)
            except InputError as error:
                if str(error).startswith("unknown"):
                    raise
                ruler.missing.append(f"{name} did not score: {error}.")
                continue
            # The first of a kind is the kind's metric; further ones carry their names.
            metric = scorer.kind if scorer.kind not in ruler.scorers else scorer.name
            ruler.scorers[metric] = scorer
        known = ruler.metrics
        further = {each.metric: each for each in added if each.metric not in known}
        return replace(ruler, scorers=ruler.scorers | further, added=tuple(further))

    def signature(self, metric: str) -> str:
        """Say by what a metric is measured."""
        if metric in ("regard", "negative_regard"):
            return self.regard.signature
        for axis in self.axes:
            if axis.name == metric:
                return axis.signature
        if self.attack is not None and metric == ATTACK:
            return self.attack.signature
        return self.scorers[metric].signature

    @property
    def metrics(self) -> tuple[str, ...]:
        """Columns that `measured` adds, besides labels."""
        attack = () if self.attack is None else (ATTACK,)
        return ("regard", *(axis.name for axis in self.axes), *self.scorers, *attack)

    @property
    def by(self) -> dict[str, str]:
        """What gives toxicity, sentiment and attacks, as readers call it."""
        attack = {} if self.attack is None else {ATTACK: self.attack.called}
        return {**attack, **{name: scorer.called for name, scorer in self.scorers.items()}}

    def score(self, sentences: Sequence[str], vectors: NDArray[np.float32]) -> pl.DataFrame:
        """Score sentences, given their embeddings.

        Returns
        -------
        polars.DataFrame
            A column a metric, and `sign` of regard, −1, 0 or 1.
        """
        regard, signs = self.regard.judge(sentences, vectors)
        columns = {"regard": regard, "sign": signs.astype(np.int64)}
        columns |= {axis.name: axis.score_vectors(vectors) for axis in self.axes}
        columns |= {name: scorer.each(sentences) for name, scorer in self.scorers.items()}
        return pl.DataFrame(columns).fill_nan(None)


@dataclass(frozen=True, eq=False)
class Measured:
    """Triples with all that is measured.

    Attributes
    ----------
    triples
        The whole table; null in dropped rows.
    topics
        Topics of the kept triples, found with several seeds, the first being the one shown; empty
        where there are too few.
    """

    triples: pl.DataFrame
    topics: tuple[Topics, ...]

    def only(self, rows: pl.Series) -> Measured:
        """Keep some of the triples, with the topics that were found in all."""
        there = rows.filter(self.triples["kept"]).to_numpy()
        topics = tuple(replace(each, of_text=each.of_text[there]) for each in self.topics)
        return Measured(self.triples.filter(rows), topics)

    @property
    def kept(self) -> pl.DataFrame:
        """The kept triples."""
        return self.triples.filter("kept")


def without_subject() -> pl.Expr:
    """Say a triple of nobody in particular."""
    return pl.format("They {} {}.", "predicate", "object")


def measure(
    triples: pl.DataFrame,
    ruler: Ruler,
    settings: KnowledgeSettings,
    seed: int,
    *,
    published: bool = False,
    topics: bool = True,
) -> Measured:
    """Measure every kept triple.

    Parameters
    ----------
    triples, ruler, settings, seed
        What, by what, and how.
    published
        Whether it is done as in the publication: regard is then judged of statements with their
        subjects, too (column `regard_named`).
    topics
        Whether topics are found.
    """
    table = triples.with_row_index("row")
    kept = table.filter("kept")
    names = [*ruler.metrics, "sign"]
    empty = [pl.lit(None, pl.Float64).alias(name) for name in names]
    labels = [pl.lit(None, pl.String).alias(name) for name in ("regard_label", "topic")]
    if kept.is_empty():
        return Measured(_finished(table.with_columns(*empty, *labels)), ())
    said = kept.select(
        without_subject().alias("said"),
        pl.format("{} {}", "predicate", "object").alias("text"),
    )
    method = settings.topic_method(published=published) if topics else None
    scores, found = _scored(said, ruler, method, settings.topic_count, seed)
    named: pl.Expr | pl.Series = pl.lit(None, pl.String)
    if found:
        named = pl.Series(found[0].of_text).replace_strict(
            range(len(found[0].labels)), found[0].labels, return_dtype=pl.String
        )
    scored = kept.select("row").hstack(scores).with_columns(
        regard_label=pl.col("sign").replace_strict(LABELS, return_dtype=pl.String), topic=named
    )  # fmt: skip
    if published:
        scored = scored.with_columns(_named_regard(kept, ruler))
    if ruler.attack is not None:
        scored = scored.with_columns(_attacks(kept, ruler.attack))
    whole = table.join(scored, on="row", how="left", maintain_order="left")
    return Measured(_finished(whole), found)


def _scored(
    said: pl.DataFrame, ruler: Ruler, method: TopicMethod | None, count: int, seed: int
) -> tuple[pl.DataFrame, tuple[Topics, ...]]:
    """Score statements and find their topics; the same statement is embedded once.

    Only so many embeddings are held at a time. Where there are more statements than topics are
    found in, a sample is embedded first for them.
    """
    distinct = said.unique("said").sort("said").with_row_index("number")
    number = said.join(distinct, on="said", how="left", maintain_order="left")["number"]
    back = number.to_numpy()
    # LDA and BERTopic take their time, so that what depends on the seed is shown for k-means.
    seeds = range(seed, seed + (TOPIC_SEEDS if method == "kmeans" else 1))

    def sorters(texts: Sequence[str], vectors: NDArray[np.float32]) -> list[Sorter]:
        if method is None:
            return []
        found = [fit_topics(texts, vectors, method, count, each) for each in seeds]
        return [each for each in found if each is not None]

    if said.height <= FITTED:
        vectors = embed_once(distinct["said"].to_list())
        texts = said["text"].to_list()
        raw = [each.fitted for each in sorters(texts, vectors[back])]
        scores = ruler.score(distinct["said"].to_list(), vectors)
    else:
        rng = np.random.default_rng([seed, *b"topics"])
        some = said[np.sort(rng.choice(said.height, FITTED, replace=False))]
        found = sorters(some["text"].to_list(), embed_once(some["said"].to_list()))
        frames, sorted_into = [], [np.empty(distinct.height, np.intp) for _ in found]
        for part in distinct.iter_slices(AT_ONCE):
            sentences, texts = part["said"].to_list(), part["text"].to_list()
            vectors = embed_once(sentences)
            frames.append(ruler.score(sentences, vectors))
            for into, each in zip(sorted_into, found, strict=True):
                into[part["number"].to_numpy()] = each.sort(texts, vectors)
        scores, raw = pl.concat(frames), [each[back] for each in sorted_into]
        texts = said["text"].to_list()
    return scores[number], tuple(name_topics(texts, each) for each in raw)


def _named_regard(kept: pl.DataFrame, ruler: Ruler) -> pl.Series:
    """Judge statements with their subjects: −1, 0 or 1, each distinct one once."""
    said = kept.select(said=pl.format("{} {} {}.", "subject", "predicate", "object"))["said"]
    distinct = said.unique().sort()
    signs: list[int] = []
    for part in pl.DataFrame(distinct).iter_slices(AT_ONCE):
        sentences = part["said"].to_list()
        signs += ruler.regard.judge(sentences, embed_once(sentences))[1].tolist()
    sign_of = dict(zip(distinct.to_list(), signs, strict=True))
    return said.replace_strict(sign_of, return_dtype=pl.Float64).alias("regard_named")


def _attacks(kept: pl.DataFrame, scorer: Measure) -> pl.Series:
    """Score statements with their subjects, each distinct one once; null where there is no score.

    "They are lazy." attacks nobody: whether it is an attack on an identity hangs on the subject.
    """
    said = kept.select(said=pl.format("{} {} {}.", "subject", "predicate", "object"))["said"]
    distinct = said.unique().sort()
    scores = pl.Series(scorer.each(distinct.to_list())).fill_nan(None)
    return said.replace_strict(distinct, scores, return_dtype=pl.Float64).alias(ATTACK)


def _finished(table: pl.DataFrame) -> pl.DataFrame:
    """Add what follows from the sign of regard."""
    return table.drop("row").with_columns(
        (pl.col("sign") < 0).cast(pl.Float64).alias("negative_regard")
    )


def show_ruler(ruler: Ruler, subjects: Sequence[tuple[str, str]]) -> pl.DataFrame:
    """Score neutral sentences that name each subject: how biased the rulers are.

    Parameters
    ----------
    subjects
        Class and subject.

    Returns
    -------
    polars.DataFrame
        `scorer`, `class`, `group`, `sentence`, `score`: a fair ruler gives every subject the same.
    """
    frames = ("{} live here.", "There are {} in the room.", "I have met {}.")
    rows = [
        (people, subject, frame.format(subject)) for people, subject in subjects for frame in frames
    ]
    table = pl.DataFrame(rows, schema=["class", "group", "sentence"], orient="row")
    distinct = table["sentence"].unique().sort()
    scores = ruler.score(distinct.to_list(), embed_once(distinct.to_list()))
    if ruler.attack is not None:
        attacks = pl.Series(ruler.attack.each(distinct.to_list())).fill_nan(None)
        scores = scores.with_columns(attacks.alias(ATTACK))
    return (
        table.join(
            scores.drop("sign").with_columns(sentence=distinct),
            on="sentence",
            how="left",
            maintain_order="left",
        )
        .unpivot(index=["class", "group", "sentence"], variable_name="scorer", value_name="score")
        .select("scorer", "class", "group", "sentence", "score")
    )
