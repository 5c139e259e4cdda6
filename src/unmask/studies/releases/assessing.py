"""assess_releases(): the single and combined risk of several releases of the same people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import TYPE_CHECKING, Unpack

from unmask.about import defined
from unmask.assessment.asked import Asked, AskedOfReleases, requested
from unmask.assessment.experiments import attack_abouts
from unmask.assessment.request import Verb
from unmask.assessment.result import DocumentResult
from unmask.assessment.results import methods_of, scenario_section
from unmask.assessment.session import Session
from unmask.attacks import WorstCase
from unmask.documents import BASELINE, COMPARISON, ComparisonDocument, Table
from unmask.documents.understanding import UnderstandingSection
from unmask.engines import Engine
from unmask.errors import ArgumentError
from unmask.measures.estimate import Estimate
from unmask.studies.releases.comparison import release_rows

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, eq=False)
class Comparison(DocumentResult[ComparisonDocument]):
    """The risk of each release alone and of all combined. It holds counts and shares only."""

    format = COMPARISON

    def table(self) -> pl.DataFrame:
        """One row per attack, measure and release."""
        return self.document.table.frame()

    def estimate(self, attack: str, release: str, measure: str = "reidentification") -> Estimate:
        """The estimate in one row."""
        found = self.document.table.find(attack=attack, release=release, measure=measure)
        if found is None:
            raise ArgumentError(
                f"there is no row of '{attack}' on '{release}'", hint="look at the rows of table()"
            )
        return found

    def with_notes(self, notes: Sequence[str]) -> Comparison:
        """The comparison with these notes before its own."""
        return Comparison(replace(self.document, releases=self.document.releases.with_notes(notes)))


def assess_releases(
    original: object,
    released: object,
    earlier: Sequence[object],
    *,
    engine: Engine | None = None,
    **asked: Unpack[AskedOfReleases],
) -> Comparison:
    """How many more people an intruder finds in a release if they hold earlier releases of them too.

    Files are given as to :func:`unmask.assess`; a mask is applied to the original, each release with noise
    of its own. ``follow``: how they follow records from one release to the other: ``order``, ``key:COLUMN``,
    ``confidential`` or ``none``. ``candidates``: how many of a person's nearest records they consider in each
    release where they follow nothing.

    >>> from unmask.data.example import people
    >>> from unmask.masks import Noise
    >>> mask, numbers = Noise(a=0.5), ["age", "income", "rent", "commute"]
    >>> found = assess_releases(people(300), mask, [mask], follow="order", known=numbers, attacks=["dbrl"])
    >>> [(row.keys.release, round(row.estimate.value, 2)) for row in found.document.table]
    [('this', 0.17), ('earlier 1', 0.19), ('combined', 0.26), ('averaged', 0.26)]
    """
    whole: Asked = {**asked, "earlier": earlier}
    request, given = requested(Verb.COMPARE, original, released, whole)
    return comparison(Session(request, given, engine))


def comparison(session: Session) -> Comparison:
    """The comparison of releases that a session's request asks for."""
    rows, section = release_rows(session)
    scenario = session.request.scenario
    table = Table(tuple(rows))
    names = list(dict.fromkeys(row.keys.attack for row in rows if row.keys.attack is not None))
    real = {attack.name for attack in session.attacks if not isinstance(attack, WorstCase)}
    abouts = attack_abouts(session.attacks)
    abouts |= {measure.name: defined(measure) for measure in session.attack_measures}
    understood = UnderstandingSection.of(session.files.understanding)
    notes = [note for note in session.files.notes if note not in understood.notes]
    notes += session.plan.notes()
    return Comparison(
        ComparisonDocument(
            unmask=version("unmask"),
            seed=session.request.seed,
            scenario=replace(
                scenario_section(scenario, session.stage(), len(session.files.original)),
                missing=session.missing.value,
            ),
            releases=section.with_notes(notes),
            table=table,
            baselines=tuple(name for name in names if name == BASELINE),
            informed=tuple(name for name in names if name not in real),
            methods=methods_of(table, abouts),
            provenance=session.provenance(),
            understood=understood,
        )
    )
