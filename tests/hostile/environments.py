"""Does unmask work in the environments that its documentation and its bounds allow?

``python -m tests.hostile.environments [NAME ...]`` makes a virtual environment for each extra alone (and for
none and all of them), writes and reads every format there, and expects a one-line error that names the extra
where its library is missing. The environments 'lowest' and 'newest' hold the lowest and the newest versions
that pyproject.toml admits and run a representative part of the tests; 'newest-3.12' and the like do so with
another Python. It installs packages, so pytest does not collect it. It prints a line for each environment and
exits with 1 if one of them fails.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]

#: The extra that a format needs, if any.
FORMATS = {
    ".csv": "", ".csv.gz": "", ".tsv": "", ".parquet": "", ".arrow": "", ".feather": "", ".db": "",
    ".xlsx": "excel", ".sav": "stats", ".zsav": "stats", ".dta": "stats", ".xpt": "stats", ".rds": "r",
    ".skops": "models",
}  # fmt: skip

#: The tests that the lowest and the newest versions have to pass: files, reports, numbers, the command line.
TESTS = (
    "tests/unit/test_io.py",
    "tests/unit/test_writers.py",
    "tests/unit/test_frames.py",
    "tests/unit/test_optional_libraries.py",
    "tests/unit/test_model_files.py",
    "tests/unit/test_membership.py",
    "tests/unit/test_chart_libraries.py",
    "tests/unit/test_report.py",
    "tests/unit/test_report_documents.py",
    "tests/unit/test_kernel_cache.py",
    "tests/unit/test_regression.py",
    "tests/cli/test_bad_options.py",
)

#: What a user of the environment does, without any of the test suite's libraries.
ASSESS = """
from pathlib import Path
from unmask.data.example import people
from unmask.data.io import write
from unmask.cli import main
import sys
write(people(60).frame, Path("people.csv"))
sys.argv = ["unmask", "assess", "people.csv", "people.csv", "--truth", "rows", "--attacks", "guess",
            "--measures", "reidentification", "--html", "report.html", "--json", "risk.json"]
main()
"""


def extras() -> list[str]:
    """The extras that users are told of, from pyproject.toml; those of developers are left out."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    developers = {"docs", "test", "bench", "dev"}
    return ["none", *(name for name in project["optional-dependencies"] if name not in developers)]


def uv(folder: Path) -> Path:
    """The installer: pip knows no lowest versions."""
    found = shutil.which("uv")
    if found:
        return Path(found)
    home = folder / "uv"
    if not (home / "bin" / "uv").exists():
        subprocess.run([sys.executable, "-m", "venv", home], check=True)
        subprocess.run([home / "bin" / "python", "-m", "pip", "install", "--quiet", "uv"], check=True)
    return home / "bin" / "uv"


def made(name: str, folder: Path) -> Path:
    """The Python of a new environment."""
    kind, _, python = name.partition("-")
    tested = kind in ("lowest", "newest")
    extra = "[test]" if tested else "" if name == "none" else f"[{name}]"
    lowest = ["--resolution", "lowest-direct"] if kind == "lowest" else []
    home = folder / name
    install = [uv(folder), "pip", "install", "--quiet", "--reinstall-package", "unmask", *lowest]
    subprocess.run(
        [install[0], "venv", "--quiet", "--clear", "--python", python or sys.executable, home], check=True
    )
    subprocess.run([*install, "--python", home, f"{ROOT}{extra}"], check=True)
    return home / "bin" / "python"


def answer(name: str, folder: Path) -> tuple[bool, str]:
    """Whether an environment serves, and what is to be said of it."""
    python = made(name, folder)
    # The installed package is tried, not the tree; the tests are found through their own folder.
    env = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"} | {"CI": "1"}
    if name.partition("-")[0] in ("lowest", "newest"):
        command = [python, "-m", "pytest", "-p", "no:cacheprovider", "-n0", "-q", *TESTS]
        done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
        lines = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
        return done.returncode == 0, "; ".join(lines) or "the tests pass"
    with tempfile.TemporaryDirectory() as work:
        for command in ([python, __file__, "--probe", name], [python, "-c", ASSESS]):
            done = subprocess.run(command, cwd=work, env=env, capture_output=True, text=True, check=False)
            if done.returncode:
                return False, (done.stderr or done.stdout).strip().splitlines()[-1]
    return True, "every format is read and written, or its extra is named"


