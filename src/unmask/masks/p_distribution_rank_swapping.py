"""p-distribution rank swapping."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats, Microdata
from unmask.data.schema import Kind
from unmask.linkage.transitions import Declaration, Part, Seen
from unmask.masks import checks
from unmask.masks.base import NUMBERS, Masked
from unmask.masks.columns import by_column
from unmask.masks.families import PERTURBATIVE
from unmask.masks.rank_moves import rank_cells
from unmask.masks.strength import PERCENTS, Strength


@dataclass(frozen=True)
class PDistributionRankSwapping:
    """Rank swapping over a normally distributed distance, without a bound (Nin, Herranz and Torra 2008).

    Values are ranked and walked as in :class:`~unmask.masks.rank_swapping.RankSwapping`, but each rank i
    not swapped yet draws its own distance

        D = ceil(Z),   Z ~ N(m, m^2),   m = (p/2) n/100,

    and exchanges its value with rank i + D; D is drawn again while it is not positive, leads out of the
    file or to a rank already swapped. So p is no bound that an intruder could use.

    **This departs from the text of Muralidhar and Domingo-Ferrer (2016).** They write that a *maximal*
    distance is drawn for each record from a normal distribution with mean and deviation p/2, "with the usual
    restriction that one cannot swap the current record to an index below 0 or greater than n", and that the
    distance is "randomly chosen between 0 and the record's maximum swapping distance". Here

    1. the draw is the distance itself, not its maximum: nothing uniform is drawn below it;
    2. a draw that is not positive, leads out of the file or to a rank already swapped is drawn again, where
       the text restricts it and does not say how; so a value never stays where it is by a distance of 0;
    3. Z is rounded up, and distances go upwards only, from ranks not swapped yet, in the order of the ranks,
       of which the text says nothing.

    The reason is their table 3, which the text does not give. This reading was found by trying some
    250 against it, and then held on fresh seeds: all 15 Census cells within 0.2 points over 100
    replicates. Others miss by up to: 43 points (the text: uniform below Z), 44 (ranks may be swapped again),
    13 (no swap where Z < 0), 9 (random order, both directions), 8 (|Z|), 1.1 (Z rounded down),
    0.6 (Z rounded to the nearest rank). The order of equal values makes no difference. Values that follow the
    text move half as far on average, so that they protect less at the same p.

    >>> import polars as pl
    >>> from unmask.data.schema import Column, Schema
    >>> people = Microdata(Schema((Column("age"),)), pl.DataFrame({"age": [50, 10, 40, 20, 30]}))
    >>> PDistributionRankSwapping(p=20).apply(people, np.random.default_rng(1)).data.numbers(["age"]).ravel()
    array([30., 20., 40., 10., 50.])
    """

    name: ClassVar[str] = "p-distribution-rank-swapping"
    kinds: ClassVar[tuple[Kind, ...]] = NUMBERS
    about = About(
        title="p-distribution rank swapping",
        family=PERTURBATIVE,
        sentence="As rank swapping, but how far values move is drawn from a normal distribution, so that "
        "no bound is known.",
        source="J. Nin, J. Herranz and V. Torra (2008), Rethinking rank swapping to decrease disclosure "
        "risk, Data and Knowledge Engineering 64, 346-364; the draw is the distance itself, which gives "
        "table 3 of K. Muralidhar and J. Domingo-Ferrer (2016), not its maximum, as their text says.",
        rank=5,
    )
    strength: ClassVar[Strength | None] = Strength("p", PERCENTS, NUMBERS)
    examples = ("p-distribution-rank-swapping:p=30",)
    p: float
    attributes: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        checks.number(self.name, "p", self.p, 0, 100)
        object.__setattr__(self, "attributes", checks.names(self.name, "attributes", self.attributes))

    def apply(self, original: Microdata, rng: np.random.Generator) -> Masked:
        """The file with the values of each target attribute swapped."""
        from scipy.special import ndtr

        from unmask.kernels.swapping import swap_by_distance

        def change(column: Floats) -> Floats:
            n = len(column)
            mean = self.p / 2 * n / 100
            if mean == 0:
                return column
            order = np.lexsort((rng.random(n), column))
            with np.errstate(over="ignore"):  # a mean near 0 makes every distance 1
                cumulative = ndtr(np.arange(n) / mean - 1) - ndtr(-1.0)
            # A rank needs about 1.5 draws; with fewer left over the kernel goes on without them.
            source = swap_by_distance(cumulative, rng.random(2 * n), rng.random(n))
            swapped = np.empty_like(column)
            swapped[order] = column[order[source]]
            return swapped

        return by_column(original, self.attributes, change)

    def declare(self, seen: Seen) -> Declaration:
        """How likely a swap goes from one rank to another; none is impossible, but without p none is made."""
        mean = self.p / 200
        parts: list[Part] = []
        for name in seen.targets(self.attributes, NUMBERS) if mean > 0 else ():
            cells = rank_cells(seen, name, mean, _NormalDistance(mean))
            parts += [] if cells is None else [cells]
        return Declaration(tuple(parts))


@dataclass(frozen=True)
class _NormalDistance:
    """The weight of a distance is normal, with deviation equal to the mean."""

    mean: float

    def __call__(self, distance: Floats) -> Floats:
        from scipy.special import ndtr

        weight: Floats = ndtr(distance / self.mean - 1) - ndtr(-1.0)
        return weight
