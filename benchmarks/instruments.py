"""How often the packaged scorers are right, on texts whose meaning people have told, by group.

`python -m benchmarks.instruments [ARCHIVE]` prints all tables. ARCHIVE is the file
`hutto_ICWSM_2014.tar.gz` of the source distribution of vaderSentiment 3.3.2: some 23,700 tweets,
snippets of reviews of films and of products, and sentences of newspaper editorials, each rated from
−4 to 4 by twenty people or so (Hutto and Gilbert 2014). The other texts are sentences of our own
about every group of four axes (`instrument_sentences.toml`), and the refusals and answers in
`tests/readings` that were written blind, and weighed nowhere.
"""

from __future__ import annotations

import os
import sys
import tarfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from scipy.stats import spearmanr

from slant.groups.axis_file import load_axis
from slant.groups.group_words import load_group_words
from slant.groups.template import fill
from slant.measures.load import load_measure
from slant.measures.regard import Regard
from slant.toml_file import read_toml

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

AT_MOST: dict[str, float] = {
    "refusal_taken_blind": 0.01, "refusal_taken_groups": 0.05, "profanity_civil_called_rude": 0.1,
}  # fmt: skip
AT_LEAST: dict[str, float] = {
    "vader_auc_words": 0.95, "textblob_auc_words": 0.95, "profanity_auc_words": 0.95,
    "regard_auc_words": 0.95, "refusal_told_blind": 0.95, "refusal_told_groups": 0.9,
}  # fmt: skip

HERE = Path(__file__).parent
READINGS = HERE.parent / "tests" / "readings"
AXES = ("religion", "gender", "ethnicity", "nationality")
CLEAR = 0.5
"""A sentence that people rate beyond this, on their scale of −4 to 4, is called good or bad."""
_SETS = ("tweets", "movieReviewSnippets", "amazonReviewSnippets", "nytEditorialSnippets")


@cache
def scorers() -> dict[str, Any]:
    """Load what scores sentences."""
    found = {name: load_measure(f"sentiment:{name}").each for name in ("vader", "textblob")}
    return {**found, "regard": Regard().each, "profanity": load_measure("toxicity:profanity").each}


def auc(high: NDArray[np.float64], low: NDArray[np.float64]) -> float:
    """Give how often a text of the one kind scores above one of the other; ties count half."""
    above = (high[:, None] > low[None, :]).mean() + 0.5 * (high[:, None] == low[None, :]).mean()
    return float(above)


def by_group() -> pl.DataFrame:
    """Score our own sentences about every group: how often each scorer is right, by group.

    Returns
    -------
    polars.DataFrame
        `axis`, `group`, `scorer`; `told`, by what a sentence says it: `words`, or `deeds` (and for
        insults in clean words `quiet`); `auc` of good against bad, of toxicity of insults against
        blame; `right`, the share of both kinds on the right side (sentiment above or below 0,
        toxicity of .5, regard beyond its threshold, refusals told and answers not); `plain`, the
        share called good, bad or rude of sentences that say nothing, or blame without an insult.
    """
    said = read_toml(HERE / "instrument_sentences.toml").data
    rows = []
    for axis in AXES:
        for group in load_axis(axis).groups:
            texts = {kind: [fill(each, group) for each in own] for kind, own in said.items()}
            for scorer, told, judged in judged_sentences(texts):
                rows.append((axis, group.name, scorer, told, *judged))
    schema = ["axis", "group", "scorer", "told", "auc", "right", "plain"]
    return pl.DataFrame(rows, schema=schema, orient="row", strict=False)


def judged_sentences(
    texts: dict[str, list[str]],
) -> Iterator[tuple[str, str, tuple[float | None, ...]]]:
    """Give of one group by scorer and way of telling: AUC, share right, share of plain ones."""
    regard, edge = scorers()["regard"], Regard()
    for told, good, bad in (("words", "good", "bad"), ("deeds", "good_deeds", "bad_deeds")):
        for name in ("vader", "textblob"):
            high, low, none = (scorers()[name](texts[kind]) for kind in (good, bad, "plain"))
            right = np.concatenate([high > 0, low < 0]).mean()
            yield name, told, (auc(high, low), right, (none != 0).mean())
        signs = {kind: edge.judge(texts[kind])[1] for kind in (good, bad, "plain")}
        right = np.concatenate([signs[good] > 0, signs[bad] < 0]).mean()
        apart = auc(regard(texts[good]), regard(texts[bad]))
        yield "regard", told, (apart, right, (signs["plain"] != 0).mean())
    for told, rude in (("words", "rude"), ("quiet", "quiet")):
        high, low = (scorers()["profanity"](texts[kind]) for kind in (rude, "civil"))
        right = np.concatenate([high >= 0.5, low < 0.5]).mean()
        yield "profanity", told, (auc(high, low), right, (low >= 0.5).mean())
    refused, taken = _refused(texts["refusals"]), _refused(texts["answers"])
    yield "refusal", "words", (None, np.concatenate([refused, ~taken]).mean(), taken.mean())


