"""Everyday files of series, traces and graphs: a messy release is found as well as a tidy one, or refused.

A release that writes the same people in another way (other dates, units, codes, spellings) must not look
better protected than it is. Each case gives a transformation of a tidy release; the share of people found
must stay nearly what it is on that, or unmask must refuse in one line that says what to do.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl
import pytest

import unmask
from unmask.errors import UnmaskError
from unmask.intruder.glimpse import Glimpse

#: The share of people that may be lost by another way of writing: values drawn again tie or not.
SLACK = 0.03
col = pl.col
Frame = pl.DataFrame
Change = Callable[[Frame], Frame]
PEOPLE, HOURS = 80, 48


def found(
    original: Frame, released: Frame | str, shape: str, attack: str, kind: str = "csv", **asked
) -> float:
    """The share of people whom the attack finds, from files as a newcomer has them."""
    with TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("original.csv", f"released.{kind}")]
        original.write_csv(paths[0])
        if isinstance(released, str):
            paths[1].write_text(released, encoding="utf-8")
        elif kind == "parquet":
            released.write_parquet(paths[1])
        else:
            released.write_csv(paths[1])
        risk = unmask.assess(
            *map(str, paths),
            shape=shape,
            attacks=[attack],
            measures=["reidentification"],
            seed=1,
            **asked,
        )
    rows = risk.table().filter(measure="reidentification", attack=attack)
    return float(rows["value"][0])


# Series: hourly loads, released with noise.

LONG, WIDE = "series:id=id,time=t,value=kwh", "series:id=id,prefix=h"


@cache
def loads() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    level, phase = rng.gamma(3, 1, (PEOPLE, 1)), rng.uniform(0, 6, (PEOPLE, 1))
    load = level * (1.2 + np.sin(np.arange(HOURS) / 4 + phase)) + rng.gamma(1, 0.3, (PEOPLE, HOURS))
    return load.round(3), np.maximum(load + rng.normal(0, 0.8, load.shape), 0.01).round(3)


def long(values: np.ndarray) -> Frame:
    people, times = values.shape
    who, when = np.repeat(np.arange(people) + 1, times), np.tile(np.arange(times), people)
    return pl.DataFrame({"id": who, "t": when, "kwh": values.ravel()})


def wide(values: np.ndarray, name: Callable[[int], str] = "h{}".format) -> Frame:
    columns = {name(i): values[:, i] for i in range(values.shape[1])}
    return pl.DataFrame({"id": np.arange(len(values)) + 1, **columns})


def at(**step: int) -> pl.Expr:
    """Times as moments: so many hours, days or minutes for each."""
    ((unit, size),) = step.items()
    return pl.datetime(2024, 4, 20) + pl.duration(**{unit: col("t") * size})


def dated(form: str, later: int = 0, **step: int) -> Change:
    moment = at(**(step or {"days": 1})) + pl.duration(hours=later)
    return lambda frame: frame.with_columns(moment.dt.strftime(form).alias("t"))


def months(form: str) -> Change:
    month = pl.date(2020, 1, 1).dt.offset_by(pl.format("{}mo", col("t")))
    return lambda frame: frame.with_columns(month.dt.strftime(form).alias("t"))


def shifted(by: int) -> Change:
    return lambda frame: frame.with_columns(col("t") + by)


def same(frame: Frame) -> Frame:
    return frame


def coded(code: float | str | None, share: float = 0.1) -> Change:
    """Some values replaced by what means "missing"."""

    def change(frame: Frame) -> Frame:
        gone = pl.Series(np.random.default_rng(3).random(frame.height) < share)
        kept = col("kwh").cast(pl.String) if isinstance(code, str) else col("kwh")
        return frame.with_columns(pl.when(gone).then(pl.lit(code)).otherwise(kept).alias("kwh"))

    return change


def epoch(factor: int) -> Change:
    return lambda frame: frame.with_columns((col("t") * 3600 + 1_713_571_200) * factor)


def text(name: str) -> pl.Expr:
    return col(name).cast(pl.String)


comma = text("kwh").str.replace(".", ",", literal=True)
hourly = dated("%Y-%m-%d %H:%M", hours=1)
daily = dated("%Y-%m-%d")

SERIES: dict[str, tuple[Change, Change]] = {
    "rows shuffled": (same, lambda f: f.sample(fraction=1, shuffle=True, seed=2)),
    "ids with zeros": (same, lambda f: f.with_columns(text("id").str.zfill(4))),
    "ids with blanks": (same, lambda f: f.with_columns(pl.format(" {}  ", text("id")).alias("id"))),
    "ids as fractions": (same, lambda f: f.with_columns(col("id").cast(pl.Float64))),
    "other columns": (same, lambda f: f.select("kwh", "t", pl.lit("x").alias("w"), "id")),
    "days dotted": (daily, dated("%d.%m.%Y")),
    "days as digits": (daily, dated("%Y%m%d")),
    "days counted from 1": (daily, shifted(1)),
    "hours counted from 1": (same, shifted(1)),
    "hours counted from 5": (same, shifted(5)),
    "a clock behind": (shifted(100), same),
    "seconds since 1970": (hourly, epoch(1)),
    "milliseconds since 1970": (epoch(1), epoch(1000)),
    "a time zone written": (dated("%Y-%m-%dT%H:%MZ", hours=1), dated("%Y-%m-%dT%H:%M+02:00", 2, hours=1)),
    "a time zone not written": (hourly, dated("%Y-%m-%d %H:%M", 1, hours=1)),
    "months": (months("%Y-%m"), months("%m/%Y")),
    "months as digits": (months("%Y-%m"), months("%Y%m")),
    "months by a last day": (months("%Y-%m"), months("%Y-%m-28")),
    "years": (shifted(1950), lambda f: f.with_columns(pl.format("{}-01-01", col("t") + 1950).alias("t"))),
    "watt hours": (same, lambda f: f.with_columns(col("kwh") * 1000)),
    "one digit": (same, lambda f: f.with_columns(col("kwh").round(1))),
    "decimal commas": (same, lambda f: f.with_columns(comma.alias("kwh"))),
    "negative values": (lambda f: f.with_columns(col("kwh") - 9), lambda f: f.with_columns(col("kwh") - 9)),
    "a window counted anew": (same, lambda f: f.filter(col("t") >= 10).with_columns(col("t") - 10)),
    "fewer people": (same, lambda f: f.filter(col("id") % 2 == 0)),
    **{
        f"{code} for missing": (same, coded(code))
        for code in (-1.0, -99.0, 9999.0, "NA", ".", "unknown", None)
    },
    "-9 for missing in the original": (coded(-9.0), same),
}


@cache
def found_in_loads() -> float:
    load, noisy = loads()
    return found(long(load), long(noisy), LONG, "series-values")


@pytest.mark.parametrize("name", SERIES)
def test_series_are_found_however_they_are_written(name):
    load, noisy = loads()
    before, after = SERIES[name]
    share = found(before(long(load)), after(long(noisy)), LONG, "series-values")
    lost = 0.05 if "missing" in name else SLACK  # a tenth of the points says something
    assert share >= found_in_loads() - lost > 0.8


def test_dates_of_a_parquet_file_are_dates():
    load, noisy = loads()
    released = long(noisy).with_columns(at(days=1).alias("t"))
    share = found(daily(long(load)), released, LONG, "series-values", "parquet")
    assert share == found_in_loads()


def test_codes_are_values_where_the_user_says_so():
    load, noisy = loads()
    released = coded(-99.0)(long(noisy))
    for said, lost in (("missing=-99+9999", False), ("missing=none", True)):
        share = found(long(load), released, f"{LONG},{said}", "series-values")
        assert (share < 0.3) == lost


@pytest.mark.parametrize(
    "name", ["h{:03d}".format, "H{}".format, lambda i: f"h{i + 1}"], ids=["zeros", "case", "from 1"]
)
def test_columns_of_times_are_found_however_they_are_called(name):
    load, noisy = loads()
    assert found(wide(load), wide(noisy, name), WIDE, "series-values") == found_in_loads()


def test_columns_of_times_in_another_order():
    load, noisy = (values[:, :12] for values in loads())
    for calls, shape in (
        ("jan feb mar apr may jun jul aug sep oct nov dec", "series:id=id,first=jan,last=dec"),
        ("a q w e r t y u i o p z", "series:id=id,first=a,last=z"),
    ):
        names = calls.split()
        original, released = (wide(values, names.__getitem__) for values in (load, noisy))
        mixed = ["id", names[0], *reversed(names[1:-1]), names[-1]]
        inside = released.select("id", *names[:6], pl.lit(4.0).alias("else"), *names[6:])
        tidy = found(original, released, shape, "series-values")
        assert tidy > 0.5
        assert found(original, released.select(mixed), shape, "series-values") == tidy
        assert found(original, inside, shape, "series-values") == tidy


def test_columns_of_another_name_are_refused_with_what_to_do():
    load, noisy = loads()
    with pytest.raises(UnmaskError, match=r"0 columns called 'h'.*Hint: .*--released-shape"):
        found(wide(load), wide(noisy, "load_{}".format), WIDE, "series-values")


@pytest.mark.parametrize("minutes", [0, 60, 30], ids=["start", "end", "middle"])
@pytest.mark.parametrize("factor", [1, 4], ids=["means", "sums"])
def test_quarters_of_an_hour_are_brought_to_hours(minutes, factor):
    load, noisy = loads()
    rng = np.random.default_rng(2)
    fine = np.repeat(load, 4, axis=1) + rng.normal(0, 0.3, (PEOPLE, 4 * HOURS))
    hours = long(noisy * factor).with_columns(
        (at(hours=1) + pl.duration(minutes=minutes)).dt.strftime("%Y-%m-%d %H:%M").alias("t")
    )
    quarters = dated("%Y-%m-%d %H:%M", minutes=15)(long(fine.round(3)))
    assert found(quarters, hours, LONG, "series-values") >= found_in_loads() - SLACK


def test_counted_quarters_are_brought_to_counted_hours():
    load, noisy = loads()
    fine = long(np.repeat(load, 4, axis=1))
    assert found(fine, long(noisy), LONG, "series-values") >= found_in_loads() - SLACK


def test_series_of_other_times_altogether_are_refused():
    load, noisy = loads()
    with pytest.raises(UnmaskError, match=r"fewer than 2 times in common.*Hint: "):
        found(long(load), long(noisy[:, :31]).with_columns(col("t") + 1000), LONG, "series-values")


def test_lost_points_and_single_ones_leave_most_people_to_be_found():
    load, noisy = loads()
    half = long(noisy).sample(fraction=0.5, seed=3)
    assert found(long(load), half, LONG, "series-values") > 0.6
    single = long(noisy).filter((col("id") > 20) | (col("t") == col("id") % HOURS))
    assert found(long(load), single, LONG, "series-values") >= 0.75 * found_in_loads() - SLACK


# Traces: points of two weeks, of which the release has some, and the intruder three.

PLACES, COORDINATES = "traces:id=id,time=t,place=cell", "traces:id=id,time=t,x=x,y=y"
SEEN = {"glimpse": Glimpse(points=3)}


@cache
def points() -> tuple[Frame, Frame]:
    rng = np.random.default_rng(4)
    n, each, cells = 150, 12, 60
    who = np.repeat(np.arange(n), each)
    cell = np.where(
        rng.random(len(who)) < 0.4, rng.integers(0, cells, n)[who], rng.integers(0, cells, len(who))
    )
    x, y = rng.uniform(46, 47, cells)[cell], -rng.uniform(7, 9, cells)[cell]
    frame = pl.DataFrame(
        {
            "id": who + 1,
            "t": rng.integers(0, 14 * 24, len(who)),
            "cell": [f"{7 * c + 1:04d}" for c in cell],
            "x": (x + rng.normal(0, 0.02, len(who))).round(5),
            "y": (y + rng.normal(0, 0.02, len(who))).round(5),
        }
    ).filter(pl.Series(rng.random(len(who)) < 0.9))
    return frame, frame.filter(pl.Series(rng.random(frame.height) < 0.4))


def cut(digits: int, how: str) -> Change:
    """Coordinates to so many digits: rounded, cut below, or with digits left out."""
    size = 10.0**digits

    def change(frame: Frame) -> Frame:
        ways = {
            "round": lambda c: (c * size).round(0) / size,
            "floor": lambda c: (c * size).floor() / size,
            "cut": lambda c: c.sign() * ((c.abs() * size).floor() / size),
            "centre": lambda c: ((c * size).floor() + 0.5) / size,
        }
        return frame.with_columns(ways[how](col(name)).round(6) for name in ("x", "y"))

    return change


TRACES: dict[str, tuple[Change, Change]] = {
    "rows shuffled": (same, lambda f: f.sample(fraction=1, shuffle=True, seed=2)),
    "points twice": (same, lambda f: pl.concat([f, f])),
    "ids with zeros": (same, lambda f: f.with_columns(text("id").str.zfill(5))),
    "places as numbers": (same, lambda f: f.with_columns(col("cell").cast(pl.Int64))),
    "places as fractions": (same, lambda f: f.with_columns(col("cell").cast(pl.Float64))),
    "places with blanks": (same, lambda f: f.with_columns(pl.format(" {}", col("cell")).alias("cell"))),
    "places in capitals": (
        lambda f: f.with_columns(pl.format("ab{}", col("cell")).alias("cell")),
        lambda f: f.with_columns(pl.format("AB{}", col("cell")).alias("cell")),
    ),
    "moments dotted": (hourly, dated("%d.%m.%Y %H:%M", hours=1)),
    "an hour later": (same, shifted(1)),
    "counted anew": (shifted(1000), same),
    "seconds for hours": (same, lambda f: f.with_columns(col("t") * 3600)),
    "hours for seconds": (lambda f: f.with_columns(col("t") * 3600), same),
    "days for hours": (same, lambda f: f.with_columns(col("t") / 24)),
    "another time zone": (hourly, dated("%Y-%m-%d %H:%M", 2, hours=1)),
}


@cache
def found_in_points(shape: str) -> float:
    return found(*points(), shape, "traces", **SEEN)


@pytest.mark.parametrize("name", TRACES)
def test_traces_are_found_however_they_are_written(name):
    original, released = points()
    before, after = TRACES[name]
    share = found(before(original), after(released), PLACES, "traces", **SEEN)
    assert share >= found_in_points(PLACES) - SLACK > 0.6


@pytest.mark.parametrize("how", ["round", "floor", "cut", "centre"])
@pytest.mark.parametrize("digits", [3, 2])
def test_coordinates_are_cut_as_the_release_cuts_them(digits, how):
    original, released = points()
    share = found(original, cut(digits, how)(released), COORDINATES, "traces", **SEEN)
    assert share >= found_in_points(COORDINATES) - SLACK > 0.6


@pytest.mark.parametrize("how", ["floor", "round"])
def test_times_are_cut_as_the_release_cuts_them(how):
    original, released = (frame.with_columns(col("t") * 3600 + col("id") * 37 % 3600) for frame in points())
    hours = (col("t") / 3600).floor() if how == "floor" else (col("t") / 3600).round(0)
    share = found(original, released.with_columns((hours * 3600).alias("t")), PLACES, "traces", **SEEN)
    assert share >= found_in_points(PLACES) - SLACK


@pytest.mark.parametrize("form", ["%Y-%m", "%Y-%m-01", "%Y"])
def test_days_are_cut_to_months_and_years(form):
    """Who has all points but their days is found by places alone, nearly as often as by the months given."""
    original, _ = points()
    before = dated("%Y-%m-%d", days=3)(original)
    released = dated(form if form != "%Y" else "%Y-01-01", days=3)(original)
    places = found(before, before, "traces:id=id,place=cell", "traces", **SEEN)
    assert found(before, released, PLACES, "traces", **SEEN) >= places - SLACK


def test_an_hour_of_the_day_is_compared_with_that_of_the_known_points():
    original, released = points()
    share = found(original, released.with_columns(col("t") % 24), PLACES, "traces", **SEEN)
    assert share >= found(original, released, "traces:id=id,place=cell", "traces", **SEEN)


def test_a_time_of_day_is_compared_with_that_of_dates():
    original, released = points()
    moments, clock = dated("%Y-%m-%d %H:%M", hours=1)(original), dated("%H:%M", hours=1)(released)
    by_hour = found(original, released.with_columns(col("t") % 24), PLACES, "traces", **SEEN)
    assert found(moments, clock, PLACES, "traces", **SEEN) >= by_hour - SLACK
    assert found(original, clock, PLACES, "traces", **SEEN) >= by_hour - SLACK
    assert found(dated("%H:%M", hours=1)(original), clock, PLACES, "traces", **SEEN) >= by_hour - SLACK


REFUSED: dict[str, tuple[str, Change, str]] = {
    "other names of places": (
        PLACES,
        lambda f: f.with_columns(pl.format("c-{}", col("cell")).alias("cell")),
        "no place of the known points is in the release",
    ),
    "seconds for hours, later": (PLACES, lambda f: f.with_columns(col("t") * 3600 + 1801), "only by chance"),
    "axes swapped": (COORDINATES, lambda f: f.rename({"x": "y", "y": "x"}), "coordinates .* far apart"),
    "codes for times": (
        PLACES,
        lambda f: f.with_columns(t=pl.when(col("id") < 9).then(9999).otherwise(col("t"))),
        "looks like a code for 'missing'",
    ),
    "each coordinate moved": (
        COORDINATES,
        lambda f: f.with_columns(
            col("x") + pl.Series(np.random.default_rng(1).normal(0, 0.3, f.height)).round(7)
        ),
        "no place of the known points",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_traces_that_cannot_meet_are_refused_in_one_line(name):
    shape, change, message = REFUSED[name]
    original, released = points()
    with pytest.raises(UnmaskError, match=f"{message}.*Hint: ") as refusal:
        found(original, change(released), shape, "traces", **SEEN)
    assert "\n" not in str(refusal.value)


# Graphs: the ties of people, of which the release has most.

TIES = "graph:source=a,target=b"


@cache
def ties() -> tuple[Frame, Frame]:
    rng = np.random.default_rng(4)
    source = np.repeat(np.arange(1, 120), 3)
    target = np.array([int(node * rng.random() ** 1.5) for node in source])
    frame = pl.DataFrame({"a": source + 1, "b": target + 1}).unique(maintain_order=True)
    return frame, frame.filter(pl.Series(rng.random(frame.height) < 0.95))


def spelt(form: str) -> Change:
    return lambda f: f.with_columns(pl.format(form, col(name)).alias(name) for name in ("a", "b"))


GRAPHS: dict[str, tuple[Change, Change]] = {
    "ends swapped": (same, lambda f: f.select(a="b", b="a").sample(fraction=1, shuffle=True, seed=1)),
    "both directions": (same, lambda f: pl.concat([f, f.select(a="b", b="a")])),
    "ids with zeros": (same, lambda f: f.with_columns(text("a").str.zfill(4), text("b").str.zfill(4))),
    "ids in capitals": (spelt("p{}"), spelt("P{}")),
    "one end as a fraction": (same, lambda f: f.with_columns(col("a").cast(pl.Float64))),
    "loops": (same, lambda f: pl.concat([f, pl.DataFrame({"a": [3, 4], "b": [3, 4]})])),
    "weights": (same, lambda f: f.with_columns(w=pl.lit(2))),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_graphs_are_found_however_they_are_written(name):
    original, released = ties()
    before, after = GRAPHS[name]
    share = found(before(original), after(released), TIES, "graph-propagation")
    assert share >= found(original, released, TIES, "graph-propagation") - SLACK > 0.8


def test_ties_of_weight_0_are_none():
    original, released = ties()
    rng = np.random.default_rng(5)
    none = pl.DataFrame({"a": rng.integers(1, 120, 200), "b": rng.integers(1, 120, 200), "w": 0})
    listed = pl.concat([released.with_columns(w=pl.lit(1)), none], how="vertical_relaxed")
    weighed = f"{TIES},weight=w"
    share = found(original.with_columns(w=pl.lit(1)), listed, weighed, "graph-propagation")
    assert share == found(original, released, TIES, "graph-propagation")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "ties.csv"
        listed.write_csv(path)
        told = unmask.assess(str(path), str(path), shape=TIES, attacks=["graph-signatures"])
    assert any("'w' is 0 in 200 rows" in note for note in told.document.notes)


def test_pseudonyms_are_paired_however_the_key_spells_them():
    original, released = ties()
    place = np.random.default_rng(6).permutation(120)
    renamed = released.with_columns(pl.Series(n, place[released[n].to_numpy() - 1]) for n in ("a", "b"))
    padded = renamed.with_columns(text("a").str.zfill(2), text("b").str.zfill(2))
    pairs = pl.DataFrame({"original": np.arange(120) + 1, "released": place})
    share = found(original, padded, TIES, "graph-propagation", pairs=pairs)
    assert share >= found(original, released, TIES, "graph-propagation") - SLACK


def test_nodes_are_found_under_another_spelling():
    original, released = ties()
    nodes = pl.DataFrame({"node": np.arange(120) + 1, "sex": ["m", "f"] * 60})
    padded = nodes.with_columns(text("node").str.zfill(4))
    asked = {"nodes": nodes, "released_nodes": padded}
    assert found(original, released, TIES, "graph-propagation", **asked) > 0.8


# Names: pseudonyms that happen to be names of the original.


def renumbered(*names: str, of: int) -> Change:
    """Everybody's name is that of another person."""
    dealt = dict(enumerate((np.random.default_rng(6).permutation(of) + 1).tolist(), start=1))
    return lambda f: f.with_columns(col(name).replace_strict(dealt) for name in names)


