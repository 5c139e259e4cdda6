"""Model accuracy: how much worse a model predicts people when it has learned from the release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats, Ints
from unmask.data.schema import Kind
from unmask.losses.base import Values
from unmask.losses.checks import at_least
from unmask.losses.evidence import LossEvidence, Side
from unmask.losses.families import ANALYSES
from unmask.losses.formula import usual_targets
from unmask.losses.propensity import FEWEST_RECORDS, why_no_model
from unmask.losses.statistics import mean
from unmask.losses.trees import FOLDS, person_folds, tree_columns, tree_model
from unmask.measures.estimate import NotEstimable, Unit

#: No number to predict is larger, in units of the largest of the original.
MOST = 1e100


@dataclass(frozen=True)
class ModelAccuracy:
    """What is lost when a model learns from the release instead of the original (Jordon and others 2022).

        loss = max(0, s(original) - s(release))

    with s the score, for original people that the model has not seen, of trees that learned to predict an
    attribute from all others: the share of right answers for categories, R^2 (0 where it is negative) for
    numbers; averaged over the attributes that an analysis would explain first, which are those of
    ``interval-overlap``. Each half of the people is predicted by models that learned from the other half
    and its released records. Where the release has nothing to learn from, s is 0. A record without the
    attribute to predict is left out; any other missing value is a value. Weights count people. ``sample``: so
    many people at most. Where most people have the same category, its share is right without any model, and
    little can be lost.

    >>> from unmask.losses.evidence import LossAttribute
    >>> rng = np.random.default_rng(0)
    >>> age = rng.normal(size=400)
    >>> both = LossAttribute("age", Kind.NUMERIC), LossAttribute("pay", Kind.NUMERIC)
    >>> x, y = (Side({"age": age, "pay": pay}, np.ones(400)) for pay in (age**2, rng.permutation(age**2)))
    >>> evidence = LossEvidence(both, x, y, np.arange(400), confidential=("pay",))
    >>> round(ModelAccuracy().values(evidence)["pay"], 1)
    0.7
    """

    name: ClassVar[str] = "model-accuracy"
    unit: ClassVar[Unit] = Unit.SHARE
    by_name: ClassVar[bool] = True
    about = About(
        title="accuracy of models that learned from the release",
        family=ANALYSES,
        sentence="How much worse trees predict an attribute of original people when they have learned from "
        "the release.",
        source="J. Jordon and others (2022), Synthetic data: what, why and how?, The Royal Society and The "
        "Alan Turing Institute.",
        rank=2,
    )
    sample: int = 5000

    def __post_init__(self) -> None:
        at_least(FEWEST_RECORDS, "the sample", self.sample)

    def why_not(self, evidence: LossEvidence) -> NotEstimable | None:
        """It needs some records, an attribute to predict, and another one."""
        if (why := why_no_model(evidence)) is not None:
            return why
        if len(evidence.attributes) < 2:
            return NotEstimable("there is only one attribute, and none to predict it from")
        if usual_targets(evidence):
            return None
        return NotEstimable("there is no number, and no confidential attribute of two categories, to predict")

    def values(self, evidence: LossEvidence) -> Values:
        """The mean over the attributes to predict, and each."""
        some = evidence.fewer(self.sample, evidence.rng(self.name, "people"))
        by_name: dict[str | None, float | NotEstimable] = {
            name: self._lost(some, name) for name in usual_targets(evidence)
        }
        found = [value for value in by_name.values() if not isinstance(value, NotEstimable)]
        whole: float | NotEstimable = NotEstimable("no attribute to predict varies in the original")
        return {None: float(np.mean(found)) if found else whole, **by_name}

    def _lost(self, evidence: LossEvidence, target: str) -> float | NotEstimable:
        original, released = _parts(evidence, target, evidence.rng(self.name, "folds"))
        numeric = evidence.by_name[target].kind is Kind.NUMERIC
        asked = ~np.isnan(original.target)
        if not asked.any() or np.ptp(original.target[asked]) == 0:
            return NotEstimable("the attribute does not vary in the original")
        scores = []
        for learned in (original, released):
            # The same chance for both: a release of the original itself is predicted alike.
            models = [tree_model(numeric, evidence.rng(self.name, "trees", str(f))) for f in range(FOLDS)]
            answers = _answers(models, learned, original)[asked]
            scores.append(score(answers, original.target[asked], original.weights[asked], numeric))
        return max(0.0, scores[0] - scores[1])


@dataclass(frozen=True, eq=False)
class _Part:
    """One file for a prediction: what is known, what is predicted (NaN where missing), folds and weights."""

    known: Floats
    target: Floats
    fold: Ints
    weights: Floats


def _parts(evidence: LossEvidence, target: str, rng: np.random.Generator) -> tuple[_Part, _Part]:
    known = tree_columns(evidence, [a.name for a in evidence.attributes if a.name != target])
    folds = person_folds(evidence, rng)
    # Only shares of the spread are compared; and the largest numbers have squares that no sum holds.
    top = float(np.nanmax(np.abs(evidence.original.columns[target]), initial=1.0))
    sides = evidence.original, evidence.released
    original, released = (
        _Part(known[i], np.clip(_target(evidence, side, target) / top, -MOST, MOST), folds[i], side.weights)
        for i, side in enumerate(sides)
    )
    return original, released


def _target(evidence: LossEvidence, side: Side, name: str) -> Floats:
    if evidence.by_name[name].kind is Kind.NUMERIC:
        return side.numbers(name)
    return np.where(side.codes(name) < 0, np.nan, side.codes(name))


def _answers(models: Sequence[Any], learned: _Part, asked: _Part) -> Floats:
    """What a model for each fold, which learned from the others, answers; NaN where there was nothing."""
    answers = np.full(len(asked.target), np.nan)
    for half, model in enumerate(models):
        seen, wanted = (learned.fold != half) & ~np.isnan(learned.target), asked.fold == half
        if seen.any() and wanted.any():
            model.fit(learned.known[seen], learned.target[seen], sample_weight=learned.weights[seen])
            answers[wanted] = model.predict(asked.known[wanted])
    return answers


def score(answers: Floats, truth: Floats, weights: Floats, numeric: bool) -> float:
    """The weighted share of right answers, or R^2 where they are numbers; 0 at least.

    No answer is a wrong one, or the mean.

    >>> score(np.array([1.0, 3.0, np.nan]), np.array([1.0, 3.0, 5.0]), np.ones(3), numeric=True)
    0.5
    """
    if not numeric:
        return mean((answers == truth).astype(np.float64), weights)
    centre = mean(truth, weights)
    errors = np.where(np.isnan(answers), centre, answers) - truth
    return max(0.0, 1 - mean(errors**2, weights) / mean((truth - centre) ** 2, weights))
