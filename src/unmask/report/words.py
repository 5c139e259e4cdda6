"""The findings in sentences that a reader without statistics understands.

Every sentence about risk names the measure and the intruder it holds for, and none promises protection.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from unmask.report.document import (
    EXPECTED,
    LENIENT,
    STRICT,
    UNION,
    Document,
    is_baseline,
    is_informed,
    real_attacks,
    result,
)
from unmask.report.numbers import count, interval, odds, people, percent
from unmask.report.titles import title

#: Below this p-value a result is told apart from chance.
LEVEL = 0.05

_MISSING = {
    "mismatch": "A missing value counts as far away from every value, even from another missing one.",
    "ignore": "An attribute with a missing value does not count for that pair; the others stand for it.",
    "wildcard": "A missing value agrees with every value.",
    "category": "A missing value is a value of its own: equal to another missing one, far from all others.",
}

_CAUTION = "That holds for this measure and this intruder, and does not mean that nobody can be found."


def headline(document: Document) -> str:
    """The best attack's outcome beside chance, in one or two sentences.

    >>> risk = {"worst": "dbrl", "sizes": {"original": 10, "released": 10, "targets": 10, "present": 10},
    ...         "attacks": [{"name": "dbrl", "baseline": False}],
    ...         "results": [{"attack": "dbrl", "measure": "reidentification", "value": 0.9, "low": 0.555,
    ...                      "high": 0.9975, "n": 10, "chance": 0.1, "p_value": 1e-6}]}
    >>> headline(risk)
    'Of the 10 people in the release, the best attack (distance-based linkage) finds the right record of 9
    (90.0%; 95% interval 55.5% to 99.8%). Guessing would find 1 on average.'
    """
    best = best_result(document)
    if not document["attacks"] and document.get("findings"):
        return f"No attack was made; {count(len(document['findings']))} findings about the file follow."
    if best is None:
        return f"Re-identification is {not_estimable(why_not(document))}."
    found = f"{_found(best)} ({percent(best['value'])}; 95% interval {interval(best['low'], best['high'])})"
    whom = _whom(document)
    if is_informed(document, best["attack"]):
        name = title(best["attack"]).title
        return (
            f"Only attacks informed by the truth were made, which no intruder can make: of {whom}, {name} "
            f"finds the right record of {found}.{_by_chance(best)}"
        )
    if not is_baseline(document, best["attack"]) and _no_better(best):
        return (
            f"No attack tried does better than guessing: of {whom}, the best one finds the right record of "
            f"{found}.{_by_chance(best)}"
        )
    if not is_baseline(document, best["attack"]):
        name = title(best["attack"]).title
        return f"Of {whom}, the best attack ({name}) finds the right record of {found}.{_by_chance(best)}"
    if real_attacks(document):
        return (
            f"No attack tried does better than guessing, which finds the right record of {found} of {whom}."
        )
    return f"Only guessing was tried; of {whom}, it finds the right record of {found}."


def findings(document: Document) -> list[str]:
    """All that the report says in words, in its order: intruder, ties, chance, union, notes, limits.

    >>> from unmask.report.words import limits
    >>> limits({})[-1].startswith("Direct identifiers")
    True
    """
    parts = (intruder, ties, chance, permutations, union, notes, limits)
    return [sentence for part in parts for sentence in part(document)]


def best_result(document: Document) -> Mapping[str, Any] | None:
    """The result of the worst attack (for the publisher; the best for the intruder), where it has a value."""
    if document["worst"] is None:
        return None
    best = result(document, document["worst"])
    return best if best is not None and best["value"] is not None else None


def why_not(document: Document) -> str:
    """Why no attack has a value of re-identification."""
    missing = (r for r in document["results"] if r["measure"] == EXPECTED and r["value"] is None)
    return next((r["reason"] for r in missing if r["reason"]), "it was not measured")


def not_estimable(reason: str | None) -> str:
    """How a missing value is shown: never as 0.

    >>> not_estimable("no target has a released record")
    'not estimable: no target has a released record'
    """
    return f"not estimable: {reason or 'no reason is given'}"


def intruder(document: Document) -> list[str]:
    """Who the intruder is assumed to be."""
    scenario, sizes = document["scenario"], document["sizes"]
    attributes = scenario["attributes"]
    noun = "attribute" if len(attributes) == 1 else "attributes"
    if sizes["targets"] < sizes["original"]:
        whom = f"{count(sizes['targets'])} of the {people(sizes['original'])} in the original file"
    else:
        whom = f"all {people(sizes['original'])} in the original file"
    sentences = [
        f"The intruder is assumed to know {len(attributes)} {noun} of {whom}: {_by_kind(attributes)}.",
        _presence(sizes),
        _error(scenario),
        missing(document),
        _block(scenario.get("block", [])),
        _sample(sizes),
    ]
    return [sentence for sentence in sentences if sentence]


def missing(document: Document) -> str:
    """How missing values are compared.

    >>> missing({"scenario": {"missing": "wildcard"}})
    'A missing value agrees with every value.'
    """
    policy = document["scenario"]["missing"]
    return _MISSING.get(policy, f"Missing values follow the policy '{policy}'.")


def _block(names: Sequence[str]) -> str:
    return f"He compares only records that agree on {', '.join(names)}." if names else ""


def _sample(sizes: Mapping[str, int]) -> str:
    if sizes.get("tried", sizes["targets"]) == sizes["targets"]:
        return ""
    return (
        f"The attacks were tried on a random sample of {people(sizes['tried'])}; what he knows of the others "
        "still serves him, and the intervals allow for the sampling."
    )


def ties(document: Document) -> list[str]:
    """What a tie for the nearest record does to the best attack's count. A guess is nothing but a tie."""
    best = best_result(document)
    if best is None or is_baseline(document, best["attack"]):
        return []
    counts = {}
    for measure in (STRICT, EXPECTED, LENIENT):
        found = result(document, best["attack"], measure)
        if found is None or found["value"] is None:
            return []
        counts[measure] = count(found["value"] * found["n"])
    name = title(best["attack"]).title
    if len(set(counts.values())) == 1:
        return [f"Under {name}, no true record ties with another one for the nearest, so one count serves."]
    return [
        f"Several released records can be equally near to a person. Under {name}, the right record stands "
        f"alone as the nearest for {counts[STRICT]} (strict reading) and is among the nearest for "
        f"{counts[LENIENT]} (lenient reading). If the intruder picks one of the nearest at random, he is "
        f"right for {counts[EXPECTED]} on average (expected reading, used wherever nothing else is said)."
    ]


