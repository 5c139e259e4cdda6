"""Probabilistic record linkage: m and u by EM on pattern counts, weights, thresholds, posteriors."""

from __future__ import annotations

from unmask.linkage.fellegi_sunter.costs import Costs, costs, pairing
from unmask.linkage.fellegi_sunter.decision import Decision, JudgedDecision, decide, judge
from unmask.linkage.fellegi_sunter.em import MixtureFit
from unmask.linkage.fellegi_sunter.model import MatchShare, Model, NonMatches, fit_model

__all__ = [
    "Costs",
    "Decision",
    "JudgedDecision",
    "MatchShare",
    "MixtureFit",
    "Model",
    "NonMatches",
    "costs",
    "decide",
    "fit_model",
    "judge",
    "pairing",
]
