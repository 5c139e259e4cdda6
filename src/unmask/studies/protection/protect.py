"""protect(): the protection that costs least under a policy, checked on draws that did not choose it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Unpack

from unmask.assessment.asked import Asked, Given, requested_study
from unmask.assessment.methods import loss_of
from unmask.assessment.request import REPLICATES, Request, Verb
from unmask.documents.study import RecommendationSection, StudyDocument
from unmask.engines import Engine
from unmask.errors import ArgumentError
from unmask.figures import figure
from unmask.linkage.transparency import declares
from unmask.masks import Mask
from unmask.masks.synthetic import NOT_COUNTED, draws_people
from unmask.policies import Policy
from unmask.report.numbers import percent
from unmask.studies.protection.candidates import candidates, references
from unmask.studies.protection.cell import KNOWN_MASK
from unmask.studies.protection.content import replicate_seed
from unmask.studies.protection.document import document_of
from unmask.studies.protection.lines import lines
from unmask.studies.protection.measured import compared_by
from unmask.studies.protection.results_file import results_place
from unmask.studies.protection.search import REFINED, along_lines, by_attribute, checked
from unmask.studies.protection.study import Study
from unmask.studies.protection.trials import FRESH, Trial, Trials
from unmask.studies.protection.workshop import Workshop

#: Of protections that do not meet the policy, so many are named that come nearest.
NEAREST = 3

ASSUMED = (
    "The search takes it that along a line of protections the stronger one leaves less to find, and tries "
    "the lines listed here; another protection may cost less."
)


@dataclass(frozen=True, eq=False)
class ProtectionStudy(Study):
    """A study with a recommendation."""

    @property
    def mask(self) -> str | None:
        """The recommended mask as text; None where nothing meets the policy."""
        chosen = self.document.recommendation
        return None if chosen is None else chosen.mask

    @property
    def seed(self) -> int:
        """The seed with which the release is drawn: that of the first draw that was checked."""
        return release_seed(self.document.seed)


def release_seed(seed: int) -> int:
    """The seed of the release that goes out: one of those that were attacked in the last check."""
    return replicate_seed(seed, FRESH)


def protect(
    original: object,
    *,
    masks: Sequence[Mask | str] = (),
    replicates: int = REPLICATES,
    least: str | None = None,
    results: str | Path | None = None,
    engine: Engine | None = None,
    **asked: Unpack[Asked],
) -> ProtectionStudy:
    """Find the mask that costs least under the bounds of a policy.

    ``policy``: the file of one, or the name of a bundled one; ``masks``: texts with a range from weak to
    strong, as in ``"noise:a={0.1..1..0.1}"``; without them unmask tries its own lines. ``least``: the loss
    that is to be least. What else may be asked is listed at :class:`~unmask.assessment.asked.Asked`. The
    result's ``mask`` is the text of the choice, and its ``seed`` makes the very release that was checked:
    ``unmask.mask(original, result.mask, seed=result.seed)``.

    >>> from unmask.data.example import people
    >>> asked = {"known": ["sex", "region"], "attacks": ["dbrl"], "losses": ["detail"], "least": "detail"}
    >>> found = protect(people(300), policy="cell-size-3", masks=["global-recoding:p={2..6}"], **asked)
    >>> found.mask
    'global-recoding:p=2'
    """
    request, given = requested_study(Verb.PROTECT, original, masks, asked, replicates, least)
    return protection_of(request, given, engine, results_place(results))


def protection_of(
    request: Request,
    given: Given | None = None,
    engine: Engine | None = None,
    results: Path | None = None,
) -> ProtectionStudy:
    """The search that a request asks for."""
    with Workshop(request, given, engine, results) as workshop:
        policy = workshop.policy
        assert policy is not None  # else the request was refused
        trials = Trials(workshop, policy)
        original = workshop.original
        known = dict.fromkeys(name for i in workshop.intruders for name in i.attributes(original, original))
        candidates(request.masks, original)  # which refuses what cannot be applied
        ladder = lines(original, tuple(known), request.masks)
        found = along_lines(trials, ladder)
        _check_loss(trials)
        for trial in () if request.masks else found[:REFINED]:
            by_attribute(trials, trial, workshop.engine)
        chosen = checked(trials, ladder, request.replicates)
        return ProtectionStudy(_document(workshop, trials, chosen))


def _check_loss(trials: Trials) -> None:
    """Refuse to compare by a loss that none of these releases has."""
    least, lost = compared_by(trials.workshop.request), [trial.loss for trial in trials.tried.values()]
    if lost and not any(e is not None and e.estimable for e in lost):
        why = next((f": {e.reason}" for e in lost if e is not None), "")
        raise ArgumentError(
            f"what a mask costs cannot be told by '{least}'{why}", hint="compare by another loss (--least)"
        )


def _document(workshop: Workshop, trials: Trials, chosen: Trial | None) -> StudyDocument:
    ends = references(workshop.original)
    found = dict(workshop.draws(ends, (0,)))
    for kept in trials.found.values():
        found |= kept
    shown = (*ends, *(trials.candidates[text] for text in trials.tried))
    return document_of(workshop, shown, found, _recommendation(workshop, trials, chosen))


def _recommendation(workshop: Workshop, trials: Trials, chosen: Trial | None) -> RecommendationSection:
    near = sorted(trials.tried.values(), key=lambda trial: trial.excess)[:NEAREST]
    told = _none(near) if chosen is None else _told(workshop, trials, chosen)
    closest = chosen or (near[0] if near else None)
    criterion = None if closest is None else closest.binding
    return RecommendationSection(
        None if chosen is None else chosen.protection.text,
        compared_by(workshop.request),
        "" if criterion is None else criterion.name,
        0 if chosen is None else workshop.request.replicates,
        (*told, ASSUMED),
        tuple(trial.attempt() for trial in trials.tried.values()),
        () if chosen is not None else tuple(trial.protection.text for trial in near),
    )


def _told(workshop: Workshop, trials: Trials, chosen: Trial) -> tuple[str, ...]:
    """The recommendation in sentences."""
    title = loss_of(compared_by(workshop.request), workshop.given).about.title
    others = (t for t in trials.tried.values() if t.met and t is not chosen and t.cost >= chosen.cost)
    meeting = sorted(others, key=lambda trial: trial.cost)
    known = KNOWN_MASK in workshop.attacks and declares(trials.candidates[chosen.protection.text].mask)
    knowing = ", that of an intruder who knows the mask included," if known else ""
    made = "all attacks" if workshop.request.attacks is None else "the attacks that were named"
    told = [
        f"Of {len(trials.tried):,} protections tried, '{chosen.protection.text}' costs least of those that "
        f"meet the policy: {title} {_cost(chosen)}.",
        _found(chosen),
        *_unbounded(workshop.policy, chosen),
        f"It was checked with {made}{knowing} on "
        f"{workshop.request.replicates} draws that had no part in the choice; the release is the first of "
        "them.",
    ]
    if draws_people(trials.candidates[chosen.protection.text].mask):
        told.append(f"It is synthetic: {NOT_COUNTED}.")
    if chosen.binding is not None:
        told.append(f"The bound that decides is that on {chosen.binding.title}: {chosen.binding.why}")
    if meeting:
        told.append(
            f"The next best, '{meeting[0].protection.text}', costs {_cost(meeting[0])} (tried on "
            f"{meeting[0].people:,} people)."
        )
    return tuple(told)


def _cost(trial: Trial) -> str:
    return figure(trial.cost) if isfinite(trial.cost) else "not estimable"


def _found(trial: Trial) -> str:
    e = trial.risk
    if e is None or e.number is None:
        return "No attack has a number."
    between = "" if e.low is None or e.high is None else f" ({percent(e.low)} to {percent(e.high)})"
    return f"The attack that finds most finds {percent(e.number)} of the people{between}."


def _unbounded(policy: Policy | None, trial: Trial) -> tuple[str, ...]:
    """That the policy asks nothing of attacks, where they find people in what it lets out.

    Who signs such a release should not take a smallest cell for a bound on what can be found.
    """
    bounded = policy is None or any(one.reading.text.of_attacks for one in policy.criteria)
    if bounded or trial.risk is None or not trial.risk.number:
        return ()
    return (
        "The policy sets no bound on what attacks find: it is met although that share can be found. Add a "
        "criterion that reads 'found-beyond-chance' if that is too much.",
    )


def _none(near: Sequence[Trial]) -> tuple[str, ...]:
    """That nothing meets the policy, what comes nearest, and which bound is in the way."""
    return (
        "Nothing that was tried meets the policy.",
        *(f"'{t.protection.text}' comes near: {t.binding.why}" for t in near if t.binding is not None),
    )
