"""Estimate: what a measure says, with its interval and its baseline; and the row that it stands in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats
from unmask.measures.per_record import PerRecord


@dataclass(frozen=True)
class NotEstimable:
    """A value that does not exist, and why. It is never 0, and never a text in the place of a number.

    ``declared``: what the measure needs was declared or given, but cannot be used, so that the reason is
    told even where nobody asked for the measure by name; ``applicable``: whether the measure says anything
    about this kind of release at all (its reason then starts with "not applicable").

    >>> NotEstimable("3 records have no weight", declared=True).reason
    '3 records have no weight'
    """

    reason: str
    declared: bool = False
    applicable: bool = True

    def __bool__(self) -> bool:
        # "if value:" would read 0 and "not estimable" alike.
        raise TypeError("ask whether a value is NotEstimable, not whether it is true")


class Unit(StrEnum):
    """What a value counts."""

    SHARE = "share"
    COUNT = "count"
    LEVEL = "level"


@dataclass(frozen=True)
class CurvePoint:
    """The value at one setting, with its interval where it has one."""

    at: float
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Curve:
    """How an estimate changes with one setting, which ``over`` names in plain words."""

    over: str
    points: tuple[CurvePoint, ...]


@dataclass(frozen=True, eq=False)
class Reasons:
    """Why the risk of each record is what it is: a few phrases, and which of them each record has.

    >>> reasons = Reasons(("", "unique on age"), np.array([1, 0]))
    >>> reasons[0], list(reasons)
    ('unique on age', ['unique on age', ''])
    """

    phrases: tuple[str, ...]
    which: NDArray[np.integer]

    def __len__(self) -> int:
        return len(self.which)

    def __getitem__(self, record: int) -> str:
        return self.phrases[int(self.which[record])]

    def __iter__(self) -> Iterator[str]:
        return (self.phrases[i] for i in self.which.tolist())


@dataclass(frozen=True, eq=False)
class Estimate:
    """A measured value beside what would be reached without the release, or by chance.

    ``low``, ``high``: its 95% interval; ``n``: how many people or records it rests on; ``baseline``: what a
    guess, or an intruder without the release, would reach; ``p_value``: how likely chance gives as much (None
    where the measure has none); ``meaning``: one sentence for a reader without statistics, with the numbers
    in it; ``per_record``: larger is riskier, NaN where the record is not concerned: one entry for each
    target of an attack, or for each *original* record of a measure of the file; ``why``: for each original
    record the reason for its risk, which names attributes and never a value; ``curve``: how the value changes
    with a setting.

    >>> Estimate(0.25, 0.1, 0.5, 20, baseline=0.05).estimable
    True
    >>> Estimate.none(NotEstimable("no target has a released record")).value.reason
    'no target has a released record'
    """

    value: float | NotEstimable
    low: float | None
    high: float | None
    n: int
    baseline: float | None = None
    p_value: float | NotEstimable | None = None
    unit: Unit = Unit.SHARE
    meaning: str = ""
    per_record: PerRecord = PerRecord()  # noqa: RUF009  # a descriptor, which is shared
    why: Reasons | None = None
    curve: Curve | None = None

    @property
    def estimable(self) -> bool:
        """Whether there is a value."""
        return not isinstance(self.value, NotEstimable)

    @property
    def applicable(self) -> bool:
        """Whether the measure says anything about this kind of release, with a value or without."""
        return not isinstance(self.value, NotEstimable) or self.value.applicable

    @property
    def number(self) -> float | None:
        """The value, or None where there is none."""
        return as_number(self.value)

    @property
    def reason(self) -> str | None:
        """Why there is no value, or no p-value; None if there is nothing to say."""
        for part in (self.value, self.p_value):
            if isinstance(part, NotEstimable):
                return part.reason
        return None

    @staticmethod
    def none(
        why: NotEstimable, n: int = 0, unit: Unit = Unit.SHARE, per_record: Floats | None = None
    ) -> Estimate:
        """An estimate without a value, which says why."""
        meaning = f"It cannot be estimated: {why.reason}." if why.applicable else f"It is {why.reason}."
        return Estimate(why, None, None, n, unit=unit, meaning=meaning, per_record=per_record)


def as_number(value: float | NotEstimable | None) -> float | None:
    """A value where there is one, else None.

    >>> as_number(0.5), as_number(NotEstimable("no target has a released record"))
    (0.5, None)
    """
    return None if isinstance(value, NotEstimable) else value


def clearly_less(one: Estimate, other: Estimate) -> bool:
    """Whether the interval of one ends below the other's; what has no interval is taken as it is.

    >>> about = lambda value: Estimate(value, value - 0.02, value + 0.02, 100)
    >>> clearly_less(about(0.1), about(0.2)), clearly_less(about(0.1), about(0.13))
    (True, False)
    """
    high = one.number if one.high is None else one.high
    low = other.number if other.low is None else other.low
    return high is not None and low is not None and high < low


@dataclass(frozen=True)
class Keys:
    """What a row of the table speaks of; None where a key does not apply.

    ``subject``: the attribute, or the part of the measure, that it is about; ``release``, ``source``,
    ``people``: which of several releases or sources, and on whom it rests; ``curve``, ``known``, ``error``,
    ``targets``: which curve, and what the intruder knows at this point of it, how well, and of how many;
    ``mask``, ``intruder``: of a study, which mask made the release, and which intruder looks at it.

    >>> Keys("reidentification", attack="dbrl").given()
    {'attack': 'dbrl', 'measure': 'reidentification'}
    """

    measure: str
    attack: str | None = None
    subject: str | None = None
    release: str | None = None
    source: str | None = None
    people: str | None = None
    curve: str | None = None
    known: tuple[str, ...] | None = None
    error: float | None = None
    targets: int | None = None
    mask: str | None = None
    intruder: str | None = None

    def given(self) -> dict[str, object]:
        """The keys that apply, in the order of the table."""
        order = (
            "mask",
            "intruder",
            "release",
            "source",
            "people",
            "curve",
            "known",
            "error",
            "targets",
            "attack",
        )
        names = (*order, "measure", "subject")
        return {name: getattr(self, name) for name in names if getattr(self, name) is not None}


@dataclass(frozen=True, eq=False)
class Row:
    """One row of the table: what it speaks of, and what was measured."""

    keys: Keys
    estimate: Estimate

    @staticmethod
    def of(measure: str, estimate: Estimate, subject: str | None = None) -> Row:
        """A row that speaks of the whole file, or of one attribute or part of the measure.

        >>> Row.of("sadr", Estimate(0.5, 0.4, 0.6, 100), "job").keys.given()
        {'measure': 'sadr', 'subject': 'job'}
        """
        return Row(Keys(measure, subject=subject), estimate)

    @staticmethod
    def none(
        measure: str, why: NotEstimable, unit: Unit = Unit.SHARE, subject: str | None = None, n: int = 0
    ) -> Row:
        """A row without a value, which says why.

        >>> Row.none("sadr", NotEstimable("nobody has the category in both files"), subject="job").estimate.n
        0
        """
        return Row.of(measure, Estimate.none(why, n, unit), subject)
