"""Distance-based linkage by an intruder who knows the mask."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.about import About
from unmask.attacks.families import MECHANISM
from unmask.attacks.sources import DOMINGO_TORRA_2002
from unmask.engines import Engine
from unmask.intruder.dossier import Dossier
from unmask.linkage.aggregations import Sum
from unmask.linkage.axes import Scale
from unmask.linkage.decisions import NearestRecord, nearest_record
from unmask.linkage.spaces import standardised
from unmask.linkage.transitions import Declared, Declares

ABOUT = About(
    title="distance-based linkage within what the mask allows",
    family=MECHANISM,
    sentence="As distance-based linkage, but records that the mask cannot have made are ruled out.",
    source=DOMINGO_TORRA_2002,
    rank=3,
)


@dataclass(frozen=True)
class MaskAware:
    """DBRL with an infinite distance where the mask cannot lead (Domingo-Ferrer and Torra 2002).

    The mask declares, for every categorical attribute, which category may become which; a pair that it
    makes impossible in any attribute is never linked, and a target without a possible record abstains.
    Numeric attributes, and possible pairs, differ as for :class:`~unmask.attacks.dbrl.DBRL` with the same
    ``scale``; a missing value costs what the scenario says.

    The tables are those of the mask for what the intruder knows of the original. If they know only some of
    the people, and the tables depend on the data (which categories are rare), give those of the whole file:
    ``MaskAware(Declared(mask.name, mask.transitions(original)))``. An error in what they know makes the
    true record look impossible.

    >>> import polars as pl, unmask
    >>> from unmask.data.correspondence import ReleaseTerms
    >>> from unmask.masks import GlobalRecoding
    >>> people = pl.DataFrame({"town": ["A", "A", "B", "C"], "sex": ["f", "m", "f", "m"]})
    >>> schema = unmask.Schema(tuple(unmask.Column(name, unmask.Kind.NOMINAL) for name in people.columns))
    >>> mask = GlobalRecoding(p=2, attributes=("town",))
    >>> original = unmask.Microdata(schema, people)
    >>> made = mask.apply(original, np.random.default_rng(1))
    >>> literal = unmask.Masked(made.data, made.origin, ReleaseTerms())  # nobody sees how it was recoded
    >>> risk = unmask.assess(original, literal, attacks=["dbrl", MaskAware(mask)])
    >>> found = risk.table().filter(measure="reidentification")
    >>> dict(zip(found["attack"].to_list()[:2], found["value"].to_list()[:2]))
    {'dbrl': 0.75, 'mask-aware:global-recoding': 1.0}
    """

    mask: Declares | Declared
    scale: Scale = Scale.ALIKE

    @property
    def name(self) -> str:
        """The name in tables."""
        scale = "" if self.scale is Scale.ALIKE else f",scale={self.scale}"
        return f"mask-aware:{getattr(self.mask, 'name', type(self.mask).__name__)}{scale}"

    @property
    def about(self) -> About:
        """What the attack is called, does and comes from."""
        return ABOUT.of(self)

    def prepare(self, dossier: Dossier, rng: np.random.Generator, engine: Engine) -> NearestRecord:
        """Standardise both files, with the mask's tables; sum of squares; nearest."""
        tables = self.mask.transitions(dossier.known if dossier.told is None else dossier.told)
        # The tables lead from categories as they were before the mask.
        dossier = dossier.in_original_terms(tables)
        space = standardised(dossier, tables, scale=self.scale, cache=engine.cache)
        return nearest_record(dossier, space, Sum(power=2), engine)
