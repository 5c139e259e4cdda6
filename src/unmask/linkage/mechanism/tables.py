"""Costs of categories and cells: -log of the probability that one becomes another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.intruder.dossier import Dossier
from unmask.linkage.redrawn import Redrawn
from unmask.linkage.transitions import Transitions

#: How likely a category does what the table, worked out from too few people, calls impossible.
SURPRISE = 0.05


@dataclass(frozen=True, eq=False)
class Codes:
    """A categorical attribute of both files by place in two lists of categories (NaN: missing)."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    known: Floats
    released: Floats
    found: Ints  # how many released records have each column's category
    held: Ints  # how many known people have each row's category


def known_codes(dossier: Dossier, name: str, transitions: Transitions | Redrawn) -> Codes:
    """The codes of an attribute, with the categories of the table first."""
    known, released = dossier.known, dossier.released
    rows = tuple(dict.fromkeys((*transitions.original, *known.categories(name))))
    columns = tuple(dict.fromkeys((*transitions.released, *released.categories(name))))
    left, right = known.codes(name, rows), released.codes(name, columns)
    return Codes(
        rows,
        columns,
        np.where(left < 0, np.nan, left.astype(np.float64)),
        np.where(right < 0, np.nan, right.astype(np.float64)),
        np.bincount(right[right >= 0], minlength=len(columns)),
        np.bincount(left[left >= 0], minlength=len(rows)),
    )


def transition_costs(codes: Codes, transitions: Transitions, error: float) -> tuple[Floats, Floats]:
    """The cost of each pair of categories, and the released codes.

    What a row of the table lacks to 1 is the chance of being made missing; where any row lacks some, missing
    is a released category of its own.
    """
    probability = completed(codes, transitions)
    if error and len(codes.rows) > 1:
        others = (probability.sum(axis=0) - probability) / (len(probability) - 1)
        probability = (1 - min(error, 1.0)) * probability + min(error, 1.0) * others
    lost = 1 - probability.sum(axis=1)
    released = codes.released
    if (lost > 1e-9).any():
        probability = np.column_stack((probability, np.where(lost > 1e-9, lost, 0.0)))
        released = np.where(np.isnan(released), len(codes.columns), released)
    return cell_costs(probability), released


def completed(codes: Codes, transitions: Transitions) -> Floats:
    """The table for all categories of both files, made safe where it does not fit them.

    The table may come from a file that is not the original, as when the intruder knows only some people. They
    notice when the release has categories that no row leads to, or lacks the one that a row leads to. Then
    every row may, with a small chance, lead to any category of the release; and a row that leads to none of
    them does so with certainty.
    """
    rows, columns = len(codes.rows), len(codes.columns)
    table = np.zeros((rows, columns))
    inside = len(transitions.original), len(transitions.released)
    table[: inside[0], : inside[1]] = transitions.probability
    place = {category: j for j, category in enumerate(codes.columns)}
    for i, category in enumerate(codes.rows[inside[0] :], start=inside[0]):
        if category in place:
            table[i, place[category]] = 1.0
    found = codes.found > 0
    strange = found & ~(table > 0).any(axis=0)
    # A row of the table that adds up to less than 1 may be made missing instead.
    full = (table.sum(axis=1) > 1 - 1e-9) | (np.arange(rows) >= inside[0])
    astray = (codes.held > 0) & full & ~(table[:, found] > 0).any(axis=1)
    if not strange.any() and not astray.any():
        return table
    surprise = np.where(found, 1 / max(int(found.sum()), 1), 0.0)
    table[astray] = surprise
    table[~astray] = (1 - SURPRISE) * table[~astray] + SURPRISE * surprise
    return table


def cell_costs(probability: Floats) -> Floats:
    """-log of the probabilities over the largest of them; infinite where they are 0.

    Dividing by one number changes no posterior, and keeps costs of many small chances within the limit.
    """
    largest = probability.max(initial=0.0)
    with np.errstate(divide="ignore"):
        return -np.log(probability / (largest if largest > 0 else 1.0)) + 0.0
