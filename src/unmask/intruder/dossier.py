"""Dossier: all that an intruder sees."""

from __future__ import annotations

from dataclasses import dataclass

from unmask.data.microdata import Microdata
from unmask.data.missing import Missing
from unmask.errors import ArgumentError


@dataclass(frozen=True, eq=False)
class Dossier:
    """What the intruder sees: their knowledge about their targets, and the released file, shuffled."""

    known: Microdata
    released: Microdata
    missing: Missing = Missing.MISMATCH
    block: tuple[str, ...] = ()

    @property
    def comparable(self) -> bool:
        """Whether they know an attribute that the release has."""
        return any(name in self.released.schema for name in self.known.schema.names())

    @property
    def attributes(self) -> tuple[str, ...]:
        """The attributes that they can compare: those that they know and find in the release."""
        common = tuple(name for name in self.known.schema.names() if name in self.released.schema)
        if not common:
            raise ArgumentError(
                "the two files share no quasi-identifier",
                hint="name the attributes the intruder knows, or make an attack that needs none in common "
                "(--attacks structural)",
            )
        return common
