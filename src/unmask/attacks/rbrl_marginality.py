"""Rank-based record linkage in which categories without an order are ranked by their marginality."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.about import About
from unmask.attacks.families import RANK
from unmask.data.schema import Column, Kind
from unmask.engines import Engine
from unmask.intruder.dossier import Dossier
from unmask.kernels.pairing import DIFFERENCE
from unmask.linkage.aggregations import Sum
from unmask.linkage.axes import Axes, Axis, axis_range
from unmask.linkage.decisions import NearestRecord, nearest_record
from unmask.linkage.encodings import ColumnPlaces
from unmask.linkage.marginality import marginality
from unmask.linkage.spaces import assemble
from unmask.linkage.unrelated import mean_difference


@dataclass(frozen=True)
class MarginalityRBRL:
    """The released record at the smallest sum of rank differences, nominal attributes ranked too.

    As rank-based linkage by the sum, but a nominal attribute is ranked by the marginality of its categories
    within each file, from the centre outwards (Domingo-Ferrer and Solanas 2008;
    :func:`~unmask.linkage.marginality.marginalities`), instead of counting as equal or not. So a category
    compares by how usual it is, even where the codes of the two files differ. Where they are the same,
    counting them as equal or not tells more, as ``rbrl-sum`` does.

    >>> import polars as pl, unmask
    >>> original = pl.DataFrame({"age": [20, 30, 40, 50], "town": ["A", "A", "B", "C"]})
    >>> released = pl.DataFrame({"age": [22, 29, 42, 49], "town": ["A", "A", "B", "C"]})
    >>> risk = unmask.assess(original, released, known=["age", "town"], attacks=[MarginalityRBRL()])
    >>> risk.table().filter(measure="reidentification")["value"].item()
    1.0
    """

    about = About(
        title="rank-based linkage (sum, by marginality)",
        family=RANK,
        sentence="As rank-based linkage by the sum, but towns, trades and other names are ranked as well: by "
        "how far from the bulk of the file they are.",
        source="J. Domingo-Ferrer and A. Solanas (2008), A measure of variance for hierarchical nominal "
        "attributes, Information Sciences 178, 4644-4655.",
        rank=3,
    )

    @property
    def name(self) -> str:
        """The name in tables."""
        return "rbrl-marginality"

    def prepare(self, dossier: Dossier, rng: np.random.Generator, engine: Engine) -> NearestRecord:
        """Rank both files; sum; nearest."""
        files = Axes.of(dossier, engine.cache).ready()
        n = max(len(dossier.known), len(dossier.released))
        axes = [
            _ranked(dossier, column, n, files.few) if column.kind is Kind.NOMINAL else files.ranked(column, n)
            for column in files.columns
        ]
        return nearest_record(dossier, assemble(axes, dossier.missing, (), files.room), Sum(), engine)


def _ranked(dossier: Dossier, column: Column, n: int, few: bool) -> Axis:
    """Mid-ranks of marginalities among n, scaled so that unrelated records differ by n/3 in the mean.

    ``few``: so few people are known that their categories stand where they would in the released file.
    """
    known, released = dossier.known, dossier.released
    mine = ColumnPlaces.of(marginality(column, known, released if few else known))
    theirs = ColumnPlaces.of(marginality(column, released, released))
    left, right = mine.mid_ranks(theirs if few else mine, n), theirs.mid_ranks(theirs, n)
    axis = Axis(left, right, DIFFERENCE, 1.0, axis_range(left, right), blurred=True)
    own = mean_difference(left, right, DIFFERENCE, None, 1)
    return axis.scaled(n / 3 / own) if own > 0 else axis
