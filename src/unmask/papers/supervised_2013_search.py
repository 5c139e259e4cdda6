"""Which reading of Torra (2013), table 2, is closest to its numbers.

``python -m unmask.papers.supervised_2013_search`` runs it and prints what it finds. The plain mean and the
Mahalanobis distance need no learning, so many readings can be screened by them:

1. all 4,290 choices of two ordered pairs of the 13 columns, for the three maskings of four variables and
   each of 32 conventions (see :class:`PaperReading`), on one draw of 400 records;
2. the best of each convention extended to lists of six columns, all 144 ways, for the maskings of five and
   six variables, on that draw;
3. the best lists again on fresh draws, which tells skill from luck in steps 1 and 2;
4. the learned distances under the best few.

A reading is as far off as the root mean square of ours minus published, over the cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, islice, permutations, product
from math import sqrt
from statistics import fmean

import numpy as np
from scipy.spatial.distance import cdist

from unmask.data.microdata import Floats, Ints, Microdata
from unmask.kernels.pairing import TIE
from unmask.papers.outcome import run
from unmask.papers.supervised_2013 import Supervised2013
from unmask.papers.supervised_2013_readings import (
    CLOSEST,
    MASKINGS,
    SIZE,
    Covariance,
    Linked,
    Masking,
    Order,
    PaperReading,
    Values,
    census,
    drawn,
    group_masked,
    turned,
)

#: The linkage ratios of one masked file, by what the distance was made with and which file is linked.
Shares = Mapping[tuple[Values | Covariance, Linked], float]
Convention = tuple[Order, Values, Linked, Covariance, Values]
#: How a file was masked.
Made = tuple[Order, Values]

CONVENTIONS: tuple[Convention, ...] = tuple(product(Order, Values, Linked, Covariance, Values))
FOUR = MASKINGS[:3]


@dataclass(frozen=True, eq=False)
class Draw:
    """400 records of the file; what was masked and linked of them so far is kept."""

    people: Microdata
    rows: Ints
    groups: dict[tuple[Made, tuple[str, ...], int], Floats] = field(default_factory=dict)
    linked: dict[tuple[str, Made, tuple[tuple[str, ...], ...]], Shares] = field(default_factory=dict)

    def shares(self, masking: Masking, made: Made, columns: Sequence[str]) -> Shares:
        """How many records are linked strictly by the plain mean and by Mahalanobis, in all conventions."""
        # Within a group, the order of columns changes nothing.
        groups = tuple(tuple(sorted(group)) for group in masking.groups(columns))
        key = masking.name, made, groups
        if key not in self.linked:
            original = np.hstack([self._numbers(group) for group in groups])[self.rows]
            parts = [self._group(made, group, k) for group, k in zip(groups, masking.k, strict=True)]
            self.linked[key] = linked_strictly(original, np.hstack(parts))
        return self.linked[key]

    def _group(self, made: Made, names: tuple[str, ...], k: int) -> Floats:
        key = made, names, k
        if key not in self.groups:
            self.groups[key] = group_masked(self._numbers(names), self.rows, *made, k)
        return self.groups[key]

    def _numbers(self, names: Sequence[str]) -> Floats:
        return np.column_stack([self._columns[name] for name in names])

    @cached_property
    def _columns(self) -> dict[str, Floats]:
        """Taken from the frame once: asking it thousands of times would cost more than linking."""
        names = self.people.schema.names()
        return dict(zip(names, self.people.numbers(names).T, strict=True))


def linked_strictly(original: Floats, masked: Floats) -> Shares:
    """The share of records whose twin in the other file is the only nearest, in all conventions."""
    a, b = _z_scores(original), _z_scores(masked)
    files = (np.cov(a, rowvar=False) + np.cov(b, rowvar=False)) / 2
    compared: dict[Values | Covariance, tuple[Floats, Floats]] = {
        Values.STANDARDISED: (a, b),
        Values.RAW: (original, masked),
        Covariance.FILES: turned(a, b, files),
        Covariance.DIFFERENCES: turned(a, b, np.cov(a - b, rowvar=False)),
    }
    found = {}
    for made_with, (x, y) in compared.items():
        square = cdist(x, y, "sqeuclidean")
        # The farthest a tie may be; a twin is the only nearest if all others are farther.
        tie = np.diag(square) * (1 + TIE)
        np.fill_diagonal(square, np.inf)
        found[made_with, Linked.ORIGINALS] = float(np.mean(square.min(axis=1) > tie))
        found[made_with, Linked.MASKED] = float(np.mean(square.min(axis=0) > tie))
    return found


def _z_scores(values: Floats) -> Floats:
    return np.asarray((values - values.mean(axis=0)) / values.std(axis=0, ddof=1))


def cells(shares: Shares, reading: PaperReading) -> tuple[float, float]:
    """What a reading takes from the shares: the plain mean's and the Mahalanobis distance's."""
    return shares[reading.compared, reading.linked], shares[reading.covariance, reading.linked]


def averages(
    draws: Sequence[Draw], maskings: Sequence[Masking], reading: PaperReading
) -> list[tuple[float, float]]:
    """The two shares of each masking under a reading, averaged over draws."""
    found = []
    for masking in maskings:
        made = reading.order, reading.masked
        pairs = [cells(draw.shares(masking, made, reading.columns), reading) for draw in draws]
        found.append((fmean(pair[0] for pair in pairs), fmean(pair[1] for pair in pairs)))
    return found


def apart(ours: Sequence[tuple[float, float]], maskings: Sequence[Masking]) -> float:
    """The root mean square of ours minus published.

    >>> apart([(0.84, 0.94), (0.685, 0.92)], MASKINGS[:2])
    0.01
    """
    squares = [
        (value - published) ** 2
        for pair, masking in zip(ours, maskings, strict=True)
        for value, published in zip(pair, masking.published[:2], strict=True)
    ]
    return round(sqrt(fmean(squares)), 6)


def screened(draw: Draw, names: Sequence[str], keep: int) -> list[PaperReading]:
    """The closest readings of four variables on one draw: so many of each convention."""
    scored: dict[Convention, list[tuple[float, PaperReading]]] = {
        convention: [] for convention in CONVENTIONS
    }
    for first in combinations(names, 2):
        for second in combinations([name for name in names if name not in first], 2):
            for convention in CONVENTIONS:
                reading = PaperReading(first + second, *convention)
                scored[convention].append((apart(averages([draw], FOUR, reading), FOUR), reading))
    return [reading for found in scored.values() for _, reading in sorted(found, key=_off)[:keep]]


def extensions(reading: PaperReading, names: Sequence[str]) -> Iterator[PaperReading]:
    """All lists of six columns whose first four are cut into the same pairs."""
    one, two, three, four = reading.columns
    others = [name for name in names if name not in reading.columns]
    for (third, fourth), (fifth, sixth) in product(((three, four), (four, three)), permutations(others, 2)):
        yield replace(reading, columns=(one, two, third, fourth, fifth, sixth))


def ranked(draws: Sequence[Draw], readings: Iterable[PaperReading]) -> list[tuple[float, PaperReading]]:
    """Readings with how far off they are over all maskings, closest first."""
    return sorted(((apart(averages(draws, MASKINGS, r), MASKINGS), r) for r in readings), key=_off)


def search(draws: int, seed: int, keep: int = 10) -> list[tuple[float, PaperReading]]:
    """The closest lists of six columns, and how far off they are on fresh draws; best first.

    The best of each convention is among them, however far off it is.
    """
    people = census()
    names = people.schema.names()
    first = Draw(people, drawn(people, SIZE, seed))
    longer = [long for short in screened(first, names, keep) for long in extensions(short, names)]
    best = ranked([first], longer)
    chosen = dict.fromkeys(reading for _, reading in best[: 4 * keep])
    for convention in CONVENTIONS:
        own = (r for _, r in best if _convention(r) == convention)
        chosen |= dict.fromkeys(islice(own, 3))
    return ranked(fresh_draws(people, draws, seed), chosen)


def fresh_draws(people: Microdata, draws: int, seed: int) -> list[Draw]:
    """So many draws other than the first, on which readings are chosen."""
    return [Draw(people, drawn(people, SIZE, seed + r)) for r in range(1, draws + 1)]


def variations(reading: PaperReading) -> Iterator[PaperReading]:
    """A reading, then each with one of its conventions changed."""
    yield reading
    for name in ("order", "masked", "linked", "covariance", "compared"):
        now = getattr(reading, name)
        yield from (replace(reading, **{name: other}) for other in type(now) if other is not now)


def _convention(reading: PaperReading) -> Convention:
    return reading.order, reading.masked, reading.linked, reading.covariance, reading.compared


def _off(entry: tuple[float, PaperReading]) -> float:
    return entry[0]


def main(draws: int = 5, seed: int = 1, shown: int = 8, learned: int = 2) -> None:
    """Print the closest readings, the best one of each convention, and how the learned distances do."""
    found = search(draws, seed)
    fresh = fresh_draws(census(), draws, seed)
    for title, readings in {
        f"closest readings, by d2AM and d2MD on {draws} fresh draws, seed {seed}": found[:shown],
        "the best of each convention": [
            next(entry for entry in found if _convention(entry[1]) == convention)
            for convention in CONVENTIONS
        ],
        "the first columns, then with one convention changed": [
            (apart(averages(fresh, MASKINGS, reading), MASKINGS), reading) for reading in variations(CLOSEST)
        ],
    }.items():
        print(f"\n{title}")
        for off, reading in readings:
            print(f"{100 * off:.2f} points off: {reading.describe()}")
    print("\nwith the learned distances")
    for _, reading in found[:learned]:
        paper = Supervised2013(readings=((", ".join(reading.columns), reading),))
        for finding in run(paper, 1, seed).findings:
            print(f"{finding.verdict}: {finding.text}")


if __name__ == "__main__":
    main()
