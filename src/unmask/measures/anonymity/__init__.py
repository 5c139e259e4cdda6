"""Anonymity models: how many released records are alike, and how much they differ in what is confidential."""

from unmask.measures.anonymity.k_anonymity import KAnonymity, SmallClasses
from unmask.measures.anonymity.l_diversity import Diversity, LDiversity
from unmask.measures.anonymity.linkage_risk import Intruder, LinkageRisk
from unmask.measures.anonymity.suda import SUDA, Score
from unmask.measures.anonymity.t_closeness import TCloseness

__all__ = [
    "SUDA",
    "Diversity",
    "Intruder",
    "KAnonymity",
    "LDiversity",
    "LinkageRisk",
    "Score",
    "SmallClasses",
    "TCloseness",
]
