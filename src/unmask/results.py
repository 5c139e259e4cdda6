"""Assessment: what every attack found, as a table, record by record, as JSON and as a report."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

import numpy as np
import polars as pl

from unmask.errors import ArgumentError
from unmask.io.write import write_text
from unmask.links import Standing
from unmask.measures import Estimate
from unmask.measures.confidence import clopper_pearson
from unmask.microdata import Floats, Ints

BASELINE = "guess"
UNION = "union"
FORMAT = 1


@dataclass(frozen=True)
class Result:
    """One row of the table: an attack under a measure, with its interval, chance and p-value."""

    attack: str
    scenario: str
    measure: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    chance: float | None
    p_value: float | None
    reason: str | None = None


@dataclass(frozen=True, eq=False)
class Run:
    """One attack's outcome: how every true record stands, and the estimates by measure."""

    attack: str
    notes: tuple[str, ...]
    standing: Standing
    estimates: dict[str, Estimate]


@dataclass(frozen=True)
class Sizes:
    """How many records the files hold, how many people the intruder knows, are in the release, are tried."""

    original: int
    released: int
    targets: int
    present: int
    tried: int


@dataclass(frozen=True, eq=False)
class Assessment:
    """What every attack found. Holds no value of a record: only row numbers, counts and shares."""

    scenario: str
    attributes: tuple[tuple[str, str], ...]
    missing: str
    error: float
    block: tuple[str, ...]
    sizes: Sizes
    targets: Ints
    runs: tuple[Run, ...]
    notes: tuple[str, ...]
    seed: int

    def results(self) -> list[Result]:
        """One result an attack and measure, then the union of the attacks."""
        rows = [self._result(run.attack, name, e) for run in self.runs for name, e in run.estimates.items()]
        rows += [self._result(UNION, name, e) for name, e in self._union().items()]
        return rows

    def table(self) -> pl.DataFrame:
        """The results as a frame: attack, scenario, measure, value, low, high, n, chance, p_value."""
        rows = [asdict(result) for result in self.results()]
        for row in rows:
            del row["reason"]
        text = dict.fromkeys(("attack", "scenario", "measure"), pl.String)
        number = dict.fromkeys(("value", "low", "high", "chance", "p_value"), pl.Float64)
        return pl.DataFrame(rows, schema_overrides={**text, **number, "n": pl.Int64})

    def worst(self, measure: str | None = None) -> Result:
        """The attack that does most under a measure (the first one measured); the union is not an attack."""
        measure = measure or next(iter(self.runs[0].estimates))
        found = [
            r for r in self.results() if r.measure == measure and r.attack != UNION and r.value is not None
        ]
        if not found:
            raise ArgumentError(
                f"no attack has a value of '{measure}'", hint=f"assess with measures=['{measure}']"
            )
        return max(found, key=lambda r: (r.value or 0.0, r.attack != BASELINE))

    def records(self) -> pl.DataFrame:
        """One row a target: its row in the original file (from 0), and how it stands under each attack.

        ``belief`` is the intruder's belief in the truth, ``closer`` and ``tied`` as in Standing, and
        ``p_value`` the chance that a random released record stands as well (null where more than the
        counted records are closer).
        """
        released = self.sizes.released
        columns: dict[str, object] = {"row": self.targets}
        beliefs = []
        for run in self.runs:
            standing = run.standing
            counted = (standing.closer >= 0) & (standing.tied > 0)
            p_value = np.where(counted, (standing.closer + standing.tied) / released, np.nan)
            columns[f"{run.attack}_belief"] = _nullable(_absent(standing, standing.belief()))
            columns[f"{run.attack}_closer"] = _nullable(_absent(standing, standing.closer)).cast(pl.Int64)
            columns[f"{run.attack}_tied"] = _nullable(np.where(counted, standing.tied, np.nan)).cast(pl.Int64)
            columns[f"{run.attack}_p_value"] = _nullable(p_value)
            if run.attack != BASELINE:
                beliefs.append(_absent(standing, standing.belief()))
        if beliefs:
            columns["highest_belief"] = _nullable(np.max(beliefs, axis=0))
        return pl.DataFrame(columns)

    def document(self) -> dict[str, object]:
        """The assessment as plain data: what JSON holds and reports are made from."""
        return {
            "format": "unmask-assessment",
            "version": FORMAT,
            "unmask": version("unmask"),
            "seed": self.seed,
            "scenario": {
                "text": self.scenario,
                "attributes": [{"name": name, "kind": kind} for name, kind in self.attributes],
                "missing": self.missing,
                "error": self.error,
                "block": list(self.block),
            },
            "sizes": asdict(self.sizes),
            "notes": list(self.notes),
            "attacks": [
                {
                    "name": run.attack,
                    "baseline": run.attack == BASELINE,
                    "notes": list(run.notes),
                    "standing": _standing_counts(run.standing),
                }
                for run in self.runs
            ],
            "worst": self.worst().attack if self.sizes.present else None,
            "results": [asdict(result) for result in self.results()],
        }

    def to_json(self, path: str | Path | None = None) -> str:
        """The document as JSON text, also written to a file if one is named."""
        text = json.dumps(self.document(), indent=2, ensure_ascii=False) + "\n"
        if path is not None:
            write_text(text, Path(path))
        return text

    def to_html(self, path: str | Path | None = None) -> str:
        """A self-contained report, also written to a file if one is named."""
        from unmask.report import html

        text = html(self.document())
        if path is not None:
            write_text(text, Path(path))
        return text

    def _result(self, attack: str, measure: str, e: Estimate) -> Result:
        return Result(
            attack, self.scenario, measure, e.value, e.low, e.high, e.n, e.chance, e.p_value, e.reason
        )

    def _union(self) -> dict[str, Estimate]:
        """A record counts as far as the best attack on it goes (Domingo-Ferrer and Torra 2002).

        Chance and p-value are bounds: the attacks' chances added up, and Bonferroni's for the best of them.
        """
        attacks = [run for run in self.runs if run.attack != BASELINE]
        if len(attacks) < 2:
            return {}
        union = {}
        for name in attacks[0].estimates:
            estimates = [run.estimates[name] for run in attacks]
            hits = np.max([e.per_target for e in estimates], axis=0)
            n = int((~np.isnan(hits)).sum())
            if n == 0:
                union[name] = Estimate(None, None, None, 0, None, None, hits, estimates[0].reason)
                continue
            count = float(np.nansum(hits))
            low, high = clopper_pearson(count, n)
            chance = min(1.0, sum(e.chance or 0.0 for e in estimates))
            p_value = min(1.0, len(attacks) * min(1.0 if e.p_value is None else e.p_value for e in estimates))
            union[name] = Estimate(count / n, low, high, n, chance, p_value, hits)
        return union


def _absent(standing: Standing, values: Floats | Ints) -> Floats:
    """NaN for targets that are not in the release."""
    return np.where(standing.closer < 0, np.nan, values)


def _nullable(values: Floats) -> pl.Series:
    return pl.Series(values, nan_to_null=True)


def _standing_counts(standing: Standing) -> dict[str, int]:
    """How many true records are the only nearest, tie for nearest, or have closer ones before them."""
    closer, tied = standing.closer, standing.tied
    nearest = closer == 0
    return {
        "only nearest": int((nearest & (tied == 1)).sum()),
        "nearest, 2 to 5 tie": int((nearest & (tied >= 2) & (tied <= 5)).sum()),
        "nearest, more tie": int((nearest & (tied > 5)).sum()),
        "1 closer": int((closer == 1).sum()) if standing.depth > 1 else 0,
        f"2 to {standing.depth - 1} closer": int(((closer >= 2) & (closer < standing.depth)).sum()),
        f"{standing.depth} or more closer": int((closer >= standing.depth).sum()),
    }
