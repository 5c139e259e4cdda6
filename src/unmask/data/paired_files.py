"""Both files of an assessment as they compare: rows, and what people have beside them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from unmask.data.microdata import Masked, Microdata
from unmask.data.shapes.content import Content
from unmask.data.understanding.changes import Change, What
from unmask.data.understanding.notes import notes
from unmask.data.understanding.summary import Understanding


@dataclass(frozen=True, eq=False)
class Files:
    """The original and the released file as they compare, and what was understood of them."""

    original: Microdata
    masked: Masked
    understanding: Understanding

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user must know about the files."""
        told = notes(self.understanding, self.original.schema, self.masked.data.schema)
        return (
            *told,
            *_content_notes("original", self.original),
            *_content_notes("released", self.masked.data),
        )


def _content_notes(label: str, data: Microdata) -> tuple[str, ...]:
    """What people have beside their rows, and how it was read."""
    if data.content is None:
        return ()
    holds = f"the {label} file holds {data.content.describe()}"
    return (holds, *(f"in the {label} file: {note}" for note in data.content.notes))


def containing(files: Files, original: Content | None, released: Content | None) -> Files:
    """The files with what people have beside their rows, in the order in which both were read."""
    if original is None or released is None:
        return files
    counted, understood = released.counted, files.understanding
    changes = tuple(_counted(c) if c.attribute in counted else c for c in understood.changes)
    # What is counted has no codes for 'missing', whatever its largest number looks like.
    notes = tuple(n for n in understood.notes if not n.startswith(tuple(f"'{name}'" for name in counted)))
    understood = replace(understood, changes=changes, notes=notes)
    masked = replace(files.masked, data=files.masked.data.containing(released), terms=understood.terms)
    return Files(files.original.containing(original), masked, understood)


def _counted(change: Change) -> Change:
    """What happened to a figure of the content: it was counted again, and that is all there is to explain."""
    if change.what is What.UNCHANGED:
        return change
    told = "a figure of what people have, counted in the release"
    return Change(change.attribute, What.COUNTED, told, share=change.share)


def without_key(files: Files) -> Files:
    """The files of a release that does not hold the key by which they were paired."""
    understood = files.understanding
    kept = tuple(one for one in understood.leftovers if one.column != understood.rows.column)
    return replace(files, understanding=replace(understood, leftovers=kept))
