"""What people have in a document's files: rows of a table, or a series, a trace, ties beside them."""

from __future__ import annotations

from collections.abc import Mapping

from unmask.documents.sections import Provenance

#: What somebody has, by shape, as in "found by their ...".
HAS: Mapping[str, str] = {"series": "series", "traces": "traces", "graph": "ties"}


def shape_text(provenance: Provenance) -> str | None:
    """The shape that the request names; None of plain tables, and where no request is recorded.

    >>> shape_text(Provenance(request={"files": {"shape": "graph:source=a,target=b"}}))
    'graph:source=a,target=b'
    """
    files = (provenance.request or {}).get("files")
    shape = files.get("shape") if isinstance(files, Mapping) else None
    return shape if isinstance(shape, str) else None


def has(provenance: Provenance) -> str | None:
    """What people have beside their attributes, in a word; None of plain tables.

    >>> has(Provenance(request={"files": {"shape": "graph:source=a,target=b"}}))
    'ties'
    """
    return HAS.get((shape_text(provenance) or "").partition(":")[0].strip())
