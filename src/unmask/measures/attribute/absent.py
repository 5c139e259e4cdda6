"""Attributes that are not released: do models of the release find what models of the original find?"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats
from unmask.data.release_kind import ReleaseKind
from unmask.data.schema import Kind
from unmask.engines import Engine
from unmask.errors import missing_columns
from unmask.measures.applicability import OWN_RECORDS
from unmask.measures.attribute.interval import check_widths, disclosed, in_densest, points
from unmask.measures.attribute.matched import common
from unmask.measures.attribute.models import Modelling
from unmask.measures.attribute.models_features import features, usable
from unmask.measures.attribute.models_run import Sample, crossfitted, distance, sampled, why_not_modelled
from unmask.measures.confidence import clopper_pearson
from unmask.measures.estimate import Curve, Estimate, NotEstimable, Row
from unmask.measures.evidence import FileEvidence
from unmask.measures.families import ATTRIBUTE
from unmask.measures.phrases import of_people, percent
from unmask.measures.sources import TORRA_2017
from unmask.randomness import generator

OVER = "largest difference that counts as agreement, in percent of the standard deviation"


@dataclass(frozen=True)
class AbsentAttributes:
    """The share of people about whom models of the original and of the release say the same.

    For an attribute V that is left out of the release: DDMBAR = |{x : M_X(x) = M_X'(x')}| / |X|, where M_X is
    a model of V from the original attributes, asked about the person's original record x, and M_X' the same
    kind of model from the released attributes, asked about their released record x' (Torra 2017, absent
    attributes). Numbers agree if they differ by at most p percent of the standard deviation of V. A high
    share says that masking did not keep V from being inferred, although it was left out.

    To train M_X' an intruder needs V of some people in the release from elsewhere; they are granted that of
    all but those predicted (cross-validation). All released attributes that tell something about people are
    used.

    The baseline names, for everybody, what M_X says most often. ``attributes``: those taken as left out
    (default: the confidential ones that the release does not have).

    >>> import polars as pl
    >>> from unmask.engines import LocalEngine
    >>> from unmask.data.microdata import Masked, Microdata
    >>> from unmask.data.schema import Column, Role, Schema
    >>> rng = np.random.default_rng(1)
    >>> b = rng.normal(size=200)
    >>> columns = (Column("b"), Column("sign", Kind.NOMINAL, Role.CONFIDENTIAL))
    >>> people = Microdata(Schema(columns), pl.DataFrame({"b": b, "sign": np.where(b > 0, "plus", "minus")}))
    >>> evidence = FileEvidence(people, Masked.by_order(people, people.only(["b"])), ("b",))
    >>> (row,) = AbsentAttributes(modelling=Modelling(folds=2)).rows(evidence, LocalEngine())
    >>> row.estimate.value
    1.0
    """

    p: float = 10.0
    curve: tuple[float, ...] = (1, 2, 5, 10, 20, 50, 100)
    attributes: tuple[str, ...] | None = None
    modelling: Modelling = field(default_factory=Modelling)
    says_about: ClassVar[frozenset[ReleaseKind]] = OWN_RECORDS
    about: ClassVar[About] = About(
        "attributes left out of the release",
        ATTRIBUTE,
        "The share of people about whom a model of the original file and one of the release say the same, "
        "for an attribute that is not released.",
        TORRA_2017,
    )

    def __post_init__(self) -> None:
        check_widths(self.name, "p", (self.p, *self.curve))

    @property
    def name(self) -> str:
        """The name in tables."""
        return "absent-attributes"

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs a confidential attribute that is not released, or a name."""
        if self._subjects(evidence):
            return None
        if evidence.confidential:
            return NotEstimable("every confidential attribute is released")
        return NotEstimable("no attribute is declared confidential")

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """One row for each attribute that is left out."""
        return tuple(self._row(evidence, subject) for subject in self._subjects(evidence))

    def _subjects(self, evidence: FileEvidence) -> tuple[str, ...]:
        if self.attributes is None:
            return tuple(name for name in evidence.confidential if name not in evidence.released.schema)
        lost = [name for name in self.attributes if name not in evidence.original.schema]
        if lost:
            raise missing_columns(lost, evidence.original.schema.names(), evidence.original.label)
        return self.attributes

    def _row(self, evidence: FileEvidence, subject: str) -> Row:
        left_out = self._subjects(evidence)
        names = tuple(name for name in common(evidence, *Kind) if name not in left_out)
        known, folds = usable(evidence, names), self.modelling.folds
        sample = sampled(evidence, subject, self.modelling.limit, absent=True)
        why = why_not_modelled(subject, known, sample, folds)
        if why is not None:
            return Row.none(self.name, why, subject=subject)
        from_original, from_release = self._said(evidence, sample, known)
        numeric = sample.spread is not None
        width = self.p if numeric else 0.0
        narrowest = distance(from_original, from_release, sample.spread)
        hits = disclosed(narrowest, width)
        n, count = len(hits), float(hits.sum())
        low, high = clopper_pearson(count, n)
        right = float(disclosed(sample.narrowest(from_release), width).mean())
        baseline = _most_often(from_original, sample, width)
        per_record = np.full(len(evidence.original), np.nan)
        per_record[sample.people] = hits
        estimate = Estimate(
            count / n,
            low,
            high,
            n,
            baseline,
            meaning=f"Without '{subject}' in the release, a model of the released attributes says the same "
            f"of {of_people(count, n)} as one of the original attributes, and is right for {percent(right)}; "
            f"the most frequent answer alone would agree for {percent(baseline)}.",
            per_record=per_record,
            curve=Curve(OVER, tuple(points(narrowest, self.curve))) if numeric else None,
        )
        return Row.of(self.name, estimate, subject)

    def _said(self, evidence: FileEvidence, sample: Sample, known: tuple[str, ...]) -> tuple[Floats, Floats]:
        data = features(evidence, known, sample.people, sample.records)
        estimator = self.modelling.estimator(sample.spread is not None)
        state = int(generator(evidence.seed, "model").integers(2**31))
        fold = np.arange(len(sample.people)) % self.modelling.folds
        own = data.released[sample.record]
        return (
            crossfitted(estimator, data.original, sample.value, fold, data.original, fold, state),
            crossfitted(estimator, own, sample.value, fold, own, fold, state),
        )


def _most_often(said: Floats, sample: Sample, width: float) -> float:
    if sample.spread is None:
        return float(np.unique(said, return_counts=True)[1].max() / len(said))
    return float(in_densest(said, said, width * sample.spread / 100).mean())
