"""Single and combined risk of several releases of the same people."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from unmask.assessment.trials import Stage
from unmask.attacks import Attack, WorstCase
from unmask.data.microdata import Ints, Microdata
from unmask.data.missing import Missing
from unmask.data.schema import Kind, Schema
from unmask.engines import Engine, LocalEngine
from unmask.errors import ArgumentError, UnmaskError
from unmask.intruder.dossier import Dossier
from unmask.intruder.scenario import Scenario, shuffle
from unmask.intruder.sources import Knowledge
from unmask.intruder.truth import Truth
from unmask.measures import Estimate, LinkEvidence, Measure, NotEstimable
from unmask.measures.reidentification import Reidentification
from unmask.randomness import generator
from unmask.studies.releases.following import (
    Follow,
    How,
    Release,
    averaged,
    by_confidential,
    by_key,
    by_order,
    common_confidential,
    widened,
)
from unmask.studies.releases.intersection import Agreement, candidates, intersect, standing
from unmask.studies.releases.outcome import Comparison, Join, Row
from unmask.studies.releases.weighing import weight

THIS, COMBINED, AVERAGED = "this", "combined", "averaged"

#: How many of a target's nearest records are his candidates in each release, where nothing is followed.
CANDIDATES = 64


@dataclass(frozen=True, eq=False)
class _Seen:
    """One release as the intruder sees it, and the truth about it."""

    name: str
    dossier: Dossier
    truth: Truth
    order: Ints
    release: Release

    @property
    def origin(self) -> Ints:
        """Where each record comes from, in the order that the intruder sees."""
        return self.release.masked.origin[self.order]


def compare_releases(
    original: Microdata,
    this: Release,
    earlier: Sequence[Release],
    scenario: Scenario,
    attacks: Sequence[Attack | WorstCase],
    *,
    follow: Follow | None = None,
    measures: Sequence[Measure] | None = None,
    given: Mapping[tuple[str, str], Estimate] | None = None,
    tried: Ints | None = None,
    seed: int = 0,
    depth: int = 10,
    limit: float = 60.0,
    candidates: int = CANDIDATES,
    engine: Engine | None = None,
    announce: Callable[[str], None] | None = None,
) -> Comparison:
    """Attack each release alone and all of them combined, with the same knowledge of the same people.

    What is combined are the records of *this* release: the earlier ones help to find them. Followed records
    make one wide file, which every attack takes as any other: attribute differences of all releases add up
    (``combined``, :func:`unmask.studies.releases.following.widened`), or numbers are averaged first, each
    release weighed by the noise that the intruder estimates in it (``averaged``). Where nothing is followed,
    candidates are intersected (:mod:`unmask.studies.releases.intersection`).

    ``given``: estimates of this release by (attack, measure), where they are at hand already; ``tried``: the
    targets that are tried (all). The seed draws as in an assessment of this release alone.
    """
    follow = follow or Follow()
    if not earlier:
        raise ArgumentError("no earlier release is given", hint="give at least one")
    if candidates < 2:
        raise ArgumentError(f"{candidates} candidates are asked for", hint="ask for at least 2")
    seen = _staged(original, this, earlier, scenario, seed)
    tried = np.arange(len(seen[0].truth.row)) if tried is None else tried
    judged = list(measures) if measures is not None else [Reidentification()]
    bench = _Bench(tried, judged, depth, seed, engine or LocalEngine(), limit, candidates)
    through, reason = _through(follow, seen)
    rows = [] if reason or follow.how is How.NONE else _followed(follow, seen, through)
    joins = _joins(seen, rows)
    wide = _wide(bench, seen, rows) if rows else {}
    table: list[Row] = []
    for attack in attacks:
        if announce is not None:
            announce(attack.name)
        table += _this(bench, seen[0], attack, given or {})
        for one in seen[1:]:
            table += bench.attempt(one.name, one.dossier, one.truth, attack)
        if reason is not None:
            table += bench.refused(COMBINED, attack, reason)
        elif rows:
            for name, dossier in wide.items():
                table += bench.attempt(name, dossier, seen[0].truth, attack)
        else:
            table += _intersected(bench, seen, through, attack)
    return Comparison(
        follow, through, joins, tuple(table), tuple(_notes(wide.get(COMBINED), scenario, joins))
    )


@dataclass(frozen=True, eq=False)
class _Bench:
    """How attacks are tried and measured."""

    tried: Ints
    measures: Sequence[Measure]
    depth: int
    seed: int
    engine: Engine
    limit: float
    candidates: int

    def rows(self, name: str, dossier: Dossier, truth: Truth, attack: Attack | WorstCase) -> list[Row]:
        stage = Stage(
            dossier, truth, self.tried, self.measures, self.depth, self.seed, self.engine, self.limit
        )
        return [
            Row.of(run.attack, measure, name, estimate)
            for run in stage.run(attack)
            for measure, estimate in run.estimates.items()
        ]

    def attempt(self, name: str, dossier: Dossier, truth: Truth, attack: Attack | WorstCase) -> list[Row]:
        """As rows; an attack that cannot be made on this release is not estimable, and says why."""
        try:
            return self.rows(name, dossier, truth, attack)
        except UnmaskError as error:
            return self.refused(name, attack, error.message)

    def refused(self, name: str, attack: Attack | WorstCase, reason: str) -> list[Row]:
        nothing = Estimate.none(NotEstimable(reason), per_record=np.empty(0))
        return [Row.of(attack.name, measure.name, name, nothing) for measure in self.measures]


def _staged(
    original: Microdata, this: Release, earlier: Sequence[Release], scenario: Scenario, seed: int
) -> list[_Seen]:
    """Every release, shuffled on its own, before one intruder whose knowledge is drawn once."""
    schema = this.masked.data.schema
    for release in earlier:
        more = [column for column in release.masked.data.schema if column.name not in schema]
        schema = Schema((*schema, *more))
    held = scenario.together(scenario.hold(original, schema, seed))
    seen = [_see(THIS, this, scenario, held, shuffle(this.masked, seed))]
    for i, release in enumerate(earlier, start=1):
        name = f"earlier {i}"
        seen.append(_see(name, release, scenario, held, shuffle(release.masked, seed, name)))
    return seen


def _see(name: str, release: Release, scenario: Scenario, held: Knowledge, order: Ints) -> _Seen:
    common = [column for column in held.data.schema.names() if column in release.masked.data.schema]
    part = replace(held, data=held.data.only(common)) if common else held
    dossier, truth, _ = scenario.show(release.masked, part, order)
    return _Seen(name, dossier, truth, order, release)


def _this(
    bench: _Bench, seen: _Seen, attack: Attack | WorstCase, given: Mapping[tuple[str, str], Estimate]
) -> list[Row]:
    keys = [(attack.name, measure.name) for measure in bench.measures]
    if all(key in given for key in keys):
        return [Row.of(*key, THIS, given[key]) for key in keys]
    return bench.rows(THIS, seen.dossier, seen.truth, attack)


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


def _wide(bench: _Bench, seen: Sequence[_Seen], rows: Sequence[Ints]) -> dict[str, Dossier]:
    """The wide files; a release that no record is followed into adds nothing to them."""
    followed = [(one, row) for one, row in zip(seen[1:], rows, strict=True) if (row >= 0).any()]
    parts = [(one.name, one.dossier, row) for one, row in followed]
    wide = {COMBINED: widened(seen[0].dossier, parts)}
    weights = [_weight(bench, seen[0].dossier, one.dossier) for one in (seen[0], *(o for o, _ in followed))]
    mean = averaged(seen[0].dossier, parts, weights)
    return wide if mean is None else {**wide, AVERAGED: mean}


def _weight(bench: _Bench, this: Dossier, dossier: Dossier) -> float:
    """The weight of a release in the average of the numbers that it shares with this one."""
    both = [name for name in dossier.attributes if name in this.attributes]
    numbers = [name for name in both if dossier.known.schema[name].kind is Kind.NUMERIC]
    rng = generator(bench.seed, "noise")
    return weight(dossier, numbers, bench.tried, bench.candidates, rng, bench.engine)


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
    bench: _Bench, seen: Sequence[_Seen], through: tuple[str, ...], attack: Attack | WorstCase
) -> list[Row]:
    """The rows of the intersection of candidates."""
    if isinstance(attack, WorstCase):
        return bench.refused(
            COMBINED, attack, "what is learned from the truth has no candidates to intersect"
        )
    this = seen[0]
    try:
        matchers = [
            attack.prepare(one.dossier, generator(bench.seed, "attack", attack.name), bench.engine)
            for one in seen
        ]
        found = candidates(matchers[0], bench.tried, bench.candidates)
        for one, matcher in zip(seen[1:], matchers[1:], strict=True):
            names = [name for name in through if name in one.dossier.released.schema]
            agreement = Agreement.of(this.dossier.released, one.dossier.released, names, this.dossier.missing)
            found = intersect(found, candidates(matcher, bench.tried, bench.candidates), agreement)
    except UnmaskError as error:
        return bench.refused(COMBINED, attack, error.message)
    alone = matchers[0].standing(this.truth, bench.depth, bench.tried)
    stands, believed = standing(found, this.truth, bench.tried, alone)
    trial = LinkEvidence(
        attack.name,
        len(this.dossier.released),
        Truth(this.truth.row[bench.tried]),
        stands,
        lambda: float(believed.mean()),
    )
    return [
        Row.of(attack.name, measure.name, COMBINED, measure.estimate(trial)) for measure in bench.measures
    ]


def _notes(wide: Dossier | None, scenario: Scenario, joins: Sequence[Join]) -> list[str]:
    notes = []
    if wide is not None and wide.missing is Missing.IGNORE and scenario.missing is not Missing.IGNORE:
        notes.append(
            "not every record is followed: in the combined attack, missing values are compared under 'ignore'"
        )
    lost = [join.release for join in joins if join.joined == 0]
    return notes + [f"no record of this release is followed into {release}" for release in lost]
