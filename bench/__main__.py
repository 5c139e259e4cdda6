"""Run the benchmarks and write docs/evidence/engine.md."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from dataclasses import asdict, replace
from pathlib import Path

from bench.cell import Cell, Timing
from bench.contestants import PEERS
from bench.data import REAL, folder
from bench.report import bars, page

Results = dict[Cell, Timing | None]


def run_cell(cell: Cell, patience: float) -> Timing | None:
    """A cell in a fresh process, so that its peak memory is its own; None where it gives no result."""
    command = [sys.executable, "-m", "bench.cell", json.dumps(asdict(cell))]
    limits = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), str(cell.threads))
    environment = {**os.environ, **limits}
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=patience, check=True, env=environment
        )
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as error:
        print(f"  {cell.name}: no result ({type(error).__name__})", file=sys.stderr)
        return None
    return Timing(**json.loads(done.stdout.splitlines()[-1]))


def lognormal_names(n: int, d: int, noise: float) -> list[str]:
    """Who competes: the slowest peers only on the smaller files, two neighbours only where bars are set."""
    names = ["standing", "links", "cKDTree", "pykdtree", "faiss"]
    if n <= 10_000 or (n <= 100_000 and noise == 0.1):
        names += ["sklearn kd_tree", "sklearn brute"]
    if n == 100_000 and d == 13:
        names += ["cKDTree, k=2", "pykdtree, k=2"]
    return names


def cells(sizes: list[int], budget: float) -> list[Cell]:
    """All cells, those of one file next to each other, so that ratios come from the same minutes."""
    found = []
    for n in sizes:
        for d in (6, 13):
            for noise in (0.1, 0.5, 1.0):
                for name in lognormal_names(n, d, noise):
                    own = name in ("standing", "links")
                    found.append(Cell(name, n=n, d=d, noise=noise, budget=4 * budget if own else budget))
    middle = 100_000 if 100_000 in sizes else sizes[-1]
    for how in ("sum", "maximum"):
        names = ["standing", "links", "cKDTree", "sklearn kd_tree"]
        found += [Cell(name, how, n=middle, d=13, budget=budget) for name in names]
    for how in ("owa", "choquet"):
        for noise in (0.1, 0.5, 1.0):
            names = ["standing", "standing brute"] if noise == 0.1 else ["standing"]
            found += [Cell(name, how, n=middle, d=13, noise=noise, budget=4 * budget) for name in names]
    for file in REAL if folder().is_dir() else ():
        found += [Cell(name, file=file, n=0, d=0, budget=budget) for name in ("standing", "links", *PEERS)]
    return found


def named(files: list[str], budget: float) -> list[Cell]:
    """The cells of single files, as in 100000x13x0.5: records, attributes, noise."""
    every = cells([int(file.split("x")[0]) for file in files], budget)
    wanted = {tuple(float(number) for number in file.split("x")) for file in files}
    chosen = [c for c in every if c.how == "squares" and (c.n, c.d, c.noise) in wanted]
    return list(dict.fromkeys(chosen))


def main() -> None:
    """Parse the options, run, write."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--sizes", default="10000,100000,1000000", help="numbers of records, comma-separated")
    parser.add_argument("--files", help="only these, as in 100000x13x0.5,10000x13x1.0; prints the bars")
    parser.add_argument("--quick", action="store_true", help="10,000 records only, small budget")
    parser.add_argument("--budget", type=float, default=6.0, help="seconds for a peer before it is sampled")
    parser.add_argument("--patience", type=float, default=120.0, help="seconds before a cell is given up")
    out = Path(__file__).parents[1] / "docs" / "evidence" / "engine.md"
    parser.add_argument("--out", type=Path, default=out)
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="threads of every contestant")
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall", help="cpu: for a busy machine")
    options = parser.parse_args()
    sizes = [10_000] if options.quick else [int(size) for size in options.sizes.split(",")]
    results: Results = {}
    began = time.perf_counter()
    budget = 1.0 if options.quick else options.budget
    for plan in named(options.files.split(","), budget) if options.files else cells(sizes, budget):
        cell = replace(plan, threads=options.threads, clock=options.clock)
        results[cell] = timing = run_cell(cell, options.patience)
        if timing:
            what = f"{cell.file} n={timing.targets} d={timing.attributes} noise={cell.noise} {cell.how}"
            print(f"{what}: {cell.name} {timing.seconds:.2f} s ({timing.timed} timed)", flush=True)
    if options.files:
        print("\n".join(line for line in bars(results) if "not measured" not in line))
        return
    options.out.write_text(
        page(results, time.perf_counter() - began, options.threads, options.clock), encoding="utf-8"
    )
    print(f"wrote {options.out}")


if __name__ == "__main__":
    main()
