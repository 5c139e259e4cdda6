"""Decomposable log-linear models: fitted counts are products of margins, so no full table is built.

A graph over the attributes whose cycles of four or more all have a chord is decomposable: its cliques
C_1, ..., C_c can be put in an order in which each meets the earlier ones in a separator S_i that lies within
one of them, and the maximum likelihood fit of a cell is (Lauritzen 1996, section 4.4)

    lambda(x) = prod_i n(x_{C_i}) / prod_{i>1} n(x_{S_i})

with n the margins of the data; the empty separator's margin is the total.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations
from math import log

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats
from unmask.measures.numbering import Codes, Labels, dense, first_of, labels

Attributes = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Margin:
    """The cells of a margin that have records, in order: their codes, and sums of weights."""

    cells: Labels
    total: Floats


@dataclass(frozen=True, eq=False)
class KeyTable:
    """Distinct keys, coded, with the weight of each; what is asked of a margin is worked out once.

    Of most margins the search wants a single number, so that the cell of each key is kept only for those
    that a model is fitted by.
    """

    codes: Codes
    weight: Floats
    margins: dict[Attributes, Margin] = field(default_factory=dict)
    _information: dict[Attributes, float] = field(default_factory=dict)
    _cells: dict[Attributes, NDArray[np.unsignedinteger]] = field(default_factory=dict)

    def margin(self, attributes: Iterable[int]) -> Margin:
        """The margin over these attributes."""
        names = tuple(sorted(attributes))
        if names not in self.margins:
            label, size = self._labels(names)
            first = first_of(label, size)
            cells = np.empty((size, len(names)), dtype=np.int32, order="F")
            for place, name in enumerate(names):
                cells[:, place] = self.codes[first, name]
            self.margins[names] = Margin(cells, np.bincount(label, self.weight, size).astype(np.float64))
        return self.margins[names]

    def counts(self, attributes: Iterable[int]) -> Floats:
        """For each key the sum of weights in its cell of the margin."""
        names = tuple(sorted(attributes))
        if names not in self._cells:
            label, size = self._labels(names)
            self._cells[names] = label.astype(np.min_scalar_type(size))
        return np.asarray(self.margin(names).total[self._cells[names]])

    def information(self, attributes: Iterable[int]) -> float:
        """The sum of n log n over the cells of the margin, in the units of the weights."""
        names = tuple(sorted(attributes))
        if names not in self._information:
            total = self.margins[names].total if names in self.margins else self._total(names)
            self._information[names] = float((total * np.log(total)).sum())
        return self._information[names]

    def _total(self, names: Attributes) -> Floats:
        """The sums of weights alone; a cell without records has none."""
        label, size = labels([self.codes[:, name] for name in names], len(self.codes))
        total = np.bincount(label, self.weight, size)
        return np.asarray(total[total > 0])

    def _labels(self, names: Attributes) -> tuple[Labels, int]:
        return dense(*labels([self.codes[:, name] for name in names], len(self.codes)))


@dataclass(frozen=True)
class Graph:
    """An undirected graph over m attributes."""

    m: int
    edges: frozenset[tuple[int, int]] = frozenset()

    def neighbours(self, a: int) -> frozenset[int]:
        """The attributes joined to one."""
        return frozenset(v if u == a else u for u, v in self.edges if a in (u, v))

    def joined(self, a: int, b: int) -> Graph:
        """The graph with one more edge."""
        return Graph(self.m, self.edges | {(min(a, b), max(a, b))})

    def separator(self, a: int, b: int) -> frozenset[int] | None:
        """What separates two attributes if the graph stays decomposable when they are joined, else None.

        It does if no path leads from one to the other outside their common neighbours.
        """
        common = self.neighbours(a) & self.neighbours(b)
        seen, border = {a, *common}, [a]
        while border:
            for v in self.neighbours(border.pop()) - seen:
                if v == b:
                    return None
                seen.add(v)
                border.append(v)
        return common

    def cliques(self) -> list[tuple[Attributes, Attributes]]:
        """The cliques in order, each with its separator from those before (maximum cardinality search)."""
        order: list[int] = []
        before: list[frozenset[int]] = []
        left = set(range(self.m))
        while left:
            done = set(order)
            a = max(sorted(left), key=lambda v: len(self.neighbours(v) & done))
            before.append(self.neighbours(a) & frozenset(done))
            order.append(a)
            left.remove(a)
        found: list[tuple[Attributes, Attributes]] = []
        clique: set[int] = set()
        separator: frozenset[int] = frozenset()
        for a, earlier in zip(order, before, strict=True):
            if clique and len(earlier) < len(clique):  # not all of the current clique: a new one begins
                found.append((tuple(sorted(clique)), tuple(sorted(separator))))
                clique, separator = {*earlier}, earlier
            clique.add(a)
        found.append((tuple(sorted(clique)), tuple(sorted(separator))))
        return found


def fitted(table: KeyTable, graph: Graph) -> Floats:
    """The fitted count of the cell of each key, in the units of the weights.

    >>> keys = np.array([[0, 0], [0, 1], [1, 1]])
    >>> fitted(KeyTable(keys, np.array([2.0, 1.0, 1.0])), Graph(2))
    array([1.5, 1.5, 0.5])
    >>> fitted(KeyTable(keys, np.array([2.0, 1.0, 1.0])), Graph(2).joined(0, 1))
    array([2., 1., 1.])
    """
    result = np.ones(len(table.codes))
    for place, (clique, separator) in enumerate(graph.cliques()):
        result *= table.counts(clique)
        if place:
            result /= table.counts(separator)
    return result


def fitted_at(table: KeyTable, graph: Graph, codes: Codes) -> Floats:
    """The fitted counts of any cells; 0 where a margin has no record.

    >>> keys = np.array([[0, 0], [0, 1], [1, 1]])
    >>> fitted_at(KeyTable(keys, np.array([2.0, 1.0, 1.0])), Graph(2), np.array([[1, 0], [2, 0]]))
    array([0.5, 0. ])
    """
    result = np.ones(len(codes))
    for place, (clique, separator) in enumerate(graph.cliques()):
        margin = table.margin(clique)
        result = result * np.append(margin.total, 0.0)[_cells(margin, codes[:, list(clique)])]
        if place:
            divisor = table.margin(separator)
            # Where the separator has no record, the clique has none, and the fit is 0 already.
            result = result / np.append(divisor.total, 1.0)[_cells(divisor, codes[:, list(separator)])]
    return result


def drawn_cells(table: KeyTable, graph: Graph, draws: int, rng: np.random.Generator) -> tuple[Labels, Floats]:
    """Cells drawn from the model, each with a probability in proportion to its fit; their codes and fits.

    The sum of g(lambda) over the whole table, empty cells included, is N times the mean of
    g(lambda) / lambda over them.
    """
    from unmask.kernels.counting import counting_order, places_within

    chosen = np.full((draws, table.codes.shape[1]), -1, dtype=np.int32, order="F")
    result = np.ones(draws)
    for place, (clique, separator) in enumerate(graph.cliques()):
        margin, given = table.margin(clique), table.margin(separator)
        columns = [clique.index(a) for a in separator]
        parent, at = _cells(given, margin.cells[:, columns]), _cells(given, chosen[:, list(separator)])
        order = counting_order(parent, len(given.total))
        upto = np.cumsum(margin.total[order])
        edge = np.append(0, np.cumsum(np.bincount(parent, minlength=len(given.total))))
        begin, end = edge[at], edge[at + 1] - 1
        low = np.where(begin > 0, upto[begin - 1], 0.0)
        sought = low + rng.random(draws) * (upto[end] - low)
        cell = order[places_within(upto, begin, end, sought)]
        for column, name in enumerate(clique):
            chosen[:, name] = margin.cells[cell, column]
        result *= margin.total[cell]
        if place:
            result /= given.total[at]
    return chosen, result


def _cells(margin: Margin, codes: Codes) -> Labels:
    """The cell of each row of codes in a margin; -1 where it has none."""
    known = len(margin.cells)
    both = [np.concatenate((margin.cells[:, j], codes[:, j])) for j in range(codes.shape[1])]
    label, size = labels(both, known + len(codes))
    place = np.full(size, -1, dtype=np.int32)
    place[label[:known]] = np.arange(known, dtype=np.int32)
    return place[label[known:]]


def forward_path(table: KeyTable, largest_clique: int, records: float) -> list[Graph]:
    """The models from independence on, each with the edge that gains most, as long as one gains (AIC).

    Joining a and b with separator S gains n I(a; b | S), the conditional mutual information, and costs the
    further parameters. Only edges that leave the graph decomposable, with cliques of at most
    ``largest_clique`` attributes, are tried. ``records``: how many records the weights stand for.
    """
    m = table.codes.shape[1]
    scale = records / float(table.weight.sum())
    path = [Graph(m)]
    gains: dict[tuple[int, int, frozenset[int]], float] = {}
    while True:
        best, chosen = 0.0, None
        for a, b in combinations(range(m), 2):
            if (a, b) in path[-1].edges:
                continue
            separator = path[-1].separator(a, b)
            if separator is None or len(separator) + 2 > largest_clique:
                continue
            edge = (a, b, separator)
            if edge not in gains:
                gains[edge] = scale * _gain(table, *edge) - _parameters(table, *edge)
            if gains[edge] > best + 1e-9:
                best, chosen = gains[edge], (a, b)
        if chosen is None:
            return path
        path.append(path[-1].joined(*chosen))


def _gain(table: KeyTable, a: int, b: int, separator: frozenset[int]) -> float:
    whole = table.weight.sum()
    rest = table.information(separator) if separator else float(whole * log(whole))
    joint = table.information({a, b, *separator})
    return joint + rest - table.information({a, *separator}) - table.information({b, *separator})


def _parameters(table: KeyTable, a: int, b: int, separator: frozenset[int]) -> float:
    """The parameters that the edge adds, where margins without records leave nothing to estimate."""
    sizes = [table.margin({v, *separator}) for v in (a, b)]
    cells = table.margin(separator)
    counts = []
    for margin, v in zip(sizes, (a, b), strict=True):
        names = sorted({v, *separator})
        within = margin.cells[:, [names.index(s) for s in sorted(separator)]]
        counts.append(np.bincount(_cells(cells, within), minlength=len(cells.total)) - 1)
    return float((counts[0] * counts[1]).sum())
