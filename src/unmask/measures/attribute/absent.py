"""Attributes that are not released: do models of the release find what models of the original find?"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from unmask.data.microdata import Floats
from unmask.data.schema import Kind
from unmask.engines import Engine
from unmask.errors import missing_columns
from unmask.measures.attribute.interval import check_widths, disclosed, in_densest, points
from unmask.measures.attribute.matched import common
from unmask.measures.attribute.models import Modelling
from unmask.measures.attribute.models_features import features, usable
from unmask.measures.attribute.models_run import Sample, crossfitted, distance, sampled, why_not_modelled
from unmask.measures.confidence import clopper_pearson
from unmask.measures.findings import Case, Curve, Finding, Unit, not_estimable
from unmask.measures.phrases import of_people, percent
from unmask.randomness import generator

OVER = "largest difference that counts as agreement, in percent of the standard deviation"


@dataclass(frozen=True)
class AbsentAttributes:
    """The share of people about whom models of the original and of the release say the same.

    For an attribute V that is left out of the release: DDMBAR = |{x : M_X(x) = M_X'(x')}| / |X|, where M_X is
    a model of V from the original attributes, asked about the person's original record x, and M_X' the same
    kind of model from the released attributes, asked about his released record x' (Torra 2017, absent
    attributes). Numbers agree if they differ by at most p percent of the standard deviation of V. A high
    share says that masking did not keep V from being inferred, although it was left out.

    To train M_X' an intruder needs V of some people in the release from elsewhere; he is granted that of all
    but those predicted (cross-validation). All released attributes that tell something about people are used.

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
    >>> case = Case(people, Masked.by_order(people, people.only(["b"])), ("b",))
    >>> (found,) = AbsentAttributes(modelling=Modelling(folds=2)).findings(case, LocalEngine())
    >>> found.value
    1.0
    """

    p: float = 10.0
    curve: tuple[float, ...] = (1, 2, 5, 10, 20, 50, 100)
    attributes: tuple[str, ...] | None = None
    modelling: Modelling = field(default_factory=Modelling)

    def __post_init__(self) -> None:
        check_widths(self.name, "p", (self.p, *self.curve))

    @property
    def name(self) -> str:
        """The name in tables."""
        return "absent-attributes"

    def why_not(self, case: Case) -> str | None:
        """It needs a confidential attribute that is not released, or a name."""
        if not self._subjects(case):
            return (
                "every confidential attribute is released"
                if case.confidential
                else ("no attribute is declared confidential")
            )
        return None

    def findings(self, case: Case, engine: Engine) -> tuple[Finding, ...]:
        """One finding for each attribute that is left out."""
        return tuple(self._finding(case, subject) for subject in self._subjects(case))

    def _subjects(self, case: Case) -> tuple[str, ...]:
        if self.attributes is None:
            return tuple(name for name in case.confidential if name not in case.masked.data.schema)
        lost = [name for name in self.attributes if name not in case.original.schema]
        if lost:
            raise missing_columns(lost, case.original.schema.names(), case.original.label)
        return self.attributes

    def _finding(self, case: Case, subject: str) -> Finding:
        left_out = self._subjects(case)
        names = tuple(name for name in common(case, *Kind) if name not in left_out)
        known, folds = usable(case, names), self.modelling.folds
        sample = sampled(case, subject, self.modelling.limit, absent=True)
        reason = why_not_modelled(subject, known, sample, folds)
        if reason is not None:
            return not_estimable(self.name, subject, Unit.SHARE, reason)
        from_original, from_release = self._said(case, sample, known)
        numeric = sample.spread is not None
        width = self.p if numeric else 0.0
        narrowest = distance(from_original, from_release, sample.spread)
        hits = disclosed(narrowest, width)
        n, count = len(hits), float(hits.sum())
        low, high = clopper_pearson(count, n)
        right = float(disclosed(sample.narrowest(from_release), width).mean())
        baseline = _most_often(from_original, sample, width)
        per_record = np.full(len(case.original), np.nan)
        per_record[sample.people] = hits
        return Finding(
            measure=self.name,
            subject=subject,
            value=count / n,
            low=low,
            high=high,
            n=n,
            baseline=baseline,
            unit=Unit.SHARE,
            meaning=f"Without '{subject}' in the release, a model of the released attributes says the same "
            f"of {of_people(count, n)} as one of the original attributes, and is right for {percent(right)}; "
            f"the most frequent answer alone would agree for {percent(baseline)}.",
            per_record=per_record,
            curve=Curve(OVER, tuple(points(narrowest, self.curve))) if numeric else None,
        )

    def _said(self, case: Case, sample: Sample, known: tuple[str, ...]) -> tuple[Floats, Floats]:
        data = features(case, known, sample.people, sample.records)
        estimator = self.modelling.estimator(sample.spread is not None)
        state = int(generator(case.seed, "model").integers(2**31))
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
