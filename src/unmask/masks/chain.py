"""What a chain of masks declares: each of them speaks of the attributes that it alone changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from unmask.data.schema import Column, Kind, Role, Schema
from unmask.linkage.redrawn import Redrawn
from unmask.linkage.transitions import Categories, Declaration, Normal, Part, Seen, Suppressed
from unmask.linkage.transparency import declares
from unmask.masks.base import Mask
from unmask.masks.declaring import MANY, anything
from unmask.masks.local_suppression import LocalSuppression

#: How likely a category does what a table says cannot be, where frequencies were others when it was made.
ASTRAY = 0.05

#: The places of the masks that change an attribute, in order.
Places = tuple[int, ...]


def changed_by(masks: Sequence[Mask], schema: Schema) -> dict[str, Places]:
    """Which of the masks may change each attribute of the schema.

    A mask changes the attributes that it names, else the quasi-identifiers of its kinds; one that says
    neither may change every column.

    >>> from unmask.masks import PRAM, GlobalRecoding, Noise
    >>> schema = Schema((Column("age"), Column("town", Kind.NOMINAL)))
    >>> changed_by((Noise(a=0.1), PRAM(p=5)), schema)
    {'age': (0,), 'town': (1,)}
    >>> changed_by((GlobalRecoding(bands=5, release="label"), PRAM(p=5)), schema)  # bands are categories
    {'age': (0, 1), 'town': (1,)}
    """
    found: dict[str, Places] = {}
    for column in schema:
        kinds, places = {column.kind}, []
        for place, mask in enumerate(masks):
            if _changes(mask, column, kinds):
                places.append(place)
                # A mask that says nothing of its kinds may also make another kind of an attribute.
                if getattr(mask, "relabels", not hasattr(mask, "kinds")):
                    kinds.add(Kind.ORDINAL)
        found[column.name] = tuple(places)
    return found


def _changes(mask: Mask, column: Column, kinds: set[Kind]) -> bool:
    """Whether the mask may change a column that is of one of these kinds by now."""
    if not hasattr(mask, "attributes"):
        return True
    named = mask.named if hasattr(mask, "named") else mask.attributes
    if named is not None:
        return column.name in named
    return column.role is Role.QUASI_IDENTIFIER and not kinds.isdisjoint(getattr(mask, "kinds", tuple(Kind)))


def chain_declaration(masks: Sequence[Mask], seen: Seen) -> Declaration:
    """What the masks declare together, and that anything is possible where none of them can tell."""
    changes = {
        name: places
        for name, places in changed_by(masks, seen.known.schema).items()
        if name in seen.released.schema
    }
    parts: list[Part] = []
    impossible = 0.0
    lost = {name for name, places in changes.items() if _is_lost(masks, places, seen.released.frame[name])}
    for place, mask in enumerate(masks):
        together = {name for name, places in changes.items() if place in places}
        if getattr(mask, "joint", False) and together & lost:
            lost |= together
    for place, mask in enumerate(masks):
        # How often values go missing can be told of every attribute.
        untold = set() if isinstance(mask, LocalSuppression) else lost
        names = [name for name, places in changes.items() if place in places and name not in untold]
        if not names or not declares(mask):
            continue
        told = mask.declare(_only(seen, names))
        parts += [_softened(part, changes, seen.whole is not None) for part in told.parts]
        if all(places == (place,) for places in changes.values() if place in places):
            impossible = max(impossible, told.impossible)
    unknown = [name for name in changes if name in lost]
    parts = [*_once(parts), *(anything(seen, name) for name in unknown)]
    return Declaration(tuple(parts), _notes(unknown), impossible)


def _is_lost(masks: Sequence[Mask], places: Places, released: pl.Series) -> bool:
    """Whether no mask can tell what became of an attribute: several change it, or one that says nothing.

    Masks that make values missing do not count, beside one whose declaration holds of those that are left,
    if enough are left to work out its parameters.
    """
    others = [masks[place] for place in places if not isinstance(masks[place], LocalSuppression)]
    if not others:
        return False
    bears = getattr(others[0], "bears_gaps", False) and len(released) - released.null_count() >= MANY
    return len(others) > 1 or not declares(others[0]) or not (len(places) == 1 or bears)


def _softened(part: Part, changes: Mapping[str, Places], whole: bool) -> Part:
    """A part as it holds of what is left of an attribute.

    A table that goes by frequencies went by those of its own file. Noise that is in proportion to the spread
    is taken as twice as wide where the original's is unknown: rare values are the first to go missing.
    """
    if isinstance(part, Normal):
        wide = not whole and any(len(changes[name]) > 1 for name in part.attributes)
        return replace(part, covariance=4 * part.covariance) if wide else part
    if not isinstance(part, Categories) or len(changes[part.attribute]) == 1:
        return part
    table = part.transitions
    if isinstance(table, Redrawn):
        return replace(part, transitions=_redrawn(table))
    stays = table.probability.sum(axis=1, keepdims=True)
    chances = (1 - ASTRAY) * table.probability + ASTRAY * stays / max(len(table.released), 1)
    return replace(part, transitions=replace(table, probability=chances))


def _redrawn(table: Redrawn) -> Redrawn:
    """The same, where any category is drawn now and then."""
    stays = (1 - ASTRAY) * table.stays
    uniform = np.full(len(table.released), ASTRAY / max(len(table.released), 1))
    share = ((1 - ASTRAY) * (1 - table.stays) * table.share + uniform) / (1 - stays)
    return replace(table, stays=stays, share=share)


def _once(parts: Sequence[Part]) -> list[Part]:
    """The parts, with one suppression of each attribute: the chance of it is that of the whole release."""
    named = [part.attribute if isinstance(part, Suppressed) else None for part in parts]
    return [part for i, part in enumerate(parts) if named[i] is None or named[i] not in named[:i]]


def _only(seen: Seen, names: Sequence[str]) -> Seen:
    """What is seen of these attributes alone: no mask is asked about what others made."""
    original = seen.original
    if original is not None:
        original = original.only(name for name in names if name in original.schema)
    return Seen(seen.known.only(names), seen.released.only(names), original)


def _notes(lost: Sequence[str]) -> tuple[str, ...]:
    if not lost:
        return ()
    names = ", ".join(f"'{name}'" for name in lost)
    return (
        f"of {names} the intruder who knows the masks makes no use: several of them changed it, "
        "or one that does not declare what it does",
    )
