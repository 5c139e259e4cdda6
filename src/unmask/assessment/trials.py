"""Trials: one attack made ready, tried on every target, and measured."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from unmask.assessment.runs import Run
from unmask.attacks import Attack, Claims, Matcher, WorstCase
from unmask.data.microdata import Ints
from unmask.engines import Engine
from unmask.intruder.dossier import Dossier
from unmask.intruder.truth import Truth
from unmask.linkage.links import Standing
from unmask.measures import Estimate, LinkEvidence, Measure, NotEstimable, Reidentification, Ties, of_claims
from unmask.measures.permutation import PermutationNull, permutation_null
from unmask.randomness import generator

#: On how many targets the mean width of an attack's beliefs is measured; on so few where a target believes in
#: so many records that all of these would not fit the memory.
SPREAD_SAMPLE, FEW_TARGETS, MOST_BELIEVED = 1000, 20, 20_000_000

#: Into how many parts the targets fall when an attack learns on some and is tried on the others.
FOLDS = 5

HOLDOUT = "-holdout"

#: A search that took so much of its time was ended by the limit; the last tenth is not for searching.
SEARCHING = 0.9
CUT = "the time limit ended the search, so these numbers depend on the machine"

#: No random matching is comparable with a result by which the parameters were chosen.
NO_P_VALUE = NotEstimable("no p-value: the parameters were chosen by the very result")


@dataclass(frozen=True, eq=False)
class Stage:
    """What every attack is tried on: the dossier, the truth, the targets tried, and how they are measured."""

    dossier: Dossier
    truth: Truth
    tried: Ints
    measures: Sequence[Measure]
    depth: int
    seed: int
    engine: Engine
    limit: float

    def run(self, attack: Attack | WorstCase) -> list[Run]:
        """The attack's run; one that learns from the truth has a second, on people it has not seen."""
        rng = generator(self.seed, "attack", attack.name)
        if isinstance(attack, WorstCase):
            return [self._same_people(attack, rng), *self._other_people(attack, rng)]
        matcher = attack.prepare(self.dossier, rng, self.engine)
        standing = matcher.standing(self.truth, self.depth, self.tried)
        estimates = self._estimates(attack.name, matcher, standing)
        null = None if self.dossier.comparable else self._null(attack.name, matcher)
        return [Run(attack.name, matcher.notes, standing, estimates, null=null)]

    def _null(self, name: str, matcher: Matcher) -> PermutationNull:
        """What random truths give: where nothing can be compared, linking to a popular record is no skill."""
        links, truth = matcher.links(self.tried), Truth(self.truth.row[self.tried])
        return permutation_null(links, truth, generator(self.seed, "null", name))

    def _same_people(self, attack: WorstCase, rng: np.random.Generator) -> Run:
        """Learned on the very people whom it attacks: a bound for every attack of its form."""
        begun = time.monotonic()
        matcher = attack.learn(
            self.dossier, self.truth, rng, self.engine, targets=self.tried, limit=self.limit
        )
        cut = _cut(begun, self.limit)
        standing = matcher.standing(self.truth, self.depth, self.tried)
        estimates = self._estimates(attack.name, matcher, standing)
        estimates = {
            name: replace(e, p_value=NO_P_VALUE) if e.estimable else e for name, e in estimates.items()
        }
        notes = (*matcher.notes, *([CUT] if cut else []))
        if 0 < len(self._present()) < 2 * FOLDS:
            notes += (f"not tried on other people: fewer than {2 * FOLDS} people are in the release",)
        return Run(
            attack.name, notes, standing, estimates, informed=True, lesson=matcher.lesson,
            readings=self._readings(matcher, standing), cut=cut,
        )  # fmt: skip

    def _other_people(self, attack: WorstCase, rng: np.random.Generator) -> list[Run]:
        """Learned on some people and tried on the others, in turn, so that each is tried once."""
        present = self._present()
        if len(present) < 2 * FOLDS:
            return []
        fold = np.full(len(self.truth.row), 0)
        fold[rng.permutation(present)] = np.arange(len(present)) % FOLDS
        closer, tied = np.zeros_like(self.truth.row), np.zeros_like(self.truth.row)
        cut = False
        for part in range(FOLDS):
            begun = time.monotonic()
            matcher = attack.learn(
                self.dossier,
                self.truth,
                rng,
                self.engine,
                targets=present[fold[present] != part],
                limit=self.limit / FOLDS,
                prove=False,
            )
            cut |= _cut(begun, self.limit / FOLDS)
            others = self.tried[fold[self.tried] == part]
            standing = matcher.standing(self.truth, self.depth, others)
            closer[others], tied[others] = standing.closer, standing.tied
        base, colon, parameters = attack.name.partition(":")
        name = f"{base}{HOLDOUT}{colon}{parameters}"
        standing = Standing(closer[self.tried], tied[self.tried], self.depth)
        # The five parts' beliefs are about equally wide, and records identical in all: the last one's serve.
        estimates, readings = self._estimates(name, matcher, standing), self._readings(matcher, standing)
        notes = (CUT,) if cut else ()
        return [Run(name, notes, standing, estimates, informed=True, readings=readings, cut=cut)]

    def _present(self) -> Ints:
        """The targets tried that are in the release."""
        return self.tried[self.truth.row[self.tried] >= 0]

    def _readings(self, matcher: Matcher, standing: Standing) -> dict[str, Estimate]:
        """How often the true record is nearest alone, with its twins only, and if one that ties is picked."""
        true, links = self.truth.row[self.tried], matcher.links(self.tried)
        own = np.where(true >= 0, links.cls_of[true], -1)
        alike = np.append(links.cls_size, 0)[own]  # class -1, of who is not there, finds the 0 at the end
        # Where only twins tie with the true record, they count as one.
        grouped = Standing(standing.closer, np.where(standing.tied == alike, 1, standing.tied), self.depth)

        def read(ties: Ties, seen: Standing) -> Estimate:
            return Reidentification(ties).estimate(
                LinkEvidence("", len(self.dossier.released), Truth(true), seen, lambda: 1.0)
            )

        return {
            "alone": read(Ties.STRICT, standing),
            "group": read(Ties.STRICT, grouped),
            "expected": read(Ties.EXPECTED, standing),
        }

    def _estimates(self, name: str, matcher: Matcher, standing: Standing) -> dict[str, Estimate]:
        def spread() -> float:
            sample = self._spread_sample()
            if len(sample) * len(self.dossier.released) > MOST_BELIEVED:
                few = matcher.links(sample[:: len(sample) // FEW_TARGETS + 1]).records_believed().mean()
                if few * len(sample) > MOST_BELIEVED:
                    return float(few)
            return float(matcher.links(sample).records_believed().mean())

        released, truth = len(self.dossier.released), Truth(self.truth.row[self.tried])
        claims = partial(matcher.claims, self.tried) if isinstance(matcher, Claims) else None
        evidence = LinkEvidence(name, released, truth, standing, spread, claims)
        # A measure of claims says nothing of an attack that makes none.
        fitting = [m for m in self.measures if claims is not None or not of_claims(m)]
        return {measure.name: measure.estimate(evidence) for measure in fitting}

    def _spread_sample(self) -> Ints:
        """The targets on which the width of beliefs is measured: all of a small file, else a sample."""
        if len(self.tried) <= SPREAD_SAMPLE:
            return self.tried
        return np.sort(generator(self.seed, "spread").choice(self.tried, SPREAD_SAMPLE, replace=False))


def _cut(begun: float, limit: float) -> bool:
    return time.monotonic() - begun >= SEARCHING * limit
