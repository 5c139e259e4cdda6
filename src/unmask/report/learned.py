"""The worst case in words, a table and charts: attacks that were handed the truth.

Every sentence says that the truth informed them. A worst case bounds what an intruder can reach with one form
of distance; the hold-out shows what one could reach who learns from people whom he already knows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from unmask.report.charts import Row, Spec, finished
from unmask.report.document import EXPECTED, LENIENT, STRICT, Document, result
from unmask.report.numbers import count, interval, people, percent
from unmask.report.titles import title

#: What is learned in each form, as a reader calls it.
_PARAMETERS = {
    "wm": "weights",
    "owa": "weights",
    "choquet": "weights of sets of attributes",
    "bilinear": "weights of attributes and pairs",
}
#: How a pair with a positive and with a negative interaction counts, where the form has interactions.
_TOGETHER = {
    "choquet": "count above all when a record differs in both of them",
    "bilinear": "count more when a record differs in both of them in the same direction",
}
_INSTEAD = {
    "choquet": "say much the same, so that a difference in either of them is enough",
    "bilinear": "count less when a record differs in both of them in the same direction",
}
#: Attributes are named until they have this share of the weight together, and interactions from this size on.
_MOST, _NOTABLE = 0.8, 0.05
#: Below this margin the closest call hangs on digits that rounding takes away.
_KNIFE_EDGE = 1e-4

_MORE, _LESS = "more together", "less together"
_COLOURS = {_MORE: "#D55E00", _LESS: "#0072B2"}


def sentences(document: Document) -> list[str]:
    """What the worst cases and hold-outs say, in plain English; nothing where no attack was informed.

    >>> sentences({"attacks": [{"name": "dbrl", "baseline": False}], "results": []})
    []
    """
    lessons = _lessons(document)
    holdouts = [a["name"] for a in document["attacks"] if a.get("informed") and not a.get("learned")]
    if not lessons and not holdouts:
        return []
    told = [
        "A worst case is a yardstick, not an intruder: its distance was tuned with the right answers in "
        "hand, to find as many people as a distance of its form can. No intruder has the answers for "
        "everybody."
    ]
    for name, lesson in lessons.items():
        told += [_found(name, lesson), *_knife_edge(lesson), *_carriers(lesson), *_strongest(lesson)]
    told += _ceilings(list(lessons.values()))
    told += [_held_out(document, name) for name in holdouts]
    return told


def rows(document: Document) -> list[dict[str, str]]:
    """One row a worst case: what it finds, what is proven, and how it does on people not learned from.

    Found and bound are in the reading of what was learned: strictly (the true record is the only nearest), or
    with identical records as one (``twins``). The hold-out follows, where the assessment has that reading.

    >>> lesson = {"form": "wm", "records": 10, "found": 8, "bound": 9, "ceiling": 10, "status": "bounded"}
    >>> risk = {"attacks": [{"name": "learned-wm", "learned": lesson, "informed": True}], "results": []}
    >>> rows(risk)[0]["found"], rows(risk)[0]["bound"], rows(risk)[0]["hold-out"]
    ('8 of 10 (80.0%)', '9 (90.0%)', 'not tried')
    """
    return [
        {
            "attack": title(name).title,
            "found": f"{count(lesson['found'])} of {count(lesson['records'])} ({_share(lesson, 'found')})",
            "bound": "not proven" if lesson["bound"] is None else _counted(lesson, "bound"),
            "ceiling": _counted(lesson, "ceiling"),
            "status": lesson["status"],
            "hold-out": _holdout_rate(document, name),
        }
        for name, lesson in _lessons(document).items()
    ]


def weights_chart(document: Document, attack: str, width: int | str = "container") -> Spec:
    """How much each attribute counts in what was learned; for an OWA, each place in the order."""
    import altair as alt

    lesson = _lessons(document)[attack]
    shown = _weight_rows(lesson)
    labels = [row["label"] for row in shown]
    chart = (
        alt.Chart(alt.InlineData(values=shown))
        .mark_bar(height=18, color="#0072B2")
        .encode(
            y=alt.Y("label:N", sort=labels, title=None, axis=_names_axis()),
            x=alt.X(
                "weight:Q",
                title="share of the weight",
                scale=alt.Scale(domainMin=0),
                axis=alt.Axis(format="~p", tickCount=6),
            ),
            tooltip=[alt.Tooltip("label:N", title=_what(lesson)), alt.Tooltip("share:N", title="weight")],
        )
    )
    return finished(chart, len(labels), width)


def interactions_chart(document: Document, attack: str, width: int | str = "container") -> Spec:
    """The pairs of attributes that count more, or less, together than each by itself; strongest first."""
    import altair as alt

    shown = _interaction_rows(_lessons(document)[attack])
    labels = [row["pair"] for row in shown]
    kinds = [kind for kind in _COLOURS if any(row["kind"] == kind for row in shown)]
    chart = (
        alt.Chart(alt.InlineData(values=shown))
        .mark_bar(height=18)
        .encode(
            y=alt.Y("pair:N", sort=labels, title=None, axis=_names_axis()),
            x=alt.X("value:Q", title="interaction", axis=alt.Axis(tickCount=6)),
            color=alt.Color(
                "kind:N",
                scale=alt.Scale(domain=kinds, range=[_COLOURS[kind] for kind in kinds]),
                legend=alt.Legend(title=None, orient="top"),
            ),
            tooltip=["pair:N", alt.Tooltip("shown:N", title="interaction"), "kind:N"],
        )
    )
    return finished(chart, len(labels), width)


def _lessons(document: Document) -> dict[str, Mapping[str, Any]]:
    """What was learned, by attack."""
    return {attack["name"]: attack["learned"] for attack in document["attacks"] if attack.get("learned")}


def _found(name: str, lesson: Mapping[str, Any]) -> str:
    """How many the worst case finds, and whether more could be."""
    what = _PARAMETERS.get(lesson["form"], "parameters")
    told = (
        f"Worst case ({title(name).title}, informed by the truth): of the {people(lesson['records'])} "
        f"learned from, the {what} found {_reached(lesson)} {_counted(lesson, 'found')}."
    )
    if lesson["bound"] is None:
        return f"{told} Whether others would find more was not examined."
    if lesson["found"] >= lesson["bound"]:
        return f"{told} It is proven that no other {what} find more."
    gap = lesson["bound"] - lesson["found"]
    return (
        f"{told} It is proven that no other {what} find more than {_counted(lesson, 'bound')}; the search "
        f"ended before it could tell about the {people(gap)} between."
    )


def _in_groups(lesson: Mapping[str, Any]) -> bool:
    """Whether people count as found whose record is told apart from all but its identical twins."""
    return lesson.get("twins") == "shared" and lesson["ceiling"] < lesson["records"]


def _reached(lesson: Mapping[str, Any]) -> str:
    if _in_groups(lesson):
        return "put the right record, or the group of identical records that it is in, nearest for"
    return "single out the right record of"


def _knife_edge(lesson: Mapping[str, Any]) -> list[str]:
    if not lesson["found"] or lesson["margin"] >= _KNIFE_EDGE:
        return []
    return [
        "That count hangs on a thin margin: in the closest call the next record is hardly farther away than "
        "the right one, so parameters that are rounded may find fewer."
    ]


def _carriers(lesson: Mapping[str, Any]) -> list[str]:
    """The attributes that have most of the weight together."""
    shown = [row for row in _weight_rows(lesson) if row["weight"] > 0]
    if not shown:
        return []
    if lesson["form"] == "owa":
        top = max(shown, key=lambda row: row["weight"])
        return [
            f"What is weighted there are not attributes but places in the order of a pair's differences; the "
            f"{top['label']} counts most ({top['share']})."
        ]
    named, total = [], 0.0
    for row in shown:
        named.append(f"{row['label']} ({row['share']})")
        total += row["weight"]
        if total >= _MOST:
            break
    return [
        f"Of what makes the difference there, most is in {_listed(named)}: these attributes tell the people "
        "of this file apart best as released. Other weights may do about as well."
    ]


def _strongest(lesson: Mapping[str, Any]) -> list[str]:
    """The pair of attributes with the strongest interaction, where one is notable."""
    shown = [row for row in _interaction_rows(lesson) if abs(row["value"]) >= _NOTABLE]
    if not shown or lesson["form"] not in _TOGETHER:
        return []
    how = (_TOGETHER if shown[0]["value"] > 0 else _INSTEAD)[lesson["form"]]
    return [f"Of all pairs of attributes, {shown[0]['pair']} interact most: they {how}."]


def _ceilings(lessons: Sequence[Mapping[str, Any]]) -> list[str]:
    """What no distance can pass, once for each group of people learned from."""
    told = []
    for records, ceiling in dict.fromkeys((lesson["records"], lesson["ceiling"]) for lesson in lessons):
        alike = records - ceiling
        if alike:
            share = "shares" if alike == 1 else "share"
            told.append(
                f"No distance between attributes can single out more than {count(ceiling)} of the "
                f"{people(records)} ({percent(ceiling / records)}): {people(alike)} {share} all released "
                "values with somebody else."
            )
    return told


def _held_out(document: Document, name: str) -> str:
    """What learning from some people finds among others."""
    found = _tried_on_others(document, name)
    told = f"Hold-out ({title(name).title}): learned on some people with the truth and tried on others"
    if found is None or found["value"] is None:
        reason = "it was not measured" if found is None else found["reason"] or "no reason is given"
        return f"{told}, what it finds is not estimable: {reason}."
    hits = f"{count(found['value'] * found['n'])} of {count(found['n'])}"
    return (
        f"{told}, it finds {hits} ({percent(found['value'])}; 95% interval "
        f"{interval(found['low'], found['high'])}). That is what an intruder could reach who already knows "
        "the records of some people and learns from them how to find the others."
    )


def _holdout_rate(document: Document, name: str) -> str:
    base, colon, options = name.partition(":")
    for other in (f"{base}-holdout{colon}{options}", f"{name}-holdout"):
        found = _tried_on_others(document, other)
        if found is not None:
            if found["value"] is None:
                return f"not estimable: {found['reason'] or 'no reason is given'}"
            return percent(found["value"])
    return "not tried"


def _tried_on_others(document: Document, name: str) -> Mapping[str, Any] | None:
    """The hold-out's result in the reading of what was learned: with groups, a place among the nearest."""
    lesson = _lessons(document).get(name.replace("-holdout", "", 1))
    reading = LENIENT if lesson is not None and _in_groups(lesson) else STRICT
    return result(document, name, reading) or result(document, name, EXPECTED)


