"""From documents to sentences, charts and self-contained HTML files."""

from __future__ import annotations

from unmask.report.assessment import findings, headline, html
from unmask.report.fragment import fragment
from unmask.report.pages import page_of

__all__ = ["findings", "fragment", "headline", "html", "page_of"]
