"""Masks on files small or regular enough to know the answer, and the text form of a mask."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest

from unmask.data.microdata import Microdata
from unmask.data.schema import Column, Schema
from unmask.errors import ArgumentError, UnmaskError
from unmask.masks import (
    CorrelatedNoise,
    IndividualRanking,
    Microaggregation,
    MultiplicativeNoise,
    Noise,
    PDistributionRankSwapping,
    RankSwapping,
    parse,
)


def microdata(**columns):
    frame = pl.DataFrame(columns)
    return Microdata(Schema(tuple(Column(name) for name in frame.columns)), frame)


def apply(mask, file, seed=1):
    return mask.apply(file, np.random.default_rng(seed)).data.numbers(file.schema.names())


@pytest.fixture(scope="module")
def correlated():
    rng = np.random.default_rng(5)
    x = rng.normal(0, 1000, 20_000)
    y = x / 1e6 + rng.normal(0, 0.001, 20_000)
    return microdata(x=x, y=y, total=x + 5)


def test_noise_has_the_standard_deviation_asked_for(correlated):
    values = correlated.numbers(["x", "y", "total"])
    added = apply(Noise(a=0.25), correlated) - values
    np.testing.assert_allclose(added.std(axis=0) / values.std(axis=0), 0.25, rtol=0.03)
    np.testing.assert_allclose(np.corrcoef(added.T), np.eye(3), atol=0.03)


def test_correlated_noise_has_the_covariances_of_the_data_times_a(correlated):
    values = correlated.numbers(["x", "y", "total"])
    added = apply(CorrelatedNoise(a=0.25), correlated) - values
    scale = np.outer(values.std(axis=0), values.std(axis=0))
    np.testing.assert_allclose(np.cov(added.T) / scale, 0.25 * np.cov(values.T) / scale, atol=0.01)
    np.testing.assert_allclose(added[:, 0], added[:, 2], atol=1e-4)


def test_multiplicative_noise_is_uniform_around_one():
    factor = apply(MultiplicativeNoise(b=0.4), microdata(x=np.full(20_000, 2.0))) / 2
    assert 0.6 <= factor.min() < 0.601
    assert 1.399 < factor.max() <= 1.4
    assert factor.std() == pytest.approx(0.8 / math.sqrt(12), rel=0.02)


@pytest.mark.parametrize(
    "mask",
    [
        Noise(0),
        CorrelatedNoise(0),
        MultiplicativeNoise(0),
        RankSwapping(0),
        PDistributionRankSwapping(0),
        IndividualRanking(1),
        Microaggregation(1),
    ],
    ids=lambda mask: mask.name,
)
def test_the_weakest_parameter_changes_nothing(mask, correlated):
    file = correlated.take(np.arange(300))
    np.testing.assert_array_equal(apply(mask, file), file.numbers(file.schema.names()))


def test_rank_swapping_with_a_window_of_one_swaps_neighbours():
    file = microdata(x=[10, 20, 30, 40, 50, 60])
    assert apply(RankSwapping(p=17), file).ravel().tolist() == [20, 10, 40, 30, 60, 50]


def test_rank_swapping_leaves_no_order_of_rows_among_equal_values():
    n = 4000
    file = microdata(x=np.repeat([0.0, 1.0], n // 2))
    moved = np.flatnonzero(apply(RankSwapping(p=10), file).ravel()[: n // 2])
    assert 0.4 < moved.mean() / (n / 2) < 0.6


def test_p_distribution_rank_swapping_has_the_mean_distance_of_its_distribution():
    n, p = 100_000, 4
    distance = np.abs(apply(PDistributionRankSwapping(p), microdata(x=np.arange(n))).ravel() - np.arange(n))
    truncated_mean = 1 + math.exp(-0.5) / math.sqrt(2 * math.pi) / 0.8413447460685429
    # Ranks near by are more often taken, so partners are a little farther than a free draw.
    assert truncated_mean < distance.mean() / (p / 2 * n / 100) < 1.2 * truncated_mean
    assert distance.max() > 2 * n * p / 100


def test_individual_ranking_gives_the_last_block_the_remainder():
    file = microdata(x=[1, 2, 3, 4, 5, 6, 100])
    assert apply(IndividualRanking(3), file).ravel().tolist() == [2, 2, 2, 28.75, 28.75, 28.75, 28.75]


def test_microaggregation_by_hand():
    file = microdata(x=[0, 1, 2, 10, 11, 12, 30, 31, 32], y=[0, 0, 0, 1, 1, 1, 5, 5, 5])
    masked = apply(Microaggregation(3), file)
    assert masked[:, 0].tolist() == [1] * 3 + [11] * 3 + [31] * 3
    assert masked[:, 1].tolist() == [0] * 3 + [1] * 3 + [5] * 3


def test_microaggregation_with_one_k_for_several_groups():
    file = microdata(x=[0, 1, 10, 11], y=[5, 1, 4, 0])
    masked = apply(Microaggregation(2, groups=(("x",), ("y",))), file)
    assert masked.T.tolist() == [[0.5, 0.5, 10.5, 10.5], [4.5, 0.5, 4.5, 0.5]]


def test_missing_values_leave_ranks_and_blocks_to_the_others():
    file = microdata(x=[5, None, 1, 3, None, 7])
    swapped = apply(RankSwapping(p=100), file).ravel()
    assert np.isnan(swapped[[1, 4]]).all()
    assert sorted(swapped[[0, 2, 3, 5]]) == [1, 3, 5, 7]
    averaged = apply(IndividualRanking(2), file).ravel()
    np.testing.assert_array_equal(averaged, [6, np.nan, 2, 2, np.nan, 6])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Noise(-1), "noise: a=-1 is out of range. Hint: give a number from 0 to"),
        (lambda: Noise(math.nan), "noise: a=nan is out of range"),
        (lambda: Noise("0.1"), "noise: a is not a number"),
        (lambda: CorrelatedNoise(math.inf), "correlated-noise: a=inf is out of range"),
        (lambda: MultiplicativeNoise(1.5), "b=1.5 is out of range. Hint: give a number from 0 to 1."),
        (lambda: RankSwapping(101), "p=101 is out of range. Hint: give a number from 0 to 100."),
        (lambda: PDistributionRankSwapping(True), "p is not a number"),
        (lambda: IndividualRanking(0), "k must be a whole number of at least 1"),
        (lambda: Microaggregation(2.5), "k must be a whole number of at least 1"),
        (lambda: Microaggregation((3, 4)), "several k need groups"),
        (lambda: Microaggregation((3, 4), groups=(("a",),)), "2 k for 1 groups"),
        (lambda: Microaggregation(3, groups=(("a",),), attributes=("a",)), "both groups and attributes"),
        (lambda: Microaggregation(3, groups=("ab", "cd")), "a group is not a tuple of names"),
        (lambda: Noise(1, attributes="age"), r"Hint: write attributes=\('age',\)"),
        (lambda: Noise(1, attributes=(1, 2)), "attributes is not a tuple of names"),
    ],
)
def test_parameters_out_of_range_are_refused(make, message):
    with pytest.raises(ArgumentError, match=message):
        make()


def test_groups_may_not_share_an_attribute():
    with pytest.raises(UnmaskError, match="named twice"):
        apply(Microaggregation(2, groups=(("x", "y"), ("y",))), microdata(x=[1, 2], y=[1, 2]))


@pytest.mark.parametrize("mask", [Microaggregation(5), IndividualRanking(5)], ids=lambda m: m.name)
def test_a_k_above_the_number_of_records_is_refused(mask):
    with pytest.raises(ArgumentError, match=r"k=5 exceeds the 3 .* choose k of at most 3"):
        apply(mask, microdata(x=[1, 2, 3]))


def test_correlated_noise_needs_a_complete_record():
    with pytest.raises(UnmaskError, match="no record with all of x, y present"):
        apply(CorrelatedNoise(1), microdata(x=[1, None], y=[None, 2]))


@pytest.mark.parametrize(
    ("text", "mask"),
    [
        ("noise:a=0.1", Noise(0.1)),
        ("  noise : a = 1e-1 ", Noise(0.1)),
        ("noise:a=0.1,", Noise(0.1)),
        ("rank-swapping:p=5,attributes=age+income", RankSwapping(5, ("age", "income"))),
        ("rank-swapping:attributes=age,p=5", RankSwapping(5, ("age",))),
        ("individual-ranking:k=3", IndividualRanking(3)),
        ("microaggregation:k=3", Microaggregation(3)),
        (
            "microaggregation: k=3+8, groups=a + b|c+d+e",
            Microaggregation((3, 8), (("a", "b"), ("c", "d", "e"))),
        ),
        ("microaggregation:k=3,groups=a+b", Microaggregation(3, (("a", "b"),))),
        ('noise:a=1,attributes="a+b"+"c,d"+"e=f"', Noise(1, ("a+b", "c,d", "e=f"))),
    ],
)
def test_a_mask_is_read_from_text(text, mask):
    assert parse(text) == mask


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no mask is called ''. Hint: Known: bottom-coding"),
        ("nois:a=1", "no mask is called 'nois'. Hint: did you mean 'noise'"),
        ("noise", "mask 'noise' lacks its parameter 'a'. Hint: write noise:a=NUMBER."),
        ("microaggregation:groups=a", "lacks its parameter 'k'. Hint: write microaggregation:k=INTEGER."),
        ("noise:b=1", "no parameter of mask 'noise' is called 'b'"),
        ("noise:a=1,atributes=x", "did you mean 'attributes'"),
        ("noise:a=much", "noise: a is 'much'. Hint: NUMBER is expected, for example 3.0."),
        ("individual-ranking:k=2.5", "k is '2.5'. Hint: INTEGER is expected, for example 3."),
        ("microaggregation:k=3+x,groups=a|b", "k is 'x'"),
        ("noise:0.1", "'0.1' is not parameter=value. Hint: write noise:a=NUMBER."),
        ("noise:a=", "'a=' is not parameter=value"),
        ("noise:a=1=2", "'a=1=2' is not parameter=value"),
        ("noise:a=1,a=2", "parameter 'a' is given twice"),
        ("noise:a=-1", "a=-1 is out of range"),
    ],
)
def test_text_that_is_no_mask_is_refused_in_one_line(text, message):
    with pytest.raises(ArgumentError) as caught:
        parse(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
