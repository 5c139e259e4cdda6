"""Singling out: predicates learned from the release that hold of exactly one person."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats, Ints, Microdata
from unmask.data.release_kind import ReleaseKind
from unmask.data.schema import Kind
from unmask.engines import Engine
from unmask.errors import ArgumentError
from unmask.measures.applicability import EVERY_KIND
from unmask.measures.attribute.models_order import orders
from unmask.measures.estimate import NotEstimable, Row
from unmask.measures.evidence import FileEvidence
from unmask.measures.families import SYNTHESIS
from unmask.measures.sources import GIOMI_2023
from unmask.measures.synthetic.excess import AttackOutcome, Words, excess_rows
from unmask.measures.synthetic.predicates import Columns, PredicateSet, guessed, multivariate, univariate
from unmask.measures.synthetic.tried import (
    MOST,
    NO_ATTRIBUTE,
    compared,
    file_values,
    members,
    outsiders,
    per_person,
    why_no_control,
)
from unmask.randomness import generator


class Predicates(StrEnum):
    """What predicates speak of: one attribute, or several."""

    UNIVARIATE = "univariate"
    MULTIVARIATE = "multivariate"


_ABOUT = {
    Predicates.UNIVARIATE: About(
        "singling out, by one attribute",
        SYNTHESIS,
        "Values that one released record has, or that are the least or the largest, are looked up in the "
        "original file: the share of them that exactly one person has.",
        GIOMI_2023,
        rank=1,
    ),
    Predicates.MULTIVARIATE: About(
        "singling out, by several attributes",
        SYNTHESIS,
        "Combinations of values that one released record has are looked up in the original file: the share "
        "of them that exactly one person has.",
        GIOMI_2023,
        rank=2,
    ),
}


@dataclass(frozen=True)
class SinglingOut:
    """The share of predicates true of one released record that are true of exactly one original person.

    ``univariate``    a value that one record has, a missing value of one record, "at most the least number",
                      "at least the largest".
    ``multivariate``  ``attributes`` attributes of a random record, or more where few combinations of so many
                      are one record's: its category, or its number and all that lie farther from the median
                      (Giomi, Boenisch, Wehmeyer and Tasnadi 2023).

    success = |{p : one released record and exactly one original person}| / |{p : one released record}|, over
    at most ``limit`` predicates, drawn at random; the risk corrects it by the same predicates on the control:
    as many people of the hold-out as the original has. A predicate of weight w singles out one of n people
    with probability n w (1 - w)^(n-1), so that a smaller control says something else; its rate is then
    multiplied by (n/c) ((c+m)/(n+m))^(a+1), for c and m people of control and release, which holds for
    weights of a gamma distribution with (m/(c+m))^a the share of predicates that select nobody of the
    control. By guessing: predicates of random values.

    In anonymeter the rate is taken of the predicates wanted, not of those found, so that few predicates make
    a small risk; its correction for sizes counts predicates where it should count those that single out;
    and people who are alike count as one person. None of that is so here.

    >>> import polars as pl, unmask
    >>> from unmask.engines import LocalEngine
    >>> file = unmask.Microdata(unmask.Schema((unmask.Column("a"),)), pl.DataFrame({"a": [1, 2, 2, 9]}))
    >>> evidence = FileEvidence(file, unmask.Masked.of_nobody(file), ("a",))
    >>> success, risk = SinglingOut(Predicates.UNIVARIATE).rows(evidence, LocalEngine())
    >>> success.estimate.value, success.estimate.n, risk.estimate.value.reason[:27]
    (1.0, 4, 'no hold-out file is given: ')
    """

    predicates: Predicates = Predicates.MULTIVARIATE
    attributes: int = 3
    limit: int = MOST
    says_about: ClassVar[frozenset[ReleaseKind]] = EVERY_KIND
    of_synthetic: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.attributes < 1 or self.limit < 1:
            raise ArgumentError(
                f"{self.name}: {self.attributes} attributes, {self.limit} predicates",
                hint="give whole numbers from 1 on",
            )

    @property
    def name(self) -> str:
        """The name in tables."""
        return f"singling-out-{self.predicates.value}"

    @property
    def about(self) -> About:
        """What it is called, says and comes from."""
        return _ABOUT[self.predicates]

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs an attribute that both files have."""
        return None if compared(evidence) else NO_ATTRIBUTE

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """The success beside the control's, and the risk beyond it."""
        names = compared(evidence)
        released = _columns(evidence, evidence.released, names)
        found = self._learned(evidence, released)
        if len(found) == 0:
            why = NotEstimable("no predicate that was tried holds of exactly one released record")
            return tuple(Row.none(self.name, why, subject=part) for part in ("success", "risk"))
        everybody = np.sort(members(evidence))
        original = _columns(evidence, evidence.original, names).taken(everybody)
        count, whom = found.selects(original)
        control, scale, note = _on_control(evidence, found, names, (len(original), len(released)))
        outcome = AttackOutcome(
            (count == 1).astype(np.float64),
            control,
            self._guess(evidence, released, original),
            scale,
            _singled_out(evidence, everybody, whom[count == 1]),
        )
        words = Words(
            "Of {n} predicates" + self._parts(found) + " that hold of one released record",
            "exactly one person is singled out",
            note,
        )
        return excess_rows(self.name, outcome, words)

    def _learned(self, evidence: FileEvidence, released: Columns) -> PredicateSet:
        rng = generator(evidence.seed, self.name)
        if self.predicates is Predicates.UNIVARIATE:
            return univariate(released, self.limit, rng)
        return multivariate(released, orders(evidence)[1], self.attributes, self.limit, rng)

    def _parts(self, found: PredicateSet) -> str:
        return "" if self.predicates is Predicates.UNIVARIATE else f" of {found.part.shape[1]} attributes"

    def _guess(self, evidence: FileEvidence, released: Columns, original: Columns) -> float:
        width = 1 if self.predicates is Predicates.UNIVARIATE else self.attributes
        blind = guessed(released, width, self.limit, generator(evidence.seed, self.name, "guess"))
        return float((blind.selects(original)[0] == 1).mean())


