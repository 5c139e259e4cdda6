"""Intruder: what somebody outside is taken to know, of whom, and how exactly."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite, nan
from typing import Any

from starlette.responses import Response

from unmask.assessment.request import Request
from unmask.data.schema import Column, Role, Schema
from unmask.data.shapes.named import shape_named
from unmask.errors import ArgumentError, UnmaskError
from unmask.intruder.glimpse import Glimpse
from unmask.intruder.presets import PRESETS
from unmask.intruder.scenario import Scenario
from unmask.parsing import construct, written
from unmask.web.looks import LookAnswer
from unmask.web.pages.columns import looked
from unmask.web.project import REQUEST, check_mask
from unmask.web.same import same
from unmask.web.visit import Visit, address, as_sent

#: The preset of who sets everything themselves.
OWN = "own"


def show(visit: Visit, error: str | None = None) -> Response:
    """The intruder of the request, the presets, and what each of them would know."""
    project = visit.project
    request = project.request
    if request is None:
        return visit.go(address(project, "files"))
    seen = looked(visit, project)
    parts = {"seen": seen, "version": project.version, **_parts(visit, request, seen)}
    if "part" in visit.query:
        return visit.page("intruder_form.html.jinja", **parts)
    told = same(request, project.path(REQUEST))
    status = 422 if error else 200
    return visit.page("intruder.html.jinja", status, step="intruder", same=told, error=error, **parts)


def _parts(visit: Visit, request: Request, seen: LookAnswer) -> dict[str, Any]:
    scenario = request.scenario
    schema = _schema(seen)
    if schema is None:
        return {"presets": (), "attributes": (), "chosen": OWN, "filled": {}}
    names = schema.names(Role.QUASI_IDENTIFIER)
    others = tuple(c.name for c in schema if c.role is Role.CONFIDENTIAL)
    preset = visit.query.get("preset", "")
    if preset in PRESETS:  # who asks for one sees it ticked, and may change it before it is kept
        scenario = PRESETS[preset].scenario(schema)
    filled = _filled(visit, scenario, request)
    known = visit.all_said("known") if visit.posted else names if scenario.known is None else scenario.known
    presets = [(one, ", ".join(one.known(schema))) for one in PRESETS.values()]
    chosen = next((one.name for one, _ in presets if _like(one.scenario(schema), scenario)), OWN)
    return {
        "presets": presets,
        "chosen": OWN if visit.posted else preset if preset in PRESETS else chosen,
        "attributes": [(name, name in known, name in others) for name in (*names, *others)],
        "filled": filled,
        "shape": None if request.files.shape is None else shape_named(request.files.shape).name,
    }


def _filled(visit: Visit, scenario: Scenario, request: Request) -> dict[str, str]:
    """What stands in the fields: as a form that was refused says, else as the scenario does."""
    if visit.posted:
        return {name: visit.said(name) for name in ("targets", "error", "mechanism", "glimpse")}
    people = scenario.targets
    targets = "" if people is None else f"{people * 100:g}%" if people < 1 else str(people)
    seen = written("glimpse", scenario.glimpse).partition(":")[2]
    mechanism = request.mechanism or ""
    return {"targets": targets, "error": f"{scenario.error:g}", "mechanism": mechanism, "glimpse": seen}


def _like(one: Scenario, other: Scenario) -> bool:
    return (one.known, one.targets, one.error) == (other.known, other.targets, other.error)


def _schema(seen: LookAnswer) -> Schema | None:
    """The roles of the columns, as far as they are read."""
    if seen.found is None:
        return None
    return Schema(tuple(Column(one["name"], role=Role(one["role"])) for one in seen.found["columns"]))


def save(visit: Visit) -> Response:
    """Keep the intruder."""
    project = visit.project
    try:
        project.check(visit.said("version"))
        request = project.request
        if request is None:
            raise ArgumentError("there are no files yet", hint="choose them first")
        project.save(_changed(visit, request))
    except UnmaskError as error:
        return show(visit, str(error))
    return visit.go(address(project, "run" if visit.said("then") == "run" else "intruder"))


def _changed(visit: Visit, request: Request) -> Request:
    known = tuple(dict.fromkeys(visit.all_said("known")))
    if not known:
        raise ArgumentError("an intruder who knows nothing finds nobody", hint="tick at least one attribute")
    schema = _schema(looked(visit, visit.project))
    shown = {} if schema is None else {as_sent(column.name): column.name for column in schema}
    known = tuple(shown.get(as_sent(name), name) for name in known)
    # All quasi-identifiers are what is taken where nothing is named: the request stays short.
    everything = schema is not None and known == schema.names(Role.QUASI_IDENTIFIER)
    mechanism = visit.said("mechanism") or None
    if mechanism is not None:
        check_mask(mechanism)
    scenario = replace(
        request.scenario,
        known=None if everything else known,
        targets=_targets(visit.said("targets")),
        error=_number(visit.said("error") or "0", "the error"),
        glimpse=construct(f"glimpse:{visit.said('glimpse')}", "glimpse", {"glimpse": Glimpse}),
    )
    return replace(request, scenario=scenario, mechanism=mechanism)


def _targets(text: str) -> int | float | None:
    if not text:
        return None
    number = _number(text.removesuffix("%"), "the number of people")
    if text.endswith("%"):
        return None if number == 100 else number / 100
    return number if number < 1 else int(number)


def _number(text: str, what: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = nan
    if not isfinite(number):
        raise ArgumentError(f"{what} is no number", hint="write it with digits, as in 0.05")
    return number
