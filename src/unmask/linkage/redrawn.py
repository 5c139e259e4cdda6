"""The transitions of an attribute with thousands of categories, without a table of all pairs of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.errors import ArgumentError

#: Entries of a table of original by released categories, at the most: a quarter of a gigabyte.
MOST_ENTRIES = 2**25


def tabulates(original: int, released: int) -> bool:
    """Whether as many categories have a table.

    >>> tabulates(5000, 5000), tabulates(100_000, 100_000)
    (True, False)
    """
    return original * released <= MOST_ENTRIES


def check_table(what: str, original: int, released: int) -> None:
    """Refuse a table of too many categories."""
    if not tabulates(original, released):
        raise ArgumentError(
            f"{what}: an attribute of {original} categories is too long for a table of all pairs of them",
            hint="name other attributes, or recode it to fewer categories first",
        )


@dataclass(frozen=True, eq=False)
class Redrawn:
    """Each category becomes its image with the probability ``stays``, or is drawn anew by the ``share``.

        P(j | i) = stays [j = image_i] + (1 - stays) share_j

    It takes as many numbers as there are categories, where a table takes their square.

    >>> Redrawn.of({"a": "a|b", "b": "a|b"}).image, Redrawn.of({"a": "a|b", "b": "a|b"}).released
    (array([0, 0]), ('a|b',))
    """

    original: tuple[str, ...]
    released: tuple[str, ...]
    image: Ints  # the place of what each original category becomes
    stays: float
    share: Floats  # of each released category

    @staticmethod
    def of(recoding: Mapping[str, str]) -> Redrawn:
        """A recoding: every category becomes one other, or stays."""
        released = tuple(dict.fromkeys(recoding.values()))
        place = {category: j for j, category in enumerate(released)}
        image = np.array([place[category] for category in recoding.values()], np.int64)
        return Redrawn(tuple(recoding), released, image, 1.0, np.zeros(len(released)))

    @staticmethod
    def identity(categories: Sequence[str]) -> Redrawn:
        """An attribute that the mask leaves alone."""
        return Redrawn.of({category: category for category in categories})
