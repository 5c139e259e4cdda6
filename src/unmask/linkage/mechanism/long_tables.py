"""Costs of categories where a table of all pairs would be too large (see unmask.linkage.redrawn)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmask.data.microdata import Floats
from unmask.linkage.mechanism.tables import SURPRISE, Codes, cell_costs
from unmask.linkage.redrawn import Redrawn

#: The columns of the costs: of its image, of any other category, and of any for one that has no image left.
OTHER, ASTRAY = 1, 2


class LongCosts(NamedTuple):
    """What a MATCH term compares: two numbers for each known person, and three costs per released category.

    ``known``: the code of the image, and the column of the costs for all other codes.
    """

    known: Floats
    costs: Floats

    @property
    def hard(self) -> bool:
        """Whether the image is all that is possible."""
        return bool((self.costs[:, 0] == 0.0).all() and np.isinf(self.costs[:, OTHER:]).all())


def long_costs(codes: Codes, chances: Redrawn, error: float) -> LongCosts:
    """The costs as :func:`unmask.linkage.mechanism.tables.transition_costs` has them, column by column."""
    image = _images(codes, chances)
    size = len(codes.columns)
    leads = np.bincount(image[image >= 0], minlength=size)
    share = np.zeros(size)
    share[: len(chances.released)] = (1 - chances.stays) * chances.share
    # What no category becomes is reached by drawing alone.
    same, other, lost = np.where(leads > 0, chances.stays + share, share), share, np.zeros(size)
    found = codes.found > 0
    astray = np.zeros(len(image), bool)
    if not (other[found] > 0).any():
        astray = (codes.held > 0) & ~np.where(image >= 0, found[image], False)
    if astray.any() or (found & ~(same > 0)).any():
        lost = np.where(found, 1 / max(int(found.sum()), 1), 0.0)
        same, other = ((1 - SURPRISE) * p + SURPRISE * lost for p in (same, other))
    if error and len(image) > 1:
        leads = np.bincount(image[(image >= 0) & ~astray], minlength=size)
        rest = len(image) - int(astray.sum()) - leads
        total = leads * same + rest * other + astray.sum() * lost
        wrong = min(error, 1.0)
        same, other, lost = (
            (1 - wrong) * p + wrong * np.maximum(total - p, 0.0) / (len(image) - 1)
            for p in (same, other, lost)
        )
    first = np.where(astray, -1, image).astype(np.float64)
    gone = np.isnan(codes.known)
    place = np.where(gone, 0, codes.known).astype(np.int64)
    column = np.where(astray, ASTRAY, OTHER).astype(np.float64)
    known = np.column_stack([np.where(gone, np.nan, of[place]) for of in (first, column)])
    return LongCosts(known, cell_costs(np.column_stack((same, other, lost))))


def _images(codes: Codes, chances: Redrawn) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """What each category becomes: as declared, else itself; -1 where the release has no such category."""
    place = {category: j for j, category in enumerate(codes.columns)}
    more = [place.get(category, -1) for category in codes.rows[len(chances.original) :]]
    return np.concatenate((chances.image, np.array(more, np.int64)))
