"""The masks that the page Protect offers, each over its strengths; a person changes them, and adds others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from unmask.assessment.request import Request
from unmask.masks import REGISTRY
from unmask.studies.conclusion.shapes import tried

#: What is offered of tables, from weak to strong.
OFFERED = (
    "noise:a={0.1,0.25,0.5,1}",
    "correlated-noise:a={0.1,0.25,0.5,1}",
    "rank-swapping:p={2,5,10,20}",
    "microaggregation:k={3,5,10,25}",
    "pram:p={0.95,0.9,0.8,0.6}",
    "global-recoding:p={2,3,5}",
    "local-suppression:k={2,3,5}",
    "cart",
)


@dataclass(frozen=True)
class Offered:
    """A mask that can be ticked: its text with ranges, what it is called and does, whether it is tried."""

    text: str
    title: str
    sentence: str
    ticked: bool


def usual_masks(request: Request) -> tuple[str, ...]:
    """The masks that change what people are found by: their attributes, or a series, a trace or ties."""
    shape = request.files.shape
    return OFFERED if shape is None else tried(shape)


def offered(usual: Sequence[str], ticked: Sequence[str]) -> list[Offered]:
    """The offered masks; one that is ticked with strengths of the person's own, with those."""
    names = {text.partition(":")[0]: text for text in ticked if " then " not in text}
    found = []
    for text in usual:
        name = text.partition(":")[0]
        about = REGISTRY[name].about
        found.append(Offered(names.get(name, text), about.title, about.sentence, name in names))
    return found


def own_masks(usual: Sequence[str], ticked: Sequence[str]) -> str:
    """The masks that are not among the offered ones, one per line."""
    offered = {text.partition(":")[0] for text in usual}
    return "\n".join(text for text in ticked if " then " in text or text.partition(":")[0] not in offered)
