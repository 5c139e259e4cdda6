"""Link, leave to a clerk, or not: thresholds on the weight from the errors that are admitted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.errors import ArgumentError
from unmask.linkage.fellegi_sunter.model import Model


@dataclass(frozen=True)
class Decision:
    """All pairs in three sets, by weight, with the errors that the model expects.

    ``false_links`` estimates P(linked | non-match), ``missed`` P(not linked | match); the share of wrong
    pairs among the linked ones is ``wrong_links``.
    """

    upper: float
    lower: float
    linked: int
    clerical: int
    non_linked: int
    false_links: float
    missed: float
    wrong_links: float


def decide(model: Model, false_links: float = 1e-6, missed: float = 0.05) -> Decision:
    """The rule of Fellegi and Sunter (1969): least clerical pairs for the errors admitted.

    Patterns are ordered by weight. From the top, patterns are linked while P(linked | non-match) stays
    within ``false_links``; from the bottom they are not linked while P(not linked | match) stays within
    ``missed``; those between are for a clerk. Where both errors would admit a pattern, no pair is left to a
    clerk, and it is linked.
    """
    for name, value in (("false_links", false_links), ("missed", missed)):
        if not 0 <= value <= 1:
            raise ArgumentError(f"{name} is {value:g}", hint="give a probability, from 0 to 1")
    order = np.argsort(-model.pattern_weights, kind="stable")
    weight, count = model.pattern_weights[order], model.counts.count[order]
    match = count * model.posteriors[order]
    other = count - match
    wrong = np.cumsum(other) / max(other.sum(), 1e-300)
    lost = 1 - (np.cumsum(match) - match) / max(match.sum(), 1e-300)  # matches from each pattern downwards
    up = int(np.searchsorted(wrong, false_links * (1 + 1e-12), side="right"))
    down = max(up, int((lost > missed).sum()))
    linked, clerical = int(count[:up].sum()), int(count[up:down].sum())
    return Decision(
        upper=float(weight[up - 1]) if up else float("inf"),
        lower=float(weight[down]) if down < len(weight) else float("-inf"),
        linked=linked,
        clerical=clerical,
        non_linked=int(count.sum()) - linked - clerical,
        false_links=float(wrong[up - 1]) if up else 0.0,
        missed=float(lost[down]) if down < len(weight) else 0.0,
        wrong_links=float(other[:up].sum() / max(linked, 1)),
    )
