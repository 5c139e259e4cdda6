"""Posterior beliefs: how probable each released record is the target's, kept where it is not negligible."""

from __future__ import annotations

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.engines.blocks import run_blocks, thread_count
from unmask.errors import ArgumentError
from unmask.kernels.pairing import Pairing
from unmask.linkage.fellegi_sunter.costs import best_weights
from unmask.linkage.fellegi_sunter.model import Model
from unmask.linkage.fellegi_sunter.search import released_codes
from unmask.linkage.links import Links

#: Look-ups (distinct targets x distinct records x attributes) beyond which beliefs are refused: a minute.
MOST_LOOKUPS = 5 * 10**10


def posterior_links(
    model: Model, pairing: Pairing, threads: int | None, targets: Ints | None, least: float
) -> Links:
    """The beliefs of these targets (all when none are named); entries below ``least`` are left out."""
    from unmask.engines.prepare import distinct, frozen
    from unmask.kernels.lookup import lookup_beliefs

    if not 0 < least < 1:
        raise ArgumentError(f"the least belief is {least:g}", hint="give a number between 0 and 1")
    p = frozen(pairing)
    chosen = np.arange(len(p.known)) if targets is None else np.asarray(targets, np.int64)
    released, asked = distinct(p.released), distinct(p.known[chosen])
    work_size = len(asked.first) * len(released.first) * p.known.shape[1]
    if work_size > MOST_LOOKUPS:
        raise ArgumentError(
            f"beliefs of {len(asked.first)} targets over {len(released.first)} records take {work_size:.1e} "
            f"look-ups, and {MOST_LOOKUPS:.0e} are allowed",
            hint="name fewer targets",
        )
    codes, top = released_codes(p, released), float(best_weights(model).sum())
    present = min(model.fit.share * len(p.released), 1 - 1e-6)
    nobody = (1 - present) / present * len(p.released)
    count = np.empty(len(asked.first), np.int64)

    def work(start: int, stop: int) -> tuple[Ints, Floats]:
        rows = chosen[asked.first[start:stop]]
        found: tuple[Ints, Floats] = lookup_beliefs(
            p, rows, codes, released.size, top, nobody, least, count[start:stop]
        )
        return found

    parts = run_blocks(work, len(asked.first), 256, thread_count(threads))
    indptr = np.concatenate(([0], np.cumsum(count))).astype(np.int64)
    row = np.where(count > 0, np.arange(len(count)), -1)[asked.group]
    classes, mass = (np.concatenate([part[i] for part in parts]) for i in range(2))
    return Links(row, indptr, classes.astype(np.int64), mass, released.group, released.size)
