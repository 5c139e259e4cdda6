"""Trees for sequential synthesis: an attribute's codes, the tree of a target, and donors from its leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from unmask.data.microdata import Floats, Ints, Microdata
from unmask.data.ranks import dense_ranks
from unmask.data.schema import Kind
from unmask.masks.categories import category_order

#: The most records that a tree is grown on; the donors in its leaves are all records.
GROWN_ON = 100_000
#: The most classes of a tree: rarer categories count as one while it grows. synthpop refuses more than 60.
CLASSES = 60
#: The most splits from the root to a leaf.
DEEPEST = 30


@dataclass(frozen=True, eq=False)
class CodedAttribute:
    """An attribute of the original by codes, in its order if it has one; 0 where the value is missing."""

    kind: Kind
    codes: Ints
    values: Floats  # the number of each record, NaN where missing; of categories, their codes

    @staticmethod
    def of(original: Microdata, name: str) -> CodedAttribute:
        """The codes of a column."""
        kind = original.schema[name].kind
        if kind is Kind.NUMERIC:
            values = original.numbers([name])[:, 0]
            return CodedAttribute(kind, dense_ranks(original.frame[name]), values)
        codes = original.codes(name, category_order(original, name))
        return CodedAttribute(kind, codes + 1, np.where(codes < 0, np.nan, codes.astype(np.float64)))

    def response(self) -> Floats:
        """What a tree predicts: the number in deviations, and whether it is missing; of a category, a class.

        Missing numbers stand at the mean, so that they part from others by being missing alone.
        """
        if self.kind is Kind.NOMINAL:
            return self._classes().astype(np.float64)[:, None]
        gone = np.isnan(self.values)
        if gone.all() or np.ptp(self.values[~gone]) == 0:
            return gone.astype(np.float64)[:, None]
        centred = self.values - self.values[~gone].mean()
        centred /= np.abs(centred[~gone]).max()  # squares of very small numbers would be 0
        number = np.where(gone, 0.0, centred / centred[~gone].std())
        return np.column_stack((number, gone)) if gone.any() else number[:, None]

    def _classes(self) -> Ints:
        """The categories from the most frequent on, the rare ones as one class; missing is a category."""
        count = np.bincount(self.codes)
        place = np.empty(len(count), dtype=np.int64)
        place[np.argsort(-count, kind="stable")] = np.arange(len(count))
        return np.minimum(place, CLASSES - 1)[self.codes]


def donors(
    target: CodedAttribute,
    predictors: Sequence[tuple[CodedAttribute, Ints]],
    leaf: int,
    rng: np.random.Generator,
) -> Ints:
    """The record from which each synthetic one takes its value of the target.

    ``predictors``: each with the record from which the synthetic ones took their values of it. Without any,
    the donor is any record.
    """
    n = len(target.codes)
    if not predictors:
        return rng.integers(n, size=n)
    grown_on = np.arange(n) if n <= GROWN_ON else np.sort(rng.choice(n, GROWN_ON, replace=False))
    response = target.response()
    before = np.empty((n, len(predictors)), dtype=np.float32)
    after = np.empty_like(before)
    for j, (predictor, source) in enumerate(predictors):
        before[:, j] = _ordered(predictor, target, response[:, 0], leaf)
        after[:, j] = before[source, j]
    tree = _tree(target.kind, leaf, int(rng.integers(2**31)))
    tree.fit(before[grown_on], response[grown_on] if response.shape[1] > 1 else response[grown_on, 0])
    return _drawn(tree.apply(before), tree.apply(after), rng)


def _tree(kind: Kind, leaf: int, state: int) -> Any:
    """A tree that is not fitted yet: as rpart's with minbucket = leaf and no cost of complexity."""
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    # rpart splits no node of fewer than three times the least leaf, unless it is told to.
    grown = {"min_samples_leaf": leaf, "min_samples_split": max(2, 3 * leaf), "max_depth": DEEPEST}
    make = DecisionTreeClassifier if kind is Kind.NOMINAL else DecisionTreeRegressor
    return make(random_state=state, **grown)


def _ordered(predictor: CodedAttribute, target: CodedAttribute, response: Floats, leaf: int) -> Floats:
    """The predictor as a number by which a tree can split.

    Numbers and ordered categories go by their place. Of a nominal attribute, categories are put in the order
    of the target's mean (of classes, of the share of the most frequent one), by which the best split of a
    number, or of two classes, is found among so many cuts as there are categories (Breiman and others 1984).
    Categories of fewer records than a leaf holds go together: their means would tell single values.
    """
    if predictor.kind is not Kind.NOMINAL:
        return predictor.codes.astype(np.float64)
    score = (response == 0).astype(np.float64) if target.kind is Kind.NOMINAL else response
    count = np.bincount(predictor.codes)
    rare = count < leaf
    group = np.where(rare, len(count), np.arange(len(count)))[predictor.codes]
    sums = np.bincount(group, weights=score, minlength=len(count) + 1)
    sizes = np.bincount(group, minlength=len(count) + 1)
    means = sums / np.maximum(sizes, 1)
    place = np.empty(len(means))
    place[np.lexsort((np.arange(len(means)), means))] = np.arange(len(means))
    return place[group]


def _drawn(leaves: Ints, of: Ints, rng: np.random.Generator) -> Ints:
    """A record drawn from the leaf of each synthetic one.

    >>> _drawn(np.array([1, 1, 2]), np.array([2, 2]), np.random.default_rng(1))
    array([2, 2])
    """
    order = np.argsort(leaves, kind="stable")
    size = np.bincount(leaves)
    start = np.cumsum(size) - size
    # A draw below 1 times the size may round up to the size itself.
    place = np.minimum((rng.random(len(of)) * size[of]).astype(np.int64), size[of] - 1)
    found: Ints = order[start[of] + place]
    return found
