"""Attacks, masks and losses of series, on tables that were worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

import unmask
from unmask import Column, Microdata, Schema
from unmask.attacks import attack_named
from unmask.data.microdata import Masked
from unmask.data.shapes import SeriesContent
from unmask.engines import LocalEngine
from unmask.errors import ArgumentError, DataError
from unmask.intruder.dossier import Dossier
from unmask.intruder.truth import Truth
from unmask.linkage.series import SeriesPair, aligned, on_one_clock, on_one_scale, ranks, slopes
from unmask.losses import LossEvidence, Side, loss_evidence, loss_named, loss_rows
from unmask.masks import parse
from unmask.measures import FileEvidence
from unmask.measures.estimate import NotEstimable

NAMES = ("values", "slopes", "fourier", "amplitudes", "wavelets", "ranks", "dtw", "form", "distribution")
NAN = np.nan


def people(values, times=None):
    values = np.asarray(values, dtype=float)
    content = SeriesContent(np.arange(float(values.shape[1])) if times is None else np.asarray(times), values)
    return Microdata(Schema((Column("level"), Column("spread"))), content.summary(), content=content)


def loads(n=120, points=24, seed=5):
    """Households: a level of their own, and two peaks at hours of their own."""
    rng = np.random.default_rng(seed)
    hours = np.arange(points)
    load = rng.lognormal(0, 0.4, (n, 1)) + 0.1 * rng.random((n, points))
    for _ in range(2):
        centre, width = rng.uniform(0, points, (n, 1)), rng.uniform(1, 3, (n, 1))
        load += rng.lognormal(0, 0.5, (n, 1)) * np.exp(-(((hours - centre) / width) ** 2))
    return load


def belief(name, known, released, **more):
    """The belief of each target in the released record of the same row."""
    matcher = attack_named(name).prepare(
        Dossier(known, released, **more), np.random.default_rng(1), LocalEngine()
    )
    there = matcher.links().belief_in(np.arange(len(known)))
    own = matcher.standing(Truth(np.arange(len(known))), 1).belief()
    np.testing.assert_allclose(there, own)
    return there


def test_short_time_series_distance_by_hand():
    """Slopes 2, -1 against 1, 0 over steps of 1 and 2: (2/1 - 1/1)^2 + (-2/2 - 0/2)^2 = 2."""
    pair = SeriesPair(np.array([0.0, 1.0, 3.0]), np.array([[0.0, 2.0, 0.0]]), np.array([[5.0, 6.0, 6.0]]))
    turned = slopes(pair)
    usual = 1.5  # the unit of time is the usual step, which scales every slope alike
    assert ((turned.known - turned.released) ** 2).sum() == pytest.approx(2 * usual**2)


def test_warping_by_hand():
    """0 0 4 0 waits one step for 0 4 0 0 and then is the same; point by point it differs by 16 + 16."""
    from unmask.kernels.warping import warped

    x, y, row = np.array([0.0, 0.0, 4.0, 0.0]), np.array([0.0, 4.0, 0.0, 0.0]), np.empty(6)
    assert warped(x, y, 1, np.inf, row) == 0.0
    assert warped(x, y, 0, np.inf, row) == 32.0
    assert warped(x, y, 0, 31.9, row) == np.inf
    # The ends cannot wait: 3 meets 1, then (3 or 5) meets 2, then 5 meets 6: 4 + 1 + 1.
    assert warped(np.array([3.0, 3.0, 5.0]), np.array([1.0, 2.0, 6.0]), 2, np.inf, row[:5]) == 6.0


def test_a_release_in_another_unit_is_no_escape():
    load = loads()
    for name in NAMES:
        assert belief(f"series-{name}", people(load), people(3.6 * load - 40)).mean() == 1.0


def test_ranks_are_those_of_each_time_and_few_people_get_those_of_the_release():
    x = np.array([[1.0, 9.0], [5.0, 2.0]])
    pair = ranks(SeriesPair(np.arange(2.0), x, np.array([[1.0, 1.0], [5.0, 5.0], [9.0, 9.0]])))
    np.testing.assert_allclose(pair.known, [[1 / 6, 5 / 6], [3 / 6, 2 / 6]])


def test_a_released_series_without_any_value_is_nobodys_nearest():
    load = loads(30)
    released = load + 0.5
    released[7] = NAN
    released[8, :23] = NAN
    for name in NAMES:
        found = belief(f"series-{name}", people(load), people(released))
        assert found[7] == 0.0
        if name not in ("fourier", "amplitudes", "wavelets", "dtw"):  # which fill 23 points from one
            assert np.delete(found, [7, 8]).mean() > 0.9
        links = attack_named(f"series-{name}").prepare(
            Dossier(people(load), people(released)), np.random.default_rng(1), LocalEngine()
        )
        assert (links.links().belief_in(np.full(30, 7)) == 0).all()


def test_a_glimpse_that_a_released_series_lacks_does_not_make_it_near():
    """The target was seen at the first two points only, which the second released series lacks."""
    known = people([[1.0, 2.0, NAN, NAN], [9.0, 8.0, 7.0, 9.0], [4.0, 4.0, 4.0, 4.0]])
    released = people([[1.5, 2.5, 8.0, 8.0], [NAN, NAN, 7.5, 9.0], [4.0, 5.0, 4.0, 4.0]])
    assert belief("series-values", known, released).tolist() == [1.0, 1.0, 1.0]


def test_series_of_few_points_take_nobody_from_their_own():
    """Strangers with one value each: somebody's always agrees with a target, and says next to nothing."""
    load, rng = loads(100), np.random.default_rng(8)
    noisy = load + 0.3 * load.std() * rng.normal(size=load.shape)
    strangers = np.where(
        rng.permuted(np.arange(24) + np.zeros((400, 1)), axis=1) == 0, loads(400, seed=9), NAN
    )
    for name in ("values", "ranks"):
        alone = belief(f"series-{name}", people(load), people(noisy)).mean()
        among = belief(f"series-{name}", people(load), people(np.vstack((noisy, strangers)))).mean()
        assert alone > 0.8
        assert among > alone - 0.05


