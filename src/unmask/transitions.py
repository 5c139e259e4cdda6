"""What a mask makes possible: which category may become which, and how likely."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from unmask.errors import ArgumentError
from unmask.microdata import Floats, Microdata


@dataclass(frozen=True, eq=False)
class Transitions:
    """The probability that a category of the original becomes one of the release; 0 is impossible.

    Row i is ``original[i]``, column j ``released[j]``. What a row lacks to 1 is the probability that the
    value is made missing.

    >>> Transitions.of({"1": "1|2", "2": "1|2", "3": "3"}).probability
    array([[1., 0.],
           [1., 0.],
           [0., 1.]])
    """

    original: tuple[str, ...]
    released: tuple[str, ...]
    probability: Floats

    def __post_init__(self) -> None:
        if self.probability.shape != (len(self.original), len(self.released)):
            raise ArgumentError(
                f"a transition table of shape {self.probability.shape} for {len(self.original)} original and "
                f"{len(self.released)} released categories",
                hint="give one row an original and one column a released category",
            )

    @staticmethod
    def of(recoding: Mapping[str, str]) -> Transitions:
        """The table of a recoding: every category becomes one other, or stays."""
        released = tuple(dict.fromkeys(recoding.values()))
        place = {category: j for j, category in enumerate(released)}
        probability = np.zeros((len(recoding), len(released)))
        probability[np.arange(len(recoding)), [place[c] for c in recoding.values()]] = 1.0
        return Transitions(tuple(recoding), released, probability)

    @staticmethod
    def identity(categories: Sequence[str]) -> Transitions:
        """The table of an attribute that the mask leaves alone."""
        return Transitions(tuple(categories), tuple(categories), np.eye(len(categories)))


@runtime_checkable
class Declares(Protocol):
    """A mask that says what it makes possible, for attacks that know it."""

    def transitions(self, original: Microdata) -> dict[str, Transitions]:
        """The table of each categorical attribute of the file, those left alone included.

        Where it depends on the data (which categories are rare), it is that of the file given: the original,
        or what an intruder knows of it.
        """
        ...


@dataclass(frozen=True, eq=False)
class Declared:
    """The tables that a mask declared for one file: what an office that documents its mask would publish.

    An intruder who knows only a sample of people cannot work out every table from them; with these he need
    not.
    """

    name: str
    tables: Mapping[str, Transitions]

    def transitions(self, original: Microdata) -> dict[str, Transitions]:
        """The tables, whatever file is given."""
        return dict(self.tables)
