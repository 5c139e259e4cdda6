"""The masks: methods that turn an original file into a released one, by name and as classes."""

from __future__ import annotations

from unmask.masks.base import Mask, Masked
from unmask.masks.correlated_noise import CorrelatedNoise
from unmask.masks.individual_ranking import IndividualRanking
from unmask.masks.microaggregation import Microaggregation
from unmask.masks.multiplicative_noise import MultiplicativeNoise
from unmask.masks.noise import Noise
from unmask.masks.p_distribution_rank_swapping import PDistributionRankSwapping
from unmask.masks.rank_swapping import RankSwapping
from unmask.parsing import construct

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


def parse(text: str) -> Mask:
    """The mask that a text asks for.

    >>> parse("rank-swapping: p=5, attributes=age+income")
    RankSwapping(p=5.0, attributes=('age', 'income'))
    >>> parse("microaggregation:k=3+8,groups=a+b|c+d")
    Microaggregation(k=(3, 8), groups=(('a', 'b'), ('c', 'd')), attributes=None)
    """
    return construct(text, "mask", MASKS)


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
