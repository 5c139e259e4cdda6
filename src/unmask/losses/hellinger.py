"""Hellinger distance: how far tables of the release are from those of the original, rare cells included."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
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
class Hellinger:
    """The distance between the roots of shares, in which a cell that appears or vanishes counts most.

        H = sqrt(1/2 sum_c (sqrt p_c - sqrt p'_c)^2)

    over the cells c of a table, with p the shares in the original and p' in the release (Hellinger 1909; as
    a loss of masked categories Gomatam and Karr 2003); averaged over the tables of all pairs of attributes.
    Classes of numbers, missing values, weights and ``tables`` are as in ``total-variation``. It lies between
    0 (equal shares) and 1 (no cell in common), and H^2 <= TV <= sqrt(2) H.

    >>> from unmask.data.schema import Kind
    >>> from unmask.losses.evidence import LossAttribute, Side
    >>> sex = LossAttribute("sex", Kind.NOMINAL, 2)
    >>> x, y = (Side({"sex": np.array(v, np.int32)}, np.ones(4)) for v in ([0, 0, 1, 1], [0, 0, 0, 1]))
    >>> round(Hellinger().values(LossEvidence((sex,), x, y, np.arange(4)))[None], 4)
    0.1846
    """

    name: ClassVar[str] = "hellinger"
    unit: ClassVar[Unit] = Unit.SHARE
    about = About(
        title="Hellinger distance of tables",
        family=DISTRIBUTIONS,
        sentence="How far the shares of a table of two attributes are from the original ones, where rare "
        "cells count more than in total variation.",
        source="S. Gomatam and A. F. Karr (2003), Distortion measures for categorical data swapping, "
        "Technical Report 131, National Institute of Statistical Sciences.",
        rank=3,
    )
    tables: int = 200

    def __post_init__(self) -> None:
        at_least(1, "the number of tables", self.tables)

    def why_not(self, evidence: LossEvidence) -> NotEstimable | None:
        """It needs records in both files, and an attribute."""
        return why_no_shares(evidence)

    def values(self, evidence: LossEvidence) -> Values:
        """The mean over pairs of attributes, over tables of one and three, and each attribute."""
        return table_distances(evidence, self.tables, hellinger)


def hellinger(p: Floats, q: Floats) -> float:
    """The Hellinger distance of two lists of shares.

    >>> hellinger(np.array([1.0, 0.0]), np.array([0.0, 1.0]))
    1.0
    """
    return min(1.0, sqrt(float(((np.sqrt(p) - np.sqrt(q)) ** 2).sum()) / 2))
