"""assess(): every attack against one release, each read beside chance, and what is learned without one."""

from __future__ import annotations

from functools import partial
from typing import Unpack

from unmask.about import About, defined
from unmask.assessment.asked import Asked, requested
from unmask.assessment.request import Verb
from unmask.assessment.results import Assessment, assessment_of
from unmask.assessment.runs import Run
from unmask.assessment.session import Session
from unmask.engines import Engine
from unmask.engines.memory import give_back
from unmask.measures import abouts, why_not
from unmask.measures.estimate import Estimate, Keys, Row
from unmask.report.phrases import Reached
from unmask.studies.conclusion import ABOUTS, conclusion
from unmask.studies.losses import loss_rows_of
from unmask.studies.releases import release_rows
from unmask.studies.sources import source_rows


def assess(
    original: object, released: object, *, engine: Engine | None = None, **asked: Unpack[Asked]
) -> Assessment:
    """Attack a released file with every method and say how many records each re-identifies.

    ``original`` and ``released`` are frames with the Arrow interface, paths or Microdata; ``released`` may
    also be a mask, which is then applied to the original. What else may be asked is listed at
    :class:`~unmask.assessment.asked.Asked`, and explained at :class:`~unmask.assessment.request.Request`.
    ``engine``: where the work runs; its watcher shows progress and may cancel.

    >>> import polars as pl
    >>> people = pl.DataFrame({"age": [20.5, 30, 40, 50], "income": [1.0, 4.5, 2.0, 8.0]})
    >>> from unmask.masks import Noise
    >>> risk = assess(people, Noise(a=0.01), known=["age", "income"], attacks=["guess", "dbrl"], seed=1)
    >>> risk.worst().keys.attack, risk.worst().estimate.value
    ('dbrl', 1.0)
    """
    request, given = requested(Verb.ASSESS, original, released, asked)
    return assessment(Session(request, given, engine))


def assessment(session: Session) -> Assessment:
    """The assessment that a session's request asks for: a grid with one release and one scenario.

    Earlier releases, or several sources of knowledge, make the grid wider: their rows have more keys.
    """
    _check_files(session)
    runs = attack_runs(session)
    more, releases, sources = [], None, None
    if session.request.files.earlier and session.attacks:
        found, releases = release_rows(session)
        more += found
    if len(session.request.scenario.sources) > 1 and session.attacks:
        found, sources = source_rows(session)
        more += found
    rows, texts = file_rows(session)
    losses, of_losses = loss_rows_of(session)
    found, concluded = conclusion(session, runs)
    told = {**ABOUTS, **texts, **of_losses}
    return assessment_of(session, runs, rows, told, losses, [*more, *found], releases, sources, concluded)


def _check_files(session: Session) -> None:
    """Files that cannot be used are refused before the attacks take their time."""
    evidence = session.evidence
    if evidence.population is not None:
        for measure in session.file_measures:
            why_not(measure, evidence)  # which refuses a population that the original is no sample of


def attack_runs(session: Session) -> tuple[Run, ...]:
    """Every attack of the request on the release before its intruder."""
    runs: list[Run] = []
    for line in session.plan.lines():
        session.watcher.tell(line)
    for attack in session.attacks:
        session.watcher.begin(attack.name)
        for run in session.attempts(attack):
            session.watcher.tell(_outcome(run))
            runs.append(run)
        give_back()  # the next attack has an index of its own
    return tuple(runs)


def _outcome(run: Run) -> str:
    """What an attack found, in a line."""
    for estimate in run.estimates.values():
        found = Reached.of(estimate)
        if found is not None:
            return f"{run.attack}: {found.rate} found ({found.correct}), {found.chance} by chance"
    return f"{run.attack}: not estimable"


def file_rows(session: Session) -> tuple[list[Row], dict[str, About]]:
    """What the measures of the file say, and of themselves.

    A measure that nothing calls for is left out, unless it was asked for by name. One that says nothing about
    this kind of release has a row that says why, and no value.
    """
    rows: list[Row] = []
    texts = {measure.name: defined(measure) for measure in session.attack_measures}
    for measure in session.file_measures:
        texts |= abouts(measure)
        why = why_not(measure, session.evidence)
        if why is None:
            session.watcher.begin(measure.name)
            taken = partial(measure.rows, session.evidence, session.engine)
            rows += session.part(("measure", measure.name), taken)
            give_back()
        elif session.request.measures is not None or why.declared:
            session.watcher.log(f"{measure.name}: {why.reason}")
            rows.append(Row(Keys(measure.name), Estimate.none(why)))
    return rows, texts
