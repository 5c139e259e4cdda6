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
