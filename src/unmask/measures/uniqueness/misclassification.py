"""Expected matches where the released categories were changed at random (PRAM)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from unmask.data.key_classes import comparable, key_frame, place_codes
from unmask.data.microdata import Floats, Ints
from unmask.data.schema import Kind
from unmask.engines import Engine
from unmask.linkage.transitions import Transitions
from unmask.measures.anonymity.keys import Keys, are, company, records, released_keys, share_text, why_no_keys
from unmask.measures.findings import Case, Finding, Unit, Unusable, not_estimable
from unmask.measures.uniqueness.decomposable import Table, fitted_at
from unmask.measures.uniqueness.design import Design, check_fraction, design
from unmask.measures.uniqueness.log_linear import check_clique, chosen_model, expected_inverse


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

    def __post_init__(self) -> None:
        check_fraction(self.name, self.fraction)
        check_clique(self.name, self.largest_clique)

    @property
    def name(self) -> str:
        """The name in tables."""
        return "misclassified-matches"

    def why_not(self, case: Case) -> str | None:
        """It needs transition tables beside what a log-linear model needs."""
        if not self.tables:
            return "the mask declares no transition table"
        drawn = design(case, self.fraction)
        reason = why_no_keys(case) or (drawn if isinstance(drawn, str) else None)
        if reason is None and (case.masked.origin >= 0).sum() < 2:
            return Unusable("one record says nothing about a population")
        return reason

    def findings(self, case: Case, engine: Engine) -> tuple[Finding, ...]:
        """The expected number of right matches, with each released unique's part in it."""
        reason = self.why_not(case)
        drawn = design(case, self.fraction)
        if reason or isinstance(drawn, str) or not self.tables:
            return (not_estimable(self.name, "", Unit.COUNT, reason or str(drawn)),)
        keys = released_keys(case)
        kept = unchanged(keys, self.tables)
        if isinstance(kept, str):
            return (not_estimable(self.name, "", Unit.COUNT, kept, len(keys)),)
        unique = keys.counts() == 1
        risk = np.where(unique, self._matches(case, keys, drawn, kept), 0.0)
        uniques, value = int(unique.sum()), float(risk.sum())
        meaning = (
            f"Of {records(uniques)} that {are(uniques)} unique in the release, {value:,.1f} "
            f"({share_text(value / uniques)}) are expected to be matched correctly with the population, "
            "given how often the mask leaves a key as it was."
            if uniques
            else "No released record is unique on the known attributes."
        )
        finding = Finding(
            self.name, "", value, None, None, uniques, None, Unit.COUNT, meaning,
            per_record=keys.spread(risk), why=company(keys, keys.counts()),
        )  # fmt: skip
        return (finding,)

    def _matches(self, case: Case, keys: Keys, drawn: Design, kept: Floats) -> Floats:
        """The probability of a right match with each class of the release."""
        real = keys.origin >= 0
        original = key_frame(case.original, keys.names)[keys.origin[real]]
        before, after = comparable(original, case.original), comparable(keys.frame, keys.data)
        codes = place_codes(pl.concat((before, after)))
        codes -= np.minimum(codes.min(axis=0), 0)
        true, released = codes[: len(before)], codes[len(before) :]
        asked = released[keys.classes.first]
        people = self._people(true, drawn.weights[real], asked, case.seed)
        shown = self._people(released, drawn.weights, asked, case.seed)
        share = keys.classes.size / keys.classes.sums(drawn.weights)
        return np.asarray(
            np.minimum(people * kept / shown, 1.0) * expected_inverse((1 - share * kept) * people)
        )

    def _people(self, codes: Ints, weights: Floats, asked: Ints, seed: int) -> Floats:
        """How many people are expected with each asked key, by a model of a file of keys."""
        distinct, of = np.unique(codes, axis=0, return_inverse=True)
        of = of.ravel()
        table = Table(distinct, np.bincount(of, weights).astype(np.float64))
        count = np.bincount(of).astype(np.float64)
        fraction = len(codes) / float(weights.sum())
        graph = chosen_model(table, count, fraction, self.search, self.largest_clique, seed)
        return fitted_at(table, graph, asked)


def unchanged(keys: Keys, tables: Mapping[str, Transitions]) -> Floats | str:
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
            return f"the mask turns categories of '{name}' into new ones: recoding is no misclassification"
        rows, columns = (list(part) for part in zip(*both, strict=True))
        stay = table.probability[rows, columns]
        codes = first.codes(name, table.released)
        present = first.frame[name].is_not_null().to_numpy()
        if (present & (codes < 0)).any():
            return f"the release has categories of '{name}' that the transition table lacks"
        result *= np.where(codes >= 0, stay[codes], 1.0)
    return result
