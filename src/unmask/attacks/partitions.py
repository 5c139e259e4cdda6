"""Linkage through partitions: both files are clustered, and clusters that answer to each other are linked."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.about import About
from unmask.attacks.families import NOTHING_COMMON
from unmask.attacks.record_score import TORRA_NIN_2008
from unmask.data.microdata import Floats, Microdata
from unmask.data.schema import Role
from unmask.engines import Engine
from unmask.errors import ArgumentError
from unmask.intruder.dossier import Dossier
from unmask.kernels.pairing import DISCRETE
from unmask.linkage.aggregations import Sum
from unmask.linkage.axes import Axis
from unmask.linkage.decisions import NearestRecord, nearest_record
from unmask.linkage.partitions import answering, partition
from unmask.linkage.record_scores import RecordScore, record_scores
from unmask.linkage.representatives import (
    Normalisation,
    Operator,
    Quantifiers,
    attribute_values,
    family,
    normalised,
    representatives,
)
from unmask.linkage.spaces import assemble
from unmask.parsing import written

#: More parts than these are refused: the distances of a record to all of them are worked out in every step.
MOST_PARTS = 1000


@dataclass(frozen=True)
class Partitions:
    """The released records that are most often in the part that answers to a person's own.

    Each file is clustered by itself, several times: k-means with each number of ``parts``, from parts of
    equal size by the first principal component and by the sum of z-scores. The parts of the two files are
    matched one-to-one by the mean representatives of their members and by their size, and a record counts one
    vote for each clustering in which it is in the part that answers to the person's: d(b, a) = the number of
    clusterings in which it is not. The nearest records are the candidates; they share belief (Torra and
    Nin 2008 name linkage through partitions as a way to link files without a common attribute).

    It works as far as both files fall into the same groups. Most candidates stay tied, so it finds groups
    rather than people; a person in a group of their own is found. Missing values count as the mean; nominal
    attributes are left out, and a note says so.

    >>> import polars as pl, unmask
    >>> known = pl.DataFrame({"id": [1, 2, 3, 4], "wage": [1.0, 4.0, 2.5, 8.0], "tax": [0.3, 0.4, 0.2, 0.9]})
    >>> released = pl.DataFrame({"id": [1, 2, 3, 4], "pay": [11.0, 19.0, 14.0, 33.0], "dues": [2, 3, 2, 5]})
    >>> risk = unmask.assess(known, released, truth="id", attacks=["partitions:parts=2+3"])
    >>> risk.table().filter(measure="reidentification")["value"].item() > 0.25
    True
    """

    about = About(
        title="linkage through partitions",
        family=NOTHING_COMMON,
        sentence="The two files share no attribute. The intruder divides each file into groups of similar "
        "records, several times, tells by size and profile which groups answer to each other, and links "
        "people to the records that share most of their groups.",
        source=TORRA_NIN_2008,
        rank=6,
    )

    parts: tuple[int, ...] = (2, 4, 8, 16, 32)

    def __post_init__(self) -> None:
        if not self.parts or min(self.parts) < 2 or max(self.parts) > MOST_PARTS:
            raise ArgumentError(
                "a partition has fewer than 2 parts, or more than are possible",
                hint=f"give numbers from 2 to {MOST_PARTS}, as in parts=4+8+16",
            )

    @property
    def name(self) -> str:
        """The name in tables."""
        return written("partitions", self)

    def prepare(self, dossier: Dossier, rng: np.random.Generator, engine: Engine) -> NearestRecord:
        """Cluster both files; match the parts; the records in most of the same parts."""
        known, mine = _described(dossier.known, "known")
        released, theirs = _described(dossier.released, "released")
        axes = []
        for parts in self.parts:
            for score in RecordScore:
                left, right = (partition(side.values, side.score(score), parts) for side in (known, released))
                answer = answering(left, right, (known.profile, released.profile), parts)
                axes.append(_axis(answer[left].astype(np.float64), right.astype(np.float64)))
        return nearest_record(dossier, assemble(axes, dossier.missing, (*mine, *theirs)), Sum(), engine)


@dataclass(frozen=True, eq=False)
class _Described:
    """A file's records as they are clustered (missing values at the mean), and their representatives."""

    values: Floats
    profile: Floats

    def score(self, score: RecordScore) -> Floats:
        """The score by whose order the clustering starts."""
        return record_scores(self.values, score)


def _described(data: Microdata, label: str) -> tuple[_Described, tuple[str, ...]]:
    names = data.schema.names(Role.QUASI_IDENTIFIER) or data.schema.names()
    values, _, left_out = attribute_values(data, names)
    z = normalised(values, Normalisation.STANDARDISATION)
    profile = representatives(z, family(Quantifiers.THRESHOLDS), Operator.OWA)
    notes = (f"left out of the {label} file, as nominal: {', '.join(left_out)}",) if left_out else ()
    return _Described(np.nan_to_num(z), profile), notes


def _axis(known: Floats, released: Floats) -> Axis:
    return Axis(known, released, DISCRETE, 1.0, 1.0)
