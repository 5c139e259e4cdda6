"""What attacks and measures cost, estimated and measured: `python -m bench.cost [--sizes 10000 50000]`.

CPU seconds on one thread of a usual assessment of the invented people under noise, beside what
:mod:`unmask.assessment.cost` says of the same sizes. Each size is done twice: with everybody tried, and with
a few, which tells what the files cost (`whole`) from what a person costs (`each`). The constants are right
if no ratio is beyond 2 or 3; another mask may need several times as much. An attack that weighs everybody
known (`apart`) costs as much with a few tried: only the budget helps, under which the intruder knows fewer.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter

import unmask
from unmask.assessment.asked import requested
from unmask.assessment.request import Verb
from unmask.assessment.session import Session
from unmask.data.example import people
from unmask.engines import LocalEngine
from unmask.engines.watcher import Watcher
from unmask.masks import parse
from unmask.randomness import generator
from unmask.studies.assess import assessment

SIZES, SAMPLES, SMALL = (10_000, 50_000), (500, 0), 300

#: Seconds of one assessment: an attack that compares everybody with every record would take the day.
BUDGET = 600.0


class CpuClock(Watcher):
    """The CPU seconds of each part of the work."""

    def __init__(self) -> None:
        super().__init__()
        self.seconds: Counter[str] = Counter()
        self._part, self._begun = "", time.process_time()

    def begin(self, part: str) -> None:
        """The next part starts; the time until now was the last one's."""
        now = time.process_time()
        self.seconds[self._part] += now - self._begun
        self._part, self._begun = part, now


def measured(n: int, sample: int | None, mask: str) -> list[tuple[str, float, float]]:
    """Each part with the estimated and the measured seconds."""
    original, made = people(n), parse(mask)
    released = made.apply(original, generator(1, "mask", made.name)).data
    clock = CpuClock()
    asked = {"seed": 1, "truth": "rows", "budget": BUDGET, "sample": sample}
    session = Session(
        *requested(Verb.ASSESS, original, released, asked), LocalEngine(threads=1, watcher=clock)
    )
    assessment(session)
    clock.begin("")
    return [(part.name, part.seconds, clock.seconds[part.name]) for part in session.plan.parts]


def main() -> None:
    """A table for each size, with everybody and with a few people."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--samples", type=int, nargs="+", default=SAMPLES, help="people tried; 0: all")
    parser.add_argument("--mask", default="noise:a=0.1")
    asked = parser.parse_args()
    unmask.assess(people(SMALL), parse(asked.mask), seed=1)  # kernels are compiled before the clock starts
    for n in asked.sizes:
        for sample in asked.samples:
            print(f"\n{n:,} people, {sample or 'all'} tried: estimated, measured, ratio")
            for name, estimated, seconds in measured(n, sample or None, asked.mask):
                ratio = f"{seconds / estimated:6.2f}" if estimated > 0 else ""
                print(f"{name:28s} {estimated:9.2f} {seconds:9.2f} {ratio}", flush=True)


if __name__ == "__main__":
    main()
