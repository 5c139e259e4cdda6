"""From the document of an assessment (plain data) to sentences, charts and one self-contained HTML file."""

from __future__ import annotations

from unmask.report.document import Document, read_document
from unmask.report.entry import Title
from unmask.report.html import html
from unmask.report.titles import TITLES, title
from unmask.report.words import findings, headline

__all__ = ["TITLES", "Document", "Title", "findings", "headline", "html", "read_document", "title"]
