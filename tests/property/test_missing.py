"""Every method reads missing values as the policy's definition says, whichever side lacks them."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import linkage, prl
from tests.reference.missing import EQUAL, FAR, IGNORED, verdict
from unmask import Column, Kind, Microdata, Missing, Schema
from unmask.attacks import attack_named
from unmask.engines import LocalEngine, Strategy
from unmask.intruder.dossier import Dossier
from unmask.kernels.pairing import DIFFERENCE
from unmask.linkage.aggregations import Sum
from unmask.linkage.agreement import comparisons, count_patterns, with_itself
from unmask.linkage.mechanism import terms
from unmask.linkage.spaces import ranked, standardised, to_unit
from unmask.linkage.transitions import Declaration

LEVELS = ("low", "mid", "high")
SCHEMA = Schema((Column("age"), Column("town", Kind.NOMINAL), Column("school", Kind.ORDINAL, levels=LEVELS)))
every_policy = pytest.mark.parametrize("missing", Missing)
quick = settings(deadline=None, max_examples=25)
seeds = st.integers(0, 10**6)


def file(rng: np.random.Generator, n: int, holes: float) -> Microdata:
    """Few values, so that many agree; holes everywhere."""
    columns: dict[str, list[object]] = {
        "age": rng.integers(0, 4, n).astype(float).tolist(),
        "town": rng.choice(list("ab"), n).tolist(),
        "school": rng.choice(LEVELS, n).tolist(),
    }
    for values in columns.values():
        for i in np.flatnonzero(rng.random(n) < holes):
            values[i] = None
    types = {"age": pl.Float64, "town": pl.String, "school": pl.String}
    return Microdata(SCHEMA, pl.DataFrame(columns, schema=types))


def dossier(seed: int, missing: Missing) -> Dossier:
    rng = np.random.default_rng(seed)
    shares = rng.choice([0.0, 0.3, 0.6], 2)
    n, m = rng.integers(1, 9, 2)
    return Dossier(file(rng, n, shares[0]), file(rng, m, shares[1]), missing)


@every_policy
@pytest.mark.parametrize("make", [standardised, ranked, lambda d: to_unit(standardised(d))])
@given(seed=seeds)
@quick
def test_differences(missing, make, seed):
    space = make(dossier(seed, missing))
    found = linkage.values(space.pairing(Sum(2)))
    for i, known in enumerate(space.known):
        for k, released in enumerate(space.released):
            deltas = []
            for j, (x, y) in enumerate(zip(known, released, strict=True)):
                if math.isnan(x) or math.isnan(y):
                    says = verdict(missing, math.isnan(x), math.isnan(y))
                    deltas.append({FAR: space.farthest[j], EQUAL: 0.0, IGNORED: None}[says])
                else:
                    away = abs(x - y) if space.metric[j] == DIFFERENCE else float(x != y)
                    deltas.append(space.scale[j] * away)
            there = [d for d in deltas if d is not None]
            mean = sum(there) / len(there) if there else 0.0
            expected = sum((mean if d is None else d) ** 2 for d in deltas)
            assert found[i, k] == pytest.approx(expected)


@every_policy
@given(seed=seeds)
@quick
def test_levels_of_agreement(missing, seed):
    for c in comparisons(dossier(seed, missing)):
        for b in c.known:
            for a in c.released:
                if b < 0 or a < 0:
                    says = verdict(missing, bool(b < 0), bool(a < 0))
                    expected = {FAR: c.ordered - 1, EQUAL: 0, IGNORED: c.weightless}[says]
                    assert prl.level(c, b, a) == expected


@every_policy
@given(seed=seeds)
@quick
def test_pairs_within_a_file_are_read_in_both_orders(missing, seed):
    seen = dossier(seed, missing)
    compared = comparisons(seen)
    own = with_itself(seen, compared, {}, False)
    counts = count_patterns(compared, LocalEngine(threads=1), own)
    for times, same in ((counts.within_known, own[0]), (counts.within_released, own[1])):
        listed = prl.within_counts(same)
        assert [listed[tuple(row)] for row in counts.levels.tolist()] == times.tolist()


@every_policy
def test_terms_of_a_known_mechanism(missing):
    costs = {FAR: terms.FAR, EQUAL: 0.0, IGNORED: math.nan}
    for term in terms.encode(dossier(1, missing), Declaration(()), 0.0).terms:
        found = term.unknown, term.gone, term.both
        sides = ((True, False), (False, True), (True, True))
        np.testing.assert_equal(found, tuple(costs[verdict(missing, *side)] for side in sides))


ENGINES = [
    LocalEngine(threads=1, strategy=Strategy.BRUTE),
    LocalEngine(threads=1, strategy=Strategy.TREE),
    LocalEngine(threads=2, block=3),
]


@every_policy
@pytest.mark.parametrize("attack", ["dbrl", "owa", "rbrl-max", "mahalanobis", "prl", "one-to-one"])
@given(seed=seeds)
@settings(deadline=None, max_examples=6)
def test_no_strategy_block_or_thread_changes_a_link(missing, attack, seed):
    rng = np.random.default_rng(seed)
    seen = Dossier(file(rng, 30, 0.2), file(rng, 90, 0.3), missing)
    beliefs = []
    for engine in ENGINES:
        links = attack_named(attack).prepare(seen, np.random.default_rng(0), engine).links()
        beliefs.append(np.column_stack([links.belief_in(np.full(30, r)) for r in range(90)]))
    for belief in beliefs[1:]:
        assert (belief == beliefs[0]).all()
