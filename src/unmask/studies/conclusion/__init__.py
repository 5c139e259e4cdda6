"""The conclusion of an assessment: who is at risk, through what, and what would help."""

from __future__ import annotations

from unmask.studies.conclusion.concluding import ABOUTS, conclusion

__all__ = ["ABOUTS", "conclusion"]
