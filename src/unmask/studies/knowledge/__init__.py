"""Attacker-knowledge curves: risk by what the intruder knows, how well, and of how many people."""

from __future__ import annotations

from unmask.studies.knowledge.curves import curves_of, knowledge_curves
from unmask.studies.knowledge.results import KnowledgeCurves

__all__ = ["KnowledgeCurves", "curves_of", "knowledge_curves"]
