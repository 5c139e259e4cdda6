"""The decision of an intruder who knows the mask: the most probable record, or the whole posterior."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.engines import Engine, joined
from unmask.figures import figure
from unmask.intruder.truth import Truth
from unmask.linkage.links import Links, Standing
from unmask.linkage.mechanism.absence import log_absence
from unmask.linkage.mechanism.contradiction import LARGE, contradicted, lenient, unexplained
from unmask.linkage.mechanism.field import Field, alike
from unmask.linkage.mechanism.rivals import no_rivals

if TYPE_CHECKING:
    from unmask.kernels.mechanism_beliefs import Targets, Verdicts
    from unmask.kernels.mechanism_pairs import Rivals

#: Targets in a block of work.
BLOCK = 256
#: A posterior below this, of all records that cannot be told apart together, is no belief.
LEAST = 1e-4
#: People on whom the notes' figures are measured, where there are more.
NOTED = 2000
#: What is told of the people who may not be in the release.
ABSENCE = (
    "the intruder takes {percent} of the people they know to be in the release: what the scenario says, or "
    "the true share"
)
#: What is told of a mask that cannot have made the release.
CONTRADICTED = (
    "the release contradicts the mask for {percent} of the people or records: another mask or other "
    "parameters made it, or what is known is wrong; so no link is taken for certain, and the true mask may "
    "find more"
)


class Belief(StrEnum):
    """What the intruder's belief is: the most probable record, ties shared, or each by its probability."""

    BEST = "best"
    POSTERIOR = "posterior"


@dataclass(frozen=True, eq=False)
class MechanismMatcher:
    """An attack that knows the mask, made ready for one dossier."""

    field: Field
    rivals: Rivals
    competed: bool
    belief: Belief
    engine: Engine
    sample: Ints  # the people on whom the notes' figures are measured
    remarks: tuple[str, ...] = ()
    impossible: float = 0.0  # the share of released records that the mask cannot have made
    presence: float = 1.0  # the share of the people known who are supposed to be in the release

    @cached_property
    def contradicted(self) -> float:
        """The share of people or of records for which the release contradicts the mask; 0 if few."""
        plain = lenient(self.field)
        frank = replace(self, field=plain, rivals=no_rivals(plain), competed=False)
        found = frank._verdicts(self.sample, np.full(len(self.field.known), -1), 1).presence
        lost = unexplained(plain, found - self.field.log_density[self.sample])
        records = self.impossible if self.impossible > LARGE else 0.0
        return max(contradicted(lost, self.presence), records)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """The width of the candidate sets, and what the mask could not declare."""
        found = self._verdicts(self.sample, np.full(len(self.field.known), -1), 1)
        wide = found.candidates
        some = "" if len(wide) == len(self.field.known) else f" of a sample of {len(wide)}"
        lost = int((wide == 0).sum())
        certain = "" if self.contradicted else " (certain links)"
        notes = [
            f"possible records: {wide.mean():.1f} for a target on average; {int((wide == 1).sum())} targets"
            f"{some} have one only{certain}"
        ]
        if lost:
            notes.append(
                f"{lost} targets{some} have no possible record: what is known of them, or the mask, is wrong"
            )
        return (*self.remarks, *notes, *self._doubts())

    def _doubts(self) -> Iterator[str]:
        """What speaks against the mask."""
        if self.impossible:
            yield f"the mask cannot have made {100 * self.impossible:.3g}% of the released records"
        if self.contradicted:
            yield CONTRADICTED.format(percent=f"{100 * self.contradicted:.3g}%")

    def links(self, targets: Ints | None = None) -> Links:
        """The most probable records, ties shared; or the posterior, without what is below 0.0001."""
        return self._links(targets, 0.0 if self.belief is Belief.BEST else LEAST)

    def posterior(self, targets: Ints | None = None, least: float = LEAST) -> Links:
        """How probable each record is each target's; entries below ``least`` are left out."""
        return self._links(targets, max(least, np.finfo(np.float64).tiny))

    def standing(self, truth: Truth, depth: int, targets: Ints | None = None) -> Standing:
        """How each target's true record stands in the order of probability."""
        found = self._verdicts(targets, truth.row, depth)
        if self.belief is Belief.BEST:
            return Standing(found.closer, found.tied, depth)
        true = truth.row[self._asked(targets)]
        size = self.field.size[self.field.class_of[np.maximum(true, 0)]]
        share = np.where(found.share * size < LEAST, 0.0, found.share)
        return Standing(found.closer, found.tied, depth, share)

    def claims(self, targets: Ints | None = None) -> Floats:
        """The probability that the intruder gives to the record that each target would be linked to.

        Where the release contradicts the mask they give it only as far as the mask explains the release.
        """
        found = self._verdicts(targets, np.full(len(self.field.known), -1), 1).confidence
        return found * (1 - self.contradicted) if self.contradicted else found

    def reckoning(self, presence: float) -> MechanismMatcher:
        """The same for an intruder to whom each target is in the release with this probability."""
        found = self._verdicts(self.sample, np.full(len(self.field.known), -1), 1).presence
        remark = ABSENCE.format(percent=f"{figure(100 * presence, 3)}%")
        rivals = self.rivals._replace(absent=log_absence(found, presence))
        return replace(self, rivals=rivals, remarks=(*self.remarks, remark), presence=presence)

    def candidates(self, targets: Ints | None = None) -> Ints:
        """How many released records are possible for each target."""
        return self._verdicts(targets, np.full(len(self.field.known), -1), 1).candidates

    def _asked(self, targets: Ints | None) -> Ints:
        return np.arange(len(self.field.known)) if targets is None else np.asarray(targets, np.int64)

    def _verdicts(self, targets: Ints | None, truth: Ints, depth: int) -> Verdicts:
        """The verdict on each target; alike targets with alike true records are judged once."""
        from unmask.kernels.mechanism_beliefs import Verdicts

        field, rows = self.field, self._asked(targets)
        true = truth[rows]
        # Labels below 0 would mean "nobody", so that an absent record is class 0 and the others follow.
        true = np.where(true >= 0, field.class_of[np.maximum(true, 0)] + 1, 0)
        asked = alike(field.known[rows], field.log_density[rows], true)
        first = asked.first
        task = JudgeTask(field, self.rivals, self.competed, rows[first], true[first] - 1, depth)
        found = self.engine.map(task, len(first), joined, BLOCK)
        return Verdicts._make(column[asked.group] for column in found)

    def _links(self, targets: Ints | None, least: float) -> Links:
        field, rows = self.field, self._asked(targets)
        asked = alike(field.known[rows], field.log_density[rows])
        task = BelieveTask(field, self.rivals, self.competed, rows[asked.first], least)
        counts, cls, mass = self.engine.map(task, len(asked.first), joined, BLOCK)
        indptr = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
        row = np.where(counts > 0, np.arange(len(counts)), -1)[asked.group]
        return Links(row, indptr, cls.astype(np.int64), mass, field.class_of, field.size)


