"""Linkage of nodes: who is recovered at which overlap, and what it takes: `python -m bench.graphs`.

The figures of docs/evidence/graphs.md. A scale-free graph is grown by preferential attachment, and two copies
of it keep every edge with the same probability, independently of each other: one is what the intruder knows,
the other, shuffled, is the release.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from tests.reference import graphs as slow

from unmask.attacks import GraphPropagation, GraphSignatures
from unmask.data.microdata import Ints, Masked, Microdata
from unmask.data.schema import Column, Schema
from unmask.data.shapes.graphs import GraphContent
from unmask.engines import LocalEngine
from unmask.intruder.dossier import Dossier
from unmask.intruder.truth import Truth
from unmask.linkage.propagation import Seeds, propagate
from unmask.linkage.signatures import signatures
from unmask.measures import FileEvidence
from unmask.measures.seeded_propagation import SeededPropagation
from unmask.measures.uniqueness import NodeSignatures

ENGINE = LocalEngine()
OVERLAPS = (1.0, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5)
SEEDS = (5, 10, 20, 50, 100, 200)
PEOPLE, TIES, DRAWS = 5000, 10, 5


def scale_free(n: int, ties: int, seed: int = 0) -> tuple[Ints, Ints]:
    """The edges of a graph in which each new node is tied to earlier ones, in proportion to their ties."""
    rng = np.random.default_rng(seed)
    ends, source, target = list(range(ties)), [], []
    for v in range(ties, n):
        chosen = sorted({ends[i] for i in rng.integers(0, len(ends), ties)})
        source += [v] * len(chosen)
        target += chosen
        ends += [*chosen, *([v] * len(chosen))]
    return np.array(source), np.array(target)


def copies(n: int, overlap: float, seed: int = 0) -> tuple[GraphContent, GraphContent, Ints]:
    """What is known, what is released, and which released node each known one is."""
    source, target = scale_free(n, TIES, seed)
    rng = np.random.default_rng(seed + 1)
    known, released = (
        GraphContent.of_edges(source[kept], target[kept], n)
        for kept in (rng.random(len(source)) < overlap for _ in range(2))
    )
    order = rng.permutation(n)
    return known, released.take(order), np.argsort(order)


def people(content: GraphContent) -> Microdata:
    """The nodes as a file."""
    return Microdata(Schema((Column("degree"),)), content.summary(), content=content)


def recovery() -> None:
    """Recovery by overlap and seeds, and by attacks without seeds."""
    print(f"Recovered of {PEOPLE:,} people, seeds drawn at random ({DRAWS} draws), then without seeds")
    print(
        "| overlap |",
        " | ".join(map(str, SEEDS)),
        "| wrong at 200 | best-connected 20 | signatures | propagation |",
    )
    for overlap in OVERLAPS:
        known, released, true = copies(PEOPLE, overlap)
        shares, wrong = [], 0.0
        for many in SEEDS:
            found = []
            for draw in range(DRAWS):
                chosen = np.random.default_rng([many, draw]).choice(PEOPLE, many, replace=False)
                right, mapped = outcome(known, released, true, chosen)
                found.append(right)
                wrong = 1 - right / mapped if mapped else 0.0
            shares.append(float(np.mean(found)))
        hubs, _ = outcome(known, released, true, np.argsort(-known.degrees(), kind="stable")[:20])
        dossier, truth = Dossier(people(known), people(released)), Truth(true)
        unseeded = [
            float(
                attack.prepare(dossier, np.random.default_rng(1), ENGINE).standing(truth, 1).belief().mean()
            )
            for attack in (GraphSignatures(), GraphPropagation())
        ]
        cells = [f"{100 * share:.1f}%" for share in (*shares, wrong, hubs, *unseeded)]
        print(f"| {overlap:.2f} |", " | ".join(cells), "|", flush=True)


def anybody(n: int, ties: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Ties between people drawn at random, so many for each in the mean."""
    source, target = rng.integers(0, n, (2, n * ties // 2))
    return source, target


def small_world(n: int, ties: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """A ring in which everybody is tied to their nearest people, and every fifth tie to anybody instead."""
    source = np.repeat(np.arange(n), ties // 2)
    target = (source + np.tile(np.arange(ties // 2) + 1, n)) % n
    return source, np.where(rng.random(len(source)) < 0.2, rng.integers(0, n, len(source)), target)


def circles(n: int, ties: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Groups of ten in which everybody is tied to everybody, and ties between people drawn at random."""
    source, target = np.triu_indices(10, 1)
    first = np.repeat(np.arange(0, n, 10), len(source))
    inside = np.tile(source, n // 10) + first, np.tile(target, n // 10) + first
    outside = rng.integers(0, n, (2, n * (ties - 9) // 2))
    return np.concatenate((inside[0], outside[0])), np.concatenate((inside[1], outside[1]))


def preferred(n: int, ties: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """A scale-free graph."""
    return scale_free(n, ties // 2, int(rng.integers(2**32)))


def everyday(n: int = 600) -> None:
    """Recovery without seeds, and from 30, of graphs of other kinds, a share of whose ties is left out."""
    print(f"{n} people, a share of the ties left out: without seeds (each draw), and from 30 (mean)")
    for make, ties in ((preferred, 8), (small_world, 8), (anybody, 10), (circles, 13)):
        for share in (0.2, 0.3, 0.4):
            unseeded, seeded = [], []
            for draw in range(3):
                rng = np.random.default_rng([draw, ties])
                source, target = make(n, ties, rng)
                whole = GraphContent.of_edges(source, target, n)
                ends = whole.edges()
                left = rng.permutation(whole.size)[: round((1 - share) * whole.size)]
                order = rng.permutation(n)
                released = GraphContent.of_edges(ends[0][left], ends[1][left], n).take(order)
                true, chosen = np.argsort(order), rng.choice(n, 30, replace=False)
                unseeded.append(standing(GraphPropagation(), whole, released, true))
                seeded.append(outcome(whole, released, true, chosen)[0])
            cells = ", ".join(f"{100 * found:.0f}%" for found in unseeded)
            print(f"| {make.__name__} | {share} | {cells} | {100 * np.mean(seeded):.0f}% |", flush=True)


def outcome(known: GraphContent, released: GraphContent, true: Ints, chosen: Ints) -> tuple[float, float]:
    """The shares of those who are no seeds that are mapped to their own node, and to any."""
    partner = propagate(known, released, Seeds.told(chosen, true[chosen]), 0.5, ENGINE).partner
    others = np.setdiff1d(np.arange(len(true)), chosen)
    return float((partner[others] == true[others]).mean()), float((partner[others] >= 0).mean())


def speed(n: int) -> dict[str, float]:
    """CPU seconds of each piece of work on a graph of n people, once compiled; the peak of memory in MB."""
    work = {
        "signatures within 1 step": lambda k, r, t: signatures(k, ENGINE, 1),
        "signatures within 2 steps": lambda k, r, t: signatures(k, ENGINE, 2),
        "signatures within 3 steps": lambda k, r, t: signatures(k, ENGINE, 3),
        "graph-signatures": lambda k, r, t: standing(GraphSignatures(), k, r, t),
        "graph-propagation": lambda k, r, t: standing(GraphPropagation(), k, r, t),
        "propagation from 50 seeds": lambda k, r, t: outcome(k, r, t, np.argsort(-k.degrees())[:50]),
        "node-signatures": lambda k, r, t: NodeSignatures().rows(evidence(k, r, t), ENGINE),
        "seeded-propagation": lambda k, r, t: SeededPropagation().rows(evidence(k, r, t), ENGINE),
    }
    small, large = copies(500, 0.9), copies(n, 0.9)
    found: dict[str, float] = {"edges": large[0].size}
    for name, run in work.items():
        run(*small)
        start = time.process_time()
        run(*large)
        found[name] = round(time.process_time() - start, 2)
    found["peak MB"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    return found


def evidence(known: GraphContent, released: GraphContent, true: Ints) -> FileEvidence:
    """Both graphs as measures take them."""
    return FileEvidence(people(known), Masked(people(released), np.argsort(true)), ("degree",), seed=1)


def standing(
    attack: GraphSignatures | GraphPropagation, known: GraphContent, released: GraphContent, true: Ints
) -> float:
    """The whole attack, from graphs to the share found."""
    matcher = attack.prepare(Dossier(people(known), people(released)), np.random.default_rng(1), ENGINE)
    return float(matcher.standing(Truth(true), 1).belief().mean())


def beside_python(n: int = 300) -> dict[str, float]:
    """How many times as long the reference in plain Python takes, on a small graph."""
    known, released, true = copies(n, 0.9)
    chosen = np.argsort(-known.degrees(), kind="stable")[:20]
    sets = [
        slow.adjacency(list(zip(*(e.tolist() for e in g.edges()), strict=True)), n) for g in (known, released)
    ]
    pairs = dict(zip(chosen.tolist(), true[chosen].tolist(), strict=True))
    ratio = {}
    for name, ours, theirs in (
        (
            "signatures",
            lambda: signatures(known, ENGINE, 2),
            lambda: [slow.surroundings(sets[0], v, d) for v in range(n) for d in (1, 2)],
        ),
        (
            "propagation",
            lambda: outcome(known, released, true, chosen),
            lambda: slow.propagation(*sets, pairs, 0.5),
        ),
    ):
        ours()
        took = []
        for run in (ours, theirs):
            start = time.process_time()
            run()
            took.append(time.process_time() - start)
        ratio[name] = round(took[1] / took[0])
    return ratio


def main() -> None:
    """All of it; every size in a process of its own, so that its peak of memory is its own."""
    if len(sys.argv) > 1:
        print(json.dumps(speed(int(sys.argv[1]))))
        return
    recovery()
    everyday()
    for n in (25_000, 100_000):
        command = [sys.executable, "-m", "bench.graphs", str(n)]
        done = subprocess.run(
            command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[1]
        )
        print(f"{n:,} people:", done.stdout.strip(), flush=True)
    print("times as long in plain Python:", beside_python())


if __name__ == "__main__":
    main()
