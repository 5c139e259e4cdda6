"""unmask: how many records of a protected file could an intruder re-identify, and what could they learn?"""

from __future__ import annotations

#: As typing has it, which takes time to load: the program starts with this module.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from unmask import attacks, losses, masks, measures, policies
    from unmask.assessment.request import Grid, Occasion, Request, RequestFiles
    from unmask.assessment.results import Assessment
    from unmask.assessment.session import Session
    from unmask.data.edits import ColumnEdit
    from unmask.data.io.schema_file import read_schema, write_schema
    from unmask.data.microdata import Masked, Microdata
    from unmask.data.missing import Missing
    from unmask.data.schema import Column, Kind, Role, Schema
    from unmask.engines.local import LocalEngine
    from unmask.engines.spark import SparkEngine
    from unmask.errors import UnmaskError
    from unmask.intruder.follow import Follow
    from unmask.intruder.glimpse import Glimpse
    from unmask.intruder.scenario import Scenario
    from unmask.intruder.sources import Source
    from unmask.linkage.compatibility import compatible
    from unmask.linkage.schema_matching import SchemaMatch, match_schema
    from unmask.masks.frames import mask
    from unmask.policies.judging import judge
    from unmask.studies.assess import assess
    from unmask.studies.check import check
    from unmask.studies.knowledge import KnowledgeCurves, knowledge_curves
    from unmask.studies.loss import Losses, loss
    from unmask.studies.protection.protect import ProtectionStudy, protect
    from unmask.studies.protection.study import Study, study
    from unmask.studies.releases import Comparison, assess_releases
    from unmask.studies.run import run

#: Where each public name lives. A name is imported when it is first used, so that `import unmask` is quick.
_HOMES = {
    "Assessment": "unmask.assessment.results",
    "Column": "unmask.data.schema",
    "ColumnEdit": "unmask.data.edits",
    "Comparison": "unmask.studies.releases",
    "Follow": "unmask.intruder.follow",
    "Glimpse": "unmask.intruder.glimpse",
    "LocalEngine": "unmask.engines.local",
    "Grid": "unmask.assessment.request",
    "Kind": "unmask.data.schema",
    "KnowledgeCurves": "unmask.studies.knowledge",
    "Losses": "unmask.studies.loss",
    "Masked": "unmask.data.microdata",
    "Microdata": "unmask.data.microdata",
    "Missing": "unmask.data.missing",
    "Occasion": "unmask.assessment.request",
    "ProtectionStudy": "unmask.studies.protection.protect",
    "Request": "unmask.assessment.request",
    "RequestFiles": "unmask.assessment.request",
    "Role": "unmask.data.schema",
    "Scenario": "unmask.intruder.scenario",
    "Schema": "unmask.data.schema",
    "SchemaMatch": "unmask.linkage.schema_matching",
    "Session": "unmask.assessment.session",
    "Source": "unmask.intruder.sources",
    "SparkEngine": "unmask.engines.spark",
    "Study": "unmask.studies.protection.study",
    "UnmaskError": "unmask.errors",
    "assess": "unmask.studies.assess",
    "assess_releases": "unmask.studies.releases",
    "check": "unmask.studies.check",
    "compatible": "unmask.linkage.compatibility",
    "judge": "unmask.policies.judging",
    "knowledge_curves": "unmask.studies.knowledge",
    "loss": "unmask.studies.loss",
    "mask": "unmask.masks.frames",
    "match_schema": "unmask.linkage.schema_matching",
    "protect": "unmask.studies.protection.protect",
    "read_schema": "unmask.data.io.schema_file",
    "run": "unmask.studies.run",
    "study": "unmask.studies.protection.study",
    "write_schema": "unmask.data.io.schema_file",
}
_ROOMS = ("attacks", "losses", "masks", "measures", "policies")

__all__ = [
    "Assessment",
    "Column",
    "ColumnEdit",
    "Comparison",
    "Follow",
    "Glimpse",
    "Grid",
    "Kind",
    "KnowledgeCurves",
    "LocalEngine",
    "Losses",
    "Masked",
    "Microdata",
    "Missing",
    "Occasion",
    "ProtectionStudy",
    "Request",
    "RequestFiles",
    "Role",
    "Scenario",
    "Schema",
    "SchemaMatch",
    "Session",
    "Source",
    "SparkEngine",
    "Study",
    "UnmaskError",
    "assess",
    "assess_releases",
    "attacks",
    "check",
    "compatible",
    "judge",
    "knowledge_curves",
    "loss",
    "losses",
    "mask",
    "masks",
    "match_schema",
    "measures",
    "policies",
    "protect",
    "read_schema",
    "run",
    "study",
    "write_schema",
]


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    if name in _ROOMS:
        return import_module(f"unmask.{name}")
    raise AttributeError(f"module 'unmask' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
