"""Checks of the parameters of losses."""

from __future__ import annotations

from unmask.errors import ArgumentError


def at_least(least: int, what: str, number: int) -> None:
    """An error where a parameter is too small.

    >>> at_least(1, "the number of tables", 0)
    Traceback (most recent call last):
    unmask.errors.ArgumentError: the number of tables is 0. Hint: give 1 or more.
    """
    if number < least:
        raise ArgumentError(f"{what} is {number}", hint=f"give {least} or more")
