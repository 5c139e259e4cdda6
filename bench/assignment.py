"""One-to-one assignment: exact over all pairs against priced lists: `python -m bench.assignment`.

CPU time, peak memory and gap of unmask's assignment, beside scipy's dense solver where the matrix fits. Each
run is a process of its own, on one thread. Thirteen normal attributes, noise of a given share of a standard
deviation. `--people 20000` adds the bundled example with three known attributes beside dbrl, in one process,
and their ratio; an assignment that is refused as too much work has no total.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from unmask.linkage.decisions import NearestRecord

ATTRIBUTES = 13


def files(n: int, noise: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """A file of correlated attributes and a noisy, shuffled release."""
    rng = np.random.default_rng(seed)
    known = rng.normal(size=(n, ATTRIBUTES)) @ rng.normal(size=(ATTRIBUTES, ATTRIBUTES))
    known /= known.std(axis=0)
    return known, (known + noise * rng.normal(size=known.shape))[rng.permutation(n)]


def dense(n: int, noise: float) -> dict[str, float]:
    """The whole matrix of costs, and scipy's solver."""
    from scipy.optimize import linear_sum_assignment
    from scipy.spatial.distance import cdist

    known, released = files(n, noise)
    start = time.process_time()
    cost = cdist(known, released, "sqeuclidean")
    rows, columns = linear_sum_assignment(cost)
    return {"seconds": time.process_time() - start, "total": float(cost[rows, columns].sum()), "gap": 0.0}


def priced(n: int, noise: float) -> dict[str, float]:
    """The assignment of unmask: lists that grow until prices prove it the best."""
    from unmask.engines import LocalEngine
    from unmask.kernels.pairing import DIFFERENCE, SUM, Pairing
    from unmask.linkage.assignment import assign

    def pairing(size: int) -> Pairing:
        known, released = files(size, noise)
        ones, zero = np.ones(ATTRIBUTES), np.zeros(ATTRIBUTES, np.int64)
        metric = np.full(ATTRIBUTES, DIFFERENCE)
        return Pairing(known, released, metric, ones, np.zeros(0), zero, zero, *(ones,) * 3, 2, SUM, ones)

    assign(pairing(50), LocalEngine(threads=1))  # compile first
    problem = pairing(n)
    start = time.process_time()
    found = assign(problem, LocalEngine(threads=1))
    seconds = time.process_time() - start
    return {"seconds": seconds, "total": found.total, "gap": found.gap / found.total}


def beside_dbrl(n: int, known: str) -> dict[str, float | None]:
    """The bundled people with noise: seconds of dbrl, and of the assignment over its distances."""
    from unmask.attacks.dbrl import DBRL
    from unmask.data.example import people
    from unmask.engines import LocalEngine
    from unmask.intruder.dossier import Dossier
    from unmask.linkage.assignment import LongAssignmentError, assign
    from unmask.masks.noise import Noise

    def matcher(size: int) -> NearestRecord:
        original, names, rng = people(size), known.split(","), np.random.default_rng(0)
        numeric = tuple(name for name in names if name in ("age", "income", "hours"))
        masked = Noise(0.1, numeric).apply(original, rng).data
        engine = LocalEngine(threads=1)
        return DBRL().prepare(Dossier(original.only(names), masked.only(names)), rng, engine)

    small, engine = matcher(1000), LocalEngine(threads=1)  # compile first
    small.links()
    assign(small.pairing, engine)
    nearest = matcher(n)
    start = time.process_time()
    nearest.links()
    middle = time.process_time()
    try:
        total: float | None = assign(nearest.pairing, engine).total
    except LongAssignmentError:
        total = None
    seconds = time.process_time() - middle
    return {"dbrl": middle - start, "seconds": seconds, "ratio": seconds / (middle - start), "total": total}


def main() -> None:
    """Run every contestant at every size it can hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=[2_000, 10_000, 100_000])
    parser.add_argument("--noise", type=float, nargs="*", default=[0.1, 0.5])
    parser.add_argument("--dense", type=int, default=10_000, help="largest size for scipy's dense solver")
    parser.add_argument("--people", type=int, nargs="*", default=[], help="sizes to time beside dbrl")
    parser.add_argument("--known", nargs="*", default=["age,income,hours", "region,sex,age"])
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        method, n, noise = options.one
        result = {"dense": dense, "priced": priced}[method](int(n), float(noise))
        result["megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps(result))
        return
    for n in options.people:
        for known in options.known:
            print(n, known, json.dumps(beside_dbrl(n, known)), flush=True)
    print(f"{'records':>8} {'noise':>5} {'method':>6} {'seconds':>8} {'MB':>6} {'total':>14} {'gap':>8}")
    for n in options.sizes:
        for noise in options.noise:
            for method in ("dense", "priced"):
                if method == "dense" and n > options.dense:
                    continue
                command = [sys.executable, "-m", "bench.assignment", "--one", method, str(n), str(noise)]
                done = subprocess.run(command, check=True, capture_output=True, text=True)
                r = json.loads(done.stdout)
                print(
                    f"{n:>8} {noise:>5g} {method:>6} {r['seconds']:>8.2f} {r['megabytes']:>6.0f} "
                    f"{r['total']:>14.4f} {r['gap']:>8.1e}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
