"""Single and combined risk of several releases of the same people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from unmask.assessment.request import Verb
from unmask.assessment.session import Session
from unmask.assessment.stage import Stage
from unmask.attacks import Attack, WorstCase
from unmask.data.microdata import Ints
from unmask.data.missing import Missing
from unmask.data.schema import Kind, Schema
from unmask.documents.sections import Join, ReleasesSection
from unmask.errors import UnmaskError
from unmask.intruder.dossier import Dossier
from unmask.intruder.follow import Follow, How
from unmask.intruder.scenario import Scenario, shuffle
from unmask.intruder.sources import Knowledge
from unmask.measures import Measure, Reidentification
from unmask.measures.estimate import Estimate, Keys, NotEstimable, Row
from unmask.measures.evidence import LinkEvidence
from unmask.randomness import generator
from unmask.studies.releases.following import (
    Release,
    averaged,
    by_confidential,
    by_key,
    by_order,
    common_confidential,
    widened,
)
from unmask.studies.releases.intersection import Agreement, candidates, intersect, standing
from unmask.studies.releases.opening import releases_of
from unmask.studies.releases.weighing import weight

THIS, COMBINED, AVERAGED = "this", "combined", "averaged"

MEASURES = (Reidentification(),)


@dataclass(frozen=True, eq=False)
class _Seen:
    """One release as the intruder sees it, and the truth about it."""

    name: str
    stage: Stage
    order: Ints
    release: Release

    @property
    def dossier(self) -> Dossier:
        return self.stage.dossier

    @property
    def origin(self) -> Ints:
        """Where each record comes from, in the order that the intruder sees."""
        return self.release.masked.origin[self.order]


def release_rows(
    session: Session, releases: Sequence[Release] | None = None
) -> tuple[list[Row], ReleasesSection]:
    """Attack each release alone and all of them combined, with the same knowledge of the same people.

    What is combined are the records of *this* release: the earlier ones help to find them. Followed records
    make one wide file, which every attack takes as any other: attribute differences of all releases add up
    (``combined``, :func:`unmask.studies.releases.following.widened`), or numbers are averaged first, each
    release weighed by the noise that the intruder estimates in it (``averaged``). Where nothing is followed,
    candidates are intersected (:mod:`unmask.studies.releases.intersection`).

    ``releases``: this one first, where they are not the files of the request. The seed draws as in an
    assessment of this release alone.
    """
    follow = Follow.parse(session.request.files.follow)
    session.watcher.begin("earlier releases")
    seen = _staged(session, releases_of(session, follow) if releases is None else releases)
    through, reason = _through(follow, seen)
    rows = [] if reason or follow.how is How.NONE else _followed(follow, seen, through)
    joins = _joins(seen, rows)
    wide = _wide(session, seen, rows) if rows else {}
    table: list[Row] = []
    for attack in session.attacks:
        session.watcher.begin(f"{attack.name} by release")
        table += _this(session, attack)
        for one in seen[1:]:
            table += _attempt(session, one.name, one.stage, attack)
        if reason is not None:
            table += _refused(session, attack, reason)
        elif rows:
            for name, stage in wide.items():
                table += _attempt(session, name, stage, attack)
        else:
            table += _intersected(session, seen, through, attack)
    notes = _notes(wide.get(COMBINED), session.request.scenario, joins)
    return table, ReleasesSection(follow.how.value, through, joins, tuple(notes))


def _measures(session: Session) -> tuple[Measure, ...]:
    """The measures that were asked for; re-identification where none were, or beside an assessment."""
    compared = session.request.verb is Verb.COMPARE and session.request.measures is not None
    return session.attack_measures if compared else MEASURES


def _rows(session: Session, name: str, stage: Stage, attack: Attack | WorstCase) -> list[Row]:
    return [
        Row(Keys(measure, run.attack, release=name), estimate)
        for run in session.runs(attack, session.within(attack, stage), _measures(session))
        for measure, estimate in run.estimates.items()
    ]


def _attempt(session: Session, name: str, stage: Stage, attack: Attack | WorstCase) -> list[Row]:
    """An attack that cannot be made on this release is not estimable, and says why."""
    try:
        return _rows(session, name, stage, attack)
    except UnmaskError as error:
        return _refused(session, attack, error.message, name)


def _refused(session: Session, attack: Attack | WorstCase, reason: str, name: str = COMBINED) -> list[Row]:
    nothing = Estimate.none(NotEstimable(reason))
    return [Row(Keys(m.name, attack.name, release=name), nothing) for m in _measures(session)]


def _this(session: Session, attack: Attack | WorstCase) -> list[Row]:
    """The release itself, alone: as it was measured already, where the assessment made the same attack."""
    measures = _measures(session)
    wanted = {measure.name for measure in measures}
    made = session.attack_measures
    if not wanted <= {measure.name for measure in made}:
        made = measures
    return [
        Row(Keys(name, run.attack, release=THIS), estimate)
        for run in session.runs(attack, session.within(attack), made)
        for name, estimate in run.estimates.items()
        if name in wanted
    ]


def _staged(session: Session, releases: Sequence[Release]) -> list[_Seen]:
    """Every release, shuffled on its own, before one intruder whose knowledge is drawn once."""
    scenario, seed = session.request.scenario, session.request.seed
    schema = Schema(())
    for release in releases:
        more = [column for column in release.masked.data.schema if column.name not in schema]
        schema = Schema((*schema, *more))
    held = scenario.together(scenario.hold(session.files.original, schema, seed))
    tried = session.stage().tried
    names = [THIS, *(f"earlier {i}" for i in range(1, len(releases)))]
    orders = [
        shuffle(release.masked, seed, *([] if name == THIS else [name]))
        for name, release in zip(names, releases, strict=True)
    ]
    return [
        _see(name, release, scenario, held, order, tried)
        for name, release, order in zip(names, releases, orders, strict=True)
    ]


def _see(name: str, release: Release, scenario: Scenario, held: Knowledge, order: Ints, tried: Ints) -> _Seen:
    common = [column for column in held.data.schema.names() if column in release.masked.data.schema]
    part = replace(held, data=held.data.only(common)) if common else held
    return _Seen(name, Stage(*scenario.show(release.masked, part, order), tried), order, release)


def _through(follow: Follow, seen: Sequence[_Seen]) -> tuple[tuple[str, ...], str | None]:
    """The confidential attributes that bring records together, and why nothing does where none do."""
    if follow.how in (How.ORDER, How.KEY):
        return (), None
    this = seen[0].dossier.released
    lists = [common_confidential(this, one.dossier.released, follow.columns) for one in seen[1:]]
    for one, names in zip(seen[1:], lists, strict=True):
        if not names:
            return (), f"this release and {one.name} share no confidential attribute that could join them"
    return tuple(dict.fromkeys(name for names in lists for name in names)), None


def _followed(follow: Follow, seen: Sequence[_Seen], through: tuple[str, ...]) -> list[Ints]:
    """For each earlier release, its record for each record of this one, both as the intruder sees them."""
    this, found = seen[0], []
    for one in seen[1:]:
        if follow.how is How.CONFIDENTIAL:
            names = [name for name in through if name in one.dossier.released.schema]
            missing = this.dossier.missing
            found.append(by_confidential(this.dossier.released, one.dossier.released, names, missing))
            continue
        join = by_order if follow.how is How.ORDER else by_key
        # Followed files are shuffled as one: what was together before the shuffle is so after it.
        place = np.empty(len(one.order) + 1, dtype=np.int64)
        place[one.order], place[-1] = np.arange(len(one.order)), -1
        found.append(place[join(this.release, one.release)[this.order]])
    return found


def _wide(session: Session, seen: Sequence[_Seen], rows: Sequence[Ints]) -> dict[str, Stage]:
    """The wide files; a release that no record is followed into adds nothing to them."""
    this = seen[0]
    followed = [(one, row) for one, row in zip(seen[1:], rows, strict=True) if (row >= 0).any()]
    parts = [(one.name, one.dossier, row) for one, row in followed]
    weights = [_weight(session, this, one) for one in (this, *(one for one, _ in followed))]
    dossiers = {COMBINED: widened(this.dossier, parts), AVERAGED: averaged(this.dossier, parts, weights)}
    return {
        name: replace(this.stage, dossier=dossier)
        for name, dossier in dossiers.items()
        if dossier is not None
    }


def _weight(session: Session, this: _Seen, other: _Seen) -> float:
    """The weight of a release in the average of the numbers that it shares with this one."""
    known = other.dossier.known.schema
    both = [name for name in other.dossier.attributes if name in this.dossier.attributes]
    numbers = [name for name in both if known[name].kind is Kind.NUMERIC]
    rng = generator(session.request.seed, "noise")
    k = session.request.candidates
    return weight(other.dossier, numbers, other.stage.tried, k, rng, session.engine)


def _joins(seen: Sequence[_Seen], rows: Sequence[Ints]) -> tuple[Join, ...]:
    if not rows:
        return tuple(Join(one.name, len(one.order), None, None) for one in seen[1:])
    joins = []
    for one, row in zip(seen[1:], rows, strict=True):
        origin = np.append(one.origin, -1)[row]
        right = (origin == seen[0].origin) & (origin >= 0)
        joins.append(Join(one.name, len(one.order), int((row >= 0).sum()), int(right.sum())))
    return tuple(joins)


def _intersected(
    session: Session, seen: Sequence[_Seen], through: tuple[str, ...], attack: Attack | WorstCase
) -> list[Row]:
    """The rows of the intersection of candidates."""
    if isinstance(attack, WorstCase):
        return _refused(session, attack, "what is learned from the truth has no candidates to intersect")
    this, request = seen[0], session.request
    stage, k = session.within(attack, this.stage), request.candidates
    tried = stage.tried
    try:
        matchers = [
            attack.prepare(one.dossier, generator(request.seed, "attack", attack.name), session.engine)
            for one in seen
        ]
        found = candidates(matchers[0], tried, k)
        for one, matcher in zip(seen[1:], matchers[1:], strict=True):
            names = [name for name in through if name in one.dossier.released.schema]
            agreement = Agreement.of(this.dossier.released, one.dossier.released, names, this.dossier.missing)
            found = intersect(found, candidates(matcher, tried, k), agreement)
    except UnmaskError as error:
        return _refused(session, attack, error.message)
    alone = matchers[0].standing(this.stage.truth, request.depth, tried)
    stands, believed = standing(found, this.stage.truth, tried, alone)
    evidence = LinkEvidence(
        attack.name,
        len(this.dossier.released),
        stage.tried_truth,
        stands,
        lambda: float(believed.mean()),
        dependence=lambda: stage.dependence,
    )
    return [
        Row(Keys(measure.name, attack.name, release=COMBINED), measure.estimate(evidence))
        for measure in _measures(session)
    ]


def _notes(wide: Stage | None, scenario: Scenario, joins: Sequence[Join]) -> list[str]:
    notes = []
    if wide is not None and wide.dossier.missing is Missing.IGNORE and scenario.missing is not Missing.IGNORE:
        notes.append(
            "not every record is followed: in the combined attack, missing values are compared under 'ignore'"
        )
    lost = [join.release for join in joins if join.joined == 0]
    return notes + [f"no record of this release is followed into {release}" for release in lost]