def test_points_that_the_release_suppressed_do_not_hide_anybody():
    load = loads(60)
    released = load.copy()
    released[np.random.default_rng(2).random(load.shape) < 0.3] = NAN
    assert belief("series-values", people(load), people(released)).mean() == 1.0


def test_a_target_of_whom_nothing_was_seen_is_nobody():
    load = loads(20)
    known = load.copy()
    known[3] = NAN
    for name in NAMES:
        assert belief(f"series-{name}", people(known), people(load))[3] <= 1 / 20 + 1e-12


def test_all_series_empty_is_refused():
    load = loads(5)
    for pair, which in (((load * NAN, load), "known"), ((load, load * NAN), "released")):
        for name in NAMES:
            with pytest.raises(DataError, match=rf"no {which} series has a value.*Hint: "):
                belief(f"series-{name}", *(people(side) for side in pair))


def test_a_coarser_release_is_compared_by_means():
    load = loads(80)
    original = people(load)
    masked = parse("series-aggregation:points=4").apply(original, np.random.default_rng(1)).data
    assert masked.content.times.tolist() == [0, 4, 8, 12, 16, 20]
    np.testing.assert_allclose(masked.content.values[:, 1], load[:, 4:8].mean(axis=1))
    pair = aligned(original.content, masked.content)
    np.testing.assert_allclose(pair.known, masked.content.values)
    assert "means" in pair.notes[0]
    assert belief("series-values", original, masked).mean() == 1.0


def test_a_coarser_release_may_be_single_points_and_the_known_file_the_coarser_one():
    load = loads(80)
    single = SeriesContent(np.arange(0.0, 24, 4), load[:, ::4])
    pair = aligned(people(load).content, single)
    np.testing.assert_array_equal(pair.known, single.values)
    assert "single points" in pair.notes[0]
    turned = aligned(single, people(load).content)
    np.testing.assert_array_equal(turned.released, single.values)


def test_other_times_are_compared_where_they_meet():
    load = loads(10)
    known = SeriesContent(np.arange(24.0) + 2, np.roll(load, -2, axis=1))
    pair = aligned(known, SeriesContent(np.arange(24.0), load))
    assert pair.times.tolist() == list(range(2, 24))
    np.testing.assert_array_equal(pair.known, pair.released)
    later = aligned(SeriesContent(np.arange(24.0) + 2, load), SeriesContent(np.arange(24.0), load))
    np.testing.assert_array_equal(later.known, later.released)
    near = aligned(SeriesContent(np.arange(24.0) + 0.3, load), SeriesContent(np.arange(24.0), load))
    np.testing.assert_array_equal(near.known, near.released)
    with pytest.raises(ArgumentError, match=r"fewer than 2 times in common.*Hint: "):
        aligned(SeriesContent(np.arange(24.0) + 100, load), SeriesContent(np.arange(17.0), load[:, :17]))


