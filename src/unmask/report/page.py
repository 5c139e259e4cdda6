"""Pages: a headline and chapters as one HTML file, which loads nothing and also reads without scripts.

A section is one part of a page. Its module makes it from the document, or makes None where the document has
nothing to say; its template shows it; and the page lists it, once, in a chapter, in the order of reading.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from unmask.documents import Format
from unmask.report.anchors import anchor
from unmask.report.libraries import chart_libraries, vega_lite
from unmask.report.policy import content_policy
from unmask.visible import visible

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

#: A chart in the chart language Vega-Lite.
Spec = dict[str, Any]

#: The width at which a chart is drawn for readers without scripts; on a narrow page it shrinks.
STATIC_WIDTH = 680


@dataclass(frozen=True)
class Counts:
    """The numbers behind a chart, where no other table of the page has them; ``about``: what has a row."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    about: str = "attack"


@dataclass(frozen=True, eq=False)
class Chart:
    """A chart as a live specification and as a still image, which is shown until the live one is drawn.

    ``detail``: how it is read; ``label``: what a reader who cannot see it is told, the caption where it is
    empty.
    """

    name: str
    caption: str
    spec: Spec
    detail: str = ""
    label: str = ""
    counts: Counts | None = None

    @property
    def choices(self) -> bool:
        """Whether the reader chooses what is shown: then a place for that stands before the chart."""
        return any("bind" in one for one in self.spec.get("params", ()))

    @cached_property
    def still(self) -> Markup:
        """The chart as an image; the element around it says in words what it shows."""
        import vl_convert
        from markupsafe import Markup

        spec = {**self.spec, "width": STATIC_WIDTH}
        drawn = settled(vl_convert.vegalite_to_svg(spec, vl_version=vega_lite()), self.name)
        return Markup(drawn.replace("<svg ", '<svg aria-hidden="true" ', 1))


def settled(svg: str, name: str) -> str:
    """An image whose parts are numbered by themselves: the library counts them on from image to image.

    >>> settled('<clipPath id="clip7"/><g clip-path="url(#clip7)"/>', "map")
    '<clipPath id="map-clip-0"/><g clip-path="url(#map-clip-0)"/>'
    """
    numbers: dict[str, str] = {}

    def own(found: re.Match[str]) -> str:
        return f"{found[1]}{numbers.setdefault(found[2], f'{name}-clip-{len(numbers)}')}{found[3]}"

    return re.sub(r'(id="|url\(#)(clip[0-9]+)("|\))', own, svg)


@dataclass(frozen=True, eq=False)
class Section:
    """One part of a page: its anchor and heading, its template, what fills it (``part``) and its charts."""

    name: str
    title: str
    template: str
    part: Mapping[str, object]
    charts: tuple[Chart, ...] = ()


@dataclass(frozen=True, eq=False)
class Chapter:
    """Sections that fold away together; ``open``: a reader sees them without asking."""

    name: str
    title: str
    sections: tuple[Section, ...]
    open: bool = False


@dataclass(frozen=True, eq=False)
class Page:
    """All that a page shows; ``made``: by whom and how; ``generator``: the version of unmask.

    ``first``: what stands before the chapters and does not fold. Its template writes its own headings, from
    the second level on.
    """

    title: str
    headline: str
    chapters: tuple[Chapter, ...]
    made: str
    generator: str
    first: Section | None = None

    @property
    def charts(self) -> tuple[Chart, ...]:
        """The charts of all sections, in the order of reading."""
        sections = [section for chapter in self.chapters for section in chapter.sections]
        first = () if self.first is None else self.first.charts
        return (*first, *(chart for section in sections for chart in section.charts))

    def html(self) -> str:
        """The page as one self-contained text. The same page gives the same bytes."""
        from markupsafe import Markup

        environment = templates()
        style, folding, drawing = (
            Markup(environment.get_template(name).render())
            for name in ("style.css", "folding.js", "charts.js")
        )
        libraries = chart_libraries() if self.charts else None
        scripts = (folding,) if libraries is None else (folding, drawing)
        policy = content_policy((style,), scripts if libraries is None else (*scripts, libraries))
        parts = {"style": style, "scripts": scripts, "libraries": libraries, "policy": Markup(policy)}
        return environment.get_template("page.html.jinja").render(page=self, **parts)


def templates() -> Environment:
    """The templates of reports: all that they show is escaped, and nothing that they name may be missing."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("unmask", "report/templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    environment.filters["anchor"] = anchor
    return environment


def _shown(value: object) -> object:
    """What a template shows: in a text, nothing that a reader's program would obey instead of showing it."""
    from markupsafe import Markup

    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def chapter(name: str, title: str, *sections: Section | None, open: bool = False) -> Chapter | None:
    """The sections that have something to say, in their order; None where no section has.

    >>> chapter("attacks", "Attacks", None) is None
    True
    """
    said = tuple(section for section in sections if section is not None)
    return Chapter(name, title, said, open) if said else None


def chapters_of(*chapters: Chapter | None) -> tuple[Chapter, ...]:
    """The chapters that have something to say, in their order."""
    return tuple(one for one in chapters if one is not None)


def origin(verb: str, version: str, seed: int, form: Format[Any]) -> str:
    """Who made the numbers, and what the document is that they were read from.

    >>> from unmask.documents import ASSESSMENT
    >>> origin("Assessed", "0.1.0", 7, ASSESSMENT)
    'Assessed by unmask 0.1.0, seed 7; document format unmask-assessment, version 2.'
    """
    return f"{verb} by unmask {version}, seed {seed}; document format {form.mark}, version {form.version}."


def told(
    name: str, title: str, sentences: Sequence[str], charts: Sequence[Chart] = (), template: str = "told"
) -> Section | None:
    """A section of sentences and charts; none where there is neither.

    >>> told("meaning", "What the numbers mean", []) is None
    True
    """
    if not sentences and not charts:
        return None
    return Section(name, title, f"{template}.html.jinja", {"told": tuple(sentences)}, tuple(charts))


def draw(
    name: str, caption: str, spec: Spec, detail: str = "", label: str = "", counts: Counts | None = None
) -> Chart:
    """A chart as wide as the page."""
    return Chart(name, caption, _plain(spec), detail, label, counts)


def _plain(part: Any) -> Any:
    """A part of a specification without characters that no image can hold: drawing them ends the process."""
    if isinstance(part, str):
        return visible(part)
    if isinstance(part, Mapping):
        return {name: _plain(inner) for name, inner in part.items()}
    return [_plain(inner) for inner in part] if isinstance(part, list | tuple) else part
