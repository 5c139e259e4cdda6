"""The families of masks, in the order in which tables show them (Willenborg and de Waal 2001)."""

from __future__ import annotations

from unmask.about import Family

PERTURBATIVE = Family(
    "perturbative",
    "Perturbative masks",
    "Values are changed: a released record says something else than the original one.",
)
NON_PERTURBATIVE = Family(
    "non-perturbative",
    "Non-perturbative masks",
    "Detail is given up: a released record says less than the original one, but nothing wrong.",
)

SYNTHETIC = Family(
    "synthetic",
    "Synthetic values",
    "Values are drawn anew from those of the file: a released record stands in a person's place, and need "
    "not say anything of them.",
)

SERIES = Family(
    "series", "Masks of series", "What each person has over time is changed, or given with less detail."
)
TRACES = Family(
    "traces", "Masks of traces", "The points that people left are changed, left out, or given more coarsely."
)
GRAPHS = Family("graphs", "Masks of graphs", "Who is tied to whom is changed.")

EXTERNAL = Family(
    "external",
    "Masks from elsewhere",
    "Another program, or a function, makes the release; what it does is its own affair.",
)

#: Every family, in order.
FAMILIES = (PERTURBATIVE, NON_PERTURBATIVE, SYNTHETIC, SERIES, TRACES, GRAPHS, EXTERNAL)
