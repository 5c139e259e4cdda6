"""What attacks and measures cost: seconds on one core, told by the sizes of the files alone.

No clock is asked, so the same request plans the same samples on any machine and under any load. One line per
method, calibrated by ``python -m bench.cost``, which prints the measured seconds beside these; they may be
off by a factor of two or three, since how far a search has to look also depends on the mask.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Sizes:
    """What a cost depends on.

    ``known``, ``released``: the records of both files; ``attributes``: those that are compared;
    ``secrets``: the confidential attributes, each of which a measure models.
    """

    known: int
    released: int
    attributes: int
    secrets: int = 1


@dataclass(frozen=True)
class Cost:
    """Microseconds of a method: for the files, and for each person it is tried on.

    Of k attributes, N known and M released records, the files take ``whole`` k (N + M), and each person
    ``each`` k M^``growth``: 0 where a person costs the same in any file, 1 where every record is looked at.
    ``once``: seconds that getting ready takes on files of any size.
    ``apart``: getting ready compares everybody known with every record, so that a sample saves nothing unless
    the intruder is taken to know nobody else.

    >>> cost = Cost(whole=1.0, each=0.5, growth=1.0)
    >>> sizes = Sizes(known=1000, released=1000, attributes=5)
    >>> cost.files(sizes), cost.person(sizes)
    (0.01, 0.0025)
    """

    whole: float
    each: float = 0.0
    growth: float = 0.0
    apart: bool = False
    once: float = 0.0

    def files(self, sizes: Sizes) -> float:
        """Seconds that it takes whoever it is tried on."""
        return self.once + self.whole * sizes.attributes * (sizes.known + sizes.released) / 1e6

    def person(self, sizes: Sizes) -> float:
        """Seconds for each person."""
        looked_at: float = sizes.released**self.growth
        return self.each * sizes.attributes * looked_at / 1e6


#: A method that is not listed: a plug-in, or one that is quick on any file.
UNLISTED = Cost(0.5, 1.0, 0.5)
UNLISTED_MEASURE = Cost(0.2)

ATTACKS: Mapping[str, Cost] = MappingProxyType(
    {
        "guess": Cost(0.25),
        "dbrl": Cost(0.5, 0.4, 0.1),
        "mahalanobis": Cost(0.5, 0.4, 0.1),
        "rbrl-sum": Cost(0.5, 0.4, 0.1),
        "rbrl-max": Cost(0.5, 0.4, 0.1),
        "prl": Cost(0.8, 0.6, 0.1, once=3.0),
        # Of series of 48 points, traces of 50 and graphs of 18 ties per person; their columns are counts.
        "series-values": Cost(5.0, 0.07, 0.5),
        "series-form": Cost(5.0, 0.07, 0.5),
        "series-slopes": Cost(5.0, 0.07, 0.5),
        "series-ranks": Cost(5.0, 0.07, 0.5),
        "series-distribution": Cost(5.0, 0.07, 0.5),
        "series-fourier": Cost(2.0, 0.12, 0.3),
        "series-amplitudes": Cost(2.0, 0.12, 0.3),
        "series-wavelets": Cost(2.0, 0.12, 0.3),
        "series-dtw": Cost(0.5, 0.025, 1.0),
        "traces": Cost(25.0, 8.0),
        "trace-scales": Cost(200.0, 60.0),
        "trace-visits": Cost(25.0, 20.0),
        "graph-signatures": Cost(15.0, 8.0),
        "graph-propagation": Cost(30.0),  # all nodes are mapped, whoever is asked for
        "guessed-mechanism": Cost(0.5, 0.003, 1.0, apart=True),
        "mechanism": Cost(0.5, 0.003, 1.0, apart=True),
        "mechanism-posterior": Cost(0.5, 0.003, 1.0, apart=True),
    }
)

#: A person is one whose attribute a model predicts, once for each secret.
MEASURES: Mapping[str, Cost] = MappingProxyType(
    {
        "model-disclosure": Cost(0.2, 90.0),
        "model-release": Cost(0.0),  # it takes the models of model-disclosure
        "model-own-record": Cost(0.2, 70.0),
        "model-attributes": Cost(0.2, 250.0),
        "model-absent": Cost(0.2, 90.0),
        "membership-density-ratio": Cost(2.0),
        "membership-vulnerable": Cost(1.0),
        "singling-out-univariate": Cost(0.5),
        "singling-out-multivariate": Cost(2.0),
        "linkability": Cost(0.3),
        "inference": Cost(0.3),
        "unicity": Cost(40.0),
        "node-signatures": Cost(60.0),
        "seeded-propagation": Cost(60.0),
    }
)


def attack_cost(name: str) -> Cost:
    """The cost of the attack of that name; parameters count for nothing.

    >>> attack_cost("mechanism:noise:a=0.1") == ATTACKS["mechanism"]
    True
    """
    return ATTACKS.get(name.partition(":")[0], UNLISTED)


def measure_cost(name: str) -> Cost:
    """The cost of the measure of the file of that name."""
    return MEASURES.get(name.partition(":")[0], UNLISTED_MEASURE)
