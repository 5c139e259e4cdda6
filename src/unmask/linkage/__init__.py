"""The one idea: a space, a monotone aggregation, a decision; and the families of methods built on it."""
