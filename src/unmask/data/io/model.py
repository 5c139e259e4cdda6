"""Reading a released model: a skops file, which runs no code, or a pickle, which may run any.

ONNX is not read: the measure trains models like the released one, and an ONNX file cannot be trained.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from unmask.data.io.sources import existing, optional, shown
from unmask.errors import DataError

SUFFIX = ".skops"

#: Parts of scikit-learn's usual classifiers that skops leaves to its users to vouch for. They hold numbers: a
#: crafted one may end the process, but it runs nothing.
_HARMLESS = frozenset(
    {
        "sklearn.tree._tree.Tree",
        "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor",
        "sklearn.calibration._CalibratedClassifier",
        "sklearn.calibration._SigmoidCalibration",
        "sklearn.neural_network._stochastic_optimizers.AdamOptimizer",
        "sklearn.neural_network._stochastic_optimizers.SGDOptimizer",
    }
)

_TRUST = "if you made the file yourself, trust it (--trust-model, in Python trust_model=True)"
_SAVED = "save the fitted classifier with skops.io.dump, under the library versions installed here"


def check_model(path: str | Path, *, trusted: bool) -> None:
    """Refuse a file that is not there, or that may run a program when it is read and is not trusted.

    >>> check_model("nowhere.skops", trusted=False)
    Traceback (most recent call last):
    unmask.errors.DataError: no file 'nowhere.skops'. Hint: check the path and the name.
    """
    source = existing(Path(path))
    if not trusted and not _is_skops(source):
        raise DataError(
            f"'{shown(source)}' is no {SUFFIX} file, and reading another kind of model can run any program",
            hint=f"save the classifier with skops.io.dump under a name that ends with {SUFFIX}; {_TRUST}",
        )


def read_model(path: str | Path, *, trusted: bool = False) -> object:
    """A classifier that scikit-learn users saved with skops or, where it is trusted, joblib or pickle."""
    check_model(path, trusted=trusted)
    source = Path(path)
    model = _skops(source, trusted) if _is_skops(source) else _pickled(source)
    if not hasattr(model, "predict_proba"):
        raise DataError(
            f"'{shown(source)}' holds no classifier with predict_proba",
            hint="save a fitted scikit-learn classifier",
        )
    return model


def _is_skops(source: Path) -> bool:
    return source.name.lower().endswith(SUFFIX)


def _skops(source: Path, trusted: bool) -> object:
    """The model in a skops file; types that skops does not vouch for are made only in a trusted one."""
    skops = optional("skops.io", "models", "a model in a skops file")
    with _refusing(source):
        asked: list[str] = skops.get_untrusted_types(file=source)
    unknown = [name for name in asked if name not in _HARMLESS]
    if unknown and not trusted:
        listed = ", ".join(unknown[:3]) + (" and more" if len(unknown) > 3 else "")
        raise DataError(
            f"'{shown(source)}' holds types that are not known to be harmless: {listed}",
            hint=f"save a model of scikit-learn's own parts; {_TRUST}",
        )
    with _refusing(source):
        model: object = skops.load(source, trusted=asked)
    return model


def _pickled(source: Path) -> object:
    import joblib

    with _refusing(source):
        model: object = joblib.load(source)
    return model


@contextmanager
def _refusing(source: Path) -> Iterator[None]:
    """Whatever a damaged or strange file raises, in one line: its message may quote what the file holds."""
    try:
        yield
    except Exception:
        raise DataError(f"'{shown(source)}' is not a model that can be read here", hint=_SAVED) from None
