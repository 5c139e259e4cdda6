"""Correct attribution probability (CAP): how often records with a person's key have the person's secret."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from unmask.about import About
from unmask.data.microdata import Floats, Ints
from unmask.data.release_kind import ReleaseKind
from unmask.engines import Engine
from unmask.measures.applicability import EVERY_KIND
from unmask.measures.attribute.groups import extremes
from unmask.measures.attribute.matched import why_no_secret
from unmask.measures.confidence import mean_interval
from unmask.measures.estimate import Estimate, NotEstimable, Row
from unmask.measures.evidence import FileEvidence
from unmask.measures.families import SYNTHESIS
from unmask.measures.phrases import percent
from unmask.measures.synthetic.hamming import nearest_by_hamming
from unmask.measures.synthetic.keyed import (
    GROUPS,
    FileKeys,
    KeyedFiles,
    Secrets,
    check_groups,
    keyed,
    secrets_by_key,
)
from unmask.measures.synthetic.right import (
    TOLERANCE,
    check_tolerance,
    is_numeric,
    keys_of,
    nearest_right,
    no_keys,
    secrets_of,
    share_right,
)
from unmask.measures.synthetic.tried import MOST, file_values, per_person

ELLIOT_2014 = (
    "M. Elliot (2014), Final report on the disclosure risk associated with the synthetic data produced by "
    "the SYLLS team, University of Manchester; J. Taub, M. Elliot, M. Pampaka and D. Smith (2018), "
    "Differential correct attribution probability for synthetic data: an exploration, Privacy in "
    "Statistical Databases, LNCS 11126, 122-137."
)
TAUB_2019 = (
    "J. Taub and M. Elliot (2019), The synthetic data challenge, Joint UNECE/Eurostat work session on "
    "statistical data confidentiality, The Hague."
)


class Variant(StrEnum):
    """Which of the definitions in use is meant."""

    ZERO = "zero"
    MATCHED = "matched"
    GENERALISED = "generalised"
    TARGETED_RECORDS = "targeted-records"
    TARGETED_PEOPLE = "targeted-people"
    TARGETED_ORIGINAL = "targeted-original"
    WITHIN = "within"


_ABOUT = {
    Variant.ZERO: About(
        "CAP, a key that is not released counts as 0",
        SYNTHESIS,
        "Of the released records with a person's key, the share that have the person's secret; 0 where none "
        "has the key.",
        ELLIOT_2014,
        rank=7,
    ),
    Variant.MATCHED: About(
        "CAP, of those whose key is released",
        SYNTHESIS,
        "Of the released records with a person's key, the share that have the person's secret; who has a key "
        "that is not released is left out.",
        ELLIOT_2014,
    ),
    Variant.GENERALISED: About(
        "CAP, generalised",
        SYNTHESIS,
        "Of the released records that agree with a person in most attributes of the key, the share that have "
        "the person's secret.",
        ELLIOT_2014,
    ),
    Variant.TARGETED_RECORDS: About(
        "TCAP, of released records",
        SYNTHESIS,
        "Over released records whose key has one secret only, the share of people with the key who have it.",
        TAUB_2019,
    ),
    Variant.TARGETED_PEOPLE: About(
        "TCAP, of people whose key is released with one secret",
        SYNTHESIS,
        "Of people whose key is released with one secret only, the share who have that secret.",
        TAUB_2019,
    ),
    Variant.TARGETED_ORIGINAL: About(
        "TCAP, of people whose key has one secret in the original",
        SYNTHESIS,
        "Of people whose key has one secret only in the original, the share of whom the release tells it.",
        TAUB_2019,
    ),
    Variant.WITHIN: About(
        "WEAP, keys with one secret in the release",
        SYNTHESIS,
        "Of released records, the share whose key has one secret only, right or wrong.",
        TAUB_2019,
    ),
}


@dataclass(frozen=True, eq=False)
class _Side:
    """People of the original, or of the control: their keys and secrets."""

    label: Ints
    codes: Ints
    truth: Floats


@dataclass(frozen=True, eq=False)
class _Case:
    """One secret: the release by key, and what it takes to compare people with it."""

    keys: KeyedFiles
    values: Floats
    numeric: bool
    tolerance: float
    evidence: FileEvidence
    engine: Engine
    secret: str

    def usual(self, truth: Floats) -> Floats:
        """For each secret, the share of released records that have it."""
        return share_right(self.values, truth, self.numeric, self.tolerance)


@dataclass(frozen=True)
class CorrectAttribution:
    """The probability that a released record with a person's key has the person's secret (CAP).

    With s_q released records of key q, and s_tq of them with secret t; a person x has (q, t):

    ``zero``               DCAP: the mean of s_tq / s_q over all people, 0 where s_q = 0 (Elliot 2014)
    ``matched``            the same over people with s_q > 0: a key that is not released is undefined (Taub,
                           Elliot, Pampaka and Smith 2018)
    ``generalised``        s_tq / s_q over the records with the fewest attributes of the key that differ
    ``targeted-records``   TCAP of Taub and Elliot (2019): over released records whose key has one secret
                           only and is somebody's, the share of people with the key who have the secret
    ``targeted-people``    TCAP as a share of people: of those whose key is released with one secret only,
                           the share who have it (DiSCO is the same as a share of all people)
    ``targeted-original``  TCAP of the vulnerable: of people whose key has one secret only in the original,
                           the share whose key is released with one secret only, theirs
    ``within``             WEAP: the share of released records whose key has one secret only

    One row per confidential attribute. The baseline is the same for people of the hold-out where they are
    given, else what the frequency of the secret alone gives: the mean share of released records with the
    person's secret (for ``within``: sum_t p_t^s). A number is right within ``tolerance`` of the truth; TCAP
    and WEAP need categories. Keys: as for :class:`DiSCO`. ``generalised`` tries at most 2,000 people.

    >>> import polars as pl, unmask
    >>> from unmask.engines import LocalEngine
    >>> schema = unmask.Schema((unmask.Column("age"), unmask.Column("ill", "nominal", "confidential")))
    >>> file = lambda ages, ill: unmask.Microdata(schema, pl.DataFrame({"age": ages, "ill": list(ill)}))
    >>> released = file([30, 30, 40, 50], "ynny")
    >>> evidence = FileEvidence(file([30, 40, 50, 60], "ynyn"), unmask.Masked.of_nobody(released), ("age",))
    >>> for variant in (Variant.ZERO, Variant.MATCHED, Variant.TARGETED_PEOPLE):
    ...     (row,) = CorrectAttribution(variant).rows(evidence, LocalEngine())
    ...     print(row.keys.measure, round(row.estimate.value, 3), row.estimate.baseline)
    cap-zero 0.625 0.5
    cap-matched 0.833 0.5
    cap-targeted-people 1.0 0.5
    """

    variant: Variant = Variant.ZERO
    tolerance: float = TOLERANCE
    groups: int = GROUPS
    says_about: ClassVar[frozenset[ReleaseKind]] = EVERY_KIND
    of_synthetic: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_tolerance(self.name, self.tolerance)
        check_groups(self.name, self.groups)

    @property
    def by_name(self) -> bool:
        """One variant says most of what there is to say; the others are there to be compared with papers."""
        return self.variant is not Variant.ZERO

    @property
    def name(self) -> str:
        """The name in tables."""
        return f"cap-{self.variant.value}"

    @property
    def about(self) -> About:
        """What it is called, says and comes from."""
        return _ABOUT[self.variant]

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs a confidential and a known attribute in the release."""
        return why_no_secret(evidence)

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """One row for each confidential attribute that is released."""
        names = evidence.released_confidential
        return tuple(Row.of(self.name, self._estimate(evidence, engine, name), name) for name in names)

    def _estimate(self, evidence: FileEvidence, engine: Engine, secret: str) -> Estimate:
        why = self._why_not_told(evidence, secret)
        if why is not None:
            return Estimate.none(why)
        keys = keyed(evidence, keys_of(evidence, secret), self.groups, secret)
        truth = file_values(evidence, evidence.original, secret)[keys.people]
        numeric = is_numeric(evidence, secret)
        values = file_values(evidence, evidence.released, secret)
        case = _Case(keys, values, numeric, self.tolerance, evidence, engine, secret)
        hits, usual = _RULES[self.variant](case, _Side(keys.original.label, keys.original.codes, truth))
        others = self._of_control(case)
        counted = ~np.isnan(hits)
        if not counted.any():
            return Estimate.none(NotEstimable(f"nobody's key and '{secret}' can be held against the release"))
        baseline = float(usual[counted].mean()) if others is None else others
        return self._told(case, hits, baseline, others is not None)

    def _why_not_told(self, evidence: FileEvidence, secret: str) -> NotEstimable | None:
        if secret not in secrets_of(evidence):
            return NotEstimable(f"'{secret}' is released in another form than the original has")
        if is_numeric(evidence, secret) and self.variant in _OF_CATEGORIES:
            return NotEstimable(f"'{secret}' is a number, and {self.name} needs categories: group it first")
        return None if keys_of(evidence, secret) else no_keys(secret)

    def _of_control(self, case: _Case) -> float | None:
        """The same for people of the hold-out; None where there are none of whom it can be said."""
        keys, holdout = case.keys, case.evidence.holdout
        if holdout is None or not isinstance(keys.control, FileKeys) or self.variant is Variant.WITHIN:
            return None
        truth = file_values(case.evidence, holdout, case.secret)[keys.others]
        hits, _ = _RULES[self.variant](case, _Side(keys.control.label, keys.control.codes, truth))
        return None if np.isnan(hits).all() else float(np.nanmean(hits))

    def _told(self, case: _Case, hits: Floats, baseline: float, control: bool) -> Estimate:
        found = hits[~np.isnan(hits)]
        low, high = mean_interval(found)
        of = "released records" if self.variant in _OF_RECORDS else "people of the original file"
        beside = (
            "of people whom the release was not made from"
            if control
            else "by the frequency of the secret alone"
        )
        meaning = (
            f"'{case.secret}', {self.about.title}: {percent(float(found.mean()))}, of {len(found):,} {of}; "
            f"the same {beside}: {percent(baseline)}."
        )
        told = None
        if self.variant not in _OF_RECORDS:
            told = per_person(case.evidence, case.keys.people, hits)
        return Estimate(
            float(found.mean()), low, high, len(found), baseline, meaning=meaning, per_record=told
        )


