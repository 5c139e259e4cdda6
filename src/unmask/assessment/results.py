"""Assessment: what every attack found, as a table, record by record, as JSON and as a report."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from importlib.metadata import version
from pathlib import Path

import polars as pl

from unmask.assessment.records import record_table
from unmask.assessment.runs import BASELINE, UNION, Run, together
from unmask.data.io.write import write_text
from unmask.data.microdata import Ints
from unmask.errors import ArgumentError
from unmask.linkage.learning.lesson import Lesson
from unmask.linkage.links import Standing
from unmask.measures import Estimate, Finding
from unmask.measures.permutation import PermutationNull

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
    findings: tuple[Finding, ...] = ()
    releases: dict[str, object] | None = None
    sources: dict[str, object] | None = None
    #: Whether the measures were asked for by name.
    named: bool = False

    def results(self) -> list[Result]:
        """One result an attack and measure, then the union of the attacks."""
        rows = [self._result(run.attack, name, e) for run in self.runs for name, e in run.estimates.items()]
        rows += [self._result(UNION, name, e) for name, e in together(self.runs).items()]
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
        """The attack that does most under a measure (the first one measured).

        The union is not an attack. Attacks informed by the truth come into it only if there are no others,
        and an attack that does no better than a guess is not the worst: the guess is.
        """
        measure = measure or next(iter(self.runs[0].estimates))
        real = [run for run in self.runs if not run.informed and run.attack != BASELINE]
        allowed = {run.attack for run in self.runs if not (run.informed and real)}
        found = [
            r for r in self.results() if r.measure == measure and r.attack in allowed and r.value is not None
        ]
        if not found:
            raise ArgumentError(
                f"no attack has a value of '{measure}'", hint=f"assess with measures=['{measure}']"
            )
        # Ties are shared out in fractions, whose sums differ in their last digits.
        return max(found, key=lambda r: (round(r.value or 0.0, 12), r.attack == BASELINE))

    def records(self) -> pl.DataFrame:
        """One row a target: its row in the original file (from 0), and how it stands under each attack.

        ``belief`` is the intruder's belief in the truth, ``closer`` and ``tied`` as in Standing, and
        ``p_value`` the chance that a random released record stands as well (null where more than the
        counted records are closer). Each measure of the file that speaks of single records adds a column
        (an empty one if it cannot be estimated: the document says why), ``unmeasured`` names those that say
        nothing of this person, and ``why`` says what found him, why he stands out, or that he is not in the
        release; it names attributes, never values.
        """
        return record_table(self.targets, self.sizes.released, self.runs, self.findings)

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
            "named": self.named,
            "attacks": [
                {
                    "name": run.attack,
                    "baseline": run.attack == BASELINE,
                    "informed": run.informed,
                    "learned": None if run.lesson is None else self._lesson(run.lesson, run.standing),
                    "readings": None if run.readings is None else _readings(run.readings),
                    "cut": run.cut,
                    "permutation": None if run.null is None else _null(run.null),
                    "notes": list(run.notes),
                    "standing": _standing_counts(run.standing),
                }
                for run in self.runs
            ],
            "worst": self.worst().attack if self.runs and self.sizes.present else None,
            "results": [asdict(result) for result in self.results()],
            "findings": [_finding(finding) for finding in self.findings],
            "releases": self.releases,
            "sources": self.sources,
        }

    def to_json(self, path: str | Path | None = None) -> str:
        """The document as JSON text, also written to a file if one is named."""
        text = json.dumps(self.document(), indent=2, ensure_ascii=False) + "\n"
        if path is not None:
            write_text(text, Path(path))
        return text

    def to_html(self, path: str | Path | None = None) -> str:
        """A self-contained report, also written to a file if one is named."""
        from unmask.documents import ASSESSMENT
        from unmask.report import html

        text = html(ASSESSMENT.build(self.document()))
        if path is not None:
            write_text(text, Path(path))
        return text

    def _lesson(self, lesson: Lesson, standing: Standing) -> dict[str, object]:
        """What was learned. Without a person found, or a record unlike his, there is no margin."""
        rivals = bool((standing.tied[standing.closer >= 0] < self.sizes.released).any())
        return {
            **asdict(lesson),
            "margin": lesson.margin if lesson.found and rivals else None,
            "weights of": "places" if lesson.form == "owa" else "attributes",
            "status": lesson.status,
        }

    def _result(self, attack: str, measure: str, e: Estimate) -> Result:
        return Result(
            attack, self.scenario, measure, e.value, e.low, e.high, e.n, e.chance, e.p_value, e.reason
        )


def _null(null: PermutationNull) -> dict[str, object]:
    """What random truths give, beside what was observed."""
    return {
        "observed": null.observed,
        "mean": null.mean,
        "upper": null.upper,
        "p_value": null.p_value,
        "draws": len(null.drawn),
    }


def _readings(readings: dict[str, Estimate]) -> dict[str, object]:
    return {
        name: {"value": e.value, "low": e.low, "high": e.high, "n": e.n, "reason": e.reason}
        for name, e in readings.items()
    }


def _finding(finding: Finding) -> dict[str, object]:
    """A finding without what it says of single records."""
    shown = {f.name: getattr(finding, f.name) for f in fields(finding) if f.name not in ("per_record", "why")}
    return {**shown, "curve": None if finding.curve is None else asdict(finding.curve)}


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
