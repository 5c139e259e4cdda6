"""The two simple methods that Torra and Nin (2008) name beside theirs: one number per record, and its rank.

Each part of a file gives each of its records one score, the first principal component or the sum of its
z-scores, and records of the same rank are linked. The paper reports 5 of 90 records for each, on census.
"""

from __future__ import annotations

import polars as pl

from unmask.data.microdata import Microdata
from unmask.data.schema import Column, Schema
from unmask.linkage.record_scores import RecordScore, record_scores

RANKED_RECORDS = 90
PUBLISHED_LINKS = 5.0
RANKINGS_TABLE = "Rankings, census"


RANKINGS: dict[str, RecordScore] = {
    "first principal component": RecordScore.FIRST_COMPONENT,
    "sum of z-scores": RecordScore.SUM_OF_Z,
}


def scored(part: Microdata, score: RecordScore) -> Microdata:
    """The part of a file with the score as its only attribute: rank-based linkage then compares ranks."""
    values = record_scores(part.numbers(part.schema.names()), score)
    return Microdata(Schema((Column("score"),)), pl.DataFrame({"score": values}), part.label)
