"""Two files of series on one grid of times."""

from __future__ import annotations

from dataclasses import dataclass, replace

from unmask.data.microdata import Floats


@dataclass(frozen=True, eq=False)
class SeriesPair:
    """The known and the released series on one grid of times (NaN: no value), and what was done for it."""

    times: Floats
    known: Floats
    released: Floats
    notes: tuple[str, ...] = ()

    def noted(self, *notes: str) -> SeriesPair:
        """The same with more to say."""
        return replace(self, notes=(*self.notes, *notes))
