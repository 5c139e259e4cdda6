"""The process that runs commands, one after the other: when it dies, only the command at hand is lost.

It reads one JSON line per command and answers with one. What the command prints goes to two files, also what
a library prints without Python knowing.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import warnings
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

#: Nothing here needs more; whatever asks for it gets a MemoryError instead of the machine.
MOST_MEMORY = 10 << 30


def serve() -> None:
    """Answer until nobody asks any more."""
    asked, told = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    with Path(os.devnull).open() as nothing:
        os.dup2(nothing.fileno(), 0)
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, resource.RLIM_INFINITY))
    from tests.cli.console import main

    for line in asked:
        told.write(json.dumps(_run(main, json.loads(line))) + "\n")
        told.flush()


def _run(main: Any, asked: Mapping[str, Any]) -> dict[str, object]:
    os.chdir(asked["folder"])
    before, peak = dict(os.environ), _peak()
    os.environ.update(asked["environment"])
    sys.argv = ["unmask", *asked["arguments"]]
    sys.stdin = Path(os.devnull).open()  # noqa: SIM115
    try:
        with _printing_to(1, asked["out"]), _printing_to(2, asked["err"]), warnings.catch_warnings():
            code = _code(main)
    finally:
        os.environ.clear()
        os.environ.update(before)
        os.chdir("/")
    return {"code": code, "grown": (_peak() - peak) / 1024}


def _python(code: str) -> int:
    """A program in Python; an error that is meant for users ends it as it ends a command."""
    from unmask.errors import UnmaskError

    try:
        exec(compile(code, "a program", "exec"), {})
    except UnmaskError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    return 0


def _code(main: Any) -> int:
    try:
        if sys.argv[1:2] == ["python"]:
            return _python(sys.argv[2])
        main()
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 0 if stop.code is None else 1
    except BaseException:
        sys.excepthook(*sys.exc_info())  # type: ignore[arg-type]
        return 1
    return 0


class _printing_to:  # noqa: N801
    """What goes to a file descriptor, and to Python's stream of it, goes to a file."""

    def __init__(self, number: int, path: str) -> None:
        self.number, self.path = number, path

    def __enter__(self) -> None:
        self.kept = os.dup(self.number)
        with Path(self.path).open("wb") as stream:
            os.dup2(stream.fileno(), self.number)
        made = os.fdopen(os.dup(self.number), "w", encoding="utf-8", errors="backslashreplace")
        setattr(sys, {1: "stdout", 2: "stderr"}[self.number], made)

    def __exit__(self, *_: object) -> None:
        name = {1: "stdout", 2: "stderr"}[self.number]
        with suppress(OSError, ValueError):
            getattr(sys, name).close()
        setattr(sys, name, getattr(sys, f"__{name}__"))
        os.dup2(self.kept, self.number)
        os.close(self.kept)


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    serve()
