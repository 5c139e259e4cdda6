"""The masks: methods that turn an original file into a released one, by name and as classes."""

from __future__ import annotations

from unmask.masks.base import Mask, Masked
from unmask.masks.correlated_noise import CorrelatedNoise
from unmask.masks.individual_ranking import IndividualRanking
from unmask.masks.microaggregation import Microaggregation
from unmask.masks.multiplicative_noise import MultiplicativeNoise
from unmask.masks.noise import Noise
from unmask.masks.p_distribution_rank_swapping import PDistributionRankSwapping
from unmask.masks.parse import parse
from unmask.masks.rank_swapping import RankSwapping

#: Every mask that can be asked for by name. A new mask is one file and one line here.
MASKS: dict[str, type[Mask]] = {
    Noise.name: Noise,
    CorrelatedNoise.name: CorrelatedNoise,
    MultiplicativeNoise.name: MultiplicativeNoise,
    RankSwapping.name: RankSwapping,
    PDistributionRankSwapping.name: PDistributionRankSwapping,
    IndividualRanking.name: IndividualRanking,
    Microaggregation.name: Microaggregation,
}

__all__ = [
    "MASKS",
    "CorrelatedNoise",
    "IndividualRanking",
    "Mask",
    "Masked",
    "Microaggregation",
    "MultiplicativeNoise",
    "Noise",
    "PDistributionRankSwapping",
    "RankSwapping",
    "parse",
]
