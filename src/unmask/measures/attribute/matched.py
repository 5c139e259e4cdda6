"""People and their released records: the pairs that measures without linkage compare."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.data.schema import Kind, Role
from unmask.measures.findings import Case

#: Attributes of these roles tell something about a person; identifiers, weights and the like do not count.
ABOUT_PEOPLE = (Role.QUASI_IDENTIFIER, Role.CONFIDENTIAL)


@dataclass(frozen=True, eq=False)
class Matched:
    """The people who have a released record: their row in the original file and in the release.

    Ordered by the original row, so that the order of the release never shows.
    """

    original: Ints
    released: Ints
    people: int  # records in the original file

    def __len__(self) -> int:
        return len(self.original)

    def per_record(self, values: Floats) -> Floats:
        """Values of the matched people as values of all original records, NaN for the others.

        >>> Matched(np.array([0, 2]), np.array([1, 0]), 3).per_record(np.array([1.0, 0.0]))
        array([ 1., nan,  0.])
        """
        spread = np.full(self.people, np.nan)
        spread[self.original] = values
        return spread


def matched(case: Case) -> Matched:
    """The people of the case who have a released record."""
    released = np.flatnonzero(case.masked.origin >= 0)
    released = released[np.argsort(case.masked.origin[released])]
    return Matched(case.masked.origin[released], released, len(case.original))


def common(case: Case, *kinds: Kind) -> tuple[str, ...]:
    """The attributes of these kinds in the original file that say something about people and are released."""
    return tuple(
        column.name
        for column in case.original.schema
        if column.kind in kinds and column.role in ABOUT_PEOPLE and column.name in case.masked.data.schema
    )


def numbers_in_both(case: Case) -> tuple[str, ...]:
    """The numeric attributes about people that the release has as numbers, too."""
    schema = case.masked.data.schema
    return tuple(name for name in common(case, Kind.NUMERIC) if schema[name].kind is Kind.NUMERIC)


def numeric_pairs(case: Case, names: tuple[str, ...], pairs: Matched) -> tuple[Floats, Floats]:
    """The original and the released numbers of the matched people, one column an attribute."""
    return (
        case.original.numbers(names)[pairs.original],
        case.masked.data.numbers(names)[pairs.released],
    )


def spread(values: Floats) -> float:
    """The standard deviation (n - 1) of the values that are not missing; 0 where they do not differ.

    >>> spread(np.array([-1.0, 0.0, np.nan, 1.0])), spread(np.array([5.0])), spread(np.full(3, 0.1))
    (1.0, 0.0, 0.0)
    """
    present = values[~np.isnan(values)]
    # The deviation of equal values may come out above 0 by rounding.
    return float(present.std(ddof=1)) if len(present) > 1 and present.min() < present.max() else 0.0


def joint_categories(case: Case, name: str) -> tuple[str, ...]:
    """The categories that an attribute has in either file, sorted: one code book for both."""
    released = case.masked.data.categories(name) if name in case.masked.data.schema else ()
    return tuple(sorted({*case.original.categories(name), *released}))
