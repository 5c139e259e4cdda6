"""The rule for the leading estimate of population uniques, in populations of known truth.

`python -m bench.leading` prints what each estimate says beside the truth, by population and sampling
fraction, which leads, how far each is off overall, and how often the interval has the truth. The rule was
chosen on other seeds and the populations of CHOSEN_ON; the tables are of seeds from JUDGED on, also of
populations that no choice had seen.
"""

from __future__ import annotations

import argparse
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import polars as pl

from bench.data import Floats, Ints
from bench.known_populations import CHOSEN_ON, NOT_SEEN, SEEN_ONCE, population
from unmask.data.microdata import Masked, Microdata
from unmask.data.schema import Column, Kind, Role, Schema
from unmask.engines import LocalEngine
from unmask.measures import FileMeasure
from unmask.measures.evidence import FileEvidence
from unmask.measures.uniqueness import LogLinear, Pitman, UniqueInPopulation, Zayatz
from unmask.measures.uniqueness.leading import DENSE, FITS

#: The first seed of the tables. Those below 1000 chose the rule, those below 2000 were looked at once.
JUDGED = 2000
FRACTIONS = (0.01, 0.05, 0.1, 0.3, 0.5)
#: How many times as often the one half of the categories of the second attribute is sampled as the other.
RATIOS = (1.0, 4.0, 10.0)
#: Counts below about five are chance: so many are added before ratios are taken.
FEW = 5.0
FIXED = ("log-linear", "Pitman", "Zayatz", "1 / weight")
OUTSIDE = ("truth above the interval", "truth below it")


@dataclass(frozen=True)
class Trial:
    """One sample: the truth, what each fixed estimate says (None: nothing), and the leading one."""

    population: str
    fraction: float
    ratio: float
    records: int
    uniques: int
    truth: int
    said: dict[str, float | None]
    leads: tuple[float, float, float] | None
    promised: bool

    def error(self, name: str) -> float | None:
        """The logarithm of what an estimate says too much; None where it says nothing."""
        value = self.said[name] if name in self.said else (self.leads or (None,))[0]
        return None if value is None else float(np.log((value + FEW) / (self.truth + FEW)))

    @property
    def covered(self) -> bool:
        """Whether the interval of the leading estimate has the truth."""
        assert self.leads is not None
        return self.leads[1] <= self.truth <= self.leads[2]


def trial(name: str, fraction: float, ratio: float, seed: int, size: int = 40_000) -> Trial:
    """A sample of a population and all that is estimated of it."""
    codes = population(name, seed, size)
    rng = np.random.default_rng([seed, zlib.crc32(name.encode()), round(1000 * fraction), round(ratio)])
    rows, weights = _sample(codes, fraction, ratio, rng)
    everybody = pl.DataFrame(codes, schema=[f"a{j}" for j in range(codes.shape[1])])
    names = everybody.columns
    alike = everybody.select(pl.len().over(names)).to_series().to_numpy()[rows]
    sample = everybody[rows].with_columns(weight=pl.Series(weights))
    unique = sample.select(pl.len().over(names)).to_series().to_numpy() == 1
    columns = (*(Column(name, Kind.NOMINAL) for name in names), Column("weight", role=Role.WEIGHT))
    file = Microdata(Schema(columns), sample)
    case = FileEvidence(file, Masked.by_order(file, file), tuple(names), seed=seed)
    said = {measure.name: _said(measure, case)[0] for measure in (LogLinear(), Pitman(), Zayatz())}
    value, low, high, meaning = _leading(case)
    n = len(rows)
    return Trial(
        name, fraction, ratio, n, int(unique.sum()), int((alike[unique] == 1).sum()),
        dict(zip(FIXED, (*said.values(), float((1 / weights[unique]).sum())), strict=True)),
        None if value is None else (value * n, low * n, high * n),
        FITS in meaning and DENSE not in meaning,
    )  # fmt: skip


def _sample(codes: Ints, fraction: float, ratio: float, rng: np.random.Generator) -> tuple[Ints, Floats]:
    if ratio == 1:
        rows = np.sort(rng.choice(len(codes), round(fraction * len(codes)), replace=False))
        return rows, np.full(len(rows), len(codes) / len(rows))
    rate = np.where(codes[:, 1] % 2 == 0, ratio, 1.0)
    rate = np.minimum(fraction * rate / rate.mean(), 1.0)
    rows = np.flatnonzero(rng.random(len(codes)) < rate)
    return rows, 1 / rate[rows]


