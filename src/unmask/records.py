"""The record ledger: one row a person, his risk under every attack and measure, and why."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from unmask.links import Standing
from unmask.measures import Finding
from unmask.microdata import Floats, Ints
from unmask.runs import BASELINE, Run

#: From this belief on, a person counts as found by an attack in the ledger's reasons.
FOUND = 0.5


def record_table(
    targets: Ints, released: int, runs: Sequence[Run], findings: Sequence[Finding]
) -> pl.DataFrame:
    """One row a target: its row in the original file (from 0), how it stands, its risks, and why."""
    columns: dict[str, object] = {"row": targets}
    beliefs: list[Floats] = []
    reasons: list[list[str]] = [[] for _ in targets]
    for run in runs:
        belief = _absent(run.standing, run.standing.belief())
        columns |= _standing_columns(run, released, belief)
        if run.attack != BASELINE and not run.informed:
            beliefs.append(belief)
            for i in np.flatnonzero(belief >= FOUND).tolist():
                reasons[i].append(f"found by {run.attack}")
    if beliefs:
        columns["highest_belief"] = _nullable(np.max(beliefs, axis=0))
    for finding in findings:
        if finding.per_record is not None:
            columns[_column(finding)] = _nullable(finding.per_record[targets])
        if finding.why is not None:
            which = finding.why.which[targets]
            for place, phrase in enumerate(finding.why.phrases):
                for i in np.flatnonzero(which == place).tolist() if phrase else ():
                    reasons[i].append(phrase)
    columns["why"] = ["; ".join(dict.fromkeys(reason)) or None for reason in reasons]
    return pl.DataFrame(columns, schema_overrides={"why": pl.String})


def _standing_columns(run: Run, released: int, belief: Floats) -> dict[str, object]:
    standing = run.standing
    counted = (standing.closer >= 0) & (standing.tied > 0)
    p_value = np.where(counted, (standing.closer + standing.tied) / released, np.nan)
    return {
        f"{run.attack}_belief": _nullable(belief),
        f"{run.attack}_closer": _nullable(_absent(standing, standing.closer)).cast(pl.Int64),
        f"{run.attack}_tied": _nullable(np.where(counted, standing.tied, np.nan)).cast(pl.Int64),
        f"{run.attack}_p_value": _nullable(p_value),
    }


def _column(finding: Finding) -> str:
    return f"{finding.measure}_{finding.subject}" if finding.subject else finding.measure


def _absent(standing: Standing, values: Floats | Ints) -> Floats:
    """NaN for targets that are not in the release."""
    return np.where(standing.closer < 0, np.nan, values)


def _nullable(values: Floats) -> pl.Series:
    return pl.Series(values, nan_to_null=True)
