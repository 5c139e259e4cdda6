"""Published cells, run again: a quick part of what ``unmask reproduce fuzzy-2008`` does in full."""

from __future__ import annotations

import pytest

from tests.shared_data import data
from unmask.papers import Verdict
from unmask.papers.fuzzy_2008 import (
    ASSIGNED,
    COLUMNS,
    FILES,
    LEARNED,
    NEAR,
    Fuzzy2008,
    _cell,
    _draw,
    _file,
    _structural,
)
from unmask.papers.fuzzy_2008_tables import ROWS


@pytest.fixture(autouse=True)
def _reference_files():
    for split in FILES:
        data(split.file)


@pytest.mark.parametrize("split", [f for f in FILES if f.published], ids=lambda f: f.file)
def test_dbrl_cells_are_near_the_published_ones_or_above(split):
    draws = [_draw(split, _file(split), seed) for seed in range(12)]
    near = 0
    for row, (normalisation, link) in enumerate(ROWS):
        if link == "prl":
            continue
        for column, (operator, family) in enumerate(COLUMNS):
            attack = _structural(operator, family, normalisation, link)
            cell = _cell(split, "", (operator, family), split.published[row][column], draws, attack)
            near += cell.ours >= cell.published - NEAR
    assert near >= 11


def test_every_cell_of_a_poor_file_and_what_is_found():
    paper = Fuzzy2008(tuple(f for f in FILES if "iris" in f.file))
    cells = list(paper.cells(replicates=1, seed=3))
    assert len(cells) == len(paper) == 37
    assert {cell.row for cell in cells} == {
        "n1 dbrl", "n1 prl", f"n1 {ASSIGNED}", "n2 dbrl", "n2 prl", f"n2 {ASSIGNED}", LEARNED,
    }  # fmt: skip
    assert all(0 <= cell.ours <= 20 and cell.published is None for cell in cells)
    (finding,) = paper.findings(cells)
    assert finding.verdict is Verdict.NEW


def test_a_draw_is_the_same_for_the_same_seed_and_splits_the_attributes():
    split = FILES[0]
    whole = _file(split)
    known, masked, _ = _draw(split, whole, 5)
    again, *_ = _draw(split, whole, 5)
    assert known.frame.equals(again.frame)
    assert known.schema.names() == split.second
    assert masked.data.schema.names() == split.first


def test_alignment_beats_every_published_mean_on_wdbc():
    from unmask.attacks.alignment import Alignment

    split = next(f for f in FILES if f.file == "wdbc.csv")
    draws = [_draw(split, _file(split), seed) for seed in range(2)]
    assert _cell(split, LEARNED, COLUMNS[0], None, draws, Alignment()).ours > 90
