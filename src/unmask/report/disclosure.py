"""What is learned without linking: the measures of the whole file, as tables and curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


def worst_findings(document: Document) -> list[dict[str, Any]]:
    """One row a measure: its worst finding, and how many others it has.

    The worst is the largest (a share: beyond its baseline), or the smallest where the measure's title says
    that fewer is worse; of equal ones that of the whole file. Where a title names the finding that stands for
    the measure, it is that one. Shown are the measures asked for by name, else the leading ones; where none
    of those was taken, all.

    >>> hiv = {"measure": "l-diversity", "subject": "hiv", "value": 1.0, "low": None, "high": None, "n": 9,
    ...        "baseline": 2.0, "unit": "level", "meaning": "", "reason": None, "curve": None}
    >>> pay = hiv | {"subject": "pay", "value": 41.0}
    >>> [(row["subject"], row["value"], row["others"]) for row in worst_findings({"findings": [pay, hiv]})]
    [('hiv', '1', 1)]
    """
    taken = _by_measure(document)
    lead = [name for family in FAMILIES for name in family.lead]
    shown = [name for name in taken if name in lead or document.get("named")] or list(taken)
    rows = []
    for measure in shown:
        valued = [f for f in taken[measure] if f["value"] is not None]
        if valued:
            rows.append({**_row(_worst(measure, valued)), "others": len(taken[measure]) - 1})
    return rows


def unfounded(document: Document) -> list[str]:
    """The measures of which nothing can be estimated, once a reason.

    >>> none = {"measure": "t-closeness", "subject": "", "value": None, "reason": "nothing is confidential"}
    >>> unfounded({"findings": [none, none | {"measure": "l-diversity"}]})
    ['t-closeness, l-diversity: not estimable: nothing is confidential']
    """
    reasons: dict[str, list[str]] = {}
    for measure, mine in _by_measure(document).items():
        if all(f["value"] is None for f in mine):
            reasons.setdefault(mine[0]["reason"] or "no reason is given", []).append(measure)
    return [f"{', '.join(names)}: not estimable: {reason}" for reason, names in reasons.items()]


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


def _by_measure(document: Document) -> dict[str, list[Found]]:
    grouped: dict[str, list[Found]] = {}
    for found in document.get("findings", []):
        grouped.setdefault(found["measure"], []).append(found)
    return grouped


def _worst(measure: str, valued: Sequence[Found]) -> Found:
    """The finding that a person who answers for the release has to see; all of them have values."""
    how = title(measure)
    head = [f for f in valued if how.head is not None and f["subject"] == how.head]
    sign = -1 if how.fewer else 1
    return max(head or valued, key=lambda f: (sign * round(_beyond(f), 9), not f["subject"]))


def _beyond(found: Found) -> float:
    """The value; a share beyond what the intruder would have anyway."""
    return float(found["value"] - (found["baseline"] or 0.0 if found["unit"] == "share" else 0.0))


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
