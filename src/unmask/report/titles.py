"""What every attack and measure is called, does and comes from, by the name that a document gives."""

from __future__ import annotations

from dataclasses import replace

from unmask.about import About
from unmask.attacks import REGISTRY, UNION_ABOUT, WorstCase, mask_aware, mechanism
from unmask.linkage.mechanism import Belief
from unmask.report.attack_titles import OF_ATTACKS
from unmask.report.entry import Title
from unmask.report.measure_titles import MEASURES

TITLES: dict[str, Title] = {**OF_ATTACKS, **MEASURES}

HOLDOUT = "-holdout"


def title(name: str) -> Title:
    """The title of an attack or a measure, with its parameters; what is not registered goes by its own name.

    >>> title("dbrl").title, title("dbrl:weights=2+1").title, title("my-attack").title
    ('distance-based linkage', 'distance-based linkage, weights=2+1', 'my-attack')
    >>> title("mechanism-error=0.5:noise:a=0.1").title
    'linkage by who knows the mask, noise:a=0.1, error=0.5'
    """
    base, _, parameters = name.partition(":")
    if base in TITLES:
        found = TITLES[base]
        return replace(found, title=f"{found.title}, {parameters}") if parameters else found
    about = _attack(base)
    if about is None:
        return Title(name, "This attack has no description here.")
    settings = [parameters, *_settings(base)] if base.startswith("mechanism") else [parameters]
    about = about.with_parameters(", ".join(part for part in settings if part))
    return Title(about.title, about.sentence, about.source)


def _attack(base: str) -> About | None:
    """What the attack of that name, without its parameters, says of itself."""
    if base.startswith("mechanism"):
        posterior = base.startswith("mechanism-posterior")
        return mechanism.ABOUTS[Belief.POSTERIOR if posterior else Belief.BEST]
    by_name = {"union": UNION_ABOUT, "mask-aware": mask_aware.ABOUT}
    if base in by_name:
        return by_name[base]
    learned = base.removesuffix(HOLDOUT)
    if learned != base and learned in REGISTRY:
        attack = REGISTRY[learned].made()
        return attack.about_holdout if isinstance(attack, WorstCase) else None
    return REGISTRY[base].about if base in REGISTRY else None


def _settings(base: str) -> list[str]:
    """What the name of an attack that knows the mask says of it besides the mask."""
    alone = ["without rivals"] if "-alone" in base else []
    _, error, size = base.partition("-error=")
    return [*alone, *([f"error={size}"] if error else [])]
