"""One attribute predicted from the original file, from the release, and from the release without oneself."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.data.schema import Kind
from unmask.measures.attribute.groups import as_values
from unmask.measures.attribute.interval import Flags, in_densest
from unmask.measures.attribute.matched import joint_categories, matched, spread
from unmask.measures.attribute.models import Modelling, predictions
from unmask.measures.attribute.models_features import features, usable
from unmask.measures.attribute.models_order import orders
from unmask.measures.findings import Case
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
class Run:
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


def sampled(case: Case, subject: str, limit: int, absent: bool = False) -> Sample:
    """At most ``limit`` people who have the attribute, and as many released records that have it.

    Their own records come first; records of other people fill up. Where the attribute is taken as absent
    from the release, the people are those with a released record, and only their records are learned from.
    """
    numeric = case.original.schema[subject].kind is Kind.NUMERIC
    levels = None if numeric else joint_categories(case, subject)
    values = as_values(case.original, subject, levels)
    order, fill = orders(case)
    own = np.full(len(case.original), -1, dtype=np.int64)
    pairs = matched(case)
    own[pairs.original] = pairs.released
    asked = ~np.isnan(values) & ((own >= 0) | (not absent))
    people = order[asked[order]][:limit]
    sd = spread(values) if numeric else None
    theirs = own[people]
    if absent:
        return Sample(people, theirs, np.arange(len(people)), values[people], values[people], sd)
    released = as_values(case.masked.data, subject, levels)
    learned = theirs >= 0
    learned[learned] = ~np.isnan(released[theirs[learned]])
    rest = ~np.isnan(released)
    rest[theirs[theirs >= 0]] = False
    fill = fill[rest[fill]][: limit - int(learned.sum())]
    place = np.full(len(people), -1, dtype=np.int64)
    place[learned] = np.arange(int(learned.sum()))
    records = np.concatenate((theirs[learned], fill))
    return Sample(people, records, place, values[people], released[records], sd)


def why_not_modelled(subject: str, known: tuple[str, ...], sample: Sample, folds: int) -> str | None:
    """Why the attribute cannot be modelled; None if it can."""
    if not known:
        return "both files share no attribute that the intruder knows in one form"
    if len(sample.people) < 2 * folds:
        have = counted(len(sample.people), "person has", "people have")
        return f"{have} '{subject}', and at least {2 * folds} are needed"
    if (sample.value == sample.value[0]).all() or sample.spread == 0:
        return f"everybody has the same '{subject}', so it is no secret"
    return None


_RUNS: WeakKeyDictionary[Case, dict[tuple[Modelling, Models, str], Run | str]] = WeakKeyDictionary()


def run(case: Case, subject: str, modelling: Modelling, models: Models = Models.RELEASE) -> Run | str:
    """The predictions of one attribute, made once for each case; a text says why there are none."""
    runs, key = _RUNS.setdefault(case, {}), (modelling, models, subject)
    if key not in runs:
        runs[key] = _run(case, subject, modelling, models)
    return runs[key]


def _run(case: Case, subject: str, modelling: Modelling, models: Models) -> Run | str:
    if usable(case, (subject,)) != (subject,):
        return f"'{subject}' is released in another form than the original has"
    known = usable(case, tuple(name for name in case.known if name != subject))
    sample = sampled(case, subject, modelling.limit)
    reason = why_not_modelled(subject, known, sample, modelling.folds)
    if reason is None and len(sample.records) < 2 * modelling.folds:
        reason = f"{len(sample.records)} released records have '{subject}', too few to learn from"
    if reason is None and models is Models.MEMORY and not (sample.record >= 0).any():
        reason = "no released record stems from an original one"
    if reason is not None:
        return reason
    data = features(case, known, sample.people, sample.records)
    estimator = modelling.estimator(sample.spread is not None, memory=models is Models.MEMORY)
    state = int(generator(case.seed, "model").integers(2**31))
    fold = np.arange(len(sample.people)) % modelling.folds
    record_fold = np.full(len(sample.records), -1)
    has = sample.record >= 0
    record_fold[sample.record[has]] = fold[has]
    others = crossfitted(
        estimator, data.released, sample.released_value, record_fold, data.original, fold, state
    )
    if models is Models.RELEASE:
        population = crossfitted(estimator, data.original, sample.value, fold, data.original, fold, state)
        return Run(sample, others, population)
    return Run(
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
