"""Worst-case linkage: the parameters that re-identify most records, and how far from the optimum they are."""

from unmask.learning.forms import Form
from unmask.learning.lesson import Lesson, Twins
from unmask.learning.teaching import Encoding, LearnedRecord, teach

__all__ = ["Encoding", "Form", "LearnedRecord", "Lesson", "Twins", "teach"]
