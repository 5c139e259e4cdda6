"""What a mask is: a method with parameters that turns an original file into a released one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Protocol, runtime_checkable

import numpy as np
import polars as pl

from unmask.errors import ArgumentError
from unmask.microdata import Floats, Masked, Microdata
from unmask.schema import Kind, Role

__all__ = ["Mask", "Masked", "numeric_targets", "with_numbers"]


@runtime_checkable
class Mask(Protocol):
    """A masking method. Parameters are fields of a frozen dataclass; randomness comes from ``rng`` only."""

    name: ClassVar[str]

    def apply(self, original: Microdata, rng: np.random.Generator) -> Masked:
        """The released file, in the order of the original, with its origin."""
        ...


def numeric_targets(original: Microdata, attributes: Sequence[str] | None) -> list[str]:
    """The columns that a numeric mask works on: those named, else all numeric quasi-identifiers."""
    if attributes is None:
        chosen = list(original.schema.names(Role.QUASI_IDENTIFIER, Kind.NUMERIC))
        if not chosen:
            raise ArgumentError(
                f"{original.label} has no numeric quasi-identifier to mask",
                hint="name the attributes, or give them that kind and role in the schema",
            )
        return chosen
    for name in attributes:
        if original.schema[name].kind is not Kind.NUMERIC:
            raise ArgumentError(
                f"column '{name}' is {original.schema[name].kind.value}, and this mask takes numeric columns",
                hint="leave it out of the attributes",
            )
    if len(set(attributes)) != len(attributes):
        raise ArgumentError("an attribute is named twice", hint="name each once")
    if not attributes:
        raise ArgumentError("no attribute is named", hint="name at least one, or leave the argument out")
    return list(attributes)


def with_numbers(original: Microdata, names: Sequence[str], values: Floats) -> Masked:
    """The file with these numeric columns replaced, every record in its place."""
    columns = {name: pl.Series(name, values[:, j], nan_to_null=True) for j, name in enumerate(names)}
    return Masked(original.replace(columns), np.arange(len(original), dtype=np.int64))
