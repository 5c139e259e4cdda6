"""Visits: how many points of a person are at each place, whenever they were."""

from __future__ import annotations

import numpy as np

from unmask.data.microdata import Ints
from unmask.data.shapes import TraceContent
from unmask.linkage.point_choice import places_chosen
from unmask.linkage.point_scales import cells
from unmask.linkage.points import CommonPoints, check_kinds, in_common

#: The scales of the map at which visits are counted; at the largest everybody was everywhere.
SCALES = (5, 4, 3, 2)


def visited_places(known: TraceContent, released: TraceContent) -> CommonPoints:
    """What people have by their visits: "at least v points at this place", v = 1, 2, 3, 4, 6, 8, ...

    >>> seen = TraceContent(np.array([0, 3]), np.arange(3.0), np.array([0, 0, 1]), ("elm", "oak"))
    >>> both = visited_places(seen, seen.chosen(np.array([0, 2])))
    >>> both.known.codes, both.released.codes
    (array([0, 1, 2]), array([0, 1]))
    """
    check_kinds(known, released)
    if known.x is None:
        places, notes = places_chosen(known, released)
        every = [places]
    else:
        every, notes = cells(known, released, SCALES), ()
    owners = known.owner, released.owner
    items = [((levels(owners[0], here), levels(owners[1], there)), (here, there)) for here, there in every]
    return in_common(items, owners, (len(known), len(released)), notes)


def levels(owner: Ints, place: Ints) -> Ints:
    """The level of each visit: the k-th of a person at a place has the level 2 log2(k), rounded down.

    Two levels stand for each doubling, as the difference between 40 and 41 visits is chance.

    >>> levels(np.zeros(5, int), np.array([7, 7, 3, 7, 7]))
    array([0, 2, 0, 3, 4])
    """
    order = np.lexsort((place, owner))
    first = np.ones(len(order), dtype=bool)
    first[1:] = (np.diff(owner[order]) != 0) | (np.diff(place[order]) != 0)
    start = np.maximum.accumulate(np.where(first, np.arange(len(order)), 0))
    visit = np.empty(len(order), np.int64)
    visit[order] = np.arange(len(order)) - start + 1
    return np.floor(2 * np.log2(visit) + 1e-9).astype(np.int64)
