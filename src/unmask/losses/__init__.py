"""Losses: what a release is no longer good for. One file and one line here for each."""

from __future__ import annotations

from collections.abc import Mapping

from unmask.losses.base import Loss as Loss
from unmask.losses.base import Values as Values
from unmask.losses.base import by_name_only as by_name_only
from unmask.losses.correlations import Correlations as Correlations
from unmask.losses.covariances import Covariances as Covariances
from unmask.losses.ctbil import CTBIL as CTBIL
from unmask.losses.detail import Detail as Detail
from unmask.losses.direct_comparison import DirectComparison as DirectComparison
from unmask.losses.discriminator import Discriminator as Discriminator
from unmask.losses.ebil import EBIL as EBIL
from unmask.losses.eigenvalues import Eigenvalues as Eigenvalues
from unmask.losses.encoding import MOST_PEOPLE as MOST_PEOPLE
from unmask.losses.encoding import loss_evidence as loss_evidence
from unmask.losses.evidence import LossAttribute as LossAttribute
from unmask.losses.evidence import LossEvidence as LossEvidence
from unmask.losses.evidence import Side as Side
from unmask.losses.families import FAMILIES as FAMILIES
from unmask.losses.graph_clustering import GraphClustering as GraphClustering
from unmask.losses.graph_degrees import GraphDegrees as GraphDegrees
from unmask.losses.graph_ties import GraphTies as GraphTies
from unmask.losses.hellinger import Hellinger as Hellinger
from unmask.losses.il1s import IL1s as IL1s
from unmask.losses.interval_overlap import IntervalOverlap as IntervalOverlap
from unmask.losses.inverse_correlation import InverseCorrelation as InverseCorrelation
from unmask.losses.kolmogorov_smirnov import KolmogorovSmirnov as KolmogorovSmirnov
from unmask.losses.means import Means as Means
from unmask.losses.model_accuracy import ModelAccuracy as ModelAccuracy
from unmask.losses.pil import PIL as PIL
from unmask.losses.pmse import PMSE as PMSE
from unmask.losses.quantiles import Quantiles as Quantiles
from unmask.losses.references import INDEPENDENT as INDEPENDENT
from unmask.losses.references import RESAMPLED as RESAMPLED
from unmask.losses.references import loss_rows as loss_rows
from unmask.losses.references import values_of as values_of
from unmask.losses.series_autocorrelation import SeriesAutocorrelation as SeriesAutocorrelation
from unmask.losses.series_error import SeriesError as SeriesError
from unmask.losses.series_spectrum import SeriesSpectrum as SeriesSpectrum
from unmask.losses.specks import SPECKS as SPECKS
from unmask.losses.suppression import Suppression as Suppression
from unmask.losses.total_variation import TotalVariation as TotalVariation
from unmask.losses.trace_flows import TraceFlows as TraceFlows
from unmask.losses.trace_places import TracePlaces as TracePlaces
from unmask.losses.trace_times import TraceTimes as TraceTimes
from unmask.losses.variances import Variances as Variances
from unmask.registry import Registry

#: Every loss, by family and rank.
REGISTRY: Registry[Loss] = Registry("loss", __name__, does=("values",), families=FAMILIES)

#: Every loss with its usual parameters, by name.
LOSSES: Mapping[str, Loss] = REGISTRY.view(lambda entry: entry.made())


def loss_named(text: str) -> Loss:
    """The loss that a text asks for, by its name or with parameters.

    >>> loss_named("il1s").about.family.name
    'records'
    """
    return REGISTRY.named(text)
