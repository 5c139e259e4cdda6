"""What is asked and what comes out: request, session, experiments, one table."""

from __future__ import annotations

from unmask.assessment.run import assess

__all__ = ["assess"]
