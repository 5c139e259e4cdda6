"""Who the intruder is assumed to be, in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from unmask.attacks.families import MECHANISM
from unmask.documents.sections import FileSizes, KnownAttribute, Methods, ScenarioSection
from unmask.report.numbers import count, people

#: The attack of an intruder who guesses the mask; every other one of its family is told it.
GUESSED = "guessed-mechanism"

#: What an attack does to a synthetic file whose synthesiser kept who is who.
SYNTHETIC = (
    "The synthesiser kept who is who, so the attacks link original to synthetic records: a person counts as "
    "found if the link leads to the synthetic record in the place of theirs (Torra, Abowd and "
    "Domingo-Ferrer 2006)."
)

_MISSING = {
    "mismatch": "A missing value counts as far away from every value, even from another missing one.",
    "ignore": "An attribute with a missing value does not count for that pair; the others stand for it.",
    "wildcard": "A missing value agrees with every value.",
    "category": "A missing value is a value of its own: equal to another missing one, far from all others.",
    "suppressed": "A missing released value may hide any value, and comes after one that agrees; a missing "
    "known value equals only a missing released one.",
    "as the files suggest": "Missing values are compared as each release suggests.",
}


def intruder(scenario: ScenarioSection, sizes: FileSizes) -> list[str]:
    """Who the intruder is assumed to be.

    >>> scenario = ScenarioSection("knows 1", (KnownAttribute("age", "numeric"),), "wildcard", error=0.0)
    >>> intruder(scenario, FileSizes(3, 3, 3, 3, 3))[2]
    'What the intruder knows is exact: the original values, without error.'
    """
    attributes = scenario.attributes
    noun = "attribute" if len(attributes) == 1 else "attributes"
    if sizes.targets < sizes.original:
        whom = f"{count(sizes.targets)} of the {people(sizes.original)} in the original file"
    else:
        whom = f"all {people(sizes.original)} in the original file"
    sentences = [
        f"The intruder is assumed to know {len(attributes)} {noun} of {whom}: {_by_kind(attributes)}.",
        _presence(sizes),
        _error(scenario),
        missing(scenario),
        _block(scenario.block),
        _sample(sizes),
    ]
    return [sentence for sentence in sentences if sentence]


def in_short(scenario: ScenarioSection) -> str:
    """The same in one paragraph, where many releases of one file are looked at.

    >>> in_short(ScenarioSection("knows 1 attribute", (KnownAttribute("age", "numeric"),), "wildcard", 0.0))
    'The intruder knows 1 attribute: age (numeric). What the intruder knows is exact: the original values,
    without error. A missing value agrees with every value.'
    """
    known = f": {_by_kind(scenario.attributes)}" if scenario.attributes else ""
    error = "" if scenario.error is None else _error(scenario)
    parts = (f"The intruder {scenario.text}{known}.", error, missing(scenario), _block(scenario.block))
    return " ".join(part for part in parts if part)


def missing(scenario: ScenarioSection) -> str:
    """How missing values are compared.

    >>> missing(ScenarioSection("knows all", (), "wildcard"))
    'A missing value agrees with every value.'
    """
    return missing_policy(scenario.missing)


def missing_policy(name: str) -> str:
    """What a policy for missing values does."""
    return _MISSING.get(name, f"Missing values follow the policy '{name}'.")


def about_mask(attacks: Iterable[str], methods: Methods) -> list[str]:
    """What the intruder makes of how the file was protected: in some attacks they know it or guess it.

    >>> about_mask(["dbrl", "guessed-mechanism"], Methods())
    ['In 1 of the attacks (guessed-mechanism), the intruder guesses how the file was protected.']
    """
    known, guessed = list[str](), list[str]()
    for name in attacks:
        if name == GUESSED:
            guessed.append(methods.title(name))
        elif methods.about(name).family.name == MECHANISM.name:
            known.append(methods.title(name))
    does = {"knows": known, "guesses": guessed}
    return [
        f"In {len(titles)} of the attacks ({'; '.join(titles)}), the intruder {verb} how the file was "
        "protected."
        for verb, titles in does.items()
        if titles
    ]


def _by_kind(attributes: Sequence[KnownAttribute]) -> str:
    kinds: dict[str, list[str]] = {}
    for attribute in attributes:
        kinds.setdefault(attribute.kind, []).append(attribute.name)
    return "; ".join(f"{', '.join(names)} ({kind})" for kind, names in kinds.items())


def _presence(sizes: FileSizes) -> str:
    noun = "record" if sizes.released == 1 else "records"
    released = f"The released file holds {count(sizes.released)} {noun}"
    absent = sizes.targets - sizes.present
    if absent == 0:
        return f"{released}, and every person whom the intruder knows is in it."
    if sizes.present == 0:
        return (
            f"{released}, none of which is that of a person whom the intruder knows: no attack looks for any."
        )
    return (
        f"{released}. {people(absent)} of those whom the intruder knows "
        f"{'has' if absent == 1 else 'have'} no record in it, cannot be found and "
        f"{'is' if absent == 1 else 'are'} not counted."
    )


def _error(scenario: ScenarioSection) -> str:
    error = scenario.error
    if error is None:  # only the scenario's own text tells it
        return f"In short, the intruder {scenario.text}."
    if error == 0:
        return "What the intruder knows is exact: the original values, without error."
    return (
        f"What the intruder knows is not exact: numbers are off by noise of {error:g} standard deviations, "
        f"and a category is another one with probability {min(error, 1):g}."
    )


def _block(names: Sequence[str]) -> str:
    return f"The intruder compares only records that agree on {', '.join(names)}." if names else ""


def _sample(sizes: FileSizes) -> str:
    if sizes.tried == sizes.targets:
        return ""
    return (
        f"The attacks were tried on a random sample of {people(sizes.tried)}; what the intruder knows of the "
        "others still serves them, and the intervals allow for the sampling."
    )
