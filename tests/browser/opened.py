"""A report in a window of the browser, and all that it asked for or complained of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 400, "height": 800}

_WATCH = """
window.refused = [];
addEventListener("securitypolicyviolation", (event) => refused.push(event.violatedDirective));
"""


class Opened:
    """One window; :meth:`close` fails where the page loaded, broke or complained of anything."""

    def __init__(self, context: Any, path: Path, anchor: str = "") -> None:
        self.context = context
        self.complaints: list[str] = []
        self.asked: list[str] = []
        context.add_init_script(_WATCH)
        self.page = context.new_page()
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.address = path.as_uri()
        self.page.goto(self.address + anchor)

    def unfold(self) -> None:
        """Open all that folds, and wait until every chart is drawn."""
        self.page.evaluate("document.querySelectorAll('main details').forEach(fold => fold.open = true)")
        for place in self.page.locator(".chart").all():
            place.scroll_into_view_if_needed()
            place.locator(".chart-wrapper[role=img]").wait_for()
        # The menus of the charts are no part of the text.
        self.page.evaluate("document.querySelectorAll('.chart details').forEach(fold => fold.open = false)")
        self.page.evaluate("scrollTo(0, 0)")

    def close(self) -> None:
        refused = self.page.evaluate("window.refused || []")
        self.context.close()
        assert refused == []
        assert self.complaints == []
        assert {url.partition("#")[0] for url in self.asked} == {self.address}
