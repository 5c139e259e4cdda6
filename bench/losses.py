"""The time of every loss: `python -m bench.losses [RECORDS]`, and IL1s, pMSE and S_pMSE beside others.

The bundled people, with noise, and correlated lognormal records with 13 numbers: seconds of CPU for one
evaluation of each loss, on all records and as an assessment takes them (at most 100,000 people). Then the
same quantities as others have them, on the same files, one after the other in this process: IL1s with numpy,
pMSE with scikit-learn's logistic regression on the same terms, which is what packages that have it call, and
S_pMSE with synthgauge (of the extra `bench`), the one package found that has it with a logistic regression.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import version
from importlib.util import find_spec
from statistics import median

import numpy as np
import polars as pl
from threadpoolctl import threadpool_limits

from bench.data import lognormal
from unmask.data.microdata import Floats, Masked, Microdata
from unmask.data.schema import Column, Schema
from unmask.losses import LOSSES, MOST_PEOPLE, LossEvidence, loss_evidence, loss_named
from unmask.losses.design import design
from unmask.losses.pmse import RATIO
from unmask.losses.propensity import INVERSE_PENALTY
from unmask.measures.evidence import FileEvidence

#: The logistic regression of unmask, in the words of scikit-learn.
OURS = {"C": INVERSE_PENALTY, "solver": "newton-cholesky", "max_iter": 200}

#: So many calls, of which the median counts, where one takes some hundredths of a second.
CALLS = 5


def cpu(work: Callable[[], object]) -> float:
    """CPU seconds of a call, with one thread for the machine's algebra, as an assessment takes a loss.

    Threads that wait for work count as CPU time: with two, a busy machine made 0.03 s a whole second.
    """
    with threadpool_limits(1):
        begun = time.process_time()
        work()
        return time.process_time() - begun


def files(n: int) -> tuple[Floats, Floats, FileEvidence]:
    """N records of 13 numbers, and the same with noise."""
    x, y, truth = lognormal(n, 13, 0.1)
    y = y[truth]
    schema = Schema(tuple(Column(f"x{j}") for j in range(13)))
    one, other = (Microdata(schema, pl.DataFrame(v, schema=list(schema.names()))) for v in (x, y))
    return x, y, FileEvidence(one, Masked.by_order(one, other), schema.names())


def each(evidence: FileEvidence, n: int) -> None:
    """The seconds of every loss."""
    whole: list[LossEvidence] = []
    seconds = cpu(lambda: whole.append(loss_evidence(evidence)))
    print(f"{n:,} x 13: reading both files as arrays {seconds:.2f} s")
    part = loss_evidence(evidence, limit=MOST_PEOPLE)
    for name, loss in LOSSES.items():
        if loss.why_not(part) is not None:
            continue
        loss.values(part)  # which imports what it needs
        full, some = (cpu(lambda e=e, loss=loss: loss.values(_anew(e))) for e in (whole[0], part))
        print(f"  {name:20} {full:7.2f} s, of {MOST_PEOPLE:,} people {some:6.2f} s", flush=True)


def _anew(evidence: LossEvidence) -> LossEvidence:
    """The same evidence, of which nothing was worked out yet."""
    return replace(evidence)


def il1s(x: Floats, y: Floats) -> float:
    """IL1s as one would write it with numpy."""
    return float(np.mean(np.abs(x - y) / (np.sqrt(2) * x.std(axis=0, ddof=1))))


def pmse(x: Floats, y: Floats) -> float:
    """PMSE with main effects and products as one would write it with scikit-learn."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import PolynomialFeatures, StandardScaler

    both, source = np.vstack((x, y)), np.repeat([0, 1], (len(x), len(y)))
    model = make_pipeline(
        StandardScaler(), PolynomialFeatures(2), LogisticRegression(C=np.inf, max_iter=1000)
    )
    return float(np.mean((model.fit(both, source).predict_proba(both)[:, 1] - 0.5) ** 2))


