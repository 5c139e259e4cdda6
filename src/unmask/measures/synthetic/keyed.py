"""Keys of the original, the released and the hold-out file under one numbering, and what they tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Floats, Ints, Microdata
from unmask.errors import ArgumentError
from unmask.measures.attribute.groups import labels
from unmask.measures.estimate import NotEstimable
from unmask.measures.evidence import FileEvidence
from unmask.measures.synthetic.right import is_numeric, limits, slack
from unmask.measures.synthetic.tried import file_values, members, outsiders, why_no_control

#: Numbers of a key with more values than this are cut into so many groups of equal size.
GROUPS = 20


def check_groups(name: str, groups: int) -> None:
    """Refuse a number of groups in which every key would be the same."""
    if groups < 0 or groups == 1:
        raise ArgumentError(f"{name}: {groups} groups", hint="give 2 or more, or 0 for numbers as they are")


@dataclass(frozen=True, eq=False)
class FileKeys:
    """The codes of the key's attributes, one row per record (0: missing), and the number of each key."""

    codes: Ints
    label: Ints


@dataclass(frozen=True, eq=False)
class KeyedFiles:
    """The keys of the people whom the release was made from, of its records, and of the control.

    ``people``: rows of the original, in a random order; ``others``: rows of the hold-out, as many at most;
    ``keys``: how many keys there are.
    """

    people: Ints
    original: FileKeys
    released: FileKeys
    others: Ints
    control: FileKeys | NotEstimable
    keys: int


def keyed(evidence: FileEvidence, names: Sequence[str], groups: int = GROUPS, beside: str = "") -> KeyedFiles:
    """The keys that these attributes make; a missing value is a value of its own.

    ``groups``: numbers of more values are cut at quantiles of the original, so that a key can be met again at
    all (0: they stay as they are); ``beside``: an attribute that the control must have as well.
    """
    where = ("keyed", tuple(names), groups, beside)
    return evidence.cache.get(evidence, where, lambda: _keyed(evidence, names, groups, beside))


def _keyed(evidence: FileEvidence, names: Sequence[str], groups: int, beside: str) -> KeyedFiles:
    people = members(evidence)
    why = why_no_control(evidence, [*names, beside] if beside else names)
    others = outsiders(evidence)[: len(people)] if why is None else np.empty(0, np.int64)
    parts = [(evidence.original, people), (evidence.released, np.arange(len(evidence.released)))]
    if why is None and evidence.holdout is not None:
        parts.append((evidence.holdout, others))
    codes = np.column_stack([_codes(evidence, name, groups, parts) for name in names])
    label = labels(codes)
    cuts = np.cumsum([len(rows) for _, rows in parts])[:-1]
    files = [FileKeys(*both) for both in zip(np.split(codes, cuts), np.split(label, cuts), strict=True)]
    control = files[2] if why is None else why
    return KeyedFiles(people, files[0], files[1], others, control, int(label.max()) + 1)


def _codes(evidence: FileEvidence, name: str, groups: int, parts: list[tuple[Microdata, Ints]]) -> Ints:
    """A column of all files, one after the other, as numbers from 1 on; 0 where missing."""
    columns = [file_values(evidence, data, name)[rows] for data, rows in parts]
    together = np.concatenate(columns)
    usual = np.unique(columns[0][~np.isnan(columns[0])])
    if groups and is_numeric(evidence, name) and len(usual) > groups:
        there = columns[0][~np.isnan(columns[0])]
        edges = np.unique(np.quantile(there, np.arange(1, groups) / groups))
        found = 1 + np.searchsorted(edges, together, "left")
    else:
        found = 1 + _numbered(together)
    return np.where(np.isnan(together), 0, found).astype(np.int64)


def _numbered(values: Floats) -> Ints:
    """The place of each value among the different ones; numbers that rounding alone parts are one.

    >>> _numbered(np.array([0.3, 7.0, 0.1 + 0.2, 4e9, 4e9 + 1]))
    array([0, 1, 0, 2, 3])
    """
    different, place = np.unique(values, return_inverse=True)
    with np.errstate(invalid="ignore"):  # NaN, which is a gap to nobody, comes last
        new = np.diff(different) > slack(different[1:])
    return np.append(0, np.cumsum(new)).astype(np.int64)[place]


@dataclass(frozen=True, eq=False)
class Matches:
    """For each person: how many released records have their key, and how many of those tell the truth."""

    size: Ints
    right: Ints

    @property
    def share(self) -> Floats:
        """The share of the records with the key that tell the truth; NaN where there is none."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.right / self.size)

    @property
    def sure(self) -> Floats:
        """1 where the key is released, and all records that have it tell the truth."""
        return np.asarray((self.size > 0) & (self.right == self.size), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Secrets:
    """The secret of the released records by key, ready to be asked about people."""

    key: Ints
    value: Floats
    keys: int
    numeric: bool
    tolerance: float

    def of(self, key: Ints, truth: Floats) -> Matches:
        """What is told of people with these keys, who have these values.

        >>> release = Secrets(np.array([0, 0, 1]), np.array([5.0, 7.0, 5.0]), 3, False, 0.0)
        >>> found = release.of(np.array([0, 1, 2]), np.array([5.0, 5.0, 5.0]))
        >>> found.size, found.right, found.sure
        (array([2, 1, 0]), array([1, 1, 0]), array([0., 1., 0.]))
        """
        size = np.bincount(self.key, minlength=self.keys)[key]
        there = ~np.isnan(self.value)
        ordered = np.sort(self.value[there])
        many = len(ordered) + 1
        # A key and a place among the values make one number: an interval within a key is one of these.
        placed = np.sort(self.key[there] * many + np.searchsorted(ordered, self.value[there], "left"))
        low, high = limits(truth, self.numeric, self.tolerance)
        first = np.searchsorted(placed, key * many + np.searchsorted(ordered, low, "left"))
        last = np.searchsorted(placed, key * many + np.searchsorted(ordered, high, "right"))
        return Matches(size, np.where(np.isnan(truth), 0, last - first))


def secrets_by_key(evidence: FileEvidence, keys: KeyedFiles, secret: str, tolerance: float) -> Secrets:
    """The secret of the released records by their keys."""
    values = file_values(evidence, evidence.released, secret)
    return Secrets(keys.released.label, values, keys.keys, is_numeric(evidence, secret), tolerance)
