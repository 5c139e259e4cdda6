"""What is asked of an index, and the answers of its searches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.engines.base import Floats, Ints
from unmask.kernels.search import Answers


@dataclass(frozen=True, eq=False)
class Question:
    """What is asked of which targets; STANDING also needs the class of the true record of each."""

    mode: int
    depth: int
    rows: Ints
    truth: Ints


@dataclass(frozen=True, eq=False)
class Found:
    """The answers, in the order of the question's targets; entries of target i begin at start[i]."""

    least: Floats
    beyond: Floats
    closer: Ints
    tied: Ints
    start: Ints
    count: Ints
    values: Floats
    classes: Ints


def nothing_found(targets: int) -> Found:
    """The answers where there is no target, or no record."""
    nothing, zero = np.full(targets, np.inf), np.zeros(targets, np.int64)
    return Found(nothing, nothing, zero, zero, zero, zero, nothing[:0], zero[:0])


def of_standing(found: Answers) -> Answers:
    """The answers without what only links ask for: in a large file every array counts."""
    none = found.least[:0].copy()
    return found._replace(least=none, beyond=none, entries=found.entries[:0].copy())


def in_order(found: Answers, order: Ints) -> Found:
    """The answers of all blocks, back in the order of the question; what was left out stays so."""
    back = np.empty_like(order)
    back[order] = np.arange(order.size)
    least, beyond = (x[back] if x.size else x for x in (found.least, found.beyond))
    count, start = found.entries, np.cumsum(found.entries) - found.entries
    if count.size:
        count, start = count[back], start[back]
    closer, tied = found.closer[back], found.tied[back]
    return Found(least, beyond, closer, tied, start, count, found.values, found.classes)
