"""What intruders do with a synthetic file, in which no record is anybody's."""

from unmask.measures.synthetic.attribution import CorrectAttribution, Variant
from unmask.measures.synthetic.disco import DiSCO
from unmask.measures.synthetic.inference import NearestInference
from unmask.measures.synthetic.linkability import Linkability
from unmask.measures.synthetic.replicated_uniques import ReplicatedUniques
from unmask.measures.synthetic.singling_out import Predicates, SinglingOut

__all__ = [
    "CorrectAttribution",
    "DiSCO",
    "Linkability",
    "NearestInference",
    "Predicates",
    "ReplicatedUniques",
    "SinglingOut",
    "Variant",
]
