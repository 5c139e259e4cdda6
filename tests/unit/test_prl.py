"""Probabilistic linkage: parameters recovered from simulated matches, notes, decisions, limits."""

from __future__ import annotations

import subprocess
import sys
from functools import partial

import numpy as np
import polars as pl
import pytest

import unmask
from unmask import Column, Kind, Microdata, Missing, Scenario, Schema
from unmask.attacks import PRL, attack_named
from unmask.attacks.prl import ValueWeights
from unmask.documents import ASSESSMENT
from unmask.engines import LocalEngine
from unmask.errors import ArgumentError, UnmaskError
from unmask.intruder.dossier import Dossier
from unmask.linkage.agreement import (
    Bands,
    Positions,
    Similarity,
    StringMeasure,
    TooMuchWorkError,
    comparisons,
    count_patterns,
)
from unmask.linkage.agreement.within import dependence
from unmask.linkage.fellegi_sunter import decide, em, fit_model, model
from unmask.linkage.fellegi_sunter.em import Problem, estimate, pooled, setting, starts
from unmask.linkage.fellegi_sunter.targets import estimate_by_targets
from unmask.linkage.fellegi_sunter.tree import AgreementTree
from unmask.masks import Noise

ENGINE = LocalEngine()
CARDS = (4, 8, 12, 20, 30, 50, 80)
TRUE_M = np.array([0.95, 0.9, 0.85, 0.9, 0.8, 0.9, 0.85])


