"""Evidence from names: how alike two columns are spelled."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

import numpy as np

from unmask.data.microdata import Floats

#: Names that number columns and say nothing of what is in them.
NUMBERED = re.compile(r"(v|var|variable|x|y|c|col|column|f|field|a|attr|attribute|q|unnamed)?\d+")


def spelling(name: str) -> str:
    """The letters and digits of a name, in lower case, without accents.

    >>> spelling("Año de Nac."), spelling("marital-status"), spelling("homeTown")
    ('anodenac', 'maritalstatus', 'hometown')
    """
    letters = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    return re.sub(r"[\W_]+", "", letters.casefold())


def says_nothing(name: str) -> bool:
    """Whether a name is empty or numbers a column.

    >>> says_nothing("V12"), says_nothing("age")
    (True, False)
    """
    letters = spelling(name)
    return not letters or NUMBERED.fullmatch(letters) is not None


def name_distance(first: str, second: str) -> float:
    """1 minus the share of letter pairs that two names have in common (Dice 1945).

    NaN where a name says nothing.

    >>> name_distance("Home Town", "home_town"), round(name_distance("education", "educ"), 2)
    (0.0, 0.47)
    >>> name_distance("V1", "age")
    nan
    """
    if says_nothing(first) or says_nothing(second):
        return float("nan")
    left, right = spelling(first), spelling(second)
    if left == right:
        return 0.0
    pairs = [Counter(map(str.__add__, f"^{name}", f"{name}$")) for name in (left, right)]
    shared = sum((pairs[0] & pairs[1]).values())
    return 1.0 - 2.0 * shared / sum(side.total() for side in pairs)


def name_distances(left: tuple[str, ...], right: tuple[str, ...]) -> Floats:
    """The distance of every pair of names."""
    return np.array([[name_distance(a, b) for b in right] for a in left]).reshape(len(left), len(right))
