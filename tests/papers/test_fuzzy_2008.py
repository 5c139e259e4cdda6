"""Published cells, run again: a quick part of what ``unmask reproduce fuzzy-2008`` does in full."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.shared_data import data
from unmask.linkage.record_scores import record_scores
from unmask.papers import Cell, FindingKind, run
from unmask.papers.chance import Precision
from unmask.papers.fuzzy_2008 import Fuzzy2008, _draw, _draws, _links, _structural, whole_file
from unmask.papers.fuzzy_2008_findings import ASSIGNED, LEARNED, findings, table
from unmask.papers.fuzzy_2008_rankings import RANKINGS, RANKINGS_TABLE
from unmask.papers.fuzzy_2008_readings import alone, apart, left_out, published_cells, recounted
from unmask.papers.fuzzy_2008_tables import (
    COLUMNS,
    FILES,
    OTHER_READINGS,
    WATER,
    WDBC,
)

PUBLISHED = tuple(split for split in FILES if split.published)
DBRL = Fuzzy2008(PUBLISHED, others=(), thorough=False, rankings=False)


@pytest.fixture(autouse=True)
def _reference_files():
    for split in FILES:
        data(split.file)


@pytest.fixture(scope="module")
def outcome():
    for split in FILES:
        data(split.file)
    return run(DBRL, replicates=6, seed=11)


def test_dbrl_cells_are_the_published_ones_but_for_chance(outcome):
    assert len(outcome.judged) == len(DBRL) == 48
    assert not outcome.failed
    assert outcome.fits[-1].root_mean_square < 1.6


def test_cells_far_above_are_out_as_those_far_below():
    other = Fuzzy2008(OTHER_READINGS[:1], others=(), thorough=False, rankings=False)
    outcome = run(other, replicates=6, seed=11)
    assert outcome.fits[0].bias > 5
    assert outcome.fits[0].out
    assert outcome.failed


def test_every_cell_of_a_poor_file_and_what_is_found():
    paper = Fuzzy2008(tuple(f for f in FILES if "iris" in f.file), others=(), rankings=False)
    cells = list(paper.cells(replicates=1, seed=3))
    assert len(cells) == len(paper) == 37
    assert {cell.row for cell in cells} == {
        "n1 dbrl", "n1 prl", f"n1 {ASSIGNED}", "n2 dbrl", "n2 prl", f"n2 {ASSIGNED}", LEARNED,
    }  # fmt: skip
    assert all(0 <= cell.ours <= 20 and cell.published is None for cell in cells)
    (finding,) = paper.findings(cells)
    assert finding.verdict is FindingKind.NEW


def test_every_cell_is_a_step():
    paper = Fuzzy2008(PUBLISHED[:1], others=(WDBC,), thorough=False)
    steps = []
    cells = list(paper.cells(2, 1, lambda: steps.append(1)))
    assert len(cells) == len(paper) == 12 + 12 + 2
    assert len(steps) == paper.steps(2) == 52


def test_a_draw_is_the_same_for_the_same_seed_and_splits_the_attributes():
    split = FILES[0]
    whole = whole_file(split)
    known, masked, _ = _draw(split, whole, 100, 5)
    again, *_ = _draw(split, whole, 100, 5)
    assert known.frame.equals(again.frame)
    assert known.schema.names() == split.second
    assert masked.data.schema.names() == split.first


def test_alignment_finds_nearly_everybody_where_the_files_tell_the_same_story():
    from unmask.attacks.alignment import Alignment

    found = [_links(*draw, Alignment()) for draw in _draws(OTHER_READINGS[0], 100, 2, 0)]
    assert np.mean(found) > 90


# --- the columns of wdbc ----------------------------------------------------------------------------------


def test_the_numbers_of_wdbc_are_columns_of_the_file_by_the_paper_s_own_rule():
    file_columns, printed = OTHER_READINGS
    assert left_out(file_columns) == alone()
    assert left_out(printed) != alone() != left_out(WDBC)


def test_the_readings_of_wdbc_have_their_columns():
    used, ranges, printed = (len(split.first + split.second) for split in (WDBC, *OTHER_READINGS))
    assert (used, ranges, printed) == (25, 26, 22)
    assert "diagnosis" not in WDBC.first + WDBC.second
    assert WDBC.first[:4] == ("texture_mean", "perimeter_mean", "area_mean", "compactness_mean")
    assert OTHER_READINGS[0].first[:2] == ("diagnosis", "radius_mean")
    for split in (WDBC, *OTHER_READINGS):
        assert not set(split.first) & set(split.second)


def test_the_recount_is_the_engine_s():
    split = PUBLISHED[0]
    (draw,) = _draws(split, 100, 1, 4)
    counted = recounted(split, seeds=[4], whole=False)
    found = [
        _links(*draw, _structural(operator, family, normalisation, "dbrl"))
        for normalisation in ("n1", "n2")
        for operator, family in COLUMNS
    ]
    assert counted["second to first"] == pytest.approx(found)
    assert published_cells(split)[:2] == [6.5, 5.9]
    assert apart(published_cells(split), split) == 0


# --- what is said in words --------------------------------------------------------------------------------


def _cells(title, values, column="owa t"):
    return [Cell(table(title), "n1 dbrl", column, None, tuple(values), digits=1)]


@pytest.mark.parametrize(
    ("values", "verdict"),
    [
        ([9.0, 10.0, 16.0], FindingKind.AGREES),
        ([0.0, 0.0, 0.0], FindingKind.DIFFERS),
        ([30.0, 40.0, 35.0], FindingKind.DIFFERS),
        ([8.0] * 3, FindingKind.DIFFERS),
    ],
)
def test_water_treatment_is_judged_on_both_sides(values, verdict):
    (finding,) = findings(_cells(WATER.title, values))
    assert finding.verdict is verdict


def test_water_treatment_s_maximum_is_of_ten_draws():
    (finding,) = findings(_cells(WATER.title, [10.0] * 9 + [16.0] + [10.0] * 30 + [90.0]))
    assert "and 16 in the best of 10 draws" in finding.text


def test_the_reading_is_told_to_be_chosen_after_the_values():
    cells = [
        replace(cell, published=10.0)
        for split, ours in zip((WDBC, *OTHER_READINGS), (12.0, 17.0, 13.0), strict=True)
        for operator, family in COLUMNS
        for cell in _cells(split.title, [ours], column=f"{operator} {family}")
    ]
    told = [finding.text for finding in findings(cells)]
    assert told[0].startswith("VIII wdbc, features: 2.0 links off")
    assert told[0].endswith("this reading was chosen after seeing the published values")
    assert "7.0 links off" in told[1]
    assert any("chosen after seeing the published values" in note for note in Fuzzy2008().notes)


@pytest.mark.parametrize(("found", "verdict"), [((5.0, 6.0, 4.0), "agrees"), ((30.0, 31.0, 29.0), "differs")])
def test_the_rankings_are_judged_on_both_sides(found, verdict):
    cells = [Cell(RANKINGS_TABLE, name, "links of 90", 5.0, found) for name in RANKINGS]
    assert [finding.verdict for finding in findings(cells)] == [verdict, verdict]


def test_rankings_of_census_find_about_five_of_ninety():
    paper = Fuzzy2008((), others=(), rankings=True)
    cells = list(paper.cells(20, 1))
    assert [cell.row for cell in cells] == list(RANKINGS)
    assert all(3 < cell.ours < 8 for cell in cells)
    assert {f.verdict for f in paper.findings(cells)} == {FindingKind.AGREES}


def test_a_ranking_links_records_of_the_same_rank():
    values = np.array([[1.0, 2.0], [4.0, 3.0], [2.0, 9.0], [7.0, 8.0]])
    for score in RANKINGS.values():
        found, again = record_scores(values, score), record_scores(3 * values + 5, score)
        assert np.argsort(found).tolist() == np.argsort(again).tolist()
        assert found[3] > found[0]


def test_the_short_version_keeps_what_is_judged():
    shorter, draws = Fuzzy2008().shorter()
    assert draws == 10
    assert shorter.files == (*PUBLISHED, WATER)
    assert Precision(10).runs == draws
    assert "left out are PRL" in shorter.notes[-1]