def beside(x: Floats, y: Floats, evidence: FileEvidence) -> None:
    """The same quantities by others."""
    ours = loss_evidence(evidence)
    found = loss_named("il1s").values(ours)[None]
    mine, theirs = cpu(lambda: loss_named("il1s").values(ours)), cpu(lambda: il1s(x, y))
    print(f"IL1s: {mine:.3f} s, numpy {theirs:.3f} s; {found:.6f} and {il1s(x, y):.6f}")
    some = loss_evidence(evidence, limit=5000)
    rows = some.rows
    a, b = some.original.matrix(some.numeric), some.released.matrix(some.numeric)
    mine = cpu(lambda: loss_named("pmse").values(_anew(some)))
    pmse(a[:100], b[:100])  # which imports what it needs
    theirs = cpu(lambda: pmse(a, b))
    value = loss_named("pmse").values(some)[None]
    print(
        f"pMSE of {len(rows):,} people: {mine:.3f} s, scikit-learn {theirs:.3f} s; as a share of its "
        f"largest value {value:.4f} and {4 * pmse(a, b):.4f}"
    )
    standardised(some)


def standardised(evidence: LossEvidence) -> None:
    """S_pMSE, by unmask and by synthgauge."""
    loss = loss_named("pmse")
    ours = median(cpu(lambda: loss.values(_anew(evidence))) for _ in range(CALLS))
    people = len(evidence.original)
    print(f"S_pMSE of {people:,} people: {loss.values(evidence)[RATIO]:.4g} in {ours:.3f} s")
    if find_spec("synthgauge") is None:
        print("  synthgauge is not installed, and left out: pip install -e '.[bench]'")
        return
    for settings, words in ((OURS, "our solver and penalty"), ({}, "its own solver and penalty")):
        found, theirs = synthgauge(evidence, settings)
        print(
            f"  synthgauge {version('synthgauge')}, {words}: {found:.4g} in {theirs:.3f} s, "
            f"{theirs / ours:.2f} times as long"
        )
    # Of the published null, (1 - c)^2 c k / N with k columns beside the constant, it lacks c and a column.
    (error, k), c, n = without_squares(evidence), 0.5, 2 * people
    print(
        f"  our columns without squares: {error / ((1 - c) ** 2 * (k - 1) / n):.4g} by its null, "
        f"{error / ((1 - c) ** 2 * c * k / n):.4g} by the published one"
    )


def synthgauge(evidence: LossEvidence, settings: dict[str, object]) -> tuple[float, float]:
    """Its ratio of pMSE to the null, and the CPU seconds; with products, which it always has."""
    with warnings.catch_warnings():
        # Of its old seaborn, and of a solver that stops before it has converged.
        warnings.simplefilter("ignore")
        import pandas as pd
        from synthgauge.metrics import propensity_metrics

        sides = evidence.original, evidence.released
        x, y = (side.matrix(evidence.numeric) for side in sides)
        both = np.vstack((x, y))
        # Its documentation leaves the scaling to the caller.
        real, synth = (pd.DataFrame((v - both.mean(axis=0)) / both.std(axis=0)) for v in (x, y))
        real.columns = synth.columns = list(evidence.numeric)
        found: list[float] = []

        def once() -> None:
            found.append(propensity_metrics(real, synth, method="logr", **settings).pmse_ratio)

        once()  # which imports what it needs
        return found[0], median(cpu(once) for _ in range(CALLS))


def without_squares(evidence: LossEvidence) -> tuple[float, int]:
    """The pMSE of our columns less the squares, which synthgauge lacks; and how many columns that are."""
    from sklearn.linear_model import LogisticRegression

    columns, d = design(evidence, 2, evidence.rng("bench")), len(evidence.numeric)
    places = [(i, k) for i in range(d) for k in range(i + 1)]  # as `design` has them, after the d numbers
    assert columns.shape[1] == d + len(places)
    columns = columns[:, [*range(d), *(d + at for at, (i, k) in enumerate(places) if i != k)]]
    source = np.repeat([0, 1], (len(evidence.original), len(evidence.released)))
    scores = LogisticRegression(**OURS).fit(columns, source).predict_proba(columns)[:, 1]
    return float(np.mean((scores - 0.5) ** 2)), columns.shape[1]


def main(*sizes: int) -> None:
    """Time the losses of each size."""
    for n in sizes or (100_000, 1_000_000):
        x, y, evidence = files(n)
        each(evidence, n)
        beside(x, y, evidence)


if __name__ == "__main__":
    main(*(int(size) for size in sys.argv[1:]))