def simulated(n, seed=0, dependent=0.0, cards=CARDS, matched=TRUE_M):
    """Two files of the same n people: attribute j agrees with probability matched[j] for a person."""
    rng = np.random.default_rng(seed)
    common = rng.normal(size=n)
    known, released = {}, {}
    for j, (k, m) in enumerate(zip(cards, matched, strict=True)):
        mixed = dependent * common + (1 - dependent) * rng.normal(size=n)
        value = (np.argsort(np.argsort(mixed)) * k // n).astype(int)
        # A wrong value is another one than the right one, so that m is exactly the share that agrees.
        shift = np.where(rng.random(n) < m, 0, rng.integers(1, k, n))
        known[f"v{j}"], released[f"v{j}"] = value.astype(str), ((value + shift) % k).astype(str)
    schema = Schema(tuple(Column(name, Kind.NOMINAL) for name in known))
    order = order_of(n)
    files = Microdata(schema, pl.DataFrame(known)), Microdata(schema, pl.DataFrame(released)).take(order)
    return Dossier(*files)


def order_of(n):
    """Which person each released record belongs to."""
    return np.random.default_rng(n).permutation(n)


def selves(dossier):
    return tuple(comparisons(Dossier(f, f)) for f in (dossier.known, dossier.released))


@pytest.mark.parametrize(("n", "tolerance"), [(1000, 0.04), (10_000, 0.02), (100_000, 0.02)])
def test_known_parameters_are_recovered(n, tolerance):
    dossier = simulated(n)
    compared = comparisons(dossier)
    fitted = fit_model(compared, partial(selves, dossier), np.random.default_rng(0), ENGINE)
    np.testing.assert_allclose(fitted.fit.matched[:, 0], TRUE_M, atol=tolerance)
    np.testing.assert_allclose(fitted.fit.unmatched[:, 0], 1 / np.array(CARDS), atol=0.005)
    assert fitted.fit.share * n == pytest.approx(1, abs=0.1)
    assert fitted.fit.converged


@pytest.mark.parametrize("n", [1000, 10_000])
def test_a_fixed_share_recovers_them_too(n):
    dossier = simulated(n, seed=1)
    fitted = fit_model(
        comparisons(dossier),
        partial(selves, dossier),
        np.random.default_rng(0),
        ENGINE,
        model.MatchShare.FIXED,
    )
    np.testing.assert_allclose(fitted.fit.matched[:, 0], TRUE_M, atol=0.04)
    assert fitted.fit.share == 1 / n


def test_dependent_attributes_mislead_free_em_and_targets_mend_it():
    dossier = simulated(10_000, dependent=0.6)
    compared = comparisons(dossier)
    counts = count_patterns(compared, ENGINE)
    free = estimate(Problem(setting(compared), counts, dependence(counts)), free=True)[0]
    assert free.share * 10_000 > 10
    fitted = fit_model(compared, None, np.random.default_rng(0), ENGINE)
    assert any("one record each" in note for note in fitted.notes)
    np.testing.assert_allclose(fitted.fit.matched[:, 0], TRUE_M, atol=0.08)


def test_pairs_within_the_files_teach_how_attributes_agree_by_chance():
    dossier = simulated(2000, dependent=0.6)
    compared = comparisons(dossier)
    counts = count_patterns(compared, ENGINE, partial(selves, dossier))
    log = dependence(counts)
    everything = (counts.levels == 0).all(axis=1)
    assert log[everything] > 1
    problem = Problem(setting(compared), counts, log)
    blind = problem._replace(offset=np.zeros(len(log)))
    wrong = [np.abs(estimate(p)[0].matched[:, 0] - TRUE_M).max() for p in (problem, blind)]
    assert wrong[0] < wrong[1]


def test_dependence_is_named():
    dossier = simulated(2000, dependent=0.8)
    fitted = fit_model(comparisons(dossier), None, np.random.default_rng(0), ENGINE, model.MatchShare.FIXED)
    assert any("agree together" in note and "'v" in note for note in fitted.notes)
    assert any("left free" in note for note in fitted.notes)


def test_files_without_matches_are_told_apart_from_files_with():
    mine, other = simulated(500, seed=1), simulated(500, seed=2)
    dossier = Dossier(mine.known, other.released)
    fitted = fit_model(
        comparisons(dossier),
        partial(selves, dossier),
        np.random.default_rng(0),
        ENGINE,
        model.MatchShare.FIXED,
    )
    assert any("not identified" in note or "not the matches" in note for note in fitted.notes)


def test_present_targets_are_estimated():
    dossier = simulated(1000)
    half = Dossier(dossier.known, dossier.released.take(np.arange(500)))
    fit, sampled = estimate_by_targets(
        setting(comparisons(half)), comparisons(half), np.random.default_rng(0), ENGINE
    )
    assert fit.share * 500 == pytest.approx(0.5, abs=0.1)
    assert sampled == "all released records"


def test_pooled_ratios_never_rise():
    rng = np.random.default_rng(0)
    for _ in range(50):
        m, u = rng.dirichlet(np.ones(5)), rng.dirichlet(np.ones(5))
        made = pooled(m, u)
        assert made.sum() == pytest.approx(1)
        assert (np.diff(made / u) <= 1e-12).all()


def test_decision_counts_all_pairs_and_keeps_its_errors():
    dossier = simulated(1000)
    fitted = fit_model(comparisons(dossier), partial(selves, dossier), np.random.default_rng(0), ENGINE)
    strict, loose = decide(fitted, 1e-7, 0.01), decide(fitted, 1e-4, 0.1)
    for found, limits in ((strict, (1e-7, 0.01)), (loose, (1e-4, 0.1))):
        assert found.linked + found.clerical + found.non_linked == 1000 * 1000
        assert found.false_links <= limits[0]
        assert found.missed <= limits[1]
        assert found.upper >= found.lower
    assert strict.linked < loose.linked
    assert strict.clerical > loose.clerical
    with pytest.raises(ArgumentError, match="from 0 to 1"):
        decide(fitted, 2.0)


def test_posterior_links_are_calibrated_beliefs():
    dossier, order = simulated(400), order_of(400)
    matcher = PRL().prepare(dossier, np.random.default_rng(0), LocalEngine())
    links = matcher.posterior()
    belief = np.column_stack([links.belief_in(np.full(400, r)) for r in range(400)])
    assert (belief.sum(axis=1) <= 1 + 1e-12).all()
    right = belief[order, np.arange(400)]
    # Beliefs mean what they say: so many links of the best record are right as they promise.
    best = belief.argmax(axis=1)
    assert (order[best] == np.arange(400)).mean() == pytest.approx(belief.max(axis=1).mean(), abs=0.04)
    assert right.mean() > 0.8
    some = matcher.posterior(np.array([5, 3]))
    np.testing.assert_allclose(some.belief_in(best[[5, 3]]), belief[[5, 3], best[[5, 3]]])


def test_counting_refuses_too_much_work_with_advice():
    data = Microdata(Schema((Column("x"),)), pl.DataFrame({"x": np.arange(50.0)}))
    with pytest.raises(TooMuchWorkError, match=r"look-ups.*Hint: name fewer attributes"):
        count_patterns(comparisons(Dossier(data, data)), ENGINE, most_lookups=10)


def test_assess_falls_back_to_targets_when_pairs_are_too_many(monkeypatch):
    monkeypatch.setattr(model, "count_patterns", _refuse)
    people = pl.DataFrame({"age": np.arange(200.0), "pay": np.random.default_rng(0).lognormal(size=200)})
    risk = unmask.assess(people, Noise(a=0.05), known=["age", "pay"], attacks=["prl"], seed=1)
    assert any("too many pairs" in note for note in risk.runs[0].notes)
    with pytest.raises(UnmaskError, match="too much"):
        unmask.assess(people, Noise(a=0.05), known=["age", "pay"], attacks=["prl:share=fixed"], seed=1)


def _refuse(*_args, **_options):
    raise TooMuchWorkError("too much", hint="less")


def test_rare_values_weigh_more_by_frequency():
    schema = Schema((Column("town", Kind.NOMINAL), Column("job", Kind.NOMINAL)))
    towns, jobs = ["big"] * 90 + ["small"] * 10, [f"j{i % 50}" for i in range(100)]
    data = Microdata(schema, pl.DataFrame({"town": towns, "job": jobs}))
    attack = PRL(values=ValueWeights.FREQUENCY, non_matches="independent", share="fixed")
    pairing = attack.prepare(Dossier(data, data), np.random.default_rng(0), LocalEngine()).nearest.pairing
    table = pairing.tables[: 3 * pairing.width[0]].reshape(3, -1)
    # Disagreement with a rare value costs more than with a common one: agreement on it tells more.
    big, small = 0, 1
    assert table[small, big] > table[big, small] > 0


def test_similar_strings_agree_partly():
    table = Similarity(cuts=(1.0, 0.8), measure=StringMeasure.LEVENSHTEIN).table(
        ["smith"], ["smith", "smyth", "jones"]
    )
    assert table.tolist() == [[0, 1, 2]]


def test_parameters_are_written_and_read():
    attack = attack_named("prl:share=fixed,values=frequency")
    assert attack.name == "prl:share=fixed,values=frequency"
    assert attack == PRL(share=model.MatchShare.FIXED, values=ValueWeights.FREQUENCY)
    with pytest.raises(ArgumentError, match="did you mean 'fixed'"):
        attack_named("prl:share=fixd")


def test_agreements_must_fit_the_kind():
    data = simulated(10)
    for agreement in (Bands(), Positions()):
        with pytest.raises(ArgumentError, match="nominal"):
            comparisons(data, {"v0": agreement})
    with pytest.raises(UnmaskError, match="no column 'w'"):
        comparisons(data, {"w": Bands()})


def test_blocking_keeps_links_inside_blocks():
    dossier = simulated(300)
    blocked = Dossier(dossier.known, dossier.released, block=("v0",))
    links = PRL().prepare(blocked, np.random.default_rng(0), LocalEngine()).links()
    mine, theirs = (f.frame["v0"].to_numpy() for f in (dossier.known, dossier.released))
    for r in range(300):
        believed = links.belief_in(np.full(300, r)) > 0
        assert (mine[believed] == theirs[r]).all()


def test_scenario_policies_change_what_missing_means():
    people = pl.DataFrame({"a": ["x", "y", None, "z"] * 20, "b": ["p", None, "q", "q"] * 20})
    for policy in Missing:
        risk = unmask.assess(people, people, scenario=Scenario(("a", "b"), missing=policy), attacks=["prl"])
        assert risk.runs[0].standing.belief().sum() > 0


def test_importing_unmask_compiles_and_compares_nothing():
    code = "import sys, unmask.attacks; print('numba' in sys.modules, 'rapidfuzz' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["False", "False"]


def test_the_isotonic_step_does_not_lower_the_likelihood():
    dossier = simulated(400, cards=(4, 8, 12), matched=np.array([0.3, 0.9, 0.85]))
    compared = comparisons(dossier)
    counts = count_patterns(compared, ENGINE)
    problem = Problem(setting(compared), counts, np.zeros(len(counts.count)))
    start = starts(problem.setting)[1]
    gains = [em._run(problem, start, False, most).gain for most in range(1, 12)]
    assert gains[-1] > gains[0]
    assert np.diff(gains).min() > -1e-3


def chained(n, seed):
    """Two files of 6 attributes; each value is often that of the attribute before it, and often kept."""
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 10, (n, 6))
    for j in range(1, 6):
        values[:, j] = np.where(rng.random(n) < 0.7, values[:, j - 1], values[:, j])
    released = np.where(rng.random((n, 6)) < 0.6, values, rng.integers(0, 10, (n, 6)))
    names = [f"v{j}" for j in range(6)]
    schema = Schema(tuple(Column(name, Kind.NOMINAL) for name in names))
    files = (Microdata(schema, pl.DataFrame(v.astype(str), schema=names)) for v in (values, released))
    known, masked = files
    return Dossier(known, masked.take(order_of(n)))


