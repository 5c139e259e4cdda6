"""Published cells, run again: a quick part of what ``unmask reproduce rank-based-2016`` does in full."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.shared_data import data
from unmask.papers import PAPERS, Cell, Outcome, run
from unmask.papers.rank_based_2016 import TABLES, RankBased2016, _tolerance

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


@pytest.fixture(scope="module")
def outcome():
    """Some random rows, with so few replicates that a fixed tolerance of a point would fail some seeds."""
    tables = [next(t for t in TABLES if (t.title, t.file) == key) for key in FAST]
    rows = [
        replace(t, rows={p: t.rows[p] for p in few}) for t, few in zip(tables, FAST.values(), strict=True)
    ]
    return run(RankBased2016(tuple(rows)), replicates=10, seed=1)


def test_random_cells_differ_by_chance_alone(outcome):
    assert len(outcome.random) == 12
    assert not outcome.failed
    assert 0.3 < outcome.fits[-1].root_mean_square < 1.6


def test_five_replicates_do_not_fail(outcome):
    few = tuple(replace(cell, found=cell.found[:5]) for cell in outcome.cells)
    assert not Outcome(outcome.paper, few).failed


def test_a_point_off_is_out_where_replicates_can_tell(outcome):
    off = tuple(replace(cell, published=cell.published + 1.0) for cell in outcome.cells)
    assert Outcome(outcome.paper, off).failed


def test_a_cell_without_a_link_is_out(outcome):
    cells = tuple(replace(cell, found=(0.0,) * len(cell.found)) for cell in outcome.cells)
    assert len(Outcome(outcome.paper, cells).outside) == len(cells)


def test_dbrl_of_a_deterministic_table_may_not_be_empty():
    cell = Cell("Table 5", "k=1023", "dbrl", 0.1, (0.0,), tolerance=_tolerance("dbrl", 0.1))
    assert Outcome("x", (cell,)).failed


def test_the_short_version_leaves_rows_of_eia_out():
    shorter, replicates = RankBased2016().shorter()
    assert replicates == 10
    assert len(shorter) == 3 * (28 + 4)
    assert {t.title for t in shorter.tables} == {t.title for t in TABLES}
    assert "of EIA" in shorter.notes[-1]


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