def test_a_clock_that_is_off_is_found():
    load = loads(100)
    late = np.roll(load, 2, axis=1)
    late[:, :2] = 7.0
    for lag, released in ((2, late), (0, load + 0.01)):
        pair = on_one_clock(SeriesPair(np.arange(24.0), load, released), 3)
        assert pair.known.shape == (100, 24 - lag)
    assert belief("series-values:clock=0", people(load), people(late)).mean() < 0.5
    assert belief("series-values", people(load), people(late)).mean() > 0.95
    assert belief("series-values:clock=3", people(load), people(late)).mean() > 0.95
    with pytest.raises(ArgumentError, match=r"leaves too little.*Hint: "):
        belief("series-values:clock=23", people(load), people(late))


def test_amplitudes_find_people_whose_series_were_shifted_each_by_itself():
    original = people(loads(100))
    masked = parse("series-shift:steps=6").apply(original, np.random.default_rng(1)).data
    assert belief("series-amplitudes", original, masked).mean() == 1.0
    assert belief("series-values", original, masked).mean() < 0.5
    np.testing.assert_allclose(np.sort(masked.content.values), np.sort(original.content.values))


def test_normalised_series_count_by_their_form():
    load = loads(60)
    own = np.random.default_rng(3).uniform(0.2, 5, (60, 1))
    assert belief("series-values", people(load), people(own * load)).mean() < 0.6
    assert belief("series-values:normalised=yes", people(load), people(own * load)).mean() == 1.0


def test_values_count_whenever_they_were_there():
    """Points shuffled or sorted within each series, with another sign or unit as well."""
    load = loads(100)
    shuffled = np.random.default_rng(3).permuted(load, axis=1)
    for released in (shuffled, np.sort(load, axis=1), -shuffled, 3.6 * shuffled - 40):
        assert belief("series-distribution", people(load), people(released)).mean() == 1.0
        assert belief("series-values", people(load), people(released)).mean() < 0.2


def test_values_count_whenever_they_were_there_though_many_are_missing():
    load, rng = loads(100), np.random.default_rng(3)
    shuffled = rng.permuted(load, axis=1)
    shuffled[rng.random(load.shape) < 0.2] = NAN
    assert belief("series-distribution", people(load), people(shuffled)).mean() > 0.5


def test_noise_does_not_pass_for_running_totals_where_values_have_no_order():
    load, rng = loads(300, 48), np.random.default_rng(3)
    noisy = load + load.std(axis=0) * rng.normal(size=load.shape)
    matcher = attack_named("series-distribution").prepare(
        Dossier(people(load), people(noisy)), rng, LocalEngine()
    )
    assert not any("running totals" in note for note in matcher.notes)


def test_masks_of_series():
    load = loads(90)
    original = people(load)
    rng = np.random.default_rng(4)
    noisy = parse("series-noise:a=0.5").apply(original, rng).data.content.values - load
    np.testing.assert_allclose(noisy.std() / load.std(axis=0, ddof=1).mean(), 0.5, rtol=0.1)
    grouped = parse("series-microaggregation:k=5").apply(original, rng).data.content.values
    assert np.unique(grouped, axis=0, return_counts=True)[1].min() >= 5
    np.testing.assert_allclose(grouped.mean(axis=0), load.mean(axis=0))
    swapped = parse("series-rank-swapping:p=10").apply(original, rng).data.content.values
    np.testing.assert_array_equal(np.sort(swapped, axis=0), np.sort(load, axis=0))
    assert np.abs(np.argsort(np.argsort(swapped, axis=0), axis=0)
                  - np.argsort(np.argsort(load, axis=0), axis=0)).max() == 9  # fmt: skip


