"""Learned distances: the proven optimum is that of trying everything, and the forms stand in their order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.reference import learning as reference
from unmask.attacks.dbrl import DBRL
from unmask.attacks.fuzzy_integrals import Choquet
from unmask.attacks.learned import LearnedDistance
from unmask.attacks.owa import OWA
from unmask.data.microdata import Microdata
from unmask.data.schema import Column, Kind, Schema
from unmask.engines import LocalEngine
from unmask.intruder.dossier import Dossier
from unmask.intruder.truth import Truth
from unmask.kernels.learning_games import widest
from unmask.kernels.pairing import TIE
from unmask.linkage.aggregations import Sum
from unmask.linkage.learning import Encoding, Form, Twins
from unmask.linkage.learning.bilinear import Bilinear
from unmask.linkage.learning.clock import Deadline
from unmask.linkage.learning.contest import Contest, Lines
from unmask.linkage.learning.distances import Distances
from unmask.linkage.learning.elastic import Elastic, reweighted
from unmask.linkage.learning.forms import Weights, costs_of
from unmask.linkage.learning.margins import Games, WidestMargin
from unmask.linkage.learning.measures import Additive, Measures, choquet_reach
from unmask.linkage.spaces import ranked, standardised

ENGINE = LocalEngine(threads=1)
SLOW = settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)


def microdata(values: np.ndarray) -> Microdata:
    names = [f"v{j}" for j in range(values.shape[1])]
    return Microdata(Schema(tuple(Column(n) for n in names)), pl.DataFrame(values, schema=names))


@st.composite
def staged(draw: st.DrawFn, most: int = 6) -> tuple[Dossier, Truth]:
    """A small file on a coarse grid (ties, twins and constant columns occur), masked by noise, shuffled."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, d = draw(st.integers(2, most)), draw(st.integers(1, 3))
    grid = draw(st.sampled_from([3, 6, 40]))
    known = rng.integers(0, grid, (n, d)).astype(float)
    released = np.round(known + rng.normal(0, grid / 4, (n, d)))
    order = rng.permutation(n)
    return Dossier(microdata(known), microdata(released[order])), Truth(np.argsort(order))


@st.composite
def staged_with_twins(draw: st.DrawFn) -> tuple[Dossier, Truth]:
    """As above, with every released record replaced by one of a few."""
    (dossier, truth), rng = draw(staged()), np.random.default_rng(draw(st.integers(0, 2**32)))
    kept = rng.integers(0, draw(st.integers(1, len(dossier.released))), len(dossier.released))
    return Dossier(dossier.known, dossier.released.take(kept)), truth


def all_costs(dossier: Dossier, encoding: Encoding) -> np.ndarray:
    space = standardised(dossier) if encoding is Encoding.VALUES else ranked(dossier)
    n, m = len(dossier.known), len(dossier.released)
    base = space.pairing(Sum(power=2 if encoding is Encoding.VALUES else 1))
    return costs_of(base, np.repeat(np.arange(n), m), np.tile(np.arange(m), n)).reshape(n, m, -1)


def learned(  # type: ignore[no-untyped-def]
    attack: LearnedDistance, case: tuple[Dossier, Truth], prove: bool = True, limit: float = 60.0
):
    return attack.learn(*case, np.random.default_rng(1), ENGINE, prove=prove, limit=limit)


@pytest.mark.parametrize("encoding", Encoding)
@pytest.mark.parametrize("form", [Form.WM, Form.OWA, Form.CHOQUET])
@SLOW
@given(case=staged())
def test_the_optimum_is_that_of_trying_every_set(
    form: Form, encoding: Encoding, case: tuple[Dossier, Truth]
) -> None:
    lesson = learned(LearnedDistance(form, encoding, twins=Twins.STRICT), case).lesson
    assert lesson.status == "optimal"
    assert lesson.found == reference.most(form.value, all_costs(case[0], encoding), case[1].row.tolist())
    assert lesson.found <= lesson.ceiling <= lesson.records


@pytest.mark.parametrize("form", [Form.WM, Form.OWA, Form.CHOQUET])
@SLOW
@given(case=staged_with_twins())
def test_with_shared_twins_too(form: Form, case: tuple[Dossier, Truth]) -> None:
    dossier, truth = case
    twins = reference.identical(dossier.released.numbers(dossier.attributes))
    matcher = learned(LearnedDistance(form, twins=Twins.SHARED), case)
    lesson = matcher.lesson
    assert (lesson.status, lesson.twins) == ("optimal", "shared")
    costs = all_costs(dossier, Encoding.VALUES)
    assert lesson.found == reference.most(form.value, costs, truth.row.tolist(), twins)
    standing = matcher.standing(truth, 1)
    size = np.array([len(twins[row]) for row in truth.row])
    assert lesson.found == int(((standing.closer == 0) & (standing.tied == size)).sum())
    assert lesson.ceiling == int((size == 1).sum())


