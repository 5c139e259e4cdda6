"""Model-based attribute disclosure: how well a model of the release predicts a confidential attribute."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats
from unmask.data.release_kind import ReleaseKind
from unmask.engines import Engine
from unmask.measures.applicability import EVERY_KIND
from unmask.measures.attribute.interval import check_widths, disclosed, points
from unmask.measures.attribute.matched import why_no_secret
from unmask.measures.attribute.models import Modelling
from unmask.measures.attribute.models_run import Predictions, predicted
from unmask.measures.confidence import clopper_pearson
from unmask.measures.estimate import Curve, Estimate, NotEstimable, Row
from unmask.measures.evidence import FileEvidence
from unmask.measures.families import ATTRIBUTE
from unmask.measures.phrases import of_people, percent
from unmask.measures.sources import TORRA_2017

OVER = "largest error that counts as right, in percent of the standard deviation"


def per_record(evidence: FileEvidence, found: Predictions, values: Floats) -> Floats:
    """Values of the sampled people as values of all original records."""
    spread = np.full(len(evidence.original), np.nan)
    spread[found.sample.people] = values
    return spread


def correct(numeric: bool, p: float) -> str:
    """When a prediction is right, in words."""
    return f"right to {p:g}% of a standard deviation" if numeric else "right"


@dataclass(frozen=True)
class ModelDisclosure:
    """The share of people whose confidential attribute a model of the release predicts from what is known.

    A model M of V is trained on the released records, those of the predicted people left out
    (cross-validation), and asked about a person's known original attributes. It is right if it names V(x);
    for numbers, if |V(x) - M(x)| <= p sd(V) / 100 (Torra 2017, model-based attribute disclosure).

    The baseline is the same model trained on the original file without the person: what the population tells
    anyway, were nothing masked. That much is knowledge about people at large, and no disclosure of a person.

    Missing: a known value that is missing is an answer of its own to the model; people without V are not
    predicted, records without it not learned from.

    >>> from unmask.engines import LocalEngine
    >>> from unmask.data.example import people
    >>> from unmask.data.microdata import Masked
    >>> original = people(300)
    >>> evidence = FileEvidence(original, Masked.by_order(original, original), ("age", "health"))
    >>> (row,) = ModelDisclosure(modelling=Modelling(folds=2)).rows(evidence, LocalEngine())
    >>> row.keys.subject, row.estimate.value == row.estimate.baseline
    ('diagnosis', True)
    """

    p: float = 10.0
    curve: tuple[float, ...] = (1, 2, 5, 10, 20, 50, 100)
    modelling: Modelling = field(default_factory=Modelling)
    says_about: ClassVar[frozenset[ReleaseKind]] = EVERY_KIND  # a model learns from anybody's records
    about: ClassVar[About] = About(
        "prediction from the release",
        ATTRIBUTE,
        "The share of people whose confidential attribute a model trained on the release predicts from what "
        "the intruder knows, beside a model of the original file without them.",
        TORRA_2017,
    )

    def __post_init__(self) -> None:
        check_widths(self.name, "p", (self.p, *self.curve))

    @property
    def name(self) -> str:
        """The name in tables."""
        return "model-disclosure"

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs a confidential and a known attribute in the release."""
        return why_no_secret(evidence)

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """One row for each confidential attribute that is released."""
        return tuple(self._row(evidence, subject) for subject in evidence.released_confidential)

    def _row(self, evidence: FileEvidence, subject: str) -> Row:
        found = predicted(evidence, subject, self.modelling)
        if isinstance(found, NotEstimable):
            return Row.none(self.name, found, subject=subject)
        sample = found.sample
        numeric = sample.spread is not None
        width = self.p if numeric else 0.0
        narrowest = sample.narrowest(found.first)
        hits = disclosed(narrowest, width)
        n, count = len(hits), float(hits.sum())
        baseline = float(disclosed(sample.narrowest(found.second), width).mean())
        usual = float(sample.usual(width).mean())
        low, high = clopper_pearson(count, n)
        guess = "the fullest interval of that width" if numeric else "the most frequent category"
        estimate = Estimate(
            count / n,
            low,
            high,
            n,
            baseline,
            meaning=f"A model of the release, each person's own record left out, is "
            f"{correct(numeric, self.p)} about '{subject}' for {of_people(count, n)}; a model of the "
            f"original data for {percent(baseline)}, and naming {guess} for everybody for {percent(usual)}.",
            per_record=per_record(evidence, found, hits),
            curve=Curve(OVER, tuple(points(narrowest, self.curve))) if numeric else None,
        )
        return Row.of(self.name, estimate, subject)
