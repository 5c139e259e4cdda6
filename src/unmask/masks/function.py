"""A mask that a function of the user's makes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import polars as pl

from unmask.about import About
from unmask.data.io.frames import from_any
from unmask.data.microdata import Microdata
from unmask.data.schema import Kind
from unmask.errors import ArgumentError
from unmask.fields import shown
from unmask.masks.base import Masked
from unmask.masks.exec import SEEDS
from unmask.masks.families import EXTERNAL
from unmask.masks.returned import returned


@dataclass(frozen=True)
class Function:
    """The release that a function makes of a frame: ``function(frame, seed)`` returns the masked one.

    ``frame`` is a frame of polars with the columns of the schema; what comes back may be a frame of any
    library, with the same rows in their order and the same columns, but for identifiers. ``seed``: a whole
    number, the same for the same seed of unmask. No text says a function, so that a request with one cannot
    be saved; an :class:`~unmask.masks.exec.Exec` can. It declares nothing to an intruder who knows the mask.

    >>> from unmask.data.schema import Column, Schema
    >>> def older(frame, seed):
    ...     return frame.with_columns(pl.col("age") + 10)
    >>> people = Microdata(Schema((Column("age"),)), pl.DataFrame({"age": [31, None, 54]}))
    >>> Function(older).apply(people, np.random.default_rng(1)).data.frame["age"].to_list()
    [41.0, None, 64.0]
    """

    name: ClassVar[str] = "function"
    kinds: ClassVar[tuple[Kind, ...]] = tuple(Kind)
    relabels: ClassVar[bool] = True
    function: Callable[[pl.DataFrame, int], Any]

    def __post_init__(self) -> None:
        if isinstance(self.function, type) or not callable(self.function):
            raise ArgumentError(
                f"the function of a mask is {shown(self.function)}",
                hint="give a function of a frame and a seed",
            )

    @property
    def text(self) -> str:
        """What it is called: the name of the function, which is not enough to make it again."""
        return f"function:{getattr(self.function, '__name__', type(self.function).__name__)}"

    @property
    def about(self) -> About:
        """What the mask is called, does and comes from."""
        return About(
            title=f"function, {self.text.partition(':')[2]}",
            family=EXTERNAL,
            sentence="A function of the user's choice makes the release.",
            source="The function's own.",
        )

    def apply(self, original: Microdata, rng: np.random.Generator) -> Masked:
        """What the function makes of the file."""
        made = self.function(original.frame, int(rng.integers(SEEDS)))
        return returned(
            original, from_any(made, "what the function of a mask returned"), "the function of a mask"
        )
