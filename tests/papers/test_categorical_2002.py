"""The published design on a stand-in: a quick part of what ``unmask reproduce categorical-2002`` does."""

from __future__ import annotations

import json
from statistics import fmean

import numpy as np
import polars as pl
import pytest

from tests.shared_data import data
from unmask.cli import reproduction
from unmask.data.microdata import Microdata
from unmask.data.schema import Column, Kind, Schema
from unmask.errors import DataError
from unmask.linkage.links import Standing
from unmask.masks import GlobalRecoding, TopCoding
from unmask.papers import PAPERS, Cell, Finding, FindingKind, Outcome, run
from unmask.papers.categorical_2002 import (
    Categorical2002,
    LinkReading,
    _backwards,
    _equals,
    _experiment,
    _linked,
    _right,
)
from unmask.papers.categorical_2002_findings import findings
from unmask.papers.categorical_2002_tables import (
    AVERAGES,
    AWARE,
    DBRL,
    MASKS,
    METHODS,
    PRL,
    STRENGTHS,
    TABLES,
    UNION,
    key,
    published,
    published_average,
)
from unmask.papers.housing import ATTRIBUTES, FILE, group, housing_file

SMALL = Categorical2002(groups=("m",), strengths=(1, 5), size=150)


@pytest.fixture(scope="module")
def outcome():
    data(FILE)
    return run(SMALL, replicates=2, seed=1)


def test_the_published_numbers_have_the_published_averages():
    for method in (PRL, DBRL):
        counts = [published(g, p, mask, method) for g in TABLES for p in STRENGTHS for mask in MASKS]
        assert len(counts) == 180
        # The text's averages differ from those of its tables by a little.
        assert fmean(counts) == pytest.approx(AVERAGES[method], abs=0.05)
    assert published("s", 1, "Bottom", DBRL) == 502
    assert published("l", 9, "Top", PRL) == 571
    assert published("s", 1, "Bottom", UNION) is None
    assert published_average("PRAM", AWARE) is None
    assert published_average(None, AWARE) == 663.49


def test_the_whole_design_is_the_paper_s():
    paper = PAPERS["categorical-2002"]
    assert len(paper) == 4 * 180 + 3 * 5 * 4
    assert [len(group(letter)) for letter in "lmsuo"] == [3, 3, 4, 6, 3]
    assert set(group("u")) == {*group("l"), *group("m")}
    assert all(a.kind is Kind.ORDINAL for a in ATTRIBUTES if "o" in a.groups)


def test_the_stand_in_has_the_categories_that_are_stated():
    data(FILE)
    whole = housing_file(15342, seed=1)
    assert {c.name: len(whole.categories(c.name)) for c in whole.schema} == {
        a.name: a.categories for a in ATTRIBUTES
    }
    nothing = (whole.frame["wages"] == whole.schema["wages"].levels[0]).sum()
    assert nothing == 3923  # those without wages, and nobody else
    sample = housing_file(1000, seed=1)
    assert len(sample) == 1000
    assert sample.frame.equals(housing_file(1000, seed=1).frame)
    assert not sample.frame.equals(housing_file(1000, seed=2).frame)


def test_a_missing_file_says_where_it_comes_from(tmp_path, monkeypatch):
    monkeypatch.setenv("UNMASK_DATA", str(tmp_path))
    with pytest.raises(DataError, match="New York City Housing and Vacancy Survey"):
        housing_file(10, seed=1)


def test_tables_have_their_shape(outcome):
    assert len(outcome.cells) == len(SMALL)
    table = [cell for cell in outcome.cells if cell.table == "Table 3, group m"]
    assert [cell.column for cell in table[:8]] == [f"{m} {mask}" for m in (PRL, DBRL) for mask in MASKS]
    assert [cell.row for cell in table] == ["p=1"] * 8 + ["p=5"] * 8
    assert not outcome.judged
    # Only PRAM is random.
    assert {cell.column for cell in table if len(cell.found) == 2} == {"PRL PRAM", "DBRL PRAM"}
    assert all(0 <= cell.ours <= SMALL.size for cell in outcome.cells)


