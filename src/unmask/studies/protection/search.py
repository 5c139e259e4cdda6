"""The search for the protection that costs least under a policy: along lines, then attribute by attribute."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from unmask.attacks import DBRL
from unmask.engines import Engine
from unmask.measures import Reidentification
from unmask.studies.protection.cell import CellWork, StudyCell
from unmask.studies.protection.lines import Protection, ProtectionLine
from unmask.studies.protection.trials import FEW, Trial, Trials

#: So many of the cheapest lines are looked at attribute by attribute.
REFINED = 2


@dataclass
class _Place:
    """Where a line stands: the strongest rung that is known to fail, the weakest that is known to meet."""

    line: ProtectionLine
    failing: int = -1
    meeting: int = field(default=-1)
    dead: bool = False

    def __post_init__(self) -> None:
        self.meeting = len(self.line)

    @property
    def open(self) -> bool:
        return not self.dead and self.meeting - self.failing > 1

    @property
    def middle(self) -> int:
        return (self.failing + self.meeting) // 2


def along_lines(trials: Trials, lines: Sequence[ProtectionLine]) -> list[Trial]:
    """The weakest protection of each line that meets the policy on a few people, cheapest first.

    Every line is halved again and again, all lines at once: a stronger protection leaves less to find. A line
    whose loss at a rung that fails is above that of a protection that meets cannot win, and is left.
    """
    places = [_Place(line) for line in lines]
    while any(place.open for place in places):
        open_ = [place for place in places if place.open]
        wanted = [place.line.protections[place.middle] for place in open_]
        tried = {trial.protection.text: trial for trial in trials.quick(wanted)}
        for place, protection in zip(open_, wanted, strict=True):
            trial = tried.get(protection.text)
            if trial is not None and trial.met:
                place.meeting = protection.rung
            else:
                place.failing = protection.rung
        _leave(places, trials)
    met = [
        trials.tried[place.line.protections[place.meeting].text]
        for place in places
        if place.meeting < len(place.line)
    ]
    return sorted(met, key=lambda trial: trial.cost)


def _leave(places: Sequence[_Place], trials: Trials) -> None:
    """Leave lines that cost more where they fail than another one where it is enough."""
    best = min((trial.cost for trial in trials.tried.values() if trial.met), default=float("inf"))
    for place in places:
        if place.failing >= 0:
            failed = trials.tried.get(place.line.protections[place.failing].text)
            place.dead |= failed is not None and failed.cost > best and place.meeting == len(place.line)


def by_attribute(trials: Trials, start: Trial, engine: Engine) -> Trial:
    """The same protection with attributes left as they are, or protected less, where that is enough.

    Attributes are taken in the order of how little they help an intruder: the knowledge curve of a release
    says by how much fewer people are found without each. What is too much alone is too much with others.
    """
    best = start
    for change in (Protection.without, Protection.weaker):
        alone = {
            name: one
            for name in _least_telling(trials, best, engine)
            if (one := change(best.protection, name)) is not None
        }
        cheaper = {trial.protection.text for trial in trials.quick(alone.values()) if _better(trial, best)}
        for name in [name for name, one in alone.items() if one.text in cheaper]:
            changed = change(best.protection, name)
            for trial in trials.quick([] if changed is None else [changed]):
                best = trial if _better(trial, best) else best
    return best


def _better(one: Trial, other: Trial) -> bool:
    return one.met and one.cost < other.cost


def _least_telling(trials: Trials, trial: Trial, engine: Engine) -> list[str]:
    """The protected attributes, that without which the intruder loses least first."""
    workshop, protected = trials.workshop, trial.protection.attributes
    intruder = workshop.intruders[0]
    few = min(FEW, len(workshop.original))
    cell = StudyCell(trials.candidates[trial.protection.text], 0, intruder, few)
    session = CellWork(workshop.material, cell, engine).session
    stage = session.stage()
    known = stage.dossier.known.schema.names()
    found = {}
    for name in protected:
        rest = tuple(one for one in known if one != name)
        if name in known and rest:
            run = session.runs(DBRL(), session.knowing(stage, rest), (Reidentification(),), depth=1)[0]
            found[name] = run.estimates["reidentification"].number or 0.0
    # Who finds many without an attribute needs it little.
    return sorted(found, key=lambda name: -found[name])


def checked(trials: Trials, lines: Sequence[ProtectionLine], replicates: int) -> Trial | None:
    """The cheapest protection that still meets the policy on everybody, with fresh draws and all attacks.

    What met it on a few people is checked, cheapest first (of those that cost the same the weakest), as long
    as it may cost less than what holds. After each that does not hold, the lines are looked at again: a
    stronger protection may be needed, and a line that was left may now win.
    """
    best: Trial | None = None
    done: set[str] = set()
    while waiting := [
        trial
        for text, trial in trials.tried.items()
        if trial.met and text not in done and (best is None or trial.cost < best.cost)
    ]:
        first = min(waiting, key=lambda trial: (trial.cost, trial.protection.rung)).protection
        done.add(first.text)
        found = trials.check(first, replicates)
        if not found.met:
            along_lines(trials, lines)
        elif best is None or found.cost < best.cost:
            best = found
    return best
