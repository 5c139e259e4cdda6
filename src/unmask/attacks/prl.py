"""Probabilistic record linkage (PRL)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import partial

import numpy as np

from unmask.about import About
from unmask.attacks.base import Usual
from unmask.attacks.families import PROBABILISTIC
from unmask.data.microdata import Ints
from unmask.engines import Engine
from unmask.intruder.dossier import Dossier
from unmask.intruder.truth import Truth
from unmask.linkage.agreement import Agreement, TooMuchWorkError, comparisons, with_itself
from unmask.linkage.blocking import blocked, blocks_of
from unmask.linkage.decisions import NearestRecord
from unmask.linkage.fellegi_sunter import (
    Decision,
    JudgedDecision,
    MatchShare,
    Model,
    NonMatches,
    costs,
    decide,
    fit_model,
    judge,
    pairing,
)
from unmask.linkage.fellegi_sunter.beliefs import posterior_links
from unmask.linkage.fellegi_sunter.decision import FALSE_LINKS, MISSED, check_errors
from unmask.linkage.fellegi_sunter.walk import links_by_sets
from unmask.linkage.links import Links, Standing
from unmask.parsing import choice, written

#: Targets from which links are looked up by sets of attributes, where that serves.
MANY_TARGETS = 10_000


class ValueWeights(StrEnum):
    """Whether agreement weighs the same on every value of an attribute, or more on rare ones."""

    ALIKE = "alike"
    FREQUENCY = "frequency"


class MissingValues(StrEnum):
    """Whether missing values compare as the scenario says, or are a level of agreement of their own."""

    POLICY = "policy"
    LEVEL = "level"


@dataclass(frozen=True)
class PRL:
    """The released record with the largest probabilistic weight.

    W(a, b) = sum_j log2(m_j(l) / u_j(l)), l the agreement level of attribute j, m and u its probability
    among matches and non-matches, by EM on the pattern counts of all pairs (Fellegi and Sunter 1969;
    Winkler 1988; Domingo-Ferrer and Torra 2002).

    ``share``: the share of matches among all pairs: ``fixed`` at one released record for each target,
    ``free``, or ``auto``: free where that gives about one record for each target, else m from targets, one
    record each.
    ``non_matches``: attributes agree together by chance as they do ``within`` each file, or ``independent``
    of each other. ``values``: ``frequency`` makes agreement on a rare value count more. ``missing``:
    ``level`` makes missing values a level of their own.
    ``agreements``: how attributes are compared, by name; otherwise by their kind. ``false_links`` and
    ``missed``: the P(linked | non-match) and P(not linked | match) that are admitted; where one is given, all
    pairs are divided into linked, clerical and non-linked ones as well.

    >>> import polars as pl, unmask
    >>> original = pl.DataFrame({"age": [20, 30, 40, 50], "income": [1.0, 4.0, 2.0, 8.0]})
    >>> released = pl.DataFrame({"age": [22, 29, 42, 49], "income": [1.5, 4.5, 2.0, 7.0]})
    >>> risk = unmask.assess(original, released, known=["age", "income"], attacks=[PRL()])
    >>> risk.table().filter(measure="reidentification")["value"].item()
    1.0
    """

    about = About(
        title="probabilistic linkage",
        family=PROBABILISTIC,
        sentence="For each attribute the intruder estimates how often two records of one person agree on "
        "it, and how often those of two people do; agreement that is rare by chance counts most.",
        source="I. P. Fellegi and A. B. Sunter (1969), A theory for record linkage, Journal of the "
        "American Statistical Association 64, 1183-1210.",
        rank=1,
    )
    usual = Usual.COMMON

    share: MatchShare = MatchShare.AUTO
    non_matches: NonMatches = NonMatches.WITHIN
    values: ValueWeights = ValueWeights.ALIKE
    missing: MissingValues = MissingValues.POLICY
    agreements: tuple[tuple[str, Agreement], ...] = ()
    false_links: float | None = None
    missed: float | None = None

    def __post_init__(self) -> None:
        check_errors(self.false_links, self.missed)
        for name, kind in (
            ("share", MatchShare),
            ("non_matches", NonMatches),
            ("values", ValueWeights),
            ("missing", MissingValues),
        ):
            object.__setattr__(self, name, choice(name, getattr(self, name), kind))

    @property
    def name(self) -> str:
        """The name in tables."""
        return written("prl", self)

    def prepare(self, dossier: Dossier, rng: np.random.Generator, engine: Engine) -> ProbabilisticMatcher:
        """Count agreement patterns, fit m and u, turn weights into costs; nearest."""
        own = self.missing is MissingValues.LEVEL
        chosen = dict(self.agreements)
        compared = comparisons(dossier, chosen, own, engine.cache)
        within = self.non_matches is NonMatches.WITHIN
        selves = partial(with_itself, dossier, compared, chosen, own, engine.cache) if within else None
        model = fit_model(compared, selves, rng, engine, self.share)
        found = costs(model, self.values is ValueWeights.FREQUENCY)
        blocks = blocks_of(dossier)
        index = blocked(engine.index, pairing(model, found), blocks)
        nearest, notes = NearestRecord(index, blocks=blocks), model.notes + found.notes
        if self.false_links is None and self.missed is None:
            return ProbabilisticMatcher(model, nearest, notes)
        return self._deciding(model, nearest, notes)

    def _deciding(self, model: Model, nearest: NearestRecord, notes: tuple[str, ...]) -> ProbabilisticMatcher:
        """The matcher that divides all pairs too, where they can be counted."""
        try:
            model.counts  # noqa: B018 (what is kept need not be counted again)
        except TooMuchWorkError as much:
            return ProbabilisticMatcher(model, nearest, (*notes, f"no pair was linked by threshold: {much}"))
        errors = (
            FALSE_LINKS if self.false_links is None else self.false_links,
            MISSED if self.missed is None else self.missed,
        )
        return ProbabilisticMatcher(model, nearest, notes, errors)


@dataclass(frozen=True, eq=False)
class ProbabilisticMatcher:
    """PRL made ready: the largest weight for links, and the model for whoever asks for more."""

    model: Model
    nearest: NearestRecord
    notes: tuple[str, ...]
    #: The errors admitted, P(linked | non-match) and P(not linked | match), where pairs are divided.
    admitted: tuple[float, float] | None = None

    def links(self, targets: Ints | None = None) -> Links:
        """The records of the largest weight, ties shared."""
        by_sets = self._by_sets(targets) if self.nearest.blocks is None else None
        return by_sets or self.nearest.links(targets)

    def _by_sets(self, targets: Ints | None) -> Links | None:
        asked = len(self.nearest.pairing.known) if targets is None else len(targets)
        return links_by_sets(self.nearest.pairing, targets) if asked >= MANY_TARGETS else None

    def standing(self, truth: Truth, depth: int, targets: Ints | None = None) -> Standing:
        """How each target's true record stands."""
        return self.nearest.standing(truth, depth, targets)

    def posterior(self, targets: Ints | None = None, least: float = 1e-3) -> Links:
        """Beliefs instead of the best record: how probable each one is the match, ``least`` or more.

        Pairs of one target exclude each other: P(a | b) = 2^V(a, b) / ((1 - q) m / q + sum over all a' of
        2^V(a', b)), q the share of targets in the release; what is left over is that the person is in none
        of them. V is W less what attributes that depend on each other count twice: log2 of
        u_ij(l_i, l_j) / (u_i(l_i) u_j(l_j)) over the edges (i, j) of the tree of the strongest dependences
        among non-matches, where that is above 0 in all (Chow and Liu 1968; Winkler 1993).
        """
        return posterior_links(self.model, self.nearest.pairing, targets, least)

    def decide(self, false_links: float = FALSE_LINKS, missed: float = MISSED) -> Decision:
        """Linked, clerical and non-linked pairs for the errors admitted, P(LP|U) and P(NP|M)."""
        return decide(self.model, false_links, missed)

    def judged(self, truth: Truth) -> JudgedDecision | None:
        """The decision of the errors that the attack admits beside the truth; None where it names none."""
        return None if self.admitted is None else judge(self.model, truth.row, *self.admitted)
