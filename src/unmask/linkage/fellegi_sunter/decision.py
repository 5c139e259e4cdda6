"""Link, leave to a clerk, or not: thresholds on the weight from the errors that are admitted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Ints
from unmask.errors import ArgumentError
from unmask.linkage.agreement import AttributeComparison
from unmask.linkage.fellegi_sunter.model import Model

#: The errors admitted where only one of the two is named.
FALSE_LINKS, MISSED = 1e-6, 0.05


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


@dataclass(frozen=True)
class JudgedDecision:
    """A decision, the errors admitted, and the matches in each of its three sets: expected, and in truth.

    The sets are the linked, the clerical and the non-linked pairs.
    """

    decision: Decision
    admitted_false_links: float
    admitted_missed: float
    expected: tuple[float, float, float]
    matches: tuple[int, int, int]

    @property
    def pairs(self) -> tuple[int, int, int]:
        """How many pairs are in each set."""
        return self.decision.linked, self.decision.clerical, self.decision.non_linked

    @property
    def false_links(self) -> float | None:
        """P(linked | non-match) in truth; None where every pair is a match."""
        others = sum(self.pairs) - sum(self.matches)
        return (self.decision.linked - self.matches[0]) / others if others else None

    @property
    def missed(self) -> float | None:
        """P(not linked | match) in truth; None where nobody is in the release."""
        return self.matches[2] / sum(self.matches) if sum(self.matches) else None


def decide(model: Model, false_links: float = FALSE_LINKS, missed: float = MISSED) -> Decision:
    """The rule of Fellegi and Sunter (1969): least clerical pairs for the errors admitted.

    Patterns are ordered by weight. From the top, patterns are linked while P(linked | non-match) stays
    within ``false_links``; from the bottom they are not linked while P(not linked | match) stays within
    ``missed``; those between are for a clerk. Where both errors would admit a pattern, no pair is left to a
    clerk, and it is linked.
    """
    return _divided(model, false_links, missed)[0]


def judge(model: Model, truth: Ints, false_links: float, missed: float) -> JudgedDecision:
    """The decision beside the truth: the released record of each target, -1 for nobody's."""
    decision, places = _divided(model, false_links, missed)
    expected = np.bincount(places, model.counts.count * model.posteriors, 3)
    stride = np.cumprod([1, *(c.levels for c in model.comparisons[:-1])])
    pattern = model.counts.levels @ stride
    order = np.argsort(pattern)
    true = _true_levels(model.comparisons, truth) @ stride
    found = np.bincount(places[order[np.searchsorted(pattern, true, sorter=order)]], minlength=3)
    linked, clerical, non_linked = found.tolist()
    first, second, third = expected.tolist()
    return JudgedDecision(
        decision, false_links, missed, (first, second, third), (linked, clerical, non_linked)
    )


def _true_levels(comparisons: Sequence[AttributeComparison], truth: Ints) -> NDArray[np.uint8]:
    """The levels of the true pairs."""
    there = np.flatnonzero(truth >= 0)
    columns = []
    for c in comparisons:
        b, a = c.known[there], c.released[truth[there]]
        level = np.where(b < 0, np.where(a < 0, c.missing_both, c.missing_known), c.missing_released)
        seen = (b >= 0) & (a >= 0)
        level[seen] = b[seen] != a[seen] if c.table is None else c.table[b[seen], a[seen]]
        columns.append(level)
    return np.column_stack(columns).astype(np.uint8)


def _divided(model: Model, false_links: float, missed: float) -> tuple[Decision, Ints]:
    """The decision, and where each pattern belongs: 0 linked, 1 clerical, 2 not linked."""
    check_errors(false_links, missed)
    order = np.argsort(-model.pattern_weights, kind="stable")
    weight, count = model.pattern_weights[order], model.counts.count[order]
    match = count * model.posteriors[order]
    other = count - match
    wrong = np.cumsum(other) / max(other.sum(), 1e-300)
    lost = 1 - (np.cumsum(match) - match) / max(match.sum(), 1e-300)  # matches from each pattern downwards
    up = int(np.searchsorted(wrong, false_links * (1 + 1e-12), side="right"))
    down = max(up, int((lost > missed).sum()))
    linked, clerical = int(count[:up].sum()), int(count[up:down].sum())
    places = np.empty(len(order), np.int64)
    places[order[:up]], places[order[up:down]], places[order[down:]] = 0, 1, 2
    decision = Decision(
        upper=float(weight[up - 1]) if up else float("inf"),
        lower=float(weight[down]) if down < len(weight) else float("-inf"),
        linked=linked,
        clerical=clerical,
        non_linked=int(count.sum()) - linked - clerical,
        false_links=float(wrong[up - 1]) if up else 0.0,
        missed=float(lost[down]) if down < len(weight) else 0.0,
        wrong_links=float(other[:up].sum() / max(linked, 1)),
    )
    return decision, places


def check_errors(false_links: float | None, missed: float | None) -> None:
    """Refuse what is no probability."""
    for name, value in (("false_links", false_links), ("missed", missed)):
        if value is not None and not 0 <= value <= 1:
            raise ArgumentError(f"{name} is {value:g}", hint="give a probability, from 0 to 1")
