"""What would help people who are found by their series, their traces or their ties: masks of these."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from unmask.assessment.equivalents import command
from unmask.assessment.equivalents.parts import number_text
from unmask.assessment.request import Request, Verb
from unmask.data.microdata import Microdata
from unmask.data.shapes import TraceContent
from unmask.data.shapes.named import shape_named
from unmask.data.shapes.read_traces import TraceShape
from unmask.errors import UnmaskError
from unmask.linkage.resolution import grid_of
from unmask.masks import MASKS, REGISTRY

#: What a first study tries of each shape, weak and strong.
TRIED: Mapping[str, tuple[str, ...]] = {
    "series": (
        "series-noise:a={0.5,2}",
        "series-aggregation:points=2",
        "series-microaggregation:k={3,5}",
    ),
    "traces": (
        "trace-coarsening:step={3,6,24}",
        "trace-suppression:share={0.5,0.9}",
        "trace-swapping:share={0.2,0.8}",
    ),
    "graph": ("edge-deletion:share={0.1,0.5}", "edge-swapping:share={0.1,0.5}", "k-degree:k={2,5}"),
}
#: The one of them that needs times.
_OF_TIMES = "trace-coarsening"


def masks_of(shape: str) -> Iterator[str]:
    """The masks that change what a shape holds, those of others' packages too.

    >>> list(masks_of("traces"))
    ['coarser traces (trace-coarsening)', 'points left out (trace-suppression)', ...]
    """
    for name, kind in MASKS.items():
        if getattr(kind, "shape", None) == shape:
            yield f"{REGISTRY[name].about.title} ({name})"


def study_command(request: Request, original: Microdata) -> str:
    """The command line of a study of the original under the same intruder; "" where none can say it.

    >>> from unmask.assessment.request import RequestFiles
    >>> from unmask.data.example import people
    >>> asked = Request(RequestFiles("ties.csv", "b.csv", shape="graph:source=a,target=b"), seed=1)
    >>> study_command(asked, people(10))
    "unmask study ties.csv --mask 'edge-deletion:share={0.1,0.5}' ... --html masks.html"
    """
    files, scenario = request.files, request.scenario
    try:
        masks = tried(files.shape or "", own_step(original))
        columns = tuple(replace(edit, renamed=None) for edit in files.columns)
        own = replace(files.original_alone(), columns=columns)
        seen = replace(scenario, block=(), sources=())
        asked = Request(own, Verb.STUDY, seen, masks=masks, policy=request.policy, seed=request.seed)
        return shlex.join(command(asked, {"--html": "masks.html"}))
    except UnmaskError:  # files from memory, or a name that no command line holds
        return ""


def tried(text: str, step: float = 1.0) -> tuple[str, ...]:
    """The masks that a first study of a shape tries, with their ranges; ``step``: that of the times.

    >>> tried("traces:id=user,place=cell")
    ('trace-suppression:share={0.5,0.9}', 'trace-swapping:share={0.2,0.8}')
    >>> tried("traces:id=user,time=day,place=cell", step=1 / 24)[0]
    'trace-coarsening:step={0.125,0.25,1}'
    """
    shape = shape_named(text)
    masks = TRIED[shape.name]
    if not isinstance(shape, TraceShape):
        return masks
    steps = ",".join(number_text(times * step).removesuffix(".0") for times in (3, 6, 24))
    coarser = () if shape.time is None else (f"{_OF_TIMES}:step={{{steps}}}",)
    return (*coarser, *(mask for mask in masks if not mask.startswith(_OF_TIMES)))


def own_step(original: Microdata) -> float:
    """The step that the times of traces have: hours are twenty-fourths where a file writes dates."""
    if not isinstance(original.content, TraceContent) or np.ptp(original.content.when) == 0:
        return 1.0
    grid = grid_of(original.content.when)
    return 1.0 if grid is None else float(grid.step)
