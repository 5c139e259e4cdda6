"""From the names of a request to methods: attacks, measures, losses, masks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from unmask.assessment.asked import Given
from unmask.assessment.request import Request, Verb
from unmask.attacks import ATTACKS, PRL, Attack, KnownMechanism, WorstCase, attack_named
from unmask.errors import ArgumentError
from unmask.losses import LOSSES, Loss, by_name_only, loss_named
from unmask.masks import parse
from unmask.measures import FILE_MEASURES, MEASURES, FileMeasure, Measure, by_name, measure_named
from unmask.policies import Policy, Reading


def attacks_of(
    request: Request, given: Given, usual: Mapping[str, Attack] = ATTACKS
) -> tuple[Attack | WorstCase, ...]:
    """The attacks named, or the usual ones when none are; and that of an intruder who knows the mask."""
    chosen: list[Attack | WorstCase] = list(usual.values())
    if request.attacks is not None:
        chosen = [_attack(name, given) for name in request.attacks]
    if request.false_links is not None or request.missed is not None:
        chosen = _dividing(chosen, request)
    if request.mechanism is not None:
        # It refuses a mask that declares nothing of itself.
        chosen.append(KnownMechanism(mechanism_of(request, given)))  # type: ignore[arg-type]
    names = [attack.name for attack in chosen]
    if len(set(names)) != len(names):
        raise ArgumentError("the same attack is named twice", hint="name each once")
    return tuple(chosen)


def _dividing(chosen: list[Attack | WorstCase], request: Request) -> list[Attack | WorstCase]:
    """The attacks, probabilistic linkage with the errors that the request admits."""
    if not any(isinstance(attack, PRL) for attack in chosen):
        raise ArgumentError(
            "errors are admitted (false_links, missed), and no attack divides pairs", hint="name prl as well"
        )
    return [_admitting(attack, request) if isinstance(attack, PRL) else attack for attack in chosen]


def _admitting(attack: PRL, request: Request) -> PRL:
    """What the request names comes before what the attack has."""
    false_links, missed = request.false_links, request.missed
    return replace(
        attack,
        false_links=attack.false_links if false_links is None else false_links,
        missed=attack.missed if missed is None else missed,
    )


def measures_of(request: Request, given: Given) -> tuple[tuple[Measure, ...], tuple[FileMeasure, ...]]:
    """The measures of attacks and those of the whole file. Who names attacks wants them measured."""
    if request.verb is Verb.LOSS:
        return (), ()
    if request.measures is None:
        usual = tuple(measure for measure in FILE_MEASURES.values() if not by_name(measure))
        return () if request.files.nobodys else tuple(MEASURES.values()), usual
    chosen = [_measure(name, given) for name in request.measures]
    of_file = tuple(m for m in chosen if isinstance(m, FileMeasure))
    of_attacks = tuple(m for m in chosen if not isinstance(m, FileMeasure))
    if request.attacks is not None and not of_attacks:
        of_attacks = tuple(MEASURES.values())
    return () if request.files.nobodys else of_attacks, of_file


def losses_of(request: Request, given: Given, policy: Policy | None = None) -> tuple[Loss, ...]:
    """The losses named, and those that a policy asks for.

    Where none are named: all of them where losses are asked for, and the quick ones in an assessment. Who
    names attacks or measures only wants those.
    """
    wanted = [] if policy is None else [c for c in policy.criteria if c.reading is Reading.LOSS]
    asked = tuple(loss_named(name) for criterion in wanted for name in criterion.measures or ())
    losses = (*_usual_losses(request), *(loss_of(name, given) for name in request.losses or ()))
    if len({loss.name for loss in losses}) != len(losses):
        raise ArgumentError("the same loss is named twice", hint="name each once")
    there = {loss.name for loss in losses}
    return (*losses, *{loss.name: loss for loss in asked if loss.name not in there}.values())


def _usual_losses(request: Request) -> tuple[Loss, ...]:
    """The losses that are taken where none are named."""
    if request.losses is not None:
        return ()
    fitting = tuple(loss for loss in LOSSES.values() if of_shape(loss, request))
    if request.verb is Verb.LOSS:
        return fitting
    chosen = (request.attacks, request.measures) != (None, None)
    return () if chosen else tuple(loss for loss in fitting if not by_name_only(loss))


def of_shape(method: object, request: Request) -> bool:
    """Whether a method is for plain tables, or for files of the shape that the request has."""
    shape = None if request.files.shape is None else request.files.shape.partition(":")[0].strip()
    return getattr(method, "shape", shape) == shape


def mechanism_of(request: Request, given: Given) -> object:
    """The mask that made the release, for an intruder who knows it; None if they do not."""
    return None if request.mechanism is None else mask_of(request.mechanism, given)


def mask_of(name: str, given: Given) -> object:
    """The mask of that text; an object that was handed over stays itself."""
    return given.methods.get(name) or parse(name)


def _attack(name: str, given: Given) -> Attack | WorstCase:
    handed = given.methods.get(name)
    return handed if isinstance(handed, Attack | WorstCase) else attack_named(name)


def _measure(name: str, given: Given) -> Measure | FileMeasure:
    handed = given.methods.get(name)
    return handed if isinstance(handed, Measure | FileMeasure) else measure_named(name)


def loss_of(name: str, given: Given) -> Loss:
    """The loss of that text; an object that was handed over stays itself."""
    handed = given.methods.get(name)
    return handed if isinstance(handed, Loss) else loss_named(name)
