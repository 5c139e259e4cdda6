"""Values as people write them: bands, masked codes, dates, numbers, truth values, and codes for missing."""

from __future__ import annotations

from unmask.data.values.bands import Band, ambiguous, parse_bands
from unmask.data.values.booleans import parse_booleans
from unmask.data.values.dates import Dates, DateUnit, parse_dates
from unmask.data.values.missing_words import is_missing_word
from unmask.data.values.numbers import parse_numbers
from unmask.data.values.prefixes import Prefix, parse_prefixes
from unmask.data.values.sentinels import Sentinel, sentinels

__all__ = [
    "Band",
    "DateUnit",
    "Dates",
    "Prefix",
    "Sentinel",
    "ambiguous",
    "is_missing_word",
    "parse_bands",
    "parse_booleans",
    "parse_dates",
    "parse_numbers",
    "parse_prefixes",
    "sentinels",
]
