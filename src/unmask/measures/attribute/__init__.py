"""Attribute disclosure: what an intruder learns without finding anybody's record."""

from unmask.measures.attribute.absent import AbsentAttributes
from unmask.measures.attribute.categorical import SimpleDisclosure
from unmask.measures.attribute.cells import CellDisclosure
from unmask.measures.attribute.clusters import ClusterDisclosure
from unmask.measures.attribute.clusters_dominance import ClusterDominance
from unmask.measures.attribute.drisk import DRisk
from unmask.measures.attribute.drisk_rmd import DRiskRMD
from unmask.measures.attribute.groups import GroupIntruder
from unmask.measures.attribute.interval_rank import RankInterval
from unmask.measures.attribute.interval_sd import SdInterval
from unmask.measures.attribute.model_attributes import FewestAttributes
from unmask.measures.attribute.model_differences import Adds, ModelDifference
from unmask.measures.attribute.model_disclosure import ModelDisclosure
from unmask.measures.attribute.models import Modelling

__all__ = [
    "AbsentAttributes",
    "Adds",
    "CellDisclosure",
    "ClusterDisclosure",
    "ClusterDominance",
    "DRisk",
    "DRiskRMD",
    "FewestAttributes",
    "GroupIntruder",
    "ModelDifference",
    "ModelDisclosure",
    "Modelling",
    "RankInterval",
    "SdInterval",
    "SimpleDisclosure",
]
