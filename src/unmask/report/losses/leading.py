"""The loss that stands for all others where there is room for one."""

from __future__ import annotations

from unmask.documents import Table
from unmask.losses.of_shapes import leading_of
from unmask.measures.estimate import Row
from unmask.report.losses.lines import WithLosses
from unmask.report.shape import shape_text


def leading(document: WithLosses) -> Row | None:
    """That by which the request compares masks, else the first that has a value; None where none has.

    Of people with a series, a trace or ties it is one of what they have beside their attributes. A document
    that tells no request says neither.
    """
    request = document.provenance.request
    first = (request.get("least"), *leading_of(shape_text(document.provenance))) if request else ()
    table = document.table.of(document.losses).where(attack=None, curve=None)
    order = {name: place for place, name in reversed([*enumerate(first)])}
    names = sorted(document.losses, key=lambda name: order.get(name, len(first)))
    return next((row for name in names if (row := _head(document, table, name)) is not None), None)


def _head(document: WithLosses, table: Table, name: str) -> Row | None:
    """The loss of the part that stands for the others, where there is one, else of the whole file."""
    head = document.methods.about(name).head
    for subject in dict.fromkeys((head, None)):
        for row in table.where(measure=name, subject=subject):
            if row.estimate.estimable:
                return row
    return None
