"""Points that are left out of traces: some at random, or those that few people left."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from unmask.about import About
from unmask.data.microdata import Microdata
from unmask.data.shapes import TraceContent
from unmask.linkage.points import CodedTraces, point_codes
from unmask.masks import checks
from unmask.masks.base import Masked
from unmask.masks.contents import content_of, with_content
from unmask.masks.families import TRACES
from unmask.masks.strength import GROUP_SIZES, Strength


@dataclass(frozen=True)
class TraceSuppression:
    """Traces without some of their points (after Terrovitis and Mamoulis 2008, who leave out points too).

    ``share``: every point is left out with this probability; ``least``: every point that fewer than so many
    people left is left out. One of the two is given. Whoever keeps no point has an empty trace, and stays in
    the file.

    >>> left = TraceContent(np.array([0, 2, 3]), np.array([8.0, 9.0, 8.0]), np.array([0, 1, 0]), ("a", "b"))
    >>> from unmask.data.schema import Column, Schema
    >>> file = Microdata(Schema((Column("points"),)), left.summary(), content=left)
    >>> TraceSuppression(least=2).apply(file, np.random.default_rng(1)).data.frame.rows()
    [(1,), (1,)]
    """

    name: ClassVar[str] = "trace-suppression"
    shape: ClassVar[str] = "traces"
    one_of: ClassVar[tuple[str, ...]] = ("share", "least")
    about = About(
        title="points left out",
        family=TRACES,
        sentence="Points of traces are left out: some at random, or those that few people left.",
        source="M. Terrovitis and N. Mamoulis (2008), Privacy preservation in the publication of "
        "trajectories, International Conference on Mobile Data Management, 65-72.",
        rank=2,
    )
    strength: ClassVar[Strength | None] = None
    examples = ("trace-suppression:share=0.3", "trace-suppression:least=3")
    share: float | None = None
    least: int | None = None

    def __post_init__(self) -> None:
        checks.one_of(self.name, self, self.one_of)
        if self.share is not None:
            checks.number(self.name, "share", self.share, 0, 1)
        if self.least is not None:
            checks.whole(self.name, "least", self.least, 1)

    @classmethod
    def ladders(cls, original: Microdata) -> Iterator[tuple[Self, ...]]:
        """A share of the points, from a tenth on; and those of fewer than two people, and so on."""
        yield tuple(cls(share=share) for share in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98))
        yield tuple(cls(least=k) for k in GROUP_SIZES if 2 * k <= len(original))

    def apply(self, original: Microdata, rng: np.random.Generator) -> Masked:
        """The file without these points."""
        content = content_of(original, TraceContent, self.name)
        if self.share is not None:
            kept = rng.random(content.points) >= self.share
        else:
            assert self.least is not None
            codes = point_codes(content)
            people = CodedTraces.of(content.owner, codes, len(content))
            kept = np.bincount(people.codes, minlength=1)[codes] >= self.least
        return with_content(original, content.chosen(np.flatnonzero(kept)))