def _columns(evidence: FileEvidence, data: Microdata, names: tuple[str, ...]) -> Columns:
    numeric = tuple(evidence.original.schema[name].kind is Kind.NUMERIC for name in names)
    return Columns(np.array([file_values(evidence, data, name) for name in names]), numeric)


def _on_control(
    evidence: FileEvidence, predicates: PredicateSet, names: tuple[str, ...], sizes: tuple[int, int]
) -> tuple[Floats | NotEstimable, float, str]:
    """Which predicates single out one of the control, by how much its size scales that, and what is said.

    ``sizes``: the people of the original, and the released records.
    """
    why = why_no_control(evidence, names)
    if why is not None:
        return why, 1.0, ""
    assert evidence.holdout is not None  # else there was a reason
    people, records = sizes
    others = outsiders(evidence)[:people]
    count, _ = predicates.selects(_columns(evidence, evidence.holdout, names).taken(others))
    hits = (count == 1).astype(np.float64)
    if len(others) == people:
        return hits, 1.0, ""
    sizes_differ = f"The control has {len(others):,} people and the original {people:,}"
    note = f" {sizes_differ}: its rate is scaled to that size."
    return hits, size_factor(count, len(others), people, records), note


def size_factor(count: Ints, control: int, people: int, records: int) -> float:
    """How much likelier predicates single out one of so many people than one of a control of another size.

    Predicates that hold of one of m records have a weight of mean a/m, spread as a gamma distribution; they
    hold of nobody among c people with probability (m / (c + m))^a.

    >>> size_factor(np.array([0, 1]), 50, 50, 100)
    1.0
    """
    nobody = (float((count == 0).sum()) + 0.5) / (len(count) + 1)
    shape = -np.log(nobody) / np.log1p(control / records)
    return float(people / control * ((control + records) / (people + records)) ** (shape + 1))


def _singled_out(evidence: FileEvidence, people: Ints, whom: Ints) -> Floats:
    """1 for those of the people whom a predicate singles out, 0 for the others."""
    found = np.zeros(len(people))
    found[whom] = 1.0
    return per_person(evidence, people, found)
