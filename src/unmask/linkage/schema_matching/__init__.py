"""Schema matching: which column of one file is which of the other, when names differ or say nothing.

Evidence of four kinds, each in its own module, adds up to the odds of a pair (:mod:`.likelihood`): names,
values and distributions, relations to other columns. All one-to-one matchings together give its probability
(:mod:`.matchings`).
"""

from __future__ import annotations

from unmask.linkage.schema_matching.result import ColumnPair as ColumnPair
from unmask.linkage.schema_matching.result import SchemaMatch as SchemaMatch
from unmask.linkage.schema_matching.schemas import match_columns_of as match_columns_of
from unmask.linkage.schema_matching.schemas import match_schema as match_schema
