"""Several releases of the same people: a grid by release, alone and combined."""

from __future__ import annotations

from unmask.studies.releases.assessing import Comparison, assess_releases, comparison
from unmask.studies.releases.comparison import release_rows
from unmask.studies.releases.following import Release

__all__ = ["Comparison", "Release", "assess_releases", "comparison", "release_rows"]
