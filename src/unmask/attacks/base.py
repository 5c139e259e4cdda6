"""What an attack is. It sees the dossier and never the truth; a matcher answers for the two sides."""

from __future__ import annotations

from enum import Flag, auto
from typing import Protocol, runtime_checkable

import numpy as np

from unmask.about import About
from unmask.attacks.families import TOGETHER
from unmask.attacks.sources import DOMINGO_TORRA_2002
from unmask.data.microdata import Floats, Ints
from unmask.engines import Engine
from unmask.intruder.dossier import Dossier
from unmask.intruder.truth import Truth
from unmask.linkage.fellegi_sunter import JudgedDecision
from unmask.linkage.learning.lesson import Lesson
from unmask.linkage.links import Links, Standing

#: All attacks of an assessment, each person counted as far as the best one goes.
UNION_ABOUT = About(
    title="all attacks together",
    family=TOGETHER,
    sentence="Each person counts as far as the attack that does best on them goes; no single intruder need "
    "reach it, because they do not know which attack is right for whom.",
    source=DOMINGO_TORRA_2002,
    rank=1,
)


class Usual(Flag):
    """When an attack is made without being named: where the files share attributes, where they share none.

    An attack says so as its ``usual``; one that says nothing is made only when somebody names it. One that
    compares what people have beside their rows says ``CONTENT``, and of which ``shape`` that is.
    """

    COMMON = auto()
    NOTHING_COMMON = auto()
    CONTENT = auto()


def needs_numbers(attack: object) -> bool:
    """Whether an attack cannot be made at files of names alone: it says so as ``needs_numbers``."""
    return bool(getattr(attack, "needs_numbers", False))


class Matcher(Protocol):
    """An attack made ready for one dossier."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user must know about this run."""
        ...

    def links(self, targets: Ints | None = None) -> Links:
        """The intruder's view: their belief about each target over the released records."""
        ...

    def standing(self, truth: Truth, depth: int, targets: Ints | None = None) -> Standing:
        """The assessor's view: how the true record stands; exact, and much cheaper than links.

        ``truth`` is that of all targets; the answer is for those named (all when none are).
        """
        ...


@runtime_checkable
class Attack(Protocol):
    """A linkage attack: parameters in a frozen dataclass, a name, and how to get ready."""

    @property
    def name(self) -> str:
        """The name in tables and on the command line."""
        ...

    @property
    def about(self) -> About:
        """What the attack is called, does and comes from."""
        ...

    def prepare(self, dossier: Dossier, rng: np.random.Generator, engine: Engine) -> Matcher:
        """Encode the files, choose the aggregation and the decision."""
        ...


@runtime_checkable
class Claims(Protocol):
    """A matcher that says how probable each of its links is."""

    def claims(self, targets: Ints | None = None) -> Floats:
        """The probability that the intruder gives to the record that they link each target to."""
        ...


@runtime_checkable
class Margins(Protocol):
    """A matcher that compares distances: how clearly its nearest record is the nearest."""

    def margins(self, targets: Ints | None = None) -> Floats:
        """How many times as far as the nearest record the next best one is; 1 for a tie, 0 without a link."""
        ...


@runtime_checkable
class Divides(Protocol):
    """A matcher that can divide all pairs into linked, clerical and non-linked ones."""

    def judged(self, truth: Truth) -> JudgedDecision | None:
        """The three sets beside the truth; None where no division was asked for."""
        ...


class LearnedMatcher(Matcher, Protocol):
    """A matcher whose parameters were learned from the truth, and what was learned."""

    @property
    def lesson(self) -> Lesson:
        """The parameters, how many records they re-identify, and how many any parameters could."""
        ...

    @property
    def cut(self) -> bool:
        """Whether the clock ended any part of the search, so that what was learned depends on the machine."""
        ...


@runtime_checkable
class WorstCase(Protocol):
    """An attack that is handed the truth: the assessor's, not an intruder's.

    It shows how far the best parameters could go. Its name and every report say that the truth informed it.
    """

    @property
    def name(self) -> str:
        """The name in tables and on the command line; it begins with ``learned-``."""
        ...

    @property
    def about(self) -> About:
        """What the attack is called, does and comes from."""
        ...

    @property
    def about_holdout(self) -> About:
        """The same of its second run, learned on some people and tried on the others."""
        ...

    def learn(
        self,
        dossier: Dossier,
        truth: Truth,
        rng: np.random.Generator,
        engine: Engine,
        *,
        targets: Ints | None = None,
        limit: float = 60.0,
        prove: bool = True,
    ) -> LearnedMatcher:
        """The parameters that re-identify most of these targets (all when none are named).

        ``limit``: seconds after which the best found is taken, with the bound proven so far. ``prove``:
        False stops at good parameters without a bound, for learning that is tried on others.
        """
        ...
