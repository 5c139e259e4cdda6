"""Records that are released as they are."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from unmask.about import About, Family
from unmask.engines import Engine
from unmask.measures import Case, Finding, Unit

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

    def why_not(self, case: Case) -> str | None:
        """It needs released records that are somebody's."""
        return None if (case.masked.origin >= 0).any() else "no released record is anybody's"

    def findings(self, case: Case, engine: Engine) -> tuple[Finding, ...]:
        """One finding, of the whole file."""
        somebody = np.flatnonzero(case.masked.origin >= 0)
        origin = case.masked.origin[somebody]
        names = [name for name in case.known if name in case.masked.data.schema]
        before = case.original.frame.select(names)[origin]
        after = case.masked.data.frame.select(names)[somebody]
        same = np.all([before[name].eq_missing(after[name]).to_numpy() for name in names], axis=0)
        share = float(same.mean())
        per_record = np.full(len(case.original), np.nan)
        per_record[origin] = same
        meaning = f"{int(same.sum())} of {len(same)} records are released as they are."
        found = Finding(self.name, "", share, None, None, len(same), None, Unit.SHARE, meaning)
        return (replace(found, per_record=per_record),)


UNCHANGED_RECORDS = UnchangedRecords()
