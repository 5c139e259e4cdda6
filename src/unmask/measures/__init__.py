"""Measures of disclosure: one file and one line here for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from unmask.measures.anonymity import (
    SUDA,
    AttackerModel,
    Diversity,
    KAnonymity,
    LDiversity,
    LinkageRisk,
    SmallClasses,
    TCloseness,
)
from unmask.measures.applicability import (
    COMPLETE_KEYS,
    EVERY_KIND,
    OWN_RECORDS,
    TRUE_KEYS,
    not_applicable,
    why_not,
)
from unmask.measures.attribute import (
    AbsentAttributes,
    Adds,
    CellDisclosure,
    ClusterDisclosure,
    ClusterDominance,
    DRisk,
    DRiskRMD,
    FewestAttributes,
    GroupIntruder,
    ModelDifference,
    ModelDisclosure,
    RankInterval,
    SdInterval,
    SimpleDisclosure,
)
from unmask.measures.base import FileMeasure, Measure, abouts, by_name, of_claims, of_synthetic
from unmask.measures.claimed_precision import ClaimedPrecision
from unmask.measures.estimate import (
    Curve,
    CurvePoint,
    Estimate,
    Keys,
    NotEstimable,
    Reasons,
    Row,
    Unit,
    as_number,
)
from unmask.measures.evidence import FileEvidence, LinkEvidence
from unmask.measures.families import FAMILIES
from unmask.measures.known_reidentification import KnownReidentification
from unmask.measures.membership import (
    ClosestRecordProxy,
    DensityRatio,
    MembershipInFile,
    MembershipInModel,
    Signal,
    VulnerableMembers,
)
from unmask.measures.reidentification import Reidentification, Ties
from unmask.measures.seeded_propagation import SeededPropagation
from unmask.measures.synthetic import (
    CorrectAttribution,
    DiSCO,
    Linkability,
    NearestInference,
    Predicates,
    ReplicatedUniques,
    SinglingOut,
    Variant,
)
from unmask.measures.uniqueness import (
    DisSUDA,
    HouseholdRisk,
    IndividualRisk,
    LogLinear,
    Misclassified,
    NodeSignatures,
    Pitman,
    PopulationUniques,
    Quantity,
    Unicity,
    UniqueInPopulation,
    Zayatz,
)
from unmask.registry import Registered, Registry

_OF_ATTACKS: tuple[Measure, ...] = (
    Reidentification(Ties.EXPECTED),
    Reidentification(Ties.STRICT),
    Reidentification(Ties.LENIENT),
    KnownReidentification(),
    ClaimedPrecision(),
)

_OF_FILE: tuple[FileMeasure, ...] = (
    RankInterval(),
    SdInterval(),
    DRisk(),
    DRiskRMD(),
    SimpleDisclosure(),
    *(CellDisclosure(intruder) for intruder in GroupIntruder),
    *(ClusterDisclosure(intruder) for intruder in GroupIntruder),
    ClusterDominance(),
    ModelDisclosure(),
    *(ModelDifference(adds) for adds in Adds),
    FewestAttributes(),
    AbsentAttributes(),
    *(MembershipInFile(signal) for signal in Signal),
    DensityRatio(),
    VulnerableMembers(),
    MembershipInModel(),
    ClosestRecordProxy(),
    *(SinglingOut(predicates) for predicates in Predicates),
    Linkability(),
    NearestInference(),
    ReplicatedUniques(),
    DiSCO(),
    *(CorrectAttribution(variant) for variant in Variant),
    KAnonymity(),
    SmallClasses(k=2),
    SmallClasses(),
    *(LDiversity(kind) for kind in Diversity),
    TCloseness(),
    SUDA(),
    DisSUDA(),
    *(LinkageRisk(model) for model in AttackerModel),
    UniqueInPopulation(),
    PopulationUniques(),
    *(LogLinear(quantity) for quantity in Quantity),
    IndividualRisk(),
    HouseholdRisk(),
    Pitman(),
    Zayatz(),
    Unicity(),
    NodeSignatures(),
    SeededPropagation(),
)

AnyMeasure: TypeAlias = Measure | FileMeasure


def _undeclared(method: object) -> str | None:
    """A measure of the file must say about which kinds of release it says something."""
    if hasattr(method, "rows") and not hasattr(method, "says_about"):
        return "it has no says_about, the kinds of release that it says something about"
    return None


#: Every measure, in the order in which tables show them; other packages' after these.
REGISTRY: Registry[AnyMeasure] = Registry(
    "measure", __name__, does=("estimate", "rows"), own=(*_OF_ATTACKS, *_OF_FILE), lack=_undeclared
)


def _of_attacks(entry: Registered[AnyMeasure]) -> Measure | None:
    made = entry.made()
    return None if isinstance(made, FileMeasure) else made


def _of_file(entry: Registered[AnyMeasure]) -> FileMeasure | None:
    made = entry.made()
    return made if isinstance(made, FileMeasure) else None


#: Every measure of an attack by name.
MEASURES: Mapping[str, Measure] = REGISTRY.view(_of_attacks)
#: Every measure of the whole file by name. Those that the files and the schema give ground for are taken.
FILE_MEASURES: Mapping[str, FileMeasure] = REGISTRY.view(_of_file)


def measure_named(name: str) -> Measure | FileMeasure:
    """The registered measure of that name, of an attack or of the whole file.

    >>> measure_named("reidentification-strict").ties.value
    'strict'
    """
    return REGISTRY.named(name)


__all__ = [
    "COMPLETE_KEYS",
    "EVERY_KIND",
    "FAMILIES",
    "FILE_MEASURES",
    "MEASURES",
    "OWN_RECORDS",
    "REGISTRY",
    "TRUE_KEYS",
    "ClaimedPrecision",
    "Curve",
    "CurvePoint",
    "Estimate",
    "FileEvidence",
    "FileMeasure",
    "Keys",
    "KnownReidentification",
    "LinkEvidence",
    "Measure",
    "Misclassified",
    "NotEstimable",
    "Reasons",
    "Reidentification",
    "Row",
    "Ties",
    "Unit",
    "abouts",
    "as_number",
    "by_name",
    "measure_named",
    "not_applicable",
    "of_claims",
    "of_synthetic",
    "why_not",
]
