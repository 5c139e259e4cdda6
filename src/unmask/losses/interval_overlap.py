"""Interval overlap: whether regressions of the release conclude what those of the original do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats
from unmask.data.schema import Kind
from unmask.losses.base import Values
from unmask.losses.checks import at_least
from unmask.losses.evidence import LossEvidence, Side
from unmask.losses.families import ANALYSES
from unmask.losses.formula import Formula, usual_formulas
from unmask.losses.regression import Fitted, Flags, linear, logistic
from unmask.measures.estimate import NotEstimable, Unit

#: Larger numbers, in deviations of the original, have squares that no sum holds.
LARGEST = 1e100


@dataclass(frozen=True)
class IntervalOverlap:
    """How far the 95% intervals of regression coefficients are from covering one another (Karr et al. 2006).

        loss = 1 - mean_j 1/2 [ (U_i - L_i) / (U_o - L_o) + (U_i - L_i) / (U_s - L_s) ]

    over the coefficients j, with (L_o, U_o) the interval from the original, (L_s, U_s) that from the release,
    and (L_i, U_i) = (max L, min U) what they share. It is 0 where the intervals are equal, and more than 1
    where they are apart, without a bound. ``formula``: what is explained by what, as in "income ~ age + sex",
    by a linear regression, or a logistic one for a target of two categories. Without it, each confidential
    attribute that is a number or has two categories (else each number; five at most) is explained by the
    first ten others that are numbers or have ten categories at most.

    Records with a missing value among these are left out. Categories are compared with the most frequent one
    of the original. The constant does not count, nor do coefficients that the original does not determine;
    one that the release alone does not determine overlaps by 0. Weights count people. ``sample``: so many
    people at most; with fewer people the intervals are wider, and the loss is less.

    >>> from unmask.losses.evidence import LossAttribute
    >>> rng = np.random.default_rng(0)
    >>> age, noise = rng.normal(size=200), rng.normal(size=200)
    >>> both = LossAttribute("age", Kind.NUMERIC), LossAttribute("pay", Kind.NUMERIC)
    >>> x, y = (Side({"age": age, "pay": slope * age + noise}, np.ones(200)) for slope in (1.0, 1.1))
    >>> loss = IntervalOverlap(formula="pay ~ age")
    >>> round(loss.values(LossEvidence(both, x, y, np.arange(200)))["pay ~ age"], 2)
    0.34
    """

    name: ClassVar[str] = "interval-overlap"
    unit: ClassVar[Unit] = Unit.LEVEL
    by_name: ClassVar[bool] = True
    examples: ClassVar[tuple[str, ...]] = (
        'interval-overlap:formula="pay ~ age + class"',
        'interval-overlap:formula="ill ~ pay"',
    )
    about = About(
        title="regressions that conclude otherwise (interval overlap)",
        family=ANALYSES,
        sentence="How far the confidence intervals of regression coefficients from the release are from "
        "those of the original.",
        source="A. F. Karr, C. N. Kohnen, A. Oganian, J. P. Reiter and A. P. Sanil (2006), A framework for "
        "evaluating the utility of data altered to protect confidentiality, The American Statistician 60(3), "
        "224-232.",
        rank=1,
    )
    formula: str | None = None
    sample: int = 20_000

    def __post_init__(self) -> None:
        at_least(10, "the sample", self.sample)
        if self.formula is not None:
            Formula.parsed(self.formula)

    def why_not(self, evidence: LossEvidence) -> NotEstimable | None:
        """It needs records in both files, and something to explain."""
        if not len(evidence.original) or not len(evidence.released):
            return NotEstimable("one of the files has no records")
        if self._formulas(evidence):
            return None
        return NotEstimable("there is no number, and no confidential attribute of two categories, to explain")

    def values(self, evidence: LossEvidence) -> Values:
        """The mean over regressions, and each by its formula."""
        some = evidence.fewer(self.sample, evidence.rng(self.name, "people"))
        by_formula: dict[str | None, float | NotEstimable] = {
            formula.text: _lost(some, formula) for formula in self._formulas(evidence)
        }
        found = [value for value in by_formula.values() if not isinstance(value, NotEstimable)]
        whole = next((v for v in by_formula.values()), NotEstimable("there is nothing to explain"))
        return {None: float(np.mean(found)) if found else whole, **by_formula}

    def _formulas(self, evidence: LossEvidence) -> Sequence[Formula]:
        if self.formula is None:
            return usual_formulas(evidence)
        formula = Formula.parsed(self.formula)
        formula.check(evidence)
        return [formula]


def _lost(evidence: LossEvidence, formula: Formula) -> float | NotEstimable:
    ours = _fitted(evidence, evidence.original, formula)
    if isinstance(ours, NotEstimable):
        return ours
    if not ours.determined.any():
        return NotEstimable("the original determines no coefficient")
    theirs = _fitted(evidence, evidence.released, formula)
    if isinstance(theirs, NotEstimable):
        return 1.0
    both = ours.determined & theirs.determined
    return max(0.0, 1 - float(overlaps(ours, theirs, both).sum()) / int(ours.determined.sum()))


def overlaps(ours: Fitted, theirs: Fitted, both: Flags) -> Floats:
    """Karr's overlap of the two intervals of each coefficient that both files determine."""
    (b, h), (c, k) = ((fitted.coefficients[both], fitted.half_widths[both]) for fitted in (ours, theirs))
    shared = np.minimum(b + h, c + k) - np.maximum(b - h, c - k)
    return np.asarray((shared / (2 * h) + shared / (2 * k)) / 2)


def _fitted(evidence: LossEvidence, side: Side, formula: Formula) -> Fitted | NotEstimable:
    """The regression of one file, its columns in terms of the original."""
    found = [column for name in formula.terms for column in _columns(evidence, side, name)]
    columns = np.column_stack(found) if found else np.empty((len(side), 0))
    binary = evidence.by_name[formula.target].kind is not Kind.NUMERIC
    target = _coded(side, formula.target) if binary else _scaled(evidence, side, formula.target)
    complete = ~(np.isnan(columns).any(axis=1) | np.isnan(target))
    columns, target = columns[complete], target[complete]
    if max(np.abs(columns).max(initial=0), np.abs(target).max(initial=0)) > LARGEST:
        return NotEstimable("the numbers are too large for a regression")
    return (logistic if binary else linear)(columns, target, side.weights[complete])


def _columns(evidence: LossEvidence, side: Side, name: str) -> Iterator[Floats]:
    """The columns of a term: a number, or each category of either file but the original's most frequent."""
    if evidence.by_name[name].kind is Kind.NUMERIC:
        yield _scaled(evidence, side, name)
        return
    counts = np.bincount(evidence.original.codes(name) + 1, minlength=evidence.by_name[name].categories + 1)[
        1:
    ]
    codes = _coded(side, name)
    for category in range(len(counts)):
        if category != int(counts.argmax()):
            yield np.where(np.isnan(codes), np.nan, codes == category)


def _coded(side: Side, name: str) -> Floats:
    codes = side.codes(name)
    return np.where(codes < 0, np.nan, codes)


def _scaled(evidence: LossEvidence, side: Side, name: str) -> Floats:
    """A number in deviations from the mean of the original."""
    original = evidence.original.numbers(name)
    present = original[~np.isnan(original)]
    # Divided before it is squared: the square of the largest numbers there are is infinite.
    top = float(np.abs(present).max(initial=0)) or 1.0
    spread = float(np.std(present / top)) if len(present) else 0.0
    centre = float(np.mean(present / top)) if len(present) else 0.0
    return np.asarray((side.numbers(name) / top - centre) / (spread or 1.0))