def test_averages_are_those_of_the_cells(outcome):
    for method in METHODS:
        counts = [c.ours for c in outcome.cells if c.column in {f"{method} {mask}" for mask in MASKS}]
        average = next(
            c
            for c in outcome.cells
            if (c.table, c.row, c.column) == (f"Averages, {LinkReading.ALIKE}", "all", method)
        )
        assert len(counts) == 8
        assert average.ours == pytest.approx(fmean(counts))
        assert average.published == AVERAGES.get(method)


def test_readings_are_in_order_and_promises_hold(outcome):
    of = {(c.table, c.row, c.column): c.ours for c in outcome.cells}
    for method in METHODS:
        expected, alike, lenient = (
            of[f"Averages, {reading}", "all", method]
            for reading in (LinkReading.EXPECTED, LinkReading.ALIKE, LinkReading.LENIENT)
        )
        assert 0 < expected < alike < lenient
    verdicts = [finding.verdict for finding in outcome.findings]
    assert verdicts[:2] == [FindingKind.HOLDS, FindingKind.HOLDS]
    assert not outcome.failed


def test_the_paper_s_intruders_take_the_files_for_what_they_say():
    # Read into the other file's terms, DBRL would know what only the attack that knows the mask may know.
    data(FILE)
    found = _experiment(housing_file(1000, seed=1), "s", "Top", 1, replicates=1, seed=1)
    assert found[DBRL, LinkReading.ALIKE][0] <= found[AWARE, LinkReading.ALIKE][0]
    assert found[DBRL, LinkReading.ALIKE][0] == pytest.approx(641.84, abs=0.01)


def test_same_seed_same_cells(outcome):
    one = Categorical2002(groups=("m",), strengths=(5,), size=150)
    again = run(one, replicates=2, seed=1)
    assert [c for c in again.cells if c.row == "p=5"] == [c for c in outcome.cells if c.row == "p=5"]
    assert again.cells[0] != next(one.cells(replicates=1, seed=2))


def test_the_terminal_shows_ours_and_published(outcome, capsys, monkeypatch):
    monkeypatch.setattr(reproduction, "run", lambda *_: outcome)
    reproduction.show(SMALL, 2, 1)
    shown = capsys.readouterr().out
    assert "income (25, ordinal; for BUILT, 25 ordinal)" in shown
    assert "/722" in shown
    assert "/593.06" in shown
    assert "holds: the union" in shown
    assert "judged" not in shown.partition("Averages")[2]
    assert {f["verdict"] for f in json.loads(outcome.to_json())["findings"]} <= set(FindingKind)


def _file(**columns):
    schema = Schema(tuple(Column(name, Kind.NOMINAL) for name in columns))
    return Microdata(schema, pl.DataFrame(columns))


def test_records_that_equal_the_true_one_count_as_it_does():
    people = _file(a=["x", "x", "y", "y", "y", "z"])
    assert _equals(people, ["a"]).tolist() == [2, 2, 3, 3, 3, 1]
    standing = Standing(np.array([0, 0, 1]), np.array([2, 4, 0]), depth=1)
    right = _right(standing, np.array([2, 1, 3]))
    assert {r: right[r].tolist() for r in LinkReading} == {
        LinkReading.ALIKE: [1.0, 0.25, 0.0],
        LinkReading.EXPECTED: [0.5, 0.25, 0.0],
        LinkReading.LENIENT: [1.0, 1.0, 0.0],
    }


