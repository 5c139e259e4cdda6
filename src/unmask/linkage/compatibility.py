"""When a probability over records is a record linkage: when it is compatible with the true one.

The intruder's method claims a probability over the records; the protection leaves a true one. The claim is
*compatible* with the truth if it is what an honest holder of partial evidence would say: there is a belief
function (masses on sets of records) that the true probability obeys, and the claim shares each set's mass
evenly (Torra and Stokes 2012; Smets and Kennes 1994 for the even sharing, the pignistic transform).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.errors import ArgumentError

#: How far a sum of probabilities may be from 1.
ROUNDING = 1e-6
#: Among more records than these, no belief function is listed set by set.
LARGEST_SHOWN = 200
#: More unknowns than these take minutes: 150 records that all differ in probability have as many.
LARGEST_PROGRAM = 22_500
#: A mass this small is rounding, not evidence.
_NO_MASS = 1e-12


@dataclass(frozen=True, eq=False)
class Compatibility:
    """Whether a claimed probability is compatible with the true one, and the belief function that shows it.

    ``distance``: the total variation between the claim and the nearest probability that is compatible with
    the truth; ``compatible``: it is at most ``tolerance``. ``kind`` is the class of each record. Of the true
    probability of a record, ``own`` (one per class) is what it keeps and ``spread`` (a row per class that has
    any, in order) what each record of every class gets.
    """

    compatible: bool
    distance: float
    tolerance: float
    true: Floats
    claimed: Floats
    kind: Ints
    own: Floats
    spread: Floats

    def split(self) -> dict[frozenset[int], dict[int, float]]:
        """The belief function, and how the truth splits it: for each set, what its members really have of it.

        >>> shown = compatible([0.75, 0.25], [0.5, 0.5]).split()
        >>> {tuple(sorted(members)): {i: round(x, 6) for i, x in of.items()} for members, of in shown.items()}
        {(0,): {0: 0.25}, (0, 1): {0: 0.5}, (1,): {1: 0.25}}
        """
        if not self.compatible:
            raise ArgumentError(
                "no belief function has this claim and obeys this truth", hint="ask for it where compatible"
            )
        if len(self.true) > LARGEST_SHOWN:
            raise ArgumentError(
                f"the belief function over {len(self.true)} records is too large to list",
                hint=f"ask for it with at most {LARGEST_SHOWN} records",
            )
        rows = np.cumsum(np.bincount(self.kind, self.true > 0) > 0) - 1  # the row of each class that has one
        found: dict[frozenset[int], dict[int, float]] = {}
        for record in np.flatnonzero(self.true > 0).tolist():
            share = self.spread[rows[self.kind[record]]][self.kind]
            share[record] = self.own[self.kind[record]]
            for members, mass in _layers(share):
                split = found.setdefault(members, {})
                split[record] = split.get(record, 0.0) + mass
        return found

    def masses(self) -> dict[frozenset[int], float]:
        """The masses m(S) of the belief function: the true probability lies in S with at least Bel(S).

        >>> shown = compatible([1, 0, 0], [0.5, 0.3, 0.2]).masses()
        >>> {tuple(sorted(members)): round(mass, 6) for members, mass in shown.items()}
        {(0,): 0.2, (0, 1): 0.2, (0, 1, 2): 0.6}
        """
        return {members: sum(split.values()) for members, split in self.split().items()}


def compatible(
    true: Sequence[float] | Floats, claimed: Sequence[float] | Floats, tolerance: float = 1e-8
) -> Compatibility:
    """Is the claimed probability over records compatible with the true one?

    Definition (Torra and Stokes 2012): masses m(S) >= 0 and splits x(S, i) >= 0, i in S, exist with

        sum_i x(S, i) = m(S),   sum_S x(S, i) = true_i,   sum_{S with i} m(S) / |S| = claimed_i.

    The 2^n sets need not be listed. Write u_S for the uniform probability on S; then claimed is the sum of
    x(S, i) u_S, that is, sum_i true_i q_i with every q_i a mixture of u_S, S with i. Those mixtures are
    exactly the probabilities that are largest at i: u_S is, mixing keeps it, and conversely such a q is
    sum_k k (q_(k) - q_(k+1)) u_{T_k}, with q_(1) >= q_(2) >= ... its values in decreasing order and T_k the
    first k records, all of which hold i. So with w_ij = true_i q_i(j) the question is

        0 <= w_ij <= w_ii,   sum_j w_ij = true_i,   sum_i w_ij = claimed_j:

    a transport from the truth to the claim in which nobody receives more of a record's probability than the
    record itself. Records with the same true and claimed probability can share alike (the mean over all their
    permutations is another solution), so one row and column per class of them is enough.

    Three consequences: the even claim 1/n is compatible with every truth (S = everybody); a claim is
    compatible with a certain truth if and only if no record is believed more than the true one (the lenient
    reading of a tie); and never if claimed_i < true_i / n for some i.

    A certain truth needs no program. Otherwise the program minimises the total variation between ``claimed``
    and what the transport gives; up to ``tolerance`` the claim is called compatible.

    >>> compatible([1, 0, 0], [0.5, 0.5, 0]).compatible, compatible([0.5, 0.5, 0], [1, 0, 0]).compatible
    (True, False)
    >>> round(compatible([0.5, 0.5], [1, 0]).distance, 6)
    0.25
    """
    truth, claim = _probability(true, "true"), _probability(claimed, "claimed")
    if len(truth) != len(claim):
        raise ArgumentError(
            f"{len(truth)} true probabilities and {len(claim)} claimed ones", hint="give both for each record"
        )
    if not 0 < tolerance < 1:
        raise ArgumentError(f"the tolerance is {tolerance:g}", hint="give a number between 0 and 1")
    # A complex number is a pair that sorts fast.
    pairs, kind, size = np.unique(truth + 1j * claim, return_inverse=True, return_counts=True)
    solve = _certain if truth.max() == 1.0 else _transport
    distance, own, spread = solve(pairs.real * size, pairs.imag * size, size.astype(np.int64))
    return Compatibility(
        distance <= tolerance,
        distance,
        tolerance,
        truth,
        claim,
        kind.astype(np.int64),
        own,
        spread,
    )


def completed(belief: Sequence[float] | Floats) -> Floats:
    """A belief that adds up to less than 1 as a probability: what it leaves open lies on everybody alike.

    Abstaining is the mass of the set of all records, whose even sharing is a guess.

    >>> completed([0.5, 0.0])
    array([0.75, 0.25])
    """
    held = np.asarray(belief, dtype=np.float64)
    if held.ndim != 1 or not len(held) or not np.isfinite(held).all() or (held < 0).any():
        raise ArgumentError(
            "a belief is not a list of shares", hint="give one number from 0 on for each record"
        )
    if held.sum() > 1 + ROUNDING:
        raise ArgumentError(f"the belief adds up to {held.sum():g}", hint="give shares of 1")
    open_ = max(0.0, 1.0 - float(held.sum()))
    probability: Floats = held + open_ / len(held)
    return probability


def _probability(values: Sequence[float] | Floats, which: str) -> Floats:
    try:
        given = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ArgumentError(
            f"the {which} probabilities are not numbers", hint="give a list of them"
        ) from None
    if given.ndim != 1 or not len(given):
        raise ArgumentError(f"the {which} probabilities are no list", hint="give one for each record")
    if not np.isfinite(given).all() or (given < 0).any():
        raise ArgumentError(
            f"a {which} probability is negative or missing", hint="give a number from 0 to 1 for each record"
        )
    if abs(given.sum() - 1) > ROUNDING:
        raise ArgumentError(
            f"the {which} probabilities add up to {given.sum():g}",
            hint="give all of them, 'nobody' included; completed() shares what a belief leaves open",
        )
    scaled: Floats = given / given.sum()
    return scaled


def _transport(truth: Floats, claim: Floats, size: Ints) -> tuple[float, Floats, Floats]:
    """The transport between classes that comes nearest to the claim: its distance, and shares per record.

    The unknowns are totals of classes, so that a million records of one class are one number of ordinary
    size: what the records of a class keep of their own, what they give to the others of each class, and how
    much each class gets too little or too much.
    """
    from scipy.optimize import linprog

    classes, rows = len(size), np.flatnonzero(truth > 0)
    n = len(rows)
    if n * classes > LARGEST_PROGRAM:
        raise ArgumentError(
            f"the question has {n * classes} unknowns",
            hint="round the probabilities, or ask about fewer records",
        )
    others = np.repeat(size[None, :], n, axis=0)
    others[np.arange(n), rows] -= 1  # a record is not one of its own others
    giver, taker = np.nonzero(others > 0)
    equal, at_most = _constraints(rows, giver, taker, others, classes)
    cost = np.zeros(equal.shape[1])
    cost[n + len(giver) :] = 0.5
    found = linprog(
        cost,
        A_ub=at_most,
        b_ub=np.zeros(len(giver)),
        A_eq=equal,
        b_eq=np.concatenate((truth[rows], claim)),
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if found.x is None:
        raise ArgumentError("the linear program was not solved", hint="round the probabilities")
    solution = np.maximum(found.x, 0.0)
    own, spread = np.zeros(classes), np.zeros((n, classes))
    own[rows] = solution[:n] / size[rows]
    given = solution[n : n + len(giver)] / (size[rows[giver]] * others[giver, taker])
    spread[giver, taker] = np.minimum(given, own[rows[giver]])
    return max(0.0, float(found.fun)), own, spread


def _certain(truth: Floats, claim: Floats, size: Ints) -> tuple[float, Floats, Floats]:
    """The same where one record is true for certain: the claim, cut down to what the true record has.

    With the k largest claims cut to one level, and what is cut given to the true record, that level is
    their mean; the level sought is the first that is no smaller than the next claim.
    """
    place = int(np.argmax(truth))
    each = claim / size
    order = np.argsort(-each, kind="stable")
    order = order[order != place]
    # Of the k largest classes: how many records with the true one, and how much they claim together.
    people = 1 + np.concatenate(([0], np.cumsum(size[order])))
    level = (claim[place] + np.concatenate(([0.0], np.cumsum(claim[order])))) / people
    following = np.append(each[order], 0.0)
    top = float(level[np.argmax(level >= following)])
    own = np.zeros(len(size))
    own[place] = top
    spread = np.minimum(each, top)
    spread[place] = 0.0
    return top - float(each[place]), own, spread[None, :]


def _constraints(rows: Ints, giver: Ints, taker: Ints, others: Ints, classes: int) -> tuple[Any, Any]:
    """The matrices of the program: what is sent and got, and that nobody gets more than the record itself.

    The unknowns are kept (one per row), given (one per giver and taker), unmet and excess (one per class).
    """
    from scipy import sparse

    n, pairs = len(rows), len(giver)
    entry, every, row = np.arange(pairs), np.arange(classes), np.arange(n)
    unmet, width = n + pairs, n + pairs + 2 * classes
    lines = np.concatenate((row, giver, n + rows, n + taker, n + every, n + every))
    places = np.concatenate((row, n + entry, row, n + entry, unmet + every, unmet + classes + every))
    signs = np.ones(len(lines))
    signs[len(lines) - classes :] = -1.0
    equal = sparse.csr_array((signs, (lines, places)), shape=(n + classes, width))
    factors = np.concatenate((1.0 / others[giver, taker], np.full(pairs, -1.0)))
    at_most = sparse.csr_array(
        (factors, (np.concatenate((entry, entry)), np.concatenate((n + entry, giver)))), shape=(pairs, width)
    )
    return equal, at_most


def _layers(share: Floats) -> list[tuple[frozenset[int], float]]:
    """A record's spread as masses of nested sets: those who get at least as much as each level."""
    levels = np.unique(share)[::-1]
    levels = levels[levels > 0]
    below = np.append(levels[1:], 0.0)
    found = []
    for level, lower in zip(levels, below, strict=True):
        members = np.flatnonzero(share >= level)
        mass = float(len(members) * (level - lower))
        if mass > _NO_MASS:
            found.append((frozenset(members.tolist()), mass))
    return found
