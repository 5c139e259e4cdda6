"""Simulated load curves of households: `python examples/load_curves.py loads.csv`.

Each household uses power at a level of its own, with a peak in the morning and one in the evening at hours of
its own, over one day in half hours. Nobody's data is in it.
"""

from __future__ import annotations

import sys

import numpy as np
import polars as pl


def load_curves(households: int = 500, seed: int = 1) -> pl.DataFrame:
    """One row per household: its number, and its load in kW in each half hour, h0 to h47."""
    rng = np.random.default_rng(seed)
    hours = np.arange(48) / 2
    load = rng.lognormal(-1.5, 0.5, (households, 1)) + rng.gamma(1, 0.04, (households, 48))
    for usual in (7.5, 19):
        peak, width = rng.normal(usual, 1.5, (households, 1)), rng.uniform(0.5, 2, (households, 1))
        load += rng.lognormal(-0.5, 0.5, (households, 1)) * np.exp(-(((hours - peak) / width) ** 2) / 2)
    columns = {f"h{t}": load[:, t].round(3) for t in range(48)}
    return pl.DataFrame({"household": np.arange(1, households + 1), **columns})


if __name__ == "__main__":
    load_curves().write_csv(sys.argv[1])
