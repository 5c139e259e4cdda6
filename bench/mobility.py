"""Made-up mobility traces: who was served by which antenna in which hour.

People live and work where others do: antennas stand in towns whose sizes follow Zipf's law. Each person
has a home, a place of work near it, and some places more, the farther the rarer, visited by Zipf's law too.
Nights are spent at home and working hours at work, mostly. An hour leaves a point when the person used the
phone in it: so often as the hour of the day, and the person, would have it.

    python -m bench.mobility calls.csv

writes the file of the example in the documentation: 1,000 people in two weeks.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np
import polars as pl

from unmask.data.microdata import Microdata
from unmask.data.schema import Column, Schema
from unmask.data.shapes import TraceContent


@dataclass(frozen=True)
class Mobility:
    """How many people, antennas and weeks; the mean number of points of a person, and their places."""

    people: int = 100_000
    antennas: int = 750
    weeks: int = 4
    points: float = 110.0
    places: int = 25
    towns: int = 40
    seed: int = 1


def antennas(made: Mobility, rng: np.random.Generator) -> np.ndarray:
    """Where antennas stand: around towns, large towns having more, in the order of a walk along both axes."""
    size = 1 / np.arange(1, made.towns + 1)
    town = rng.choice(made.towns, made.antennas, p=size / size.sum())
    centre = rng.random((made.towns, 2)) * 300
    found = centre[town] + rng.normal(size=(made.antennas, 2)) * 8
    return found[nearby_order(found)]


def nearby_order(at: np.ndarray) -> np.ndarray:
    """An order in which runs of 2, 4, 8, ... antennas are neighbours: halves by the wider axis, again."""
    order = np.arange(len(at))
    stack = [(0, len(at))]
    while stack:
        low, high = stack.pop()
        if high - low < 2:
            continue
        part = order[low:high]
        axis = int(np.argmax(np.ptp(at[part], axis=0)))
        order[low:high] = part[np.argsort(at[part, axis], kind="stable")]
        # Runs are whole powers of two, so that cells of a coarser grid hold as many antennas each.
        half = low + 2 ** int(np.ceil(np.log2((high - low) / 2)))
        stack += [(low, half), (half, high)]
    return order


def places_of(made: Mobility, at: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The antennas of each person's places, home first, work second; nearer ones are more likely."""
    home = rng.integers(0, made.antennas, made.people)
    found = np.empty((made.people, made.places), np.int64)
    found[:, 0] = home
    for place in range(1, made.places):
        # A jump of heavy-tailed length in any direction, to the antenna that is nearest to where it ends.
        length = 2 * (rng.pareto(1.2, made.people) + 1)
        angle = rng.random(made.people) * 2 * np.pi
        goal = at[home] + (length * np.array((np.cos(angle), np.sin(angle)))).T
        found[:, place] = nearest(at, goal)
    return found


def nearest(at: np.ndarray, goal: np.ndarray) -> np.ndarray:
    """The antenna that is nearest to each goal."""
    from scipy.spatial import cKDTree

    return cKDTree(at).query(goal)[1]


def hours(made: Mobility, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Who used the phone in which hour."""
    of_day = np.array([1, 1, 1, 1, 1, 2, 4, 8, 12, 14, 14, 14, 14, 13, 13, 14, 15, 17, 18, 17, 14, 10, 6, 3])
    rate = np.tile(of_day, 7 * made.weeks)
    each = np.minimum(made.points * rng.lognormal(-0.245, 0.7, made.people), 0.8 * len(rate))
    count = np.maximum(rng.poisson(each), 1)
    who = np.repeat(np.arange(made.people), count)
    return who, rng.choice(len(rate), len(who), p=rate / rate.sum())


def simulated(made: Mobility) -> Microdata:
    """The file of these people: one row per person, with their trace; labels are numbers of antennas."""
    rng = np.random.default_rng(made.seed)
    at = antennas(made, rng)
    places = places_of(made, at, rng)
    who, hour = hours(made, rng)
    rank = 1 / np.arange(1, made.places + 1) ** 1.2
    visit = rng.choice(made.places, len(who), p=rank / rank.sum())
    clock, weekday = hour % 24, (hour // 24) % 7 < 5
    at_home = ((clock < 7) | (clock > 21)) & (rng.random(len(who)) < 0.85)
    at_work = (clock >= 9) & (clock < 17) & weekday & (rng.random(len(who)) < 0.6)
    visit = np.where(at_home, 0, np.where(at_work, 1, visit))
    return file_of(who, hour, places[who, visit], made.people)


def file_of(who: np.ndarray, hour: np.ndarray, antenna: np.ndarray, people: int) -> Microdata:
    """One row per person, with the points they left, each once."""
    width, length = int(antenna.max()) + 1, int(hour.max()) + 1
    code = np.unique((who.astype(np.int64) * length + hour) * width + antenna)
    who, hour, antenna = code // width // length, code // width % length, code % width
    indptr = np.searchsorted(who, np.arange(people + 1)).astype(np.int64)
    labels = tuple(f"{number:05d}" for number in range(width))
    content = TraceContent(indptr, hour.astype(np.float64), antenna, labels)
    return Microdata(Schema((Column("points"),)), content.summary(), content=content)


def coarsened(file: Microdata, step: int, cell: int) -> Microdata:
    """The file with times to ``step`` hours and places to runs of ``cell`` neighbouring antennas."""
    content = file.content
    assert isinstance(content, TraceContent)
    return file_of(content.owner, content.when.astype(np.int64) // step, content.place // cell, len(content))


def written(file: Microdata, path: str) -> None:
    """Write the traces with one row per point."""
    assert isinstance(file.content, TraceContent)
    points = file.content.frame()
    points.select(person="owner", hour=pl.col("when").cast(pl.Int64), antenna="where").write_csv(path)


if __name__ == "__main__":
    written(simulated(Mobility(people=1000, antennas=75, weeks=2, points=50.0)), sys.argv[1])
