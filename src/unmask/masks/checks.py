"""The checks of the masks' parameters: each raises one line that says the range and an example."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from unmask.errors import ArgumentError, clipped
from unmask.parsing import form


def number(mask: str, parameter: str, value: Any, low: float, high: float = math.inf) -> float:
    """The value as a float, if it is a finite number from low to high.

    >>> number("noise", "a", "much", 0)
    Traceback (most recent call last):
    unmask.errors.ArgumentError: noise: a is not a number. Hint: give a number of at least 0.
    """
    wanted = f"of at least {low:g}" if high == math.inf else f"from {low:g} to {high:g}"
    wanted = "that is finite" if low == -math.inf else wanted
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
            f"{mask}: {parameter} is not a tuple of names", hint=f"write {parameter}=({clipped(value)!r},)"
        )
    if not isinstance(value, Sequence) or not all(isinstance(name, str) for name in value):
        raise ArgumentError(
            f"{mask}: {parameter} is not a tuple of names", hint=f"write {parameter}=('age', 'income')"
        )
    return tuple(value)


def whole(mask: str, parameter: str, value: Any, low: int) -> int:
    """The value, if it is a whole number of at least ``low``.

    >>> whole("top-coding", "p", 0, 1)
    Traceback (most recent call last):
    unmask.errors.ArgumentError: top-coding: p is no whole number of at least 1. Hint: write p=2.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < low:
        raise ArgumentError(
            f"{mask}: {parameter} is no whole number of at least {low}", hint=f"write {parameter}={low + 1}"
        )
    return value


def choice(mask: str, parameter: str, value: Any, known: Sequence[str]) -> str:
    """The value, if it is one of those known.

    >>> choice("top-coding", "replacement", "median", ("limit", "mean"))
    Traceback (most recent call last):
    unmask.errors.ArgumentError: top-coding: replacement is not one of limit, mean. Hint: ...
    """
    if value not in known:
        raise ArgumentError(
            f"{mask}: {parameter} is not one of {', '.join(known)}", hint=f"write {parameter}={known[0]}"
        )
    return str(value)


def one_of(mask: str, method: Any, parameters: Sequence[str]) -> str:
    """The name of the one of these parameters that is given; exactly one must be.

    >>> import types
    >>> one_of("top-coding", types.SimpleNamespace(p=2, limit=85), ("p", "limit"))
    Traceback (most recent call last):
    unmask.errors.ArgumentError: top-coding: p and limit are given, and one of them decides. Hint: ...
    """
    names = [name for name in parameters if getattr(method, name) is not None]
    if not names:
        raise ArgumentError(
            f"{mask} needs one of its parameters {', '.join(parameters)}",
            hint=f"write {form(mask, type(method))}",
        )
    if len(names) > 1:
        raise ArgumentError(
            f"{mask}: {' and '.join(names)} are given, and one of them decides", hint="leave the others out"
        )
    return names[0]
