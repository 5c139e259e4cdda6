"""Dependence: whose outcomes hang together, and how much a number of hits varies because of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from unmask.data.microdata import Floats, Ints, as_text
from unmask.data.ranks import dense_ranks
from unmask.data.sums import dot, mean, total, totals
from unmask.intruder.dossier import Dossier
from unmask.intruder.truth import Truth
from unmask.measures.numbering import Codes, Labels, dense, first_of, labels

#: The members of a class of at most so many identical records count as one, those of a larger one singly.
FEW = 4


@dataclass(frozen=True, eq=False)
class Moves:
    """An attribute whose values were exchanged: who moved from a to b has a partner who moved from b to a.

    ``there``: the number of each target's move (-1: who is not in the release made none); of each move,
    ``opposite``: the number of the opposite one, and ``people``: how many made it.
    """

    there: Codes
    opposite: Codes
    people: Codes

    def among(self, chosen: NDArray[np.bool_] | Ints) -> Moves:
        """The moves of some targets; their partners may be others."""
        return Moves(self.there[chosen], self.opposite, self.people)

    def covariance(self, residual: Floats) -> float:
        """The sum of residual products over ordered pairs of partners.

        Who of those that made the opposite move is the partner is not known, so it is the mean over them.

        >>> Moves(np.array([0, 1]), np.array([1, 0]), np.array([1, 1])).covariance(np.array([0.5, 0.4]))
        0.4
        """
        there = self.there
        if there.min(initial=0) < 0:
            there, residual = there[there >= 0], residual[there >= 0]
        sums, back = totals(there, residual, len(self.opposite)), self.opposite[there]
        alone = there == back  # nobody is their own partner
        partners = np.maximum(self.people[back] - alone, 1)
        return dot(residual, (sums[back] - np.where(alone, residual, 0.0)) / partners)


@dataclass(frozen=True, eq=False)
class Dependence:
    """Which targets' outcomes hang together.

    ``cls``: the class of each target's released record, identical records sharing one (-1: there is none);
    ``moves``: one for each attribute whose values were exchanged, as rank swapping does; ``learning``: how
    many people are tried by a distance for each that it was learned from (0: nothing was learned).

    >>> Dependence(np.array([0, 1, 0])).among(np.array([0, 2])).cls
    array([0, 0])
    """

    cls: Codes
    moves: tuple[Moves, ...] = ()
    learning: float = 0.0

    @staticmethod
    def of(dossier: Dossier, truth: Truth) -> Dependence:
        """That of all targets, by the attributes that both files have."""
        present = truth.present
        cls = np.full(len(truth.row), -1, dtype=np.int32)
        names = dossier.attributes if dossier.comparable else ()
        if not names or not len(present):
            cls[present] = np.arange(len(present))
            return Dependence(cls)
        label, size, moves = np.zeros(len(present), dtype=np.int32), 1, []
        for name in names:  # one by one, so that the codes of a single attribute are there at a time
            before, after = _codes(
                dossier.known.frame[name][present], dossier.released.frame[name][truth.row[present]]
            )
            label, size = labels((label, after), len(label))
            move = _exchanged(before, after)
            if move is not None:
                moves.append(_spread(move, present, len(cls)))
        cls[present] = _by_appearance(*dense(label, size))
        return Dependence(cls, tuple(moves))

    def among(self, chosen: NDArray[np.bool_] | Ints) -> Dependence:
        """That of some of the targets."""
        everybody = np.arange(len(self.cls))
        if np.array_equal(everybody[chosen], everybody):
            return self
        return Dependence(self.cls[chosen], tuple(move.among(chosen) for move in self.moves), self.learning)


@dataclass(frozen=True)
class Spread:
    """The variance of a sum of hits, and how many units that vary by themselves it comes from."""

    variance: float
    units: int


def spread(hits: Floats, dependence: Dependence | None = None) -> Spread:
    """How much the sum of the hits varies from one draw of people to another.

    Identical released records are counted as one *class*. With s members, hits that add up to H and K0
    classes that the draw has missed, the variance is the residual sum of squares

        min over a, b of  sum over classes (H - a - b s)^2 + K0 a^2

    The number of people is fixed, so b s adds nothing to the variance; nor does a for each of a fixed number
    of classes. K0 is estimated from the classes of one and of two people, n1 (n1 - 1) / 2 (n2 + 1)
    (Chao 1984). If every record is a class of its own, it is the sum of (h - mean)^2.

    Members of classes with more than 4 records count singly, by what the sum would lose without them: h less
    what the others would gain, each h^2 / (1 - h) where the belief is shared. To the variance comes the
    covariance of those who exchanged values. People who are tried by what was learned from others share its
    luck, which multiplies the variance by 1 + tried / learned from (Nadeau and Bengio 2003).

    Where hits are fractions, the square of the largest is added: a few people may miss the largest there are.
    Else the variance is at least that of one person found of n, 1 - 1/n.

    >>> spread(np.array([1.0, 1.0, 0.0, 0.0]))
    Spread(variance=1.0, units=4)
    >>> spread(np.array([1.0, 1.0, 0.0, 0.0]), Dependence(np.array([0, 0, 1, 1])))
    Spread(variance=2.0, units=2)
    """
    residual = hits - mean(hits)
    if dependence is None:
        return Spread(_with_one_more(dot(residual, residual), hits), len(hits))
    cls, classes = dense(dependence.cls + 1, int(dependence.cls.max(initial=0)) + 2)
    size, sums = np.bincount(cls), totals(cls, hits, classes)
    small, single = size <= FEW, (size > FEW)[cls]
    s, h = size[small].astype(np.float64), sums[small]
    influence = (hits - _gains(hits, cls))[single]
    variance = total(np.concatenate((h * h, influence * influence))) - _explained(
        np.array([[len(s) + _unseen(size), s.sum()], [s.sum(), s @ s + len(influence)]]),
        np.array([total(h), total(np.append(s * h, influence))]),
    )
    # Partners share no more than their whole fate, which doubles the variance.
    shared = sum(max(0.0, move.covariance(residual)) for move in dependence.moves)
    variance = (variance + min(shared, variance)) * (1 + dependence.learning)
    return Spread(_with_one_more(variance, hits), len(s) + len(influence))


def fractional(hits: Floats) -> bool:
    """Whether somebody counts more than 0 and less than 1."""
    return bool(((hits > 0) & (hits < 1)).any())


def _with_one_more(variance: float, hits: Floats) -> float:
    if fractional(hits):
        return variance + float(hits.max()) ** 2
    return max(variance, 1 - 1 / len(hits))


def _gains(hits: Floats, cls: Codes) -> Floats:
    """What the others of their class would gain without each person's record."""
    part = (hits > 0) & (hits < 1)
    gain = np.divide(hits**2, 1 - hits, out=np.zeros(len(hits)), where=part)
    return np.asarray(totals(cls, gain, int(cls.max(initial=-1)) + 1)[cls] - gain)


