"""What a comparison of releases found: the risk of each alone and of all combined, as rows and plain data."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import polars as pl

from unmask.errors import ArgumentError
from unmask.measures import Estimate, as_number
from unmask.studies.releases.following import Follow


@dataclass(frozen=True)
class Row:
    """One attack on one release, or on all of them combined, under one measure."""

    attack: str
    measure: str
    release: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    chance: float | None
    p_value: float | None
    reason: str | None = None

    @staticmethod
    def of(attack: str, measure: str, release: str, e: Estimate) -> Row:
        """The row of an estimate."""
        p_value = as_number(e.p_value)
        return Row(attack, measure, release, e.number, e.low, e.high, e.n, e.baseline, p_value, e.reason)


@dataclass(frozen=True)
class Join:
    """How many records of this release were followed into an earlier one, and how many of them rightly."""

    release: str
    records: int
    joined: int | None
    right: int | None


@dataclass(frozen=True)
class Comparison:
    """The risk of each release alone and of all combined. It holds counts and shares only."""

    follow: Follow
    through: tuple[str, ...]
    joins: tuple[Join, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...]

    def section(self) -> dict[str, object]:
        """Plain data, for the document of an assessment under ``releases``."""
        followed = [join for join in self.joins if join.joined is not None]
        return {
            "how": self.follow.how.value,
            "through": list(self.through),
            "joined": sum(join.joined or 0 for join in followed) if followed else None,
            "joined right": sum(join.right or 0 for join in followed) if followed else None,
            "earlier": [
                {"release": j.release, "records": j.records, "joined": j.joined, "joined right": j.right}
                for j in self.joins
            ],
            "notes": list(self.notes),
            "rows": [asdict(row) for row in self.rows],
        }

    def table(self) -> pl.DataFrame:
        """The rows as a frame."""
        number = dict.fromkeys(("value", "low", "high", "chance", "p_value"), pl.Float64)
        return pl.DataFrame(
            [asdict(row) for row in self.rows], schema_overrides={**number, "reason": pl.String}
        )

    def value(self, attack: str, release: str, measure: str = "reidentification") -> float | None:
        """The value in one row."""
        found = [r for r in self.rows if (r.attack, r.release, r.measure) == (attack, release, measure)]
        if not found:
            raise ArgumentError(
                f"there is no row of '{attack}' on '{release}'", hint="look at the rows of table()"
            )
        return found[0].value
