"""Tables of a release, against the cells that sdcMicro 5.8.1 counted (infoLoss)."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

from tests.shared_data import data, golden
from unmask.data.microdata import Masked, Microdata
from unmask.data.schema import Column, Kind, Schema
from unmask.losses import CTBIL, Hellinger, TotalVariation, loss_evidence
from unmask.losses.margins import TableShares
from unmask.measures.evidence import FileEvidence

TABLE = ("roof", "water")


def file(frame):
    frame = frame.select(pl.col(TABLE).cast(pl.String))
    return Microdata(Schema(tuple(Column(name, Kind.NOMINAL) for name in TABLE)), frame)


@pytest.fixture(scope="module")
def evidence():
    original = file(pl.read_csv(data("sdcmicro_testdata.csv"), null_values="NA"))
    released = file(pl.read_csv(golden("infoloss_swapped.csv")))
    return loss_evidence(FileEvidence(original, Masked.by_order(original, released), ()))


@pytest.fixture(scope="module")
def theirs():
    return json.loads(golden("infoloss.json").read_text())


def test_cells(evidence):
    """Every count of the table and of its two margins."""
    counted = pl.read_csv(golden("infoloss_cellvalues.csv"), schema_overrides=dict.fromkeys(TABLE, pl.String))
    margins, n = TableShares.of(evidence), len(evidence.original)
    for table in (("roof",), ("water",), TABLE):
        rows = counted.filter(pl.all_horizontal(pl.col(name).is_null() != (name in table) for name in TABLE))
        wanted = sorted(zip(rows["count_o"], rows["count_s"], strict=True))
        p, q = (np.rint(n * shares).astype(int) for shares in margins.shares(table))
        assert sorted((a, b) for a, b in zip(p.tolist(), q.tolist(), strict=True) if a or b) == wanted


def test_ctbil_is_their_mean_change_over_all_cells_and_not_only_those_that_occur(evidence, theirs):
    """Both add up the same differences. Theirs is a mean over the 39 cells that are not empty; by the
    definition all combinations of categories are cells.
    """
    mean = dict(zip(theirs["measures"]["what"], theirs["measures"]["absD"], strict=True))["Mean"]
    occurring = sum(theirs["overview"]["cnt"])
    roof, water = (TableShares.of(evidence).sizes[name] for name in TABLE)
    cells = roof + water + roof * water
    assert occurring < cells
    assert CTBIL().values(evidence)[None] == pytest.approx(mean * occurring / cells, rel=1e-12)


def test_total_variation_and_hellinger_from_their_cells(evidence):
    cells = pl.read_csv(golden("infoloss_cellvalues.csv")).drop_nulls()
    p, q = (cells[name].to_numpy() / len(evidence.original) for name in ("count_o", "count_s"))
    assert TotalVariation().values(evidence)[None] == pytest.approx(np.abs(p - q).sum() / 2, rel=1e-12)
    wanted = np.sqrt(((np.sqrt(p) - np.sqrt(q)) ** 2).sum() / 2)
    assert Hellinger().values(evidence)[None] == pytest.approx(wanted, rel=1e-12)
