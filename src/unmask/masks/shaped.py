"""A file of series, of traces or of the edges of a graph, masked and written as it was."""

from __future__ import annotations

from dataclasses import dataclass, replace

import polars as pl

from unmask.data.io.table import SourceTable
from unmask.data.loading import original_file
from unmask.data.shapes.shape import Shape
from unmask.masks.base import Mask
from unmask.masks.contents import check_shape
from unmask.randomness import generator

#: What is told of a masked file in which people keep their names.
NAMES_KEPT = (
    "people keep their names in '{}', so that the file can be assessed: --pairs FILE gives them others "
    "before it goes out"
)
#: And of one in which they have others.
NAMES_NEW = "people have new names: '{}' says who is who, for 'unmask assess --pairs', and must not go out"
#: What a file of ties leaves to whoever has a table of nodes beside it.
NODES_LEFT = "the table of nodes is not written: leave in it who is in the file of pairs, under the new names"


@dataclass(frozen=True, eq=False)
class MaskedShape:
    """A masked file, and what was said where its original was read: columns that it lacks, for one."""

    frame: pl.DataFrame
    notes: tuple[str, ...]


def masked_shape(
    held: SourceTable, nodes: SourceTable | None, shape: Shape, mask: Mask, seed: int
) -> MaskedShape:
    """The file with its content masked: one row for each point or edge, or one per person, as it was.

    >>> from unmask.data.shapes.named import shape_named
    >>> from unmask.masks import parse
    >>> ties = pl.DataFrame({"a": ["x", "y"], "b": ["y", "z"]})
    >>> held, shape = SourceTable(ties, {}, frozenset(), "ties.csv"), shape_named("graph:source=a,target=b")
    >>> masked_shape(held, None, shape, parse("edge-deletion:share=0"), 1).frame.rows()
    [('x', 'y'), ('y', 'z')]
    """
    people = shape.people(held, nodes)
    data = replace(original_file(people), content=people.content)
    check_shape(mask, data)
    made = shape.file(held, mask.apply(data, generator(seed, "mask", mask.name)).data)
    return MaskedShape(made, () if people.content is None else people.content.notes)
