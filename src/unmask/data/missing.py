"""How missing values compare: one declared policy, followed by every method."""

from __future__ import annotations

from enum import StrEnum

from unmask.errors import ArgumentError, unknown_name
from unmask.fields import shown

#: The word for how missing values compare where the files are to tell.
AUTO = "auto"


class Missing(StrEnum):
    """How a missing value compares, in every method.

    ``mismatch``: as far away as the attribute allows, even from another missing value;
    ``ignore``: the attribute does not count for the pair, the others stand for it;
    ``wildcard``: it agrees with everything;
    ``category``: a value of its own, equal to itself and far from all others;
    ``suppressed``: a missing released value may hide any: it speaks against nobody, but comes after a value
    that agrees, which speaks for somebody; a missing known value equals a missing released one only, because
    suppression never fills a value in.

    Within one file, or between two releases, ``suppressed`` is ``wildcard``.
    """

    MISMATCH = "mismatch"
    IGNORE = "ignore"
    WILDCARD = "wildcard"
    CATEGORY = "category"
    SUPPRESSED = "suppressed"


def missing_policy(word: object) -> Missing | None:
    """The policy that a word names, or that is given; None where the files are to tell ("auto").

    >>> missing_policy("ignore").name, missing_policy("auto")
    ('IGNORE', None)
    >>> missing_policy("ignor")
    Traceback (most recent call last):
    unmask.errors.ArgumentError: no missing-value policy is called 'ignor'. Hint: did you mean 'ignore'? ...
    """
    known = [AUTO, *(policy.value for policy in Missing)]
    if word is None or word == AUTO:
        return None
    if not isinstance(word, str):
        hint = f"write one of {', '.join(known)}"
        raise ArgumentError(f"the missing-value policy is {shown(word)}, not a text", hint=hint)
    if word not in known:
        raise unknown_name("missing-value policy", word, known)
    return Missing(word)
