"""A result that is a document: written as JSON, read back, made into a report, shown in a notebook."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

from unmask.data.io.sources import read_text
from unmask.data.io.write import write_text
from unmask.documents import AssessmentDocument, ComparisonDocument, Format, KnowledgeDocument, LossDocument
from unmask.documents.study import StudyDocument
from unmask.errors import ArgumentError, unknown_name

if TYPE_CHECKING:
    import altair as alt

    from unmask.report.page import Page

Document = TypeVar(
    "Document",
    bound=AssessmentDocument | KnowledgeDocument | ComparisonDocument | LossDocument | StudyDocument,
)


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
        return _written(self._page().html(), path)

    def _repr_html_(self) -> str:
        """What a notebook shows: the headline and a short table, without scripts."""
        from unmask.report.fragment import fragment

        return fragment(self.document)

    @property
    def charts(self) -> tuple[str, ...]:
        """The names of the report's charts, in its order, for :meth:`chart`."""
        return tuple(chart.name for chart in self._page().charts)

    def chart(self, name: str) -> alt.TopLevelMixin:
        """A chart of the report as an Altair chart; ``name``: one of those that ``charts`` lists."""
        from unmask.report.charts import as_altair

        specs = {chart.name: chart.spec for chart in self._page().charts}
        if not specs:
            raise ArgumentError("this result has no chart", hint="the table says why nothing was estimated")
        if name not in specs:
            raise unknown_name("chart", name, specs)
        return as_altair(specs[name])

    def _page(self) -> Page:
        from unmask.report.pages import PAGES

        return PAGES[self.format](self.document)


def _written(text: str, path: str | Path | None) -> str:
    if path is not None:
        write_text(text, Path(path))
    return text
