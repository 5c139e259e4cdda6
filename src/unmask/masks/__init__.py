"""The masks: methods that turn an original file into a released one; one per file, one line here for each.

An export that carries its :class:`~unmask.about.About` is registered under its name, and so is every entry
point of the group ``unmask.masks`` of another package.
"""

from __future__ import annotations

from collections.abc import Mapping

from unmask.errors import ArgumentError as _ArgumentError
from unmask.fields import shown as _shown
from unmask.masks.base import Declares as Declares
from unmask.masks.base import Mask as Mask
from unmask.masks.base import Masked as Masked
from unmask.masks.bottom_coding import BottomCoding as BottomCoding
from unmask.masks.correlated_noise import CorrelatedNoise as CorrelatedNoise
from unmask.masks.families import FAMILIES as FAMILIES
from unmask.masks.global_recoding import GlobalRecoding as GlobalRecoding
from unmask.masks.individual_ranking import IndividualRanking as IndividualRanking
from unmask.masks.local_suppression import LocalSuppression as LocalSuppression
from unmask.masks.microaggregation import Microaggregation as Microaggregation
from unmask.masks.multiplicative_noise import MultiplicativeNoise as MultiplicativeNoise
from unmask.masks.noise import Noise as Noise
from unmask.masks.p_distribution_rank_swapping import PDistributionRankSwapping as PDistributionRankSwapping
from unmask.masks.pram import PRAM as PRAM
from unmask.masks.rank_swapping import RankSwapping as RankSwapping
from unmask.masks.top_coding import TopCoding as TopCoding
from unmask.registry import Registry

#: Every mask that can be asked for by name.
REGISTRY: Registry[Mask] = Registry("mask", __name__, does=("apply",), families=FAMILIES)

#: The class of every mask by its name.
MASKS: Mapping[str, type[Mask]] = REGISTRY.view(lambda entry: entry.kind)


def parse(text: str) -> Mask:
    """The mask that a text asks for.

    >>> parse("rank-swapping: p=5, attributes=age+income")
    RankSwapping(p=5.0, attributes=('age', 'income'))
    >>> parse("microaggregation:k=3+8,groups=a+b|c+d")
    Microaggregation(k=(3, 8), groups=(('a', 'b'), ('c', 'd')), attributes=None)
    """
    return REGISTRY.named(text)


def as_mask(method: Mask | str) -> Mask:
    """The mask that is given: an object, or the text of one.

    >>> as_mask("noise:a=0.1")
    Noise(a=0.1, attributes=None)
    >>> as_mask(Noise)
    Traceback (most recent call last):
    unmask.errors.ArgumentError: the mask is the class Noise, not an object of it. Hint: write ...
    """
    if isinstance(method, str):
        return parse(method)
    if isinstance(method, type) or not isinstance(method, Mask):
        hint = "write its text, as in 'noise:a=0.1', or an object, as in unmask.masks.Noise(a=0.1)"
        raise _ArgumentError(f"the mask is {_shown(method)}", hint=hint)
    return method