def chance(document: Document) -> list[str]:
    """Whether the best attack can be told apart from chance."""
    best = best_result(document)
    if best is None or best["p_value"] is None:
        return []
    if is_baseline(document, best["attack"]):
        return [f"Nothing tried finds more people than a guess does on average. {_CAUTION}"]
    tried, p = len(real_attacks(document)), best["p_value"]
    rarity = f"a result this good would come by chance {odds(p)}"
    # The best of several attacks is good by selection too: only p * tried bounds what chance gives.
    if p * tried <= LEVEL:
        return [f"The best attack is clearly better than chance: {rarity}."]
    if p <= LEVEL:
        return [
            f"The best attack is better than chance, but not clearly: taken alone, {rarity}, and it is the "
            f"best of {tried} attacks."
        ]
    return [f"The best attack cannot be told apart from chance: {rarity}. {_CAUTION}"]


def permutations(document: Document) -> list[str]:
    """What random truths would give an attack, where the assessment drew some.

    >>> null = {"observed": 12.0, "mean": 1.02, "upper": 3.0, "p_value": 0.001, "draws": 999}
    >>> permutations({"attacks": [{"name": "structural", "baseline": False, "permutation": null}]})
    ['Linkage without common attributes finds 12; when the true records are dealt out at random, it finds 1.0
    on average and at most 3 in 95 of 100 draws (p = 0.001 from 999 draws).']
    """
    told = []
    for attack in document["attacks"]:
        null = attack.get("permutation")
        if null is None or attack["baseline"]:
            continue
        told.append(
            f"{_capital(title(attack['name']).title)} finds {count(null['observed'])}; when the true records "
            f"are dealt out at random, it finds {null['mean']:.1f} on average and at most "
            f"{count(null['upper'])} in 95 of 100 draws "
            f"(p = {null['p_value']:.2g} from {null['draws']} draws)."
        )
    return told


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def union(document: Document) -> list[str]:
    """What the attacks find together beyond the best one."""
    together, best = result(document, UNION), best_result(document)
    if together is None or together["value"] is None or best is None:
        return []
    more = together["value"] * together["n"] - best["value"] * best["n"]
    found = f"{_found(together)} ({percent(together['value'])})"
    if is_baseline(document, best["attack"]):
        return [f"All attacks together find {found}."]
    if more < 1e-6:
        return [f"All attacks together find {found}: the others find nobody whom the best one misses."]
    return [
        f"All attacks together find {found}, {count(more)} more than the best one alone. An intruder who "
        "cannot tell which attack is right for whom finds fewer."
    ]


