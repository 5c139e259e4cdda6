"""Total variation: the share of people whom tables of the release have in a wrong cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats
from unmask.losses.base import Values
from unmask.losses.checks import at_least
from unmask.losses.evidence import LossEvidence
from unmask.losses.families import DISTRIBUTIONS
from unmask.losses.margins import table_distances, why_no_shares
from unmask.measures.estimate import NotEstimable, Unit


@dataclass(frozen=True)
class TotalVariation:
    """The share of people who would have to change their cell for a table of the release to be right.

        TV = 1/2 sum_c |p_c - p'_c|

    over the cells c of a table, with p the shares in the original and p' in the release; averaged over the
    tables of all pairs of attributes, and also told for each attribute alone, for all single ones and for
    triples (one minus it is the accuracy of Platzer and Reutterer 2021). Numbers are cut into ten
    classes at most, of 3% and of 17% of the original's people in turn; a value that many people have is a
    class of its own, and so is a missing one. Categories that the release merged are dealt out evenly over
    their members, as a reader would have to: merging is a loss. A table with an attribute that is not
    released at all counts 1. Shares are weighted. Of more than ``tables`` pairs (or triples) so many are
    drawn at random, the same for every release.

    >>> from unmask.data.schema import Kind
    >>> from unmask.losses.evidence import LossAttribute, Side
    >>> sex = LossAttribute("sex", Kind.NOMINAL, 2)
    >>> x, y = (Side({"sex": np.array(v, np.int32)}, np.ones(4)) for v in ([0, 0, 1, 1], [0, 0, 0, 1]))
    >>> TotalVariation().values(LossEvidence((sex,), x, y, np.arange(4)))[None]
    0.25
    """

    name: ClassVar[str] = "total-variation"
    unit: ClassVar[Unit] = Unit.SHARE
    examples: ClassVar[tuple[str, ...]] = ("total-variation:tables=3",)
    about = About(
        title="total variation of tables",
        family=DISTRIBUTIONS,
        sentence="Which share of people stands in a wrong cell in a table of two attributes made from the "
        "release.",
        source="M. Platzer and T. Reutterer (2021), Holdout-based empirical assessment of mixed-type "
        "synthetic data, Frontiers in Big Data 4, 679939.",
        rank=1,
    )
    tables: int = 200

    def __post_init__(self) -> None:
        at_least(1, "the number of tables", self.tables)

    def why_not(self, evidence: LossEvidence) -> NotEstimable | None:
        """It needs records in both files, and an attribute."""
        return why_no_shares(evidence)

    def values(self, evidence: LossEvidence) -> Values:
        """The mean over pairs of attributes, over tables of one and three, and each attribute."""
        return table_distances(evidence, self.tables, total_variation)


def total_variation(p: Floats, q: Floats) -> float:
    """Half the sum of the differences between two lists of shares.

    >>> total_variation(np.array([0.5, 0.5]), np.array([1.0, 0.0]))
    0.5
    """
    return min(1.0, float(np.abs(p - q).sum()) / 2)
