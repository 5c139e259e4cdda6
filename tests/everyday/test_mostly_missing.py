"""A release that hides nearly all values of an attribute: few numbers are left among many gaps."""

from __future__ import annotations

import numpy as np
import polars as pl

import unmask


def test_a_number_that_is_nearly_always_missing() -> None:
    rng, n = np.random.default_rng(2), 10_000
    pay, age = rng.normal(size=n), rng.normal(size=n)
    original = pl.DataFrame({"person": np.arange(n), "age": age, "pay": pay})
    left = pl.Series(np.arange(n) < 15)
    released = original.with_columns(pay=pl.when(left).then(pl.col("pay")))
    risk = unmask.assess(original, released, truth="person", attacks=["dbrl"], measures=["reidentification"])
    assert risk.document.understood is not None
    assert risk.table()["value"][0] > 0.99  # nearly everybody is found by their age, which is still there


def test_a_code_that_noise_reaches_beyond() -> None:
    """Numbers on both sides of 0 hide -99 among them: it took the place of a fifth of the values."""
    rng, n = np.random.default_rng(5), 600
    original = pl.DataFrame(
        {
            "person": np.arange(n),
            "gain": rng.normal(500, 400, n).round(0),
            "change": rng.normal(0, 300, n).round(0),
            "pay": rng.normal(50, 20, n).round(1),
        }
    )
    noise = {name: rng.normal(0, a, n) for name, a in (("gain", 20), ("change", 15), ("pay", 1))}
    released = original.with_columns((pl.col(name) + e).round(0).alias(name) for name, e in noise.items())
    coded = pl.when(pl.Series(rng.random(n) < 0.2)).then(-99.0).otherwise(pl.col("gain"))
    risk = unmask.assess(
        original,
        released.with_columns(gain=coded),
        truth="person",
        attacks=["dbrl"],
        measures=["reidentification"],
    )
    assert risk.table()["value"][0] > 0.7  # with -99 for a value it was a quarter
    assert any("code stands for no value" in note for note in risk.document.notes)
