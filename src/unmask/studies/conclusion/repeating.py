"""Which attack is repeated, on whom, against how much of the release; and what it finds there.

Every question of a conclusion (what if the intruder did not know this, what if that were left out) is one
more run of an attack. So it is an attack that is quick, tried on a few people against a part of the release.
A part has fewer records that could be confused with a person's own, which makes the risk look higher.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from unmask.assessment.cost import Sizes, attack_cost
from unmask.assessment.request import Request
from unmask.assessment.runs import Run
from unmask.assessment.session import Session
from unmask.assessment.stage import Stage
from unmask.attacks import DBRL, PRL, RBRL, Attack, Mahalanobis, WorstCase
from unmask.data.microdata import Floats, Ints
from unmask.data.sums import mean
from unmask.documents import BASELINE
from unmask.intruder.truth import Truth
from unmask.measures.attribute.models_order import Bits, apart, mixed
from unmask.measures.confidence import mean_interval
from unmask.measures.estimate import Estimate
from unmask.randomness import generator

#: On so many people, against so many released records, an attack is repeated at most.
MOST_PEOPLE, MOST_RECORDS = 1_000, 20_000

#: So many times it is repeated, or about that. The share of the budget that getting ready so often may take
#: whatever the files, and that runs against the whole release may take, by the estimates.
TIMES, SHARE_OF_BUDGET = 60, 0.25

#: An odd number, by which a random order of hashes becomes another one: who was drawn for the sample must not
#: come first in the next draw.
ANOTHER = np.uint64(0x9E3779B97F4A7C15)


def real_runs(runs: Sequence[Run]) -> list[Run]:
    """The runs of attacks that an intruder can make, on somebody who is in the release."""
    real = (run for run in runs if run.attack != BASELINE and not run.informed)
    return [run for run in real if bool((run.standing.closer >= 0).any())]


def best_run(runs: Sequence[Run]) -> Run | None:
    """The run that finds most, the first of equals; None if there is none."""
    # Ties are shared out in fractions, whose sums differ in their last digits.
    return max(runs, key=lambda run: round(mean(present_beliefs(run)), 12), default=None)


def present_beliefs(run: Run) -> Floats:
    """The belief in the truth about each person tried who is in the release."""
    return run.standing.belief()[run.standing.closer >= 0]


def quick(attack: Attack | WorstCase) -> bool:
    """Whether the attack can be repeated many times, with whatever attributes.

    >>> from unmask.attacks import attack_named
    >>> [quick(attack_named(text)) for text in ("rbrl-max", "dbrl:weights=1+2", "one-to-one")]
    [True, False, False]
    """
    match attack:
        case Mahalanobis() | RBRL():
            return True
        case DBRL():
            return attack.weights is None
        case PRL():
            return not attack.agreements and attack.false_links is None and attack.missed is None
        case _:
            return False


@dataclass(frozen=True, eq=False)
class Risks:
    """Everybody whom an attack was tried on: their rows in the original file, and the belief in the truth.

    ``draw``: a random order of them, which their content decides.
    """

    rows: Ints
    belief: Floats
    draw: Bits


@dataclass(frozen=True, eq=False)
class Repeated:
    """An attack that is repeated, and its people.

    ``whole``: these people before the whole release; ``part``: before the part of it that serves, which is
    all of a small one. ``risks``: before the whole release, of everybody whom the attack was tried on.
    """

    session: Session
    attack: Attack
    whole: Stage
    part: Stage
    risks: Risks

    @staticmethod
    def of(session: Session, runs: Sequence[Run]) -> Repeated:
        """The quick attack that finds most; distance-based linkage where none of them was made."""
        request = session.request
        named = {a.name: a for a in session.attacks if quick(a) and _often(request, a.name)}
        run = best_run([run for run in runs if run.attack in named])
        attack = DBRL() if run is None else named[run.attack]
        assert isinstance(attack, Attack)
        stage = session.within(attack)
        stage = session.knowing(stage, stage.dossier.attributes)
        people, records = draws(stage, generator(request.seed, "conclusion"))
        whole = stage.trying(_first(stage.present, people, MOST_PEOPLE))
        part = part_of(whole, MOST_RECORDS, people, records)
        tried = whole if run is None else stage
        found = beliefs(session, attack, part) if run is None else present_beliefs(run)
        risks = Risks(stage.people[tried.present], found, people[tried.present] * ANOTHER)
        return Repeated(session, attack, whole, part, risks)

    @property
    def attributes(self) -> tuple[str, ...]:
        """The attributes that are compared."""
        return self.part.dossier.attributes

    @property
    def sampled(self) -> bool:
        """Whether the part is less than the release."""
        return len(self.part.dossier.released) < len(self.whole.dossier.released)

    @cached_property
    def before(self) -> Floats:
        """The belief in the truth about each of the people, as things are."""
        return self.find(self.part)

    @cached_property
    def before_whole(self) -> Floats:
        """The same before the whole release, which the assessment itself has tried."""
        rows, mine = self.risks.rows, self.whole.people[self.whole.tried]
        if not self.sampled:
            return self.before
        if len(rows) == len(mine):  # nobody else was tried, and these before the part alone
            return self.find(self.whole)
        order = np.argsort(rows)
        return np.asarray(self.risks.belief[order[np.searchsorted(rows, mine, sorter=order)]])

    def knowing(self, names: Sequence[str], stage: Stage | None = None) -> Stage:
        """The stage (the part, if none is named) before an intruder who knows these attributes only."""
        chosen = tuple(name for name in self.attributes if name in names)
        return self.session.knowing(self.part if stage is None else stage, chosen)

    def find(self, stage: Stage) -> Floats:
        """The belief in the truth about each of the people; 0 for who is not there any more."""
        return beliefs(self.session, self.attack, stage)

    def estimate(self, found: Floats, stage: Stage) -> Estimate:
        """The share of the people that is found, with its interval, beside chance."""
        # Those who exchanged values with them are hardly among these few, and to look for them takes long.
        low, high = mean_interval(found, stage.apart().dependence)
        return Estimate(mean(found), low, high, len(found), baseline=1 / len(stage.dossier.released))

    def seconds(self, attributes: int) -> float:
        """Seconds that a run against the whole release takes, by the estimates."""
        dossier, cost = self.whole.dossier, attack_cost(self.attack.name)
        sizes = Sizes(len(dossier.known), len(dossier.released), attributes)
        return cost.files(sizes) + cost.person(sizes) * len(self.whole.tried)

    def affordable(self, seconds: float) -> bool:
        """Whether the budget leaves so many seconds for runs against the whole release."""
        return _affordable(self.session.request, seconds)


def _affordable(request: Request, seconds: float) -> bool:
    return request.full or seconds <= SHARE_OF_BUDGET * request.budget


def _often(request: Request, attack: str) -> bool:
    """Whether the budget lets the attack get ready often; one that fits a model takes seconds each time."""
    return _affordable(request, TIMES * attack_cost(attack).once)


def beliefs(session: Session, attack: Attack, stage: Stage) -> Floats:
    """The belief in the truth about each person tried; 0 for who is not in the release."""
    standing = session.runs(attack, stage, (), depth=1)[0].standing
    return np.where(standing.closer < 0, 0.0, standing.belief())


def draws(stage: Stage, rng: np.random.Generator) -> tuple[Bits, Bits]:
    """A random order of the people and of the released records, which their content decides.

    So the rows of the files may be shuffled, and the same are drawn. Who is alike in what is known and in
    what is released of them is the same to the attack.
    """
    dossier, row = stage.dossier, stage.truth.row
    people, records = mixed(dossier.known, rng), mixed(dossier.released.only(dossier.attributes), rng)
    own = np.append(records, np.uint64(0))[row]  # the last one: who has no record
    first = apart(people, own)
    owner = np.zeros(len(records), dtype=np.uint64)
    owner[row[row >= 0]] = first[row >= 0]
    return first, apart(records, owner)


def part_of(whole: Stage, most: int, people: Bits, records: Bits) -> Stage:
    """The stage with so many released records, those of the people tried among them, the others drawn.

    Known are the people of these records, and of those who are not in the release the same share.
    """
    dossier, row = whole.dossier, whole.truth.row
    many = len(dossier.released)
    if many <= most and len(row) <= 2 * most:
        return whole
    own = np.zeros(many, dtype=np.bool_)
    own[row[whole.tried]] = True
    others = _first(np.flatnonzero(~own), records, most - int(own.sum()))
    kept = np.sort(np.concatenate((np.flatnonzero(own), others)))
    place = np.full(many + 1, -1, dtype=np.int64)  # the last one: who has no record
    place[kept] = np.arange(len(kept))
    absent = np.flatnonzero(row < 0)
    strangers = _first(absent, people, min(most, round(len(absent) * len(kept) / many)))
    known = np.sort(np.concatenate((np.flatnonzero(place[row] >= 0), strangers)))
    seen = replace(dossier, known=dossier.known.take(known), told=None, released=dossier.released.take(kept))
    return Stage(seen, Truth(place[row[known]]), whole.people[known], np.searchsorted(known, whole.tried))


def _first(among: Ints, draw: Bits, most: int) -> Ints:
    """So many of these, as they were drawn, in their own order; all of them if they are no more."""
    return among if len(among) <= most else np.sort(among[np.argsort(draw[among], kind="stable")[:most]])
