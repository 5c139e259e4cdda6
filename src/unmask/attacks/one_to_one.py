"""Global one-to-one linkage: every released record is one person's at most."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.about import About
from unmask.attacks.base import Attack, Matcher
from unmask.attacks.families import ASSIGNMENT
from unmask.attacks.inner import inner_attack, with_distances
from unmask.data.microdata import Ints
from unmask.engines import Engine
from unmask.errors import ArgumentError
from unmask.intruder.dossier import Dossier
from unmask.intruder.truth import Truth
from unmask.linkage.assignment import Assignment, assign
from unmask.linkage.decisions import NearestRecord
from unmask.linkage.links import Links, Standing


@dataclass(frozen=True)
class OneToOne:
    """The one-to-one assignment of targets and released records with the least total distance.

    min sum_ij d(b_i, a_j)^power x_ij, each record in one pair at most and as many pairs as can be (Herranz,
    Nin, Rodriguez and Tassa 2015). Linking each target to its nearest record lets many share one; here they
    compete. The smallest total is unique, the assignment need not be: belief in a record is the share of the
    best assignments that link it (see :mod:`unmask.linkage.assignment`).

    ``over``: the attack whose distances are used, by name or as an object; ``power`` below 1 makes a few
    pairs that lie far apart count less, so that they do not dictate all others.

    >>> import polars as pl, unmask
    >>> original = pl.DataFrame({"age": [20, 30, 40, 50], "income": [1.0, 4.0, 2.0, 8.0]})
    >>> released = pl.DataFrame({"age": [20, 34, 36, 50], "income": [4.5, 3.5, 2.0, 7.0]})
    >>> for attack in ("dbrl", OneToOne()):
    ...     risk = unmask.assess(original, released, known=["age", "income"], attacks=[attack])
    ...     risk.table().filter(measure="reidentification")["value"].item()
    0.75
    1.0
    """

    about = About(
        title="one-to-one linkage",
        family=ASSIGNMENT,
        sentence="Everybody is matched at once, each with a record of their own, so that the distances add "
        "up to as little as possible.",
        source="J. Herranz, J. Nin, P. Rodriguez and T. Tassa (2015), Revisiting distance-based record "
        "linkage for privacy-preserving release of statistical datasets, Data and Knowledge Engineering "
        "100, 78-93.",
        rank=1,
    )

    over: str | Attack = "dbrl"
    power: float = 1.0

    def __post_init__(self) -> None:
        if not (np.isfinite(self.power) and self.power > 0):
            raise ArgumentError(f"power is {self.power:g}", hint="give a number above 0, such as 0.5")

    @property
    def name(self) -> str:
        """The name in tables."""
        over = self.over if isinstance(self.over, str) else self.over.name
        changed = [] if over == "dbrl" else [f"over={over}"]
        changed += [] if self.power == 1 else [f"power={self.power:g}"]
        return f"one-to-one:{','.join(changed)}" if changed else "one-to-one"

    def prepare(self, dossier: Dossier, rng: np.random.Generator, engine: Engine) -> AssignedRecord:
        """Prepare the attack whose distances are used; assign."""
        attack = self.inner()
        return one_to_one(attack.prepare(dossier, rng, engine), engine, attack.name, self.power)

    def inner(self) -> Attack:
        """The attack whose distances are used."""
        if not isinstance(self.over, str):
            return self.over
        return inner_attack(self.over)


def one_to_one(matcher: Matcher, engine: Engine, name: str, power: float = 1.0) -> AssignedRecord:
    """The assignment over the distances of an attack made ready."""
    nearest = with_distances(matcher, name)
    found = assign(nearest.pairing, engine, power, nearest.blocks)
    return AssignedRecord(nearest, found, (*matcher.notes, *_remarks(found, len(nearest.pairing.known))))


@dataclass(frozen=True, eq=False)
class AssignedRecord:
    """The decision "the record of the best one-to-one assignment, all best ones shared"."""

    nearest: NearestRecord
    assignment: Assignment
    notes: tuple[str, ...]

    def links(self, targets: Ints | None = None) -> Links:
        """The belief of each target (all when none are named); the assignment is that of all targets."""
        found = self.assignment.links
        if targets is None:
            return found
        return Links(found.row[targets], found.indptr, found.cls, found.mass, found.cls_of, found.cls_size)

    def standing(self, truth: Truth, depth: int, targets: Ints | None = None) -> Standing:
        """The share of the best assignments that link the true record.

        Where none does, ``closer`` counts the records at a smaller distance, 1 at the least: the one
        that the assignment preferred.
        """
        links = self.links(targets)
        share = links.belief_in(truth.row if targets is None else truth.row[targets])
        closer, tied = (part.copy() for part in _standing(self.nearest, truth, depth, targets))
        linked = share > 0
        behind = ~linked & (closer >= 0)
        closer[behind] = np.minimum(np.maximum(closer[behind], 1), depth)
        tied[behind & (closer >= depth)] = 0
        closer[linked] = 0
        tied[linked] = links.candidates()[linked]
        return Standing(closer, tied, depth, share)


def _standing(nearest: NearestRecord, truth: Truth, depth: int, targets: Ints | None) -> tuple[Ints, Ints]:
    found = nearest.standing(truth, depth, targets)
    return found.closer, found.tied


def _remarks(found: Assignment, targets: int) -> list[str]:
    """What the user must know: targets without a record, and an assignment that may not be the best."""
    notes = []
    if found.pairs < targets:
        notes.append(
            f"{targets - found.pairs} of {targets} people get no record: there are fewer records, "
            "or none that is possible for them"
        )
    if not found.proven:
        share = found.gap / found.total if found.total > 0 else np.inf
        notes.append(
            f"the assignment is not proven the best: its total is at most {share:.2%} above the least"
        )
    return notes
