"""Probabilistic linkage against slow references, on small random files full of ties and holes."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import prl as slow
from unmask import Column, Kind, Microdata, Missing, Schema
from unmask.attacks import PRL
from unmask.engines import LocalEngine, Strategy
from unmask.intruder.dossier import Dossier
from unmask.kernels.pairing import DISCRETE, SUM, Pairing
from unmask.kernels.rows import number_keys
from unmask.linkage.agreement import Bands, Exact, Positions, comparisons, count_patterns
from unmask.linkage.agreement import counting as counting_module
from unmask.linkage.decisions import NearestRecord
from unmask.linkage.fellegi_sunter import MatchShare, judge
from unmask.linkage.fellegi_sunter import decision as decision_module
from unmask.linkage.fellegi_sunter import tree as tree_module
from unmask.linkage.fellegi_sunter.costs import best_weights
from unmask.linkage.fellegi_sunter.em import setting
from unmask.linkage.fellegi_sunter.known_values import known_values
from unmask.linkage.fellegi_sunter.rows import sampled_rows
from unmask.linkage.fellegi_sunter.walk import links_by_sets

LEVELS = ("a", "b", "c", "d")
KINDS = (Kind.NUMERIC, Kind.ORDINAL, Kind.NOMINAL)
values = {
    Kind.NUMERIC: st.one_of(st.none(), st.integers(-3, 3)),
    Kind.ORDINAL: st.one_of(st.none(), st.sampled_from(LEVELS)),
    Kind.NOMINAL: st.one_of(st.none(), st.sampled_from("xyz")),
}


@st.composite
def dossiers(draw, kinds=KINDS, most=9):
    chosen = draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=4))
    columns = [
        Column(f"v{j}", kind, levels=LEVELS if kind is Kind.ORDINAL else ()) for j, kind in enumerate(chosen)
    ]
    files = []
    for _ in range(2):
        n = draw(st.integers(1, most))
        data = {c.name: draw(st.lists(values[c.kind], min_size=n, max_size=n)) for c in columns}
        types = {c.name: pl.Float64 if c.kind is Kind.NUMERIC else pl.String for c in columns}
        files.append(Microdata(Schema(tuple(columns)), pl.DataFrame(data, schema=types)))
    return Dossier(*files, missing=draw(st.sampled_from(Missing)))


def as_counter(counts, times):
    return {tuple(row): int(k) for row, k in zip(counts.levels.tolist(), times, strict=True) if k}


def selves(dossier, **options):
    files = dossier.known, dossier.released
    return tuple(comparisons(Dossier(f, f, dossier.missing), **options) for f in files)


@given(dossier=dossiers(), own=st.booleans(), threads=st.integers(1, 3))
@settings(deadline=None, max_examples=80)
def test_counts_are_those_of_all_pairs_listed(dossier, own, threads):
    compared = comparisons(dossier, missing_level=own)
    counts = count_patterns(compared, LocalEngine(threads))
    assert as_counter(counts, counts.count) == dict(slow.pattern_counts(compared))


@pytest.mark.parametrize("groups", [True, False])
@given(dossier=dossiers(kinds=(Kind.NOMINAL,)))
@settings(deadline=None, max_examples=60)
def test_both_ways_of_counting_agree_within_files_too(groups, dossier):
    compared, own = comparisons(dossier), selves(dossier)
    choose = counting_module._quicker_by_groups
    counting_module._quicker_by_groups = lambda *_: groups
    try:
        counts = count_patterns(compared, LocalEngine(), lambda: own)
    finally:
        counting_module._quicker_by_groups = choose
    assert as_counter(counts, counts.count) == dict(slow.pattern_counts(compared))
    for times, same in ((counts.within_known, own[0]), (counts.within_released, own[1])):
        listed = slow.within_counts(same)
        assert [listed[tuple(row)] for row in counts.levels.tolist()] == times.tolist()


@given(dossier=dossiers())
@settings(deadline=None, max_examples=60)
def test_marginals_are_exact(dossier):
    compared = comparisons(dossier)
    counts = count_patterns(compared, LocalEngine())
    for j, c in enumerate(compared):
        found = np.bincount(counts.levels[:, j], counts.count, c.levels)
        assert found.tolist() == c.level_shares(*c.histograms()).tolist()


@given(dossier=dossiers(), own=st.booleans())
@settings(deadline=None, max_examples=80)
def test_links_are_the_records_of_the_largest_weight(dossier, own):
    attack = PRL(missing="level" if own else "policy")
    matcher = attack.prepare(dossier, np.random.default_rng(0), LocalEngine(threads=1))
    weight, used = matcher.model.fit.weights(), matcher.model.fit.unmatched > 0
    for j, c in enumerate(matcher.model.comparisons):
        # A missing value never counts more than the best agreement.
        agreeing = weight[j, : c.ordered][used[j, : c.ordered]]
        best = agreeing.max() if len(agreeing) else 0.0
        weight[j] = -np.round(np.maximum(best - weight[j], 0), 6)
    expected = slow.belief(slow.weights(matcher.model.comparisons, weight))
    links = matcher.links()
    n, m = expected.shape
    found = np.column_stack([links.belief_in(np.full(n, r)) for r in range(m)])
    np.testing.assert_allclose(found, expected)


@given(dossier=dossiers(), share=st.sampled_from(MatchShare), within=st.booleans(), own=st.booleans())
@settings(deadline=None, max_examples=100)
def test_no_weight_rises_as_agreement_falls(dossier, share, within, own):
    attack = PRL(
        share=share,
        non_matches="within" if within else "independent",
        missing="level" if own else "policy",
        values="frequency",
    )
    matcher = attack.prepare(dossier, np.random.default_rng(0), LocalEngine(threads=1))
    fit, pairing = matcher.model.fit, matcher.nearest.pairing
    for j, c in enumerate(matcher.model.comparisons):
        used = np.flatnonzero(fit.unmatched[j, : c.ordered] > 0)
        assert (np.diff(fit.weights()[j, used]) <= 1e-9).all()
        # With weights by value too: from each value, the costs of the levels rise.
        end = pairing.offset[j] + (c.known_codes + 1) * pairing.width[j]
        table = pairing.tables[pairing.offset[j] : end].reshape(c.known_codes + 1, -1)
        for b in range(c.known_codes):
            level = np.array([slow.level(c, b, a) for a in range(c.released_codes)])
            cost = table[b, : c.released_codes][np.argsort(level, kind="stable")]
            assert (np.diff(cost[np.sort(level) < c.ordered]) >= -1e-6).all()


@given(dossier=dossiers(kinds=(Kind.NOMINAL, Kind.ORDINAL)), seed=st.integers(0, 99), depth=st.integers(1, 4))
@settings(deadline=None, max_examples=60)
def test_the_tree_answers_as_brute_force_does(dossier, seed, depth):
    pairing = PRL().prepare(dossier, np.random.default_rng(0), LocalEngine(threads=1)).nearest.pairing
    tree, brute = (LocalEngine(threads=1, strategy=s).index(pairing) for s in (Strategy.TREE, Strategy.BRUTE))
    truth = np.random.default_rng(seed).integers(-1, len(dossier.released), len(dossier.known))
    for mine, other in zip(tree.standing(truth, depth), brute.standing(truth, depth), strict=True):
        assert mine.tolist() == other.tolist()
    mine, other = tree.nearest(), brute.nearest()
    for field in ("cls_of", "cls_size", "row", "indptr", "cls", "value", "runner_up"):
        assert getattr(mine, field).tolist() == getattr(other, field).tolist()


@given(seed=st.integers(0, 10_000), d=st.integers(1, 5), silent=st.booleans())
@settings(deadline=None, max_examples=60)
def test_links_by_sets_are_those_of_the_engine(seed, d, silent):
    rng = np.random.default_rng(seed)
    known, released = (rng.integers(0, 4, (n, d)).astype(float) for n in rng.integers(1, 40, 2))
    scale = rng.uniform(1, 8, d)
    scale[0] *= not silent
    none, one = np.zeros(d, np.int64), np.ones(d)
    p = Pairing(
        known, released, none + DISCRETE, scale, np.empty(0), none, none + 4, *(one,) * 3, 1, SUM, one
    )
    mine, other = links_by_sets(p), NearestRecord(LocalEngine(threads=1).index(p)).links()
    for r in range(len(released)):
        asked = np.full(len(known), r)
        np.testing.assert_allclose(mine.belief_in(asked), other.belief_in(asked))


def test_levels_follow_their_definitions():
    people = Microdata(
        Schema((Column("x"), Column("o", Kind.ORDINAL, levels=LEVELS), Column("n", Kind.NOMINAL))),
        pl.DataFrame({"x": [0.0, 1.0, 2.0, 10.0], "o": list("abcd"), "n": list("xyxy")}),
    )
    given_ = {"x": Bands(cuts=(0.3, 1.0), grid=0.1), "o": Positions(cuts=(0, 2)), "n": Exact()}
    x, o, n = comparisons(Dossier(people, people), given_)
    z = np.round((people.frame["x"].to_numpy() - 3.25) / people.frame["x"].to_numpy().std() / 0.1) * 0.1
    away = np.abs(z[:, None] - z[None, :])
    assert (x.table[np.ix_(x.known, x.released)] == (away > 0.3001) * 1 + (away > 1.0001)).all()
    assert o.table.tolist()[0] == [0, 1, 1, 2]
    assert n.table is None


@given(dossier=dossiers())
@settings(deadline=None, max_examples=60)
def test_joint_levels_are_those_of_all_pairs_listed(dossier):
    compared = comparisons(dossier)
    size = max(c.levels for c in compared)
    shares, pairs = tree_module._pair_tables(compared, LocalEngine())
    assert pairs == len(dossier.known) * len(dossier.released)
    for j in range(len(compared)):
        for i in range(j):
            np.testing.assert_allclose(shares[i, j], slow.joint_shares(compared, i, j, size), atol=1e-12)


@given(dossier=dossiers(), of_known=st.booleans(), seed=st.integers(0, 99))
@settings(deadline=None, max_examples=60)
def test_expected_matches_of_grouped_rows_are_those_of_all_pairs_listed(dossier, of_known, seed):
    compared, rng = comparisons(dossier), np.random.default_rng(seed)
    rows = sampled_rows(setting(compared), compared, of_known, rng, LocalEngine())
    size = len(rows.known.settings), max(rows.levels)
    matched = np.stack([rng.dirichlet(np.ones(size[1]), size[0]) for _ in compared])
    expected = slow.row_expectation(compared, rows.known, matched, 0.7, of_known)
    for mine, other in zip(rows.expectation(matched, 0.7), expected, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-9, atol=1e-12)
    # What is left out has next to no part in any row.
    for mine, other in zip(rows.likely(matched).expectation(matched, 0.7), expected, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-4, atol=1e-4)


@given(dossier=dossiers(), of_known=st.booleans())
@settings(deadline=None, max_examples=40)
def test_each_pattern_of_a_row_is_there_once(dossier, of_known):
    compared = comparisons(dossier)
    found = sampled_rows(setting(compared), compared, of_known, np.random.default_rng(0), LocalEngine())
    for start, stop in pairwise(found.rows.start):
        assert len(np.unique(found.rows.codes[start:stop], axis=0)) == stop - start
        assert not of_known or found.count[start:stop].sum() == found.records


@given(dossier=dossiers())
@settings(deadline=None, max_examples=60)
def test_u_of_known_values_is_that_of_all_pairs_listed(dossier):
    compared = comparisons(dossier)
    found = known_values(setting(compared), compared)
    for c, u in zip(compared, found.unmatched, strict=True):
        for b in {-1, *c.known.tolist()}:
            listed = np.bincount([slow.level(c, b, a) for a in c.released], minlength=c.levels)
            np.testing.assert_allclose(u[b], np.maximum(listed, 0.5) / len(c.released))


@given(keys=st.lists(st.integers(0, 2**61), min_size=1, max_size=30))
@settings(deadline=None, max_examples=40)
def test_keys_are_numbered_as_they_appear(keys):
    key, first = np.array(keys), np.empty(len(keys), np.int32)
    seen = list(dict.fromkeys(keys))
    assert number_keys(key, np.empty(64, np.int64), first) == len(seen)
    assert [seen[g] for g in key] == keys
    assert first[: len(seen)].tolist() == [keys.index(k) for k in seen]


@given(dossier=dossiers())
@settings(deadline=None, max_examples=60)
def test_beliefs_are_weights_less_what_the_tree_counts_twice(dossier):
    matcher = PRL().prepare(dossier, np.random.default_rng(0), LocalEngine(threads=1))
    model, p = matcher.model, matcher.nearest.pairing
    size = model.fit.matched.shape[1]
    table = np.random.default_rng(1).normal(size=(1, size, size))
    pair = (0, 1) if len(model.comparisons) > 1 else None
    first, second = ([], []) if pair is None else ([pair[0]], [pair[1]])
    table = table[: len(first)]
    tree = tree_module.AgreementTree(np.array(first, np.int64), np.array(second, np.int64), table)
    model.__dict__["tree"] = tree
    n, m = len(p.known), len(p.released)
    weight, twice = np.zeros((n, m)), np.zeros((n, m))
    best = best_weights(model)
    cost = np.round(np.maximum(best[:, None] - model.fit.weights(), 0.0), 6)
    cost[p.metric == DISCRETE, 0] = 0.0
    weight = best.sum() - slow.weights(model.comparisons, cost)
    for b in range(n):
        for a in range(m):
            levels = [slow.level(c, c.known[b], c.released[a]) for c in model.comparisons]
            twice[b, a] = sum(t[levels[i], levels[j]] for i, j, t in zip(first, second, table, strict=True))
    present = min(model.fit.share * m, 1 - 1e-6)
    expected = slow.posterior(weight - np.maximum(twice, 0), (1 - present) / present * m)
    links = matcher.posterior(least=1e-9)
    found = np.column_stack([links.belief_in(np.full(n, r)) for r in range(m)])
    np.testing.assert_allclose(found, expected, atol=1e-6)


@given(dossier=dossiers(), seed=st.integers(0, 99), errors=st.tuples(st.floats(0, 1), st.floats(0, 1)))
@settings(deadline=None, max_examples=60)
def test_a_decision_counts_every_match_once(dossier, seed, errors):
    matcher = PRL().prepare(dossier, np.random.default_rng(0), LocalEngine(threads=1))
    truth = np.random.default_rng(seed).integers(-1, len(dossier.released), len(dossier.known))
    judged = judge(matcher.model, truth, *errors)
    places = decision_module._divided(matcher.model, *errors)[1]
    model = matcher.model
    assert list(judged.matches) == slow.matches_by_weight(model.comparisons, model.counts, places, truth)
    assert sum(judged.pairs) == len(dossier.known) * len(dossier.released)
    assert judged.decision.false_links <= errors[0] + 1e-9
    assert judged.decision.missed <= errors[1] + 1e-9
