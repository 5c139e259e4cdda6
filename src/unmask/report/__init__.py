"""From documents to sentences, charts and self-contained HTML files."""

from __future__ import annotations

from unmask.report.assessment import findings, headline, html
from unmask.report.pages import page_of

__all__ = ["findings", "headline", "html", "page_of"]