def _said(measure: FileMeasure, case: FileEvidence) -> tuple[float | None, str]:
    [row] = measure.rows(case, LocalEngine())
    return row.estimate.number, row.estimate.meaning


def _leading(case: FileEvidence) -> tuple[float | None, float, float, str]:
    [row] = UniqueInPopulation().rows(case, LocalEngine())
    e = row.estimate
    return e.number, e.low or 0.0, e.high or 0.0, e.meaning


def trials(
    names: Iterable[str], seeds: Iterable[int], fractions: Sequence[float] = FRACTIONS, size: int = 40_000
) -> list[Trial]:
    """Every population, fraction and ratio of sampling, for each seed."""
    return [trial(n, f, r, s, size) for s, n, f, r in product(seeds, names, fractions, RATIOS)]


def rms(found: Iterable[Trial], name: str) -> float:
    """The root of the mean square of an estimate's errors, where it says something."""
    errors = [error for one in found if (error := one.error(name)) is not None]
    return float(np.sqrt(np.mean(np.square(errors))))


def off(found: Sequence[Trial], name: str, times: float = 2.0) -> float:
    """How often an estimate is off by more than a factor, where it says something."""
    errors = [abs(error) for one in found if (error := one.error(name)) is not None]
    return float(np.mean([error > np.log(times) for error in errors]))


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m bench.leading", description=__doc__)
    parser.add_argument("--seeds", type=int, default=3, help="samples of each kind")
    parser.add_argument("--first", type=int, default=JUDGED, help="the first seed")
    options = parser.parse_args()
    seeds = range(options.first, options.first + options.seeds)
    parts = {"chosen on": CHOSEN_ON, "seen once": SEEN_ONCE, "not seen": NOT_SEEN}
    found = {part: trials(names, seeds) for part, names in parts.items()}
    _print_row(["population", "sampled", "unique", "truth", *FIXED, "leads", "refused"])
    _print_row(["---"] * (6 + len(FIXED)))
    for name, fraction in product((*CHOSEN_ON, *SEEN_ONCE, *NOT_SEEN), FRACTIONS):
        one = [t for part in found.values() for t in part if (t.population, t.fraction) == (name, fraction)]
        _print_row([name, f"{fraction:.0%}", *_told(one)])
    print()
    _print_row(["root mean square log error", "samples", *FIXED, "leading"])
    _print_row(["---"] * (3 + len(FIXED)))
    for part, some in found.items():
        led = [one for one in some if one.leads is not None]
        _print_row([f"{part}, all", f"{len(some)}", *(f"{rms(some, name):.2f}" for name in FIXED), "-"])
        errors = (f"{rms(led, name):.2f}" for name in (*FIXED, "leading"))
        _print_row([f"{part}, where one leads", f"{len(led)}", *errors])
    print()
    _print_row(["populations", "refused", "off by 1.5", "off by 2", "promised", "has the truth", *OUTSIDE])
    _print_row(["---"] * (6 + len(OUTSIDE)))
    for part, some in found.items():
        _print_row([part, *summary(some)])


def _told(found: Sequence[Trial]) -> list[str]:
    """A population at one fraction: the mean truth, and how many times it the estimates say, by medians."""
    head = [
        f"{np.mean([t.uniques / t.records for t in found]):.0%}",
        f"{np.mean([t.truth for t in found]):,.0f}",
    ]
    ratios = []
    for name in (*FIXED, "leads"):
        errors = [error for one in found if (error := one.error(name)) is not None]
        ratios.append(f"{np.exp(np.median(errors)):.2f}" if errors else "-")
    return [*head, *ratios, f"{sum(t.leads is None for t in found)} of {len(found)}"]


def summary(found: Sequence[Trial]) -> list[str]:
    """How often one is refused and was off, how often promises hold, and on which side others do not."""
    led = [one for one in found if one.leads is not None]
    refused = [one for one in found if one.leads is None]
    promised = [one.covered for one in led if one.promised]
    above = [one.truth > one.leads[2] for one in led if one.leads is not None]
    below = [one.truth < one.leads[1] for one in led if one.leads is not None]
    shares = [off(refused, "log-linear", times) for times in (1.5, 2.0)] if refused else []
    return [
        f"{len(refused)} of {len(found)}",
        *(f"{share:.0%}" for share in shares),
        f"{len(promised)}",
        *(f"{np.mean(some):.0%}" for some in (promised, above, below)),
    ]


def _print_row(cells: Sequence[str]) -> None:
    print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
