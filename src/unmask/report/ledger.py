"""The comparison of a new release with recorded earlier ones, as one self-contained HTML file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from unmask.report import releases, words
from unmask.report.charts import Spec
from unmask.report.document import EXPECTED, RELEASES, unjoined
from unmask.report.html import chart, javascript, page
from unmask.report.numbers import count, interval, p_value, percent
from unmask.report.shapes import Document, Kind
from unmask.report.titles import title

_NAMES = {"this": "this release", "combined": "all combined", "averaged": "all combined, numbers averaged"}


def html(document: Document) -> str:
    """A self-contained report of the comparison's document. The same document gives the same bytes."""
    section = document["releases"]
    charts = _charts(section)
    rows = [row for row in section["rows"] if row["measure"] == EXPECTED]
    return page(
        "ledger.html.jinja",
        {
            "headline": releases.headline(section),
            "told": releases.sentences(section),
            "rows": [_cells(row) for row in rows],
            "intruder": [f"The intruder {document['scenario']['text']}.", words.missing(document)],
            "limits": limits(),
            "methods": [
                {"name": name, "title": title(name)} for name in dict.fromkeys(r["attack"] for r in rows)
            ],
            "charts": charts,
            "all_charts": charts,
            "javascript": javascript() if charts else None,
            "document": document,
        },
    )


def limits() -> list[str]:
    """What the comparison does not say."""
    return [
        "The numbers hold for the attacks, the intruder and the earlier releases described here; an intruder "
        "who holds others, or who follows records in another way, may find more people.",
        "What is counted are people whose record in this release is found. The highest rate is the risk: an "
        "intruder may use the releases together or the best one alone.",
        "The 95% interval covers the accident of who is in the file, not what other intruders know.",
    ]


def _cells(row: Mapping[str, Any]) -> dict[str, str | None]:
    """What the table shows of a row; one without a value gives its reason instead."""
    shown: dict[str, str | None] = {
        "name": row["attack"],
        "title": title(row["attack"]).title,
        "release": _NAMES.get(row["release"], row["release"]),
        "reason": None,
    }
    if row["value"] is None:
        return {**shown, "reason": words.not_estimable(row["reason"])}
    return {
        **shown,
        "found": f"{count(row['value'] * row['n'])} of {count(row['n'])}",
        "rate": percent(row["value"]),
        "interval": interval(row["low"], row["high"]),
        "chance": "not estimable" if row["chance"] is None else percent(row["chance"]),
        "p_value": p_value(row["p_value"]),
    }


def _charts(section: releases.Section) -> dict[str, dict[str, Any]]:
    """The chart, where something was estimated."""
    if not releases.chart_rows(section["rows"]):
        return {}
    caption = "Share of people found in each release and in all combined. Line: its 95% interval."
    return {
        "releases": {**chart(partial(_draw, section)), "caption": caption},
    }


def _draw(section: releases.Section, width: int | str) -> Spec:
    return releases.chart(section, width=width)


def _check(document: Document) -> str | None:
    section = document["releases"]
    if not section["earlier"] or unjoined(section):
        return "releases.earlier"
    return None if section["rows"] else "releases.rows"


LEDGER = Kind(
    "unmask-releases",
    1,
    "comparison of releases",
    "unmask ledger assess",
    {
        "unmask": str,
        "seed": int,
        "scenario": {"text": str, "missing": str},
        "releases": RELEASES,
    },
    _check,
)
