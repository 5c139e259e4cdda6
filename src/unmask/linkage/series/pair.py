"""Two files of series on one grid of times."""

from __future__ import annotations

from collections.abc import Callable
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


#: Another way to see both files; and several, one after another.
Reading = Callable[[SeriesPair], SeriesPair]
Ways = tuple[Reading, ...]


def as_it_is(pair: SeriesPair) -> SeriesPair:
    """The pair itself."""
    return pair
