"""Whom a membership attack is tried on: people in the file, and as many of the hold-out who are not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from unmask.measures.findings import Case
from unmask.microdata import Ints, Microdata
from unmask.randomness import generator
from unmask.schema import Kind, Role

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


def why_not(case: Case) -> str | None:
    """Why membership cannot be tried: it needs people who are surely not in the file."""
    if case.holdout is None:
        return "no hold-out file is given: people of the same kind who are not in the original file"
    if len(case.holdout) < 2 * FEWEST:
        return f"the hold-out file has {len(case.holdout)} records, and at least {2 * FEWEST} are needed"
    if np.count_nonzero(case.masked.origin >= 0) < FEWEST:
        return f"fewer than {FEWEST} people of the original file are in the release"
    if not attributes(case):
        return "the original, the released and the hold-out file share no attribute"
    return None


def attributes(case: Case) -> tuple[str, ...]:
    """What the intruder knows of a candidate: every attribute of people that all three files have."""
    if case.holdout is None:
        return ()
    files = (case.masked.data.schema, case.holdout.schema)
    return tuple(
        column.name
        for column in case.original.schema
        if column.role in (Role.QUASI_IDENTIFIER, Role.CONFIDENTIAL)
        and all(column.name in schema for schema in files)
    )


def draw(case: Case) -> Candidates:
    """As many members as non-members; the non-members are half of the hold-out at most."""
    assert case.holdout is not None
    rng = generator(case.seed, "membership")
    shuffled = rng.permutation(len(case.holdout))
    half = len(shuffled) // 2
    present = np.sort(case.masked.origin[case.masked.origin >= 0])
    n = min(MOST, half, len(present))
    members = np.sort(rng.choice(present, n, replace=False))
    return Candidates(members, np.sort(shuffled[:n]), np.sort(shuffled[half:]))


def pooled(case: Case, candidates: Candidates) -> Microdata:
    """What is known of all candidates, members first, without a trace of who is one."""
    assert case.holdout is not None
    names = attributes(case)
    inside = case.original.only(names).take(candidates.members)
    outside = case.holdout.only(names).take(candidates.others)
    schema = case.original.schema.only(names)
    # Integers here and decimals there would not stack.
    kinds = [pl.col(c.name).cast(pl.Float64 if c.kind is Kind.NUMERIC else pl.String) for c in schema]
    stacked = pl.concat([data.frame.select(names).with_columns(kinds) for data in (inside, outside)])
    return Microdata(schema, stacked, "the candidates")