def test_masks_leave_gaps_or_refuse_them():
    load = loads(30)
    load[2, 3] = NAN
    load[4] = NAN
    original = people(load)
    for text in ("series-noise:a=0.5", "series-rank-swapping:p=30"):
        masked = parse(text).apply(original, np.random.default_rng(1)).data.content.values
        np.testing.assert_array_equal(np.isnan(masked), np.isnan(load))
    with pytest.raises(DataError, match=r"2 series of the file have missing points.*Hint: "):
        parse("series-microaggregation:k=3").apply(original, np.random.default_rng(1))
    with pytest.raises(ArgumentError, match=r"leaves one time of 24.*Hint: "):
        parse("series-aggregation:points=24").apply(original, np.random.default_rng(1))


def test_bad_parameters_are_refused():
    for text in ("series-values:clock=-1", "series-fourier:coefficients=0", "series-dtw:window=1.5"):
        with pytest.raises(ArgumentError, match=r"Hint: "):
            attack_named(text)
    for text in ("series-shift:steps=-1", "series-noise:a=-1", "series-microaggregation:k=2,distance=no"):
        with pytest.raises(ArgumentError, match=r"Hint: "):
            parse(text)


def evidence(original, released):
    """What losses see of two files of the same people."""
    return loss_evidence(FileEvidence(original, Masked.by_order(original, released), ("level",)))


def test_losses_of_series():
    original = people(loads(200))
    names = ("series-error", "series-autocorrelation", "series-spectrum")
    weak, strong = (
        parse(f"series-noise:a={a}").apply(original, np.random.default_rng(1)).data for a in (0.1, 1.0)
    )
    for name in names:
        loss = loss_named(name)
        none, little, much = (
            loss.values(evidence(original, other))[None] for other in (original, weak, strong)
        )
        assert none == pytest.approx(0, abs=1e-12)
        assert 0 < little < much
        rows = loss_rows(loss, evidence(original, strong))
        assert [row.keys.curve for row in rows[-2:]] == ["resampled", "independent"]
        assert rows[0].estimate.baseline < much
        assert rows[-1].estimate.value > little
    error = loss_named("series-error").values(evidence(original, strong))[None]
    assert error == pytest.approx(1.0, rel=0.1)


def test_losses_of_a_coarser_release_and_of_none():
    original = people([[1.0, 2.0, 6.0, 4.0], [3.0, 5.0, 1.0, 1.0]])
    masked = parse("series-aggregation:points=2").apply(original, np.random.default_rng(1)).data
    # Points moved by 0.5 0.5 1 1 and 1 1 0 0; deviations of the times are d / sqrt 2, d = 2 3 5 3.
    squares = [2 * (m / d) ** 2 for m, d in ((0.5, 2), (0.5, 3), (1, 5), (1, 3), (1, 2), (1, 3))]
    expected = np.sqrt(sum(squares) / 8)
    found = loss_named("series-error").values(evidence(original, masked))[None]
    assert found == pytest.approx(expected)
    bare = Side({"age": np.ones(3)}, np.ones(3))
    for name in ("series-error", "series-autocorrelation", "series-spectrum"):
        loss = loss_named(name)
        why = loss.why_not(LossEvidence((), bare, bare, np.arange(3)))
        assert isinstance(why, NotEstimable)
        assert "no series" in why.reason
        assert not why.declared


def test_autocorrelations_are_their_sums():
    from tests.reference.series import autocorrelation
    from unmask.losses.series_autocorrelation import autocorrelations

    load = loads(3, 9)
    expected = [[autocorrelation(row, lag) for lag in (1, 2, 3)] for row in load]
    np.testing.assert_allclose(autocorrelations(load, 3), expected)


def test_constant_series_tell_nothing_and_break_nothing():
    flat = people(np.full((6, 4), 3.0))
    for name in NAMES:
        np.testing.assert_allclose(belief(f"series-{name}", people(loads(6, 4)), flat), 1 / 6)
    scaled = on_one_scale(SeriesPair(np.arange(4.0), loads(6, 4), flat.content.values))
    assert "do not vary" in scaled.notes[0]
    assert unmask.losses.loss_named("series-spectrum").values(evidence(people(loads(6, 4)), flat))[None] == 1


def test_what_rounding_leaves_of_a_constant_series_is_no_rhythm():
    flat = np.tile([0.1 + 0.2, 0.3, 0.3, 0.1 + 0.2], (6, 1))
    assert np.ptp(flat) > 0
    found = loss_named("series-spectrum").values(evidence(people(loads(6, 4)), people(flat)))
    assert found[None] == 1
