"""Rows as flat as hand-worked tests read them: keys and estimate side by side."""

from __future__ import annotations

from unmask.engines import LocalEngine


class Flat:
    """A row's subject and measure, its value (None where there is none), and all else of its estimate."""

    def __init__(self, row):
        self.row = row
        self.measure, self.subject = row.keys.measure, row.keys.subject
        self.value = row.estimate.number

    def __getattr__(self, name):
        return getattr(self.row.estimate, name)


def flat(rows):
    """Every row, flat."""
    return [Flat(row) for row in rows]


def flat_rows(measure, evidence, engine=None):
    """What a measure of the file finds, flat."""
    return flat(measure.rows(evidence, engine or LocalEngine()))
