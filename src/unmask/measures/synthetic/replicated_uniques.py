"""Replicated uniques: people unique by what is known of them, and exactly one released record like them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from unmask.about import About
from unmask.data.microdata import Floats, Ints
from unmask.data.release_kind import ReleaseKind
from unmask.engines import Engine
from unmask.measures.applicability import EVERY_KIND
from unmask.measures.confidence import clopper_pearson
from unmask.measures.estimate import Estimate, NotEstimable, Row
from unmask.measures.evidence import FileEvidence
from unmask.measures.families import SYNTHESIS
from unmask.measures.phrases import of_people, percent
from unmask.measures.sources import RAAB_2024
from unmask.measures.synthetic.keyed import FileKeys, KeyedFiles, keyed
from unmask.measures.synthetic.tried import comparable, per_person

OF_UNIQUES, OF_ALL, UNIQUES = "of the uniques (repU)", "of everybody (repU)", "unique in the original (UiO)"


@dataclass(frozen=True)
class ReplicatedUniques:
    """The share of people unique on the keys whose key exactly one released record has (repU).

    With d_q people and s_q released records of key q (the known attributes, as they are):

        UiO = #{q : d_q = 1} / N,    repU = #{q : d_q = 1, s_q = 1} / #{q : d_q = 1}

    and #{q : d_q = 1, s_q = 1} / N, which synthpop prints (Raab, Nowok and Dibben 2024). A missing value is a
    value of its own. Where a release repeats records, s_q is above 1, and repU is small although everybody is
    in it: so the rows also say of how many uniques the key is released at all.

    The baseline is the larger of two. One: people of the hold-out who would be unique in the original, for
    nobody there has their key. The other: each unique key q has the probability p_q, the product of how often
    its values are released, one attribute at a time; one of m records that put the attributes together at
    random has it with probability m p_q (1 - p_q)^(m-1).

    >>> import polars as pl, unmask
    >>> from unmask.engines import LocalEngine
    >>> schema = unmask.Schema((unmask.Column("age"),))
    >>> file = lambda *ages: unmask.Microdata(schema, pl.DataFrame({"age": ages}))
    >>> masked = unmask.Masked.of_nobody(file(30, 41, 41, 50))
    >>> evidence = FileEvidence(file(30, 41, 58, 60, 60), masked, ("age",))
    >>> rows = ReplicatedUniques().rows(evidence, LocalEngine())
    >>> [(row.keys.subject[:10], round(row.estimate.value, 3)) for row in rows]
    [('of the uni', 0.333), ('of everybo', 0.2), ('unique in ', 0.6)]
    """

    says_about: ClassVar[frozenset[ReleaseKind]] = EVERY_KIND
    of_synthetic: ClassVar[bool] = True
    name: ClassVar[str] = "replicated-uniques"
    about: ClassVar[About] = About(
        "replicated uniques",
        SYNTHESIS,
        "The share of those people whom nobody else equals in what the intruder knows, and whom exactly one "
        "released record equals: a reader may take it for theirs.",
        RAAB_2024,
        rank=5,
        head=OF_UNIQUES,
    )

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs known attributes that both files have."""
        if comparable(evidence, evidence.released_known):
            return None
        return NotEstimable("both files share no attribute that the intruder knows in one form")

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """The share of the uniques, that of everybody, and how many are unique."""
        keys = keyed(evidence, comparable(evidence, evidence.released_known), groups=0)
        n = len(keys.people)
        unique = np.bincount(keys.original.label, minlength=keys.keys)[keys.original.label] == 1
        copies = np.bincount(keys.released.label, minlength=keys.keys)[keys.original.label]
        once = copies == 1
        count, again = int(unique.sum()), int((unique & once).sum())
        share = Row.of(self.name, _uniques(count, n), UNIQUES)
        if count == 0:
            why = NotEstimable("nobody is unique by what the intruder knows")
            return Row.none(self.name, why, subject=OF_UNIQUES, n=n), share
        chance, beside = _otherwise(keys, unique)
        told = per_person(evidence, keys.people, np.where(unique, once.astype(np.float64), np.nan))
        at_all = float((copies[unique] > 0).mean())
        rest = f"; {beside}. The key of {percent(at_all)} of the uniques is released at all."
        meaning = (
            f"For {of_people(again, count)} who are unique, exactly one released record has the key{rest}"
        )
        low, high = clopper_pearson(again, count)
        uniques = Estimate(again / count, low, high, count, chance, meaning=meaning, per_record=told)
        low, high = clopper_pearson(again, n)
        everybody = Estimate(
            again / n,
            low,
            high,
            n,
            chance * count / n,
            meaning=f"{of_people(again, n)} are unique, and so is a released record with their key{rest}",
        )
        return Row.of(self.name, uniques, OF_UNIQUES), Row.of(self.name, everybody, OF_ALL), share


def _uniques(count: int, n: int) -> Estimate:
    meaning = f"{of_people(count, n)} of the original file are unique by what the intruder knows."
    return Estimate(count / n, None, None, n, meaning=meaning)


def _otherwise(keys: KeyedFiles, unique: NDArray[np.bool_]) -> tuple[float, str]:
    """The baseline of repU, and what it is: of the hold-out or of unrelated attributes, the larger."""
    blind = float(_by_attributes(keys)[unique].mean())
    if isinstance(keys.control, FileKeys):
        like = np.bincount(keys.original.label, minlength=keys.keys)[keys.control.label]
        copies = np.bincount(keys.released.label, minlength=keys.keys)[keys.control.label]
        rate = float((copies[like == 0] == 1).mean()) if (like == 0).any() else 0.0
        if rate > blind:
            return rate, f"it does for {percent(rate)} of people of the hold-out who would be unique"
    words = "a release that puts values together at random has such a record for"
    return blind, f"{words} {percent(blind)} of them"


def _by_attributes(keys: KeyedFiles) -> Floats:
    """How likely exactly one of the released records has a person's key, were its attributes unrelated."""
    probability = np.ones(len(keys.people))
    m = len(keys.released.label)
    for mine, theirs in zip(keys.original.codes.T, keys.released.codes.T, strict=True):
        probability *= _frequency(mine, theirs)
    return np.asarray(m * probability * (1 - probability) ** (m - 1))


def _frequency(codes: Ints, among: Ints) -> Floats:
    width = int(max(codes.max(), among.max())) + 1
    return np.asarray(np.bincount(among, minlength=width)[codes] / len(among))
