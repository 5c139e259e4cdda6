"""A bundled example: five thousand invented people in households, the same for the same seed."""

from __future__ import annotations

import numpy as np
import polars as pl

from unmask.data.microdata import Microdata
from unmask.data.schema import Column, Kind, Role, Schema

EDUCATION = ("none", "primary", "lower secondary", "upper secondary", "bachelor", "master", "doctorate")
HEALTH = ("very bad", "bad", "fair", "good", "very good")
REGIONS = ("north", "east", "south", "west", "centre", "islands")
OCCUPATIONS = (
    "care", "construction", "education", "farming", "finance", "food", "industry",
    "office", "public service", "retail", "science", "transport",
)  # fmt: skip
DIAGNOSES = ("none", "hypertension", "asthma", "diabetes", "depression", "cancer", "HIV")

SCHEMA = Schema(
    (
        Column("person", Kind.NOMINAL, Role.IDENTIFIER),
        Column("household", Kind.NOMINAL, Role.HOUSEHOLD),
        Column("region", Kind.NOMINAL),
        Column("sex", Kind.NOMINAL),
        Column("age", Kind.NUMERIC),
        Column("education", Kind.ORDINAL, levels=EDUCATION),
        Column("occupation", Kind.NOMINAL),
        Column("hours", Kind.NUMERIC),
        Column("income", Kind.NUMERIC),
        Column("rent", Kind.NUMERIC),
        Column("commute", Kind.NUMERIC),
        Column("health", Kind.ORDINAL, levels=HEALTH),
        Column("diagnosis", Kind.NOMINAL, Role.CONFIDENTIAL),
        Column("weight", Kind.NUMERIC, Role.WEIGHT),
    )
)


def people(n: int = 5000, seed: int = 1) -> Microdata:
    """N invented people: mixed attributes that depend on each other, households, a survey weight.

    >>> example = people(100)
    >>> len(example), example.frame["household"].n_unique() < 100
    (100, True)
    """
    rng = np.random.default_rng(seed)
    household, place = _households(n, rng)
    region = _shares(rng, (0.24, 0.18, 0.22, 0.2, 0.12, 0.04), household[-1] + 1)[household]
    base = rng.gamma(6.0, 9.0, household[-1] + 1) + 18  # age of the household's first member
    age = np.where(place < 2, base[household] + rng.normal(0, 4, n) * (place == 1), base[household] - 27)
    age = np.clip(np.round(age + rng.normal(0, 3, n) * (place > 1)), 0, 98)
    adult = age >= 18
    education = np.where(adult, np.clip(np.round(rng.normal(3.3 - (age > 65) * 0.7, 1.3, n)), 0, 6), age > 10)
    education = education.astype(np.int64)
    hours = np.where(adult & (age < 67), np.clip(np.round(rng.normal(35, 9, n)), 0, 70), 0)
    income = np.where(adult, np.exp(rng.normal(9.4 + 0.17 * education, 0.55, n)) * (0.4 + hours / 60), 0)
    rent = np.exp(rng.normal(6.3, 0.35, household[-1] + 1))[household] * (1 + 0.15 * (region == 4))
    commute = np.where(hours > 0, rng.gamma(1.4, 9.0, n), 0)
    health = np.clip(np.round(rng.normal(3.6 - (age > 50) * 0.9, 0.9, n)), 0, 4).astype(np.int64)
    risk = np.array([0.72, 0.11, 0.06, 0.05, 0.04, 0.015, 0.005])
    frame = pl.DataFrame(
        {
            "person": [f"P{i:05d}" for i in range(n)],
            "household": [f"H{h:05d}" for h in household],
            "region": np.array(REGIONS)[region],
            "sex": np.array(["female", "male"])[rng.integers(0, 2, n)],
            "age": age,
            "education": np.array(EDUCATION)[education],
            "occupation": np.where(hours > 0, np.array(OCCUPATIONS)[rng.integers(0, 12, n)], "none"),
            "hours": hours,
            "income": np.round(income, -1),
            "rent": np.round(rent),
            "commute": np.round(commute, 1),
            "health": np.array(HEALTH)[health],
            "diagnosis": np.array(DIAGNOSES)[_shares(rng, tuple(risk), n)],
            "weight": np.round(rng.gamma(9.0, 22.0, n) + 20, 1),
        }
    )
    return Microdata(SCHEMA, frame, "the example")


def _households(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """The household of each person, and their place in it."""
    size = 1 + _shares(rng, (0.34, 0.32, 0.15, 0.13, 0.06), n)
    household = np.repeat(np.arange(n), size)[:n]
    first = np.concatenate(([0], np.cumsum(size)[:-1]))
    return household, np.arange(n) - first[household]


def _shares(rng: np.random.Generator, shares: tuple[float, ...], n: int) -> np.ndarray:
    return rng.choice(len(shares), n, p=shares)
