"""What the verbs of the command line take, asked of the functions that they are."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import typer
from typer.models import ArgumentInfo

from tests.cli.console import main
from tests.hostile.judging import OUTPUTS

#: Parameters that are told as text, and are files: they may be addresses of databases too.
FILES = {"original", "released", "population", "holdout", "earlier", "file", "new"}


@dataclass(frozen=True)
class Parameter:
    """An option, or an argument at a place. ``takes``: INT, FLOAT, BOOL, PATH, TARGET or TEXT."""

    name: str
    takes: str
    flag: str = ""
    place: int | None = None


#: Verbs that go on until somebody ends them; tests/cli/test_serve.py and tests/web try those.
ENDLESS = ("serve",)


@cache
def verbs() -> dict[str, tuple[Parameter, ...]]:
    """The parameters of every verb that comes to an end, by the words that call it."""
    found = dict(_verbs(import_module(main.__module__).app, ""))
    return {name: parameters for name, parameters in found.items() if name not in ENDLESS}


def _verbs(app: typer.Typer, before: str) -> Iterator[tuple[str, tuple[Parameter, ...]]]:
    for command in app.registered_commands:
        assert command.callback is not None
        name = command.name or command.callback.__name__.replace("_", "-")
        yield before + name, tuple(_parameters(command.callback))
    for group in app.registered_groups:
        assert group.typer_instance is not None
        name = group.name if isinstance(group.name, str) else group.typer_instance.info.name
        yield from _verbs(group.typer_instance, f"{before}{name} ")


def _parameters(callback: Any) -> Iterator[Parameter]:
    hints = get_type_hints(callback, include_extras=True)
    place = 0
    for name in inspect.signature(callback).parameters:
        kind, *told = get_args(hints[name])
        if isinstance(told[0], ArgumentInfo):
            yield Parameter(name, _takes(name, kind, ()), place=place)
            place += 1
        else:
            flags = tuple(told[0].param_decls or (f"--{name.replace('_', '-')}",))
            yield Parameter(name, _takes(name, kind, flags), flags[0])


def _takes(name: str, kind: Any, flags: tuple[str, ...]) -> str:
    if {*flags} & OUTPUTS.keys():
        return "TARGET"
    if get_origin(kind) in (Union, UnionType, list):
        return _takes(name, next(one for one in get_args(kind) if one is not type(None)), flags)
    if kind is Path or name in FILES:
        return "PATH"
    return {int: "INT", float: "FLOAT", bool: "BOOL"}.get(kind, "TEXT")
