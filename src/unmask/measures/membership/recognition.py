"""How well scores tell members of a file from non-members: the figures of membership inference."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from unmask.data.microdata import Floats
from unmask.measures.confidence import clopper_pearson
from unmask.measures.estimate import Estimate, NotEstimable, Row
from unmask.measures.phrases import percent

#: False-positive rates at which the attack is read as one that names few people and is sure of them.
LOW_RATES = (0.01, 0.001)

#: Draws of both rates from which the interval of F1 is read.
DRAWS = 2000

NORMAL_95 = 1.959963984540054


@dataclass(frozen=True, eq=False)
class Recognition:
    """Scores of as many members as non-members, and from which score on the intruder says "member".

    The larger a score, the likelier its person is a member.

    >>> clear = Recognition(np.array([3.0, 2.0, 2.5]), np.array([1.0, 0.0, 2.0]), threshold=2.0)
    >>> round(auc(clear.members, clear.others)[0], 3), clear.recall(), round(clear.false_positives(), 3)
    (0.944, 1.0, 0.333)
    """

    members: Floats
    others: Floats
    threshold: float

    def recall(self) -> float:
        """The share of members recognised (miaAR in Torra 2017)."""
        return float((self.members >= self.threshold).mean())

    def false_positives(self) -> float:
        """The share of non-members taken for members."""
        return float((self.others >= self.threshold).mean())

    def rows(self, measure: str, how: str, rng: np.random.Generator) -> list[Row]:
        """AUC, accuracy, precision, recall, F1, and the recall at low false-positive rates."""
        found = [self._auc(measure, how), self._accuracy(measure, how), self._precision(measure, how)]
        found += [self._recall(measure, how), self._f1(measure, how, rng)]
        return found + [self._sure(measure, how, rate) for rate in LOW_RATES]

    def _auc(self, measure: str, how: str) -> Row:
        value, low, high = auc(self.members, self.others)
        meaning = (
            f"Given one person who is in the file and one who is not, {how} tells them apart "
            f"{percent(value)} of the time; guessing does so half the time."
        )
        return _share(measure, "AUC", value, low, high, self._n(), 0.5, meaning)

    def _accuracy(self, measure: str, how: str) -> Row:
        right = (self.members >= self.threshold).sum() + (self.others < self.threshold).sum()
        n = self._n()
        meaning = (
            f"Asked of each person whether they are in the file, {how} is right for {percent(right / n)}, "
            "where half of those asked about are in it."
        )
        return _share(measure, "accuracy", right / n, *clopper_pearson(float(right), n), n, 0.5, meaning)

    def _precision(self, measure: str, how: str) -> Row:
        hits = int((self.members >= self.threshold).sum())
        named = hits + int((self.others >= self.threshold).sum())
        if named == 0:
            why = NotEstimable("the attack takes nobody for a member")
            return Row.none(measure, why, subject="precision", n=self._n())
        meaning = f"Of those whom {how} takes for members, {percent(hits / named)} are."
        interval = clopper_pearson(float(hits), named)
        return _share(measure, "precision", hits / named, *interval, named, 0.5, meaning)

    def _recall(self, measure: str, how: str) -> Row:
        hits, n = int((self.members >= self.threshold).sum()), len(self.members)
        baseline = self.false_positives()
        meaning = (
            f"Of the people in the file, {how} recognises {percent(hits / n)} as members (miaAR), and takes "
            f"{percent(baseline)} of the others for members, too."
        )
        return _share(measure, "recall", hits / n, *clopper_pearson(float(hits), n), n, baseline, meaning)

    def _f1(self, measure: str, how: str, rng: np.random.Generator) -> Row:
        """2 hits / (hits + false + members), its interval from draws of both rates (Jeffreys' beta)."""
        m, n = len(self.members), len(self.others)
        hits, false = round(self.recall() * m), round(self.false_positives() * n)
        value = float(_f1(hits, false, m))
        drawn = _f1(
            m * rng.beta(hits + 0.5, m - hits + 0.5, DRAWS),
            n * rng.beta(false + 0.5, n - false + 0.5, DRAWS),
            m,
        )
        low, high = np.quantile(drawn, (0.025, 0.975)).tolist()
        # Where the rates are 0 or 1, the draws stay short of the value.
        low, high = min(low, value), max(high, value)
        # Naming as many people at random, the intruder names as many members as others by mistake.
        baseline = float(_f1((hits + false) * m / (m + n), (hits + false) * n / (m + n), m))
        meaning = (
            f"Precision and recall of {how} together, as their harmonic mean: {percent(value)}; naming as "
            f"many people at random gives {percent(baseline)}."
        )
        return _share(measure, "F1", value, low, high, self._n(), baseline, meaning)

    def _sure(self, measure: str, how: str, rate: float) -> Row:
        """Recall where at most this share of non-members is named (Carlini et al. 2022)."""
        subject = f"recall at {100 * rate:g}% false positives"
        if len(self.others) * rate < 1:
            reason = f"{len(self.others)} non-members are too few: at least {1 / rate:.0f} are needed"
            return Row.none(measure, NotEstimable(reason), subject=subject, n=self._n())
        allowed = int(len(self.others) * rate)
        # Above the score of the first non-member beyond those allowed, no more than they are named.
        bar = np.sort(self.others)[::-1][allowed]
        hits, n = int((self.members > bar).sum()), len(self.members)
        meaning = (
            f"If {how} may name at most {100 * rate:g}% of the outsiders by mistake, it still recognises "
            f"{percent(hits / n)} of the people in the file."
        )
        return _share(measure, subject, hits / n, *clopper_pearson(float(hits), n), n, rate, meaning)

    def _n(self) -> int:
        return len(self.members) + len(self.others)


def with_records(rows: list[Row], per_record: Floats) -> tuple[Row, ...]:
    """The rows, of which the first says how each original record stands."""
    first, *others = rows
    return Row(first.keys, replace(first.estimate, per_record=per_record)), *others


def auc(members: Floats, others: Floats) -> tuple[float, float, float]:
    """P(score of a member > score of a non-member), ties half, with the 95% interval of DeLong et al. (1988).

    The variance is that of the placements: var(V10) / m + var(V01) / n. Where it is 0 (the scores separate
    the groups, or are all equal) the exact binomial interval for the smaller group stands in.

    >>> auc(np.array([1.0, 2.0]), np.array([1.0, 0.0]))[0]
    0.875
    """
    above = _placements(members, others)
    below = 1 - _placements(others, members)
    value = float(above.mean())
    spread = _variance(above) / len(members) + _variance(below) / len(others)
    if spread <= 0:
        k = min(len(members), len(others))
        low, high = clopper_pearson(value * k, k)
        return value, low, high
    half = NORMAL_95 * float(np.sqrt(spread))
    return value, max(0.0, value - half), min(1.0, value + half)


def _placements(scores: Floats, among: Floats) -> Floats:
    """For each score the share of the others below it, ties half."""
    ordered = np.sort(among)
    lower, upper = np.searchsorted(ordered, scores, "left"), np.searchsorted(ordered, scores, "right")
    return np.asarray((lower + upper) / (2 * len(among)))


def _variance(values: Floats) -> float:
    return float(values.var(ddof=1)) if len(values) > 1 else 0.0


def _f1(hits: Floats | float, false: Floats | float, members: int) -> Floats:
    return np.asarray(2 * hits / (hits + false + members))


def _share(
    measure: str,
    subject: str,
    value: float,
    low: float,
    high: float,
    n: int,
    baseline: float,
    meaning: str,
) -> Row:
    return Row.of(measure, Estimate(float(value), low, high, n, baseline, meaning=meaning), subject)
