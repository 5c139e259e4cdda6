"""Releases of traces in which points were moved: an intruder who looks nearby still finds people.

Noise on coordinates or times leaves no point as it was, and so does counting each person's time from another
zero. None of that hides anybody whose points stay near theirs, or who goes on visiting the same places.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import polars as pl
import pytest

import unmask
from tests.everyday.test_everyday_shapes import COORDINATES, PLACES, found
from unmask.errors import UnmaskError
from unmask.intruder.glimpse import Glimpse
from unmask.linkage.point_readings import AT_CHANCE
from unmask.report.decision.trust import cautions
from unmask.report.phrases import sentence

PEOPLE, TOWNS, HOURS = 120, 8, 14 * 24
col = pl.col


@cache
def lives() -> pl.DataFrame:
    """Thirty points of each person in two weeks; everybody has three towns, one of them most of the time."""
    rng = np.random.default_rng(11)
    who = np.repeat(np.arange(PEOPLE), 30)
    haunts = rng.integers(0, TOWNS, (PEOPLE, 3))
    town = haunts[who, rng.choice(3, len(who), p=(0.6, 0.3, 0.1))]
    x, y = rng.uniform(0, 1, (2, TOWNS))[:, town] + rng.normal(0, 0.02, (2, len(who)))
    columns = {"id": who + 1, "t": rng.integers(0, HOURS, len(who)), "cell": [f"t{one}" for one in town]}
    return pl.DataFrame({**columns, "x": x.round(5), "y": y.round(5)})


def noise(spread: float) -> pl.Series:
    return pl.Series(np.random.default_rng(12).normal(0, spread, lives().height))


def shaken(spread: float) -> pl.DataFrame:
    """Coordinates with noise, to three digits."""
    moved = (col("x") + noise(spread), col("y") + noise(spread).reverse())
    return lives().with_columns(one.round(3) for one in moved)


@pytest.mark.parametrize("spread", [0.003, 0.02, 0.05])
def test_noise_on_coordinates_hides_nobody(spread):
    assert found(lives(), shaken(spread), COORDINATES, "trace-scales") > 0.95


def test_coordinates_of_which_none_is_as_it_was_are_found_by_scales():
    moved = lives().with_columns(col("x") + noise(0.02), col("y") + noise(0.02).reverse())
    with pytest.raises(UnmaskError, match=r"no place of the known points.*Hint: .*trace-scales"):
        found(lives(), moved, COORDINATES, "traces")
    assert found(lives(), moved, COORDINATES, "trace-scales") > 0.95


def test_one_point_that_is_far_off_does_not_hide_the_others():
    lost = lives().with_columns(pl.when(col("id") == 5).then(-999.0).otherwise(col("x")).alias("x"))
    assert found(lost, shaken(0.02), COORDINATES, "trace-scales") > 0.9


@pytest.mark.parametrize(("spread", "least"), [(1, 0.95), (3, 0.6)])
def test_noise_on_times_hides_few(spread, least):
    moved = lives().with_columns((col("t") + noise(spread).round(0).cast(pl.Int64)).alias("t"))
    assert found(lives(), moved, PLACES, "trace-scales") > least


def test_minutes_at_random_within_the_hour_hide_few():
    """The original tells seconds, and the release other seconds of the same hour: no time is equal."""
    second = pl.Series(np.random.default_rng(13).integers(0, 3600, lives().height))
    exact = lives().with_columns((col("t") * 3600 + second).alias("t"))
    other = lives().with_columns((col("t") * 3600 + second.reverse()).alias("t"))
    assert found(exact, other, PLACES, "trace-scales") > 0.9


OTHER_TIMES = {
    "each from their own zero": col("t") - col("t").min().over("id"),
    "each shifted by days": col("t") + 24 * (col("id") * 7 % 11),
    "their order alone": col("t").rank("ordinal").over("id"),
}


@pytest.mark.parametrize("name", OTHER_TIMES)
def test_times_that_mean_nothing_leave_the_visits(name):
    released = lives().with_columns(OTHER_TIMES[name].alias("t"))
    assert found(lives(), released, PLACES, "trace-visits") > 0.4
    assert found(lives(), released, COORDINATES, "trace-visits") > 0.95


def test_days_that_are_counted_are_days_of_the_hours_that_are_known():
    """Numbers of days look like the first hours; as hours they would find nobody."""
    day = lives().with_columns(col("t") // 24)
    assert found(lives(), day, PLACES, "traces") >= found(day, day, PLACES, "traces") - 0.02 > 0.9


@pytest.mark.parametrize("shift", [100, 24, -5])
def test_a_common_shift_is_seen_where_everybody_shares_few_places(shift):
    half = lives().filter(pl.Series(np.random.default_rng(14).random(lives().height) < 0.5))
    share = found(lives(), half.with_columns(col("t") + shift), PLACES, "traces")
    assert share >= found(lives(), half, PLACES, "traces") - 0.01 > 0.9


@pytest.mark.parametrize("step", [4, 6, 8, 12])
@pytest.mark.parametrize("known", [False, True])
def test_few_different_times_are_coarse_ones(step, known):
    """Of half a day cut to six hours, two times are left: nothing lies between them."""
    hours = lives().with_columns(t=col("t") % 12 + 12)
    cut = hours.with_columns(t=col("t") // step * step)
    files = (cut, hours) if known else (hours, cut)
    assert found(*files, PLACES, "traces") >= found(cut, cut, PLACES, "traces") - 0.02
    assert found(cut, cut, PLACES, "traces") > 0.5


def test_few_different_coordinates_are_coarse_ones():
    cut = lives().with_columns((col(axis) * 3).floor() / 3 for axis in ("x", "y"))
    assert found(lives(), cut, COORDINATES, "traces") >= found(cut, cut, COORDINATES, "traces") - 0.02 > 0.9


def test_a_release_of_some_hours_of_each_day_is_not_one_of_coarse_times():
    """Hours 8 and 20 alone are on a grid of twelve hours; nobody else's points were cut to them."""
    released = crowd().filter((col("t") % 24).is_in([8, 20]))
    assert found(crowd(), released, PLACES, "traces") >= found(released, released, PLACES, "traces") - 0.1


