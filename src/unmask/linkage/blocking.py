"""Blocking: only records that agree on some attributes are compared, block by block.

A pair from two blocks has an infinite value: it is never linked, and a true record in another block than
its target stands behind all records of the target's block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.data.missing import Missing
from unmask.data.schema import Kind
from unmask.engines import Engine, Nearest
from unmask.engines.cache import Cache
from unmask.engines.watcher import Watcher
from unmask.errors import DataError
from unmask.intruder.dossier import Dossier
from unmask.kernels.pairing import Pairing


def block_codes(dossier: Dossier) -> tuple[Ints, Ints]:
    """The block of each known and of each released record; -1 is a block of its own for nobody else.

    Under the policy ``category`` a missing value agrees with a missing value, under ``mismatch`` with
    nothing. The other two policies would put a record into many blocks.
    """
    known, released = np.zeros(len(dossier.known), np.int64), np.zeros(len(dossier.released), np.int64)
    for name in dossier.block:
        left, right = _codes(dossier, name)
        if dossier.missing is Missing.CATEGORY:
            left, right = left + 1, right + 1
        elif dossier.missing is not Missing.MISMATCH and ((left < 0).any() or (right < 0).any()):
            raise DataError(
                f"blocking attribute '{name}' has missing values",
                hint="block on another attribute, or use the policy mismatch or category",
            )
        width = int(max(left.max(), right.max())) + 1
        known = np.where((known < 0) | (left < 0), -1, known * width + left)
        released = np.where((released < 0) | (right < 0), -1, released * width + right)
        # Renumbered at every step, so that many attributes do not overflow.
        _, both = np.unique(np.concatenate((known, released)), return_inverse=True)
        lowest = -1 if (known < 0).any() or (released < 0).any() else 0
        known, released = both[: len(known)] + lowest, both[len(known) :] + lowest
    return known, released


def _codes(dossier: Dossier, name: str) -> tuple[Ints, Ints]:
    if dossier.known.schema[name].kind is Kind.NUMERIC:
        values = [data.numbers([name])[:, 0] for data in (dossier.known, dossier.released)]
        levels = np.unique(np.concatenate(values))
        left, right = (np.where(np.isnan(v), -1, np.searchsorted(levels, v)) for v in values)
        return left, right
    names = sorted({*dossier.known.categories(name), *dossier.released.categories(name)})
    return dossier.known.codes(name, names), dossier.released.codes(name, names)


@dataclass(frozen=True, eq=False)
class BlockedEngine:
    """An engine that answers block by block."""

    inner: Engine
    known_block: Ints
    released_block: Ints

    @property
    def cache(self) -> Cache:
        """The inner engine's."""
        return self.inner.cache

    @property
    def watcher(self) -> Watcher:
        """The inner engine's."""
        return self.inner.watcher

    def standing(
        self, pairing: Pairing, truth: Ints, depth: int = 1, targets: Ints | None = None
    ) -> tuple[Ints, Ints]:
        """As the inner engine; a true record outside its target's block stands behind ``depth`` others."""
        chosen = np.arange(len(pairing.known)) if targets is None else targets
        absent = truth[chosen] < 0
        closer, tied = np.where(absent, -1, depth), np.zeros(len(chosen), np.int64)
        place = np.full(len(pairing.released), -1, np.int64)
        for asked, rows, part in self._blocks(pairing, chosen):
            place[rows] = np.arange(len(rows))
            true = truth[chosen[asked]]
            inside = np.where(true >= 0, place[true], -1)
            place[rows] = -1
            found = inside >= 0
            if found.any():
                c, t = self.inner.standing(part, inside, depth, np.flatnonzero(found))
                closer[asked[found]], tied[asked[found]] = c, t
        return closer, tied

    def nearest(self, pairing: Pairing, targets: Ints | None = None) -> Nearest:
        """As the inner engine; classes and rows of the blocks stand one after the other."""
        chosen = np.arange(len(pairing.known)) if targets is None else targets
        cls_of = np.full(len(pairing.released), -1, np.int64)
        row = np.full(len(chosen), -1, np.int64)
        value, runner_up = np.full(len(chosen), np.inf), np.full(len(chosen), np.inf)
        sizes, classes, lengths = [np.empty(0, np.int64)], [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        n_classes = n_rows = 0
        for asked, rows, part in self._blocks(pairing, chosen):
            found = self.inner.nearest(part, None)
            cls_of[rows] = found.cls_of + n_classes
            row[asked] = np.where(found.row >= 0, found.row + n_rows, -1)
            value[asked], runner_up[asked] = found.value, found.runner_up
            sizes.append(found.cls_size)
            classes.append(found.cls + n_classes)
            lengths.append(np.diff(found.indptr))
            n_classes += len(found.cls_size)
            n_rows += len(found.indptr) - 1
        alone = np.flatnonzero(cls_of < 0)  # released records in blocks that no target is in
        cls_of[alone] = n_classes + np.arange(len(alone))
        sizes.append(np.ones(len(alone), np.int64))
        indptr = np.concatenate(([0], np.cumsum(np.concatenate(lengths)))).astype(np.int64)
        return Nearest(cls_of, np.concatenate(sizes), row, indptr, np.concatenate(classes), value, runner_up)

    def k_nearest(self, pairing: Pairing, k: int, targets: Ints | None = None) -> tuple[Ints, Floats]:
        """As the inner engine; a block of fewer than k records is filled up with row -1 at infinity."""
        chosen = np.arange(len(pairing.known)) if targets is None else targets
        row, value = np.full((len(chosen), k), -1, np.int64), np.full((len(chosen), k), np.inf)
        for asked, rows, part in self._blocks(pairing, chosen):
            near, far = self.inner.k_nearest(part, min(k, len(rows)), None)
            row[asked, : near.shape[1]] = np.where(near >= 0, rows[near], -1)
            value[asked, : near.shape[1]] = far
        return row, value

    def _blocks(self, pairing: Pairing, chosen: Ints) -> Iterator[tuple[Ints, Ints, Pairing]]:
        """For each block with targets and released records: which targets, which records, their pairing."""
        mine = self.known_block[chosen]
        targets_of, records_of = _groups(mine), _groups(self.released_block)
        for block in np.unique(mine[mine >= 0]):
            asked, rows = targets_of(block), records_of(block)
            if len(rows):
                known = np.ascontiguousarray(pairing.known[chosen[asked]])
                released = np.ascontiguousarray(pairing.released[rows])
                yield asked, rows, pairing._replace(known=known, released=released)


def _groups(block: Ints) -> Callable[[int], Ints]:
    """The positions of each block, by one sort."""
    order = np.argsort(block, kind="stable")
    ordered = block[order]

    def positions(wanted: int) -> Ints:
        low, high = np.searchsorted(ordered, [wanted, wanted + 1])
        return order[low:high]

    return positions
