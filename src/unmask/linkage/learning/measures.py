"""Choquet integrals as families of distances: all fuzzy measures, or the k-additive ones."""

from __future__ import annotations

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.kernels.pairing import CHOQUET, TIE, Pairing
from unmask.linkage.learning.forms import costs_of, inside


def bits(d: int) -> Ints:
    """The sets of d attributes, one line each: 1 where the attribute is in it.

    >>> bits(2).tolist()
    [[0, 0], [1, 0], [0, 1], [1, 1]]
    """
    return (np.arange(1 << d)[:, None] >> np.arange(d)) & 1


def choquet_reach(x: Floats, y: Floats) -> Floats:
    """The most by which a Choquet integral of y can be above that of x, over all fuzzy measures.

    The measures are a polytope whose corners are 0 or 1 on every set. For the integral of y to be its t-th
    largest value, the set U of its t largest must count 1; least of all then counts x if only sets that
    hold U do, and its integral is min over U of x. So: max over t of (y_(t) - min over U_t of x).

    >>> choquet_reach(np.array([[1.0, 5.0]]), np.array([[3.0, 4.0]]))
    array([2.])
    """
    order = np.argsort(-y, axis=1, kind="stable")
    falling = np.take_along_axis(y, order, axis=1)
    lowest = np.minimum.accumulate(np.take_along_axis(x, order, axis=1), axis=1)
    return np.asarray(np.maximum((falling - lowest).max(axis=1), 0.0))


class Measures:
    """Choquet integrals with any fuzzy measure: theta is mu of all sets but the empty one.

    CI(c) = sum_i (c_s(i) - c_s(i-1)) mu({s(i), ..., s(N)}), c in increasing order: linear in mu.
    """

    ordered, monotone, simplex = False, True, False

    def __init__(self, base: Pairing) -> None:
        self.base = base
        self.d = d = base.known.shape[1]
        size = (1 << d) - 1
        self.total = np.zeros(size)
        self.total[-1] = 1.0
        self.lower, self.upper = np.zeros(size), np.ones(size)
        sets = np.arange(1, 1 << d)
        pairs = [(s, s | 1 << j) for j in range(d) for s in sets[sets >> j & 1 == 0]]
        self.facets = np.zeros((len(pairs), size))
        for line, (small, large) in enumerate(pairs):
            self.facets[line, small - 1], self.facets[line, large - 1] = -1.0, 1.0

    def inequalities(self, rows: Ints, rivals: Ints, own: Ints) -> tuple[Floats, Floats]:
        """Differences of the steps that each set's measure multiplies."""
        x, y = costs_of(self.base, rows, rivals), (1 + TIE) * costs_of(self.base, rows, own)
        return self._steps(x) - self._steps(y), choquet_reach(x, y)

    def _steps(self, c: Floats) -> Floats:
        order = np.argsort(c, axis=1, kind="stable")
        rising = np.take_along_axis(c, order, axis=1)
        # The set of the attributes at i and beyond, as the bits that are left when those before are taken.
        sets = (1 << self.d) - 1 - np.cumsum(1 << order, axis=1) + (1 << order)
        out = np.zeros((len(c), len(self.total)))
        np.put_along_axis(out, sets - 1, np.diff(rising, axis=1, prepend=0.0), axis=1)
        return out

    def pairing(self, theta: Floats) -> Pairing:
        """A Choquet integral."""
        return self.base._replace(code=CHOQUET, params=np.concatenate(([0.0], theta)))

    def cuts(self, theta: Floats) -> Floats:
        """Nothing beyond the facets."""
        return np.empty((0, len(theta)))

    def mend(self, theta: Floats) -> Floats:
        """At least the measure of every set inside, at most 1."""
        mu = np.concatenate(([0.0], np.clip(theta, 0.0, 1.0)))
        mu[-1] = 1.0
        sets = np.arange(len(mu))
        for j in range(self.d):
            small = sets[sets >> j & 1 == 0]
            mu[small | 1 << j] = np.maximum(mu[small | 1 << j], mu[small])
        return mu[1:]

    def additive(self, weights: Floats) -> Floats:
        """The measure whose integral is the weighted mean."""
        theta = bits(self.d)[1:] @ weights
        theta[-1] = 1.0
        return np.asarray(np.minimum(theta, 1.0))

    def symmetric(self, weights: Floats) -> Floats:
        """The measure whose integral is the OWA: a set of k attributes counts as the k largest places."""
        theta = np.cumsum(weights)[bits(self.d)[1:].sum(axis=1) - 1]
        theta[-1] = 1.0
        return np.asarray(np.minimum(theta, 1.0))

    def starts(self) -> list[Floats]:
        """The plain mean, each attribute alone, and each place alone (the largest, ..., the smallest)."""
        alone = [self.additive(corner) for corner in np.eye(self.d)]
        places = [self.symmetric(place) for place in np.eye(self.d)]
        return [self.additive(np.full(self.d, 1 / self.d)), *alone, *places]

    def ends(self, theta: Floats, rng: np.random.Generator) -> Floats:
        """One set's measure moved to its limits, the starts, and random additive and symmetric measures."""
        mu = np.concatenate(([0.0], theta))
        sets = np.arange(1, len(theta))
        upper, lower = np.ones(len(mu)), np.zeros(len(mu))
        for j in range(self.d):
            held = np.arange(len(mu)) >> j & 1 == 1
            lower[held] = np.maximum(lower[held], mu[np.arange(len(mu))[held] ^ 1 << j])
            upper[~held] = np.minimum(upper[~held], mu[np.arange(len(mu))[~held] | 1 << j])
        moved = np.tile(theta, (2 * len(sets), 1))
        line = np.arange(len(sets))
        moved[line, sets - 1] = upper[sets]
        moved[line + len(sets), sets - 1] = lower[sets]
        weights, places = (rng.dirichlet(np.full(self.d, 0.5), self.d) for _ in range(2))
        random = [self.additive(w) for w in weights] + [self.symmetric(w) for w in places]
        return np.vstack([moved, np.array(self.starts()), np.array(random)])

    def away(self, theta: Floats, end: Floats) -> float:
        """Until a set counts as much as one inside it."""
        return inside(self, theta, theta - end)


