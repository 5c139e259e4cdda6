"""Linkage by an intruder who knows the mask and its parameters."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np

from unmask.about import About
from unmask.attacks.families import MECHANISM
from unmask.engines import Engine
from unmask.errors import ArgumentError, unknown_name
from unmask.intruder.dossier import Dossier
from unmask.linkage.blocking import blocks_of
from unmask.linkage.mechanism import NOTED, Belief, MechanismMatcher, encode, field, no_rivals, rivals
from unmask.linkage.mechanism.terms import blocking
from unmask.linkage.transitions import Declaration, Published, Seen, Transparent
from unmask.linkage.transparency import declares
from unmask.parsing import written

#: The largest error that an intruder may reckon with: at it, they know nothing.
LARGEST_ERROR = 1e6
ABOUTS = {
    Belief.BEST: About(
        title="linkage by who knows the mask",
        family=MECHANISM,
        sentence="The intruder knows how the file was protected, and takes the released record that the "
        "mask most probably made of the person's: what it cannot do is ruled out, what it does often counts "
        "most.",
        source="J. Nin, J. Herranz and V. Torra (2008), Rethinking rank swapping to decrease disclosure "
        "risk, Data and Knowledge Engineering 64, 346-364; and on transparency V. Torra (2017), Data "
        "Privacy, Springer.",
        rank=1,
    ),
    Belief.POSTERIOR: About(
        title="posterior of who knows the mask",
        family=MECHANISM,
        sentence="As linkage by who knows the mask, but the intruder believes in each record as far as it "
        "is probable.",
        source="V. Torra (2017), Data Privacy, Springer (transparency attacks).",
        rank=2,
    ),
}


@dataclass(frozen=True, eq=False)
class KnownMechanism:
    """The released record that the mask most probably made of the target's (a transparency attack).

        P(a is b's | release)  ~  P(a | b) / q(a)

    with P(a | b) the likelihood that the mask turns b into a, from what the mask declares of itself: windows
    of ranks for rank swapping (Nin, Herranz and Torra 2008), groups for microaggregation, the noise's
    density, transition probabilities, bands and limits (Torra 2017, section 2.3). What it makes impossible
    is never linked; if one record is left, the link is certain. q(a) is the likelihood that another person
    left a: the people they know are rivals for it. Without them (``rivals=False``) every record
    counts as equally likely to be left by others.

    ``belief``: link to the most probable record, ties shared (``best``), or believe in each as probable as it
    is (``posterior``). ``error``: the error that the intruder reckons with in what they know, as in
    :class:`~unmask.intruder.scenario.Scenario`; with 0 they trust it, and abstain where no record is
    possible. Wrap the mask in :class:`~unmask.linkage.transitions.Published` if the office publishes the
    figures that its parameters depend on; otherwise they are worked out from what is known and released.

    >>> import polars as pl, unmask
    >>> from unmask.masks import RankSwapping
    >>> people = pl.DataFrame({"age": [20, 30, 40, 50, 60, 70], "pay": [1.0, 4.0, 2.0, 8.0, 7.0, 3.0]})
    >>> mask = RankSwapping(p=20)
    >>> risk = unmask.assess(people, mask, known=["age", "pay"], attacks=["dbrl", KnownMechanism(mask)])
    >>> found = risk.table().filter(measure="reidentification")
    >>> dict(zip(found["attack"].to_list()[:2], found["value"].to_list()[:2]))
    {'dbrl': ..., 'mechanism:rank-swapping:p=20': ...}
    """

    mask: Transparent
    belief: Belief = Belief.BEST
    rivals: bool = True
    error: float = 0.0

    def __post_init__(self) -> None:
        if not declares(self.mask):
            raise ArgumentError(
                f"{type(self.mask).__name__} does not declare what it does",
                hint="give a mask with a method declare(seen), see docs/how-to/declare-a-mask.md",
            )
        try:
            object.__setattr__(self, "belief", Belief(self.belief))
        except ValueError:
            raise unknown_name("choice of 'belief'", str(self.belief), [b.value for b in Belief]) from None
        if not 0 <= self.error <= LARGEST_ERROR:
            raise ArgumentError(
                f"error is {self.error:g}",
                hint=f"give a number of standard deviations, from 0 to {LARGEST_ERROR:g}",
            )

    @property
    def name(self) -> str:
        """The name in tables: the mask, and what differs from the defaults."""
        kind = "mechanism" if self.belief is Belief.BEST else "mechanism-posterior"
        more = ("" if self.rivals else "-alone") + (f"-error={self.error:g}" if self.error else "")
        return f"{kind}{more}:{_described(self.mask)}"

    @property
    def about(self) -> About:
        """What the attack is called, does and comes from; its title names the mask."""
        settings = [_described(self.mask)]
        settings += [] if self.rivals else ["without rivals"]
        settings += [f"error={self.error:g}"] if self.error else []
        return ABOUTS[self.belief].with_parameters(", ".join(settings))

    def prepare(self, dossier: Dossier, rng: np.random.Generator, engine: Engine) -> MechanismMatcher:
        """Encode what the mask declares; weigh rivals; the most probable record."""
        told = dossier.known if dossier.told is None else dossier.told
        seen = Seen(told, dossier.released)
        declaration = self.mask.declare(seen).as_written(seen)
        # What the mask speaks of is compared as it was before it; all else in the release's terms.
        masked = dossier.in_original_terms(declaration.attributes)
        return matcher(masked, declaration, rng, engine, self.belief, self.rivals, self.error)


def matcher(
    dossier: Dossier,
    declaration: Declaration,
    rng: np.random.Generator,
    engine: Engine,
    belief: Belief = Belief.BEST,
    competing: bool = True,
    error: float = 0.0,
) -> MechanismMatcher:
    """The matcher of a declaration: terms, rivals, the most probable record."""
    encoded = encode(dossier, declaration, error, engine.room)
    blocks = blocks_of(dossier)
    if blocks is not None:
        encoded = blocking(encoded, blocks.known, blocks.released)
    ready = field(encoded, engine.room)
    del encoded
    n = len(dossier.known)
    # No more people can be in the release than it has records.
    presence = min(dossier.presence, len(dossier.released) / n)
    found = MechanismMatcher(
        field=ready,
        rivals=rivals(ready, engine, presence) if competing else no_rivals(ready),
        competed=competing,
        belief=belief,
        engine=engine,
        sample=np.arange(n) if n <= NOTED else np.sort(rng.choice(n, NOTED, replace=False)),
        remarks=declaration.notes,
        impossible=declaration.impossible,
    )
    return found if presence == 1 else found.reckoning(presence)


def _described(mask: Any) -> str:
    """A mask as text: its name and parameters."""
    if isinstance(mask, Published):
        return f"{_described(mask.mask)} (published)"
    name = str(getattr(mask, "name", type(mask).__name__))
    return written(name, mask) if dataclasses.is_dataclass(mask) else name
