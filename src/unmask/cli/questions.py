"""The questions of 'unmask start': few, each with a default, and never a value of a record."""

from __future__ import annotations

import select
import sys
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import typer
from typer.exceptions import Abort

from unmask.cli.terminal import out
from unmask.errors import ArgumentError, UnmaskError, missing_columns, unknown_name
from unmask.visible import visible

#: What stands for the answer that is shown already, and for no column at all.
SHOWN, NONE = "as shown", "none"


@dataclass(frozen=True)
class Questions:
    """Asks on the terminal, or takes every default (``yes``)."""

    yes: bool = False

    def columns(self, question: str, default: Sequence[str], known: Collection[str]) -> list[str]:
        """Some of the columns, by their names; the default is what the table shows."""
        if self.yes:
            return list(default)
        while True:
            answer = _asked(f"{question} (names, or '{NONE}')", SHOWN)
            try:
                return list(default) if answer == SHOWN else _named(answer, known)
            except UnmaskError as error:
                out.print(f"  {error}", soft_wrap=True)

    def column(self, question: str, known: Collection[str]) -> str:
        """One of these names; there is no default, so nobody is taken for somebody else by accident."""
        while True:
            answer = _asked(question, None)
            if answer in known:
                return answer
            out.print(f"  {unknown_name('column of both files', answer, known)}", soft_wrap=True)

    def agrees(self, question: str) -> bool:
        """Whether it is so; by default it is."""
        return self.yes or _confirmed(question, default=True)

    def check_somebody(self) -> None:
        """Refuse to ask where it is known that nobody answers: no input, or one that is at its end."""
        if not self.yes and _at_end():
            raise _unanswered()

    def check_free(self, paths: Iterable[Path]) -> None:
        """Refuse to write over a file, unless the user says so."""
        for path in paths:
            if not path.exists():
                continue
            if self.yes or not _confirmed(f"'{path}' is there already. Write over it?", default=False):
                raise ArgumentError(f"'{path}' is there already", hint="name another folder with --out")


def _named(answer: str, known: Collection[str]) -> list[str]:
    """The columns that an answer lists; a column's own name counts, whatever it is."""
    if answer.strip() == NONE and NONE not in known:
        return []
    found = [name.strip() for name in answer.split(",") if name.strip()]
    if answer in known:
        found = [answer]
    if any(name not in known for name in found):
        raise missing_columns(found, known, "the original file")
    return found


def _asked(question: str, default: str | None) -> str:
    try:
        return str(typer.prompt(visible(question), default=default))
    except Abort:
        raise _unanswered() from None


def _confirmed(question: str, *, default: bool) -> bool:
    try:
        return typer.confirm(visible(question), default=default)
    except Abort:
        raise _unanswered() from None


def _at_end() -> bool:
    """Whether the input has ended already; it is not waited for."""
    if sys.stdin is None or sys.stdin.closed:
        return True
    try:
        waits = not select.select([sys.stdin], [], [], 0)[0]
        return not waits and not sys.stdin.isatty() and not sys.stdin.buffer.peek(1)  # type: ignore[union-attr]
    except (OSError, ValueError, AttributeError):
        return False  # an input that does not tell


def _unanswered() -> Exception:
    """On a terminal, the user ended it; else nobody is there to answer."""
    if sys.stdin is not None and not sys.stdin.closed and sys.stdin.isatty():
        return Abort()
    return ArgumentError("a question got no answer", hint="take the defaults with --yes, or use a terminal")