@SLOW
@given(case=st.one_of(staged(most=10), staged_with_twins()))
def test_shared_twins_count_no_fewer_and_the_same_where_there_are_none(case: tuple[Dossier, Truth]) -> None:
    for form in Form:
        shared, strictly = (
            learned(LearnedDistance(form, twins=twins), case).lesson for twins in (Twins.SHARED, Twins.STRICT)
        )
        assert strictly.bound is not None
        assert strictly.found <= strictly.bound <= strictly.ceiling == shared.ceiling
        if strictly.status == shared.status == "optimal":
            assert shared.found >= strictly.found
        rows = case[0].released.numbers(case[0].attributes)
        if len(np.unique(rows, axis=0)) == len(rows):
            assert replace(shared, twins="strict") == strictly


@st.composite
def staged_kinds(draw: st.DrawFn) -> tuple[Dossier, Truth]:
    """A small nominal, mixed or numeric file in which some values were changed: most records tie."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, d = draw(st.integers(4, 16)), draw(st.integers(2, 4))
    kinds = draw(st.sampled_from([[Kind.NOMINAL] * d, [Kind.NOMINAL, Kind.NUMERIC] * d, [Kind.NUMERIC] * d]))[
        :d
    ]
    known = rng.integers(0, 3, (n, d))
    released = np.where(rng.random((n, d)) < 0.3, rng.integers(0, 3, (n, d)), known)
    schema = Schema(tuple(Column(f"v{j}", kind) for j, kind in enumerate(kinds)))

    def file(values: np.ndarray) -> Microdata:
        columns = {
            f"v{j}": [f"c{v}" for v in values[:, j]] if kind is Kind.NOMINAL else values[:, j].astype(float)
            for j, kind in enumerate(kinds)
        }
        return Microdata(schema, pl.DataFrame(columns))

    order = rng.permutation(n)
    return Dossier(file(known), file(released[order])), Truth(np.argsort(order))


@settings(SLOW, max_examples=10)
@given(case=st.one_of(staged_kinds(), staged(most=14)))
def test_a_form_that_contains_another_is_never_below_it(case: tuple[Dossier, Truth]) -> None:
    """In the reading that tables show, and whatever the proof says."""
    links, places, sets = (
        attack.prepare(case[0], np.random.default_rng(0), ENGINE).standing(case[1], 1).belief().sum()
        for attack in (DBRL(), OWA(), Choquet())
    )
    found = {}
    for form in Form:
        matcher = learned(LearnedDistance(form), case, limit=4.0)
        found[form], lesson = matcher.standing(case[1], 1).belief().sum(), matcher.lesson
        assert lesson.found == pytest.approx(found[form])
        assert lesson.bound is not None
        assert lesson.found <= lesson.bound <= lesson.records
        assert 0 <= lesson.margin <= 1
    pairs = learned(LearnedDistance(Form.CHOQUET, additivity=2), case, limit=4.0).lesson
    assert links <= found[Form.WM] <= found[Form.CHOQUET]
    assert max(links, places) <= found[Form.OWA] <= found[Form.CHOQUET]
    assert sets <= found[Form.CHOQUET]
    assert found[Form.WM] <= found[Form.BILINEAR]
    assert found[Form.WM] <= pairs.found


@SLOW
@given(case=staged(most=14))
def test_in_the_strict_reading_too(case: tuple[Dossier, Truth]) -> None:
    standing = DBRL().prepare(case[0], np.random.default_rng(0), ENGINE).standing(case[1], 1)
    plain = int(((standing.closer == 0) & (standing.tied == 1)).sum())
    found = {form: learned(LearnedDistance(form, twins=Twins.STRICT), case).lesson.found for form in Form}
    assert plain <= found[Form.WM] <= found[Form.CHOQUET]
    assert plain <= found[Form.OWA] <= found[Form.CHOQUET]
    assert found[Form.WM] <= found[Form.BILINEAR]


@st.composite
def staged_plane(draw: st.DrawFn, d: int) -> tuple[Dossier, Truth]:
    """As few records as can be tried under all parameters, with ties of every sort."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, grid = draw(st.integers(2, 5)), draw(st.sampled_from([2, 3, 50]))
    known = rng.integers(0, grid, (n, d)).astype(float)
    released = np.where(rng.random((n, d)) < 0.5, rng.integers(0, grid, (n, d)), known)
    order = rng.permutation(n)
    return Dossier(microdata(known), microdata(released[order])), Truth(np.argsort(order))


