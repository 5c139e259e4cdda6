"""Anonymity models: how many released records are alike, and how much they differ in what is confidential."""

from unmask.measures.anonymity.k_anonymity import KAnonymity
from unmask.measures.anonymity.l_diversity import Diversity, LDiversity
from unmask.measures.anonymity.linkage_risk import AttackerModel, LinkageRisk
from unmask.measures.anonymity.small_classes import SmallClasses
from unmask.measures.anonymity.suda import SUDA, Score
from unmask.measures.anonymity.t_closeness import TCloseness

__all__ = [
    "SUDA",
    "AttackerModel",
    "Diversity",
    "KAnonymity",
    "LDiversity",
    "LinkageRisk",
    "Score",
    "SmallClasses",
    "TCloseness",
]
