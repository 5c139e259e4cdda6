"""The null of every measure with a baseline: a release that tells nothing of what the measure counts.

A measure of the file is given files, a measure of attacks is given what an attack reached.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import TypeAlias

import numpy as np
import polars as pl

from tests.contract.files import KNOWN, SCHEMA, evidence_of, people
from unmask.data.microdata import Microdata
from unmask.engines.cache import Cache
from unmask.intruder.truth import Truth
from unmask.linkage.links import Standing
from unmask.measures import FileEvidence, LinkEvidence

PEOPLE = 240


def drawn(seed: int, n: int = PEOPLE) -> pl.DataFrame:
    """People, two in every home; their numbers have few values, so that one guess is right for some."""
    frame = people(n, 100 + seed)
    homes = pl.Series("home", [f"zqhome-{i // 2}" for i in range(n)])
    income = (frame["income"] - 771_000).log1p().round(0)
    return frame.with_columns(homes, income, (frame["pay"] / 40).round(0))


def dealt(seed: int) -> FileEvidence:
    """Every released value is another's: rows and confidential values are dealt out at random."""
    original, rng = drawn(seed), np.random.default_rng(seed)
    free = [name for name in original.columns if name not in ("home", "weight")]
    released = original.with_columns(original[name][rng.permutation(PEOPLE)] for name in free)
    return evidence_of(original, released.drop("secret"), known=("home",), seed=seed)


def unrelated(seed: int) -> FileEvidence:
    """The release is true, but who shares a home has nothing else in common."""
    rng = np.random.default_rng(seed)
    original = drawn(seed)
    original = original.with_columns(original[name][rng.permutation(PEOPLE)] for name in ("ill", "pay"))
    return evidence_of(original, original.drop("secret"), known=("home",), seed=seed)


def averaged(seed: int) -> FileEvidence:
    """Numbers are averaged over groups of people who have nothing in common."""
    original, rng = people(PEOPLE, 100 + seed), np.random.default_rng(seed)
    group = rng.permutation(PEOPLE) // 3
    means = np.bincount(group, original["income"].to_numpy()) / np.bincount(group)
    released = original.with_columns(pl.Series("income", means[group])).drop("secret")
    return evidence_of(original, released, seed=seed)


def constant(frame: pl.DataFrame, *names: str) -> pl.DataFrame:
    """Everybody has the most frequent value of these columns."""
    most = ((name, frame[name].mode().sort()[0]) for name in names)
    return frame.with_columns(pl.lit(value, frame[name].dtype).alias(name) for name, value in most)


def guessed(seed: int) -> FileEvidence:
    """Of everybody the same is released: the value that is most frequent."""
    original = drawn(seed)
    return evidence_of(original, constant(original, *KNOWN, "ill", "pay").drop("secret"), seed=seed)


def alike(seed: int) -> FileEvidence:
    """Nobody differs from anybody in what the intruder knows, or in the pay."""
    original = constant(drawn(seed), *KNOWN, "pay")
    return evidence_of(original, original.drop("secret"), seed=seed)


def crowd(seed: int) -> FileEvidence:
    """Everybody has many doubles in the population."""
    original = drawn(seed)
    everybody = pl.concat([original.select(KNOWN)] * 20)
    population = Microdata(SCHEMA.only(KNOWN), everybody, "the population file")
    return evidence_of(original, original.drop("secret"), population=population, seed=seed)


def strangers(seed: int) -> FileEvidence:
    """The release holds other people of the same kind, as a perfect synthetic file would."""
    released, others = people(PEOPLE, 1100 + seed).drop("secret"), people(PEOPLE, 2100 + seed)
    holdout = Microdata(SCHEMA, others, "the hold-out file")
    return evidence_of(people(PEOPLE, 100 + seed), released, holdout=holdout, seed=seed)


def few_keys(seed: int) -> FileEvidence:
    """Other people are released, and what is known of people has few values, so that keys are met again."""
    return dataclasses.replace(strangers(seed), known=("town", "class", "age"), cache=Cache())


def put_together(seed: int) -> FileEvidence:
    """Every attribute is released by itself: which values go together says nothing."""
    original, rng = drawn(seed), np.random.default_rng(seed)
    released = original.with_columns(original[name][rng.permutation(PEOPLE)] for name in KNOWN)
    return evidence_of(original, released.drop("secret"), seed=seed)


def linked_at_random(seed: int, n: int = 40) -> LinkEvidence:
    """Of every second person one record, drawn at random, is the nearest, of the others two are."""
    rng = np.random.default_rng(seed)
    tied = 1 + np.arange(n) % 2
    found = rng.random(n) < tied / n
    standing = Standing(np.where(found, 0, 1), tied, depth=3)
    claims = np.where(rng.random(n) < 0.5, 0.99, 0.5)
    return LinkEvidence("any", n, Truth(np.arange(n)), standing, lambda: 1.5, lambda: claims)


#: From the number of a draw to files.
Null: TypeAlias = Callable[[int], FileEvidence]

#: Of these files the value must be the baseline.
EQUAL: Mapping[str, tuple[Null, ...]] = {
    "interval-rank": (guessed,),
    "interval-sd": (guessed,),
    "interval-drisk": (guessed,),
    "interval-drisk-rmd": (dealt,),
    "sadr": (guessed,),
    "cells-external": (dealt, unrelated),
    "cells-internal": (dealt, unrelated),
    "clusters-external": (averaged,),
    "clusters-internal": (averaged,),
    "clusters-dominance": (averaged,),
    "model-disclosure": (strangers,),
    "model-release": (strangers,),
    "model-own-record": (strangers,),
    "absent-attributes": (guessed,),
    "membership-distance": (strangers,),
    "membership-density": (strangers,),
    "membership-density-ratio": (strangers,),
    "membership-vulnerable": (strangers,),
    "membership-model": (strangers,),
    "closest-record-proxy": (strangers,),
    "singling-out-univariate": (strangers,),
    "singling-out-multivariate": (strangers,),
    "linkability": (strangers,),
    "inference": (strangers, few_keys),
    "replicated-uniques": (put_together,),
    "disco": (few_keys,),
    "cap-zero": (few_keys,),
    "cap-matched": (few_keys,),
    "cap-generalised": (strangers, few_keys),
    "cap-targeted-records": (few_keys,),
    "cap-targeted-people": (few_keys,),
    "cap-targeted-original": (few_keys,),
    "cap-within": (dealt,),
    "l-diversity": (alike,),
    "l-diversity-entropy": (alike,),
    "l-diversity-recursive": (alike,),
    "t-closeness": (alike,),
    "t-closeness-equal": (alike,),
    "prosecutor-risk": (alike,),
    "journalist-risk": (alike,),
    "marketer-risk": (alike,),
    "individual-risk": (alike,),
    "household-risk": (alike,),
}
#: Of these files it must not be above it. The baseline of the first ones is the best guess without the
#: release, and values dealt at random are worse; the last ones count only those who stand out.
AT_MOST: Mapping[str, tuple[Null, ...]] = {
    "interval-rank": (dealt,),
    "interval-sd": (dealt,),
    "interval-drisk": (dealt,),
    "sadr": (dealt,),
    "absent-attributes": (dealt,),
    "dis-suda": (alike,),
    "population-uniques": (crowd,),
}
