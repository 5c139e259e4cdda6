"""Who of the hold-out is surely not in the original file: without those who are in both.

A control of people who are in the file makes every risk too small: the attack reaches them, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from unmask.data.microdata import Ints, Microdata
from unmask.data.schema import Kind
from unmask.measures.attribute.matched import ABOUT_PEOPLE
from unmask.measures.evidence import FileEvidence
from unmask.randomness import generator

Bits = NDArray[np.uint64]

#: So many attributes are left out at most, one after the other: each takes a look at both files.
MOST_LEFT_OUT = 30
#: So rarely do two files of different people look as if they shared some.
CHANCE = 1e-6


@dataclass(frozen=True, eq=False)
class Strangers:
    """The rows of the hold-out whose people are not in the original file, in the order of the file.

    ``again``: how many were left out because they are there.
    """

    rows: Ints
    again: int


def strangers(evidence: FileEvidence) -> Strangers:
    """The people of the hold-out, without those whom the original file has as well.

    Two people may be alike. So pairs are counted: of records that are there twice in both files together, a
    share of 2 n m / ((n + m) (n + m - 1)) lies one in each file, of n and m records, if the files are two
    samples of different people. Where far more do, the files share people, and whoever of the hold-out is
    like somebody of the original is left out: rather somebody too many, for a control of people who are in
    the file makes risks too small. Of those who are left the same is asked without one attribute after the
    other, which may have changed since. Of whom more has changed, this does not see.

    >>> import polars as pl, unmask
    >>> schema = unmask.Schema((unmask.Column("age"), unmask.Column("pay")))
    >>> def file(start): return unmask.Microdata(schema, pl.DataFrame(
    ...     {"age": np.arange(100.0), "pay": np.arange(start, start + 100.0) ** 2}))
    >>> masked = unmask.Masked.of_nobody(file(0))
    >>> again = pl.concat([file(0).frame[:30], file(500).frame[30:]])
    >>> holdout = unmask.Microdata(schema, again)
    >>> found = strangers(FileEvidence(file(0), masked, ("age",), holdout=holdout))
    >>> len(found.rows), found.again
    (70, 30)
    """
    return evidence.cache.get(evidence, ("strangers",), lambda: _strangers(evidence))


def _strangers(evidence: FileEvidence) -> Strangers:
    holdout, people = evidence.holdout, len(evidence.original)
    assert holdout is not None  # who asks has made sure
    names = in_one_form(evidence.original, holdout)
    left = np.arange(len(holdout))
    views = list(_views(evidence, holdout, names)) if names else []
    for view in views:
        asked = np.concatenate((view[:people], view[people + left]))
        left = left[~_in_both(asked, people, CHANCE / len(views))]
    return Strangers(left, len(holdout) - len(left))


def _views(evidence: FileEvidence, holdout: Microdata, names: tuple[str, ...]) -> Iterator[Bits]:
    """A hash of each record, the original people first: of all attributes, then without each of the first."""
    whole = np.zeros(len(evidence.original) + len(holdout), dtype=np.uint64)
    for name in names:
        whole ^= _cells(evidence, holdout, name)
    yield whole
    if len(names) > 2:
        yield from (whole ^ _cells(evidence, holdout, name) for name in names[:MOST_LEFT_OUT])


def in_one_form(original: Microdata, other: Microdata) -> tuple[str, ...]:
    """The attributes of people that both files have as numbers, or both as categories.

    Identifiers are none: they may be numbered anew.
    """
    return tuple(
        column.name
        for column in original.schema
        if column.role in ABOUT_PEOPLE
        and column.name in other.schema
        and (other.schema[column.name].kind is Kind.NUMERIC) == (column.kind is Kind.NUMERIC)
    )


def _cells(evidence: FileEvidence, holdout: Microdata, name: str) -> Bits:
    """A random number for each value of an attribute."""
    values = np.concatenate([_values(evidence, data, name) for data in (evidence.original, holdout)])
    different, place = np.unique(values, return_inverse=True)
    drawn = generator(0, "strangers", name).integers(2**63, size=len(different), dtype=np.uint64)
    return np.asarray(drawn[place])


def _values(evidence: FileEvidence, data: Microdata, name: str) -> NDArray[np.float64]:
    """A column as numbers, or as the places of its categories in one code book; NaN where missing."""
    if evidence.original.schema[name].kind is Kind.NUMERIC:
        return data.numbers([name])[:, 0]
    holdout = evidence.holdout
    assert holdout is not None
    book = tuple(sorted({*evidence.original.categories(name), *holdout.categories(name)}))
    codes = data.codes(name, book).astype(np.float64)
    return np.where(codes < 0, np.nan, codes)


def _in_both(view: Bits, people: int, chance: float) -> NDArray[np.bool_]:
    """Which of the hold-out are like one of so many people of the original, where the files share people."""
    _, label, size = np.unique(view, return_inverse=True, return_counts=True)
    inside = np.bincount(label[:people], minlength=len(size))
    pairs, n, m = size == 2, people, len(view) - people
    split = int((pairs & (inside == 1)).sum())
    usual = 2 * n * m / max((n + m) * (n + m - 1), 1)
    if binom.sf(split - 1, int(pairs.sum()), usual) > chance:
        return np.zeros(m, dtype=np.bool_)
    return np.asarray((inside > 0)[label[people:]])
