"""Linkage by an intruder who guesses how the file was protected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.attacks.families import MECHANISM
from unmask.attacks.mechanism import matcher
from unmask.engines import Engine
from unmask.intruder.dossier import Dossier
from unmask.linkage.inferred import Inferred
from unmask.linkage.mechanism import MechanismMatcher
from unmask.linkage.transitions import Seen

ABOUT = About(
    title="linkage by who guesses the mask",
    family=MECHANISM,
    sentence="The intruder guesses how the file was protected, attribute by attribute, and takes the "
    "released record that this most probably made of the person's. What they guess is what unmask reads from "
    "the two files.",
    source="V. Torra (2017), Data Privacy, Springer (transparency attacks); the mechanism is inferred from "
    "the two files.",
    rank=4,
)

#: The error, in standard deviations, that is reckoned with where nothing can be guessed.
ANY_ERROR = 0.5


@dataclass(frozen=True)
class GuessedMechanism:
    """The released record that the mechanism which they guess most probably made of the target's.

        P(a is b's | release)  ~  P(a | b) / q(a)

    as :class:`~unmask.attacks.mechanism.KnownMechanism` (Torra 2017), with P(a | b) from what happened to
    each attribute as far as the two files tell (:class:`~unmask.linkage.inferred.Inferred`). Where nothing
    can be guessed, they reckon with errors of any kind. It stands beside the other attacks: a wrong guess
    takes nothing from them.

    >>> import polars as pl, unmask
    >>> people = pl.DataFrame({"age": [20, 30, 40, 50, 60, 70], "pay": [1.0, 4.0, 2.0, 8.0, 7.0, 3.0]})
    >>> released = people.with_columns(age=pl.Series([20, 20, 40, 40, 60, 60]))
    >>> risk = unmask.assess(people, released, known=["age", "pay"])
    >>> risk.worst().estimate.value
    1.0
    """

    about: ClassVar[About] = ABOUT
    name: ClassVar[str] = "guessed-mechanism"

    def prepare(self, dossier: Dossier, rng: np.random.Generator, engine: Engine) -> MechanismMatcher:
        """Encode what was inferred; weigh rivals; the most probable record."""
        declaration = Inferred(dossier.guess).declare(Seen(dossier.known, dossier.released))
        return matcher(dossier, declaration, rng, engine, error=0.0 if dossier.guess else ANY_ERROR)
