"""What the names of columns say: weights, households, identifiers, codes, confidential matters."""

from __future__ import annotations

import re

WEIGHT = re.compile(
    r"(?:(?:sampl\w*|survey|design|person|household|hh|final|calibrat\w*|grossing|base|expansion)_)?weights?"
    r"|(?:\w+_)?(?:wgts?|p?wgtp|pond|ponder\w*|s006)|(?:fin\w*|fnl|per|hh)_?w(?:gh?|eigh)?t|wt(?:hh|per)?fin\w*"
)
HOUSEHOLD = re.compile(
    r"(?:\w+_)?(?:hid|hh_?(?:id|nr|num|no|number)?|household(?:_?(?:id|nr|num|no|number))?"
    r"|fam(?:ily)?_?(?:id|nr|num|no|number)|house_?id)"
)
IDENTIFIER = re.compile(
    r"(?:.*_)?(?:(?:rec|person|pers|p|case|resp|respondent|patient|subject|u|user|client)?_?id|identifier|name"
    r"|surname|forename|ssn|soc_sec_id|nif|dni|nin|mrn|nhs_?(?:no|number)?|passport|e?_?mail|phone|telephone|mobile"
    r"|uuid|guid|key|serial|serialno|seqn|record)"
)
CODE_NAMES = re.compile(
    r"(?:.*_)?(?:zip(?:_?code)?|post(?:al)?_?codes?|plz|nuts\d?|lau\d?|fips|nace\w*|naics|isic|isco\w*|icd\w*|atc)(?:_.*)?"
)
CONFIDENTIAL = re.compile(
    r"(?:.*_)?(?:diagnos[ie]s|diag|disease|illness|icd\d*|hiv|cancer|religion|political|party|vote|orientation"
    r"|disability|drugs?|conviction|criminal|genetic)(?:_.*)?"
)


def names_records(name: str) -> bool:
    """Whether a column is called like one that names people, records or households.

    >>> names_records("recID"), names_records("serial"), names_records("income")
    (True, True, False)
    """
    return any(pattern.fullmatch(snake_case(name)) for pattern in (IDENTIFIER, HOUSEHOLD))


def snake_case(name: str) -> str:
    """A column's name in lower case, its words apart by underscores.

    >>> snake_case("recID"), snake_case("House ID"), snake_case("HHID")
    ('rec_id', 'house_id', 'hhid')
    """
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)
    return re.sub(r"[^a-z0-9]+", "_", parted.lower()).strip("_")
