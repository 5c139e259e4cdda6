"""Experiments: one attack under one scenario on one release, made ready, tried and measured."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np

from unmask.about import About, defined
from unmask.assessment.runs import Run
from unmask.assessment.stage import Stage
from unmask.attacks import Attack, Claims, Divides, Margins, Matcher, WorstCase
from unmask.data.microdata import Floats, Ints
from unmask.documents.sections import Readings
from unmask.engines import Engine
from unmask.intruder.truth import Truth
from unmask.linkage.links import Links, Standing
from unmask.measures import Measure, Reidentification, Ties, of_claims
from unmask.measures.dependence import Dependence
from unmask.measures.estimate import Estimate, NotEstimable
from unmask.measures.evidence import LinkEvidence
from unmask.measures.permutation import PermutationNull, permutation_null
from unmask.randomness import generator

#: On how many targets the mean width of an attack's beliefs is measured; on so few where a target has so many
#: candidate records that those of all of these would not fit the memory.
SPREAD_SAMPLE, FEW_TARGETS, MOST_CANDIDATES = 1000, 20, 20_000_000

#: On how many targets it is worked out how clearly the nearest record is the nearest.
MARGIN_SAMPLE = 20_000

#: Into how many parts the targets fall when an attack learns on some and is tried on the others.
FOLDS = 5

HOLDOUT = "-holdout"

CUT = "the time limit ended the search, or a part of it, so these numbers depend on the machine"

#: No random matching is comparable with a result by which the parameters were chosen.
NO_P_VALUE = NotEstimable("no p-value: the parameters were chosen by the very result")


@dataclass(frozen=True)
class Settings:
    """How every attack is measured: by what, how deep, with which seed, and how long it may learn."""

    measures: tuple[Measure, ...]
    depth: int
    seed: int
    limit: float


@dataclass(frozen=True, eq=False)
class Experiment:
    """One attack before one stage."""

    attack: Attack | WorstCase
    stage: Stage
    settings: Settings
    engine: Engine

    def runs(self) -> tuple[Run, ...]:
        """The attack's run; one that learns from the truth has a second, on people it has not seen."""
        if isinstance(self.attack, WorstCase):
            # All forms learn from the same people and leave out the same ones, so that they can be compared.
            rng = generator(self.settings.seed, "attack", "learned")
            return (self._same_people(self.attack, rng), *self._other_people(self.attack, rng))
        rng = generator(self.settings.seed, "attack", self.attack.name)
        matcher = self.attack.prepare(self.stage.dossier, rng, self.engine)
        standing = matcher.standing(self.stage.truth, self.settings.depth, self.stage.tried)
        estimates = self._estimates(self.attack.name, matcher, standing)
        null = None if self.stage.dossier.comparable else self._null(matcher)
        division = matcher.judged(self.stage.truth) if isinstance(matcher, Divides) else None
        name, about = self.attack.name, defined(self.attack)
        return (Run(name, about, matcher.notes, standing, estimates, null=null, division=division),)

    def _null(self, matcher: Matcher) -> PermutationNull:
        """What random truths give: where nothing can be compared, linking to a popular record is no skill."""
        rng = generator(self.settings.seed, "null", self.attack.name)
        return permutation_null(matcher.links(self.stage.tried), self.stage.tried_truth, rng)

    def _same_people(self, attack: WorstCase, rng: np.random.Generator) -> Run:
        """Learned on the very people whom it attacks: a bound for every attack of its form."""
        stage, limit = self.stage, self.settings.limit
        matcher = attack.learn(stage.dossier, stage.truth, rng, self.engine, targets=stage.tried, limit=limit)
        standing = matcher.standing(stage.truth, self.settings.depth, stage.tried)
        estimates = {
            name: replace(e, p_value=NO_P_VALUE) if e.estimable else e
            for name, e in self._estimates(attack.name, matcher, standing).items()
        }
        notes = (*matcher.notes, *([CUT] if matcher.cut else []))
        if 0 < len(stage.present) < 2 * FOLDS:
            notes += (f"not tried on other people: fewer than {2 * FOLDS} people are in the release",)
        return Run(
            attack.name, defined(attack), notes, standing, estimates, informed=True, lesson=matcher.lesson,
            readings=self._readings(matcher, standing, stage.dependence), cut=matcher.cut,
        )  # fmt: skip

    def _other_people(self, attack: WorstCase, rng: np.random.Generator) -> list[Run]:
        """Learned on some people and tried on the others, in turn, so that each is tried once."""
        stage, limit = self.stage, self.settings.limit / FOLDS
        present, tried = stage.present, stage.tried
        if len(present) < 2 * FOLDS:
            return []
        fold = np.full(len(stage.truth.row), 0)
        fold[rng.permutation(present)] = np.arange(len(present)) % FOLDS
        closer, tied = np.zeros_like(stage.truth.row), np.zeros_like(stage.truth.row)
        cut = False
        for part in range(FOLDS):
            pupils = present[fold[present] != part]
            matcher = attack.learn(
                stage.dossier, stage.truth, rng, self.engine, targets=pupils, limit=limit, prove=False
            )
            cut |= matcher.cut
            others = tried[fold[tried] == part]
            found = matcher.standing(stage.truth, self.settings.depth, others)
            closer[others], tied[others] = found.closer, found.tied
        name = holdout_name(attack)
        standing = Standing(closer[tried], tied[tried], self.settings.depth)
        # The five parts' beliefs are about equally wide, and records identical in all: the last one's serve.
        shared = replace(stage.dependence, learning=1 / (FOLDS - 1))
        estimates = self._estimates(name, matcher, standing, shared)
        readings = self._readings(matcher, standing, shared)
        notes = (CUT,) if cut else ()
        about = attack.about_holdout
        return [Run(name, about, notes, standing, estimates, informed=True, readings=readings, cut=cut)]

    def _readings(self, matcher: Matcher, standing: Standing, dependence: Dependence) -> Readings:
        """How often the true record is nearest alone, with its twins only, and if one that ties is picked."""
        true, links = self.stage.tried_truth.row, matcher.links(self.stage.tried)
        own = np.where(true >= 0, links.cls_of[true], -1)
        alike = np.append(links.cls_size, 0)[own]  # class -1, of who is not there, finds the 0 at the end
        # Where only twins tie with the true record, they count as one.
        alone = np.where(standing.tied == alike, 1, standing.tied)
        grouped = Standing(standing.closer, alone, self.settings.depth)

        def read(ties: Ties, seen: Standing) -> Estimate:
            released = len(self.stage.dossier.released)
            evidence = LinkEvidence(
                "", released, Truth(true), seen, lambda: 1.0, dependence=lambda: dependence
            )
            # It is compared with the other run, not with chance: the truth chose the parameters.
            return replace(Reidentification(ties).estimate(evidence), baseline=None, p_value=None)

        return Readings(
            alone=read(Ties.STRICT, standing),
            group=read(Ties.STRICT, grouped),
            expected=read(Ties.EXPECTED, standing),
        )

    def _estimates(
        self, name: str, matcher: Matcher, standing: Standing, dependence: Dependence | None = None
    ) -> dict[str, Estimate]:
        claims = cache(partial(matcher.claims, self.stage.tried)) if isinstance(matcher, Claims) else None
        links = cache(partial(self._sampled_links, matcher))
        margins = None
        # Whom the truth informed needs no reason to be sure.
        if isinstance(matcher, Margins) and not isinstance(self.attack, WorstCase):
            margins = cache(partial(self._margins, matcher))
        evidence = LinkEvidence(
            name,
            len(self.stage.dossier.released),
            self.stage.tried_truth,
            standing,
            spread=lambda: float(links().candidates().mean()),
            claims=claims,
            dependence=lambda: self.stage.dependence if dependence is None else dependence,
            shares=lambda: links().shares(),
            margins=margins,
        )
        # A measure of what an attack is sure of says nothing of one that cannot tell.
        sure = claims is not None or margins is not None
        fitting = [m for m in self.settings.measures if sure or not of_claims(m)]
        return {measure.name: measure.estimate(evidence) for measure in fitting}

    def _margins(self, matcher: Margins) -> Floats:
        """The margin of each target tried; of many targets those of a sample, the others NaN."""
        tried = self.stage.tried
        if len(tried) <= MARGIN_SAMPLE:
            return matcher.margins(tried)
        rng = generator(self.settings.seed, "margins")
        some = np.sort(rng.choice(len(tried), MARGIN_SAMPLE, replace=False))
        margins = np.full(len(tried), np.nan)
        margins[some] = matcher.margins(tried[some])
        return margins

    def _sampled_links(self, matcher: Matcher) -> Links:
        """The links of the targets on whom the width of beliefs is measured."""
        sample = self._spread_sample()
        if len(sample) * len(self.stage.dossier.released) > MOST_CANDIDATES:
            few = matcher.links(sample[:: len(sample) // FEW_TARGETS + 1])
            if few.candidates().mean() * len(sample) > MOST_CANDIDATES:
                return few
        return matcher.links(sample)

    def _spread_sample(self) -> Ints:
        """The targets on which the width of beliefs is measured: all of a small file, else a sample."""
        tried = self.stage.tried
        if len(tried) <= SPREAD_SAMPLE:
            return tried
        rng = generator(self.settings.seed, "spread")
        return np.sort(rng.choice(tried, SPREAD_SAMPLE, replace=False))


def holdout_name(attack: WorstCase) -> str:
    """The name of a learned attack's run on people that it did not learn from."""
    base, colon, parameters = attack.name.partition(":")
    return f"{base}{HOLDOUT}{colon}{parameters}"


def attack_abouts(attacks: Iterable[Attack | WorstCase]) -> dict[str, About]:
    """What each attack says of itself, and of its run on other people where it has one."""
    abouts: dict[str, About] = {}
    for attack in attacks:
        abouts[attack.name] = defined(attack)
        if isinstance(attack, WorstCase):
            abouts[holdout_name(attack)] = attack.about_holdout
    return abouts
