"""Blocking: only records that agree on some attributes are compared, block by block.

A pair from two blocks has an infinite value: it is never linked, and a true record in another block than
its target stands behind all records of the target's block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from unmask.data.key_classes import wild
from unmask.data.microdata import Floats, Ints
from unmask.data.missing import Missing
from unmask.data.schema import Kind
from unmask.engines import Index, Nearest
from unmask.errors import DataError
from unmask.intruder.dossier import Dossier
from unmask.kernels.pairing import Pairing


@dataclass(frozen=True, eq=False)
class Blocks:
    """The block of each known and of each released record; -1 is a block of its own for nobody else."""

    known: Ints
    released: Ints


def blocks_of(dossier: Dossier) -> Blocks | None:
    """The blocks of a dossier; None where all records are compared.

    Under the policy ``category`` a missing value agrees with a missing value, under ``mismatch`` with
    nothing. The other policies would put a record into many blocks; under ``suppressed`` that is a released
    one, and where the release has all values, a missing known one agrees with nothing.
    """
    if not dossier.block:
        return None
    known, released = np.zeros(len(dossier.known), np.int64), np.zeros(len(dossier.released), np.int64)
    for name in dossier.block:
        left, right = _codes(dossier, name)
        if dossier.missing is Missing.CATEGORY:
            left, right = left + 1, right + 1
        elif _in_many(dossier.missing, left, right):
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
    return Blocks(known, released)


def _in_many(missing: Missing, known: Ints, released: Ints) -> bool:
    """Whether a missing value (-1) would put its record into many blocks."""
    hidden, unknown = bool((released < 0).any()), bool((known < 0).any())
    return wild(missing) and (hidden or (unknown and missing is not Missing.SUPPRESSED))


def _codes(dossier: Dossier, name: str) -> tuple[Ints, Ints]:
    if dossier.known.schema[name].kind is Kind.NUMERIC:
        values = [data.numbers([name])[:, 0] for data in (dossier.known, dossier.released)]
        levels = np.unique(np.concatenate(values))
        left, right = (np.where(np.isnan(v), -1, np.searchsorted(levels, v)) for v in values)
        return left, right
    names = sorted({*dossier.known.categories(name), *dossier.released.categories(name)})
    return dossier.known.codes(name, names), dossier.released.codes(name, names)


def blocked(make: Callable[[Pairing], Index], pairing: Pairing, blocks: Blocks | None) -> Index:
    """The index of a pairing, or of each of its blocks where there are any; ``make`` makes one."""
    return make(pairing) if blocks is None else BlockedIndex(make, pairing, blocks)


@dataclass(frozen=True, eq=False)
class Block:
    """The known and the released records of one block, and their index."""

    known: Ints
    released: Ints
    index: Index


class BlockedIndex:
    """An index that answers block by block; that of a block is made when a target of it is asked about."""

    def __init__(self, make: Callable[[Pairing], Index], pairing: Pairing, blocks: Blocks) -> None:
        self.pairing, self._make, self._blocks = pairing, make, blocks
        self._known, self._released = _groups(blocks.known), _groups(blocks.released)
        self._made: dict[int, Block] = {}

    def standing(self, truth: Ints, depth: int = 1, targets: Ints | None = None) -> tuple[Ints, Ints]:
        """As without blocks; a true record outside its target's block stands behind ``depth`` others."""
        chosen = self._rows(targets)
        closer, tied = np.where(truth[chosen] < 0, -1, depth), np.zeros(len(chosen), np.int64)
        place = np.full(len(self.pairing.released), -1, np.int64)
        for asked, block in self._asked(chosen):
            place[block.released] = np.arange(len(block.released))
            true = truth[block.known]
            inside = np.where(true >= 0, place[true], -1)
            place[block.released] = -1
            at = np.searchsorted(block.known, chosen[asked])
            found = inside[at] >= 0
            if found.any():
                c, t = block.index.standing(inside, depth, at[found])
                closer[asked[found]], tied[asked[found]] = c, t
        return closer, tied

    def nearest(self, targets: Ints | None = None) -> Nearest:
        """As without blocks; classes and rows of the blocks stand one after the other."""
        chosen = self._rows(targets)
        cls_of = np.full(len(self.pairing.released), -1, np.int64)
        row = np.full(len(chosen), -1, np.int64)
        value, runner_up = np.full(len(chosen), np.inf), np.full(len(chosen), np.inf)
        sizes, classes, lengths = [np.empty(0, np.int64)], [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        n_classes = n_rows = 0
        for asked, block in self._asked(chosen):
            found = block.index.nearest(np.searchsorted(block.known, chosen[asked]))
            cls_of[block.released] = found.cls_of + n_classes
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

    def k_nearest(self, k: int, targets: Ints | None = None) -> tuple[Ints, Floats]:
        """As without blocks; a block of fewer than k records is filled up with row -1 at infinity."""
        chosen = self._rows(targets)
        row, value = np.full((len(chosen), k), -1, np.int64), np.full((len(chosen), k), np.inf)
        for asked, block in self._asked(chosen):
            at = np.searchsorted(block.known, chosen[asked])
            near, far = block.index.k_nearest(min(k, len(block.released)), at)
            row[asked, : near.shape[1]] = np.where(near >= 0, block.released[near], -1)
            value[asked, : near.shape[1]] = far
        return row, value

    def _rows(self, targets: Ints | None) -> Ints:
        return np.arange(len(self.pairing.known)) if targets is None else np.asarray(targets, np.int64)

    def _asked(self, chosen: Ints) -> Iterator[tuple[Ints, Block]]:
        """For each block with targets and released records: which of the targets, and the block."""
        mine = self._blocks.known[chosen]
        targets_of = _groups(mine)
        for number in np.unique(mine[mine >= 0]).tolist():
            if number not in self._made:
                known, released = self._known(number), self._released(number)
                part = self.pairing._replace(
                    known=np.ascontiguousarray(self.pairing.known[known]),
                    released=np.ascontiguousarray(self.pairing.released[released]),
                )
                self._made[number] = Block(known, released, self._make(part))
            if len(self._made[number].released):
                yield targets_of(number), self._made[number]


def _groups(block: Ints) -> Callable[[int], Ints]:
    """The positions of each block, in increasing order, by one sort."""
    order = np.argsort(block, kind="stable")
    ordered = block[order]

    def positions(wanted: int) -> Ints:
        low, high = np.searchsorted(ordered, [wanted, wanted + 1])
        return order[low:high]

    return positions
