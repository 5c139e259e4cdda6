"""Linkage of traces: an inverted index beside plain dictionaries, and its growth: `python -m bench.traces`.

Made-up mobility traces (:mod:`bench.mobility`) with half of the points left out of the release; the intruder
knows whole traces, or 4 points of each. Every run is a process of its own, and times are those of the
processor, all threads together. The dictionary does the same work in plain Python for some of the targets,
and its time is that of as many.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

import numpy as np

from bench.mobility import Mobility, simulated
from unmask.attacks import Traces
from unmask.data.shapes import TraceContent
from unmask.engines import LocalEngine
from unmask.intruder.dossier import Dossier
from unmask.intruder.glimpse import Glimpse
from unmask.intruder.truth import Truth
from unmask.masks import TraceSuppression

#: Targets that the dictionary is given.
SOME = 200


def staged(people: int, points: int | None) -> tuple[Dossier, Truth]:
    """The intruder and a shuffled release without half of the points; 100 people for each antenna."""
    file = simulated(Mobility(people, people // 100))
    released = TraceSuppression(share=0.5).apply(file, np.random.default_rng(2)).data
    order = np.random.default_rng(3).permutation(people)
    known = Glimpse(points=points).of(file.content, 0.0, np.random.default_rng(4))
    return Dossier(file.containing(known), released.take(order)), Truth(np.argsort(order))


def dictionary(dossier: Dossier, targets: int, power: float) -> float:
    """Seconds that plain dictionaries take for the best trace of these targets, the index being there."""
    known, released = dossier.contents(TraceContent, "traces")
    sets = [
        [frozenset(zip(part.when[a:b], part.place[a:b], strict=True)) for a, b in spans]
        for part, spans in ((known, _spans(known, targets)), (released, _spans(released, len(released))))
    ]
    holders = defaultdict(list)
    for row, points in enumerate(sets[1]):
        for point in points:
            holders[point].append(row)
    weight = {point: np.log((len(released) + 1) / len(rows)) for point, rows in holders.items()}
    norm = [sum(weight[point] for point in points) ** power for points in sets[1]]
    start = time.process_time()
    for points in sets[0]:
        score: dict[int, float] = defaultdict(float)
        for point in points:
            for row in holders.get(point, ()):
                score[row] += weight[point]
        max((value / norm[row] for row, value in score.items()), default=0.0)
    return time.process_time() - start


def _spans(content: TraceContent, people: int) -> list[tuple[int, int]]:
    return list(zip(content.indptr[:people].tolist(), content.indptr[1 : people + 1].tolist(), strict=True))


def memory(what: str) -> float:
    """Megabytes that this process takes (VmRSS), or took at most (VmHWM)."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition(f"{what}:")[2].split()[0]) / 1024


def run(people: int, points: int | None) -> dict[str, float]:
    """The seconds of each step, people found, and peak memory."""
    small, true = staged(2_000, points)
    warm = Traces().prepare(small, np.random.default_rng(0), LocalEngine())  # compile first
    warm.standing(true, 1), warm.links(np.arange(10))
    dossier, truth = staged(people, points)
    before = memory("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts anew
    found: dict[str, float] = {}
    clock = time.process_time()
    matcher = Traces().prepare(dossier, np.random.default_rng(0), LocalEngine())
    found["prepare"], clock = time.process_time() - clock, time.process_time()
    found["found"] = float(matcher.standing(truth, 1).belief().mean())
    found["standing"], clock = time.process_time() - clock, time.process_time()
    matcher.links()
    found["links"] = time.process_time() - clock
    found["MB"], found["MB before"] = memory("VmHWM"), before
    found["dictionary"] = dictionary(dossier, SOME, Traces().power) * people / SOME
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, nargs="+", default=[25_000, 50_000, 100_000])
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--points", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        print(json.dumps(run(given.one, given.points)))
        return
    print("| people | known | prepare | standing | links | dictionary | ratio | found | peak MB (files) |")
    print("|---|---|---|---|---|---|---|---|---|")
    for points in (None, 4):
        for people in given.people:
            more = [] if points is None else ["--points", str(points)]
            command = [sys.executable, "-m", "bench.traces", "--one", str(people), *more]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            r = json.loads(done.stdout.splitlines()[-1])
            times = " | ".join(f"{r[name]:.1f} s" for name in ("prepare", "standing", "links", "dictionary"))
            ratio = r["dictionary"] / r["links"]
            seen = "whole traces" if points is None else f"{points} points"
            told = f"{times} | {ratio:.0f} | {r['found']:.1%} | {r['MB']:.0f} ({r['MB before']:.0f})"
            print(f"| {people:,} | {seen} | {told} |", flush=True)


if __name__ == "__main__":
    main()
