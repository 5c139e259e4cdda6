"""Scales that are known by their words, and bands that are ordered by their bounds."""

from __future__ import annotations

from collections.abc import Sequence

from unmask.data.values.bands import parse_bands

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
    bands = parse_bands(categories) or ()
    # A category that says "missing" is in no band, so the order of the others is not an order of all.
    return tuple(band.label for band in bands) if len(bands) == len(categories) else ()
