"""Symmetric bilinear forms as a family of distances: (a - b)' S (a - b) with S positive semidefinite."""

from __future__ import annotations

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.kernels.pairing import DIFFERENCE, TIE, Pairing
from unmask.linkage.aggregations import Sum
from unmask.linkage.learning.forms import costs_of
from unmask.linkage.spaces import Space

#: Eigenvalues below minus this make a cut.
NEGATIVE = 1e-9


class Bilinear:
    """(a - b)' S (a - b) over the numeric and ordinal attributes; the others add a weighted cost each.

    theta is S (its upper triangle, line by line) and the weights of the others; the trace of both is 1.
    An attribute that is not a number, or lacks values (unless missing ones are ignored, then they count as
    the mean), stands aside: for it only its own cost means something. S is positive semidefinite if
    v' S v >= 0 for all v: half-spaces, of which those of negative eigenvectors are made when met.
    """

    ordered = monotone = simplex = False

    def __init__(self, space: Space) -> None:
        d = space.known.shape[1]
        self.base = space.pairing(Sum(power=2))
        ignored = np.isnan(space.missing_both)
        holes = np.isnan(space.known).any(axis=0) | np.isnan(space.released).any(axis=0)
        self.joint = np.flatnonzero((space.metric == DIFFERENCE) & (~holes | ignored))
        self.aside = np.setdiff1d(np.arange(d), self.joint)
        self.known, self.released = (
            _filled(values[:, self.joint]) * space.scale[self.joint]
            for values in (space.known, space.released)
        )
        q = len(self.joint)
        self.upper_i, self.upper_j = np.triu_indices(q)
        self.diagonal = np.flatnonzero(self.upper_i == self.upper_j)
        size = len(self.upper_i) + len(self.aside)
        own = np.zeros(size, dtype=np.bool_)
        own[self.diagonal] = own[len(self.upper_i) :] = True
        self.total = own.astype(np.float64)
        self.lower, self.upper = np.where(own, 0.0, -0.5), np.where(own, 1.0, 0.5)
        # |2 S_ij| <= S_ii + S_jj holds for every semidefinite S.
        self.facets = np.array(
            [
                self._half_space(np.eye(q)[i] + sign * np.eye(q)[j])
                for i in range(q)
                for j in range(i + 1, q)
                for sign in (1.0, -1.0)
            ]
        ).reshape(-1, size)

    def _half_space(self, v: Floats) -> Floats:
        """The line that gives v' S v."""
        out = np.zeros(len(self.total))
        out[: len(self.upper_i)] = v[self.upper_i] * v[self.upper_j] * self._twice()
        return out

    def _twice(self) -> Floats:
        return np.where(self.upper_i == self.upper_j, 1.0, 2.0)

    def inequalities(self, rows: Ints, rivals: Ints, own: Ints) -> tuple[Floats, Floats]:
        """Differences of the products; the least value of <R, S> over trace 1 is R's lowest eigenvalue."""
        x, y = self._differences(rows, rivals), self._differences(rows, own)
        joint = x[:, :, None] * x[:, None, :] - (1 + TIE) * y[:, :, None] * y[:, None, :]
        lines = np.zeros((len(rows), len(self.total)))
        lines[:, : len(self.upper_i)] = joint[:, self.upper_i, self.upper_j] * self._twice()
        lowest = np.zeros(len(rows))
        if len(self.joint):
            lowest = np.linalg.eigvalsh(joint)[:, 0].astype(np.float64)
        if len(self.aside):
            c = costs_of(self.base, rows, rivals) - (1 + TIE) * costs_of(self.base, rows, own)
            lines[:, len(self.upper_i) :] = c[:, self.aside]
            lowest = np.minimum(lowest, c[:, self.aside].min(axis=1))
        return lines, np.maximum(-lowest, 0.0)

    def _differences(self, rows: Ints, at: Ints) -> Floats:
        return self.known[rows] - self.released[at]

    def matrix(self, theta: Floats) -> Floats:
        """S as a matrix over all attributes; those aside stand on the diagonal alone."""
        d = len(self.joint) + len(self.aside)
        s = np.zeros((d, d))
        i, j = self.joint[self.upper_i], self.joint[self.upper_j]
        s[i, j] = s[j, i] = theta[: len(self.upper_i)]
        s[self.aside, self.aside] = theta[len(self.upper_i) :]
        return s

    def _vector(self, joint: Floats, aside: Floats) -> Floats:
        return np.concatenate([joint[self.upper_i, self.upper_j], aside])

    def _parts(self, theta: Floats) -> tuple[Floats, Floats]:
        s = self.matrix(theta)
        return s[np.ix_(self.joint, self.joint)], theta[len(self.upper_i) :]

    def pairing(self, theta: Floats) -> Pairing:
        """The files mapped by a factor of S, so that the form is a sum of squares."""
        from unmask.kernels.moments import linear_map

        s, aside = self._parts(theta)
        if np.count_nonzero(s - np.diag(np.diag(s))) == 0:
            factor = np.diag(np.sqrt(np.diag(s)))  # no rounding by a rotation that is not needed
        else:
            values, vectors = np.linalg.eigh(s)
            factor = np.ascontiguousarray(vectors * np.sqrt(np.maximum(values, 0.0)))
        q, kept = len(self.joint), self.aside
        known = np.hstack([linear_map(self.known, factor), self.base.known[:, kept]])
        released = np.hstack([linear_map(self.released, factor), self.base.released[:, kept]])
        ones, none = np.ones(q), np.zeros(q)
        return self.base._replace(
            known=known,
            released=released,
            metric=np.concatenate([np.full(q, DIFFERENCE), self.base.metric[kept]]),
            scale=np.concatenate([ones, self.base.scale[kept]]),
            missing_known=np.concatenate([none, self.base.missing_known[kept]]),
            missing_released=np.concatenate([none, self.base.missing_released[kept]]),
            missing_both=np.concatenate([none, self.base.missing_both[kept]]),
            offset=np.zeros(len(self.base.metric), np.int64),
            width=np.zeros(len(self.base.metric), np.int64),
            params=np.concatenate([ones, aside]),
        )

    def cuts(self, theta: Floats) -> Floats:
        """Half-spaces v' S v >= 0 for the eigenvectors of negative eigenvalues."""
        s, _ = self._parts(theta)
        if len(s) == 0:
            return np.empty((0, len(theta)))
        values, vectors = np.linalg.eigh(s)
        negative = vectors[:, values < -NEGATIVE].T
        return np.array([self._half_space(v) for v in negative]).reshape(-1, len(theta))

    def mend(self, theta: Floats) -> Floats:
        """Negative eigenvalues and weights taken away, trace 1."""
        s, aside = self._parts(theta)
        if len(s):
            values, vectors = np.linalg.eigh(s)
            if values[0] < 0:
                s = (vectors * np.maximum(values, 0.0)) @ vectors.T
        aside = np.maximum(aside, 0.0)
        trace = np.trace(s) + aside.sum()
        return np.asarray(self._vector(s / trace, aside / trace))

    def additive(self, weights: Floats) -> Floats:
        """The diagonal form with these weights of the attributes: the weighted mean."""
        return self._vector(np.diag(weights[self.joint]), weights[self.aside])

    def starts(self) -> list[Floats]:
        """The plain mean, and the Mahalanobis distance of the numeric and ordinal attributes."""
        d, q = len(self.joint) + len(self.aside), len(self.joint)
        plain = self.additive(np.full(d, 1 / d))
        if q < 2:
            return [plain, *map(self.additive, np.eye(d))]
        spread = np.cov(np.vstack([self.known, self.released]), rowvar=False)
        inverse = np.linalg.pinv(spread, rcond=1e-10, hermitian=True)
        if not np.trace(inverse) > 0:  # every attribute is constant
            return [plain]
        return [plain, self.mend(self._vector(np.asarray(inverse, np.float64), np.ones(len(self.aside))))]

    def ends(self, theta: Floats, rng: np.random.Generator) -> Floats:
        """Forms of rank one along attributes, eigenvectors, pairs and random directions; attributes aside."""
        d, q = len(self.joint) + len(self.aside), len(self.joint)
        s, _ = self._parts(theta)
        aside = [self.additive(corner) for corner in np.eye(d)[self.aside]]
        if q == 0:
            return np.array(aside)
        vectors = np.linalg.eigh(s)[1].T
        i, j = np.nonzero(~np.eye(q, dtype=bool))
        turns = np.eye(q)[i] + rng.normal(size=(len(i), 1)) * np.eye(q)[j]
        directions = np.vstack([np.eye(q), vectors, turns, rng.normal(size=(4 * q, q))])
        directions /= np.linalg.norm(directions, axis=1, keepdims=True)
        nothing = np.zeros(len(self.aside))
        return np.array([self._vector(np.outer(v, v), nothing) for v in directions] + aside)

    def away(self, theta: Floats, end: Floats) -> float:
        """Until an eigenvalue, or a weight, is 0."""
        s, aside = self._parts(theta)
        t, other = self._parts(end)
        room = np.inf
        if other.any():
            room = float(np.min(aside[other > 0] / other[other > 0]))
        if t.any():
            values, vectors = np.linalg.eigh(s)
            if values[0] <= 1e-12:
                return 0.0
            half = vectors / np.sqrt(values)
            room = min(room, 1.0 / float(np.linalg.eigvalsh(half.T @ t @ half)[-1]))
        # theta + x (theta - end) = (1 + x) theta - x end stays semidefinite while x / (1 + x) <= room.
        return room / (1 - room) if room < 1 else 1e6


def _filled(values: Floats) -> Floats:
    """Missing values at the mean of those present."""
    present = ~np.isnan(values)
    mean = np.where(present, values, 0.0).sum(axis=0) / np.maximum(present.sum(axis=0), 1)
    return np.asarray(np.where(present, values, mean))
