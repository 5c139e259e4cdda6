"""How much a release counts in an average: the less, the more noise an intruder sees in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from unmask.attacks import DBRL
from unmask.data.microdata import Floats, Ints
from unmask.engines import Engine
from unmask.intruder.dossier import Dossier
from unmask.studies.releases.intersection import SMALLEST, noise

#: On how many targets the noise of a release is estimated.
NOISE_SAMPLE = 1000


def weight(
    dossier: Dossier, numbers: Sequence[str], targets: Ints, k: int, rng: np.random.Generator, engine: Engine
) -> float:
    """One over the variance of the noise in these numbers, as an intruder estimates it without the truth.

    There are two estimates, of which the larger counts: what the k nearest records suggest, and by how
    much the variance of a released attribute exceeds that of the known one (the median over attributes),
    which tells of added noise only.
    """
    if not numbers:
        return 1.0
    if len(targets) > NOISE_SAMPLE:
        targets = np.sort(rng.choice(targets, NOISE_SAMPLE, replace=False))
    matcher = DBRL().prepare(replace(dossier, known=dossier.known.only(numbers), block=()), rng, engine)
    excess = [_excess(dossier.known.numbers([n])[:, 0], dossier.released.numbers([n])[:, 0]) for n in numbers]
    return 1.0 / max(noise(matcher, targets, k), float(np.median(excess)), SMALLEST)


def _excess(known: Floats, released: Floats) -> float:
    """By how much the released variance exceeds the known one, as a share of it; 0 where it does not."""
    known, released = known[~np.isnan(known)], released[~np.isnan(released)]
    if len(known) < 2 or len(released) < 2 or known.min() == known.max():
        return 0.0
    return max(float(released.var() / known.var()) - 1.0, 0.0)
