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
from unmask.data.schema import Kind
from unmask.intruder.dossier import Dossier
from unmask.kernels.pairing import DIFFERENCE, DISCRETE, TABLE, Pairing
from unmask.linkage.aggregations import Aggregation
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


@dataclass(frozen=True, eq=False)
class Space:
    """Two encoded files. ``notes`` say what the user must know about the encoding."""

    known: Floats
    released: Floats
    metric: Ints
    scale: Floats
    missing_one: Floats
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
            missing_one=self.missing_one,
            missing_both=self.missing_both,
            power=power,
            code=code,
            params=params,
        )


def assemble(axes: Sequence[Axis], missing: Missing, notes: Sequence[str] = ()) -> Space:
    """The space of these axes, with missing values as the policy says."""
    far = np.array([axis.farthest for axis in axes])
    zero, unknown = np.zeros(len(axes)), np.full(len(axes), np.nan)
    one, both = {
        Missing.MISMATCH: (far, far),
        Missing.CATEGORY: (far, zero),
        Missing.WILDCARD: (zero, zero),
        Missing.IGNORE: (unknown, unknown),
    }[missing]
    known, released = _columns(axes)
    return Space(
        known=known,
        released=released,
        metric=np.array([axis.metric for axis in axes], dtype=np.int64),
        scale=np.array([axis.scale for axis in axes]),
        missing_one=one,
        missing_both=both,
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
        missing_one=space.missing_one * share,
        missing_both=space.missing_both * share,
        farthest=space.farthest * share,
    )


