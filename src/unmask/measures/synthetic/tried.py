"""Whom attacks with a synthetic file are tried on: people it was made from, and a control who are not in it.

The control are people of the hold-out file. What an attack reaches on them too, the release tells about
people at large; what it reaches beyond, it tells about those it was made from (Giomi, Boenisch, Wehmeyer and
Tasnadi 2023).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from unmask.data.microdata import Floats, Ints, Microdata
from unmask.data.schema import Kind
from unmask.measures.attribute.matched import ABOUT_PEOPLE
from unmask.measures.attribute.models_features import usable
from unmask.measures.attribute.models_order import apart, mixed, orders
from unmask.measures.estimate import NotEstimable
from unmask.measures.evidence import FileEvidence
from unmask.measures.likeness import same_words, written_alike
from unmask.measures.membership import candidates
from unmask.measures.strangers import strangers
from unmask.randomness import generator

#: At most so many people of each file are tried, drawn at random: enough for intervals of about two points.
MOST = 2000

NO_ATTRIBUTE = NotEstimable("the release has no attribute of people in the form of the original")


def comparable(evidence: FileEvidence, names: tuple[str, ...]) -> tuple[str, ...]:
    """Those of these attributes that the release has in one form with the original, and writes alike."""
    return tuple(name for name in usable(evidence, names) if written_alike(evidence, name))


def compared(evidence: FileEvidence) -> tuple[str, ...]:
    """Every attribute of people that the original and the release have in one form."""
    return comparable(evidence, tuple(c.name for c in evidence.original.schema if c.role in ABOUT_PEOPLE))


def why_no_control(evidence: FileEvidence, names: Sequence[str]) -> NotEstimable | None:
    """Why there is no control of people of whom these attributes are known; None if there is one.

    A hold-out that lacks an attribute gives none: to leave the attribute out would make the attack weaker.
    """
    why, holdout = candidates.why_not(evidence), evidence.holdout
    if why is not None or holdout is None:
        return why
    for name in names:
        if name not in holdout.schema:
            return NotEstimable(f"the hold-out file has no '{name}'")
        numeric = evidence.original.schema[name].kind is Kind.NUMERIC
        if (holdout.schema[name].kind is Kind.NUMERIC) != numeric:
            return NotEstimable(f"the hold-out file has '{name}' in another form than the original")
        if not same_words(evidence, holdout, name):
            return NotEstimable(f"the hold-out file writes '{name}' in other words than the original")
    return None


def members(evidence: FileEvidence) -> Ints:
    """The people from whom the release was made, in a random order that no file's order changes."""
    order, inside = orders(evidence)[0], candidates.members(evidence)
    present = np.zeros(len(evidence.original), dtype=np.bool_)
    present[inside] = True
    return order[present[order]]


def outsiders(evidence: FileEvidence) -> Ints:
    """The people of the hold-out file who are not in the original as well, in a random order.

    The file's order does not change it.
    """
    holdout = evidence.holdout
    assert holdout is not None  # who asks has made sure

    def made() -> Ints:
        rng = generator(evidence.seed, "control")
        others = strangers(evidence).rows
        return others[np.argsort(apart(mixed(holdout, rng)[others]), kind="stable")]

    return evidence.cache.get(evidence, ("control",), made)


@dataclass(frozen=True, eq=False)
class PeopleTried:
    """People of the original file and of the control: their rows, and what is known of both, people first.

    ``why``: why there is no control.
    """

    people: Ints
    others: Ints
    known: Microdata
    why: NotEstimable | None

    def parts(self, hits: Floats) -> tuple[Floats, Floats | NotEstimable]:
        """One number per person tried, as those of the people and those of the control."""
        mine, theirs = np.split(hits, [len(self.people)])
        return mine, theirs if self.why is None else self.why


def tried(evidence: FileEvidence, names: Sequence[str]) -> PeopleTried:
    """At most 2,000 people, and as many of the control, with these attributes."""
    return evidence.cache.get(evidence, ("tried", tuple(names)), lambda: _tried(evidence, names))


def _tried(evidence: FileEvidence, names: Sequence[str]) -> PeopleTried:
    people, why = members(evidence)[:MOST], why_no_control(evidence, names)
    inside = evidence.original.only(names).take(people)
    if why is not None or evidence.holdout is None:
        return PeopleTried(people, np.empty(0, np.int64), inside, why)
    others = outsiders(evidence)[:MOST]
    outside = evidence.holdout.only(names).take(others)
    schema = evidence.original.schema.only(names)
    frame = pl.DataFrame([candidates.stacked(inside, outside, column) for column in schema])
    return PeopleTried(people, others, Microdata(schema, frame, "the people tried"), None)


def per_person(evidence: FileEvidence, people: Ints, values: Floats) -> Floats:
    """Values of the people tried as values of all original records, NaN for the others."""
    spread = np.full(len(evidence.original), np.nan)
    spread[people] = values
    return spread


def file_values(evidence: FileEvidence, data: Microdata, name: str) -> Floats:
    """A column of one of the files as numbers, or as codes of one code book for all; NaN where missing."""
    if evidence.original.schema[name].kind is Kind.NUMERIC:
        return data.numbers([name])[:, 0]

    def book() -> tuple[str, ...]:
        files = (evidence.original, evidence.released, evidence.holdout)
        there = [file for file in files if file is not None and name in file.schema]
        return tuple(sorted({category for file in there for category in file.categories(name)}))

    levels = evidence.cache.get(evidence, ("code book", name), book)
    codes = data.codes(name, levels).astype(np.float64)
    return np.where(codes < 0, np.nan, codes)