def test_beliefs_stay_honest_where_attributes_depend_on_each_other():
    """A small `python -m bench.prl_calibration`: claimed beside right, with the tree and without it."""
    gaps = []
    for seed in range(2):
        matcher = PRL().prepare(chained(400, seed), np.random.default_rng(0), LocalEngine())
        links = matcher.links()
        right = links.belief_in(np.argsort(order_of(400))).mean()
        assert right > 0.24
        # The tree in the fit keeps m near the truth: 0.6 kept, and a tenth of the others drawn again.
        assert abs(matcher.model.fit.matched[:, 0].mean() - 0.64) < 0.06
        with_tree = _claimed(matcher, links)
        matcher.model.__dict__["tree"] = AgreementTree(*np.empty((2, 0), np.int64), np.empty((0, 2, 2)))
        gaps.append((with_tree - right, _claimed(matcher, links) - right))
    tree, independent = np.mean(gaps, axis=0)
    assert independent > 0.15  # without the tree they promise too much
    assert abs(tree) < 0.1


def _claimed(matcher, links):
    """The mean belief in the best links."""
    beliefs = matcher.posterior(least=1e-6)
    rows = [np.full(400, r) for r in range(400)]
    return sum((links.belief_in(r) * beliefs.belief_in(r)).sum() for r in rows) / 400


