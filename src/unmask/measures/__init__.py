"""Measures of disclosure: one family a file, one line here each."""

from __future__ import annotations

from unmask.errors import unknown_name
from unmask.measures.anonymity import (
    SUDA,
    Diversity,
    KAnonymity,
    LDiversity,
    LinkageRisk,
    SmallClasses,
    TCloseness,
)
from unmask.measures.anonymity import Intruder as Matcher
from unmask.measures.attribute import (
    AbsentAttributes,
    Adds,
    CellDisclosure,
    ClusterDisclosure,
    ClusterDominance,
    DRisk,
    DRiskRMD,
    FewestAttributes,
    Intruder,
    ModelDifference,
    ModelDisclosure,
    RankInterval,
    SdInterval,
    SimpleDisclosure,
)
from unmask.measures.base import Estimate, Measure, Trial
from unmask.measures.findings import Case, Curve, FileMeasure, Finding, Point, Unit, Unusable, not_estimable
from unmask.measures.membership import ClosestRecordProxy, Evidence, MembershipInFile, MembershipInModel
from unmask.measures.posterior import Claimed, ClaimedPrecision, KnownReidentification
from unmask.measures.reidentification import Reidentification, Ties
from unmask.measures.uniqueness import (
    DisSUDA,
    HouseholdRisk,
    IndividualRisk,
    LogLinear,
    Misclassified,
    Pitman,
    PopulationUniques,
    Quantity,
    Zayatz,
)

#: Every measure of an attack by name, in the order in which tables show them.
MEASURES: dict[str, Measure] = {
    measure.name: measure
    for measure in (
        Reidentification(Ties.EXPECTED),
        Reidentification(Ties.STRICT),
        Reidentification(Ties.LENIENT),
        KnownReidentification(),
        ClaimedPrecision(),
    )
}

#: The measures that speak of what an attack claims; they say nothing of attacks that claim no probability.
OF_CLAIMS = frozenset((KnownReidentification().name, ClaimedPrecision().name))

_OF_FILE: tuple[FileMeasure, ...] = (
    RankInterval(),
    SdInterval(),
    DRisk(),
    DRiskRMD(),
    SimpleDisclosure(),
    CellDisclosure(),
    CellDisclosure(Intruder.INTERNAL),
    ClusterDisclosure(),
    ClusterDisclosure(Intruder.INTERNAL),
    ClusterDominance(),
    ModelDisclosure(),
    ModelDifference(),
    ModelDifference(Adds.OWN_RECORD),
    FewestAttributes(),
    AbsentAttributes(),
    MembershipInFile(Evidence.DISTANCE),
    MembershipInFile(Evidence.DENSITY),
    MembershipInModel(),
    ClosestRecordProxy(),
    KAnonymity(),
    SmallClasses(k=2),
    SmallClasses(),
    LDiversity(),
    LDiversity(Diversity.ENTROPY),
    LDiversity(Diversity.RECURSIVE),
    TCloseness(),
    SUDA(),
    DisSUDA(),
    *(LinkageRisk(kind) for kind in Matcher),
    PopulationUniques(),
    IndividualRisk(),
    HouseholdRisk(),
    *(LogLinear(quantity) for quantity in Quantity),
    Pitman(),
    Zayatz(),
)

#: Every measure of the whole file by name. Those that the files and the schema give ground for are taken.
FILE_MEASURES: dict[str, FileMeasure] = {measure.name: measure for measure in _OF_FILE}
#: Those that are taken only when they are named: variants that say little beyond the others.
BY_NAME = frozenset((DRiskRMD().name,))


def measure_named(name: str) -> Measure | FileMeasure:
    """The registered measure of that name, of an attack or of the whole file.

    >>> measure_named("reidentification-strict").ties.value
    'strict'
    """
    if name not in MEASURES and name not in FILE_MEASURES:
        raise unknown_name("measure", name, {**MEASURES, **FILE_MEASURES})
    return MEASURES[name] if name in MEASURES else FILE_MEASURES[name]


__all__ = [
    "BY_NAME",
    "FILE_MEASURES",
    "MEASURES",
    "OF_CLAIMS",
    "Case",
    "Claimed",
    "ClaimedPrecision",
    "Curve",
    "Estimate",
    "FileMeasure",
    "Finding",
    "KnownReidentification",
    "Measure",
    "Misclassified",
    "Point",
    "Reidentification",
    "Ties",
    "Trial",
    "Unit",
    "Unusable",
    "measure_named",
    "not_estimable",
]
