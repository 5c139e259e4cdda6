"""A result that is a document: written as JSON, read back, made into a report."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeVar

from unmask.data.io.sources import read_text
from unmask.data.io.write import write_text
from unmask.documents import Format

Document = TypeVar("Document")


@dataclass(frozen=True, eq=False)
class DocumentResult(Generic[Document]):
    """What every result can do; ``format`` says which documents it has."""

    format: ClassVar[Format[Any]]
    document: Document

    def to_json(self, path: str | Path | None = None) -> str:
        """The document as JSON text, also written to a file if one is named."""
        return _written(self.format.text(self.document), path)

    @classmethod
    def from_json(cls, path: str | Path) -> Self:
        """The result in a file that :meth:`to_json`, or the command line with --json, wrote."""
        return cls(cls.format.read(read_text(Path(path))))

    def to_html(self, path: str | Path | None = None) -> str:
        """A self-contained report, also written to a file if one is named."""
        from unmask.report.pages import PAGES

        return _written(PAGES[self.format](self.document), path)


def _written(text: str, path: str | Path | None) -> str:
    if path is not None:
        write_text(text, Path(path))
    return text
