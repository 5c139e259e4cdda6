"""Row order: shuffled files are never taken for ordered ones, unchanged ones always are."""

from __future__ import annotations

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from unmask.data.understanding.rows import row_order

quick = settings(deadline=None, max_examples=40)


@st.composite
def files(draw: st.DrawFn) -> pl.DataFrame:
    """Files with columns of many kinds that depend on each other, sorted or not."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n = draw(st.integers(40, 200))
    base = rng.normal(size=n)
    columns = {"amount": base}
    for j, kind in enumerate(draw(st.lists(st.sampled_from(["number", "code", "text", "flag"]), max_size=4))):
        value = base * rng.uniform(0, 2) + rng.normal(size=n)
        columns[f"{kind}{j}"] = {
            "number": value,
            "code": np.round(3 * value),
            "text": np.array([f"t{round(v)}" for v in value]),
            "flag": value > 1,
        }[kind]
    gaps = rng.random(n) < draw(st.sampled_from([0.0, 0.2]))
    file = pl.DataFrame(columns).with_columns(
        amount=pl.when(pl.Series(gaps)).then(None).otherwise(pl.col("amount"))
    )
    by = draw(st.sampled_from([None, *file.columns]))
    return file if by is None else file.sort(by)


@quick
@given(files())
def test_an_unchanged_file_is_in_order(file: pl.DataFrame) -> None:
    assert row_order(file, file, file.columns).plausible


@quick
@given(files(), st.integers(0, 2**32))
def test_a_shuffled_file_is_not(file: pl.DataFrame, seed: int) -> None:
    shuffled = file[np.random.default_rng(seed).permutation(file.height)]
    assert not row_order(file, shuffled, file.columns).plausible
    assert not row_order(shuffled, file, file.columns).plausible


@quick
@given(files(), st.integers(0, 2**32), st.booleans())
def test_the_order_of_the_columns_changes_nothing(file: pl.DataFrame, seed: int, shuffle: bool) -> None:
    rng = np.random.default_rng(seed)
    released = file[rng.permutation(file.height)] if shuffle else file
    names = list(rng.permutation(file.columns))
    found = row_order(file, released, file.columns)
    assert row_order(file.select(names), released.select(names[::-1]), names) == found
