"""Estimates as people read them, and the small phrases that all reports share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from unmask.measures.estimate import Estimate, NotEstimable, Unit
from unmask.report.numbers import count, interval, p_value, percent


@dataclass(frozen=True, eq=False)
class Reached:
    """An estimate that has a value: the share of people whom an attack finds.

    >>> found = Reached.of(Estimate(0.9, 0.555, 0.9975, 10, baseline=0.1, p_value=1e-6))
    >>> found.correct, found.rate, found.interval, found.chance, found.p_value
    ('9 of 10', '90.0%', '55.5% to 99.8%', '10.0%', '< 0.0001')
    """

    value: float
    estimate: Estimate

    @staticmethod
    def of(estimate: Estimate | None) -> Reached | None:
        """What was reached; None where there is no value."""
        if estimate is None or estimate.number is None:
            return None
        return Reached(estimate.number, estimate)

    @property
    def hits(self) -> float:
        """How many people are found; ties make some of them fractions."""
        return self.value * self.estimate.n

    @property
    def correct(self) -> str:
        """How many people are found, of how many."""
        return f"{count(self.hits)} of {count(self.estimate.n)}"

    @property
    def about(self) -> str:
        """How many people are found; a fraction is no count, so it is called about."""
        whole = abs(self.hits - round(self.hits)) < 1e-6
        return count(self.hits) if whole else f"about {count(self.hits)}"

    @property
    def rate(self) -> str:
        """The share of people who are found."""
        return percent(self.value)

    @property
    def interval(self) -> str:
        """Its 95% interval."""
        return interval(self.estimate.low, self.estimate.high)

    @property
    def precisely(self) -> str:
        """The rate and its interval."""
        return f"{self.rate}; 95% interval {self.interval}"

    @property
    def chance(self) -> str:
        """What a guess would reach."""
        return share(self.estimate.baseline)

    @property
    def p_value(self) -> str:
        """How likely chance gives as much; where it cannot be asked, there is none."""
        p = self.estimate.p_value
        return "none" if isinstance(p, NotEstimable) else p_value(p)

    def numbers(self) -> Mapping[str, float | None]:
        """What a chart draws."""
        e = self.estimate
        return {"value": self.value, "low": e.low, "high": e.high, "chance": e.baseline}


def not_estimable(estimate: Estimate | None) -> str:
    """How a missing value is shown: never as 0.

    >>> not_estimable(Estimate.none(NotEstimable("no target has a released record")))
    'not estimable: no target has a released record'
    >>> not_estimable(None)
    'not estimable: it was not measured'
    """
    if estimate is not None and not estimate.applicable:
        return why_not(estimate)  # which says that it is not applicable
    return f"not estimable: {why_not(estimate)}"


def no_more_than_chance(estimate: Estimate) -> bool:
    """Whether a share is no larger than without the release, or by chance: then it is no finding.

    What holds of everybody is one whatever else would give as much: a group of two hides nothing.

    >>> [no_more_than_chance(Estimate(v, None, None, 9, baseline=b)) for v, b in ((0.2, 0.2), (1.0, 1.0))]
    [True, False]
    """
    value, baseline = estimate.number, estimate.baseline
    if value is None or baseline is None or estimate.unit is not Unit.SHARE:
        return False
    return value <= baseline + 1e-9 and value < 1.0


def more_than_otherwise(estimate: Estimate) -> bool:
    """Whether a finding is more than its baseline, with its whole interval.

    >>> [more_than_otherwise(Estimate(0.3, low, 0.4, 9, baseline=0.2)) for low in (0.1, 0.25)]
    [False, True]
    """
    low, beside = estimate.low, estimate.baseline
    near = estimate.unit is Unit.SHARE and beside is not None and low is not None and low <= beside
    return not near and not no_more_than_chance(estimate)


def why_not(estimate: Estimate | None) -> str:
    """Why an estimate has no value."""
    if estimate is None:
        return "it was not measured"
    reason = estimate.value.reason if isinstance(estimate.value, NotEstimable) else ""
    return reason or "no reason is given"


def share(value: float | None) -> str:
    """A share that may be missing."""
    return "not estimable" if value is None else percent(value)


def capital(text: str) -> str:
    """The text with a capital letter at its start."""
    return text[:1].upper() + text[1:]


def sentence(note: str) -> str:
    """A note as a sentence.

    >>> sentence("'age' is constant")
    "'age' is constant."
    """
    return f"{capital(note).rstrip('.')}."


def items(names: list[str]) -> str:
    """Names in a row, the last two with "and" between them.

    >>> items(["age", "town", "job"])
    'age, town and job'
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
