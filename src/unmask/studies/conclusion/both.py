"""Before and after: the keys of the original file beside those of the release.

It is what users of sdcMicro look at first: how many records violate 2-, 3- and 5-anonymity, how many
re-identifications are expected, and how many values were suppressed, in either file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from unmask.about import About
from unmask.assessment.session import Session
from unmask.data.microdata import Masked, Microdata
from unmask.documents.conclusion import BOTH
from unmask.measures import why_not
from unmask.measures.anonymity.k_anonymity import KAnonymity
from unmask.measures.anonymity.keys import are, described, records, released_keys
from unmask.measures.estimate import Estimate, Keys, NotEstimable, Row, Unit
from unmask.measures.evidence import FileEvidence
from unmask.measures.families import UNIQUENESS
from unmask.report.numbers import count

ORIGINAL, RELEASED = "original", "released"

#: Records whose key fewer than so many share are counted.
SIZES = (2, 3, 5)

_SOURCE = (
    "M. Templ, A. Kowarik and B. Meindl (2015), Statistical disclosure control for micro-data using the R "
    "package sdcMicro, Journal of Statistical Software 67(4)."
)
EXPECTED_NUMBER, SUPPRESSED = "expected-reidentifications", "suppressed"

ABOUTS: Mapping[str, About] = {
    **{
        f"records-below-{k}": About(
            f"records that violate {k}-anonymity",
            UNIQUENESS,
            f"The number of records whose values of the known attributes fewer than {k} records of the same "
            "file share.",
            _SOURCE,
        )
        for k in SIZES
    },
    EXPECTED_NUMBER: About(
        "expected re-identifications",
        UNIQUENESS,
        "The number of records that somebody finds who knows these attributes of everybody, exactly, and "
        "picks one of the records that share them: the sum of 1/f, f the records that share a key.",
        _SOURCE,
    ),
    SUPPRESSED: About(
        "missing values",
        UNIQUENESS,
        "The number of records without a value of an attribute.",
        _SOURCE,
    ),
}


def both_rows(session: Session) -> list[Row]:
    """The rows of both files, over the attributes that the intruder knows and the release has."""
    evidence, original = session.evidence, session.files.original
    names = evidence.released_known
    # The original is looked at as it is, as if it were released.
    before = FileEvidence(
        original, Masked.by_order(original, original), names, evidence.missing, cache=evidence.cache
    )
    rows = [*_keys(before, ORIGINAL), *_keys(evidence, RELEASED)]
    for name in names:
        for file, label in ((original, ORIGINAL), (evidence.released, RELEASED)):
            rows.append(_missing(file, name, label))
    return rows


def _keys(evidence: FileEvidence, label: str) -> Iterator[Row]:
    why = why_not(KAnonymity(), evidence)
    if why is not None:
        for name in (*(f"records-below-{k}" for k in SIZES), EXPECTED_NUMBER):
            # It is the number of this file that cannot be told, not a measure that does not apply.
            lack = Estimate.none(NotEstimable(why.reason), len(evidence.released), Unit.COUNT)
            yield Row(Keys(name, release=label, curve=BOTH), lack)
        return
    keys = released_keys(evidence)
    counts, n, on = keys.counts(), len(keys), described(keys.names)
    for k in SIZES:
        few = keys.members(counts < k)
        share, its = are(few, "shares", "share"), are(few, "its", "their")
        alone = f"{are(few)} alone with {its} values" if k == 2 else f"{share} {its} values"
        others = "" if k == 2 else f" with fewer than {k - 1} others"
        meaning = f"{records(few)} of the {label} file's {n:,} {alone} of {on}{others}."
        estimate = Estimate(float(few), None, None, n, unit=Unit.COUNT, meaning=meaning)
        yield Row(Keys(f"records-below-{k}", release=label, curve=BOTH), estimate)
    found = keys.total(1 / counts)
    meaning = f"Who knows {on} of everybody finds {count(found)} of the {label} file's {n:,} records."
    estimate = Estimate(found, None, None, n, unit=Unit.COUNT, meaning=meaning)
    yield Row(Keys(EXPECTED_NUMBER, release=label, curve=BOTH), estimate)


def _missing(file: Microdata, name: str, label: str) -> Row:
    values = file.frame[name]
    gone = values.null_count() + (int(values.is_nan().sum() or 0) if values.dtype.is_float() else 0)
    meaning = f"{records(gone)} of the {label} file's {len(file):,} {are(gone, 'has', 'have')} no '{name}'."
    estimate = Estimate(float(gone), None, None, len(file), unit=Unit.COUNT, meaning=meaning)
    return Row(Keys(SUPPRESSED, subject=name, release=label, curve=BOTH), estimate)
