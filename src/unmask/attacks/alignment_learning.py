"""Learning an alignment: canonical correlations of a matching, and the matching they give, in turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats, Ints

#: Steps with soft matchings, from which no start is pulled away at once, and with one-to-one ones after them.
SOFT, HARD = 10, 15
SCALINGS = 20
#: A correlation found by matching is never taken to be higher.
HIGHEST = 0.99
#: Pairs of attributes by whose ranks a matching starts, each upwards and downwards.
PAIRS = 50
#: Records from which the typical distance of representatives is taken.
TYPICAL = 300


@dataclass(frozen=True, eq=False)
class AlignmentFit:
    """The maps from whitened scores to canonical variates, weighted so that squared distances are costs."""

    known: Floats
    released: Floats
    score: float = np.inf


@dataclass(frozen=True, eq=False)
class AlignmentFeatures:
    """Both files as whitened normal scores, and as representatives scaled by their weight in the cost.

    ``turned`` are the released representatives of the values upside down: starts for files that run counter.
    """

    known: Floats
    released: Floats
    alike: tuple[Floats, Floats]
    turned: Floats

    @staticmethod
    def of(
        known: Floats,
        released: Floats,
        alike: Sequence[tuple[Floats, Floats, Floats]],
        ridge: float,
        prior: float,
    ) -> AlignmentFeatures:
        """Those of both files' values, and of each kind of (known, released, turned) representatives."""
        parts = []
        for kind in alike:
            left, right, turned = (np.nan_to_num(side) for side in kind)
            some = _squared(
                _ordered(left)[:: 1 + len(left) // TYPICAL], _ordered(right)[:: 1 + len(right) // TYPICAL]
            )
            typical = float(np.median(some)) or float(some.max()) or 1.0
            scale = np.sqrt(prior / len(alike) / typical)
            parts.append((scale * left, scale * right, scale * turned))
        left, right, turned = (np.hstack([part[k] for part in parts]) for k in range(3))
        return AlignmentFeatures(_whitened(known, ridge), _whitened(released, ridge), (left, right), turned)

    def take(self, rows: Ints, columns: Ints) -> AlignmentFeatures:
        """Some records of each file."""
        return replace(
            self,
            known=self.known[rows],
            released=self.released[columns],
            alike=(self.alike[0][rows], self.alike[1][columns]),
            turned=self.turned[columns],
        )

    def in_order(self) -> AlignmentFeatures:
        """Records in the order of their values, so that no result depends on that of the rows."""
        return self.take(_order(self.known), _order(self.released))

    def placed(self, fit: AlignmentFit) -> tuple[Floats, Floats]:
        """Where each record lies: the squared distance of two is the cost of the pair."""
        from unmask.kernels.moments import linear_map

        return (
            np.hstack([linear_map(self.known, fit.known), self.alike[0]]),
            np.hstack([linear_map(self.released, fit.released), self.alike[1]]),
        )


def learn(features: AlignmentFeatures) -> AlignmentFit:
    """The best alignment that any start leads to."""
    files = features.in_order()
    prior = _squared(*files.alike)
    best = AlignmentFit(np.zeros((0, 0)), np.zeros((0, 0)))
    for rows, columns in _starts(files):
        found = _improved(files, prior, rows, columns)
        if found.score < best.score:
            best = found
    return best


def fit_matching(files: AlignmentFeatures, rows: Ints, columns: Ints) -> AlignmentFit:
    """The alignment of matched records, and its score: minus their mutual information, in nats per pair."""
    return _fit(files.known[rows].T @ files.released[columns] / len(rows))


def _improved(files: AlignmentFeatures, prior: Floats, rows: Ints, columns: Ints) -> AlignmentFit:
    """Match and fit in turn, from a matching to one that stays."""
    from scipy.optimize import linear_sum_assignment

    fit = fit_matching(files, rows, columns)
    for _ in range(SOFT):
        soft = _soft(_costs(files, fit) + prior)
        fit = _fit(files.known.T @ soft @ files.released / soft.sum())
    last = None
    for _ in range(HARD):
        rows, columns = linear_sum_assignment(_costs(files, fit) + prior)
        if last is not None and (columns == last).all():
            break
        last, fit = columns, fit_matching(files, rows, columns)
    return replace(fit, score=fit.score + float(prior[rows, columns].mean()))


def _fit(cross: Floats) -> AlignmentFit:
    """Canonical variates of whitened files; those of correlation s weigh s / (2 (1 - s^2))."""
    left, s, right = np.linalg.svd(cross, full_matrices=False)
    s = np.minimum(s, HIGHEST)
    weight = np.sqrt(s / (2 * (1 - s * s)))
    return AlignmentFit(left * weight, right.T * weight, float(0.5 * np.log(1 - s * s).sum()))


def _costs(files: AlignmentFeatures, fit: AlignmentFit) -> Floats:
    return _squared(files.known @ fit.known, files.released @ fit.released)


def _squared(left: Floats, right: Floats) -> Floats:
    from scipy.spatial.distance import cdist

    return np.asarray(cdist(left, right, "sqeuclidean"))


def _soft(costs: Floats) -> Floats:
    """How probable each pair is when all matchings are, by exp(-cost): a few of Sinkhorn's scalings."""
    n, m = costs.shape
    kernel = np.exp(np.maximum(costs.min(axis=1, keepdims=True) - costs, -600.0))
    b = np.ones(m)
    for _ in range(SCALINGS):
        a = min(n, m) / n / np.maximum(kernel @ b, 1e-290)
        b = min(n, m) / m / np.maximum(a @ kernel, 1e-290)
    return np.asarray(a[:, None] * kernel * b)


def _starts(files: AlignmentFeatures) -> Iterator[tuple[Ints, Ints]]:
    """Matchings to start from: by representatives, both ways up, and by ranks of single attributes."""
    from scipy.optimize import linear_sum_assignment

    for right in (files.alike[1], files.turned):
        yield linear_sum_assignment(_squared(files.alike[0], right))
    n, m = len(files.known), len(files.released)
    partner = (np.arange(n) * 2 + 1) * m // (2 * n)  # the record at the same height
    up = [np.argsort(column, kind="stable") for column in files.known.T]
    down = [np.argsort(column, kind="stable") for column in files.released.T]
    pairs = [(i, j) for i in range(len(up)) for j in range(len(down))]
    for i, j in pairs[:: 1 + len(pairs) // PAIRS]:
        yield up[i], down[j][partner]
        yield up[i], down[j][::-1][partner]


def _whitened(values: Floats, ridge: float) -> Floats:
    """Normal scores of each attribute, turned and scaled so that they are uncorrelated, but for the ridge."""
    from unmask.kernels.moments import linear_map

    scores = np.column_stack([_normal_scores(column) for column in values.T])
    ordered = _ordered(scores)
    value, vector = np.linalg.eigh(ordered.T @ ordered / len(ordered))
    return np.asarray(linear_map(np.ascontiguousarray(scores), vector / np.sqrt(value.clip(0) + ridge)))


def _normal_scores(column: Floats) -> Floats:
    """Quantiles of the normal distribution at the mid-ranks, to variance 1; 0 where missing or constant."""
    from scipy.special import ndtri
    from scipy.stats import rankdata

    scores = np.zeros(len(column))
    present = ~np.isnan(column)
    if present.any() and np.ptp(column[present]) > 0:
        found = ndtri((rankdata(column[present]) - 0.5) / present.sum())
        scores[present] = found / np.sort(found).std()
    return scores


def _order(values: Floats) -> NDArray[np.int64]:
    return np.lexsort(values.T[::-1])


def _ordered(values: Floats) -> Floats:
    return values[_order(values)]
