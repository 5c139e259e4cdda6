"""Associative merges: how the parts of a task become its result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Arrays = TypeVar("Arrays", bound=NDArray[Any] | tuple[NDArray[Any], ...])
Whole = TypeVar("Whole", bound=np.integer)
Item = TypeVar("Item")


def joined(parts: Sequence[Arrays]) -> Arrays:
    """Arrays one after the other; of tuples, each field by itself.

    >>> joined([(np.array([1, 2]), np.array([0.5])), (np.array([3]), np.array([0.1]))])
    (array([1, 2, 3]), array([0.5, 0.1]))
    """
    first = parts[0]
    if len(parts) == 1:
        return first
    if isinstance(first, np.ndarray):
        return np.concatenate(parts)  # type: ignore[return-value]
    fields = [np.concatenate(field) for field in zip(*parts, strict=True)]
    make = getattr(type(first), "_make", type(first))  # a named tuple takes its fields another way
    return make(fields)


def added(parts: Sequence[NDArray[Whole]]) -> NDArray[Whole]:
    """The sum of arrays of whole numbers, which no order of adding changes.

    >>> added([np.array([1, 2]), np.array([10, 20])])
    array([11, 22])
    """
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total


def listed(parts: Sequence[list[Item]]) -> list[Item]:
    """Lists one after the other."""
    return [item for part in parts for item in part]
