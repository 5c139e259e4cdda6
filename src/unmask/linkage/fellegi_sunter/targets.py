"""m by EM over sampled records, each of whom has one counterpart at most.

The mixture over single pairs forgets that the matches of a record exclude each other. Kept in mind, the rows
of a few hundred records tell m even where attributes depend on each other: a chance agreement counts against
all other records of the same row, not against a share of matches of one in millions.

Two choices keep m right in large, skewed files whose attributes depend on each other:

- **The rows are those of released records**, where the intruder knows about as many people. Given the
  person, a mask changes attribute after attribute, whatever people have in common: P(a) = mean over known b
  of prod_j P(a_j | b_j), and the dependence of attributes in the population needs no model. Where fewer
  people are known, many released records have no counterpart, and the rows are those of targets.
- **m may differ between common and rare values.** Nine in ten people have no dividends, and keep none; the
  others' are moved far. With one m for both, the true record of somebody with rare values is all but
  impossible, and EM explains them by many others instead, whatever else agrees. Values are put into classes
  by the share of records that agree with them fully, the m of a class is drawn towards that of all by a few
  records, and what is handed on is the m of all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.engines import Engine
from unmask.linkage.agreement import AttributeComparison
from unmask.linkage.fellegi_sunter.dependent_rows import without_dependence
from unmask.linkage.fellegi_sunter.em import MixtureFit, Setting, isotonic, starts
from unmask.linkage.fellegi_sunter.rows import SampledRows, sampled_rows

MOST_STEPS, TRIAL_STEPS, TOLERANCE = 200, 4, 1e-4
#: Known people per released record from which released records are sampled.
ENOUGH_KNOWN = 0.75
#: The shares of records that agree with a value fully, between the classes of values.
COMMON = (0.003, 0.01, 0.03, 0.1, 0.3)
#: So many matches with the m of all values are added to those of each class.
OF_ALL = 5.0
#: Before anything is seen, a sampled record has a counterpart with this probability.
PRESENT = 0.9


def estimate_by_targets(
    p: Setting, comparisons: Sequence[AttributeComparison], rng: np.random.Generator, engine: Engine
) -> tuple[MixtureFit, str]:
    """The likeliest m, and in words from which records (drawn with rng, all of a small file) it comes.

    u of a level is that of the sampled record's own value: the share of the other file at that level from it.
    """
    known, released = len(comparisons[0].known), len(comparisons[0].released)
    of_released = known >= ENOUGH_KNOWN * released
    across = [c.turned() for c in comparisons] if of_released else list(comparisons)
    rows = sampled_rows(across, rng, engine)
    if not of_released:
        rows = without_dependence(rows, comparisons, starts(p)[0], p.share, engine)
    classes = ValueClasses.of_rows(p, rows)
    tried = [_run(classes, rows, _begin(classes, m), TRIAL_STEPS) for m in starts(p)]
    state = max(tried, key=lambda found: found.gain)
    # Most patterns have next to no part in their row. Without them EM settles quickly; whether it has settled
    # is for all of them to say.
    while state.steps < MOST_STEPS and not state.settled:
        few = rows.likely(state.by_class, classes.of)
        state = _run(classes, few, state, MOST_STEPS - 1)
        state = _run(classes, rows, state, state.steps + 1)
    # No more matches than one record for each target.
    share = min(state.present / rows.records, 1 / max(released, 2))
    fit = MixtureFit(state.matched, p.marginal, share, state.gain, state.steps, state.settled)
    return fit, rows.in_words("released records" if of_released else "targets")


@dataclass(frozen=True, eq=False)
class ValueClasses:
    """The classes of values, attribute by attribute, and what is known of each before any match is."""

    setting: Setting
    of: Ints  # the class of each sampled value
    settings: tuple[Setting, ...]  # by class

    @classmethod
    def of_rows(cls, p: Setting, rows: SampledRows) -> ValueClasses:
        """The classes of the sampled values; the marginals of a class are the mean of its values' u."""
        of = np.searchsorted(COMMON, rows.unmatched[:, :, 0])
        usual = np.zeros((int(of.max()) + 1, *p.marginal.shape))
        for own, u in zip(of, rows.unmatched, strict=True):
            usual[own, np.arange(len(own))] += u
        # A class that nobody has in an attribute has the marginals of all.
        usual += 1e-9 * p.marginal
        shares = usual / usual.sum(axis=2, keepdims=True)
        return cls(p, of, tuple(p._replace(marginal=share) for share in shares))


class _State(NamedTuple):
    """Where EM is: m by attribute, class and level, m of all values, and the share with a counterpart."""

    by_class: Floats
    matched: Floats
    present: float
    gain: float = 0.0
    steps: int = 0
    settled: bool = False


def _begin(classes: ValueClasses, matched: Floats) -> _State:
    return _State(np.repeat(matched[:, None, :], len(classes.settings), axis=1), matched, PRESENT)


def _run(classes: ValueClasses, rows: SampledRows, state: _State, most: int) -> _State:
    """Steps of EM over these rows, at least one, until m of all values has settled or there are ``most``."""
    state = _step(classes, rows, state)
    while state.steps < most and not state.settled:
        state = _step(classes, rows, state)
    return state


def _step(classes: ValueClasses, rows: SampledRows, state: _State) -> _State:
    """One step of EM: the m of each class, drawn towards the m of all."""
    p = classes.setting
    mass, matches, gain = rows.expectation(state.by_class, classes.of, state.present)
    matched = isotonic(p, (mass.sum(axis=1) + p.marginal) / (matches + 1))
    by_class = np.empty_like(mass)
    for g, its_own in enumerate(classes.settings):
        m = mass[:, g] + OF_ALL * matched
        by_class[:, g] = isotonic(its_own, m / m.sum(axis=1, keepdims=True))
    settled = bool(np.abs(matched - state.matched).max() < TOLERANCE)
    # One record without a counterpart, and one with it, keep the share off its ends.
    present = (matches + 1) / (len(classes.of) + 2)
    return _State(by_class, matched, present, gain, state.steps + 1, settled)
