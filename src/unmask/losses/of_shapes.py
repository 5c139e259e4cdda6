"""The loss that stands for all others: of tables, and where people have a series, a trace or ties."""

from __future__ import annotations

from collections.abc import Mapping

#: Of tables.
USUAL = "total-variation"
#: By shape, the one that is taken first. A map alone would not tell that times were cut; flows do.
LEADING: Mapping[str, tuple[str, ...]] = {
    "series": ("series-error",),
    "traces": ("trace-flows", "trace-places"),
    "graph": ("graph-ties",),
}


def leading_of(shape: str | None) -> tuple[str, ...]:
    """The losses that come first for the shape that a text says; None: for a plain table.

    >>> leading_of("graph:source=a,target=b"), leading_of("traces:id=who,place=cell"), leading_of(None)
    (('graph-ties',), ('trace-places',), ('total-variation',))
    """
    if shape is None:
        return (USUAL,)
    name, _, parameters = shape.partition(":")
    names = LEADING.get(name.strip(), ())
    timed = any(part.partition("=")[0].strip() == "time" for part in parameters.split(","))
    return names if timed else tuple(one for one in names if one != "trace-flows")
