"""The report as one HTML file: nothing in it is loaded from elsewhere, and it also reads without scripts."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any

from unmask.report import charts, words
from unmask.report.document import EXPECTED, UNION, Document, is_baseline, result
from unmask.report.numbers import count, interval, p_value, percent
from unmask.report.titles import title

#: The width at which a chart is drawn for readers without scripts; on a narrow page it shrinks.
STATIC_WIDTH = 680


def html(document: Document) -> str:
    """A self-contained report of an assessment's document. The same document gives the same bytes.

    >>> from unmask.report import html, read_document
    >>> risk = {"format": "unmask-assessment", "version": 1, "unmask": "0.1.0", "seed": 0, "worst": None,
    ...         "scenario": {"text": "knows 1 attribute", "attributes": [], "missing": "ignore"},
    ...         "sizes": {"original": 3, "released": 3, "targets": 3, "present": 0}, "notes": [],
    ...         "attacks": [], "results": []}
    >>> "not estimable" in html(risk)
    True
    """
    from jinja2 import Environment, StrictUndefined

    page = files("unmask.report").joinpath("page.html.jinja").read_text(encoding="utf-8")
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.from_string(page).render(_context(document))


def _context(document: Document) -> dict[str, Any]:
    drawn = _charts(document)
    names = [attack["name"] for attack in document["attacks"]]
    shown = [*names, UNION] if result(document, UNION) else names
    return {
        "headline": words.headline(document),
        "notes": words.notes(document),
        "meaning": words.ties(document) + words.chance(document) + words.union(document),
        "intruder": words.intruder(document),
        "limits": words.limits(),
        "rows": [_row(document, name) for name in shown],
        "results": [_result(r) for r in document["results"]],
        "methods": [{"name": name, "title": title(name)} for name in shown],
        "charts": drawn,
        "standings": _standings(document),
        "javascript": _javascript() if drawn else None,
        "document": document,
    }


def _row(document: Document, name: str) -> dict[str, Any]:
    """One attack's line in the main table."""
    found = result(document, name)
    worst = name == document["worst"] and not is_baseline(document, name)
    if found is None:
        reason = words.not_estimable("it was not measured")
        return {"name": name, "title": title(name).title, "worst": worst, "reason": reason}
    return {"name": name, "title": title(name).title, "worst": worst, **_cells(found)}


def _result(found: Any) -> dict[str, Any]:
    """One line of the table of all results."""
    measure = "re-identification" + found["measure"].removeprefix(EXPECTED).replace("-", ", ")
    known = found["measure"].startswith(EXPECTED)
    return {
        "title": title(found["attack"]).title,
        "measure": measure if known else found["measure"],
        **_cells(found),
    }


def _cells(found: Any) -> dict[str, Any]:
    """What a table shows of a result; a value that is missing gives its reason instead."""
    if found["value"] is None:
        return {"reason": words.not_estimable(found["reason"])}
    return {
        "reason": None,
        "correct": f"{count(found['value'] * found['n'])} of {count(found['n'])}",
        "rate": percent(found["value"]),
        "interval": interval(found["low"], found["high"]),
        "chance": "not estimable" if found["chance"] is None else percent(found["chance"]),
        "p_value": p_value(found["p_value"]),
    }


def _standings(document: Document) -> dict[str, Any]:
    """The counts behind the chart of standings, without the standings that never occur."""
    rows = charts.standing_rows(document)
    people = {(row["attack"], row["standing"]): row["people"] for row in rows}
    columns = list(dict.fromkeys(row["standing"] for row in rows if row["people"]))
    columns.sort(key={row["standing"]: row["place"] for row in rows}.__getitem__)
    attacks = list(dict.fromkeys(row["attack"] for row in rows))
    lines = [
        {"title": name, "counts": [count(people.get((name, c), 0)) for c in columns]} for name in attacks
    ]
    return {"columns": columns, "rows": lines}


def _charts(document: Document) -> dict[str, dict[str, Any]]:
    """The charts that have something to show, live and as still images."""
    drawn = {}
    if charts.rate_rows(document):
        drawn["rates"] = _chart(charts.rates, document)
    if charts.standing_rows(document):
        drawn["standings"] = _chart(charts.standings, document)
    return drawn


def _chart(draw: Callable[..., charts.Spec], document: Document) -> dict[str, Any]:
    import vl_convert
    from markupsafe import Markup

    still = vl_convert.vegalite_to_svg(draw(document, width=STATIC_WIDTH), vl_version=_vega_lite())
    return {"spec": draw(document), "still": Markup(still)}


@cache
def _javascript() -> Any:
    """The chart libraries, as text that cannot end the script element it stands in."""
    import vl_convert
    from markupsafe import Markup

    bundle = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", vl_version=_vega_lite())
    return Markup(bundle.replace("</script", "<\\/script").replace("<!--", "<\\!--"))


def _vega_lite() -> str:
    """The version of the chart language that altair writes, as vl_convert spells it."""
    import altair

    return ".".join(altair.SCHEMA_VERSION.lstrip("v").split(".")[:2])
