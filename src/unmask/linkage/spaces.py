"""The first step: both files are encoded, attribute by attribute, so that differences mean something.

Each attribute becomes an :class:`Axis`; :func:`assemble` puts the axes side by side and settles, by the
scenario's policy, what a missing value costs. The spaces themselves: :func:`standardised`,
:func:`whitened`, :func:`ranked`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.data.missing import Missing
from unmask.data.schema import Column, Kind, ValueForm
from unmask.engines.cache import Cache
from unmask.intruder.dossier import Dossier
from unmask.kernels.pairing import DIFFERENCE, DISCRETE, TABLE, Pairing
from unmask.linkage.aggregations import Aggregation
from unmask.linkage.code_distances import MOST_CODES, prefix_distances
from unmask.linkage.encodings import Encodings, mid_ranks
from unmask.linkage.missing_costs import missing_costs
from unmask.linkage.transitions import Transitions

#: Below so many known people, and fewer than are released, the released file's moments and ranks serve for
#: both: the mean of a handful says nothing, and with one person every attribute would be constant.
FEW = 100


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


@dataclass(frozen=True, eq=False)
class Space:
    """Two encoded files. ``notes`` say what the user must know about the encoding."""

    known: Floats
    released: Floats
    metric: Ints
    scale: Floats
    missing_known: Floats
    missing_released: Floats
    missing_both: Floats
    farthest: Floats
    tables: tuple[Floats | None, ...] = ()
    notes: tuple[str, ...] = ()

    def pairing(self, aggregation: Aggregation) -> Pairing:
        """The kernels' input for this space under an aggregation."""
        d = self.known.shape[1]
        power, code, params = aggregation.encode(d)
        tables = [np.empty((0, 0)) if table is None else table for table in self.tables or (None,) * d]
        sizes = np.array([table.size for table in tables], dtype=np.int64)
        return Pairing(
            known=self.known,
            released=self.released,
            metric=self.metric,
            scale=self.scale,
            tables=np.concatenate([table.ravel() for table in tables]),
            offset=np.cumsum(sizes) - sizes,
            width=np.array([table.shape[1] for table in tables], dtype=np.int64),
            missing_known=self.missing_known,
            missing_released=self.missing_released,
            missing_both=self.missing_both,
            power=power,
            code=code,
            params=params,
        )


def assemble(axes: Sequence[Axis], missing: Missing, notes: Sequence[str] = ()) -> Space:
    """The space of these axes, with missing values as the policy says."""
    far = np.array([axis.farthest for axis in axes])
    blurred = np.array([axis.blurred for axis in axes], dtype=np.bool_)
    missing_known, missing_released, missing_both = missing_costs(far, blurred, missing)
    known, released = _columns(axes)
    return Space(
        known=known,
        released=released,
        metric=np.array([axis.metric for axis in axes], dtype=np.int64),
        scale=np.array([axis.scale for axis in axes]),
        missing_known=missing_known,
        missing_released=missing_released,
        missing_both=missing_both,
        farthest=far,
        tables=tuple(axis.table for axis in axes),
        notes=tuple(notes),
    )


def to_unit(space: Space) -> Space:
    """The same space with every difference as a share of the attribute's largest one."""
    share = 1.0 / np.where(space.farthest > 0, space.farthest, 1.0)
    return replace(
        space,
        scale=space.scale * share,
        missing_known=space.missing_known * share,
        missing_released=space.missing_released * share,
        missing_both=space.missing_both * share,
        farthest=space.farthest * share,
    )


def standardised(
    dossier: Dossier,
    transitions: Mapping[str, Transitions] | None = None,
    *,
    by_release: bool = False,
    cache: Cache | None = None,
) -> Space:
    """Numbers as z-scores, each file by its own mean and deviation; categories by their positions.

    numeric   (a - mean_A) / sd_A against (b - mean_B) / sd_B  (Muralidhar and Domingo-Ferrer 2016);
              an intruder who knows a few people only takes the released file's for both (see FEW)
    ordinal   |position - position'| / number of levels. Domingo-Ferrer and Torra (2002) count the levels
              from one value to the other, both included, which adds 1/levels to every pair: left out
              here, so that equal values differ by 0.
    nominal   0 if equal, else 1.

    ``by_release``: the released file's mean and deviation serve for both, for people of whom it is open
    whether they are in it. With ``transitions`` the difference of two categories is infinite where the mask
    cannot turn the one into the other. ``cache``: where encodings are kept between calls.
    """
    files = _Files.of(dossier, cache)
    axes, notes = [], []
    for column in files.columns:
        if transitions is not None and column.kind is not Kind.NUMERIC and column.name in transitions:
            axes.append(files.possible(column, transitions[column.name]))
        elif column.kind is Kind.NUMERIC:
            axes.append(files.standardised(column, by_release))
            notes += files.constant(column, by_release)
        elif column.kind is Kind.ORDINAL:
            axes.append(files.ordinal(column))
        else:
            axes.append(files.nominal(column, scale=1.0))
            notes += files.strange(column)
    return assemble(axes, dossier.missing, notes)


