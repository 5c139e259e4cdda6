"""Alignment: learn, without any known pair, how two files without a common attribute correspond."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.attacks.alignment_learning import AlignmentFeatures, AlignmentFit, fit_matching, learn
from unmask.attacks.base import Matcher, Usual
from unmask.attacks.families import NOTHING_COMMON
from unmask.attacks.one_to_one import one_to_one
from unmask.data.microdata import Floats, Ints
from unmask.data.schema import Role
from unmask.engines import Engine
from unmask.errors import ArgumentError
from unmask.intruder.dossier import Dossier
from unmask.kernels.pairing import DIFFERENCE
from unmask.linkage.aggregations import Sum
from unmask.linkage.assignment import LongAssignmentError, assign
from unmask.linkage.axes import Axis
from unmask.linkage.decisions import NearestRecord, nearest_record
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

#: Rounds in which the whole files are linked and the alignment fitted to the links, after a start on samples.
WHOLE_ROUNDS = 3
NEAREST_INSTEAD = (
    "everybody is linked to the nearest record, which others may share: a one-to-one assignment of so many "
    "records is too much work"
)


@dataclass(frozen=True)
class Alignment:
    """One-to-one linkage by canonical variates that are learned from the links they give.

    If it were known who is who, canonical correlations would tell which combinations of attributes say the
    same in both files, and how closely; and if that were known, a one-to-one assignment would tell who is
    who. So each is found from the other in turn, from many starts: matchings by representatives, and by the
    ranks of one attribute in each file, upwards and downwards. The start that ends with the highest mutual
    information, and the most similar representatives, is kept. (Canonical correlation: Hotelling 1936;
    matching and fitting in turn: Haghighi et al. 2008; soft matchings: Sinkhorn 1967.) The intruder needs no
    true pair for it; they only assume that files are about the same people, or nearly.

    cost(b, a) = sum_k s_k / (2 (1 - s_k^2)) (x_k(b) - y_k(a))^2 + prior * (distance of representatives),
    with x_k, y_k the canonical variates of normal scores and s_k their correlation: up to terms of single
    records, which no assignment depends on, minus the log likelihood ratio of a pair.

    ``sample``: records of each file from which it is learned, where there are more; ``prior``: the weight of
    the representatives, which helps where attributes of both files grow together and misleads where some run
    counter (then 0 does better); ``ridge``: what is added to each file's correlation matrix.

    >>> import polars as pl, unmask
    >>> rng = np.random.default_rng(1)
    >>> x = rng.normal(size=60)
    >>> y = x**2 + 0.5 * rng.normal(size=60)
    >>> known = pl.DataFrame({"id": range(60), "x": x, "y": y})
    >>> released = pl.DataFrame({"id": range(60), "minus_x": -x, "y_and_x": y + 0.3 * x})
    >>> risk = unmask.assess(known, released, truth="id", attacks=[Alignment(prior=0)])
    >>> risk.worst().estimate.value > 0.8
    True
    """

    about = About(
        title="linkage by learned alignment",
        family=NOTHING_COMMON,
        sentence="The two files share no attribute. The intruder guesses a matching of the people, learns "
        "from it which attributes of the two files go together, matches again, and keeps what fits best.",
        source="H. Hotelling (1936), Relations between two sets of variates, Biometrika 28, 321-377 (the "
        "correlations that are fitted).",
        rank=2,
    )
    usual = Usual.NOTHING_COMMON
    needs_numbers: ClassVar[bool] = True

    sample: int = 200
    prior: float = 1.0
    ridge: float = 0.03

    def __post_init__(self) -> None:
        if self.sample < 2:
            raise ArgumentError(f"the sample is {self.sample}", hint="learn from at least 2 records")
        if not (np.isfinite(self.prior) and self.prior >= 0 and np.isfinite(self.ridge) and self.ridge > 0):
            raise ArgumentError(
                "prior is negative, or ridge not above 0", hint="give numbers such as prior=1, ridge=0.03"
            )

    @property
    def name(self) -> str:
        """The name in tables."""
        return written("alignment", self)

    def prepare(self, dossier: Dossier, rng: np.random.Generator, engine: Engine) -> Matcher:
        """Learn the alignment; assign, or link to the nearest record where that is too much work."""
        features, notes = self.features(dossier)
        whole = len(features.known) <= self.sample and len(features.released) <= self.sample
        fit = learn(features if whole else _sampled(features, self.sample, rng))
        if not whole:
            notes += (f"learned from samples of {self.sample} records of each file",)
        try:
            for _ in range(0 if whole else WHOLE_ROUNDS):
                fit = _refit(features, self.space(dossier, features, fit, (), engine), engine)
            return one_to_one(self.space(dossier, features, fit, notes, engine), engine, self.name)
        except LongAssignmentError:
            return self.space(dossier, features, fit, (*notes, NEAREST_INSTEAD), engine)

    def features(self, dossier: Dossier) -> tuple[AlignmentFeatures, tuple[str, ...]]:
        """What is learned from: normal scores, and representatives under both normalisations."""
        values, notes = [], []
        for data, label in ((dossier.known, "known"), (dossier.released, "released")):
            names = data.schema.names(Role.QUASI_IDENTIFIER) or data.schema.names()
            numbers, _, left_out = attribute_values(data, names)
            values.append(numbers)
            if left_out:
                notes.append(f"left out of the {label} file, as nominal: {', '.join(left_out)}")
        alike = [_representatives(values[0], values[1], how) for how in Normalisation]
        return AlignmentFeatures.of(values[0], values[1], alike, self.ridge, self.prior), tuple(notes)

    def space(
        self,
        dossier: Dossier,
        features: AlignmentFeatures,
        fit: AlignmentFit,
        notes: tuple[str, ...],
        engine: Engine,
    ) -> NearestRecord:
        """The costs as a sum of squares, for the engine: weighted canonical variates and representatives."""
        known, released = features.placed(fit)
        axes = [Axis(known[:, j], released[:, j], DIFFERENCE, 1.0, 0.0) for j in range(known.shape[1])]
        return nearest_record(dossier, assemble(axes, dossier.missing, notes), Sum(power=2), engine)


def _representatives(known: Floats, released: Floats, how: Normalisation) -> tuple[Floats, Floats, Floats]:
    """Representatives by thresholds (order statistics) of both files, and of the released one upside down."""
    left, right = normalised(known, how), normalised(released, how)
    turned = 1 - right if how is Normalisation.RANGING else -right
    quantifiers = family(Quantifiers.THRESHOLDS)
    found = [representatives(side, quantifiers, Operator.OWA) for side in (left, right, turned)]
    return found[0], found[1], found[2]


def _sampled(features: AlignmentFeatures, size: int, rng: np.random.Generator) -> AlignmentFeatures:
    """Records drawn from each file in the order of values, so that row order does not choose them."""
    ordered = features.in_order()
    rows = [
        np.sort(rng.choice(len(side), min(size, len(side)), replace=False))
        for side in (ordered.known, ordered.released)
    ]
    return ordered.take(rows[0], rows[1])


def _refit(features: AlignmentFeatures, nearest: NearestRecord, engine: Engine) -> AlignmentFit:
    """The alignment of the whole files, fitted to the links of the last one."""
    links = assign(nearest.pairing, engine, blocks=nearest.blocks).links
    partner = _first_of(links.row, links.indptr, links.cls, links.cls_of)
    linked = np.flatnonzero(partner >= 0)
    return fit_matching(features, linked, partner[linked])


def _first_of(row: Ints, indptr: Ints, cls: Ints, cls_of: Ints) -> Ints:
    """A released record of each target's first class, -1 for none: any will do, they are alike."""
    member = np.empty(int(cls_of.max()) + 1, np.int64)
    member[cls_of] = np.arange(len(cls_of))
    partner = np.full(len(row), -1, np.int64)
    linked = row >= 0
    partner[linked] = member[cls[indptr[row[linked]]]]
    return partner
