"""Which released records look alike in what an intruder knows, with missing values read by the policy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unmask.data.key_classes import wild
from unmask.data.microdata import Floats, Ints
from unmask.data.missing import Missing
from unmask.measures.attribute.groups import Extremes, dense, extremes, labels
from unmask.measures.evidence import FileEvidence

#: Beyond so many combinations of missing attributes, comparing each with each takes too long.
MOST_PATTERNS = 200


@dataclass(frozen=True, eq=False)
class Link:
    """Two sets of classes whose records agree wherever both have a value: those with the same key."""

    left: Ints
    right: Ints
    left_key: Ints
    right_key: Ints
    keys: int


@dataclass(frozen=True, eq=False)
class Alike:
    """The class of each released record, and how many records look like the class.

    Where a missing value agrees with everything, a record of another class may look alike, too; ``links``
    say which.
    """

    label: Ints
    size: Ints
    links: tuple[Link, ...] = ()

    @property
    def members(self) -> Ints:
        """The records, class by class, ascending in each."""
        from unmask.kernels.classes import by_class

        start = np.append(0, np.cumsum(np.bincount(self.label, minlength=len(self.size))))
        return by_class(self.label, start)

    def extremes(self, values: Floats) -> Extremes:
        """The extremes of the records that look like each class."""
        from unmask.kernels.extremes import fold_linked

        alone = extremes(self.label, np.ascontiguousarray(values), len(self.size))
        if not self.links:
            return alone
        found = Extremes(alone.count.copy(), alone.ends.copy())
        for link in self.links:
            keys = link.left, link.right, link.left_key, link.right_key, link.keys
            fold_linked(*keys, alone.count, alone.ends, found.count, found.ends)
        return found


def alike(
    evidence: FileEvidence, names: Sequence[str], missing: Missing, wild: Sequence[str] = ()
) -> Alike | None:
    """Released records that share these attributes; None where too many combinations of them are missing.

    *mismatch*: a record with a missing value is like no other; *category*: missing equals missing;
    *wildcard*, *ignore* and *suppressed*: records are alike if they agree wherever both have a value. So they
    are, whatever the policy, where values of the ``wild`` attributes are missing; a missing value of another
    is then one more value.

    >>> import polars as pl
    >>> from unmask.data.microdata import Masked, Microdata
    >>> from unmask.data.schema import Column, Schema
    >>> frame = pl.DataFrame({"a": [1, 1, 1], "b": [2, 2, None]})
    >>> file = Microdata(Schema((Column("a"), Column("b"))), frame)
    >>> evidence = FileEvidence(file, Masked.by_order(file, file), ("a", "b"))
    >>> for missing in (Missing.MISMATCH, Missing.WILDCARD):
    ...     found = alike(evidence, ["a", "b"], missing)
    ...     print(found.size[found.label])
    [2 2 1]
    [3 3 3]
    """

    def made() -> Alike | None:
        # By column in memory: the codes are read one attribute after the other.
        codes = evidence.cache.room.empty((len(names), len(evidence.released)), np.int64).T
        for j, name in enumerate(names):
            codes[:, j] = evidence.ranks(evidence.released, name)
        if not wild:
            return _alike(codes, missing)
        settled = np.array([name not in wild for name in names])
        return _alike(np.where((codes == 0) & settled, codes.max(axis=0) + 1, codes), Missing.WILDCARD)

    return evidence.cache.get(evidence.released, ("cells", tuple(names), missing, tuple(wild)), made)


def _alike(codes: Ints, missing: Missing) -> Alike | None:
    """Rows of codes that are alike; a code is 0 where the value is missing."""
    label = labels(codes)
    incomplete = (codes == 0).any(axis=1)
    if missing is Missing.MISMATCH and incomplete.any():
        label[incomplete] = len(codes) + np.arange(int(incomplete.sum()))
        label = dense(label, 2 * len(codes))
    size = np.bincount(label)
    if not wild(missing) or not incomplete.any():
        return Alike(label, size)
    first = np.empty(len(size), dtype=np.int64)
    first[label[::-1]] = np.arange(len(label))[::-1]
    links = _links(codes[first])
    if links is None:
        return None
    total = size.copy()
    for link in links:
        total[link.left] += np.bincount(link.right_key, size[link.right], link.keys)[link.left_key].astype(
            np.int64
        )
    return Alike(label, total, links)


def _links(classes: Ints) -> tuple[Link, ...] | None:
    """The links between classes of different patterns of missing values."""
    patterns, pattern_of = np.unique(classes > 0, axis=0, return_inverse=True)
    if len(patterns) > MOST_PATTERNS:
        return None
    members = [np.flatnonzero(pattern_of == p) for p in range(len(patterns))]
    links = []
    for p, left in enumerate(members):
        for q, right in enumerate(members):
            if p == q:
                continue
            both: NDArray[np.bool_] = patterns[p] & patterns[q]
            key = labels(np.concatenate((classes[left][:, both], classes[right][:, both])))
            links.append(Link(left, right, key[: len(left)], key[len(left) :], int(key.max()) + 1))
    return tuple(links)