@cache
def crowd() -> pl.DataFrame:
    """Calls by hour of two weeks: 100 people at each of eight antennas, nights at home and days at work."""
    rng = np.random.default_rng(15)
    of_day = np.array([1, 1, 1, 1, 1, 2, 4, 8, 12, 14, 14, 14, 14, 13, 13, 14, 15, 17, 18, 17, 14, 10, 6, 3])
    who = np.repeat(np.arange(800), 40)
    hour = rng.choice(HOURS, len(who), p=np.tile(of_day, 14) / of_day.sum() / 14)
    work = (hour % 24 >= 9) & (hour % 24 < 17)
    haunts = rng.integers(0, TOWNS, (800, 3))
    cell = haunts[who, np.where(rng.random(len(who)) < 0.2, 2, work)]
    return pl.DataFrame({"id": who + 1, "t": hour, "cell": [f"t{one}" for one in cell]})


@pytest.mark.parametrize("shift", [100, 168, -5])
@pytest.mark.parametrize("seen", [{}, {"glimpse": Glimpse(points=6)}])
def test_a_common_shift_is_seen_in_a_crowd(shift, seen):
    """Nearly every point is found by chance under any shift, but only under one all those of a person."""
    share = found(crowd(), crowd().with_columns(col("t") + shift), PLACES, "traces", **seen)
    assert share >= found(crowd(), crowd(), PLACES, "traces", **seen) - 0.01 > 0.9


def test_the_first_day_is_a_day_and_no_hours_of_all_days():
    day = crowd().filter(col("t") < 24)
    assert found(crowd(), day, PLACES, "traces") >= found(day, day, PLACES, "traces") - 0.1
    hours = crowd().with_columns(col("t") % 24)
    assert found(crowd(), hours, PLACES, "traces") >= found(hours, hours, PLACES, "traces") - 0.02


def test_who_must_sign_is_told_that_times_do_not_seem_to_mean_the_same():
    order = np.random.default_rng(16).permutation(crowd().height)
    released = crowd().with_columns(crowd()["t"].gather(order))
    risk = unmask.assess(
        crowd(), released, shape=PLACES, attacks=["traces"], measures=["reidentification"], seed=1
    )
    serious = [one.text for one in cautions(risk.document) if one.serious]
    assert sentence(AT_CHANCE) in serious
