"""Linkage of series: `python -m bench.series`.

Exact search under time warping (`series-dtw`) beside all tables, in one process on one thread; where bounds
end it, how it grows with the file, and its peak memory; then `series-values` on 100,000 series of 48 points.
Each run but the first pair is a process of its own. Household load curves, simulated: three peaks at hours of
their own, and noise of a share of each time's standard deviation.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time

import numpy as np
from numba import njit

from unmask.engines import LocalEngine
from unmask.intruder.truth import Truth
from unmask.kernels.pairing import TIE
from unmask.kernels.warping import envelope_of, outside, straight_sums, warped
from unmask.linkage.aggregations import Sum
from unmask.linkage.decisions import NearestRecord
from unmask.linkage.series import SeriesPair, on_one_scale, series_space
from unmask.linkage.warping import WarpingMatcher, nearest_warped

WINDOW = 0.1
ENDED = ("the two ends", "the released envelope", "the known envelope", "its own sum", "nothing")


def files(n: int, points: int, noise: float, seed: int = 0) -> tuple[SeriesPair, Truth]:
    """Load curves, and a noisy, shuffled release of them."""
    rng = np.random.default_rng(seed)
    hours = np.arange(points)
    load = 0.3 * rng.lognormal(0, 0.5, (n, 1)) + rng.gamma(1, 0.1, (n, points))
    for _ in range(3):
        centre, width = rng.uniform(0, points, (n, 1)), rng.uniform(1, points / 12, (n, 1))
        load += rng.lognormal(0, 0.6, (n, 1)) * np.exp(-(((hours - centre) / width) ** 2) / 2)
    released = load + noise * load.std(axis=0) * rng.normal(size=load.shape)
    order = rng.permutation(n)
    pair = on_one_scale(SeriesPair(np.arange(float(points)), load, released[order]))
    return pair, Truth(np.argsort(order))


def matcher(pair: SeriesPair) -> WarpingMatcher:
    """Time warping on one thread."""
    window = int(np.ceil(WINDOW * len(pair.times)))
    return nearest_warped(pair, window, None, LocalEngine(threads=1))


@njit
def every_table(known: np.ndarray, released: np.ndarray, window: int) -> tuple[np.ndarray, np.ndarray]:
    """The smallest value of each target, and how many series tie: all tables to their end."""
    least, tied = np.empty(len(known)), np.empty(len(known), np.int64)
    row, values = np.empty(known.shape[1] + 2), np.empty(len(released))
    for i in range(len(known)):
        for j in range(len(released)):
            values[j] = warped(known[i], released[j], window, np.inf, row)
        least[i] = values.min()
        tied[i] = (values <= least[i] * (1 + TIE)).sum()
    return least, tied


@njit
def where_ended(w, targets: np.ndarray) -> np.ndarray:  # type: ignore[no-untyped-def]
    """How many pairs of a search for the nearest end at each bound."""
    m, points = w.released.shape
    ended = np.zeros(5, np.int64)
    row, straight = np.empty(points + 2), np.empty(m)
    lower, upper = np.empty(points), np.empty(points)
    for i in targets:
        x = w.known[i]
        envelope_of(x, w.window, lower, upper)
        best = straight_sums(w, i, straight)
        for record in np.argsort(straight):
            y, limit = w.released[record], best * (1.0 + TIE)
            if (x[0] - y[0]) ** 2 + (x[points - 1] - y[points - 1]) ** 2 > limit:
                ended[0] += 1
            elif outside(x, w.lower[record], w.upper[record], limit) > limit:
                ended[1] += 1
            elif outside(y, lower, upper, limit) > limit:
                ended[2] += 1
            else:
                value = warped(x, y, w.window, limit, row)
                ended[3 if value == np.inf else 4] += 1
                best = min(best, value)
    return ended


def side_by_side(n: int, points: int, noise: float, rounds: int = 3) -> None:
    """The search and all tables, in turn, and the ratio of their times; their answers must agree."""
    small, _ = files(20, points, noise)
    matcher(small).links()
    every_table(small.known, small.released, 1)  # compiled
    where_ended(matcher(small).warping, np.arange(2))
    pair, truth = files(n, points, noise)
    ready = matcher(pair)
    times: dict[str, list[float]] = {"links": [], "standing": [], "all tables": []}
    for _ in range(rounds):
        start = time.process_time()
        links = ready.links()
        times["links"].append(time.process_time() - start)
        start = time.process_time()
        standing = ready.standing(truth, 1)
        times["standing"].append(time.process_time() - start)
        start = time.process_time()
        _, tied = every_table(pair.known, pair.released, ready.warping.window)
        times["all tables"].append(time.process_time() - start)
    assert (links.candidates() == tied).all(), "the search is not exact"
    assert np.allclose(standing.belief(), links.belief_in(truth.row))
    best = {name: min(found) for name, found in times.items()}
    print(f"{n:,} x {n:,} x {points}, noise {noise}: found {standing.belief().mean():.1%}")
    for name, seconds in best.items():
        print(
            f"  {name:<10} {seconds:7.2f} s   {best['all tables'] / seconds:5.1f} times as fast as all tables"
        )
    ended = where_ended(ready.warping, np.arange(0, n, max(1, n // 200)))
    shares = ", ".join(f"{what} {share:.1%}" for what, share in zip(ENDED, ended / ended.sum(), strict=True))
    print(f"  pairs ended by: {shares}")


def alone(method: str, n: int, points: int, noise: float) -> dict[str, float]:
    """One run in this process."""
    small, small_truth = files(200, points, noise)
    _standing(method, small, small_truth)
    pair, truth = files(n, points, noise)
    start = time.process_time()
    found = _standing(method, pair, truth)
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"seconds": seconds, "found": found, "megabytes": peak}


def _standing(method: str, pair: SeriesPair, truth: Truth) -> float:
    if method == "series-dtw":
        return float(matcher(pair).standing(truth, 1).belief().mean())
    index = LocalEngine(threads=1).index(series_space(pair).pairing(Sum(power=2)))
    return float(NearestRecord(index).standing(truth, 1).belief().mean())


def main() -> None:
    """Parse the options, run, print."""
    parser = argparse.ArgumentParser(prog="python -m bench.series", description=__doc__)
    parser.add_argument("--run", help="one run, as JSON: [method, people, points, noise]")
    parser.add_argument("--people", type=int, default=2000, help="people of the smaller files")
    options = parser.parse_args()
    if options.run:
        print(json.dumps(alone(*json.loads(options.run))))
        return
    for noise in (0.1, 0.3):
        side_by_side(options.people, 96, noise)
    runs = [("series-dtw", n, 96, 0.1) for n in (options.people, 4 * options.people)]
    for run in (*runs, ("series-values", 100_000, 48, 0.3)):
        command = [sys.executable, "-m", "bench.series", "--run", json.dumps(run)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        found = json.loads(done.stdout.splitlines()[-1])
        method, n, points, noise = run
        print(
            f"{method} {n:,} x {points}, noise {noise}: standing {found['seconds']:.2f} s on one thread, "
            f"found {found['found']:.1%}, peak {found['megabytes']:.0f} MB"
        )


if __name__ == "__main__":
    main()
