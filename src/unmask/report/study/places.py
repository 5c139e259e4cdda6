"""Where the masks of a study stand: every number that a map or a table of it shows, looked up by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from unmask.about import Direction
from unmask.attacks.families import WORST_CASE
from unmask.documents import BASELINE, EXPECTED
from unmask.documents.study import RISK, SCORE, CandidateSection, StudyDocument
from unmask.documents.verdict import Verdict, VerdictSection
from unmask.measures.estimate import Estimate, Row, Unit
from unmask.policies.judging import overall

#: Of several intruders, the one who finds most of a release.
WHOEVER = "whoever finds most"


@dataclass(frozen=True)
class MapScale:
    """A number that every mask has: a risk or a loss; ``key``: what a map calls it by, no two alike."""

    key: str
    title: str
    measure: str
    attack: str | None = None
    unit: Unit = Unit.SHARE


@dataclass(frozen=True, eq=False)
class MapPlaces:
    """The numbers of a study by mask; ``who``: the name of an intruder, WHOEVER, or None of a single one."""

    document: StudyDocument

    @cached_property
    def who(self) -> tuple[str | None, ...]:
        """The intruders that can be asked for, the leading one first: that of the front."""
        names = self.document.names()
        return names if len(names) < 2 else (WHOEVER, *names)

    @cached_property
    def attacks(self) -> tuple[MapScale, ...]:
        """The attacks, guessing among them, in the order of the table."""
        rows = (row for row in self.document.table if row.keys.measure == EXPECTED)
        names = dict.fromkeys(row.keys.attack for row in rows if row.keys.attack is not None)
        return tuple(MapScale(f"{EXPECTED} {one}", self._attack_title(one), EXPECTED, one) for one in names)

    @cached_property
    def risks(self) -> tuple[MapScale, ...]:
        """The risks that a map shows: the largest first, then each attack, then shares of the file."""
        known = self.document.table
        first = (
            [MapScale(RISK, self._title(RISK), RISK)] if any(r.keys.measure == RISK for r in known) else []
        )
        attacks = (one for one in self.attacks if one.attack != BASELINE)
        return (*first, *attacks, *self.measures)

    @cached_property
    def measures(self) -> tuple[MapScale, ...]:
        """The measures of the file as a whole that are shares, and worse the higher they are."""
        apart = (RISK, SCORE, *self.document.losses)
        units: dict[str, set[Unit]] = {}
        for row in self._whole:
            if row.keys.attack is None and row.keys.measure not in apart and row.estimate.estimable:
                units.setdefault(row.keys.measure, set()).add(row.estimate.unit)
        about = self.document.methods.about
        return tuple(
            MapScale(name, self._title(name), name)
            for name, found in units.items()
            if found == {Unit.SHARE} and about(name).direction is Direction.HIGHER
        )

    @cached_property
    def losses(self) -> tuple[MapScale, ...]:
        """The losses with a value for some mask, the leading one first."""
        found = {row.keys.measure: row.estimate.unit for row in self._whole if row.estimate.estimable}
        names = dict.fromkeys((self.document.least, *self.document.losses))
        return tuple(MapScale(n, self._title(n), n, None, found[n]) for n in names if n in found)

    @cached_property
    def leading(self) -> MapScale | None:
        """The loss by which masks are compared, where it has a value."""
        return next((one for one in self.losses if one.key == self.document.least), None)

    @cached_property
    def ordered(self) -> tuple[CandidateSection, ...]:
        """The candidates by the leading loss; those without a value come last."""

        def cost(one: CandidateSection) -> float:
            found = self.lost(one.mask)
            return float("inf") if found is None or found.number is None else found.number

        return tuple(sorted(self.document.candidates, key=cost))

    def risk(self, mask: str, scale: MapScale, who: str | None) -> Estimate | None:
        """A risk of a mask before an intruder."""
        return self._before(who, lambda one: self._estimates.get((mask, one, scale.measure, scale.attack)))

    def found(self, mask: str, who: str | None) -> Estimate | None:
        """What the attack that finds most finds."""
        return self._before(who, lambda one: self._estimates.get((mask, one, RISK, None)))

    def loss(self, mask: str, name: str) -> Estimate | None:
        """What a mask costs: it is the same whoever looks at the release."""
        return self._losses.get((mask, name))

    def lost(self, mask: str) -> Estimate | None:
        """What a mask costs by the leading loss."""
        return self.loss(mask, self.document.least)

    def score(self, mask: str, who: str | None) -> Estimate | None:
        """The classical score of a mask."""
        return self._before(who, lambda one: self._estimates.get((mask, one, SCORE, None)))

    def finder(self, mask: str, who: str | None) -> tuple[MapScale, str | None] | None:
        """The attack that finds most of those that an intruder can make, and who makes it."""
        best: tuple[float, MapScale, str | None] | None = None
        for one in self._named(who):
            for attack in self.attacks:
                found = self._estimates.get((mask, one, EXPECTED, attack.attack))
                value = None if found is None else found.number
                real = attack.attack != BASELINE and not self._informed(attack.attack or "")
                if value is not None and real and (best is None or value > best[0]):
                    best = value, attack, one
        return None if best is None else best[1:]

    def verdicts(self, candidate: CandidateSection, who: str | None) -> tuple[VerdictSection, ...]:
        """What the policy says of a mask, for one intruder or for all of them."""
        names = self.document.names()
        if who is None or who == WHOEVER or len(candidate.verdicts) != len(names):
            return candidate.verdicts
        return (candidate.verdicts[names.index(who)],)

    def verdict(self, candidate: CandidateSection, who: str | None) -> Verdict | None:
        """The verdict: of several intruders the worst. None without a policy."""
        found = self.verdicts(candidate, who)
        return overall(one.verdict for one in found) if found else None

    @cached_property
    def _whole(self) -> tuple[Row, ...]:
        """The rows about a file as a whole."""
        return tuple(row for row in self.document.table if row.keys.subject is None)

    @cached_property
    def _estimates(self) -> dict[tuple[str | None, str | None, str, str | None], Estimate]:
        found: dict[tuple[str | None, str | None, str, str | None], Estimate] = {}
        for row in self._whole:
            keys = row.keys
            found.setdefault((keys.mask, keys.intruder, keys.measure, keys.attack), row.estimate)
        return found

    @cached_property
    def _losses(self) -> dict[tuple[str, str], Estimate]:
        found: dict[tuple[str, str], Estimate] = {}
        for row in self._whole:
            if row.keys.attack is None and row.keys.mask is not None:
                found.setdefault((row.keys.mask, row.keys.measure), row.estimate)
        return found

    def _named(self, who: str | None) -> tuple[str | None, ...]:
        return self.document.names() if who == WHOEVER else (who,)

    def _before(self, who: str | None, find: Callable[[str | None], Estimate | None]) -> Estimate | None:
        return _largest(find(one) for one in self._named(who))

    def _informed(self, attack: str) -> bool:
        return self.document.methods.about(attack).family.name == WORST_CASE.name

    def _attack_title(self, name: str) -> str:
        return f"{self._title(name)} (informed by the truth)" if self._informed(name) else self._title(name)

    def _title(self, name: str) -> str:
        return self.document.methods.title(name)


def _largest(estimates: Iterable[Estimate | None]) -> Estimate | None:
    """The largest of several; one without a value makes the whole so, since it may be the largest."""
    known: Sequence[Estimate] = [one for one in estimates if one is not None]
    lost = next((one for one in known if one.number is None), None)
    return lost or max(known, key=lambda one: one.number or 0.0, default=None)
