"""Stage: one intruder before one release, and what only the assessor knows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial

import numpy as np

from unmask.data.microdata import Ints
from unmask.intruder.dossier import Dossier
from unmask.intruder.truth import Truth
from unmask.measures.dependence import Dependence
from unmask.randomness import generator


@dataclass(frozen=True, eq=False)
class Stage:
    """What the intruder sees, what is true, the targets' rows in the original file, and who is tried.

    ``tried``: the targets on whom attacks are tried, by their place in ``people``. ``of_all``: how all
    targets hang together, where the stage that this one was made of has asked, or will.
    """

    dossier: Dossier
    truth: Truth
    people: Ints
    tried: Ints
    of_all: Callable[[], Dependence] | None = field(default=None, repr=False)

    @property
    def present(self) -> Ints:
        """The targets tried that are in the release."""
        return self.tried[self.truth.row[self.tried] >= 0]

    @property
    def tried_truth(self) -> Truth:
        """The truth about the targets tried."""
        return Truth(self.truth.row[self.tried])

    @cached_property
    def dependence(self) -> Dependence:
        """Whose outcomes hang together, among the targets tried."""
        return self._of_all().among(self.tried)

    @cached_property
    def _of_all(self) -> Callable[[], Dependence]:
        # Not a question to this stage: what is kept for it must not keep it.
        return self.of_all or cache(partial(Dependence.of, self.dossier, self.truth))

    def knowing(self, names: tuple[str, ...]) -> Stage:
        """The same stage for an intruder who knows these attributes only, and blocks on those they know."""
        return replace(self, dossier=self.dossier.knowing(names), of_all=None)

    def trying(self, tried: Ints) -> Stage:
        """The same stage, tried on other targets."""
        return replace(self, tried=tried, of_all=self._of_all)

    def among(self, rows: Ints) -> Stage:
        """The same stage, tried on those of its targets who are one of these rows of the original file."""
        return self.trying(self.tried[np.isin(self.people[self.tried], rows)])

    def apart(self) -> Stage:
        """The targets tried before an intruder who knows nobody else."""
        dossier, tried = self.dossier, self.tried
        told = None if dossier.told is None else dossier.told.take(tried)
        alone = replace(dossier, known=dossier.known.take(tried), told=told, seeds=None)
        return Stage(alone, self.tried_truth, self.people[tried], np.arange(len(tried)))

    def fewer(self, people: int, seed: int) -> Stage:
        """The same stage, tried on so many of those who are in the release, and the same share of the others.

        Fewer people are always some of the more: what was tried on them can be compared.
        """
        rng, there = generator(seed, "budget"), self.truth.row[self.tried] >= 0
        present, absent = self.tried[there], np.sort(self.tried[~there])
        drawn, others = rng.permutation(present)[:people], rng.permutation(absent)
        share = round(len(absent) * people / max(len(present), 1))
        return self.trying(np.sort(np.concatenate((drawn, others[:share]))))


def drawn_targets(truth: Truth, sample: int | None, seed: int) -> Ints:
    """The targets that are tried: all, or a sample of those who are in the release.

    Of those who are not, the same share is drawn: who links them is always wrong, and that must count.
    """
    present = truth.present
    if sample is None or sample >= len(present):
        return np.arange(len(truth.row), dtype=np.int64)
    rng, absent = generator(seed, "sample"), np.flatnonzero(truth.row < 0)
    drawn = rng.choice(present, sample, replace=False)
    others = rng.choice(absent, round(len(absent) * sample / len(present)), replace=False)
    return np.sort(np.concatenate((drawn, others)))
