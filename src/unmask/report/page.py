"""Pages: a headline and sections as one HTML file, which loads nothing and also reads without scripts.

A section is one part of a page. Its module makes it from the document, or makes None where the document has
nothing to say; its template shows it; and the page lists it, once, in the order of reading.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from unmask.documents import Format
from unmask.report.libraries import chart_libraries, vega_lite
from unmask.report.policy import content_policy
from unmask.visible import visible

if TYPE_CHECKING:
    from markupsafe import Markup

Document = TypeVar("Document")

#: A chart in the chart language Vega-Lite.
Spec = dict[str, Any]

#: The width at which a chart is drawn for readers without scripts; on a narrow page it shrinks.
STATIC_WIDTH = 680


@dataclass(frozen=True)
class Counts:
    """The numbers behind a chart, where no other table of the page has them."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, eq=False)
class Chart:
    """A chart as a live specification and as a still image for readers without scripts.

    ``detail``: how it is read; ``label``: what a reader who cannot see it is told, the caption where it is
    empty.
    """

    name: str
    caption: str
    spec: Spec
    still: Markup
    detail: str = ""
    label: str = ""
    counts: Counts | None = None


@dataclass(frozen=True, eq=False)
class Section:
    """One part of a page: its template, what fills it (there called ``part``) and its charts."""

    template: str
    part: Mapping[str, object]
    charts: tuple[Chart, ...] = ()


#: What a document says in one section; None where it says nothing.
Maker = Callable[[Document], Section | None]


@dataclass(frozen=True, eq=False)
class Page:
    """All that a page shows; ``made``: by whom and how; ``generator``: the version of unmask."""

    title: str
    headline: str
    sections: tuple[Section, ...]
    made: str
    generator: str

    @property
    def charts(self) -> tuple[Chart, ...]:
        """The charts of all sections."""
        return tuple(chart for section in self.sections for chart in section.charts)

    def html(self) -> str:
        """The page as one self-contained text. The same page gives the same bytes."""
        from jinja2 import Environment, PackageLoader, StrictUndefined
        from markupsafe import Markup

        environment = Environment(
            loader=PackageLoader("unmask", "report/templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            finalize=_shown,
        )
        style, drawing = (
            Markup(environment.get_template(name).render()) for name in ("style.css", "charts.js")
        )
        scripts = (chart_libraries(), drawing) if self.charts else ()
        policy = Markup(content_policy((style,), scripts))
        parts = {"style": style, "scripts": scripts, "policy": policy}
        return environment.get_template("page.html.jinja").render(page=self, **parts)


def _shown(value: object) -> object:
    """What a template shows: in a text, nothing that a reader's program would obey instead of showing it."""
    from markupsafe import Markup

    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def sections_of(document: Document, makers: Iterable[Maker[Document]]) -> tuple[Section, ...]:
    """The sections that have something to say, in their order."""
    made = (maker(document) for maker in makers)
    return tuple(section for section in made if section is not None)


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
    part = {"name": name, "title": title, "told": tuple(sentences)}
    return Section(f"{template}.html.jinja", part, tuple(charts))


def draw(name: str, caption: str, spec: Spec, detail: str = "", label: str = "") -> Chart:
    """A chart as wide as the page, and its still image."""
    import vl_convert
    from markupsafe import Markup

    spec = _plain(spec)
    still = vl_convert.vegalite_to_svg({**spec, "width": STATIC_WIDTH}, vl_version=vega_lite())
    return Chart(name, caption, spec, Markup(still), detail, label)


def _plain(part: Any) -> Any:
    """A part of a specification without characters that no image can hold: drawing them ends the process."""
    if isinstance(part, str):
        return visible(part)
    if isinstance(part, Mapping):
        return {name: _plain(inner) for name, inner in part.items()}
    return [_plain(inner) for inner in part] if isinstance(part, list | tuple) else part
