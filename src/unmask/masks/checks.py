"""The checks of the masks' parameters: each raises one line that says the range and an example."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from unmask.errors import ArgumentError


def number(mask: str, parameter: str, value: Any, low: float, high: float = math.inf) -> float:
    """The value as a float, if it is a finite number from low to high.

    >>> number("noise", "a", "much", 0)
    Traceback (most recent call last):
    unmask.errors.ArgumentError: noise: a is not a number. Hint: give a number of at least 0.
    """
    wanted = f"of at least {low:g}" if high == math.inf else f"from {low:g} to {high:g}"
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ArgumentError(f"{mask}: {parameter} is not a number", hint=f"give a number {wanted}")
    if not (math.isfinite(value) and low <= value <= high):
        raise ArgumentError(f"{mask}: {parameter}={value:g} is out of range", hint=f"give a number {wanted}")
    return float(value)


def group_size(mask: str, value: Any) -> int:
    """The value, if it is a whole number of at least 1.

    >>> group_size("microaggregation", 2.5)
    Traceback (most recent call last):
    unmask.errors.ArgumentError: microaggregation: k must be a whole number of at least 1. Hint: ...
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ArgumentError(
            f"{mask}: k must be a whole number of at least 1",
            hint="k is the least number of records that share a value, for example k=3",
        )
    return value


def names(mask: str, parameter: str, value: Any) -> tuple[str, ...] | None:
    """The names as a tuple, or None where none are given.

    >>> names("noise", "attributes", ["age", "income"])
    ('age', 'income')
    >>> names("noise", "attributes", "age")
    Traceback (most recent call last):
    unmask.errors.ArgumentError: noise: attributes is not a tuple of names. Hint: write attributes=('age',).
    """
    if value is None:
        return None
    if isinstance(value, str):
        raise ArgumentError(
            f"{mask}: {parameter} is not a tuple of names", hint=f"write {parameter}=({value!r},)"
        )
    if not isinstance(value, Sequence) or not all(isinstance(name, str) for name in value):
        raise ArgumentError(
            f"{mask}: {parameter} is not a tuple of names", hint=f"write {parameter}=('age', 'income')"
        )
    return tuple(value)
