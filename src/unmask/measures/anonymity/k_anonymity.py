"""k-anonymity: the smallest number of released records that are alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from unmask.about import About, Direction
from unmask.data.release_kind import ReleaseKind
from unmask.engines import Engine
from unmask.measures.anonymity.keys import (
    check_alpha,
    company,
    described,
    records,
    released_keys,
    why_no_keys,
)
from unmask.measures.applicability import TRUE_KEYS
from unmask.measures.estimate import Estimate, NotEstimable, Row, Unit
from unmask.measures.evidence import FileEvidence
from unmask.measures.families import UNIQUENESS

#: The sizes below which records are counted; of classes of fewer than 2, 3, 5 and 10 records.
SIZES = (2, 3, 5, 10)


@dataclass(frozen=True)
class KAnonymity:
    """The smallest number of released records that share a key: k = min_i f_i (Samarati 2001; Sweeney 2002).

    f_i is the number of released records with the key of record i, itself included. A missing value is a
    value of its own under ``mismatch`` and ``category``; under ``wildcard``, ``ignore`` and ``suppressed`` it
    agrees with everything, and a compatible record that owes it to a missing value of its own counts
    ``alpha`` (Templ, Kowarik and Meindl 2015; 1: fully, 0: not at all). The risk of a record is 1 / f_i.

    >>> import polars as pl
    >>> from unmask.engines import LocalEngine
    >>> from unmask.data.microdata import Masked, Microdata
    >>> from unmask.data.schema import Column, Kind, Schema
    >>> file = Microdata(Schema((Column("town", Kind.NOMINAL),)), pl.DataFrame({"town": list("AABBB")}))
    >>> evidence = FileEvidence(file, Masked.by_order(file, file), ("town",))
    >>> (row,) = KAnonymity().rows(evidence, LocalEngine())
    >>> row.estimate.value, row.estimate.per_record[0]
    (2.0, np.float64(0.5))
    """

    alpha: float = 1.0
    says_about: ClassVar[frozenset[ReleaseKind]] = TRUE_KEYS
    about: ClassVar[About] = About(
        "k-anonymity",
        UNIQUENESS,
        "The size of the smallest group of released records that are alike in what the intruder knows.",
        "L. Sweeney (2002), k-anonymity: a model for protecting privacy, International Journal of "
        "Uncertainty, Fuzziness and Knowledge-Based Systems 10, 557-570.",
        rank=2,
        direction=Direction.LOWER,
    )

    def __post_init__(self) -> None:
        check_alpha(self.name, self.alpha)

    @property
    def name(self) -> str:
        """The name in tables."""
        return "k-anonymity"

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs attributes that the intruder knows."""
        return why_no_keys(evidence)

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """k, and for each record one over the number of those like it."""
        why = self.why_not(evidence)
        if why is not None:
            return (Row.none(self.name, why, Unit.LEVEL),)
        keys = released_keys(evidence)
        counts = keys.counts(self.alpha)
        k = float(counts.min())
        first, *others = [keys.members(counts < size) for size in SIZES[:3]]
        few = f"{first:,} of {records(len(keys))} are alone with theirs, " + ", ".join(
            f"{many:,} share them with fewer than {size - 1} others"
            for many, size in zip(others, SIZES[1:3], strict=True)
        )
        lead = (
            f"Every released record shares its values of {described(keys.names)} with at least "
            f"{records(k - 1, 'other', 'others')}"
            if k > 1
            else f"Some released records have values of {described(keys.names)} that no other has"
        )
        estimate = Estimate(
            k, None, None, len(keys), unit=Unit.LEVEL, meaning=f"{lead}; {few}.",
            per_record=keys.spread(1 / counts), why=company(keys, counts),
        )  # fmt: skip
        return (Row.of(self.name, estimate),)
