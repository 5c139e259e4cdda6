"""Linkage attacks: one per file, one line here for each.

An export that carries its :class:`~unmask.about.About` is registered under its name, and so is every entry
point of the group ``unmask.attacks`` of another package.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from unmask.attacks.alignment import Alignment as Alignment
from unmask.attacks.base import UNION_ABOUT as UNION_ABOUT
from unmask.attacks.base import Attack as Attack
from unmask.attacks.base import Claims as Claims
from unmask.attacks.base import Divides as Divides
from unmask.attacks.base import LearnedMatcher as LearnedMatcher
from unmask.attacks.base import Margins as Margins
from unmask.attacks.base import Matcher as Matcher
from unmask.attacks.base import Usual as Usual
from unmask.attacks.base import WorstCase as WorstCase
from unmask.attacks.base import needs_numbers as needs_numbers
from unmask.attacks.combined import Combined as Combined
from unmask.attacks.dbrl import DBRL as DBRL
from unmask.attacks.families import FAMILIES as FAMILIES
from unmask.attacks.fuzzy_integrals import Choquet as Choquet
from unmask.attacks.fuzzy_integrals import Sugeno as Sugeno
from unmask.attacks.graph_propagation import GraphPropagation as GraphPropagation
from unmask.attacks.graph_signatures import GraphSignatures as GraphSignatures
from unmask.attacks.guess import Guess as Guess
from unmask.attacks.guessed_mechanism import GuessedMechanism as GuessedMechanism
from unmask.attacks.kernel import PolynomialKernel as PolynomialKernel
from unmask.attacks.learned import LEARNED as LEARNED
from unmask.attacks.learned import LearnedDistance as LearnedDistance
from unmask.attacks.mahalanobis import Mahalanobis as Mahalanobis
from unmask.attacks.mask_aware import MaskAware as MaskAware
from unmask.attacks.mechanism import KnownMechanism as KnownMechanism
from unmask.attacks.one_to_one import OneToOne as OneToOne
from unmask.attacks.owa import OWA as OWA
from unmask.attacks.partitions import Partitions as Partitions
from unmask.attacks.prl import PRL as PRL
from unmask.attacks.rbrl import RBRL as RBRL
from unmask.attacks.rbrl import RankCriterion as RankCriterion
from unmask.attacks.rbrl_marginality import MarginalityRBRL as MarginalityRBRL
from unmask.attacks.record_score import RankedScore as RankedScore
from unmask.attacks.schema_matching import SchemaMatching as SchemaMatching
from unmask.attacks.series_amplitudes import SeriesAmplitudes as SeriesAmplitudes
from unmask.attacks.series_distribution import SeriesDistribution as SeriesDistribution
from unmask.attacks.series_dtw import SeriesDTW as SeriesDTW
from unmask.attacks.series_form import SeriesForm as SeriesForm
from unmask.attacks.series_fourier import SeriesFourier as SeriesFourier
from unmask.attacks.series_ranks import SeriesRanks as SeriesRanks
from unmask.attacks.series_slopes import SeriesSlopes as SeriesSlopes
from unmask.attacks.series_values import SeriesValues as SeriesValues
from unmask.attacks.series_wavelets import SeriesWavelets as SeriesWavelets
from unmask.attacks.structural import Structural as Structural
from unmask.attacks.trace_scales import TraceScales as TraceScales
from unmask.attacks.trace_visits import TraceVisits as TraceVisits
from unmask.attacks.traces import Traces as Traces
from unmask.registry import Registered, Registry

AnyAttack: TypeAlias = Attack | WorstCase

#: Every attack that can be asked for by name.
REGISTRY: Registry[AnyAttack] = Registry("attack", __name__, does=("prepare", "learn"), families=FAMILIES)


def _usual(when: Usual) -> Callable[[Registered[AnyAttack]], Attack | None]:
    """The attack of an entry, if it is made at such files without being named."""

    def attack(entry: Registered[AnyAttack]) -> Attack | None:
        if when not in getattr(entry.method, "usual", Usual(0)):
            return None
        made = entry.made()
        return made if isinstance(made, Attack) else None

    return attack


def _with_parameters(entry: Registered[AnyAttack]) -> type[Any] | None:
    return entry.kind if entry.parameters else None


#: The attacks that are made when none are named, in the order in which tables show them.
ATTACKS: Mapping[str, Attack] = REGISTRY.view(_usual(Usual.COMMON))

#: The attacks that are made when none are named and the files share no attribute.
WITHOUT_COMMON: Mapping[str, Attack] = REGISTRY.view(_usual(Usual.NOTHING_COMMON))

#: The attacks that are made when none are named and people have content of their ``shape`` beside their rows.
OF_CONTENT: Mapping[str, Attack] = REGISTRY.view(_usual(Usual.CONTENT))

#: Attacks with parameters of their own, which a user gives: ``owa:alpha=2``.
METHODS: Mapping[str, type[Attack] | type[WorstCase]] = REGISTRY.view(_with_parameters)


def attack_named(text: str) -> Attack | WorstCase:
    """The attack that a text asks for, by its name or with parameters.

    >>> attack_named("rbrl-max")
    RBRL(criterion=<RankCriterion.MAX: 'max'>)
    >>> attack_named("owa:alpha=3").name
    'owa:alpha=3'
    """
    return REGISTRY.named(text)
