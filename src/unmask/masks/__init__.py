"""The masks: methods that turn an original file into a released one; one per file, one line here for each.

An export that carries its :class:`~unmask.about.About` is registered under its name, and so is every entry
point of the group ``unmask.masks`` of another package.
"""

from __future__ import annotations

from collections.abc import Callable as _Callable
from collections.abc import Mapping
from collections.abc import Sequence as _Sequence

from unmask.errors import ArgumentError as _ArgumentError
from unmask.fields import shown as _shown
from unmask.masks.base import Declares as Declares
from unmask.masks.base import Mask as Mask
from unmask.masks.base import Masked as Masked
from unmask.masks.bottom_coding import BottomCoding as BottomCoding
from unmask.masks.cart import Cart as Cart
from unmask.masks.correlated_noise import CorrelatedNoise as CorrelatedNoise
from unmask.masks.exec import Exec as Exec
from unmask.masks.exec import check_trusted as check_trusted
from unmask.masks.families import FAMILIES as FAMILIES
from unmask.masks.function import Function as Function
from unmask.masks.global_recoding import GlobalRecoding as GlobalRecoding
from unmask.masks.graph_addition import EdgeAddition as EdgeAddition
from unmask.masks.graph_deletion import EdgeDeletion as EdgeDeletion
from unmask.masks.graph_k_degree import KDegree as KDegree
from unmask.masks.graph_swapping import EdgeSwapping as EdgeSwapping
from unmask.masks.independent import Independent as Independent
from unmask.masks.individual_ranking import IndividualRanking as IndividualRanking
from unmask.masks.local_suppression import LocalSuppression as LocalSuppression
from unmask.masks.microaggregation import Microaggregation as Microaggregation
from unmask.masks.multiplicative_noise import MultiplicativeNoise as MultiplicativeNoise
from unmask.masks.noise import Noise as Noise
from unmask.masks.p_distribution_rank_swapping import PDistributionRankSwapping as PDistributionRankSwapping
from unmask.masks.pipeline import Pipeline as Pipeline
from unmask.masks.pipeline import in_turn as _in_turn
from unmask.masks.pram import PRAM as PRAM
from unmask.masks.ranges import expand as expand
from unmask.masks.rank_swapping import RankSwapping as RankSwapping
from unmask.masks.series_aggregation import SeriesAggregation as SeriesAggregation
from unmask.masks.series_microaggregation import SeriesMicroaggregation as SeriesMicroaggregation
from unmask.masks.series_noise import SeriesNoise as SeriesNoise
from unmask.masks.series_rank_swapping import SeriesRankSwapping as SeriesRankSwapping
from unmask.masks.series_shift import SeriesShift as SeriesShift
from unmask.masks.strength import Strength as Strength
from unmask.masks.strength import made as _at_rung
from unmask.masks.top_coding import TopCoding as TopCoding
from unmask.masks.trace_coarsening import TraceCoarsening as TraceCoarsening
from unmask.masks.trace_suppression import TraceSuppression as TraceSuppression
from unmask.masks.trace_swapping import TraceSwapping as TraceSwapping
from unmask.parsing import steps as _steps
from unmask.registry import Registry

#: Every mask that can be asked for by name.
REGISTRY: Registry[Mask] = Registry("mask", __name__, does=("apply",), families=FAMILIES)

#: The class of every mask by its name.
MASKS: Mapping[str, type[Mask]] = REGISTRY.view(lambda entry: entry.kind)


def parse(text: str) -> Mask:
    """The mask that a text asks for; several, joined by the word ``then``, make a pipeline.

    >>> parse("rank-swapping: p=5, attributes=age+income")
    RankSwapping(p=5.0, attributes=('age', 'income'))
    >>> parse("microaggregation:k=3+8,groups=a+b|c+d")
    Microaggregation(k=(3, 8), groups=(('a', 'b'), ('c', 'd')), attributes=None)
    >>> parse("noise:a=0.1 then local-suppression:k=3").parts[0]
    Noise(a=0.1, attributes=None)
    """
    parts = _steps(text)
    if len(parts) > 1 and not all(parts):
        raise _ArgumentError(
            "a mask is missing beside 'then'", hint="write MASK then MASK, as in noise:a=0.1 then pram:p=5"
        )
    return _in_turn([REGISTRY.named(part) for part in parts])


def at_strength(name: str, rung: int, attributes: _Sequence[str] | None = None) -> Mask:
    """The mask of that name at a rung of its ladder, from 0, the weakest, on; see :class:`Strength`.

    >>> at_strength("microaggregation", 3, ["age", "income"])
    Microaggregation(k=5, groups=None, attributes=('age', 'income'))
    >>> MASKS["noise"].strength.ladder[-1]
    2.0
    """
    return _at_rung(REGISTRY.entry(name).kind, rung, attributes)


def as_mask(method: Mask | str | _Callable[..., object]) -> Mask:
    """The mask that is given: an object, the text of one, or a function of a frame and a seed.

    >>> as_mask("noise:a=0.1")
    Noise(a=0.1, attributes=None)
    >>> as_mask(Noise)
    Traceback (most recent call last):
    unmask.errors.ArgumentError: the mask is the class Noise, not an object of it. Hint: write ...
    """
    if isinstance(method, str):
        return parse(method)
    if not isinstance(method, type | Mask) and callable(method):
        return Function(method)
    if isinstance(method, type) or not isinstance(method, Mask):
        hint = "write its text, as in 'noise:a=0.1', or an object, as in unmask.masks.Noise(a=0.1)"
        raise _ArgumentError(f"the mask is {_shown(method)}", hint=hint)
    return method
