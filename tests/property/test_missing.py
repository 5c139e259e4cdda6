"""Every method reads missing values as the policy's definition says, whichever side lacks them."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import linkage, prl
from tests.reference.missing import EQUAL, FAR, HIDDEN, IGNORED, counting, verdict
from unmask import Column, Kind, Microdata, Missing, Schema
from unmask.attacks import attack_named
from unmask.engines import LocalEngine, Strategy
from unmask.intruder.dossier import Dossier
from unmask.kernels.pairing import DIFFERENCE
from unmask.linkage import missing_costs
from unmask.linkage.aggregations import Sum
from unmask.linkage.agreement import comparisons, count_patterns, with_itself
from unmask.linkage.axes import Scale
from unmask.linkage.mechanism import terms
from unmask.linkage.spaces import ranked, standardised
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
    exact = frozenset(name for name in SCHEMA.names() if rng.random() < 0.5)
    return Dossier(file(rng, n, shares[0]), file(rng, m, shares[1]), missing, exact=exact)


def hides(seen, space):
    """What a hidden value costs: a tenth of the range of a blurred number, else the same everywhere."""
    both = zip(space.metric, seen.attributes, strict=True)
    blurred = [metric == DIFFERENCE and name not in seen.exact for metric, name in both]
    sure = [far for far, moves in zip(space.farthest, blurred, strict=True) if not moves and far > 0]
    return [
        missing_costs.HIDDEN_BLURRED * far if moves else missing_costs.HIDDEN * min(sure) if far > 0 else 0.0
        for far, moves in zip(space.farthest, blurred, strict=True)
    ]


@every_policy
@pytest.mark.parametrize("make", [standardised, ranked, partial(standardised, scale=Scale.RANGE)])
@given(seed=seeds)
@quick
def test_differences(missing, make, seed):
    seen = dossier(seed, missing)
    space = make(seen)
    found = linkage.values(space.pairing(Sum(2)))
    for i, known in enumerate(space.known):
        for k, released in enumerate(space.released):
            deltas = []
            for j, (x, y) in enumerate(zip(known, released, strict=True)):
                if math.isnan(x) or math.isnan(y):
                    says = verdict(missing, math.isnan(x), math.isnan(y))
                    far = space.farthest[j]
                    told = {FAR: far, EQUAL: 0.0, IGNORED: None, HIDDEN: hides(seen, space)[j]}
                    deltas.append(told[says])
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
                    expected = {FAR: c.ordered - 1, EQUAL: 0}.get(says, c.weightless)
                    assert prl.level(c, b, a) == expected is not None


@every_policy
@given(seed=seeds)
@quick
def test_pairs_within_a_file_are_read_in_both_orders(missing, seed):
    seen = dossier(seed, missing)
    compared = comparisons(seen)
    own = with_itself(seen, compared, {}, False)
    counts = count_patterns(compared, LocalEngine(threads=1), lambda: own)
    for times, same in ((counts.within_known, own[0]), (counts.within_released, own[1])):
        listed = prl.within_counts(same)
        assert [listed[tuple(row)] for row in counts.levels.tolist()] == times.tolist()


@every_policy
def test_terms_of_a_known_mechanism(missing):
    costs = {FAR: terms.FAR, EQUAL: 0.0, IGNORED: math.nan, HIDDEN: terms.GONE}
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


# --- hiding values never gives a lower risk than counting --------------------------------------------------

# A person's risk by counting is 1 / (how many records are compatible), which every intruder can reach. Who
# ranks records by how much they hide does at least as well *for each group of people who are alike*, if
#
# - values of one attribute only were suppressed, whatever was missing all along: a record without any hidden
#   value is shown by alike people alone, and otherwise all of them hide the same; or
# - everything is known, and every record lost one value at most: then either a whole record is among those of
#   alike people, and nobody else has one, or all compatible records hide one value each.
#
# In other files it is no theorem: see test_a_file_in_which_counting_does_better.

Rows = list[list[object]]


def total(original: Rows, released: Rows, missing: Missing = Missing.SUPPRESSED) -> float:
    """Who is found by dbrl, added up; record i of the release is person i's, all attributes are nominal."""
    names = [f"x{j}" for j in range(len(original[0]))]
    schema = Schema(tuple(Column(name, Kind.NOMINAL) for name in names))
    types = dict.fromkeys(names, pl.String)
    files = (Microdata(schema, pl.DataFrame(rows, types, orient="row")) for rows in (original, released))
    seen = Dossier(*files, missing)
    links = attack_named("dbrl").prepare(seen, np.random.default_rng(0), LocalEngine(threads=1)).links()
    return float(links.belief_in(np.arange(len(original))).sum())


def nominal(rng: np.random.Generator, natural: float) -> Rows:
    """A file of some categories, so few that people are alike."""
    n, d = int(rng.integers(1, 25)), int(rng.integers(1, 5))
    columns = [rng.choice(list("abcd")[: rng.integers(2, 5)], n).tolist() for _ in range(d)]
    rows = [list(row) for row in zip(*columns, strict=True)]
    return hidden(rows, rng.random((n, d)) < natural)


def hidden(rows: Rows, cells: np.ndarray) -> Rows:
    return [[None if c else v for v, c in zip(*both, strict=True)] for both in zip(rows, cells, strict=True)]


@given(seed=seeds, natural=st.sampled_from([0.0, 0.2]), share=st.sampled_from([0.1, 0.5, 0.9]))
@settings(deadline=None, max_examples=60)
def test_suppression_of_one_attribute_never_gives_less_than_counting(seed, natural, share):
    rng = np.random.default_rng(seed)
    original = nominal(rng, natural)
    cells = np.zeros((len(original), len(original[0])), bool)
    cells[:, 0] = rng.random(len(original)) < share
    released = hidden(original, cells)
    assert total(original, released) >= counting(original, released).sum() - 1e-9


@given(seed=seeds, share=st.sampled_from([0.1, 0.5, 0.9]))
@settings(deadline=None, max_examples=60)
def test_one_lost_value_for_everybody_never_gives_less_than_counting(seed, share):
    rng = np.random.default_rng(seed)
    original = nominal(rng, 0.0)
    n, d = len(original), len(original[0])
    cells = np.zeros((n, d), bool)
    cells[np.arange(n), rng.integers(0, d, n)] = rng.random(n) < share
    released = hidden(original, cells)
    assert total(original, released) >= counting(original, released).sum() - 1e-9


def test_a_file_in_which_counting_does_better():
    """Who lost all their values is behind somebody who lost one, who would have been found without that.

    (a, b) has the records (-, -) and (a, -) to choose from, and takes the other one's: 0 against 1/2. Of the
    two people (a, c), one is found, by the record that is whole: 1 against 2 out of 3.
    """
    original: Rows = [["a", "b"], ["a", "c"], ["a", "c"]]
    released: Rows = [[None, None], ["a", None], ["a", "c"]]
    assert counting(original, released).sum() == pytest.approx(7 / 6)
    assert total(original, released) == pytest.approx(1.0)


@pytest.mark.parametrize("natural", [0.0, 0.2])
@pytest.mark.parametrize("share", [0.1, 0.3, 0.6])
def test_files_of_any_kind_give_more_than_counting_on_average(natural, share):
    rng = np.random.default_rng(8)
    gains = []
    for _ in range(60):
        original = nominal(rng, natural)
        cells = rng.random((len(original), len(original[0]))) < share
        released = hidden(original, cells)
        gains.append(total(original, released) - counting(original, released).sum())
    assert np.mean(gains) > 2 * np.std(gains) / np.sqrt(len(gains))