#: From a case and people to one number per person or record (NaN: left out), and what frequencies alone give.
Rule = Callable[[_Case, _Side], tuple[Floats, Floats]]


def _shares(case: _Case, side: _Side) -> Floats:
    """s_tq / s_q; NaN where the key is not released or the person has no secret."""
    release = secrets_by_key(case.evidence, case.keys, case.secret, case.tolerance)
    return np.where(np.isnan(side.truth), np.nan, release.of(side.label, side.truth).share)


def _matched(case: _Case, side: _Side) -> tuple[Floats, Floats]:
    return _shares(case, side), case.usual(side.truth)


def _zero(case: _Case, side: _Side) -> tuple[Floats, Floats]:
    shares = np.nan_to_num(_shares(case, side))
    return np.where(np.isnan(side.truth), np.nan, shares), case.usual(side.truth)


def _generalised(case: _Case, side: _Side) -> tuple[Floats, Floats]:
    asked, hits = slice(MOST), np.full(len(side.truth), np.nan)
    nearest = nearest_by_hamming(side.codes[asked], case.keys.released.codes, case.engine)
    hits[asked] = nearest_right(nearest, case.values, side.truth[asked], case.numeric, case.tolerance)
    return hits, case.usual(side.truth)


def _pure(label: Ints, values: Floats, keys: int) -> NDArray[np.bool_]:
    """Which keys have one secret only, and have it of every record."""
    found = extremes(label, np.ascontiguousarray(values), keys)
    size = np.bincount(label, minlength=keys)
    return np.asarray((size > 0) & (found.count == size) & (found.low == found.high))


