"""Losses beside the values that sdcMicro 5.8.1 computed."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

from tests.shared_data import data, golden
from unmask.data.microdata import Masked, Microdata
from unmask.data.schema import Column, Kind, Schema
from unmask.losses import DirectComparison, Eigenvalues, IL1s, InverseCorrelation, loss_evidence
from unmask.masks import IndividualRanking, Microaggregation
from unmask.measures.estimate import NotEstimable
from unmask.measures.evidence import FileEvidence

MASKED = {
    **{f"mdav_k{k}": f"microaggr_census_mdav_k{k}.csv" for k in (3, 5, 10)},
    **{f"onedims_k{k}": f"microaggr_census_onedims_k{k}.csv" for k in (3, 5, 10)},
    "pca_k3": "microaggr_census_groups.csv",
    "rankswap_P0.05": "rankswap_census_P0.05_top0_bot0_seed1.csv",
    **{f"additive_{a}": f"addnoise_census13_additive_{a}_seed7.csv" for a in (1, 5, 20)},
    "identity": "dutility_census.csv",
}
CENSUS4 = ("AFNLWGT", "AGI", "EMCONTRB", "POTHVAL")
TESTDATA3 = ("expend", "income", "savings")


def read(path):
    return pl.read_csv(path, infer_schema_length=None, null_values=["", "NA"])


def numbers(frame, names=None):
    """A file of numbers."""
    frame = frame.select(pl.col(names or frame.columns).cast(pl.Float64))
    return Microdata(Schema(tuple(Column(name) for name in frame.columns)), frame)


def evidence(original, released):
    return loss_evidence(FileEvidence(original, Masked.by_order(original, released), original.schema.names()))


def census_masked(masking, census):
    if masking == "identity":
        return census
    found = read(golden(MASKED[masking]))
    if masking == "pca_k3":  # stored as the groups, of which each record has the means
        groups = found[masking].to_list()
        found = census.frame.with_columns(pl.all().mean().over(pl.Series("group", groups)))
    return numbers(found, census.schema.names())


@pytest.mark.parametrize("masking", MASKED)
def test_il1s_is_their_il1old(masking):
    """Their IL1s is a sum; divided by n p, as the definition has it, they call it IL1old."""
    theirs = read(golden("dutility_census.csv")).filter(pl.col("masking") == masking).row(0, named=True)
    census = numbers(read(data("casc_census.csv")))
    found = IL1s().values(evidence(census, census_masked(masking, census)))[None]
    assert found == pytest.approx(theirs["IL1old"], rel=1e-9)


@pytest.mark.parametrize("masking", ["mdav_k3", "onedims_k3", "additive_20"])
def test_eigenvalues_of_singular_correlations_are_not_estimable(masking):
    """They give numbers such as -1.3e13: the smallest eigenvalues are rounding."""
    census = numbers(read(data("casc_census.csv")))
    files = evidence(census, census_masked(masking, census))
    assert isinstance(Eigenvalues().values(files)[None], NotEstimable)
    assert isinstance(InverseCorrelation().values(files)[None], NotEstimable)


def released(subset, masking, original):
    """The masked files of sdcMicro where they are stored; else the same algorithm of ours."""
    names = original.schema.names()
    if masking == "additive10":
        return numbers(read(golden(f"drisk_{subset}_additive10_seed5.csv")), names)
    if subset == "census4":
        stored = {"mdav3": "il_census4_mdav3.csv", "onedims3": "microaggr_census_onedims_k3.csv"}
        return numbers(read(golden(stored[masking])), names)
    mask = Microaggregation(3) if masking == "mdav3" else IndividualRanking(3)
    return mask.apply(original, np.random.default_rng(0)).data


@pytest.mark.parametrize("masking", ["mdav3", "onedims3", "additive10"])
@pytest.mark.parametrize("subset", ["census4", "testdata3"])
def test_eigenvalues_of_regular_correlations(subset, masking):
    theirs = json.loads(golden("drisk_rmd.json").read_text())[subset]["utility"][masking]
    if subset == "census4":
        original = numbers(read(data("casc_census.csv")), CENSUS4)
    else:
        original = numbers(read(data("sdcmicro_testdata.csv")).head(1000), TESTDATA3)
    files = evidence(original, released(subset, masking, original))
    assert IL1s().values(files)[None] == pytest.approx(theirs["IL1old"], rel=1e-9)
    assert Eigenvalues().values(files)[None] == pytest.approx(theirs["eigen"], rel=1e-6)


def test_inverse_correlation_is_their_il_correl():
    theirs = json.loads(golden("il_additional.json").read_text())["IL_correl_census4_mdav3"]["value"]
    original = numbers(read(data("casc_census.csv")), CENSUS4)
    files = evidence(original, numbers(read(golden("il_census4_mdav3.csv")), CENSUS4))
    assert InverseCorrelation().values(files)[None] == pytest.approx(theirs, rel=1e-6)


def test_direct_comparison_is_the_categorical_part_of_their_il_variables():
    """They count a value missing in both files as one that was kept; here it was never there to keep."""
    theirs = json.loads(golden("il_additional.json").read_text())["IL_variables_mixed"]["individual"]
    schema = Schema(
        (
            Column("roof", Kind.NOMINAL),
            Column("relat", Kind.ORDINAL, levels=tuple("123456789")),
            Column("sex", Kind.NOMINAL),
        )
    )
    original, masked = (
        Microdata(schema, read(golden(name)).select(pl.col(schema.names()).cast(pl.String)))
        for name in ("il_mixed_x.csv", "il_mixed_y.csv")
    )
    found = DirectComparison().values(evidence(original, masked))
    people = len(original)
    both = (original.frame["sex"].is_null() & masked.frame["sex"].is_null()).sum()
    assert both == 1
    assert found["roof"] == theirs["roof"] == 0
    assert found["relat"] == pytest.approx(theirs["relat"], abs=1e-15)
    assert found["sex"] * (people - both) / people == pytest.approx(theirs["sex"], abs=1e-15)
