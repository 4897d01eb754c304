"""Topics of groups, against statsmodels."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2_contingency
from statsmodels.stats.contingency_tables import Table

from slant.stats.topic_groups import topic_groups

TABLE_4 = [[80, 559, 473], [483, 9, 157], [105, 22, 2488]]
"""Topics 4, 176 and 209 by male, female and neutral, of the paper."""


def test_residuals_and_the_test_are_those_of_statsmodels_and_scipy() -> None:
    counts = np.random.default_rng(0).integers(1, 60, size=(7, 4))
    found = topic_groups(counts)
    np.testing.assert_allclose(found.residuals, Table(counts).standardized_resids)
    expected = chi2_contingency(counts, correction=False)
    assert (found.chi2, found.p) == pytest.approx((expected.statistic, expected.pvalue))


def test_the_topics_of_table_4_go_to_the_groups_of_table_4() -> None:
    assert topic_groups(TABLE_4).group.tolist() == [1, 0, 2]


def test_a_topic_that_everybody_shares_is_nobodys() -> None:
    found = topic_groups([[50, 50, 50], [60, 60, 60]])
    assert found.group.tolist() == [-1, -1]
    assert found.p == pytest.approx(1)


def test_masses_leave_out_neutral_topics() -> None:
    masses = topic_groups(TABLE_4).masses([[0.2, 0.3, 0.5]])
    assert masses.tolist() == [[0.3, 0.2]]


def test_empty_rows_and_columns_are_unknown_and_nobodys() -> None:
    found = topic_groups([[80, 0, 4], [0, 0, 0], [5, 0, 90]])
    assert np.isnan(found.residuals[1]).all()
    assert np.isnan(found.residuals[:, 1]).all()
    assert found.group.tolist() == [0, -1, 2]
    assert np.isnan(topic_groups([[3, 0], [4, 0]]).chi2)


def test_a_group_of_a_single_sentence_counts_in_the_test() -> None:
    counts = [[80, 0, 4], [5, 1, 90]]
    expected = chi2_contingency(counts, correction=False)
    found = topic_groups(counts)
    assert (found.chi2, found.p) == pytest.approx((expected.statistic, expected.pvalue))
