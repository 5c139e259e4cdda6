"""What is timed: unmask's two searches, and the nearest neighbour of each target by other libraries.

Each function builds its index and answers for the given targets; nothing is shared between calls.
Libraries on OpenMP and BLAS take their number of threads from the environment.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bench.data import Floats, Ints

Run = Callable[[Floats, Floats, Ints, Ints], Any]  # known, released, truth, targets


def choquet_measure(d: int) -> Floats:
    """A measure with interactions: a distorted additive one, mu(S) = (sum of shares in S) ** 1.2."""
    shares = np.linspace(1.0, 2.0, d)
    total = np.zeros(1)
    for share in shares / shares.sum():
        total = np.concatenate([total, total + share])
    return np.minimum(total, 1.0) ** 1.2


def pairing(known: Floats, released: Floats, how: str) -> Any:
    """The pairing of two numeric files for an aggregation."""
    from unmask.kernels.pairing import CHOQUET, MAXIMUM, OWA, SUM, Pairing

    d = known.shape[1]
    falling = np.arange(d, 0, -1.0)
    code, power, params = {
        "squares": (SUM, 2, np.ones(d)),
        "sum": (SUM, 1, np.ones(d)),
        "maximum": (MAXIMUM, 1, np.ones(d)),
        "owa": (OWA, 2, falling / falling.sum()),
        "choquet": (CHOQUET, 2, choquet_measure(d) if how == "choquet" else np.ones(d)),
    }[how]
    zeros, ones = np.zeros(d, np.int64), np.ones(d)
    empty = np.zeros(0)
    return Pairing(known, released, zeros, ones, empty, zeros, zeros, *(ones,) * 3, power, code, params)


def unmask_run(question: str, how: str, strategy: str, threads: int) -> Run:
    """One of unmask's searches."""
    from unmask.engines import LocalEngine, Strategy

    engine = LocalEngine(strategy=Strategy(strategy), threads=threads)

    def run(known: Floats, released: Floats, truth: Ints, targets: Ints) -> Any:
        index = engine.index(pairing(known, released, how))
        if question == "standing":
            return index.standing(truth, targets=targets)
        return index.nearest(targets)

    return run


def ckdtree(p: float, k: int, threads: int) -> Run:
    """SciPy's cKDTree."""
    from scipy.spatial import cKDTree

    return lambda known, released, _, targets: cKDTree(released).query(
        known[targets], k=k, p=p, workers=threads
    )


def pykdtree(p: float, k: int, _: int) -> Run:
    """The library pykdtree (Euclidean only), OpenMP."""
    from pykdtree.kdtree import KDTree

    assert p == 2
    return lambda known, released, _, targets: KDTree(released).query(known[targets], k=k)


def sklearn(algorithm: str, p: float, k: int, threads: int) -> Run:
    """scikit-learn's NearestNeighbors."""
    from sklearn.neighbors import NearestNeighbors

    metric = {1: "manhattan", 2: "euclidean", np.inf: "chebyshev"}[p]

    def run(known: Floats, released: Floats, _: Ints, targets: Ints) -> Any:
        model = NearestNeighbors(n_neighbors=k, algorithm=algorithm, metric=metric, n_jobs=threads)
        return model.fit(released).kneighbors(known[targets])

    return run


def faiss(p: float, k: int, _: int) -> Run:
    """The library faiss, IndexFlatL2: float32 brute force, inexact under ties; full batches use BLAS."""
    from faiss import IndexFlatL2

    assert p == 2

    def run(known: Floats, released: Floats, _: Ints, targets: Ints) -> Any:
        index = IndexFlatL2(released.shape[1])
        index.add(released.astype(np.float32))
        return index.search(known[targets].astype(np.float32), k)

    return run


PEERS: dict[str, Callable[[float, int, int], Run]] = {
    "cKDTree": ckdtree,
    "pykdtree": pykdtree,
    "faiss": faiss,
    "sklearn kd_tree": lambda p, k, threads: sklearn("kd_tree", p, k, threads),
    "sklearn brute": lambda p, k, threads: sklearn("brute", p, k, threads),
}
NORMS = {"squares": 2.0, "sum": 1.0, "maximum": np.inf}


def contestant(name: str, how: str, threads: int) -> Run:
    """A contestant by name: "standing", "links", "standing brute", "peer" or "peer, k=2" (two neighbours)."""
    if name in PEERS or name.endswith(", k=2"):
        k = 2 if name.endswith(", k=2") else 1
        return PEERS[name.removesuffix(", k=2")](NORMS[how], k, threads)
    question, _, strategy = name.partition(" ")
    return unmask_run(question, how, strategy or "auto", threads)
