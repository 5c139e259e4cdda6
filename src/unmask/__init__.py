"""unmask: how many records of a protected file could an intruder re-identify, and what could he learn?"""

from __future__ import annotations

from unmask import attacks, masks, measures
from unmask.assessment import assess
from unmask.compatibility import compatible
from unmask.errors import UnmaskError
from unmask.knowledge import KnowledgeCurves, knowledge_curves
from unmask.masking import mask
from unmask.microdata import Masked, Microdata
from unmask.releases import Follow, assess_releases
from unmask.results import Assessment
from unmask.scenario import Missing, Scenario
from unmask.schema import Column, Kind, Role, Schema
from unmask.sources import Source

__all__ = [
    "Assessment",
    "Column",
    "Follow",
    "Kind",
    "KnowledgeCurves",
    "Masked",
    "Microdata",
    "Missing",
    "Role",
    "Scenario",
    "Schema",
    "Source",
    "UnmaskError",
    "assess",
    "assess_releases",
    "attacks",
    "compatible",
    "knowledge_curves",
    "mask",
    "masks",
    "measures",
]
