"""What a measure is: from evidence to an estimate, or to rows, that are read beside chance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from unmask.about import About, defined
from unmask.data.release_kind import ReleaseKind
from unmask.engines import Engine
from unmask.measures.estimate import Estimate, NotEstimable, Row
from unmask.measures.evidence import FileEvidence, LinkEvidence


@runtime_checkable
class Measure(Protocol):
    """A measure of an attack.

    One that speaks only of what an attack claims says so by ``of_claims = True``.
    """

    @property
    def name(self) -> str:
        """The name in tables and on the command line."""
        ...

    @property
    def about(self) -> About:
        """What the measure is called, says and comes from."""
        ...

    def estimate(self, evidence: LinkEvidence) -> Estimate:
        """The measure's value; ``per_record`` has one entry per target."""
        ...


@runtime_checkable
class FileMeasure(Protocol):
    """A measure of the whole file.

    Three things a class may say beside: ``by_name = True``: it is taken only when it is named;
    ``of_synthetic = True``: unasked it is taken of synthetic releases only, of others when it is named;
    ``parts``: the About of every other name under which it makes rows.
    """

    @property
    def name(self) -> str:
        """The name in tables and on the command line."""
        ...

    @property
    def about(self) -> About:
        """What the measure is called, says and comes from."""
        ...

    @property
    def says_about(self) -> frozenset[ReleaseKind]:
        """The kinds of release about which it says something; of others it is not taken."""
        ...

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """Why the measure says nothing of these files; None if it does.

        A reason that is not ``declared`` means that nothing calls for the measure: nobody misses it.
        """
        ...

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """What it finds; a row that cannot be estimated has a reason in the place of its value."""
        ...


def abouts(measure: Measure | FileMeasure) -> dict[str, About]:
    """What a measure says of itself, for each name under which it makes rows.

    >>> from unmask.measures import measure_named
    >>> list(abouts(measure_named("special-uniques")))
    ['special-uniques', 'special-uniques-contribution']
    """
    parts: Mapping[str, About] = getattr(measure, "parts", {})
    return {measure.name: defined(measure), **parts}


def by_name(measure: FileMeasure) -> bool:
    """Whether the measure is taken only when it is named."""
    return bool(getattr(measure, "by_name", False))


def of_synthetic(measure: FileMeasure) -> bool:
    """Whether the measure is taken of a release that is not synthetic only when it is named.

    >>> from unmask.measures import measure_named
    >>> of_synthetic(measure_named("linkability")), of_synthetic(measure_named("k-anonymity"))
    (True, False)
    """
    return bool(getattr(measure, "of_synthetic", False))


def of_claims(measure: Measure) -> bool:
    """Whether the measure speaks only of what an attack claims, so that it fits no attack without claims."""
    return bool(getattr(measure, "of_claims", False))
