"""The two sides of an assignment: classes of identical records, and searches among them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.engines import Engine, Index, joined
from unmask.kernels.pairing import DIFFERENCE, SUM, TABLE, TIE, Pairing
from unmask.linkage.blocking import Blocks, blocked

#: Pairs up to which all are tried for a price, although the engine could search; and up to which they are
#: where it cannot, because the cost is no sum.
FEW_PAIRS = 250_000
EVERY_PAIR = 400_000_000
#: Unlisted pairs that are added for a row at a time.
ADDED = 8


@dataclass(frozen=True, eq=False)
class Sides:
    """Rows that all want a place, and columns that offer some: classes of identical records with their sizes.

    The value of a pair is that of ``pairing`` (rows are its known records), its cost value ** power. Pairs
    from two blocks are impossible. ``flipped``: rows are released records, columns known ones.
    """

    pairing: Pairing
    engine: Engine
    row: Ints  # the class that each row is, on its side of the whole problem
    column: Ints
    supply: Ints
    capacity: Ints
    row_block: Ints
    column_block: Ints
    power: float = 1.0
    flipped: bool = False

    def restrict(self, rows: Ints, columns: Ints) -> Sides:
        """Some rows and columns only."""
        part = self.pairing._replace(
            known=np.ascontiguousarray(self.pairing.known[rows]),
            released=np.ascontiguousarray(self.pairing.released[columns]),
        )
        return replace(
            self,
            pairing=part,
            row=self.row[rows],
            column=self.column[columns],
            supply=self.supply[rows],
            capacity=self.capacity[columns],
            row_block=self.row_block[rows],
            column_block=self.column_block[columns],
        )

    def turned(self) -> Sides:
        """Rows and columns exchanged."""
        return replace(
            self,
            pairing=_transposed(self.pairing),
            row=self.column,
            column=self.row,
            supply=self.capacity,
            capacity=self.supply,
            row_block=self.column_block,
            column_block=self.row_block,
            flipped=not self.flipped,
        )

    def among(self, columns: Ints, prices: Floats | None = None) -> Neighbours:
        """The search for near columns of these; with prices, a column's is taken from every value."""
        part = self.restrict(np.arange(len(self.supply)), columns)
        pairing = part.pairing if prices is None else _priced(part.pairing, prices[columns])
        split = (part.row_block != 0).any() or (part.column_block != 0).any()
        blocks = Blocks(part.row_block, part.column_block) if split else None
        return Neighbours(blocked(self.engine.index, pairing, blocks), columns)

    def costs(self, rows: Ints, columns: Ints) -> Floats:
        """The cost of each of these pairs."""
        from unmask.engines.prepare import frozen
        from unmask.kernels.assignment_values import listed_values

        values = listed_values(frozen(self.pairing), rows, columns)
        return values if self.power == 1.0 else np.asarray(values**self.power)

    @property
    def searchable(self) -> bool:
        """Whether pairs are many, and the cost a sum, to which a search can add prices."""
        many = len(self.supply) * len(self.capacity) > FEW_PAIRS
        return many and self.power == 1.0 and _is_sum(self.pairing)

    def unlisted(self, indptr: Ints, indices: Ints, u: Floats, v: Floats) -> tuple[Ints, Ints, Floats] | None:
        """Unlisted pairs that prices u and v make too cheap or a tie, and each row's least reduced cost.

        None where there are too many pairs to try every one.
        """
        return self._every_pair(indptr, indices, u, v) if len(u) * len(v) <= EVERY_PAIR else None

    def _every_pair(self, indptr: Ints, indices: Ints, u: Floats, v: Floats) -> tuple[Ints, Ints, Floats]:
        from unmask.engines.prepare import frozen

        task = UnlistedTask(
            frozen(self.pairing),
            (self.row_block, self.column_block),
            (indptr, indices),
            (u, v),
            self.power,
        )
        block = max(1, min(len(u), 4_000_000 // max(len(v), 1)))
        found, least = self.engine.map(task, len(u), joined, block, quiet=True)
        rows, places = np.nonzero(found >= 0)
        return rows, found[rows, places], least


@dataclass(frozen=True, eq=False)
class Neighbours:
    """Some columns, made ready for being searched from any rows."""

    index: Index
    columns: Ints

    def nearest(self, rows: Ints, k: int) -> tuple[Ints, Ints, Floats]:
        """The k nearest of the columns for each of the rows, as pairs; and each row's distance to the last.

        The distance is infinite where a row has no more.
        """
        columns = self.columns
        if not len(rows) or not len(columns):
            return rows[:0], columns[:0], np.full(len(rows), np.inf)
        k = min(k, len(columns))
        near, value = self.index.k_nearest(k, rows)
        good = (near >= 0) & np.isfinite(value)
        at = np.repeat(np.arange(len(rows)), good.sum(axis=1))
        last = np.where(good.all(axis=1) & (k < len(columns)), value[:, -1], np.inf)
        return rows[at], columns[near[good]], last


@dataclass(frozen=True, eq=False)
class UnlistedTask:
    """Unlisted columns that prices make too cheap or a tie, and each row's least reduced cost."""

    pairing: Pairing
    blocks: tuple[Ints, Ints]
    listed: tuple[Ints, Ints]  # indptr and columns
    prices: tuple[Floats, Floats]
    power: float

    def __call__(self, start: int, stop: int) -> tuple[Ints, Floats]:
        """Those of these rows: columns (-1: no more), one line per row."""
        from unmask.kernels.assignment_values import cheapest_unlisted

        found: tuple[Ints, Floats] = cheapest_unlisted(
            self.pairing, (start, stop), self.blocks, self.listed, self.prices, self.power, TIE, ADDED
        )
        return found


def two_sides(
    pairing: Pairing, engine: Engine, power: float = 1.0, blocks: Blocks | None = None
) -> tuple[Sides, Ints, Ints]:
    """The sides of a pairing, and the class of each known and of each released record."""
    from unmask.engines.prepare import frozen

    p = frozen(pairing)
    rows = _classes(p.known, None if blocks is None else blocks.known)
    columns = _classes(p.released, None if blocks is None else blocks.released)
    whole = Sides(
        p._replace(known=p.known[rows[1]], released=p.released[columns[1]]),
        engine,
        np.arange(len(rows[1])),
        np.arange(len(columns[1])),
        rows[2],
        columns[2],
        np.zeros(len(rows[1]), np.int64) if blocks is None else blocks.known[rows[1]],
        np.zeros(len(columns[1]), np.int64) if blocks is None else blocks.released[columns[1]],
        power,
    )
    return whole, rows[0], columns[0]


def _classes(records: Floats, block: Ints | None) -> tuple[Ints, Ints, Ints]:
    """The class of each record (identical ones of one block), the first record and the size of each."""
    from unmask.engines.prepare import distinct

    if block is None:
        groups = distinct(records)
        return groups.group, groups.first, groups.size
    # Records of no block (-1) are compared with nobody; they are classes all the same.
    groups = distinct(records, block - min(0, int(block.min())))
    return groups.group, groups.first, groups.size


def tie(cost: Floats, u: Floats, v: Floats | float) -> Floats:
    """What a reduced cost may be for the pair to count as free: rounding is relative to its terms."""
    return TIE * np.maximum(np.maximum(cost, np.abs(u)), np.abs(v))


def _is_sum(p: Pairing) -> bool:
    """Whether a price can be added to the value as one more attribute."""
    missing = p.missing_known, p.missing_released, p.missing_both
    ignored = any(np.isnan(cost).any() for cost in missing)
    return p.code == SUM and not (ignored and (np.isnan(p.known).any() or np.isnan(p.released).any()))


def _priced(p: Pairing, prices: Floats) -> Pairing:
    """The pairing with one more attribute, which adds (highest price - price) to every value."""
    extra = (prices.max() - prices) ** (1.0 / p.power)
    one, zero = np.ones(1), np.zeros(1)
    return p._replace(
        known=np.column_stack((p.known, np.zeros(len(p.known)))),
        released=np.column_stack((p.released, extra)),
        metric=np.append(p.metric, DIFFERENCE),
        scale=np.append(p.scale, one),
        offset=np.append(p.offset, p.tables.size),
        width=np.append(p.width, 0),
        missing_known=np.append(p.missing_known, zero),
        missing_released=np.append(p.missing_released, zero),
        missing_both=np.append(p.missing_both, zero),
        params=np.append(p.params, one),
    )


def _transposed(p: Pairing) -> Pairing:
    """The pairing with the two files exchanged."""
    tables, width = p.tables.copy(), p.width.copy()
    for j in np.flatnonzero(p.metric == TABLE):
        stop = min([o for o in p.offset if o > p.offset[j]], default=p.tables.size)
        table = p.tables[p.offset[j] : stop].reshape(-1, p.width[j])
        tables[p.offset[j] : stop], width[j] = table.T.ravel(), len(table)
    return p._replace(
        known=p.released,
        released=p.known,
        tables=tables,
        width=width,
        missing_known=p.missing_released,
        missing_released=p.missing_known,
    )
