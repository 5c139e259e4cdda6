"""knowledge_curves(): one attack or several, tried on what ever more knowing intruders hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import version
from typing import Any, Unpack

import numpy as np

from unmask.about import defined
from unmask.assessment.asked import Asked, requested
from unmask.assessment.request import Grid, Verb
from unmask.assessment.results import methods_of, scenario_section
from unmask.assessment.session import Session
from unmask.assessment.stage import Stage
from unmask.attacks import Attack, WorstCase
from unmask.documents import Table
from unmask.documents.knowledge import ERROR, PATH, SETS, SHARE, KnowledgeDocument
from unmask.documents.understanding import UnderstandingSection
from unmask.engines import Engine
from unmask.errors import ArgumentError
from unmask.intruder.scenario import Scenario
from unmask.measures import Reidentification
from unmask.measures.estimate import Keys, Row
from unmask.studies.knowledge.results import KnowledgeCurves, summed_up
from unmask.studies.knowledge.sets import Names, full_sizes, sets_up_to

MEASURES = (Reidentification(),)


def knowledge_curves(
    original: object,
    released: object,
    *,
    attack: Attack | WorstCase | str | Sequence[Attack | WorstCase | str] = "dbrl",
    grid: Grid | None = None,
    engine: Engine | None = None,
    **asked: Unpack[Asked],
) -> KnowledgeCurves:
    """Risk as a function of what the intruder knows: which attributes, how exactly, of how many people.

    Re-identification (expected reading of ties) over a :class:`~unmask.assessment.request.Grid`: every set
    of up to a size, the greedy path from there on, errors, and shares of the people. Minimal sets are the
    minimal unsafe combinations of statistical disclosure control (Willenborg and de Waal 1996) with risk in
    place of uniqueness. With several attacks, a set's risk is that of the attack which finds most.

    ``known``: the attributes to choose from; by default all that both files have. A blocking attribute of
    the scenario is used by an intruder who knows it. The rest is as for :func:`unmask.assess`.

    >>> import polars as pl
    >>> people = pl.DataFrame({"age": [20.5, 30, 30, 50], "pay": [1.5, 4, 2, 2], "sex": ["f", "m", "f", "m"]})
    >>> grid = Grid(threshold=0.9, errors=(0, 9))
    >>> curves = knowledge_curves(people, people, grid=grid, known=["age", "pay", "sex"])
    >>> [(row.keys.known, row.estimate.value) for row in curves.minimal_sets()]
    [(('age', 'pay'), 1.0), (('age', 'sex'), 1.0), (('pay', 'sex'), 1.0)]
    >>> curves.table().filter(curve="error")["value"].to_list()
    [1.0, 0.25]
    """
    if "attacks" in asked:
        raise ArgumentError("attacks are given", hint="name them as attack='dbrl', or attack=['dbrl', 'prl']")
    several = isinstance(attack, Sequence) and not isinstance(attack, str)
    named: list[Any] = list(attack) if several else [attack]  # type: ignore[arg-type]
    request, given = requested(Verb.KNOWLEDGE, original, released, {**asked, "attacks": named}, grid)
    return curves_of(Session(request, given, engine))


def curves_of(session: Session) -> KnowledgeCurves:
    """The curves that a session's request asks for: a grid of experiments by what the intruder knows."""
    grid, base = session.request.grid, session.request.scenario
    vague = [replace(base, error=float(error)) for error in sorted(set(grid.errors))]
    fewer = [replace(base, targets=_targets(share)) for share in sorted(set(grid.shares))]
    trials = _Trials(session)
    enumerated = full_sizes(len(trials.attributes), grid.size, grid.limit)
    trials.expect(_steps(len(trials.attributes), enumerated) + len(vague) + len(fewer))
    sets = [row for names in sets_up_to(trials.attributes, enumerated) for row in trials.of(names, SETS)]
    rows = [*sets, *_path(trials, sets, enumerated)]
    rows += [row for other in vague for row in trials.under(other, ERROR)]
    rows += [row for other in fewer for row in trials.under(other, SHARE)]
    return KnowledgeCurves(_document(session, trials, rows, enumerated))


