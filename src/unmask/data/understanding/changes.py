"""What happened to an attribute between the original and the release, and how much speaks for it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import polars as pl

from unmask.data.correspondence import Correspondence
from unmask.data.microdata import Floats, Ints


class What(StrEnum):
    """What was done to the values of an attribute."""

    UNCHANGED = "unchanged"
    RELABELLED = "relabelled"  # every category under another name, or numbers in another unit
    RECODED = "recoded"  # categories merged
    BANDED = "banded"  # numbers replaced by the band they lie in
    ROUNDED = "rounded"
    CODED = "top/bottom coded"
    SUPPRESSED = "suppressed"  # some values missing, the others unchanged
    NOISE = "noise"  # near the original values, or mostly equal to them
    SWAPPED = "swapped"  # the values of the original, with other people
    PERMUTED = "permuted"  # the same, and nothing left of who had which
    SYNTHESISED = "synthesised"  # new values with a similar distribution, nothing left of who had which
    COUNTED = "counted anew"  # of series, traces or ties that the release changed
    UNKNOWN = "unknown"


#: No chance is in these: an original value always becomes the same released one, or none.
WITHOUT_CHANCE = frozenset(
    (What.UNCHANGED, What.RELABELLED, What.RECODED, What.BANDED, What.ROUNDED, What.CODED, What.SUPPRESSED)
)
#: A rule that holds for fewer pairs than this leaves values that are no longer true.
NEARLY = 0.95
#: Nothing of the original value is left in these.
WITHOUT_TRACE = frozenset((What.PERMUTED, What.SYNTHESISED))


@dataclass(frozen=True)
class Change:
    """What happened to one attribute, the evidence in words, and its strength.

    ``share``: the share of the pairs of records (both values present) that ``what`` explains;
    ``lost``: the share of the original values that are missing in the release; ``filled``: the share of the
    pairs in which a value stands where the original has none; ``correspondence``: how values were recoded;
    ``size``: of noise, the standard deviation that it adds; of swaps, the share of ranks that a value moves;
    of changed categories, how many were changed; ``codes``: released values that stand for no value.
    """

    attribute: str
    what: What
    evidence: str
    share: float = 1.0
    lost: float = 0.0
    filled: float = 0.0
    kept: bool = False  # whether a missing value of the original is missing in the release
    correspondence: Correspondence | None = None
    size: float | None = None
    codes: tuple[str, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether a person's own record has the very value that theirs becomes."""
        one_scale = not (self.what is What.RELABELLED and self.correspondence is None)
        return self.what in WITHOUT_CHANCE and self.share == 1.0 and one_scale

    @property
    def perturbed(self) -> bool:
        """Whether released values are others than the original ones or coarser versions of them."""
        return self.what not in WITHOUT_CHANCE or self.share < NEARLY


@dataclass(frozen=True)
class Explanation:
    """What the pairs with both values present say."""

    what: What
    evidence: str
    share: float = 1.0
    correspondence: Correspondence | None = None
    size: float | None = None


#: An association this many deviations above chance is no accident, whatever the number of attributes.
STANDS_OUT = 5.0
#: Fewer pairs than these cannot show that an association is absent.
FEW_PAIRS = 20


def rank_correlation(a: Floats, b: Floats) -> float:
    """Spearman's rank correlation, ties at their mean rank; 0 for a constant."""
    x, y = (_mean_ranks(values) for values in (a, b))
    x, y = x - x.mean(), y - y.mean()
    size = float(np.sqrt((x * x).sum() * (y * y).sum()))
    return float((x * y).sum()) / size if size > 0 else 0.0


def _mean_ranks(values: Floats) -> Floats:
    """The places of values in their order, from 1 on, equal ones at the mean of theirs.

    >>> _mean_ranks(np.array([5.0, 2.0, 5.0]))
    array([2.5, 1. , 2.5])
    """
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(count) - (count - 1) / 2)[place])


def associated_numbers(a: Floats, b: Floats) -> bool:
    """Whether the values of two columns go together more than by chance."""
    return len(a) < FEW_PAIRS or abs(rank_correlation(a, b)) * np.sqrt(len(a)) > STANDS_OUT


def associated_categories(table: pl.DataFrame) -> bool:
    """The same of categories, from how often each pair (x, y) occurs (n): the chi-squared statistic."""
    n = int(table["n"].sum())
    rows, columns = (table.group_by(side).agg(pl.col("n").sum().alias(f"n{side}")) for side in ("x", "y"))
    freedom = (rows.height - 1) * (columns.height - 1)
    if freedom == 0 or n < FEW_PAIRS:
        return n < FEW_PAIRS
    joined = table.join(rows, on="x").join(columns, on="y")
    # sum (o - e)^2 / e = n (sum o^2 / (row column) - 1)
    expected = joined["nx"].cast(pl.Float64) * joined["ny"]
    squares = float((joined["n"].cast(pl.Float64) ** 2 / expected).sum())
    chi2 = n * (squares - 1)
    return bool(chi2 > freedom + STANDS_OUT * np.sqrt(2 * freedom))


def percent(share: float) -> str:
    """A share in words that never round to all or nothing.

    >>> percent(1.0), percent(0.9999), percent(0.5), percent(0.00001)
    ('100%', '99.9%', '50%', '0.1%')
    """
    if share in (0.0, 1.0):
        return f"{share:.0%}"
    return f"{min(max(100 * share, 0.1), 99.9):.3g}%"


def runs(order: Ints) -> int:
    """How many runs of equal values a sequence has.

    >>> runs(np.array([1, 1, 2, 1]))
    3
    """
    return int((np.diff(order) != 0).sum()) + 1 if len(order) else 0
