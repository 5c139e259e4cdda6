"""A mask that an external program makes."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from unmask import temporaries
from unmask.about import About
from unmask.data.io import SourceTable, read
from unmask.data.io.write import write
from unmask.data.microdata import Microdata
from unmask.data.schema import Kind
from unmask.errors import ArgumentError, DataError, clipped
from unmask.masks.base import Mask, Masked
from unmask.masks.families import EXTERNAL
from unmask.masks.ranges import PLACEHOLDERS
from unmask.masks.returned import returned
from unmask.masks.strength import Strength
from unmask.parsing import steps

#: Seeds that every tool takes: R's are signed, of 32 bits.
SEEDS = 2**31 - 1

_FORM = "exec:COMMAND {original} {released} {seed}"
_ITSELF = "run the command yourself, on a file that may be shown, to see what it says"


@dataclass(frozen=True)
class Exec:
    """The release that a program makes: sdcMicro (Templ, Kowarik and Meindl 2015), a synthesiser, a script.

    As text, all that follows ``exec:`` is the command, up to the word ``then`` outside double quotes:
    "exec:Rscript mask.R {original} {released} {seed}". It is run without a shell, in the present folder, with

    {original}  the path of a CSV file with the columns of the schema, in a private temporary folder,
    {released}  the path of the CSV file that it must write, with the same columns and rows, in their order,
    {seed}      a whole number from 0 to 2147483646, the same for the same seed of unmask. A command without
                it is told none; then the program decides whether the same release comes out again.

    Row i of what it writes is taken for record i. Columns that hold what the schema says keep their kind;
    others are read as those of a released file. Identifiers may be left out. What the program prints is not
    shown, since it may hold values of records. It declares nothing to an intruder who knows the mask.

    **It runs a program of the user's choice, with the records of the original.** A request or a study that
    somebody else wrote may name one: those are refused unless they are trusted (``--trust-exec``).

    >>> Exec.of_text("exec:Rscript mask.R {original} {released} {seed}").command
    'Rscript mask.R {original} {released} {seed}'
    >>> Exec("Rscript mask.R")
    Traceback (most recent call last):
    unmask.errors.ArgumentError: the command of mask 'exec' has no {original}. Hint: write exec:COMMAND ...
    """

    name: ClassVar[str] = "exec"
    kinds: ClassVar[tuple[Kind, ...]] = tuple(Kind)
    relabels: ClassVar[bool] = True
    written_form: ClassVar[str] = _FORM
    about = About(
        title="external program",
        family=EXTERNAL,
        sentence="A program of the user's choice makes the release.",
        source="The program's own; for one, M. Templ, A. Kowarik and B. Meindl (2015), Statistical "
        "disclosure control for micro-data using the R package sdcMicro, Journal of Statistical Software "
        "67(4).",
        rank=1,
    )
    strength: ClassVar[Strength | None] = None
    examples = ("exec:cp {original} {released}",)
    command: str

    def __post_init__(self) -> None:
        if not isinstance(self.command, str):
            raise ArgumentError("the command of mask 'exec' is not a text", hint=f"write {_FORM}")
        object.__setattr__(self, "command", self.command.strip())
        if len(steps(self.command)) > 1:
            raise ArgumentError(
                "the command of mask 'exec' holds the word 'then'", hint="put it into double quotes"
            )
        for place in PLACEHOLDERS[:2]:
            if f"{{{place}}}" not in self.command:
                raise ArgumentError(f"the command of mask 'exec' has no {{{place}}}", hint=f"write {_FORM}")
        self._words()

    @staticmethod
    def of_text(text: str) -> Exec:
        """The mask of a text: all that follows the colon is the command."""
        return Exec(text.partition(":")[2])

    @property
    def text(self) -> str:
        """How it is written."""
        return f"exec:{self.command}"

    def apply(self, original: Microdata, rng: np.random.Generator) -> Masked:
        """What the program makes of the file."""
        seed = int(rng.integers(SEEDS))
        with temporaries.folder() as folder:
            before, after = folder / "original.csv", folder / "released.csv"
            write(original.frame, before)
            self._run({"original": str(before), "released": str(after), "seed": str(seed)})
            return returned(original, _read(after), "the command of mask 'exec'")

    def _words(self) -> list[str]:
        try:
            return shlex.split(self.command)
        except ValueError:
            raise ArgumentError(
                "the command of mask 'exec' has a quote that is not closed", hint=f"write {_FORM}"
            ) from None

    def _run(self, given: dict[str, str]) -> None:
        words = []
        for word in self._words():
            for place, value in given.items():
                word = word.replace(f"{{{place}}}", value)
            words.append(word)
        quiet = subprocess.DEVNULL  # what it prints may hold values of records
        try:
            done = subprocess.run(words, stdin=quiet, stdout=quiet, stderr=quiet, check=False)
        except (OSError, ValueError):
            raise ArgumentError(
                f"the program '{clipped(words[0])}' of mask 'exec' cannot be run",
                hint="check its name, and that it is installed",
            ) from None
        if done.returncode:
            raise DataError(f"the command of mask 'exec' ended with code {done.returncode}", hint=_ITSELF)


def check_trusted(masks: Iterable[Mask], trusted: bool) -> None:
    """Refuse masks that run a program, where a file names them that may be somebody else's.

    >>> check_trusted([Exec("cp {original} {released}")], trusted=False)
    Traceback (most recent call last):
    unmask.errors.ArgumentError: a mask of the request runs a program. Hint: if the request and ...
    """
    for mask in masks:
        parts: tuple[Mask, ...] = getattr(mask, "parts", (mask,))
        if not trusted and any(isinstance(part, Exec) for part in parts):
            raise ArgumentError(
                "a mask of the request runs a program",
                hint="if the request and the program are your own, say --trust-exec; in Python, give the "
                "Request itself",
            )


def _read(path: Path) -> SourceTable:
    """The file that the program wrote."""
    if not path.is_file():
        raise DataError("the command of mask 'exec' wrote no file to {released}", hint=_ITSELF)
    try:
        return read(path)
    except DataError:  # whose message may quote what stands in the file
        raise DataError(
            "the command of mask 'exec' wrote no CSV file that can be read", hint=_ITSELF
        ) from None
