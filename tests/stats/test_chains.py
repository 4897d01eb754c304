"""Statistics of observations that seed one another."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from scipy.stats import chi2, entropy

from slant.stats.chain_means import chain_means
from slant.stats.chains import Chains
from slant.stats.paired_chains import paired_difference
from slant.stats.relative_entropy import divergence_from_rest, relative_entropy
from slant.stats.saturation import chance_of_new, rarefaction


def draw(
    rng: np.random.Generator,
    means: list[float],
    lineages: int = 10,
    each: int = 4,
    shared: float = 0.3,
) -> tuple[np.ndarray, Chains]:
    """Draw values of subjects in crossed lineages, whose cells have something in common."""
    subjects, where = np.divmod(np.arange(len(means) * lineages * each), lineages * each)
    lineage = where // each
    cell = rng.normal(0, shared, (len(means), lineages))
    values = np.array(means)[subjects] + cell[subjects, lineage] + rng.normal(0, 1, len(subjects))
    return values, Chains(subjects, lineage, len(means))


def test_sums_and_resamples_equal_a_naive_loop() -> None:
    subjects, lineage = [0, 0, 1, 1, 1, 0], ["a", "b", "a", "a", "b", "a"]
    values = np.array([[1.0], [2], [3], [4], [5], [6]])
    made = Chains(subjects, lineage, 2)
    assert made.crossed
    assert made.sums(values)[:, 0].tolist() == [9, 12]
    drawn = made.resampled(values, 400, np.random.default_rng(0))[:, :, 0]
    # Two lineages: twice a, twice b, or both.
    assert {tuple(row) for row in drawn.tolist()} == {(14, 14), (4, 10), (9, 12)}


def test_permutations_keep_lineages_and_totals() -> None:
    rng = np.random.default_rng(1)
    values, made = draw(rng, [0.0, 0, 0])
    assert made.exchanged == "cells"
    drawn = made.permuted(np.stack([values, np.ones_like(values)], axis=1), 50, rng)
    assert np.allclose(drawn[..., 0].sum(axis=1), values.sum())
    assert (drawn[..., 1] == 40).all()
    own = Chains(made.subject, np.arange(len(values)), 3)
    assert own.exchanged == "lineages"
    assert np.allclose(own.permuted(values[:, None], 20, rng).sum(axis=1), values.sum())


def test_intervals_cover_and_false_discoveries_keep_their_level() -> None:
    rng = np.random.default_rng(2)
    covered, false, runs = 0, 0, 120
    for _ in range(runs):
        values, made = draw(rng, [0.5, 0, 0, 0], lineages=8)
        found = chain_means(values, made, rng, resamples=300).own
        covered += int((found.low <= [0.5, 0, 0, 0]).sum())
        covered -= int((found.high < [0.5, 0, 0, 0]).sum())
        values, made = draw(rng, [0.0, 0, 0, 0], lineages=8)
        false += int((chain_means(values, made, rng, resamples=300).vs_rest.p <= 0.05).sum())
    assert 0.91 <= covered / (4 * runs) <= 0.985
    assert false / (4 * runs) <= 0.08


def test_few_lineages_are_not_taken_for_many_observations() -> None:
    # Single observations were exchanged below five: a p below .05 in 16, 34 and 67% of subjects
    # that do not differ, with 2, 4 and 8 triples of a subject in a lineage.
    rng = np.random.default_rng(7)
    for lineages in (2, 4):
        values, made = draw(rng, [0.0, 0, 0], lineages=lineages, each=8, shared=1)
        found = chain_means(values, made, rng, resamples=200)
        assert made.exchanged == "cells"
        assert np.isnan(found.vs_rest.p).all()
        assert (found.own.low < found.own.value).all()
        topics = (values > 0).astype(int)
        assert np.isnan(relative_entropy(topics, made, 2, rng, resamples=200).divergence.p).all()
    false = 0
    for _ in range(60):
        values, made = draw(rng, [0.0, 0, 0, 0], lineages=5, each=8, shared=0.5)
        false += int((chain_means(values, made, rng, resamples=200).vs_rest.p <= 0.05).sum())
    assert false / 240 <= 0.09


def test_few_pairs_of_lineages_are_not_taken_for_many_cells() -> None:
    # Below eight, single cells changed signs: a p below .05 in 17 to 20% without any difference.
    rng = np.random.default_rng(8)
    false, covered = 0, 0
    for _ in range(150):
        lineage = np.repeat(np.arange(6), 3)
        difference = rng.normal(0, 0.5, 6)[lineage] + rng.normal(0, 0.5, 18)
        found = paired_difference(np.zeros(18), difference, lineage, rng, resamples=300)
        false += found.p <= 0.05
        covered += found.low <= 0 <= found.high
    assert false / 150 <= 0.09
    assert 0.89 <= covered / 150 <= 0.99
    four = paired_difference(np.zeros(12), np.arange(12.0), np.repeat(np.arange(4), 3), rng)
    assert np.isnan(four.p)
    assert four.low < four.value < four.high


def test_a_planted_mean_stands_out() -> None:
    rng = np.random.default_rng(3)
    values, made = draw(rng, [1.5, 0, 0, 0, 0])
    found = chain_means(values, made, rng)
    assert found.vs_rest.p[0] < 0.005
    assert found.vs_rest.value[0] == pytest.approx(1.5, abs=0.5)
    own = found.own
    assert own.chance.low[0] < own.chance.expected[0] < own.chance.high[0] < own.value[0]


def test_equal_observations_do_not_pass_for_certainty() -> None:
    subjects = np.repeat([0, 1], 10)
    values = np.r_[np.zeros(10), np.tile([0.0, 1.0], 5)]
    found = chain_means(
        values, Chains(subjects, np.tile(np.arange(5), 4), 2), np.random.default_rng(4),
        bounds=(0, 1),
    )  # fmt: skip
    assert found.own.value[0] == 0
    assert found.own.high[0] > 0.05


def test_a_single_subject_is_compared_with_nobody() -> None:
    found = chain_means([1.0, 2, 3, 4], Chains([0] * 4, [0, 0, 1, 1], 1),
                          np.random.default_rng(0))  # fmt: skip
    assert found.own.value[0] == 2.5
    assert np.isnan(found.vs_rest.p[0])
    assert np.isnan(found.vs_rest.low[0])
    assert found.vs_rest.chance[0] is None


def test_divergence_is_that_of_scipy() -> None:
    counts = np.array([[5.0, 1, 0], [2, 2, 2], [0, 9, 1]])
    for row in range(3):
        rest = counts.sum(axis=0) - counts[row]
        expected = entropy(counts[row] + 0.5, rest + 0.5, base=2)
        assert divergence_from_rest(counts, 0.5)[row] == pytest.approx(expected)


def test_topics_of_chance_stay_within_chance_and_planted_ones_do_not() -> None:
    rng = np.random.default_rng(5)
    subjects = np.repeat(np.arange(4), 60)
    made = Chains(subjects, np.tile(np.arange(10), 24), 4)
    false = 0
    for _ in range(40):
        null = relative_entropy(rng.integers(5, size=240), made, 5, rng, resamples=200)
        false += int((null.divergence.p <= 0.05).sum())
    assert false / 160 <= 0.1
    topics = rng.integers(5, size=240)
    topics[:40] = 0
    found = relative_entropy(topics, made, 5, rng, resamples=500)
    assert found.divergence.p[0] < 0.01
    bits = found.divergence
    assert bits.value[0] == bits.value.max() > bits.chance.high[0]
    assert bits.low[0] <= bits.value[0] <= bits.high[0]
    assert found.shares.sum(axis=1) == pytest.approx(1)
    assert (found.shares_low <= found.shares).all()
    assert (found.shares <= found.shares_high).all()
    assert (found.shares_high <= 1).all()


def test_no_share_is_said_to_be_above_all_or_below_none() -> None:
    rng = np.random.default_rng(9)
    made = Chains(np.repeat([0, 1], 20), np.tile(np.repeat(np.arange(5), 4), 2), 2)
    topics = np.where(np.arange(40) % 20 < 17, 0, 1)
    found = relative_entropy(topics, made, 2, rng, resamples=500)
    assert found.shares[0] == pytest.approx([0.85, 0.15])
    assert found.shares_high[0, 0] == pytest.approx(1)
    assert found.shares_low[0, 1] == pytest.approx(0)


def test_rarefaction_is_the_mean_of_random_parts() -> None:
    counts = [5, 3, 1, 1]
    pool = np.repeat(np.arange(4), counts)
    rng = np.random.default_rng(6)
    drawn = np.mean([len(set(rng.choice(pool, 4, replace=False))) for _ in range(4000)])
    assert rarefaction(counts, [4])[0] == pytest.approx(drawn, abs=0.05)
    assert rarefaction(counts, [0, 10]) == pytest.approx([0, 4])
    assert chance_of_new(counts) == pytest.approx(0.2)
    assert np.isnan(chance_of_new([]))


def test_paired_lineages_find_what_is_planted_and_nothing_else() -> None:
    rng = np.random.default_rng(7)
    lineage = np.repeat(np.arange(10), 5)
    false = 0
    for _ in range(100):
        shift = rng.normal(0, 0.3, 10)[lineage]  # a lineage has its own way
        first, second = rng.normal(0, 1, 50), rng.normal(0, 1, 50) + shift
        false += paired_difference(first, second, lineage, rng, resamples=300).p <= 0.05
    assert false <= 12
    found = paired_difference(first, first + rng.normal(0.8, 0.5, 50), lineage, rng)
    assert found.p < 0.01
    assert found.low < 0.8 < found.high
    assert found.effect == pytest.approx(1.6, abs=0.6)
    assert found.lineages == 10


def test_a_single_pair_has_a_value_and_nothing_else() -> None:
    alone = paired_difference([1.0], [2.0], [0], np.random.default_rng(8))
    assert alone.value == 1
    assert np.isnan([alone.low, alone.high, alone.p]).all()
    assert (alone.n, alone.lineages, alone.chance) == (1, 1, None)


@pytest.mark.parametrize("lineages", [2, 4, 12])
def test_few_lineages_stretch_as_students_t_does(lineages: int) -> None:
    made = Chains(np.zeros(2 * lineages, dtype=int), np.tile(np.arange(lineages), 2), 1)
    drawn = made.stretch(40_000, np.random.default_rng(0))
    median = lineages / chi2.median(lineages - 1)
    assert np.median(drawn**2) == pytest.approx(median, rel=0.04)
    single = Chains([0, 0], [0, 0], 1)
    assert (single.stretch(9, np.random.default_rng(0)) == 1).all()


def test_the_interval_of_few_pairs_is_near_students() -> None:
    rng = np.random.default_rng(4)
    change = rng.normal(1, 1, 8)
    found = paired_difference(np.zeros(8), change, np.arange(8), rng, resamples=40_000)
    theirs = stats.ttest_1samp(change, 0).confidence_interval()
    assert found.high - found.low == pytest.approx(theirs.high - theirs.low, rel=0.05)
