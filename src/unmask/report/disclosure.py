"""What is learned without linking: the measures of the whole file, as tables and curves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unmask.report.charts import Spec, finished
from unmask.report.document import Document
from unmask.report.families import FAMILIES, family_of
from unmask.report.numbers import count, percent
from unmask.report.titles import title

Found = Mapping[str, Any]

#: Okabe and Ito's palette; a chart with more lines than colours takes them again.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8A8A8A", "#F0E442")


def families(document: Document) -> list[dict[str, Any]]:
    """The findings by family, in the order in which a reader needs them.

    >>> found = {"measure": "k-anonymity", "subject": "", "value": 3.0, "low": None, "high": None, "n": 9,
    ...          "baseline": None, "unit": "level", "meaning": "The smallest group has 3.", "reason": None,
    ...          "curve": None}
    >>> [(f["title"], f["rows"][0]["value"]) for f in families({"findings": [found]})]
    [('Who stands out', '3')]
    """
    found = document.get("findings", [])
    parts = []
    for family in FAMILIES:
        mine = [f for f in found if family_of(f["measure"]) == family.name]
        if mine:
            rows = [_row(f) for f in mine]
            told = list(dict.fromkeys(f["meaning"] for f in mine if f["value"] is not None))
            parts.append(
                {
                    "name": family.name,
                    "title": family.title,
                    "about": family.about,
                    "rows": rows,
                    "told": told,
                }
            )
    return parts


def strongest(document: Document) -> list[dict[str, Any]]:
    """One row a leading measure: the attribute that it finds most about, and how many others it speaks of.

    Where none of the leading measures was taken, all that were are shown.
    """
    taken = list(dict.fromkeys(f["measure"] for f in document.get("findings", [])))
    lead = [name for family in FAMILIES for name in family.lead]
    rows = []
    for measure in [name for name in taken if name in lead] or taken:
        mine = [f for f in document["findings"] if f["measure"] == measure]
        # A level such as k of k-anonymity is worse the lower it is; of those the first is told.
        top = max(mine, key=_strength)
        rows.append({**_row(top), "others": len(mine) - 1})
    return rows


def curve_measures(document: Document) -> list[str]:
    """The measures that have curves to draw."""
    drawn = (f["measure"] for f in document.get("findings", []) if _drawn(f))
    return list(dict.fromkeys(drawn))


def curves(document: Document, measure: str, width: int | str = "container") -> Spec:
    """How a measure's value changes with its setting, one line an attribute."""
    import altair as alt

    mine = [f for f in document["findings"] if f["measure"] == measure and _drawn(f)]
    share = mine[0]["unit"] == "share"
    rows = [
        {**point, "about": f["subject"] or "all attributes", "shown": _number(point["value"], f["unit"])}
        for f in mine
        for point in f["curve"]["points"]
    ]
    names = list(dict.fromkeys(row["about"] for row in rows))
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        x=alt.X("at:Q", title=mine[0]["curve"]["over"]),
        color=alt.Color(
            "about:N",
            scale=alt.Scale(domain=names, range=[_COLOURS[i % len(_COLOURS)] for i in range(len(names))]),
            legend=alt.Legend(title=None, orient="top", columns=4, labelLimit=180),
        ),
        tooltip=["about:N", "at:Q", alt.Tooltip("shown:N", title="value")],
    )
    axis = alt.Y(
        "value:Q",
        title=title(measure).title,
        axis=alt.Axis(format="~p" if share else "~s", tickCount=5),
    )
    band = base.mark_area(opacity=0.12).encode(y=alt.Y("low:Q"), y2="high:Q")
    layers = alt.layer(band, base.mark_line(point=True, strokeWidth=2).encode(y=axis))
    return finished(layers, 8, width)


def _strength(found: Found) -> float:
    value = found["value"]
    if value is None:
        return float("-inf")
    return float(value - (found["baseline"] or 0.0)) if found["unit"] == "share" else float(value)


def _drawn(found: Found) -> bool:
    return found.get("curve") is not None and len(found["curve"]["points"]) > 1


def _row(found: Found) -> dict[str, Any]:
    unit = found["unit"]
    shown = {
        "name": found["measure"],
        "title": title(found["measure"]).title,
        "subject": found["subject"] or "the whole file",
        "n": count(found["n"]),
    }
    if found["value"] is None:
        return {**shown, "reason": f"not estimable: {found['reason'] or 'no reason is given'}"}
    both = found["low"] is not None and found["high"] is not None
    return {
        **shown,
        "reason": None,
        "value": _number(found["value"], unit),
        "interval": f"{_number(found['low'], unit)} to {_number(found['high'], unit)}" if both else "",
        "baseline": "" if found["baseline"] is None else _number(found["baseline"], unit),
    }


def _number(value: float, unit: str) -> str:
    if unit == "share":
        return percent(value) if value >= 0 else f"-{percent(-value)}"
    return count(value) if unit == "count" else f"{value:.4g}"