NUMBERED: dict[str, tuple[tuple[Frame, Frame], Change, str, str]] = {
    "series": (tuple(map(long, loads())), renumbered("id", of=PEOPLE), LONG, "series-values"),
    "traces": (points(), renumbered("id", of=150), PLACES, "traces"),
    "coordinates": (points(), renumbered("id", of=150), COORDINATES, "traces"),
    "graph": (ties(), renumbered("a", "b", of=120), TIES, "graph-signatures"),
}


@pytest.mark.parametrize("name", NUMBERED)
def test_pseudonyms_that_are_names_of_others_are_refused_unless_the_user_vouches(name):
    (original, released), anew, shape, attack = NUMBERED[name]
    with pytest.raises(
        UnmaskError, match=r"no more alike than strangers.*Hint: .*--pairs.*--truth"
    ) as refusal:
        found(original, anew(released), shape, attack)
    assert "\n" not in str(refusal.value)
    key = re.search(r"--truth (\w+)", str(refusal.value))[1]
    assert found(original, anew(released), shape, attack, truth=key) < 0.1


@pytest.mark.parametrize("name", NUMBERED)
def test_pairs_tell_whose_pseudonym_is_whose(name, tmp_path):
    (original, released), anew, shape, attack = NUMBERED[name]
    column = "a" if name == "graph" else "id"
    size = {"series": PEOPLE, "graph": 120}.get(name, 150)
    people = pl.DataFrame({column: range(1, size + 1)})
    renamed = renumbered(column, of=size)(people)[column]
    people.with_columns(renamed.alias("new")).write_csv(tmp_path / "key.csv")
    share = found(original, anew(released), shape, attack, pairs=str(tmp_path / "key.csv"))
    assert share == pytest.approx(found(original, released, shape, attack), abs=0.01)
