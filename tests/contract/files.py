"""Small files on which every measure has something to say, with values that are easy to recognise."""

from __future__ import annotations

import re

import numpy as np
import polars as pl
from sklearn.tree import DecisionTreeClassifier

from unmask.data.microdata import Masked, Microdata
from unmask.data.schema import Column, Kind, Role, Schema
from unmask.measures import FileEvidence

LEVELS = ("zqlow", "zqmiddle", "zqhigh")
TOWNS = ("zqtown-a", "zqtown-b", "zqtown-c")
COLUMNS = (
    Column("age"),
    Column("income"),
    Column("town", Kind.NOMINAL),
    Column("class", Kind.ORDINAL, levels=LEVELS),
    Column("ill", Kind.NOMINAL, Role.CONFIDENTIAL),
    Column("pay", role=Role.CONFIDENTIAL),
    Column("secret", Kind.NOMINAL, Role.CONFIDENTIAL),
    Column("weight", role=Role.WEIGHT),
    Column("home", Kind.NOMINAL, Role.HOUSEHOLD),
)
SCHEMA = Schema(COLUMNS)
RELEASED = SCHEMA.only([column.name for column in COLUMNS if column.name != "secret"])
KNOWN = ("age", "town", "class", "income")
#: Every value of a record looks like one of these, and nothing else does.
VALUE = re.compile(r"zq|77\d,?\d{3}")


def people(n: int, seed: int = 0) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    town, level = rng.integers(0, 3, n), rng.integers(0, 3, n)
    return pl.DataFrame(
        {
            "age": 770_020 + rng.integers(0, 6, n),
            "income": 771_000.0 + np.round(rng.lognormal(3, 1, n), 1),
            "town": np.array(TOWNS)[town],
            "class": np.array(LEVELS)[level],
            "ill": np.where((town == 1) ^ (rng.random(n) < 0.05), "zqflu", "zqnone"),
            "pay": 772_000.0 + 50 * level + rng.normal(0, 20, n),
            "secret": np.where(level + rng.normal(0, 0.3, n) > 1, "zqyes", "zqno"),
            "weight": np.full(n, 1.8),  # a large sample: nearly every record is unique
            "home": [f"zqhome-{i // 3}" for i in range(n)],
        }
    )


def released_of(frame: pl.DataFrame, seed: int = 1) -> pl.DataFrame:
    """Incomes averaged by three, pay moved, some towns, ages and illnesses swapped; the secret left out."""
    rng = np.random.default_rng(seed)
    n = len(frame)
    group = np.argsort(np.argsort(frame["income"].to_numpy(), kind="stable"), kind="stable") // 3
    income = np.bincount(group, frame["income"].to_numpy()) / np.bincount(group)
    other = np.arange(n)
    moved = rng.permutation(n)[: n // 5]
    other[moved] = moved[::-1]
    return frame.with_columns(
        pl.Series("income", income[group]),
        pl.Series("pay", frame["pay"].to_numpy() + rng.normal(0, 5, n)),
        *(frame[name][other] for name in ("age", "town", "ill")),
    ).drop("secret")


def with_holes(frame: pl.DataFrame, share: float, seed: int) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    free = [name for name in frame.columns if name != "weight"]
    return frame.with_columns(
        pl.when(pl.Series(rng.random(len(frame)) >= share)).then(pl.col(name)).alias(name) for name in free
    )


def classifier():
    """A released model that names its features, and is quick to train."""
    tree = DecisionTreeClassifier(max_depth=3, random_state=0)
    return tree.fit(people(60).select("age", "income"), people(60)["ill"].to_numpy())


MODEL = classifier()
HOLDOUT = Microdata(SCHEMA, people(90, seed=7), "the hold-out file")


def evidence_of(original: pl.DataFrame, released: pl.DataFrame, *, origin=None, **more) -> FileEvidence:
    # A file of everybody has the people of the sample, and the keys that the mask made.
    keys = ("age", "town", "class", "income")
    everybody = pl.concat((original.select(keys), released.select(keys), original.select(keys)))
    given = {
        "population": Microdata(SCHEMA.only(keys), everybody, "the population file"),
        "holdout": HOLDOUT,
        "model": MODEL,
        "known": KNOWN,
        "seed": 3,
    }
    masked = Masked(
        Microdata(RELEASED, released, "the released file"),
        np.arange(len(released)) if origin is None else origin,
    )
    return FileEvidence(Microdata(SCHEMA, original, "the original file"), masked, **{**given, **more})


def usual(**more) -> FileEvidence:
    original = people(60)
    return evidence_of(original, released_of(original), **more)
