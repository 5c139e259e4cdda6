"""The Python call that does what a request asks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import StrEnum
from math import isfinite
from typing import Any

from unmask.assessment.asked import requested, requested_study
from unmask.assessment.equivalents.parts import APART, USUAL_ATTACK, changed, number_text, refused, sayable
from unmask.assessment.request import REPLICATES, Request, RequestFiles, Verb
from unmask.data.edits import ColumnEdit
from unmask.masks import Mask, parse
from unmask.parsing import written

#: The function of each verb.
_FUNCTIONS = {verb: verb.value for verb in Verb} | {
    Verb.KNOWLEDGE: "knowledge_curves",
    Verb.COMPARE: "assess_releases",
}
#: A longer call has a line for each argument.
_WIDTH = 88

#: Fields that an argument of the same name says, or of another one.
_FIELDS = {
    **{name: name for name in ("masks", "replicates", "least", "policy")},
    **{
        f"files.{name}": name
        for name in ("schema", "released_schema", "truth", "synthetic", "sidecar", "earlier", "follow")
    },
    **{f"files.{name}": name for name in ("population", "holdout", "model", "trust_model")},
    **{f"files.{name}": name for name in ("shape", "released_shape", "nodes", "released_nodes", "pairs")},
    **{name: name for name in ("attacks", "measures", "losses", "mechanism", "false_links", "missed")},
    **{name: name for name in ("candidates", "depth", "time_limit", "sample", "budget", "full", "seed")},
    **{name: name for name in ("exact", "keep_identifiers")},
}
#: What 'unmask.mask' takes.
_OF_MASK = ("schema", "seed", "exact", "keep_identifiers", "shape", "nodes")


def python(request: Request) -> str:
    """A few lines of Python that do what a request asks, and run as they are.

    Only what differs from the defaults is said. What the function has no argument for is refused. Passwords
    of databases are left out. A masked file comes as a frame of polars, with nothing left beside it.

    >>> from unmask.intruder.scenario import Scenario
    >>> print(python(Request(RequestFiles("people.csv", "b.csv"), scenario=Scenario(("age", "sex")), seed=1)))
    import unmask
    <BLANKLINE>
    result = unmask.assess("people.csv", "b.csv", known=["age", "sex"], seed=1)
    <BLANKLINE>
    """
    request = sayable(request)
    function, keywords = f"unmask.{_FUNCTIONS[request.verb]}", _keywords(request)
    _check(request, keywords, function)
    ordered = [*map(_text, _positional(request))]
    ordered += [f"{name}={_text(value)}" for name, value in keywords.items()]
    call = f"result = {function}({', '.join(ordered)})"
    if len(call) > _WIDTH:
        call = "".join((f"result = {function}(\n", *(f"    {one},\n" for one in ordered), ")"))
    return f"import unmask\n\n{call}\n"


def _positional(request: Request) -> tuple[object, ...]:
    """The files, masks and releases that are given without a name."""
    files = request.files
    if request.verb is Verb.MASK:
        return (files.original, request.mask)
    if request.verb is Verb.STUDY:
        return (files.original, request.masks)
    if request.verb is Verb.PROTECT:
        return (files.original,)
    released = files.released if request.mask is None else parse(request.mask)
    more = (files.earlier,) if request.verb is Verb.COMPARE else ()
    return (files.original, released, *more)


def _keywords(request: Request) -> dict[str, object]:
    """The arguments that differ from their defaults, by name."""
    parts = {path: value for path, value in changed(request) if path not in (*APART, "mask")}
    for apart in {Verb.STUDY: ("masks",), Verb.COMPARE: ("files.earlier",)}.get(request.verb, ()):
        parts.pop(apart, None)
    if request.verb is Verb.MASK:
        parts.pop("files.sidecar", None)  # nothing is left beside a frame
    found: dict[str, object] = dict(_objects(request, set(parts)))
    found |= {name: parts[path] for path, name in _FIELDS.items() if path in parts}
    if request.verb is Verb.KNOWLEDGE and found.pop("attacks", USUAL_ATTACK) != USUAL_ATTACK:
        found["attack"] = request.attacks
    return found


def _objects(request: Request, parts: set[str]) -> Iterator[tuple[str, object]]:
    """The arguments that say several fields together."""
    groups = {path.partition(".")[0] for path in parts}
    if "scenario" in groups:
        alone = {path for path in parts if path.startswith("scenario.")} == {"scenario.known"}
        yield ("known", request.scenario.known) if alone else ("scenario", request.scenario)
    for name in ("grid", "occasion"):
        if name in groups:
            yield name, getattr(request, name)
    for name, field in _COLUMNS.items():
        said = {edit.name: getattr(edit, field) for edit in request.files.columns}
        if any(word is not None for word in said.values()):
            yield name, {column: word for column, word in said.items() if word is not None}


_COLUMNS = {"roles": "role", "kinds": "kind", "missing_codes": "missing", "renamed": "renamed"}


def _check(request: Request, keywords: Mapping[str, Any], function: str) -> None:
    """Refuse a call that asks for something else: the request is made of it, and compared."""
    asked, made = _comparable(request), dict(changed(_called(request, dict(keywords))))
    for path in (*asked, *made):
        if path == "files.columns" and _by_name(asked.get(path)) == _by_name(made.get(path)):
            continue  # they come in another order, which changes nothing
        if asked.get(path) != made.get(path):
            what = path.rpartition(".")[2]
            raise refused(f"no argument of '{function}' says '{what}' as the request has it")


def _comparable(request: Request) -> dict[str, Any]:
    """What the call has to ask for: a mask that makes the release is an object, whose text is its own."""
    if request.verb is Verb.MASK:
        return dict(changed(replace(request, files=replace(request.files, sidecar=True))))
    if request.mask is not None:
        mask = parse(request.mask)
        request = replace(request, mask=written(mask.name, mask))
    return dict(changed(request))


def _by_name(edits: tuple[ColumnEdit, ...] | None) -> dict[str, ColumnEdit]:
    return {edit.name: edit for edit in edits or ()}


def _called(request: Request, asked: Any) -> Request:
    """The request behind the call, as the function itself makes it of its arguments."""
    files, verb = request.files, request.verb
    if "scenario" in asked:  # whose sources are made anew, which may respell a name
        asked["scenario"] = replace(request.scenario, sources=tuple(map(replace, request.scenario.sources)))
    if verb is Verb.MASK:
        asked = {name: value for name, value in asked.items() if name in _OF_MASK}
        named = {name: asked.pop(name, None) for name in ("schema", "shape", "nodes")}
        return Request(RequestFiles(files.original, **named), verb, mask=request.mask, **asked)
    if verb in (Verb.STUDY, Verb.PROTECT):
        how = (asked.pop("replicates", REPLICATES), asked.pop("least", None))
        masks = request.masks if verb is Verb.STUDY else asked.pop("masks", ())
        return requested_study(verb, files.original, masks, asked, *how)[0]
    grid, released = asked.pop("grid", None), _positional(request)[1]
    if verb is Verb.KNOWLEDGE:
        asked["attacks"] = asked.pop("attack", USUAL_ATTACK)
    if verb is Verb.COMPARE:
        asked["earlier"] = files.earlier
    return requested(verb, files.original, released, asked, grid)[0]


def _text(value: object) -> str:
    """A value as Python writes it; all objects are such that ``unmask`` has their class."""
    if isinstance(value, StrEnum):
        return _quoted(value.value)
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, Mask):
        return f"unmask.masks.parse({_quoted(written(value.name, value))})"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_text(key)}: {_text(one)}' for key, one in value.items())}}}"
    if isinstance(value, tuple):
        return f"[{', '.join(map(_text, value))}]"
    if is_dataclass(value):
        said = {path.partition(".")[0] for path, _ in changed(value)}
        parts = (f"{f.name}={_text(getattr(value, f.name))}" for f in fields(value) if f.name in said)
        return f"unmask.{type(value).__name__}({', '.join(parts)})"
    if isinstance(value, float) and not isfinite(value):
        return f'float("{value}")'
    return number_text(value) if isinstance(value, int | float) else repr(value)


def _quoted(text: str) -> str:
    """A text in double quotes, unless it holds quotes itself."""
    plain = repr(text)
    return plain if '"' in text or "'" in text else f'"{plain[1:-1]}"'
