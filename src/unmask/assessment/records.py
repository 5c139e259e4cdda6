"""The record table: one row per person, their risk under every attack and measure, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from unmask.assessment.runs import Run
from unmask.data.key_classes import same_rows
from unmask.data.microdata import Floats, Ints
from unmask.documents import BASELINE
from unmask.linkage.links import Standing
from unmask.measures.estimate import Reasons, Row

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
    highest: Floats | None = None
    absent = np.zeros(len(targets), dtype=np.bool_)
    reasons: list[Reasons] = []
    for run in runs:
        belief = _placed(run, _absent(run.standing, run.standing.belief()), len(targets))
        columns |= _standing_columns(run, released, belief)
        absent |= _placed(run, run.standing.closer, len(targets)) < 0
        if run.attack != BASELINE and not run.informed:
            # NaN only where nobody tried.
            highest = belief if highest is None else np.fmax(highest, belief)
            reasons += _found(run, belief)
    reasons.append(Reasons(("", ABSENT), absent.astype(np.int8)))
    if highest is not None:
        columns["highest_belief"] = _nullable(highest)
    risks = _risks(targets, rows)
    columns |= {name: _nullable(values) for name, values in risks.items()}
    whys = [row.estimate.why for row in rows if row.estimate.why is not None]
    reasons += [Reasons(why.phrases, why.which[targets]) for why in whys]
    columns["unmeasured"] = _texts(_unmeasured(risks, absent), ", ", len(targets))
    columns["why"] = _texts(reasons, "; ", len(targets))
    return pl.DataFrame(columns)


def _texts(reasons: Sequence[Reasons], between: str, people: int) -> pl.Series:
    """The phrases of each person, one after the other and each once; null where there are none.

    Few combinations of reasons make a file of many people: each is put in words once.
    """
    told = [reason for reason in reasons if reason.phrases[0] or reason.which.any()]
    if not told:
        return pl.repeat(None, people, dtype=pl.String, eager=True)
    kinds = same_rows([reason.which for reason in told])
    each = zip(*(_phrases(reason, kinds.first) for reason in told), strict=True)
    texts = [between.join(filter(None, dict.fromkeys(phrases))) or None for phrases in each]
    return pl.Series(texts, dtype=pl.String).gather(kinds.of)


def _phrases(reasons: Reasons, people: Ints) -> Iterator[str]:
    return (reasons.phrases[place] for place in reasons.which[people].tolist())


def _found(run: Run, belief: Floats) -> Iterator[Reasons]:
    """The people whom the attack finds, and those whom it leaves among a few."""
    yield Reasons(("", f"found by {run.attack}"), (belief > FOUND).astype(np.int8))
    standing = run.standing
    if standing.share is None:
        few = (standing.closer == 0) & (standing.tied > 1) & (standing.tied <= FEW)
        phrases = (f"one of {t} for {run.attack}" for t in range(1, FEW + 1))
        which = np.zeros(len(belief), np.int8)
        which[slice(None) if run.places is None else run.places] = np.where(few, standing.tied, 0)
        yield Reasons(("", *phrases), which)


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


def _unmeasured(risks: Mapping[str, Floats], absent: Bools) -> list[Reasons]:
    """The measures that say nothing of a person in the release, though they speak of others."""
    blank = {name: np.isnan(values) & ~absent for name, values in risks.items()}
    there = int((~absent).sum())
    partial = {name: out for name, out in blank.items() if int(out.sum()) < there}
    return [Reasons(("", name), out.astype(np.int8)) for name, out in partial.items()]


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