def _targeted_people(case: _Case, side: _Side) -> tuple[Floats, Floats]:
    pure = _pure(case.keys.released.label, case.values, case.keys.keys)[side.label]
    return np.where(pure, _shares(case, side), np.nan), case.usual(side.truth)


def _targeted_original(case: _Case, side: _Side) -> tuple[Floats, Floats]:
    vulnerable = _pure(side.label, side.truth, case.keys.keys)[side.label]
    pure = _pure(case.keys.released.label, case.values, case.keys.keys)[side.label]
    told = np.where(pure, np.nan_to_num(_shares(case, side)), 0.0)
    return np.where(vulnerable, told, np.nan), case.usual(side.truth)


def _targeted_records(case: _Case, side: _Side) -> tuple[Floats, Floats]:
    label = case.keys.released.label
    pure = _pure(label, case.values, case.keys.keys)[label]
    # The other way round: the people are looked up by the keys and secrets of the records.
    people = Secrets(side.label, side.truth, case.keys.keys, numeric=False, tolerance=0.0)
    share = people.of(label, case.values).share
    return np.where(pure, share, np.nan), share_right(side.truth, case.values, False, 0.0)


def _within(case: _Case, side: _Side) -> tuple[Floats, Floats]:
    label = case.keys.released.label
    hits = _pure(label, case.values, case.keys.keys)[label].astype(np.float64)
    size = np.bincount(label, minlength=case.keys.keys)[label]
    there = ~np.isnan(case.values)
    shares = np.unique(case.values[there], return_counts=True)[1] / len(case.values)
    several, where = np.unique(size, return_inverse=True)
    return hits, np.array([float((shares**s).sum()) for s in several])[where]


_RULES: Mapping[Variant, Rule] = {
    Variant.ZERO: _zero,
    Variant.MATCHED: _matched,
    Variant.GENERALISED: _generalised,
    Variant.TARGETED_RECORDS: _targeted_records,
    Variant.TARGETED_PEOPLE: _targeted_people,
    Variant.TARGETED_ORIGINAL: _targeted_original,
    Variant.WITHIN: _within,
}
_OF_RECORDS = (Variant.TARGETED_RECORDS, Variant.WITHIN)
_OF_CATEGORIES = (*_OF_RECORDS, Variant.TARGETED_PEOPLE, Variant.TARGETED_ORIGINAL)
