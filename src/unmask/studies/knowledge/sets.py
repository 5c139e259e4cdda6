"""Sets of attributes: which are tried, which are minimal, and what each attribute adds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import comb

#: A set of attributes, in the order of the file.
Names = tuple[str, ...]

#: A risk this much lower is lower, not rounded.
_ROUNDING = 1e-12


def full_sizes(attributes: int, size: int, limit: int) -> int:
    """Up to which size all sets are tried: at most ``limit`` of them, but single attributes always.

    >>> full_sizes(10, 3, limit=5000), full_sizes(10, 3, limit=100), full_sizes(10, 3, limit=1)
    (3, 2, 1)
    """
    tried = attributes
    for k in range(2, min(size, attributes) + 1):
        tried += comb(attributes, k)
        if tried > limit:
            return k - 1
    return min(size, attributes)


def sets_up_to(names: Sequence[str], size: int) -> Iterator[Names]:
    """All sets of one attribute, then of two, up to that size.

    >>> list(sets_up_to(["age", "sex"], 2))
    [('age',), ('sex',), ('age', 'sex')]
    """
    for k in range(1, size + 1):
        yield from combinations(names, k)


def minimal_sets(risk: Mapping[Names, float], threshold: float) -> list[Names]:
    """The sets that reach the threshold while none of their proper subsets does, smallest first.

    Risk need not grow with knowledge: a set may reach the threshold and a larger one fall below it again.

    >>> minimal_sets({("a",): 0.1, ("b",): 0.0, ("a", "b"): 0.3, ("c",): 0.2, ("a", "c"): 0.4}, 0.2)
    [('c',), ('a', 'b')]
    """
    found: list[frozenset[str]] = []
    minimal = []
    for names in sorted(risk, key=len):
        members = frozenset(names)
        if risk[names] >= threshold and not any(smaller <= members for smaller in found):
            found.append(members)
            minimal.append(names)
    return minimal


def steps(risk: Mapping[Names, float]) -> Iterator[tuple[str, float, float]]:
    """Every step from a set to one with an attribute more: the attribute, the risk before and after.

    >>> list(steps({("a",): 0.1, ("b",): 0.0, ("a", "b"): 0.3}))
    [('a', 0.0, 0.3), ('b', 0.1, 0.3)]
    """
    for names, after in risk.items():
        for added in names:
            before = tuple(name for name in names if name != added)
            if before in risk:
                yield added, risk[before], after


def fallen(risk: Mapping[Names, float]) -> tuple[int, int]:
    """Of how many steps to one attribute more, how many lower the risk.

    >>> fallen({("a",): 0.4, ("b",): 0.0, ("a", "b"): 0.3})
    (2, 1)
    """
    taken = list(steps(risk))
    return len(taken), sum(after < before - _ROUNDING for _, before, after in taken)


def gains(risk: Mapping[Names, float], nothing: float) -> dict[str, float]:
    """What each attribute adds to the risk on average over all sets that it can join.

    ``nothing`` is the risk without any attribute: a guess.

    >>> gains({("a",): 0.1, ("b",): 0.0, ("a", "b"): 0.3}, nothing=0.0)
    {'a': 0.2, 'b': 0.1}
    """
    added: dict[str, list[float]] = {names[0]: [risk[names] - nothing] for names in risk if len(names) == 1}
    for name, before, after in steps(risk):
        added.setdefault(name, []).append(after - before)
    return {name: round(sum(values) / len(values), 15) for name, values in added.items()}
