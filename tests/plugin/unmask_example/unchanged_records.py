"""Records that are released as they are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.about import About, Family
from unmask.data.release_kind import ReleaseKind
from unmask.engines import Engine
from unmask.measures import Estimate, FileEvidence, NotEstimable, Row

UNCHANGED = Family("unchanged", "What is left as it was", "Values that the mask did not touch.")


@dataclass(frozen=True)
class UnchangedRecords:
    """The share of released records that say all that the intruder knows without a change (Torra 2017).

    >>> UnchangedRecords().name
    'unchanged-records'
    """

    about = About(
        title="unchanged records",
        family=UNCHANGED,
        sentence="The share of people whose known values are released exactly as they are.",
        source="V. Torra (2017), Data Privacy, Springer.",
        rank=1,
    )
    name = "unchanged-records"
    says_about = frozenset(ReleaseKind) - {ReleaseKind.RECODED, ReleaseKind.SYNTHETIC}

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs released records that are somebody's."""
        somebody = (evidence.masked.origin >= 0).any()
        return None if somebody else NotEstimable("no released record is anybody's")

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """One row, of the whole file."""
        somebody = np.flatnonzero(evidence.masked.origin >= 0)
        origin = evidence.masked.origin[somebody]
        names = list(evidence.released_known)
        before = evidence.original.frame.select(names)[origin]
        after = evidence.released.frame.select(names)[somebody]
        same = np.all([before[name].eq_missing(after[name]).to_numpy() for name in names], axis=0)
        share = float(same.mean())
        per_record = np.full(len(evidence.original), np.nan)
        per_record[origin] = same
        meaning = f"{int(same.sum())} of {len(same)} records are released as they are."
        estimate = Estimate(share, None, None, len(same), meaning=meaning, per_record=per_record)
        return (Row.of(self.name, estimate),)


UNCHANGED_RECORDS = UnchangedRecords()
