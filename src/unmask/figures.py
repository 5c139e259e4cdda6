"""Numbers inside sentences and tables: no exponents, thousands apart, whole numbers in full."""

from __future__ import annotations

from math import floor, isfinite, log10

#: Digits after the point beyond which a number is as good as 0 to a reader.
MOST_DECIMALS = 12


def figure(value: float, digits: int = 4) -> str:
    """A number with so many significant digits; a whole one with all of its digits.

    >>> figure(10920), figure(1234.56), figure(2.5), figure(0.12345, 3), figure(0.0000123), figure(0)
    ('10,920', '1,235', '2.5', '0.123', '0.0000123', '0')
    """
    if not isfinite(value):
        return f"{value:g}"
    if value == round(value):
        return f"{round(value):,}"
    decimals = digits - 1 - floor(log10(abs(value)))
    text = f"{value:,.{min(max(decimals, 0), MOST_DECIMALS)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