def test_the_tree_joins_what_depends_and_nothing_else():
    rng = np.random.default_rng(0)
    a, c = rng.integers(0, 5, 600), rng.integers(0, 5, 600)
    b = np.where(rng.random(600) < 0.8, a, rng.integers(0, 5, 600))
    schema = Schema(tuple(Column(name, Kind.NOMINAL) for name in "abc"))
    data = Microdata(schema, pl.DataFrame({"a": a, "b": b, "c": c}).cast(pl.String))
    fitted = fit_model(comparisons(Dossier(data, data)), None, np.random.default_rng(0), ENGINE)
    tree = fitted.tree
    edges = list(zip(tree.first.tolist(), tree.second.tolist(), strict=True))
    assert edges[0] == (0, 1)
    assert tree.excess[0][0, 0] > 0.5  # two who agree on a mostly agree on b
    assert all(abs(tree.excess[e]).max() < 0.1 for e in range(1, len(edges)))


def test_pairs_are_divided_where_errors_are_admitted():
    people = _people()
    asked = {
        "known": ["town", "job", "age"],
        "attacks": ["prl", "dbrl"],
        "measures": ["reidentification"],
        "seed": 1,
    }
    risk = unmask.assess(people, Noise(a=0.1), **asked, false_links=1e-3, missed=0.1)
    prl, dbrl = (a for a in risk.document.attacks if a.name.startswith(("prl", "dbrl")))
    assert prl.name == "prl:false_links=0.001,missed=0.1"
    assert dbrl.division is None
    found = prl.division
    assert [one.name for one in found.sets] == ["linked", "for a clerk", "not linked"]
    assert sum(one.pairs for one in found.sets) == 300 * 300
    assert sum(one.matches for one in found.sets) == 300
    linked = found.sets[0]
    assert found.real_false_links == (linked.pairs - linked.matches) / (300 * 300 - 300)
    assert found.real_missed == found.sets[2].matches / 300
    assert found.expected_false_links <= 1e-3
    assert found.expected_missed <= 0.1
    page = risk.to_html()
    assert "Linked pairs" in page
    assert "share of matches that are not linked: 0.1 admitted" in page
    assert ASSESSMENT.text(ASSESSMENT.read(risk.to_json())) == risk.to_json()
    same = unmask.assess(people, Noise(a=0.1), **asked | {"attacks": [prl.name, "dbrl"]})
    assert same.document.attacks[0].division == found
    plain = unmask.assess(people, Noise(a=0.1), **asked)
    assert plain.document.attacks[0].division is None
    assert "Linked pairs" not in plain.to_html()


def _people():
    rng = np.random.default_rng(0)
    return pl.DataFrame(
        {
            "town": rng.choice(["a", "b", "c", "d"], 300),
            "job": [f"j{k}" for k in rng.integers(0, 12, 300)],
            "age": rng.normal(40, 12, 300),
        }
    )


def test_admitted_errors_are_refused_where_they_mean_nothing():
    with pytest.raises(ArgumentError, match="from 0 to 1"):
        attack_named("prl:false_links=2")
    with pytest.raises(ArgumentError, match=r"no attack divides pairs.*name prl"):
        unmask.assess(_people(), Noise(a=0.1), known=["age"], attacks=["dbrl"], missed=0.1)


def test_a_division_that_takes_too_long_is_said_not_guessed(monkeypatch):
    monkeypatch.setattr(model, "count_patterns", _refuse)
    risk = unmask.assess(_people(), Noise(a=0.1), known=["town", "age"], attacks=["prl:missed=0.1"])
    assert risk.document.attacks[0].division is None
    assert any("no pair was linked by threshold: too much" in note for note in risk.runs[0].notes)