def _targets(share: float) -> float | None:
    """The people of a point of the curve; all of them are everybody."""
    return None if share == 1 else float(share)


def _document(session: Session, trials: _Trials, rows: Sequence[Row], enumerated: int) -> KnowledgeDocument:
    request, stage, table = session.request, session.stage(), Table(tuple(rows))
    scenario = scenario_section(request.scenario, stage, len(session.files.original))
    abouts = {attack.name: defined(attack) for attack in session.attacks}
    abouts |= {measure.name: defined(measure) for measure in MEASURES}
    steps, by_attribute, minimal = summed_up(table, trials.attributes, request.grid.threshold)
    return KnowledgeDocument(
        unmask=version("unmask"),
        seed=request.seed,
        scenario=replace(scenario, missing=session.missing.value, error=request.scenario.error),
        sizes=session.sizes(stage),
        attacks=tuple(attack.name for attack in session.attacks),
        notes=session.notes + tuple(trials.notes),
        threshold=request.grid.threshold,
        size=request.grid.size,
        enumerated=enumerated,
        limit=request.grid.limit,
        steps=steps,
        by_attribute=by_attribute,
        minimal=minimal,
        table=table,
        methods=methods_of(table, abouts),
        provenance=session.provenance(),
        understood=UnderstandingSection.of(session.files.understanding),
    )


def _steps(attributes: int, enumerated: int) -> int:
    """How many sets are tried in all: the enumerated ones, and every addition on the greedy path."""
    listed = sum(1 for _ in sets_up_to([""] * attributes, enumerated))
    return listed + sum(attributes - k for k in range(enumerated, attributes))


class _Trials:
    """The attacks on one pair of files, which are staged once for all sets of attributes.

    So an attribute that is known with error has the same error in every set.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._done = self._total = 0
        self.notes: dict[str, None] = {}
        self.attributes: Names = session.stage().dossier.known.schema.names()

    def expect(self, sets: int) -> None:
        """So many sets will be tried."""
        self._total = sets * len(self._session.attacks)
        self._session.watcher.begin("sets of attributes")

    def of(self, names: Names, curve: str) -> list[Row]:
        """One row per attack for an intruder who knows these attributes."""
        base = self._session.stage()
        return self._rows(self._session.knowing(base, names), self._session.request.scenario, curve)

    def under(self, scenario: Scenario, curve: str) -> list[Row]:
        """One row per attack for who knows all attributes, with that error or of those people."""
        return self._rows(self._session.stage(scenario), scenario, curve)

    def _rows(self, stage: Stage, scenario: Scenario, curve: str) -> list[Row]:
        names = stage.dossier.known.schema.names()
        rows = []
        for attack in self._session.attacks:
            run = self._session.runs(attack, stage, MEASURES, depth=1)[0]
            if names == self.attributes:
                self.notes |= dict.fromkeys(f"{attack.name}: {note}" for note in run.notes)
            (measure, estimate), *_ = run.estimates.items()
            people = len(stage.people)
            keys = Keys(measure, attack.name, curve=curve, known=names, error=scenario.error, targets=people)
            rows.append(Row(keys, estimate))
            self._done += 1
            self._session.watcher.advance(self._done, self._total)
        return rows


def _path(trials: _Trials, sets: Sequence[Row], enumerated: int) -> list[Row]:
    """From the best of the largest sets on, add the attribute that raises the risk most, to the last."""
    largest = [row for row in sets if len(row.keys.known or ()) == enumerated]
    held = max(largest, key=_value).keys.known or ()
    path: list[Row] = []
    while len(held) < len(trials.attributes):
        larger = [
            trials.of(tuple(name for name in trials.attributes if name in held or name == added), PATH)
            for added in trials.attributes
            if added not in held
        ]
        best = larger[int(np.argmax([max(map(_value, rows)) for rows in larger]))]
        held = best[0].keys.known or ()
        path += best
    return path


def _value(row: Row) -> float:
    return -1.0 if row.estimate.number is None else row.estimate.number
