"""Published cells, run again: a quick part of what ``unmask reproduce rank-based-2016`` does in full."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.shared_data import data
from unmask.papers import PAPERS, run
from unmask.papers.rank_based_2016 import TABLES, RankBased2016

FAST = {
    ("1 independent noise", "census"): [0.5],
    ("2 rank swapping", "census"): [10],
    ("3 p-distribution rank swapping", "census"): [10],
    ("4 multiplicative noise", "eia"): [0.5],
}


@pytest.fixture(autouse=True)
def _reference_files():
    data("casc_census.csv")
    data("casc_eia.csv")


@pytest.mark.parametrize("table", [t for t in TABLES if not t.random], ids=lambda t: t.file)
def test_cells_without_randomness(table):
    outcome = run(RankBased2016((table,)), replicates=1, seed=1)
    assert len(outcome.cells) == 3 * len(table.rows)
    assert not outcome.outside


@pytest.mark.parametrize("key", FAST, ids=" ".join)
def test_some_random_cells(key):
    table = next(t for t in TABLES if (t.title, t.file) == key)
    table = replace(table, rows={p: table.rows[p] for p in FAST[key]})
    assert not run(RankBased2016((table,)), replicates=20, seed=1).outside


def test_a_wrong_number_is_out():
    table = next(t for t in TABLES if not t.random)
    wrong = replace(table, rows={10: (99.8, 100.0, 97.0)})
    assert [cell.column for cell in run(RankBased2016((wrong,)), 1, 1).outside] == ["rbrl-max"]


def test_same_seed_same_cells():
    table = replace(TABLES[0], rows={0.5: TABLES[0].rows[0.5]})
    paper = RankBased2016((table,))
    assert run(paper, 2, seed=3).to_json() == run(paper, 2, seed=3).to_json()
    assert run(paper, 2, seed=3).to_json() != run(paper, 2, seed=5).to_json()


def test_every_paper_cites_itself():
    for name, paper in PAPERS.items():
        assert paper.name == name
        assert name[-4:] in paper.citation
        assert len(paper) > 0