def by_axis(groups: pl.DataFrame) -> pl.DataFrame:
    """Sum up by axis: the mean over groups, and the group with the lowest figure."""
    worst = pl.col("group").sort_by("right", maintain_order=True).first()
    return groups.group_by("axis", "scorer", "told", maintain_order=True).agg(
        pl.col("auc", "right", "plain").mean(),
        worst=pl.when(pl.col("right").n_unique() > 1).then(worst).first(),
        least=pl.col("right").min(),
        most_plain=pl.col("plain").max(),
    )


def by_people(archive: Path) -> pl.DataFrame:
    """Hold sentiment against what people said of the same sentences, by source and by gender.

    Returns
    -------
    polars.DataFrame
        `source`, `whom` (`all`, or those with more words of one gender), `scorer`, `n`; `rank`,
        Spearman's correlation with the mean rating; of those rated beyond ±.5 `auc`, and the
        shares scored on the right side, on the wrong one, and with 0.
    """
    words = load_group_words("gender")
    rows = []
    for source in _SETS:
        texts, ratings = _rated(archive, source)
        counts = words.count(pl.Series(texts))
        lead = np.where(counts[:, 0] == counts[:, 1], -1, counts.argmax(axis=1))
        whom = {"all": np.ones(len(texts), bool)} | {
            group: lead == n for n, group in enumerate(words.groups)
        }
        for name in ("vader", "textblob"):
            scores = np.asarray(scorers()[name](texts))
            for group, own in whom.items():
                told, score = ratings[own], scores[own]
                good, bad = score[told > CLEAR], score[told < -CLEAR]
                side = np.concatenate([np.sign(good), -np.sign(bad)])
                rows.append((source, group, name, int(own.sum()),
                             float(spearmanr(told, score).statistic), auc(good, bad),
                             float((side > 0).mean()), float((side < 0).mean()),
                             float((side == 0).mean())))  # fmt: skip
    schema = ["source", "whom", "scorer", "n", "rank", "auc", "right", "wrong", "zero"]
    return pl.DataFrame(rows, schema=schema, orient="row")


def _rated(archive: Path, source: str) -> tuple[list[str], NDArray[np.float64]]:
    with tarfile.open(archive) as packed:
        member: Any = packed.extractfile(f"hutto_ICWSM_2014/{source}_GroundTruth.txt")
        lines = member.read().decode("utf-8-sig", errors="replace").splitlines()
    rows = [parts for line in lines if len(parts := line.split("\t", 2)) == 3]
    return [text for _, _, text in rows], np.array([float(rating) for _, rating, _ in rows])


def _refused(texts: Sequence[str]) -> NDArray[np.bool_]:
    told: NDArray[np.bool_] = np.asarray(load_measure("refusal").each(texts)) == 1
    return told


def _lines(name: str) -> list[str]:
    return (READINGS / f"{name}.txt").read_text(encoding="utf-8").splitlines()


def run() -> dict[str, Any]:
    """Measure; with the archive named by `SLANT_HUTTO` also against what people said."""
    groups = by_group()
    figures: dict[str, Any] = {}
    for (name, told), own in groups.drop_nulls("auc").group_by(
        "scorer", "told", maintain_order=True
    ):
        figures[f"{name}_auc_{told}"] = own["auc"].mean()
        figures[f"{name}_right_{told}"] = own["right"].mean()
    figures["profanity_civil_called_rude"] = groups.filter(scorer="profanity")["plain"].mean()
    refusals = groups.filter(scorer="refusal")
    taken = refusals["plain"].mean()
    figures["refusal_taken_groups"] = taken
    figures["refusal_told_groups"] = 2 * refusals["right"].mean() - (1 - taken)  # type: ignore[operator] # there are rows
    blind = [*_lines("blind_firm_refusals"), *_lines("blind_mild_refusals")]
    figures["refusal_told_blind"] = float(_refused(blind).mean())
    figures["refusal_taken_blind"] = float(_refused(_lines("blind_plain_answers")).mean())
    if archive := os.environ.get("SLANT_HUTTO"):
        for row in by_people(Path(archive)).filter(whom="all").iter_rows(named=True):
            figures[f"{row['scorer']}_{row['source'][:5]}_rank"] = row["rank"]
    return figures


def main() -> None:
    """Print all tables."""
    with pl.Config(tbl_rows=-1, tbl_cols=-1, float_precision=2, tbl_hide_dataframe_shape=True):
        print(by_axis(groups := by_group()))
        print(groups.filter((pl.col("scorer") == "regard") & (pl.col("told") == "words")))
        if len(sys.argv) > 1:
            print(by_people(Path(sys.argv[1])))
    for name, value in run().items():
        print(f"{name:28} {value:.3f}")


if __name__ == "__main__":
    main()
