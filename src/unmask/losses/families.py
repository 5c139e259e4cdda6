"""The families of losses: what of a file a reader may still want to use."""

from __future__ import annotations

from unmask.about import Family

RECORDS = Family(
    "records",
    "How far single values moved",
    "Each released value is compared with the original one of the same record. What matters to whoever looks "
    "at records one by one, and to nobody who computes a total.",
)
MOMENTS = Family(
    "moments",
    "Means, spreads and relations of numbers",
    "Statistics of numeric attributes (means, variances, correlations, quantiles) before and after.",
)
DISTRIBUTIONS = Family(
    "distributions",
    "Shares and tables",
    "How the shares of values, and of combinations of values, differ between the two files: what a table "
    "made from the release gets wrong.",
)
DISTINGUISHABILITY = Family(
    "distinguishability",
    "Whether a model tells the files apart",
    "A model is asked which of the two files a record comes from. Where it cannot tell, the release looks "
    "like the original in every way that the model can see.",
)
ANALYSES = Family(
    "analyses",
    "What an analysis would conclude",
    "The same analysis of both files: do its conclusions agree?",
)
SERIES = Family(
    "series",
    "What series over time say",
    "How far the points of series moved, and whether they still run on from point to point, and in the same "
    "rhythms.",
)
TRACES = Family(
    "traces",
    "Where, when and from where to where people go",
    "Maps, clocks and flows: how the shares of points by place, by time, and of the ways between places "
    "differ between the two files.",
)
GRAPHS = Family(
    "graphs",
    "Who is tied to whom",
    "Which ties are still there, whether as many people have as many, and whether the people tied to "
    "somebody are still tied to each other.",
)

#: In the order in which a report shows them.
FAMILIES = (RECORDS, MOMENTS, DISTRIBUTIONS, DISTINGUISHABILITY, ANALYSES, SERIES, TRACES, GRAPHS)
