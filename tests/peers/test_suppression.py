"""Local suppression, recoding and PRAM beside what sdcMicro gives on its test data."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

from tests.reference.categorical_masks import wildcard_counts
from tests.shared_data import data, golden
from unmask.data.microdata import Microdata
from unmask.data.schema import Column, Kind, Schema
from unmask.masks import PRAM, BottomCoding, GlobalRecoding, LocalSuppression, TopCoding

KEYS = ("urbrur", "roof", "walls", "water", "electcon", "relat", "sex")


@pytest.fixture(scope="module")
def testdata():
    frame = pl.read_csv(data("sdcmicro_testdata.csv"))
    schema = Schema((*(Column(name, Kind.NOMINAL) for name in KEYS), Column("age")))
    return Microdata(schema, frame)


def apply(mask, file, seed=1):
    return mask.apply(file, np.random.default_rng(seed)).data


def fast_counts(rows):
    """The slow count, once for each distinct record."""
    distinct = sorted(set(rows), key=str)
    size = {row: rows.count(row) for row in distinct}
    return [
        sum(
            size[b]
            for b in distinct
            if a == b or all(x is None or y is None or x == y for x, y in zip(a, b, strict=True))
        )
        for a in distinct
    ]


@pytest.mark.parametrize(
    ("k", "peer", "ours"), [(2, 157, 95), (3, 293, 155), (5, 500, 275)], ids=["k=2", "k=3", "k=5"]
)
def test_fewer_suppressions_reach_k(testdata, k, peer, ours):
    released = apply(LocalSuppression(k, attributes=KEYS), testdata).frame.select(KEYS)
    rows = released.rows()
    assert not any(all(value is None for value in row) for row in rows)
    assert min(fast_counts(rows)) >= k
    assert sum(released.null_count().row(0)) <= ours < peer
    # Nobody is blanked for the sake of others: of its seven values a record gives up three at the most.
    assert max(sum(value is None for value in row) for row in rows) <= 3


def test_the_counts_of_the_result_are_the_slow_ones(testdata):
    some = testdata.take(np.arange(0, len(testdata), 12))
    rows = apply(LocalSuppression(3, attributes=KEYS), some).frame.select(KEYS).rows()
    assert min(wildcard_counts(rows)) >= 3


def test_importance_spares_the_key_that_matters(testdata):
    importance = tuple(20.0 if name == "relat" else 1.0 for name in KEYS)
    plain, weighted = (
        apply(LocalSuppression(3, i, KEYS), testdata).frame["relat"].null_count() for i in (None, importance)
    )
    assert weighted < plain / 2


def test_their_result_reaches_k_by_our_count():
    theirs = pl.read_csv(golden("kanon_testdata_k_3_factor.csv"), null_values=["", "NA"])
    rows = theirs.select([c for c in theirs.columns if c in KEYS]).rows()
    assert min(fast_counts(rows)) >= 3


@pytest.mark.parametrize("pd", [0.5, 0.8])
@pytest.mark.parametrize("alpha", [0.5, 1.0])
def test_invariant_pram_keeps_the_margins(testdata, pd, alpha):
    for name, matrix in PRAM(pd=pd, alpha=alpha).matrices(testdata, np.random.default_rng(7)).items():
        codes = testdata.codes(name, testdata.categories(name))
        shares = np.bincount(codes) / len(codes)
        np.testing.assert_allclose(shares @ matrix, shares, rtol=0, atol=1e-12)
        np.testing.assert_allclose(matrix.sum(axis=1), 1, rtol=0, atol=1e-12)


def test_invariant_pram_keeps_the_margins_on_average(testdata):
    mask = PRAM(pd=0.5, alpha=1.0, attributes=("roof", "relat"))
    for name in ("roof", "relat"):
        categories = testdata.categories(name)
        before = np.bincount(testdata.codes(name, categories))
        after = np.array(
            [
                np.bincount(apply(mask, testdata, s).codes(name, categories), minlength=len(before))
                for s in range(60)
            ]
        )
        error = after.std(axis=0, ddof=1) / np.sqrt(len(after))
        assert (np.abs(after.mean(axis=0) - before) <= 4 * error + 1e-9).all()


def test_the_matrix_is_that_of_the_definition(testdata):
    stored = json.loads(golden("pram.json").read_text())["pd0.8_alpha0.5"]
    # Their diagonal draws are not ours, but their matrix is invariant for the same shares.
    codes = testdata.codes("roof", testdata.categories("roof"))
    np.testing.assert_allclose(np.bincount(codes) / len(codes), stored["p_roof"], rtol=0, atol=1e-15)
    file = PRAM(matrix={"roof": stored["Rs_roof"]})
    assert apply(file, testdata).frame["roof"].n_unique() == 5


def test_numeric_coding_and_bands(testdata):
    stored = json.loads(golden("recode.json").read_text())
    top = apply(TopCoding(limit=60, attributes=("age",)), testdata).numbers(["age"])
    bottom = apply(BottomCoding(limit=5, attributes=("age",)), testdata).numbers(["age"])
    age = testdata.numbers(["age"])
    assert (top < age).sum() == stored["topBot"]["n_gt60"]
    assert (bottom > age).sum() == stored["topBot"]["n_lt5"]
    breaks = (-1, 9, 19, 29, 39, 49, 59, 69, 100)
    banded = apply(GlobalRecoding(breaks=breaks, release="label", attributes=("age",)), testdata)
    counts = banded.frame["age"].value_counts()
    found = [counts.filter(age=level)["count"].sum() for level in banded.schema["age"].levels]
    assert found == [0, *stored["globalRecode_breaks"]["counts"], 0]
