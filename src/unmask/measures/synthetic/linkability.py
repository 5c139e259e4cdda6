"""Linkability: does the release bring together what two sources know of one person?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats, Ints
from unmask.data.release_kind import ReleaseKind
from unmask.engines import Engine
from unmask.errors import ArgumentError
from unmask.intruder.dossier import Dossier
from unmask.linkage.aggregations import Sum
from unmask.linkage.spaces import standardised
from unmask.measures.applicability import EVERY_KIND
from unmask.measures.attribute.models_order import orders
from unmask.measures.estimate import NotEstimable, Row
from unmask.measures.evidence import FileEvidence
from unmask.measures.families import SYNTHESIS
from unmask.measures.missing_values import when_repeated
from unmask.measures.sources import GIOMI_2023
from unmask.measures.synthetic.excess import AttackOutcome, Words, excess_rows
from unmask.measures.synthetic.tried import compared, per_person, tried
from unmask.randomness import generator

#: The attributes of two sources.
Groups: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]

WORDS = Words("Of {n} people of the original file", "both parts of what is known lead to one released record")


@dataclass(frozen=True)
class Linkability:
    """The share of people of whom two groups of attributes lead to the same released record.

    One source has the attributes A of a person, another has B. The intruder looks for the k nearest released
    records by A, and by B; the two sources are linked if one record is in both sets:

        success = |{x : N_k(x_A) and N_k(x_B) have a record in common}| / |X|

    (Giomi, Boenisch, Wehmeyer and Tasnadi 2023), over at most 2,000 people, drawn at random. A and B are
    halves of all attributes, drawn at random; and where there are other attributes than the known ones, A are
    the known ones and B the others. The control are people of the hold-out. The distance is that of
    distance-based linkage; of records at one distance those are taken that come first in one random order,
    the same for A and B. A guess takes k records for A and k for B at random: 1 - C(m-k, k) / C(m, k).

    anonymeter draws people and guesses without a seed, takes ties in the order of the file, and keeps two
    missing values apart; here the policy for missing values holds, and where it says that they equal nothing
    (mismatch), two missing values are equal, for a copy has them too.

    >>> import unmask
    >>> from unmask.data.example import people
    >>> from unmask.engines import LocalEngine
    >>> file = people(200).only(["age", "income", "household"])
    >>> evidence = FileEvidence(file, unmask.Masked.of_nobody(file), ("age", "income"))
    >>> success, risk = Linkability().rows(evidence, LocalEngine())
    >>> success.estimate.value > 4 * success.estimate.baseline  # the release is a copy
    True
    """

    k: int = 1
    says_about: ClassVar[frozenset[ReleaseKind]] = EVERY_KIND
    of_synthetic: ClassVar[bool] = True
    name: ClassVar[str] = "linkability"
    about: ClassVar[About] = About(
        "linkability",
        SYNTHESIS,
        "The share of people of whom two sources, each with some of the attributes, lead to the same "
        "released record, so that what both know can be put together.",
        GIOMI_2023,
        rank=3,
    )

    def __post_init__(self) -> None:
        if self.k < 1:
            raise ArgumentError(f"{self.name}: k is {self.k}", hint="give a whole number from 1 on")

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs two attributes that both files have."""
        if len(compared(evidence)) > 1:
            return None
        return NotEstimable("the original and the release share fewer than two attributes of people")

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """For each way to split the attributes the success beside the control's, and the risk beyond it."""
        return tuple(
            row
            for split, groups in splits(evidence).items()
            for row in excess_rows(self.name, self._outcome(evidence, engine, groups), WORDS, split)
        )

    def _outcome(self, evidence: FileEvidence, engine: Engine, groups: Groups) -> AttackOutcome:
        asked = tried(evidence, compared(evidence))
        first, second = (self._nearest(evidence, engine, group) for group in groups)
        linked = np.zeros(len(asked.known))
        for column in first.T:
            linked[((second == column[:, None]) & (column >= 0)[:, None]).any(axis=1)] = 1.0
        attack, control = asked.parts(linked)
        guess = _by_chance(len(evidence.released), first.shape[1])
        return AttackOutcome(attack, control, guess, per_record=per_person(evidence, asked.people, attack))

    def _nearest(self, evidence: FileEvidence, engine: Engine, names: tuple[str, ...]) -> Ints:
        """The k nearest records by these attributes of everybody tried; ties in a random order."""
        known = tried(evidence, compared(evidence)).known.only(names)
        released = evidence.released.only(names).take(orders(evidence)[1])
        dossier = Dossier(known, released, when_repeated(evidence.missing))
        space = standardised(dossier, by_release=True, cache=engine.cache)
        k = min(self.k, len(released))
        return engine.index(space.pairing(Sum(power=2))).k_nearest(k)[0]


def splits(evidence: FileEvidence) -> dict[str, Groups]:
    """The attributes of the two sources: halves drawn at random; the known ones and the others.

    >>> import polars as pl, unmask
    >>> schema = unmask.Schema((unmask.Column("a"), unmask.Column("b"), unmask.Column("c")))
    >>> file = unmask.Microdata(schema, pl.DataFrame({"a": [1], "b": [2], "c": [3]}))
    >>> splits(FileEvidence(file, unmask.Masked.of_nobody(file), ("a", "c")))["known and others"]
    (('a', 'c'), ('b',))
    """
    names = compared(evidence)
    drawn = set(generator(evidence.seed, "linkability").permutation(len(names))[: len(names) // 2].tolist())
    found = {"halves": _parted(names, [j in drawn for j in range(len(names))])}
    known = [name in evidence.known for name in names]
    if any(known) and not all(known):
        found["known and others"] = _parted(names, known)
    return found


def _parted(names: tuple[str, ...], inside: list[bool]) -> Groups:
    pairs = list(zip(names, inside, strict=True))
    return tuple(name for name, one in pairs if one), tuple(name for name, one in pairs if not one)


def _by_chance(records: int, k: int) -> float:
    """How likely two random sets of k records have one in common.

    >>> _by_chance(4, 1), round(_by_chance(4, 2), 4), _by_chance(3, 2)
    (0.25, 0.8333, 1.0)
    """
    taken: Floats = np.arange(k, dtype=np.float64)
    return float(1 - np.prod(np.maximum(records - k - taken, 0) / (records - taken)))
