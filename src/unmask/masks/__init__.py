"""The masks: methods that turn an original file into a released one, by name and as classes."""

from __future__ import annotations

from unmask.masks.base import Declares, Mask, Masked
from unmask.masks.bottom_coding import BottomCoding
from unmask.masks.correlated_noise import CorrelatedNoise
from unmask.masks.global_recoding import GlobalRecoding
from unmask.masks.individual_ranking import IndividualRanking
from unmask.masks.local_suppression import LocalSuppression
from unmask.masks.microaggregation import Microaggregation
from unmask.masks.multiplicative_noise import MultiplicativeNoise
from unmask.masks.noise import Noise
from unmask.masks.p_distribution_rank_swapping import PDistributionRankSwapping
from unmask.masks.pram import PRAM
from unmask.masks.rank_swapping import RankSwapping
from unmask.masks.top_coding import TopCoding
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
    TopCoding.name: TopCoding,
    BottomCoding.name: BottomCoding,
    GlobalRecoding.name: GlobalRecoding,
    PRAM.name: PRAM,
    LocalSuppression.name: LocalSuppression,
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
    "PRAM",
    "BottomCoding",
    "CorrelatedNoise",
    "Declares",
    "GlobalRecoding",
    "IndividualRanking",
    "LocalSuppression",
    "Mask",
    "Masked",
    "Microaggregation",
    "MultiplicativeNoise",
    "Noise",
    "PDistributionRankSwapping",
    "RankSwapping",
    "TopCoding",
    "parse",
]
