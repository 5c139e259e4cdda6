"""Numbers as people read them: counts, percentages, odds. A number that is missing is never shown as 0."""

from __future__ import annotations

from math import floor, log10

from unmask.figures import figure
from unmask.measures.estimate import Unit

#: Odds beyond this are not told apart: no reader weighs one in 10^9 against one in 10^12.
LONGEST_ODDS = 1_000_000


def count(value: float) -> str:
    """A number of people or records; ties make some of them fractions.

    >>> count(1063.0), count(12.5), count(0.0314), count(0.0)
    ('1,063', '12.5', '0.03', '0')
    """
    if abs(value - round(value)) < 1e-6:
        return f"{round(value):,}"
    if value >= 1:
        return f"{value:,.1f}".removesuffix(".0")
    return f"{value:.2f}" if value >= 0.005 else "less than 0.01"


def people(n: float) -> str:
    """A count with its noun.

    >>> people(1), people(1080)
    ('1 person', '1,080 people')
    """
    return f"{count(n)} {'person' if n == 1 else 'people'}"


def percent(share: float) -> str:
    """A share as a percentage; neither 0% nor 100% unless it is exactly that.

    >>> percent(0.98425), percent(0.99996), percent(0.00093), percent(0.0), percent(1.0)
    ('98.4%', '99.996%', '0.09%', '0%', '100%')
    """
    if share in (0.0, 1.0):
        return f"{share:.0%}"
    for digits in range(1, 5):
        text = f"{100 * share:.{digits}f}"
        # Below 1% a second digit says twice as much as it costs.
        if float(text) not in (0.0, 100.0) and (digits > 1 or share >= 0.01):
            return f"{text}%"
    return "under 0.0001%" if share < 0.5 else "over 99.9999%"


def interval(low: float | None, high: float | None) -> str:
    """A 95% interval.

    >>> interval(0.975, 0.991), interval(None, None)
    ('97.5% to 99.1%', 'not estimable')
    """
    if low is None or high is None:
        return "not estimable"
    return f"{percent(low)} to {percent(high)}"


def p_value(p: float | None) -> str:
    """A p-value for a table.

    >>> p_value(0.0), p_value(0.0312), p_value(1.0), p_value(None)
    ('< 0.0001', '0.031', '1', 'not estimable')
    """
    if p is None:
        return "not estimable"
    return "< 0.0001" if p < 0.0001 else f"{p:.2g}"


def odds(p: float) -> str:
    """How often chance does as well, in words: "once in ..." rounded to the reader's disadvantage.

    >>> odds(0.0), odds(0.0004), odds(0.02), odds(0.4), odds(0.7)
    ('less than once in 1,000,000 tries', 'less than once in 2,000 tries', 'about once in 50 tries',
     'about 40 times in 100', 'about 70 times in 100')
    """
    if p * LONGEST_ODDS < 1:
        return f"less than once in {LONGEST_ODDS:,} tries"
    if p >= 0.1:
        return f"about {round(100 * p)} times in 100"
    times = 1 / p * (1 + 1e-9)
    if times < 100:
        return f"about once in {round(times)} tries"
    unit = 10 ** floor(log10(times))
    return f"less than once in {floor(times / unit) * unit:,} tries"


def among(share: float) -> str:
    """A share as a number of people among a round number of them; never nobody or everybody unless it is so.

    >>> among(0.654), among(0.108), among(0.0123), among(0.0002), among(0.0), among(1.0), among(0.9996)
    ('65 in 100', '11 in 100', '12 in 1,000', '2 in 10,000', 'nobody', 'everybody', '9,996 in 10,000')
    """
    if share in (0.0, 1.0):
        return "everybody" if share else "nobody"
    for digits in range(2, 10):
        of = 10**digits
        number = round(share * of)
        # Two digits of a small share say enough, and all but everybody is not everybody.
        if number < of and (number >= 10 or (number >= 1 and abs(share * of - number) < 0.05 * number)):
            return f"{number:,} in {of:,}"
    return f"fewer than 1 in {10**9:,}" if share < 0.5 else f"all but fewer than 1 in {10**9:,}"


def number(value: float | None, unit: Unit) -> str:
    """A value in its unit; nothing where there is none.

    >>> number(0.25, Unit.SHARE), number(-0.25, Unit.SHARE), number(1200, Unit.COUNT), number(2.5, Unit.LEVEL)
    ('25.0%', '-25.0%', '1,200', '2.5')
    """
    if value is None:
        return ""
    if unit is Unit.SHARE:
        return percent(value) if value >= 0 else f"-{percent(-value)}"
    return count(value) if unit is Unit.COUNT else figure(value)
