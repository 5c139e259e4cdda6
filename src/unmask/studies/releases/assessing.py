"""assess_releases(): from files to the single and combined risk of several releases."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import polars as pl

from unmask.attacks import ATTACKS, Attack, WorstCase, attack_named
from unmask.data.loading import original_file, original_frame, pair
from unmask.data.microdata import Masked, Microdata
from unmask.data.schema import Schema
from unmask.engines import Engine
from unmask.errors import ArgumentError, missing_columns
from unmask.intruder.scenario import Scenario
from unmask.masks import Mask
from unmask.measures import Measure
from unmask.randomness import generator
from unmask.studies.releases.comparison import CANDIDATES, compare_releases
from unmask.studies.releases.following import Follow, How, Release
from unmask.studies.releases.outcome import Comparison


def assess_releases(
    original: object,
    released: object,
    earlier: Sequence[object],
    *,
    follow: Follow | str = "none",
    known: Sequence[str] | None = None,
    scenario: Scenario | None = None,
    attacks: Sequence[Attack | WorstCase | str] | None = None,
    measures: Sequence[Measure] | None = None,
    schema: Schema | None = None,
    truth: str | None = None,
    seed: int = 0,
    depth: int = 10,
    candidates: int = CANDIDATES,
    engine: Engine | None = None,
    announce: Callable[[str], None] | None = None,
) -> Comparison:
    """How many more people an intruder finds in a release if he holds earlier releases of them too.

    Files are given as to :func:`unmask.assess`; a mask is applied to the original, each release with noise
    of its own. ``follow``: how he follows records from one release to the other: ``order``, ``key:COLUMN``,
    ``confidential`` or ``none``. ``candidates``: how many of a person's nearest records he considers in each
    release where he follows nothing.

    >>> from unmask.data.example import people
    >>> from unmask.masks import Noise
    >>> mask, numbers = Noise(a=0.5), ["age", "income", "rent", "commute"]
    >>> found = assess_releases(people(300), mask, [mask], follow="order", known=numbers, attacks=["dbrl"])
    >>> [(row.release, round(row.value, 2)) for row in found.rows]
    [('this', 0.14), ('earlier 1', 0.19), ('combined', 0.26), ('averaged', 0.27)]
    """
    if isinstance(earlier, str) or not isinstance(earlier, Sequence):
        raise ArgumentError("earlier is not a list of releases", hint="write earlier=[...]")
    if isinstance(known, str):
        raise ArgumentError("known is a text, not a list", hint=f"write known=[{known!r}]")
    if scenario is not None and known is not None:
        raise ArgumentError("both known and a scenario are given", hint="put known into the scenario")
    way = Follow.parse(follow) if isinstance(follow, str) else follow
    data, releases = releases_of(original, (released, *earlier), schema, truth, way, seed)
    chosen: list[Attack | WorstCase] = list(ATTACKS.values())
    if attacks is not None:
        chosen = [attack_named(attack) if isinstance(attack, str) else attack for attack in attacks]
    return compare_releases(
        data,
        releases[0],
        releases[1:],
        scenario or Scenario(known=None if known is None else tuple(known)),
        chosen,
        follow=way,
        measures=measures,
        seed=seed,
        depth=depth,
        candidates=candidates,
        engine=engine,
        announce=announce,
    )


def releases_of(
    original: object,
    released: Sequence[object],
    schema: Schema | None,
    truth: str | None,
    follow: Follow,
    seed: int,
) -> tuple[Microdata, list[Release]]:
    """The original file and its releases, this one first, each with its key where one is named."""
    data = original_file(original, schema)
    found = [_release(original, one, data, schema, truth, follow, seed, i) for i, one in enumerate(released)]
    return data, found


def _release(
    original: object,
    source: object,
    data: Microdata,
    schema: Schema | None,
    truth: str | None,
    follow: Follow,
    seed: int,
    place: int,
) -> Release:
    if isinstance(source, Mask):
        purpose = ("mask", source.name) if place == 0 else ("mask", source.name, f"earlier {place}")
        masked = source.apply(data, generator(seed, *purpose))
    else:
        masked = pair(original, source, schema, truth).masked
    return Release(masked, _key(source, masked, follow, place) if follow.how is How.KEY else None)


def _key(source: object, masked: Masked, follow: Follow, place: int) -> pl.Series:
    name = follow.columns[0]
    frame = masked.data.frame if isinstance(source, Mask | Masked) else original_frame(source).frame
    if name not in frame.columns:
        where = "this release" if place == 0 else f"earlier release {place}"
        raise missing_columns([name], frame.columns, where)
    return frame[name]