def _unseen(size: Ints) -> float:
    """How many classes nobody of this draw is in (Chao 1984)."""
    ones, twos = int((size == 1).sum()), int((size == 2).sum())
    return ones * (ones - 1) / (2 * (twos + 1))


def _explained(squares: Floats, products: Floats) -> float:
    """The sum of squares that a regression takes away: products' squares^-1 products."""
    return float(products @ np.linalg.lstsq(squares, products, rcond=None)[0])


def _codes(known: pl.Series, released: pl.Series) -> tuple[Labels, Labels]:
    """The two columns' values by one numbering; a missing value is a value of its own."""
    if known.dtype.is_numeric() and released.dtype.is_numeric():
        both = pl.concat([c.cast(pl.Float64).rename("") for c in (known, released)])
    else:
        both = pl.concat([as_text(c).rename("") for c in (known, released)])
    codes = dense_ranks(both).astype(np.int32)
    return codes[: len(known)], codes[len(known) :]


def _by_appearance(label: Labels, size: int) -> Labels:
    """Labels without gaps, numbered by their first appearance instead.

    >>> _by_appearance(np.array([2, 0, 2, 1], dtype=np.int32), 3)
    array([0, 1, 0, 2], dtype=int32)
    """
    number = np.empty(size, dtype=np.int32)
    number[np.argsort(first_of(label, size))] = np.arange(size, dtype=np.int32)
    return number[label]


def _exchanged(before: Labels, after: Labels) -> Moves | None:
    """The moves from one value to another, if as many people made each one as its opposite; else None."""
    width = int(max(before.max(), after.max())) + 1
    # Exchanges leave every value as frequent as it was, which is quickly seen.
    kept = np.array_equal(np.bincount(before, minlength=width), np.bincount(after, minlength=width))
    if not kept or np.array_equal(before, after):
        return None
    # If every move has its opposite, the opposite ones, in order, have the numbers of the moves.
    there, size = dense(*labels((before, after), len(before)))
    back, opposites = dense(*labels((after, before), len(before)))
    people = np.bincount(there).astype(np.int32)
    if opposites != size or not np.array_equal(np.bincount(back), people):
        return None
    one, other = first_of(there, size), first_of(back, size)
    if not (np.array_equal(before[one], after[other]) and np.array_equal(after[one], before[other])):
        return None
    return Moves(there.astype(np.min_scalar_type(-size)), back[one], people)


def _spread(moves: Moves, present: Ints, n: int) -> Moves:
    """Moves of those present among all n targets."""
    there = np.full(n, -1, dtype=moves.there.dtype)
    there[present] = moves.there
    return Moves(there, moves.opposite, moves.people)
