"""Interval disclosure as sdcMicro's dRiskRMD reads it: wider intervals for those who lie far out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats, Ints
from unmask.data.missing import Missing
from unmask.data.release_kind import ReleaseKind
from unmask.data.sums import total
from unmask.engines import Engine
from unmask.errors import ArgumentError
from unmask.figures import figure
from unmask.kernels.pairing import DIFFERENCE
from unmask.linkage.aggregations import Sum
from unmask.linkage.axes import Axis
from unmask.linkage.spaces import assemble
from unmask.measures.applicability import OWN_RECORDS
from unmask.measures.attribute import interval
from unmask.measures.attribute.interval import TIE, Flags
from unmask.measures.attribute.matched import NOBODY, Matched, matched, numbers_in_both, spread
from unmask.measures.attribute.robust_distance import is_singular, mahalanobis, robust_covariance, z_scores
from unmask.measures.confidence import clopper_pearson
from unmask.measures.estimate import Curve, CurvePoint, Estimate, NotEstimable, Row, Unit
from unmask.measures.evidence import FileEvidence
from unmask.measures.families import ATTRIBUTE
from unmask.measures.phrases import of_people, percent
from unmask.randomness import generator

#: The part of a person's robust distance that their interval is measured by.
PART = 0.05


@dataclass(frozen=True, eq=False)
class _People:
    """The matched people: r, above which k each is disclosed, and whether no other released record is near.

    ``dealt``: whose released record each gets in a random deal, one row per deal; ``by_chance``: the k then.
    """

    pairs: Matched
    distance: Floats
    narrowest: Floats
    alone: Flags
    dealt: Ints
    by_chance: Floats


@dataclass(frozen=True)
class DRiskRMD:
    """The share of people with at least one value near the released one, where "near" is wider for outliers.

    Both files are z-scored, each by its own means and standard deviations (n - 1). r(x) = 0.05 times the
    Mahalanobis distance of x from the column means, by the minimum covariance determinant. Then

    ``risk1``   the share of people with |z_j(x) - z'_j(x)| < k r(x) for *any* numeric attribute j;
    ``risk2``   of these, only those with no other released record within the Euclidean distance k2;
    ``wrisk1``, ``wrisk2``   each share times the sum of r over its people

    (Templ and Meindl 2008, RMDID1 and RMDID2; R package sdcMicro, dRiskRMD). One close value suffices, by
    chance too, so that the more attributes there are, the larger it is: read it beside its baseline, which
    compares each person with somebody else's released record, dealt at random.

    ``covariance``: that of the z-scored original attributes, where it is known; else it is estimated. With
    dependent attributes, or one that has the same value for half of the people, it has no inverse. People
    who lack one of the numbers are not concerned; a missing released number discloses nothing.

    >>> import polars as pl
    >>> from unmask.engines import LocalEngine
    >>> from unmask.data.microdata import Masked, Microdata
    >>> from unmask.data.schema import Column, Schema
    >>> pay = lambda *values: Microdata(Schema((Column("pay"),)), pl.DataFrame({"pay": values}))
    >>> original, released = pay(-1, 0, 1), pay(-1.01, 0, 1.01)  # equal once z-scored
    >>> evidence = FileEvidence(original, Masked.by_order(original, released), ("pay",))
    >>> rows = DRiskRMD(covariance=((1.0,),)).rows(evidence, LocalEngine())
    >>> rows[0].estimate.per_record  # the second person lies in the centre: their interval is empty
    array([1., 0., 1.])
    """

    k: float = 0.01
    k2: float = 0.05
    curve: tuple[float, ...] = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1)
    covariance: tuple[tuple[float, ...], ...] | None = None
    says_about: ClassVar[frozenset[ReleaseKind]] = OWN_RECORDS
    by_name: ClassVar[bool] = True  # a variant that says little beyond the others
    about: ClassVar[About] = About(
        "interval disclosure, wider for outliers",
        ATTRIBUTE,
        "The share of people with at least one number close to the released one, where close is wider the "
        "farther a person lies from the centre (risk1); risk2 leaves out those whose released record has "
        "another one beside it. One close number suffices, by chance too: read it beside its baseline.",
        "M. Templ and B. Meindl (2008), Robust statistics meets SDC, Privacy in Statistical Databases, LNCS "
        "5262; dRiskRMD in sdcMicro.",
        own_record=True,
    )

    def __post_init__(self) -> None:
        interval.check_widths(self.name, "k", (self.k, *self.curve))
        interval.check_widths(self.name, "k2", (self.k2,))
        if self.covariance is not None:
            _check(self.name, self.covariance)

    @property
    def name(self) -> str:
        """The name in tables."""
        return "interval-drisk-rmd"

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs a number that both files have as a number."""
        return interval.why_not(evidence, numbers_in_both(evidence))

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """risk1, risk2 and their weighted forms, of all numeric attributes together."""
        people = self._people(evidence, engine)
        if isinstance(people, NotEstimable):
            return (Row.none(self.name, people, subject="risk1"),)
        one = f"at least one number is within {PART * self.k:g} robust distances of the released one"
        alone = f"{one}, and no other released record is within {self.k2:g}"
        everybody = np.ones(len(people.alone), dtype=np.bool_)
        return (
            self._share("risk1", people, everybody, one),
            self._share("risk2", people, people.alone, alone),
            self._weighted("wrisk1", people, everybody),
            self._weighted("wrisk2", people, people.alone),
        )

    def _people(self, evidence: FileEvidence, engine: Engine) -> _People | NotEstimable:
        pairs = matched(evidence)
        if len(pairs) == 0:
            return NOBODY
        names = _varying(evidence)
        if not names:
            return NotEstimable("no numeric attribute takes two values in both files")
        scores, released = (
            z_scores(evidence.matrix(data, names)) for data in (evidence.original, evidence.released)
        )
        covariance = self._covariance(evidence, names, scores)
        if isinstance(covariance, NotEstimable):
            return covariance
        distance = PART * mahalanobis(scores, covariance)[pairs.original]
        original, theirs = scores[pairs.original], released[pairs.released]
        narrowest = _narrowest(original, theirs, distance, evidence.missing)
        if np.isnan(narrowest).all():
            return NotEstimable("nobody has all numbers in the original file and one of them in the release")
        alone = _alone(released, self.k2, evidence.missing, engine)[pairs.released]
        rng = generator(evidence.seed, self.name, "baseline")
        dealt = _dealt(original, theirs, rng)
        by_chance = np.array([_narrowest(original, theirs[own], distance, evidence.missing) for own in dealt])
        return _People(pairs, distance, narrowest, alone, dealt, by_chance)

    def _covariance(
        self, evidence: FileEvidence, names: tuple[str, ...], scores: Floats
    ) -> Floats | NotEstimable:
        if self.covariance is not None:
            if len(self.covariance) != len(names):
                raise ArgumentError(
                    f"{self.name}: a covariance of {len(self.covariance)} rows for {len(names)} attributes",
                    hint=f"give that of {', '.join(names)}",
                )
            return np.array(self.covariance, dtype=np.float64)
        complete = scores[~np.isnan(scores).any(axis=1)]
        if len(complete) <= 2 * len(names):
            return NotEstimable(
                f"{len(complete)} people have all {len(names)} numbers, and a robust covariance needs more "
                f"than {2 * len(names)}"
            )
        found = robust_covariance(complete, generator(evidence.seed, self.name, "covariance"))
        if found is None:
            return NotEstimable(
                "the robust covariance of the numbers is singular: some follow from others, or more than "
                "half of the people share a value"
            )
        return found

    def _share(self, subject: str, people: _People, counted: Flags, what: str) -> Row:
        hits = _near(people.narrowest, self.k) * np.where(counted, 1.0, 0.0)
        concerned = ~np.isnan(hits)
        n, count = int(concerned.sum()), float(np.nansum(hits))
        chance = _near(people.by_chance, self.k) * counted[people.dealt]
        baseline = float(np.nanmean(chance))
        points = []
        for k in sorted(self.curve):
            at = float(np.nansum(_near(people.narrowest, k)[counted]))
            points.append(CurvePoint(k, at / n, *clopper_pearson(at, n)))
        low, high = clopper_pearson(count, n)
        estimate = Estimate(
            count / n,
            low,
            high,
            n,
            baseline,
            meaning=f"For {of_people(count, n)} {what}, all numbers as z-scores; of somebody else's record, "
            f"dealt at random, that holds for {percent(baseline)}.",
            per_record=people.pairs.per_record(hits),
            curve=Curve(
                "k: the distance that counts as near, in twentieths of the robust distance", tuple(points)
            ),
        )
        return Row.of(self.name, estimate, subject)

    def _weighted(self, subject: str, people: _People, counted: Flags) -> Row:
        n = int((~np.isnan(people.narrowest)).sum())
        hit = (_near(people.narrowest, self.k) == 1) & counted
        value = float(hit.sum()) * total(people.distance[hit]) / n
        meaning = (
            f"The share of {subject[1:]} times the sum of its people's distances from the centre: "
            f"{figure(value, 3)}. It grows with the file, and serves to compare releases of one file only."
        )
        return Row.of(self.name, Estimate(value, None, None, n, unit=Unit.LEVEL, meaning=meaning), subject)


