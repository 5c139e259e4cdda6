"""Dossier: all that an intruder sees."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import polars as pl

from unmask.data.microdata import Ints, Microdata
from unmask.data.missing import Missing
from unmask.data.schema import Schema
from unmask.data.shapes.content import Content
from unmask.data.understanding.changes import Change
from unmask.errors import ArgumentError

Kind = TypeVar("Kind", bound=Content)


@dataclass(frozen=True, eq=False)
class Dossier:
    """What the intruder sees: their knowledge about their targets, and the released file, shuffled.

    ``known`` is in the release's terms where they can tell how its values were recoded; ``told`` is the same
    as they got it (None: nothing was recoded), for who does again what the mask did. ``exact``: the
    attributes of which a person's own record has the very value that is known. ``guess``: how they suppose
    that the file was protected. ``presence``: how probable they take each target to be in the release.
    ``errors``: of each attribute that is known with an error, how large it is (see
    :class:`~unmask.intruder.sources.Source`); whoever uses a source knows how far to trust it.
    ``seeds``: targets whose released record they know already, and these records.

    What is linked need not be a row of a table: both files may have content beside their rows (series,
    traces, nodes of a graph), which :meth:`contents` hands to the attacks that compare it.
    """

    known: Microdata
    released: Microdata
    missing: Missing = Missing.MISMATCH
    block: tuple[str, ...] = ()
    told: Microdata | None = None
    exact: frozenset[str] = frozenset()
    guess: tuple[Change, ...] = ()
    presence: float = 1.0
    errors: Mapping[str, float] = field(default_factory=dict)
    seeds: tuple[Ints, Ints] | None = None

    def contents(self, kind: type[Kind], attack: str) -> tuple[Kind, Kind]:
        """What both files hold beside their rows; refused where it is of another shape, or there is none."""
        known, released = self.known.content, self.released.content
        if not isinstance(known, kind) or not isinstance(released, kind):
            found = "plain tables" if known is None or released is None else f"of the shape '{known.shape}'"
            raise ArgumentError(
                f"attack '{attack}' compares files of the shape '{kind.shape}', and these are {found}",
                hint=f"say how they are read (--shape {kind.shape}:...), or leave the attack out",
            )
        return known, released

    def knowing(self, names: Sequence[str]) -> Dossier:
        """What an intruder sees who knows these attributes only, and blocks on those they know."""
        return replace(
            self,
            known=self.known.only(names),
            told=None if self.told is None else self.told.only(names),
            block=tuple(name for name in self.block if name in names),
        )

    def in_original_terms(self, names: Container[str]) -> Dossier:
        """The same with these attributes as the intruder got them, before they were recoded."""
        if self.told is None:
            return self
        columns = tuple(
            (self.told if c.name in names else self.known).schema[c.name] for c in self.known.schema
        )
        series = [(self.told if c.name in names else self.known).frame[c.name] for c in columns]
        known = Microdata(Schema(columns), pl.DataFrame(series), self.known.label)
        return replace(self, known=known, told=None, exact=frozenset(n for n in self.exact if n not in names))

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
