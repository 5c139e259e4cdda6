"""All trials of all kinds, in a time that is told, on one bench."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence

from tests.hostile import (
    calls,
    corruption,
    determinism,
    documents,
    kills,
    ledgers,
    options,
    sentinels,
    shapes,
    spellings,
    typos,
)
from tests.hostile.bench import Bench
from tests.hostile.trial import Judged, Trial, Verdict

#: The kinds of trials, and how much of the time each may take.
KINDS: Mapping[str, tuple[Callable[[int], Sequence[Trial]], float]] = {
    spellings.KIND: (spellings.trials, 1.0),
    typos.KIND: (typos.trials, 1.0),
    shapes.KIND: (shapes.trials, 1.0),
    options.KIND: (options.trials, 3.0),
    calls.KIND: (calls.trials, 1.0),
    documents.KIND: (documents.trials, 1.5),
    ledgers.KIND: (ledgers.trials, 0.5),
    corruption.KIND: (corruption.trials, 2.0),
    sentinels.KIND: (sentinels.trials, 1.0),
    determinism.KIND: (determinism.trials, 1.0),
    kills.KIND: (kills.trials, 3.0),
}


def trials_of(kind: str, seed: int) -> list[Trial]:
    """The trials of a kind in a random order, so that a part of them is a fair sample."""
    found = list(KINDS[kind][0](seed))
    random.Random(f"{seed} {kind}").shuffle(found)
    return found


def hunt(
    bench: Bench, kinds: Mapping[str, Sequence[Trial]], seconds: float, say: Callable[[str], None]
) -> Iterator[Judged]:
    """The trials, as many as the time allows; what a kind leaves of its time goes to the later ones."""
    end = time.monotonic() + seconds
    weights = {kind: KINDS[kind][1] for kind in kinds}
    for kind, trials in kinds.items():
        left = sum(weights[other] for other in list(kinds)[list(kinds).index(kind) :])
        until = time.monotonic() + (end - time.monotonic()) * weights[kind] / left
        tried = wrong = 0
        for trial in trials:
            if time.monotonic() > until and tried:
                break
            found = judged(bench, trial)
            tried, wrong = tried + 1, wrong + (found.verdict is Verdict.WRONG)
            yield found
        say(f"{kind}: {tried} of {len(trials)} tried, {wrong} wrong")


def judged(bench: Bench, trial: Trial) -> Judged:
    """What is said of a trial. What is wrong is tried again in a process of its own: the trials before it in
    the same process must not be the reason.
    """
    found = trial.judged(bench)
    if found.verdict is Verdict.WRONG:
        bench.stop()
        found = trial.judged(bench)
    return found
