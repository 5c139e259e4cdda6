"""A report as a part of another page, which brings its styles and scripts as files of its own.

A server that lets pages load nothing from elsewhere, and run nothing that stands in them, shows reports in
this way.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from markupsafe import Markup

from unmask.errors import DataError

_DATA = re.compile(r'<script type="application/json" id="spec-[^"]*">.*?</script>', re.DOTALL)


@dataclass(frozen=True)
class Embedded:
    """The content of a report: its title, its body, and the data of its charts; no style, and no script."""

    title: str
    body: Markup
    charts: Markup


def embedded(html: str) -> Embedded:
    """The content of a report that unmask wrote.

    >>> page = "<title>Risk</title><style>p {}</style><main><p>text</p></main><script>run()</script>"
    >>> embedded(page)
    Embedded(title='Risk', body=Markup('<p>text</p>'), charts=Markup(''))
    """
    title = html.partition("<title>")[2].partition("</title>")[0]
    head, found, rest = html.partition("<main>")
    body, end, after = rest.partition("</main>")
    if not (head and found and end):
        raise DataError("that is no report of unmask", hint="make it again: 'unmask report result.json'")
    return Embedded(str(Markup(title).unescape()), Markup(body), Markup("\n".join(_DATA.findall(after))))
