"""The section on methods: what each is called, does and comes from, as the document says."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from unmask.documents.sections import Methods
from unmask.report.page import Section


@dataclass(frozen=True)
class Explained:
    """One entry: a title, what stands behind it, and where it comes from; ``name`` is what commands take."""

    title: str
    sentence: str
    source: str = ""
    name: str = ""


def methods_section(methods: Methods, names: Iterable[str], others: Iterable[Explained]) -> Section:
    """The methods of these names, then the other terms of the page."""
    abouts = {name: methods.about(name) for name in dict.fromkeys(names)}
    entries = [Explained(about.title, about.sentence, about.source, name) for name, about in abouts.items()]
    return Section("methods.html.jinja", {"entries": (*entries, *others)})
