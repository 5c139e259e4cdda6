"""Populations of which everything is known, to draw samples from: made ones of several shapes, and files.

The shapes are what estimates of population uniques differ on: how attributes depend, how long the tails of
their values are, and whether people come in groups that share whole keys.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl

from bench.data import Ints, folder
from bench.population import KEYS, made_population
from unmask.data.example import people

#: The populations on which the rule was chosen, with seeds below ``bench.population.FIRST``.
CHOSEN_ON = (
    "independent", "chain", "cliques", "hidden", "heavy", "joint", "households", "mixture", "people",
    "people nearly unique", "adult", "adult nearly unique", "acs", "acs nearly unique", "cps", "nhts",
)  # fmt: skip
#: Those that were looked at once: after that, the interval of samples with few shared keys was made wider.
SEEN_ONCE = ("towns", "numbers", "couples", "crowds", "nyc", "covtype")
#: Populations that no choice had seen.
NOT_SEEN = ("birthdays", "blocks", "free1", "testdata")


def population(name: str, seed: int, size: int = 40_000) -> Ints:
    """The codes of everybody, one row per person; a file has the size that it has, at most 60,000."""
    if name in ("independent", "chain", "cliques", "hidden"):
        return made_population(name, seed, size)
    if name in FILES:
        return _from_file(name, seed)
    return MADE[name](np.random.default_rng(seed), size)


def _heavy(rng: np.random.Generator, size: int) -> Ints:
    """Values with long tails (Zipf), half of whose order depends on a group of the first attribute."""
    columns: list[Ints] = []
    for levels, power in ((400, 1.1), (150, 1.3), (30, 1.0), (8, 0.7), (3, 0.3)):
        shares = 1 / np.arange(1, levels + 1) ** power
        drawn = rng.choice(levels, size, p=shares / shares.sum())
        if columns:
            order = np.argsort(rng.random((5, levels)), axis=1)
            drawn = np.where(rng.random(size) < 0.5, order[columns[0] % 5, drawn], drawn)
        columns.append(drawn)
    return np.column_stack(columns)


def _joint(rng: np.random.Generator, size: int) -> Ints:
    """The last attribute is the sum of the others: all six depend at once, and no two of them."""
    codes = np.column_stack([rng.choice(n, size, p=rng.dirichlet(np.full(n, 2.0))) for n in (9, 8, 7, 6, 5)])
    return np.column_stack([codes, codes.sum(axis=1) % 10])


def _households(rng: np.random.Generator, size: int) -> Ints:
    """One to five people share a whole key, as where all that is known is known of their home."""
    home = np.repeat(np.arange(size), rng.choice(5, size, p=(0.3, 0.3, 0.15, 0.15, 0.1)) + 1)[:size]
    homes = int(home[-1]) + 1
    known = made_population("chain", int(rng.integers(1 << 30)), homes)
    return np.column_stack([known, rng.integers(0, 40, homes)])[home]


def _mixture(rng: np.random.Generator, size: int) -> Ints:
    """One in five is of a group of ten with one key, the others are nearly all unique."""
    codes = np.column_stack([rng.integers(0, levels, size) for levels in (60, 40, 30, 12, 9)])
    codes[: size // 5] = codes[np.arange(size // 5) // 10]
    return codes


def _crowds(rng: np.random.Generator, size: int) -> Ints:
    """Half are of groups of about 20 with one key (a barracks, a home), the others are nearly all unique."""
    codes = np.column_stack([rng.integers(0, levels, size) for levels in (50, 40, 20, 15, 6, 2)])
    codes[: size // 2] = codes[rng.integers(0, size // 40, size // 2)]
    return codes


def _towns(rng: np.random.Generator, size: int) -> Ints:
    """A town of 500, its district and region, an occupation that depends on the town, age and sex."""
    town = rng.choice(500, size, p=rng.dirichlet(np.full(500, 0.5)))
    usual = rng.integers(0, 60, (500, 8))
    common = rng.random(size) < 0.6
    occupation = np.where(common, usual[town, rng.integers(0, 8, size)], rng.integers(0, 60, size))
    age = np.clip(rng.normal(40 + town % 7, 14, size), 0, 90).astype(np.int64) // 5
    return np.column_stack([town, town // 10, town // 100, occupation, age, rng.integers(0, 2, size)])


def _numbers(rng: np.random.Generator, size: int) -> Ints:
    """Five correlated numbers, rounded: neighbours are common in the middle and rare at the ends."""
    common = rng.normal(size=(size, 1))
    return np.round(1.2 * (0.6 * common + 0.8 * rng.normal(size=(size, 5)))).astype(np.int64) + 20


def _couples(rng: np.random.Generator, size: int) -> Ints:
    """Two who share region, home and wealth, and differ in age (a little) and sex."""
    pair = np.arange(size) // 2
    base = np.column_stack([rng.integers(0, levels, size // 2 + 1) for levels in (20, 25, 12)])[pair]
    age = rng.integers(20, 80, size // 2 + 1)[pair] + rng.integers(-2, 3, size)
    return np.column_stack([base, age, rng.integers(0, 2, size)])


def _people(rng: np.random.Generator, size: int, keys: tuple[str, ...] = KEYS[3]) -> Ints:
    return coded(people(size, int(rng.integers(1 << 30))).frame.select(keys))


def _birthdays(rng: np.random.Generator, size: int) -> Ints:
    """A date of birth, sex and one of 25 postal codes of very different size."""
    day = rng.integers(0, 365 * 90, size)
    code = rng.choice(25, size, p=rng.dirichlet(np.full(25, 0.7)))
    return np.column_stack([day // 365, code, day % 365 // 30, day % 30, rng.integers(0, 2, size)])


def _blocks(rng: np.random.Generator, size: int) -> Ints:
    """Each of 300 neighbourhoods has its own few usual values of four attributes."""
    place = rng.choice(300, size, p=rng.dirichlet(np.full(300, 1.0)))
    columns = [place]
    for levels in (12, 9, 15, 6):
        usual = rng.integers(0, levels, (300, 3))[place, rng.integers(0, 3, size)]
        columns.append(np.where(rng.random(size) < 0.7, usual, rng.integers(0, levels, size)))
    return np.column_stack(columns)


MADE: dict[str, Callable[[np.random.Generator, int], Ints]] = {
    "heavy": _heavy,
    "joint": _joint,
    "households": _households,
    "mixture": _mixture,
    "crowds": _crowds,
    "towns": _towns,
    "numbers": _numbers,
    "couples": _couples,
    "birthdays": _birthdays,
    "blocks": _blocks,
    "people": _people,
    "people nearly unique": lambda rng, size: _people(rng, size, KEYS[5]),
}

_ADULT = ("age", "workclass", "education", "marital-status", "race", "sex")
_ACS = ("AGEP", "SEX", "MSP", "RAC1P")
#: The file of each population, and the attributes that are known.
FILES: dict[str, tuple[str, tuple[str, ...]]] = {
    "adult": ("adult.csv", _ADULT),
    "adult nearly unique": ("adult.csv", (*_ADULT, "occupation", "hours-per-week")),
    "acs": ("nist_acs2019_national.csv", ("PUMA", *_ACS)),
    "acs nearly unique": ("nist_acs2019_national.csv", (*_ACS, "HISP", "EDU", "INDP_CAT", "OWN_RENT")),
    "cps": ("cps_taxcalc.csv.gz", ("age_head", "age_spouse", "fips", "MARS", "XTOT", "nu18")),
    "nhts": (
        "nhts2017_households.csv.gz",
        ("hhstate", "homeown", "hhsize", "hhvehcnt", "hhfaminc", "numadlt", "hh_race", "lif_cyc", "urbrur"),
    ),
    "nyc": (
        "nyc_hvs_2014_occupied.csv",
        (
            "Borough", "Sub-borough Area", "Number of Rooms", "Number of Bedrooms",
            "Number of Units in Building", "Tenure (1)", "Year Householder Moved into Unit Recode",
        ),
    ),
    "free1": ("sdcmicro_free1.csv", ("AGE", "SEX", "MARSTAT", "KINDPERS", "EDUC1", "ETNI", "PRIOCCU")),
    "testdata": ("sdcmicro_testdata.csv", ("age", "sex", "relat", "urbrur", "roof", "water", "hhcivil")),
    "covtype": ("covtype.csv.gz", ("Elevation", "Slope", "Wilderness_Area1", "Soil_Type29")),
}  # fmt: skip


def _from_file(name: str, seed: int, most: int = 60_000) -> Ints:
    file, known = FILES[name]
    frame = pl.read_csv(folder() / file, infer_schema_length=0).select(known)
    return coded(frame.sample(most, seed=seed) if len(frame) > most else frame)


def coded(frame: pl.DataFrame) -> Ints:
    """Each column by the ranks of its values; 0 where missing."""
    ranks = (column.rank("dense").fill_null(0).to_numpy() for column in frame.get_columns())
    return np.column_stack([rank.astype(np.int64) for rank in ranks])
