"""Worst-case linkage: a quick part of what ``unmask reproduce supervised-2013`` and its search do."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from tests.shared_data import data
from unmask.cli import reproduction
from unmask.data.microdata import Masked
from unmask.engines import LocalEngine
from unmask.intruder.scenario import Scenario
from unmask.papers import PAPERS, Cell, FindingKind, Outcome, run
from unmask.papers.supervised_2013 import Supervised2013, _mahalanobis, _percent, _plain
from unmask.papers.supervised_2013_findings import findings
from unmask.papers.supervised_2013_readings import (
    AM,
    CEILING,
    CI,
    CLOSEST,
    DISTANCES,
    MASKINGS,
    MD_LEARNED,
    PLAIN,
    PROOFS,
    STANDARDISED_AM,
    WM,
    Covariance,
    Linked,
    Order,
    PaperReading,
    Values,
    census,
    drawn,
    masked_files,
    proof_table,
    table,
)
from unmask.papers.supervised_2013_search import (
    CONVENTIONS,
    FOUR,
    Draw,
    _convention,
    apart,
    averages,
    cells,
    extensions,
    linked_strictly,
    main,
    ranked,
    screened,
    search,
    variations,
)

SMALL = Supervised2013(
    maskings=MASKINGS[:1], readings=(("plain", PLAIN), ("closest", CLOSEST)), size=60, fewest=1, limit=120.0
)


@pytest.fixture(scope="module")
def people():
    data("casc_census.csv")
    return census()


@pytest.fixture(scope="module")
def outcome():
    data("casc_census.csv")
    return run(SMALL, replicates=1, seed=1)


def test_the_maskings_are_the_paper_s():
    assert [m.name for m in MASKINGS] == ["M4-33", "M4-28", "M4-82", "M5-38", "M6-385", "M6-853"]
    for masking in MASKINGS:
        figures = "".join(str(k) for k in masking.k)
        assert masking.name == f"M{masking.variables}-{figures}"
        assert list(masking.published) == sorted(masking.published)  # every method does better than the last
        assert all(value * 400 == pytest.approx(round(value * 400)) for value in masking.published)


@pytest.mark.parametrize("order", Order)
def test_masked_files_are_groups_of_at_least_k(people, order):
    rows = drawn(people, 400, seed=1)
    for masking in MASKINGS:
        original, masked = masked_files(people, masking, replace(PLAIN, order=order), rows)
        assert len(original) == len(masked) == 400
        assert original.schema.names() == PLAIN.columns[: masking.variables]
        for group, k in zip(masking.groups(PLAIN.columns), masking.k, strict=True):
            sizes = masked.frame.group_by(list(group)).len()["len"]
            if order is Order.DRAW_FIRST:
                assert sizes.min() >= k
            else:  # the others of a group may not be drawn
                assert sizes.min() < k
            assert masked.frame[group[0]].mean() == pytest.approx(original.frame[group[0]].mean(), rel=0.1)


def test_draws_are_random_and_repeat(people):
    assert (drawn(people, 400, 1) == drawn(people, 400, 1)).all()
    assert (drawn(people, 400, 1) != drawn(people, 400, 2)).any()
    assert len(set(drawn(people, 400, 1).tolist())) == 400


@pytest.mark.parametrize("reading", [PaperReading(PLAIN.columns, *c) for c in CONVENTIONS[::5]])
def test_screening_counts_what_the_engine_counts(people, reading):
    rows = drawn(people, 200, seed=3)
    for masking in (MASKINGS[1], MASKINGS[3]):
        original, masked = masked_files(people, masking, reading, rows)
        known, released = (original, masked) if reading.linked is Linked.ORIGINALS else (masked, original)
        dossier, truth, _ = Scenario().stage(known, Masked(released, np.arange(200)), 5)
        plain = _percent(dossier, truth, _plain(dossier, reading.compared), LocalEngine())
        space = _mahalanobis(dossier, truth, reading.covariance)
        found = cells(
            Draw(people, rows).shares(masking, (reading.order, reading.masked), reading.columns), reading
        )
        assert found == pytest.approx((plain / 100, _percent(dossier, truth, space, LocalEngine()) / 100))


def _twice(*values):
    """A file of one number a record, as two columns that say the same: singular, and no harm."""
    return np.column_stack([values, values])


def test_linked_strictly_by_hand():
    original = _twice(0.0, 1.0, 10.0)
    found = linked_strictly(original, _twice(0.5, 0.5, 10.0))
    # Originals 0 and 1 tie between the two masked 0.5; the masked 0.5 tie between originals 0 and 1.
    assert found[Values.RAW, Linked.ORIGINALS] == pytest.approx(1 / 3)
    assert found[Values.RAW, Linked.MASKED] == pytest.approx(1 / 3)
    # Both masked 0.4 are nearest to original 0, which ties between them.
    found = linked_strictly(original, _twice(0.4, 0.4, 10.0))
    assert found[Values.RAW, Linked.ORIGINALS] == pytest.approx(1 / 3)
    assert found[Values.RAW, Linked.MASKED] == pytest.approx(2 / 3)


def test_the_search_screens_all_pairs_and_extends_them(people):
    names = PLAIN.columns[:6]
    draw = Draw(people, drawn(people, 60, seed=1))
    kept = screened(draw, names[:4], keep=2)
    assert len(kept) == 2 * len(CONVENTIONS)
    assert all(len(set(reading.columns)) == 4 for reading in kept)
    best = [r for r in kept if _convention(r) == CONVENTIONS[0]]
    off = [apart(averages([draw], FOUR, reading), FOUR) for reading in best]
    assert off == sorted(off)
    every = [
        apart(averages([draw], FOUR, replace(best[0], columns=(a, b, c, d))), FOUR)
        for a, b, c, d in product(names[:4], repeat=4)
        if len({a, b, c, d}) == 4
    ]
    assert min(every) == off[0]
    longer = list(extensions(best[0], names))
    assert len(longer) == len(set(longer)) == 4  # two orders of the second pair, two of the two others
    assert {frozenset(r.columns[:2]) for r in longer} == {frozenset(best[0].columns[:2])}
    order = ranked([draw], longer)
    assert [off for off, _ in order] == sorted(off for off, _ in order)


def test_the_whole_search_on_few_columns(people, monkeypatch, capsys):
    module = sys.modules["unmask.papers.supervised_2013_search"]
    monkeypatch.setattr(module, "census", lambda: people.only(PLAIN.columns))
    monkeypatch.setattr(module, "SIZE", 60)
    found = search(draws=2, seed=1, keep=1)
    assert [off for off, _ in found] == sorted(off for off, _ in found)
    assert {_convention(reading) for _, reading in found} == set(CONVENTIONS)
    assert all(set(reading.columns) == set(PLAIN.columns) for _, reading in found)
    monkeypatch.setattr(module, "search", lambda *_: found)
    main(draws=2, seed=1, shown=3, learned=0)
    shown = capsys.readouterr().out
    assert shown.count("points off") == 3 + len(CONVENTIONS) + 6
    assert "closest readings, by d2AM and d2MD on 2 fresh draws, seed 1" in shown


def test_variations_change_one_convention():
    first, *others = variations(CLOSEST)
    assert first == CLOSEST
    changed = [sum(a != b for a, b in zip(_convention(o), _convention(first), strict=True)) for o in others]
    assert changed == [1] * 5
    assert len(set(others)) == 5


def test_the_table_has_its_shape(outcome):
    assert len(outcome.cells) == len(SMALL) == 2 * (len(DISTANCES) + len(PROOFS))
    assert [c.column for c in outcome.cells[:5]] == list(DISTANCES)
    assert {c.table for c in outcome.cells} == {
        f(n) for f in (table, proof_table) for n in ("plain", "closest")
    }
    assert all(len(cell.found) == 1 and 0 <= cell.ours <= 100 for cell in outcome.cells)
    assert outcome.cells[0].published == 84.0


def test_promises_hold_on_a_small_draw(outcome):
    assert not outcome.failed
    held = [f.text for f in outcome.findings if f.verdict is FindingKind.HOLDS]
    assert len(held) == 9
    assert all(text.endswith("in all 2 masked files") for text in held)


def test_same_seed_same_cells(outcome):
    plain = replace(SMALL, readings=(("plain", PLAIN),))
    again = run(plain, replicates=1, seed=1)
    assert again.cells == outcome.cells[: len(plain)]


def test_the_cells_that_the_search_used_are_named():
    closest = [replace(cell, table=cell.table.replace("plain", "closest")) for cell in _made_up()]
    used = [
        f.text for f in findings(closest) if f.text.endswith("; the search for this reading used these cells")
    ]
    assert [text.partition(": ")[0] for text in used] == ["closest reading, d2AM", "closest reading, d2MD"]
    assert not any("search" in f.text for f in findings(list(_made_up())))


def test_the_plain_reading_alone_has_no_search():
    assert not any("search" in note for note in replace(SMALL, readings=(("plain", PLAIN),)).notes)


def test_the_short_version_says_what_it_leaves_out():
    shorter, replicates = Supervised2013().shorter()
    assert shorter.draws(replicates) == 3
    assert shorter.steps(replicates) == 2 * 2 * 3
    assert "two of the six maskings" in shorter.notes[-1]


def test_replicates_are_draws():
    paper = PAPERS["supervised-2013"]
    assert (paper.draws(1), paper.draws(20), paper.draws(40)) == (5, 5, 10)
    assert len(paper) == 2 * 6 * (5 + len(PROOFS))


def test_the_terminal_shows_means_and_proofs(capsys, monkeypatch):
    made_up = Outcome("supervised-2013", tuple(_made_up()), findings(list(_made_up())))
    monkeypatch.setattr(reproduction, "run", lambda *_: made_up)
    reproduction.show(PAPERS["supervised-2013"], 20, 1)
    shown = capsys.readouterr().out
    assert "84.00±1.41/84.00" in shown
    assert "the closest reading was found by a search against this very table" in shown
    assert "plain reading: columns AFNLWGT, AGI" in shown
    assert "holds: the plain mean links no more records than learned weights, in all 12 masked files" in shown
    assert "proven optimal d2WM in 12 of 12, d2CI in 12 of 12" in shown
    assert "digits" not in json.loads(made_up.to_json())["cells"][0]


def _made_up(**changes):
    """Cells of the published numbers, one point up in one draw and down in the other, with changes."""
    for masking in MASKINGS:
        for column, value in zip(DISTANCES, masking.published, strict=True):
            yield _cell("plain", masking, column, 100 * value, changes)
    for masking in MASKINGS:
        best = 100 * max(masking.published)
        for what in PROOFS:
            value = {CEILING: best, STANDARDISED_AM: 100 * masking.published[0]}.get(what, best)
            yield _cell("plain", masking, what, None, changes, value)


def _cell(reading, masking, column, published, changes, value=None):
    value = changes.get(column, published if value is None else value)
    name = table(reading) if column in DISTANCES else proof_table(reading)
    return Cell(name, masking.name, column, published, (value - 1, value + 1), digits=2)


def test_the_paper_s_own_numbers_agree_with_themselves():
    found = findings(list(_made_up()))
    assert [f.verdict for f in found[:9]] == [FindingKind.HOLDS] * 9
    texts = {f.text: f.verdict for f in found[9:]}
    assert (
        sum(verdict is FindingKind.AGREES for verdict in texts.values()) == 6
    )  # five distances, and their order
    assert not any(verdict is FindingKind.DIFFERS for verdict in texts.values())
    assert any("30 cells are 0.00 points off" in text for text in texts)


def test_broken_promises_and_impossible_numbers_are_told():
    outcome = Outcome("x", (), findings(list(_made_up(**{STANDARDISED_AM: 99.0, CEILING: 91.0}))))
    assert outcome.failed
    broken = [f.text for f in outcome.findings if f.verdict is FindingKind.BROKEN]
    assert broken[0] == (
        "the plain mean links no more records than learned weights, but does in 10 of 12 masked files"
    )
    assert any(text.startswith("the bound of d2WM is not above the ceiling, but does") for text in broken)
    (above,) = [f.text for f in outcome.findings if "any distance can reach" in f.text]
    assert "M4-33 d2MD," in above
    assert "d2AM" not in above


@pytest.mark.parametrize(("low", "high"), [(WM, CI), (WM, MD_LEARNED)])
def test_a_wider_form_may_not_find_less(low, high):
    found = findings(list(_made_up(**{low: 60.0, high: 50.0, AM: 40.0, STANDARDISED_AM: 40.0})))
    assert sum(f.verdict is FindingKind.BROKEN for f in found) == 1


def test_the_closest_reading_is_a_list_of_six_census_columns(people):
    assert len(set(CLOSEST.columns)) == 6
    assert set(CLOSEST.columns) <= set(people.schema.names())
    assert isinstance(CLOSEST.covariance, Covariance)