@dataclass(frozen=True, eq=False)
class JudgeTask:
    """How wide each target's belief is, and how the true record stands in it."""

    field: Field
    rivals: Rivals
    competed: bool
    rows: Ints
    truth: Ints  # the class of the true record, -1 for none
    depth: int

    def __call__(self, start: int, stop: int) -> Verdicts:
        """The verdicts on these targets."""
        from unmask.kernels.mechanism_beliefs import Verdicts, judge

        n, field = stop - start, self.field
        candidates, best, closer, tied = (np.empty(n, np.int64) for _ in range(4))
        out = Verdicts(candidates, best, np.empty(n), closer, tied, np.empty(n), np.empty(n))
        judge(
            field.terms,
            targets_of(field, self.rows[start:stop]),
            field.released,
            field.columns,
            field.size,
            self.rivals,
            self.competed,
            self.truth[start:stop],
            self.depth,
            out,
        )
        return out


@dataclass(frozen=True, eq=False)
class BelieveTask:
    """The candidate classes of each target, and the belief in each."""

    field: Field
    rivals: Rivals
    competed: bool
    rows: Ints
    least: float

    def __call__(self, start: int, stop: int) -> tuple[Ints, Ints, Floats]:
        """How many classes each of these targets has, the classes one target after the other, their mass."""
        from unmask.kernels.mechanism_beliefs import believe

        field, counts = self.field, np.empty(stop - start, np.int64)
        cls, mass = believe(
            field.terms,
            targets_of(field, self.rows[start:stop]),
            field.released,
            field.columns,
            field.size,
            self.rivals,
            self.competed,
            self.least,
            counts,
        )
        return counts, cls, mass


def targets_of(field: Field, rows: Ints) -> Targets:
    """Known people as the kernels read them, with where among the released records theirs may be."""
    from unmask.kernels.mechanism_beliefs import Targets

    known = np.ascontiguousarray(field.known[rows])
    return Targets(known, field.log_density[rows], *field.slices(known))
