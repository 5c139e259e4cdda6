"""Everyday releases of series: what a clever intruder undoes before they compare must not protect.

Each release keeps people as recognisable as a tidy one with the same noise: a meter's register, another sign,
dates moved for each person, a clock that is off, one value far out, a cap. Nearly as many must be found.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import polars as pl
import pytest

import unmask
from unmask.attacks import attack_named
from unmask.data.microdata import Microdata
from unmask.data.schema import Column, Schema
from unmask.data.shapes import SeriesContent
from unmask.engines import LocalEngine
from unmask.intruder.dossier import Dossier
from unmask.intruder.glimpse import Glimpse
from unmask.intruder.truth import Truth
from unmask.linkage.series import SeriesPair, on_one_clock
from unmask.linkage.series.sampled import standard_gap

PEOPLE, HOURS = 120, 48
LONG = "series:id=id,time=t,value=kwh"
#: The share of people that noise drawn at other points may lose.
SLACK = 0.05


@cache
def loads() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    level, phase = rng.gamma(3, 1, (PEOPLE, 1)), rng.uniform(0, 6, (PEOPLE, 1))
    load = level * (1.2 + np.sin(np.arange(HOURS) / 4 + phase)) + rng.gamma(1, 0.3, (PEOPLE, HOURS))
    return load, np.maximum(load + rng.normal(0, 0.8, load.shape), 0.01)


def long(values: np.ndarray, starts: np.ndarray | None = None) -> pl.DataFrame:
    """One row for each person and time; ``starts``: by how much the dates of each person are moved."""
    people, times = values.shape
    moved = np.zeros(people, np.int64) if starts is None else starts
    when = np.arange(times) + moved[:, None]
    who = np.repeat(np.arange(people) + 1, times)
    return pl.DataFrame({"id": who, "t": when.ravel(), "kwh": values.ravel()})


def found(tmp_path, original: pl.DataFrame, released: pl.DataFrame, attacks: list[str], **asked) -> float:
    """The share of people whom the best of these attacks finds."""
    paths = [str(tmp_path / name) for name in ("original.csv", "released.csv")]
    for frame, path in zip((original, released), paths, strict=True):
        frame.write_csv(path)
    risk = unmask.assess(*paths, shape=LONG, attacks=attacks, measures=["reidentification"], seed=1, **asked)
    rows = risk.table().filter(pl.col("measure") == "reidentification", pl.col("attack").is_in(attacks))
    return float(rows["value"].max())


def outlier(values: np.ndarray) -> np.ndarray:
    changed = values.copy()
    changed[3, 4] = 1e7
    return changed


RELEASES = {
    "a meter's register": lambda noisy: np.cumsum(noisy, axis=1),
    "a register read before each hour": lambda noisy: np.cumsum(noisy, axis=1) - noisy,
    "another sign": lambda noisy: -noisy,
    "a register with another sign": lambda noisy: -np.cumsum(noisy, axis=1),
    "a register with another sign read before each hour": lambda noisy: noisy - np.cumsum(noisy, axis=1),
    "a register in another unit": lambda noisy: 3600 * np.cumsum(noisy, axis=1),
    "another sign and unit": lambda noisy: 32 - 1.8 * noisy,
    "another unit and a clock that is off": lambda noisy: 3600 * np.roll(noisy, 2, axis=1),
    "another sign and a clock that is off": lambda noisy: -np.roll(noisy, 2, axis=1),
    "a register and a clock that is off": lambda noisy: np.cumsum(np.roll(noisy, 2, axis=1), axis=1),
    "one value far out": outlier,
    "somebody far out": lambda noisy: np.vstack((noisy, np.full((1, HOURS), 1e3))),
    "a cap on the highest values": lambda noisy: np.minimum(noisy, np.quantile(noisy, 0.95)),
    "a clock that is off": lambda noisy: np.roll(noisy, 2, axis=1),
}


@pytest.mark.parametrize("name", RELEASES)
@pytest.mark.parametrize("attack", ["series-values", "series-fourier"])
def test_what_a_clever_intruder_undoes_is_no_protection(name, attack, tmp_path):
    load, noisy = loads()
    tidy = found(tmp_path, long(load), long(noisy), [attack])
    assert tidy > 0.8
    assert found(tmp_path, long(load), long(RELEASES[name](noisy)), [attack]) >= tidy - SLACK


def test_a_register_in_the_original_and_differences_in_the_release(tmp_path):
    load, noisy = loads()
    assert found(tmp_path, long(np.cumsum(load, axis=1)), long(noisy), ["series-values"]) > 0.8


@pytest.mark.parametrize("most", [15, 400])
def test_dates_moved_for_each_person_are_no_protection(most, tmp_path):
    load, noisy = loads()
    starts = np.random.default_rng(7).integers(0, most, PEOPLE)
    tidy = found(tmp_path, long(load), long(noisy), ["series-values"])
    assert found(tmp_path, long(load), long(noisy, starts), ["series-values"]) == tidy


def test_a_clock_that_is_off_is_looked_for_without_being_asked(tmp_path):
    load, noisy = loads()
    off = {"glimpse": Glimpse(clock=2)}
    assert found(tmp_path, long(load), long(noisy), ["series-values:clock=0"], **off) < 0.3
    assert found(tmp_path, long(load), long(noisy), ["series-values"], **off) > 0.8


def curves() -> np.ndarray:
    """Households that use power in the morning and in the evening, at hours of their own."""
    rng = np.random.default_rng(4)
    hours = np.arange(HOURS) / 2
    load = rng.lognormal(-1.5, 0.5, (500, 1)) + rng.gamma(1, 0.04, (500, HOURS))
    for usual in (7.5, 19):
        peak, width = rng.normal(usual, 1.5, (500, 1)), rng.uniform(0.5, 2, (500, 1))
        load += rng.lognormal(-0.5, 0.5, (500, 1)) * np.exp(-(((hours - peak) / width) ** 2) / 2)
    return load


@pytest.mark.parametrize(("noise", "seen", "seed"), [(2, None, 2), (2, None, 3), (1, 4, 1), (1, 4, 2)])
@pytest.mark.parametrize("lag", [0, 2, -3])
def test_a_clock_shows_in_what_people_have_in_common_where_noise_hides_each(noise, seen, seed, lag):
    rng, load = np.random.default_rng(seed), curves()
    noisy = load + noise * load.std(axis=0) * rng.normal(size=load.shape)
    if seen is not None:
        load = np.where(rng.random(load.shape).argsort(axis=1).argsort(axis=1) < seen, load, np.nan)
    pair = on_one_clock(SeriesPair(np.arange(float(HOURS)), load, np.roll(noisy, lag, axis=1)))
    assert len(pair.times) == HOURS - abs(lag)
    assert not lag or ("behind" if lag > 0 else "ahead") in pair.notes[0]


def test_few_points_are_not_fitted_by_a_wrong_clock_or_meaning(tmp_path):
    load, noisy = loads()
    seen = {"glimpse": Glimpse(points=4)}
    plain = found(tmp_path, long(load), long(noisy), ["series-values:clock=0"], **seen)
    assert plain > 0.3
    assert found(tmp_path, long(load), long(noisy), ["series-values"], **seen) == plain


def test_a_cap_on_half_of_the_values_does_not_pass_for_another_sign(tmp_path):
    """Capped values lean the other way, as values of another sign would."""
    load, noisy = loads()
    assert found(tmp_path, long(load), long(np.minimum(noisy, np.median(noisy))), ["series-ranks"]) > 0.6


def test_series_stretched_each_by_itself_are_found_without_naming_an_attack(tmp_path):
    load, _ = loads()
    own = np.random.default_rng(3).uniform(0.2, 5, (PEOPLE, 1))
    paths = [str(tmp_path / name) for name in ("original.csv", "released.csv")]
    for values, path in zip((load, own * load), paths, strict=True):
        long(values).write_csv(path)
    rows = unmask.assess(*paths, shape=LONG, measures=["reidentification"], seed=1).table()
    best = rows.filter(pl.col("measure") == "reidentification", pl.col("attack") == "series-form")
    assert best["value"].to_list() == [1.0]


def test_a_clock_that_is_off_is_found_by_forms_where_each_series_was_stretched_by_itself(tmp_path):
    load, noisy = loads()
    own = np.random.default_rng(3).uniform(0.2, 5, (PEOPLE, 1))
    tidy = found(tmp_path, long(load), long(own * noisy), ["series-form"])
    assert tidy > 0.15
    assert found(tmp_path, long(load), long(own * np.roll(noisy, 2, axis=1)), ["series-form"]) >= tidy - SLACK


def people(values: np.ndarray) -> Microdata:
    content = SeriesContent(np.arange(float(values.shape[1])), values)
    return Microdata(Schema((Column("level"), Column("spread"))), content.summary(), content=content)


def test_a_year_of_hours_is_warped_by_means_and_a_note_says_so():
    rng = np.random.default_rng(2)
    load = rng.gamma(2, 0.5, (30, 8760)) * rng.lognormal(0, 0.4, (30, 1))
    dossier = Dossier(people(load), people(load + 0.3 * rng.normal(size=load.shape)))
    matcher = attack_named("series-dtw").prepare(dossier, rng, LocalEngine())
    assert matcher.warping.known.shape == (30, 399)
    assert "means of 22 successive" in matcher.notes[-1]
    assert matcher.standing(Truth(np.arange(30)), 1).belief().mean() > 0.9


def test_the_few_points_seen_of_a_year_are_all_looked_at():
    rng = np.random.default_rng(2)
    load = rng.normal(size=(40, 8760))
    known = np.full(load.shape, np.nan)
    for row in range(40):
        at = rng.choice(8760, 4, replace=False)
        known[row, at] = load[row, at]
    assert standard_gap(known, load) < 0.1


def test_a_code_inside_the_range_of_noisy_readings_is_none_of_them():
    """Noise that reaches below 0 hides -99 among true values: it is told by how often it is met."""
    from unmask.data.shapes.readings import NO_CODES, readings_of

    rng = np.random.default_rng(3)
    readings = rng.normal(500, 400, 2000).round(0)
    coded = np.where(rng.random(2000) < 0.05, -99.0, readings)
    found, notes = readings_of([pl.Series("wh", coded)], "loads.csv")
    assert np.isnan(found).ravel()[coded == -99].all()
    assert np.isnan(found).sum() == (coded == -99).sum()
    assert "taken for that" in notes[0]
    assert not np.isnan(readings_of([pl.Series("wh", coded)], "loads.csv", NO_CODES)[0]).any()
    # Caps, zeros and whole numbers of which many are met are readings.
    for kept in (np.minimum(readings, 999.0), np.where(coded == -99, 0.0, readings), readings // 100 - 1):
        assert not np.isnan(readings_of([pl.Series("wh", kept)], "loads.csv")[0]).any()
