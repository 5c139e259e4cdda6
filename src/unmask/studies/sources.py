"""Single and combined risk of several sources of knowledge about the same people: a grid by source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from unmask.assessment.session import Session
from unmask.assessment.stage import Stage
from unmask.attacks import Attack, WorstCase
from unmask.data.missing import Missing
from unmask.documents.sections import SourceSection, SourcesSection
from unmask.errors import ArgumentError, UnmaskError
from unmask.measures import Reidentification
from unmask.measures.estimate import Estimate, Keys, NotEstimable, Row

COMBINED = "combined"
#: On whom a row rests: on all people of the source, or on those whom every source covers.
ALL, COMMON = "all", "common"

MEASURES = (Reidentification(),)


@dataclass(frozen=True, eq=False)
class _View:
    """One source before the release: on all its people, and on those whom every source covers."""

    name: str
    all: Stage
    common: Stage

    @property
    def attributes(self) -> tuple[str, ...]:
        return self.all.dossier.known.schema.names()


def source_rows(session: Session) -> tuple[list[Row], SourcesSection]:
    """Attack a release with each of the intruder's sources alone, and with all of them combined.

    Each row is given for all people whom the source covers, and for those whom every source covers: only the
    latter compare like with like. The seed draws as in an assessment of the same scenario.

    >>> from unmask.assessment.asked import requested
    >>> from unmask.assessment.request import Verb
    >>> from unmask.data.example import people
    >>> from unmask.intruder.scenario import Scenario
    >>> from unmask.intruder.sources import Source
    >>> register, friends = Source(("age", "sex")), Source(("income", "hours"), targets=50, error=0.1)
    >>> asked = {"scenario": Scenario(sources=(register, friends)), "attacks": ["dbrl"]}
    >>> rows, section = source_rows(Session(*requested(Verb.ASSESS, people(200), people(200), asked)))
    >>> [(row.keys.source, row.keys.people, row.estimate.n) for row in rows][-2:]
    [('combined', 'all', 200), ('combined', 'common', 50)]
    """
    scenario = session.request.scenario
    if len(scenario.sources) < 2:
        raise ArgumentError(
            "the scenario has no two sources to compare",
            hint="write Scenario(sources=(Source(...), Source(...)))",
        )
    views = _views(session)
    rows: list[Row] = []
    for attack in session.attacks:
        session.watcher.begin(f"{attack.name} by source")
        for view in views:
            rows += _rows(session, attack, view)
    held = tuple(
        SourceSection(view.name, view.attributes, len(view.all.people), part.error)
        for view, part in zip(views, scenario.sources, strict=False)
    )
    combined = views[-1]
    notes = tuple(_notes(held, combined, session.missing))
    return rows, SourcesSection(held, len(combined.all.people), len(combined.common.tried), notes)


def _views(session: Session) -> list[_View]:
    files, request = session.files, session.request
    staged = request.scenario.stage_sources(files.original, files.masked, request.seed)
    names = [*(f"source {i}" for i in range(1, len(staged))), COMBINED]
    common = reduce(np.intersect1d, [people for _, _, people in staged])
    views = []
    for name, (dossier, truth, people) in zip(names, staged, strict=True):
        stage = Stage(dossier, truth, people, np.arange(len(people)))
        views.append(_View(name, stage, stage.trying(np.flatnonzero(np.isin(people, common)))))
    return views


def _rows(session: Session, attack: Attack | WorstCase, view: _View) -> list[Row]:
    rows: list[Row] = []
    for whom, stage in ((ALL, view.all), (COMMON, view.common)):
        found: list[tuple[str, str, Estimate]]
        why = NotEstimable("no person is in every source")
        try:
            stage = session.within(attack, stage)
            runs = session.runs(attack, stage, MEASURES) if len(stage.tried) else ()
            found = [(run.attack, name, e) for run in runs for name, e in run.estimates.items()]
        except UnmaskError as error:
            if view.name == COMBINED and whom == ALL:
                raise
            found, why = [], NotEstimable(error.message)
        found = found or [(attack.name, measure.name, Estimate.none(why)) for measure in MEASURES]
        rows += [Row(Keys(m, name, source=view.name, people=whom), e) for name, m, e in found]
    return rows


def _notes(held: Sequence[SourceSection], combined: _View, missing: Missing) -> list[str]:
    notes = []
    for name in combined.attributes:
        holders = [one for one in held if name in one.attributes]
        if len(holders) > 1:
            best = min(holders, key=lambda one: one.error)
            notes.append(
                f"'{name}' is in {len(holders)} sources: it is taken from {best.source}, which has the "
                "smallest error, and from another one for people whom that one lacks"
            )
    if combined.all.dossier.missing is not missing:
        notes.append(
            "some sources lack some people: what is not known of somebody counts for no record and against "
            "none, so combined knowledge is compared under 'ignore', missing values included"
        )
    return notes