def probe(name: str) -> None:
    """In an environment: every format comes back, or the error names the extra that it needs."""
    from unmask.errors import MissingDependencyError

    for suffix, extra in FORMATS.items():
        path = Path(f"people{suffix}")
        try:
            comes_back(path)
        except MissingDependencyError as error:
            if name in (extra, "all"):
                raise SystemExit(f"{suffix}: {error}") from None
            if f"unmask[{extra}]" not in str(error):
                raise SystemExit(f"{suffix} does not name its extra: {error}") from None
        else:
            if extra and name not in (extra, "all"):
                raise SystemExit(f"{suffix} is read without the extra '{extra}': mend this table")


def comes_back(path: Path) -> None:
    """Write a table and read it again."""
    import datetime

    import polars as pl

    from unmask.data.io import read, write
    from unmask.data.io.model import read_model

    people = pl.DataFrame(
        {
            "age": [31, 54, None],
            "town": ["Reus", None, "Salt"],
            "income": [1.5, None, 2.0],
            "born": [datetime.date(1990, 5, 1), None, datetime.date(1970, 1, 1)],
        }
    )
    if path.suffix == ".skops":
        model(path)
        read_model(path)
        return
    if path.suffix == ".db":
        people = people.drop("born")
        sqlite(people, path)
    elif path.suffix == ".rds":
        people = people.drop("born")
        rds(people, path)
    else:
        write(people, path)
    found = read(path).frame
    if not found.equals(people.select(pl.col(found.columns)), null_equal=True):
        raise SystemExit(f"{path.suffix}: another table came back")


def model(path: Path) -> None:
    """A classifier in a skops file, or a file of that name where skops is missing."""
    import numpy as np
    import polars as pl
    from sklearn.tree import DecisionTreeClassifier

    fitted = DecisionTreeClassifier().fit(pl.DataFrame({"age": [1.0, 2.0]}), np.array(["no", "yes"]))
    try:
        from skops.io import dump
    except ImportError:
        path.write_bytes(b"")
    else:
        dump(fitted, path)


def rds(people: object, path: Path) -> None:
    """A file of R, or one of that name where its library is missing."""
    try:
        import pyreadr
    except ImportError:
        path.write_bytes(b"")
    else:
        pyreadr.write_rds(path, people)


def sqlite(people: object, path: Path) -> None:
    """A database with one table."""
    import sqlite3

    path.unlink(missing_ok=True)
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE people (age INTEGER, town TEXT, income REAL)")
        connection.executemany("INSERT INTO people VALUES (?, ?, ?)", people.rows())  # type: ignore[attr-defined]
    connection.close()


def lines(names: list[str], folder: Path) -> Iterator[tuple[bool, str]]:
    """A line for each environment, as they are done."""
    for name in names:
        try:
            good, text = answer(name, folder)
        except subprocess.CalledProcessError as error:
            good, text = False, f"it cannot be made ({error.cmd[0]} failed)"
        yield good, f"{name}: {'' if good else 'FAILS: '}{text}"


def main() -> int:
    """Try the environments that are named, or all."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help="environments: an extra, none, lowest, newest, newest-3.12")
    parser.add_argument("--folder", type=Path, help="where they are made and stay; else they are removed")
    parser.add_argument("--probe", help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.probe:
        probe(told.probe)
        return 0
    failed = False
    with tempfile.TemporaryDirectory(prefix="unmask-environments-") as temporary:
        folder = told.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for good, line in lines(told.names or [*extras(), "lowest", "newest"], folder.absolute()):
            failed |= not good
            sys.stdout.write(line + "\n")
            sys.stdout.flush()
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
