"""The index of a pairing: collapse identical records, search by blocks, put the answers together."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from unmask.engines.base import Engine, Floats, Ints, Nearest, Strategy
from unmask.engines.box_search import BoxSearch
from unmask.engines.equality import Coded, coded, many, standing_by_sets
from unmask.engines.prepare import Distinct, distinct, frozen
from unmask.engines.question import Found, Question, nothing_found
from unmask.engines.split_search import SplitSearch
from unmask.errors import ArgumentError
from unmask.kernels.collect import CLOSEST, NEAREST, STANDING
from unmask.kernels.pairing import MAXIMUM, SUM, Pairing
from unmask.kernels.share import closest_records, share_sets


class SearchIndex:
    """See :class:`unmask.engines.base.Index`. All its work goes through the ``map`` of its engine."""

    def __init__(self, engine: Engine, pairing: Pairing, strategy: Strategy = Strategy.AUTO) -> None:
        if pairing.known.shape[1] == 0:
            raise ArgumentError(
                "there is no attribute to link by", hint="name at least one that both files have"
            )
        self.pairing = frozen(pairing)
        self._engine, self._strategy = engine, strategy

    @cached_property
    def _released(self) -> Distinct:
        """The classes of identical released records."""
        return distinct(self.pairing.released)

    @cached_property
    def _splits(self) -> SplitSearch | None:
        """For aggregations whose boxes are bounded one attribute at a time."""
        if self.pairing.code not in (SUM, MAXIMUM) or self._strategy is Strategy.BRUTE:
            return None
        return SplitSearch(self._engine, self.pairing, self._released, self._strategy)

    @cached_property
    def _boxes(self) -> BoxSearch:
        return BoxSearch(self._engine, self.pairing, self._released, self._strategy)

    @cached_property
    def _coded(self) -> Coded | None:
        """Both files as keys, where attributes are equal or not."""
        return coded(self.pairing)

    def standing(self, truth: Ints, depth: int = 1, targets: Ints | None = None) -> tuple[Ints, Ints]:
        """Where the true record of each target stands: (closer, tied)."""
        rows = self._rows(targets, depth, "depth")
        if len(truth) != len(self.pairing.known):
            raise ArgumentError(
                f"truth has {len(truth)} entries for {len(self.pairing.known)} known records",
                hint="give one per known record, -1 for people who are not in the release",
            )
        true_row = np.asarray(truth, np.int64)[rows]
        files = self._counted(rows)
        if files is not None:
            return standing_by_sets(self._engine, files, true_row, depth, rows)
        true_cls = np.full(rows.size, -1, np.int64)
        true_cls[true_row >= 0] = self._released.group[true_row[true_row >= 0]]
        asked = distinct(self._known(targets), true_cls)
        who, true = rows[asked.first], true_cls[asked.first]
        found = self._answers(Question(STANDING, depth, who, self._released.first[true], true))
        # Group -1 (not released) takes the last entry.
        closer, tied = np.append(found.closer, -1), np.append(found.tied, 0)
        return closer[asked.group], tied[asked.group]

    def nearest(self, targets: Ints | None = None) -> Nearest:
        """All nearest records of each target, ties included, with the value of the next best."""
        rows = self._rows(targets)
        released, asked = self._released, distinct(self._known(targets))
        found = self._answers(Question(NEAREST, 1, rows[asked.first]))
        row, indptr, cls = share_sets(found.start, found.count, found.classes)
        g = asked.group
        return Nearest(released.group, released.size, row[g], indptr, cls, found.least[g], found.beyond[g])

    def k_nearest(self, k: int, targets: Ints | None = None) -> tuple[Ints, Floats]:
        """Rows and values of the k nearest records of each target, ordered by (value, row)."""
        rows = self._rows(targets, k, "k")
        released, asked = self._released, distinct(self._known(targets))
        found = self._answers(Question(CLOSEST, k, rows[asked.first]))
        members = np.argsort(released.group, kind="stable")
        first = np.append(0, np.cumsum(released.size))
        record, value = closest_records(
            found.start, found.count, found.classes, found.values, first, members, k
        )
        return record[asked.group], value[asked.group]

    def _rows(self, targets: Ints | None, number: int = 1, name: str = "") -> Ints:
        """The targets as an array of rows; a number that is asked for is 1 or more."""
        if number < 1:
            raise ArgumentError(f"{name} is {number}", hint="give a whole number from 1 on")
        return np.arange(len(self.pairing.known)) if targets is None else np.asarray(targets, np.int64)

    def _known(self, targets: Ints | None) -> Floats:
        """The known records of the targets; all of them are not copied."""
        known = self.pairing.known
        everybody = targets is None or np.array_equal(targets, np.arange(len(known)))
        return known if everybody else known[np.asarray(targets, np.int64)]

    def _counted(self, rows: Ints) -> Coded | None:
        """The files as keys, where counting sets of attributes is quicker than searching."""
        if self._strategy is not Strategy.AUTO or not many(rows) or self._coded is None:
            return None
        asked, records = len(np.unique(self._coded.known[rows])), len(self._coded.classes[0])
        if not self._coded.worth(asked, records):
            return None
        self._engine.watcher.log(
            f"{len(self._coded.value)} sets of attributes: {asked} distinct targets, "
            f"{records} distinct records"
        )
        return self._coded

    def _answers(self, ask: Question) -> Found:
        """Search all targets: by the tree of cuts where it serves, else by boxes."""
        if ask.rows.size == 0 or self._released.first.size == 0:
            return nothing_found(ask.rows.size)
        found = None if self._splits is None else self._splits.answers(ask)
        return self._boxes.answers(ask) if found is None else found
