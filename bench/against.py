"""An earlier version beside the present one: `python -m bench.against REVISION [--people 1000000]`.

The earlier revision is checked out beside the repository's own tree, into a temporary folder. Timed, in
processes of their own, one after the other: where the true records stand (index included) by the four
distances, on the same encoded files; and the whole of `unmask assess` with its record table on the bundled
people, rank-swapped, ten attributes known: the earlier version without probabilistic linkage, this one with
it and with its conclusion. Wall clock, all cores; CPU seconds and peak memory beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile

import numpy as np

HERE = Path(__file__).parents[1]
KNOWN = "region,sex,age,education,occupation,hours,income,rent,commute,health"
FEW = 3000
DISTANCES = ("dbrl", "mahalanobis", "rbrl-sum", "rbrl-max")

#: Run by either version: what it calls the engine, and a missing value's cost, differ between them.
STANDING = """
import json, sys, time
import numpy as np
from unmask.engines import LocalEngine
from unmask.kernels.pairing import Pairing
kept = np.load(sys.argv[1])
fields = {f: kept["missing_released" if f == "missing_one" else f] for f in Pairing._fields}
numbers = {f: int(fields[f]) for f in ("power", "code")}
p, truth, engine = Pairing(**{**fields, **numbers}), kept["truth"], LocalEngine()
def standing(targets):
    if hasattr(engine, "index"):
        return engine.index(p).standing(truth, targets=targets)
    return engine.standing(p, truth, targets=targets)
standing(np.arange(500))
wall, cpu = time.perf_counter(), time.process_time()
closer, tied = standing(None)
print(json.dumps({"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu,
                  "nearest": int((closer == 0).sum()), "tied": int(tied.sum())}))
"""


def encoded(people: int, folder: Path) -> None:
    """Write the files, and the pairing of each distance, for both versions."""
    from unmask.attacks import DBRL, RBRL, Mahalanobis
    from unmask.attacks.rbrl import RankCriterion
    from unmask.data.example import people as invented
    from unmask.engines import LocalEngine
    from unmask.intruder.scenario import Scenario
    from unmask.masks import RankSwapping
    from unmask.randomness import generator

    original, mask = invented(people), RankSwapping(p=5)
    masked = mask.apply(original, generator(1, "mask", mask.name))
    for name, data in (("original", original), ("released", masked.data)):
        data.frame.write_csv(folder / f"{name}.csv")
    dossier, truth, _ = Scenario(tuple(KNOWN.split(","))).stage(original, masked, 1)
    for attack in (DBRL(), Mahalanobis(), RBRL(RankCriterion.SUM), RBRL(RankCriterion.MAX)):
        pairing = attack.prepare(dossier, generator(1, "attack"), LocalEngine()).pairing
        np.savez(folder / f"{attack.name}.npz", truth=truth.row, **pairing._asdict())


def timed(tree: Path, command: list[str]) -> tuple[str, float, float, float]:
    """What a command of a version prints, its wall and CPU seconds and its peak memory in megabytes."""
    environment = {**os.environ, "PYTHONPATH": str(tree / "src")}
    start = time.perf_counter()
    with TemporaryFile("w+") as out:
        process = subprocess.Popen([sys.executable, *command], env=environment, stdout=out)
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        if status:
            raise SystemExit(f"{tree} failed")
        out.seek(0)
        return out.read(), wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def distances(trees: list[Path], folder: Path) -> None:
    """Standings by each distance."""
    for name in DISTANCES:
        runs = [json.loads(timed(t, ["-c", STANDING, str(folder / f"{name}.npz")])[0]) for t in trees]
        same = all(runs[0][key] == runs[1][key] for key in ("nearest", "tied"))
        print(
            f"{name}: {runs[0]['wall']:.2f} s before, {runs[1]['wall']:.2f} s now: "
            f"{runs[0]['wall'] / runs[1]['wall']:.1f} times faster (CPU {runs[0]['cpu']:.1f} and "
            f"{runs[1]['cpu']:.1f} s); the same answers: {same}",
            flush=True,
        )


def assessed(tree: Path, folder: Path, attacks: str, more: list[str]) -> tuple[float, float, float]:
    """Wall and CPU seconds and peak memory of the assessment with its document and its record table."""
    files = [str(folder / "original.csv"), str(folder / "released.csv"), "--truth", "person"]
    out = [f"--json={folder / 'out.json'}", f"--records={folder / 'out.csv'}"]
    options = ["--known", KNOWN, "--attacks", attacks, *more, *out]
    return timed(tree, ["-m", "unmask", "assess", *files, *options])[1:]


def whole(trees: list[Path], folder: Path, small: Path) -> None:
    """The assessment of both versions, after one of a few people that compiles what is not compiled yet.

    The earlier one draws no conclusion; this one does, as it is called without options.
    """
    first = 0.0
    for tree, more in zip(trees, ("", ",prl"), strict=True):
        attacks = "guess," + ",".join(DISTANCES) + more
        assessed(tree, small, attacks, [])
        wall, cpu, peak = assessed(tree, folder, attacks, [])
        first = first or wall
        print(f"assess, {attacks}: {wall:.0f} s (CPU {cpu:.0f} s), peak {peak:,.0f} MB", flush=True)
    print(f"this version with prl and its conclusion takes {wall / first:.2f} of the time of the other")


def main() -> None:
    """Parse the options, check the revision out, run."""
    parser = argparse.ArgumentParser(prog="python -m bench.against", description=__doc__)
    parser.add_argument("revision")
    parser.add_argument("--people", type=int, default=1_000_000)
    options = parser.parse_args()
    with TemporaryDirectory() as name:
        folder, small, tree = (Path(name) / part for part in ("files", "few", "tree"))
        folder.mkdir()
        small.mkdir()
        git = ["git", "-C", str(HERE), "worktree"]
        subprocess.run([*git, "add", "--detach", "--quiet", str(tree), options.revision], check=True)
        try:
            encoded(options.people, folder)
            encoded(FEW, small)
            distances([tree, HERE], folder)
            whole([tree, HERE], folder, small)
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=True)


if __name__ == "__main__":
    main()
