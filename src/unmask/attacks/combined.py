"""Several linkage attacks combined into one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.about import About
from unmask.attacks.families import COMBINED
from unmask.attacks.inner import inner_attack, with_distances
from unmask.attacks.sources import DOMINGO_TORRA_2002
from unmask.data.microdata import Ints
from unmask.engines import Engine
from unmask.errors import ArgumentError
from unmask.intruder.dossier import Dossier
from unmask.intruder.truth import Truth
from unmask.linkage.fusion import Vote, fuse
from unmask.linkage.links import Links, Standing
from unmask.parsing import written

#: The attacks that are combined unless told otherwise.
OF = ("dbrl", "mahalanobis", "rbrl-sum", "rbrl-max", "prl")


@dataclass(frozen=True)
class Combined:
    """The released record that several attacks together give most support.

    Domingo-Ferrer and Torra (2002) find that distance-based and probabilistic linkage re-identify different
    records and recommend to combine them. The union of attacks counts whom any of them finds, which no
    intruder can reach: they do not know which one is right for whom. This is what an intruder can do. Each
    attack gives pairs a probability from both sides (is this record the target's, is this target the
    record's), and counts as much as its links answer each other: :func:`unmask.linkage.fusion.fuse`.

    Of several records that a target fits equally, those are taken that fit others least: what is possible may
    be excluded, so its belief is no record linkage in the sense of Torra and Stokes (2012), as a guess that
    covers all that is possible would be.

    ``of``: the attacks, by name.

    >>> import polars as pl, unmask
    >>> original = pl.DataFrame({"age": [20, 30, 40, 50], "income": [1.0, 4.0, 2.0, 8.0]})
    >>> released = pl.DataFrame({"age": [22, 29, 42, 49], "income": [1.5, 4.5, 2.0, 7.0]})
    >>> attack = Combined(of=("dbrl", "rbrl-sum"))
    >>> risk = unmask.assess(original, released, known=["age", "income"], attacks=[attack])
    >>> risk.table().filter(measure="reidentification")["value"].item()
    1.0
    """

    about = About(
        title="several attacks combined",
        family=COMBINED,
        sentence="The intruder makes several attacks and lets them vote; an attack counts the more, the more "
        "often the record nearest to a person has that person as its own nearest.",
        source=DOMINGO_TORRA_2002,
        rank=1,
    )

    of: tuple[str, ...] = OF

    def __post_init__(self) -> None:
        if len(set(self.of)) < 2:
            raise ArgumentError(
                f"{len(set(self.of))} attack to combine", hint="name two or more, such as of=dbrl+prl"
            )

    @property
    def name(self) -> str:
        """The name in tables."""
        return written("combined", self)

    def prepare(self, dossier: Dossier, rng: np.random.Generator, engine: Engine) -> CombinedMatcher:
        """Prepare each attack; vote."""
        made = [inner_attack(name).prepare(dossier, rng, engine) for name in self.of]
        nearest = [with_distances(matcher, name) for matcher, name in zip(made, self.of, strict=True)]
        vote = fuse(nearest, engine)
        answered = zip(self.of, vote.reciprocity, strict=True)
        shares = ", ".join(f"{name} {share:.0%}" for name, share in answered)
        notes = dict.fromkeys(note for matcher in made for note in matcher.notes)
        return CombinedMatcher(vote, (*notes, f"links that the record answers: {shares}"))


@dataclass(frozen=True, eq=False)
class CombinedMatcher:
    """The decision "the record with the most support, ties shared"."""

    vote: Vote
    notes: tuple[str, ...]

    def links(self, targets: Ints | None = None) -> Links:
        """The belief of each target (all when none are named)."""
        found = self.vote.links
        if targets is None:
            return found
        return Links(found.row[targets], found.indptr, found.cls, found.mass, found.cls_of, found.cls_size)

    def standing(self, truth: Truth, depth: int, targets: Ints | None = None) -> Standing:
        """Whether the true record has the most support; where not, how many of those listed have more."""
        links = self.links(targets)
        asked = np.arange(len(truth.row)) if targets is None else np.asarray(targets, np.int64)
        row = truth.row[asked]
        share = links.belief_in(row)
        closer, tied = np.where(row < 0, -1, 0), np.where(share > 0, links.candidates(), 0)
        behind = np.flatnonzero((share == 0) & (row >= 0))
        closer[behind] = np.clip(self.vote.closer(asked[behind], row[behind]), 1, depth)
        tied[behind] = closer[behind] < depth
        return Standing(closer, tied, depth, share)
