"""The record table: one row per person, their risk under every attack and measure, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from unmask.assessment.runs import Run
from unmask.data.microdata import Floats, Ints
from unmask.documents import BASELINE
from unmask.linkage.links import Standing
from unmask.measures.estimate import Row

Bools = NDArray[np.bool_]

#: Above this belief a person is found by an attack: the right record is likelier than not. At a half it is a
#: coin's throw, and the reason says between how many records, up to so many.
FOUND, FEW = 0.5, 5

ABSENT = "not in the release"


def record_table(targets: Ints, released: int, runs: Sequence[Run], rows: Sequence[Row]) -> pl.DataFrame:
    """One row per target: its row in the original file (from 0), how it stands, its risks, and why.

    Every measure of the file that speaks of single records has a column. One that cannot be estimated has an
    empty column, and its reason, which is the file's, is in the assessment's JSON and report. Who is not in
    the release has no risk from it: ``why`` says so. Where a measure says nothing of a person who is in it,
    ``unmeasured`` names the measure.

    ``why`` says "found by" an attack that believes in the right record by more than a half, and "one of t
    for" an attack for which t records, up to 5, tie for the nearest, the right one among them. An attack that
    was tried on a sample says nothing of the others.
    """
    columns: dict[str, object] = {"row": targets}
    beliefs: list[Floats] = []
    absent = np.zeros(len(targets), dtype=np.bool_)
    reasons: list[list[str]] = [[] for _ in targets]
    for run in runs:
        belief = _placed(run, _absent(run.standing, run.standing.belief()), len(targets))
        columns |= _standing_columns(run, released, belief)
        absent |= _placed(run, run.standing.closer, len(targets)) < 0
        if run.attack != BASELINE and not run.informed:
            beliefs.append(belief)
            for i, reason in _found(run, belief):
                reasons[i].append(reason)
    for i in np.flatnonzero(absent).tolist():
        reasons[i].append(ABSENT)
    if beliefs:
        columns["highest_belief"] = _nullable(np.fmax.reduce(beliefs))  # NaN only where nobody tried
    risks = _risks(targets, rows)
    columns |= {name: _nullable(values) for name, values in risks.items()}
    for row in rows:
        if row.estimate.why is not None:
            which = row.estimate.why.which[targets]
            for place, phrase in enumerate(row.estimate.why.phrases):
                for i in np.flatnonzero(which == place).tolist() if phrase else ():
                    reasons[i].append(phrase)
    columns["unmeasured"] = _unmeasured(risks, absent)
    columns["why"] = ["; ".join(dict.fromkeys(reason)) or None for reason in reasons]
    return pl.DataFrame(columns, schema_overrides=dict.fromkeys(("unmeasured", "why"), pl.String))


def _found(run: Run, belief: Floats) -> Iterator[tuple[int, str]]:
    """The people whom the attack finds, or leaves among a few."""
    for i in np.flatnonzero(belief > FOUND).tolist():
        yield i, f"found by {run.attack}"
    standing = run.standing
    if standing.share is None:
        few = (standing.closer == 0) & (standing.tied > 1) & (standing.tied <= FEW)
        places = np.arange(len(few)) if run.places is None else run.places
        for i in np.flatnonzero(few).tolist():
            yield int(places[i]), f"one of {standing.tied[i]} for {run.attack}"


def _risks(targets: Ints, rows: Sequence[Row]) -> dict[str, Floats]:
    """Each target's risk under the measures; NaN where one says nothing of them, or cannot be estimated."""
    estimated = {row.keys.measure for row in rows if row.estimate.estimable}
    risks = {}
    for row in rows:
        if row.estimate.per_record is not None:
            risks[_column(row)] = row.estimate.per_record[targets]
        elif row.keys.measure not in estimated:
            risks[row.keys.measure] = np.full(len(targets), np.nan)
    return risks


def _unmeasured(risks: Mapping[str, Floats], absent: Bools) -> list[str | None]:
    """The measures that say nothing of a person in the release, though they speak of others."""
    partial = {
        name: np.isnan(values) for name, values in risks.items() if not np.isnan(values[~absent]).all()
    }
    if not partial:
        return [None] * len(absent)
    blank = np.column_stack(list(partial.values())) & ~absent[:, None]
    kinds, kind = np.unique(blank, axis=0, return_inverse=True)
    phrases = [
        ", ".join(name for name, out in zip(partial, row, strict=True) if out) or None for row in kinds
    ]
    return [phrases[k] for k in kind.ravel().tolist()]


def _standing_columns(run: Run, released: int, belief: Floats) -> dict[str, object]:
    standing = run.standing
    counted = (standing.closer >= 0) & (standing.tied > 0)
    p_value = np.where(counted, (standing.closer + standing.tied) / released, np.nan)
    n = len(belief)
    closer = _placed(run, _absent(standing, standing.closer), n)
    tied = _placed(run, np.where(counted, standing.tied, np.nan), n)
    return {
        f"{run.attack}_belief": _nullable(belief),
        f"{run.attack}_closer": _nullable(closer).cast(pl.Int64),
        f"{run.attack}_tied": _nullable(tied).cast(pl.Int64),
        f"{run.attack}_p_value": _nullable(_placed(run, p_value, n)),
    }


def _placed(run: Run, values: Floats | Ints, n: int) -> Floats:
    """Values of the people whom the attack was tried on, as values of all n; NaN for the others."""
    if run.places is None:
        return values.astype(np.float64, copy=False)
    placed = np.full(n, np.nan)
    placed[run.places] = values
    return placed


def _column(row: Row) -> str:
    return f"{row.keys.measure}_{row.keys.subject}" if row.keys.subject else row.keys.measure


def _absent(standing: Standing, values: Floats | Ints) -> Floats:
    """NaN for targets that are not in the release."""
    return np.where(standing.closer < 0, np.nan, values)


def _nullable(values: Floats) -> pl.Series:
    return pl.Series(values, nan_to_null=True)
