"""Worst-case linkage: the parameters that re-identify most records, and how far from the optimum they are."""

from unmask.linkage.learning.forms import Form
from unmask.linkage.learning.lesson import Lesson, Twins
from unmask.linkage.learning.teaching import Encoding, LearnedRecord, teach

__all__ = ["Encoding", "Form", "LearnedRecord", "Lesson", "Twins", "teach"]
