"""conclusion(): who is at risk, through what, and what would help, after the attacks of an assessment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from unmask.about import About
from unmask.assessment.request import Request
from unmask.assessment.runs import Run
from unmask.assessment.session import Session
from unmask.attacks import DBRL
from unmask.data.shapes.content import Content
from unmask.data.sums import mean
from unmask.documents.conclusion import CHANGE, FACTS, ConclusionSection
from unmask.engines.memory import give_back
from unmask.measures import Reidentification
from unmask.measures.estimate import Row
from unmask.report.numbers import people as people_text
from unmask.report.numbers import percent
from unmask.studies.conclusion import both
from unmask.studies.conclusion.changes import Changes, changes
from unmask.studies.conclusion.facts import Facts, facts
from unmask.studies.conclusion.groups import People, group_rows
from unmask.studies.conclusion.repeating import Repeated, best_run, present_beliefs, real_runs
from unmask.studies.conclusion.shapes import masks_of, study_command
from unmask.studies.conclusion.spread import spread

#: What the measures of a conclusion say of themselves.
ABOUTS: Mapping[str, About] = {
    **both.ABOUTS,
    Reidentification().name: Reidentification().about,
    DBRL().name: DBRL().about,
}

#: What the reader of the changes must know.
THIS_ATTACK = (
    "what a change does is measured for {attack} alone, against an intruder who knows of the change; after "
    "it another attack may find more: assess the changed file"
)
ELSEWHERE = (
    "{best} finds most ({rate}), and how the risk is spread over people is told for it; facts and changes "
    "are tried with {attack}, which can be repeated quickly and finds {less}"
)
SAMPLE = "facts and changes are tried on a random sample of {tried} of {people}"
PART = (
    "{what} estimated on a random part of {part:,} of the {released:,} released records, which makes the "
    "risk look higher than in the whole file"
)
WHICH = "which records are found most easily is said record by record (--records FILE)"


def conclusion(session: Session, runs: Sequence[Run]) -> tuple[list[Row], ConclusionSection | None]:
    """The rows and the section of a conclusion; none where it is not asked for, or nobody can be found.

    It is made where the measures are the usual ones or a policy judges them, the files have an attribute in
    common, and an attack that an intruder can make was tried on somebody who is in the release.

    >>> from unmask.assessment.asked import requested
    >>> from unmask.assessment.request import Verb
    >>> from unmask.data.example import people
    >>> asked = {"known": ["age", "sex", "income"], "attacks": ["dbrl"], "measures": None}
    >>> session = Session(*requested(Verb.ASSESS, people(200), people(200), asked))
    >>> rows, section = conclusion(session, session.attempts(session.attacks[0]))
    >>> [row.keys.known for row in rows if row.keys.curve == "facts"]
    [('income',), ('age', 'income'), ('age', 'sex', 'income')]
    """
    real = real_runs(runs)
    if not real or not asked_for(session.request) or not session.stage().dossier.comparable:
        return [], None
    session.watcher.begin("conclusion")
    found = session.part(("conclusion",), partial(_concluded, session, real))
    give_back()
    return found


def asked_for(request: Request) -> bool:
    """Whether a request asks for a conclusion: it names no measures, or a policy."""
    return request.measures is None or request.policy is not None


def _concluded(session: Session, runs: Sequence[Run]) -> tuple[list[Row], ConclusionSection]:
    best = best_run(runs)
    assert best is not None  # who asks has made sure
    found = _people(session, best)
    if session.files.original.content is not None:
        return _of_content(session, best, found, session.files.original.content)
    repeated = Repeated.of(session, runs)
    through = facts(repeated)
    would = changes(repeated, through)
    known = session.stage().dossier.known.schema.names()
    groups, tested = group_rows(found, session.files.original, known)
    confirmed = tuple(
        curve for curve, done in ((FACTS, through.confirmed), (CHANGE, would.confirmed)) if done
    )
    section = ConclusionSection(
        attack=repeated.attack.name,
        people=len(repeated.whole.tried),
        released=len(repeated.part.dossier.released),
        rate=mean(repeated.before),
        whole=mean(repeated.before_whole) if confirmed else None,
        confirmed=confirmed,
        spread=spread(best.attack, found.belief),
        changes=would.sections,
        tested=tested,
        notes=tuple(_notes(repeated, best, through, would)),
    )
    return [*through.rows, *groups, *would.rows, *both.both_rows(session)], section


def _of_content(
    session: Session, best: Run, found: People, content: Content
) -> tuple[list[Row], ConclusionSection]:
    """Who is at risk through their series, their trace or their place in a graph.

    Leaving out an attribute, or making it coarser, would not change what people are found by: neither is
    tried, and no keys of attributes are counted before and after. What is found with fewer points, or seeds,
    is a curve of a measure.
    """
    known = session.stage().dossier.known.schema.names()
    groups, tested = group_rows(found, session.files.original, known)
    section = ConclusionSection(
        attack=best.attack,
        people=len(found.belief),
        released=len(session.stage().dossier.released),
        rate=mean(found.belief),
        spread=spread(best.attack, found.belief),
        tested=tested,
        masks=tuple(masks_of(content.shape)),
        study=study_command(session.request, session.files.original),
    )
    return groups, section


def _people(session: Session, run: Run) -> People:
    """The people whom a run was tried on and who are in the release."""
    attack = next(attack for attack in session.attacks if attack.name == run.attack)
    stage, there = session.within(attack), run.standing.closer >= 0
    rows = stage.people[stage.tried][there]
    return People(run.attack, rows, present_beliefs(run), stage.dependence.among(there))


def _notes(repeated: Repeated, best: Run, through: Facts, would: Changes) -> Iterator[str]:
    """What the reader of these numbers must know."""
    attack = repeated.attack.name
    if best.attack != attack:
        most, less = (percent(mean(values)) for values in (present_beliefs(best), repeated.risks.belief))
        yield ELSEWHERE.format(best=best.attack, rate=most, attack=attack, less=less)
    tried, present = len(repeated.whole.tried), len(repeated.session.stage().truth.present)
    if tried < present:
        yield SAMPLE.format(tried=f"{tried:,}", people=people_text(present))
    yield from through.notes
    if repeated.sampled:
        parts = ["the risk without each attribute"]
        parts += [] if through.confirmed else ["the risk by a few facts"]
        parts += [] if would.confirmed or not would.rows else ["the risk after each change"]
        what = f"{parts[0]} is" if len(parts) == 1 else f"{' and '.join(parts)} are"
        yield PART.format(
            what=what,
            part=len(repeated.part.dossier.released),
            released=len(repeated.whole.dossier.released),
        )
    if would.rows:
        yield THIS_ATTACK.format(attack=attack)
    if any(section.records is not None for section in would.sections):
        yield WHICH
