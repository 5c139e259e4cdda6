"""The mechanism that the two files suggest: what an intruder would guess of how the file was protected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Floats
from unmask.data.schema import Kind
from unmask.data.understanding.changes import WITHOUT_CHANCE, WITHOUT_TRACE, Change, What
from unmask.linkage.redrawn import Redrawn, tabulates
from unmask.linkage.transitions import (
    Categories,
    Declaration,
    Interval,
    Normal,
    Part,
    Seen,
    Suppressed,
    Transitions,
)

#: A little more than the farthest swap seen: the next person may have moved a little farther.
WIDER = 1.1


@dataclass(frozen=True, eq=False)
class Inferred:
    """What happened to each attribute, as a declaration in the release's terms.

    An attribute that was recoded without chance is released as it is, because what is known of it is
    recoded first. Noise is normal with the deviation that was seen; a swapped number comes from the ranks
    around its own; a changed category stays with the share that was seen, or becomes any as often as it
    is released; what leaves no trace of the original says nothing.

    >>> Inferred((Change("age", What.NOISE, "", size=2.0),)).name
    'noise in 1 attribute'
    """

    changes: tuple[Change, ...]

    @property
    def name(self) -> str:
        """What was inferred, in words."""
        counts: dict[str, int] = {}
        for change in self.changes:
            for what in {change.what, What.SUPPRESSED if change.lost else change.what} - {What.UNCHANGED}:
                counts[what.value] = counts.get(what.value, 0) + 1
        told = (f"{what} in {n} attribute{'s' * (n > 1)}" for what, n in sorted(counts.items()))
        return "; ".join(told) or "nothing"

    def declare(self, seen: Seen) -> Declaration:
        """The parts of all attributes that are compared."""
        known, released = seen.known.schema, seen.released.schema
        compared = [c for c in self.changes if c.attribute in known and c.attribute in released]
        parts: list[Part] = [Suppressed(c.attribute, c.lost) for c in compared if c.lost]
        for change in compared:
            if not (change.what in WITHOUT_CHANCE and change.exact):
                parts += self._part(change, seen)
        parts += _noise([c for c in compared if _is_noise(c, seen)])
        return Declaration(tuple(parts), (f"guessed: {self.name}",))

    def _part(self, change: Change, seen: Seen) -> Iterator[Part]:
        name = change.attribute
        if seen.known.schema[name].kind is not Kind.NUMERIC:
            yield Categories(name, _transitions(change, seen))
        elif change.what is What.SWAPPED and change.size is not None:
            yield _window(name, seen, WIDER * change.size)
        elif not _is_noise(change, seen):
            anything = np.full(len(seen.released), np.inf)
            yield Interval(name, -anything, anything)


def _is_noise(change: Change, seen: Seen) -> bool:
    numeric = seen.known.schema[change.attribute].kind is Kind.NUMERIC
    return numeric and change.what is What.NOISE and bool(change.size)


def _noise(changes: Sequence[Change]) -> list[Part]:
    if not changes:
        return []
    sizes = np.array([change.size or 0.0 for change in changes])
    return [Normal(tuple(change.attribute for change in changes), np.diag(sizes**2))]


def _window(name: str, seen: Seen, share: float) -> Interval:
    """The values whose ranks are within a share of all ranks around each released value's."""
    released = seen.released.numbers([name])[:, 0]
    order = np.sort(released[~np.isnan(released)])
    n, gone = len(order), np.isnan(released)
    window = int(np.ceil(share * n))
    low = np.maximum(np.searchsorted(order, released, "left") - window, 0)
    high = np.minimum(np.searchsorted(order, released, "right") - 1 + window, n - 1)
    ends = [np.where(gone, np.nan, order[np.where(gone, 0, at)]) for at in (low, high)]
    # The ends of the file are open: a window that reaches them says nothing beyond.
    return Interval(name, np.where(low == 0, -np.inf, ends[0]), np.where(high == n - 1, np.inf, ends[1]))


def _transitions(change: Change, seen: Seen) -> Transitions | Redrawn:
    """A category stays with the share seen, or becomes any as often as it is released.

    With q the shares of the released categories and t the chance that it is drawn anew, a category changes
    with probability t (1 - sum q^2) in the mean, which is the share seen.
    """
    name = change.attribute
    categories = tuple(sorted({*seen.known.categories(name), *seen.released.categories(name)}))
    codes = seen.released.codes(name, categories)
    counts = np.bincount(codes[codes >= 0], minlength=len(categories)) + 1e-3
    share: Floats = counts / counts.sum()
    again = 1.0
    if change.what not in WITHOUT_TRACE and change.size is not None:
        again = min(change.size / max(1 - float((share**2).sum()), 1e-12), 1.0)
    if not tabulates(len(categories), len(categories)):
        return Redrawn(categories, categories, np.arange(len(categories)), 1 - again, share)
    probability = (1 - again) * np.eye(len(categories)) + again * share[None, :]
    return Transitions(categories, categories, probability)