def ranked(dossier: Dossier, *, cache: Cache | None = None) -> Space:
    """Mid-ranks within each file (Muralidhar and Domingo-Ferrer 2016, section 3).

    Files of different sizes are brought to the ranks of the larger one; the values of a few people (see
    FEW) get the ranks they would have in the released file. A nominal attribute has no ranks:
    two different categories count as n/3, the mean rank difference of two unrelated records.
    """
    files = _Files.of(dossier, cache)
    n = max(len(dossier.known), len(dossier.released))
    axes, notes = [], []
    for column in files.columns:
        if column.kind is Kind.NOMINAL:
            axes.append(files.nominal(column, scale=n / 3))
            notes += files.strange(column)
        else:
            axes.append(files.ranked(column, n))
    return assemble(axes, dossier.missing, notes)


def whitened(dossier: Dossier, *, cache: Cache | None = None) -> Space:
    """Standardised numbers and ordinal positions, turned so that Mahalanobis is a sum of squares.

    d(a, b)^2 = (a - b)' S^-1 (a - b) with S the mean of the two files' correlation matrices: what an
    intruder who holds both files but not the truth can estimate (of a few people, see FEW, they take the
    released file's alone). With S = V diag(l) V', the map
    x -> x V diag(l)^(-1/2) makes the form a sum of squares. Directions with l below 1e-10 of the largest
    are linear dependencies: they are left out (the pseudo-inverse), and a note says so. Nominal
    attributes stay beside it as 0/1. S counts a missing value as the mean; before the map it is filled in:
    at the mean under ``wildcard``, ``ignore`` and ``suppressed`` (a missing released value must be near every
    known one, and a missing known one near it; there is no room for HIDDEN), beyond the range under
    ``mismatch`` and ``category``.
    """
    from unmask.kernels.moments import linear_map

    files = _Files.of(dossier, cache)
    numeric = [column for column in files.columns if column.kind is not Kind.NOMINAL]
    nominal, notes = [], []
    for column in files.columns:
        if column.kind is Kind.NOMINAL:
            nominal.append(files.nominal(column, scale=1.0))
            notes += files.strange(column)
        else:
            notes += files.constant(column)
    if not numeric:
        return assemble(nominal, dossier.missing, notes)
    s = files.released.covariance(numeric)
    values, vectors = np.linalg.eigh(s if files.few else (files.known.covariance(numeric) + s) / 2)
    kept = values > 1e-10 * max(values[-1], np.finfo(float).tiny)
    if not kept.all():
        notes.append(
            f"the covariance matrix is singular: rank {int(kept.sum())} of {len(values)}; "
            "the dependent directions are left out (pseudo-inverse)"
        )
    if not kept.any():
        kept[-1] = True  # every attribute is constant: keep one axis, on which all records coincide
    turn = np.ascontiguousarray(vectors[:, kept] / np.sqrt(np.where(values > 0, values, 1.0)[kept]))
    known, released = _columns([_filled(files.standardised(c), dossier.missing) for c in numeric])
    known, released = linear_map(known, turn), linear_map(released, turn)
    axes = [
        Axis(known[:, j], released[:, j], DIFFERENCE, 1.0, _range(known[:, j], released[:, j]))
        for j in range(turn.shape[1])
    ]
    return assemble(axes + nominal, dossier.missing, notes)


