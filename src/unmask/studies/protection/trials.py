"""Trials: protections tried on few people once, or on everybody several times, and what a policy says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from unmask.documents.study import RISK, Attempt
from unmask.documents.verdict import CriterionSection, Verdict, VerdictSection
from unmask.errors import UnmaskError
from unmask.masks import parse
from unmask.measures.estimate import Estimate, Row
from unmask.policies import Policy
from unmask.studies.protection.candidates import MaskCandidate
from unmask.studies.protection.document import Found
from unmask.studies.protection.judging import verdict
from unmask.studies.protection.lines import Protection
from unmask.studies.protection.measured import compared_by
from unmask.studies.protection.summary import summed_up
from unmask.studies.protection.workshop import Workshop

#: A first trial is on so many people, drawn once; the draws of the last check come after all others.
FEW, FRESH = 1000, 1_000_000


@dataclass(frozen=True, eq=False)
class Trial:
    """A protection that was tried: what is found, what it costs, and what the policy says of it."""

    protection: Protection
    risk: Estimate | None
    loss: Estimate | None
    verdicts: tuple[VerdictSection, ...]
    people: int

    @property
    def met(self) -> bool:
        """Whether the policy is met before every intruder."""
        return bool(self.verdicts) and all(one.verdict is Verdict.MET for one in self.verdicts)

    @property
    def cost(self) -> float:
        """The loss; infinite where it has no number."""
        number = None if self.loss is None else self.loss.number
        return float("inf") if number is None else number

    @property
    def binding(self) -> CriterionSection | None:
        """The criterion that leaves the least room, or is exceeded most."""
        criteria = [c for one in self.verdicts for c in one.criteria]
        return max(criteria, key=_excess, default=None)

    @property
    def excess(self) -> float:
        """How far the criterion that binds is exceeded, as a share of its bound."""
        return float("inf") if self.binding is None else _excess(self.binding)

    def attempt(self) -> Attempt:
        """What the document says of it."""
        numbers = [None if e is None else e.number for e in (self.risk, self.loss)]
        return Attempt(self.protection.text, self.people, numbers[0], numbers[1], self.met)


def _excess(criterion: CriterionSection) -> float:
    if criterion.judged is None:
        return float("inf")
    over = criterion.bound - criterion.judged if criterion.at_least else criterion.judged - criterion.bound
    return over / max(abs(criterion.bound), 1e-9)


class Trials:
    """Tries protections; what was tried once is remembered."""

    def __init__(self, workshop: Workshop, policy: Policy) -> None:
        self.workshop, self._policy = workshop, policy
        self.candidates: dict[str, MaskCandidate] = {}
        self.found: dict[str, Found] = {}
        self.tried: dict[str, Trial] = {}

    def quick(self, protections: Iterable[Protection]) -> list[Trial]:
        """Each tried on a few people, drawn once; bounds are held against the numbers themselves.

        What cannot be applied, such as groups larger than the file, is left out.
        """
        few = min(FEW, len(self.workshop.original))
        return self._tried(list(protections), (0,), few, strict=False)

    def check(self, protection: Protection, replicates: int) -> Trial:
        """Tried on everybody with fresh draws and all attacks; bounds are held against whole intervals."""
        fresh = range(FRESH, FRESH + replicates)
        (done,) = self._tried([protection], fresh, None, strict=True)
        return done

    def _tried(
        self, protections: Sequence[Protection], draws: Sequence[int], people: int | None, *, strict: bool
    ) -> list[Trial]:
        fitting = [one for one in protections if self._candidate(one) is not None]
        # Lines may have protections in common.
        new = list({one.text: one for one in fitting if strict or one.text not in self.tried}.values())
        if new:
            found = self.workshop.draws([self.candidates[one.text] for one in new], draws, people)
            for one in new:
                self.found[one.text] = {key: kept for key, kept in found.items() if key[0] == one.text}
                self.tried[one.text] = self._trial(one, people, strict=strict)
        return [self.tried[one.text] for one in fitting]

    def _candidate(self, protection: Protection) -> MaskCandidate | None:
        text = protection.text
        if text not in self.candidates:
            try:
                self.candidates[text] = MaskCandidate(text, parse(text))
            except UnmaskError:
                return None
        return self.candidates[text]

    def _trial(self, protection: Protection, people: int | None, *, strict: bool) -> Trial:
        workshop, text = self.workshop, protection.text
        least = compared_by(workshop.request)
        risks, verdicts, loss = [], [], None
        for intruder in workshop.intruders:
            draws = self.found[text][text, intruder]
            rows = summed_up(draws)
            risks += [row.estimate for row in rows if row.keys.measure == RISK]
            loss = next(
                (r.estimate for r in rows if r.keys.measure == least and r.keys.subject is None), loss
            )
            judged = rows if strict else tuple(map(_pointed, rows))
            verdicts.append(verdict(workshop, intruder, judged, draws, self._policy))
        known = [e for e in risks if e.number is not None]
        risk = max(known, key=lambda e: e.number or 0.0, default=None)
        whole = len(workshop.original) if people is None else people
        return Trial(protection, risk, loss, tuple(verdicts), whole)


def _pointed(row: Row) -> Row:
    """The row without its interval: few people tell where to look, and everybody decides."""
    return Row(row.keys, replace(row.estimate, low=None, high=None))
