"""How far a searched log-linear model misses: the search made again on samples whose truth is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from unmask.data.microdata import Floats
from unmask.measures.uniqueness.decomposable import Graph, drawn_cells
from unmask.measures.uniqueness.model_search import Candidate, KeySample, ModelSearch
from unmask.randomness import generator

#: Samples on which the search is made again; fewer of more records than these, of which each takes seconds.
REPLICATES, FEWER, LARGE = 20, 8, 200_000
#: Cells drawn in each for a model's whole table. With half as many as there are records, the noise of the
#: draws, about n / sqrt(draws), is below that of B itself, sqrt(n) / (2 pi) for a sampling fraction pi.
FEWEST_DRAWS, MOST_DRAWS = 500, 10_000
#: A count of uniques further than so many deviations from what the model makes is a misfit.
MISFIT = 3.0
#: A fitted model is easier to find again than the truth was, so the truth is further away than the replicates
#: say: chosen by trial in known populations, and not enough where attributes depend three by three.
EASIER = 1.5
#: Models whose B is within so many deviations of 0 cannot be told from the chosen one.
ALIKE = 1.96


@dataclass(frozen=True, eq=False)
class SearchError:
    """How far tau_1 and tau_2 may be from what the chosen model says.

    ``alike``: both by each of the models that B cannot tell apart, the chosen one first; ``errors``: what the
    search says too much of them in each replicate; ``uniques``: how many uniques each had; ``spread``: by how
    much unequal weights widen the errors, the root of 1 + cv^2 (Kish 1965).
    """

    alike: Floats
    errors: Floats
    uniques: Floats
    spread: float = 1.0

    def interval(self, value: float, which: int, most: float) -> tuple[float, float]:
        """The 95% interval of the true number: all that a model says less the errors, by Student's t.

        What the models say is always in it, also where the replicates tell that the search is biased. The
        value may be that of some of the uniques, where others agree with a suppressed key.
        """
        from scipy.special import stdtrit

        errors, said = self.errors[:, which], self.alike[:, which]
        part = value / float(said[0]) if said[0] > 0 else 1.0
        r, bias = len(errors), float(errors.mean())
        wide = float(stdtrit(r - 1, 0.975)) * float(np.sqrt(1 + 1 / r)) * float(errors.std(ddof=1))
        wide *= EASIER * self.spread
        below = float(said[0] - said.min()) + max(0.0, wide + bias)
        above = float(said.max() - said[0]) + max(0.0, wide - bias)
        return max(0.0, value - part * below), max(value, min(most, value + part * above))

    def misfit(self, uniques: int) -> float:
        """How many times as many uniques the sample has as the model makes; 1 where chance explains it."""
        mean, deviation = float(self.uniques.mean()), float(self.uniques.std(ddof=1))
        return uniques / max(mean, 1.0) if abs(uniques - mean) > MISFIT * max(deviation, 1.0) else 1.0


def search_error(sample: KeySample, models: Sequence[Candidate], search: ModelSearch) -> SearchError:
    """The errors of the search that led to these models, by a parametric bootstrap that repeats it.

    Each replicate draws as many records from the chosen model and, for each of its uniques, how many others
    of the population share the key: Poisson with mean (1 - pi) lambda. So its tau_1 and tau_2 are known. The
    model is searched anew, and what it says less the truth is the error: of the population's chance, of the
    estimated margins and of the choice of the model together. How B varies where the model is true tells
    which of the others it cannot exclude. A sample without uniques has neither uniques nor matches to miss.
    """
    if not sample.unique.any():
        return SearchError(np.zeros((1, 2)), np.zeros((2, 2)), np.zeros(2))
    search = replace(search, draws=min(max(sample.records // 2, FEWEST_DRAWS), MOST_DRAWS))
    rng = generator(search.seed, "log-linear", "replicates")
    times = FEWER if sample.records > LARGE else REPLICATES
    made = [_replicate(sample, models[0].graph, search, rng) for _ in range(times)]
    limit = 0.0
    if len(models) > 1:
        limit = ALIKE * float(np.std([one.criterion for one in made], ddof=1))
    alike = [sample.expected(m.graph) for m in models if m is models[0] or abs(m.error) <= limit]
    return SearchError(
        np.array(alike),
        np.array([one.errors for one in made]),
        np.array([float(one.uniques) for one in made]),
        _spread(sample),
    )


@dataclass(frozen=True)
class _Replicate:
    """What the search says of one drawn sample less what is true, B of the true model, and the uniques."""

    errors: tuple[float, float]
    criterion: float
    uniques: int


def _replicate(sample: KeySample, graph: Graph, search: ModelSearch, rng: np.random.Generator) -> _Replicate:
    codes, fit = drawn_cells(sample.table, graph, sample.records, rng)
    drawn, first = KeySample.of(codes, np.full(sample.records, 1 / sample.fraction))
    unique = drawn.unique
    people = 1 + rng.poisson((1 - sample.fraction) * fit[first[unique]])
    uniques, matches = drawn.expected(search.chosen(drawn))
    errors = (uniques - float((people == 1).sum()), matches - float((1 / people).sum()))
    criterion = search.estimated_error(drawn, graph) if search.search else 0.0
    return _Replicate(errors, criterion, int(unique.sum()))


def _spread(sample: KeySample) -> float:
    """The root of 1 + cv^2 of the weights, which are taken to be alike within a key."""
    weight = sample.table.weight / sample.count
    mean = float(sample.table.weight.sum()) / sample.records
    return float(np.sqrt(1 + (sample.count * (weight / mean - 1) ** 2).sum() / sample.records))
