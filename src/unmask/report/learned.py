"""The worst case in words, a table and charts: attacks that were handed the truth.

Every sentence says that the truth informed them. A worst case bounds what an intruder can reach with one form
of distance; the hold-out shows what one could reach who learns from people whom he already knows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from unmask.report.document import EXPECTED, STRICT, Document, result
from unmask.report.learned_rows import interaction_rows, lessons, weight_rows
from unmask.report.numbers import count, interval, people, percent
from unmask.report.titles import title

Reading = Mapping[str, Any]

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
#: Weights that differ by less are the same.
_ALIKE = 1e-6
#: Below this margin the closest call hangs on digits that rounding takes away.
_KNIFE_EDGE = 1e-4


def sentences(document: Document) -> list[str]:
    """What the worst cases and hold-outs say, in plain English; nothing where no attack was informed.

    >>> sentences({"attacks": [{"name": "dbrl", "baseline": False}], "results": []})
    []
    """
    taught = lessons(document)
    holdouts = [a["name"] for a in document["attacks"] if a.get("informed") and not a.get("learned")]
    if not taught and not holdouts:
        return []
    told = [
        "A worst case is a yardstick, not an intruder: its distance was tuned with the right answers in "
        "hand, to find as many people as a distance of its form can. No intruder has the answers for "
        "everybody."
    ]
    for name, lesson in taught.items():
        told += [_found(name, lesson), *_right(document, name, lesson), *_knife_edge(lesson)]
        told += [*_carriers(lesson), *_strongest(lesson)]
    told += _ceilings(list(taught.values()))
    told += [_held_out(document, name) for name in holdouts]
    return told


def rows(document: Document) -> list[dict[str, str]]:
    """One row a worst case: what it finds, what is proven, and how it does on people not learned from.

    ``found``, ``bound`` and ``hold-out`` are in one reading, that of what was learned: the true record is the
    only nearest, or it and the records identical to it are (``twins``). Beside both stand the ``links`` that
    are right on average when one of the nearest is picked.

    >>> lesson = {"form": "wm", "records": 10, "found": 8, "bound": 9, "ceiling": 10, "status": "bounded"}
    >>> risk = {"attacks": [{"name": "learned-wm", "learned": lesson, "informed": True}], "results": []}
    >>> rows(risk)[0]["found"], rows(risk)[0]["bound"], rows(risk)[0]["hold-out"]
    ('8 of 10 (80.0%)', '9 (90.0%)', 'not tried')
    """
    return [
        {
            "name": name,
            "attack": _form(name),
            "found": f"{count(lesson['found'])} of {count(lesson['records'])} ({_share(lesson, 'found')})",
            "bound": "not proven" if lesson["bound"] is None else _counted(lesson, "bound"),
            "links": _rate(_reading(document, name, "expected"), "not measured"),
            "ceiling": _counted(lesson, "ceiling"),
            "status": lesson["status"],
            "margin": "none" if lesson.get("margin") is None else percent(lesson["margin"]),
            "hold-out": _rate(_on_others(document, name, _read_as(lesson)), "not tried"),
            "hold-out links": _rate(_on_others(document, name, "expected"), "not tried"),
        }
        for name, lesson in lessons(document).items()
    ]


def in_groups(document: Document) -> bool:
    """Whether somebody is found with records that are identical to his, and not alone."""
    return any(_in_groups(lesson) for lesson in lessons(document).values())


def legend(document: Document) -> str:
    """What the rows count; that groups of identical records count as one is said where there are any."""
    if not in_groups(document):
        return (
            "Found: people whose record is nearer than all others, with parameters that the truth informed; "
            "and with parameters learned from other people. Without a twin: people whose record no other "
            "equals."
        )
    return (
        "Found: people for whom the right record, or the right group of identical records, is nearer than "
        "all others, with parameters that the truth informed; and with parameters learned from other people. "
        "Right links: how many an intruder gets right who picks one record of the group at random. Without a "
        "twin: people whose record no other equals; nobody else can be told apart from his group."
    )


def _right(document: Document, name: str, lesson: Mapping[str, Any]) -> list[str]:
    """How many links are right where a group is found and not a record."""
    found = _reading(document, name, "expected")
    if not _in_groups(lesson) or found is None or found["value"] is None:
        return []
    return [f"Picking one record of the group at random is right for {_hits(found)}."]


def _found(name: str, lesson: Mapping[str, Any]) -> str:
    """How many the worst case finds, and whether more could be."""
    what = _PARAMETERS.get(lesson["form"], "parameters")
    told = (
        f"Worst case ({_form(name)}, informed by the truth): of the {people(lesson['records'])} "
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


def _form(name: str) -> str:
    """What is learned, where it is said already that it is a worst case."""
    return title(name).title.removeprefix("worst case, ").replace(", on other people", "")


def _in_groups(lesson: Mapping[str, Any]) -> bool:
    """Whether people count as found whose record is told apart from all but its identical twins."""
    return lesson.get("twins") == "shared" and lesson["ceiling"] < lesson["records"]


def _reached(lesson: Mapping[str, Any]) -> str:
    if _in_groups(lesson):
        return "single out the right record, or the right group of identical records, for"
    return "single out the right record of"


def _knife_edge(lesson: Mapping[str, Any]) -> list[str]:
    margin = lesson["margin"]
    if not lesson["found"] or margin is None or margin >= _KNIFE_EDGE:
        return []
    return [
        "That count hangs on a thin margin: in the closest call the next record is hardly farther away than "
        "the right one, so parameters that are rounded may find fewer."
    ]


def _carriers(lesson: Mapping[str, Any]) -> list[str]:
    """The attributes that have most of the weight together."""
    shown = [row for row in weight_rows(lesson) if row["weight"] > 0]
    if not shown:
        return []
    if lesson["form"] == "owa":
        top = max(shown, key=lambda row: row["weight"])
        return [
            f"What is weighted there are not attributes but places in the order of a pair's differences; the "
            f"{top['label']} counts most ({top['share']})."
        ]
    if (
        len(shown) > 1
        and shown[0]["weight"] - shown[-1]["weight"] < _ALIKE
        and len(shown) == len(lesson["weights"])
    ):
        return ["All attributes count alike there."]
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
    shown = [row for row in interaction_rows(lesson) if abs(row["value"]) >= _NOTABLE]
    if not shown or lesson["form"] not in _TOGETHER:
        return []
    how = (_TOGETHER if shown[0]["value"] > 0 else _INSTEAD)[lesson["form"]]
    return [f"Of all pairs of attributes, {shown[0]['pair']} interact most: they {how}."]


def _ceilings(taught: Sequence[Mapping[str, Any]]) -> list[str]:
    """What no distance can pass, once for each group of people learned from."""
    told = []
    for records, ceiling in dict.fromkeys((lesson["records"], lesson["ceiling"]) for lesson in taught):
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
    told = f"Hold-out ({_form(name)}): learned on some people with the truth and tried on others"
    lesson = lessons(document).get(name.replace("-holdout", "", 1))
    grouped = lesson is not None and _in_groups(lesson)
    found = _reading(document, name, "alone" if lesson is None else _read_as(lesson))
    right = _reading(document, name, "expected")
    if found is None or right is None or found["value"] is None:
        reason = "it was not measured" if found is None else found["reason"] or "no reason is given"
        return f"{told}, what it finds is not estimable: {reason}."
    reach = (
        "what an intruder could reach who already knows the records of some people and learns from them how "
        "to find the others."
    )
    if not grouped:
        return f"{told}, it singles out the right record of {_hits(found)}. That is {reach}"
    return (
        f"{told}, it singles out the right record, or the right group of identical records, for "
        f"{_hits(found)}. Picking one record of the group at random is right for {_hits(right)}: that is "
        f"{reach}"
    )


def _hits(found: Reading) -> str:
    hits = f"{count(found['value'] * found['n'])} of {count(found['n'])}"
    return f"{hits} ({percent(found['value'])}; 95% interval {interval(found['low'], found['high'])})"


def _rate(found: Reading | None, otherwise: str) -> str:
    if found is None:
        return otherwise
    if found["value"] is None:
        return f"not estimable: {found['reason'] or 'no reason is given'}"
    return percent(found["value"])


def _read_as(lesson: Mapping[str, Any]) -> str:
    """The reading in which the lesson counts."""
    return "group" if lesson.get("twins") == "shared" else "alone"


def _on_others(document: Document, name: str, kind: str) -> Reading | None:
    """A reading of the hold-out that belongs to a worst case."""
    base, colon, options = name.partition(":")
    return _reading(document, f"{base}-holdout{colon}{options}", kind)


def _reading(document: Document, name: str, kind: str) -> Reading | None:
    """A reading of an informed attack; documents from before there were any have that of the measure."""
    for attack in document["attacks"]:
        if attack["name"] == name and attack.get("readings"):
            found: Reading = attack["readings"][kind]
            return found
    return result(document, name, {"alone": STRICT, "expected": EXPECTED}.get(kind, ""))


def _share(lesson: Mapping[str, Any], key: str) -> str:
    return percent(lesson[key] / lesson["records"]) if lesson["records"] else "not estimable"


def _counted(lesson: Mapping[str, Any], key: str) -> str:
    return f"{count(lesson[key])} ({_share(lesson, key)})"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
