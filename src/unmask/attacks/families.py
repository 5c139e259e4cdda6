"""The families of attacks, in the order in which tables show them."""

from __future__ import annotations

from unmask.about import Family

BASELINE = Family("baseline", "Baseline", "What the intruder reaches without looking at the release.")
DISTANCE = Family(
    "distance",
    "Distance-based linkage",
    "The values of both files are brought to one scale, and the nearest released record is taken.",
)
RANK = Family(
    "rank",
    "Rank-based linkage",
    "Places in the order of each file are compared instead of values.",
)
PROBABILISTIC = Family(
    "probabilistic",
    "Probabilistic linkage",
    "Agreement of two records counts as much as it is more frequent in one person than by chance.",
)
FUZZY = Family(
    "fuzzy",
    "Linkage with fuzzy integrals",
    "Distances in which the differences of a pair count by their size, or attributes by the set they are in.",
)
ASSIGNMENT = Family(
    "assignment",
    "One-to-one linkage",
    "All people are linked at once, and every released record belongs to one person at most.",
)
COMBINED = Family(
    "combined",
    "Attacks combined",
    "Several attacks vote on each person's record, without being told which of them is right.",
)
NOTHING_COMMON = Family(
    "nothing-common",
    "Linkage without common attributes",
    "The two files describe the same people by different attributes.",
)
SERIES = Family(
    "series",
    "Linkage of series",
    "Each person has a row of numbers over time; series that run alike are linked.",
)
TRACES = Family(
    "traces",
    "Linkage of traces",
    "Each person has left points (a time, a place, an item); traces that share rare points are linked.",
)
GRAPHS = Family(
    "graphs",
    "Linkage of nodes",
    "Each person is a node of a graph; nodes whose surroundings look alike are linked.",
)
MECHANISM = Family(
    "mechanism",
    "Linkage with knowledge of the mask",
    "The intruder knows how the file was protected, as an office that documents its work would tell.",
)
WORST_CASE = Family(
    "worst-case",
    "Worst case",
    "The truth chooses the parameters: no intruder can do this, and none with this form of distance does "
    "better.",
)
TOGETHER = Family("together", "All attacks", "What the attacks of an assessment reach between them.")

#: Every family, in order.
FAMILIES = (
    BASELINE,
    DISTANCE,
    RANK,
    PROBABILISTIC,
    FUZZY,
    ASSIGNMENT,
    COMBINED,
    NOTHING_COMMON,
    SERIES,
    TRACES,
    GRAPHS,
    MECHANISM,
    WORST_CASE,
    TOGETHER,
)
