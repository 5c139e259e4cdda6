"""The command line, run in process or as a program of its own, and the small files it is tried on."""

from __future__ import annotations

import io
import os
import random
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from unittest.mock import patch

from unmask.cli.verbs import main

# Texts that stand in the records and nowhere else: nothing that is printed or written may repeat them.
SECRET_TEXT = "Zq"
SECRET_NUMBER = 771_000


@dataclass(frozen=True)
class Outcome:
    """What a run left on the terminal, and its exit code."""

    code: int
    out: str
    err: str


def run(*arguments: object) -> Outcome:
    """The command line in this process."""
    out, err = io.StringIO(), io.StringIO()
    with (
        patch.object(sys, "argv", ["unmask", *map(str, arguments)]),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main()
            code: object = None
        except SystemExit as stop:
            code = stop.code
    assert isinstance(code, int)
    return Outcome(code, out.getvalue(), err.getvalue())


def program(
    *arguments: object, folder: Path, stdout: IO[str] | int = subprocess.PIPE, **environment: str
) -> Outcome:
    """The command line as a program of its own."""
    done = subprocess.run(
        [sys.executable, "-c", "from unmask.cli import main; main()", *map(str, arguments)],
        cwd=folder,
        env=os.environ | environment,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    return Outcome(done.returncode, done.stdout or "", done.stderr)


def put(folder: Path, files: dict[str, str | bytes]) -> None:
    """Write these files."""
    for name, content in files.items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def content(folder: Path) -> dict[str, bytes | None]:
    """Every file below the folder with its bytes, hidden ones too; None for a folder."""
    return {
        str(path.relative_to(folder)): None if path.is_dir() else path.read_bytes()
        for path in sorted(folder.rglob("*"))
    }


def people(n: int = 40, *, moved: float = 0.0, seed: int = 7) -> list[dict[str, object]]:
    """Invented people; ``moved`` is how far their numbers are from the true ones, in shares of the spread.

    The key, the town and the income are recognisable.
    """
    true, noise = random.Random(seed), random.Random(seed + 1)
    rows: list[dict[str, object]] = []
    for i in range(n):
        age, income = true.randint(18, 90), SECRET_NUMBER + true.randint(0, 999)
        sex, town = true.choice("fm"), f"{SECRET_TEXT}town{true.randrange(4)}"
        age = age + moved * noise.gauss(0, 20)
        income = income + moved * noise.gauss(0, 300)
        rows.append(
            {
                "id": f"{SECRET_TEXT}{i:04d}",
                "age": round(age, 2) if moved else age,
                "income": round(income, 2) if moved else income,
                "sex": sex,
                "town": town,
            }
        )
    return rows


def csv(rows: list[dict[str, object]]) -> str:
    """The rows as CSV."""
    lines = [
        ",".join(rows[0]),
        *(",".join("" if v is None else str(v) for v in row.values()) for row in rows),
    ]
    return "\n".join(lines) + "\n"


def without(rows: list[dict[str, object]], *names: str) -> list[dict[str, object]]:
    """The rows without these columns."""
    return [{name: value for name, value in row.items() if name not in names} for row in rows]
