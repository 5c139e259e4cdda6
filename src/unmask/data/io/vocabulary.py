"""Scales that are known by their words, and bands that are ordered by their bounds."""

from __future__ import annotations

import re
from collections.abc import Sequence

# Each step lists its synonyms. A word may stand in several scales; all words of a column must be in one.
_SCALES: tuple[tuple[tuple[str, ...], ...], ...] = (
    (("very low",), ("low",), ("medium", "moderate", "middle", "average"), ("high",), ("very high",)),
    (("very poor",), ("poor",), ("fair", "average"), ("good",), ("very good",), ("excellent",)),
    (("very bad",), ("bad",), ("fair", "so-so"), ("good",), ("very good",), ("excellent",)),
    (
        ("never",),
        ("rarely", "seldom"),
        ("sometimes", "occasionally"),
        ("often", "frequently"),
        ("usually", "mostly"),
        ("always",),
    ),
    (("none",), ("mild",), ("moderate",), ("severe",), ("very severe", "critical")),
    (
        ("strongly disagree",),
        ("disagree",),
        ("neutral", "neither agree nor disagree"),
        ("agree",),
        ("strongly agree",),
    ),
    (("very dissatisfied",), ("dissatisfied",), ("neutral",), ("satisfied",), ("very satisfied",)),
    (("very small",), ("small",), ("medium",), ("large", "big"), ("very large",)),
    (("no education", "none"), ("primary",), ("secondary",), ("tertiary", "higher")),
)
_NUMBER = r"(\d+(?:\.\d+)?)"
_BAND = re.compile(rf"[\[(]?\s*{_NUMBER}\s*(?:-|–|to|,|\.\.)\s*{_NUMBER}\s*[\])]?")
_BELOW = re.compile(rf"(?:<|<=|under|below|less than)\s*{_NUMBER}")
_ABOVE = re.compile(
    rf"(?:>|>=|over|above|more than)\s*{_NUMBER}|{_NUMBER}\s*(?:\+|and over|and more|or more)"
)


def in_order(categories: Sequence[str]) -> tuple[str, ...]:
    """The categories from low to high where their words tell it; else nothing.

    >>> in_order(["High", "Low", "Medium"])
    ('Low', 'Medium', 'High')
    >>> in_order(["65+", "18-39", "under 18", "40-64"])
    ('under 18', '18-39', '40-64', '65+')
    >>> in_order(["red", "low"])
    ()
    """
    if len(categories) < 2:
        return ()
    words = {category: " ".join(category.lower().replace("_", " ").split()) for category in categories}
    for scale in _SCALES:
        position = {word: step for step, synonyms in enumerate(scale) for word in synonyms}
        steps = [position.get(word, -1) for word in words.values()]
        # Two categories on one step are synonyms beside each other: that is not this scale.
        if min(steps) >= 0 and len(set(steps)) == len(steps):
            return tuple(sorted(categories, key=lambda category: position[words[category]]))
    return _bands(words)


def _bands(words: dict[str, str]) -> tuple[str, ...]:
    bounds = {category: _lower_bound(word) for category, word in words.items()}
    known = {category: bound for category, bound in bounds.items() if bound is not None}
    if len(known) < len(words) or len(set(known.values())) < len(known):
        return ()
    return tuple(sorted(known, key=lambda category: known[category]))


def _lower_bound(word: str) -> float | None:
    if match := _BAND.fullmatch(word):
        return float(match[1]) if float(match[1]) < float(match[2]) else None
    if _BELOW.fullmatch(word):
        return float("-inf")
    if match := _ABOVE.fullmatch(word):
        return float(match[1] or match[2])
    return None
