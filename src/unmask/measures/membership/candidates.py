"""Whom a membership attack is tried on: people in the file, and as many of the hold-out who are not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from unmask.data.microdata import Ints, Microdata, as_text
from unmask.data.schema import Column, Kind, Schema
from unmask.measures.attribute.matched import ABOUT_PEOPLE
from unmask.measures.attribute.models_order import apart, mixed, people_apart
from unmask.measures.estimate import NotEstimable
from unmask.measures.evidence import FileEvidence
from unmask.measures.likeness import same_words
from unmask.measures.strangers import strangers
from unmask.randomness import generator

#: At most so many members, and as many non-members, are tried: enough for intervals of about a point.
MOST = 5000

#: Fewer people than this say nothing about recognition.
FEWEST = 20


@dataclass(frozen=True, eq=False)
class Candidates:
    """Rows of members in the original file and of non-members in the hold-out; and the rest of the hold-out,
    which the intruder may learn from.
    """

    members: Ints
    others: Ints
    reference: Ints


def why_not(evidence: FileEvidence) -> NotEstimable | None:
    """Why membership cannot be tried: it needs people who are surely not in the file."""
    holdout = evidence.holdout
    if holdout is None:
        return NotEstimable(
            "no hold-out file is given: people of the same kind who are not in the original file"
        )
    return evidence.cache.get(evidence, ("hold-out check",), lambda: _checked(evidence, holdout))


def _checked(evidence: FileEvidence, holdout: Microdata) -> NotEstimable | None:
    reason, found = None, strangers(evidence)
    if len(holdout) < 2 * FEWEST:
        reason = f"the hold-out file has {len(holdout)} records, and at least {2 * FEWEST} are needed"
    elif len(members(evidence)) < FEWEST:
        reason = f"fewer than {FEWEST} people of the original file are in the release"
    elif not attributes(evidence):
        reason = "the original, the released and the hold-out file share no attribute in one form"
    elif len(found.rows) < 2 * FEWEST:
        reason = (
            f"{found.again:,} of {len(holdout):,} people of the hold-out are people of the original file as "
            f"well, and of others fewer than {2 * FEWEST} are left"
        )
    return None if reason is None else NotEstimable(reason, declared=True)


def attributes(evidence: FileEvidence) -> tuple[str, ...]:
    """What the intruder knows of a candidate: every attribute of people that all three files have.

    One that is a number here and a category there cannot be compared, nor one whose categories the hold-out
    writes in another way: by that alone members would be told.
    """
    if evidence.holdout is None:
        return ()
    files = (evidence.released.schema, evidence.holdout.schema)
    return tuple(
        column.name
        for column in evidence.original.schema
        if column.role in ABOUT_PEOPLE
        and all(_alike(column, schema) for schema in files)
        and same_words(evidence, evidence.holdout, column.name)
    )


def _alike(column: Column, schema: Schema) -> bool:
    if column.name not in schema:
        return False
    return (schema[column.name].kind is Kind.NUMERIC) == (column.kind is Kind.NUMERIC)


def draw(evidence: FileEvidence) -> Candidates:
    """As many members as non-members; the non-members are half of the hold-out at most.

    Both are drawn by a hash of what their records tell and of which copy each is, so that the order of no
    file matters, and people alike are drawn one by one.
    """
    return evidence.cache.get(evidence, ("candidates",), lambda: _drawn(evidence))


def _drawn(evidence: FileEvidence) -> Candidates:
    assert evidence.holdout is not None
    rng = generator(evidence.seed, "membership")
    others = strangers(evidence).rows
    shuffled = others[np.argsort(apart(mixed(evidence.holdout, rng)[others]), kind="stable")]
    half = len(shuffled) // 2
    people, records = mixed(evidence.original, rng), mixed(evidence.released, rng)
    inside = members(evidence)
    inside = inside[np.argsort(people_apart(evidence, people, records)[inside], kind="stable")]
    n = min(MOST, half, len(inside))
    return Candidates(inside[:n], shuffled[:n], shuffled[half:])


def members(evidence: FileEvidence) -> Ints:
    """The people of the original file from whom the release was made: those who have a record in it.

    Of a synthetic file, no record of which is anybody's, all of them.
    """
    present = np.sort(evidence.masked.origin[evidence.masked.origin >= 0])
    return present if len(present) else np.arange(len(evidence.original))


def pooled(evidence: FileEvidence) -> Microdata:
    """What is known of all candidates, members first, without a trace of who is one."""
    return evidence.cache.get(evidence, ("pooled candidates",), lambda: _pooled(evidence))


def _pooled(evidence: FileEvidence) -> Microdata:
    assert evidence.holdout is not None
    candidates, names = draw(evidence), attributes(evidence)
    inside = evidence.original.only(names).take(candidates.members)
    outside = evidence.holdout.only(names).take(candidates.others)
    schema = evidence.original.schema.only(names)
    frame = pl.DataFrame([stacked(inside, outside, column) for column in schema])
    return Microdata(schema, frame, "the candidates")


def stacked(inside: Microdata, outside: Microdata, column: Column) -> pl.Series:
    """A column of both: a code is the same category whether a file holds it as 1, as 1.0 or as text."""
    sides = (inside.frame[column.name], outside.frame[column.name])
    if column.kind is Kind.NUMERIC:
        return pl.concat([side.cast(pl.Float64) for side in sides])
    return pl.concat([as_text(side) for side in sides])
