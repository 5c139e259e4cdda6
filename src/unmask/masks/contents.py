"""What a mask of series, traces or graphs works on: the content beside the rows of a file."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from unmask.data.microdata import Masked, Microdata
from unmask.data.shapes.content import Content
from unmask.errors import ArgumentError

Kind = TypeVar("Kind", bound=Content)


def content_of(original: Microdata, kind: type[Kind], mask: str) -> Kind:
    """The content of a file that a mask works on; refused where it is of another shape, or none."""
    content = original.content
    if not isinstance(content, kind):
        found = "a plain table" if content is None else f"of the shape '{content.shape}'"
        raise ArgumentError(
            f"mask '{mask}' works on files of the shape '{kind.shape}', and {original.label} is {found}",
            hint=f"say how it is read (--shape {kind.shape}:...), or take another mask",
        )
    if getattr(content, "directions", None) is not None:
        raise ArgumentError(
            f"mask '{mask}' knows no directions, and {original.label} is read with them",
            hint="leave directed=yes out of the shape, or mask the file by other means and assess it",
        )
    return content


def with_content(original: Microdata, content: Content) -> Masked:
    """The release with this content, every person in their place."""
    return Masked(original.containing(content), np.arange(len(original), dtype=np.int64))


def check_shape(mask: object, original: Microdata) -> None:
    """Refuse a mask of attributes where people have content beside them: it would go out as it is.

    Of masks one after the other, each must work on the content.
    """
    content = original.content
    if content is None:
        return
    for part in getattr(mask, "parts", (mask,)):
        if getattr(part, "shape", None) != content.shape and not getattr(part, "of_any_shape", False):
            raise ArgumentError(
                f"mask '{getattr(part, 'name', part)}' does not change what a file of the shape "
                f"'{content.shape}' holds",
                hint="'unmask list masks' shows those of series, traces and graphs",
            )
