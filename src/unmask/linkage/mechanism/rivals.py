"""Who else may have left a released record: what makes a likelihood a posterior.

The probability that record a is target b's is P(a | b) / q(a), q(a) the likelihood that somebody else left it
(Bayes' rule, one target at a time). The other people whom the intruder knows, each in the release with
probability p, are rivals by name,

    O_a = sum over known l, other than b, of P(a | x_l),

and of those whom they do not know (m - p n of m released records, n known people) they suppose that these are
like the ones they know, with one average person added to those:

    q(a) = p O_a + g (O_a + Q),    g = (max(m - p n, 0) + 1e-6) / n,

Q the geometric mean of the sum over everybody, for the n records where it is largest: those of the people
known, as far as the intruder can tell. If everybody is known, only the rivals by name are left; if one person
only, q is constant, and the posterior is P(a | b) over its sum. For two people known it is exact; for more
it leaves out that rivals exclude each other in turn. The 1e-6 of a stranger keeps a record that nobody
explains from being anybody's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.engines import Engine, joined
from unmask.kernels.mechanism_kinds import LIMIT
from unmask.linkage.mechanism.field import Bounds, Field, alike, in_one_order, known_span, released_span

if TYPE_CHECKING:
    from unmask.kernels.mechanism_pairs import Rivals, Terms

#: The part of an unknown person that is always reckoned with.
STRANGER = 1e-6
#: Released classes in a block of work.
BLOCK = 512


def no_rivals(field: Field) -> Rivals:
    """Nobody else: every record is as likely to be left by others as any."""
    from unmask.kernels.mechanism_pairs import Rivals

    return Rivals(np.zeros(len(field.released)), np.zeros(len(field.released)), 0.0, 0.0, 1.0, -np.inf)


def rivals(field: Field, engine: Engine, present: float) -> Rivals:
    """How well everybody known explains each class of released records, and who is not known.

    ``present``: how probable each known person is in the release.
    """
    from unmask.kernels.mechanism_pairs import Rivals

    people = alike(field.known, field.log_density)
    known, density = field.known[people.first], field.log_density[people.first]
    order = in_one_order(known)
    start, stop = np.zeros(len(field.released), np.int64), np.full(len(field.released), len(known), np.int64)
    if field.lead >= 0:
        low, high = known_span(known, field.lead)
        order = in_one_order(known, low)
        kind, soft = int(field.terms.kind[field.lead]), float(field.terms.soft[field.lead])
        bounds = Bounds.of(low[order], high[order])
        start, stop = bounds.slices(*released_span(field.released, field.lead, kind, soft))
    known = np.ascontiguousarray(known[order])
    task = ExplainTask(
        field.terms,
        field.released,
        known,
        np.ascontiguousarray(known.T),
        density[order],
        people.size[order].astype(np.float64),
        start,
        stop,
    )
    out = engine.map(task, len(field.released), joined, BLOCK)
    typical = _typical(out, field.size, len(field.known))
    n, m = len(field.known), int(field.size.sum())
    strangers = (max(m - present * n, 0.0) + STRANGER) / n
    out = np.maximum(out, typical - LIMIT)
    others = np.exp(np.minimum(typical - out, LIMIT))
    without = out + np.log(present + strangers + strangers * others)
    return Rivals(out, without, typical, strangers, present, -np.inf)


@dataclass(frozen=True, eq=False)
class ExplainTask:
    """How well the known people together explain each released class (log of the sum of likelihoods)."""

    terms: Terms
    released: Floats
    known: Floats
    columns: Floats  # the same by column
    density: Floats
    count: Floats  # how many people each known row stands for
    start: Ints  # from where to where in ``known`` those are who may have left a class
    stop: Ints

    def __call__(self, start: int, stop: int) -> Floats:
        """One number for each of these classes."""
        from unmask.kernels.mechanism_pairs import explained

        out = np.empty(stop - start)
        explained(
            self.terms,
            self.known,
            self.columns,
            np.ascontiguousarray(self.released[start:stop]),
            self.density,
            self.count,
            self.start[start:stop],
            self.stop[start:stop],
            out,
        )
        return out


def _typical(explained: Floats, size: Ints, people: int) -> float:
    """The mean over as many records as there are people known, those that are explained best."""
    order = np.lexsort((size, -explained))
    order = order[np.isfinite(explained[order])]
    if not len(order):
        return 0.0
    before = np.cumsum(size[order]) - size[order]
    weight = np.clip(people - before, 0, size[order])
    return float(np.average(explained[order], weights=weight))
