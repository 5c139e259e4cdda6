"""How well two values agree, in levels, and how often every pattern of levels occurs over all pairs."""

from __future__ import annotations

from unmask.linkage.agreement.compare import AttributeComparison, comparisons, with_itself
from unmask.linkage.agreement.counting import PatternCounts, TooMuchWorkError, count_patterns
from unmask.linkage.agreement.levels import (
    Agreement,
    Bands,
    Exact,
    Positions,
    Similarity,
    StringMeasure,
    default_agreement,
)

__all__ = [
    "Agreement",
    "AttributeComparison",
    "Bands",
    "Exact",
    "PatternCounts",
    "Positions",
    "Similarity",
    "StringMeasure",
    "TooMuchWorkError",
    "comparisons",
    "count_patterns",
    "default_agreement",
    "with_itself",
]