def _weight_rows(lesson: Mapping[str, Any]) -> list[Row]:
    """The weights with their labels: attributes by falling weight, or places from the largest difference."""
    if lesson["form"] == "owa":
        n = len(lesson["parameters"])
        pairs = [(_place(i, n), float(weight)) for i, weight in enumerate(lesson["parameters"])]
    else:
        pairs = list(zip(lesson["attributes"], map(float, lesson["weights"]), strict=True))
        pairs.sort(key=lambda pair: -pair[1])
    return [{"label": label, "weight": weight, "share": _weight(weight)} for label, weight in pairs]


def _interaction_rows(lesson: Mapping[str, Any]) -> list[Row]:
    """The pairs of attributes by falling strength of interaction."""
    names = lesson["attributes"]
    strongest = sorted(lesson["interactions"], key=lambda entry: -abs(entry[2]))
    return [
        {
            "pair": f"{names[i]} and {names[j]}",
            "value": value,
            "shown": f"{value:+.3f}",
            "kind": _MORE if value > 0 else _LESS,
        }
        for i, j, value in strongest
    ]


def _place(i: int, n: int) -> str:
    if n > 1 and i == n - 1:
        return "smallest difference"
    ordinal = {0: "", 1: "2nd ", 2: "3rd "}.get(i, f"{i + 1}th ")
    return f"{ordinal}largest difference"


def _what(lesson: Mapping[str, Any]) -> str:
    return "place" if lesson["form"] == "owa" else "attribute"


def _weight(weight: float) -> str:
    return percent(min(max(weight, 0.0), 1.0))


def _share(lesson: Mapping[str, Any], key: str) -> str:
    return percent(lesson[key] / lesson["records"]) if lesson["records"] else "not estimable"


def _counted(lesson: Mapping[str, Any], key: str) -> str:
    return f"{count(lesson[key])} ({_share(lesson, key)})"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _names_axis() -> Any:
    import altair as alt

    return alt.Axis(labelLimit=220, ticks=False, domain=False)