@pytest.mark.parametrize(("form", "d"), [(Form.WM, 3), (Form.OWA, 3), (Form.CHOQUET, 2)])
@settings(SLOW, max_examples=25)
@given(data=st.data())
def test_no_parameters_count_more_than_the_bound(form: Form, d: int, data: st.DataObject) -> None:
    case = data.draw(staged_plane(d))
    lesson = learned(LearnedDistance(form), case, limit=4.0).lesson
    most = reference.most_expected(form.value, all_costs(case[0], Encoding.VALUES), case[1].row.tolist())
    assert lesson.bound is not None
    assert lesson.found - 1e-6 <= most <= lesson.bound + 1e-6
    if lesson.status == "optimal":
        assert lesson.found == pytest.approx(most)


@SLOW
@given(case=staged(most=14))
def test_parameters_are_valid(case: tuple[Dossier, Truth]) -> None:
    d = len(case[0].attributes)
    for form in (Form.WM, Form.OWA):
        weights = np.array(learned(LearnedDistance(form), case, prove=False).lesson.parameters)
        assert (weights >= 0).all()
        assert weights.sum() == pytest.approx(1)
    for additivity in (None, 2):
        lesson = learned(LearnedDistance(Form.CHOQUET, additivity=additivity), case, prove=False).lesson
        mu = np.array(lesson.parameters)
        assert (mu[0], mu[-1]) == (0, 1)
        for j in range(d):
            without = np.flatnonzero(~(np.arange(len(mu)) >> j) & 1)
            assert (mu[without] <= mu[without | 1 << j]).all()
        assert sum(lesson.weights) == pytest.approx(1)
    matrix = np.array(learned(LearnedDistance(Form.BILINEAR), case, prove=False).lesson.parameters)
    matrix = matrix.reshape(d, d)
    assert np.allclose(matrix, matrix.T)
    assert np.linalg.eigvalsh(matrix)[0] > -1e-12
    assert np.trace(matrix) == pytest.approx(1)


@SLOW
@given(case=staged(most=8))
def test_learning_does_not_depend_on_the_order_of_the_release(case: tuple[Dossier, Truth]) -> None:
    dossier, truth = case
    order = np.random.default_rng(5).permutation(len(dossier.released))
    place = np.argsort(order)
    moved = Dossier(dossier.known, dossier.released.take(order)), Truth(place[truth.row])
    for form in Form:
        one, other = learned(LearnedDistance(form), case).lesson, learned(LearnedDistance(form), moved).lesson
        assert (one.ceiling, one.records) == (other.ceiling, other.records)
        if one.status == other.status == "optimal":
            assert one.found == other.found


@settings(max_examples=60, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**32), lines=st.integers(1, 12), p=st.integers(1, 6))
def test_games_are_solved(seed: int, lines: int, p: int) -> None:
    rng = np.random.default_rng(seed)
    line = np.round(rng.uniform(-0.4, 1, (lines, p)), rng.integers(1, 9))
    asked = rng.random(lines) < 0.8
    first = int(rng.integers(lines))
    asked[first] = True
    mix, margin, held = widest(line, asked, first, np.inf, 1e-9)
    optimum = reference.widest(line[asked])
    assert (mix >= 0).all()
    assert mix.sum() == pytest.approx(1)
    if optimum > 1e-8:
        assert margin == pytest.approx(optimum, abs=1e-9)
        assert (line[asked] @ mix).min() == pytest.approx(margin, abs=1e-9)
        assert len(held) == 0
    else:
        assert margin <= 1e-9
        assert asked[held].all()
        assert reference.widest(line[held]) <= 1e-8  # they alone exclude each other


@settings(max_examples=40, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**32), targets=st.integers(1, 12), p=st.integers(1, 6))
def test_both_widest_margin_programs_agree(seed: int, targets: int, p: int) -> None:
    rng = np.random.default_rng(seed)
    files = (microdata(rng.normal(size=(3, p))) for _ in range(2))
    family = Weights(standardised(Dossier(*files)).pairing(Sum(power=2)))
    line = rng.uniform(-0.3, 1, (2 * targets, p))
    of = np.repeat(np.arange(targets), 2)
    lines = Lines(line, np.maximum(-line.min(axis=1), 0.0), of, np.arange(len(of)))
    for asked in (np.ones(targets, dtype=np.bool_), np.arange(targets) % 2 == 0):  # the same program again
        optimum = reference.widest(line[asked[of]])
        for program in (Games(), WidestMargin(family)):
            for least in (1e-6, np.inf):
                theta, margin, held = program.widest(lines, asked, 0, least, Deadline.after(3600))
                if len(held):
                    assert margin <= 1e-9
                    assert optimum <= 1e-8
                    assert reference.widest(line[np.isin(of, held)]) <= 1e-8
                else:
                    assert optimum > -1e-8
                    assert (line[asked[of]] @ theta).min() >= min(least, optimum) - 1e-8


