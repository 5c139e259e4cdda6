"""What a session makes, and how often: `python -m bench.session`.

Indexes, key classes, ranks, fits and stages that three jobs make, as their watchers count them, and the time
of the knowledge curves of the documentation's example. A job is run twice, with the session's cache and with
one that keeps nothing, side by side, so that the ratio of their times is what keeping things gains.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import unmask
from unmask.data.example import people
from unmask.engines import LocalEngine
from unmask.engines.cache import Cache
from unmask.masks import Microaggregation
from unmask.randomness import generator

NUMBERS = ("age", "hours", "income", "rent")
KINDS = ("index", "key classes", "places", "log-linear fit", "models", "stage", "run")

Job = Callable[[LocalEngine], object]


def jobs() -> dict[str, Job]:
    """The jobs by name; files are made and kernels compiled before the clock starts."""
    mask = Microaggregation(k=5)

    def released(original: unmask.Microdata) -> unmask.Masked:
        return mask.apply(original, generator(1, "mask", mask.name))

    few, some, many = people(400), people(2000), people(5000)
    masked = {len(file): released(file) for file in (few, some, many)}
    grid = unmask.Grid(size=2, threshold=0.02, errors=(0, 0.1, 0.5), shares=(0.01, 0.1, 1.0))
    return {
        "learned-wm, 400 people, 4 numbers": lambda engine: unmask.assess(
            few,
            masked[400],
            known=NUMBERS,
            attacks=["learned-wm"],
            measures=["reidentification"],
            engine=engine,
        ),
        "default assessment, 2,000 people": lambda engine: unmask.assess(
            some, masked[2000], seed=1, engine=engine
        ),
        "curves of all sets of 6 attributes, 2,000 people": lambda engine: unmask.knowledge_curves(
            some, masked[2000], known=(*NUMBERS, "sex", "region"), grid=unmask.Grid(size=6), engine=engine
        ),
        "curves of the documentation, 5,000 people": lambda engine: unmask.knowledge_curves(
            many, masked[5000], grid=grid, seed=1, engine=engine
        ),
    }


def measured(job: Job, limit: int) -> tuple[dict[str, int], float]:
    """What a job makes, and its CPU seconds, with so many bytes for what is kept."""
    engine = LocalEngine(cache=Cache(limit=limit))
    start = time.process_time()
    job(engine)
    return dict(engine.watcher.made), time.process_time() - start


def main() -> None:
    """Print what each job makes with and without a cache, and the ratio of their times."""
    for name, job in jobs().items():
        job(LocalEngine())  # compiled, and files warm
        kept, seconds = measured(job, Cache().limit)
        lost, without = measured(job, 0)
        made = ", ".join(f"{kept.get(k, 0)} {k} (without: {lost.get(k, 0)})" for k in KINDS if lost.get(k))
        print(f"{name}\n  made: {made}\n  CPU {seconds:.2f} s, without keeping {without / seconds:.2f} x")


if __name__ == "__main__":
    main()
