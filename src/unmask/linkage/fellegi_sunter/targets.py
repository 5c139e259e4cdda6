"""m by EM over sampled records, each of whom has one counterpart at most.

The mixture over single pairs forgets that the matches of a record exclude each other. Kept in mind, the rows
of a few hundred records tell m even where attributes depend on each other: a chance agreement counts against
all other records of the same row, not against a share of matches of one in millions.

Two choices keep m right in large, skewed files whose attributes depend on each other:

- **The rows are those of released records**, where the intruder knows about as many people. Given the
  person, a mask changes attribute after attribute, whatever people have in common: P(a) = mean over known b
  of prod_j P(a_j | b_j), and the dependence of attributes in the population needs no model. Where fewer
  people are known, many released records have no counterpart, and the rows are those of targets.
- **m may differ between common and rare known values.** With one m for both, the true record of somebody with
  rare values is all but impossible, and EM explains it by many other people instead, whatever else agrees. So
  P(a_j | b_j) = p(a_j) m_j(l | class of b_j) / u_j(l | b_j), u of a level that of the known value: the share
  of released records at that level from it. The m of a class is drawn towards that of all by a few matches,
  and what is handed on is the m of all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from unmask.data.microdata import Floats
from unmask.engines import Engine
from unmask.linkage.agreement import AttributeComparison
from unmask.linkage.fellegi_sunter.dependent_rows import without_dependence
from unmask.linkage.fellegi_sunter.em import MixtureFit, Setting, isotonic, starts
from unmask.linkage.fellegi_sunter.rows import SampledRows, sampled_rows

MOST_STEPS, TRIAL_STEPS, TOLERANCE = 200, 4, 1e-4
#: Known people per released record from which released records are sampled.
ENOUGH_KNOWN = 0.75
#: So many matches with the m of all values are added to those of each class.
OF_ALL = 5.0
#: Before anything is seen, a sampled record has a counterpart with this probability.
PRESENT = 0.9


def estimate_by_targets(
    p: Setting, comparisons: Sequence[AttributeComparison], rng: np.random.Generator, engine: Engine
) -> tuple[MixtureFit, str]:
    """The likeliest m, and in words from which records (drawn with rng, all of a small file) it comes."""
    known, released = len(comparisons[0].known), len(comparisons[0].released)
    of_released = known >= ENOUGH_KNOWN * released
    rows = sampled_rows(p, comparisons, not of_released, rng, engine)
    if not of_released:
        rows = without_dependence(rows, comparisons, starts(p)[0], engine)
    tried = [_run(rows, _begin(rows, m), TRIAL_STEPS) for m in starts(p)]
    state = max(tried, key=lambda found: found.gain)
    # Most patterns have next to no part in their row. Without them EM settles quickly; whether it has settled
    # is for all of them to say.
    while state.steps < MOST_STEPS and not state.settled:
        few = rows.likely(state.by_class)
        state = _run(few, state, MOST_STEPS - 1)
        state = _run(rows, state, state.steps + 1)
    # No more matches than one record for each target.
    share = min(state.present / rows.records, 1 / max(released, 2))
    fit = MixtureFit(state.matched, p.marginal, share, state.gain, state.steps, state.settled)
    return fit, rows.in_words("released records" if of_released else "targets")


class _State(NamedTuple):
    """Where EM is: m by attribute, class and level, m of all values, and the share with a counterpart."""

    by_class: Floats
    matched: Floats
    present: float
    gain: float = 0.0
    steps: int = 0
    settled: bool = False


def _begin(rows: SampledRows, matched: Floats) -> _State:
    return _State(np.repeat(matched[:, None, :], len(rows.known.settings), axis=1), matched, PRESENT)


def _run(rows: SampledRows, state: _State, most: int) -> _State:
    """Steps of EM over these rows, at least one, until m of all values has settled or there are ``most``."""
    state = _step(rows, state)
    while state.steps < most and not state.settled:
        state = _step(rows, state)
    return state


def _step(rows: SampledRows, state: _State) -> _State:
    """One step of EM: the m of each class, drawn towards the m of all."""
    p = rows.setting
    mass, matches, gain = rows.expectation(state.by_class, state.present)
    matched = isotonic(p, (mass.sum(axis=1) + p.marginal) / (matches + 1))
    by_class = np.empty_like(mass)
    for g, its_own in enumerate(rows.known.settings):
        m = mass[:, g] + OF_ALL * matched
        by_class[:, g] = isotonic(its_own, m / m.sum(axis=1, keepdims=True))
    settled = bool(np.abs(matched - state.matched).max() < TOLERANCE)
    # One record without a counterpart, and one with it, keep the share off its ends.
    present = (matches + 1) / (len(rows.sampled) + 2)
    return _State(by_class, matched, present, gain, state.steps + 1, settled)