def standardised(
    dossier: Dossier, transitions: Mapping[str, Transitions] | None = None, *, by_release: bool = False
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
    cannot turn the one into the other.
    """
    axes, notes = [], []
    for name in dossier.attributes:
        kind = dossier.known.schema[name].kind
        if transitions is not None and kind is not Kind.NUMERIC and name in transitions:
            axes.append(possible_axis(dossier, name, transitions[name]))
        elif kind is Kind.NUMERIC:
            axis, remark = _standardised_axis(dossier, name, by_release)
            notes += remark
            axes.append(axis)
        elif kind is Kind.ORDINAL:
            axes.append(_ordinal_axis(dossier, name))
        else:
            axes.append(_nominal_axis(dossier, name, scale=1.0))
            notes += _strange_categories(dossier, name)
    return assemble(axes, dossier.missing, notes)


def ranked(dossier: Dossier) -> Space:
    """Mid-ranks within each file (Muralidhar and Domingo-Ferrer 2016, section 3).

    Files of different sizes are brought to the ranks of the larger one; the values of a few people (see
    FEW) get the ranks they would have in the released file. A nominal attribute has no ranks:
    two different categories count as n/3, the mean rank difference of two unrelated records.
    """
    n = max(len(dossier.known), len(dossier.released))
    axes, notes = [], []
    for name in dossier.attributes:
        kind = dossier.known.schema[name].kind
        if kind is Kind.NOMINAL:
            axes.append(_nominal_axis(dossier, name, scale=n / 3))
            notes += _strange_categories(dossier, name)
            continue
        known, released = _raw(dossier, name, kind)
        known = _mid_ranks(known, released if _few(dossier) else known, n)
        released = _mid_ranks(released, released, n)
        axes.append(Axis(known, released, DIFFERENCE, 1.0, _range(known, released)))
    return assemble(axes, dossier.missing, notes)


def whitened(dossier: Dossier) -> Space:
    """Standardised numbers and ordinal positions, turned so that Mahalanobis is a sum of squares.

    d(a, b)^2 = (a - b)' S^-1 (a - b) with S the mean of the two files' correlation matrices: what an
    intruder who holds both files but not the truth can estimate (of a few people, see FEW, he takes the
    released file's alone). With S = V diag(l) V', the map
    x -> x V diag(l)^(-1/2) makes the form a sum of squares. Directions with l below 1e-10 of the largest
    are linear dependencies: they are left out (the pseudo-inverse), and a note says so. Nominal
    attributes stay beside it as 0/1. S counts a missing value as the mean; before the map it is filled in:
    at the mean under ``wildcard`` and ``ignore``, beyond the range under ``mismatch`` and ``category``.
    """
    from unmask.kernels.moments import covariance, linear_map

    numeric, nominal, notes = [], [], []
    for name in dossier.attributes:
        kind = dossier.known.schema[name].kind
        if kind is Kind.NOMINAL:
            nominal.append(_nominal_axis(dossier, name, scale=1.0))
            notes += _strange_categories(dossier, name)
        else:
            axis, remark = _standardised_axis(dossier, name)
            numeric.append(axis)
            notes += remark
    if not numeric:
        return assemble(nominal, dossier.missing, notes)
    known, released = _columns(numeric)
    s = covariance(released)
    values, vectors = np.linalg.eigh(s if _few(dossier) else (covariance(known) + s) / 2)
    kept = values > 1e-10 * max(values[-1], np.finfo(float).tiny)
    if not kept.all():
        notes.append(
            f"the covariance matrix is singular: rank {int(kept.sum())} of {len(values)}; "
            "the dependent directions are left out (pseudo-inverse)"
        )
    if not kept.any():
        kept[-1] = True  # every attribute is constant: keep one axis, on which all records coincide
    turn = np.ascontiguousarray(vectors[:, kept] / np.sqrt(np.where(values > 0, values, 1.0)[kept]))
    known, released = _columns([_filled(axis, dossier.missing) for axis in numeric])
    known, released = linear_map(known, turn), linear_map(released, turn)
    axes = [
        Axis(known[:, j], released[:, j], DIFFERENCE, 1.0, _range(known[:, j], released[:, j]))
        for j in range(turn.shape[1])
    ]
    return assemble(axes + nominal, dossier.missing, notes)


def _columns(axes: Sequence[Axis]) -> tuple[Floats, Floats]:
    return np.column_stack([axis.known for axis in axes]), np.column_stack([axis.released for axis in axes])


def _raw(dossier: Dossier, name: str, kind: Kind) -> tuple[Floats, Floats]:
    """An attribute's numbers, or positions among its levels, in both files."""
    if kind is Kind.NUMERIC:
        return dossier.known.numbers([name])[:, 0], dossier.released.numbers([name])[:, 0]
    levels = dossier.known.schema[name].levels
    return _positions(dossier.known.codes(name, levels)), _positions(dossier.released.codes(name, levels))


def _standardised_axis(dossier: Dossier, name: str, by_release: bool = False) -> tuple[Axis, list[str]]:
    raw = _raw(dossier, name, dossier.known.schema[name].kind)
    own = raw[1] if by_release or _few(dossier) else raw[0]
    (known, known_flat), (released, released_flat) = _z_scores(raw[0], own), _z_scores(raw[1], raw[1])
    flat = [label for label, is_flat in (("known", known_flat), ("released", released_flat)) if is_flat]
    notes = [f"'{name}' is constant in the {' and the '.join(flat)} file: it tells nothing"] if flat else []
    return Axis(known, released, DIFFERENCE, 1.0, _range(known, released)), notes


def _z_scores(values: Floats, among: Floats) -> tuple[Floats, bool]:
    """z-scores by the moments of a file, and whether the column is constant in it (then all are 0)."""
    from unmask.kernels.moments import deviations, means

    present = np.ascontiguousarray(among[~np.isnan(among)][:, None])
    if len(present) == 0 or present.min() == present.max():
        return np.where(np.isnan(values), np.nan, 0.0), True
    mean = means(present)[0]
    return (values - mean) / deviations(present - mean)[0], False


def _few(dossier: Dossier) -> bool:
    """Whether what he knows is too little to tell its own moments and ranks."""
    return len(dossier.known) < min(FEW, len(dossier.released))


def _ordinal_axis(dossier: Dossier, name: str) -> Axis:
    known, released = _raw(dossier, name, Kind.ORDINAL)
    levels = len(dossier.known.schema[name].levels)
    return Axis(known, released, DIFFERENCE, 1.0 / levels, (levels - 1) / levels)


def _nominal_axis(dossier: Dossier, name: str, scale: float) -> Axis:
    levels = sorted({*dossier.known.categories(name), *dossier.released.categories(name)})
    known, released = dossier.known.codes(name, levels), dossier.released.codes(name, levels)
    return Axis(_positions(known), _positions(released), DISCRETE, scale, scale)


def possible_axis(dossier: Dossier, name: str, transitions: Transitions) -> Axis:
    """A categorical attribute as for :func:`standardised`, but infinite where the mask cannot lead.

    A category that the table does not know stays as it is, as far as the intruder can tell.
    """
    known_as = dossier.known.categories(name)
    rows = [*transitions.original, *(c for c in known_as if c not in transitions.original)]
    released_as = dossier.released.categories(name)
    columns = [*transitions.released, *(c for c in released_as if c not in transitions.released)]
    levels = dossier.known.schema[name].levels if dossier.known.schema[name].kind is Kind.ORDINAL else ()
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
    known, released = dossier.known.codes(name, rows), dossier.released.codes(name, columns)
    return Axis(_positions(known), _positions(released), TABLE, 1.0, farthest, table)


def _strange_categories(dossier: Dossier, name: str) -> list[str]:
    if set(dossier.known.categories(name)) & set(dossier.released.categories(name)):
        return []
    return [f"no category of '{name}' is in both files: check that it is nominal and coded alike"]


def _positions(codes: Ints) -> Floats:
    return np.where(codes < 0, np.nan, codes.astype(np.float64))


def _mid_ranks(values: Floats, among: Floats, n: int) -> Floats:
    """Mid-ranks of the present values among those of a file, stretched from the file's size to n."""
    order = np.sort(among[~np.isnan(among)])
    below, upto = np.searchsorted(order, values, "left"), np.searchsorted(order, values, "right")
    ranks = (below + upto + 1) / 2 * (n / max(len(order), 1))
    return np.where(np.isnan(values), np.nan, ranks)


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
    }[missing]
    return Axis(
        np.where(np.isnan(axis.known), known, axis.known),
        np.where(np.isnan(axis.released), released, axis.released),
        axis.metric,
        axis.scale,
        axis.farthest,
    )
