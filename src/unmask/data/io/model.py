"""Reading a released model."""

from __future__ import annotations

from pathlib import Path

from unmask.data.io.sources import existing
from unmask.errors import DataError


def read_model(path: str | Path) -> object:
    """A classifier that scikit-learn users saved with joblib or pickle.

    Such a file can run any program when it is read: read only models whose origin is known.

    >>> read_model("nowhere.joblib")
    Traceback (most recent call last):
    unmask.errors.DataError: ...
    """
    source = existing(Path(path))
    import joblib

    try:
        model: object = joblib.load(source)
    except Exception:
        # Whatever a damaged or strange pickle raises; its message may quote what it holds.
        raise DataError(
            f"'{source.name}' is not a model that can be read here",
            hint="save the fitted classifier with joblib.dump, under the library versions installed here",
        ) from None
    if not hasattr(model, "predict_proba"):
        raise DataError(
            f"'{source.name}' holds no classifier with predict_proba",
            hint="save a fitted scikit-learn classifier",
        )
    return model
