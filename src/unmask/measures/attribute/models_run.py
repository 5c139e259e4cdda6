"""One attribute predicted from the original file, from the release, and from the release without oneself."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.data.schema import Kind
from unmask.measures.attribute.groups import as_values
from unmask.measures.attribute.interval import Flags, in_densest
from unmask.measures.attribute.matched import NOBODY, matched, spread
from unmask.measures.attribute.models import Modelling, predictions
from unmask.measures.attribute.models_features import features, usable
from unmask.measures.attribute.models_order import orders
from unmask.measures.estimate import NotEstimable
from unmask.measures.evidence import FileEvidence
from unmask.measures.phrases import counted
from unmask.randomness import generator


@dataclass(frozen=True, eq=False)
class Sample:
    """The people whose attribute is predicted, and the released records that models learn from.

    ``record``: the place of each person's own record among ``records`` (-1: none); ``value`` and
    ``released_value``: the attribute, numbers or codes; ``spread``: its standard deviation, None for codes.
    """

    people: Ints
    records: Ints
    record: Ints
    value: Floats
    released_value: Floats
    spread: float | None

    def narrowest(self, said: Floats) -> Floats:
        """How far what a model said is from the truth: in percent of the spread; 0 or infinite for codes."""
        return distance(said, self.value, self.spread)

    def usual(self, p: float) -> Flags:
        """Whose value is the most frequent one, or lies in the fullest interval of that width."""
        if self.spread is None:
            found, counts = np.unique(self.value, return_counts=True)
            return np.asarray(self.value == found[counts.argmax()], dtype=np.bool_)
        return in_densest(self.value, self.value, p * self.spread / 100)


@dataclass(frozen=True, eq=False)
class Predictions:
    """What two models said about the sampled people: the first is compared with the second."""

    sample: Sample
    first: Floats
    second: Floats


class Models(StrEnum):
    """Which two models are compared.

    *release*: the release without the person's record, with the original file without the person;
    *memory*: the whole release, with the release without the person's record.
    """

    RELEASE = "release"
    MEMORY = "memory"


def distance(said: Floats, value: Floats, spread: float | None) -> Floats:
    """The narrowest width at which what was said is right."""
    if spread is None:
        return np.where(said == value, 0.0, np.inf)
    return 100 * np.abs(said - value) / spread


def sampled(evidence: FileEvidence, subject: str, limit: int, absent: bool = False) -> Sample:
    """At most ``limit`` people who have the attribute, and as many released records that have it.

    Their own records come first; records of other people fill up. Where the attribute is taken as absent
    from the release, the people are those with a released record, and only their records are learned from.
    """
    numeric = evidence.original.schema[subject].kind is Kind.NUMERIC
    values = as_values(evidence, evidence.original, subject, numeric)
    order, fill = orders(evidence)
    own = np.full(len(evidence.original), -1, dtype=np.int64)
    pairs = matched(evidence)
    own[pairs.original] = pairs.released
    asked = ~np.isnan(values) & ((own >= 0) | (not absent))
    people = order[asked[order]][:limit]
    sd = spread(values) if numeric else None
    theirs = own[people]
    if absent:
        return Sample(people, theirs, np.arange(len(people)), values[people], values[people], sd)
    released = as_values(evidence, evidence.released, subject, numeric)
    learned = theirs >= 0
    learned[learned] = ~np.isnan(released[theirs[learned]])
    rest = ~np.isnan(released)
    rest[theirs[theirs >= 0]] = False
    fill = fill[rest[fill]][: limit - int(learned.sum())]
    place = np.full(len(people), -1, dtype=np.int64)
    place[learned] = np.arange(int(learned.sum()))
    records = np.concatenate((theirs[learned], fill))
    return Sample(people, records, place, values[people], released[records], sd)


def why_not_modelled(subject: str, known: tuple[str, ...], sample: Sample, folds: int) -> NotEstimable | None:
    """Why the attribute cannot be modelled; None if it can."""
    if not known:
        return NotEstimable("both files share no attribute that the intruder knows in one form")
    if len(sample.people) < 2 * folds:
        have = counted(len(sample.people), "person has", "people have")
        return NotEstimable(f"{have} '{subject}', and at least {2 * folds} are needed")
    if (sample.value == sample.value[0]).all() or sample.spread == 0:
        return NotEstimable(f"everybody has the same '{subject}', so it is no secret")
    return None


def predicted(
    evidence: FileEvidence, subject: str, modelling: Modelling, models: Models = Models.RELEASE
) -> Predictions | NotEstimable:
    """The predictions of one attribute, made once, or why there are none."""

    def made() -> Predictions | NotEstimable:
        if usable(evidence, (subject,)) != (subject,):
            return NotEstimable(f"'{subject}' is released in another form than the original has")
        known = usable(evidence, tuple(name for name in evidence.known if name != subject))
        sample = sampled(evidence, subject, modelling.limit)
        why = _why_not_predicted(subject, known, sample, modelling, models)
        return _predicted(evidence, known, sample, modelling, models) if why is None else why

    return evidence.cache.get(evidence, ("models", modelling, models, subject), made)


def _why_not_predicted(
    subject: str, known: tuple[str, ...], sample: Sample, modelling: Modelling, models: Models
) -> NotEstimable | None:
    why = why_not_modelled(subject, known, sample, modelling.folds)
    if why is None and len(sample.records) < 2 * modelling.folds:
        return NotEstimable(f"{len(sample.records)} released records have '{subject}', too few to learn from")
    if why is None and models is Models.MEMORY and not (sample.record >= 0).any():
        return NOBODY
    return why


def _predicted(
    evidence: FileEvidence, known: tuple[str, ...], sample: Sample, modelling: Modelling, models: Models
) -> Predictions:
    data = features(evidence, known, sample.people, sample.records)
    estimator = modelling.estimator(sample.spread is not None, memory=models is Models.MEMORY)
    state = int(generator(evidence.seed, "model").integers(2**31))
    fold = np.arange(len(sample.people)) % modelling.folds
    record_fold = np.full(len(sample.records), -1)
    has = sample.record >= 0
    record_fold[sample.record[has]] = fold[has]
    others = crossfitted(
        estimator, data.released, sample.released_value, record_fold, data.original, fold, state
    )
    if models is Models.RELEASE:
        population = crossfitted(estimator, data.original, sample.value, fold, data.original, fold, state)
        return Predictions(sample, others, population)
    return Predictions(
        sample, predictions(estimator, data.released, sample.released_value, data.original, state), others
    )


def crossfitted(
    estimator: Any, known: Floats, values: Floats, learned: Ints, asked: Floats, fold: Ints, state: int
) -> Floats:
    """What models say about the people asked, each trained on the rows of the other folds.

    ``learned``: the fold of each row to learn from (-1: in none, always learned); ``fold``: that of each
    person asked.
    """
    said = np.empty(len(asked))
    for k in range(int(fold.max()) + 1):
        rows, people = learned != k, fold == k
        said[people] = predictions(estimator, known[rows], values[rows], asked[people], state)
    return said
