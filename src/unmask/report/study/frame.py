"""The masks of a study as a frame: one row per mask and intruder, with every loss."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unmask.documents.study import CandidateSection
from unmask.measures.estimate import Estimate
from unmask.report.study.places import WHOEVER, MapPlaces
from unmask.report.study.verdicts import verdict_words

if TYPE_CHECKING:
    import polars as pl


def candidates_frame(places: MapPlaces) -> pl.DataFrame:
    """One row per mask and intruder, by the leading loss; a number that is not there is null."""
    import polars as pl

    words = pl.String()
    schema: dict[str, pl.DataType] = {
        "mask": words,
        "family": words,
        "reference": pl.Boolean(),
        "intruder": words,
        "draws": pl.Int64(),
        **_columns("found"),
        "attack": words,
    }
    for loss in _losses(places):
        schema |= _columns(loss)
    schema |= {"score": pl.Float64(), "verdict": words, "front": pl.Boolean()}
    rows = [_row(places, one, who) for one in places.ordered for who in places.who if who != WHOEVER]
    return pl.DataFrame(rows, schema=schema, orient="row")


def _columns(name: str) -> dict[str, pl.DataType]:
    import polars as pl

    return {column: pl.Float64() for column in (name, f"{name} low", f"{name} high")}


def _losses(places: MapPlaces) -> tuple[str, ...]:
    """All losses, the leading one first; one without any value too, so that columns tell what was asked."""
    return tuple(dict.fromkeys((places.document.least, *places.document.losses)))


def _row(places: MapPlaces, one: CandidateSection, who: str | None) -> tuple[object, ...]:
    finder, score = places.finder(one.mask, who), places.score(one.mask, who)
    losses = [number for loss in _losses(places) for number in _numbers(places.loss(one.mask, loss))]
    intruders = places.document.intruders
    return (
        one.mask,
        one.family,
        one.reference,
        who or (intruders[0].text if intruders else ""),
        one.replicates,
        *_numbers(places.found(one.mask, who)),
        None if finder is None else finder[0].attack,
        *losses,
        None if score is None else score.number,
        verdict_words(places, one, who) or None,
        one.front,
    )


def _numbers(estimate: Estimate | None) -> tuple[float | None, float | None, float | None]:
    return (None, None, None) if estimate is None else (estimate.number, estimate.low, estimate.high)
