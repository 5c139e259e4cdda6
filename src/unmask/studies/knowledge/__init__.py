"""Attacker-knowledge curves: risk by what the intruder knows, how well, and of how many people."""

from __future__ import annotations

from unmask.studies.knowledge.curves import knowledge_curves
from unmask.studies.knowledge.results import KnowledgeCurves, Point

__all__ = ["KnowledgeCurves", "Point", "knowledge_curves"]