def test_a_hand_worked_recoding():
    people = _file(a=["x", "x", "x", "y", "z"], b=["1", "1", "2", "2", "2"])
    mask = GlobalRecoding(p=2, attributes=("a",))  # y and z become y|z
    masked = mask.apply(people, np.random.default_rng(1))
    found = _linked(people, masked, mask, ["a", "b"], seed=1)
    # y|z with 2 is as far from (x, 2) as from (y, 2) and (z, 2): a third each; who knows the mask halves it.
    assert found[DBRL, LinkReading.ALIKE] == pytest.approx(3 + 2 / 3)
    assert found[AWARE, LinkReading.ALIKE] == pytest.approx(3 + 2 / 2)
    assert found[DBRL, LinkReading.EXPECTED] == pytest.approx(2 / 2 + 1 + 2 / 3)
    assert found[DBRL, LinkReading.LENIENT] == 5
    assert found[UNION, LinkReading.ALIKE] >= found[DBRL, LinkReading.ALIKE]
    table = _backwards(mask, people).tables["a"]
    assert table.probability[table.original.index("y|z"), table.released.index("x")] == 0


def _made_up(count):
    """Cells of the whole design with made-up counts."""
    return [
        Cell(*key(g, p, mask, method), published(g, p, mask, method), (float(count(g, p, mask, method)),))
        for g in TABLES
        for p in STRENGTHS
        for mask in MASKS
        for method in METHODS
    ]


def _as_published(g, p, mask, method):
    if method == UNION:
        return max(published(g, p, mask, PRL), published(g, p, mask, DBRL))
    return published(g, p, mask, DBRL if method == AWARE else method)


def test_findings_on_the_paper_s_own_numbers():
    found = findings(_made_up(_as_published))
    verdicts = {finding.text: finding.verdict for finding in found}
    assert [f.verdict for f in found[:2]] == [FindingKind.HOLDS, FindingKind.HOLDS]
    differs = [text for text, verdict in verdicts.items() if verdict is FindingKind.DIFFERS]
    # What the text says of top coding its tables do not bear out; and here nobody knew the mask.
    assert len(differs) == 2
    assert differs[0].startswith("on Top DBRL is better")
    assert "though not by the averages of its tables" in differs[0]
    assert differs[1].startswith("knowing the mask raises the average of DBRL by 0.00")
    assert any("PRL finds more at p + 1 than at p in 31 of 160 steps" in text for text in verdicts)
    assert found[-1].verdict is FindingKind.NEW


def test_findings_break_where_a_promise_does():
    def count(g, p, mask, method):
        return {PRL: 500, DBRL: 400, AWARE: 399 if (g, p) == ("s", 1) else 450, UNION: 480}[method]

    found = findings(_made_up(count))
    assert [f.verdict for f in found[:2]] == [FindingKind.BROKEN, FindingKind.BROKEN]
    assert found[0].text.endswith("it does not in 4 of 180")
    assert found[1].text.endswith("it does not in 180 of 180")
    outcome = Outcome("categorical-2002", tuple(_made_up(count)), found)
    assert outcome.failed
    assert not outcome.outside
    assert [f.verdict for f in found if f.text.startswith("on average")] == [FindingKind.DIFFERS]


def test_no_cells_no_findings():
    assert not Outcome("a paper", (), (Finding(FindingKind.DIFFERS, "so it is"),)).failed
    assert findings([]) == ()


def test_the_short_version_says_what_it_leaves_out():
    shorter, replicates = Categorical2002().shorter()
    assert len(shorter) < len(Categorical2002()) / 2
    assert replicates == 5
    assert "p = 1, 5 and 9" in shorter.notes[-1]


def test_every_masked_file_is_a_step():
    data(FILE)
    steps = []
    list(Categorical2002(groups=("m",), strengths=(5,), size=60).cells(3, 1, lambda: steps.append(1)))
    assert len(steps) == Categorical2002(groups=("m",), strengths=(5,)).steps(3) == 6


def test_knowing_the_mask_is_no_help_where_nothing_is_impossible():
    people = _file(a=["x", "y", "z", "z"])
    mask = TopCoding(p=3)
    masked = mask.apply(people, np.random.default_rng(1))
    found = _linked(people, masked, mask, ["a"], seed=1)
    assert (
        found[AWARE, LinkReading.ALIKE]
        == found[DBRL, LinkReading.ALIKE]
        == pytest.approx((1 + 1 + 2 + 2) / 4)
    )
