"""Files to link: correlated lognormal records with noise, and two real files."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

REAL = ("cps_taxcalc", "covtype")


def lognormal(n: int, d: int, noise: float, seed: int = 1) -> tuple[Floats, Floats, Ints]:
    """Standardised original and released records and the truth: exp(z / 2), z normal with correlation 1/2.

    The release is the original plus normal noise of `noise` standard deviations, in random order.
    """
    rng = np.random.default_rng([seed, n, d])
    z = np.sqrt(0.5) * (rng.normal(size=(n, 1)) + rng.normal(size=(n, d)))
    x = np.exp(0.5 * z)
    return masked(x / x.std(axis=0), noise, rng)


def masked(x: Floats, noise: float, rng: np.random.Generator) -> tuple[Floats, Floats, Ints]:
    """Records, their release with noise in random order, and where each one is in it."""
    order = rng.permutation(len(x))
    truth = np.empty(len(x), np.int64)
    truth[order] = np.arange(len(x))
    return x, (x + noise * rng.normal(size=x.shape))[order], truth


def folder() -> Path:
    """Where the reference files are."""
    return Path(os.environ.get("UNMASK_DATA", Path(__file__).parents[2] / "shared" / "data"))


def real(name: str, noise: float = 0.1) -> tuple[Floats, Floats, Ints]:
    """The numeric columns of a real file, standardised, constant ones left out; noise as above."""
    import polars as pl

    frame = pl.read_csv(folder() / f"{name}.csv.gz", infer_schema_length=10_000)
    x = np.ascontiguousarray(frame.select(pl.selectors.numeric()).fill_null(0).to_numpy(), dtype=np.float64)
    x = x[:, x.std(axis=0) > 0]
    return masked((x - x.mean(axis=0)) / x.std(axis=0), noise, np.random.default_rng(1))


def ranks(x: Floats) -> Floats:
    """Mid-ranks of each column, from 0 to 1."""
    from scipy.stats import rankdata

    return np.ascontiguousarray(rankdata(x, axis=0) / len(x))
