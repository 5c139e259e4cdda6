"""Uniqueness in the population: from a file of everybody, or from a sample with its weights."""

from unmask.measures.uniqueness.dis_suda import DisSUDA
from unmask.measures.uniqueness.household import HouseholdRisk
from unmask.measures.uniqueness.individual_risk import IndividualRisk, risk_threshold
from unmask.measures.uniqueness.log_linear import LogLinear, Quantity
from unmask.measures.uniqueness.misclassification import Misclassified
from unmask.measures.uniqueness.node_signatures import NodeSignatures
from unmask.measures.uniqueness.pitman import Pitman
from unmask.measures.uniqueness.population_uniques import PopulationUniques
from unmask.measures.uniqueness.unicity import Unicity
from unmask.measures.uniqueness.unique_in_population import UniqueInPopulation
from unmask.measures.uniqueness.zayatz import Zayatz

__all__ = [
    "DisSUDA",
    "HouseholdRisk",
    "IndividualRisk",
    "LogLinear",
    "Misclassified",
    "NodeSignatures",
    "Pitman",
    "PopulationUniques",
    "Quantity",
    "Unicity",
    "UniqueInPopulation",
    "Zayatz",
    "risk_threshold",
]
