"""Whether a file of everybody can be compared with the release."""

from __future__ import annotations

import numpy as np
import polars as pl

from unmask.data.key_classes import classes, comparable, key_frame
from unmask.data.microdata import Microdata
from unmask.data.schema import Kind
from unmask.errors import DataError
from unmask.measures.anonymity.keys import Keys, population_counts
from unmask.measures.findings import Case, Unusable


def why_no_population(case: Case) -> str | None:
    """Why the population does not tell how many share a released key; None if it does.

    A population that the original is no sample of contradicts the case, and is an error.
    """
    if case.population is None:
        return "no file of the population is given"
    names = [name for name in case.known if name in case.masked.data.schema]
    lost = [name for name in names if name not in case.population.schema]
    if lost:
        return Unusable(f"the population file lacks the known attribute '{lost[0]}'")
    for name in names:
        kinds = {data.schema[name].kind for data in (case.masked.data, case.population)}
        if Kind.NUMERIC in kinds and len(kinds) > 1:
            return Unusable(f"'{name}' is numeric in only one of the release and the population file")
    _check_sample(case, case.population, [name for name in names if name in case.original.schema])
    for name in names:
        if _strange(case.masked.data, case.population, name):
            return Unusable(f"released values of '{name}' are not in the population file: code both alike")
    return None


def _strange(released: Microdata, population: Microdata, name: str) -> bool:
    """Whether the release has values of an attribute that nobody in the population has."""
    ours, theirs = (
        comparable(key_frame(data, [name]).unique().drop_nulls(), data)[name]
        for data in (released, population)
    )
    return not bool(ours.is_in(theirs.implode()).all())


def _check_sample(case: Case, population: Microdata, names: list[str]) -> None:
    if len(population) < len(case.original):
        raise DataError(
            f"the population has {len(population)} records, fewer than the {len(case.original)} of the "
            "original file",
            hint="give a file of everybody, of which the original is a sample",
        )
    if not names:
        return
    frame = key_frame(case.original, names)
    if frame.select(pl.any_horizontal(pl.all().is_null()).any()).item():
        frame = frame.drop_nulls()  # what is missing in the sample may be known of the population
    if not frame.height:
        return
    groups = classes(frame)
    keys = Keys(
        case.original, tuple(names), frame, groups, case.missing, np.arange(frame.height), frame.height
    )
    short = int((population_counts(keys, population) < groups.size).sum())
    if short:
        raise DataError(
            f"{short} combinations of the known attributes are more frequent in the original file than in "
            "the population, so the one is no sample of the other",
            hint="give a file of everybody, coded like the original",
        )
