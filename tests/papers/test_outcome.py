"""When a reproduction fails, and when it does not: the rule on made-up cells."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from unmask.engines.watcher import Watcher
from unmask.errors import Cancelled
from unmask.papers import PAPERS, Cell, Finding, FindingKind, Outcome, run
from unmask.papers.chance import Precision
from unmask.papers.outcome import TOGETHER, Nearness
from unmask.papers.rank_based_2016 import TABLES, _tolerance

SIZES = {"census": 1080, "eia": 4092}


def _published_cells(replicates, shift=0.0, seed=1):
    """The cells of rank-based-2016, with replicates drawn around the published numbers."""
    rng = np.random.default_rng(seed)
    for table in TABLES:
        size = SIZES[table.file]
        for parameter, values in table.rows.items():
            for attack, value in zip(("dbrl", "rbrl-sum", "rbrl-max"), values, strict=True):
                title = f"Table {table.title}, {table.file}", f"{parameter}", attack
                if not table.random:
                    yield Cell(*title, value, (value,), tolerance=_tolerance(attack, value))
                    continue
                rate = min(max(value / 100, 1e-4), 1.0)
                printed = round(float(rng.binomial(size * 100, rate)) / size, 1)
                found = 100 * rng.binomial(size, rate, replicates) / size + shift
                precision = Precision(100, link=100 / size)
                yield Cell(*title, printed, tuple(found.tolist()), precision=precision)


@pytest.mark.parametrize("replicates", [3, 5, 20])
def test_chance_alone_does_not_fail(replicates):
    failed = [Outcome("x", tuple(_published_cells(replicates, seed=seed))).failed for seed in range(10)]
    assert sum(failed) <= 1


def test_the_root_mean_square_of_the_table_is_about_one_by_chance():
    outcome = Outcome("x", tuple(_published_cells(20)))
    *tables, together = outcome.fits
    assert (len(tables), together.table, together.cells) == (7, TOGETHER, 111)
    # Below 1 here: cells of 0 and 100 are printed without any error.
    assert together.limits[0] < together.root_mean_square < together.limits[1] < 1.3


def test_a_small_bias_of_all_cells_is_out_though_no_cell_is():
    outcome = Outcome("x", tuple(_published_cells(20, shift=0.4)))
    together = outcome.fits[-1]
    assert together.bias == pytest.approx(0.4, abs=0.05)
    assert together.out
    assert outcome.failed


@pytest.mark.parametrize("replicates", [1, 2, 5, 20])
def test_no_link_at_all_never_passes_where_the_paper_found_some(replicates):
    for cell in _published_cells(replicates):
        nothing = replace(cell, found=tuple(0.0 for _ in cell.found))
        others = [c for c in _published_cells(replicates) if c.row != cell.row]
        nearness = Outcome("x", (nothing, *others)).nearness(nothing)
        if cell.published:
            assert nearness is not Nearness.NEAR
            if replicates == 20 and cell.published > 0.1:
                assert nearness is Nearness.OUT


def test_both_sides_count():
    cell = Cell("t", "r", "c", 5.0, (12.0, 14.0, 11.0, 13.0, 12.0, 12.0, 13.0, 12.0), precision=Precision(10))
    below = replace(cell, published=19.75)
    assert [Outcome("x", (c,)).nearness(c) for c in (cell, below)] == [Nearness.OUT, Nearness.OUT]


def test_the_tolerance_of_a_cell_without_chance():
    cell = Cell("t", "r", "c", 24.5, (24.59,), tolerance=0.1)
    assert not Outcome("x", (cell,)).failed
    far = replace(cell, found=(24.61,))
    outcome = Outcome("x", (far,))
    assert outcome.failed
    assert outcome.outside == [far]
    assert not outcome.fits


def test_one_replicate_of_a_random_cell_decides_nothing():
    cell = Cell("t", "r", "c", 5.0, (50.0,), precision=Precision(10))
    outcome = Outcome("x", (cell,))
    assert outcome.nearness(cell) is Nearness.UNDECIDED
    assert not outcome.fits
    assert not outcome.failed


def test_the_document_has_z_and_the_tables():
    document = json.loads(Outcome("x", tuple(_published_cells(5))).to_json())
    assert document["version"] == 2
    random = [cell for cell in document["cells"] if cell["precision"]]
    assert all(isinstance(cell["z"], float) for cell in random)
    assert {cell["nearness"] for cell in random} <= {"near", "undecided"}
    assert document["tables"][-1]["table"] == TOGETHER
    assert document["tables"][-1]["out"] is False


def test_a_broken_promise_fails():
    assert Outcome("x", (), (Finding(FindingKind.BROKEN, "it does not hold"),)).failed


class _Made:
    """A paper of two cells with three steps each."""

    name, citation, notes, pace = "made-2000", "Nobody (2000)", (), 60.0

    def __len__(self):
        return 2

    def steps(self, replicates):
        return 2 * replicates

    def cells(self, replicates, seed, step):
        for row in ("a", "b"):
            for _ in range(replicates):
                step()
            yield Cell("t", row, "c", 1.0, (1.0,) * replicates)

    def findings(self, cells):
        return ()

    def shorter(self):
        return self, 1


def test_the_watcher_sees_every_step_and_can_end_the_work():
    class Seen(Watcher):
        def __init__(self):
            super().__init__()
            self.seen = []

        def advance(self, done, total):
            self.seen.append((done, total))
            super().advance(done, total)

    watcher = Seen()
    assert len(run(_Made(), 3, 1, watcher).cells) == 2
    assert watcher.seen == [(done, 6) for done in range(1, 7)]
    watcher.cancel()
    with pytest.raises(Cancelled):
        run(_Made(), 3, 1, watcher)


def test_every_paper_has_a_shorter_version_that_says_so():
    for paper in PAPERS.values():
        shorter, replicates = paper.shorter()
        assert shorter.name == paper.name
        assert len(shorter) < len(paper)
        assert shorter.pace * shorter.steps(replicates) <= 75
        assert any(note.startswith("quick: ") for note in shorter.notes)
