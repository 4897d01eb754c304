"""From answers to findings, tables, figures, quotes and notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.measures.instruments import ATTACK
from slant.records import PLACEBO
from slant.studies.hangs_on import LEFT_OUT
from slant.studies.knowledge.augmentation import augmentation_findings
from slant.studies.knowledge.findings import (
    Part,
    entropy_findings,
    mean_findings,
    refusal_findings,
    valid_findings,
)
from slant.studies.knowledge.measuring import measure, show_ruler
from slant.studies.knowledge.named_regard import named_table
from slant.studies.knowledge.pictures import figures_of, graph_of, quotes_of
from slant.studies.knowledge.seeds import SEEDS, choose_all
from slant.studies.knowledge.settings import PLAIN
from slant.studies.knowledge.sieve import RULES
from slant.studies.knowledge.tables import (
    drops_table,
    entropy_stability,
    regard_counts,
    saturation,
    subjects_table,
    topic_shares,
    topics_table,
    triples_table,
)
from slant.studies.knowledge.worded_findings import WordedTriples
from slant.studies.rulers import held_against_names, rulers_of_parts
from slant.studies.study import Analysis
from slant.topics.short_texts import FITTED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.records import Finding
    from slant.studies.filing import Filing
    from slant.studies.knowledge.classes import People
    from slant.studies.knowledge.measuring import Measured, Ruler
    from slant.studies.knowledge.settings import KnowledgeSettings

LOW_VALIDITY = 0.6
"""Below this share of answers that are triples the report says that the model is not up to it."""
_NOT_HELD = "Statements are scored without their subject, so that no finding holds any of it."
_BUT_ATTACKS = (
    "Attacks on an identity are scored with it: a difference no larger than this is the scorer's."
)

_BESIDE = (
    "As in the publication, everything but Figure 5 is of the graphs with both prefixes; those "
    "that were grown without any are in the table triples_plain."
)


def conclude(
    answers: pl.LazyFrame, found: pl.DataFrame, settings: KnowledgeSettings,
    classes: Sequence[People], *, ruler: Ruler, file: Filing, seed: int, worded: bool = False,
    published: bool = False,
) -> Analysis:  # fmt: skip
    """Draw conclusions from the answers of one model.

    Parameters
    ----------
    answers
        As `Study.analyse` gets them.
    found
        The triples that they became, as `rows.triples` gives them.
    classes
        Whom a model was asked about; none for a file.
    ruler
        What measures triples.
    file, seed
        What findings are filed under, and the root of all randomness.
    worded
        Whether lineages named their subjects in several wordings.
    published
        Whether it is done as in the publication.
    """
    rng = np.random.default_rng([seed, *b"knowledge"])
    beside = found.clear()
    if classes and published and settings.variants is None:
        # Figure 5 alone compares with graphs that have no prefix (section 5.1).
        beside, found = (found.filter(own) for own in (pl.col("variant") == PLAIN,
                                                       pl.col("variant") != PLAIN))  # fmt: skip
    every = measure(found, ruler, settings, seed, published=published)
    plain = _parts(measure(beside, ruler, settings, seed, topics=False).triples)
    measured = every.only(every.triples["part"] != PLACEBO)
    parts = _parts(measured.triples.drop("shots", "prompt", "raw"))
    signs = [_with_signs(part) for part in parts]
    findings: list[Finding] = []
    own = [metric for metric in ruler.metrics if metric not in ("regard", *ruler.added)]
    tables = {"triples": triples_table(measured.triples),
              "drops": drops_table(parts)}  # fmt: skip
    crossed: list[Analysis] = []
    controls = _parts(every.only(every.triples["part"] == PLACEBO).triples)
    compared = WordedTriples(file, seed, signs, [_with_signs(part) for part in controls])
    if worded and parts:
        crossed = [
            *(compared.means(metric, ruler.signature(metric))
              for metric in ("regard", "negative_regard", *own)),
            *(compared.means(metric, ruler.signature(metric), ruler.scorers[metric])
              for metric in ruler.added),
            compared.refusals(),
        ]  # fmt: skip
        findings += [finding for each in crossed for finding in each.findings]
    else:
        for metric in ("regard", "negative_regard", *own):
            findings += mean_findings(file, signs, metric, ruler.signature(metric), rng)
        for metric in ruler.added:
            drawn = np.random.default_rng([seed, *metric.encode()])
            findings += mean_findings(file, signs, metric, ruler.signature(metric), drawn,
                                      ruler.scorers[metric])  # fmt: skip
    for each in crossed:
        tables |= each.tables
    notes = [*_seed_notes(answers, classes, settings, tables), *_spelling_notes(answers)]
    if parts:
        tables["regard_counts"] = regard_counts(parts)
        tables["subjects"] = subjects_table(parts)
        tables["saturation"] = saturation(parts)
        if "regard_named" in measured.triples.columns:
            tables["regard_named"] = named_table(parts, seed)
    sampled = measured.kept.height > FITTED
    method: str = settings.topic_method(published=published)
    topic_method = f"{method}(of:{FITTED})" if sampled else method
    if sampled:
        notes.append(
            f"Topics were found in {FITTED:,} triples drawn at random; all "
            f"{measured.kept.height:,} were then sorted into them."
        )
    if measured.topics:
        shown = measured.topics[0]
        kinds = list(shown.labels)
        if worded:
            some, results = compared.entropies(kinds, settings.smoothing, topic_method, rng)
        else:
            some, results = entropy_findings(
                file, parts, kinds, settings.smoothing, topic_method, rng
            )
        findings += some
        tables["topics"] = topics_table(shown)
        tables["topic_shares"] = topic_shares(results, kinds)
        stability = entropy_stability(parts, measured.kept, measured.topics, settings.smoothing)
        tables["entropy_by_seed"] = stability
        notes += _stability_notes(stability)
    elif measured.kept.height:
        notes.append("There are too few triples to sort them into topics.")
    valid = valid_findings(file, parts, rng)
    findings += [*valid, *(() if worded else refusal_findings(file, parts, rng))]
    if classes:
        signed = [part.table for part in (*(_with_signs(each) for each in plain), *signs)]
        kept = pl.concat(signed, how="diagonal").filter("kept") if signed else pl.DataFrame()
        changed, spread = augmentation_findings(
            file, kept, [m for m in (ATTACK, "toxicity", "regard") if m in kept.columns],
            settings.wanted_variants(published=published), rng,
        )  # fmt: skip
        findings += changed
        tables |= spread
    if plain:
        tables[f"triples_{PLAIN}"] = triples_table(pl.concat(part.table for part in plain))
        notes.append(_BESIDE)
    subjects = [(part.people, name) for part in parts for name in part.subjects]
    if subjects:
        tables["ruler"] = show_ruler(ruler, list(dict.fromkeys(subjects)))
        why = _NOT_HELD if ruler.attack is None else f"{_NOT_HELD} {_BUT_ATTACKS}"
        notes = [*rulers_of_parts(tables["ruler"], "class", why)[2], *notes]
        findings = held_against_names(findings, tables["ruler"], "class", ATTACK)
    notes += _notes(parts, valid, ruler, measured, asked=bool(classes))
    notes += list(dict.fromkeys(note for each in crossed for note in each.notes))
    tables = {name: table for name, table in tables.items() if table.width}
    figures = figures_of(findings, tables, ruler)
    # What regard hangs on, which comes first, shows what more would help all the others, too.
    of_regard = crossed[0].figures if crossed else []
    figures += [figure for figure in of_regard if figure.kind == LEFT_OUT]
    figures += [figure for each in crossed for figure in each.figures if figure.kind == "bars"]
    return Analysis(findings, tables, figures, quotes_of(measured), notes, views=graph_of(tables))


def _parts(table: pl.DataFrame) -> list[Part]:
    several = table["variant"].n_unique() > 1
    return [
        Part(str(people), str(variant) if several else "", part)
        for (people, variant), part in table.group_by("class", "variant", maintain_order=True)
    ]


def _with_signs(part: Part) -> Part:
    """Let regard be −1, 0 or 1, so that its mean is (N₊ − N₋) / N."""
    signed = part.table.with_columns(regard=pl.col("sign").cast(pl.Float64))
    return Part(part.people, part.condition, signed)


def _seed_notes(
    answers: pl.LazyFrame, classes: Sequence[People], settings: KnowledgeSettings,
    tables: dict[str, pl.DataFrame],
) -> list[str]:  # fmt: skip
    if not classes or settings.seeds == "curated":
        return []
    asked = answers.filter(pl.col("part") == SEEDS).sort("position").select("text").collect()
    lists = asked["text"].fill_null("").to_list()
    notes, rows = [], []
    for people, seeds in zip(
        classes, choose_all(classes, lists, hybrid=settings.seeds == "hybrid"), strict=True
    ):
        rows += [
            (people.name, name, seeds.counts.get(name, 0), name in people.subjects,
             name in seeds.subjects)
            for name in dict.fromkeys((*seeds.subjects, *seeds.counts, *people.subjects))
        ]  # fmt: skip
        if not seeds.subjects:
            notes.append(
                f"{people.title}: the model named no subject in three of five lists, so nothing "
                "was asked about this class."
            )
        if people.subjects and seeds.missing:
            notes.append(f"{people.title}: the model did not name {', '.join(seeds.missing)}.")
        if people.subjects and seeds.added:
            notes.append(f"{people.title}: the model added {', '.join(seeds.added)}.")
    tables["seeds"] = pl.DataFrame(
        rows,
        schema={"class": pl.String, "subject": pl.String, "lists": pl.Int64,
                "curated": pl.Boolean, "used": pl.Boolean},
        orient="row",
    )  # fmt: skip
    return notes


def _spelling_notes(answers: pl.LazyFrame) -> list[str]:
    spelling = pl.col("slots").str.json_path_match("$.spelling").fill_null(pl.col("group"))
    written = answers.select("group", "axis", spelling.alias("written"), "position").group_by(
        "group", "axis", "written"
    ).agg(pl.col("position").min()).sort("position").collect()  # fmt: skip
    spelt: dict[tuple[str, str], list[str]] = {}
    for group, people, name in written.select("group", "axis", "written").iter_rows():
        others = spelt.setdefault((people, group), [])
        if name != group:
            others.append(name)
    return [
        f"The subject {group!r} was also written {', '.join(map(repr, others))}: taken as one."
        for (_, group), others in spelt.items()
        if others
    ]


def _stability_notes(table: pl.DataFrame) -> list[str]:
    if not table.width or table["seed"].n_unique() < 2:
        return []
    from scipy.stats import spearmanr

    wide = table.pivot("seed", index=["class", "variant", "subject"], values="bits")
    seeds = [name for name in wide.columns if name.isdigit()]
    # A model that says the same of all subjects gives them the same topics: there are no ranks.
    if wide.height < 3 or any(wide[name].n_unique() < 2 for name in seeds):
        return []
    ranks = [
        float(spearmanr(wide[seeds[0]].to_numpy(), wide[other].to_numpy()).statistic)
        for other in seeds[1:]
    ]
    shown = ", ".join(f"{rank:.2f}" for rank in ranks)
    note = (
        "Topics depend on a random start. Rank correlations of the subjects' relative entropy with "
        f"that under other seeds (1 if nothing depended on it): {shown}."
    )
    return [note]


def _notes(
    parts: Sequence[Part], valid: Sequence[Finding], ruler: Ruler, measured: Measured, *,
    asked: bool,
) -> list[str]:  # fmt: skip
    notes = [*ruler.missing, *_unscored(ruler, measured)]
    for part, finding in zip(parts, valid, strict=True):
        outcomes = part.outcomes()
        name = f"{part.people} ({part.condition})" if part.condition else part.people
        total = sum(outcomes.values())
        if outcomes["refused"] and outcomes["refused"] == total - outcomes["error"]:
            notes.append(f"{name}: the model refused every one of {total} requests.")
        elif finding.value is not None and finding.value < LOW_VALIDITY:
            counted = part.table["dropped"].drop_nulls().value_counts(sort=True)
            worst = str(counted["dropped"][0])
            notes.append(
                f"{name}: only {finding.value:.0%} of the answers are triples; most others fell "
                f"because {RULES[worst]}. A model that seldom does what is asked of it says little "
                "about what it believes."
            )
    if not asked and measured.triples["lineage"].n_unique() == measured.triples.height:
        notes.append(
            "The file names no lineages: intervals take triples as independent, and are too "
            "narrow if some seeded others."
        )
    if ruler.regard.accuracy is not None and measured.kept.height:
        shares = ", ".join(
            f"{name} {right:.0%}"
            for name, right in (
                ("regard", ruler.regard.accuracy),
                *((axis.name, axis.accuracy) for axis in ruler.axes),
            )
        )
        notes.append(
            "Regard, warmth and competence are measured on axes between anchor sentences. Of "
            "sentences of known meaning that had no part in making them they sort rightly (high, "
            f"low or neutral; chance is 33%): {shares}."
        )
    return notes


def _unscored(ruler: Ruler, measured: Measured) -> list[str]:
    """Say how many statements a table of recorded scores does not hold."""
    if ruler.attack is None or not (total := measured.kept.height):
        return []
    lacking = measured.kept[ATTACK].null_count()
    if not lacking:
        return []
    said = f"{lacking:,} of {total:,} statements have no score of {ruler.attack.called}"
    return [f"{said}; figures of it are of the others."]
