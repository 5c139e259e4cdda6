"""Options for files that are no plain tables: series, traces, graphs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

ShapeOption = Annotated[
    str | None,
    typer.Option(
        "--shape",
        metavar="SHAPE",
        help="How people are read from files that are no plain tables, as in "
        "series:id=person,time=month,value=kwh, series:prefix=h, traces:id=user,time=hour,place=cell or "
        "graph:source=a,target=b.",
    ),
]
ReleasedShapeOption = Annotated[
    str | None,
    typer.Option(
        "--released-shape",
        metavar="SHAPE",
        help="The same of the released file, where its columns are others, or wide and not long.",
    ),
]
NodesOption = Annotated[str | None, typer.Option("--nodes", help="The table of the nodes of a graph.")]
ReleasedNodesOption = Annotated[
    str | None, typer.Option("--released-nodes", help="The table of the nodes of the released graph.")
]
PairsOption = Annotated[
    str | None,
    typer.Option(
        "--pairs", help="Who is who, of series, traces or nodes: two columns, original name and released one."
    ),
]
NewNamesOption = Annotated[
    Path | None,
    typer.Option(
        "--pairs",
        help="Give the people of series, traces or ties new names, and write here who is who (keep it).",
    ),
]
GlimpseOption = Annotated[
    str | None,
    typer.Option(
        "--glimpse",
        metavar="PARTS",
        help="What the intruder saw of series, traces or ties: points=4 of each person, coarse=2, clock=1, "
        "edges=0.5, seeds=10; separated by commas. By default everything.",
    ),
]


def glimpse_of(text: str | None) -> Any:
    """What --glimpse says.

    >>> glimpse_of("points=4, coarse=0.5")
    Glimpse(points=4, coarse=0.5, clock=0.0, edges=1.0, seeds=0)
    """
    from unmask.intruder.glimpse import Glimpse
    from unmask.parsing import construct

    return construct(f"glimpse:{text or ''}", "glimpse", {"glimpse": Glimpse})
