"""Where the reference files are. They are not ours to republish, so tests skip where they are absent.

Under CI they must be there: a skipped check would look like one that passed.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_BESIDE_THE_PROJECT = Path(__file__).resolve().parents[2] / "shared" / "data"


def data(name: str) -> Path:
    """A reference file: under UNMASK_DATA, else ../shared/data from the project's root."""
    return _present(_folder() / name)


def golden(name: str) -> Path:
    """A file of values that another tool computed, in the folder beside the reference data."""
    return _present(_folder().parent / "golden" / name)


def _folder() -> Path:
    return Path(os.environ.get("UNMASK_DATA") or _BESIDE_THE_PROJECT).resolve()


def _present(path: Path) -> Path:
    if not path.exists():
        absent = pytest.fail if os.environ.get("CI") else pytest.skip
        absent(f"no reference file {path.name}: set UNMASK_DATA to the folder of the reference data")
    return path
