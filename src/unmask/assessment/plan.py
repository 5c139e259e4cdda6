"""Plan: which attacks and measures fit the budget in full, and on how many people the others are tried."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import floor, log10

#: Fewer people than this say too little: the interval of a share is then ten points wide.
FEWEST = 400

#: An estimate below this is not worth a line.
SHORT = 5.0


@dataclass(frozen=True)
class Planned:
    """A method of the plan: seconds once for the files and for each person, of whom ``tried`` are tried.

    >>> part = Planned("prl", files=2.0, person=0.001, people=100_000, tried=10_000)
    >>> part.in_full, part.seconds, part.sampled
    (102.0, 12.0, True)
    """

    name: str
    files: float
    person: float
    people: int
    tried: int

    @staticmethod
    def of(name: str, files: float, person: float, people: int) -> Planned:
        """A method that is tried on everybody."""
        return Planned(name, files, person, people, people)

    @property
    def in_full(self) -> float:
        """Seconds for everybody."""
        return self.files + self.person * self.people

    @property
    def seconds(self) -> float:
        """Seconds for the people tried."""
        return self.files + self.person * self.tried

    @property
    def sampled(self) -> bool:
        """Whether not everybody is tried."""
        return self.tried < self.people


@dataclass(frozen=True)
class Plan:
    """The parts in the order in which they are done; ``budget``: seconds, None for everything in full."""

    parts: tuple[Planned, ...] = ()
    budget: float | None = None

    @property
    def seconds(self) -> float:
        """Seconds on one core, by the estimates."""
        return sum(part.seconds for part in self.parts)

    @property
    def sampled(self) -> tuple[Planned, ...]:
        """The parts that do not fit in full."""
        return tuple(part for part in self.parts if part.sampled)

    def tried(self, name: str) -> int | None:
        """On how many people a method is tried; None: on everybody."""
        return next((part.tried for part in self.sampled if part.name == name), None)

    def lines(self) -> Iterator[str]:
        """What is said before the work: the parts that take long, and those that are sampled."""
        for part in self.parts:
            if part.sampled:
                everybody = f"about {duration(part.in_full)} for all {part.people:,}"
                yield f"{part.name}: about {duration(part.seconds)} on {part.tried:,} people ({everybody})"
            elif part.seconds >= SHORT:
                yield f"{part.name}: about {duration(part.seconds)}"

    def notes(self) -> tuple[str, ...]:
        """What the reader of a result must know."""
        if not self.sampled or self.budget is None:
            return ()
        told = ", ".join(
            f"{part.name} on {part.tried:,} of {part.people:,} (about {duration(part.in_full)} for all)"
            for part in self.sampled
        )
        return (
            f"to fit the budget of {duration(self.budget)}, random samples of people were tried, which makes "
            f"intervals wider: {told}; --full tries everybody",
        )


def planned(parts: Iterable[Planned], budget: float | None) -> Plan:
    """The plan that fits the budget: the time is shared evenly, and what a part leaves goes to the others.

    What the files take is spent in any case, and half of the budget is for people: a part that takes long to
    get ready leaves the others their due. Where even :data:`FEWEST` people are too many, so many are tried
    all the same. The plan then takes longer than asked.

    >>> quick, slow = Planned.of("dbrl", 1.0, 1e-5, 1_000_000), Planned.of("prl", 9.0, 1e-3, 1_000_000)
    >>> [(part.name, part.tried) for part in planned([quick, slow], 60.0).parts]
    [('dbrl', 1000000), ('prl', 40000)]
    """
    parts = tuple(parts)
    if budget is None:
        return Plan(parts)
    left = max(budget / 2, budget - sum(part.files for part in parts))
    tried: dict[str, int] = {}
    quickest = sorted(parts, key=lambda part: part.person * part.people)
    for place, part in enumerate(quickest):
        share = left / (len(parts) - place)
        tried[part.name] = _affordable(part, share)
        left = max(0.0, left - part.person * tried[part.name])
    return Plan(tuple(replace(part, tried=tried[part.name]) for part in parts), budget)


def _affordable(part: Planned, seconds: float) -> int:
    """How many people so many seconds are enough for."""
    if part.person * part.people <= seconds:
        return part.people
    return min(part.people, max(FEWEST, rounded_down(seconds / part.person)))


def rounded_down(number: float) -> int:
    """A whole number of two digits and zeros: an estimate promises no more.

    >>> rounded_down(1287.3), rounded_down(9.7), rounded_down(0.2)
    (1200, 9, 0)
    """
    if number < 1:
        return 0
    number *= 1 + 1e-9  # 40 s of 1 ms are 40,000 people, whatever the last digit of the quotient is
    unit: int = 10 ** max(0, floor(log10(number)) - 1)
    return int(number // unit) * unit


def duration(seconds: float) -> str:
    """So many seconds, as a person says it.

    >>> duration(0.2), duration(45), duration(250), duration(9000), duration(400_000)
    ('1 s', '45 s', '4 min', '2.5 h', '5 days')
    """
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 90 * 60:
        return f"{round(seconds / 60)} min"
    if seconds < 48 * 3600:
        return f"{seconds / 3600:.1f} h".replace(".0 ", " ")
    return f"{round(seconds / 86400):,} days"
