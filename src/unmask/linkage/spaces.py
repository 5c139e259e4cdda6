"""The first step: both files are encoded, attribute by attribute, so that differences mean something.

Each attribute becomes an :class:`Axis`; :func:`assemble` puts the axes side by side and settles, by the
scenario's policy, what a missing value costs. The spaces themselves: :func:`standardised`,
:func:`whitened`, :func:`ranked`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.data.missing import Missing
from unmask.data.schema import Kind
from unmask.engines.cache import Cache
from unmask.engines.holding import side_by_side
from unmask.engines.room import Room
from unmask.intruder.dossier import Dossier
from unmask.kernels.pairing import DIFFERENCE, Pairing
from unmask.linkage.aggregations import Aggregation
from unmask.linkage.axes import Axes, Axis, Scale, axis_range
from unmask.linkage.missing_costs import missing_costs
from unmask.linkage.transitions import Transitions

#: Records that are turned at once.
TURNED = 1 << 18


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


def assemble(
    axes: Sequence[Axis], missing: Missing, notes: Sequence[str] = (), room: Room | None = None
) -> Space:
    """The space of these axes, with missing values as the policy says; ``room``: where its files live."""
    far = np.array([axis.farthest for axis in axes])
    blurred = np.array([axis.blurred for axis in axes], dtype=np.bool_)
    missing_known, missing_released, missing_both = missing_costs(far, blurred, missing)
    known, released = _columns(axes, room or Room())
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


def standardised(
    dossier: Dossier,
    transitions: Mapping[str, Transitions] | None = None,
    *,
    scale: Scale = Scale.ALIKE,
    by_release: bool = False,
    cache: Cache | None = None,
) -> Space:
    """Numbers as z-scores, each file by its own mean and deviation; categories so that they count alike.

    numeric   (a - mean_A) / sd_A against (b - mean_B) / sd_B  (Muralidhar and Domingo-Ferrer 2016);
              an intruder who knows a few people only takes the released file's for both (see FEW)
    ordinal   |position - position'| / number of levels. Domingo-Ferrer and Torra (2002) count the levels
              from one value to the other, both included, which adds 1/levels to every pair: left out
              here, so that equal values differ by 0.
    nominal   0 if equal, else 1.

    ``scale``: categories are multiplied so that the squared differences of unrelated records average 2 in
    every attribute, as those of numbers do (:class:`~unmask.linkage.axes.Axes`); or all differences are
    shares of the attribute's largest one; or they are as published.
    ``by_release``: the released file's mean and deviation serve for both, for people of whom it is open
    whether they are in it. With ``transitions`` the difference of two categories is infinite where the mask
    cannot turn the one into the other. ``cache``: where encodings are kept between calls.
    """
    files = Axes.of(dossier, cache, scale).ready()
    axes, notes = [], []
    for column in files.columns:
        if transitions is not None and column.kind is not Kind.NUMERIC and column.name in transitions:
            axes.append(files.possible(column, transitions[column.name]))
        elif column.kind is Kind.NUMERIC:
            axes.append(files.standardised(column, by_release))
            notes += files.constant(column, by_release)
        else:
            axes.append(files.category(column))
            notes += files.strange(column) if column.kind is Kind.NOMINAL else []
    if scale is Scale.RANGE:
        axes = [axis.scaled(1.0 / axis.farthest if axis.farthest > 0 else 1.0) for axis in axes]
    return assemble(axes, dossier.missing, notes, files.room)


def ranked(dossier: Dossier, *, cache: Cache | None = None) -> Space:
    """Mid-ranks within each file (Muralidhar and Domingo-Ferrer 2016, section 3).

    Files of different sizes are brought to the ranks of the larger one; the values of a few people (see
    FEW) get the ranks they would have in the released file. A nominal attribute has no ranks, and an ordinal
    one has many ties: both are scaled so that unrelated records differ by n/3 in the mean, as ranks do.
    """
    files = Axes.of(dossier, cache).ready()
    n = max(len(dossier.known), len(dossier.released))
    notes = [note for c in files.columns if c.kind is Kind.NOMINAL for note in files.strange(c)]
    axes = [files.ranked(column, n) for column in files.columns]
    return assemble(axes, dossier.missing, notes, files.room)


def whitened(dossier: Dossier, *, cache: Cache | None = None) -> Space:
    """Standardised numbers and ordinal positions, turned so that Mahalanobis is a sum of squares.

    d(a, b)^2 = (a - b)' S^-1 (a - b) with S the mean of the two files' correlation matrices: what an
    intruder who holds both files but not the truth can estimate (of a few people, see FEW, they take the
    released file's alone). With S = V diag(l) V', the map
    x -> x V diag(l)^(-1/2) makes the form a sum of squares. Directions with l below 1e-10 of the largest
    are linear dependencies: they are left out (the pseudo-inverse), and a note says so. Nominal
    attributes stay beside it, scaled as for :func:`standardised`. S counts a missing value as the mean;
    before the map it is filled in: at the mean under ``wildcard``, ``ignore`` and ``suppressed`` (a missing
    released value must be near every known one, and a missing known one near it; there is no room for
    HIDDEN), beyond the range under ``mismatch`` and ``category``.
    """
    files = Axes.of(dossier, cache).ready()
    numeric = [column for column in files.columns if column.kind is not Kind.NOMINAL]
    nominal, notes = [], []
    for column in files.columns:
        if column.kind is Kind.NOMINAL:
            nominal.append(files.category(column))
            notes += files.strange(column)
        else:
            notes += files.constant(column)
    if not numeric:
        return assemble(nominal, dossier.missing, notes, files.room)
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
    filled = [_filled(files.standardised(c), dossier.missing, files.room) for c in numeric]
    known, released = (_turned(side, turn, files.room) for side in _columns(filled, files.room))
    axes = [
        Axis(known[:, j], released[:, j], DIFFERENCE, 1.0, axis_range(known[:, j], released[:, j]))
        for j in range(turn.shape[1])
    ]
    return assemble(axes + nominal, dossier.missing, notes, files.room)


def _columns(axes: Sequence[Axis], room: Room) -> tuple[Floats, Floats]:
    """Both files, one row per record."""
    return (
        side_by_side((axis.known for axis in axes), len(axes), room),
        side_by_side((axis.released for axis in axes), len(axes), room),
    )


def _turned(records: Floats, turn: Floats, room: Room) -> Floats:
    """The records on other axes, some at a time: a row does not depend on the others."""
    from unmask.kernels.moments import linear_map

    out = room.empty((len(records), turn.shape[1]), np.float64)
    for start in range(0, len(records), TURNED):
        out[start : start + TURNED] = linear_map(records[start : start + TURNED], turn)
    return out


def _filled(axis: Axis, missing: Missing, room: Room) -> Axis:
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
        room.keep(np.where(np.isnan(axis.known), known, axis.known)),
        room.keep(np.where(np.isnan(axis.released), released, axis.released)),
        axis.metric,
        axis.scale,
        axis.farthest,
    )
