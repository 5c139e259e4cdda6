"""Interval disclosure in sdcMicro's reading, against the values that sdcMicro 5.8.1 computed."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

from tests.flat import flat_rows
from tests.shared_data import data, golden
from unmask.data.microdata import Masked, Microdata
from unmask.data.schema import Column, Schema
from unmask.masks import Microaggregation
from unmask.measures.attribute.drisk import DRisk
from unmask.measures.evidence import FileEvidence

MASKED = {
    **{f"mdav_k{k}": f"microaggr_census_mdav_k{k}.csv" for k in (3, 5, 10)},
    **{f"onedims_k{k}": f"microaggr_census_onedims_k{k}.csv" for k in (3, 5, 10)},
    "rankswap_P0.05": "rankswap_census_P0.05_top0_bot0_seed1.csv",
    **{f"additive_{a}": f"addnoise_census13_additive_{a}_seed7.csv" for a in (1, 5, 20)},
    "identity": None,
}
WIDTHS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)


def file(frame):
    return Microdata(Schema(tuple(Column(name) for name in frame.columns)), frame)


def drisk(original, released, measure=None):
    case = FileEvidence(original, Masked.by_order(original, released), original.schema.names())
    (found,) = flat_rows((measure or DRisk()), case)
    return found


@pytest.fixture(scope="module")
def census():
    return file(pl.read_csv(data("casc_census.csv")))


@pytest.fixture(scope="module")
def eia():
    return file(pl.read_csv(golden("inputs/eia10.csv")))


@pytest.mark.parametrize("masking", MASKED)
def test_census_at_every_width(census, masking):
    theirs = pl.read_csv(golden("drisk_census.csv")).filter(pl.col("masking") == masking).row(0, named=True)
    name = MASKED[masking]
    released = census if name is None else file(pl.read_csv(golden(name)).select(census.schema.names()))
    found = drisk(census, released)
    assert [point.at for point in found.curve.points] == list(WIDTHS)
    wanted = [theirs[f"dRisk_k{width:g}"] for width in WIDTHS]
    assert [point.value for point in found.curve.points] == pytest.approx(wanted, abs=1e-15)
    assert found.value == pytest.approx(theirs["dRisk_k0.05"], abs=1e-15)
    assert np.nansum(found.per_record) == pytest.approx(found.value * len(census))


@pytest.mark.parametrize("subset", ["census4", "eia3z"])
@pytest.mark.parametrize(
    "noise",
    ["additive_150", "additive_20", "additive0_20", "correlated_20", "correlated2_default", "ROMM_default"],
)
def test_noise_on_a_few_attributes(census, eia, subset, noise):
    runs = json.loads(golden("addnoise.json").read_text())
    theirs = runs[f"addnoise_{subset}_{noise}"]
    released = file(pl.read_csv(golden(f"addnoise_{subset}_{noise}.csv")))
    whole = census if subset == "census4" else eia.take(np.arange(600))
    found = drisk(whole.only(released.schema.names()), released)
    assert found.value == pytest.approx(theirs["dRisk_k0.05"], abs=1e-15)


def test_testdata_by_the_formula():
    """The definition written out in one line, on sdcMicro's household file, microaggregated."""
    frame = pl.read_csv(data("sdcmicro_testdata.csv"), null_values="NA")
    original = file(frame.select("expend", "income", "savings"))
    released = Microaggregation(3).apply(original, np.random.default_rng(0)).data
    x, y = (side.numbers(original.schema.names()) for side in (original, released))
    for k in (0.05, 0.2):
        expected = (np.abs(x - y) <= k * y.std(axis=0, ddof=1)).all(axis=1).mean()
        assert drisk(original, released, DRisk(k=k)).value == pytest.approx(expected, abs=1e-15)
