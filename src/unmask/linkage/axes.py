"""One attribute of both files as numbers, so that differences mean something and all kinds count alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from unmask.data.microdata import Floats
from unmask.data.schema import Column, Kind, ValueForm
from unmask.engines.cache import Cache
from unmask.engines.room import Room
from unmask.intruder.dossier import Dossier
from unmask.kernels.pairing import DIFFERENCE, DISCRETE, TABLE
from unmask.linkage.code_distances import MOST_CODES, prefix_distances
from unmask.linkage.encodings import Encodings
from unmask.linkage.fallible import rank_cost, square_cost
from unmask.linkage.transitions import Transitions
from unmask.linkage.unrelated import mean_difference

#: Below so many known people, and fewer than are released, the released file's moments and ranks serve for
#: both: the mean of a handful says nothing, and with one person every attribute would be constant.
FEW = 100


#: The mean square difference of two unrelated records in a standardised number.
UNRELATED = 2.0


class Scale(StrEnum):
    """How attributes of different kinds are brought to one scale.

    ``alike``: unrelated records differ as much in each; ``range``: as shares of the largest difference of
    each; ``published``: as Domingo-Ferrer and Torra (2002) have it.
    """

    ALIKE = "alike"
    RANGE = "range"
    PUBLISHED = "published"


@dataclass(frozen=True, eq=False)
class Axis:
    """One attribute of both files as numbers (NaN: missing), how it differs, and its largest difference."""

    known: Floats
    released: Floats
    metric: int
    scale: float
    farthest: float
    table: Floats | None = None  # the differences of a TABLE axis: known codes x released codes
    blurred: bool = False  # whether a person's own record may show another number than theirs

    def scaled(self, factor: float) -> Axis:
        """The same axis with all differences multiplied."""
        return replace(self, scale=self.scale * factor, farthest=self.farthest * factor)


@dataclass(frozen=True, eq=False)
class Axes:
    """The axes of single attributes of a dossier. Both files are read by the known schema.

    Standardised numbers of unrelated records differ by 2 in the mean square, whatever their distribution;
    nominal values that count 0 or 1 by less than 1, ordinal ones that count a share of their levels by some
    0.1: a sum of squares would hardly see them. So categories are multiplied (``Scale.ALIKE``) by

        sqrt(2 / e),  e the mean square difference of all pairs of a known and a released record

    (:func:`~unmask.linkage.unrelated.mean_difference`). A category that nearly everybody has then counts,
    where two records differ in it, as much as a number that nearly everybody has. One that is known with an
    error counts what it is worth (:mod:`~unmask.linkage.fallible`), never more. ``Scale.PUBLISHED`` are the
    distances of Domingo-Ferrer and Torra (2002), whose ordinal one is not squared.
    """

    known: Encodings
    released: Encodings
    columns: tuple[Column, ...]
    few: bool  # whether so few people are known that their own moments and ranks tell nothing
    exact: frozenset[str]  # attributes whose values were not changed but by recoding: one scale serves both
    scale: Scale
    errors: Mapping[str, float]  # attributes that are known with an error, and how large it is

    @staticmethod
    def of(dossier: Dossier, cache: Cache | None, scale: Scale = Scale.ALIKE) -> Axes:
        """The axes of a dossier's attributes."""
        kept = Cache() if cache is None else cache
        return Axes(
            Encodings(dossier.known, kept),
            Encodings(dossier.released, kept),
            tuple(dossier.known.schema[name] for name in dossier.attributes),
            len(dossier.known) < min(FEW, len(dossier.released)),
            dossier.exact,
            scale,
            dossier.errors,
        )

    @property
    def room(self) -> Room:
        """Where large arrays live."""
        return self.released.cache.room

    def ready(self) -> Axes:
        """The same axes, the numbers of both files sorted: attributes do not wait for each other."""
        numeric = [column for column in self.columns if column.kind is Kind.NUMERIC]
        sides = [(side, column) for column in numeric for side in (self.known, self.released)]
        self.released.cache.ahead(lambda one: one[0].moments(one[1]), sides)
        return self

    def by_release(self, column: Column) -> bool:
        """Whether the released file's moments and ranks serve for both."""
        return self.few or column.name in self.exact

    def standardised(self, column: Column, by_release: bool = False) -> Axis:
        """Numbers, or positions, as z-scores."""
        if by_release or self.by_release(column):
            known = self.known.standardised(column, self.released.moments(column))
        else:
            known = self.known.z_scores(column)
        released = self.released.z_scores(column)
        far, blurred = axis_range(known, released), column.name not in self.exact
        return Axis(known, released, DIFFERENCE, 1.0, far, blurred=blurred)

    def constant(self, column: Column, by_release: bool = False) -> list[str]:
        """A note where a column is constant in the file whose moments serve."""
        own = self.released if by_release or self.by_release(column) else self.known
        sides = (("known", own), ("released", self.released))
        flat = [label for label, side in sides if side.moments(column).constant]
        if not flat:
            return []
        return [f"'{column.name}' is constant in the {' and the '.join(flat)} file: it tells nothing"]

    def ranked(self, column: Column, n: int) -> Axis:
        """Mid-ranks among n. Unrelated ranks differ by n/3 in the mean: categories are brought to that."""
        error = self.errors.get(column.name, 0.0)
        if error and column.kind is not Kind.NUMERIC:
            usual = self._alike(self._unordered(column), n / 3, power=1)
            return _at_most(usual, n * rank_cost(error, self._levels(column)))
        if column.kind is Kind.NOMINAL:
            return self._alike(self.nominal(column), n / 3, power=1)
        known = self.known.ranks(column, n, self.released if self.by_release(column) else None)
        released = self.released.ranks(column, n)
        far, blurred = axis_range(known, released), column.name not in self.exact
        axis = Axis(known, released, DIFFERENCE, 1.0, far, blurred=blurred)
        return axis if column.kind is Kind.NUMERIC else self._alike(axis, n / 3, power=1)

    def category(self, column: Column) -> Axis:
        """An ordinal or nominal attribute, brought to the squares that a standardised number has."""
        error = self.errors.get(column.name, 0.0)
        if error and self.scale is Scale.ALIKE:
            usual = self._alike(self._unordered(column), UNRELATED, power=2)
            return _at_most(usual, np.sqrt(square_cost(error, self._levels(column))))
        axis = self.ordinal(column) if column.kind is Kind.ORDINAL else self.nominal(column)
        if self.scale is Scale.ALIKE:
            return self._alike(axis, UNRELATED, power=2)
        if self.scale is Scale.RANGE or column.kind is not Kind.ORDINAL:
            return axis
        places = np.arange(len(column.levels))
        # The root, because differences are squared later and the published one is not.
        table = np.sqrt(np.abs(places[:, None] - places[None, :]) / len(places))
        return replace(axis, metric=TABLE, scale=1.0, table=table, farthest=float(table.max()))

    def ordinal(self, column: Column) -> Axis:
        """Positions, by the share of the levels between them."""
        levels = len(column.levels)
        known, released = self.known.values(column), self.released.values(column)
        far, blurred = (levels - 1) / levels, column.name not in self.exact
        return Axis(known, released, DIFFERENCE, 1.0 / levels, far, blurred=blurred)

    def nominal(self, column: Column) -> Axis:
        """Categories, equal or not; hierarchical codes by the share of the beginning that they lack."""
        name = column.name
        levels = sorted({*self.known.categories(name), *self.released.categories(name)})
        known, released = self.known.positions(name, levels), self.released.positions(name, levels)
        if column.form is ValueForm.CODE and len(levels) <= MOST_CODES:
            return Axis(known, released, TABLE, 1.0, 1.0, prefix_distances(levels))
        return Axis(known, released, DISCRETE, 1.0, 1.0)

    def _unordered(self, column: Column) -> Axis:
        """A category, equal or not: one that is known wrongly is no nearer than any other."""
        axis = self.ordinal(column) if column.kind is Kind.ORDINAL else self.nominal(column)
        return replace(axis, metric=DISCRETE, scale=1.0, farthest=1.0) if axis.metric == DIFFERENCE else axis

    def _levels(self, column: Column) -> int:
        """How many categories there are, of which one that is known wrongly is any other."""
        return len({*self.known.categories(column.name), *self.released.categories(column.name)})

    def strange(self, column: Column) -> list[str]:
        """A note where no category is in both files."""
        if set(self.known.categories(column.name)) & set(self.released.categories(column.name)):
            return []
        return [f"no category of '{column.name}' is in both files: check that it is nominal and coded alike"]

    def possible(self, column: Column, transitions: Transitions) -> Axis:
        """A category as for :meth:`category`, but infinitely far from what the mask cannot turn it into.

        A category that the table does not know stays as it is, as far as the intruder can tell.
        """
        known_as, released_as = self.known.categories(column.name), self.released.categories(column.name)
        rows = list(dict.fromkeys((*transitions.original, *known_as)))
        columns = list(dict.fromkeys((*transitions.released, *released_as)))
        place = {level: i for i, level in enumerate(column.levels if column.kind is Kind.ORDINAL else ())}
        usual = self.category(column)
        table = np.full((len(rows), len(columns)), np.inf)
        for i, before in enumerate(rows):
            for j, after in enumerate(columns):
                if i < len(transitions.original) and j < len(transitions.released):
                    possible = transitions.probability[i, j] > 0
                else:
                    possible = before == after
                if possible and before in place and after in place:
                    table[i, j] = _places_apart(usual, abs(place[before] - place[after]))
                elif possible:
                    table[i, j] = 0.0 if before == after else usual.farthest
        known, released = (
            self.known.positions(column.name, rows),
            self.released.positions(column.name, columns),
        )
        return Axis(known, released, TABLE, 1.0, usual.farthest, table)

    def _alike(self, axis: Axis, mean: float, power: int) -> Axis:
        """The axis scaled so that difference ** power of unrelated records has that mean."""
        known = axis.released if self.few else axis.known
        own = mean_difference(known, axis.released, axis.metric, axis.table, power) * axis.scale**power
        return axis.scaled((mean / own) ** (1 / power)) if own > 0 else axis


def _at_most(axis: Axis, farthest: float) -> Axis:
    """The axis, shrunk where its largest difference is more."""
    return axis.scaled(farthest / axis.farthest) if axis.farthest > farthest else axis


def _places_apart(axis: Axis, places: int) -> float:
    """The difference of two levels of an ordinal axis."""
    if axis.metric == DISCRETE:
        return axis.scale if places else 0.0
    return float(axis.table[0, places] if axis.table is not None else places * axis.scale)


def axis_range(known: Floats, released: Floats) -> float:
    """How far the values of both files together reach; 0 where there are none."""
    both = (known, released)
    most = np.fmax.reduce([np.fmax.reduce(side, initial=-np.inf) for side in both])
    least = np.fmin.reduce([np.fmin.reduce(side, initial=np.inf) for side in both])
    return float(most - least) if most >= least else 0.0
