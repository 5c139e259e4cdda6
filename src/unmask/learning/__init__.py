"""Worst-case linkage: the parameters that re-identify most records, and how far from the optimum they are."""
