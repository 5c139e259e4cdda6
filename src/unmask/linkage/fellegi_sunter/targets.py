"""m by EM over targets, each of whom has one released record at most.

The mixture over single pairs forgets that a target's matches exclude each other. Kept in mind, the rows of
a few hundred targets tell m even where attributes depend on each other: a chance agreement counts against
all other records of the same row, not against a share of matches of one in millions.

Attributes compared for equality that depend on each other agree together by chance, and the best record of a
row would look like a match more often than it is one. A tree of their dependences is taken off the weights.
Between attributes of several levels it is not: two levels that seldom meet among non-matches (near in one,
far in the other) would speak for a match, and m would follow them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats, Ints
from unmask.engines import Engine, joined
from unmask.linkage.agreement import AttributeComparison
from unmask.linkage.agreement.counting import distinct_records, level_tables
from unmask.linkage.fellegi_sunter.em import MixtureFit, Setting, isotonic, starts
from unmask.linkage.fellegi_sunter.tree import AgreementTree, agreement_tree

if TYPE_CHECKING:
    from unmask.kernels.patterns import LevelTables
    from unmask.kernels.together import Edges

#: Look-ups for a step of EM over the sampled targets, and how many targets there are at most and at least.
STEP_LOOKUPS = 15_000_000
MOST_TARGETS, LEAST_TARGETS = 1000, 100
MOST_STEPS, TRIAL_STEPS, TOLERANCE = 100, 4, 1e-4
#: Targets whose expected matches are added up at once: one number, so that sums are the same on every engine.
TOGETHER = 16
#: Levels of an attribute that is equal or not.
EQUAL_OR_NOT = 2
#: So many records with the dependences of all rows are added to those of a target's row.
OF_ALL = 5.0
#: Before anything is seen, a target is in the release with this probability.
PRESENT = 0.9


def sample_size(comparisons: Sequence[AttributeComparison], records: int) -> int:
    """How many targets are compared with all (distinct) released records."""
    wanted = STEP_LOOKUPS // (records * len(comparisons))
    return min(len(comparisons[0].known), max(LEAST_TARGETS, min(MOST_TARGETS, wanted)))


def estimate_by_targets(
    p: Setting, comparisons: Sequence[AttributeComparison], rng: np.random.Generator, engine: Engine
) -> tuple[MixtureFit, int]:
    """The likeliest m, and from how many targets (drawn with rng, all of a small file) it comes.

    u of a level is that of the target's own value: the share of released records at that level from it.
    """
    released, times = distinct_records(comparisons, of_known=False)
    n, size = len(comparisons[0].known), sample_size(comparisons, len(times))
    rows = np.arange(n) if size == n else np.sort(rng.choice(n, size, replace=False))
    exact = [j for j, c in enumerate(comparisons) if c.table is None and c.levels == EQUAL_OR_NOT]
    tree = agreement_tree(comparisons, starts(p)[0], p.share, engine, among=exact)
    step = _Step(comparisons, rows, np.ascontiguousarray(released.T), times, engine, tree)
    tried = [_run(p, step, m, PRESENT, TRIAL_STEPS) for m in starts(p)]
    best, present = max(tried, key=lambda found: found[0].gain)
    fit, _ = _run(p, step, best.matched, present, MOST_STEPS)
    return fit, size


class _Step:
    """One expectation step over the sampled targets."""

    def __init__(
        self,
        comparisons: Sequence[AttributeComparison],
        rows: Ints,
        released: NDArray[np.int32],
        times: Ints,
        engine: Engine,
        tree: AgreementTree,
    ) -> None:
        from unmask.kernels.rows import level_counts

        self.tables = level_tables(comparisons)._replace(stride=np.ones(len(comparisons), np.int64))
        self.known = np.ascontiguousarray(np.column_stack([c.known[rows] for c in comparisons]))
        self.released, self.weight, self.engine = released, times.astype(np.float64), engine
        held = [c.histograms()[1] for c in comparisons]
        start = np.cumsum([0, *(len(h) for h in held[:-1])]).astype(np.int64)
        shape = len(rows), len(comparisons), max(c.levels for c in comparisons)
        self.unmatched = np.zeros(shape)
        level_counts(self.tables, self.known, np.concatenate(held), start, 0, len(rows), self.unmatched)
        # A level that no record has from here could have half a record.
        self.unmatched = np.maximum(self.unmatched, 0.5) / self.weight.sum()
        self.edges = tree.edges(comparisons)
        self.excess = self._excess(tree)
        self.weightless = [(j, c.weightless) for j, c in enumerate(comparisons) if c.weightless is not None]

    def _excess(self, tree: AgreementTree) -> Floats:
        """By target, edge and two levels: log of how much oftener they meet than independence says.

        What a target's row shows is mixed with a few records of what all rows show.
        """
        from unmask.kernels.together import edge_levels

        shape = len(self.known), len(tree.first), *self.unmatched.shape[2:], *self.unmatched.shape[2:]
        met = np.zeros(shape)
        edge_levels(self.edges, self.known, self.released, self.weight, 0, len(self.known), met)
        first, second = self.unmatched[:, tree.first, :, None], self.unmatched[:, tree.second, None, :]
        apart = first * second
        usual = apart * 2.0**tree.excess
        usual *= OF_ALL / usual.sum(axis=(2, 3), keepdims=True)
        share = (met + usual) / (self.weight.sum() + OF_ALL)
        return np.asarray(np.log(share / apart), np.float64)

    def __call__(self, matched: Floats, present: float) -> tuple[Floats, float, float]:
        """Expected matches by attribute and level, in all, and the log-likelihood."""
        ratio = np.log(np.where(matched > 0, matched, 1e-12)[None] / self.unmatched)
        for j, level in self.weightless:
            ratio[:, j, level] = 0.0
        task = RowsTask(
            self.tables, self.known, self.released, self.weight, ratio, self.edges, self.excess, present
        )
        groups = -(-len(self.known) // TOGETHER)
        mass, matches, gain = self.engine.map(task, groups, joined, 1, quiet=True)
        return np.sum(mass, axis=0), sum(matches.tolist(), 0.0), sum(gain.tolist(), 0.0)


@dataclass(frozen=True, eq=False)
class RowsTask:
    """The expected matches of groups of TOGETHER targets: by attribute and level, in all, and the gain."""

    tables: LevelTables
    known: NDArray[np.int32]
    released: NDArray[np.int32]
    weight: Floats
    ratio: Floats
    edges: Edges
    excess: Floats
    present: float

    def __call__(self, start: int, stop: int) -> tuple[Floats, Floats, Floats]:
        """One entry for each of these groups."""
        from unmask.kernels.rows import row_expectation

        mass, matches, gain = (
            np.zeros((stop - start, *self.ratio.shape[1:])),
            np.empty(stop - start),
            np.empty(stop - start),
        )
        for i, group in enumerate(range(start, stop)):
            first, last = group * TOGETHER, min((group + 1) * TOGETHER, len(self.known))
            matches[i], gain[i] = row_expectation(
                self.tables,
                self.known,
                self.released,
                self.weight,
                self.ratio,
                self.edges,
                self.excess,
                self.present,
                first,
                last,
                mass[i],
            )
        return mass, matches, gain


def _run(p: Setting, step: _Step, matched: Floats, present: float, most: int) -> tuple[MixtureFit, float]:
    """EM from one start; also the share of targets who are in the release."""
    steps, converged, gain = 0, False, 0.0
    while steps < most and not converged:
        steps += 1
        mass, matches, gain = step(matched, present)
        new = isotonic(p, (mass + p.marginal) / (matches + 1))
        converged = bool(np.abs(new - matched).max() < TOLERANCE)
        # One target who is not in the release, and one who is, keep the share off its ends.
        matched, present = new, (matches + 1) / (len(step.known) + 2)
    return MixtureFit(matched, p.marginal, present * p.share, gain, steps, converged), present
