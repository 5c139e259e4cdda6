"""Linkage by the rank of one score per record, for files that share no attribute."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.about import About
from unmask.attacks.families import NOTHING_COMMON
from unmask.data.schema import Role
from unmask.engines import Engine
from unmask.intruder.dossier import Dossier
from unmask.kernels.pairing import DIFFERENCE
from unmask.linkage.aggregations import Sum
from unmask.linkage.axes import Axis, axis_range
from unmask.linkage.decisions import NearestRecord, nearest_record
from unmask.linkage.encodings import ColumnPlaces
from unmask.linkage.record_scores import RecordScore, record_scores
from unmask.linkage.representatives import attribute_values
from unmask.linkage.spaces import assemble

TORRA_NIN_2008 = (
    "V. Torra and J. Nin (2008), Record linkage for database integration using fuzzy integrals, "
    "International Journal of Intelligent Systems 23, 715-734."
)
ABOUTS = {
    RecordScore.FIRST_COMPONENT: About(
        title="linkage by the first principal component",
        family=NOTHING_COMMON,
        sentence="The two files share no attribute. Each file is put in order by the one direction in which "
        "its records differ most, and people at the same place are linked.",
        source=TORRA_NIN_2008,
        rank=4,
    ),
    RecordScore.SUM_OF_Z: About(
        title="linkage by the sum of z-scores",
        family=NOTHING_COMMON,
        sentence="The two files share no attribute. Each file is put in order by how large all values of a "
        "record are together, and people at the same place are linked.",
        source=TORRA_NIN_2008,
        rank=5,
    ),
}


@dataclass(frozen=True)
class RankedScore:
    """The released record whose score has the nearest rank.

    Each file gives each of its records one number, the first principal component or the sum of z-scores
    (:func:`~unmask.linkage.record_scores.record_scores`), and d(b, a) = |rank of b - rank of a|, mid-ranks
    within each file. Torra and Nin (2008) name both as the simple ways to link files without a common
    attribute, and find 5 of 90 people with each. Nominal attributes are left out, and a note says so.

    >>> import polars as pl, unmask
    >>> known = pl.DataFrame({"id": [1, 2, 3, 4], "wage": [1.0, 4.0, 2.5, 8.0], "tax": [0.3, 0.4, 0.2, 0.9]})
    >>> released = pl.DataFrame({"id": [1, 2, 3, 4], "pay": [11.0, 19.0, 14.0, 33.0], "dues": [2, 3, 2, 5]})
    >>> risk = unmask.assess(known, released, truth="id", attacks=["sum-of-z"])
    >>> risk.table().filter(measure="reidentification")["value"].item()
    1.0
    """

    score: RecordScore = RecordScore.FIRST_COMPONENT

    @classmethod
    def variants(cls) -> tuple[RankedScore, ...]:
        """One attack by each score."""
        return tuple(cls(score) for score in RecordScore)

    @property
    def about(self) -> About:
        """What the attack by this score is called, does and comes from."""
        return ABOUTS[self.score]

    @property
    def name(self) -> str:
        """The name in tables."""
        return self.score.value

    def prepare(self, dossier: Dossier, rng: np.random.Generator, engine: Engine) -> NearestRecord:
        """Score both files; rank; nearest."""
        n, notes, sides = max(len(dossier.known), len(dossier.released)), [], []
        for data, label in ((dossier.known, "known"), (dossier.released, "released")):
            names = data.schema.names(Role.QUASI_IDENTIFIER) or data.schema.names()
            values, _, left_out = attribute_values(data, names)
            if left_out:
                notes.append(f"left out of the {label} file, as nominal: {', '.join(left_out)}")
            places = ColumnPlaces.of(record_scores(values, self.score))
            sides.append(places.mid_ranks(places, n))
        known, released = sides
        axis = Axis(known, released, DIFFERENCE, 1.0, axis_range(known, released), blurred=True)
        return nearest_record(dossier, assemble([axis], dossier.missing, notes), Sum(), engine)