@dataclass(frozen=True, eq=False)
class _Files:
    """The two files of a dossier, and the axes of single attributes. Both are read by the known schema."""

    known: Encodings
    released: Encodings
    columns: tuple[Column, ...]
    few: bool  # whether so few people are known that their own moments and ranks tell nothing
    exact: frozenset[str]  # attributes whose values were not changed but by recoding: one scale serves both

    @staticmethod
    def of(dossier: Dossier, cache: Cache | None) -> _Files:
        kept = Cache() if cache is None else cache
        return _Files(
            Encodings(dossier.known, kept),
            Encodings(dossier.released, kept),
            tuple(dossier.known.schema[name] for name in dossier.attributes),
            len(dossier.known) < min(FEW, len(dossier.released)),
            dossier.exact,
        )

    def by_release(self, column: Column) -> bool:
        """Whether the released file's moments and ranks serve for both."""
        return self.few or column.name in self.exact

    def standardised(self, column: Column, by_release: bool = False) -> Axis:
        if by_release or self.by_release(column):
            known = self.released.moments(column).standardise(self.known.values(column))
        else:
            known = self.known.z_scores(column)
        released = self.released.z_scores(column)
        far, blurred = _range(known, released), column.name not in self.exact
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
        if self.by_release(column):
            known = mid_ranks(self.known.values(column), self.released.in_order(column), n)
        else:
            known = self.known.ranks(column, n)
        released = self.released.ranks(column, n)
        far, blurred = _range(known, released), column.name not in self.exact
        return Axis(known, released, DIFFERENCE, 1.0, far, blurred=blurred)

    def ordinal(self, column: Column) -> Axis:
        levels = len(column.levels)
        known, released = self.known.values(column), self.released.values(column)
        far, blurred = (levels - 1) / levels, column.name not in self.exact
        return Axis(known, released, DIFFERENCE, 1.0 / levels, far, blurred=blurred)

    def nominal(self, column: Column, scale: float) -> Axis:
        """Categories, equal or not; hierarchical codes by the share of the beginning that they lack."""
        name = column.name
        levels = sorted({*self.known.categories(name), *self.released.categories(name)})
        known, released = self.known.positions(name, levels), self.released.positions(name, levels)
        if column.form is ValueForm.CODE and len(levels) <= MOST_CODES:
            return Axis(known, released, TABLE, scale, scale, prefix_distances(levels))
        return Axis(known, released, DISCRETE, scale, scale)

    def strange(self, column: Column) -> list[str]:
        """A note where no category is in both files."""
        if set(self.known.categories(column.name)) & set(self.released.categories(column.name)):
            return []
        return [f"no category of '{column.name}' is in both files: check that it is nominal and coded alike"]

    def possible(self, column: Column, transitions: Transitions) -> Axis:
        """A categorical attribute as for :func:`standardised`, but infinite where the mask cannot lead.

        A category that the table does not know stays as it is, as far as the intruder can tell.
        """
        known_as, released_as = self.known.categories(column.name), self.released.categories(column.name)
        rows = [*transitions.original, *(c for c in known_as if c not in transitions.original)]
        columns = [*transitions.released, *(c for c in released_as if c not in transitions.released)]
        levels = column.levels if column.kind is Kind.ORDINAL else ()
        place = {level: i for i, level in enumerate(levels)}
        farthest = (len(levels) - 1) / len(levels) if levels else 1.0
        table = np.full((len(rows), len(columns)), np.inf)
        for i, before in enumerate(rows):
            for j, after in enumerate(columns):
                if i < len(transitions.original) and j < len(transitions.released):
                    possible = transitions.probability[i, j] > 0
                else:
                    possible = before == after
                if possible and before in place and after in place:
                    table[i, j] = abs(place[before] - place[after]) / len(levels)
                elif possible:
                    table[i, j] = 0.0 if before == after else farthest
        known, released = (
            self.known.positions(column.name, rows),
            self.released.positions(column.name, columns),
        )
        return Axis(known, released, TABLE, 1.0, farthest, table)


def _columns(axes: Sequence[Axis]) -> tuple[Floats, Floats]:
    return np.column_stack([axis.known for axis in axes]), np.column_stack([axis.released for axis in axes])


def _range(known: Floats, released: Floats) -> float:
    both = np.concatenate((known, released))
    both = both[~np.isnan(both)]
    return float(both.max() - both.min()) if len(both) else 0.0


def _filled(axis: Axis, missing: Missing) -> Axis:
    """Missing values made numbers, for a map that mixes attributes."""
    far = axis.farthest
    known, released = {
        Missing.MISMATCH: (-far, far),
        Missing.CATEGORY: (far, far),
        Missing.WILDCARD: (0.0, 0.0),
        Missing.IGNORE: (0.0, 0.0),
        Missing.SUPPRESSED: (0.0, 0.0),
    }[missing]
    return Axis(
        np.where(np.isnan(axis.known), known, axis.known),
        np.where(np.isnan(axis.released), released, axis.released),
        axis.metric,
        axis.scale,
        axis.farthest,
    )
