"""Single and combined risk of several sources of knowledge about the same people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import reduce

import numpy as np
import polars as pl

from unmask.assessment.trials import Stage
from unmask.attacks import Attack, WorstCase
from unmask.data.microdata import Ints, Masked, Microdata
from unmask.engines import Engine, LocalEngine
from unmask.errors import ArgumentError, UnmaskError
from unmask.intruder.dossier import Dossier
from unmask.intruder.scenario import Scenario
from unmask.intruder.truth import Truth
from unmask.measures import Estimate, Measure, NotEstimable, as_number
from unmask.measures.reidentification import Reidentification

COMBINED = "combined"
#: On whom a row rests: on all people of the source, or on those whom every source covers.
ALL, COMMON = "all", "common"


@dataclass(frozen=True)
class SourceRow:
    """One attack with one source, or with all of them combined, on all its people or those in common."""

    attack: str
    measure: str
    source: str
    whom: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    chance: float | None
    p_value: float | None
    reason: str | None = None


@dataclass(frozen=True)
class Held:
    """What one source holds: its attributes, how many people, with what error."""

    source: str
    attributes: tuple[str, ...]
    people: int
    error: float


@dataclass(frozen=True)
class SourceComparison:
    """The risk from each source alone and from all combined. It holds counts and shares only."""

    sources: tuple[Held, ...]
    people: int
    common: int
    rows: tuple[SourceRow, ...]
    notes: tuple[str, ...]

    def section(self) -> dict[str, object]:
        """Plain data, for the document of an assessment under ``sources``."""
        return {
            "sources": [{**asdict(held), "attributes": list(held.attributes)} for held in self.sources],
            "people": self.people,
            "common": self.common,
            "notes": list(self.notes),
            "rows": [asdict(row) for row in self.rows],
        }

    def table(self) -> pl.DataFrame:
        """The rows as a frame."""
        number = dict.fromkeys(("value", "low", "high", "chance", "p_value"), pl.Float64)
        return pl.DataFrame(
            [asdict(row) for row in self.rows], schema_overrides={**number, "reason": pl.String}
        )


@dataclass(frozen=True, eq=False)
class _View:
    """One source before the release: what is seen, what is true, and the people by their original rows."""

    name: str
    dossier: Dossier
    truth: Truth
    people: Ints


def compare_sources(
    original: Microdata,
    masked: Masked,
    scenario: Scenario,
    attacks: Sequence[Attack | WorstCase],
    *,
    measures: Sequence[Measure] | None = None,
    seed: int = 0,
    depth: int = 10,
    limit: float = 60.0,
    engine: Engine | None = None,
    announce: Callable[[str], None] | None = None,
) -> SourceComparison:
    """Attack a release with each of the intruder's sources alone, and with all of them combined.

    Each row is given for all people whom the source covers, and for those whom every source covers: only the
    latter compare like with like. The seed draws as in an assessment of the same scenario.

    >>> from unmask.attacks import DBRL
    >>> from unmask.data.example import people
    >>> from unmask.intruder.sources import Source
    >>> data = people(200)
    >>> register, friends = Source(("age", "sex")), Source(("income", "hours"), targets=50, error=0.1)
    >>> scenario = Scenario(sources=(register, friends))
    >>> found = compare_sources(data, Masked(data, np.arange(200)), scenario, [DBRL()])
    >>> [(row.source, row.whom, row.n) for row in found.rows][-2:]
    [('combined', 'all', 200), ('combined', 'common', 50)]
    """
    if len(scenario.sources) < 2:
        raise ArgumentError(
            "the scenario has no two sources to compare",
            hint="write Scenario(sources=(Source(...), Source(...)))",
        )
    staged = scenario.stage_sources(original, masked, seed)
    names = [*(f"source {i}" for i in range(1, len(staged))), COMBINED]
    views = [_View(name, *stage) for name, stage in zip(names, staged, strict=True)]
    common = reduce(np.intersect1d, [view.people for view in views])
    judged = list(measures) if measures is not None else [Reidentification()]
    rows: list[SourceRow] = []
    for attack in attacks:
        if announce is not None:
            announce(attack.name)
        for view in views:
            places = {ALL: np.arange(len(view.people)), COMMON: np.flatnonzero(np.isin(view.people, common))}
            for whom, tried in places.items():
                stage = Stage(
                    view.dossier, view.truth, tried, judged, depth, seed, engine or LocalEngine(), limit
                )
                rows += _rows(stage, attack, view.name, whom)
    held = tuple(
        Held(view.name, view.dossier.known.schema.names(), len(view.people), part.error)
        for view, part in zip(views, scenario.sources, strict=False)
    )
    return SourceComparison(
        held, len(views[-1].people), len(common), tuple(rows), tuple(_notes(held, views[-1], scenario))
    )


def _rows(stage: Stage, attack: Attack | WorstCase, source: str, whom: str) -> list[SourceRow]:
    reason = "no person is in every source"
    try:
        if len(stage.tried):
            return [
                _row(run.attack, name, source, whom, estimate)
                for run in stage.run(attack)
                for name, estimate in run.estimates.items()
            ]
    except UnmaskError as error:
        if source == COMBINED and whom == ALL:
            raise
        reason = error.message
    nothing = Estimate.none(NotEstimable(reason), per_record=np.empty(0))
    return [_row(attack.name, measure.name, source, whom, nothing) for measure in stage.measures]


def _row(attack: str, measure: str, source: str, whom: str, e: Estimate) -> SourceRow:
    return SourceRow(
        attack,
        measure,
        source,
        whom,
        e.number,
        e.low,
        e.high,
        e.n,
        e.baseline,
        as_number(e.p_value),
        e.reason,
    )


def _notes(held: Sequence[Held], combined: _View, scenario: Scenario) -> list[str]:
    notes = []
    for name in combined.dossier.known.schema.names():
        holders = [one for one in held if name in one.attributes]
        if len(holders) > 1:
            best = min(holders, key=lambda one: one.error)
            notes.append(
                f"'{name}' is in {len(holders)} sources: it is taken from {best.source}, which has the "
                "smallest error, and from another one for people whom that one lacks"
            )
    if combined.dossier.missing is not scenario.missing:
        notes.append(
            "some sources lack some people: what is not known of somebody counts for no record and against "
            "none, so combined knowledge is compared under 'ignore', missing values included"
        )
    return notes