def _check(measure: str, covariance: tuple[tuple[float, ...], ...]) -> None:
    hint = "give a symmetric, positive definite matrix with a row for each numeric attribute"
    if {len(row) for row in covariance} != {len(covariance)}:
        raise ArgumentError(f"{measure}: the covariance is no square matrix", hint=hint)
    matrix = np.array(covariance, dtype=np.float64)
    if not np.isfinite(matrix).all() or not np.allclose(matrix, matrix.T, rtol=1e-9) or is_singular(matrix):
        raise ArgumentError(f"{measure}: the covariance has no inverse", hint=hint)


def _varying(evidence: FileEvidence) -> tuple[str, ...]:
    """The attributes that can be z-scored: a constant is no secret, or tells nothing."""
    files = (evidence.original, evidence.released)
    return tuple(
        name
        for name in numbers_in_both(evidence)
        if all(spread(evidence.numbers(file, name)) > 0 for file in files)
    )


def _narrowest(original: Floats, released: Floats, distance: Floats, missing: Missing) -> Floats:
    """Above which k each person is disclosed; infinite: at none; NaN: there is nothing to disclose."""
    gap = np.abs(original - released)
    untold = np.isnan(gap).all(axis=1)
    smallest = np.where(np.isnan(gap), np.inf, gap).min(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        width = np.where(distance > 0, smallest / distance, np.inf)
    nothing = np.isnan(distance) | (untold & (missing is Missing.IGNORE))
    return np.where(nothing, np.nan, width)


def _near(narrowest: Floats, k: float) -> Floats:
    """1 where k is above the narrowest (a tie is not), 0 elsewhere; NaN: nothing to disclose."""
    return np.where(np.isnan(narrowest), np.nan, narrowest < k * (1 - TIE))


def _dealt(original: Floats, released: Floats, rng: np.random.Generator) -> Ints:
    """Whose released record each person gets when they are dealt out at random, one row per deal.

    Both sides are put in the order of their values first, so that the order of the files never shows.
    """
    people, records = np.lexsort(original.T), np.lexsort(released.T)
    deals = int(np.clip(200_000 // len(people), 1, 20))
    dealt = np.empty((deals, len(people)), dtype=np.int64)
    for own in dealt:
        own[people] = rng.permutation(records)
    return dealt


def _alone(released: Floats, radius: float, missing: Missing, engine: Engine) -> Flags:
    """Which released records have no other one within that distance."""
    axes = [
        Axis(column, column, DIFFERENCE, 1.0, float(np.nanmax(column) - np.nanmin(column)))
        for column in released.T
    ]
    _, squared = engine.index(assemble(axes, missing).pairing(Sum(power=2))).k_nearest(2)
    # The record itself is the nearest, or one of several at its place.
    return np.asarray(squared[:, 1] > radius**2 * (1 + TIE), dtype=np.bool_)
