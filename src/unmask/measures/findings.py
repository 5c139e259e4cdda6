"""Measures of the whole file: what an intruder learns without linking, and what a sample says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats, Masked, Microdata
from unmask.data.missing import Missing
from unmask.data.schema import Role
from unmask.engines import Engine


@dataclass(frozen=True, eq=False)
class Case:
    """What a measure of the file looks at: both files, and all that the assessor holds beside them.

    ``known``: the attributes that the intruder knows; ``population``: a file of everybody, of which the
    original is a sample; ``holdout``: people of the same kind who are not in the original; ``model``: a
    released classifier (anything with ``predict_proba``).
    """

    original: Microdata
    masked: Masked
    known: tuple[str, ...]
    missing: Missing = Missing.MISMATCH
    population: Microdata | None = None
    holdout: Microdata | None = None
    model: object | None = None
    seed: int = 0

    @property
    def confidential(self) -> tuple[str, ...]:
        """The confidential attributes that the original file has."""
        return self.original.schema.names(Role.CONFIDENTIAL)


class Unusable(str):
    """A reason to say aloud: what the measure needs was declared or given, but cannot be used.

    >>> isinstance(Unusable("3 records have no weight"), str)
    True
    """


class Unit(StrEnum):
    """What the value of a finding counts."""

    SHARE = "share"
    COUNT = "count"
    LEVEL = "level"


@dataclass(frozen=True)
class Point:
    """One point of a curve: the value at a setting, with its interval where it has one."""

    at: float
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Curve:
    """How a finding changes with one setting, which ``over`` names in plain words."""

    over: str
    points: tuple[Point, ...]


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
class Finding:
    """What a measure of the file found. ``value`` is None where it cannot be estimated; ``reason`` says why.

    ``subject``: the attribute it speaks of ("" for the whole file); ``low``, ``high``: its 95% interval;
    ``n``: how many records it rests on; ``baseline``: what an intruder would reach without the release, or
    by chance; ``meaning``: one sentence for a reader without statistics, with the numbers in it;
    ``per_record``: one entry for each *original* record (NaN: not concerned), larger is riskier;
    ``why``: for each original record the reason why its risk is what it is, "" for none, where there is one.
    Neither holds a value of a record: ``why`` names attributes only.
    """

    measure: str
    subject: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    baseline: float | None
    unit: Unit
    meaning: str
    reason: str | None = None
    per_record: Floats | None = None
    why: Reasons | None = None
    curve: Curve | None = None


@runtime_checkable
class FileMeasure(Protocol):
    """A measure of the whole file."""

    @property
    def name(self) -> str:
        """The name in tables and on the command line."""
        ...

    def why_not(self, case: Case) -> str | None:
        """Why the measure says nothing of this case; None if it does.

        A plain reason means that nothing declares what it needs: nobody misses it. An :class:`Unusable` one
        is reported.
        """
        ...

    def findings(self, case: Case, engine: Engine) -> tuple[Finding, ...]:
        """What it finds; a finding that cannot be estimated has a reason instead of a value."""
        ...


def not_estimable(measure: str, subject: str, unit: Unit, reason: str, n: int = 0) -> Finding:
    """A finding without a value, which says why; never 0.

    >>> not_estimable("t-closeness", "income", Unit.LEVEL, "the file is empty").value is None
    True
    """
    return Finding(
        measure, subject, None, None, None, n, None, unit, f"It cannot be estimated: {reason}.", reason
    )
