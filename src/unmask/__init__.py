"""unmask: how many records of a protected file could an intruder re-identify, and what could he learn?"""

from __future__ import annotations

from unmask import attacks, masks, measures
from unmask.assessment import assess
from unmask.assessment.results import Assessment
from unmask.data.microdata import Masked, Microdata
from unmask.data.missing import Missing
from unmask.data.schema import Column, Kind, Role, Schema
from unmask.errors import UnmaskError
from unmask.intruder.scenario import Scenario
from unmask.intruder.sources import Source
from unmask.linkage.compatibility import compatible
from unmask.masks.frames import mask
from unmask.studies.knowledge import KnowledgeCurves, knowledge_curves
from unmask.studies.releases import Follow, assess_releases

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
