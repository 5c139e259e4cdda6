"""Several releases of the same people, and several sources of knowledge: single and combined risk."""

from __future__ import annotations

from unmask.studies.releases.assessing import assess_releases, releases_of
from unmask.studies.releases.by_source import SourceComparison, SourceRow, compare_sources
from unmask.studies.releases.comparison import CANDIDATES, compare_releases
from unmask.studies.releases.following import Follow, How, Release
from unmask.studies.releases.outcome import Comparison, Join, Row

__all__ = [
    "CANDIDATES",
    "Comparison",
    "Follow",
    "How",
    "Join",
    "Release",
    "Row",
    "SourceComparison",
    "SourceRow",
    "assess_releases",
    "compare_releases",
    "compare_sources",
    "releases_of",
]
