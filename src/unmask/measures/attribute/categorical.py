"""Simple attribute disclosure: categories that are released as they are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.data.missing import Missing
from unmask.data.schema import Kind
from unmask.engines import Engine
from unmask.measures.attribute.matched import Matched, common, joint_categories, matched
from unmask.measures.confidence import clopper_pearson
from unmask.measures.findings import Case, Finding, Unit, not_estimable
from unmask.measures.phrases import every, of_people, percent


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
    >>> (found,) = SimpleDisclosure().findings(Case(original, masked, ("job",)), LocalEngine())
    >>> found.value, found.baseline
    (0.75, 0.5)
    """

    @property
    def name(self) -> str:
        """The name in tables."""
        return "sadr"

    def why_not(self, case: Case) -> str | None:
        """It needs a categorical attribute that the release has."""
        if _names(case):
            return None
        return f"the release has no categorical attribute of {case.original.label}"

    def findings(self, case: Case, engine: Engine) -> tuple[Finding, ...]:
        """One finding for each categorical attribute, then, of several, one for all of them jointly."""
        pairs, names = matched(case), _names(case)
        if len(pairs) == 0:
            reason = "no released record stems from an original one"
            return tuple(not_estimable(self.name, name, Unit.SHARE, reason) for name in names)
        equal, usual = (np.full((len(pairs), len(names)), np.nan) for _ in range(2))
        found = []
        for j, name in enumerate(names):
            equal[:, j], usual[:, j] = _equal_and_usual(case, name, pairs)
            found.append(self._finding(name, equal[:, j], usual[:, j], pairs, f"the category of '{name}'"))
        if len(names) == 1:
            return tuple(found)
        together = every(len(names), "category", "categories")
        # Of a person without any value there is nothing to disclose jointly either.
        nothing = np.isnan(equal).all(axis=1)
        all_equal, all_usual = (
            np.where(nothing, np.nan, np.where(np.isnan(part), 1.0, part).min(axis=1))
            for part in (equal, usual)
        )
        return (*found, self._finding("", all_equal, all_usual, pairs, together))

    def _finding(self, subject: str, equal: Floats, usual: Floats, pairs: Matched, what: str) -> Finding:
        concerned = ~np.isnan(equal)
        n = int(concerned.sum())
        if n == 0:
            reason = "nobody has the category in both files"
            return not_estimable(self.name, subject, Unit.SHARE, reason)
        count, baseline = float(equal[concerned].sum()), float(usual[concerned].mean())
        low, high = clopper_pearson(count, n)
        meaning = (
            f"For {of_people(count, n)} {what} is released as it is; naming the most frequent category for "
            f"everybody, without the release, is right for {percent(baseline)}."
        )
        per_record = pairs.per_record(equal)
        return Finding(
            self.name, subject, count / n, low, high, n, baseline, Unit.SHARE, meaning, per_record=per_record
        )


def _names(case: Case) -> tuple[str, ...]:
    return common(case, Kind.NOMINAL, Kind.ORDINAL)


def _equal_and_usual(case: Case, name: str, pairs: Matched) -> tuple[Floats, Floats]:
    """For each matched person: is his category released, is it the most frequent one; NaN: not concerned."""
    levels = joint_categories(case, name)
    everybody = case.original.codes(name, levels)
    original, released = everybody[pairs.original], case.masked.data.codes(name, levels)[pairs.released]
    own_category = case.missing is Missing.CATEGORY
    nothing = np.zeros(len(pairs), dtype=np.bool_) if own_category else original < 0
    if case.missing is Missing.IGNORE:
        nothing |= released < 0
    usual = original == _most_frequent(everybody if own_category else everybody[everybody >= 0])
    return np.where(nothing, np.nan, original == released), np.where(nothing, np.nan, usual)


def _most_frequent(codes: Ints) -> int:
    if len(codes) == 0:
        return -1
    found, counts = np.unique(codes, return_counts=True)
    return int(found[counts.argmax()])
