"""What comes out: one table, typed sections around it, and their JSON form with its versions."""

from __future__ import annotations

from unmask.documents.assessment import (
    ASSESSMENT,
    BASELINE,
    EXPECTED,
    LENIENT,
    STRICT,
    UNION,
    AssessmentDocument,
)
from unmask.documents.comparison import COMPARISON, ComparisonDocument
from unmask.documents.format import Format, read_any
from unmask.documents.knowledge import KNOWLEDGE, KnowledgeDocument
from unmask.documents.loss import LOSS, LossDocument
from unmask.documents.table import Table

__all__ = [
    "ASSESSMENT",
    "BASELINE",
    "COMPARISON",
    "EXPECTED",
    "KNOWLEDGE",
    "LENIENT",
    "LOSS",
    "STRICT",
    "UNION",
    "AssessmentDocument",
    "ComparisonDocument",
    "Format",
    "KnowledgeDocument",
    "LossDocument",
    "Table",
    "read_any",
]
