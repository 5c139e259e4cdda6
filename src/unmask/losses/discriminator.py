"""Discriminator: how often trees tell a released record from an original one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.losses.base import Values
from unmask.losses.checks import at_least
from unmask.losses.evidence import LossEvidence
from unmask.losses.families import DISTINGUISHABILITY
from unmask.losses.propensity import FEWEST_RECORDS, why_no_model
from unmask.losses.trees import FOLDS, person_folds, tree_columns, tree_model
from unmask.measures.estimate import NotEstimable, Unit


@dataclass(frozen=True)
class Discriminator:
    """What a model of trees wins over guessing when it says which of two records is the released one.

        loss = max(0, 2 AUC - 1)

    with AUC the chance that a released record has a higher score than an original one, ties counting half
    (Lopez-Paz and Oquab 2017, with trees of random cuts by Geurts, Ernst and Wehenkel 2006 for the model).
    Each half of the people is judged by a model trained on the other; a person's original and released
    records are in the same half, so that the original itself has AUC 1/2 exactly. Trees find relations of
    any kind, where ``pmse`` finds those of two attributes; their answer is rough for files of a few hundred
    records. A missing value is a value of its own. ``sample``: so many people at most. Records count one
    each, whatever their weights.

    >>> from unmask.data.schema import Kind
    >>> from unmask.losses.evidence import LossAttribute, Side
    >>> age = LossAttribute("age", Kind.NUMERIC)
    >>> x, y = (Side({"age": np.arange(100.0) + shift}, np.ones(100)) for shift in (0, 200))
    >>> both = LossEvidence((age,), x, x, np.arange(100)), LossEvidence((age,), x, y, np.arange(100))
    >>> [Discriminator().values(evidence)[None] for evidence in both]
    [0.0, 1.0]
    """

    name: ClassVar[str] = "discriminator"
    unit: ClassVar[Unit] = Unit.SHARE
    by_name: ClassVar[bool] = True
    about = About(
        title="trees that tell the files apart",
        family=DISTINGUISHABILITY,
        sentence="How much better than a guess trees say which of two records is the released one.",
        source="D. Lopez-Paz and M. Oquab (2017), Revisiting classifier two-sample tests, International "
        "Conference on Learning Representations.",
        rank=3,
    )
    sample: int = 5000

    def __post_init__(self) -> None:
        at_least(FEWEST_RECORDS, "the sample", self.sample)

    def why_not(self, evidence: LossEvidence) -> NotEstimable | None:
        """It needs some records in both files, and an attribute."""
        return why_no_model(evidence)

    def values(self, evidence: LossEvidence) -> Values:
        """The mean over the halves."""
        from sklearn.metrics import roc_auc_score

        some = evidence.fewer(self.sample, evidence.rng(self.name, "people"))
        records = np.concatenate(tree_columns(some, [a.name for a in some.attributes]))
        fold = np.concatenate(person_folds(some, evidence.rng(self.name, "folds")))
        released = np.repeat([False, True], (len(some.original), len(some.released)))
        rng, found = evidence.rng(self.name, "trees"), []
        for half in range(FOLDS):
            asked = fold == half
            if any(len(np.unique(released[part])) < 2 for part in (asked, ~asked)):
                return {None: NotEstimable("too few records of one file are in a half")}
            model = tree_model(False, rng).fit(records[~asked], released[~asked])
            found.append(roc_auc_score(released[asked], model.predict_proba(records[asked])[:, 1]))
        return {None: max(0.0, 2 * float(np.mean(found)) - 1)}
