"""Programs that may write only where permissions let them, even if the tests are run by root."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

#: Gives up the right to ignore permissions (prctl 24: out of the bounding set; the capabilities DAC_OVERRIDE
#: and DAC_READ_SEARCH), then becomes the program. Without that right nothing happens, which is as well.
_GIVE_UP = """
import ctypes, os, sys
prctl = getattr(ctypes.CDLL(None), "prctl", None)
for capability in (1, 2):
    if prctl:
        prctl(24, capability, 0, 0, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""


def as_ordinary_user(
    *arguments: str, env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run this Python with arguments, in which permissions count."""
    return subprocess.run(
        [sys.executable, "-c", _GIVE_UP, sys.executable, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **(env or {})},
        cwd=cwd,
    )


@contextmanager
def read_only(folder: Path) -> Iterator[Path]:
    """The folder and all folders in it, closed for writing for a while."""
    every = [folder, *(one for one in folder.rglob("*") if one.is_dir())]
    modes = [one.stat().st_mode for one in every]
    try:
        for one in every:
            one.chmod(0o555)
        yield folder
    finally:
        for one, mode in zip(every, modes, strict=True):
            one.chmod(mode)