@settings(max_examples=30, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**32), d=st.integers(2, 4), n=st.integers(2, 12))
def test_the_kernel_of_cones_agrees_with_the_linear_program(seed: int, d: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    known = rng.normal(size=(n, d))
    space = standardised(Dossier(microdata(known), microdata(known + 0.7 * rng.normal(size=(n, d)))))
    for family in (Measures(space.pairing(Sum(power=2))), Bilinear(space)):
        contest = Contest(Distances(family, ENGINE), np.arange(n), np.arange(n))
        for start in family.starts():
            contest.won(start)
        lines, asked = contest.lines, rng.random(n) < 0.8
        asked[lines.of[0]] = True
        kernel, program = WidestMargin(family), WidestMargin(family)
        theta, margin, held = kernel.widest(lines, asked, 0, np.inf, Deadline.after(3600))
        _, optimum, conflict = program._one_by_one(lines, asked, 0, np.inf, Deadline.after(3600))
        assert (len(held) > 0) == (len(conflict) > 0)
        if len(held):
            assert margin <= 1e-9
            only = np.isin(np.arange(n), held)
            first = int(np.argmax(only[lines.of]))
            assert program._one_by_one(lines, only, first, 0.0, Deadline.after(3600))[1] <= 1e-9
        else:
            assert min(margin, 1.0) == pytest.approx(optimum, abs=1e-4)  # HiGHS stops at 1
            assert (lines.line[asked[lines.of]] @ theta).min() == pytest.approx(margin, abs=1e-8)
            assert len(family.cuts(theta)) == 0


@SLOW
@given(case=staged(most=14))
def test_weighting_losses_anew_loses_no_more(case: tuple[Dossier, Truth]) -> None:
    dossier, truth = case
    targets, space = np.arange(len(dossier.known)), standardised(dossier)
    base = space.pairing(Sum(power=2))
    for family in (Weights(base), Measures(base), Additive(base, 2), Bilinear(space)):
        contest = Contest(Distances(family, ENGINE), targets, truth.row)
        start = contest.tried(family.starts()[0])
        best = reweighted(Elastic(contest), start, np.random.default_rng(1), Deadline.after(60))
        assert best.value >= start.value
        assert (contest.won(best.theta) == best.won).all()
        assert len(family.cuts(best.theta)) == 0


@settings(max_examples=60, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**32), d=st.integers(1, 4))
def test_features_give_the_value_that_the_engine_computes(seed: int, d: int) -> None:
    rng = np.random.default_rng(seed)
    dossier = Dossier(microdata(rng.normal(size=(4, d))), microdata(rng.normal(size=(5, d))))
    space = standardised(dossier)
    base = space.pairing(Sum(power=2))
    rows, rivals, own = (np.array(x) for x in ([0, 1, 2, 3], [4, 3, 2, 1], [0, 0, 1, 2]))
    families = [
        Weights(base),
        Weights(base, ordered=True),
        Measures(base),
        Additive(base, 2),
        Bilinear(space),
    ]
    for family in families:
        ends = family.ends(family.starts()[0], rng)
        theta = family.mend(ends.mean(axis=0))
        assert len(family.cuts(theta)) == 0
        record, value = ENGINE.index(family.pairing(theta)).k_nearest(5)
        at = {(i, int(j)): v for i in range(4) for j, v in zip(record[i], value[i], strict=True)}
        lines, reach = family.inequalities(rows, rivals, own)
        for k in range(4):
            difference = at[rows[k], rivals[k]] - (1 + TIE) * at[rows[k], own[k]]
            assert lines[k] @ theta == pytest.approx(difference, rel=1e-9, abs=1e-9)
            assert (lines[k] @ ends.T >= -reach[k] * (1 + 1e-9) - 1e-9).all()


@settings(max_examples=40, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**32), d=st.integers(1, 3))
def test_reach_of_choquet_is_attained(seed: int, d: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 6, (2, 1, d)).astype(float)
    corners = [np.array(bits, dtype=float) for bits in np.ndindex(*(2,) * (1 << d))]
    monotone = [
        mu
        for mu in corners
        if mu[0] == 0
        and mu[-1] == 1
        and all(mu[s] <= mu[s | 1 << j] for s in range(1 << d) for j in range(d))
    ]
    worst = max(mu @ (reference.choquet_steps(y[0]) - reference.choquet_steps(x[0])) for mu in monotone)
    assert choquet_reach(x, y)[0] == pytest.approx(max(worst, 0.0))
