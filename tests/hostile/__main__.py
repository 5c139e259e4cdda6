"""``python -m tests.hostile``: the hunt. Exits with 1 if anything is wrong."""

from __future__ import annotations

import argparse
import subprocess
import sys
from datetime import date
from importlib.util import find_spec

from tests.hostile.bench import PATIENCE, ROOT, Bench
from tests.hostile.hunt import KINDS, hunt, judged, trials_of
from tests.hostile.table import faults, lines, put_on_page

ENVIRONMENTS = "tests.hostile.environments"


def main() -> int:
    """Try what is asked for, and print the table."""
    asked = _arguments()
    chosen = {kind: trials_of(kind, asked.seed) for kind in KINDS if kind in (asked.kind or KINDS)}
    if asked.list:
        print("\n".join(trial.name for trials in chosen.values() for trial in trials))
        return 0
    with Bench(asked.patience) as bench:
        if asked.only:
            wanted = [t for trials in chosen.values() for t in trials if _named(t.name, asked.only)]
            found = [judged(bench, trial) for trial in wanted]
            if not found:
                print(f"no trial is called {asked.only}; --list names them all")
                return 2
        else:
            found = list(hunt(bench, chosen, asked.minutes * 60, lambda text: print(text, flush=True)))
    print()
    there = {kind: len(trials) for kind, trials in chosen.items()}
    print("\n".join(lines(found, there, asked.seed)))
    if asked.page:
        how = f"`python -m tests.hostile --minutes {asked.minutes:g} --seed {asked.seed}`, {date.today()}:"
        put_on_page(found, there, how)
    elsewhere = _environments() if asked.environments else 0
    return int(bool(faults(found)) or elsewhere)


def _named(name: str, pattern: str) -> bool:
    return name == pattern or (pattern.endswith("*") and name.startswith(pattern[:-1]))


def _environments() -> int:
    """Other dependencies, other installations; last, because it takes long."""
    if find_spec(ENVIRONMENTS) is None:
        print("no trials of environments are there")
        return 0
    return int(subprocess.run([sys.executable, "-m", ENVIRONMENTS], cwd=ROOT, check=False).returncode != 0)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.hostile", description=__doc__)
    parser.add_argument("--minutes", type=float, default=15, help="time for all trials together")
    parser.add_argument(
        "--seed", type=int, default=1, help="of what is drawn: flips, cuts, moments, mixtures"
    )
    parser.add_argument("--kind", action="append", choices=list(KINDS), help="only this kind; repeatable")
    parser.add_argument("--only", metavar="NAME", help="only this trial; 'NAME*': all that begin so")
    parser.add_argument("--list", action="store_true", help="name the trials and make none")
    parser.add_argument(
        "--patience", type=float, default=PATIENCE, help="seconds of work after which a command hangs"
    )
    parser.add_argument("--page", action="store_true", help="put the table into the documentation")
    parser.add_argument("--environments", action="store_true", help="other installations too, at the end")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
