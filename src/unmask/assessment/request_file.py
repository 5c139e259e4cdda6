"""A request as TOML, for 'unmask run', and as the plain data that documents carry."""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Mapping
from typing import Any

import tomli_w

from unmask.assessment.request import IN_MEMORY, UNUSED, Request
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
    value = _told(request)
    for name in UNUSED[request.verb]:  # which is what it always is
        value.pop(name, None)
        value["files"].pop(name, None)
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
    except (ValueError, RecursionError):  # a ValueError: also a number of thousands of digits
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
        ("schema of the released file", files.released_schema),
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


def _told(part: Any) -> dict[str, Any]:
    """A part of a request by field, without what is empty and need not be told: TOML has no null."""
    told = {}
    for field in dataclasses.fields(part):
        value = getattr(part, field.name)
        if dataclasses.is_dataclass(value):
            value = _told(value)
        elif value == field.default and (isinstance(value, bool) or value in (None, "", ())):
            continue
        if value is not None and value != {}:
            told[field.name] = [_told(one) for one in value] if _is_list(value) else plain(value)
    return told


def _is_list(value: object) -> bool:
    return isinstance(value, tuple) and any(dataclasses.is_dataclass(one) for one in value)