def notes(document: Document) -> list[str]:
    """What the assessor was told: about the files, then about single attacks."""
    told = [_sentence(note) for note in document["notes"]]
    # Attacks that share an encoding share its notes: each is told once, with the attacks it concerns.
    concerned: dict[str, list[str]] = {}
    for attack in document["attacks"]:
        for note in attack["notes"]:
            concerned.setdefault(note, []).append(title(attack["name"]).title)
    return told + [_sentence(f"{', '.join(names)}: {note}") for note, names in concerned.items()]


def repeatable(document: Document) -> str:
    """Whether another run would give the same numbers: not where the clock ended a search.

    >>> repeatable({"attacks": [{"name": "learned-wm", "cut": True}]})
    'The same files, options and seed give the same numbers, except those of worst case, weighted mean: the
    time limit ended its search, so they depend on the machine.'
    """
    told = "The same files, options and seed give the same numbers"
    cut = [title(attack["name"]).title for attack in document["attacks"] if attack.get("cut")]
    if not cut:
        return f"{told}."
    its = "its search" if len(cut) == 1 else "their searches"
    why = f"the time limit ended {its}, so they depend on the machine"
    return f"{told}, except those of {'; '.join(cut)}: {why}."


def limits(document: Document) -> list[str]:
    """What the numbers do not say."""
    learned = (
        "An attack's rate counts people whose record is found; what can be learned of a person whose record "
        "is not found, and who is in the file, is measured apart, only as far as this report lists it."
        if document.get("findings")
        else "They count people whose record is found. They say nothing about what can be learned of a "
        "person whose record is not found (attribute disclosure), nor about who is in the file (membership)."
    )
    return [
        "The numbers hold for the attacks and the intruder described here. An attack that was not tried, or "
        "an intruder who knows more attributes or how the file was protected, may find more people.",
        learned,
        "A rate is an average over people; the risk of some of them is higher. The records written by "
        "'unmask assess --records FILE' show it for each.",
        "The 95% interval covers the accident of who is in the file, not what other intruders know.",
        "Direct identifiers are taken out before the attacks. Whoever holds an identifier that is still in "
        "the release needs no attack.",
    ]


def _whom(document: Document) -> str:
    sizes = document["sizes"]
    if sizes.get("tried", sizes["targets"]) < sizes["targets"]:
        return f"a random sample of {people(sizes['tried'])} from {count(sizes['present'])} in the release"
    n = people(sizes["present"])
    if sizes["targets"] < sizes["original"]:
        return f"the {n} whom the intruder knows and who are in the release"
    return f"the {n} in the release"


def _found(found: Mapping[str, Any]) -> str:
    hits = found["value"] * found["n"]
    return count(hits) if abs(hits - round(hits)) < 1e-6 else f"about {count(hits)}"


def _no_better(found: Mapping[str, Any]) -> bool:
    return found["chance"] is not None and found["value"] <= found["chance"] + 1e-9


def _by_chance(found: Mapping[str, Any]) -> str:
    if found["chance"] is None:
        return ""
    return f" Guessing would find {count(found['chance'] * found['n'])} on average."


def _by_kind(attributes: list[dict[str, str]]) -> str:
    kinds: dict[str, list[str]] = {}
    for attribute in attributes:
        kinds.setdefault(attribute["kind"], []).append(attribute["name"])
    return "; ".join(f"{', '.join(names)} ({kind})" for kind, names in kinds.items())


def _presence(sizes: Mapping[str, int]) -> str:
    noun = "record" if sizes["released"] == 1 else "records"
    released = f"The released file holds {count(sizes['released'])} {noun}"
    absent = sizes["targets"] - sizes["present"]
    if absent == 0:
        return f"{released}, and every person whom the intruder knows is in it."
    return (
        f"{released}. {people(absent)} of those whom the intruder knows "
        f"{'has' if absent == 1 else 'have'} no record in it, cannot be found and "
        f"{'is' if absent == 1 else 'are'} not counted."
    )


def _error(scenario: Mapping[str, Any]) -> str:
    error = scenario.get("error")
    if error is None:  # only the scenario's own text tells it
        return f"In short, the intruder {scenario['text']}."
    if error == 0:
        return "What he knows is exact: the original values, without error."
    return (
        f"What he knows is not exact: numbers are off by noise of {error:g} standard deviations, and a "
        f"category is another one with probability {min(error, 1):g}."
    )


def _sentence(note: str) -> str:
    return f"{note[:1].upper()}{note[1:].rstrip('.')}."
