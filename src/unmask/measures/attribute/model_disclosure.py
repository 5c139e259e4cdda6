"""Model-based attribute disclosure: how well a model of the release predicts a confidential attribute."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from unmask.data.microdata import Floats
from unmask.engines import Engine
from unmask.measures.attribute.interval import check_widths, disclosed, points
from unmask.measures.attribute.models import Modelling
from unmask.measures.attribute.models_run import Run, run
from unmask.measures.confidence import clopper_pearson
from unmask.measures.findings import Case, Curve, Finding, Unit, not_estimable
from unmask.measures.phrases import of_people, percent

OVER = "largest error that counts as right, in percent of the standard deviation"


def why_no_model(case: Case) -> str | None:
    """Models need a confidential attribute in the release, and a known one."""
    if not case.confidential:
        return "no attribute is declared confidential"
    if not any(name in case.masked.data.schema for name in case.confidential):
        return "the release has no confidential attribute"
    if not any(name in case.masked.data.schema for name in case.known):
        return "the release has none of the attributes that the intruder knows"
    return None


def modelled(case: Case) -> tuple[str, ...]:
    """The confidential attributes that the release has."""
    return tuple(name for name in case.confidential if name in case.masked.data.schema)


def per_record(case: Case, found: Run, values: Floats) -> Floats:
    """Values of the sampled people as values of all original records."""
    spread = np.full(len(case.original), np.nan)
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
    >>> case = Case(original, Masked.by_order(original, original), ("age", "health"))
    >>> (found,) = ModelDisclosure(modelling=Modelling(folds=2)).findings(case, LocalEngine())
    >>> found.subject, found.value == found.baseline
    ('diagnosis', True)
    """

    p: float = 10.0
    curve: tuple[float, ...] = (1, 2, 5, 10, 20, 50, 100)
    modelling: Modelling = field(default_factory=Modelling)

    def __post_init__(self) -> None:
        check_widths(self.name, "p", (self.p, *self.curve))

    @property
    def name(self) -> str:
        """The name in tables."""
        return "model-disclosure"

    def why_not(self, case: Case) -> str | None:
        """It needs a confidential and a known attribute in the release."""
        return why_no_model(case)

    def findings(self, case: Case, engine: Engine) -> tuple[Finding, ...]:
        """One finding for each confidential attribute that is released."""
        return tuple(self._finding(case, subject) for subject in modelled(case))

    def _finding(self, case: Case, subject: str) -> Finding:
        found = run(case, subject, self.modelling)
        if isinstance(found, str):
            return not_estimable(self.name, subject, Unit.SHARE, found)
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
        return Finding(
            measure=self.name,
            subject=subject,
            value=count / n,
            low=low,
            high=high,
            n=n,
            baseline=baseline,
            unit=Unit.SHARE,
            meaning=f"A model of the release, each person's own record left out, is "
            f"{correct(numeric, self.p)} about '{subject}' for {of_people(count, n)}; a model of the "
            f"original data for {percent(baseline)}, and naming {guess} for everybody for {percent(usual)}.",
            per_record=per_record(case, found, hits),
            curve=Curve(OVER, tuple(points(narrowest, self.curve))) if numeric else None,
        )
