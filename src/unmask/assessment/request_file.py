"""A request as TOML, for 'unmask run', and as the plain data that documents carry."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any

import tomli_w

from unmask.assessment.request import IN_MEMORY, Grid, Request, Verb
from unmask.documents.codec import Unfit, build, plain, strange
from unmask.errors import DataError

MARK, VERSION = "unmask-request", 1

_HEADER = (
    "# What unmask is asked to do. 'unmask run FILE' does it; 'unmask assess --help' explains the parts.\n"
)


def to_plain(request: Request) -> dict[str, Any]:
    """The request as plain data, complete, as documents carry it."""
    found: dict[str, Any] = plain(request)
    return found


def from_plain(value: Mapping[str, Any]) -> Request:
    """The request that plain data describes; an unknown key is refused."""
    lost = strange(Request, value)
    if lost is not None:
        raise DataError(f"the request has an unknown part '{lost}'", hint="check the spelling")
    try:
        return build(Request, value)
    except Unfit as unfit:
        what = "lacks" if unfit.lacking else "has something that does not fit at"
        raise DataError(f"the request {what} '{unfit.where}'", hint="compare it with a saved one") from None


def to_toml(request: Request) -> str:
    """The request as TOML text; what is not set is left out.

    >>> from unmask.assessment.request import RequestFiles
    >>> from unmask.intruder.scenario import Scenario
    >>> asked = Request(RequestFiles("people.csv", "released.csv"), scenario=Scenario(known=("age", "sex")))
    >>> from_toml(to_toml(asked)) == asked
    True
    """
    value = _set(to_plain(request))
    if request.verb is not Verb.KNOWLEDGE and request.grid == Grid():
        del value["grid"]  # nobody asked for curves
    return _HEADER + tomli_w.dumps({"format": MARK, "version": VERSION, **value})


def from_toml(text: str) -> Request:
    r"""The request in a TOML text.

    >>> from_toml('format = "unmask-request"\nversion = 1\nsede = 1')
    Traceback (most recent call last):
    unmask.errors.DataError: the request has an unknown part 'sede'. Hint: check the spelling.
    """
    hint = "write one with 'unmask assess ... --save-request FILE'"
    try:
        value = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        raise DataError("the request is not TOML", hint=hint) from None
    if value.pop("format", None) != MARK:
        raise DataError(f"the TOML has no format = '{MARK}'", hint=hint)
    version = value.pop("version", None)
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise DataError("the request has no format version", hint=hint)
    if version > VERSION:
        raise DataError(
            f"the request has format version {version}, and this unmask reads up to {VERSION}",
            hint="update unmask, or use the one that wrote the file",
        )
    return from_plain(value)


def check_files_named(request: Request) -> None:
    """Refuse a request whose files were objects in memory: nobody can find them again."""
    files = request.files
    for name, value in (
        ("original file", files.original),
        ("released file", files.released),
        ("schema", files.schema),
        ("population file", files.population),
        ("hold-out file", files.holdout),
        ("model", files.model),
        *(("earlier release", one) for one in files.earlier),
    ):
        if value == IN_MEMORY:
            raise DataError(
                f"the {name} of this request was an object in memory, not a file",
                hint="call unmask from Python with the same object, or put a path into the request",
            )


def _set(value: Mapping[str, Any]) -> dict[str, Any]:
    """What is set, without empty sections: TOML has no null."""
    inner = {k: _set(v) if isinstance(v, dict) else v for k, v in value.items() if v is not None}
    listed = {
        k: [_set(i) if isinstance(i, dict) else i for i in v] if isinstance(v, list) else v
        for k, v in inner.items()
    }
    return {k: v for k, v in listed.items() if v != {}}
