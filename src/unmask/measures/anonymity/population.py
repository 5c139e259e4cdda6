"""Whether a file of everybody can be compared with the release."""

from __future__ import annotations

import polars as pl

from unmask.data.key_classes import comparable
from unmask.data.microdata import Microdata
from unmask.data.schema import Kind
from unmask.errors import DataError
from unmask.measures.anonymity.keys import people_with
from unmask.measures.estimate import NotEstimable
from unmask.measures.evidence import FileEvidence


def why_no_population(evidence: FileEvidence) -> NotEstimable | None:
    """Why the population does not tell how many share a released key; None if it does.

    A population that the original is no sample of contradicts the evidence, and is an error.
    """
    population = evidence.population
    if population is None:
        return NotEstimable("no file of the population is given")
    return evidence.cache.get(evidence, ("population check",), lambda: _checked(evidence, population))


def _checked(evidence: FileEvidence, population: Microdata) -> NotEstimable | None:
    names = evidence.released_known
    lost = [name for name in names if name not in population.schema]
    if lost:
        return _unusable(f"the population file lacks the known attribute '{lost[0]}'")
    for name in names:
        kinds = {data.schema[name].kind for data in (evidence.released, population)}
        if Kind.NUMERIC in kinds and len(kinds) > 1:
            return _unusable(f"'{name}' is numeric in only one of the release and the population file")
    _check_sample(evidence, population, [name for name in names if name in evidence.original.schema])
    for name in names:
        if _strange(evidence, population, name):
            return _unusable(f"released values of '{name}' are not in the population file: code both alike")
    return None


def _unusable(reason: str) -> NotEstimable:
    return NotEstimable(reason, declared=True)


def _strange(evidence: FileEvidence, population: Microdata, name: str) -> bool:
    """Whether the release has values of an attribute that nobody in the population has."""
    ours, theirs = (_values(data, name) for data in (evidence.released, population))
    return not bool(ours.is_in(theirs.implode()).all())


def _values(data: Microdata, name: str) -> pl.Series:
    """The values of an attribute that are not missing, comparable with another file's."""
    values = data.frame[name].unique().drop_nulls()
    values = values.drop_nans() if values.dtype.is_float() else values
    return comparable(pl.DataFrame([values]), data)[name]


def _check_sample(evidence: FileEvidence, population: Microdata, names: list[str]) -> None:
    original = evidence.original
    if len(population) < len(original):
        raise DataError(
            f"the population has {len(population)} records, fewer than the {len(original)} of the "
            "original file",
            hint="give a file of everybody, of which the original is a sample",
        )
    if not names:
        return
    keys = evidence.keys(original, names)
    # What is missing in the sample may be known of the population.
    complete = keys.distinct.select(pl.all_horizontal(pl.all().is_not_null())).to_series()
    if not complete.any():
        return
    asked = comparable(keys.distinct.filter(complete), original)
    size = keys.classes.size[complete.to_numpy()]
    short = int((people_with(asked, evidence, population) < size).sum())
    if short:
        raise DataError(
            f"{short} combinations of the known attributes are more frequent in the original file than in "
            "the population, so the one is no sample of the other",
            hint="give a file of everybody, coded like the original",
        )
