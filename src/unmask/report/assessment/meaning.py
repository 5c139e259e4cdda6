"""What the numbers mean: ties, chance, random truths, and all attacks together."""

from __future__ import annotations

from unmask.documents import EXPECTED, LENIENT, STRICT, UNION, AssessmentDocument
from unmask.measures.estimate import NotEstimable
from unmask.report.numbers import count, odds
from unmask.report.page import Section, told
from unmask.report.phrases import Reached, capital

#: Below this p-value a result is told apart from chance.
LEVEL = 0.05

_CAUTION = "That holds for this measure and this intruder, and does not mean that nobody can be found."


def meaning_section(document: AssessmentDocument) -> Section | None:
    """What the numbers mean, in sentences."""
    return told("meaning", "Ties, chance, and all attacks together", meaning(document))


def meaning(document: AssessmentDocument) -> list[str]:
    """All that is said of what the numbers mean."""
    parts = (ties, chance, permutations, union)
    return [sentence for part in parts for sentence in part(document)]


def ties(document: AssessmentDocument) -> list[str]:
    """What a tie for the nearest record does to the best attack's count. A guess is nothing but a tie."""
    worst = document.worst
    if document.best() is None or worst is None or document.is_baseline(worst):
        return []
    counts = {}
    for measure in (STRICT, EXPECTED, LENIENT):
        found = Reached.of(document.result(worst, measure))
        if found is None:
            return []
        counts[measure] = count(found.hits)
    name = document.methods.title(worst)
    if len(set(counts.values())) == 1:
        return [f"Under {name}, no true record ties with another one for the nearest, so one count serves."]
    return [
        f"Several released records can be equally near to a person. Under {name}, the right record stands "
        f"alone as the nearest for {counts[STRICT]} (strict reading) and is among the nearest for "
        f"{counts[LENIENT]} (lenient reading). If the intruder picks one of the nearest at random, they are "
        f"right for {counts[EXPECTED]} on average (expected reading, used wherever nothing else is said)."
    ]


def chance(document: AssessmentDocument) -> list[str]:
    """Whether the best attack can be told apart from chance."""
    best, worst = document.best(), document.worst
    if best is None or worst is None or best.p_value is None or isinstance(best.p_value, NotEstimable):
        return []
    if document.is_baseline(worst):
        return [f"Nothing tried finds more people than a guess does on average. {_CAUTION}"]
    tried, p = len(document.real_attacks()), best.p_value
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


def told_apart(document: AssessmentDocument) -> bool:
    """Whether the best attack finds clearly more than a guess; of one that the truth informed nobody can say.

    The best of several attacks is good by selection too: its p-value counts as often as attacks were tried.
    """
    best, worst = document.best(), document.worst
    if best is None or worst is None or document.is_baseline(worst):
        return False
    if best.p_value is None or isinstance(best.p_value, NotEstimable):
        return (best.number or 0.0) > (best.baseline or 0.0) + 1e-9
    return best.p_value * len(document.real_attacks()) <= LEVEL


def permutations(document: AssessmentDocument) -> list[str]:
    """What random truths would give an attack, where the assessment drew some."""
    sentences = []
    for attack in document.attacks:
        null = attack.permutation
        if null is None or attack.baseline:
            continue
        sentences.append(
            f"{capital(document.methods.title(attack.name))} finds {count(null.observed)}; when the true "
            f"records are dealt out at random, it finds {null.mean:.1f} on average and at most "
            f"{count(null.upper)} in 95 of 100 draws (p = {null.p_value:.2g} from {null.draws} draws)."
        )
    return sentences


def union(document: AssessmentDocument) -> list[str]:
    """What the attacks find together beyond the best one."""
    together, best = Reached.of(document.result(UNION)), Reached.of(document.best())
    if together is None or best is None or document.worst is None:
        return []
    more = together.hits - best.hits
    found = f"{together.about} ({together.rate})"
    if document.is_baseline(document.worst):
        return [f"All attacks together find {found}."]
    if more < 1e-6:
        return [f"All attacks together find {found}: the others find nobody whom the best one misses."]
    return [
        f"All attacks together find {found}, {count(more)} more than the best one alone. An intruder who "
        "cannot tell which attack is right for whom finds fewer."
    ]
