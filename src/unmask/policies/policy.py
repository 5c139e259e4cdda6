"""Policy: bounds on what an assessment finds, one for each criterion, and where they come from."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from unmask import attacks, losses, measures
from unmask.errors import ArgumentError
from unmask.fields import settle
from unmask.figures import figure
from unmask.measures.estimate import Unit
from unmask.policies.reading import Reading

#: Classes of fewer records are small, unless a criterion says otherwise.
SMALL = 3


@dataclass(frozen=True)
class Criterion:
    """One bound: a ceiling (``at_most``) or, where lower is worse, a floor (``at_least``) on one reading.

    ``name`` and ``title``: as the verdict calls it (without them, as the reading is called); ``known``: the
    intruder whom the bound is meant for knows at least so many attributes, or at least these; ``attacks``:
    the attacks that must have been made (None: the usual ones); ``measures``: those that count, for readings
    that look at several, or the loss; ``below``: for records in small classes, the size below which a class
    is small;
    ``source``, ``why``: who asks for it, and for what reason.

    >>> Criterion(Reading.SMALLEST_CLASS, at_least=5).bound
    5
    >>> Criterion(Reading.SMALLEST_CLASS, at_most=5)
    Traceback (most recent call last):
    unmask.errors.ArgumentError: 'smallest-class' has a ceiling, and is worse the lower it is. Hint: write
    at_least.
    """

    reading: Reading
    at_most: float | None = None
    at_least: float | None = None
    name: str = ""
    title: str = ""
    known: int | tuple[str, ...] | None = None
    attacks: tuple[str, ...] | None = None
    measures: tuple[str, ...] | None = None
    below: int | None = None
    source: str = ""
    why: str = ""

    def __post_init__(self) -> None:
        settle(self, {"reading": "reading"})
        text = self.reading.text
        object.__setattr__(self, "name", self.name or self.reading.value)
        object.__setattr__(self, "title", self.title or text.phrase)
        self._check_measures()
        self._check_bound()
        for wrong, what, hint in (
            (
                isinstance(self.known, int) and self.known < 1,
                "asks for an intruder who knows nothing",
                "give the number of attributes that they know at least, or leave 'known' out",
            ),
            (self.known == (), "names no known attribute", "name some, or leave 'known' out"),
            (self.attacks == (), "names no attack", "name some, or leave 'attacks' out"),
            (
                self.attacks is not None and not text.of_attacks,
                "names attacks, and looks at none",
                "leave 'attacks' out",
            ),
            (
                self.below is not None and self.reading is not Reading.RECORDS_IN_SMALL_CLASSES,
                "has 'below', which is the size of small classes",
                f"leave it out, or read '{Reading.RECORDS_IN_SMALL_CLASSES}'",
            ),
            (self.below is not None and self.below < 2, f"has below = {self.below}", "give 2 or more"),
        ):
            if wrong:
                raise ArgumentError(f"'{self.name}' {what}", hint=hint)
        for attack in self.attacks or ():
            attacks.REGISTRY.entry(attack.partition(":")[0])  # which knows the nearest name

    def _check_measures(self) -> None:
        text, named = self.reading.text, self.measures
        for wrong, what, hint in (
            (
                text.of_loss and (named is None or len(named) != 1),
                "does not name the loss that it looks at",
                "write measures = [\"total-variation\"], or another one of 'unmask list losses'",
            ),
            (named == (), "names no measure", "name some, or leave 'measures' out"),
            (
                named is not None and not text.chosen,
                "names measures, and looks at one",
                "leave 'measures' out",
            ),
        ):
            if wrong:
                raise ArgumentError(f"'{self.name}' {what}", hint=hint)
        registry = losses.REGISTRY if text.of_loss else measures.REGISTRY
        for measure in named or ():
            registry.entry(measure)  # which knows the nearest name

    def _check_bound(self) -> None:
        text = self.reading.text
        right, wrong = ("at_least", "at_most") if text.floor else ("at_most", "at_least")
        bound = getattr(self, right)
        if self.at_most is not None and self.at_least is not None:
            raise ArgumentError(f"'{self.name}' has a ceiling and a floor", hint=f"keep {right}")
        if bound is None:
            given = "a ceiling" if text.floor else "a floor"
            worse = "lower" if text.floor else "higher"
            what = (
                "has no bound"
                if getattr(self, wrong) is None
                else f"has {given}, and is worse the {worse} it is"
            )
            raise ArgumentError(f"'{self.name}' {what}", hint=f"write {right}")
        top = text.most if self.unit is Unit.SHARE or not text.of_loss else None
        if not text.least <= bound <= (sys.float_info.max if top is None else top):  # which no NaN is
            upper = "on" if top is None else f"to {figure(top)}"
            raise ArgumentError(
                f"the {right} of '{self.name}' is out of range",
                hint=f"give a number from {figure(text.least)} {upper}",
            )

    @property
    def unit(self) -> Unit:
        """That of the measures, or of the loss that is named."""
        text = self.reading.text
        return losses.loss_named(self.measures[0]).unit if text.of_loss and self.measures else text.unit

    @property
    def percent(self) -> bool:
        """Whether its numbers are told in percent."""
        return self.reading.text.percent and (not self.reading.text.of_loss or self.unit is Unit.SHARE)

    @property
    def bound(self) -> float:
        """The ceiling or the floor."""
        bound = self.at_most if self.at_least is None else self.at_least
        assert bound is not None  # else it was refused
        return bound

    @property
    def small(self) -> int:
        """The size below which a class is small."""
        return SMALL if self.below is None else self.below


@dataclass(frozen=True)
class Policy:
    """What is asked of a release: all criteria together.

    ``source``: who asks for it, and where that is written; ``note``: what a reader must know of it, such as
    what it does not cover.

    >>> policy = Policy("ours", "Our office", "Handbook, page 3", (Criterion(Reading.FOUND, at_most=0.05),))
    >>> [criterion.name for criterion in policy.criteria]
    ['found']
    """

    name: str
    title: str
    source: str
    criteria: tuple[Criterion, ...]
    note: str = ""

    def __post_init__(self) -> None:
        settle(self)
        for text, what in ((self.name, "name"), (self.title, "title"), (self.source, "source")):
            if not text.strip():
                raise ArgumentError(f"the policy has no {what}", hint=f"write {what} = '...'")
        if not self.criteria:
            raise ArgumentError("the policy has no criterion", hint="give at least one")
        names = [criterion.name for criterion in self.criteria]
        for name in names:
            if names.count(name) > 1:
                raise ArgumentError(
                    f"two criteria of the policy are called '{name}'", hint="give each a name of its own"
                )
