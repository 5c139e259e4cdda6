"""How missing values compare where the question is whether a released record repeats a person's."""

from __future__ import annotations

from unmask.data.missing import Missing


def when_repeated(missing: Missing) -> Missing:
    """The declared policy, but a missing value equals another one where it would equal nothing.

    A model draws a missing value as it draws others. Were two of them far apart, a copy of somebody with a
    missing value would lie far from them, and a release that repeats everybody would look harmless.

    >>> when_repeated(Missing.MISMATCH).value, when_repeated(Missing.IGNORE).value
    ('category', 'ignore')
    """
    return Missing.CATEGORY if missing is Missing.MISMATCH else missing
