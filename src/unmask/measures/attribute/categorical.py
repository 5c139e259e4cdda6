"""Simple attribute disclosure: categories that are released as they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats, Ints
from unmask.data.missing import Missing
from unmask.data.release_kind import ReleaseKind
from unmask.data.schema import Kind
from unmask.engines import Engine
from unmask.measures.applicability import OWN_RECORDS, not_applicable
from unmask.measures.attribute.matched import NOBODY, Matched, common, matched
from unmask.measures.confidence import clopper_pearson
from unmask.measures.estimate import Estimate, NotEstimable, Row
from unmask.measures.evidence import FileEvidence
from unmask.measures.families import ATTRIBUTE
from unmask.measures.phrases import every, of_people, percent
from unmask.measures.sources import TORRA_2017


@dataclass(frozen=True)
class SimpleDisclosure:
    """The share of people whose category is released unchanged (SADR).

    SADR = |{x : V(x) = V'(x)}| / |X|, for each categorical attribute and for all of them jointly (Torra
    2017). The baseline names, for everybody, the most frequent category. Equality says how much the mask
    left alone, not how sure an intruder can be: an equal category may be equal by the chance of the mask.

    Nothing is disclosed of a missing original value, unless missing values are a category of their own. A
    missing released value tells nothing, or is left out of the count where missing values are ignored.

    >>> import polars as pl
    >>> from unmask.engines import LocalEngine
    >>> from unmask.data.microdata import Masked, Microdata
    >>> from unmask.data.schema import Column, Schema
    >>> schema = Schema((Column("job", Kind.NOMINAL),))
    >>> job = lambda *values: Microdata(schema, pl.DataFrame({"job": values}))
    >>> original = job("cook", "cook", "smith", "nurse")
    >>> masked = Masked.by_order(original, job("cook", "smith", "smith", "nurse"))
    >>> (row,) = SimpleDisclosure().rows(FileEvidence(original, masked, ("job",)), LocalEngine())
    >>> row.estimate.value, row.estimate.baseline
    (0.75, 0.5)
    """

    says_about: ClassVar[frozenset[ReleaseKind]] = OWN_RECORDS
    about: ClassVar[About] = About(
        "unchanged categories",
        ATTRIBUTE,
        "The share of people whose category is released as it is.",
        TORRA_2017,
        rank=2,
        own_record=True,
    )

    @property
    def name(self) -> str:
        """The name in tables."""
        return "sadr"

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs a categorical attribute that the release has."""
        if _names(evidence):
            return None
        return NotEstimable(f"the release has no categorical attribute of {evidence.original.label}")

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """One row for each categorical attribute, then, of several, one for all of them jointly."""
        pairs, names = matched(evidence), _names(evidence)
        if len(pairs) == 0:
            return tuple(Row.none(self.name, NOBODY, subject=name) for name in names)
        same = tuple(name for name in names if name not in evidence.recoded)
        coarser = [Row.none(self.name, _coarser(name), subject=name) for name in names if name not in same]
        return (*self._of(evidence, same, pairs), *coarser)

    def _of(self, evidence: FileEvidence, names: tuple[str, ...], pairs: Matched) -> tuple[Row, ...]:
        equal, usual = (np.full((len(pairs), len(names)), np.nan) for _ in range(2))
        found = []
        for j, name in enumerate(names):
            equal[:, j], usual[:, j] = _equal_and_usual(evidence, name, pairs)
            found.append(self._row(name, equal[:, j], usual[:, j], pairs, f"the category of '{name}'"))
        if len(names) < 2:
            return tuple(found)
        together = every(len(names), "category", "categories")
        # Of a person without any value there is nothing to disclose jointly either.
        nothing = np.isnan(equal).all(axis=1)
        all_equal, all_usual = (
            np.where(nothing, np.nan, np.where(np.isnan(part), 1.0, part).min(axis=1))
            for part in (equal, usual)
        )
        return (*found, self._row(None, all_equal, all_usual, pairs, together))

    def _row(self, subject: str | None, equal: Floats, usual: Floats, pairs: Matched, what: str) -> Row:
        concerned = ~np.isnan(equal)
        n = int(concerned.sum())
        if n == 0:
            why = NotEstimable("nobody has the category in both files")
            return Row.none(self.name, why, subject=subject)
        count, baseline = float(equal[concerned].sum()), float(usual[concerned].mean())
        low, high = clopper_pearson(count, n)
        meaning = (
            f"For {of_people(count, n)} {what} is released as it is; naming the most frequent category for "
            f"everybody, without the release, is right for {percent(baseline)}."
        )
        estimate = Estimate(
            count / n, low, high, n, baseline, meaning=meaning, per_record=pairs.per_record(equal)
        )
        return Row.of(self.name, estimate, subject)


def _coarser(name: str) -> NotEstimable:
    """Why a recoded attribute has no unchanged categories: 0% of them would read as nothing told."""
    return not_applicable(f"the release made '{name}' coarser, so a category that differs is no change")


def _names(evidence: FileEvidence) -> tuple[str, ...]:
    return common(evidence, Kind.NOMINAL, Kind.ORDINAL)


def _equal_and_usual(evidence: FileEvidence, name: str, pairs: Matched) -> tuple[Floats, Floats]:
    """For each matched person: is the category released, is it the most frequent one; NaN: not concerned."""
    everybody = evidence.codes(evidence.original, name)
    original, released = everybody[pairs.original], evidence.codes(evidence.released, name)[pairs.released]
    own_category = evidence.missing is Missing.CATEGORY
    nothing = np.zeros(len(pairs), dtype=np.bool_) if own_category else original < 0
    if evidence.missing is Missing.IGNORE:
        nothing |= released < 0
    usual = original == _most_frequent(everybody if own_category else everybody[everybody >= 0])
    return np.where(nothing, np.nan, original == released), np.where(nothing, np.nan, usual)


def _most_frequent(codes: Ints) -> int:
    if len(codes) == 0:
        return -1
    return int(np.bincount(codes + 1).argmax()) - 1  # a missing value may be the most frequent one
