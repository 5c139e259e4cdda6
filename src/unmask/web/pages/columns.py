"""Columns: what each column of the original is, why that is thought, and what a person says to it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from starlette.responses import Response

from unmask.data.io.schema_file import schema_in, to_toml
from unmask.data.schema import KIND_WORDS, Column, Kind, Role, Schema, ValueForm
from unmask.errors import ArgumentError, DataError, SchemaError, UnmaskError
from unmask.web.looks import LookAnswer
from unmask.web.project import REQUEST, Project
from unmask.web.same import same
from unmask.web.visit import Visit, address, as_sent

#: What every kind means, for who chooses one.
KINDS = {
    Kind.NUMERIC: "a number: two values are near or far",
    Kind.ORDINAL: "categories in an order, from low to high",
    Kind.NOMINAL: "categories without an order: equal or not",
    ValueForm.DATE: "a day or a time: near or far",
    ValueForm.BOOLEAN: "yes or no, however it is written",
    ValueForm.CODE: "a code whose beginning is an area or a group, such as a postcode",
    ValueForm.TEXT: "free text, in no attack unless the intruder is said to know it",
}

#: What every role means, for who chooses one.
ROLES = {
    Role.QUASI_IDENTIFIER: "somebody may know it about a person",
    Role.CONFIDENTIAL: "nobody should learn it",
    Role.IDENTIFIER: "names the person or the record",
    Role.WEIGHT: "the sampling weight",
    Role.HOUSEHOLD: "the same for all members of a household",
    Role.IGNORED: "takes no part",
}


@dataclass(frozen=True)
class ColumnRow:
    """A column as the table shows it: what it is, what is proposed, why, and how it is spread."""

    number: int
    name: str
    kind: str
    role: str
    levels: tuple[str, ...]
    missing: tuple[str, ...]
    reasons: tuple[str, ...]
    sketch: dict[str, Any]
    proposed: bool


def show(visit: Visit, error: str | None = None) -> Response:
    """The columns of the original; ``error``: what was wrong with the form that came before."""
    project = visit.project
    request = project.request
    if request is None:
        return visit.go(address(project, "files"))
    seen = looked(visit, project)
    parts: dict[str, Any] = {"seen": seen, "columns": () if seen.found is None else _shown(visit, seen.found)}
    parts |= {"kinds": KINDS, "roles": ROLES, "version": project.version}
    parts["taken"] = {"path": visit.said("path"), "text": visit.said("text").expandtabs(4)}
    if "part" in visit.query:
        return visit.page("columns_table.html.jinja", **parts)
    told = same(request, project.path(REQUEST))
    status = 422 if error else 200
    return visit.page("columns.html.jinja", status, step="columns", same=told, error=error, **parts)


def looked(visit: Visit, project: Project) -> LookAnswer:
    """The columns of the original, under the schema of the request if it has one."""
    request = project.request
    if request is None:
        raise ArgumentError("there is no original file yet", hint="choose it under Files")
    files = request.files
    paths = [path for path in (files.original, files.schema, files.nodes) if path]
    options = asdict(files.options)
    owner = f"{project.name} columns"
    question = {"path": files.original, "paths": paths, "options": options, "schema": files.schema}
    question |= {"shape": files.shape, "nodes": files.nodes}
    return visit.desk.look("file", owner, request, **question)


def _shown(visit: Visit, found: dict[str, Any]) -> list[ColumnRow]:
    """The rows of the table: as a form that was refused says, else as they are."""
    rows = []
    for number, one in enumerate(found["columns"]):
        said = visit.form if visit.posted and f"kind-{number}" in visit.form else None
        rows.append(
            ColumnRow(
                number,
                one["name"],
                one["kind"] if said is None else visit.said(f"kind-{number}"),
                one["role"] if said is None else visit.said(f"role-{number}"),
                tuple(one["levels"] if said is None else _lines(visit.said(f"levels-{number}"))),
                tuple(one["missing"] if said is None else _lines(visit.said(f"missing-{number}"))),
                tuple(one["reasons"]),
                one["sketch"],
                proposed={"kind": one["kind"], "role": one["role"]} == one["proposed"],
            )
        )
    return rows


def save(visit: Visit) -> Response:
    """Keep what the form says as the schema of the project."""
    project = visit.project
    try:
        project.check(visit.said("version"))
        project.save_schema(_schema(visit, project))
    except UnmaskError as error:
        return show(visit, str(error))
    return visit.go(address(project, "intruder" if visit.said("then") == "intruder" else "columns"))


def _schema(visit: Visit, project: Project) -> Schema:
    """The schema of the form. What it does not show (limits, what was recoded) stays as it was."""
    seen = looked(visit, project)
    if seen.found is None:
        raise DataError(seen.error or "the file is still being read", hint="try again in a moment")
    before, columns = project.schema, []
    for number, one in enumerate(seen.found["columns"]):
        if as_sent(visit.said(f"name-{number}")) != as_sent(one["name"]):
            raise ArgumentError("the columns of the file changed meanwhile", hint="look at them, below")
        columns.append(_column(visit, number, one, before))
    return Schema(tuple(columns), before.released if before is not None else ())


def _column(visit: Visit, number: int, one: dict[str, Any], before: Schema | None) -> Column:
    word, role = visit.said(f"kind-{number}"), visit.said(f"role-{number}")
    if word not in KIND_WORDS or role not in {str(each) for each in Role}:
        raise ArgumentError("a column has no kind or no role", hint="choose one of each list")
    levels = _lines(visit.said(f"levels-{number}")) if word in (Kind.ORDINAL, Kind.NOMINAL) else ()
    if word == Kind.NOMINAL and not (
        before is not None and one["name"] in before and before[one["name"]].levels
    ):
        levels = ()  # an open list, as proposed: what is not in it would be refused
    missing = _lines(visit.said(f"missing-{number}"))
    shown = {as_sent(level): level for level in one["levels"]}
    levels = [shown.get(level, level) for level in levels]
    column = Column.of(one["name"], word, Role(role), tuple(levels), tuple(missing))
    if word == Kind.NUMERIC and before is not None and one["name"] in before:
        column = replace(column, minimum=before[one["name"]].minimum, maximum=before[one["name"]].maximum)
    return column


def _lines(text: str) -> list[str]:
    """What stands on the lines of a field."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def take(visit: Visit) -> Response:
    """A schema as TOML, from a file below the folder or as text, in the place of the present one."""
    import tomllib

    project = visit.project
    try:
        project.check(visit.said("version"))
        if project.request is None:
            raise ArgumentError("there is no original file yet", hint="choose it under Files")
        text, path = visit.said("text"), visit.said("path")
        if path:
            text = visit.desk.place.inside(path).read_text(encoding="utf-8")
        if not text:
            raise ArgumentError("there is no schema to take", hint="name a file, or paste its text")
        project.save_schema(schema_in(tomllib.loads(text), "the schema"))
    except UnmaskError as error:
        return show(visit, str(error))
    except (OSError, ValueError, RecursionError):  # also what is no TOML
        refused = SchemaError(
            "that is no schema", hint="give a file that 'unmask describe' or this page wrote"
        )
        return show(visit, str(refused))
    return visit.go(address(project, "columns"))


def export(visit: Visit) -> Response:
    """The schema as TOML: the one that was kept, else the one that is proposed."""
    project = visit.project
    schema = project.schema
    if schema is None:
        seen = looked(visit, project)
        if seen.found is None:
            raise DataError(seen.error or "the file is still being read", hint="try again in a moment")
        schema = Schema(tuple(_proposed(one) for one in seen.found["columns"]))
    headers = {"content-disposition": 'attachment; filename="schema.toml"'}
    return Response(to_toml(schema), media_type="application/toml", headers=headers)


def _proposed(one: dict[str, Any]) -> Column:
    levels = tuple(one["levels"]) if one["kind"] == Kind.ORDINAL else ()
    return Column.of(one["name"], one["kind"], Role(one["role"]), levels, tuple(one["missing"]))
