"""The report as one HTML file: nothing in it is loaded from elsewhere, and it also reads without scripts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

from unmask.report import charts, disclosure, learned, learned_charts, releases, words
from unmask.report.document import EXPECTED, UNION, Document, is_baseline, is_informed, result
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
    return page("page.html.jinja", _context(document))


def page(template: str, context: Mapping[str, Any]) -> str:
    """One of the report's templates, filled in."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("unmask", "report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(template).render(context)


def _context(document: Document) -> dict[str, Any]:
    drawn, lessons, curves = _charts(document), _learned_charts(document), _curve_charts(document)
    comparisons = _comparisons(document)
    every = {**drawn, **lessons, **curves, **{part["name"]: part["chart"] for part in comparisons}}
    names = [attack["name"] for attack in document["attacks"]]
    shown = [*names, UNION] if result(document, UNION) else names
    return {
        "headline": words.headline(document),
        "notes": words.notes(document),
        "meaning": [
            told
            for part in (words.ties, words.chance, words.permutations, words.union)
            for told in part(document)
        ],
        "intruder": words.intruder(document),
        "limits": words.limits(document),
        "rows": [_row(document, name) for name in shown],
        "worst_case": {
            "told": learned.sentences(document),
            "legend": learned.legend(document),
            "rows": learned.rows(document),
        },
        "repeatable": words.repeatable(document),
        "families": disclosure.families(document),
        "results": [_result(r) for r in document["results"]],
        "methods": [{"name": name, "title": title(name)} for name in [*shown, *_measures(document)]],
        "charts": drawn,
        "learned_charts": lessons,
        "curve_charts": curves,
        "comparisons": comparisons,
        "all_charts": every,
        "standings": _standings(document),
        "javascript": javascript() if every else None,
        "document": document,
    }


def _row(document: Document, name: str) -> dict[str, Any]:
    """One attack's line in the main table."""
    found = result(document, name)
    worst = name == document["worst"] and not is_baseline(document, name)
    shown = {
        "name": name,
        "title": title(name).title,
        "worst": worst,
        "informed": is_informed(document, name),
    }
    if found is None:
        return {**shown, "reason": words.not_estimable("it was not measured")}
    return {**shown, **_cells(found)}


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
        "p_value": p_value(found["p_value"])
        if found["p_value"] is not None or not found["reason"]
        else "none",
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


def _learned_charts(document: Document) -> dict[str, dict[str, Any]]:
    """For every worst case what its parameters mean: how much each attribute counts, alone and in pairs."""
    drawn = {}
    for i, attack in enumerate(document["attacks"]):
        lesson = attack.get("learned")
        if not lesson:
            continue
        name = title(attack["name"]).title
        if lesson["weights"]:
            draw = partial(learned_charts.weights_chart, attack=attack["name"])
            drawn[f"weights-{i}"] = {**_chart(draw, document), "caption": f"What counts in {name}"}
        if lesson["interactions"]:
            draw = partial(learned_charts.interactions_chart, attack=attack["name"])
            drawn[f"pairs-{i}"] = {**_chart(draw, document), "caption": f"Attributes together in {name}"}
    return drawn


def _curve_charts(document: Document) -> dict[str, dict[str, Any]]:
    """For every measure of the file that depends on a setting: how."""
    return {
        f"curve-{i}": {
            **_chart(partial(disclosure.curves, measure=measure), document),
            "caption": title(measure).title,
            "measure": measure,
        }
        for i, measure in enumerate(disclosure.curve_measures(document))
    }


def _comparisons(document: Document) -> list[dict[str, Any]]:
    """What several releases, or several sources of knowledge, tell together: in words and as a chart."""
    parts = []
    for name, key, heading, tell in (
        ("releases", "release", "With earlier releases", releases.sentences),
        ("sources", "source", "Several sources of knowledge", releases.source_sentences),
    ):
        section = document.get(name)
        if section:
            drawn = chart(partial(_compared, section, key))
            told = tell(section)
            parts.append(
                {"name": name, "title": heading, "told": told, "chart": drawn | {"caption": heading}}
            )
    return parts


def _compared(section: Mapping[str, Any], key: str, width: int | str) -> charts.Spec:
    return releases.chart(section, key=key, width=width)


def _measures(document: Document) -> list[str]:
    return list(dict.fromkeys(found["measure"] for found in document.get("findings", [])))


def _chart(draw: Callable[..., charts.Spec], document: Document) -> dict[str, Any]:
    return chart(lambda width: draw(document, width=width))


def chart(draw: Callable[[int | str], charts.Spec]) -> dict[str, Any]:
    """A chart as a live specification and as a still image for readers without scripts."""
    import vl_convert
    from markupsafe import Markup

    still = vl_convert.vegalite_to_svg(draw(STATIC_WIDTH), vl_version=_vega_lite())
    return {"spec": draw("container"), "still": Markup(still)}


@cache
def javascript() -> Any:
    """The chart libraries, as text that cannot end the script element it stands in."""
    import vl_convert
    from markupsafe import Markup

    bundle = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", vl_version=_vega_lite())
    return Markup(bundle.replace("</script", "<\\/script").replace("<!--", "<\\!--"))


def _vega_lite() -> str:
    """The version of the chart language that altair writes, as vl_convert spells it."""
    import altair

    return ".".join(altair.SCHEMA_VERSION.lstrip("v").split(".")[:2])
