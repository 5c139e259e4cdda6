"""Margins: shares of the combinations of values of one, two or three attributes in both files.

Categories are taken as they are, numbers in classes (:mod:`unmask.losses.classes`), and a missing value is a
class of its own. Shares are weighted where records have weights.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.data.schema import Kind
from unmask.losses.base import Values
from unmask.losses.classes import Cuts
from unmask.losses.dealt import dealt
from unmask.losses.evidence import LossEvidence
from unmask.measures.estimate import NotEstimable

#: Tables of more cells are counted over the cells that occur.
MOST_CELLS = 1_000_000

#: What tables of so many attributes are called.
ORDERS = {1: "single attributes", 2: "pairs of attributes", 3: "triples of attributes"}

Table = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class TableShares:
    """The classes of each attribute: of the original records and, after them, of the released ones.

    ``codes``: from 0 on, without gaps; ``sizes``: how many classes occur in either file; ``weights``: of the
    records of each file, with sum 1.

    >>> from unmask.losses.evidence import LossAttribute, Side
    >>> x, y = (Side({"sex": np.array(v, np.int32)}, np.ones(4)) for v in ([0, 0, 1, 1], [0, 0, 0, -1]))
    >>> both = TableShares.of(LossEvidence((LossAttribute("sex", Kind.NOMINAL, 2),), x, y, np.arange(4)))
    >>> both.shares(("sex",))
    (array([0. , 0.5, 0.5]), array([0.25, 0.75, 0.  ]))
    """

    codes: Mapping[str, Ints]
    sizes: Mapping[str, int]
    weights: tuple[Floats, Floats]

    @classmethod
    def of(cls, evidence: LossEvidence) -> TableShares:
        """The margins of two files."""
        found = {
            attribute.name: _occurring(_classes(evidence, attribute.name))
            for attribute in evidence.attributes
        }
        weights = evidence.original.weights, evidence.released.weights
        return cls(
            {name: codes for name, (codes, _) in found.items()},
            {name: size for name, (_, size) in found.items()},
            (weights[0] / weights[0].sum(), weights[1] / weights[1].sum()),
        )

    def shares(self, table: Table) -> tuple[Floats, Floats]:
        """The shares of the cells of a table in the original and in the release."""
        cells, size = self.codes[table[0]], self.sizes[table[0]]
        for name in table[1:]:
            cells = cells * self.sizes[name] + self.codes[name]
            size *= self.sizes[name]
            if size > MOST_CELLS:
                occurring, cells = np.unique(cells, return_inverse=True)
                size = len(occurring)
        ours, theirs = self.weights
        records = cells[: len(ours)], cells[len(ours) :]
        p, q = (np.bincount(c, w, size) for c, w in zip(records, (ours, theirs), strict=True))
        return p.astype(np.float64, copy=False), q.astype(np.float64, copy=False)


def _classes(evidence: LossEvidence, name: str) -> Ints:
    """The classes of an attribute in both files, 0 where it is missing, in the original's own terms.

    A reader of merged categories who needs the single ones can only deal them out evenly.
    """
    attribute, both = evidence.by_name[name], (evidence.original, evidence.released)
    if attribute.kind is Kind.NUMERIC:
        cuts = Cuts.of(evidence.original.numbers(name), evidence.original.weights)
        return np.concatenate([cuts.classes(side.numbers(name)) for side in both])
    if not attribute.detail:
        return np.concatenate([side.codes(name) for side in both]).astype(np.int64) + 1
    own, (image, released) = evidence.own[name], (side.codes(name).astype(np.int64) for side in both)
    theirs = dealt(own, image, released, evidence.rng("dealt", name))
    if not attribute.of_numbers:
        return np.concatenate((own, theirs)).astype(np.int64) + 1
    places = [np.where(codes < 0, np.nan, codes) for codes in (own, theirs)]
    cuts = Cuts.of(places[0], evidence.original.weights)
    return np.concatenate([cuts.classes(place) for place in places])


def _occurring(codes: Ints) -> tuple[Ints, int]:
    """The codes numbered without gaps, and how many there are."""
    place = np.cumsum(np.bincount(codes) > 0) - 1
    return place[codes], int(place[-1]) + 1


def why_no_shares(evidence: LossEvidence) -> NotEstimable | None:
    """Shares need records in both files, and an attribute."""
    if not len(evidence.original) or not len(evidence.released):
        return NotEstimable("one of the files has no records")
    return None if evidence.attributes else NotEstimable("the files have no attribute in common")


def tables(evidence: LossEvidence, order: int, most: int) -> Sequence[Table]:
    """The tables of so many attributes: all of them, or some at random where there are more than wanted.

    What is drawn follows from the seed and the number of attributes, never from the release.
    """
    names = [attribute.name for attribute in evidence.attributes]
    if comb(len(names), order) <= most:
        return list(combinations(names, order))
    rng = evidence.rng("tables", str(order))
    drawn: set[tuple[int, ...]] = set()
    while len(drawn) < most:
        drawn.add(tuple(sorted(rng.choice(len(names), order, replace=False).tolist())))
    return [tuple(names[j] for j in places) for places in sorted(drawn)]


def table_distances(evidence: LossEvidence, most: int, distance: Callable[[Floats, Floats], float]) -> Values:
    """The distance of the shares in the two files, from 0 to 1: the mean over pairs of attributes (of a
    single one: its own), over tables of each order, and each attribute's own.

    A table with an attribute that the release does not have is lost: 1.
    """
    margins = TableShares.of(evidence)
    single = {a.name: distance(*margins.shares((a.name,))) for a in evidence.attributes}
    means = {ORDERS[1]: _with_lost(list(single.values()), evidence, 1)}
    for order in (2, 3):
        found = [distance(*margins.shares(table)) for table in tables(evidence, order, most)]
        if found or len(evidence.attributes) + len(evidence.absent) >= order:
            means[ORDERS[order]] = _with_lost(found, evidence, order)
    values: dict[str | None, float | NotEstimable] = {None: means.get(ORDERS[2], means[ORDERS[1]])}
    for part in (single, dict.fromkeys(evidence.absent, 1.0), means):
        values.update(part)
    return values


def _with_lost(found: Sequence[float], evidence: LossEvidence, order: int) -> float:
    """The mean over all tables of so many attributes, those with an attribute that is gone counted as 1."""
    there = comb(len(evidence.attributes), order)
    every = comb(len(evidence.attributes) + len(evidence.absent), order)
    return (there * float(np.mean(found)) if found else 0.0) / every + (every - there) / every
