"""dRiskRMD beside the values that sdcMicro 5.8.1 computed, with the covariance that it used."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

from tests.flat import flat_rows
from tests.shared_data import data, golden
from unmask.data.microdata import Masked, Microdata
from unmask.data.schema import Column, Schema
from unmask.masks import IndividualRanking, Microaggregation
from unmask.measures.attribute import DRiskRMD
from unmask.measures.attribute.robust_distance import mahalanobis, robust_covariance, z_scores
from unmask.measures.evidence import FileEvidence

CENSUS4 = ("AFNLWGT", "AGI", "EMCONTRB", "POTHVAL")
TESTDATA3 = ("expend", "income", "savings")
CENSUS_FILES = {
    "mdav3": "il_census4_mdav3.csv",
    "onedims3": "microaggr_census_onedims_k3.csv",
    "additive10": "drisk_census4_additive10_seed5.csv",
}
WIDTHS = (0.01, 0.05, 0.1, 0.7)


def file(frame, names):
    frame = frame.select(pl.col(names).cast(pl.Float64))
    return Microdata(Schema(tuple(Column(name) for name in names)), frame)


def read(path):
    return pl.read_csv(path, infer_schema_length=None, null_values=["", "NA"])


def original_of(subset):
    if subset == "census4":
        return file(read(data("casc_census.csv")), CENSUS4)
    return file(read(data("sdcmicro_testdata.csv")).head(1000), TESTDATA3)


def released_of(subset, masking, original):
    if subset == "census4":
        return file(read(golden(CENSUS_FILES[masking])), CENSUS4)
    if masking == "additive10":
        return file(read(golden("drisk_testdata3_additive10_seed5.csv")), TESTDATA3)
    mask = Microaggregation(3) if masking == "mdav3" else IndividualRanking(3)
    return mask.apply(original, np.random.default_rng(0)).data


@pytest.mark.parametrize("k", WIDTHS)
@pytest.mark.parametrize("masking", CENSUS_FILES)
@pytest.mark.parametrize("subset", ["census4", "testdata3"])
def test_with_the_same_covariance_the_same_risks(subset, masking, k):
    stored = json.loads(golden("drisk_rmd.json").read_text())[subset]
    theirs = stored[masking][f"k{k:g}"]
    original = original_of(subset)
    released = released_of(subset, masking, original)
    covariance = tuple(tuple(row) for row in stored["covMcd_scaled"]["cov"])
    case = FileEvidence(original, Masked.by_order(original, released), original.schema.names())
    found = flat_rows(DRiskRMD(k=k, k2=0.05, covariance=covariance), case)
    for finding in found:
        assert finding.value == pytest.approx(theirs[finding.subject], rel=1e-12, abs=1e-12)
    risk1, risk2 = found[:2]
    assert np.nansum(risk1.per_record) == theirs["n_indexRisk1"]
    assert np.nansum(risk2.per_record) == theirs["n_indexRisk2"]
    head = (np.flatnonzero(risk1.per_record == 1)[:20] + 1).tolist()
    assert head == theirs["head_indexRisk1"][:20]


def test_the_estimated_covariance_ranks_people_as_theirs_does():
    """The scale of the two estimates differs (consistency factors), the order of people hardly."""
    from scipy.stats import spearmanr

    scores = z_scores(original_of("census4").numbers(CENSUS4))
    theirs = np.array(json.loads(golden("drisk_rmd.json").read_text())["census4"]["covMcd_scaled"]["cov"])
    ours = robust_covariance(scores, np.random.default_rng(1))
    assert spearmanr(mahalanobis(scores, ours), mahalanobis(scores, theirs)).statistic > 0.99


def test_the_thirteen_dependent_attributes_of_census_have_no_robust_covariance():
    frame = read(data("casc_census.csv"))
    original = file(frame, frame.columns)
    case = FileEvidence(original, Masked.by_order(original, original), original.schema.names())
    (found,) = flat_rows(DRiskRMD(), case)
    assert found.value is None
    assert "singular" in found.reason
