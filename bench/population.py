"""Estimates of population uniques beside the truth: `python -m bench.population`.

First samples of invented people whose population is known: the share of uniques, the truth and what each
estimate says, by keys and sampling fraction. Then the coverage of the log-linear intervals in populations
made by independent attributes, by chains, by cliques of three (all within reach of the search) and by hidden
classes (which no searched model is). Which estimate leads, and how far it is off: `python -m bench.leading`.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np
import polars as pl

from unmask.data.example import people
from unmask.data.microdata import Floats, Ints, Masked, Microdata
from unmask.engines import LocalEngine
from unmask.measures import FileMeasure
from unmask.measures.anonymity.keys import released_keys
from unmask.measures.evidence import FileEvidence
from unmask.measures.uniqueness import IndividualRisk, LogLinear, Pitman, Quantity, Zayatz
from unmask.measures.uniqueness.design import Design
from unmask.measures.uniqueness.model_search import KeySample, ModelSearch
from unmask.measures.uniqueness.search_error import search_error

FRACTIONS = (0.005, 0.02, 0.05, 0.2)
KEYS = (
    ("region", "sex", "education", "occupation", "health"),
    ("region", "sex", "education", "age"),
    ("region", "sex", "education", "occupation", "age"),
    ("region", "sex", "education", "occupation", "health", "age"),
    ("region", "sex", "education", "occupation", "health", "age", "hours"),
    ("region", "sex", "education", "occupation", "age", "hours", "commute", "rent"),
)
LEVELS = (8, 6, 10, 5, 7, 4)
#: The first seed of the samples for coverage: smaller ones were used to choose how wide the interval is.
FIRST = 1000
KINDS = ("independent", "chain", "cliques", "hidden")


@dataclass(frozen=True)
class Compared:
    """The truth of one sample and what the estimates say of it; None where one is not estimable."""

    records: int
    uniques: int
    true_uniques: int
    true_matches: float
    log_linear: tuple[float, float, float]
    matches: tuple[float, float, float]
    pitman: float | None
    zayatz: float
    individual: float
    individual_given: bool

    @property
    def covered(self) -> tuple[bool, bool]:
        """Whether the intervals of both log-linear estimates have the truth."""
        truths = (self.true_uniques, self.true_matches)
        both = (self.log_linear, self.matches)
        uniques, matches = (bool(low <= t <= high) for t, (_, low, high) in zip(truths, both, strict=True))
        return uniques, matches


def compared(population: Microdata, known: tuple[str, ...], fraction: float, seed: int) -> Compared:
    """A simple random sample of a population, and the estimates of it."""
    size = population.frame.select(pl.len().over(known)).to_series().to_numpy()
    rng = np.random.default_rng(seed)
    rows = np.sort(rng.choice(len(population), round(fraction * len(population)), replace=False))
    sample = population.take(rows)
    unique = sample.frame.select(pl.len().over(known)).to_series().to_numpy() == 1
    case = FileEvidence(sample, Masked.by_order(sample, sample), known, seed=seed)
    individual = IndividualRisk(fraction)
    single = individual.risks(released_keys(case), Design(np.full(len(sample), 1 / fraction)))
    log_linear, matches = (_interval(LogLinear(quantity, fraction), case) for quantity in Quantity)
    assert log_linear is not None
    assert matches is not None
    pitman, zayatz = (_interval(measure, case) for measure in (Pitman(fraction), Zayatz(fraction)))
    assert zayatz is not None
    people_alike = size[rows][unique]
    return Compared(
        len(sample),
        int(unique.sum()),
        int((people_alike == 1).sum()),
        float((1 / people_alike).sum()),
        log_linear,
        matches,
        None if pitman is None else pitman[0],
        zayatz[0],
        float(released_keys(case).spread(single)[unique].sum()),
        individual.why_not(case) is None,
    )


def _interval(measure: FileMeasure, case: FileEvidence) -> tuple[float, float, float] | None:
    (row,) = measure.rows(case, LocalEngine())
    estimate, value = row.estimate, row.estimate.number
    if value is None:
        return None
    low, high = (value if end is None else end for end in (estimate.low, estimate.high))
    return value, low, high


def made_population(kind: str, seed: int, size: int = 50_000) -> Ints:
    """People of six attributes that are independent, a chain, in cliques of three, or of hidden classes."""
    rng = np.random.default_rng(seed)
    columns: list[Ints] = []
    hidden = rng.choice(6, size)
    for j, levels in enumerate(LEVELS):
        if kind == "hidden":
            parents, groups = hidden, 6
        elif kind == "independent" or j == 0:
            parents, groups = np.zeros(size, dtype=np.int64), 1
        elif kind == "chain" or j == 1:
            parents, groups = columns[-1], LEVELS[j - 1]
        else:
            parents, groups = columns[-2] * LEVELS[j - 1] + columns[-1], LEVELS[j - 2] * LEVELS[j - 1]
        own = rng.dirichlet(np.full(levels, 0.6), groups)
        shares = 0.8 * own + 0.2 * rng.dirichlet(np.full(levels, 1.5))
        columns.append(_drawn(shares[parents], rng))
    return np.column_stack(columns)


def _drawn(shares: Floats, rng: np.random.Generator) -> Ints:
    draws = rng.random(len(shares))
    return np.asarray((draws[:, None] > np.cumsum(shares, axis=1)[:, :-1]).sum(axis=1))


@dataclass(frozen=True)
class Covered:
    """One sample: whether each interval has the truth; the plain interval of the model alone beside it."""

    uniques: bool
    matches: bool
    alone: bool
    error: float


def covered(kind: str, fraction: float, seed: int, size: int = 50_000) -> Covered:
    """Whether the intervals of a sample of a made population have the truth."""
    codes = made_population(kind, seed, size)
    rows = np.random.default_rng(seed + 1).choice(len(codes), round(fraction * len(codes)), replace=False)
    everybody, _ = KeySample.of(codes, np.ones(len(codes)))
    sample, _ = KeySample.of(codes[rows], np.full(len(rows), len(codes) / len(rows)))
    people_alike = _counts(everybody, sample.table.codes[sample.unique])
    search = ModelSearch(seed=seed)
    models = search.candidates(sample)
    error = search_error(sample, models, search)
    truths = (float((people_alike == 1).sum()), float((1 / people_alike).sum()))
    values = sample.expected(models[0].graph)
    ends = [error.interval(value, which, float(len(people_alike))) for which, value in enumerate(values)]
    uniques, matches = (bool(low <= t <= high) for t, (low, high) in zip(truths, ends, strict=True))
    alone = np.exp(-sample.others(models[0].graph)[sample.unique])
    miss, spread = values[0] - truths[0], 1.96 * float(np.sqrt((alone * (1 - alone)).sum()))
    return Covered(uniques, matches, abs(miss) <= spread, miss / max(truths[0], 1.0))


def _counts(everybody: KeySample, asked: Ints) -> Floats:
    """How many people have each of these keys."""
    places, sought = (np.ravel_multi_index(tuple(c.T), LEVELS) for c in (everybody.table.codes, asked))
    return everybody.count[np.searchsorted(places, sought)]


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(prog="python -m bench.population", description=__doc__)
    parser.add_argument("--people", type=int, default=200_000)
    parser.add_argument("--samples", type=int, default=25, help="samples for each coverage")
    options = parser.parse_args()
    population = people(options.people)
    heads = ("keys", "sampled", "unique", "tau_1", "log-linear", "Pitman", "Zayatz")
    _print_row([*heads, "tau_2", "log-linear", "individual"])
    _print_row(["---"] * 10)
    for known in KEYS:
        for fraction in FRACTIONS:
            _print_row([str(len(known)), f"{fraction:.1%}", *_told(compared(population, known, fraction, 1))])
    print()
    _print_row(["population", "sampled", "tau_1", "tau_2", "model alone", "mean error of tau_1"])
    _print_row(["---"] * 6)
    for kind in KINDS:
        for fraction in (0.02, 0.1):
            found = [covered(kind, fraction, seed) for seed in range(FIRST, FIRST + options.samples)]
            shares = [float(np.mean([getattr(c, n) for c in found])) for n in ("uniques", "matches", "alone")]
            error = float(np.mean([c.error for c in found]))
            _print_row([kind, f"{fraction:.0%}", *(f"{share:.2f}" for share in shares), f"{error:+.1%}"])


def _told(c: Compared) -> list[str]:
    """One sample in words: intervals after the values, and in brackets what is not given to a user."""

    def whole(of: tuple[float, float, float]) -> str:
        return f"{of[0]:,.0f} ({of[1]:,.0f} to {of[2]:,.0f})"

    return [
        f"{c.uniques / c.records:.0%}",
        f"{c.true_uniques:,}",
        whole(c.log_linear),
        "-" if c.pitman is None else f"{c.pitman:,.0f}",
        f"{c.zayatz:,.0f}",
        f"{c.true_matches:,.0f}",
        whole(c.matches),
        f"{c.individual:,.0f}" if c.individual_given else f"({c.individual:,.0f})",
    ]


def _print_row(cells: list[str]) -> None:
    print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
