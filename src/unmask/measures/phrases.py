"""Numbers in sentences, for readers without statistics."""

from __future__ import annotations


def percent(share: float) -> str:
    """A share in percent; a small one is not rounded to nothing, nor a large one to all.

    >>> percent(0.1234), percent(0.00002), percent(0.99999), percent(0.0), percent(1.0)
    ('12.3%', 'under 0.1%', 'over 99.9%', '0%', '100%')
    >>> percent(-0.02), percent(-0.0001)
    ('-2.0%', 'about 0%')
    """
    if share in (0.0, 1.0):
        return f"{share:.0%}"
    if abs(share) < 0.0005:
        return "under 0.1%" if share > 0 else "about 0%"
    if 0.9995 <= share < 1:
        return "over 99.9%"
    return f"{100 * share:.1f}%"


def of_people(count: float, n: int) -> str:
    """How many of how many people, and the share.

    >>> of_people(12, 1000), of_people(1, 1)
    ('12 of 1,000 people (1.2%)', '1 of 1 person (100%)')
    """
    return f"{count:,.0f} of {counted(n, 'person', 'people')} ({percent(count / n)})"


def every(n: int, one: str, many: str) -> str:
    """All of them, however many there are.

    >>> every(3, "numeric value", "numeric values"), every(1, "numeric value", "numeric values")
    ('every one of the 3 numeric values', 'the only numeric value')
    """
    return f"every one of the {n:,} {many}" if n > 1 else f"the only {one}"


def counted(n: int, one: str, many: str) -> str:
    """A number with its noun.

    >>> counted(1, "person", "people"), counted(2500, "person", "people")
    ('1 person', '2,500 people')
    """
    return f"{n:,} {one if n == 1 else many}"