class Additive:
    """Choquet integrals with a k-additive measure: theta is its Moebius transform on sets of up to k.

    CI(c) = sum_A m(A) min over A of c (Grabisch 1997). Far fewer numbers than 2^d; that mu is monotone are
    d 2^(d-1) half-spaces, of which only those that a solution violates are made.
    """

    ordered, monotone, simplex = False, True, False

    def __init__(self, base: Pairing, k: int) -> None:
        self.base, self.k = base, k
        self.d = d = base.known.shape[1]
        held = bits(d)
        self.sets = np.flatnonzero((held.sum(axis=1) > 0) & (held.sum(axis=1) <= k))
        self.members = held[self.sets].astype(bool)
        single = self.members.sum(axis=1) == 1
        size = len(self.sets)
        self.total = np.ones(size)
        self.lower, self.upper = np.where(single, 0.0, -(2.0**k)), np.where(single, 1.0, 2.0**k)
        self.facets = np.empty((0, size))

    def inequalities(self, rows: Ints, rivals: Ints, own: Ints) -> tuple[Floats, Floats]:
        """Differences of the smallest costs in each set; the reach is that of all measures."""
        x, y = costs_of(self.base, rows, rivals), (1 + TIE) * costs_of(self.base, rows, own)
        return self._least(x) - self._least(y), choquet_reach(x, y)

    def _least(self, c: Floats) -> Floats:
        return np.column_stack([c[:, held].min(axis=1) for held in self.members])

    def measure(self, theta: Floats) -> Floats:
        """The measure mu of all 2^d sets."""
        mu = np.zeros(1 << self.d)
        mu[self.sets] = theta
        for j in range(self.d):
            halves = mu.reshape(-1, 2, 1 << j)
            halves[:, 1] += halves[:, 0]
        return mu

    def _gains(self, theta: Floats) -> list[tuple[int, Floats, Ints]]:
        """For each attribute, what it adds to each set without it."""
        mu, sets = self.measure(theta), np.arange(1 << self.d)
        without = [sets[sets >> j & 1 == 0] for j in range(self.d)]
        return [(j, mu[s | 1 << j] - mu[s], s) for j, s in enumerate(without)]

    def pairing(self, theta: Floats) -> Pairing:
        """A Choquet integral; sums of the transform may leave rounding below 0, which is taken away."""
        mu = np.clip(self.measure(theta), 0.0, 1.0)
        mu[-1] = 1.0
        sets = np.arange(len(mu))
        for j in range(self.d):
            small = sets[sets >> j & 1 == 0]
            mu[small | 1 << j] = np.maximum(mu[small | 1 << j], mu[small])
        return self.base._replace(code=CHOQUET, params=mu)

    def cuts(self, theta: Floats) -> Floats:
        """For each attribute, the set to which it adds least, if that is below 0."""
        found = []
        for j, gain, without in self._gains(theta):
            least = int(np.argmin(gain))
            if gain[least] < -1e-9:
                inner = (self.sets & ~(without[least] | 1 << j)) == 0
                found.append((inner & self.members[:, j]).astype(np.float64))
        return np.array(found).reshape(-1, len(theta))

    def mend(self, theta: Floats) -> Floats:
        """Moved towards the plain mean until no attribute takes away."""
        theta = theta / theta.sum()
        least = min(float(gain.min()) for _, gain, _ in self._gains(theta))
        if least >= 0:
            return np.asarray(theta)
        share = -least / (1 / self.d - least)
        return np.asarray((1 - share) * theta + share * self.starts()[0])

    def additive(self, weights: Floats) -> Floats:
        """The measure whose integral is the weighted mean."""
        theta = np.zeros(len(self.sets))
        for j, weight in enumerate(weights):
            theta[self.sets == 1 << j] = weight
        return theta

    def starts(self) -> list[Floats]:
        """The plain mean, each attribute alone, and the smaller or larger of each pair."""
        found = [self.additive(np.full(self.d, 1 / self.d)), *map(self.additive, np.eye(self.d))]
        for line in np.flatnonzero(self.members.sum(axis=1) == 2):
            least = np.zeros(len(self.sets))
            least[line] = 1.0
            found += [least, self.additive(self.members[line].astype(np.float64)) - least]
        return found

    def ends(self, theta: Floats, rng: np.random.Generator) -> Floats:
        """The starts, and random mixtures of them."""
        corners = np.array(self.starts())
        mixed = rng.dirichlet(np.full(len(corners), 0.1), 2 * self.d) @ corners
        return np.vstack([corners, mixed])

    def away(self, theta: Floats, end: Floats) -> float:
        """Until an attribute takes away from some set."""
        now, step = self._gains(theta), self._gains(theta - end)
        room = np.inf
        for (_, gain, _), (_, change, _) in zip(now, step, strict=True):
            falling = change < -1e-15
            room = min(room, float(np.min(np.maximum(gain[falling], 0) / -change[falling], initial=np.inf)))
        return room
