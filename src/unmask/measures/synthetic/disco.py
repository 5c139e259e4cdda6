"""DiSCO: people of whose key the release knows one secret only, and it is theirs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from unmask.about import About
from unmask.data.microdata import Floats, Ints
from unmask.data.release_kind import ReleaseKind
from unmask.engines import Engine
from unmask.errors import ArgumentError
from unmask.measures.applicability import EVERY_KIND
from unmask.measures.attribute.matched import why_no_secret
from unmask.measures.confidence import mean_interval
from unmask.measures.estimate import Estimate, NotEstimable, Row
from unmask.measures.evidence import FileEvidence
from unmask.measures.families import SYNTHESIS
from unmask.measures.phrases import of_people, percent
from unmask.measures.sources import RAAB_2024
from unmask.measures.synthetic.keyed import (
    GROUPS,
    FileKeys,
    KeyedFiles,
    check_groups,
    keyed,
    secrets_by_key,
)
from unmask.measures.synthetic.right import (
    TOLERANCE,
    check_tolerance,
    is_numeric,
    keys_of,
    no_keys,
    secrets_of,
    share_right,
)
from unmask.measures.synthetic.tried import file_values, per_person

#: What is added to a secret where relations that everybody knows are left out.
BEYOND = "beyond what everybody knows"


@dataclass(frozen=True, eq=False)
class _Disclosed:
    """Of each person: whether they are disclosed, how likely by chance, and whether everybody knows it."""

    sure: Floats
    chance: Floats
    common: NDArray[np.bool_]
    released: NDArray[np.bool_]


@dataclass(frozen=True)
class DiSCO:
    """The share of people whose key is released with one secret only, which is theirs.

    With s_tq released records of key q and secret t (Raab, Nowok and Dibben 2024):

        DiSCO = #{x : s_tq = s_q > 0 for the key q and the secret t of x} / N

    for each confidential attribute: disclosive in the synthetic file, and correct for the original. The rows
    also say iS, the share of people whose key is released at all. A number is right within ``tolerance`` of
    the truth, and all records of the key must be. A number in the key of more than ``groups`` values is cut
    into as many groups, at quantiles of the original; a missing value is a value of its own.

    A second row leaves out what everybody knows: secrets that more than ``one_way`` of all people have, and
    secrets that at least ``two_way`` of the people have who share one value of the key, of ``fewest`` or
    more. Both rows are of all people who have a secret. The baseline is the same for people of the hold-out;
    without one, secrets dealt out to the released records at random: the mean of p^s, p the share of
    released records that tell the truth, s how many have the key.

    >>> import polars as pl, unmask
    >>> from unmask.engines import LocalEngine
    >>> schema = unmask.Schema((unmask.Column("age"), unmask.Column("ill", "nominal", "confidential")))
    >>> file = lambda ages, ill: unmask.Microdata(schema, pl.DataFrame({"age": ages, "ill": list(ill)}))
    >>> released = file([30, 30, 40, 50], "yyny")
    >>> evidence = FileEvidence(file([30, 40, 50, 60], "yyyn"), unmask.Masked.of_nobody(released), ("age",))
    >>> DiSCO().rows(evidence, LocalEngine())[0].estimate.per_record
    array([1., 0., 1., 0.])
    """

    tolerance: float = TOLERANCE
    groups: int = GROUPS
    one_way: float = 0.9
    two_way: float = 0.95
    fewest: int = 20
    says_about: ClassVar[frozenset[ReleaseKind]] = EVERY_KIND
    of_synthetic: ClassVar[bool] = True
    name: ClassVar[str] = "disco"
    about: ClassVar[About] = About(
        "DiSCO, disclosive and correct",
        SYNTHESIS,
        "The share of people of whose key the release knows one secret only, and it is theirs.",
        RAAB_2024,
        rank=6,
    )

    def __post_init__(self) -> None:
        check_tolerance(self.name, self.tolerance)
        for part, value in (("one_way", self.one_way), ("two_way", self.two_way)):
            if not 0.5 <= value <= 1:
                raise ArgumentError(
                    f"{self.name}: {part} is {value:g}", hint="what everybody knows holds of a half at least"
                )
        check_groups(self.name, self.groups)
        if self.fewest < 1:
            raise ArgumentError(f"{self.name}: {self.fewest} people", hint="give a whole number from 1 on")

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs a confidential and a known attribute in the release."""
        return why_no_secret(evidence)

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """For each confidential attribute DiSCO, and DiSCO beyond what everybody knows."""
        names = evidence.released_confidential
        return tuple(row for name in names for row in self._of(evidence, name))

    def _of(self, evidence: FileEvidence, secret: str) -> tuple[Row, ...]:
        names = keys_of(evidence, secret)
        why = None if names else no_keys(secret)
        if secret not in secrets_of(evidence):
            why = NotEstimable(f"'{secret}' is released in another form than the original has")
        if why is not None:
            return (Row.none(self.name, why, subject=secret),)
        keys = keyed(evidence, names, self.groups, secret)
        truth = file_values(evidence, evidence.original, secret)[keys.people]
        if np.isnan(truth).all():
            return (Row.none(self.name, NotEstimable(f"nobody has '{secret}'"), subject=secret),)
        people = self._people(evidence, keys, secret, keys.original, truth)
        others = None
        if evidence.holdout is not None and isinstance(keys.control, FileKeys):
            theirs = file_values(evidence, evidence.holdout, secret)[keys.others]
            others = self._people(evidence, keys, secret, keys.control, theirs)
        return self._rows(evidence, secret, keys, people, others)

    def _people(
        self, evidence: FileEvidence, keys: KeyedFiles, secret: str, file: FileKeys, truth: Floats
    ) -> _Disclosed:
        found = secrets_by_key(evidence, keys, secret, self.tolerance).of(file.label, truth)
        values = file_values(evidence, evidence.released, secret)
        right = share_right(values, truth, is_numeric(evidence, secret), self.tolerance)
        chance = np.where(found.size > 0, right**found.size, 0.0)
        there = ~np.isnan(truth)
        common = self._common(evidence, keys, secret, file, truth)
        return _Disclosed(found.sure[there], chance[there], common[there], found.size[there] > 0)

    def _common(
        self, evidence: FileEvidence, keys: KeyedFiles, secret: str, file: FileKeys, truth: Floats
    ) -> NDArray[np.bool_]:
        """Of whom the secret follows from what everybody knows; of a number nothing does."""
        known = np.zeros(len(truth), dtype=np.bool_)
        if is_numeric(evidence, secret):
            return known
        all_truths = file_values(evidence, evidence.original, secret)[keys.people]
        width = int(np.nanmax(np.append(truth, np.nanmax(all_truths)))) + 2
        usual, asked = (
            np.where(np.isnan(part), -1, part).astype(np.int64) + 1 for part in (all_truths, truth)
        )
        share = np.bincount(usual, minlength=width) / len(usual)
        known |= share[asked] > self.one_way
        for mine, theirs in zip(keys.original.codes.T, file.codes.T, strict=True):
            known |= self._follows(mine, usual, theirs, asked)
        return known

    def _follows(self, value: Ints, secret: Ints, asked: Ints, theirs: Ints) -> NDArray[np.bool_]:
        """Whether nearly everybody with that value of one attribute has that secret."""
        many = np.bincount(value, minlength=int(asked.max(initial=0)) + 1)[asked]
        # A value and a secret make one number; sorted, for a table of all pairs may be larger than the file.
        width = int(max(secret.max(), theirs.max(initial=0))) + 1
        pairs, wanted = np.sort(value * width + secret), asked * width + theirs
        same = np.searchsorted(pairs, wanted, "right") - np.searchsorted(pairs, wanted, "left")
        return np.asarray((many >= self.fewest) & (same >= self.two_way * many))

    def _rows(
        self,
        evidence: FileEvidence,
        secret: str,
        keys: KeyedFiles,
        people: _Disclosed,
        others: _Disclosed | None,
    ) -> tuple[Row, Row]:
        truth = file_values(evidence, evidence.original, secret)[keys.people]
        n, count = len(people.sure), float(people.sure.sum())
        left_out = float((people.sure * people.common).sum())
        told = np.full(len(truth), np.nan)
        told[~np.isnan(truth)] = people.sure
        beside = "people of the hold-out" if others is not None else "secrets dealt out at random"
        lead = (
            f"For {of_people(count, n)} all released records with their key have the same '{secret}', and it "
            f"is theirs; of {percent(float(people.released.mean()))} the key is released at all. "
        )
        if left_out:
            lead += f"Without {left_out:,.0f} of whom everybody knows it: {percent((count - left_out) / n)}. "
        first = _estimate(people.sure, _baseline(people, others, beyond=False), lead, beside)
        second = _estimate(people.sure * ~people.common, _baseline(people, others, beyond=True), lead, beside)
        first = replace(first, per_record=per_person(evidence, keys.people, told))
        return Row.of(self.name, first, secret), Row.of(self.name, second, f"{secret}, {BEYOND}")


def _baseline(people: _Disclosed, others: _Disclosed | None, beyond: bool) -> float:
    """The same of the control, or by chance."""
    if others is not None and len(others.sure):
        return float((others.sure * ~(others.common & beyond)).mean())
    return float((people.chance * ~(people.common & beyond)).mean())


def _estimate(hits: Floats, baseline: float, lead: str, beside: str) -> Estimate:
    low, high = mean_interval(hits)
    meaning = f"{lead}The same of {beside}: {percent(baseline)}."
    return Estimate(float(hits.mean()), low, high, len(hits), baseline, meaning=meaning)
