"""Expected matches where the released categories were changed at random (PRAM)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from unmask.about import About
from unmask.data.key_classes import comparable, place_codes
from unmask.data.microdata import Floats, Ints
from unmask.data.release_kind import ReleaseKind
from unmask.data.schema import Kind
from unmask.data.sums import total
from unmask.engines import Engine
from unmask.linkage.transitions import Transitions
from unmask.measures.anonymity.keys import (
    KeyClasses,
    are,
    company,
    records,
    released_keys,
    share_text,
    why_no_keys,
)
from unmask.measures.applicability import COMPLETE_KEYS, not_applicable
from unmask.measures.estimate import Estimate, NotEstimable, Row, Unit
from unmask.measures.evidence import FileEvidence
from unmask.measures.families import UNIQUENESS
from unmask.measures.uniqueness.decomposable import fitted_at
from unmask.measures.uniqueness.design import ONE_RECORD, Design, check_fraction, design
from unmask.measures.uniqueness.log_linear import check_clique
from unmask.measures.uniqueness.model_search import KeySample, ModelSearch, expected_inverse


@dataclass(frozen=True, eq=False)
class Misclassified:
    """Expected right matches among the released uniques, where categories were redrawn at random.

    After Shlomo and Skinner (2010). A released unique with key j is matched with somebody whose true key is
    j. That is right with the probability

        P(true key j | released j) E(1 / F_j) = lambda_j M_jj / lambda~_j  (1 - exp(-v_j)) / v_j

    M_jj, the probability that key j is released as it is, is the product over the attributes of the
    diagonals of their ``tables``; lambda_j and lambda~_j, the people expected with true and with released
    key j, come from log-linear models of the original and of the released file, as for
    :class:`~unmask.measures.uniqueness.log_linear.LogLinear`; v_j = (1 - pi_j M_jj) lambda_j. Where keys are
    shared by many this is their M_jj / F~_j. Where the mask makes keys that nobody has, it is less, since
    nobody can be matched.

    >>> table = Transitions(("f", "m"), ("f", "m"), np.array([[0.9, 0.1], [0.2, 0.8]]))
    >>> Misclassified({"sex": table}).name
    'misclassified-matches'
    """

    tables: Mapping[str, Transitions] | None = None
    fraction: float | None = None
    search: bool = True
    largest_clique: int = 3
    says_about: ClassVar[frozenset[ReleaseKind]] = COMPLETE_KEYS | {ReleaseKind.PERTURBED}  # by the tables
    about: ClassVar[About] = About(
        "right matches after post-randomisation",
        UNIQUENESS,
        "How many matches of released uniques are expected to be right, where categories were redrawn.",
        "N. Shlomo and C. Skinner (2010), Assessing the protection provided by misclassification-based "
        "disclosure limitation methods for survey microdata, Annals of Applied Statistics 4, 1291-1310.",
    )

    def __post_init__(self) -> None:
        check_fraction(self.name, self.fraction)
        check_clique(self.name, self.largest_clique)

    @property
    def name(self) -> str:
        """The name in tables."""
        return "misclassified-matches"

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs transition tables beside what a log-linear model needs."""
        drawn = self._design(evidence)
        return drawn if isinstance(drawn, NotEstimable) else None

    def _design(self, evidence: FileEvidence) -> Design | NotEstimable:
        if not self.tables:
            return NotEstimable("the mask declares no transition table")
        changed = [name for name in evidence.released_known if name in evidence.perturbed]
        others = [name for name in changed if name not in self.tables]
        if others:
            return not_applicable(f"the release changed '{others[0]}' too, for which no table is declared")
        drawn = design(evidence, self.fraction, why_no_keys)
        few = (evidence.masked.origin >= 0).sum() < 2
        return ONE_RECORD if isinstance(drawn, Design) and few else drawn

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """The expected number of right matches, with each released unique's part in it."""
        drawn = self._design(evidence)
        if isinstance(drawn, NotEstimable):
            return (Row.none(self.name, drawn, Unit.COUNT),)
        keys = released_keys(evidence)
        kept = unchanged(keys, self.tables or {})
        if isinstance(kept, NotEstimable):
            return (Row.none(self.name, kept, Unit.COUNT, n=len(keys)),)
        unique = keys.counts() == 1
        risk = np.where(unique, self._matches(evidence, keys, drawn, kept), 0.0)
        uniques, value = int(unique.sum()), total(risk)
        meaning = (
            f"Of {records(uniques)} that {are(uniques)} unique in the release, {value:,.1f} "
            f"({share_text(value / uniques)}) are expected to be matched correctly with the population, "
            "given how often the mask leaves a key as it was."
            if uniques
            else "No released record is unique on the known attributes."
        )
        estimate = Estimate(
            value, None, None, uniques, unit=Unit.COUNT, meaning=meaning,
            per_record=keys.spread(risk), why=company(keys, keys.counts()),
        )  # fmt: skip
        return (Row.of(self.name, estimate),)

    def _matches(self, evidence: FileEvidence, keys: KeyClasses, drawn: Design, kept: Floats) -> Floats:
        """The probability of a right match with each class of the release."""
        origin = evidence.masked.origin
        real = origin >= 0
        original = evidence.keys(evidence.original, keys.names).frame[origin[real]]
        before, after = comparable(original, evidence.original), comparable(keys.keys.frame, keys.data)
        codes = place_codes(pl.concat((before, after)))
        codes -= np.minimum(codes.min(axis=0), 0)
        true, released = codes[: len(before)], codes[len(before) :]
        asked = released[keys.classes.first]
        people = self._people(true, drawn.weights[real], asked, evidence.seed)
        shown = self._people(released, drawn.weights, asked, evidence.seed)
        share = keys.classes.size / keys.classes.sums(drawn.weights)
        return np.asarray(
            np.minimum(people * kept / shown, 1.0) * expected_inverse((1 - share * kept) * people)
        )

    def _people(self, codes: Ints, weights: Floats, asked: Ints, seed: int) -> Floats:
        """How many people are expected with each asked key, by a model of a file of keys."""
        sample, _ = KeySample.of(codes, weights)
        graph = ModelSearch(self.search, self.largest_clique, seed).chosen(sample)
        return fitted_at(sample.table, graph, asked)


def unchanged(keys: KeyClasses, tables: Mapping[str, Transitions]) -> Floats | NotEstimable:
    """For each class the probability that its key is released as it was; or why it is not known.

    Attributes without a table, and missing values, are taken to be as they were.
    """
    first = keys.data.take(keys.classes.first)
    result = np.ones(len(keys.classes))
    for name in keys.names:
        if name not in tables or keys.data.schema[name].kind is Kind.NUMERIC:
            continue
        table = tables[name]
        place = {category: i for i, category in enumerate(table.original)}
        both = [(place[c], j) for j, c in enumerate(table.released) if c in place]
        if len(both) < len(table.released):
            return NotEstimable(
                f"the mask turns categories of '{name}' into new ones: recoding is no misclassification"
            )
        rows, columns = (list(part) for part in zip(*both, strict=True))
        stay = table.probability[rows, columns]
        codes = first.codes(name, table.released)
        present = first.frame[name].is_not_null().to_numpy()
        if (present & (codes < 0)).any():
            return NotEstimable(f"the release has categories of '{name}' that the transition table lacks")
        result *= np.where(codes >= 0, stay[codes], 1.0)
    return result
