"""Multivariate microaggregation by MDAV."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats, Microdata
from unmask.data.schema import Kind, Role
from unmask.errors import ArgumentError, DataError
from unmask.linkage.transitions import Declaration, Image, Normal, Part, Seen
from unmask.masks import checks
from unmask.masks.base import NUMBERS, Masked, numeric_targets, with_numbers
from unmask.masks.columns import group_means
from unmask.masks.declaring import MANY, SAME, Flags, check_file, in_small_groups, same, share_of_any
from unmask.masks.families import PERTURBATIVE
from unmask.masks.strength import GROUP_SIZES, Strength


@dataclass(frozen=True)
class Microaggregation:
    """Records grouped by k or more, each value replaced by its group's mean (Domingo-Ferrer and Torra 2005).

    Groups come from MDAV (Domingo-Ferrer and Mateo-Sanz 2002): while 2k records or more are left, the
    record r farthest from their mean and its k-1 nearest form a group; if 3k or more were left, so do
    the record s farthest from r and its k-1 nearest; the last k to 2k-1 records form the last group.
    The squared distance is sum_j (x_j - y_j)^2 / var_j with the file's population variances. Of equally
    far records the first row is taken, of equally near ones the later rows.

    ``k`` is one number for all attributes together, or with ``groups`` (of attributes) one for each
    group, which is then microaggregated by itself. Columns with missing values are refused: a record
    that lacks a value has no distance to the others.

    >>> import polars as pl
    >>> from unmask.data.schema import Column, Schema
    >>> frame = pl.DataFrame({"age": [21, 70, 24, 74], "pay": [10, 45, 12, 43]})
    >>> people = Microdata(Schema((Column("age"), Column("pay"))), frame)
    >>> Microaggregation(k=2).apply(people, np.random.default_rng(1)).data.numbers(["age", "pay"])
    array([[22.5, 11. ],
           [72. , 44. ],
           [22.5, 11. ],
           [72. , 44. ]])
    >>> Microaggregation(k=(3, 8), groups=(("a", "b"), ("c", "d", "e"))).k
    (3, 8)
    """

    name: ClassVar[str] = "microaggregation"
    kinds: ClassVar[tuple[Kind, ...]] = NUMBERS
    joint: ClassVar[bool] = True
    about = About(
        title="microaggregation",
        family=PERTURBATIVE,
        sentence="Groups of k or more records that are alike are formed, and each value is replaced by its "
        "group's mean.",
        source="J. Domingo-Ferrer and V. Torra (2005), Ordinal, continuous and heterogeneous k-anonymity "
        "through microaggregation, Data Mining and Knowledge Discovery 11, 195-212; J. Domingo-Ferrer and "
        "J. M. Mateo-Sanz (2002), Practical data-oriented microaggregation for statistical disclosure "
        "control, IEEE Transactions on Knowledge and Data Engineering 14, 189-201.",
        rank=7,
    )
    strength: ClassVar[Strength | None] = Strength("k", GROUP_SIZES, NUMBERS)
    examples = ("microaggregation:k=3",)
    k: int | tuple[int, ...]
    groups: tuple[tuple[str, ...], ...] | None = None
    attributes: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "attributes", checks.names(self.name, "attributes", self.attributes))
        if isinstance(self.k, (tuple, list)):
            object.__setattr__(self, "k", tuple(checks.group_size(self.name, k) for k in self.k))
        else:
            checks.group_size(self.name, self.k)
        if self.groups is not None:
            groups = tuple(checks.names(self.name, "a group", group) for group in self.groups)
            object.__setattr__(self, "groups", groups)
        self._check_together()

    def _check_together(self) -> None:
        if self.groups is None:
            if isinstance(self.k, tuple):
                raise ArgumentError(
                    f"{self.name}: several k need groups of attributes",
                    hint="name as many groups, or give one k",
                )
            return
        if self.attributes is not None:
            raise ArgumentError(
                f"{self.name}: both groups and attributes are given", hint="the groups name the attributes"
            )
        if isinstance(self.k, tuple) and len(self.k) != len(self.groups):
            raise ArgumentError(
                f"{self.name}: {len(self.k)} k for {len(self.groups)} groups",
                hint="give one k for each group, or one for all",
            )

    def apply(self, original: Microdata, rng: np.random.Generator) -> Masked:
        """The file with the target attributes averaged over groups of records; nothing is random."""
        if self.groups is None:
            groups = [numeric_targets(original, self.attributes)]
        else:
            numeric_targets(original, [name for group in self.groups for name in group])
            groups = [numeric_targets(original, group) for group in self.groups]
        masked = [
            _microaggregate(_complete(original, names), k, self.name)
            for names, k in zip(groups, self._sizes(len(groups)), strict=True)
        ]
        return with_numbers(original, [name for names in groups for name in names], np.hstack(masked))

    @property
    def named(self) -> tuple[str, ...] | None:
        """The attributes that are named, by themselves or in groups; None: every numeric quasi-identifier."""
        return self.attributes if self.groups is None else tuple(n for group in self.groups for n in group)

    def _sizes(self, groups: int) -> tuple[int, ...]:
        return self.k if isinstance(self.k, tuple) else (self.k,) * groups

    def declare(self, seen: Seen) -> Declaration:
        """The group of each known person, if everybody is known; else how far group means are from values.

        An intruder who knows everybody groups them again. If that gives the released means, they know
        everybody's. Otherwise a value differs from its group's mean by the scatter within groups, which is
        what the means lack of the values' covariances, or, where the original's are unknown, about as far as
        the people they know are from the nearest mean.
        """
        if self.groups is None:
            groups = [seen.targets(self.attributes, NUMBERS)]
            masked = seen.released.schema.names(Role.QUASI_IDENTIFIER)
            numeric = [name for name in masked if seen.released.schema[name].kind is Kind.NUMERIC]
            known = set(groups[0]) >= set(self.attributes or numeric)
        else:
            groups = [seen.targets(group, NUMBERS) for group in self.groups]
            known = all(len(names) == len(group) for names, group in zip(groups, self.groups, strict=True))
        parts: list[Part] = []
        small: list[Flags] = []
        for names, k in zip(groups, self._sizes(len(groups)), strict=True):
            check_file(self.name, k, seen)
            if names:
                parts += (_regrouped(seen, names, k, self.name) if known else ()) or (_scatter(seen, names),)
                small.append(in_small_groups(seen, names, k))
        return Declaration(tuple(parts), impossible=share_of_any(small))


def _regrouped(seen: Seen, names: tuple[str, ...], k: int, mask: str) -> tuple[Part, ...]:
    """The group means of each known person, if grouping everybody gives the released ones; else nothing."""
    values, released = seen.known.numbers(names), seen.released.numbers(names)
    if (
        values.shape != released.shape
        or np.isnan(values).any()
        or np.isnan(released).any()
        or k > len(values)
    ):
        return ()
    image = _microaggregate(values, k, mask)
    image = np.column_stack([seen.as_written(name, image[:, j]) for j, name in enumerate(names)])
    if not all(same(np.sort(image[:, j]), np.sort(released[:, j])) for j in range(len(names))):
        return ()
    # Of people with equal values chance, the order of the rows, says who is in which group.
    _, alike = np.unique(values, axis=0, return_inverse=True)
    alike = alike.ravel()
    parts = []
    for j, name in enumerate(names):
        low, high = np.full(alike.max() + 1, np.inf), np.full(alike.max() + 1, -np.inf)
        np.minimum.at(low, alike, image[:, j])
        np.maximum.at(high, alike, image[:, j])
        slack = SAME * np.abs(image[:, j]).max()
        parts.append(Image(name, low[alike] - slack, high[alike] + slack))
    return tuple(parts)


def _scatter(seen: Seen, names: tuple[str, ...]) -> Normal:
    """The scatter within groups, from the records that lack no value."""
    released = seen.released.numbers(names)
    released = released[~np.isnan(released).any(axis=1)]
    means = np.unique(released, axis=0)
    spread = released.std(axis=0) if len(released) else np.ones(len(names))
    spread = np.where(spread > 0, spread, 1.0)
    within = np.zeros((len(names), len(names)))
    if seen.whole is not None:
        values = seen.whole.numbers(names)
        if not np.isnan(values).any() and len(values) > 1 and len(released) > 1:
            within = np.cov(values.T).reshape(within.shape) - np.cov(released.T).reshape(within.shape)
    if len(means) > 1 and not np.diag(within).any():
        within = np.diag(spread**2) * _around(seen.known.numbers(names) / spread, means / spread)
    # A direction without scatter is still not known to be exact.
    scale = np.outer(spread, spread)
    value, vector = np.linalg.eigh(within / scale)
    value = np.maximum(value, 1e-6)
    return Normal(names, (vector * value) @ vector.T * scale)


def _around(known: Floats, means: Floats) -> float:
    """The variance of a value about its group's mean, in one attribute: from people to their nearest mean.

    Groups at the rim of the file are far wider than all others, so that neither the mean square of the
    distances nor their median serves all; it is the geometric mean of the two. Of too few people it is taken
    as if means were twice as far from each other as people are from them.
    """
    from scipy.spatial import cKDTree

    tree = cKDTree(means)
    known = known[~np.isnan(known).any(axis=1)]
    far = tree.query(known)[0] if len(known) >= MANY else tree.query(means, k=2)[0][:, 1] / 2
    squares = far**2
    mean, middle = float(squares.mean()), float(np.median(squares))
    return (np.sqrt(mean * middle) if middle > 0 else mean) / int(means.shape[1])


def _complete(original: Microdata, names: list[str]) -> Floats:
    """The numbers of these columns, none missing."""
    values = original.numbers(names)
    missing = np.isnan(values).sum(axis=0)
    for name, count in zip(names, missing, strict=True):
        if count:
            raise DataError(
                f"column '{name}' of {original.label} has {count} missing values, and microaggregation "
                "needs complete records",
                hint="drop or impute those records, leave the column out, or use individual-ranking",
            )
    return values


def _microaggregate(values: Floats, k: int, mask: str) -> Floats:
    from unmask.kernels.mdav import mdav

    if k > len(values):
        raise ArgumentError(
            f"{mask}: k={k} exceeds the {len(values)} records of the file",
            hint=f"choose k of at most {len(values)}",
        )
    variance = values.var(axis=0)
    # A constant column adds nothing to a distance, whatever its weight; rounding may leave it a variance.
    variable = (np.ptp(values, axis=0) > 0) & (variance > np.finfo(np.float64).tiny)
    weight = np.divide(1.0, variance, out=np.ones_like(variance), where=variable)
    return group_means(values, mdav(values, weight, k))
