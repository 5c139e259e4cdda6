"""How few attributes suffice to predict a confidential one."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from unmask.about import About, Direction
from unmask.data.microdata import Floats, Ints
from unmask.data.release_kind import ReleaseKind
from unmask.engines import Engine
from unmask.errors import ArgumentError
from unmask.measures.applicability import EVERY_KIND
from unmask.measures.attribute.interval import check_widths, disclosed
from unmask.measures.attribute.matched import why_no_secret
from unmask.measures.attribute.models import Modelling, predictions
from unmask.measures.attribute.models_features import Features, features, usable
from unmask.measures.attribute.models_run import Sample, sampled, why_not_modelled
from unmask.measures.attribute.paired import paired_difference
from unmask.measures.confidence import clopper_pearson
from unmask.measures.estimate import Curve, CurvePoint, Estimate, NotEstimable, Row, Unit
from unmask.measures.evidence import FileEvidence
from unmask.measures.families import ATTRIBUTE
from unmask.measures.phrases import percent
from unmask.measures.sources import TORRA_2017
from unmask.randomness import generator

#: Of more known attributes, those that help most alone are tried beside the first.
MOST_TRIED = 30


@dataclass(frozen=True)
class FewestAttributes:
    """The number of known attributes that give nearly all that the release tells about a confidential one.

    A good prediction from many attributes may be harmless; one from a few is not, since an intruder easily
    knows a few (Torra 2017). Attributes are added one by one, each time the one that helps a model of the
    release most (forward selection). A third of the people is learned from, by their released records; a
    third decides which attribute comes next; on the last third the share of right predictions is measured
    for each number of attributes. ``enough``: the part of the gain over naming the likeliest value for
    everybody that counts as nearly all; ``most``: the most attributes tried one by one. Right is as in
    ``model-disclosure``; folds are not used.

    >>> import polars as pl
    >>> from unmask.engines import LocalEngine
    >>> from unmask.data.microdata import Masked, Microdata
    >>> from unmask.data.schema import Column, Kind, Role, Schema
    >>> rng = np.random.default_rng(1)
    >>> a, b = rng.normal(size=300), rng.normal(size=300)
    >>> frame = pl.DataFrame({"a": a, "b": b, "sign": np.where(b > 0, "plus", "minus")})
    >>> columns = (Column("a"), Column("b"), Column("sign", Kind.NOMINAL, Role.CONFIDENTIAL))
    >>> people = Microdata(Schema(columns), frame)
    >>> evidence = FileEvidence(people, Masked.by_order(people, people), ("a", "b"))
    >>> (row,) = FewestAttributes().rows(evidence, LocalEngine())
    >>> row.estimate.value
    1.0
    >>> "'b'" in row.estimate.meaning
    True
    """

    enough: float = 0.9
    most: int = 6
    p: float = 10.0
    modelling: Modelling = field(default_factory=lambda: Modelling(limit=3000))
    says_about: ClassVar[frozenset[ReleaseKind]] = EVERY_KIND
    about: ClassVar[About] = About(
        "how few attributes suffice",
        ATTRIBUTE,
        "The number of known attributes that already give nearly all that the release tells about a "
        "confidential one.",
        TORRA_2017,
        direction=Direction.LOWER,
    )

    def __post_init__(self) -> None:
        check_widths(self.name, "p", (self.p,))
        if not 0 < self.enough <= 1:
            raise ArgumentError(
                f"{self.name}: enough is {self.enough:g}", hint="give a share above 0, at most 1"
            )
        if self.most < 1:
            raise ArgumentError(f"{self.name}: most is {self.most}", hint="give at least 1")

    @property
    def name(self) -> str:
        """The name in tables."""
        return "model-attributes"

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs a confidential and a known attribute in the release."""
        return why_no_secret(evidence)

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """One row for each confidential attribute that is released."""
        return tuple(
            Row.of(self.name, self._estimate(evidence, subject), subject)
            for subject in evidence.released_confidential
        )

    def _estimate(self, evidence: FileEvidence, subject: str) -> Estimate:
        if usable(evidence, (subject,)) != (subject,):
            why = NotEstimable(f"'{subject}' is released in another form")
            return Estimate.none(why, unit=Unit.COUNT)
        known = usable(evidence, tuple(name for name in evidence.known if name != subject))
        sample = sampled(evidence, subject, self.modelling.limit)
        lack = why_not_modelled(subject, known, sample, 5)
        if lack is None and len(_learned(sample)) < 2:
            lack = NotEstimable(f"too few released records have '{subject}' to learn from")
        if lack is not None:
            return Estimate.none(lack, unit=Unit.COUNT)
        data = features(evidence, known, sample.people, sample.records)
        chosen, hits = self._chosen(sample, data, known, evidence.seed)
        return self._judged(subject, chosen, hits, len(known))

    def _chosen(
        self, sample: Sample, data: Features, known: tuple[str, ...], seed: int
    ) -> tuple[tuple[str, ...], dict[int, Floats]]:
        """The attributes in the order of their help, and who is predicted right by each number of them."""
        state = int(generator(seed, "model").integers(2**31))
        width = self.p if sample.spread is not None else 0.0
        estimator = self.modelling.estimator(sample.spread is not None)
        learned = _learned(sample)
        choose, judge = (np.arange(len(sample.people)) % 3 == part for part in (1, 2))

        def right(names: tuple[str, ...]) -> Floats:
            at = data.only(names)
            said = predictions(
                estimator, data.released[learned][:, at], sample.released_value[learned],
                data.original[:, at], state,
            )  # fmt: skip
            return disclosed(sample.narrowest(said), width)

        hits = {0: sample.usual(width).astype(np.float64)[judge]}
        chosen, candidates = tuple[str, ...](), known
        while len(chosen) < min(self.most, len(known)):
            tried = {name: right((*chosen, name)) for name in candidates if name not in chosen}
            helps = {name: float(found[choose].mean()) for name, found in tried.items()}
            best = max(tried, key=helps.__getitem__)
            chosen = (*chosen, best)
            if len(candidates) > MOST_TRIED:
                candidates = tuple(sorted(helps, key=lambda name: -helps[name])[: MOST_TRIED + 1])
            hits[len(chosen)] = tried[best][judge]
        if len(chosen) < len(known):
            hits[len(known)] = right(known)[judge]
        return chosen, hits

    def _judged(self, subject: str, chosen: tuple[str, ...], hits: dict[int, Floats], known: int) -> Estimate:
        shares = {number: float(right.mean()) for number, right in hits.items()}
        n = len(hits[0])
        points = tuple(
            CurvePoint(number, share, *clopper_pearson(share * n, n)) for number, share in shares.items()
        )
        curve = Curve("number of known attributes that the model uses", points)
        best = max(shares, key=lambda number: (shares[number], -number))
        if best == 0 or paired_difference(hits[best], hits[0])[1] <= 0:
            reason = f"the known attributes tell no more about '{subject}' than its likeliest value does"
            return replace(Estimate.none(NotEstimable(reason), n, Unit.COUNT), curve=curve)
        wanted = shares[0] + self.enough * (shares[best] - shares[0])
        number = min(number for number, share in shares.items() if share >= wanted - 1e-12)
        names = ", ".join(f"'{name}'" for name in chosen[:number])
        which = f" ({names})" if number <= len(chosen) else ""
        suffice = "is enough" if number == 1 else "are enough"
        meaning = (
            f"{number} of {known} known attributes{which} {suffice} to predict '{subject}' right "
            f"for {percent(shares[number])} of people; the most that any number of them reaches is "
            f"{percent(shares[best])}, and naming the likeliest value for everybody reaches "
            f"{percent(shares[0])}."
        )
        return Estimate(float(number), None, None, n, unit=Unit.COUNT, meaning=meaning, curve=curve)


def _learned(sample: Sample) -> Ints:
    """The records to learn from: those of the first third, and of people who are not predicted."""
    part = np.zeros(len(sample.records), dtype=np.int64)
    has = sample.record >= 0
    part[sample.record[has]] = np.arange(len(sample.people))[has] % 3
    return np.flatnonzero(part == 0)
