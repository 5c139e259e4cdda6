"""Models of trees that losses train: their columns, their folds, and the model itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.data.schema import Kind
from unmask.losses.evidence import LossEvidence
from unmask.losses.marks import marks

#: Two halves: each is answered by a model that has seen the other.
FOLDS = 2

TREES, LEAF = 30, 5


def tree_columns(evidence: LossEvidence, names: Sequence[str]) -> tuple[Floats, Floats]:
    """These attributes of both files, for trees: numbers by their place among all, which is as good to a tree
    and has no extremes; categories by their code; -1 where missing.
    """
    n = len(evidence.original)
    found = np.empty((n + len(evidence.released), len(names)))
    for j, name in enumerate(names):
        both = np.concatenate([side.columns[name] for side in (evidence.original, evidence.released)])
        if evidence.by_name[name].kind is Kind.NUMERIC:
            places = np.unique(both, return_inverse=True)[1]
            found[:, j] = np.where(np.isnan(both), -1, places)
        else:
            found[:, j] = both
    return found[:n], found[n:]


def person_folds(evidence: LossEvidence, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """The fold of each original and of each released record.

    A person's records are in one fold, so that no model has seen whom it is asked about. A record of nobody
    that equals an original one is in that one's fold, as it may be a copy.
    """
    n, m = len(evidence.original), len(evidence.released)
    original = rng.permutation(n) % FOLDS
    by_chance = rng.permutation(m) % FOLDS
    known, first = np.unique(marks(evidence.original), return_index=True)
    theirs = marks(evidence.released)
    at = np.minimum(np.searchsorted(known, theirs), len(known) - 1)
    copied = np.where(known[at] == theirs, original[first[at]], by_chance)
    return original, np.where(evidence.rows >= 0, original[evidence.rows], copied)


def tree_model(numeric: bool, rng: np.random.Generator) -> Any:
    """Trees with random cuts (Geurts, Ernst and Wehenkel 2006): quick, and without tuning."""
    from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor

    kind = ExtraTreesRegressor if numeric else ExtraTreesClassifier
    seed = int(rng.integers(2**31))
    return kind(n_estimators=TREES, min_samples_leaf=LEAF, max_features="sqrt", random_state=seed)
