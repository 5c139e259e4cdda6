"""How far a searched log-linear model misses: the search made again on samples whose truth is known."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from unmask.data.microdata import Floats
from unmask.measures.uniqueness.decomposable import Graph, drawn_cells
from unmask.measures.uniqueness.model_search import KeySample, ModelSearch, expected_inverse
from unmask.randomness import generator

#: Samples on which the search is made again, and the cells drawn in each for a model's whole table.
REPLICATES, FEWER_DRAWS = 20, 10_000
#: A count of uniques further than so many deviations from what the model makes is a misfit.
MISFIT = 4.0


@dataclass(frozen=True, eq=False)
class SearchError:
    """What the search says too much of tau_1 and tau_2 in each replicate, and how many uniques it had.

    ``spread``: by how much unequal weights widen it, the root of 1 + cv^2 (Kish 1965).
    """

    errors: Floats
    uniques: Floats
    spread: float = 1.0

    def interval(self, value: float, which: int, most: float) -> tuple[float, float]:
        """The 95% interval of the true number: the value less the errors, by Student's t for few replicates.

        The value itself is always in it, also where the replicates say that the search is biased.
        """
        from scipy.special import stdtrit

        errors = self.errors[:, which]
        r = len(errors)
        wide = float(stdtrit(r - 1, 0.975)) * np.sqrt(1 + 1 / r) * float(errors.std(ddof=1)) * self.spread
        middle = value - float(errors.mean())
        return max(0.0, min(value, middle - wide)), min(most, max(value, middle + wide))

    def misfit(self, uniques: int) -> float:
        """How many times as many uniques the sample has as the model makes; 1 where chance explains it."""
        mean, deviation = float(self.uniques.mean()), float(self.uniques.std(ddof=1))
        return uniques / max(mean, 1.0) if abs(uniques - mean) > MISFIT * max(deviation, 1.0) else 1.0


def search_error(sample: KeySample, graph: Graph, search: ModelSearch) -> SearchError:
    """The errors of the search, by a parametric bootstrap that repeats it.

    Each replicate draws as many records from the fitted model and, for each of its uniques, how many others
    of the population share the key: Poisson with mean (1 - pi) lambda. So its tau_1 and tau_2 are known. The
    model is searched anew, and what it says less the truth is the error: of the population's chance, of the
    estimated margins and of the choice of the model together.
    """
    search = replace(search, draws=FEWER_DRAWS)
    rng = generator(search.seed, "log-linear", "replicates")
    made = [_replicate(sample, graph, search, rng) for _ in range(REPLICATES)]
    weight = sample.table.weight / sample.count  # the mean weight of the records of each key
    mean = float(sample.table.weight.sum()) / sample.records
    varied = float((sample.count * (weight / mean - 1) ** 2).sum()) / sample.records
    return SearchError(
        np.array([errors for errors, _ in made]), np.array([n for _, n in made]), float(np.sqrt(1 + varied))
    )


def _replicate(
    sample: KeySample, graph: Graph, search: ModelSearch, rng: np.random.Generator
) -> tuple[tuple[float, float], float]:
    """What the search says of one sample drawn from the model, less what is true of it; and its uniques."""
    codes, fit = drawn_cells(sample.table, graph, sample.records, rng)
    drawn, first = KeySample.of(codes, np.full(sample.records, 1 / sample.fraction))
    unique = drawn.unique
    people = 1 + rng.poisson((1 - sample.fraction) * fit[first[unique]])
    others = drawn.others(search.chosen(drawn))[unique]
    uniques = float(np.exp(-others).sum()) - float((people == 1).sum())
    matches = float(expected_inverse(others).sum()) - float((1 / people).sum())
    return (uniques, matches), float(unique.sum())
