"""m by EM over sampled records, each of whom has one counterpart at most.

The mixture over single pairs forgets that the matches of a record exclude each other. Kept in mind, the rows
of a few hundred records tell m even where attributes depend on each other: a chance agreement counts against
all other records of the same row, not against a share of matches of one in millions.

Two choices keep m right in large, skewed files whose attributes depend on each other:

- **The rows are those of the smaller file, of the released one where both are alike.** Given the person, a
  mask changes attribute after attribute, whatever people have in common: P(a) = mean over known b of
  prod_j P(a_j | b_j), and the dependence of attributes in the population needs no model.
- **m may differ between common and rare values.** Nine in ten people have no dividends, and keep none; the
  others' are moved far. With one m for both, the true record of somebody with rare values is all but
  impossible, and EM explains them by many others instead, whatever else agrees. Values are put into classes
  by the share of records that agree with them fully, the m of a class is drawn towards that of all by a few
  records, and what is handed on is the m of all.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unmask.data.microdata import Floats
from unmask.engines import Engine
from unmask.linkage.agreement import AttributeComparison
from unmask.linkage.fellegi_sunter.em import MixtureFit, Setting, isotonic, starts
from unmask.linkage.fellegi_sunter.rows import SampledRows, sampled_rows

MOST_STEPS, TRIAL_STEPS, TOLERANCE = 200, 4, 1e-4
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
    of_released = len(comparisons[0].known) >= len(comparisons[0].released)
    across = [c.turned() for c in comparisons] if of_released else list(comparisons)
    rows = sampled_rows(across, rng, engine)
    by_class = _Classes(p, rows)
    tried = [_run(by_class, m, PRESENT, TRIAL_STEPS) for m in starts(p)]
    best, present = max(tried, key=lambda found: found[0].gain)
    fit, _ = _run(by_class, best.matched, present, MOST_STEPS)
    return fit, rows.in_words("released records" if of_released else "targets")


class _Classes:
    """The m of each class of values, attribute by attribute, drawn towards the m of all."""

    def __init__(self, p: Setting, rows: SampledRows) -> None:
        self.setting, self.rows = p, rows
        self.of = np.searchsorted(COMMON, rows.unmatched[:, :, 0])
        self.count = int(self.of.max()) + 1
        d = p.marginal.shape[0]
        usual = np.zeros((self.count, *p.marginal.shape))
        for s in range(len(self.of)):
            usual[self.of[s], np.arange(d)] += rows.unmatched[s]
        usual += 1e-9 * p.marginal
        self.settings = [p._replace(marginal=u / u.sum(axis=1, keepdims=True)) for u in usual]

    def step(self, matched: Floats, present: float) -> tuple[Floats, Floats, float, float]:
        """One step of EM: m of each class, m of all, expected matches, and the log-likelihood before it."""
        mass, matches, gain = self.rows.expectation(matched, self.of, present)
        p = self.setting
        of_all = isotonic(p, (mass.sum(axis=1) + p.marginal) / (matches + 1))
        new = np.empty_like(mass)
        for g, its_own in enumerate(self.settings):
            m = mass[:, g] + OF_ALL * of_all
            new[:, g] = isotonic(its_own, m / m.sum(axis=1, keepdims=True))
        return new, of_all, matches, gain


def _run(classes: _Classes, start: Floats, present: float, most: int) -> tuple[MixtureFit, float]:
    """EM from one start; also the share of sampled records that have a counterpart."""
    p, rows = classes.setting, classes.rows
    matched = np.repeat(start[:, None, :], classes.count, axis=1)
    steps, converged, gain, of_all = 0, False, 0.0, start
    while steps < most and not converged:
        steps += 1
        matched, new, matches, gain = classes.step(matched, present)
        converged = bool(np.abs(new - of_all).max() < TOLERANCE)
        # One record without a counterpart, and one with it, keep the share off its ends.
        of_all, present = new, (matches + 1) / (len(rows.unmatched) + 2)
    return MixtureFit(of_all, p.marginal, present / rows.records, gain, steps, converged), present
