"""Models that an intruder trains to predict an attribute."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats
from unmask.errors import ArgumentError


@dataclass(frozen=True)
class Modelling:
    """How models are trained and tried.

    ``classifier``, ``regressor``: any scikit-learn estimators (for an attribute of categories, of numbers),
    by default random forests of 50 trees (Breiman 2001), which take mixed attributes, find interactions, and
    need no tuning; their leaves hold three records or more, and one where memory is tried. Numbers are
    learned as quantiles: a forest averages, and the mean of incomes is nobody's, that of their ranks a
    usual one. ``folds``: parts of the cross-validation. ``limit``: at most so many people, drawn at random,
    are predicted and trained on; a larger file would make the models slower, and little better.

    >>> Modelling(folds=1)
    Traceback (most recent call last):
    unmask.errors.ArgumentError: 1 folds for cross-validation. Hint: give at least 2.
    """

    classifier: object | None = None
    regressor: object | None = None
    folds: int = 5
    limit: int = 5000

    def __post_init__(self) -> None:
        if self.folds < 2:
            raise ArgumentError(f"{self.folds} folds for cross-validation", hint="give at least 2")
        if self.limit < 2 * self.folds:
            raise ArgumentError(
                f"a limit of {self.limit} people for {self.folds} folds",
                hint="give two people per fold or more",
            )
        for role, model in (("classifier", self.classifier), ("regressor", self.regressor)):
            if model is not None and not all(hasattr(model, m) for m in ("fit", "predict", "get_params")):
                raise ArgumentError(
                    f"the {role} is no scikit-learn estimator",
                    hint="give an object with fit, predict and get_params, such as LogisticRegression()",
                )

    def estimator(self, numeric: bool, memory: bool = False) -> Any:
        """The estimator for an attribute of numbers or of categories, or one that learns records by heart."""
        given = self.regressor if numeric else self.classifier
        if given is not None:
            return given
        from sklearn.compose import TransformedTargetRegressor
        from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
        from sklearn.preprocessing import QuantileTransformer

        forest = RandomForestRegressor if numeric else RandomForestClassifier
        grown = forest(n_estimators=50, min_samples_leaf=1 if memory else 3, max_features="sqrt")
        return TransformedTargetRegressor(grown, transformer=QuantileTransformer()) if numeric else grown


def seeded(estimator: Any, seed: int) -> Any:
    """An unfitted copy of an estimator, in which every random part without a seed of its own has this one.

    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> seeded(make_pipeline(DecisionTreeClassifier()), 7)[-1].random_state
    7
    """
    from sklearn.base import clone

    model = clone(estimator)
    unseeded = {
        name: seed
        for name, value in model.get_params().items()
        if name.split("__")[-1] == "random_state" and value is None
    }
    return model.set_params(**unseeded)


def predictions(estimator: Any, known: Floats, values: Floats, asked: Floats, seed: int) -> Floats:
    """What a model trained on the known attributes and values says about the people asked.

    ``values``: numbers, or codes of categories. A model that has seen a single value can only name that one.
    """
    from sklearn.base import is_classifier

    if (values == values[0]).all():
        return np.full(len(asked), values[0])
    model = seeded(estimator, seed)
    targets: NDArray[Any] = values.astype(np.int64) if is_classifier(model) else values
    try:
        with warnings.catch_warnings():
            # A small file has fewer quantiles than the default regressor asks for, and that is all right.
            warnings.filterwarnings("ignore", "n_quantiles", UserWarning)
            return np.asarray(model.fit(known, targets).predict(asked), dtype=np.float64)
    except ValueError:
        # The library's message may quote a value.
        raise ArgumentError(
            f"{type(estimator).__name__} could not be trained on the known attributes",
            hint="scale or reduce them in a pipeline, or take another estimator",
        ) from None
