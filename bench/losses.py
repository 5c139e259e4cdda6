"""The time of every loss: `python -m bench.losses [RECORDS]`, and IL1s and pMSE beside other libraries.

The bundled people, with noise, and correlated lognormal records with 13 numbers: seconds of CPU for one
evaluation of each loss, on all records and as an assessment takes them (at most 100,000 people). Then the
same quantities as others have them, on the same files, one after the other in this process: IL1s with numpy,
and pMSE with scikit-learn's logistic regression on the same terms, which is what packages that have it call.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np
import polars as pl

from bench.data import lognormal
from unmask.data.microdata import Floats, Masked, Microdata
from unmask.data.schema import Column, Schema
from unmask.losses import LOSSES, MOST_PEOPLE, LossEvidence, loss_evidence, loss_named
from unmask.measures.evidence import FileEvidence


def cpu(work: Callable[[], object]) -> float:
    """CPU seconds of a call."""
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
    from dataclasses import replace

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
    print(f"IL1s: {mine:.2f} s, numpy {theirs:.2f} s; {found:.6f} and {il1s(x, y):.6f}")
    some = loss_evidence(evidence, limit=5000)
    rows = some.rows
    a, b = some.original.matrix(some.numeric), some.released.matrix(some.numeric)
    mine = cpu(lambda: loss_named("pmse").values(_anew(some)))
    theirs = cpu(lambda: pmse(a, b))
    value = loss_named("pmse").values(some)[None]
    print(
        f"pMSE of {len(rows):,} people: {mine:.2f} s, scikit-learn {theirs:.2f} s; as a share of its largest "
        f"value {value:.4f} and {4 * pmse(a, b):.4f}"
    )


def main(*sizes: int) -> None:
    """Time the losses of each size."""
    for n in sizes or (100_000, 1_000_000):
        x, y, evidence = files(n)
        each(evidence, n)
        beside(x, y, evidence)


if __name__ == "__main__":
    main(*(int(size) for size in sys.argv[1:]))
